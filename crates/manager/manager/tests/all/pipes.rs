//! The output of the manager's program: a quiet end if the reader is gone, one document with
//! `--json`, usage lines as typed.

use std::io::pipe;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};

use serde_json::Value;

fn philae(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    // Started like by `philae manager`.
    command.arg0("philae").args(arguments).stdin(Stdio::null()).env("PHILAE_MANAGER", "http://127.0.0.1:1");
    command
}

#[test]
fn a_reader_that_has_gone_ends_commands_quietly() {
    for arguments in [
        &["manager", "openapi"][..],
        &["manager", "monitoring", "--alerts"],
        &["manager", "monitoring", "--dashboard"],
        &["manager", "export", "--system", "malbec"],
        &["manager", "export", "--system", "malbec", "--format", "slurm"],
        &["manager", "tour", "--system", "malbec"],
        &["manager", "measure", "--system", "malbec", "--losses", "1", "--idle", "0"],
        &["completions", "bash"],
        &["--help"],
        &["manager", "--help"],
        &["fabric", "--help"],
        &["agent", "--help"],
        &["fabric", "show", "--help"],
    ] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let output = philae(arguments).stdout(writer).stderr(Stdio::piped()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(13), "{arguments:?}: {}: {said}", output.status);
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[test]
fn a_reader_of_standard_error_that_has_gone_is_no_panic() {
    for arguments in
        [&["fabric", "status"][..], &["manager", "serve", "--system", "nothing"], &["manager"], &["fabric"]]
    {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let status = philae(arguments).stdout(Stdio::null()).stderr(writer).status().expect("it starts");
        assert!(matches!(status.code(), Some(1 | 2)), "{arguments:?}: {status}");
    }
}

#[test]
fn failures_are_documents_with_json() {
    for arguments in [
        &["--json", "fabric", "status"][..],
        &["fabric", "status", "--json"],
        &["fabric", "show", "switches", "--json"],
        &["fabric", "drain", "x1000c0r1a0l42", "--json"],
        &["fabric", "nonsense", "--json"],
        &["manager", "export", "--system", "nothing", "--json"],
        &["manager", "tour", "--json"],
    ] {
        let output = philae(arguments).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let found: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
        assert_eq!(
            found["error"]["exit_code"].as_i64(),
            output.status.code().map(i64::from),
            "{arguments:?}: {found:#}"
        );
        assert!(
            found["error"]["message"].as_str().is_some_and(|message| message.len() > 5),
            "{arguments:?}: {found:#}"
        );
    }
}

#[test]
fn usage_lines_begin_with_what_was_typed() {
    for (arguments, usage) in [
        (&["manager"][..], "Usage: philae manager "),
        (&["manager", "serve", "--nonsense"], "Usage: philae manager serve "),
        (&["fabric", "drain"], "Usage: philae fabric drain "),
        (&["agent", "--nonsense"], "Usage: philae agent "),
    ] {
        let output = philae(arguments).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(usage), "{arguments:?}: {said}");
        assert!(!said.contains("philae-manager"), "{arguments:?}: {said}");
    }
}

/// A standard output that is closed or full loses what a command prints.
#[test]
fn a_closed_or_full_standard_output_is_an_error() {
    for (to, words) in [("> /dev/full", "No space left on device"), (">&-", "it is closed")] {
        for arguments in [
            &["manager", "openapi"][..],
            &["manager", "export", "--system", "malbec"],
            &["manager", "monitoring", "--alerts"],
            &["fabric", "--help"],
        ] {
            let line = format!("exec '{}' \"$@\" {to}", env!("CARGO_BIN_EXE_philae-manager"));
            let mut command = Command::new("bash");
            let output = command.args(["-c", &line, "philae"]).args(arguments).output().expect("bash starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {to}: {said}");
            assert!(said.contains(&format!("cannot write to standard output: {words}")), "{arguments:?} {to}: {said}");
        }
    }
}

/// `-` and `/dev/stdout` are standard output, and no signal leaves a part of a file.
#[test]
fn an_export_is_whole_wherever_it_goes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("out");
    let export = |to: &str| philae(&["manager", "export", "--system", "frontier", "--output", to]);
    let began = std::time::Instant::now();
    assert!(export(&file.to_string_lossy()).status().expect("it starts").success());
    let took = began.elapsed();
    let whole = std::fs::read(&file).expect("the file");
    for to in ["-", "/dev/stdout"] {
        assert!(export(to).output().expect("it starts").stdout == whole, "{to}");
    }
    for part in 1..=9_u32 {
        let mut child = export(&file.to_string_lossy()).spawn().expect("it starts");
        std::thread::sleep(took.mul_f64(0.5 + f64::from(part) * 0.06));
        // It may have ended.
        let _ = Command::new("bash").args(["-c", &format!("kill -TERM {} 2>&-", child.id())]).status();
        child.wait().expect("it ends");
        let entries: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").flatten().collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        assert!(std::fs::read(&file).expect("the file") == whole, "the earlier one or the new one, which are equal");
    }
}

/// A place for the state that is no folder is named with what it is.
#[test]
fn a_device_is_no_place_for_the_state() {
    let serve = ["manager", "serve", "--system", "malbec", "--simulated", "--state", "/dev/null"];
    let output = philae(&serve).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--state '/dev/null': it is a device, not a folder; a new or an empty folder"), "{said}");
}
