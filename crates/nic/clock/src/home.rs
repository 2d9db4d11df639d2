//! The processor on which a thread stays while its rank takes turns with the coordinator.
//!
//! On one processor a turn changes hands in a few microseconds; to wake another one that is idle
//! takes several times as long. So the coordinator says on which processor the turns of a rank are
//! taken, and the thread that has the turn goes there. The program does not notice: it is told the
//! processors that it had, threads and programs that it starts may use them all, and a thread that
//! sets its processors itself is left alone. Not covered: processors that are asked for without
//! libc's functions.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

use libc::{cpu_set_t, pid_t, pthread_attr_t, pthread_t, size_t};

use crate::real::libc_function;

/// No processor in particular.
const ANY: c_int = -1;
/// Processors that a set has room for.
const PROCESSORS_MAX: usize = 8 * size_of::<cpu_set_t>();

thread_local! {
    /// Where this thread is to stay, and where it stays.
    static ASKED: Cell<c_int> = const { Cell::new(ANY) };
    static HOME: Cell<c_int> = const { Cell::new(ANY) };
    /// The processors that it had before.
    static BEFORE: Cell<Option<cpu_set_t>> = const { Cell::new(None) };
    /// Whether the program has set its processors.
    static IS_SET: Cell<bool> = const { Cell::new(false) };
}

/// The threads that stay somewhere, by their numbers, and the processors that they had.
static STAYING: Mutex<Vec<(pid_t, cpu_set_t)>> = Mutex::new(Vec::new());

fn get(thread: pid_t) -> Option<cpu_set_t> {
    // SAFETY: a set without a processor.
    let mut found: cpu_set_t = unsafe { std::mem::zeroed() };
    let call = libc_function!(c"sched_getaffinity", fn(pid_t, size_t, *mut cpu_set_t) -> c_int);
    // SAFETY: there is room for the set.
    let result = unsafe { call(thread, size_of::<cpu_set_t>(), &raw mut found) };
    (result == 0).then_some(found)
}

fn set(thread: pid_t, processors: &cpu_set_t) -> bool {
    let call = libc_function!(c"sched_setaffinity", fn(pid_t, size_t, *const cpu_set_t) -> c_int);
    // SAFETY: a set of the size that is given.
    unsafe { call(thread, size_of::<cpu_set_t>(), processors) == 0 }
}

/// The set of one processor.
fn only(processor: c_int) -> cpu_set_t {
    // SAFETY: a set without a processor, and a number in range, as `philae_clock_home` takes it.
    unsafe {
        let mut set: cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(processor as usize, &mut set);
        set
    }
}

fn this_thread() -> pid_t {
    // SAFETY: the call only says which thread this is.
    unsafe { libc::gettid() }
}

/// The calling thread stays on this processor from now on; -1: on any that it had.
#[unsafe(no_mangle)]
pub extern "C" fn philae_clock_home(processor: c_int) {
    if ASKED.replace(processor) == processor || IS_SET.get() {
        return;
    }
    let mut staying = STAYING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(before) = BEFORE.get().or_else(|| get(0)) else { return };
    let in_range = usize::try_from(processor).ok().filter(|processor| *processor < PROCESSORS_MAX);
    // SAFETY: the number is in range.
    let may = in_range.is_some_and(|processor| unsafe { libc::CPU_ISSET(processor, &before) });
    let wanted = if may { only(processor) } else { before };
    if !set(0, &wanted) {
        return;
    }
    if BEFORE.replace(Some(before)).is_none() {
        staying.push((this_thread(), before));
    }
    HOME.set(if may { processor } else { ANY });
}

/// All threads of this process have the processors that they had.
pub fn free_all() {
    let staying = std::mem::take(&mut *STAYING.lock().unwrap_or_else(PoisonError::into_inner));
    for (thread, before) in staying {
        // A thread that has ended has none, and its number may be another process's.
        if std::fs::metadata(format!("/proc/self/task/{thread}")).is_ok() {
            set(thread, &before);
        }
    }
    forget();
}

fn forget() {
    ASKED.set(ANY);
    HOME.set(ANY);
    BEFORE.set(None);
}

/// A child of a fork: it has no turns.
pub fn in_child() {
    if let Some(before) = BEFORE.get() {
        set(0, &before);
    }
    forget();
}

/// Makes `work`, which starts a thread or a program, with the processors that this thread had.
pub fn away<T>(work: impl FnOnce() -> T) -> T {
    let home = HOME.get();
    let Some(before) = BEFORE.get().filter(|_| home != ANY) else { return work() };
    set(0, &before);
    let result = work();
    set(0, &only(home));
    result
}

/// What the program is told of a thread's processors.
fn told(thread: pid_t, size: size_t, found: *mut cpu_set_t) {
    let is_own = thread == 0 || thread == this_thread();
    let Some(before) = BEFORE.get().filter(|_| is_own && HOME.get() != ANY) else { return };
    // SAFETY: the caller has room for as many bytes, which the system has filled.
    unsafe { found.cast::<u8>().copy_from((&raw const before).cast(), size.min(size_of::<cpu_set_t>())) };
}

/// The program has set a thread's processors itself.
fn has_set(thread: pid_t) {
    let own = this_thread();
    if thread != 0 && thread != own {
        return;
    }
    forget();
    IS_SET.set(true);
    STAYING.lock().unwrap_or_else(PoisonError::into_inner).retain(|(staying, _)| *staying != own);
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getaffinity(thread: pid_t, size: size_t, found: *mut cpu_set_t) -> c_int {
    let call = libc_function!(c"sched_getaffinity", fn(pid_t, size_t, *mut cpu_set_t) -> c_int);
    // SAFETY: as the caller says.
    let result = unsafe { call(thread, size, found) };
    if result == 0 {
        told(thread, size, found);
    }
    result
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_setaffinity(thread: pid_t, size: size_t, wanted: *const cpu_set_t) -> c_int {
    let call = libc_function!(c"sched_setaffinity", fn(pid_t, size_t, *const cpu_set_t) -> c_int);
    // SAFETY: as the caller says.
    let result = unsafe { call(thread, size, wanted) };
    if result == 0 {
        has_set(thread);
    }
    result
}

/// The number of a thread if it is the calling one; others have none here.
fn number_of(thread: pthread_t) -> pid_t {
    // SAFETY: the call only says which thread this is.
    if thread == unsafe { libc::pthread_self() } { 0 } else { ANY }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_getaffinity_np(thread: pthread_t, size: size_t, found: *mut cpu_set_t) -> c_int {
    let call = libc_function!(c"pthread_getaffinity_np", fn(pthread_t, size_t, *mut cpu_set_t) -> c_int);
    // SAFETY: as the caller says.
    let result = unsafe { call(thread, size, found) };
    if result == 0 {
        told(number_of(thread), size, found);
    }
    result
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_setaffinity_np(thread: pthread_t, size: size_t, wanted: *const cpu_set_t) -> c_int {
    let call = libc_function!(c"pthread_setaffinity_np", fn(pthread_t, size_t, *const cpu_set_t) -> c_int);
    // SAFETY: as the caller says.
    let result = unsafe { call(thread, size, wanted) };
    if result == 0 {
        has_set(number_of(thread));
    }
    result
}

type ThreadStart = extern "C" fn(*mut c_void) -> *mut c_void;

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: ThreadStart,
    argument: *mut c_void,
) -> c_int {
    let call =
        libc_function!(c"pthread_create", fn(*mut pthread_t, *const pthread_attr_t, ThreadStart, *mut c_void) -> c_int);
    // SAFETY: as the caller says.
    away(|| unsafe { call(thread, attributes, start, argument) })
}
