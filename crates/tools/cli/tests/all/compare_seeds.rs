//! `philae compare` over seeds: means, the interval of their difference, and what it shows.

use crate::common::Folder;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "\
name = 'seeds'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 1
groups = [{ name = 'c', count = 3, switches = 2, endpoints_per_switch = 4 }]
[[job]]
name = 'a'
workload = { kind = 'permutation', bytes = '8KiB', iterations = 5 }
";

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder.file("")).args(arguments).stdin(Stdio::null());
    command.output().expect("the command starts")
}

fn done(folder: &Folder, arguments: &[&str]) -> String {
    let output = philae(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = philae(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let text = done(folder, &[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("one document")
}

/// Runs with several seeds.
fn seeds(folder: &Folder, seeds: &str, set: &str, place: &str) {
    done(folder, &["simulate", "s.toml", "--seeds", seeds, "--set", set, "--output", place]);
}

fn row<'v>(found: &'v Value, figure: &str) -> &'v Value {
    let rows = found["figures"].as_array().expect("figures");
    rows.iter().find(|row| row["figure"] == figure).unwrap_or_else(|| panic!("{figure}"))
}

const SMALL: &str = "job.a.workload.bytes=8KiB";
const MEAN: &str = "job.a.message_latency.mean_ps";

#[test]
fn an_effect_is_shown_only_where_it_is_larger_than_the_spread_over_seeds() {
    let folder = Folder::with(SCENARIO);
    seeds(&folder, "1-4", SMALL, "small");
    seeds(&folder, "1-4", "job.a.workload.bytes=16KiB", "large");
    seeds(&folder, "5-8", SMALL, "others");

    let found = json(&folder, &["compare", "small", "large", "--html", "page.html"]);
    assert_eq!((&found["kind"], &found["methods"][1]), (&"seeds".into(), &"paired".into()));
    assert_eq!(found["scenario"][0]["key"], "job.a.workload.bytes", "the seed is no difference");
    let larger = row(&found, MEAN);
    let difference = &larger["differences"][1];
    assert_eq!((&difference["effect"], &difference["runs"][1]), (&"larger".into(), &4.into()), "{larger}");
    let [one, two] = [0, 1].map(|side| larger["results"][side]["mean"].as_f64().expect("a mean"));
    assert!((difference["mean"].as_f64().expect("a difference") - (two - one)).abs() < 1e-3 * one, "{larger}");
    let page = std::fs::read_to_string(folder.file("page.html")).expect("the page");
    assert!(page.contains("whisker") && page.contains("paired by seed"), "means with their intervals");

    // Other seeds of the same scenario: whatever differs is the seed's doing.
    let found = json(&folder, &["compare", "small", "others"]);
    assert_eq!((&found["methods"][1], &found["scenario"]), (&"welch".into(), &Value::Array(Vec::new())));
    let difference = &row(&found, MEAN)["differences"][1];
    assert_ne!(difference["mean"].as_f64(), Some(0.0));
    assert_eq!(difference["effect"], "not_shown", "{difference}");
    let said = done(&folder, &["compare", "small", "others"]);
    assert!(said.contains("no effect shown") && said.contains("Welch's interval"), "{said}");

    let found = json(&folder, &["compare", "small", "small"]);
    assert_eq!(row(&found, MEAN)["differences"][1]["effect"], "equal");
}

#[test]
fn a_side_is_a_sweep_over_seeds_or_several_folders() {
    let folder = Folder::with(SCENARIO);
    for (place, seed, bytes) in [("a1", "1", "8KiB"), ("a2", "2", "8KiB"), ("b1", "1", "16KiB"), ("b2", "2", "16KiB")] {
        let bytes = format!("job.a.workload.bytes={bytes}");
        done(&folder, &["simulate", "s.toml", "--seed", seed, "--set", &bytes, "--output", place]);
    }
    let found = json(&folder, &["compare", "a2", "a1", "--against", "b1", "b2"]);
    assert_eq!(row(&found, MEAN)["differences"][1]["method"], "paired", "in any order");
    // A sweep has a result for each combination of its values.
    let grid = ["sweep", "s.toml", "--set", "job.a.workload.bytes=8KiB,16KiB", "--seeds", "1-2", "--output", "swept"];
    done(&folder, &grid);
    let swept = json(&folder, &["compare", "swept"]);
    assert_eq!(row(&swept, MEAN)["differences"], row(&found, MEAN)["differences"], "the same runs");
    assert_eq!(swept["scenario"][0]["values"][1], "16KiB");
    // A single run has no spread, so nothing is shown.
    let alone = json(&folder, &["compare", "swept", "b1"]);
    assert_eq!(row(&alone, MEAN)["differences"][2]["effect"], "unknown");

    let of_one = |paths: &[&str]| refused(&folder, &[&["compare"], paths].concat());
    assert!(of_one(&["a1", "b1", "--against", "b2"]).contains("differ in job.a.workload.bytes"));
    assert!(of_one(&["a1", "a1", "--against", "b1"]).contains("with seed 1: each seed once would work"));
    assert!(of_one(&["swept", "--against", "b1"]).contains("2 combination(s)"));
    assert!(of_one(&["a1"]).contains("2 to 26 can be compared"));
    std::fs::remove_file(folder.file("swept/table.parquet")).expect("ours");
    assert!(of_one(&["swept"]).contains("the command that began it continues it"));
}

#[test]
fn runs_that_saw_no_iteration_end_are_compared_by_the_least_that_it_takes() {
    let folder = Folder::with(&SCENARIO.replace("permutation", "alltoall"));
    seeds(&folder, "1-2", SMALL, "whole");
    seeds(&folder, "1-2", "run.time_limit=5us", "cut");
    let said = done(&folder, &["compare", "whole", "cut"]);
    assert!(said.contains("≥") && said.contains("2 ended as time_limit") && said.contains("not ended"), "{said}");
}
