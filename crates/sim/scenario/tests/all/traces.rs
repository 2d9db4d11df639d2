//! Jobs whose workload is a file.

use philae_scenario::{Scenario, load_trace};
use philae_workload::{Trace, WorkloadSpec};
use std::io::Write;
use std::path::PathBuf;

fn traces() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../trace/tests/data")
}

fn scenario(workload: &str, nodes: u32) -> Scenario {
    let text = format!(
        "[system]\nname = 'tiny'\n[system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = 'c', count = 4, switches = 2, endpoints_per_switch = 4 }}]\n\
         [[job]]\nname = 'trace'\nnodes = {nodes}\nworkload = {workload}\n"
    );
    Scenario::parse(&text, "the text").expect("a scenario")
}

fn of_file(name: &str, nodes: u32) -> Scenario {
    let path = traces().join(name);
    scenario(&format!("{{ kind = 'trace', file = '{}', flops_per_second = 1_000_000_000 }}", path.display()), nodes)
}

fn digest(scenario: &Scenario) -> String {
    let resolved = scenario.resolve().unwrap_or_else(|error| panic!("{error}"));
    let record =
        resolved.simulation().expect("it builds").run(&mut |_| std::ops::ControlFlow::Continue(())).expect("it runs");
    record.digest.to_string()
}

#[test]
fn text_and_binary_of_a_schedule_run_to_the_same_digest() {
    assert_eq!(digest(&of_file("binary_tree_32.goal", 32)), digest(&of_file("binary_tree_32.bin", 32)));
}

#[test]
fn every_format_runs_and_so_does_its_resolved_scenario() {
    for (name, nodes) in [
        ("streams.goal", 3),
        ("incast.cm", 16),
        ("triggers.cm", 6),
        ("actions.txt", 8),
        ("layers.txt", 16),
        ("all_reduce_8npus_1MB.{rank}.et", 8),
    ] {
        let scenario = of_file(name, nodes);
        let resolved = scenario.resolve().unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = Scenario::parse(&resolved.to_toml(), "the text").expect("a resolved scenario reads back");
        assert_eq!(digest(&scenario), digest(&again), "{name}");
    }
}

#[test]
fn a_job_that_is_too_small_or_a_file_that_changed_is_an_error() {
    let error = of_file("binary_tree_32.goal", 31).resolve().expect_err("32 ranks").to_string();
    assert!(error.contains("32 ranks and the job 31"), "{error}");
    let path = traces().join("reduce8.goal");
    let changed = format!("{{ kind = 'trace', file = '{}', crc32 = 5 }}", path.display());
    assert!(scenario(&changed, 8).resolve().expect_err("changed").to_string().contains("has changed"));
    for (workload, words) in [
        ("{ kind = 'trace', file = '/no/such.goal' }", "cannot read the trace"),
        ("{ kind = 'trace', file = '/' }", "is a folder"),
        ("{ kind = 'trace', file = 'x', format = 'otf2' }", "not a trace format"),
        ("{ kind = 'flow-sizes', file = '/no/such', load = 0.5, rate_gbps = 200 }", "cannot read the trace"),
        ("{ kind = 'flow-sizes', load = 0.5, rate_gbps = 200 }", "exactly one"),
    ] {
        let error = scenario(workload, 8).resolve().expect_err(workload).to_string();
        assert!(error.contains(words), "{workload}: {error}");
    }
}

#[test]
fn paths_are_meant_from_the_scenarios_folder() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path();
    std::fs::create_dir_all(folder.join("traces")).expect("a temporary folder");
    std::fs::write(folder.join("traces/a.goal"), "num_ranks 1\nrank 0 {\ncalc 5\n}\n").expect("a file");
    std::fs::write(folder.join("sizes.txt"), "0 0\n1000 50\n5000 100\n").expect("a file");
    let text = "system = 'malbec'\n[[job]]\nname = 'a'\nnodes = 1\nworkload = { kind = 'trace', file = 'traces/a.goal' }\n\
        [[job]]\nname = 'b'\nnodes = 4\nworkload = { kind = 'flow-sizes', file = 'sizes.txt', load = 0.5, rate_gbps = 100, iterations = 3 }\n";
    std::fs::write(folder.join("s.toml"), text).expect("a file");
    let resolved = Scenario::load(folder.join("s.toml")).expect("a scenario").resolve().expect("both files are found");
    let WorkloadSpec::FlowSizes(sizes) = &resolved.jobs[1].section.workload else { panic!("flows") };
    assert_eq!((sizes.mean().0, &sizes.file), (1_750, &None), "the resolved scenario holds the points");
    assert!(resolved.to_toml().contains("crc32"));
}

#[test]
fn a_file_of_each_rank_is_one_trace() {
    let loaded = load_trace(&Trace::of_file(traces().join("all_reduce_8npus_1MB.{rank}.et").to_string_lossy()));
    assert_eq!(loaded.expect("eight files").files, 8);
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text).expect("memory takes it");
    writer.finish().expect("memory takes it")
}

#[test]
fn ranks_are_found_whether_their_files_are_compressed_or_not() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path();
    let rank = |rank: u32| format!("{rank} init\n{rank} barrier\n{rank} finalize\n");
    for number in 0..4 {
        let (text, name) = (rank(number), format!("app.{number}.txt"));
        if number % 2 == 0 {
            std::fs::write(folder.join(name), text).expect("a file");
        } else {
            std::fs::write(folder.join(name + ".gz"), packed(text.as_bytes())).expect("a file");
        }
    }
    let load = |name: &str| load_trace(&Trace::of_file(folder.join(name).to_string_lossy()));
    for name in ["app.{rank}.txt", "app.{rank}.txt.gz"] {
        assert_eq!(load(name).expect("four ranks").files, 4, "{name}");
    }
    // The folder is the trace, too.
    assert_eq!(load("").expect("four ranks").files, 4);
    // A copy of a rank is no further rank.
    std::fs::write(folder.join("app.2.txt.gz"), packed(rank(2).as_bytes())).expect("a file");
    for name in ["app.{rank}.txt", ""] {
        let loaded = load(name).expect("four ranks");
        assert_eq!((loaded.files, loaded.schedule.totals().ranks), (4, 4), "{name}");
    }
    std::fs::write(folder.join("app.02.txt"), rank(2)).expect("a file");
    assert!(load("app.{rank}.txt").expect_err("twice").to_string().contains("rank 2 has two files"));
    std::fs::remove_file(folder.join("app.02.txt")).expect("our file");
    std::fs::write(folder.join("app.99999999999.txt"), rank(2)).expect("a file");
    let error = load("app.{rank}.txt").expect_err("no such rank").to_string();
    assert!(error.contains("the number 99999999999 of") && error.contains("ranks from 0 to 1048575"), "{error}");
    // A list that has a file twice.
    std::fs::write(folder.join("list.txt"), "app.0.txt\n./app.0.txt\n").expect("a file");
    assert!(load("list.txt").expect_err("twice").to_string().contains("rank 0"));
}

#[test]
fn packed_files_and_encodings_are_read_or_named() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let path = temporary.path().join("t.goal.gz");
    let load = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        load_trace(&Trace::of_file(path.to_string_lossy())).map_err(|error| error.to_string())
    };
    let goal = "num_ranks 1\nrank 0 {\ncalc 5\n}\n";
    let whole = packed(goal.as_bytes());
    assert!(load(&whole).is_ok() && load(goal.as_bytes()).is_ok(), "packed, and plain under the name of a packed file");
    assert!(load(&[whole.as_slice(), &[0; 100]].concat()).is_ok(), "padding");
    for (bytes, words) in [
        ([whole.as_slice(), b"calc 6\n"].concat(), "7 bytes that gzip did not write"),
        (whole[..whole.len() - 3].to_vec(), "the file is cut"),
        (b"\x01\x02\x03\xff\xfe".to_vec(), "expected"),
    ] {
        let error = load(&bytes).expect_err("damaged");
        assert!(error.contains(words), "{error}");
    }
    let other = temporary.path().join("t.dat.gz");
    std::fs::write(&other, [1, 2, 3, 0xff]).expect("a file");
    let error = load_trace(&Trace::of_file(other.to_string_lossy())).expect_err("no trace").to_string();
    assert!(error.contains("is not a trace but a file named .gz that gzip has not compressed"), "{error}");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for text in [goal.to_owned(), format!("\u{feff}{goal}")] {
        assert!(load(&wide(&text)).is_ok(), "UTF-16");
        assert!(load(&packed(&wide(&text))).is_ok(), "UTF-16, packed");
    }
    let error = load(&wide(goal)[..7]).expect_err("half a letter");
    assert!(error.contains("is not UTF-16 text (byte 6 is not)"), "{error}");
    let error =
        load("num_ranks 1\nrank 0 { // gr\u{fc}n\ncalc 5\n}\n".chars().map(|c| c as u8).collect::<Vec<_>>().as_slice());
    let error = error.expect_err("Latin-1");
    assert!(error.contains("byte 26: found the byte 0xfc; expected UTF-8 text"), "{error}");
}
