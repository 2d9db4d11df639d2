//! Studies as users and scripts call them. Only small ones: the experiments' own tests run the
//! others in miniature.

use crate::common::{rest_of, signal, until_it_says};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder for each test, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder.0.path(), arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8")
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON document")
}

#[test]
fn an_experiment_leaves_a_report_and_says_where() {
    let folder = Folder::new();
    let output = philae(&folder, &["reproduce", "fig2", "--quick"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("switch-latency-median") && printed.contains("report: results/fig2/report.html"));
    let page = std::fs::read_to_string(folder.0.path().join("results/fig2/report.html")).expect("the report");
    assert!(
        page.contains("badge") && page.contains("<svg") && !page.contains("src=\"http"),
        "it opens without a network"
    );
    let study = std::fs::read_to_string(folder.0.path().join("results/fig2/study.json")).expect("the figures");
    let study: Value = serde_json::from_str(&study).expect("JSON");
    assert_eq!((study["experiment"].as_str(), study["quick"].as_bool()), (Some("fig2"), Some(true)));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let run = |threads: &str| {
        let output =
            philae(&folder, &["reproduce", "fig2", "--quick", "--json", "--threads", threads, "--output", "again"]);
        let mut study = document(&output);
        study.as_object_mut().expect("an object").remove("wall_seconds");
        study
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn unknown_names_are_answered_with_the_nearest_and_the_list() {
    let folder = Folder::new();
    for (arguments, hint, listed) in [
        (&["reproduce", "fig22"][..], "did you mean 'fig2'?", "congestion"),
        (
            &["reproduce", "ue-or-slingshot", "--quick", "--only", "permutaton"],
            "did you mean 'permutation'?",
            "networks: dragonfly-1056, ",
        ),
        (&["reproduce", "fig2", "--only", "permutation"], "fig2 runs as a whole", "ue-or-slingshot"),
        (&["reproduce", "all", "--only", "permutation"], "parts of one experiment", "`all`"),
        (&["validate", "--only", "lossles"], "did you mean 'lossless'?", "bisection-shandy"),
        (&["bench", "--case", "permutation-fattree-none"], "did you mean 'permutation-fat-tree-none'?", "incast"),
    ] {
        let output = philae(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(hint) && said.contains(listed), "{said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn validation_has_the_shape_that_scripts_rely_on() {
    let folder = Folder::new();
    let output = philae(&folder, &["validate", "--only", "fig2", "--strict", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = document(&output);
    assert!(report["version"].is_string() && report["seed"] == 1);
    let rows = report["rows"].as_array().expect("rows");
    let median = rows.iter().find(|row| row["id"] == "switch-latency-median").expect("its row");
    assert_eq!((median["verdict"].as_str(), median["unit"].as_str()), (Some("pass"), Some("ns")));
    let lossless = rows.iter().find(|row| row["id"] == "lossless").expect("rows that were not asked for are there too");
    assert!(lossless["verdict"] == "not-run" && lossless["model"].is_null());
}

#[test]
fn a_benchmark_has_the_shape_that_scripts_rely_on() {
    let folder = Folder::new();
    let output = philae(&folder, &["bench", "--case", "incast-dragonfly-none", "--repeats", "1", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let cases = document(&output)["cases"].as_array().expect("cases").clone();
    assert_eq!((cases.len(), cases[0]["endpoints"].as_u64()), (1, Some(1_024)));
    assert!(cases[0]["packet_hops_per_second"].as_f64().is_some_and(|speed| speed > 0.0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_study_with_its_own_exit_code() {
    let folder = Folder::new();
    let mut child = command(folder.0.path(), &["reproduce", "fig6"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let lines = until_it_says(&mut child, "fig6: ");
    signal(&child, "INT");
    let (status, rest) = rest_of(lines, &mut child);
    assert_eq!(status.code(), Some(130), "{rest}");
    assert!(!folder.0.path().join("results/fig6/report.html").exists());
}

#[test]
fn the_fidelities_are_compared_on_demand() {
    let folder = Folder::new();
    let output = philae(&folder, &["validate", "--fidelity", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = document(&output)["fidelity"]["rows"].as_array().expect("rows").clone();
    for pattern in
        ["uniform random", "hotspot", "tile neighbours", "random permutation", "row to column", "row to port"]
    {
        assert!(rows.iter().any(|row| row["pattern"] == pattern), "{pattern}");
    }
    for row in rows {
        for model in ["port", "tile"] {
            assert!(row[model]["latency_ns_median"].as_f64().is_some_and(|latency| latency > 300.0), "{row}");
        }
    }
    let both = philae(&folder, &["validate", "--fidelity", "--only", "fig2"]);
    assert_eq!(both.status.code(), Some(2), "published rows are another question");
}

#[test]
fn a_validation_tries_causes_keeps_what_it_found_and_writes_a_document() {
    let folder = Folder::new();
    let arguments = [
        "validate",
        "--only",
        "fig4",
        "--causes",
        "--resume",
        "kept",
        "--document",
        "docs/simulate/validation.md",
        "--json",
    ];
    let first = philae(&folder, &arguments);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let causes = document(&first)["causes"].as_array().cloned().expect("a list");
    assert_eq!(causes.len(), 1, "one gap has a change that is tried");
    assert_eq!(causes[0]["row"], "placement-latency-16KiB");
    assert!(causes[0]["changed"].as_f64() < causes[0]["as_is"].as_f64());
    let written = std::fs::read_to_string(folder.0.path().join("docs/simulate/validation.md")).expect("the document");
    assert!(written.contains("--only fig4") && written.contains("## Causes, examined"), "{written}");
    assert!(folder.0.path().join("kept/fig4.json").is_file());
    let again = philae(&folder, &arguments);
    assert_eq!(document(&again)["rows"], document(&first)["rows"], "what was kept is what was found");
}

#[test]
fn a_what_if_says_so_and_one_that_changes_nothing_is_refused() {
    let folder = Folder::new();
    let set = "hardware.nic.eager_max_bytes=65536";
    let output = philae(&folder, &["reproduce", "fig2", "--quick", "--set", "hardware.nic.command_ns=500", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(document(&output)["changes"][0]["cells_changed"].as_u64() > Some(0));
    let page = std::fs::read_to_string(folder.0.path().join("results/fig2-hardware-nic-command-ns-500/report.html"));
    let page = page.expect("the report");
    assert!(page.contains("defaults: hardware.nic.command_ns=500"));
    let refusals = [
        (vec!["reproduce", "fig2", "--quick", "--set", "congestion.lore=none"], "unknown key `lore`"),
        (vec!["reproduce", "fig2", "--quick", "--set", "job.7.start=1us"], "changes nothing in fig2"),
        (vec!["reproduce", "fidelity", "--quick", "--set", set], "it runs no scenarios"),
        (vec!["validate", "--only", "fig4", "--set", "job.0.lore=1"], "unknown key `lore`"),
    ];
    for (arguments, reason) in refusals {
        let output = philae(&folder, &arguments);
        let error = text(&output.stderr);
        assert!(output.status.code() != Some(0) && error.contains(reason), "{arguments:?}: {error}");
    }
}
