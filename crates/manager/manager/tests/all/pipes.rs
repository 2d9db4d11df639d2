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
