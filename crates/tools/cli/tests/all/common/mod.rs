//! Runs of the command in a folder, and readers of captures.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A folder with a scenario, removed at the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("s.toml"), text).expect("a temporary file");
        Self(folder)
    }

    pub fn simulate(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_philae"))
            .current_dir(self.0.path())
            .args(["simulate", "s.toml", "--output", "out"])
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the command starts")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// What a command wrote to standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn signal(child: &Child, name: &str) {
    // Use the shell's own `kill`, because the program of that name is not on every machine.
    let killed = Command::new("bash").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    assert!(killed.expect("bash starts").success());
}

/// Waits until a path exists, for as long as the program runs.
pub fn until(child: &mut Child, path: &Path) {
    while !path.exists() {
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it ended without {}", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the program says a line with this word on standard error. Returns the rest.
pub fn until_it_says(child: &mut Child, word: &str) -> BufReader<ChildStderr> {
    let mut lines = BufReader::new(child.stderr.take().expect("standard error is piped"));
    let (mut line, mut all) = (String::new(), String::new());
    while !line.contains(word) {
        line.clear();
        assert!(lines.read_line(&mut line).expect("UTF-8") > 0, "it ended without '{word}': {all}");
        all += &line;
    }
    lines
}

/// What standard error says from here on, and the end of the program.
pub fn rest_of(mut lines: BufReader<ChildStderr>, child: &mut Child) -> (std::process::ExitStatus, String) {
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).expect("UTF-8");
    (child.wait().expect("it ends"), rest)
}

/// The ports that the error about a wrong one names: `0 to 2, 5`.
pub fn ports_with_a_cable(refused: &Output) -> Vec<u32> {
    let text = said(refused);
    let list = text.split("with a cable: ").nth(1).expect("the ports that exist").trim();
    let number = |text: &str| text.parse::<u32>().expect("a port");
    let range = |part: &str| match part.split_once(" to ") {
        Some((first, last)) => number(first)..=number(last),
        None => number(part)..=number(part),
    };
    list.split(", ").flat_map(range).collect()
}

pub fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Time in nanoseconds, direction (1 in, 2 out), length on the wire and bytes kept of each packet
/// of a capture.
pub fn frames(path: &Path) -> Vec<(u64, u32, usize, Vec<u8>)> {
    let capture = std::fs::read(path).expect("the capture is there");
    let word = |at: usize| u32::from_le_bytes(capture[at..at + 4].try_into().expect("four bytes"));
    let (mut found, mut at) = (Vec::new(), 0);
    while at < capture.len() {
        let block = word(at + 4) as usize;
        if word(at) == 6 {
            let (kept, length) = (word(at + 20) as usize, word(at + 24) as usize);
            let time = u64::from(word(at + 12)) << 32 | u64::from(word(at + 16));
            found.push((time, word(at + block - 12) & 3, length, capture[at + 28..at + 28 + kept].to_vec()));
        }
        at += block;
    }
    found
}

/// One line of `fields` per frame; `None` if tshark is not installed.
pub fn tshark(path: &Path, fields: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(path).args(["-n", "-T", "fields", "-E", "separator=|", "-o", "ip.check_checksum:TRUE"]);
    fields.iter().for_each(|field| {
        command.args(["-e", field]);
    });
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let reason = format!("pcap.rs: skipped, tshark does not start ({error}); Debian: apt-get install tshark");
            writeln!(std::io::stderr(), "{reason}").expect("standard error can be written to");
            return None;
        }
    };
    assert!(output.status.success(), "tshark failed: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("tshark prints UTF-8");
    Some(text.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
}

/// The compiler of an MPI for tests: `PHILAE_TEST_MPICC`, or that of the MPICH which `make test`
/// installs, or the machine's.
pub fn mpi_compiler() -> String {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../build/mpi/venv/bin/mpicc");
    let found = || if installed.exists() { installed.display().to_string() } else { "mpicc".to_owned() };
    std::env::var("PHILAE_TEST_MPICC").unwrap_or_else(|_| found())
}
