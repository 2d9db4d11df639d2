//! System calls that a program makes by their numbers, through libc's `syscall`.

use std::ffi::{c_int, c_long};

use libc::{epoll_event, fd_set, pollfd, sigset_t, timespec, timeval};

use crate::real::libc_function;
use crate::{deadline, poll, reading, sleep};

/// The bits of a futex's operation that say which one it is. Source: linux/futex.h. Status:
/// published.
const FUTEX_COMMAND: c_int = !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);

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
            libc::SYS_poll => poll::poll(a as *mut pollfd, b as _, c as c_int).into(),
            libc::SYS_ppoll => poll::ppoll(a as *mut pollfd, b as _, c as *const timespec, d as *const sigset_t).into(),
            libc::SYS_select => {
                let sets = [b, c, d].map(|set| set as *mut fd_set);
                poll::select(short, sets[0], sets[1], sets[2], e as *mut timeval).into()
            }
            libc::SYS_epoll_wait => poll::epoll_wait(short, b as *mut epoll_event, c as c_int, d as c_int).into(),
            libc::SYS_futex if b as c_int & FUTEX_COMMAND == libc::FUTEX_WAIT_BITSET && d != 0 => {
                let of_day = b as c_int & libc::FUTEX_CLOCK_REALTIME != 0;
                let clock = if of_day { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
                let wait = |deadline: *const timespec| call(number, a, b, c, deadline as c_long, e, f) as c_int;
                deadline::until(clock, d as *const timespec, deadline::fails_over, wait).into()
            }
            #[cfg(target_arch = "x86_64")]
            libc::SYS_execve | libc::SYS_execveat => crate::start::outside(|| call(number, a, b, c, d, e, f)),
            _ => call(number, a, b, c, d, e, f),
        }
    }
}
