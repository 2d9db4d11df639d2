//! What libc and the system do.

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use libc::{clockid_t, timespec};

use crate::source::nanoseconds;

/// libc's function of this name, found once: `libc_function!(c"poll", fn(...) -> c_int)`.
macro_rules! libc_function {
    ($name:expr, fn($($argument:ty),*) -> $answer:ty) => {{
        static FOUND: std::sync::atomic::AtomicPtr<std::ffi::c_void> =
            std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());
        let found = $crate::real::find($name, &FOUND);
        // SAFETY: libc's function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn($($argument),*) -> $answer>(found) }
    }};
}
pub(crate) use libc_function;

/// The version in which a function took its present form, where libc still has an older one. To ask
/// without a version gives the older one.
const PRESENT: &[(&CStr, &CStr)] = &[(c"pthread_cond_timedwait", c"GLIBC_2.3.2")];

/// The function of this name behind this library.
pub fn find(name: &CStr, known: &AtomicPtr<c_void>) -> *mut c_void {
    let found = known.load(Ordering::Relaxed);
    if !found.is_null() {
        return found;
    }
    let versioned = PRESENT.iter().find(|(versioned, _)| *versioned == name);
    let versioned = versioned.map_or(std::ptr::null_mut(), |(_, version)| {
        // SAFETY: both are texts that end with a zero.
        unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) }
    });
    // SAFETY: as above.
    let any = || unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    let found = if versioned.is_null() { any() } else { versioned };
    if found.is_null() {
        // A program that calls a function which its libc lacks would not have started.
        std::process::abort();
    }
    known.store(found, Ordering::Relaxed);
    found
}

/// What the system's clock shows, in nanoseconds; `None`: there is no such clock.
pub fn now(clock: clockid_t) -> Option<i64> {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    let call = libc_function!(c"clock_gettime", fn(clockid_t, *mut timespec) -> libc::c_int);
    // SAFETY: there is room for the time.
    let result = unsafe { call(clock, &raw mut time) };
    (result == 0).then(|| nanoseconds(&time)).flatten()
}

/// Fails as libc's functions do.
pub fn fail(error: libc::c_int) -> libc::c_int {
    // SAFETY: every thread has its place for the error.
    unsafe { *libc::__errno_location() = error };
    -1
}
