//! `philae simulate --fluid`: its output and files, and what it refuses.

use crate::common::{Folder, succeeded};
use serde_json::Value;
use std::process::Command;

const SCENARIO: &str = "\
name = 'rates'
seed = 3

[system]
name = 'small'
summary = 'four groups of four switches'
switch = 'rosetta'
nic = 'cassini-1'
congestion = 'slingshot'

[system.dragonfly]
links_per_pair = 4
groups = [{ name = 'compute', count = 4, switches = 4, endpoints_per_switch = 4 }]

[measure]
sample_interval = '2us'

[[job]]
name = 'pairs'
workload = { kind = 'permutation', bytes = '64KiB', window = 4, iterations = 20 }
";

#[test]
fn a_run_in_rates_prints_what_rates_have_and_its_interval() {
    let folder = Folder::with(SCENARIO);
    let text = succeeded(&folder.simulate(&["--fluid"]));
    assert!(text.contains("rates (fluid)"), "{text}");
    assert!(text.contains(", 1,280 of 1,280 messages arrived (") && text.contains("rates recomputed "), "{text}");
    assert!(!text.contains("packets delivered") && !text.contains("packet hops") && !text.contains("queue"), "{text}");
    let line = text.lines().find(|line| line.starts_with("job pairs finished: ")).expect("the job has an interval");
    let figures: Vec<f64> = line.split([' ', '(']).filter_map(|word| word.parse().ok()).take(3).collect();
    let [found, low, high] = figures[..] else { panic!("three times in '{line}'") };
    assert!(0.0 < low && low <= found * 1.05 && found <= high * 1.05, "{line}");

    let report = std::fs::read_to_string(folder.file("out/report.html")).expect("a report");
    assert!(report.contains("messages arrived") && report.contains("rates (fluid)"), "of rates");
    let (at_the_top, _) = report.split_once("<h1>").expect("a title");
    assert!(at_the_top.contains("FLUID: rates instead of packets."), "the report says so before any figure");
    assert!(at_the_top.contains(&line.replace('<', "&lt;")), "the report has the interval");
    for absent in ["packets delivered", "Packet hops", "largest queue", "packet latency"] {
        assert!(!report.contains(absent), "the report of a run in rates says '{absent}'");
    }
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.file("out/manifest.json")).expect("a manifest"))
        .expect("it is JSON");
    assert_eq!(manifest["notices"][1], line);
    assert_eq!(manifest["rates"]["messages"], 1280);
    assert_eq!(manifest["rates"]["messages_arrived"], 1280);
}

#[test]
fn the_summary_as_json_has_the_rates_and_one_in_packets_has_none() {
    let folder = Folder::with(SCENARIO);
    let summary = |arguments: &[&str]| {
        let text = succeeded(&folder.simulate(&[&["--json"], arguments].concat()));
        serde_json::from_str::<Value>(&text).expect("it is JSON")["summary"].clone()
    };
    let (rates, packets) = (summary(&["--fluid"]), summary(&[]));
    assert_eq!(rates["rates"]["messages"], 1280);
    assert!(rates["links"].as_array().expect("links").iter().all(|role| role["max"].as_f64() <= Some(1.000_1)));
    assert!(packets["rates"].is_null() && packets["packets_delivered"].as_u64() > Some(1280));
    let end = |summary: &Value| summary["jobs"][0]["finished_ps"].as_f64().expect("it ends");
    assert!((end(&rates) / end(&packets) - 1.0).abs() < 0.3, "{} and {}", end(&rates), end(&packets));
}

#[test]
fn what_rates_cannot_stand_for_is_refused_before_anything_is_written() {
    let folder = Folder::with(SCENARIO);
    for (arguments, said) in [
        (vec!["--set", "link.bit_errors=6"], "errors, retries and random faults"),
        (vec!["--set", "telemetry.sample_every=8"], "telemetry"),
        (vec!["--pcap", "endpoint:0=nic.pcapng"], "cannot be used with"),
        (vec!["--checkpoint", "run.ckpt"], "cannot"),
    ] {
        let output = folder.simulate(&[&["--fluid"], &arguments[..]].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(said), "{arguments:?}: {error}");
        assert!(!folder.file("out").exists(), "{arguments:?} left a folder");
    }
}

#[test]
fn a_drawn_scenario_can_be_printed_and_says_of_itself_where_it_is_not_to_be_trusted() {
    let printed = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.arg("fluid-accuracy").args(arguments).output().expect("the command starts")
    };
    let scenario = succeeded(&printed(&["--scenario", "357"]));
    let json: Value = serde_json::from_str(&succeeded(&printed(&["--scenario", "357", "--json"]))).expect("it is JSON");
    assert_eq!((json["scenario"].as_u64(), json["toml"].as_str()), (Some(357), Some(&scenario[..])));
    let text = succeeded(&Folder::with(&scenario).simulate(&["--fluid"]));
    assert!(text.contains("job victim is not to be trusted: full buffers blocked it"), "{text}");

    let refused = printed(&["--scenario", "357", "--output", "rows.csv"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("cannot be used with"));
}
