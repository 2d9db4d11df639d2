//! Records how processes end, for a launcher that does not report it.
//!
//! Hydra combines the codes of all processes bit by bit, and for a signal it returns the bare
//! number: 3 for processes that returned 1 and 2, and 9 for one that was killed. Therefore a shell
//! runs each process and records how it ended.

use std::ffi::OsString;
use std::io;

use signal_hook::consts::SIGTERM;
use tempfile::TempPath;

use crate::ending;

/// Runs a program and records its code if that is not 0. The code for a signal is 128 and its
/// number.
const SCRIPT: &str =
    "record=$1; shift; \"$@\"; code=$?; [ $code = 0 ] || echo \"${PMI_RANK:-?} $code\" >> \"$record\"; exit $code";

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
        let file = tempfile::Builder::new().prefix("philae-run-").tempfile()?.into_temp_path();
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

    /// The code of the first process that failed; `None` if no failure was recorded.
    pub fn first(&self) -> Option<u8> {
        let text = std::fs::read_to_string(&self.file).ok()?;
        let (rank, code) = text.lines().next()?.split_once(' ')?;
        let code: u8 = code.parse().ok()?;
        // A code above 128 is a signal, if one has that number.
        let signal = code.checked_sub(128).map(i32::from);
        let signal = signal.filter(|&signal| signal_hook::low_level::signal_name(signal).is_some());
        let how = match signal {
            None => format!("ended with code {code}"),
            // A shell does not tell the two apart.
            Some(SIGTERM) => {
                format!("ended with code {code}, which is MPICH's after an error, or was ended by SIGTERM")
            }
            Some(signal) => ending::by_signal(signal),
        };
        philae_console::note!("philae: process {rank} {how}");
        if let Some(hint) = signal.and_then(ending::hint) {
            philae_console::note!("philae: {hint}");
        }
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_first_that_does_not_end_well_is_written_down() {
        let run = |script: &str| {
            let record = RecordFile::new().expect("a file");
            let words: Vec<OsString> = ["env", "PMI_RANK=3", "sh", "-c", script].map(OsString::from).into();
            let words = record.command(&words, 2);
            let status = Command::new(&words[0]).args(&words[1..]).status().expect("it runs");
            (status.code(), record.first(), record.file.to_path_buf())
        };
        assert_eq!(run("exit 0").1, None);
        assert_eq!((run("exit 7").0, run("exit 7").1), (Some(7), Some(7)));
        let (code, first, file) = run("kill -9 $$");
        assert_eq!((code, first, file.exists()), (Some(137), Some(137), false));
    }
}
