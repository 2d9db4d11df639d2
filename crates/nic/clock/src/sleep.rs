//! Functions that sleep, and the one that lets others go first.

use std::cell::Cell;
use std::ffi::{OsString, c_int, c_uint};

use libc::{clockid_t, timespec, useconds_t};

use crate::real::{fail, libc_function};
use crate::source::{
    SECOND, Slept, attached, has_part, have_several_part, nanoseconds, shows, sleep as simulated_sleep, time_of,
};

/// Of so many yields of a thread with a part in simulated time, one reaches the system. Libraries
/// yield between two polls, so that other processes come to their messages. In simulated time those
/// wait for this one's turn, and only a thread of this process can be what it waits for. Source:
/// ours. Status: assumed.
const YIELDS: u32 = 16;

/// What a thread needs to wake up, and on a busy machine, in nanoseconds. Of so many yields, one
/// takes that long. Source: ours; a switch between processors, and a turn on one. Status: assumed.
const HANDOVER: i64 = 20_000;
const HANDOVER_LONG: i64 = 1_000_000;
const HANDOVERS: u32 = 8;
/// How long such a yield takes at most where the woken thread waits for a processor of a busy
/// machine, in nanoseconds. Source: ours; a hundred programs on one processor. Status: assumed.
const HANDOVER_MAX: i64 = 400_000_000;

thread_local! {
    /// Yields of this thread.
    static YIELDED: Cell<u32> = const { Cell::new(0) };
}

#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    let yielded = YIELDED.get().wrapping_add(1);
    YIELDED.set(yielded);
    if has_part() {
        if have_several_part() {
            // A library has let go of a lock for a moment. A thread that waits for it must wake up.
            if yielded.is_multiple_of(HANDOVERS) {
                hand_over();
            } else {
                let _ = real_sleep(HANDOVER);
            }
            return 0;
        }
        if !yielded.is_multiple_of(YIELDS) {
            return 0;
        }
    }
    let call = libc_function!(c"sched_yield", fn() -> c_int);
    // SAFETY: it takes nothing.
    unsafe { call() }
}

/// Sleeps until each thread of this process that is ready to run has had a processor, as the one
/// that the lock has woken.
fn hand_over() {
    let (mut slept, mut before) = (0, ready_threads());
    while slept < HANDOVER_MAX {
        let _ = real_sleep(HANDOVER_LONG);
        slept += HANDOVER_LONG;
        let now = ready_threads();
        before.retain(|thread| now.contains(thread));
        if before.is_empty() {
            return;
        }
    }
}

/// The other threads of this process that run or are ready to, and their processor times.
fn ready_threads() -> Vec<(OsString, String)> {
    // SAFETY: the call only says which thread this is.
    let own = OsString::from(unsafe { libc::gettid() }.to_string());
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let others = threads.filter(|thread| thread.file_name() != own);
    let ready = others.filter_map(|thread| {
        let read = |file: &str| std::fs::read_to_string(thread.path().join(file)).ok();
        // The name in parentheses may have any character.
        let is_ready = read("stat")?.rsplit_once(") ")?.1.starts_with('R');
        is_ready.then_some((thread.file_name(), read("schedstat")?.split(' ').next()?.to_owned()))
    });
    ready.collect()
}

/// Sleeps in real time; the error number, and what is left of the time.
fn real_sleep(span: i64) -> (c_int, i64) {
    let call = libc_function!(c"clock_nanosleep", fn(clockid_t, c_int, *const timespec, *mut timespec) -> c_int);
    let (asked, mut left) = (time_of(span), time_of(0));
    // SAFETY: both are times.
    let error = unsafe { call(libc::CLOCK_MONOTONIC, 0, &raw const asked, &raw mut left) };
    (error, if error == libc::EINTR { nanoseconds(&left).unwrap_or(0) } else { 0 })
}

/// Sleeps in simulated time, or in real time; the error number, and what is left of the time.
fn sleeps(span: i64) -> (c_int, i64) {
    match simulated_sleep(span) {
        Slept::Whole => (0, 0),
        Slept::Interrupted(left) => (libc::EINTR, left),
        Slept::NotHere => real_sleep(span),
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nanosleep(asked: *const timespec, left: *mut timespec) -> c_int {
    // SAFETY: the caller has a time there, or null.
    let span = unsafe { asked.as_ref() }.and_then(nanoseconds).filter(|span| *span >= 0);
    let Some(span) = span.filter(|_| attached().is_some()) else {
        let call = libc_function!(c"nanosleep", fn(*const timespec, *mut timespec) -> c_int);
        // SAFETY: as the caller says.
        return unsafe { call(asked, left) };
    };
    let (error, rest) = sleeps(span);
    if error == 0 {
        return 0;
    }
    if !left.is_null() {
        // SAFETY: the caller has room for the time.
        unsafe { left.write(time_of(rest)) };
    }
    fail(error)
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    asked: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: the caller has a time there, or null.
    let time = unsafe { asked.as_ref() }.and_then(nanoseconds).filter(|time| *time >= 0);
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    // A deadline on a clock that has been moved means nothing to the system either.
    let span = shows(clock).zip(time).map(|(now, time)| if is_absolute { (time - now).max(0) } else { time });
    let Some(span) = span.filter(|_| attached().is_some() || is_absolute) else {
        let call = libc_function!(c"clock_nanosleep", fn(clockid_t, c_int, *const timespec, *mut timespec) -> c_int);
        // SAFETY: as the caller says.
        return unsafe { call(clock, flags, asked, left) };
    };
    let (error, rest) = sleeps(span);
    if error == libc::EINTR && !is_absolute && !left.is_null() {
        // SAFETY: the caller has room for the time.
        unsafe { left.write(time_of(rest)) };
    }
    error
}

#[unsafe(no_mangle)]
pub extern "C" fn usleep(span: useconds_t) -> c_int {
    if attached().is_none() {
        let call = libc_function!(c"usleep", fn(useconds_t) -> c_int);
        // SAFETY: it takes a number.
        return unsafe { call(span) };
    }
    match sleeps(i64::from(span) * 1_000) {
        (0, _) => 0,
        (error, _) => fail(error),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn sleep(span: c_uint) -> c_uint {
    if attached().is_none() {
        let call = libc_function!(c"sleep", fn(c_uint) -> c_uint);
        // SAFETY: it takes a number.
        return unsafe { call(span) };
    }
    let (_, left) = sleeps(i64::from(span) * SECOND);
    u32::try_from((left + SECOND - 1) / SECOND).unwrap_or(span)
}
