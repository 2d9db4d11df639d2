//! Runs with captures, and readers for them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with a scenario, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn with(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("philae-pcap-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        std::fs::write(path.join("s.toml"), text).expect("a temporary file");
        Self(path)
    }

    pub fn simulate(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_philae"))
            .current_dir(&self.0)
            .args(["simulate", "s.toml", "--output", "out"])
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the command starts")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
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
