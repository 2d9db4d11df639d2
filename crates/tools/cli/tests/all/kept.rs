//! Results survive full disks, little memory, signals at any time, and several runs for one folder.
#![cfg(unix)]

use crate::common::{rest_of, said, signal, until, until_it_says};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SCENARIO: &str = "\
name = 'kept'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 2
groups = [{ name = 'c', count = 9, switches = 8, endpoints_per_switch = 8 }]
[[job]]
name = 'u'
nodes = 128
workload = { kind = 'alltoall', bytes = '4KiB', iterations = 3 }
";

/// A temporary folder with the scenario, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("s.toml"), SCENARIO).expect("a temporary file");
        Self(folder)
    }

    /// Runs a shell line, with `P` for the command.
    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("bash");
        let line = line.replace("P simulate", &format!("exec '{}' simulate", env!("CARGO_BIN_EXE_philae")));
        command.args(["-c", &line]).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.shell(line).output().expect("a shell")
    }

    fn succeeds(&self, line: &str) -> Output {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", said(&output));
        output
    }

    fn start(&self, line: &str) -> Child {
        self.shell(line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a shell")
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path().join(folder)).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn manifest(&self, folder: &str) -> Value {
        let text = std::fs::read_to_string(self.0.path().join(folder).join("manifest.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    }
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

#[test]
fn a_checkpoint_that_finds_no_room_changes_nothing_of_the_run() {
    let folder = Folder::new();
    let whole = document(&folder.succeeds("P simulate s.toml --json --quiet --output whole"));
    folder.succeeds("P simulate s.toml --quiet --output good --checkpoint good.ckpt --checkpoint-at 30us");
    let earlier = std::fs::read(folder.0.path().join("good.ckpt")).expect("a checkpoint");
    // Every checkpoint is larger than a million bytes, and every table is smaller than half of one.
    for kibibytes in [700, 900] {
        let line = format!(
            "ulimit -f {kibibytes}; P simulate s.toml --json --quiet --output full --checkpoint good.ckpt --checkpoint-every 20us"
        );
        let full = folder.succeeds(&line);
        let lines = said(&full);
        assert_eq!(lines.matches("the run continues").count(), 1, "one warning for all checkpoints: {lines}");
        assert!(
            lines.contains("warning: the same for ") && lines.contains(" more checkpoints, the last at "),
            "{lines}"
        );
        assert_eq!(document(&full)["summary"]["digest"], whole["summary"]["digest"]);
        assert!(
            std::fs::read(folder.0.path().join("good.ckpt")).expect("it is there") == earlier,
            "the good one stays"
        );
    }
    let rest = document(&folder.succeeds("P simulate --resume good.ckpt --json --quiet --output rest"));
    assert_eq!(rest["summary"]["digest"], whole["summary"]["digest"]);
    assert_eq!(
        folder.names("."),
        ["full", "good", "good.ckpt", "rest", "s.toml", "whole"],
        "nothing half written is left"
    );
    for (file, words) in [("/dev/null", "a device or a pipe"), ("whole", "it is a folder")] {
        let refused = folder.run(&format!("P simulate s.toml --checkpoint {file} --checkpoint-every 20us"));
        assert!(refused.status.code() == Some(2) && said(&refused).contains(words), "{}", said(&refused));
    }
}

#[test]
fn two_runs_do_not_keep_themselves_in_one_file() {
    let folder = Folder::new();
    let endless =
        "P simulate s.toml --set job.u.workload.iterations=100000 --checkpoint a.ckpt --checkpoint-every 20us --output";
    let mut first = folder.start(&format!("{endless} first"));
    until(&mut first, &folder.0.path().join("a.ckpt"));
    let second = folder.run(&format!("{endless} second"));
    assert!(second.status.code() == Some(2) && said(&second).contains("another run writes its"), "{}", said(&second));
    signal(&first, "KILL");
    first.wait().expect("it ends");
    folder.succeeds("P simulate s.toml --checkpoint a.ckpt --checkpoint-every 20us --output third");
    assert!(folder.names(".").iter().all(|name| !name.ends_with(".part")), "{:?}", folder.names("."));
}

#[test]
fn what_there_is_room_for_of_a_result_is_kept() {
    let folder = Folder::new();
    let whole = document(&folder.succeeds("P simulate s.toml --json --quiet --output whole"));
    let line = "ulimit -f 300; P simulate s.toml --json --quiet --output whole";
    let full = folder.run(line);
    assert_eq!(full.status.code(), Some(1), "{}", said(&full));
    let document = document(&full);
    assert_eq!(document["summary"]["digest"], whole["summary"]["digest"], "what is known is printed");
    assert_eq!(document["output"], "whole.incomplete");
    let missing = &document["manifest"]["missing"];
    assert_eq!(*missing, serde_json::json!(["messages.parquet"]));
    for words in [
        "the result is incomplete: it lacks messages.parquet (File too large",
        "are kept in whole.incomplete",
        "in whole stays",
    ] {
        assert!(said(&full).contains(words), "'{words}' in {}", said(&full));
    }
    assert!(folder.names("whole.incomplete").contains(&"report.html".to_owned()));
    assert!(folder.0.path().join("whole/messages.parquet").is_file(), "the whole one stays");
    let nothing = folder.run("ulimit -f 1; P simulate s.toml --output none");
    assert_eq!(nothing.status.code(), Some(1), "{}", said(&nothing));
    assert!(said(&nothing).contains("only the figures above are left of the run"), "{}", said(&nothing));
    let printed = String::from_utf8_lossy(&nothing.stdout).into_owned();
    assert!(printed.contains("result: none could be written") && printed.contains("completed"), "{printed}");
    assert_eq!(folder.names("."), ["s.toml", "whole", "whole.incomplete"]);
}

/// A block of a pcapng file is as long as its second word says.
fn blocks(file: &Path) -> usize {
    let bytes = std::fs::read(file).expect("the capture is there");
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        at += u32::from_le_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
        count += 1;
    }
    assert_eq!(at, bytes.len(), "it ends with a whole block");
    count
}

#[test]
fn a_capture_that_finds_no_room_takes_nothing_else_with_it() {
    let folder = Folder::new();
    let capture = |port: u32, bytes: u32| {
        format!("[[capture]]\nport = 'endpoint:{port}'\nfile = '{port}.pcapng'\nsnap_bytes = {bytes}\n")
    };
    let text = format!("{SCENARIO}{}{}", capture(0, 65_535), capture(1, 64));
    std::fs::write(folder.0.path().join("s.toml"), text).expect("a temporary file");
    let whole = document(&folder.succeeds("P simulate s.toml --json --quiet --output whole"));
    let (frames, other) =
        (blocks(&folder.0.path().join("0.pcapng")) - 2, std::fs::read(folder.0.path().join("1.pcapng")).expect("it"));
    // The first capture is larger than a mebibyte, the other one and every table smaller than half
    // of one.
    let full = folder.run("ulimit -f 700; P simulate s.toml --json --quiet --output full");
    assert_eq!(full.status.code(), Some(1), "{}", said(&full));
    let kept = blocks(&folder.0.path().join("0.pcapng")) - 2;
    assert!(kept > 100 && kept < frames, "{kept} of {frames}");
    let words =
        format!("cannot write the whole capture '0.pcapng': File too large (os error 27); it has the first {kept} ");
    assert!(said(&full).contains(&words), "'{words}' in {}", said(&full));
    let document = document(&full);
    assert_eq!(document["summary"]["status"], "completed");
    assert_eq!(document["summary"]["digest"], whole["summary"]["digest"]);
    assert_eq!(folder.names("full"), folder.names("whole"));
    assert!(std::fs::read(folder.0.path().join("1.pcapng")).expect("it") == other, "the other capture is whole");
    let printed = folder.run("ulimit -f 700; P simulate s.toml --output full");
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(printed.contains("capture: 1.pcapng (") && !printed.contains("capture: 0.pcapng"), "{printed}");
    // Where there is no room for the first byte, the run does not begin.
    let none = folder.run("P simulate s.toml --pcap endpoint:2=/dev/full --output none");
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
    assert!(said(&none).contains("cannot write the capture '/dev/full': No space left"), "{}", said(&none));
    assert!(!folder.0.path().join("none").exists());
}

#[test]
fn a_file_that_finds_no_room_leaves_the_earlier_one() {
    let folder = Folder::new();
    folder.succeeds("P simulate s.toml --quiet --output r");
    std::fs::write(folder.0.path().join("a.load"), "[JOB_ID] 1\n[NID_LIST] 0-7\n[MOTIF] Allreduce\n").expect("written");
    // Every command that writes a file in addition to results.
    // Every earlier file is of the kind that the command writes: another kind is not replaced.
    let commands = [
        ("P simulate s.toml --quiet --output t --timeline FILE", "{}"),
        ("P describe malbec --graphml FILE", "<graphml/>"),
        ("P describe malbec --networkx FILE", "{}"),
        ("P routes malbec --down groups:0-1 --output FILE", "PHROUTES"),
        ("P trace export s.toml FILE --to goal --set job.u.workload.iterations=2", "num_ranks 1"),
        ("P trace scenario a.load FILE --system malbec", "seed = 1"),
        ("P export r messages --output FILE", "id,bytes"),
        ("P compare r r --html FILE", "<html/>"),
    ];
    let mut names = Vec::new();
    for (number, (command, earlier)) in commands.into_iter().enumerate() {
        let file = format!("{number}.out");
        let philae = format!("'{}' ", env!("CARGO_BIN_EXE_philae"));
        let command = command.replace("FILE", &file).replacen("P ", &philae, 1);
        std::fs::write(folder.0.path().join(&file), earlier).expect("there is room");
        // Files may not have any bytes; the result folder is created elsewhere.
        let full = folder.run(&format!("ulimit -f 0; {command} --json"));
        assert_ne!(full.status.code(), Some(0), "{command}");
        assert!(
            std::fs::read(folder.0.path().join(&file)).expect("it is there") == earlier.as_bytes(),
            "{command}: the earlier one stays"
        );
        folder.succeeds(&command);
        assert!(std::fs::read(folder.0.path().join(&file)).expect("it is there") != earlier.as_bytes(), "{command}");
        names.push(file);
    }
    names.extend(["a.load", "r", "s.toml", "t"].map(str::to_owned));
    let left: Vec<String> = folder.names(".").into_iter().filter(|name| !name.starts_with("t.")).collect();
    assert_eq!(left, names, "nothing half written is left");
}

#[test]
fn a_default_folder_is_named_after_what_is_set_and_no_other_result_is_lost() {
    let folder = Folder::new();
    folder.succeeds("P simulate s.toml --quiet");
    folder.succeeds("P simulate s.toml --quiet --seed 7");
    folder.succeeds("P simulate s.toml --quiet --set congestion.law=none --threads 2");
    folder.succeeds("P simulate s.toml --quiet --fluid");
    let names = ["kept", "kept-congestion-law-none", "kept-fluid", "kept-seed-7"];
    assert_eq!(folder.names("results"), names);
    assert_eq!(folder.manifest("results/kept-seed-7")["seed"], 7);
    assert_eq!(said(&folder.succeeds("P simulate s.toml")), "", "the same run once more");
    std::fs::write(folder.0.path().join("s.toml"), SCENARIO.replace("4KiB", "2KiB")).expect("a temporary file");
    let other = said(&folder.succeeds("P simulate s.toml"));
    assert!(other.contains("'4KiB'") || other.contains("4KiB"), "{other}");
    assert!(other.contains("is now in results/kept.earlier; --overwrite replaces it"), "{other}");
    assert_ne!(folder.manifest("results/kept")["digest"], folder.manifest("results/kept.earlier")["digest"]);
    folder.succeeds("P simulate s.toml --seed 3 --output results/kept --overwrite");
    assert_eq!(folder.names("results").len(), names.len() + 1);
    assert_eq!(folder.manifest("results/kept")["seed"], 3);
}

#[test]
fn a_folder_is_for_one_run_at_a_time_and_what_a_killed_one_leaves_is_removed() {
    let folder = Folder::new();
    let endless = "P simulate s.toml --set job.u.workload.iterations=100000";
    let mut running = Vec::new();
    let mut first = folder.start(&format!("{endless} --output out"));
    until(&mut first, &folder.0.path().join(".out.partial/.lock"));
    let second = folder.run("P simulate s.toml --output out");
    assert_eq!(second.status.code(), Some(2), "{}", said(&second));
    let owner = format!("another run is writing its result there (process {})", first.id());
    assert!(said(&second).contains(&owner), "{}", said(&second));
    signal(&first, "KILL");
    first.wait().expect("it ends");
    assert_eq!(folder.names("."), [".out.partial", "s.toml"]);
    folder.succeeds("P simulate s.toml --output another");
    assert_eq!(folder.names("."), ["another", "s.toml"]);
    // Of two runs with the same default folder, the second gets another one.
    for number in ["", "-2"] {
        let mut child = folder.start(endless);
        let partial = format!("results/.kept-job-u-workload-iterations-100000{number}.partial/.lock");
        until(&mut child, &folder.0.path().join(partial));
        running.push(child);
    }
    for mut child in running {
        signal(&child, "KILL");
        child.wait().expect("it ends");
    }
}

#[test]
fn memory_of_ranks_is_estimated_and_refused() {
    let folder = Folder::new();
    let many = "P simulate s.toml --set job.u.processes_per_node=1000000 --output out";
    let refused = folder.run(many);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    for words in ["its 128000000 ranks", "operations that ranks begin with", "are free", "--ignore-memory"] {
        assert!(said(&refused).contains(words), "'{words}' in {}", said(&refused));
    }
    for (number, ranks) in [("100000000", "12800000000"), ("20000000", "2560000000 ranks")] {
        let countless = folder.run(&format!("P simulate s.toml --set job.u.processes_per_node={number}"));
        assert_eq!(countless.status.code(), Some(2), "{}", said(&countless));
        assert!(said(&countless).replace(',', "").contains(ranks), "{}", said(&countless));
    }
    let limited = "ulimit -v 400000; P simulate s.toml --set job.u.processes_per_node=10000 --output out";
    let refused = folder.run(limited);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    // Begun anyway, it ends with an error message, and not by a signal.
    let ended = folder.run(&format!("{limited} --ignore-memory"));
    assert_eq!(ended.status.code(), Some(1), "{}", said(&ended));
    assert!(said(&ended).contains("error: the operating system refuses memory:"), "{}", said(&ended));
    assert!(!folder.0.path().join("out").exists());
}

#[test]
fn a_signal_is_answered_while_a_run_is_prepared_and_in_a_long_step() {
    let folder = Folder::new();
    for (ranks_per_node, name, code) in [(50_000, "TERM", 143), (50_000, "INT", 130), (5_000, "TERM", 143)] {
        let line = format!(
            "P simulate s.toml --set job.u.processes_per_node={ranks_per_node} --ignore-memory --output out --progress json"
        );
        let mut child = folder.start(&line);
        // The command listens for signals before it takes the folder. What it is doing some time
        // later makes no difference.
        until(&mut child, &folder.0.path().join(".out.partial/.lock"));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(child.try_wait().expect("it can be asked"), None, "{ranks_per_node} ranks on each node take longer");
        let asked = Instant::now();
        signal(&child, name);
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{ranks_per_node} ranks on each node, {name}");
        println!("{ranks_per_node} ranks on each node, {name}: answered after {:?}", asked.elapsed());
    }
}

/// A terminal that closes sends SIGHUP: the run keeps what it has, as after Ctrl-C. Under `nohup`
/// it continues.
#[test]
fn a_closed_terminal_keeps_the_partial_result() {
    let folder = Folder::new();
    let long = "--set job.u.workload.iterations=1000000 --set run.time_limit=10s";
    for (name, wrapper, code) in [("HUP", "", 129), ("TERM", "trap '' HUP; ", 143)] {
        let line = format!("{wrapper}P simulate s.toml {long} --output {name} --progress json");
        let mut child = folder.start(&line);
        let lines = until_it_says(&mut child, "simulated_ps");
        signal(&child, "HUP");
        if name == "TERM" {
            std::thread::sleep(Duration::from_millis(500));
            assert_eq!(child.try_wait().expect("it can be asked"), None, "nohup's run goes on");
            signal(&child, name);
        }
        let (status, rest) = rest_of(lines, &mut child);
        assert_eq!(status.code(), Some(code), "{name}: {rest}");
        let manifest = folder.manifest(name);
        assert!(manifest["digest"].is_string(), "{name}: {manifest}");
    }
}
