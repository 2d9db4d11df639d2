//! How processes end under a launcher that does not tell.
//!
//! Hydra's own code is the codes of all processes, put together bit by bit, and of a signal the bare number: 3 of processes
//! that returned 1 and 2, and 9 of one that was killed. So each process is run by a shell, which writes down how it ended.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::ending;

/// Runs a program; writes down its code where that is not 0, which is 128 and its number for a signal.
const SCRIPT: &str =
    "record=$1; shift; \"$@\"; code=$?; [ $code = 0 ] || echo \"${PMI_RANK:-?} $code\" >> \"$record\"; exit $code";

/// Where it is written down.
pub(crate) struct Record {
    file: PathBuf,
}

impl Record {
    /// An empty one.
    ///
    /// # Errors
    /// The folder for temporary files cannot be written.
    pub fn new() -> io::Result<Self> {
        for attempt in 0_u32.. {
            let file = std::env::temp_dir().join(format!("philae-run-{}-{attempt}", std::process::id()));
            match std::fs::File::create_new(&file) {
                Ok(_) => return Ok(Self { file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The command whose program, which begins at this word, is run so.
    pub fn command(&self, words: &[OsString], at: usize) -> Vec<OsString> {
        let (launcher, program) = words.split_at(at);
        let shell = ["/bin/sh".into(), "-c".into(), SCRIPT.into(), "philae-run".into(), self.file.clone().into()];
        launcher.iter().cloned().chain(shell).chain(program.iter().cloned()).collect()
    }

    /// The code of the process that was the first to end otherwise than well; nothing where none was written down.
    pub fn first(&self) -> Option<u8> {
        let text = std::fs::read_to_string(&self.file).ok()?;
        let (rank, code) = text.lines().next()?.split_once(' ')?;
        let code: u8 = code.parse().ok()?;
        // A code above 128 is a signal, if one has that number.
        let signal = code.checked_sub(128).map(i32::from);
        let signal = signal.filter(|&signal| signal_hook::low_level::signal_name(signal).is_some());
        let how = signal.map_or_else(|| format!("ended with code {code}"), ending::by_signal);
        philae_console::note!("philae: process {rank} {how}");
        if let Some(hint) = signal.and_then(ending::hint) {
            philae_console::note!("philae: {hint}");
        }
        Some(code)
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // What cannot be removed is an empty or short file in the folder for such.
        let _ = std::fs::remove_file(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_first_that_does_not_end_well_is_written_down() {
        let run = |script: &str| {
            let record = Record::new().expect("a file");
            let words: Vec<OsString> = ["env", "PMI_RANK=3", "sh", "-c", script].map(OsString::from).into();
            let words = record.command(&words, 2);
            let status = Command::new(&words[0]).args(&words[1..]).status().expect("it runs");
            (status.code(), record.first(), record.file.clone())
        };
        assert_eq!(run("exit 0").1, None);
        assert_eq!((run("exit 7").0, run("exit 7").1), (Some(7), Some(7)));
        let (code, first, file) = run("kill -9 $$");
        assert_eq!((code, first, file.exists()), (Some(137), Some(137), false));
    }
}
