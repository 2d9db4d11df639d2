//! The command as users and scripts call it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const BASE: &str = "name = \"small\"\n\
    [system]\nname = \"tiny\"\n\
    [system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [run]\nstart_skew = \"1us\"\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }\n";

/// A folder for each test, removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        path
    }

    fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .expect("our folder")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn philae(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the command starts")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8")
}

fn json_of(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn digest(folder: &Folder, arguments: &[&str]) -> String {
    let mut all = vec!["simulate", "small.toml", "--json", "--output", "out"];
    all.extend(arguments);
    let document = json_of(&philae(folder.0.path(), &all));
    document["manifest"]["digest"].as_str().expect("a digest").to_owned()
}

#[test]
fn every_mistake_is_answered_with_exit_code_2_and_leaves_no_folder() {
    let folder = Folder::new();
    let system = "system = { name = \"x\", dragonfly = { links_per_pair = 9, \
                  port_ranges = { edge = [0, 15], local = [16, 30], global = [31, 47] }, \
                  groups = [{ name = \"c\", count = 3, switches = 1, endpoints_per_switch = 4 }] } }\n";
    let job = "[[job]]\nname = \"a\"\nworkload = { kind = \"barrier\", iterations = 1 }\n";
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        (
            "unknown key",
            format!("{BASE}itrations = 5\n").into(),
            &["unknown key `itrations` in [job.a] (line 12)", "keys: class"],
        ),
        ("nearest key", format!("{BASE}[measure]\nflow = true\n").into(), &["did you mean `flows`?"]),
        (
            "impossible topology",
            format!("{system}{job}").into(),
            &["needs 18 global ports, it has 17 left", "would work"],
        ),
        (
            "too large",
            BASE.replace("[[job]]", "[[job]]\nnodes = 25").into(),
            &["jobs request 25 nodes", "the system has 24"],
        ),
        ("no jobs", BASE.split("[[job]]").next().expect("a head").into(), &["there are no jobs"]),
        (
            "no ranks",
            BASE.replace("[[job]]", "[[job]]\nnodes = 0").into(),
            &["`job.a.nodes` (line 10) is 0; a whole number from 1"],
        ),
        (
            "no rate",
            BASE.replace(
                "links_per_pair = 1",
                "links_per_pair = 1\nedge = { medium = \"copper\", length_m = 1, rate_gbps = 0 }",
            )
            .into(),
            &["edge links run at 0 Gb/s; 0.001 to 4000 would work"],
        ),
        (
            "negative rate",
            format!("{BASE}[hardware.host]\ncopy_rate_mbytes = -5\n").into(),
            &["`hardware.host.copy_rate_mbytes` (line 13) is -5; a whole number from 1"],
        ),
        ("not text", b"name = \"\xff\xfe\"".to_vec(), &["is not UTF-8 text (byte 8 is not)"]),
        ("zero bytes", vec![0; 64], &["is not UTF-8 text"]),
        ("empty", Vec::new(), &["is empty; a scenario needs"]),
        ("not TOML", b"system = \n".to_vec(), &["is not TOML", "line 1"]),
        ("unknown system", format!("system = \"shandi\"\n{job}").into(), &["did you mean 'shandy'?"]),
        ("endless", BASE.replace(", iterations = 5", "").into(), &["`iterations` in a job's workload"]),
        (
            "buffer",
            format!("{BASE}[hardware.switch]\nbuffer_reserve_bytes = 1\nbuffer_shared_bytes = 0\n").into(),
            &["does not fit the 1 bytes that a channel of an input buffer has for itself"],
        ),
    ];
    for (name, bytes, parts) in cases {
        folder.write("scenario.toml", bytes);
        let output = philae(folder.0.path(), &["simulate", "scenario.toml"]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        assert!(error.starts_with("error: ") && parts.iter().all(|part| error.contains(part)), "{name}: {error}");
        assert!(error.contains("scenario.toml"), "{name} says in which file: {error}");
        assert!(output.stdout.is_empty(), "{name}: errors do not go to standard output");
        assert_eq!(folder.entries(), ["scenario.toml"], "{name} leaves nothing behind");
    }
}

#[test]
fn files_that_are_not_there_and_bad_usage_are_exit_code_2() {
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    for (arguments, part) in [
        (&["simulate", "missing.toml"][..], "cannot read the scenario 'missing.toml'"),
        (&["simulate", "."], "is a folder"),
        (&["simulate"], "<FILE>"),
        (&["simulat", "small.toml"], "'simulate'"),
        (&["simulate", "small.toml", "--sed", "1"], "--seed"),
        (&["simulate", "small.toml", "--seed", "-1"], "-1"),
        (&["simulate", "small.toml", "--set", "seed"], "KEY=VALUE would work"),
        (&["simulate", "small.toml", "--set", "sed=1"], "did you mean `seed`?"),
        (&["simulate", "small.toml", "--seed", "1", "--set", "seed=2"], "it is set twice, to 2 and 1"),
        (&["simulate", "small.toml", "--time-limit", "0"], "`run.time_limit` is 0"),
        (&["simulate", "small.toml", "--partitions", "0"], "a whole number from 1 to 65535 would work"),
        (&["simulate", "small.toml", "--output", "small.toml"], "is no folder"),
        (&["describe", "shandi"], "did you mean 'shandy'?"),
        (&["describe", "missing.toml"], "cannot read the system file"),
        (&["completions", "bsh"], "bash"),
    ] {
        let output = philae(folder.0.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert_eq!(folder.entries(), ["small.toml"], "{arguments:?} leaves nothing behind");
    }
}

#[test]
fn the_same_seed_gives_the_same_digest_and_another_seed_another() {
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    let first = digest(&folder, &[]);
    assert_eq!(digest(&folder, &["--seed", "1"]), first, "1 is the default");
    assert_ne!(digest(&folder, &["--seed", "2"]), first);
    assert_eq!(digest(&folder, &["--partitions", "3"]), first, "partitions do not show");
    assert_eq!(digest(&folder, &["--threads", "2"]), first, "threads do not show");
    let (law, bytes) = ("congestion.law=none", "job.a.workload.bytes=64KiB");
    let changed = digest(&folder, &["--set", law, "--set", bytes, "--seed", "5"]);
    assert_ne!(changed, first);
    assert_eq!(digest(&folder, &["--seed", "5", "--set", bytes, "--set", law]), changed, "the order does not matter");
}

#[test]
fn a_run_that_will_not_fit_into_memory_is_refused_unless_told_otherwise() {
    let folder = Folder::new();
    // 65,536 NICs need 862 MiB. The address space is slightly smaller, so that the run has room
    // when it is begun anyway.
    folder.write(
        "large.toml",
        BASE.replace(
            "count = 3, switches = 2, endpoints_per_switch = 4",
            "count = 128, switches = 32, endpoints_per_switch = 16",
        ),
    );
    let limited = |more: &str| {
        let philae = env!("CARGO_BIN_EXE_philae");
        let line =
            format!("ulimit -v 880000 && exec '{philae}' simulate large.toml --time-limit 1us --output out {more}");
        Command::new("sh").args(["-c", &line]).current_dir(folder.0.path()).output().expect("a shell")
    };
    let refused = limited("");
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    let said = text(&refused.stderr);
    assert!(
        said.contains("118.8 MiB for its network and its 65536 ranks, and 768 MiB more")
            && said.contains("--ignore-memory"),
        "{said}"
    );
    assert_eq!(folder.entries(), ["large.toml"], "a refusal leaves nothing behind");
    let anyway = limited("--ignore-memory");
    assert!(anyway.status.success(), "{}", text(&anyway.stderr));
}

#[test]
fn the_scenario_beside_a_result_reproduces_it() {
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    let first = digest(&folder, &["--seed", "9", "--set", "allocation=random"]);
    std::fs::copy(folder.0.path().join("out/scenario.toml"), folder.0.path().join("small.toml"))
        .expect("a result has its scenario");
    assert_eq!(digest(&folder, &[]), first);
}

#[test]
fn a_result_is_a_folder_with_tables_a_report_and_a_manifest() {
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    let output = philae(folder.0.path(), &["simulate", "small.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("result: results/small") && printed.contains("completed"), "{printed}");
    let manifest = std::fs::read_to_string(folder.0.path().join("results/small/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let contract =
        ["scenario", "seed", "version", "digest", "simulated_ps", "events", "packet_hops", "wall_seconds", "status"];
    for key in contract {
        assert!(manifest.get(key).is_some(), "{key}");
    }
    assert!(folder.0.path().join("results/small/report.html").is_file());
    let again = philae(folder.0.path(), &["simulate", "small.toml"]);
    assert_eq!(again.status.code(), Some(0), "an earlier result is replaced");
}

#[test]
fn json_is_one_document_and_progress_lines_go_to_standard_error() {
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    let arguments =
        ["simulate", "small.toml", "--json", "--progress", "json", "--set", "job.a.workload.iterations=2000"];
    let output = philae(folder.0.path(), &arguments);
    let document = json_of(&output);
    assert_eq!(document["manifest"]["digest"], document["summary"]["digest"]);
    assert_eq!(document["output"], "results/small-job-a-workload-iterations-2000");
    let lines = text(&output.stderr);
    assert!(!lines.is_empty());
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        assert!(line["simulated_ps"].is_u64() && line["events_per_second"].is_f64(), "{line}");
    }
}

/// Sends Ctrl-C to a run that would take hours, after its first report.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_valid_partial_result_that_says_so() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    folder.write("small.toml", BASE);
    let endless = ["job.a.workload={ kind = 'permutation' }", "run.time_limit=1000s", "measure.sample_interval=0"];
    let mut child = command(folder.0.path(), &["simulate", "small.toml", "--progress", "json", "--output", "out"])
        .args(endless.iter().flat_map(|set| ["--set", set]))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut reports = BufReader::new(child.stderr.take().expect("piped"));
    let mut first = String::new();
    reports.read_line(&mut first).expect("a report");
    assert!(first.contains("simulated_ps"), "{first}");
    // Use the shell's own `kill`, because the program of that name is not on every machine.
    let killed = Command::new("bash").args(["-c", "kill -INT $0", &child.id().to_string()]).status();
    let killed = killed.expect("bash starts");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the command ends").code(), Some(130));
    let manifest = std::fs::read_to_string(folder.0.path().join("out/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["status"], "interrupted");
    assert!(manifest["simulated_ps"].as_u64().is_some_and(|time| time > 0));
    assert!(folder.0.path().join("out/report.html").is_file());
    assert_eq!(folder.entries(), ["out", "small.toml"], "nothing half written is left");
}

#[test]
fn systems_and_describe_print_for_people_and_for_scripts() {
    let folder = Folder::new();
    let systems = json_of(&philae(folder.0.path(), &["systems", "--json"]));
    assert_eq!(systems["systems"].as_array().map(Vec::len), Some(philae_topology::systems().len()));
    let shandy = json_of(&philae(folder.0.path(), &["describe", "shandy", "--json"]));
    let contract = [
        "name",
        "groups",
        "switches",
        "endpoints",
        "nodes",
        "links",
        "diameter_switch_hops",
        "bisection_gbps",
        "global_gbps",
        "taper",
    ];
    for key in contract {
        assert!(shandy.get(key).is_some(), "{key}");
    }
    assert_eq!(shandy["links"], serde_json::json!({ "edge": 2048, "local": 960, "global": 224 }));
    let printed = text(&philae(folder.0.path(), &["describe", "shandy"]).stdout);
    assert!(printed.contains("2,048") && printed.contains("assumed"), "{printed}");
    assert!(!printed.contains('\x1b'), "no colour where there is no terminal");
    let coloured = text(&philae(folder.0.path(), &["systems", "--color", "always"]).stdout);
    assert!(coloured.contains('\x1b'));
}

#[test]
fn schema_completions_and_help_print() {
    let folder = Folder::new();
    assert!(json_of(&philae(folder.0.path(), &["schema"]))["properties"]["job"].is_object());
    let workloads = json_of(&philae(folder.0.path(), &["schema", "--workloads", "--json"]));
    assert!(workloads["workloads"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"] == "halo3d")));
    assert!(text(&philae(folder.0.path(), &["schema", "--assumptions"]).stdout).starts_with("# What is assumed"));
    assert!(text(&philae(folder.0.path(), &["schema", "--results"]).stdout).contains("messages"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&philae(folder.0.path(), &["completions", shell]).stdout);
        assert!(script.contains("simulate"), "{shell}");
    }
    let script = text(&philae(folder.0.path(), &["completions", "bash"]).stdout);
    assert!(script.contains("slingshot400-fat-tree"), "names of systems complete");
    for command in ["systems", "describe", "simulate", "schema", "completions"] {
        let help = text(&philae(folder.0.path(), &[command, "--help"]).stdout);
        assert!(help.contains(&format!("Examples:\n  philae {command}")), "{help}");
    }
}

#[test]
fn the_help_of_help_is_help_and_examples_name_jobs_that_are_there() {
    let folder = Folder::new();
    let helped = philae(folder.0.path(), &["help", "--help"]);
    assert!(helped.status.success() && text(&helped.stdout).contains("Examples:"));
    assert_eq!(helped.stdout, philae(folder.0.path(), &["help"]).stdout);
    assert!(text(&philae(folder.0.path(), &["help", "sweep", "-h"]).stdout).contains("philae sweep"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    for line in text(&philae(folder.0.path(), &["explain", "--help"]).stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (["philae", "explain", file, ..], Some(at)) =
            (words.as_slice(), words.iter().position(|word| *word == "--job"))
        else {
            continue;
        };
        let scenario = std::fs::read_to_string(root.join(file)).expect("the example's file");
        assert!(scenario.contains(&format!("name = \"{}\"", words[at + 1])), "{line}");
    }
}

#[test]
fn shells_know_the_tables_of_a_result() {
    let folder = Folder::new();
    let script = text(&philae(folder.0.path(), &["completions", "bash"]).stdout);
    assert!(script.contains(" messages iterations ports "), "{script}");
}

/// Every sample scenario opens with its reason, and runs; here for a shorter time.
#[test]
fn the_sample_scenarios_run() {
    let folder = Folder::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(&samples).expect("scenarios/ is there") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        count += 1;
        let scenario = std::fs::read_to_string(&path).expect("readable");
        assert!(scenario.starts_with("# Why it exists: "), "{}", path.display());
        let path = path.to_str().expect("UTF-8");
        let shorter = ["--set", "run.warm_up=0", "--time-limit", "40us", "--output", "out", "--json"];
        let document =
            json_of(&command(folder.0.path(), &["simulate", path]).args(shorter).output().expect("it starts"));
        assert!(document["manifest"]["packets_delivered"].as_u64().is_some_and(|packets| packets > 0), "{path}");
        // In rates as well, or what is beyond rates is said.
        let rates = command(folder.0.path(), &["simulate", path, "--fluid"]).args(shorter).output().expect("it starts");
        let said = text(&rates.stderr);
        assert!(matches!(rates.status.code(), Some(0 | 2)) && !said.contains("panicked"), "{path}: {said}");
    }
    assert!(count >= 4, "only {count} sample scenarios were found");
}

/// The scenarios of the largest system, which `make largest` runs, also run on a small one.
#[test]
fn the_scenarios_of_the_largest_system_run_on_a_small_one() {
    let folder = Folder::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/largest");
    for name in ["uniform", "permutation", "all-to-all"] {
        let path = samples.join(name).with_extension("toml");
        let scenario = std::fs::read_to_string(&path).expect("readable");
        assert!(scenario.starts_with("# Why it exists: ") && scenario.contains("system = \"largest\""), "{name}");
        let smaller = ["--set", "system=malbec", "--time-limit", "10us", "--output", "out", "--json"];
        let path = path.to_str().expect("UTF-8");
        let document =
            json_of(&command(folder.0.path(), &["simulate", path]).args(smaller).output().expect("it starts"));
        assert!(document["manifest"]["packets_delivered"].as_u64().is_some_and(|packets| packets > 0), "{name}");
    }
}
