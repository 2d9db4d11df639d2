//! What libc and the system do.

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use libc::{clockid_t, timespec};

use crate::source::nanoseconds;

/// libc's functions of these names. All are looked up when this library is loaded: later the caller
/// may be a signal handler, or the child of a fork.
const NAMES: [&CStr; 52] = [
    c"alarm",
    c"clock",
    c"clock_gettime",
    c"clock_nanosleep",
    c"epoll_pwait",
    c"epoll_pwait2",
    c"epoll_wait",
    c"execv",
    c"execve",
    c"execveat",
    c"execvp",
    c"execvpe",
    c"fexecve",
    c"gettimeofday",
    c"nanosleep",
    c"poll",
    c"popen",
    c"posix_spawn",
    c"posix_spawnp",
    c"ppoll",
    c"pselect",
    c"pthread_cond_clockwait",
    c"pthread_cond_timedwait",
    c"pthread_create",
    c"pthread_getaffinity_np",
    c"pthread_mutex_timedlock",
    c"pthread_rwlock_timedrdlock",
    c"pthread_rwlock_timedwrlock",
    c"pthread_setaffinity_np",
    c"pthread_sigmask",
    c"sched_getaffinity",
    c"sched_setaffinity",
    c"sched_yield",
    c"select",
    c"sem_clockwait",
    c"sem_timedwait",
    c"setitimer",
    c"sigaction",
    c"signal",
    c"sigtimedwait",
    c"sleep",
    c"syscall",
    c"system",
    c"time",
    c"timer_settime",
    c"timerfd_settime",
    c"timespec_get",
    c"ualarm",
    c"usleep",
    c"_Fork",
    c"__poll_chk",
    c"__ppoll_chk",
];

static FOUND: [AtomicPtr<c_void>; NAMES.len()] = [const { AtomicPtr::new(std::ptr::null_mut()) }; NAMES.len()];

/// The place of a name in the list, while compiling.
pub const fn place_of(name: &CStr) -> usize {
    let mut place = 0;
    while place < NAMES.len() {
        if is_same(NAMES[place].to_bytes(), name.to_bytes()) {
            return place;
        }
        place += 1;
    }
    panic!("the name is not in the list")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// libc's function of this name: `libc_function!(c"poll", fn(...) -> c_int)`.
macro_rules! libc_function {
    ($name:expr, fn($($argument:ty),*) -> $answer:ty) => {{
        const PLACE: usize = $crate::real::place_of($name);
        // SAFETY: libc's function of this name has this type.
        unsafe {
            std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn($($argument),*) -> $answer>(
                $crate::real::find(PLACE),
            )
        }
    }};
}
pub(crate) use libc_function;

/// The version in which a function took its present form, where libc still has an older one. To ask
/// without a version gives the older one.
const PRESENT: (&CStr, &CStr) = (c"pthread_cond_timedwait", c"GLIBC_2.3.2");

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = find_all;

extern "C" fn find_all() {
    for (place, found) in FOUND.iter().enumerate() {
        found.store(look_up(NAMES[place]), Ordering::Relaxed);
    }
    #[cfg(target_arch = "x86_64")]
    crate::counter::loaded();
}

fn look_up(name: &CStr) -> *mut c_void {
    let (versioned, version) = PRESENT;
    if name == versioned {
        // SAFETY: both are texts that end with a zero.
        let found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) };
        if !found.is_null() {
            return found;
        }
    }
    // SAFETY: as above.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// The function at a place of the list, behind this library.
pub fn find(place: usize) -> *mut c_void {
    let found = FOUND[place].load(Ordering::Relaxed);
    if !found.is_null() {
        return found;
    }
    // Another library may be set up before this one.
    let found = look_up(NAMES[place]);
    if found.is_null() {
        // A program that calls a function which its libc lacks would not have started.
        std::process::abort();
    }
    FOUND[place].store(found, Ordering::Relaxed);
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
