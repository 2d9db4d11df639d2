//! Functions that read a clock.

use std::ffi::{c_int, c_void};

use libc::{clock_t, clockid_t, time_t, timespec, timeval};

use crate::real::libc_function;
use crate::source::{SECOND, shows, time_of};

/// `timespec_get` gives the time of day for this base.
const TIME_UTC: c_int = 1;

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    match shows(clock).filter(|_| !time.is_null()) {
        Some(shown) => {
            // SAFETY: the caller has room for the time.
            unsafe { time.write(time_of(shown)) };
            0
        }
        None => {
            let call = libc_function!(c"clock_gettime", fn(clockid_t, *mut timespec) -> c_int);
            // SAFETY: as the caller says.
            unsafe { call(clock, time) }
        }
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    let call = libc_function!(c"gettimeofday", fn(*mut timeval, *mut c_void) -> c_int);
    // The zone does not depend on the time.
    // SAFETY: as the caller says.
    let result = unsafe { call(time, zone) };
    if result == 0
        && !time.is_null()
        && let Some(shown) = shows(libc::CLOCK_REALTIME)
    {
        let (seconds, rest) = (shown.div_euclid(SECOND), shown.rem_euclid(SECOND));
        // SAFETY: the caller has room for the time.
        unsafe { time.write(timeval { tv_sec: seconds, tv_usec: rest / 1_000 }) };
    }
    result
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(place: *mut time_t) -> time_t {
    let Some(shown) = shows(libc::CLOCK_REALTIME) else {
        let call = libc_function!(c"time", fn(*mut time_t) -> time_t);
        // SAFETY: as the caller says.
        return unsafe { call(place) };
    };
    let seconds = shown.div_euclid(SECOND);
    if !place.is_null() {
        // SAFETY: the caller has room for the time.
        unsafe { place.write(seconds) };
    }
    seconds
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn timespec_get(time: *mut timespec, base: c_int) -> c_int {
    match shows(libc::CLOCK_REALTIME).filter(|_| base == TIME_UTC && !time.is_null()) {
        Some(shown) => {
            // SAFETY: the caller has room for the time.
            unsafe { time.write(time_of(shown)) };
            base
        }
        None => {
            let call = libc_function!(c"timespec_get", fn(*mut timespec, c_int) -> c_int);
            // SAFETY: as the caller says.
            unsafe { call(time, base) }
        }
    }
}

/// The processor time of the process: the core of a rank is busy for as long as simulated time
/// passes.
#[unsafe(no_mangle)]
pub extern "C" fn clock() -> clock_t {
    match shows(libc::CLOCK_PROCESS_CPUTIME_ID) {
        Some(shown) => shown / 1_000,
        None => {
            let call = libc_function!(c"clock", fn() -> clock_t);
            // SAFETY: it takes nothing.
            unsafe { call() }
        }
    }
}
