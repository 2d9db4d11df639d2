//! What a program reads from standard input, for a second run of it.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{FileType, SeekFrom};

/// Bytes that are passed on at a time. Source: ours; what a pipe has room for. Status: assumed.
const AT_A_TIME: usize = 64 << 10;

/// Standard input, as the first run of a program had it.
#[derive(Debug)]
pub enum KeptInput {
    /// Empty, or a terminal: what a person has typed is not kept, and a program that waits for it
    /// in a second run, without output, would wait forever.
    Nothing,
    /// A file, from this offset on.
    File(u64),
    /// A stream: what the program could read of it, in a file without a name.
    Copied(File),
}

impl KeptInput {
    /// Before the first run. Returns what that run has as its standard input, if it cannot be ours.
    ///
    /// # Errors
    /// The folder for temporary files is not writable, for instance.
    pub fn begin() -> io::Result<(Self, Option<Arc<OwnedFd>>)> {
        let input = io::stdin();
        // It may be closed.
        let Ok(state) = rustix::fs::fstat(&input) else { return Ok((Self::Nothing, None)) };
        match FileType::from_raw_mode(state.st_mode) {
            FileType::RegularFile => Ok((Self::File(rustix::fs::tell(&input)?), None)),
            FileType::Fifo | FileType::Socket if !input.is_terminal() => {
                let (kept, (reader, writer)) = (tempfile::tempfile()?, io::pipe()?);
                let copy = kept.try_clone()?;
                std::thread::spawn(move || pass_on(copy, writer));
                Ok((Self::Copied(kept), Some(Arc::new(reader.into()))))
            }
            _ => Ok((Self::Nothing, None)),
        }
    }

    /// What a later run has as its standard input.
    ///
    /// # Errors
    /// The file cannot be read from where it was.
    pub fn again(&self) -> io::Result<Arc<OwnedFd>> {
        let input: OwnedFd = match self {
            Self::Nothing => File::open("/dev/null")?.into(),
            Self::File(offset) => {
                let input = io::stdin();
                rustix::fs::seek(&input, SeekFrom::Start(*offset))?;
                input.as_fd().try_clone_to_owned()?
            }
            // With an offset of its own.
            Self::Copied(file) => File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))?.into(),
        };
        Ok(Arc::new(input))
    }
}

/// Passes standard input on until it ends, or until the program reads no more. Every byte is kept
/// before the program can read it.
fn pass_on(mut kept: File, mut program: io::PipeWriter) {
    let (mut input, mut bytes) = (io::stdin().lock(), vec![0; AT_A_TIME]);
    loop {
        let count = match input.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        if kept.write_all(&bytes[..count]).is_err() || program.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
}
