//! Functions that start programs without a fork of libc's: the trap of [`crate::counter`] must not
//! reach those.

use std::ffi::{c_char, c_int, c_void};

use libc::{FILE, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t};

use crate::counter::without;
use crate::real::libc_function;

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
    without(|| unsafe { call(child, path, actions, attributes, arguments, environment) })
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
    without(|| unsafe { call(child, file, actions, attributes, arguments, environment) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn system(command: *const c_char) -> c_int {
    let call = libc_function!(c"system", fn(*const c_char) -> c_int);
    // SAFETY: as the caller says.
    without(|| unsafe { call(command) })
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut FILE {
    let call = libc_function!(c"popen", fn(*const c_char, *const c_char) -> *mut c_void);
    // SAFETY: as the caller says.
    without(|| unsafe { call(command, mode) }.cast())
}

/// A fork: the child may then lose the trap before it starts another program.
#[unsafe(no_mangle)]
pub extern "C" fn vfork() -> pid_t {
    // SAFETY: the child goes on where the caller does, in memory of its own.
    unsafe { libc::fork() }
}
