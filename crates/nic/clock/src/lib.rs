//! `libphilae_clock.so`: clocks, sleeps and timeouts of a program that runs in simulated time. A
//! process loads it before libc (`LD_PRELOAD`), and unmodified programs then call these functions.
//!
//! Invariants: without a [`ClockSource`] every function is libc's. While one is attached, clocks go
//! on from the values that they had, by simulated time alone; in threads that have no part in
//! simulated time, by real time. Afterwards all go on by real time. No clock ever goes back.
//! Processes whose sources began at the same time have clocks that agree.
//!
//! What waits for other threads of the process (condition variables, semaphores, mutexes) waits in
//! real time, for as long as its deadline is away. If that passes, simulated time passes as well.
//! The same holds for what waits for files.
//!
//! Timers that send signals or write files run in real time, and their first use is told
//! (`timers`). Not covered: system calls that a program makes without libc's `syscall`, the
//! processor time of a thread, `getrusage` and `times`, locks with deadlines on a clock of their
//! own (`pthread_rwlock_clockrdlock`), message queues of POSIX, and programs that are linked
//! statically.

#![expect(unsafe_code, reason = "these functions take the place of libc's")]

#[cfg(target_arch = "x86_64")]
mod counter;
mod deadline;
mod direct;
#[cfg(target_arch = "x86_64")]
mod handlers;
mod home;
mod poll;
mod reading;
mod real;
mod sleep;
mod source;
#[cfg(target_arch = "x86_64")]
mod start;
mod timers;

pub use source::{CLOCKS, ClockSource, NO_PART};

/// Other processors have no trap: their counters show real time.
#[cfg(not(target_arch = "x86_64"))]
mod counter {
    pub fn attach(_: i64) {}
    pub fn detach(_: Option<i64>) {}
    pub fn trap() {}
    pub fn in_child() {}
}
