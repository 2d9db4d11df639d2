//! Files of other tools in practical forms: in folders, in parts, compressed, with the losses of
//! their tools.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder for one test, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(&path, content).expect("it can be written");
        text(&path)
    }

    fn path(&self, name: &str) -> String {
        text(&self.0.path().join(name))
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), output.stderr.as_slice()].concat()).into_owned()
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn philae(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = philae(arguments);
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// A job of `nodes` nodes with a trace, on a small built-in system.
fn scenario(jobs: &[(&str, u32, &str)]) -> String {
    let job = |(name, nodes, workload): &(&str, u32, &str)| {
        format!("[[job]]\nname = '{name}'\nnodes = {nodes}\nworkload = {{ kind = 'trace', {workload} }}\n")
    };
    format!("system = 'malbec'\n{}", jobs.iter().map(job).collect::<String>())
}

const STAGES: &str = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 2 vpp: 1 ga: 2 all_gpus: 8 \
    checkpoints: 0 checkpoint_initiates: 0 pp_comm: 1048576\n1\ndense -1 5000 ALLGATHER 65536 5000 REDUCESCATTER 65536 1 ALLREDUCE 65536 100\n";
const TRIGGERS: &str = "Nodes 4\nConnections 2\nTriggers 1\nFailures 1\n0->1 id 1 start 0 size 1000 send_done_trigger 1\n\
    1->2 id 2 trigger 1 size 1000\ntrigger id 1 oneshot\nfailure switch_type TOR switch_id 0 link_id 0\n";

#[test]
fn warnings_of_traces_reach_the_console_the_report_and_the_manifest() {
    let folder = Folder::new();
    folder.write("layers.txt", STAGES);
    folder.write("flows.cm", TRIGGERS);
    let jobs = scenario(&[("a", 8, "file = 'layers.txt'"), ("b", 6, "file = 'flows.cm'")]);
    let file = folder.write("run.toml", &jobs);
    let expected = [
        "job a, trace layers.txt: messages between pipeline stages",
        "job b, trace flows.cm: triggers reach other ranks by 1 message of 8 B",
        "job b, trace flows.cm: 1 failure ignored",
        "job b, trace flows.cm: it has 4 ranks: 2 of the job's 6 ranks do nothing",
    ];
    for fluid in [false, true] {
        let result = folder.path(if fluid { "fluid" } else { "packets" });
        let mut arguments = vec!["simulate", file.as_str(), "--output", result.as_str()];
        arguments.extend(fluid.then_some("--fluid"));
        let output = philae(&arguments);
        assert!(output.status.success(), "{}", said(&output));
        let console = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = std::fs::read_to_string(Path::new(&result).join("report.html")).expect("a report");
        let manifest = std::fs::read(Path::new(&result).join("manifest.json")).expect("a manifest");
        let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
        let listed: Vec<&str> =
            manifest["warnings"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!((listed.len(), console.matches("warning: ").count()), (4, 4), "{console}\n{listed:?}");
        for warning in expected {
            assert!(console.contains(&format!("warning: {warning}")), "{warning} in\n{console}");
            assert!(listed.iter().any(|listed| listed.starts_with(warning)), "{warning} in {listed:?}");
            let html = warning.replace('\'', "&#39;");
            assert!(
                report.contains(&format!("Warning: {warning}")) || report.contains(&format!("Warning: {html}")),
                "{warning}"
            );
        }
    }
    // Without warnings there is no list.
    folder.write("flows.cm", "Nodes 2\n0->1 start 0 size 8\n");
    let file = folder.write("quiet.toml", scenario(&[("b", 2, "file = 'flows.cm'")]));
    let summary = json(&["simulate", &file, "--output", &folder.path("quiet"), "--json"]);
    assert!(summary["manifest"].get("warnings").is_none(), "{}", summary["manifest"]);
}

#[test]
fn a_rank_without_a_file_is_named_wherever_it_is() {
    let folder = Folder::new();
    for rank in [0, 1, 2, 3, 4, 6, 7] {
        folder.write(&format!("app_rank{rank}.txt"), format!("{rank} init\n{rank} barrier\n{rank} finalize\n"));
        folder.write(&format!("padded/t_{rank:03}.et"), [8, 10, 6, b'0', b'.', b'0', b'.', b'4', 0]);
    }
    let gap = folder.write("gap.toml", scenario(&[("a", 8, "file = 'app_rank{rank}.txt'")]));
    for arguments in [vec!["trace", "info"], vec!["simulate"]] {
        let name = if arguments[0] == "trace" { folder.path("app_rank{rank}.txt") } else { gap.clone() };
        let output = philae(&[arguments.as_slice(), &[name.as_str()]].concat());
        assert!(output.status.code() == Some(2) && said(&output).contains("rank 5 has no file"), "{}", said(&output));
    }
    let output = philae(&["trace", "info", &folder.path("padded/t_{rank}.et")]);
    assert!(output.status.code() == Some(2) && said(&output).contains("rank 5 has no file"), "{}", said(&output));
    // With the missing file the trace is complete, with or without leading zeros in numbers.
    folder.write("app_rank5.txt", "5 init\n5 barrier\n5 finalize\n");
    assert_eq!(json(&["trace", "info", &folder.path("app_rank{rank}.txt"), "--json"])["ranks"], 8);
    let output = philae(&["trace", "info", &folder.path("nothing_{rank}.txt")]);
    assert!(said(&output).contains("no file matches"), "{}", said(&output));
    folder.write("app_rank05.txt", "5 init\n");
    let output = philae(&["trace", "info", &folder.path("app_rank{rank}.txt")]);
    assert!(said(&output).contains("rank 5 has two files"), "{}", said(&output));
}

#[test]
fn folders_lists_and_packed_files_are_traces() {
    let folder = Folder::new();
    // As smpirun writes them: numbers from 1, after a time, and a list of them.
    for rank in 0..2 {
        let other = 1 - rank;
        let lines = format!("{rank} init\n{rank} isend {other} 1 8 6\n{rank} recv {other} 1 8 6\n{rank} waitall 1\n");
        folder.write(&format!("list.txt_files/17.25_rank-{}.txt", rank + 1), lines);
    }
    let list = folder.write("list.txt", "list.txt_files/17.25_rank-1.txt\nlist.txt_files/17.25_rank-2.txt\n");
    let info = |name: &str| {
        let found = json(&["trace", "info", name, "--json"]);
        (found["ranks"].clone(), found["files"].clone(), found["sends"].clone())
    };
    let expected = (2.into(), 2.into(), 2.into());
    for name in [list, folder.path("list.txt_files"), folder.path("list.txt_files/17.25_rank-{rank}.txt")] {
        assert_eq!(info(&name), expected, "{name}");
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"num_ranks 1\r\nrank 0 {\r\ncalc 5\r\n}\r\n").expect("it can be packed");
    let packed = packed.finish().expect("it can be packed");
    let file = folder.write("one.goal.gz", &packed);
    assert_eq!(info(&file).0, 1);
    let broken = folder.write("broken.goal.gz", &packed[..packed.len() / 2]);
    let output = philae(&["trace", "info", &broken]);
    assert!(output.status.code() == Some(2) && said(&output).contains("cannot unpack"), "{}", said(&output));
    std::fs::remove_file(broken).expect("our file");
    let found = json(&["trace", "check", &folder.path(""), "--json"]);
    let files = found["files"].as_array().expect("a list");
    let names: Vec<&str> =
        files.iter().filter(|file| file["outcome"] == "read").filter_map(|file| file["file"].as_str()).collect();
    assert_eq!(names.len(), 2, "the list with its files, and the packed one: {found}");
}

#[test]
fn files_of_other_kinds_are_named_and_none_fails() {
    let folder = Folder::new();
    for (name, content) in [
        ("cables.csv", "cable_1,x1000c0r1j1,none\ncable_2,x1000c0r1j2,none\n"),
        ("chakra.0.json", "{\"workload_graph\": [{\"Id\": 1, \"Name\": \"x\", \"NodeType\": 4}]}\n"),
        ("perfquery.out", "PortSelect:......................1\nXmitData:..................1000\n"),
        ("results.rates", "9.216\n9.216\n9.0\n"),
        ("run.sh", "#!/bin/sh\nBIN=../bin/sim\n$BIN -o out\n"),
        ("points.dat", "1 2\n3 4\n"),
        ("names.txt", "folder/a.txt\nfolder/b.txt\n"),
        ("empty.txt", ""),
        ("counted.txt", "some text\n17\n"),
    ] {
        folder.write(name, content);
    }
    let output = philae(&["trace", "check", &folder.path("")]);
    let table = said(&output);
    assert!(output.status.success() && table.contains("0 read, 0 failed, 9 skipped (no known format)"), "{table}");
    for (name, words) in [
        ("cables.csv", "list of cables"),
        ("chakra.0.json", "Chakra trace as JSON"),
        ("perfquery.out", "perfquery"),
        ("results.rates", "column of numbers"),
        ("run.sh", "script"),
        ("points.dat", "two columns of numbers"),
        ("names.txt", "list of files, none of which exists"),
        ("empty.txt", "empty file"),
    ] {
        let row = table.lines().find(|line| line.contains(name)).expect("a row");
        assert!(row.contains(words), "{row}");
    }
    let output = philae(&["trace", "info", &folder.path("chakra.0.json")]);
    assert!(output.status.code() == Some(2) && said(&output).contains("a Chakra trace as JSON"), "{}", said(&output));
    let output = philae(&["trace", "info", &folder.path("")]);
    assert!(output.status.code() == Some(2) && said(&output).contains("is a folder"), "{}", said(&output));
}

#[test]
fn a_deadlock_is_told_in_words_of_the_trace() {
    let folder = Folder::new();
    let rank =
        |other: u32| format!("{{\nl1: recv 8b from {other} tag 0\nl2: send 8b to {other} tag 0\nl2 requires l1\n}}\n");
    folder.write("d.goal", format!("num_ranks 2\nrank 0 {}rank 1 {}", rank(1), rank(0)));
    // Ranks are counted within the job, whatever jobs precede it.
    let text = "system = 'malbec'\n[[job]]\nname = 'first'\nnodes = 4\nworkload = { kind = 'barrier', iterations = 1 }\n\
                [[job]]\nname = 'a'\nnodes = 2\nworkload = { kind = 'trace', file = 'd.goal' }\n";
    let file = folder.write("d.toml", text);
    for more in [None, Some("--fluid")] {
        let mut arguments = vec!["simulate", file.as_str()];
        arguments.extend(more);
        let output = philae(&arguments);
        let words =
            "job a, rank 0, line 3: recv 8 B from rank 1, tag 0; job a, rank 1, line 8: recv 8 B from rank 0, tag 0";
        assert!(output.status.code() == Some(1) && said(&output).contains(words), "{}", said(&output));
        assert!(said(&output).contains("deadlock") && said(&output).contains("in a circle"), "{}", said(&output));
    }
    let output = philae(&["trace", "info", &folder.path("d.goal")]);
    assert!(said(&output).contains("rank 0 waits in line 3: recv 8 B from rank 1, tag 0"), "{}", said(&output));
}

#[test]
fn computation_in_operations_is_read_and_run_at_a_rate() {
    let folder = Folder::new();
    let trace = folder.write(
        "flops.txt",
        "0 init\n1 init\n0 compute 1e6\n0 scan 10 100 6\n1 scan 10 100 6\n0 send 1 0 100\n1 recv 0 0 100\n",
    );
    let output = philae(&["trace", "info", &trace]);
    assert!(output.status.success() && said(&output).contains("flops_per_second: 3 computations"), "{}", said(&output));
    let run = |rate: &str| {
        let file =
            folder.write("run.toml", scenario(&[("a", 2, &format!("file = 'flops.txt', flops_per_second = {rate}"))]));
        philae(&["simulate", &file, "--output", &folder.path("result"), "--json"])
    };
    let whole = run("5_000_000_000");
    let decimal = run("5e9");
    assert!(whole.status.success() && decimal.status.success(), "{}", said(&decimal));
    let digest =
        |output: &Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["manifest"]["digest"].clone();
    assert_eq!(digest(&whole), digest(&decimal));
    for wrong in ["0", "-1", "0.5", "'fast'"] {
        let output = run(wrong);
        assert!(output.status.code() == Some(2) && said(&output).contains("a number"), "{wrong}: {}", said(&output));
    }
}

#[test]
fn one_file_of_many_ranks_and_files_packed_otherwise_hear_what_would_work() {
    let folder = Folder::new();
    let first = folder.write("a.0.txt", "0 init\n0 send 1 0 8\n");
    folder.write("a.1.txt", "1 init\n1 recv 0 0 8\n");
    let output = philae(&["trace", "info", &first]);
    assert_eq!(output.status.code(), Some(2));
    let pattern = folder.path("a.{rank}.txt");
    let works = format!("'{pattern}' would read the 2 files of this name as those of 2 ranks");
    assert!(said(&output).contains(&works), "{}", said(&output));
    assert_eq!(json(&["trace", "info", &pattern, "--json"])["ranks"], 2);
    for (name, magic, words) in [
        ("a.xz", b"\xfd7zXZ\0".as_slice(), "compressed with xz"),
        ("a.zst", b"\x28\xb5\x2f\xfd", "compressed with zstd"),
        ("a.zip", b"PK\x03\x04", "a zip archive"),
    ] {
        let output = philae(&["trace", "info", &folder.write(name, magic)]);
        assert!(said(&output).contains(words), "{}", said(&output));
    }
    // Two flows with the same id are two flows, with a warning.
    let twice = folder.write("a.cm", "Nodes 3\nConnections 2\n0->1 id 1 start 0 size 8\n1->2 id 1 start 0 size 8\n");
    let warnings = &json(&["trace", "info", &twice, "--json"])["warnings"];
    assert!(warnings.to_string().contains("1 flows have the id of another one"), "{warnings}");
}

/// Content goes before the name, and `trace check`, `trace info` and `describe` say the same.
#[test]
fn a_misleading_name_misleads_no_command() {
    let folder = Folder::new();
    let goal = "num_ranks 1\nrank 0 {\na: calc 1\n}\n";
    let matrix = "Nodes 2\nConnections 1\n0->1 start 0 size 1\n";
    let netlist = "Switch 8 \"S-1\" # \"leaf\"\n[1] \"H-1\"[1]\nCa 1 \"H-1\" # \"n1\"\n[1] \"S-1\"[1]\n";
    let graph = "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/></graph></graphml>";
    folder.write("fabric.topo", netlist);
    folder.write("c.et", goal);
    folder.write("d.goal", matrix);
    folder.write("a.toml", graph);
    folder.write("l.toml", "PAR1\u{15}\u{4}");
    folder.write("s.toml", "system = \"malbec\"\n");
    folder.write("mine.toml", "name = \"x\"\n[graph]\n");
    let found = json(&["trace", "check", &folder.path(""), "--json"]);
    assert_eq!(found["failed"], 0, "{found}");
    let files = found["files"].as_array().expect("a list");
    let of = |name: &str| files.iter().find(|file| file["file"].as_str().expect("a name").ends_with(name)).expect(name);
    for (name, format) in [("c.et", "goal"), ("d.goal", "htsim")] {
        assert_eq!(of(name)["format"], format, "{found}");
        assert_eq!(json(&["trace", "info", &folder.path(name), "--json"])["format"], format);
    }
    for (name, why) in [
        ("fabric.topo", "a netlist of ibnetdiscover"),
        ("a.toml", "a graph"),
        ("l.toml", "a Parquet table"),
        ("s.toml", "a scenario"),
        ("mine.toml", "a system"),
    ] {
        assert!(of(name)["why"].as_str().expect("a reason").starts_with(why), "{name}: {found}");
    }
    assert!(said(&philae(&["describe", &folder.path("fabric.topo")])).contains("switches"));
    assert!(said(&philae(&["describe", &folder.path("c.et")])).contains("a trace (GOAL)"));
}

#[test]
fn lists_of_files_may_have_absolute_paths_and_blanks_and_no_rank_twice() {
    let folder = Folder::new();
    let [zero, one] = [("my runs/rank 0.txt", "0 send 1 0 8\n"), ("my runs/rank 1.txt", "1 recv 0 0 8\n")]
        .map(|(name, content)| folder.write(name, content));
    let absolute = folder.write("absolute", format!("{zero}\n{one}\n"));
    let relative = folder.write("relative", "my runs/rank 0.txt\nmy runs/rank 1.txt\n");
    for list in [&absolute, &relative] {
        let found = json(&["trace", "info", list, "--json"]);
        assert_eq!((&found["files"], &found["ranks"]), (&2.into(), &2.into()), "{list}: {found}");
    }
    let twice = folder.write("twice", format!("{zero}\n{one}\n{one}\n"));
    let refused = philae(&["trace", "info", &twice]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(
        said(&refused).contains("found rank 1: the list has the file twice")
            && said(&refused).contains("each rank in one file")
    );
}

/// Paths of a scenario from a pipe are relative to the working folder.
#[test]
fn a_scenario_may_come_from_standard_input() {
    let folder = Folder::new();
    folder.write("g.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    folder.write(
        "ring.toml",
        "name = \"ring\"\n[graph]\nswitches = 2\nlinks = [{ between = [0, 1] }]\nendpoints_per_switch = 2\n",
    );
    let scenario = "system = \"ring.toml\"\n[[job]]\nname = \"a\"\nnodes = 2\nworkload = { kind = \"trace\", file = \"g.goal\" }\n";
    for name in ["-", "/dev/stdin"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.args(["simulate", name, "--quiet", "--output", &folder.path("out")]).current_dir(folder.path(""));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(scenario.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{name}: {}", said(&output));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command
        .args(["sweep", "-", "--seeds", "1-2", "--quiet", "--output", &folder.path("sweep")])
        .current_dir(folder.path(""));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(scenario.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "sweep: {}", said(&output));
}

#[test]
fn ranges_are_told_in_words() {
    for arguments in [&["trace", "info", "x", "--ranks", "0"][..], &["fluid-accuracy", "--count", "0"]] {
        let refused = said(&philae(arguments));
        assert!(refused.contains("a whole number from 1 to 4294967295 would work"), "{refused}");
    }
    let folder = Folder::new();
    let system = folder.write("links.toml", "name = \"x\"\n[graph]\nswitches = 2\nlinks = [[0, 1]]\n");
    assert!(said(&philae(&["describe", &system])).contains("such as { between = [0, 1] }"));
    let named = said(&philae(&["simulate", "../../../scenarios/first-steps.toml", "--set", "job.pairs.nodez=1"]));
    assert!(named.contains("unknown key `nodez` in [job.pairs]"), "{named}");
}
