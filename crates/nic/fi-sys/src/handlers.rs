//! Signal handlers, which libraries that libfabric opens replace.

use std::mem::MaybeUninit;

/// Signals of Linux: 1 to 64. Source: signal(7). Status: published.
const SIGNALS: libc::c_int = 64;

/// The signal handlers of the process at one time. `drop` restores those that have changed.
///
/// libfabric opens libraries that install handlers when they are loaded. PSM's and PSM2's libraries
/// take SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT and SIGTERM, write a file
/// `PROGRAM.80s-PID,HOST.btr` and call `exit(1)`. A program that does not expect this would end
/// with the wrong code and without a core file.
#[must_use = "handlers are put back when this goes"]
pub struct SignalHandlers(Vec<Option<libc::sigaction>>);

impl std::fmt::Debug for SignalHandlers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SignalHandlers").finish_non_exhaustive()
    }
}

/// `None` for a signal that the C library reserves for itself.
fn handler(signal: libc::c_int) -> Option<libc::sigaction> {
    let mut found = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the call only reads, and writes one entry.
    let code = unsafe { libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr()) };
    // SAFETY: an entry consists of numbers; all zeros is a valid one.
    (code == 0).then(|| unsafe { found.assume_init() })
}

impl SignalHandlers {
    /// Saves the present handlers of the process.
    pub fn keep() -> Self {
        Self((1..=SIGNALS).map(handler).collect())
    }
}

impl Drop for SignalHandlers {
    fn drop(&mut self) {
        for (signal, before) in (1..).zip(&self.0) {
            let (Some(before), Some(now)) = (before, handler(signal)) else { continue };
            if (before.sa_sigaction, before.sa_flags) != (now.sa_sigaction, now.sa_flags) {
                // SAFETY: the handler was installed by this process until a moment ago.
                unsafe { libc::sigaction(signal, before, std::ptr::null_mut()) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn other(_: libc::c_int) {}

    #[test]
    fn a_handler_that_a_library_replaces_is_put_back() {
        // A signal that no other code in this test program uses.
        let signal = libc::SIGWINCH;
        let before = handler(signal).expect("a signal").sa_sigaction;
        let kept = SignalHandlers::keep();
        // SAFETY: a function of this process, valid for its whole life.
        unsafe { libc::signal(signal, other as *const () as libc::sighandler_t) };
        assert_ne!(handler(signal).expect("a signal").sa_sigaction, before);
        drop(kept);
        assert_eq!(handler(signal).expect("a signal").sa_sigaction, before);
    }
}
