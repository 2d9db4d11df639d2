//! Folders and files of other commands stay, and two commands never write into one folder at the
//! same time.
#![cfg(unix)]

use crate::common::{Folder, rest_of, said, signal, until, until_it_says};
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
    let mut run = command(&folder, &endless);
    let run = run.args(["--progress", "json"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut run = run.expect("it starts");
    let lines = until_it_says(&mut run, "simulated_ps");
    std::fs::remove_dir_all(folder.file("parent")).expect("removed");
    signal(&run, "TERM");
    let (_, rest) = rest_of(lines, &mut run);
    assert!(folder.file("parent/run/manifest.json").is_file(), "the result of the interrupted run: {rest}");
    assert!(!folder.file("parent/.run.partial").exists());
}

/// In a folder, a pipe or a device instead of a file would make a command wait forever, or read
/// without end.
#[test]
fn no_command_waits_for_a_pipe_in_a_folder() {
    let folder = Folder::with(SCENARIO);
    succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "good"]);
    let pipe = |path: &str, target: &str| {
        let _ = std::fs::remove_file(folder.file(path));
        match target {
            "pipe" => assert!(Command::new("mkfifo").arg(folder.file(path)).status().expect("mkfifo").success()),
            device => symlink(device, folder.file(path)).expect("a link"),
        }
    };
    let ends = |arguments: &[&str]| {
        let mut command = Command::new("timeout");
        command.args(["60", env!("CARGO_BIN_EXE_philae")]).args(arguments).stdin(Stdio::null());
        let output = command.current_dir(folder.file("")).output().expect("timeout starts");
        assert_ne!(output.status.code(), Some(124), "{arguments:?} waits: {}", said(&output));
        output
    };
    for target in ["pipe", "/dev/zero"] {
        let found = if target == "pipe" { "a pipe" } else { "a device" };
        for file in ["manifest.json", "summary.json", "messages.parquet", "iterations.parquet", "counters.parquet"] {
            succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "run"]);
            pipe(&format!("run/{file}"), target);
            let compared = ends(&["compare", "run", "good"]);
            let words = if file == "manifest.json" { "is not a result" } else { found };
            assert!(!compared.status.success() && said(&compared).contains(words), "{file}: {}", said(&compared));
            // What is named itself may be a pipe with a writer, but a manifest belongs to a folder.
            if file == "manifest.json" {
                ends(&["compare", "run/manifest.json", "good"]);
            }
            ends(&["export", "run"]);
            std::fs::remove_dir_all(folder.file("run")).expect("the folder");
        }
        succeeds(&folder, &["simulate", "s.toml", "--quiet", "--output", "run"]);
        pipe("run/scenario.toml", target);
        assert!(ends(&["simulate", "s.toml", "--quiet", "--output", "run"]).status.success());
        assert!(folder.file("run/scenario.toml").is_file() && folder.file("run.earlier").is_dir());
        std::fs::remove_dir_all(folder.file("run.earlier")).expect("the folder");
        let sweep = ["sweep", "s.toml", "--seeds", "1-2", "--quiet", "--output", "swept"];
        succeeds(&folder, &sweep);
        let runs = std::fs::read_dir(folder.file("swept/runs")).expect("the runs");
        let runs: Vec<String> =
            runs.map(|run| run.expect("a run").file_name().to_string_lossy().into_owned()).collect();
        for file in ["table.parquet".to_owned(), "table.csv".to_owned(), format!("runs/{}", runs[0])] {
            pipe(&format!("swept/{file}"), target);
            let again = ends(&sweep);
            assert!(again.status.success(), "{file}: {}", said(&again));
            assert!(folder.file(&format!("swept/{file}")).symlink_metadata().expect("it").is_file(), "{file}");
        }
        succeeds(&folder, &["reproduce", "fig2", "--quick", "--quiet", "--output", "study"]);
        pipe("study/report.html", target);
        assert!(ends(&["reproduce", "fig2", "--quick", "--quiet", "--output", "study"]).status.success());
        assert!(folder.file("study/report.html").symlink_metadata().expect("it").is_file());
        for kept in ["swept", "study"] {
            std::fs::remove_dir_all(folder.file(kept)).expect("the folder");
        }
    }
}

/// Options that take a folder say what is there instead.
#[test]
fn a_file_or_a_device_is_no_folder() {
    let folder = Folder::with(SCENARIO);
    for (place, what) in [("s.toml", "a file"), ("/dev/null", "a device")] {
        let words = format!("'{place}': it is {what}, not a folder; a new or an empty folder would work");
        refused(&folder, &["reproduce", "fig2", "--quick", "--output", place], &words);
        refused(&folder, &["sweep", "s.toml", "--seeds", "1", "--output", place], &words);
        refused(&folder, &["gpcnet", "malbec", "--output", place], &words);
        refused(&folder, &["validate", "--only", "lossless", "--resume", place], &words);
        refused(&folder, &["man", place], &words);
        refused(&folder, &["simulate", "s.toml", "--output", place], "is no folder: a new or empty folder");
    }
}

/// A kept result that was removed between two sweeps is made again, and a full disk keeps what it
/// can.
#[test]
fn a_sweep_says_what_it_kept() {
    let folder = Folder::with(SCENARIO);
    let sweep = ["sweep", "s.toml", "--seeds", "1-3", "--keep-results", "--output", "kept"];
    succeeds(&folder, &sweep);
    let manifest = std::fs::read(folder.file("kept/results/00001/manifest.json")).expect("a result");
    std::fs::remove_dir_all(folder.file("kept/results/00001")).expect("the folder");
    let again = philae(&folder, &sweep);
    assert!(again.status.success(), "{}", said(&again));
    let words = "1 result folder of earlier runs is missing, kept/results/00001: its run is made again";
    assert!(said(&again).contains(words), "{}", said(&again));
    assert!(String::from_utf8_lossy(&again.stdout).contains("(1 now, 2 before)"));
    let digest =
        |manifest: &[u8]| serde_json::from_slice::<serde_json::Value>(manifest).expect("JSON")["digest"].clone();
    let made = std::fs::read(folder.file("kept/results/00001/manifest.json")).expect("it is there again");
    assert_eq!(digest(&made), digest(&manifest));
    for (kept, limit) in [(&[][..], 1), (&["--keep-results"], 20)] {
        let line = format!("ulimit -f {limit}; exec '{}' \"$@\"", env!("CARGO_BIN_EXE_philae"));
        let arguments =
            [&["-c", &line, "bash", "sweep", "s.toml", "--seeds", "1-3", "--output", "full"], kept].concat();
        let full = Command::new("bash").args(arguments).current_dir(folder.file("")).output().expect("bash starts");
        assert_eq!(full.status.code(), Some(1), "{}", said(&full));
        let said = said(&full);
        for words in ["File too large", " of 3 runs are kept in full, and the same command continues from there"] {
            assert!(said.contains(words), "'{words}' in {said}");
        }
        for inner in [".part", ".incomplete"] {
            assert!(!said.contains(inner), "{said}");
        }
        let left = Command::new("find").arg("full").current_dir(folder.file("")).output().expect("find starts");
        let left = String::from_utf8_lossy(&left.stdout).into_owned();
        assert!(!left.contains(".part") && !left.contains(".incomplete"), "{left}");
        succeeds(&folder, &[&["sweep", "s.toml", "--seeds", "1-3", "--output", "full"], kept].concat());
        std::fs::remove_dir_all(folder.file("full")).expect("the folder");
    }
}
