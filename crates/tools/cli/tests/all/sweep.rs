//! Sweeps, tables as text, manual pages.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SMALL: &str = "name = \"small\"\n\
    [system]\nname = \"tiny\"\n\
    [system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("small.toml"), SMALL).expect("a temporary file");
        Self(folder)
    }

    fn philae(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null()).output().expect("it starts")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.philae(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn answers(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.0.path().join("out/runs"))
            .expect("runs")
            .map(|entry| entry.expect("readable").path());
        let mut found: Vec<PathBuf> = entries.collect();
        found.sort();
        found
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

const GRID: [&str; 8] =
    ["sweep", "small.toml", "--set", "congestion.law=slingshot,none", "--seeds", "1-3", "--output", "out"];

#[test]
fn simulate_with_seeds_prints_means_and_keeps_each_result() {
    let folder = Folder::new();
    let several = folder.philae(&["simulate", "small.toml", "--seeds", "1-3", "--output", "out"]);
    let said = text(&several.stdout);
    assert!(several.status.success(), "{}", text(&several.stderr));
    assert!(said.contains('±') && said.contains("95 % interval over seeds"), "{said}");
    for run in ["00000", "00001", "00002"] {
        assert!(!folder.read(&format!("out/results/{run}/report.html")).is_empty(), "{run}");
    }
    let wrong = folder.philae(&["simulate", "small.toml", "--seeds", "1-3", "--seed", "2"]);
    assert!(!wrong.status.success() && text(&wrong.stderr).contains("--seed"), "{}", text(&wrong.stderr));
}

#[test]
fn a_sweep_runs_every_combination_and_goes_on_where_it_was_stopped() {
    let folder = Folder::new();
    let first = folder.json(&GRID);
    assert_eq!((&first["runs"], &first["ran"], &first["found"]), (&Value::from(6), &Value::from(6), &Value::from(0)));
    assert_eq!(first["failures"].as_array().map(Vec::len), Some(0));
    let (parquet, csv) = (folder.read("out/table.parquet"), folder.read("out/table.csv"));
    let lines = text(&csv);
    assert_eq!(lines.lines().count(), 7, "{lines}");
    let heads: Vec<&str> = lines.lines().next().expect("names").split(',').collect();
    assert_eq!(heads[..5], ["run", "congestion.law", "seed", "status", "error"]);
    for name in ["digest", "job.a.message_latency.p99_ps", "link.global.mean"] {
        assert!(heads.contains(&name), "{name} in {heads:?}");
    }
    assert!(lines.lines().nth(2).is_some_and(|line| line.starts_with("1,slingshot,2,completed,,")), "{lines}");
    // The run of a row is the same as with `simulate`.
    let alone =
        folder.json(&["simulate", "small.toml", "--set", "congestion.law=none", "--seed", "3", "--output", "alone"]);
    let digest = alone["summary"]["digest"].as_str().expect("a digest");
    assert!(lines.lines().nth(6).is_some_and(|line| line.contains(digest)), "{digest} in {lines}");
    // Nothing is run again, and the table is identical.
    let again = folder.json(&GRID);
    assert_eq!((&again["ran"], &again["found"]), (&Value::from(0), &Value::from(6)));
    // Missing runs are made, as after a crash, with any number at the same time.
    let answers = folder.answers();
    assert_eq!(answers.len(), 6);
    for lost in &answers[1..4] {
        std::fs::remove_file(lost).expect("ours");
    }
    let rest = folder.json(&[&GRID[..], &["--threads", "2"]].concat());
    assert_eq!((&rest["ran"], &rest["found"]), (&Value::from(3), &Value::from(3)));
    assert_eq!((folder.read("out/table.parquet"), folder.read("out/table.csv")), (parquet, csv));
    // The grid may grow.
    let more = folder.json(&[
        "sweep",
        "small.toml",
        "--set",
        "congestion.law=slingshot,none",
        "--seeds",
        "1-4",
        "--output",
        "out",
    ]);
    assert_eq!((&more["ran"], &more["found"]), (&Value::from(2), &Value::from(6)));
}

#[test]
fn means_have_intervals_over_seeds() {
    let folder = Folder::new();
    let found = folder.json(&GRID);
    let groups = found["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), 2);
    for group in groups {
        assert_eq!(group["runs"], 3);
        let mean = &group["jobs"]["a"]["message_latency.p99_ps"];
        assert_eq!(mean["runs"], 3);
        assert!(mean["mean"].as_f64().is_some_and(|mean| mean > 0.0) && mean["half"].as_f64().is_some(), "{mean}");
    }
    // The mean is that of the table's values.
    let table = folder.json(&["export", "out", "table", "--columns", "congestion.law,job.a.message_latency.p99_ps"]);
    let rows = table["rows"].as_array().expect("rows");
    let of: Vec<f64> = rows.iter().filter(|row| row[0] == "none").filter_map(|row| row[1].as_f64()).collect();
    let mean = groups[1]["jobs"]["a"]["message_latency.p99_ps"]["mean"].as_f64().expect("a mean");
    assert!(of.len() == 3 && (mean - of.iter().sum::<f64>() / 3.0).abs() < 1e-6 * mean, "{of:?} {mean}");
    let printed = text(&folder.philae(&GRID).stdout);
    assert!(printed.contains("congestion.law") && printed.contains(" ± ") && printed.contains("p99"), "{printed}");
    assert!(printed.contains("6 runs (0 now, 6 before)"), "{printed}");
}

#[test]
fn the_page_says_what_was_run_and_draws_figures_against_the_swept_key() {
    let folder = Folder::new();
    let size = "job.a.workload.bytes=1KiB,8KiB,32KiB";
    let laws = "congestion.law=slingshot,none";
    let arguments = ["sweep", "small.toml", "--set", laws, "--set", size, "--seeds", "1-2", "--output", "out"];
    let printed = text(&folder.philae(&arguments).stdout);
    assert!(printed.contains("report: out/report.html"), "{printed}");
    let page = text(&folder.read("out/report.html"));
    // The head: what all have in common, and what the sweep changes.
    for part in [
        "tiny: dragonfly, 6 switches",
        "swept: slingshot | none",
        "<th>Routing</th>",
        "<th>Placement</th>",
        "<th>Seeds</th><td>1, 2</td>",
        "The network: cables between switches",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // A line for each law against the size, with an interval at each of its three points.
    let picture = page.split("<figure").find(|part| part.contains("a: p99 against job.a.workload.bytes"));
    let picture = picture.expect("a picture of the key with numbers");
    assert!(picture.contains("congestion.law=slingshot") && picture.contains("congestion.law=none"), "{picture}");
    for series in ["s0", "s1"] {
        assert_eq!(picture.matches(&format!("<line class=\"line {series}\"")).count(), 9, "{picture}");
        assert_eq!(picture.matches(&format!("<circle class=\"dot {series}\"")).count(), 3, "{picture}");
    }
    // The page depends on the runs alone.
    folder.json(&arguments);
    assert_eq!(text(&folder.read("out/report.html")), page);
    // Words have a row each.
    let words = ["sweep", "small.toml", "--set", laws, "--seeds", "1-2", "--output", "words"];
    assert_eq!(folder.json(&words)["report"], "words/report.html");
    let page = text(&folder.read("words/report.html"));
    assert!(page.contains("mean, with its 95 % interval") && !page.contains("against"), "{page}");
}

#[test]
fn a_run_that_fails_is_a_row_and_a_grid_that_fails_is_refused() {
    let folder = Folder::new();
    let arguments = ["sweep", "small.toml", "--set", "job.a.nodes=8,500", "--output", "out", "--keep-results"];
    let output = folder.philae(&[&arguments[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let error = found["failures"][0]["error"].as_str().expect("an error");
    assert!(error.contains("500 nodes") && found["failures"][0]["name"] == "job.a.nodes=500", "{found:#}");
    assert!(folder.0.path().join("out/results/00000/report.html").is_file(), "results are kept");
    let page = text(&folder.read("out/report.html"));
    assert!(page.contains("1 run failed") && page.contains("500 nodes"), "the page says it");
    for (arguments, part) in [
        (&["sweep", "small.toml", "--set", "job.a.nodes=500,600"][..], "500 nodes"),
        (&["sweep", "small.toml", "--set", "job.a.nods=5"], "did you mean `nodes`?"),
        (&["sweep", "small.toml", "--set", "job.a.nodes"], "KEY=VALUE,VALUE would work"),
        (&["sweep", "small.toml", "--seeds", "3-1"], "1-5"),
        (&["sweep", "small.toml", "--set", "seed=1,2", "--seeds", "1-3"], "twice"),
        (&["sweep", "missing.toml", "--seeds", "1-3"], "missing.toml"),
        (&["sweep", "small.toml", "--seeds", "1-2", "--output", "."], "is not a sweep"),
    ] {
        let output = folder.philae(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

/// Ctrl-C keeps finished runs, and the same command continues.
#[test]
fn an_interrupted_sweep_says_how_far_it_was() {
    let folder = Folder::new();
    let endless = ["--set", "job.a.workload.iterations=5,200000000", "--threads", "1", "--output", "out"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_philae"))
        .current_dir(folder.0.path())
        .args(["sweep", "small.toml", "--progress", "json"])
        .args(endless)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut reports = std::io::BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("\"done\":1") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut reports, &mut line).expect("a report") > 0, "it ended: {line}");
    }
    let killed = Command::new("bash").args(["-c", "kill -INT $0", &child.id().to_string()]).status();
    assert!(killed.expect("bash").success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut reports, &mut rest).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted after 1 of 2 runs"), "{rest}");
    assert_eq!(folder.answers().len(), 1, "what has ended is kept, and nothing half written is left");
}

#[test]
fn a_scenario_without_a_name_has_a_folder_of_its_own_and_no_table_is_lost() {
    let folder = Folder::new();
    let nameless = SMALL.replacen("name = \"small\"\n", "", 1);
    std::fs::write(folder.0.path().join("one.toml"), &nameless).expect("a temporary file");
    std::fs::write(folder.0.path().join("two.toml"), nameless.replacen("\"a\"", "\"b\"", 1)).expect("a temporary file");
    let output = |name: &str| folder.json(&["sweep", name])["output"].clone();
    assert_eq!(
        (output("one.toml"), output("two.toml")),
        ("results/a-on-tiny-sweep".into(), "results/b-on-tiny-sweep".into())
    );
    let said = text(&folder.philae(&["sweep", "one.toml"]).stdout);
    assert!(said.contains("\n1 run (0 now, 1 before)\n"), "{said}");

    // Another scenario in the same folder: the old tables are kept under other names.
    folder.json(&["sweep", "one.toml", "--output", "out"]);
    let earlier = folder.read("out/table.csv");
    folder.json(&["sweep", "one.toml", "--output", "out", "--seeds", "1-2"]);
    assert!(!folder.0.path().join("out/table.earlier.csv").exists(), "the same scenario with more values");
    folder.json(&["sweep", "one.toml", "--output", "out"]);
    assert_eq!(folder.read("out/table.csv"), earlier);
    folder.json(&["sweep", "two.toml", "--output", "out"]);
    assert_eq!(folder.read("out/table.earlier.csv"), earlier);
    assert_ne!(folder.read("out/table.csv"), earlier);
    assert!(
        folder.0.path().join("out/table.earlier.parquet").exists()
            && folder.0.path().join("out/sweep.earlier.json").exists()
    );
}

#[test]
fn tables_are_exported_exactly() {
    let folder = Folder::new();
    folder.json(&["simulate", "small.toml", "--output", "one"]);
    let list = folder.json(&["export", "one"]);
    let names: Vec<&str> =
        list["tables"].as_array().expect("tables").iter().filter_map(|row| row["table"].as_str()).collect();
    assert!(names.contains(&"messages") && names.contains(&"ports"), "{names:?}");
    let table = folder.json(&["export", "one", "messages"]);
    let csv = text(&folder.philae(&["export", "one", "messages", "--csv"]).stdout);
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(csv.lines().count(), rows.len() + 1);
    for (line, row) in csv.lines().skip(1).zip(rows) {
        let cells = row.as_array().expect("a row").iter().map(|cell| match cell {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        assert_eq!(line, cells.collect::<Vec<_>>().join(","));
    }
    // A row without a value has null or an empty cell, not zero.
    folder.philae(&["sweep", "small.toml", "--set", "job.a.nodes=8,500", "--output", "out"]);
    let sweep = folder.json(&["export", "out", "table", "--columns", "run,events,error"]);
    assert!(sweep["rows"][0][1].as_u64() > Some(0) && sweep["rows"][0][2].is_null(), "{sweep:#}");
    assert!(sweep["rows"][1][1].is_null() && sweep["rows"][1][2].is_string(), "{sweep:#}");
    let lines = text(&folder.philae(&["export", "out", "table", "--columns", "run,events,digest"]).stdout);
    assert!(lines.lines().nth(2) == Some("1,,"), "{lines}");
    folder.philae(&["export", "one", "messages", "--columns", "latency_ps,job", "--output", "m.csv"]);
    assert!(text(&folder.read("m.csv")).starts_with("latency_ps,job\n"));
    for (arguments, part) in [
        (&["export", "one", "message"][..], "did you mean 'messages'?"),
        (&["export", "one", "messages", "--columns", "latency"], "did you mean 'latency_ps'?"),
        (&["export", "nowhere", "messages"], "cannot read 'nowhere'"),
        (&["export", ".", "messages"], "has no tables"),
        (&["export", "one", "messages", "--csv", "--json"], "one of them would work"),
    ] {
        let output = folder.philae(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let output = folder.philae(&["man", "man1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&folder.read("man1/philae.1"));
    assert!(page.contains(".TH philae 1") && page.contains("philae\\-simulate(1)"), "{page}");
    for command in ["simulate", "sweep", "export", "compare", "trace-info", "nic-bench", "manager"] {
        let page = text(&folder.read(&format!("man1/philae-{command}.1")));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{command}: {page}");
    }
    assert!(!folder.0.path().join("man1/philae-nic-bench-worker.1").exists(), "hidden commands have none");
}

#[test]
fn a_run_that_does_not_fit_into_memory_is_a_row_and_no_answer() {
    let folder = Folder::new();
    // 9.6 million ranks, of 400 bytes and more each.
    let line = format!(
        "ulimit -v 4000000; exec '{}' sweep small.toml --set job.a.processes_per_node=1,400000 --output out --json",
        env!("CARGO_BIN_EXE_philae")
    );
    let mut shell = Command::new("bash");
    let output = shell.args(["-c", &line]).current_dir(folder.0.path()).stdin(Stdio::null()).output().expect("a shell");
    let swept: Value = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!((&swept["runs"], &swept["ran"]), (&Value::from(2), &Value::from(1)));
    let failures = swept["failures"].to_string();
    assert!(failures.contains("the run will take about") && failures.contains("--ignore-memory"), "{failures}");
    assert_eq!(folder.answers().len(), 1, "with more memory it is run");
}

/// Starts a sweep, takes its folder away after its first run, calls `then`, and waits for its end.
fn without_its_folder(folder: &Folder, then: impl FnOnce(&std::path::Path)) -> Output {
    let place = folder.0.path();
    let child = Command::new(env!("CARGO_BIN_EXE_philae"))
        .current_dir(place)
        .args(["sweep", "small.toml", "--seeds", "1-20", "--threads", "1", "--output", "out"])
        .args(["--set", "job.a.workload.iterations=2000"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("it starts");
    let has_run = || std::fs::read_dir(place.join("out/runs")).is_ok_and(|mut entries| entries.next().is_some());
    while !has_run() {
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it ended without a run");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::fs::rename(place.join("out"), place.join("away")).expect("the same file system");
    then(place);
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_sweep_whose_folder_is_removed_loses_no_run() {
    let folder = Folder::new();
    let output = without_its_folder(&folder, |_| ());
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("warning: 'out' was removed, or files in it, while the sweep ran"), "{errors}");
    assert!(said.contains("20 runs") && said.contains("table: out/table.parquet"), "{said}");
    assert_eq!(folder.answers().len(), 20);
    let marker: Value = serde_json::from_slice(&folder.read("out/sweep.json")).expect("JSON");
    assert_eq!(marker["scenario"], "small.toml");
    // The same command finds all of them.
    let again =
        ["sweep", "small.toml", "--seeds", "1-20", "--set", "job.a.workload.iterations=2000", "--output", "out"];
    assert_eq!(folder.json(&again)["found"], 20);

    let folder = Folder::new();
    let output = without_its_folder(&folder, |place| std::fs::write(place.join("out"), "a file").expect("room"));
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("cannot create the folder 'out/runs'"), "{errors}");
    assert!(said.contains("20 runs") && said.contains("table: none could be written"), "{said}");
}

/// `results/00001` is the run of row 1, also after a sweep of another grid in the folder.
#[test]
fn result_folders_are_those_of_the_rows() {
    let folder = Folder::new();
    let sweep = |words: &[&str]| {
        let output = folder.philae(&[&["sweep", "small.toml", "-o", "out"], words].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let kept = |number: &str| text(&folder.read(&format!("out/results/{number}/scenario.toml")));
    sweep(&["--set", "job.a.workload.bytes=1KiB,2KiB", "--seeds", "1-2", "--keep-results"]);
    let of_first = kept("00001");
    // Rows 0 and 1 are runs that the first grid had at 2 and 3; row 1 had another.
    let said = sweep(&["--set", "job.a.workload.bytes=2KiB", "--seeds", "1-2"]);
    assert!(said.contains("00000, 00001, 00002, 00003 are of runs of an earlier grid"), "{said}");
    assert_eq!(kept("00001.earlier"), of_first);
    assert!(!folder.0.path().join("out/results/00001").exists());
    let again = sweep(&["--set", "job.a.workload.bytes=2KiB", "--seeds", "1-2", "--keep-results"]);
    assert!(!again.contains("earlier grid"), "{again}");
    assert!(kept("00001").contains("2048") || kept("00001").contains("2KiB"), "{}", kept("00001"));
    let same = sweep(&["--set", "job.a.workload.bytes=2KiB", "--seeds", "1-2", "--keep-results"]);
    assert!(!same.contains("grid") && !same.contains("again"), "{same}");
}

#[test]
fn values_that_are_the_same_are_refused_and_those_that_change_nothing_are_said() {
    let folder = Folder::new();
    let sweep = |sets: &[&str]| {
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        folder.philae(&["sweep", "small.toml", "-o", "same"].into_iter().chain(sets).collect::<Vec<_>>())
    };
    for (set, pair) in [
        ("seed=1,1.0", "1 and 1.0"),
        ("seed=3,16,0x10", "16 and 0x10"),
        ("seed=1e3,1_000", "1e3 and 1_000"),
        ("job.a.workload.bytes=8KiB,8192", "8KiB and 8192"),
        ("run.time_limit=1ms,'1ms'", "1ms and '1ms'"),
        ("run.time_limit=1000us,1ms", "1000us and 1ms"),
        ("congestion.law=none,'none'", "none and 'none'"),
        ("job.a.workload={kind='barrier',iterations=2},{iterations=2,kind='barrier'}", "are the same value"),
    ] {
        let output = sweep(&[set]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{set}: {error}");
        assert!(error.contains(pair) && error.contains("are the same value; each once would work"), "{set}: {error}");
    }
    // Two nodes, and all of them.
    let nodes = sweep(&["job.a.nodes=2,rest"]);
    assert!(nodes.status.success() && !text(&nodes.stderr).contains("give the same"), "{}", text(&nodes.stderr));
    for set in ["run.threads=1,2", "run.partitions=1,2", "name=one,two", "job.a.nodes=12,0.5"] {
        let output = sweep(&[set]);
        let warned = text(&output.stderr);
        assert!(output.status.success() && warned.contains("give the same results"), "{set}: {warned}");
    }
    // Two files of one system.
    let tiny = "name = \"tiny\"\n[dragonfly]\nlinks_per_pair = 1\n\
        groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n";
    for (name, text) in [("one", tiny), ("two", tiny), ("four", &tiny.replace("count = 3", "count = 4"))] {
        std::fs::write(folder.0.path().join(name).with_extension("toml"), text).expect("a temporary file");
    }
    // Not in the folder of the sweeps above: the file's own system is one of these.
    let sweep = |set: &str| folder.philae(&["sweep", "small.toml", "-o", "files", "--set", set]);
    let without = sweep("system=one.toml,two.toml,four.toml");
    let warned = text(&without.stderr);
    assert!(warned.contains("--set system: one.toml and two.toml give the same results"), "{warned}");
    assert!(text(&without.stdout).contains("3 runs (2 now, 1 the same as another)"), "{}", text(&without.stdout));
    let without = sweep("system=one.toml,two.toml");
    assert!(text(&without.stderr).contains("--set system changes nothing: its 2 values give the same results"));
    let both =
        folder.philae(&["sweep", "small.toml", "--set", "job.a=none", "--set", "job.a.workload.bytes=8KiB,16KiB"]);
    let error = text(&both.stderr);
    assert_eq!(both.status.code(), Some(2), "{error}");
    assert!(error.contains("`job.a` is none, which leaves it out"), "{error}");
}

/// Tables fit the terminal: figures that have no room in a line are in a table below.
#[test]
fn a_sweep_prints_no_wider_than_the_terminal() {
    let folder = Folder::new();
    let print = |columns: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        let output = command.current_dir(folder.0.path()).args(GRID).env("COLUMNS", columns).output();
        text(&output.expect("it starts").stdout)
    };
    let (whole, narrow) = (print("0"), print("72"));
    let headers = |said: &str| said.lines().next().expect("a line").to_owned();
    assert!(headers(&whole).chars().count() > 72, "{whole}");
    let table = narrow.split("mean ±").next().expect("a table");
    assert!(table.lines().all(|line| line.chars().count() <= 72), "{narrow}");
    for header in headers(&whole).split("  ").map(str::trim).filter(|header| !header.is_empty()) {
        assert!(table.contains(header), "'{header}' in {narrow}");
    }
    assert!(table.matches("slingshot").count() > 1, "each part names its rows: {narrow}");
}

/// Runs that fail for the same reason are one line.
#[test]
fn a_reason_of_failed_runs_is_printed_once() {
    let folder = Folder::new();
    let output =
        folder.philae(&["sweep", "small.toml", "--set", "job.a.nodes=4,400", "--seeds", "1-3", "--output", "out"]);
    let said = text(&output.stdout);
    assert_eq!(said.matches("failed: ").count(), 1, "{said}");
    assert!(said.contains("(and 2 other runs with the same reason)"), "{said}");
    let csv = text(&folder.read("out/table.csv"));
    assert_eq!(csv.lines().filter(|line| line.contains(",failed,")).count(), 3, "the table has each: {csv}");
}
