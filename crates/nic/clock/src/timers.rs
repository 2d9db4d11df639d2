//! Timers, which run in real time: the owner of simulated time is told of them. And waits for
//! signals.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use libc::{itimerspec, itimerval, siginfo_t, sigset_t, timer_t, timespec, useconds_t};

use crate::real::{fail, libc_function};
use crate::source::{attached, has_part, nanoseconds, time_of};

/// Is told the name of a function whose effect is in real time.
type Report = unsafe extern "C" fn(*const c_char);

/// A [`Report`], or null.
static REPORT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
/// The functions that were told, by their place in [`NAMES`].
static TOLD: AtomicU32 = AtomicU32::new(0);
/// Functions whose effect is in real time.
const NAMES: [&CStr; 5] = [c"alarm", c"ualarm", c"setitimer", c"timer_settime", c"timerfd_settime"];

/// Tells `report` the first call of each function whose effect is in real time.
///
/// # Safety
/// `report` is a function that any thread may call as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_clock_report(report: Report) {
    REPORT.store(report as *mut c_void, Ordering::Release);
}

/// A thread with a part in simulated time calls a function whose effect is in real time.
fn tell(name: &CStr) {
    if attached().is_none() || !has_part() {
        return;
    }
    let Some(place) = NAMES.iter().position(|known| *known == name) else { return };
    let report = REPORT.load(Ordering::Acquire);
    if report.is_null() || TOLD.fetch_or(1 << place, Ordering::Relaxed) & (1 << place) != 0 {
        return;
    }
    // SAFETY: by the contract of `philae_clock_report`.
    unsafe { std::mem::transmute::<*mut c_void, Report>(report)(name.as_ptr()) };
}

#[unsafe(no_mangle)]
pub extern "C" fn alarm(seconds: c_uint) -> c_uint {
    if seconds > 0 {
        tell(c"alarm");
    }
    let call = libc_function!(c"alarm", fn(c_uint) -> c_uint);
    // SAFETY: it takes a number.
    unsafe { call(seconds) }
}

#[unsafe(no_mangle)]
pub extern "C" fn ualarm(first: useconds_t, interval: useconds_t) -> useconds_t {
    if first > 0 {
        tell(c"ualarm");
    }
    let call = libc_function!(c"ualarm", fn(useconds_t, useconds_t) -> useconds_t);
    // SAFETY: it takes numbers.
    unsafe { call(first, interval) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setitimer(which: c_int, new: *const itimerval, old: *mut itimerval) -> c_int {
    // SAFETY: the caller has a time there, or null.
    let begins = unsafe { new.as_ref() }.is_some_and(|new| new.it_value.tv_sec > 0 || new.it_value.tv_usec > 0);
    if begins {
        tell(c"setitimer");
    }
    let call = libc_function!(c"setitimer", fn(c_int, *const itimerval, *mut itimerval) -> c_int);
    // SAFETY: as the caller says.
    unsafe { call(which, new, old) }
}

/// Whether a setting starts a timer.
///
/// # Safety
/// `new` is null, or points to a setting.
unsafe fn begins(new: *const itimerspec) -> bool {
    // SAFETY: by this function's contract.
    unsafe { new.as_ref() }.is_some_and(|new| new.it_value.tv_sec > 0 || new.it_value.tv_nsec > 0)
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_settime(
    timer: timer_t,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    // SAFETY: as the caller says.
    if unsafe { begins(new) } {
        tell(c"timer_settime");
    }
    let call = libc_function!(c"timer_settime", fn(timer_t, c_int, *const itimerspec, *mut itimerspec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { call(timer, flags, new, old) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn timerfd_settime(
    file: c_int,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> c_int {
    // SAFETY: as the caller says.
    if unsafe { begins(new) } {
        tell(c"timerfd_settime");
    }
    let call = libc_function!(c"timerfd_settime", fn(c_int, c_int, *const itimerspec, *mut itimerspec) -> c_int);
    // SAFETY: as the caller says.
    unsafe { call(file, flags, new, old) }
}

/// Signals come in real time, from other processes and from timers: a wait for one takes its time
/// on both clocks, as a wait for a file does.
///
/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigtimedwait(
    signals: *const sigset_t,
    information: *mut siginfo_t,
    limit: *const timespec,
) -> c_int {
    let call = libc_function!(c"sigtimedwait", fn(*const sigset_t, *mut siginfo_t, *const timespec) -> c_int);
    // SAFETY: the caller has a time there, or null.
    let asked = unsafe { limit.as_ref() }.and_then(nanoseconds).filter(|asked| *asked > 0 && attached().is_some());
    // SAFETY: as the caller says.
    let Some(asked) = asked else { return unsafe { call(signals, information, limit) } };
    let (mut got, mut error) = (0, 0);
    let over = crate::poll::wait(asked, true, |time| {
        let time = time_of(time);
        // SAFETY: as the caller says.
        unsafe {
            got = call(signals, information, &raw const time);
            error = *libc::__errno_location();
        }
        if got == -1 && error == libc::EAGAIN { 0 } else { 1 }
    });
    match over {
        0 => fail(libc::EAGAIN),
        _ if got == -1 => fail(error),
        _ => got,
    }
}
