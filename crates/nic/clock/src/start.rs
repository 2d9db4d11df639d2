//! Functions that start programs: the trap of [`crate::counter`] must not reach those. Not covered:
//! `execl` and its kind, whose arguments have no fixed number.

use std::ffi::{c_char, c_int, c_void};

use libc::{FILE, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t};

use crate::counter::without;
use crate::home::away;
use crate::real::libc_function;
use crate::source::in_child;

/// Makes `work` as a process that has no part in simulated time would.
fn outside<T>(work: impl FnOnce() -> T) -> T {
    away(|| without(work))
}

type Actions = *const posix_spawn_file_actions_t;
type Attributes = *const posix_spawnattr_t;
/// The words of a program, or of its environment.
type WordList = *const *mut c_char;

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_spawn(
    child: *mut pid_t,
    path: *const c_char,
    actions: Actions,
    attributes: Attributes,
    arguments: WordList,
    environment: WordList,
) -> c_int {
    let call =
        libc_function!(c"posix_spawn", fn(*mut pid_t, *const c_char, Actions, Attributes, WordList, WordList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(child, path, actions, attributes, arguments, environment) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_spawnp(
    child: *mut pid_t,
    file: *const c_char,
    actions: Actions,
    attributes: Attributes,
    arguments: WordList,
    environment: WordList,
) -> c_int {
    let call = libc_function!(
        c"posix_spawnp",
        fn(*mut pid_t, *const c_char, Actions, Attributes, WordList, WordList) -> c_int
    );
    // SAFETY: as the caller says.
    outside(|| unsafe { call(child, file, actions, attributes, arguments, environment) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn system(command: *const c_char) -> c_int {
    let call = libc_function!(c"system", fn(*const c_char) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(command) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut FILE {
    let call = libc_function!(c"popen", fn(*const c_char, *const c_char) -> *mut c_void);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(command, mode) }.cast())
}

/// A fork: the child may then lose the trap before it starts another program.
#[unsafe(no_mangle)]
pub extern "C" fn vfork() -> pid_t {
    // SAFETY: the child goes on where the caller does, in memory of its own.
    unsafe { libc::fork() }
}

/// A fork without the handlers of `pthread_atfork`.
#[unsafe(no_mangle)]
pub extern "C" fn _Fork() -> pid_t {
    let call = libc_function!(c"_Fork", fn() -> pid_t);
    // SAFETY: it takes nothing.
    let child = unsafe { call() };
    if child == 0 {
        in_child();
    }
    child
}

/// The word lists of functions that start a program in this process.
type ConstantList = *const *const c_char;

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execve(path: *const c_char, arguments: ConstantList, environment: ConstantList) -> c_int {
    let call = libc_function!(c"execve", fn(*const c_char, ConstantList, ConstantList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(path, arguments, environment) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execv(path: *const c_char, arguments: ConstantList) -> c_int {
    let call = libc_function!(c"execv", fn(*const c_char, ConstantList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(path, arguments) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execvp(file: *const c_char, arguments: ConstantList) -> c_int {
    let call = libc_function!(c"execvp", fn(*const c_char, ConstantList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(file, arguments) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execvpe(file: *const c_char, arguments: ConstantList, environment: ConstantList) -> c_int {
    let call = libc_function!(c"execvpe", fn(*const c_char, ConstantList, ConstantList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(file, arguments, environment) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fexecve(file: c_int, arguments: ConstantList, environment: ConstantList) -> c_int {
    let call = libc_function!(c"fexecve", fn(c_int, ConstantList, ConstantList) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(file, arguments, environment) })
}
