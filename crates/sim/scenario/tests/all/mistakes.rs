//! Every mistake gets an answer with what was asked, what was found and what would work.

use philae_scenario::{Scenario, ScenarioError};

const BASE: &str =
    "system = \"malbec\"\n[[job]]\nname = \"a\"\nnodes = 16\nworkload = { kind = \"permutation\", iterations = 2 }\n";

fn error_of(text: &str) -> String {
    Scenario::parse(text, "the text").and_then(|scenario| scenario.resolve()).expect_err(text).to_string()
}

fn error_with(more: &str) -> String {
    error_of(&format!("{BASE}{more}"))
}

fn error_set(key: &str, value: &str) -> String {
    Scenario::parse_with(BASE, "the text", &[(key.to_owned(), value.to_owned())])
        .and_then(|scenario| scenario.resolve())
        .expect_err(key)
        .to_string()
}

#[test]
fn an_unknown_key_is_answered_with_its_line_and_the_nearest() {
    let error = error_with("[hardware.switch]\nbufer_shared_bytes = 3\n");
    let start =
        "unknown key `bufer_shared_bytes` in [hardware.switch] (line 7); did you mean `buffer_shared_bytes`? keys: ack";
    assert!(error.starts_with(start), "{error}");
    assert!(error_with("[measur]\n").contains("did you mean `measure`?"));
    assert!(error_set("job.a.workload.byts", "1").contains("did you mean `bytes`?"));
    let inline = "{name='x',dragonfly={links_per_pair=1,groups=[{name='c',count=2,switchs=4}]}}";
    assert!(error_set("system", inline).contains("`switchs` in [system.dragonfly.groups.0]; did you mean `switches`?"));
}

const BESIDE: &str = "[system]\nname = 'mixed'\n[system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = 'c', count = 2, switches = 2, endpoints_per_switch = 2 }]\n\
    [[system.ethernet]]\nendpoint = 0\nrate_gbps = 200\n[[system.ethernet]]\nendpoint = 4\nrate_gbps = 200\n";

/// Ultra Ethernet's tables need NICs that have the transport, and a job needs one transport.
#[test]
fn ultra_ethernet_without_its_endpoints_is_refused() {
    let job = "[[job]]\nname = 'a'\nnodes = [0, 4]\nworkload = { kind = 'permutation', iterations = 1 }\n";
    let uet = "[hardware.ethernet]\ntransport = 'uet'\n";
    let resolved = |text: &str| Scenario::parse(text, "the text").and_then(|scenario| scenario.resolve());
    let found = resolved(&format!("{BESIDE}{uet}[hardware.uet_law]\nlaw = 'rccc'\ncredit_packets = 2\n{job}"));
    let found = found.expect("it has the endpoints");
    assert_eq!(found.config.uet_law().credit_packets(), Some(2));
    assert_eq!(found.scenario.hardware.uet_law.as_ref().and_then(|law| law.name()), Some("rccc"));
    let error = error_of(&format!("{BESIDE}[hardware.uet_law]\nlaw = 'rccc'\n{job}"));
    assert!(error.contains("hardware.ethernet.transport = \"uet\", in a system with [[ethernet]]"), "{error}");
    let error = error_of(&format!("{BESIDE}[hardware.uet]\nip = 6\n{job}"));
    assert!(error.contains("third-party endpoints ([[ethernet]] of the system)"), "{error}");
    let error = error_with("[hardware.uet_law]\nlaw = 'nscc'\n[congestion]\nlaw = 'nscc'\n");
    assert!(error.contains("these keys in [congestion]"), "{error}");
    let error = error_of(&format!("{BESIDE}{uet}[hardware.uet_law]\nlaw = 'rccc'\ndecrease_permille = 2\n{job}"));
    assert!(error.contains("unknown key `decrease_permille` in [hardware.uet_law]"), "{error}");
    let error = error_of(&format!("{BESIDE}{uet}[hardware.uet_law]\nlaw = 'ecn'\n{job}"));
    assert!(error.contains("nscc"), "{error}");
}

/// A key that changes nothing with the others is refused, with what would give it an effect.
#[test]
fn keys_without_an_effect_are_refused() {
    let refused = |text: &str| {
        let scenario = Scenario::parse(text, "the text").and_then(|scenario| scenario.resolve()).expect(text);
        // The resolved text has all defaults, and is refused for the same key.
        let again = Scenario::parse(&scenario.to_toml(), "again").and_then(|scenario| scenario.resolve()).expect(text);
        let error = again.simulation().err().expect(text).to_string();
        assert_eq!(scenario.simulation().err().expect(text).to_string(), error);
        error
    };
    let accepted = |text: &str| {
        let scenario = Scenario::parse(text, "the text").and_then(|scenario| scenario.resolve()).expect(text);
        scenario.simulation().expect(text);
    };
    let own = |more: &str| format!("{BASE}[congestion]\nlaw = 'nscc'\n{more}");
    let aware = own("[hardware.uet]\nspray = 'path-aware'\n");
    let error = refused(&aware);
    assert!(error.contains("hardware.uet.spray is \"path-aware\", with routing.mode = \"adaptive\""), "{error}");
    assert!(error.contains("routing.mode = \"ecmp-nonminimal\""), "{error}");
    refused(&format!("{aware}[routing]\nmode = 'ecmp'\n"));
    accepted(&format!("{aware}[routing]\nmode = 'ecmp-nonminimal'\n"));
    accepted(&format!("{aware}[[class]]\nname = 'a'\npaths = 'ecmp-nonminimal'\n"));
    let all_shortest = refused(&format!("{aware}[routing]\nmode = 'ecmp-nonminimal'\nnonminimal_candidates = 0\n"));
    assert!(all_shortest.contains("routing.nonminimal_candidates is 0"), "{all_shortest}");
    assert!(refused(&own("[hardware.uet]\ntrimmed_bytes = 100\n")).contains("no class has `trimming`"));
    assert!(refused(&own("[hardware.uet]\nencapsulation = 'nic'\nip = 6\n")).contains("hardware.uet.ip is 6"));
    let shift = refused(&own("quick_adaptation = false\nquick_adaptation_shift = 2\n"));
    assert!(shift.contains("congestion.quick_adaptation_shift is 2"), "{shift}");
    let bias = error_of(&own("[[class]]\nname = 'a'\npaths = 'ecmp'\nnonminimal_bias_percent = 10\n"));
    assert!(bias.contains("`nonminimal_bias_percent` is 10; no such key, because `paths`"), "{bias}");
    let job = "[[job]]\nname = 'a'\nnodes = [0, 4]\nworkload = { kind = 'permutation', iterations = 1 }\n";
    let third = |more: &str| format!("{BESIDE}{job}[hardware.ethernet]\n{more}\n");
    let beside = refused(&format!("{}[hardware.uet]\nspray = 'path-aware'\n", third("transport = 'uet'")));
    assert!(beside.contains("paths = \"ecmp-nonminimal\" in a class"), "{beside}");
    for (transport, key) in [
        ("uet", "receive_queues = 2"),
        ("roce", "receive_packet_ns = 2"),
        ("uet", "checksum_offload = false"),
        ("tcp", "checksum_ps_per_byte = 2"),
        ("udp", "eager_max_bytes = 2"),
    ] {
        let error = refused(&third(&format!("transport = '{transport}'\n{key}")));
        let (name, value) = key.split_once(" = ").expect("a key");
        let found = format!("hardware.ethernet.{name} is {value}, with transport = \"{transport}\"");
        assert!(error.contains(&found), "{error}");
    }
    accepted(&third("transport = 'tcp'\nchecksum_offload = false\nchecksum_ps_per_byte = 2\nreceive_queues = 2"));
}

/// A key with two ranges names both.
#[test]
fn what_is_between_two_ranges_is_refused_with_both() {
    let base = format!("{BASE}[congestion]\nlaw = 'nscc'\n[hardware.uet]\n");
    let error = error_of(&format!("{base}ip = 5\n"));
    assert!(error.contains("4 or 6 would work"), "{error}");
    let error = error_of(&format!("{base}trimmed_bytes = 10\n"));
    assert!(error.contains("0 or a whole number from 64 up to 512 would work"), "{error}");
}

#[test]
fn a_misspelt_kind_is_answered_as_any_other_key() {
    let error = error_of(&BASE.replace("kind = ", "knd = "));
    let start = "unknown key `knd` in [job.a.workload] (line 5); did you mean `kind`? keys: kind";
    assert!(error.starts_with(start), "{error}");
    let error = error_of(&BASE.replace("kind = \"permutation\", ", ""));
    assert!(error.contains("`job.a.workload.kind` (line 5) is missing: one of: "), "{error}");
}

#[test]
fn a_system_is_no_scenario_and_a_table_is_named_with_its_keys() {
    let error = error_of(
        "name = \"half\"\nswitch = \"rosetta\"\ncongestion = \"slingshot\"\n[dragonfly]\nlinks_per_pair = 1\n",
    );
    assert!(error.starts_with("the text is a system, not a scenario"), "{error}");
    assert!(error_of("[[job]]\nname = \"a\"\nworkload = { kind = \"permutation\" }\n").contains("`system` is missing"));
    let error = error_set("job.a.workload.offered", "0.5");
    assert!(error.contains("a table with `load` and `rate_gbps` would work"), "{error}");
}

#[test]
fn sampling_intervals_that_no_memory_holds_are_refused() {
    let of = |interval: &str, limit: &str| {
        let set = [("measure.sample_interval", interval), ("run.time_limit", limit)];
        let set = set.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Scenario::parse_with(BASE, "the text", &set).and_then(|scenario| scenario.resolve()).map(|_| ())
    };
    for (interval, limit, works) in [("1ps", "1ms", "`measure.sample_interval`"), ("1ns", "10s", "or more would work")]
    {
        let error = of(interval, limit).expect_err("too many").to_string();
        assert!(error.contains(works) && error.contains("0 for no time series"), "{error}");
    }
    for (interval, limit) in [("0", "10s"), ("1ns", "4s"), ("3ns", "10s")] {
        of(interval, limit).expect("they are few enough");
    }
}

#[test]
fn jobs_that_send_nothing_are_warned_of() {
    let warned = |key: &str, value: &str| {
        let set = [(key.to_owned(), value.to_owned())];
        let scenario = Scenario::parse_with(BASE, "the text", &set).expect("it is read");
        scenario.resolve().map(|resolved| resolved.warnings)
    };
    assert_eq!(warned("seed", "3").expect("it resolves"), Vec::<String>::new());
    let one_rank = "[[job]]\nname = \"b\"\nnodes = 1\nworkload = { kind = \"allreduce\", iterations = 3 }\n";
    let scenario = Scenario::parse(&format!("{BASE}{one_rank}"), "the text").and_then(|scenario| scenario.resolve());
    let warnings = scenario.expect("it resolves").warnings;
    assert!(matches!(warnings.as_slice(), [only] if only.starts_with("job b has one rank")), "{warnings:?}");
    let none = warned("job.0.workload.iterations", "0").expect("it resolves");
    assert!(matches!(none.as_slice(), [only] if only.contains("0 iterations")), "{none:?}");
    let set = [("run.time_limit", "1ms"), ("job.0.start", "1s")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let late =
        Scenario::parse_with(BASE, "the text", &set).and_then(|scenario| scenario.resolve()).expect("it resolves");
    let is_said = |only: &str| only.contains("starts at 1s") && only.contains("the run ends at 1ms");
    assert!(matches!(late.warnings.as_slice(), [only] if is_said(only)), "{:?}", late.warnings);
}

#[test]
fn a_key_of_another_law_is_unknown_under_this_one() {
    let error = error_with("[congestion]\nlaw = \"ecn\"\nstiffness = 3\n");
    assert!(
        error.contains("`stiffness` in [congestion] of the law ecn") && error.contains("mark_min_bytes"),
        "{error}"
    );
}

#[test]
fn an_unknown_word_is_answered_with_the_nearest() {
    let error = error_with("[routing]\nmode = \"adptive\"\n");
    assert!(error.contains("`routing.mode` (line 7) is \"adptive\"") && error.contains("`adaptive`"), "{error}");
    assert!(error_with("[congestion]\nlaw = \"slingshott\"\n").contains("did you mean `slingshot`?"));
    assert!(error_set("job.0.workload.kind", "permuttion").contains("did you mean `permutation`?"));
    assert!(error_set("system", "malbek").contains("did you mean 'malbec'?"));
    assert!(error_set("job.0.class", "bulk").contains("one of: best-effort"));
    assert!(error_set("measure.messages", "['b']").contains("one of: a"));
}

#[test]
fn values_that_are_zero_or_negative_or_of_the_wrong_type_are_placed() {
    for (key, value) in [
        ("seed", "-4"),
        ("seed", "1.5"),
        ("run.partitions", "0"),
        ("run.threads", "0"),
        ("run.partitions", "two"),
        ("run.time_limit", "10"),
        ("run.time_limit", "-10us"),
        ("run.time_limit", "0"),
        ("run.time_limit", "9000000s"),
        ("job.0.nodes", "0"),
        ("job.0.nodes", "-1"),
        ("job.0.nodes", "1.5"),
        ("job.0.processes_per_node", "0"),
        ("job.0.workload.bytes", "4MB"),
        ("job.0.workload.bytes", "-8"),
        ("hardware.nic.payload_max_bytes", "0"),
        ("hardware.nic.payload_max_bytes", "99999999999"),
        ("hardware.nic.ordered", "1"),
        ("hardware.switch", "rosetta"),
        ("hardware.host.copy_rate_mbytes", "0"),
        ("routing.minimal_candidates", "5"),
        ("congestion.stiffness", "-3"),
        ("measure.message_rows_max", "-1"),
    ] {
        let error = error_set(key, value);
        assert!(error.starts_with(&format!("`{key}`")), "{key} = {value}: {error}");
    }
    assert!(error_set("job.0.workload.window", "0").contains("window"));
    let no_rate = "{name='x',graph={switches=1,links=[],endpoints=[{switch=0},{switch=0}],edge={medium='copper',length_m=1,rate_gbps=0}}}";
    assert!(error_set("system", no_rate).contains("the edge links run at 0 Gb/s; 0.001 to 4000 would work"));
}

#[test]
fn jobs_that_cannot_run_are_refused() {
    assert!(error_of("system = \"malbec\"").contains("there are no jobs"));
    assert_eq!(error_set("job.a.nodes", "5000"), "jobs request 5,000 nodes (a 5,000); the system has 484");
    assert!(error_set("job.a.nodes", "1").contains("job a: permutation needs at least 2 ranks"));
    assert!(error_set("job.a.workload", "{kind='incast'}").contains("`iterations` in a job's workload"));
    assert!(
        error_with("[[job]]\nname = \"a\"\nworkload = { kind = \"barrier\" }").contains("another job has that name")
    );
    assert!(error_with("[[job]]\nworkload = { kind = \"barrier\" }").contains("`job.1.name` (line 6) is missing"));
    let warm_up = error_with("[run]\nwarm_up = \"2ms\"\ntime_limit = \"1ms\"");
    assert!(warm_up.contains("`run.warm_up` is 2ms; a time below `run.time_limit` (1ms)"), "{warm_up}");
}

#[test]
fn a_system_that_cannot_be_wired_says_which_ports_are_short() {
    let error = error_set(
        "system",
        "{name='x',dragonfly={links_per_pair=9,port_ranges={edge=[0,15],local=[16,30],global=[31,47]},groups=[{name='c',count=3,switches=1,endpoints_per_switch=4}]}}",
    );
    let start = "system 'x' cannot be built: switch 0 of group 0 needs 18 global ports, it has 17 left";
    assert!(error.starts_with(start) && error.contains("fewer links per pair of groups"), "{error}");
}

#[test]
fn files_that_are_no_scenario_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let load = |path: &std::path::Path| Scenario::load(path).expect_err("no scenario");
    assert!(matches!(load(folder), ScenarioError::IsFolder { .. }));
    assert!(matches!(load(&folder.join("no-such-philae-scenario.toml")), ScenarioError::Read { .. }));
    let path = folder.join("scenario.toml");
    for (bytes, start) in [
        (&b"name = \"\xff\""[..], "is not UTF-8 text (byte 8 is not)"),
        (&b"name = \"\0\""[..], "is not UTF-8 text (byte 8 is not)"),
        (&b" \n"[..], "is empty"),
        (&b"name = "[..], "is not TOML"),
        // What a file is says more than what TOML does not find in it.
        (&b"num_ranks 2\nrank 0 {\n}\n"[..], "is a schedule in GOAL's format, not a scenario"),
        (&b"<?xml version=\"1.0\"?><graphml/>"[..], "is markup such as GraphML, not a scenario"),
        (&b"<!DOCTYPE html>\n<html>"[..], "is a page in HTML, not a scenario"),
        (&b"{\"system\": \"malbec\"}"[..], "is JSON, not a scenario"),
        (&b"---\nsystem: malbec\n"[..], "is YAML, not a scenario"),
        (&b"\x1f\x8b\x08\0"[..], "cannot read the scenario"),
    ] {
        std::fs::write(&path, bytes).expect("a temporary file");
        let error = load(&path).to_string();
        assert!(error.contains(start), "{error}");
    }
    // Whole files that gzip has compressed are read, as systems and traces are.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, BASE.as_bytes()).expect("memory takes it");
    std::fs::write(&path, packed.finish().expect("memory takes it")).expect("a temporary file");
    Scenario::load(&path).expect("the same text, compressed");
    // PowerShell writes UTF-16 with a mark.
    let units = std::iter::once(0xfeff).chain(BASE.encode_utf16());
    std::fs::write(&path, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).expect("a temporary file");
    Scenario::load(&path).expect("the same text in UTF-16");
    let letters = || BASE.chars().map(u32::from);
    for bytes in
        [letters().flat_map(u32::to_le_bytes).collect::<Vec<u8>>(), letters().flat_map(u32::to_be_bytes).collect()]
    {
        std::fs::write(&path, &bytes).expect("a temporary file");
        Scenario::load(&path).expect("the same text in UTF-32");
        std::fs::write(&path, &bytes[..bytes.len() - 2]).expect("a temporary file");
        assert!(load(&path).to_string().contains("is not UTF-32 text"), "{}", load(&path));
    }
    std::fs::remove_file(&path).expect("our file");
}

#[test]
fn a_share_of_the_nodes_stays_a_share() {
    let nodes = |value: &str| {
        let set = [("job.a.nodes".to_owned(), value.to_owned())];
        Scenario::parse_with(BASE, "the text", &set).and_then(|scenario| scenario.resolve()).expect(value).jobs[0]
            .nodes
            .len()
    };
    assert_eq!((nodes("1.0"), nodes("0.5"), nodes("484")), (484, 242, 484));
    // 241.99 nodes, which are not 242.
    assert_eq!((nodes("0.49999"), nodes("0.4999999")), (241, 241));
    assert_eq!((nodes("2e2"), nodes("0x10"), nodes("1_6")), (200, 16, 16));
}

#[test]
fn a_job_is_left_out_and_errors_name_jobs_as_they_were_typed() {
    let two =
        BASE.to_owned() + "[[job]]\nname = \"b\"\nnodes = 8\nworkload = { kind = \"permutation\", iterations = 2 }\n";
    let set = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Scenario::parse_with(&two, "the text", &pairs)
    };
    let names = |pairs: &[(&str, &str)]| -> Vec<String> {
        set(pairs).expect("a scenario").jobs.into_iter().map(|job| job.name).collect()
    };
    assert_eq!(names(&[("job.a", "none")]), ["b"]);
    assert_eq!(names(&[("job.1", "none")]), ["a"]);
    let error =
        |pairs: &[(&str, &str)]| set(pairs).and_then(|scenario| scenario.resolve()).expect_err("refused").to_string();
    let nodes = error(&[("job.b.nodes", "0")]);
    assert!(nodes.starts_with("`job.b.nodes` is 0; a whole number from 1"), "{nodes}");
    let nodes = error(&[("job.a", "none"), ("job.b.nodes", "0")]);
    assert!(nodes.starts_with("`job.b.nodes` is 0;"), "{nodes}");
    let inside = error(&[("job.a.workload", "{ kind = \"permutation\", iterations = -1 }")]);
    assert!(inside.starts_with("`job.a.workload.iterations` is -1;"), "{inside}");
    let file = error(&[("job.a", "none"), ("job.b.class", "bulk")]);
    assert!(file.starts_with("`job.b.class` is \"bulk\""), "{file}");
    assert!(error(&[("job.a", "none"), ("job.b", "none")]).contains("job"), "no job is left");
    assert!(error(&[("job.c", "none")]).contains("no entry of `job` (a, b) is `c`"));
    let both = "cannot set `job.a.nodes`: `job.a` is none, which leaves it out; one of the two would work";
    assert_eq!(error(&[("job.a", "none"), ("job.a.nodes", "4")]), both);
    assert_eq!(error(&[("job.a.nodes", "4"), ("job.0", "none")]), both.replace("`job.a` is", "`job.0` is"));
}

#[test]
fn none_leaves_out_entries_lists_and_optional_tables_and_nothing_may_stand_beside_it() {
    let text = BASE.to_owned()
        + "[link]\nlanes = 4\n[timeline]\nfile = \"t.json\"\n[[capture]]\nport = \"endpoint:0\"\nfile = \"c.pcapng\"\n\
           [[fault]]\nat = \"1us\"\nkind = \"link_down\"\nlink = \"switches:0-1\"\n\
           [[fault]]\nat = \"2us\"\nkind = \"link_down\"\nlink = \"switches:0-2\"\n";
    let text = if Scenario::parse(&text, "the text").is_ok() {
        text
    } else {
        panic!("{:?}", Scenario::parse(&text, "the text"))
    };
    let set = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Scenario::parse_with(&text, "the text", &pairs)
    };
    assert!(set(&[("link", "none")]).expect("without").link.is_none());
    assert!(set(&[("timeline", "none")]).expect("without").timeline.is_none());
    assert!(set(&[("capture", "none")]).expect("without").captures.is_empty());
    assert!(set(&[("capture.0", "none")]).expect("without").captures.is_empty());
    assert_eq!(set(&[("fault.0", "none")]).expect("one is left").fault_list[0].at.to_string(), "2us");
    assert!(set(&[("fault", "none")]).expect("without").fault_list.is_empty());
    // These words are values of their own.
    let law = set(&[("congestion.law", "none"), ("name", "none")]).expect("a law and a name");
    assert_eq!((law.congestion.name(), law.name.as_deref()), (Some("none"), Some("none")));
    for (left_out, beside) in [
        ("link", "link.lanes"),
        ("timeline", "timeline.file"),
        ("capture", "capture.0.file"),
        ("capture.0", "capture.0.file"),
        ("fault.1", "fault.1.at"),
        ("fault", "fault.0.at"),
        ("job.a", "job.a.workload.bytes"),
        ("hardware.ethernet", "hardware.ethernet.mtu_bytes"),
    ] {
        for pairs in [[(left_out, "none"), (beside, "1")], [(beside, "1"), (left_out, "'none'")]] {
            let error = set(&pairs).expect_err("both").to_string();
            let said =
                format!("cannot set `{beside}`: `{left_out}` is none, which leaves it out; one of the two would work");
            assert_eq!(error, said);
        }
    }
    let law = set(&[("congestion.law", "none"), ("congestion.stiffness", "3")]).and_then(|scenario| scenario.resolve());
    let law = law.expect_err("the law has no such key").to_string();
    assert!(
        law.contains("unknown key `stiffness` in [congestion] of the law none; it is a key with law = \"slingshot\";"),
        "{law}"
    );
}

#[test]
fn an_unknown_key_is_answered_with_the_key_that_was_meant_wherever_it_is() {
    for (key, hint) in [
        ("run.seed", "unknown key `seed` in [run]; did you mean `seed` at the top level?"),
        ("run.treads", "unknown key `treads` in [run]; did you mean `threads`?"),
        ("threads", "unknown key `threads` in the scenario; did you mean `run.threads`?"),
        ("latency_ns", "did you mean `hardware.switch.latency_ns`"),
        ("hardware.swich.latency_ns", "unknown key `swich` in [hardware]; did you mean `switch`?"),
        ("job.a.bytes", "unknown key `bytes` in [job.a]; did you mean `job.a.workload.bytes`?"),
        ("job.a.workload.nodes", "did you mean `job.a.nodes`?"),
        ("job.a.workload.algorithm", "in [job.a.workload]; it is a key of tables with kind = "),
        ("hardware.switch.stiffness", "did you mean `congestion.stiffness`?"),
        ("congestion.lanes", "did you mean `link.lanes`?"),
        ("measure.warm_up", "did you mean `run.warm_up`?"),
        ("tme_limit", "did you mean `run.time_limit`?"),
    ] {
        let error = error_set(key, "1");
        assert!(error.contains(hint), "{key}: {error}");
        let (table, last) = key.rsplit_once('.').unwrap_or(("", key));
        let file = match table {
            "" => format!("{last} = 1\n{BASE}"),
            "job.a" => format!("{BASE}{last} = 1\n"),
            "job.a.workload" => continue,
            table => error_file(table, last),
        };
        let error =
            Scenario::parse(&file, "the text").and_then(|scenario| scenario.resolve()).expect_err(key).to_string();
        assert!(
            error.contains("(line ") && error.contains(hint.rsplit("; ").next().expect("a hint")),
            "{key}: {error}"
        );
    }
    let error = error_set("congestion.marking", "1");
    assert!(error.contains("unknown key `marking` in [congestion]") && !error.contains("mapping"), "{error}");
    let error = error_set("zzzzzz", "1");
    assert!(error.starts_with("unknown key `zzzzzz` in the scenario; keys: "), "{error}");
}

fn error_file(table: &str, key: &str) -> String {
    format!("{BASE}[{table}]\n{key} = 1\n")
}

#[test]
fn an_override_that_cannot_be_applied_says_why() {
    assert!(error_set("job.b.nodes", "5").contains("no entry of `job` (a) is `b`"));
    assert!(error_set("job.A.nodes", "5").ends_with("no entry of `job` (a) is `A`; did you mean `job.a`?"));
    assert!(error_set("a b", "5").contains("a key's path would work"));
    assert!(error_set("system.name", "x").contains("which has no keys of its own"));
    let twice = [("seed".to_owned(), "1".to_owned()), ("seed".to_owned(), "2".to_owned())];
    let error = Scenario::parse_with(BASE, "the text", &twice).expect_err("twice").to_string();
    assert_eq!(error, "cannot set `seed`: it is set twice, to 1 and 2");
}

#[test]
fn a_number_is_kept_as_typed_or_refused() {
    let error = error_set("job.a.nodes", "0.49999999999999999999");
    assert!(error.contains("0.49999999999999999999") && error.contains("at most 15 digits"), "{error}");
    let offered = |rate: &str| format!("{{ kind = \"shift\", offered = {{ load = 0.5, rate_gbps = {rate} }} }}");
    let error = error_set("job.a.workload", &offered("100.0001"));
    assert!(error.contains("100.0001") && error.contains("three digits after the point"), "{error}");
    let system = |rate: &str| {
        format!(
            "{{ name = \"x\", graph = {{ switches = 2, endpoints_per_switch = 8, \
             links = [{{ between = [0, 1], rate_gbps = {rate} }}] }} }}"
        )
    };
    let error = error_set("system", &system("100.0001"));
    assert!(error.contains("100.0001 Gb/s") && error.contains("three digits after the point"), "{error}");
}

#[test]
fn a_path_to_an_entry_means_one_entry_or_is_refused() {
    for (key, value, list) in
        [("class.0.name", "x", "class"), ("fault.0", "none", "fault"), ("capture.1.file", "c", "capture")]
    {
        let error = error_set(key, value);
        assert!(error.contains(&format!("no entry of `{list}` (it has none) is `")), "{error}");
        assert!(error.contains(&format!("`{list}=[{{ ... }}]`, would work")), "{error}");
    }
    let set = |text: &str, pairs: &[(&str, &str)]| {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Scenario::parse_with(text, "the text", &pairs).map_err(|error| error.to_string())
    };
    let whole = [("fault", "[{ at = '1us', kind = 'link_down', link = 'switches:0-1' }]"), ("fault.0.at", "2us")];
    assert_eq!(set(BASE, &whole).expect("a list and a key of it").fault_list[0].at.to_string(), "2us");
    let job = |name: &str| format!("[[job]]\nname = \"{name}\"\nnodes = 4\nworkload = {{ kind = \"barrier\" }}\n");
    let two = format!("{BASE}{}", job("0"));
    let error = set(&two, &[("job.0.nodes", "8")]).expect_err("two jobs");
    assert!(
        error.contains("entry 0 of `job` has this number, and entry 1 this name; `job.a` or `job.1` would work"),
        "{error}"
    );
    assert!(set(&two, &[("job.a.nodes", "8"), ("job.1.nodes", "8")]).is_ok());
    let first = format!("system = \"malbec\"\n{}", job("0"));
    assert!(set(&first, &[("job.0.nodes", "8")]).is_ok(), "number and name of one job");
}
