//! Functions that wait for files, at most for some time.
//!
//! Files become ready in real time. So such a wait looks at them, lets its time pass, and looks
//! again. Without a limit it waits in real time.

use std::ffi::c_int;

use libc::{epoll_event, fd_set, nfds_t, pollfd, sigset_t, timespec, timeval};

use crate::real::{fail, libc_function};
use crate::source::{Slept, attached, nanoseconds, sleep, time_of};

/// Waits at most `limit` nanoseconds. `wait` waits for real, at most the time that it is given.
fn wait(limit: i64, mut wait: impl FnMut(i64) -> c_int) -> c_int {
    match wait(0) {
        0 => {}
        ready => return ready,
    }
    match sleep(limit) {
        Slept::Whole => wait(0),
        Slept::Interrupted(_) => fail(libc::EINTR),
        Slept::NotHere => wait(limit),
    }
}

/// A limit in milliseconds that simulated time can have: above 0 while a source is attached.
fn limit_of(milliseconds: c_int) -> Option<i64> {
    (milliseconds > 0 && attached().is_some()).then(|| i64::from(milliseconds) * 1_000_000)
}

/// # Safety
/// `limit` is null, or points to a time.
unsafe fn limit_at(limit: *const timespec) -> Option<i64> {
    // SAFETY: by this function's contract.
    unsafe { limit.as_ref() }.and_then(nanoseconds).filter(|&limit| limit > 0 && attached().is_some())
}

/// In milliseconds, rounded up: no wait is shorter than asked.
fn milliseconds(limit: i64) -> c_int {
    c_int::try_from((limit + 999_999) / 1_000_000).unwrap_or(c_int::MAX)
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn poll(files: *mut pollfd, count: nfds_t, limit: c_int) -> c_int {
    let call = libc_function!(c"poll", fn(*mut pollfd, nfds_t, c_int) -> c_int);
    match limit_of(limit) {
        // SAFETY: as the caller says.
        Some(time) => wait(time, |time| unsafe { call(files, count, milliseconds(time)) }),
        // SAFETY: as the caller says.
        None => unsafe { call(files, count, limit) },
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ppoll(
    files: *mut pollfd,
    count: nfds_t,
    limit: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    let call = libc_function!(c"ppoll", fn(*mut pollfd, nfds_t, *const timespec, *const sigset_t) -> c_int);
    // SAFETY: as the caller says.
    let Some(time) = (unsafe { limit_at(limit) }) else { return unsafe { call(files, count, limit, mask) } };
    wait(time, |time| {
        let time = time_of(time);
        // SAFETY: as the caller says.
        unsafe { call(files, count, &raw const time, mask) }
    })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_wait(file: c_int, events: *mut epoll_event, count: c_int, limit: c_int) -> c_int {
    let call = libc_function!(c"epoll_wait", fn(c_int, *mut epoll_event, c_int, c_int) -> c_int);
    match limit_of(limit) {
        // SAFETY: as the caller says.
        Some(time) => wait(time, |time| unsafe { call(file, events, count, milliseconds(time)) }),
        // SAFETY: as the caller says.
        None => unsafe { call(file, events, count, limit) },
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_pwait(
    file: c_int,
    events: *mut epoll_event,
    count: c_int,
    limit: c_int,
    mask: *const sigset_t,
) -> c_int {
    let call = libc_function!(c"epoll_pwait", fn(c_int, *mut epoll_event, c_int, c_int, *const sigset_t) -> c_int);
    match limit_of(limit) {
        // SAFETY: as the caller says.
        Some(time) => wait(time, |time| unsafe { call(file, events, count, milliseconds(time), mask) }),
        // SAFETY: as the caller says.
        None => unsafe { call(file, events, count, limit, mask) },
    }
}

/// The three sets of files of `select`, of which each call leaves only the ready ones.
struct Sets {
    places: [*mut fd_set; 3],
    asked: [Option<fd_set>; 3],
}

impl Sets {
    /// # Safety
    /// Each place is null, or points to a set.
    unsafe fn of(places: [*mut fd_set; 3]) -> Self {
        // SAFETY: by this function's contract.
        let asked = places.map(|place| unsafe { place.as_ref() }.copied());
        Self { places, asked }
    }

    /// As the caller asked.
    fn again(&self) {
        for (place, asked) in self.places.iter().zip(self.asked) {
            if let Some(asked) = asked {
                // SAFETY: the set was read from there.
                unsafe { place.write(asked) };
            }
        }
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn select(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    limit: *mut timeval,
) -> c_int {
    let call = libc_function!(c"select", fn(c_int, *mut fd_set, *mut fd_set, *mut fd_set, *mut timeval) -> c_int);
    // SAFETY: the caller has a time there, or null.
    let time = unsafe { limit.as_ref() }.map(|limit| timespec { tv_sec: limit.tv_sec, tv_nsec: limit.tv_usec * 1_000 });
    let Some(time) = time.and_then(|time| nanoseconds(&time)).filter(|&time| time > 0 && attached().is_some()) else {
        // SAFETY: as the caller says.
        return unsafe { call(count, read, write, except, limit) };
    };
    // SAFETY: as the caller says.
    let sets = unsafe { Sets::of([read, write, except]) };
    let result = wait(time, |time| {
        sets.again();
        let mut limit = timeval { tv_sec: time / 1_000_000_000, tv_usec: time % 1_000_000_000 / 1_000 };
        // SAFETY: as the caller says.
        unsafe { call(count, read, write, except, &raw mut limit) }
    });
    if result == 0 {
        // Linux leaves what is left of the time.
        // SAFETY: the time was read from there.
        unsafe { limit.write(timeval { tv_sec: 0, tv_usec: 0 }) };
    }
    result
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pselect(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    limit: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    let call = libc_function!(
        c"pselect",
        fn(c_int, *mut fd_set, *mut fd_set, *mut fd_set, *const timespec, *const sigset_t) -> c_int
    );
    // SAFETY: as the caller says.
    let Some(time) = (unsafe { limit_at(limit) }) else {
        // SAFETY: as the caller says.
        return unsafe { call(count, read, write, except, limit, mask) };
    };
    // SAFETY: as the caller says.
    let sets = unsafe { Sets::of([read, write, except]) };
    wait(time, |time| {
        sets.again();
        let time = time_of(time);
        // SAFETY: as the caller says.
        unsafe { call(count, read, write, except, &raw const time, mask) }
    })
}
