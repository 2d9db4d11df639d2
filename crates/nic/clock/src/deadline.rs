//! Functions that wait for other threads until a deadline. They wait in real time, for as long as
//! the deadline is away. If it passes, simulated time has passed as well: a clock then shows
//! that it is over.

use std::ffi::c_int;

use libc::{clockid_t, pthread_cond_t, pthread_mutex_t, pthread_rwlock_t, sem_t, timespec};

use crate::real::{self, libc_function};
use crate::source::{nanoseconds, shows, sleep, time_of};

/// A monotonic clock begins when the machine does; the time of day passed this long ago.
/// Source: ours, thirty years in nanoseconds. Status: assumed.
const MONOTONIC_MAX: i64 = 30 * 365 * 86_400 * 1_000_000_000;

/// What a deadline is on the system's clock; `None` where clocks are the system's.
fn real_deadline(clock: clockid_t, deadline: i64) -> Option<timespec> {
    let left = deadline.checked_sub(shows(clock)?)?.max(0);
    Some(time_of(real::now(clock)?.saturating_add(left)))
}

/// The clock of a deadline whose clock is a property of its condition variable.
///
/// # Safety
/// `deadline` is null, or points to a time.
unsafe fn clock_of(deadline: *const timespec) -> clockid_t {
    // SAFETY: by this function's contract.
    let time = unsafe { deadline.as_ref() }.and_then(nanoseconds);
    if time.is_some_and(|time| time < MONOTONIC_MAX) { libc::CLOCK_MONOTONIC } else { libc::CLOCK_REALTIME }
}

/// Calls `call` with the deadline on the system's clock. `is_over`: whether its answer says that
/// the deadline has passed.
///
/// # Safety
/// `deadline` is null, or points to a time.
pub unsafe fn until(
    clock: clockid_t,
    deadline: *const timespec,
    is_over: fn(c_int) -> bool,
    call: impl FnOnce(*const timespec) -> c_int,
) -> c_int {
    // SAFETY: by this function's contract.
    let asked = unsafe { deadline.as_ref() }.and_then(nanoseconds);
    let Some((asked, real)) = asked.and_then(|asked| Some((asked, real_deadline(clock, asked)?))) else {
        return call(deadline);
    };
    let answer = call(&raw const real);
    if is_over(answer) {
        // Meanwhile other ranks, or other threads, may have let time pass.
        if let Some(left) = shows(clock).map(|now| asked - now).filter(|left| *left > 0) {
            let _ = sleep(left);
        }
        // Semaphores and system calls say it here.
        // SAFETY: every thread has its place for the error.
        unsafe { *libc::__errno_location() = libc::ETIMEDOUT };
    }
    answer
}

/// What functions of threads answer.
fn says_over(answer: c_int) -> bool {
    answer == libc::ETIMEDOUT
}

/// What functions of semaphores, and system calls, answer.
pub fn fails_over(answer: c_int) -> bool {
    // SAFETY: every thread has its place for the error.
    answer == -1 && unsafe { *libc::__errno_location() } == libc::ETIMEDOUT
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    let call = libc_function!(
        c"pthread_cond_timedwait",
        fn(*mut pthread_cond_t, *mut pthread_mutex_t, *const timespec) -> c_int
    );
    // SAFETY: as the caller says.
    unsafe { until(clock_of(deadline), deadline, says_over, |deadline| call(condition, mutex, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    let call = libc_function!(
        c"pthread_cond_clockwait",
        fn(*mut pthread_cond_t, *mut pthread_mutex_t, clockid_t, *const timespec) -> c_int
    );
    // SAFETY: as the caller says.
    unsafe { until(clock, deadline, says_over, |deadline| call(condition, mutex, clock, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, deadline: *const timespec) -> c_int {
    let call = libc_function!(c"pthread_mutex_timedlock", fn(*mut pthread_mutex_t, *const timespec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { until(libc::CLOCK_REALTIME, deadline, says_over, |deadline| call(mutex, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_timedwait(semaphore: *mut sem_t, deadline: *const timespec) -> c_int {
    let call = libc_function!(c"sem_timedwait", fn(*mut sem_t, *const timespec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { until(libc::CLOCK_REALTIME, deadline, fails_over, |deadline| call(semaphore, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, deadline: *const timespec) -> c_int {
    let call = libc_function!(c"sem_clockwait", fn(*mut sem_t, clockid_t, *const timespec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { until(clock, deadline, fails_over, |deadline| call(semaphore, clock, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, deadline: *const timespec) -> c_int {
    let call = libc_function!(c"pthread_rwlock_timedrdlock", fn(*mut pthread_rwlock_t, *const timespec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { until(libc::CLOCK_REALTIME, deadline, says_over, |deadline| call(lock, deadline)) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, deadline: *const timespec) -> c_int {
    let call = libc_function!(c"pthread_rwlock_timedwrlock", fn(*mut pthread_rwlock_t, *const timespec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { until(libc::CLOCK_REALTIME, deadline, says_over, |deadline| call(lock, deadline)) }
}
