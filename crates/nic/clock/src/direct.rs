//! System calls that a program makes by their numbers, through libc's `syscall`.

use std::ffi::{c_int, c_long};

use libc::{timespec, timeval};

use crate::real::libc_function;
use crate::{reading, sleep};

/// libc's `syscall` takes as many arguments as the call has. All are words, and those that the
/// caller has not given have any value, which the system does not look at.
///
/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    let short = a as c_int;
    let call = libc_function!(c"syscall", fn(c_long, c_long, c_long, c_long, c_long, c_long, c_long) -> c_long);
    // SAFETY: as the caller says: these calls take what the functions of the same names take.
    unsafe {
        match number {
            libc::SYS_clock_gettime => reading::clock_gettime(short, b as *mut timespec).into(),
            libc::SYS_gettimeofday => reading::gettimeofday(a as *mut timeval, b as *mut _).into(),
            libc::SYS_time => reading::time(a as *mut _),
            libc::SYS_nanosleep => sleep::nanosleep(a as *const timespec, b as *mut timespec).into(),
            libc::SYS_clock_nanosleep => {
                // This function returns its error.
                match sleep::clock_nanosleep(short, b as c_int, c as *const timespec, d as *mut timespec) {
                    0 => 0,
                    error => crate::real::fail(error).into(),
                }
            }
            _ => call(number, a, b, c, d, e, f),
        }
    }
}
