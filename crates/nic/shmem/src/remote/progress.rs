//! A thread that polls endpoints while the program computes, for providers that make no progress by
//! themselves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::error::RemoteError;
use super::network::SharedNetwork;

/// The pauses between polls: short after a completion, and doubled after each poll without one.
/// Source: ours; a thread that never sleeps takes a core from the program. Status: assumed.
const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_millis(1);

/// The thread. It ends on drop.
pub(super) struct ProgressThread {
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl ProgressThread {
    pub fn start(network: &Arc<SharedNetwork>) -> Result<Self, RemoteError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (told, weak) = (Arc::clone(&is_over), Arc::downgrade(network));
        let thread = std::thread::Builder::new().name("shmem-progress".to_owned()).spawn(move || work(&told, &weak));
        let thread = thread
            .map_err(|error| RemoteError::Job(format!("a thread that makes progress cannot be started: {error}")))?;
        Ok(Self { is_over, thread: Some(thread) })
    }
}

fn work(is_over: &AtomicBool, network: &Weak<SharedNetwork>) {
    let mut pause = SHORTEST;
    while !is_over.load(Ordering::Acquire) {
        let Some(network) = network.upgrade() else { return };
        // Waiting callers learn of a failure; if none waits, the next call does.
        let is_busy = network.progress().unwrap_or(false);
        drop(network);
        pause = if is_busy { SHORTEST } else { (pause * 2).min(LONGEST) };
        std::thread::sleep(pause);
    }
}

impl Drop for ProgressThread {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // Its work cannot panic, and even if it did, the endpoints would be closed.
            let _ = thread.join();
        }
    }
}
