//! Signals that end a command wait while it gives a file its name, so that no temporary file stays.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register_conditional_default, register_usize};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Signals by which a person or a system ends a command: Ctrl-C, `kill`, the end of the terminal.
pub const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Whether signals of this process may wait: a library in another program must not decide that.
static MAY_WAIT: AtomicBool = AtomicBool::new(false);

/// Parts of the program that must not be cut off now.
static PARTS: Mutex<usize> = Mutex::new(0);

/// The state that handlers of signals see.
struct Handlers {
    /// A signal has its usual effect.
    is_free: Arc<AtomicBool>,
    /// The last signal that came; 0: none.
    came: Arc<AtomicUsize>,
}

static HANDLERS: OnceLock<Option<Handlers>> = OnceLock::new();

/// Lets [`HeldSignals`] hold signals in this program.
pub fn signals_may_wait() {
    MAY_WAIT.store(true, Ordering::Relaxed);
}

/// The program has its own handlers of [`ENDING`] from now on, which end it.
pub fn signals_have_handlers() {
    MAY_WAIT.store(false, Ordering::Relaxed);
    if let Some(Some(handlers)) = HANDLERS.get() {
        handlers.is_free.store(false, Ordering::SeqCst);
    }
}

/// Whether the program's caller has had it ignore this signal, as `nohup` does with SIGHUP.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// While it lives, SIGINT, SIGTERM and SIGHUP wait; then they end the program as usual.
#[derive(Debug)]
pub struct HeldSignals {
    is_held: bool,
}

impl HeldSignals {
    /// Holds signals, if this program [lets it](signals_may_wait).
    #[must_use]
    pub fn hold() -> Self {
        let handlers = MAY_WAIT.load(Ordering::Relaxed).then(|| HANDLERS.get_or_init(|| registered().ok()).as_ref());
        let Some(handlers) = handlers.flatten() else { return Self { is_held: false } };
        let mut parts = PARTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *parts += 1;
        handlers.is_free.store(false, Ordering::SeqCst);
        Self { is_held: true }
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        let handlers = HANDLERS.get().and_then(Option::as_ref).filter(|_| self.is_held);
        let Some(handlers) = handlers else { return };
        let mut parts = PARTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *parts -= 1;
        if *parts > 0 || !MAY_WAIT.load(Ordering::Relaxed) {
            return;
        }
        handlers.is_free.store(true, Ordering::SeqCst);
        let came = handlers.came.load(Ordering::SeqCst);
        if came != 0 {
            // This ends the program.
            let _ = emulate_default_handler(came as i32);
        }
    }
}

fn registered() -> io::Result<Handlers> {
    let handlers = Handlers { is_free: Arc::new(AtomicBool::new(true)), came: Arc::default() };
    for signal in ENDING.into_iter().filter(|signal| !is_ignored(*signal)) {
        register_conditional_default(signal, Arc::clone(&handlers.is_free))?;
        register_usize(signal, Arc::clone(&handlers.came), signal as usize)?;
    }
    Ok(handlers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    const CHILD: &str = "PHILAE_TEST_SIGNAL_CHILD";

    /// Runs in a process of its own, which the signal ends.
    #[test]
    fn a_signal_waits_for_the_end_of_a_part() {
        let folder = std::env::temp_dir();
        if let Some(file) = std::env::var_os(CHILD) {
            signals_may_wait();
            let outer = HeldSignals::hold();
            let inner = HeldSignals::hold();
            signal_hook::low_level::raise(SIGTERM).expect("this process may have signals");
            drop(inner);
            std::fs::write(file, "done").expect("there is room");
            drop(outer);
            unreachable!("the signal ends it");
        }
        let file = folder.join(format!("philae-console-signal-{}", std::process::id()));
        let mut child = Command::new(std::env::current_exe().expect("its own path"));
        child.args(["--exact", "signals::tests::a_signal_waits_for_the_end_of_a_part"]).env(CHILD, &file);
        let output = child.output().expect("it starts");
        assert_eq!(output.status.signal(), Some(SIGTERM), "{}", output.status);
        assert_eq!(std::fs::read_to_string(&file).expect("the part was done"), "done");
        std::fs::remove_file(file).expect("our file");
    }
}
