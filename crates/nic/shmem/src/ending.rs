//! The end of a PE by an error or by `shmem_global_exit`, which ends the whole job.

use std::ffi::c_int;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::abi::state;
use crate::error::{Error, say};
use crate::job::ShmemJob;

/// The exit code of a PE that ends by an error of this library. Source: ours. Status: assumed.
pub const EXIT_CODE: i32 = 1;

/// Set once a thread ends the job, so that no other thread does.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Tells the PEs of this host with which code and how this one ends; returns whether a core dump is
/// wanted.
static FAREWELL: OnceLock<fn(i32, u32) -> bool> = OnceLock::new();

/// Sets the function that tells the PEs of this host how this one ends.
pub(crate) fn set_farewell(farewell: fn(i32, u32) -> bool) {
    let _ = FAREWELL.set(farewell);
}

/// Whether a thread is ending the job.
pub(crate) fn is_ending() -> bool {
    ENDING.load(Ordering::Acquire)
}

/// Reports an error and ends the job. If the error follows from another PE's end, the launcher may
/// know the cause better: it gets the time to end this PE before this PE reports anything.
pub fn end(what: &str, error: &Error) -> ! {
    let follows = matches!(error, Error::PeDied { .. } | Error::Unreachable(_) | Error::Orphaned);
    if follows {
        let_launcher_end_this();
    }
    say(what, &error.to_string());
    // Without a launcher this PE is the first, as far as can be known.
    let is_first = !follows || matches!(error, Error::Orphaned);
    end_job(EXIT_CODE, if is_first { state::FAILED } else { state::FOLLOWED })
}

/// How long the launcher has to end this process because another one has ended, before this one
/// ends by itself. Source: ours; a launcher that sees a process end does it immediately, and gives
/// one that ended well two seconds. Status: assumed.
const FOLLOW: Duration = Duration::from_secs(4);
/// The same if the launcher is already ending the job, or is gone. Source: ours. Status: assumed.
const FOLLOW_ORPHANED: Duration = Duration::from_secs(1);

/// Waits for the launcher to end this PE, because another PE is gone or seems to be. A launcher
/// that sees that PE's end also ends this one, with the right code. This PE's own message and code
/// could only hide the cause.
pub(crate) fn let_launcher_end_this() {
    let Some(job) = ShmemJob::joined().filter(|job| job.has_launcher()) else { return };
    let begin = Instant::now();
    while begin.elapsed() < if job.is_orphaned() { FOLLOW_ORPHANED } else { FOLLOW } {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks the launcher to end all PEs. Ours leaves this one alone; others send SIGTERM to each. This
/// PE ignores it, so that its exit handlers run. What they print is written immediately: libpsm,
/// which libfabric loads, sets SIGTERM back to its default before the C library writes what it has
/// buffered.
pub(crate) fn abort(job: &ShmemJob, code: i32) {
    write_output(Buffering::Off);
    if job.has_launcher() {
        // SAFETY: this process does not wait for the signal.
        unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
    }
    job.abort(code);
}

/// What the standard output does from now on with what the program prints.
#[derive(PartialEq, Eq)]
enum Buffering {
    AsBefore,
    Off,
}

/// Writes the program's buffered output, before anything else can end this process. It does not
/// wait for another thread that holds the stream: that thread may block forever.
fn write_output(then: Buffering) {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
        fn ftrylockfile(stream: *mut libc::FILE) -> c_int;
        fn funlockfile(stream: *mut libc::FILE);
    }
    // SAFETY: the C library's stream lives as long as the process, and this thread holds its lock
    // during use.
    unsafe {
        if ftrylockfile(stdout) == 0 {
            libc::fflush(stdout);
            if then == Buffering::Off {
                libc::setvbuf(stdout, ptr::null_mut(), libc::_IONBF, 0);
            }
            funlockfile(stdout);
        }
    }
}

/// How long the launcher has to end this process after the request, in seconds. Source: ours.
/// Status: assumed.
const ABORT_SECONDS: u32 = 5;

/// Ends every PE of the job with this code, beginning with this one. `how`: one of [`state`].
pub fn end_job(code: i32, how: u32) -> ! {
    if ENDING.swap(true, Ordering::AcqRel) {
        // Another thread is ending the job, or this one already is.
        loop {
            // SAFETY: the call waits for a signal, or for the end of the process.
            unsafe { libc::pause() };
        }
    }
    // SAFETY: the argument is a number. A process that hangs below ends nevertheless.
    unsafe { libc::alarm(ABORT_SECONDS) };
    write_output(Buffering::AsBefore);
    let dumps_core = FAREWELL.get().is_some_and(|farewell| farewell(code, how)) && code != 0;
    if let Some(job) = ShmemJob::joined() {
        abort(job, code);
    }
    if dumps_core {
        // SAFETY: the call ends the process, with a core dump if the system allows one.
        unsafe { libc::abort() };
    }
    // SAFETY: the call ends the process.
    unsafe { libc::exit(code) }
}
