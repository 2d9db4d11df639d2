//! Functions that wait for files, at most for some time.
//!
//! Files become ready in real time, because other processes write them. So such a wait waits for
//! real, and if its time is over, simulated time has passed as well. Without files it is a sleep.

use std::ffi::c_int;

use libc::{epoll_event, fd_set, nfds_t, pollfd, sigset_t, timespec, timeval};

use crate::real::{fail, libc_function};
use crate::source::{SECOND, Slept, attached, nanoseconds, of_this_thread, sleep, time_of};

/// Waits at most `limit` nanoseconds, for files if there are any. `wait` waits for real, at most
/// the time that it is given.
pub fn wait(limit: i64, has_files: bool, mut wait: impl FnMut(i64) -> c_int) -> c_int {
    let began = of_this_thread();
    if has_files {
        match wait(limit) {
            0 => {}
            ready => return ready,
        }
    }
    // Meanwhile other ranks, or other threads, may have let time pass.
    let passed = began.zip(of_this_thread()).map_or(0, |(began, now)| now - began);
    match sleep(limit - passed) {
        Slept::Interrupted(_) => fail(libc::EINTR),
        Slept::NotHere if !has_files => wait(limit),
        Slept::Whole | Slept::NotHere => 0,
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
        Some(time) => wait(time, count > 0, |time| unsafe { call(files, count, milliseconds(time)) }),
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
    wait(time, count > 0, |time| {
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
        Some(time) => wait(time, true, |time| unsafe { call(file, events, count, milliseconds(time)) }),
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
        Some(time) => wait(time, true, |time| unsafe { call(file, events, count, milliseconds(time), mask) }),
        // SAFETY: as the caller says.
        None => unsafe { call(file, events, count, limit, mask) },
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn epoll_pwait2(
    file: c_int,
    events: *mut epoll_event,
    count: c_int,
    limit: *const timespec,
    mask: *const sigset_t,
) -> c_int {
    let call =
        libc_function!(c"epoll_pwait2", fn(c_int, *mut epoll_event, c_int, *const timespec, *const sigset_t) -> c_int);
    // SAFETY: as the caller says.
    let Some(time) = (unsafe { limit_at(limit) }) else { return unsafe { call(file, events, count, limit, mask) } };
    wait(time, true, |time| {
        let time = time_of(time);
        // SAFETY: as the caller says.
        unsafe { call(file, events, count, &raw const time, mask) }
    })
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
    let time = unsafe { limit.as_ref() }.and_then(|limit| {
        // A second and more of microseconds is allowed here.
        limit.tv_sec.checked_mul(SECOND)?.checked_add(limit.tv_usec.checked_mul(1_000)?)
    });
    let Some(time) = time.filter(|&time| time > 0 && attached().is_some()) else {
        // SAFETY: as the caller says.
        return unsafe { call(count, read, write, except, limit) };
    };
    let has_files = [read, write, except].iter().any(|set| !set.is_null());
    wait(time, has_files, |time| {
        // Linux leaves what is left of the time where it was.
        // SAFETY: the time was read from there.
        unsafe { limit.write(timeval { tv_sec: time / SECOND, tv_usec: time % SECOND / 1_000 }) };
        // SAFETY: as the caller says.
        unsafe { call(count, read, write, except, limit) }
    })
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
    let has_files = [read, write, except].iter().any(|set| !set.is_null());
    wait(time, has_files, |time| {
        let time = time_of(time);
        // SAFETY: as the caller says.
        unsafe { call(count, read, write, except, &raw const time, mask) }
    })
}

/// The form of `poll` that programs call which are compiled with checks of sizes.
///
/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __poll_chk(files: *mut pollfd, count: nfds_t, limit: c_int, bytes: usize) -> c_int {
    if bytes / size_of::<pollfd>() < count as usize {
        let call = libc_function!(c"__poll_chk", fn(*mut pollfd, nfds_t, c_int, usize) -> c_int);
        // It ends the program.
        // SAFETY: as the caller says.
        return unsafe { call(files, count, limit, bytes) };
    }
    // SAFETY: as the caller says.
    unsafe { poll(files, count, limit) }
}

/// The same of `ppoll`.
///
/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __ppoll_chk(
    files: *mut pollfd,
    count: nfds_t,
    limit: *const timespec,
    mask: *const sigset_t,
    bytes: usize,
) -> c_int {
    if bytes / size_of::<pollfd>() < count as usize {
        let call =
            libc_function!(c"__ppoll_chk", fn(*mut pollfd, nfds_t, *const timespec, *const sigset_t, usize) -> c_int);
        // SAFETY: as the caller says.
        return unsafe { call(files, count, limit, mask, bytes) };
    }
    // SAFETY: as the caller says.
    unsafe { ppoll(files, count, limit, mask) }
}
