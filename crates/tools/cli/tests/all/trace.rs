//! `philae trace` as users and scripts call it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn data(name: &str) -> String {
    repository().join("crates/sim/trace/tests/data").join(name).display().to_string()
}

fn philae(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = philae(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn the_published_reduction_finishes_when_it_should() {
    let model = ["--L", "2500", "--o", "1500", "--g", "1000", "--G", "6", "--O", "0", "--S", "65535", "--json"];
    let file = data("reduce8.goal");
    let found = json(&[&["trace", "loggops", file.as_str()], model.as_slice()].concat());
    let finish: Vec<u64> = found["finish_ps"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    assert_eq!(
        finish.iter().map(|time| time / 1_000).collect::<Vec<_>>(),
        [34_914, 24_776, 13_138, 13_138, 1_500, 1_500, 1_500, 1_500]
    );
}

#[test]
fn a_schedule_goes_from_text_to_binary_and_a_job_to_a_schedule() {
    let folder = temporary();
    let [binary, exported] = ["tree.bin", "pairs.goal"].map(|name| folder.path().join(name));
    let out = json(&["trace", "convert", &data("binary_tree_32.goal"), &text(&binary), "--json"]);
    assert_eq!(out["format"], "goal-binary");
    assert_eq!(
        std::fs::read(&binary).expect("it was written"),
        std::fs::read(data("binary_tree_32.bin")).expect("test data")
    );
    let scenario = text(&repository().join("scenarios/trace.toml"));
    json(&["trace", "export", &scenario, &text(&exported), "--job", "trace", "--json"]);
    let info = json(&["trace", "info", &text(&exported), "--json"]);
    assert_eq!((&info["ranks"], &info["sends"], &info["format"]), (&4.into(), &6.into(), &"goal".into()));
    let endless = philae(&["trace", "export", &scenario, &text(&exported), "--job", "everybody else"]);
    assert_eq!(endless.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&endless.stderr).contains("never ends"));
}

#[test]
fn a_wrong_file_is_named_with_its_line() {
    let folder = temporary();
    let path = folder.path().join("wrong.goal");
    std::fs::write(&path, "num_ranks 1\nrank 0 {\nsned 5b to 0\n}\n").expect("a temporary file");
    let output = philae(&["trace", "info", &text(&path)]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("line 3") && error.contains("sned"), "{error}");
}

#[test]
fn a_system_is_written_as_a_graph() {
    let folder = temporary();
    let [graphml, networkx] = ["crystal.graphml", "crystal.json"].map(|name| folder.path().join(name));
    json(&["describe", "crystal", "--graphml", &text(&graphml), "--networkx", &text(&networkx), "--json"]);
    let (before, after) = (json(&["describe", "crystal", "--json"]), json(&["describe", &text(&graphml), "--json"]));
    assert_eq!((&before["switches"], &before["nodes"]), (&after["switches"], &after["nodes"]));
    let graph: Value = serde_json::from_slice(&std::fs::read(&networkx).expect("it was written")).expect("JSON");
    assert_eq!(graph["multigraph"], true);
}

#[test]
fn point_to_point_cabling_is_a_system() {
    let folder = temporary();
    let path = folder.path().join("cabling.csv");
    let rows = "cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,dst_egress_a,\
        dst_egress_b,link_type,src_group,dst_group,part_number,part_length,calculated_distance,route,colour\n\
        1,x1c0r1j1,none,x1c0r3j1,none,1,none,none,none,none,local,0,0,7,0.75,0.5,[],blue\n\
        2,x1c0r1j2,none,x1c0s0b0n0h0,x1c0s0b1n0h0,1,none,none,none,none,edge,0,n/a,8,1,0.8,[],red\n";
    std::fs::write(&path, rows).expect("a temporary file");
    let found = json(&["describe", &text(&path), "--json"]);
    assert_eq!((&found["switches"], &found["endpoints"], &found["nodes"]), (&2.into(), &2.into(), &2.into()));
    assert_eq!(found["links"], serde_json::json!({ "edge": 2, "local": 2, "global": 0 }));
    assert_eq!(found["warnings"][0], "the column `colour` is not used");
    assert!(found["assumed"].to_string().contains("ports of jacks"), "{found}");
    std::fs::write(&path, rows.replace(",n/a,", ",one,")).expect("a temporary file");
    let error = String::from_utf8_lossy(&philae(&["describe", &text(&path)]).stderr).into_owned();
    assert!(error.contains("line 3 of the cabling, column dst_group: 'one'"), "{error}");
}

#[test]
fn a_file_of_another_kind_is_named_for_what_it_is() {
    let folder = temporary();
    let path = folder.path().join("kind.toml");
    let refused = |content: &str, name: &str| {
        let path = path.with_extension(name);
        std::fs::write(&path, content).expect("a temporary file");
        let output = philae(&["describe", &text(&path)]);
        assert_eq!(output.status.code(), Some(2), "{content}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (content, name, expected) in [
        ("num_ranks 1\nrank 0 {\n}\n", "goal", "is a trace (GOAL), not a system; `philae trace info "),
        ("#!/bin/sh\nOUT=x\n", "sh", "it looks like a script; TOML, JSON, GraphML,"),
        ("graph [ directed 0 ]\n", "gml", "it looks like GML (networkx: `read_gml`, then `write_graphml`)"),
        ("1,x1c0r1j1,none\n", "csv", "is not point-to-point cabling: line 1 of the cabling"),
        ("{\"workload_graph\": []}", "json", "unknown key `workload_graph`"),
    ] {
        let error = refused(content, name);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn endpoints_are_added_to_a_graph_that_has_none() {
    let folder = temporary();
    let path = folder.path().join("bare.graphml");
    std::fs::write(
        &path,
        "<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
    )
    .expect("a temporary file");
    let bare = json(&["describe", &text(&path), "--json"]);
    assert!(bare["warnings"].to_string().contains("no endpoints, so no job can run"), "{bare}");
    let shown = philae(&["describe", &text(&path), "--endpoints-per-switch", "3"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("endpoints                6\n"), "{shown:?}");
    let refused = philae(&["describe", "malbec", "--endpoints-per-switch", "3"]);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(error.contains("endpoints_per_switch` is 3, and 'malbec' is not a graph"), "{error}");
}

#[test]
fn every_sample_of_another_tool_is_read() {
    let folders = ["crates/sim/trace/tests/data", "scenarios/traces"].map(|folder| text(&repository().join(folder)));
    let found = json(&["trace", "check", &folders[0], &folders[1], "--json"]);
    assert_eq!(found["failed"], 0, "{found}");
    let files = found["files"].as_array().expect("a list");
    let of = |end: &str| {
        let file = files.iter().find(|file| file["file"].as_str().expect("a name").ends_with(end));
        file.unwrap_or_else(|| panic!("{end} in {found}"))
    };
    for (end, format, ranks) in [
        ("binary_tree_32.goal", "goal", 32),
        ("binary_tree_32.bin", "goal-binary", 32),
        ("wavefront.goal", "goal", 4),
        ("incast.cm", "htsim", 16),
        ("all_reduce_8npus_1MB.{rank}.et", "chakra", 8),
        ("actions.txt", "smpi", 0),
        ("microAllReduce.txt", "simai", 8),
    ] {
        let file = of(end);
        assert_eq!((&file["outcome"], &file["format"]), (&"read".into(), &format.into()), "{file}");
        assert!(ranks == 0 || file["ranks"] == ranks, "{file}");
    }
    assert_eq!(of("README.md")["outcome"], "left");
}

#[test]
fn a_file_that_claims_a_format_and_cannot_be_read_fails_the_check() {
    let folder = temporary();
    std::fs::create_dir_all(folder.path().join("deeper")).expect("a temporary folder");
    let topology = "Nodes 8\nTiers 2\nPodsize 8\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 4\n\
        Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n";
    for (name, content) in [
        ("good.goal", "num_ranks 1\nrank 0 {\na: calc 1\n}\n"),
        ("deeper/tree.topo", topology),
        ("jobs", "[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Allreduce\n"),
        ("sizes.txt", "0 0\n100 50\n1000 100\n"),
        ("notes.bin", "neither of these"),
    ] {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
    }
    let output = philae(&["trace", "check", &text(folder.path())]);
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{table}");
    for expected in ["topo", "6 switches", "sst", "1 job", "3 points", "4 read, 0 failed, 1 skipped (no known format)"]
    {
        assert!(table.contains(expected), "{expected} in\n{table}");
    }
    for (name, content) in [
        ("damaged.goal", "num_ranks 1\nrank 0 {\na: calk 1\n}\n".to_owned()),
        ("damaged.topo", topology.replace("Radix_Down 2", "Radix_Down 3")),
        ("damaged-jobs", "[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Allreduse\n".to_owned()),
    ] {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
        let output = philae(&["trace", "check", &text(folder.path())]);
        let table = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{table}");
        let row = table.lines().find(|line| line.contains(name)).expect("a row");
        assert!(row.contains("FAILED") && row.contains("line") && row.contains("expected"), "{row}");
        std::fs::remove_file(folder.path().join(name)).expect("our file");
    }
    std::fs::remove_dir_all(&folder).expect("our folder");
    let nothing = philae(&["trace", "check", &text(folder.path())]);
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn a_load_file_becomes_a_scenario_that_runs() {
    let folder = temporary();
    let (load, out, result) =
        (folder.path().join("loadfile"), folder.path().join("jobs.toml"), folder.path().join("result"));
    let jobs = "[JOB_ID] 3\n[NID_LIST] 0,2,4-5\n[MOTIF] Init\n[MOTIF] Allreduce count=4 iterations=5\n[MOTIF] Fini\n\
        [JOB_ID] 4\n[NID_LIST] 1,3\n[MOTIF] PingPong iterations=7\n";
    std::fs::write(&load, jobs).expect("it can be written");
    let written = json(&["trace", "scenario", &text(&load), &text(&out), "--system", "malbec", "--json"]);
    assert_eq!(written["jobs"], 2);
    let summary = json(&["simulate", &text(&out), "--output", &text(&result), "--json"]);
    let jobs = summary["summary"]["jobs"].as_array().expect("a list");
    assert_eq!((&jobs[0]["name"], &jobs[1]["name"]), (&"job-3".into(), &"job-4".into()));
    // Five sums of four ranks with an element each, in four steps; seven round trips.
    let messages = |job: usize| jobs[job]["message_latency"]["count"].as_u64();
    assert_eq!((messages(0), messages(1)), (Some(5 * 4 * 4), Some(14)), "{summary}");
    // A node that the system does not have, and an invalid line.
    std::fs::write(&load, "[JOB_ID] 3\n[NID_LIST] 9000-9001\n[MOTIF] Allreduce\n").expect("it can be written");
    let output = philae(&["trace", "scenario", &text(&load), &text(&out), "--system", "malbec"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("900"), "{error}");
    std::fs::write(&load, "[JOB_ID] 3\n[NID_LIST] 0-1\n[MOTIF] Allreduce cnt=3\n").expect("it can be written");
    let output = philae(&["trace", "scenario", &text(&load), &text(&out), "--system", "malbec"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("line 3") && error.contains("'cnt'"), "{error}");
    std::fs::remove_dir_all(&folder).expect("our folder");
}
