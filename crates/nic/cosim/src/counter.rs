//! The trap of the processor's counter on the coordinator's side.
//!
//! A rank's thread reads the counter (`rdtsc`) with a trap, so that it shows simulated time. Each
//! switch between a thread with the trap and one without changes a control register of the
//! processor. On a virtual machine that is the hypervisor's work, and takes several times as long
//! as the switch. So a thread of the coordinator that stays on its ranks' processor takes the trap
//! as well. It does not read the counter between two turns. If anything does nevertheless, the
//! first read removes the trap, and [`crate::home`] sets it again later.
//!
//! Other processors than x86-64 have no trap.

/// Whether the calling thread has the trap.
pub fn has_trap() -> bool {
    imp::has_trap()
}

/// Sets the trap on the calling thread. Must not be called where another handler of `SIGSEGV` was
/// set after the first call.
pub fn trap() {
    imp::trap();
}

/// Removes the trap from the calling thread.
pub fn free() {
    imp::free();
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    pub fn has_trap() -> bool {
        false
    }

    pub fn trap() {}

    pub fn free() {}
}

#[cfg(target_arch = "x86_64")]
mod imp {
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;

    use libc::{sigaction, siginfo_t};

    /// `prctl` about the counter, and its two answers. Source: prctl(2), linux/prctl.h. Status:
    /// published.
    const PR_GET_TSC: c_int = 25;
    const PR_SET_TSC: c_int = 26;
    const PR_TSC_ENABLE: c_int = 1;
    const PR_TSC_SIGSEGV: c_int = 2;
    /// The code of a fault that has no address, as that of a refused instruction. Source:
    /// sigaction(2). Status: published.
    const SI_KERNEL: c_int = 0x80;

    /// What handled `SIGSEGV` before; `None`: the handler could not be set.
    static BEFORE: OnceLock<Option<sigaction>> = OnceLock::new();

    pub fn has_trap() -> bool {
        let mut mode: c_int = 0;
        // SAFETY: there is room for the answer.
        let asked = unsafe { libc::prctl(PR_GET_TSC, &raw mut mode, 0, 0, 0) };
        asked == 0 && mode == PR_TSC_SIGSEGV
    }

    fn set(mode: c_int) {
        // SAFETY: the call changes only this thread's access to the counter. A kernel that refuses
        // leaves it as it is.
        unsafe { libc::prctl(PR_SET_TSC, mode, 0, 0, 0) };
    }

    pub fn trap() {
        if BEFORE.get_or_init(install).is_some() {
            set(PR_TSC_SIGSEGV);
        }
    }

    pub fn free() {
        if has_trap() {
            set(PR_TSC_ENABLE);
        }
    }

    fn install() -> Option<sigaction> {
        // SAFETY: the actions are complete, and the handler does what a handler may.
        unsafe {
            let (mut ours, mut before): (sigaction, sigaction) = (std::mem::zeroed(), std::mem::zeroed());
            ours.sa_sigaction = handle as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            (sigaction(libc::SIGSEGV, &raw const ours, &raw mut before) == 0).then_some(before)
        }
    }

    /// A fault of a thread with the trap may be a read of the counter: it runs again without the
    /// trap. If it fails again, it was another fault, and goes to the handler before this one, as a
    /// signal that a process has sent does.
    extern "C" fn handle(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
        // SAFETY: the system gives a handler of this kind the information.
        let code = unsafe { (*information).si_code };
        if code == SI_KERNEL && has_trap() {
            set(PR_TSC_ENABLE);
            return;
        }
        let is_sent = code <= 0;
        let before = BEFORE.get().and_then(Option::as_ref);
        let Some(before) = before.filter(|before| before.sa_sigaction > libc::SIG_IGN) else {
            // SAFETY: the fault comes again, and ends the process as it does without a handler. A
            // signal that was sent does not come again by itself.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if is_sent {
                    libc::raise(signal);
                }
            }
            return;
        };
        // SAFETY: the program has set this handler for this signal, and its flags say which kind
        // it is.
        unsafe {
            if before.sa_flags & libc::SA_SIGINFO == 0 {
                std::mem::transmute::<usize, extern "C" fn(c_int)>(before.sa_sigaction)(signal);
            } else {
                std::mem::transmute::<usize, extern "C" fn(c_int, *mut siginfo_t, *mut c_void)>(before.sa_sigaction)(
                    signal,
                    information,
                    context,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_thread_that_reads_a_clock_loses_the_trap_and_nothing_else() {
        std::thread::spawn(|| {
            let before = Instant::now();
            trap();
            assert!(has_trap(), "the kernel has the trap");
            let after = Instant::now();
            assert!(!has_trap(), "the read of the clock has removed it");
            assert!(after >= before, "the clock goes on");
            trap();
            free();
            assert!(!has_trap(), "it can be removed");
        })
        .join()
        .expect("the thread ends by itself");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_thread_that_another_one_with_the_trap_makes_reads_clocks_as_well() {
        let maker = std::thread::spawn(|| {
            trap();
            std::thread::spawn(|| {
                assert!(has_trap(), "a new thread has what its maker has");
                Instant::now()
            })
            .join()
        });
        let began = maker.join().expect("the maker ends by itself").expect("the thread ends by itself");
        assert!(began <= Instant::now(), "the clock goes on");
    }
}
