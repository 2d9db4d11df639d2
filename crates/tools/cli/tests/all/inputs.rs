//! What a command reads may be no file, or have no end; and a signal ends every command with the
//! same code.

use crate::common::{said, signal};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use tempfile::TempDir;

const SMALL: &str = "name = \"small\"\n\
    [system]\nname = \"tiny\"\n\
    [system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }\n";

/// Every command that reads a file, `F`.
const READERS: [&str; 18] = [
    "describe F",
    "routes F",
    "routes --check F",
    "simulate F",
    "simulate --resume F",
    "simulate s.toml --routes F",
    "simulate trace.toml",
    "explain F --job a",
    "sweep F",
    "compare F F",
    "export F",
    "trace info F",
    "trace convert F out.goal",
    "trace export F out.goal",
    "trace scenario F out.toml --system malbec",
    "gpcnet F",
    "osu latency F",
    "run -n 1 F",
];

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("s.toml"), SMALL).expect("a temporary file");
        Self(folder)
    }

    /// A shell line in the folder, where `philae` is the command.
    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("bash");
        let line = format!("shopt -s expand_aliases\nalias philae='{}'\n{line}", env!("CARGO_BIN_EXE_philae"));
        command.current_dir(self.0.path()).args(["-c", &line]).stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.shell(line).output().expect("bash starts")
    }

    /// Starts a command directly, so that a signal reaches it. A shell without job control starts
    /// programs in the background with SIGINT ignored, and so would be what the tests start.
    fn start(&self, line: &str) -> Child {
        let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
        Command::new("env")
            .arg("--default-signal=INT,TERM,HUP")
            .arg(executable)
            .env("PHILAE_LIBRARY", executable.with_file_name("deps").join("libphilae_provider.so"))
            .current_dir(self.0.path())
            .args(line.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    /// Writes the scenario whose trace is this file.
    fn with_trace(&self, file: &str) {
        let job = "workload = { kind = \"permutation\", bytes = \"8KiB\", iterations = 5 }";
        let text = SMALL.replace(job, &format!("workload = {{ kind = \"trace\", file = \"{file}\" }}"));
        std::fs::write(self.0.path().join("trace.toml"), text).expect("a temporary file");
    }
}

/// The code that a shell shows.
fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).expect("it has ended")
}

/// Within a bounded memory: a command that read on would end with an error about memory.
#[test]
fn inputs_without_an_end_and_inputs_that_are_no_files_are_errors() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join("folder")).expect("a folder");
    let _listener = UnixListener::bind(folder.0.path().join("socket")).expect("a socket");
    for file in ["/dev/zero", "/dev/urandom", "folder", "socket"] {
        folder.with_trace(file);
        for command in READERS {
            let command = command.replace('F', file);
            let ended = folder.run(&format!("ulimit -v 3000000; philae {command}"));
            let said = said(&ended);
            assert!(matches!(ended.status.code(), Some(1 | 2)), "{command}: {:?} {said}", ended.status);
            assert!(said.contains("error:") && !said.contains("refuses memory"), "{command}: {said}");
            assert!(said.contains(file), "{command} names it: {said}");
        }
    }
    let zeros = said(&folder.run("philae describe /dev/zero"));
    assert!(zeros.contains("a device that delivers more than 1 MiB; a regular file would work"), "{zeros}");
    let endless = said(&folder.run("ulimit -v 3000000; yes | philae simulate -"));
    assert!(endless.contains("a pipe that delivers more than 256 MiB; a regular file would work"), "{endless}");
    let socket = said(&folder.run("philae describe ./socket"));
    assert!(socket.contains("it is a socket; a regular file or a pipe would work"), "{socket}");
}

/// Files of a folder that are no regular files are listed, and do not stop the others.
#[test]
fn a_check_of_a_folder_skips_pipes() {
    let folder = Folder::new();
    let line = "mkdir f; mkfifo f/app.0.et f/pipe; printf 'num_ranks 1\\nrank 0 {\\nl1: calc 5\\n}\\n' > f/a.goal; \
                philae trace check f";
    let checked = folder.run(line);
    let table = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{table}{}", said(&checked));
    assert!(table.contains("1 read, 0 failed, 2 skipped"), "{table}");
    assert!(std::fs::metadata(folder.0.path().join("f/pipe")).expect("it is there").file_type().is_fifo());
}

/// As with other programs, a named pipe waits for its writer.
#[test]
fn a_named_pipe_waits_for_its_writer() {
    let folder = Folder::new();
    let line = "mkfifo pipe; (sleep 0.2; cat s.toml > pipe) & philae simulate pipe --output out --json --quiet";
    let read = folder.run(line);
    assert!(read.status.success(), "{}", said(&read));
    assert!(folder.0.path().join("out/manifest.json").is_file());
}

/// The pipe has no writer, so that each command waits until the signal comes.
#[test]
fn every_command_ends_with_the_code_of_the_signal() {
    let folder = Folder::new();
    assert!(folder.run("mkfifo F").status.success());
    folder.with_trace("F");
    // A command that moves to and fro in its file refuses a pipe, and so do folders of results.
    let waits = |command: &&&str| !["--resume", "export F", "run -n 1 F"].iter().any(|not| command.contains(not));
    let long = [
        "reproduce fig6 --output study",
        "validate",
        "bench --simulated 1s",
        "fluid-accuracy",
        "gpcnet malbec --full",
        "osu alltoall frontier --nodes 512 --ppn 8",
        "run -n 2 --launcher plain sleep 60",
        "run -n 2 --launcher plain --traffic sleep 60",
        "simulate s.toml --set job.a.workload.iterations=100000000 --output out",
        "simulate s.toml --fluid --set job.a.workload.iterations=100000000 --output fluid",
        "sweep s.toml --set job.a.workload.iterations=100000000 --output grid",
        "explain s.toml --job a --set job.a.workload.iterations=100000000",
    ];
    for command in READERS.iter().filter(waits).chain(&long) {
        for (name, expected) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let mut child = folder.start(command);
            // A signal may come at any time, also before the command listens for it.
            std::thread::sleep(std::time::Duration::from_millis(150));
            assert_eq!(child.try_wait().expect("it can be asked"), None, "{command} runs until the signal");
            signal(&child, name);
            assert_eq!(code(child.wait().expect("it ends")), expected, "{command}, SIG{name}");
        }
    }
}

/// With `--json`, commands that a signal would end silently print one document, too.
#[test]
fn an_interrupted_command_has_its_json_document() {
    let folder = Folder::new();
    assert!(folder.run("mkfifo F").status.success());
    for command in ["describe F", "routes F", "compare F F", "trace info F", "trace convert F out.goal"] {
        for (name, expected) in [("TERM", 143), ("HUP", 129)] {
            // The shell waits until the command opens the pipe, and keeps it open, so that the
            // command waits for its content.
            let line = format!("philae {command} --json & p=$!; exec 3>F; kill -{name} $p; wait $p");
            let ended = folder.run(&line);
            assert_eq!(ended.status.code(), Some(expected), "{command}: {}", said(&ended));
            let document: serde_json::Value = serde_json::from_slice(&ended.stdout).expect(command);
            assert_eq!(document["error"]["exit_code"], expected, "{command}");
        }
    }
}

/// The form of a schedule follows from its name, and a name that says nothing is refused.
#[test]
fn a_converted_schedule_says_its_form() {
    let folder = Folder::new();
    let goal = "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n";
    std::fs::write(folder.0.path().join("in.goal"), goal).expect("a temporary file");
    for (out, form) in [("a.goal", "goal"), ("a.txt", "goal"), ("a", "goal"), ("a.bin", "goal-binary")] {
        let written = folder.run(&format!("philae trace convert in.goal {out} --json"));
        let document: serde_json::Value = serde_json::from_slice(&written.stdout).expect("a document");
        assert_eq!(document["format"], form, "{out}");
        assert!(folder.0.path().join(out).is_file(), "{out}");
    }
    let binary = std::fs::read(folder.0.path().join("a.bin")).expect("it was written");
    assert!(!binary.starts_with(b"num_ranks"));
    for command in ["convert in.goal out.xyz", "convert in.goal out.goal.gz", "export s.toml out.xyz"] {
        let refused = folder.run(&format!("philae trace {command}"));
        assert_eq!(refused.status.code(), Some(2), "{command}");
        for words in [".goal (GOAL as text)", ".bin (binary GOAL)", "--to goal-binary"] {
            assert!(said(&refused).contains(words), "{command}: {}", said(&refused));
        }
    }
    assert!(!folder.0.path().join("out.xyz").exists());
    let named = folder.run("philae trace convert in.goal out.xyz --to goal-binary");
    assert!(String::from_utf8_lossy(&named.stdout).contains("out.xyz: 2 ranks, 2 operations, as "), "{named:?}");
    assert_eq!(std::fs::read(folder.0.path().join("out.xyz")).expect("it was written"), binary);
}

/// Rust's own line about a failed allocation, and its backtrace, do not come before the error.
#[test]
fn refused_memory_is_one_error() {
    let folder = Folder::new();
    let line = "export RUST_BACKTRACE=1; ulimit -v 300000; philae simulate s.toml --ignore-memory --output out \
                --set job.a.processes_per_node=60000";
    let ended = folder.run(line);
    let said = said(&ended);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: the operating system refuses memory:"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Every command that reads a link whose target is missing names it as such.
#[test]
fn a_link_without_its_target_is_named() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("gone", folder.0.path().join("link")).expect("a link");
    folder.with_trace("link");
    for command in READERS {
        // A program to run is found along PATH.
        if command.starts_with("run ") {
            continue;
        }
        let ended = folder.run(&format!("philae {}", command.replace('F', "link")));
        assert!(matches!(ended.status.code(), Some(1 | 2)), "{command}: {}", said(&ended));
        let words = "it is a link to 'gone', which does not exist";
        assert!(said(&ended).contains(words), "{command}: {}", said(&ended));
    }
}

#[test]
fn a_check_names_links() {
    let folder = Folder::new();
    let line = "mkdir f g; printf 'num_ranks 1\\nrank 0 {\\nl1: calc 5\\n}\\n' > g/a.goal; ln -s ../g f/folder; \
        ln -s gone f/broken; ln -s ../g/a.goal f/good.goal; ln -s f whole; philae trace check f; philae trace check whole";
    let output = folder.run(line);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", said(&output));
    for words in ["a link to a folder, which is not followed", "it is a link to 'gone', which does not exist"] {
        assert_eq!(printed.matches(words).count(), 2, "{printed}");
    }
    assert_eq!(printed.matches("1 read, 0 failed, 2 skipped").count(), 2, "{printed}");
}

/// Scenarios are read compressed, as systems and traces are.
#[test]
fn a_compressed_scenario_is_read() {
    let folder = Folder::new();
    for command in ["describe F", "simulate F --quiet --output out", "sweep F --seeds 1-2 --quiet --output swept"] {
        let plain = folder.run(&format!("philae {}", command.replace('F', "s.toml")));
        let packed = folder.run(&format!("gzip -k -f s.toml; philae {}", command.replace('F', "s.toml.gz")));
        assert!(packed.status.success(), "{command}: {}", said(&packed));
        if command.starts_with("describe") {
            assert_eq!(packed.stdout, plain.stdout, "{command}");
        }
    }
    let cut = folder.run("head -c 60 s.toml.gz > cut.toml.gz; philae simulate cut.toml.gz");
    assert!(
        cut.status.code() == Some(2) && said(&cut).contains("cannot read the scenario 'cut.toml.gz'"),
        "{}",
        said(&cut)
    );
}
