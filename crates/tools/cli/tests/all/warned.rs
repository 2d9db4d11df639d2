//! Warnings of inputs and of runs reach the console, the report and the manifest of each command.

use crate::common::Folder;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// A link's rate has a name that is not known.
const SYSTEM: &str = r#"<graphml><key id="r" for="edge" attr.name="rate_gbits" attr.type="int"/>
<key id="e" for="node" attr.name="endpoints" attr.type="int"/>
<graph edgedefault="undirected"><node id="a"><data key="e">2</data></node><node id="b"><data key="e">2</data></node>
<edge source="a" target="b"><data key="r">100</data></edge></graph></graphml>"#;

const SCENARIO: &str = "\
name = 'warned'
system = 'g.graphml'
[[job]]
name = 'a'
workload = { kind = 'alltoall', bytes = '1KiB', iterations = 2 }
";

fn with(scenario: &str) -> Folder {
    let folder = Folder::with(scenario);
    std::fs::write(folder.file("g.graphml"), SYSTEM).expect("a file");
    folder
}

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder.file("")).args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn manifest(folder: &Folder, file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder.file(file)).expect("a file")).expect("JSON")
}

/// The warning is in the console, the manifest and the report of a run.
fn warned(folder: &Folder, arguments: &[&str], words: &str) {
    let console = said(&folder.simulate(arguments));
    assert!(console.contains(words), "{arguments:?}: {console}");
    let manifest = manifest(folder, "out/manifest.json");
    let warnings = manifest["warnings"].as_array().cloned().unwrap_or_default();
    assert!(warnings.iter().any(|warning| warning.as_str().is_some_and(|text| text.contains(words))), "{warnings:?}");
    let report = std::fs::read_to_string(folder.file("out/report.html")).expect("a report");
    assert!(report.contains(words), "{arguments:?}: the report has no '{words}'");
}

#[test]
fn warnings_of_a_system_reach_every_command_that_builds_it() {
    let folder = with(SCENARIO);
    for arguments in [
        &["simulate", "s.toml", "--output", "out"][..],
        &["sweep", "s.toml", "--seeds", "1-2", "--output", "swept"],
        &["osu", "latency", "g.graphml", "--sizes", "8"],
        &["routes", "g.graphml"],
    ] {
        let console = said(&philae(&folder, arguments));
        assert_eq!(console.matches("rate_gbits").count(), 1, "{arguments:?}: {console}");
    }
    assert!(manifest(&folder, "swept/sweep.json")["warnings"][0].as_str().expect("words").contains("rate_gbits"));
}

#[test]
fn a_run_that_measured_nothing_says_so() {
    let folder = with(SCENARIO);
    for model in [&[][..], &["--fluid"]] {
        let arguments = [model, &["--set", "run.warm_up=1s"]].concat();
        warned(&folder, &arguments, "nothing was measured: run.warm_up is 1");
    }
    let measured = said(&folder.simulate(&["--set", "run.warm_up=1ns"]));
    assert!(!measured.contains("nothing was measured"), "{measured}");
}

#[test]
fn messages_without_a_receive_are_warned_of() {
    let traced = |receives: &str| {
        let folder = with(
            "name = 'traced'\nsystem = 'g.graphml'\n[[job]]\nname = 'a'\nnodes = 2\n\
             workload = { kind = 'trace', file = 't.goal' }\n",
        );
        let goal = format!("num_ranks 2\nrank 0 {{\nl1: send 10b to 1 tag 4\n}}\nrank 1 {{\n{receives}}}\n");
        std::fs::write(folder.file("t.goal"), goal).expect("a file");
        folder
    };
    warned(&traced(""), &[], "rank 1 never receives 10 B with tag 4 from rank 0");
    warned(&traced("l1: recv 5b from 0 tag 4\n"), &[], "rank 1 receives at most 5 B");
    let console = said(&traced("l1: recv 10b from 0 tag 4\n").simulate(&[]));
    assert!(!console.contains("receives"), "{console}");
}

#[test]
fn counters_that_were_not_recorded_are_not_said_to_be_equal() {
    let folder = with(SCENARIO);
    for (place, counted) in [("none", "false"), ("counted", "true")] {
        let set = format!("telemetry.class_counters={counted}");
        said(&philae(&folder, &["simulate", "s.toml", "--quiet", "--set", &set, "--output", place]));
    }
    said(&philae(&folder, &["simulate", "s.toml", "--quiet", "--fluid", "--output", "rates"]));
    let compared = |other: &str| {
        let output = philae(&folder, &["compare", "none", other]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // Both ran in packets and nothing happened that counts: that is known.
    let found = compared("counted");
    assert!(!found.contains("has none"), "{found}");
    assert!(!found.contains("_by_tc"), "one of them does not count by class: {found}");
    let found = compared("rates");
    assert!(found.contains("counters: B has none"), "{found}");
    assert!(found.contains("rates (--fluid)"), "the model is a difference: {found}");
}
