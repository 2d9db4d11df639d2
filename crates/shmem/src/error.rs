//! What can go wrong, how it is said, and how it ends.

use std::ffi::{CStr, c_char};
use std::io::Write;
use std::ops::Range;

use crate::abi::state;

/// The exit code of a PE that ends by an error of this library. Source: ours. Status: assumed.
pub const EXIT_CODE: i32 = 1;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A call before `shmem_init`.
    #[error("SHMEM is not initialised; shmem_init or shmem_init_thread comes first")]
    NotInitialised,
    /// A call after `shmem_finalize`.
    #[error("SHMEM was finalised; shmem_init starts it again")]
    Finalised,
    /// A call of a process that was forked by a PE.
    #[error("this process ({child}) was forked by the PE's process ({parent}); only that one can call SHMEM")]
    Forked {
        /// This process.
        child: i32,
        /// The PE's.
        parent: i32,
    },
    /// A PE that the team or the job does not have.
    #[error("PE {pe} is asked for; {among} has PEs 0 to {last}")]
    NoSuchPe {
        /// As it was asked for.
        pe: i32,
        /// `the world`, `the team`, `the context's team`.
        among: &'static str,
        /// The last that there is.
        last: u32,
    },
    /// An address that is not symmetric.
    #[error(
        "{role} {address:#x} with {bytes} bytes for PE {pe} is no symmetric memory; legal here: heap {:#x} to {:#x}, {}",
        heap.start, heap.end, static_data(data)
    )]
    Address {
        /// `dest`, `source`, `sig_addr`.
        role: &'static str,
        /// As it was given.
        address: usize,
        /// How much was to be read or written.
        bytes: usize,
        /// The PE it was for.
        pe: i32,
        /// The symmetric heap of this PE.
        heap: Range<usize>,
        /// The static data of this PE.
        data: Range<usize>,
    },
    /// What is read lies partly where something is written.
    #[error(
        "dest {:#x} to {:#x} and source {:#x} to {:#x} overlap; the same address for both, or places apart would work",
        written.start, written.end, read.start, read.end
    )]
    Overlap {
        /// What is written.
        written: Range<usize>,
        /// What is read.
        read: Range<usize>,
    },
    /// A context that is not there.
    #[error("the context is {0}")]
    Context(&'static str),
    /// A team that is not there.
    #[error("the team is {0}")]
    Team(&'static str),
    /// An argument that has no meaning.
    #[error("{what} is {found}; {works}")]
    Argument {
        /// The argument.
        what: &'static str,
        /// What it is.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// A variable of the environment that has no meaning.
    #[error("{name}='{value}' {why}; {works}")]
    Setting {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is wrong.
        why: String,
        /// What would work.
        works: &'static str,
    },
    /// PEs cannot be introduced to each other.
    #[error("{0}")]
    Job(String),
    /// Memory cannot be shared.
    #[error("{0}")]
    Memory(String),
    /// The NIC.
    #[error("{0}")]
    Far(String),
    /// PEs do not do the same.
    #[error("{0}")]
    Mismatch(String),
    /// A PE is gone.
    #[error("PE {pe} (process {pid}) {how}, and this PE waits for it")]
    PeDied {
        /// Which.
        pe: u32,
        /// Its process.
        pid: i32,
        /// `is gone`, `ended with code 3`.
        how: String,
    },
    /// No PE can go on.
    #[error(
        "PE {pe} (process {pid}) {}, and this PE waits, as all others do: nobody can go on; every PE has to call the same \
         collectives, shmem_finalize the last of them",
        if *without_finalize { "has ended its program (return from main or exit(0)) without shmem_finalize" }
        else { "is in shmem_finalize" }
    )]
    Stuck {
        /// One that is at its end.
        pe: u32,
        /// Its process.
        pid: i32,
        /// It has not called `shmem_finalize`.
        without_finalize: bool,
    },
    /// An operation on another PE's memory failed: its PE may be gone.
    #[error("{0}")]
    Unreachable(String),
    /// There is no launcher any more.
    #[error("the launcher has ended, and this PE waits for another one")]
    Orphaned,
    /// The system refused.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// Why not.
        source: std::io::Error,
    },
}

impl Error {
    /// Whether two places are apart, or begin with the same byte.
    ///
    /// # Errors
    /// They overlap.
    pub fn unless_apart(dest: usize, written: usize, source: usize, read: usize) -> Result<(), Self> {
        let (written, read) = (dest..dest.saturating_add(written), source..source.saturating_add(read));
        let is_apart = written.is_empty() || read.is_empty() || written.end <= read.start || read.end <= written.start;
        if is_apart || dest == source { Ok(()) } else { Err(Self::Overlap { written, read }) }
    }

    /// The system refused just now.
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

/// The public function that a long form was called for, as C gives it.
///
/// # Safety
/// `what` is null or a string of C that stays.
#[must_use]
pub unsafe fn name(what: *const c_char) -> &'static str {
    if what.is_null() {
        return "shmem";
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(what) }.to_str().unwrap_or("shmem")
}

/// Says a line about this PE, on standard error or in the file that `SHMEM_ERROR_FILE` names.
pub fn say(what: &str, line: &str) {
    // Before initialisation is done and after the end the launcher's word counts.
    let whole = match crate::job::Job::joined() {
        Some(job) => format!("PE {}: {what}: {line}\n", job.me),
        None => format!("{what}: {line}\n"),
    };
    if let Some(file) = crate::settings::error_file() {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
        if opened.is_ok_and(|mut file| file.write_all(whole.as_bytes()).is_ok()) {
            return;
        }
    }
    // Whoever reads may have gone: there is nobody left to tell.
    let _ = std::io::stderr().write_all(whole.as_bytes());
}

/// Says what is wrong and ends the job. Where it follows from another PE's end, the launcher may know better why: it has the
/// time to end this PE before anything is said.
pub fn end(what: &str, error: &Error) -> ! {
    let follows = matches!(error, Error::PeDied { .. } | Error::Unreachable(_) | Error::Orphaned);
    if follows {
        crate::lifecycle::let_launcher_end_this();
    }
    say(what, &error.to_string());
    // One without a launcher is the first, as far as anybody can tell.
    let is_first = !follows || matches!(error, Error::Orphaned);
    crate::lifecycle::end_job(EXIT_CODE, if is_first { state::FAILED } else { state::FOLLOWED })
}
