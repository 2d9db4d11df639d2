//! `philae routes`, and runs that forward by the tables that it wrote.

use serde_json::Value;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SYSTEM: &str = "name = \"tiny\"\n\
    [dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 4, switches = 3, endpoints_per_switch = 2 }]\n";

const SCENARIO: &str = "name = \"small\"\nsystem = \"tiny.toml\"\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"alltoall\", bytes = \"8KiB\", iterations = 1 }\n";

/// A folder for each test, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("tiny.toml"), SYSTEM).expect("a system");
        std::fs::write(folder.path().join("small.toml"), SCENARIO).expect("a scenario");
        Self(folder)
    }

    fn philae(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null()).output().expect("the command starts")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.philae(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("one JSON document")
    }

    fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.philae(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8")
}

#[test]
fn a_degraded_fabric_is_routed_written_checked_and_simulated() {
    let folder = Folder::new();
    let made = folder.json(&["routes", "tiny.toml", "--down", "groups:0-1", "--output", "a.routes", "--json"]);
    assert_eq!(made["switches"], 12);
    assert_eq!(made["dead_links"].as_array().map(Vec::len), Some(1));
    assert_eq!((&made["indirect_group_pairs"], &made["unreachable_switch_pairs"]), (&2.into(), &0.into()));
    let checked = folder.json(&["routes", "tiny.toml", "--check", "a.routes", "--json"]);
    assert_eq!(checked, made);
    let printed = text(&folder.philae(&["routes", "tiny.toml", "--check", "a.routes"]).stdout);
    assert!(printed.contains("1 of them dead") && printed.contains("no cycle of channels"), "{printed}");
    let run = ["simulate", "small.toml", "--output", "out", "--json", "--quiet"];
    let plain = folder.json(&run);
    let routed = folder.json(&[&run[..], &["--routes", "a.routes"]].concat());
    assert_ne!(plain["manifest"]["digest"], routed["manifest"]["digest"]);
    let scenario = std::fs::read_to_string(folder.0.path().join("out/scenario.toml")).expect("a resolved scenario");
    assert!(scenario.contains("a.routes") && scenario.contains(made["checksum"].as_str().expect("a checksum")));
    let again = folder.json(&[
        "simulate",
        "out/scenario.toml",
        "--output",
        "again",
        "--json",
        "--quiet",
        "--set",
        "routes.file=a.routes",
    ]);
    assert_eq!(again["manifest"]["digest"], routed["manifest"]["digest"]);
    let parted = folder.json(&[&run[..], &["--routes", "a.routes", "--partitions", "2"]].concat());
    assert_eq!(parted["manifest"]["digest"], routed["manifest"]["digest"]);
}

#[test]
fn mistakes_say_what_would_work() {
    let folder = Folder::new();
    folder.json(&["routes", "malbec", "--output", "malbec.routes", "--json"]);
    std::fs::write(folder.0.path().join("no.routes"), "nothing of the kind").expect("a file");
    for (arguments, says) in [
        (&["simulate", "small.toml", "--routes", "malbec.routes"][..], "for the wiring of system malbec"),
        (&["simulate", "small.toml", "--routes", "no.routes"], "does not begin as a file of routes does"),
        (&["routes", "tiny.toml", "--down", "groups:0-9"], "groups 0 to 3 would work"),
        (&["routes", "tiny.toml", "--down", "endpoint:0"], "a link between two switches would work"),
        (&["routes", "tiny.toml", "--check", "nowhere"], "cannot read the routes 'nowhere'"),
        (&["routes"], "<SYSTEM>"),
        (&["routes", "tiny.toml", "--classes", "9"], "from 1 to 8"),
    ] {
        let message = folder.refusal(arguments);
        assert!(message.contains(says), "{arguments:?}: {message}");
    }
    folder.json(&["routes", "tiny.toml", "--output", "tiny.routes", "--json"]);
    let message = folder.refusal(&["routes", "--check", "tiny.routes"]);
    assert!(message.contains("`philae routes SYSTEM --check tiny.routes`"), "{message}");
}
