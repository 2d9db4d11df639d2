//! `philae trace` as users and scripts meet it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn data(name: &str) -> String {
    repository().join("crates/trace/tests/data").join(name).display().to_string()
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

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("philae-trace-{}-{name}", std::process::id()))
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
    let (binary, exported) = (temporary("tree.bin"), temporary("pairs.goal"));
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
    for path in [binary, exported] {
        let _ = std::fs::remove_file(path);
    }
}

#[test]
fn a_wrong_file_is_named_with_its_line() {
    let path = temporary("wrong.goal");
    std::fs::write(&path, "num_ranks 1\nrank 0 {\nsned 5b to 0\n}\n").expect("a temporary file");
    let output = philae(&["trace", "info", &text(&path)]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("line 3") && error.contains("sned"), "{error}");
    let _ = std::fs::remove_file(path);
}

#[test]
fn a_system_is_written_as_a_graph() {
    let (graphml, networkx) = (temporary("crystal.graphml"), temporary("crystal.json"));
    json(&["describe", "crystal", "--graphml", &text(&graphml), "--networkx", &text(&networkx), "--json"]);
    let (before, after) = (json(&["describe", "crystal", "--json"]), json(&["describe", &text(&graphml), "--json"]));
    assert_eq!((&before["switches"], &before["nodes"]), (&after["switches"], &after["nodes"]));
    let graph: Value = serde_json::from_slice(&std::fs::read(&networkx).expect("it was written")).expect("JSON");
    assert_eq!(graph["multigraph"], true);
    for path in [graphml, networkx] {
        let _ = std::fs::remove_file(path);
    }
}
