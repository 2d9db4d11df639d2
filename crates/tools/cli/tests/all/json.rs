//! `--json` means the same everywhere: exactly one document on standard output, also if a command
//! fails.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SMALL: &str = "name = \"small\"\n\
    [system]\nname = \"tiny\"\n\
    [system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("small.toml"), SMALL).expect("a temporary file");
        let goal = "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n";
        std::fs::write(folder.path().join("two.goal"), goal).expect("a temporary file");
        std::fs::write(folder.path().join("bad.toml"), SMALL.replace("iterations", "itrations"))
            .expect("a temporary file");
        Self(folder)
    }
}

fn philae(folder: &Path, arguments: &[&str]) -> Output {
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    let mut command = Command::new(executable);
    command.env("PHILAE_LIBRARY", executable.with_file_name("deps").join("libphilae_provider.so"));
    // After a program, the option would belong to the program.
    let (first, rest) = arguments.split_first().expect("a command");
    command.current_dir(folder).arg(first).arg("--json").args(rest).stdin(Stdio::null()).output().expect("it starts")
}

/// The one document on standard output.
fn document(output: &Output, what: &[&str]) -> Value {
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    serde_json::from_str(text).unwrap_or_else(|error| {
        panic!("{what:?} --json: {error}: {text:?}, standard error: {}", String::from_utf8_lossy(&output.stderr))
    })
}

#[test]
fn every_command_prints_one_document() {
    let folder = Folder::new();
    for (arguments, key) in [
        (&["systems"][..], "/systems/0/name"),
        (&["describe", "malbec"], "/switches"),
        (&["routes", "malbec"], "/entries"),
        (&["simulate", "small.toml", "--output", "one"], "/manifest/digest"),
        (&["simulate", "small.toml", "--output", "two", "--seed", "2"], "/manifest/digest"),
        (&["simulate", "small.toml", "--fluid", "--output", "fluid"], "/manifest/digest"),
        (&["fluid-accuracy", "--scenario", "3"], "/toml"),
        (&["explain", "small.toml", "--job", "a"], "/messages/0"),
        (&["compare", "one", "two"], "/kind"),
        (&["sweep", "small.toml", "--seeds", "1-2", "--output", "sweep"], "/groups/0"),
        (&["export", "one"], "/tables/0/table"),
        (&["export", "one", "messages"], "/rows/0/0"),
        (&["trace", "info", "two.goal"], "/ranks"),
        (&["trace", "check", "two.goal"], "/files/0/file"),
        (&["trace", "convert", "two.goal", "three.goal"], "/output"),
        (&["trace", "export", "small.toml", "small.goal"], "/output"),
        (&["trace", "loggops", "two.goal", "--L", "1000", "--o", "100"], "/last_ps"),
        (&["osu", "latency", "malbec", "--sizes", "8", "--iterations", "1"], "/rows/0"),
        (&["run", "-n", "1", "--print", "true"], "/command/0"),
        (&["run", "-n", "1", "--launcher", "plain", "--", "echo", "not JSON"], "/exit_code"),
        (&["nic", "stat"], "/endpoints"),
        (&["schema"], "/properties/job"),
        (&["schema", "--workloads"], "/workloads/0/kind"),
        (&["schema", "--assumptions"], "/assumptions/0"),
        (&["schema", "--results"], "/tables/0/columns/0/name"),
        (&["completions", "bash"], "/script"),
    ] {
        let output = philae(folder.0.path(), arguments);
        let found = document(&output, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {found:#}");
        assert!(found.pointer(key).is_some(), "{arguments:?} has no {key}: {found:#}");
    }
}

#[test]
fn every_failure_is_a_document_too() {
    let folder = Folder::new();
    for (arguments, code, part) in [
        (&["simulate", "bad.toml"][..], 2, "did you mean `iterations`?"),
        (&["simulate", "missing.toml"], 2, "cannot read"),
        (&["simulate", "small.toml", "--set", "seed"], 2, "KEY=VALUE would work"),
        (&["simulat"], 2, "simulate"),
        (&["describe", "malbek"], 2, "did you mean 'malbec'?"),
        (&["describe", "bad.toml"], 2, "did you mean `iterations`?"),
        (&["routes", "malbek"], 2, "did you mean 'malbec'?"),
        (&["explain", "small.toml", "--job", "b"], 2, "a"),
        (&["compare", "one", "two"], 2, "one"),
        (&["reproduce", "fig99"], 2, "no experiment is called"),
        (&["validate", "--only", "nothing"], 2, "no row is called"),
        (&["trace", "info", "missing.goal"], 2, "missing.goal"),
        (&["osu", "latency", "malbec", "--sizes", "x"], 2, "--sizes x"),
        (&["gpcnet", "malbek"], 2, "did you mean 'malbec'?"),
        (&["bench", "--case", "nothing"], 2, "no case is called"),
        (&["run", "-n", "1", "no-such-program-of-philae"], 2, "no-such-program-of-philae"),
    ] {
        let output = philae(folder.0.path(), arguments);
        let found = document(&output, arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {found:#}");
        assert_eq!(found["error"]["exit_code"], code, "{arguments:?}: {found:#}");
        let message = found["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{arguments:?}: {message}");
        let said = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().expect("a line");
        assert!(said.starts_with("error: ") && said.contains(first), "{arguments:?}: people read it too: {said}");
    }
}

#[test]
fn usage_lines_begin_with_what_was_typed() {
    let folder = Folder::new();
    for arguments in [&["simulate"][..], &["trace", "info"], &["nic", "bench"], &["osu"], &["compare"]] {
        let output = philae(folder.0.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("Usage: philae {} ", arguments.join(" "))), "{arguments:?}: {said}");
    }
}

#[test]
fn a_system_is_checked_as_a_run_on_it_is() {
    let folder = Folder::new();
    let system = SMALL.replace("name = \"small\"\n[system]\n", "").replace("[system.", "[");
    let system = system.split("[[job]]").next().expect("a system");
    std::fs::write(folder.0.path().join("good.toml"), system).expect("a temporary file");
    std::fs::write(
        folder.0.path().join("switch.toml"),
        system.replace("\"tiny\"\n", "\"tiny\"\nswitch = \"rosettta\"\n"),
    )
    .expect("a temporary file");
    let good = philae(folder.0.path(), &["describe", "good.toml"]);
    let found = document(&good, &["describe", "good.toml"]);
    assert_eq!((good.status.code(), &found["refused"]), (Some(0), &Value::Null));
    let refused = philae(folder.0.path(), &["describe", "switch.toml"]);
    let found = document(&refused, &["describe", "switch.toml"]);
    assert_eq!(refused.status.code(), Some(1), "{found:#}");
    let why = found["refused"].as_str().expect("a reason");
    assert!(why.contains("`system.switch` is \"rosettta\"") && why.contains("did you mean `rosetta`?"), "{why}");
    std::fs::write(folder.0.path().join("run.toml"), SMALL.replace("[system]", "[system]\nswitch = \"rosettta\""))
        .expect("a temporary file");
    let run = document(&philae(folder.0.path(), &["simulate", "run.toml"]), &["simulate", "run.toml"]);
    assert!(run["error"]["message"].as_str().is_some_and(|message| message.contains(why)), "the same words: {run:#}");
    let scenario = philae(folder.0.path(), &["describe", "small.toml"]);
    assert_eq!(document(&scenario, &["describe", "small.toml"])["name"], "tiny", "a scenario has a system");
}
