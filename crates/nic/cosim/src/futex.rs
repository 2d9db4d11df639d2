//! The system's futex: a thread of any process sleeps on a word of shared memory.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Sleeps while the word has this value, at most `at_most`. May return early without a reason:
/// callers check again. Returns whether all of that time has passed.
pub fn sleep(word: &AtomicU32, value: u32, at_most: Duration) -> bool {
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(at_most.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(at_most.subsec_nanos()),
    };
    // SAFETY: the word outlives the call; the system reads it and the time, and keeps neither.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const time) == -1
            && *libc::__errno_location() == libc::ETIMEDOUT
    }
}

/// Sleeps for this long, in real time whatever clocks show.
pub fn pause(time: Duration) {
    let never = AtomicU32::new(0);
    sleep(&never, 0, time);
}

/// Wakes at most `count` threads that sleep on the word.
pub fn wake(word: &AtomicU32, count: u32) {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    // SAFETY: the system uses the word's address as a name and does not write to it.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, count);
    }
}
