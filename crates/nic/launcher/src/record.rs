//! Records how processes end, for a launcher that does not report it.
//!
//! Hydra combines the codes of all processes bit by bit, and for a signal it returns the bare
//! number: 3 for processes that returned 1 and 2, and 9 for one that was killed. Therefore a shell
//! runs each process and records how it ended.

use std::ffi::OsString;
use std::io;

use tempfile::TempPath;

use crate::leftovers::RECORD;

/// Runs a program and records its code. The code for a signal is 128 and its number.
const SCRIPT: &str = "record=$1; shift; \"$@\"; code=$?; echo \"${PMI_RANK:-?} $code\" >> \"$record\"; exit $code";

/// The file with the records, removed with it.
pub(crate) struct RecordFile {
    file: TempPath,
}

impl RecordFile {
    /// An empty record.
    ///
    /// # Errors
    /// The folder for temporary files is not writable.
    pub fn new() -> io::Result<Self> {
        let prefix = format!("{RECORD}{}-", std::process::id());
        let file = tempfile::Builder::new().prefix(&prefix).tempfile()?.into_temp_path();
        Ok(Self { file })
    }

    /// The command, changed so that its program, which begins at word `at`, is run by the recording
    /// shell.
    pub fn command(&self, words: &[OsString], at: usize) -> Vec<OsString> {
        let (launcher, program) = words.split_at(at);
        let shell =
            ["/bin/sh".into(), "-c".into(), SCRIPT.into(), "philae-run".into(), self.file.as_os_str().to_owned()];
        launcher.iter().cloned().chain(shell).chain(program.iter().cloned()).collect()
    }

    /// The processes that have ended, in their order, and their codes.
    pub fn ended(&self) -> Vec<(u32, u8)> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let one =
            |line: &str| line.split_once(' ').and_then(|(rank, code)| Some((rank.parse().ok()?, code.parse().ok()?)));
        text.lines().filter_map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn how_a_process_ends_is_written_down() {
        let run = |script: &str| {
            let record = RecordFile::new().expect("a file");
            let words: Vec<OsString> = ["env", "PMI_RANK=3", "sh", "-c", script].map(OsString::from).into();
            let words = record.command(&words, 2);
            let status = Command::new(&words[0]).args(&words[1..]).status().expect("it runs");
            (status.code(), record.ended(), record.file.to_path_buf())
        };
        assert_eq!(run("exit 0").1, [(3, 0)]);
        assert_eq!((run("exit 7").0, run("exit 7").1), (Some(7), vec![(3, 7)]));
        let (code, ended, file) = run("kill -9 $$");
        assert_eq!((code, ended, file.exists()), (Some(137), vec![(3, 137)], false));
    }
}
