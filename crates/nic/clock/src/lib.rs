//! `libphilae_clock.so`: clocks, sleeps and timeouts of a program that runs in simulated time. A
//! process loads it before libc (`LD_PRELOAD`), and unmodified programs then call these functions.
//!
//! Invariants: without a [`ClockSource`] every function is libc's. While one is attached, every
//! clock goes on from the value that it had, by simulated time alone. Afterwards clocks go on by
//! real time. No clock ever jumps or goes back.
//!
//! What waits for other threads of the process (condition variables, semaphores, mutexes) waits in
//! real time, for as long as its deadline is away in simulated time.
//!
//! Not covered: system calls that a program makes itself, the processor's counter (`rdtsc`),
//! `getrusage`, timers that send signals, and programs that are linked statically.

#![expect(unsafe_code, reason = "these functions take the place of libc's")]

mod deadline;
mod poll;
mod reading;
mod real;
mod sleep;
mod source;

pub use source::ClockSource;
