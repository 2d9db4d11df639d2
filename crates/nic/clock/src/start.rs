//! Functions that start programs: the trap of [`crate::counter`] must not reach those.

use std::arch::naked_asm;
use std::ffi::{c_char, c_int, c_void};

use libc::{FILE, pid_t, posix_spawn_file_actions_t, posix_spawnattr_t};

use crate::counter::without;
use crate::home::away;
use crate::real::libc_function;
use crate::source::in_child;

/// Makes `work` as a process that has no part in simulated time would.
pub fn outside<T>(work: impl FnOnce() -> T) -> T {
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

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execveat(
    folder: c_int,
    path: *const c_char,
    arguments: ConstantList,
    environment: ConstantList,
    flags: c_int,
) -> c_int {
    let call = libc_function!(c"execveat", fn(c_int, *const c_char, ConstantList, ConstantList, c_int) -> c_int);
    // SAFETY: as the caller says.
    outside(|| unsafe { call(folder, path, arguments, environment, flags) })
}

/// Words that a call gets in registers. Source: the calling convention of x86-64 on Linux. Status:
/// published.
const IN_REGISTERS: usize = 6;
/// Words of a call that need no memory of the heap, which a child of a fork had better not ask for.
/// Source: ours. Status: assumed.
const WORDS_FEW: usize = 256;

/// The words of a call of which there is no fixed number: the first in registers, the others on the
/// stack.
struct CallWords {
    registers: *const [*const c_char; IN_REGISTERS],
    stack: *const *const c_char,
}

impl CallWords {
    /// # Safety
    /// The call has so many words.
    unsafe fn at(&self, place: usize) -> *const c_char {
        // SAFETY: by this function's contract.
        unsafe {
            match place.checked_sub(IN_REGISTERS) {
                None => (*self.registers)[place],
                Some(place) => *self.stack.add(place),
            }
        }
    }

    /// Makes `call` with the program, its words, and the place of the word behind them.
    ///
    /// # Safety
    /// The call's words after the first end with a null.
    unsafe fn with_list(&self, call: impl FnOnce(*const c_char, ConstantList, usize) -> c_int) -> c_int {
        let mut few = [std::ptr::null(); WORDS_FEW];
        let mut count = 0;
        // SAFETY: by this function's contract.
        while unsafe { !self.at(1 + count).is_null() } {
            count += 1;
        }
        let mut many = Vec::new();
        let list = if count < WORDS_FEW {
            &mut few[..]
        } else {
            many.resize(count + 1, std::ptr::null());
            &mut many[..]
        };
        for (place, word) in list.iter_mut().enumerate().take(count) {
            // SAFETY: there are as many.
            *word = unsafe { self.at(1 + place) };
        }
        // SAFETY: the program is the first word.
        call(unsafe { self.at(0) }, list.as_ptr(), count + 2)
    }
}

/// Hands the words of a call over to a function that takes [`CallWords`]' two places.
macro_rules! of_any_number {
    ($name:ident, $with:ident, |$words:ident| $body:expr) => {
        unsafe extern "C" fn $with(
            registers: *const [*const c_char; IN_REGISTERS],
            stack: *const *const c_char,
        ) -> c_int {
            let $words = CallWords { registers, stack };
            // SAFETY: as the caller of the function of libc's name says.
            unsafe { $body }
        }

        /// # Safety
        /// As of libc's.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() -> c_int {
            // The stack is aligned to 16 bytes for the call: the return address needs 8 of them.
            naked_asm!(
                "sub rsp, 56",
                "mov [rsp], rdi",
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                "mov rdi, rsp",
                "lea rsi, [rsp + 64]",
                "call {with}",
                "add rsp, 56",
                "ret",
                with = sym $with,
            )
        }
    };
}

of_any_number!(execl, execl_with, |words| words.with_list(|path, list, _| execv(path, list)));
of_any_number!(execlp, execlp_with, |words| words.with_list(|file, list, _| execvp(file, list)));
// The environment follows the null behind the words.
of_any_number!(execle, execle_with, |words| {
    words.with_list(|path, list, behind| execve(path, list, words.at(behind).cast()))
});
