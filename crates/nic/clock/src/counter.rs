//! The processor's counter (`rdtsc`), which programs read without libc.
//!
//! While a source is attached, threads with a part in simulated time read it with a trap
//! (`PR_SET_TSC`): the processor refuses the instruction, and a handler of `SIGSEGV` gives the
//! value that belongs to simulated time. Threads that are made by such a thread have the trap, too.
//! What the kernel's own code in the process reads (the vDSO) stays real, as do reads of threads
//! that have no part. `PHILAE_CLOCK_COUNTER=real` leaves the counter alone.
//!
//! The trap outlives `exec`, and a new program has no handler. A child of a fork therefore loses
//! the trap; the functions that start programs without a fork are in [`crate::start`].

use std::arch::x86_64::{__rdtscp, _rdtsc};
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use libc::{siginfo_t, ucontext_t};

use crate::handlers;
use crate::real;
use crate::source;

/// `prctl` about the counter, and its two answers. Source: prctl(2), linux/prctl.h. Status:
/// published.
const PR_SET_TSC: c_int = 26;
const PR_TSC_ENABLE: c_int = 1;
const PR_TSC_SIGSEGV: c_int = 2;
/// The code of a fault that has no address, as that of a refused instruction. Source: sigaction(2).
/// Status: published.
const SI_KERNEL: c_int = 0x80;
/// `rdtsc`, and `rdtscp` with its third byte. Source: the processors' manuals. Status: published.
const RDTSC: [u8; 2] = [0x0f, 0x31];
const RDTSCP: [u8; 3] = [0x0f, 0x01, 0xf9];

/// Readings of which the best counts. Source: ours. Status: assumed.
const READINGS: u32 = 16;

/// The counter and the time in nanoseconds when this library was loaded.
static LOADED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Ticks in a nanosecond, as the bits of an `f64`; 0: the counter is left alone.
static RATE: AtomicU64 = AtomicU64::new(0);
/// What the counter shows at simulated time 0.
static BASE: AtomicU64 = AtomicU64::new(0);
/// By how much it is ahead of the processor's where it follows real time. It only grows.
static AHEAD: AtomicI64 = AtomicI64::new(0);
/// Whether any thread has the trap.
static IS_USED: AtomicBool = AtomicBool::new(false);

fn set(what: c_int) -> bool {
    // SAFETY: the call changes only this thread's access to the counter.
    unsafe { libc::prctl(PR_SET_TSC, what, 0, 0, 0) == 0 }
}

/// The counter, and the time in nanoseconds at which it was read.
fn now() -> Option<(u64, u64)> {
    let (mut best, mut least) = (None, u64::MAX);
    // Whatever delays the thread between its readings makes them wrong: the closest are taken.
    for _ in 0..READINGS {
        // SAFETY: the processor has the instruction, and the thread has no trap.
        let before = unsafe { _rdtsc() };
        let time = u64::try_from(real::now(libc::CLOCK_MONOTONIC_RAW)?).ok()?;
        // SAFETY: as above.
        let gap = unsafe { _rdtsc() }.wrapping_sub(before);
        if gap < least {
            (best, least) = (Some((before.wrapping_add(gap / 2), time)), gap);
        }
    }
    best
}

/// Notes when this library was loaded.
pub fn loaded() {
    if let Some((counter, time)) = now() {
        LOADED[0].store(counter, Ordering::Relaxed);
        LOADED[1].store(time, Ordering::Relaxed);
    }
}

fn is_wanted() -> bool {
    std::env::var_os("PHILAE_CLOCK_COUNTER").is_none_or(|value| value != "real")
}

/// A source has been attached, whose time is `simulated` nanoseconds: the counter goes on from what
/// it shows.
pub fn attach(simulated: i64) {
    let loaded = [&LOADED[0], &LOADED[1]].map(|word| word.load(Ordering::Relaxed));
    if !is_wanted() || loaded[1] == 0 {
        return;
    }
    let had_trap = IS_USED.load(Ordering::Relaxed) && set(PR_TSC_ENABLE);
    let Some((counter, time)) = now().filter(|(_, time)| *time > loaded[1]) else { return };
    if !had_trap {
        let rate = counter.wrapping_sub(loaded[0]) as f64 / (time - loaded[1]) as f64;
        RATE.store(rate.to_bits(), Ordering::Relaxed);
    }
    let shown = counter.wrapping_add(AHEAD.load(Ordering::Relaxed).cast_unsigned());
    BASE.store(shown.wrapping_sub(ticks(simulated)), Ordering::Release);
    trap();
}

/// The calling thread has a part in simulated time.
pub fn trap() {
    if RATE.load(Ordering::Relaxed) == 0 {
        return;
    }
    if !IS_USED.swap(true, Ordering::AcqRel) {
        handlers::install();
    }
    handlers::unblock();
    // A kernel that refuses leaves the counter as it is.
    set(PR_TSC_SIGSEGV);
}

/// The source has been detached at this time: the counter goes on from what it shows.
pub fn detach(simulated: Option<i64>) {
    if !IS_USED.load(Ordering::Relaxed) {
        return;
    }
    set(PR_TSC_ENABLE);
    if let (Some(simulated), Some((counter, _))) = (simulated, now()) {
        let shown = BASE.load(Ordering::Acquire).wrapping_add(ticks(simulated));
        AHEAD.fetch_max(shown.wrapping_sub(counter).cast_signed(), Ordering::Relaxed);
    }
    if AHEAD.load(Ordering::Relaxed) > 0 {
        set(PR_TSC_SIGSEGV);
    }
}

/// Makes `work`, which starts another program, without the trap.
pub fn without<T>(work: impl FnOnce() -> T) -> T {
    let has_trap = IS_USED.load(Ordering::Relaxed) && {
        let mut now: c_int = 0;
        // SAFETY: there is room for the answer.
        let asked = unsafe { libc::prctl(PR_SET_TSC - 1, &raw mut now, 0, 0, 0) };
        asked == 0 && now == PR_TSC_SIGSEGV
    };
    if !has_trap {
        return work();
    }
    set(PR_TSC_ENABLE);
    let result = work();
    set(PR_TSC_SIGSEGV);
    result
}

/// A child of a fork: what it starts has no handler.
pub fn in_child() {
    if IS_USED.load(Ordering::Relaxed) {
        set(PR_TSC_ENABLE);
    }
}

fn ticks(nanoseconds: i64) -> u64 {
    (nanoseconds as f64 * f64::from_bits(RATE.load(Ordering::Relaxed))) as u64
}

/// The processor's counter, and the number of the processor, which `rdtscp` gives as well.
fn real_counter(has_number: bool) -> (u64, u32) {
    set(PR_TSC_ENABLE);
    // SAFETY: the thread has no trap now, and the second instruction exists.
    let counter = unsafe {
        let mut number = 0;
        (if has_number { __rdtscp(&raw mut number) } else { _rdtsc() }, number)
    };
    set(PR_TSC_SIGSEGV);
    counter
}

/// Handles a fault of this thread: true, if it was a read of the counter.
pub fn trapped(information: &siginfo_t, context: &mut ucontext_t) -> bool {
    let registers = &mut context.uc_mcontext.gregs;
    let at = registers[libc::REG_RIP as usize];
    if information.si_code != SI_KERNEL {
        return false;
    }
    let place = at as *const u8;
    // SAFETY: the processor has just read the instruction there; the third byte exists if the first
    // two are not those of the shorter one.
    let (is_short, is_long) = unsafe {
        let first = [*place, *place.add(1)];
        (first == RDTSC, first == RDTSCP[..2] && *place.add(2) == RDTSCP[2])
    };
    if !is_short && !is_long {
        return false;
    }
    let simulated = if is_kernels(at) { None } else { source::of_this_thread() };
    let (shown, number) = match simulated {
        Some(time) if is_short => (BASE.load(Ordering::Acquire).wrapping_add(ticks(time)), 0),
        Some(time) => (BASE.load(Ordering::Acquire).wrapping_add(ticks(time)), real_counter(true).1),
        None => {
            let (real, number) = real_counter(is_long);
            let ahead = if is_kernels(at) { 0 } else { AHEAD.load(Ordering::Relaxed).cast_unsigned() };
            (real.wrapping_add(ahead), number)
        }
    };
    registers[libc::REG_RAX as usize] = (shown & 0xffff_ffff).cast_signed();
    registers[libc::REG_RDX as usize] = (shown >> 32).cast_signed();
    if is_long {
        registers[libc::REG_RCX as usize] = i64::from(number);
    }
    registers[libc::REG_RIP as usize] = at + if is_long { RDTSCP.len() } else { RDTSC.len() } as i64;
    true
}

/// Whether an instruction is the kernel's own code in this process.
fn is_kernels(at: i64) -> bool {
    // SAFETY: the call only asks.
    let begin = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) };
    // It has one or two pages of code. Source: linux/arch/x86/entry/vdso. Status: published.
    const MOST: u64 = 4 * 4_096;
    begin != 0 && (begin..begin + MOST).contains(&at.cast_unsigned())
}
