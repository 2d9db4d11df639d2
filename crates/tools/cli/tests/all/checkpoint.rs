//! `philae simulate --checkpoint` and `--resume`: a run that was ended in any way and continued
//! gives the same result as an uninterrupted one.

use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

const SCENARIO: &str = "\
name = 'kept'
seed = 5
system = 'malbec'

[run]
threads = 2

[measure]
sample_interval = '50us'
flows = true

[link]
bit_errors = 6
bit_errors_per_10_to = 9
fec = 'none'

[[fault]]
link = 'switch:3/port:20'
at = '30us'
until = '90us'
kind = 'link_down'

[[job]]
name = 'all'
nodes = 120
workload = { kind = 'uniform-random', bytes = '32KiB', iterations = 150 }

[[job]]
name = 'sum'
nodes = 60
workload = { kind = 'allreduce', bytes = '16KiB', iterations = 30 }
";

/// A temporary folder with the scenario, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("s.toml"), SCENARIO).expect("a temporary file");
        Self(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.current_dir(self.0.path()).arg("simulate").args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command starts")
    }

    fn succeeds(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    }

    /// A result without its durations: its tables, and its manifest.
    fn result(&self, name: &str) -> (Value, Vec<(String, Vec<u8>)>) {
        let folder = self.0.path().join(name);
        let text = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
        let mut manifest: Value = serde_json::from_str(&text).expect("JSON");
        // Time and memory of its process.
        for own in ["wall_seconds", "model_bytes_peak"] {
            assert!(manifest.as_object_mut().is_some_and(|manifest| manifest.remove(own).is_some()), "{own}");
        }
        let mut tables = Vec::new();
        for entry in std::fs::read_dir(&folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "parquet") {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                tables.push((name, std::fs::read(&path).expect("a table")));
            }
        }
        tables.sort();
        assert!(tables.len() > 3, "{} tables", tables.len());
        (manifest, tables)
    }

    /// Starts a run and waits for its first checkpoint.
    fn until_kept(&self, file: &str) -> Child {
        let arguments = ["s.toml", "--output", "part", "--checkpoint", file, "--checkpoint-every", "20us"];
        let mut child =
            self.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
        while !self.0.path().join(file).exists() {
            assert_eq!(child.try_wait().expect("it can be asked"), None, "it ended without a checkpoint");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child
    }
}

#[test]
fn a_checkpoint_at_a_time_outside_of_the_run_is_named() {
    let folder = Folder::new();
    let short = ["s.toml", "--set", "run.time_limit=20us", "--checkpoint", "a.ckpt"];
    let run = folder.run(&[&short[..], &["--checkpoint-at", "10us", "--checkpoint-at", "3ms", "-o", "r"]].concat());
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success() && folder.0.path().join("a.ckpt").is_file(), "{said}");
    assert!(said.contains("warning: no checkpoint at 3 ms: the run was from 0 to 20 µs"), "{said}");
    let inside = folder.run(&[&short[..], &["--checkpoint-at", "10us", "-o", "r"]].concat());
    assert!(!String::from_utf8_lossy(&inside.stderr).contains("no checkpoint"), "it was written");
}

#[test]
fn a_run_that_goes_on_leaves_the_result_of_the_whole_one() {
    let folder = Folder::new();
    folder.succeeds(&["s.toml", "--output", "whole"]);
    let at = ["--checkpoint", "a.ckpt", "--checkpoint-at", "70us"];
    folder.succeeds(&[&["s.toml", "--output", "kept"], at.as_slice()].concat());
    let whole = folder.result("whole");
    assert!(whole == folder.result("kept"), "keeping it changes nothing");
    assert_eq!(whole.0["status"], "completed");
    for threads in ["1", "2", "4"] {
        folder.succeeds(&["--resume", "a.ckpt", "--threads", threads, "--output", "rest"]);
        assert!(whole == folder.result("rest"), "{threads} threads");
    }
}

/// Traces, training, collectives in the switches, overlays, third-party endpoints: everything that
/// a scenario may have.
#[test]
fn every_scenario_that_is_an_example_goes_on() {
    let folder = Folder::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
    let mut gone_on = 0;
    for entry in std::fs::read_dir(examples).expect("the examples") {
        let path = entry.expect("an entry").path();
        let Some(file) = path.to_str().filter(|name| name.ends_with(".toml")) else { continue };
        let text = std::fs::read_to_string(&path).expect("text");
        if text.contains("\n[[capture]]") || text.contains("\n[explain]") {
            continue;
        }
        let short = [file, "--time-limit", "400us", "--set", "run.warm_up=20us", "--output"];
        folder.succeeds(&[short.as_slice(), &["whole"]].concat());
        let whole = folder.result("whole");
        let time = whole.0["simulated_ps"].as_u64().expect("a time") / 5 * 2;
        let kept = ["kept", "--checkpoint", "a.ckpt", "--checkpoint-at", &format!("{time}ps")];
        folder.succeeds(&[short.as_slice(), &kept].concat());
        folder.succeeds(&["--resume", "a.ckpt", "--output", "rest"]);
        assert!(whole == folder.result("rest"), "{file}");
        std::fs::remove_file(folder.0.path().join("a.ckpt")).expect("there was one");
        gone_on += 1;
    }
    assert!(gone_on > 10, "{gone_on} examples");
}

#[cfg(unix)]
#[test]
fn whatever_ends_a_run_leaves_a_whole_checkpoint() {
    let folder = Folder::new();
    folder.succeeds(&["s.toml", "--output", "whole"]);
    let whole = folder.result("whole");
    for signal in ["INT", "TERM", "KILL"] {
        let file = format!("{signal}.ckpt");
        let mut child = folder.until_kept(&file);
        let killed = Command::new("bash").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
        assert!(killed.expect("bash starts").success());
        child.wait().expect("it ends");
        folder.succeeds(&["--resume", &file, "--output", "rest"]);
        assert!(whole == folder.result("rest"), "after {signal}");
    }
}

#[test]
fn what_cannot_be_gone_on_from_is_refused_in_words() {
    let folder = Folder::new();
    folder.succeeds(&["s.toml", "--output", "kept", "--checkpoint", "a.ckpt", "--checkpoint-at", "70us"]);
    let whole = std::fs::read(folder.0.path().join("a.ckpt")).expect("the checkpoint");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    std::fs::write(folder.0.path().join("damaged"), damaged).expect("a file");
    std::fs::write(folder.0.path().join("short"), &whole[..whole.len() / 3]).expect("a file");
    for (file, words) in [
        ("damaged", "it is damaged: its content has the checksum"),
        ("short", "an earlier checkpoint would work"),
        ("s.toml", "is no checkpoint"),
        ("none", "No such file"),
        (".", "is a folder"),
    ] {
        let said = folder.refusal(&["--resume", file, "--output", "rest"]);
        assert!(said.contains(words), "{file}: {said}");
    }
    for (arguments, words) in [
        (vec!["s.toml", "--checkpoint", "a.ckpt", "--checkpoint-every", "0us"], "a time above 0 would work"),
        (vec!["s.toml", "--checkpoint", "no/a.ckpt"], "cannot be written"),
        (vec!["s.toml", "--checkpoint", "a.ckpt", "--pcap", "endpoint:0=n.pcapng"], "without captures can be kept"),
        (vec!["s.toml", "--checkpoint-every", "1us"], "--checkpoint <FILE>"),
        (vec!["--resume", "a.ckpt", "--seed", "3"], "cannot be used with"),
        (vec!["s.toml", "--resume", "a.ckpt"], "philae simulate --resume a.ckpt"),
        (vec![], "required"),
    ] {
        let said = folder.refusal(&arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert_eq!(std::fs::read(folder.0.path().join("a.ckpt")).expect("it is there"), whole, "nobody has touched it");
}
