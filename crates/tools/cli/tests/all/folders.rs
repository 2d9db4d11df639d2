//! Folders and files of other commands stay, and two commands never write into one folder at the
//! same time.
#![cfg(unix)]

use crate::common::{Folder, said, signal, until};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Output, Stdio};

const SCENARIO: &str = "\
name = 'folders'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 1
groups = [{ name = 'c', count = 3, switches = 2, endpoints_per_switch = 2 }]
[[job]]
name = 'a'
workload = { kind = 'alltoall', bytes = '1KiB', iterations = 2 }
";

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder.file("")).args(arguments).stdin(Stdio::null());
    command
}

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the command starts")
}

fn refused(folder: &Folder, arguments: &[&str], words: &str) {
    let output = philae(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
    assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output));
}

fn succeeds(folder: &Folder, arguments: &[&str]) {
    let output = philae(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
}

fn terminate(mut child: Child) {
    signal(&child, "TERM");
    child.wait().expect("it ends");
}

#[test]
fn a_command_takes_no_folder_of_another() {
    let folder = Folder::with(SCENARIO);
    succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "run"]);
    succeeds(&folder, &["sweep", "s.toml", "--seeds", "1-2", "--quiet", "--output", "swept"]);
    succeeds(&folder, &["reproduce", "fig2", "--quick", "--quiet", "--output", "study"]);
    std::fs::create_dir(folder.file("own")).expect("a folder");
    std::fs::write(folder.file("own/notes.txt"), "mine").expect("a file");
    for (place, is_what) in [
        ("run", "is a result of `philae simulate`"),
        ("swept", "is a sweep"),
        ("own", "exists and is not a study of `philae reproduce`"),
    ] {
        refused(&folder, &["reproduce", "fig2", "--quick", "--output", place], is_what);
    }
    let gpcnet = ["gpcnet", "malbec", "--nodes", "10", "--output"];
    refused(&folder, &[&gpcnet[..], &["study"]].concat(), "is a study of `philae reproduce`");
    refused(&folder, &["sweep", "s.toml", "--seeds", "1-2", "--output", "study"], "is a study of");
    refused(&folder, &["sweep", "s.toml", "--seeds", "1-2", "--output", "own"], "exists and is not a sweep");
    // Its own it takes, and keeps what differs.
    succeeds(&folder, &["reproduce", "fig2", "--quick", "--quiet", "--output", "study", "--seed", "9"]);
    assert!(folder.file("study/report.earlier.html").is_file() && folder.file("study/study.earlier.json").is_file());
}

#[test]
fn a_folder_has_one_sweep_at_a_time() {
    let folder = Folder::with(SCENARIO);
    let endless = ["sweep", "s.toml", "--seeds", "1-2", "--set", "job.a.workload.iterations=200000000"];
    let mut first = command(&folder, &[&endless[..], &["--quiet", "--output", "out"]].concat())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    until(&mut first, &folder.file("out/sweep.json"));
    refused(&folder, &["sweep", "s.toml", "--seeds", "3-4", "--output", "out"], "another command is writing there");
    terminate(first);
    // What the first one held is free again.
    succeeds(&folder, &["sweep", "s.toml", "--seeds", "3-4", "--quiet", "--output", "out"]);
    assert!(!folder.file("out/.lock").exists());
}

#[test]
fn an_export_replaces_no_part_of_the_result_that_it_reads() {
    let folder = Folder::with(SCENARIO);
    succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "run"]);
    let before = std::fs::read(folder.file("run/messages.parquet")).expect("a table");
    for (form, file) in
        [(None, "run/messages.parquet"), (Some("--json"), "run/manifest.json"), (None, "run/scenario.toml")]
    {
        let arguments = ["export", "run", "messages", "--output", file];
        let arguments: Vec<&str> = arguments.into_iter().chain(form).collect();
        refused(&folder, &arguments, "would be replaced");
    }
    assert_eq!(std::fs::read(folder.file("run/messages.parquet")).expect("a table"), before);
    succeeds(&folder, &["export", "run", "messages", "--quiet", "--output", "run/messages.csv"]);
}

#[test]
fn a_link_to_a_folder_that_is_gone_leads_to_a_new_one() {
    let folder = Folder::with(SCENARIO);
    symlink("scratch/deep", folder.file("out")).expect("a link");
    succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "out"]);
    assert!(folder.file("out").is_symlink() && folder.file("scratch/deep/manifest.json").is_file());
    symlink("swept", folder.file("sweep-link")).expect("a link");
    succeeds(&folder, &["sweep", "s.toml", "--seeds", "1-2", "--quiet", "--output", "sweep-link"]);
    assert!(folder.file("swept/table.csv").is_file());
    symlink("round", folder.file("round")).expect("a link");
    refused(&folder, &["simulate", "s.toml", "--output", "round"], "round");
}

#[test]
fn a_parent_that_is_removed_during_the_run_is_made_again() {
    let folder = Folder::with(SCENARIO);
    let endless = ["simulate", "s.toml", "--set", "job.a.workload.iterations=200000000", "--output", "parent/run"];
    let mut run = command(&folder, &endless).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    until(&mut run, &folder.file("parent/.run.partial/.lock"));
    std::fs::remove_dir_all(folder.file("parent")).expect("removed");
    terminate(run);
    assert!(folder.file("parent/run/manifest.json").is_file(), "the result of the interrupted run");
    assert!(!folder.file("parent/.run.partial").exists());
}
