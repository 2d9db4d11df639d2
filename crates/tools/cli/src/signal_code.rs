//! The exit code of a command that a signal ended: 128 and the signal's number, as shells count.
//!
//! A command with nothing to save leaves the signal to the system, and a shell shows the same code.

use philae_console::ENDING;
use signal_hook::consts::SIGINT;
use signal_hook::flag::register_usize;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The last of these signals that came; 0: none.
static LAST: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// The code of this signal.
pub const fn of(signal: i32) -> u8 {
    128 + signal as u8
}

/// Records from now on that this signal came. Call this before other handlers of the signal are
/// registered, because handlers run in that order.
pub fn record(signal: i32) -> io::Result<()> {
    register_usize(signal, Arc::clone(LAST.get_or_init(Arc::default)), signal as usize).map(drop)
}

/// The code of the signal that came, or of Ctrl-C if none did.
pub fn present() -> u8 {
    match LAST.get().map_or(0, |last| last.load(Ordering::SeqCst)) {
        0 => of(SIGINT),
        signal => of(signal as i32),
    }
}

/// Whether a code says that a signal ended the command.
pub fn is_of_signal(code: u8) -> bool {
    ENDING.into_iter().any(|signal| of(signal) == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_that_shells_show() {
        assert_eq!(ENDING.map(of), [130, 143, 129]);
        assert!(ENDING.into_iter().all(|signal| is_of_signal(of(signal))));
        assert!(![0, 1, 2, 141].into_iter().any(is_of_signal));
    }
}
