//! The handler of `SIGSEGV`, which this library shares with the program once it has one.
//!
//! A program that sets its own handler, or asks for it, sees its own. No mask that the program sets
//! has the signal: a refused instruction in a thread that blocks it would end the process.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use libc::{
    SA_NODEFER, SA_ONSTACK, SA_RESETHAND, SA_RESTART, SA_SIGINFO, SIG_DFL, SIG_IGN, SIGSEGV, sighandler_t, siginfo_t,
    sigset_t,
};

use crate::counter;
use crate::real::libc_function;

type Action = libc::sigaction;

/// What the program wants to happen at a fault; null: there is no handler of this library. Earlier
/// ones are never freed: a handler may run.
static WANTED: AtomicPtr<Action> = AtomicPtr::new(null_mut());

/// The default, for handlers that are used once: a handler may not allocate.
static DEFAULT: AtomicPtr<Action> = AtomicPtr::new(null_mut());

fn kept(action: Action) -> *mut Action {
    Box::into_raw(Box::new(action))
}

fn default_action() -> Action {
    // SAFETY: all of its fields may be 0, which is the default.
    unsafe { std::mem::zeroed() }
}

fn real_sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    let call = libc_function!(c"sigaction", fn(c_int, *const Action, *mut Action) -> c_int);
    // SAFETY: as the caller says.
    unsafe { call(signal, new, old) }
}

/// Installs this library's handler, before which the program's was.
pub fn install() {
    if !WANTED.load(Ordering::Acquire).is_null() {
        return;
    }
    let (mut ours, mut before) = (default_action(), default_action());
    ours.sa_sigaction = handle as *const () as sighandler_t;
    // On the program's own stack for signals, if it has one; and a read of the counter in its
    // handler is a fault in a handler.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    if real_sigaction(SIGSEGV, std::ptr::null(), &raw mut before) == 0 {
        DEFAULT.store(kept(default_action()), Ordering::Relaxed);
        WANTED.store(kept(before), Ordering::Release);
        real_sigaction(SIGSEGV, &raw const ours, null_mut());
    }
}

/// Lets faults reach the calling thread.
pub fn unblock() {
    // SAFETY: the set is local, and the call changes only this thread's mask.
    unsafe {
        let mut only: sigset_t = std::mem::zeroed();
        libc::sigaddset(&raw mut only, SIGSEGV);
        real_mask(libc::SIG_UNBLOCK, &raw const only, null_mut());
    }
}

unsafe extern "C" fn handle(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: every thread has its place for the error, and the kernel gives both others.
    let is_ours = unsafe {
        let error = libc::__errno_location();
        let before = *error;
        let is_ours = counter::trapped(&*information, &mut *context.cast());
        *error = before;
        is_ours
    };
    if is_ours {
        return;
    }
    // SAFETY: it is never freed, and there is one since this handler was installed.
    let wanted = unsafe { *WANTED.load(Ordering::Acquire) };
    // SAFETY: as above.
    let is_sent = unsafe { (*information).si_code } <= 0;
    match wanted.sa_sigaction {
        SIG_IGN if is_sent => {}
        SIG_DFL | SIG_IGN => {
            // The instruction fails once more, and the system does what it does by default.
            let by_default = default_action();
            real_sigaction(SIGSEGV, &raw const by_default, null_mut());
            if is_sent {
                // SAFETY: it sends this thread the signal that it got.
                unsafe { libc::raise(signal) };
            }
        }
        handler => {
            if wanted.sa_flags & SA_RESETHAND != 0 {
                WANTED.store(DEFAULT.load(Ordering::Relaxed), Ordering::Release);
            }
            // SAFETY: the program has given a function of this type, and a mask.
            unsafe {
                let mut before: sigset_t = std::mem::zeroed();
                real_mask(libc::SIG_BLOCK, &raw const wanted.sa_mask, &raw mut before);
                if wanted.sa_flags & SA_SIGINFO != 0 {
                    let handler: unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                        std::mem::transmute(handler);
                    handler(signal, information, context);
                } else {
                    let handler: unsafe extern "C" fn(c_int) = std::mem::transmute(handler);
                    handler(signal);
                }
                real_mask(libc::SIG_SETMASK, &raw const before, null_mut());
            }
        }
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    // SAFETY: as the caller says.
    let asked = unsafe { new.as_ref() }.map(|new| Action { sa_mask: without_faults(new.sa_mask), ..*new });
    let wanted = WANTED.load(Ordering::Acquire);
    if signal != SIGSEGV || wanted.is_null() {
        return real_sigaction(signal, asked.as_ref().map_or(std::ptr::null(), std::ptr::from_ref), old);
    }
    let before = match asked {
        Some(asked) => WANTED.swap(kept(asked), Ordering::AcqRel),
        None => wanted,
    };
    if !old.is_null() {
        // SAFETY: the caller has room for it, and the action is never freed.
        unsafe { old.write(*before) };
    }
    0
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    if signal != SIGSEGV || WANTED.load(Ordering::Acquire).is_null() {
        let call = libc_function!(c"signal", fn(c_int, sighandler_t) -> sighandler_t);
        // SAFETY: as the caller says.
        return unsafe { call(signal, handler) };
    }
    let (mut new, mut old) = (default_action(), default_action());
    (new.sa_sigaction, new.sa_flags) = (handler, SA_RESTART);
    // SAFETY: both are here.
    unsafe { sigaction(signal, &raw const new, &raw mut old) };
    old.sa_sigaction
}

/// `signal` as the System has it, which is `signal` itself in strict C: the handler is for one
/// signal.
///
/// # Safety As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sysv_signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    let (mut new, mut old) = (default_action(), default_action());
    (new.sa_sigaction, new.sa_flags) = (handler, SA_RESETHAND | SA_NODEFER);
    // SAFETY: both are here.
    match unsafe { sigaction(signal, &raw const new, &raw mut old) } {
        0 => old.sa_sigaction,
        _ => libc::SIG_ERR,
    }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sysv_signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: as the caller says.
    unsafe { __sysv_signal(number, handler) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bsd_signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    // SAFETY: as the caller says.
    unsafe { signal(number, handler) }
}

fn without_faults(mut set: sigset_t) -> sigset_t {
    // SAFETY: the set is here.
    unsafe { libc::sigdelset(&raw mut set, SIGSEGV) };
    set
}

/// # Safety
/// As of libc's.
unsafe fn real_mask(how: c_int, new: *const sigset_t, old: *mut sigset_t) -> c_int {
    let call = libc_function!(c"pthread_sigmask", fn(c_int, *const sigset_t, *mut sigset_t) -> c_int);
    // SAFETY: as the caller says.
    unsafe { call(how, new, old) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_sigmask(how: c_int, new: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: as the caller says.
    let asked = unsafe { new.as_ref() }.map(|new| if how == libc::SIG_UNBLOCK { *new } else { without_faults(*new) });
    // SAFETY: as the caller says.
    unsafe { real_mask(how, asked.as_ref().map_or(std::ptr::null(), std::ptr::from_ref), old) }
}

/// # Safety
/// As of libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigprocmask(how: c_int, new: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { pthread_sigmask(how, new, old) } {
        0 => 0,
        error => crate::real::fail(error),
    }
}
