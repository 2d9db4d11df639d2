//! The unexpected-message buffer in the process's own memory: for messages that wait for a receive
//! while the area has no free block.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::settings::Limit;
use crate::shm::mail;

/// Marks the handles of such messages: a sender's handle does not have this bit.
pub(crate) const IN_UNEXPECTED_BUFFER: u64 = 1 << 63;

/// Whether this process has reported that one of its endpoints has reached the limit.
static IS_SAID: AtomicBool = AtomicBool::new(false);

/// The unexpected-message buffer of one endpoint.
pub(crate) struct UnexpectedBuffer {
    kept: Mutex<Kept>,
    /// The most bytes that it keeps: later messages wait at their sender.
    limit: Limit,
}

#[derive(Default)]
struct Kept {
    messages: HashMap<u64, Box<[u8]>>,
    bytes: usize,
    next: u64,
}

impl UnexpectedBuffer {
    /// A buffer with this limit.
    pub fn new(limit: Limit) -> Self {
        Self { kept: Mutex::default(), limit }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a message out.
    pub fn take(&self, handle: u64) -> Option<Box<[u8]>> {
        let mut kept = self.kept();
        let bytes = kept.messages.remove(&handle)?;
        kept.bytes -= bytes.len();
        Some(bytes)
    }
}

impl mail::OverflowBuffer for UnexpectedBuffer {
    fn keep(&self, bytes: &[u8]) -> Option<u64> {
        let mut kept = self.kept();
        if bytes.is_empty() {
            return None;
        }
        if kept.bytes + bytes.len() > self.limit.bytes {
            self.limit.is_reached(&IS_SAID);
            return None;
        }
        kept.bytes += bytes.len();
        kept.next += 1;
        let handle = kept.next | IN_UNEXPECTED_BUFFER;
        kept.messages.insert(handle, bytes.into());
        Some(handle)
    }

    fn forget(&self, handle: u64) {
        drop(self.take(handle));
    }
}
