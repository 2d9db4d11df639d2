//! Which process and which thread this is, without a system call for each question.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of this process; 0: nothing has asked since it was forked.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// Whether children of this process will ask again.
static FORKS: AtomicU32 = AtomicU32::new(UNTOLD);
const UNTOLD: u32 = 0;
const TELLS: u32 = 1;
const TOLD: u32 = 2;

thread_local! {
    /// The process and the number of this thread.
    static THREAD: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// In a child of this process: it has a number of its own.
extern "C" fn forked() {
    PROCESS.store(0, Ordering::Relaxed);
}

/// The number of this process.
#[must_use]
pub fn process() -> u32 {
    let known = PROCESS.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    if FORKS.compare_exchange(UNTOLD, TELLS, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        // SAFETY: the function stores a number, which a child may do before anything else.
        unsafe { libc::pthread_atfork(None, None, Some(forked)) };
        FORKS.store(TOLD, Ordering::Release);
    }
    let own = std::process::id();
    // Without the handler a child would find its parent's number. It waits for no thread of its
    // parent that is about to install it: it has none.
    if FORKS.load(Ordering::Acquire) == TOLD {
        PROCESS.store(own, Ordering::Relaxed);
    }
    own
}

/// The number of this thread.
#[must_use]
pub fn thread() -> u32 {
    let own = process();
    let (of, known) = THREAD.get();
    if of == own {
        return known;
    }
    // SAFETY: the call only says which thread this is.
    let thread = unsafe { libc::gettid() }.cast_unsigned();
    THREAD.set((own, thread));
    thread
}

#[cfg(test)]
mod tests {
    use super::{process, thread};

    #[test]
    fn a_child_and_another_thread_have_numbers_of_their_own() {
        assert_eq!(process(), std::process::id());
        assert_ne!(std::thread::spawn(thread).join().expect("it ends"), thread());
        let parent = (process(), thread());
        // SAFETY: the child asks for numbers and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let is_new = process() == std::process::id() && process() != parent.0 && thread() == process();
            // SAFETY: it ends the child.
            unsafe { libc::_exit(i32::from(!is_new)) };
        }
        let mut status = 0;
        // SAFETY: there is room for the status.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0, "the child has its own numbers");
        assert_eq!((process(), thread()), parent);
    }
}
