//! However a command ends, by one signal or several, it leaves what it should and nothing else.
#![cfg(unix)]

use crate::common::{Folder, rest_of, said, signal, until, until_it_says};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const SCENARIO: &str = "\
name = 'endings'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 2
groups = [{ name = 'c', count = 9, switches = 8, endpoints_per_switch = 8 }]
[[job]]
name = 'u'
nodes = 64
workload = { kind = 'alltoall', bytes = '4KiB', iterations = 3 }
";

/// Starts a command with the default effect of signals, whatever the caller of the tests ignores.
fn start(folder: &Folder, line: &str) -> Child {
    Command::new("env")
        .arg("--default-signal=INT,TERM,HUP")
        .arg(env!("CARGO_BIN_EXE_philae"))
        .current_dir(folder.file(""))
        .args(line.split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

fn names(folder: &Folder, of: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.file(of)).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The code that a shell shows.
fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).expect("it has ended")
}

/// Commands that write a file and end at a signal at once.
const WRITERS: [&str; 5] = [
    "describe frontier --graphml OUT",
    "describe frontier --networkx OUT",
    "routes shandy --output OUT",
    "trace export s.toml OUT --to goal",
    "export run messages --output OUT",
];

#[test]
fn a_signal_leaves_no_part_of_a_file() {
    let folder = Folder::with(SCENARIO);
    let made = start(&folder, "simulate s.toml --quiet --output run").wait_with_output().expect("it ends");
    assert!(made.status.success(), "{}", said(&made));
    for (number, writer) in WRITERS.into_iter().enumerate() {
        let line = writer.replace("OUT", &format!("{number}/out"));
        std::fs::create_dir(folder.file(&number.to_string())).expect("a folder");
        let began = Instant::now();
        let whole = start(&folder, &line).wait_with_output().expect("it ends");
        let took = began.elapsed();
        assert!(whole.status.success(), "{line}: {}", said(&whole));
        let written = std::fs::read(folder.file(&format!("{number}/out"))).expect("the file");
        for (part, name) in (1..=9_u32).zip(["TERM", "INT", "HUP"].into_iter().cycle()) {
            let child = start(&folder, &line);
            // Later parts of the command are tried more often: there it writes.
            std::thread::sleep(took.mul_f64(0.5 + f64::from(part) * 0.06));
            // It may have ended.
            let _ = Command::new("bash").args(["-c", &format!("kill -{name} {} 2>&-", child.id())]).status();
            child.wait_with_output().expect("it ends");
            assert_eq!(names(&folder, &number.to_string()), ["out"], "{line}, {name} after {part} tenths");
            assert!(std::fs::read(folder.file(&format!("{number}/out"))).expect("the file") == written, "{line}");
        }
    }
}

/// A shell and a batch system send several signals at once: they are one wish.
#[test]
fn signals_that_come_together_are_one() {
    let folder = Folder::with(SCENARIO);
    for (number, (pair, codes)) in [("TERM HUP", [143, 129]), ("INT INT", [130, 130])].into_iter().enumerate() {
        let place = format!("out{number}");
        let mut child = start(
            &folder,
            &format!(
                "simulate s.toml --set job.u.workload.iterations=1000000 --set run.time_limit=10s --output {place} \
                 --progress json"
            ),
        );
        let lines = until_it_says(&mut child, "simulated_ps");
        let [first, second] = pair.split(' ').collect::<Vec<_>>()[..] else { unreachable!("two signals") };
        let id = child.id();
        let both = format!("kill -{first} {id}; kill -{second} {id}");
        assert!(Command::new("bash").args(["-c", &both]).status().expect("bash starts").success());
        let (status, rest) = rest_of(lines, &mut child);
        assert!(codes.contains(&code(status)), "{pair}: {status} {rest}");
        let manifest = std::fs::read_to_string(folder.file(&format!("{place}/manifest.json"))).expect("the result");
        assert!(manifest.contains("\"interrupted\""), "{pair}: {manifest}");
        assert!(!rest.contains("a second signal"), "{rest}");
    }
}

/// A later one ends the command in the middle of what it writes, and the words say what is lost.
#[test]
fn a_later_signal_ends_the_command_and_says_what_is_lost() {
    let folder = Folder::with(SCENARIO);
    assert!(Command::new("mkfifo").arg(folder.file("pipe")).status().expect("mkfifo").success());
    // A reader that never reads: the timeline does not fit into the pipe.
    let mut reader = Command::new("bash")
        .args(["-c", "exec sleep 600 < pipe"])
        .current_dir(folder.file(""))
        .spawn()
        .expect("bash starts");
    let mut child = start(&folder, "simulate s.toml --quiet --output out --timeline pipe");
    until(&mut child, &folder.file("out/manifest.json"));
    signal(&child, "TERM");
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(child.try_wait().expect("it can be asked"), None, "the first signal lets it write on");
    signal(&child, "TERM");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(output.status), 143, "{}", said(&output));
    let words = "a second signal ended the command at once; lost: the partial result of the run";
    assert!(said(&output).contains(words), "{}", said(&output));
    reader.kill().expect("it runs");
    reader.wait().expect("it ends");
}

/// Folders that an interrupted command has made are not left empty.
#[test]
fn an_interrupted_study_leaves_no_empty_folder() {
    let folder = Folder::with(SCENARIO);
    for line in ["reproduce fig9 --output study/deep", "gpcnet shandy --full --output study/deep"] {
        let mut child = start(&folder, line);
        // A command names its study when it listens for signals.
        let lines = until_it_says(&mut child, ": ");
        signal(&child, "INT");
        let (status, rest) = rest_of(lines, &mut child);
        assert_eq!(code(status), 130, "{line}: {rest}");
        if line.starts_with("reproduce") {
            assert_eq!(names(&folder, ""), ["s.toml"], "{line}");
        }
        let _ = std::fs::remove_dir_all(folder.file("study"));
    }
}

/// The first number of "after 3 of 36 runs".
fn done(account: &str, unit: &str) -> Option<usize> {
    let counts = account.split(&format!(" {unit}")).next()?.rsplit_once(" of ")?.0;
    counts.rsplit_once(' ')?.1.parse().ok()
}

/// A command of many runs says how many of them had ended, and what is kept of them.
#[test]
fn an_interrupted_command_says_how_far_it_was() {
    let folder = Folder::with(SCENARIO);
    for (line, begins, unit, ends) in [
        ("fluid-accuracy", "interrupted after ", "scenarios", "nothing was written"),
        ("reproduce fig2 --output fig2", "fig2: interrupted after ", "runs", "its report was not written"),
        (
            "reproduce fig9 --quick --output fig9 --resume kept",
            "fig9: interrupted after ",
            "runs",
            "which are kept in kept: the same command continues from there",
        ),
        ("validate --only fig2", "validate: interrupted in 1/1 fig2 after ", "runs", "report was written"),
    ] {
        let mut child = start(&folder, &format!("{line} --progress json"));
        let lines = until_it_says(&mut child, "\"done\":1,");
        signal(&child, "INT");
        let (status, rest) = rest_of(lines, &mut child);
        assert_eq!(code(status), 130, "{line}: {rest}");
        let account = rest.lines().last().unwrap_or_default();
        assert!(account.starts_with(begins) && account.ends_with(ends), "{line}: {rest}");
        assert!(done(account, unit).is_some_and(|done| done > 0), "{line}: {account}");
        if line.contains("--resume") {
            let kept = std::fs::read_dir(folder.file("kept/runs")).expect("the runs").count();
            assert!(Some(kept) >= done(account, unit), "{account}: {kept} are kept");
        }
    }
}

/// What `kill -9` leaves is removed by the next write at the same place; what a living process
/// writes is not.
#[test]
fn the_next_write_removes_what_a_killed_one_left() {
    let folder = Folder::with(SCENARIO);
    let mut dead = Command::new("true").spawn().expect("it starts");
    dead.wait().expect("it ends");
    let own = std::process::id();
    for name in [format!(".g.{}.part", dead.id()), format!(".g.{own}.part"), ".g.x.part".to_owned()] {
        std::fs::write(folder.file(&name), "half").expect("a file");
    }
    let output = start(&folder, "describe malbec --graphml g").wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&folder, ""), [&format!(".g.{own}.part"), ".g.x.part", "g", "s.toml"]);
}
