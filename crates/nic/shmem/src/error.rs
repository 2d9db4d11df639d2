//! Errors: what can go wrong, its message, and how the job ends.

use std::ffi::{CStr, c_char};
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;

/// An error of the library.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A call before `shmem_init`.
    #[error("SHMEM is not initialised; shmem_init or shmem_init_thread must come first")]
    NotInitialised,
    /// A call after `shmem_finalize`.
    #[error("SHMEM was finalised; shmem_init starts it again")]
    Finalised,
    /// A call in a process that a PE has forked.
    #[error("this process ({child}) was forked by the PE's process ({parent}); only that one can call SHMEM")]
    Forked {
        /// The number of this process.
        child: i32,
        /// The PE's process number.
        parent: i32,
    },
    /// The team or the job has no such PE.
    #[error("PE {pe} was given; {among} has PEs 0 to {last}")]
    NoSuchPe {
        /// The requested PE.
        pe: i32,
        /// The set of PEs: `the world`, `the team`, `the context's team`.
        among: &'static str,
        /// The last PE of the set.
        last: u32,
    },
    /// The address is not symmetric.
    #[error(
        "{role} {address:#x} with {bytes} bytes for PE {pe} is not symmetric memory; legal here: heap {:#x} to {:#x}, {}",
        heap.start, heap.end, static_data(data)
    )]
    Address {
        /// The argument's name: `dest`, `source`, `sig_addr`.
        role: &'static str,
        /// The address, as it was given.
        address: usize,
        /// The number of bytes to read or write.
        bytes: usize,
        /// The target PE.
        pe: i32,
        /// The symmetric heap of this PE.
        heap: Range<usize>,
        /// The static data of this PE.
        data: Range<usize>,
    },
    /// Source and destination overlap partly.
    #[error(
        "dest {:#x} to {:#x} and source {:#x} to {:#x} overlap; the same address for both, or separate regions would work",
        written.start, written.end, read.start, read.end
    )]
    Overlap {
        /// The written range.
        written: Range<usize>,
        /// The range that is read.
        read: Range<usize>,
    },
    /// The context does not exist.
    #[error("the context is {0}")]
    Context(&'static str),
    /// The team does not exist.
    #[error("the team is {0}")]
    Team(&'static str),
    /// An argument has a value without meaning.
    #[error("{what} is {found}; {works}")]
    Argument {
        /// The argument's name.
        what: &'static str,
        /// Its value.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// An environment variable has a value without meaning.
    #[error("{name}='{value}' {why}; {works}")]
    Setting {
        /// The variable.
        name: &'static str,
        value: String,
        /// What is wrong with the value.
        why: String,
        /// What would work.
        works: &'static str,
    },
    /// The PEs cannot find each other.
    #[error("{0}")]
    Job(String),
    /// Memory cannot be shared.
    #[error("{0}")]
    Memory(String),
    /// The NIC or its provider reports an error.
    #[error("{0}")]
    Remote(String),
    /// The PEs do not make the same call.
    #[error("{0}")]
    Mismatch(String),
    /// A PE is gone.
    #[error("PE {pe} (process {pid}) {how}, and this PE waits for it")]
    PeDied {
        pe: u32,
        /// Its process number.
        pid: i32,
        /// How it ended: `is gone`, `ended with code 3`.
        how: String,
    },
    /// No PE can continue.
    #[error(
        "PE {pe} (process {pid}) {}, and this PE waits, as all others do: no PE can continue; every PE must call the \
         same collectives, with shmem_finalize as the last one",
        if *without_finalize { "has ended its program (return from main or exit(0)) without shmem_finalize" }
        else { "is in shmem_finalize" }
    )]
    Stuck {
        /// A PE that is at its end.
        pe: u32,
        /// Its process number.
        pid: i32,
        /// Whether it has not called `shmem_finalize`.
        without_finalize: bool,
    },
    /// An operation on another PE's memory failed: that PE may be gone.
    #[error("{0}")]
    Unreachable(String),
    /// The launcher is gone.
    #[error("the launcher has ended, and this PE waits for another one")]
    Orphaned,
    /// The system refused a request.
    #[error("cannot {what}: {source}")]
    System {
        /// The attempted action.
        what: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Error {
    /// Checks that two ranges do not overlap, or begin with the same byte.
    ///
    /// # Errors
    /// They overlap.
    pub fn unless_apart(dest: usize, written: usize, source: usize, read: usize) -> Result<(), Self> {
        let (written, read) = (dest..dest.saturating_add(written), source..source.saturating_add(read));
        let is_apart = written.is_empty() || read.is_empty() || written.end <= read.start || read.end <= written.start;
        if is_apart || dest == source { Ok(()) } else { Err(Self::Overlap { written, read }) }
    }

    /// The error of the system call that has just failed.
    #[must_use]
    pub fn system(what: impl Into<String>) -> Self {
        Self::System { what: what.into(), source: std::io::Error::last_os_error() }
    }
}

fn static_data(data: &Range<usize>) -> String {
    if data.is_empty() {
        "and no static data".to_owned()
    } else {
        format!("static data {:#x} to {:#x}", data.start, data.end)
    }
}

/// The public function that called a long form, as C passes its name.
///
/// # Safety
/// `what` is null or a C string that stays valid.
#[must_use]
pub unsafe fn name(what: *const c_char) -> &'static str {
    if what.is_null() {
        return "shmem";
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(what) }.to_str().unwrap_or("shmem")
}

/// This PE, once it has joined its job.
static PE: OnceLock<u32> = OnceLock::new();

/// Names this PE in later lines. The launcher's number counts before initialisation is complete and
/// after the end, too.
pub(crate) fn set_pe(pe: u32) {
    let _ = PE.set(pe);
}

/// The file for messages, if not standard error.
fn error_file() -> Option<PathBuf> {
    std::env::var_os("SHMEM_ERROR_FILE").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Writes a line about this PE to standard error, or to the file that `SHMEM_ERROR_FILE` names.
pub fn say(what: &str, line: &str) {
    let whole = match PE.get() {
        Some(pe) => format!("PE {pe}: {what}: {line}\n"),
        None => format!("{what}: {line}\n"),
    };
    if let Some(file) = error_file() {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
        if opened.is_ok_and(|mut file| file.write_all(whole.as_bytes()).is_ok()) {
            return;
        }
    }
    // The reader may be gone; then the line is lost.
    let _ = std::io::stderr().write_all(whole.as_bytes());
}
