//! If the reader has gone (`philae CMD | head -1`), a command ends quietly, like other Unix tools.
//! If the reader of standard error has gone, nothing changes.

use std::io::pipe;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use tempfile::TempDir;

const SMALL: &str = "name = \"small\"\n\
    [system]\nname = \"tiny\"\n\
    [system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }\n";

/// SIGPIPE, by which shells report that a reader has gone: 128 + 13 = 141.
const SIGPIPE: i32 = 13;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("small.toml"), SMALL).expect("a temporary file");
        std::fs::write(
            folder.path().join("two.goal"),
            "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n",
        )
        .expect("a temporary file");
        Self(folder)
    }

    fn add_system(&self) {
        let system = SMALL.replace("name = \"small\"\n[system]\n", "").replace("[system.", "[");
        let system = system.split("[[job]]").next().expect("a system");
        std::fs::write(self.0.path().join("small-system.toml"), system).expect("a temporary file");
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    let mut command = Command::new(executable);
    command.env("PHILAE_LIBRARY", executable.with_file_name("deps").join("libphilae_provider.so"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

/// Runs a command whose standard output has no reader: how it ended, and its standard error.
fn unread(folder: &Path, arguments: &[&str]) -> (ExitStatus, String) {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let output = command(folder, arguments).stdout(writer).stderr(Stdio::piped()).output().expect("it starts");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every command that prints, with options that make it short.
const COMMANDS: [&[&str]; 30] = [
    &["--help"],
    &["--version"],
    &["simulate", "--help"],
    &["systems", "--quiet"],
    &["systems", "--json"],
    &["describe", "malbec"],
    &["describe", "malbec", "--json"],
    &["routes", "small-system.toml"],
    &["simulate", "small.toml", "--quiet", "--output", "one"],
    &["simulate", "small.toml", "--quiet", "--json", "--output", "two"],
    &["simulate", "small.toml", "--quiet", "--fluid", "--output", "three"],
    &["fluid-accuracy", "--scenario", "3"],
    &["explain", "small.toml", "--job", "a", "--quiet"],
    &["compare", "one", "two"],
    &["sweep", "small.toml", "--seeds", "1-2", "--quiet", "--output", "sweep"],
    &["export", "one"],
    &["export", "one", "messages"],
    &["reproduce", "fig2", "--quick", "--quiet", "--output", "fig2"],
    &["validate", "--only", "switch-latency-median", "--quiet"],
    &["trace", "info", "two.goal"],
    &["trace", "check", "two.goal"],
    &["trace", "loggops", "two.goal", "--L", "1000", "--o", "100"],
    &["gpcnet", "small-system.toml", "--test", "network", "--rings", "1", "--iterations", "1", "--quiet"],
    &["osu", "latency", "small-system.toml", "--sizes", "8", "--iterations", "1", "--quiet"],
    &["run", "-n", "1", "--print", "true"],
    &["nic", "stat"],
    &["bench", "--case", "permutation-fat-tree-none", "--simulated", "1us", "--repeats", "1", "--quiet"],
    &["schema"],
    &["schema", "--workloads"],
    &["completions", "bash"],
];

#[test]
fn a_reader_that_has_gone_ends_every_command_quietly() {
    let folder = Folder::new();
    folder.add_system();
    for arguments in COMMANDS {
        let (status, said) = unread(folder.0.path(), arguments);
        assert_eq!(status.signal(), Some(SIGPIPE), "{arguments:?}: {status}: {said}");
        let is_warning = arguments.contains(&"--fluid") && said.starts_with("warning: ") && said.lines().count() == 1;
        assert!(said.is_empty() || is_warning, "{arguments:?}: {said}");
    }
    for result in ["one", "two", "three"] {
        assert!(folder.0.path().join(result).join("manifest.json").is_file(), "the result of {result} is whole");
    }
    assert!(folder.0.path().join("fig2/report.html").is_file());
}

/// The commands in `--help` are those in the list above, or are passed on to the manager's program,
/// which has its own test.
#[test]
fn no_command_is_forgotten() {
    let folder = Folder::new();
    let help = command(folder.0.path(), &["--help"]).output().expect("it starts").stdout;
    let help = String::from_utf8(help).expect("UTF-8");
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        let handed_over = ["manager", "fabric", "agent", "help"].contains(&name);
        assert!(handed_over || COMMANDS.iter().any(|words| words[0] == name), "{name} has no line in COMMANDS");
    }
}

#[test]
fn a_reader_of_standard_error_that_has_gone_changes_nothing() {
    let folder = Folder::new();
    for (arguments, code) in [
        (&["simulate", "small.toml", "--progress", "json", "--output", "out"][..], 0),
        (&["simulate", "small.toml", "--progress", "bar", "--output", "out"], 0),
        (&["simulate", "missing.toml"], 2),
        (&["simulate"], 2),
        (&["osu", "latency", "malbec", "--sizes", "8", "--iterations", "1"], 0),
    ] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let output = command(folder.0.path(), arguments).stderr(writer).output().expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", output.status);
    }
    assert!(folder.0.path().join("out/report.html").is_file());
}

/// Like `| head -1`: reads the first line, then closes the pipe.
#[test]
fn a_reader_of_the_first_line_gets_it() {
    let folder = Folder::new();
    let line = format!("'{}' schema | head -1; echo ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_philae"));
    let output = Command::new("bash").args(["-c", &line]).current_dir(folder.0.path()).output().expect("bash");
    let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.starts_with("{\n") && (said.ends_with("\n141\n") || said.ends_with("\n0\n")), "{said}");
    assert_eq!(error, "");
}

/// A full disk and a closed standard output (`>&-`) lose what every command prints.
#[test]
fn a_full_or_closed_standard_output_is_an_error_of_every_command() {
    let folder = Folder::new();
    folder.add_system();
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    for arguments in COMMANDS {
        for (to, words) in [("> /dev/full", "No space left on device"), (">&-", "it is closed")] {
            let line = format!("exec '{}' \"$@\" {to}", executable.display());
            let output = Command::new("bash")
                .args(["-c", &line, "bash"])
                .args(arguments)
                .env("PHILAE_LIBRARY", executable.with_file_name("deps").join("libphilae_provider.so"))
                .current_dir(folder.0.path())
                .stdin(Stdio::null())
                .output()
                .expect("bash starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {to}: {said}");
            let words = format!("error: cannot write to standard output: {words}");
            assert!(said.contains(&words), "{arguments:?} {to}: {said}");
        }
    }
    for result in ["one", "two", "three"] {
        assert!(folder.0.path().join(result).join("manifest.json").is_file(), "the result of {result} is whole");
    }
}
