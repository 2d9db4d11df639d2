//! The system's futex: threads of any process wait on a word of shared memory.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Waits while the word has this value, at most `at_most`. May return early without a reason:
/// callers check again.
pub fn wait(word: &AtomicU32, value: u32, at_most: Duration) {
    let time = libc::timespec {
        tv_sec: at_most.as_secs().min(i64::MAX as u64) as libc::time_t,
        tv_nsec: libc::c_long::from(at_most.subsec_nanos()),
    };
    // SAFETY: the word outlives the call; the system reads it and the time, and keeps neither.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const time);
    }
}

/// Wakes at most `count` threads that wait on the word.
pub fn wake(word: &AtomicU32, count: u32) {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    // SAFETY: the system uses the word's address as a name and does not write to it.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, count);
    }
}
