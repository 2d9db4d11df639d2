//! Multi-receive buffers with messages that are still being fetched from another host: they are
//! released when all have arrived.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use philae_nic_core::nic::NicEvent;

/// Marks the flags of a message that was fetched from another host. Not one of libfabric's flags of
/// events.
pub(crate) const FETCHED: u64 = 1 << 63;

/// The buffers of one endpoint, by their context.
#[derive(Default)]
pub(crate) struct Fetching(Mutex<HashMap<u64, Buffer>>);

#[derive(Default)]
struct Buffer {
    messages: u32,
    /// Whether it has taken its last message.
    is_over: bool,
}

impl Fetching {
    /// Records that a message for a buffer is being fetched from another host: the buffer is not
    /// released before it has arrived.
    pub fn begins(&self, context: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(context).or_default().messages += 1;
    }

    /// Whether a buffer is released with this event: it has taken its last message, and no fetch
    /// for it is in flight.
    pub fn is_released(&self, event: &NicEvent) -> bool {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(buffer) = buffers.get_mut(&event.context) else { return event.is_last };
        buffer.messages -= u32::from(event.flags & FETCHED != 0);
        buffer.is_over |= event.is_last;
        if buffer.messages > 0 {
            return false;
        }
        let is_over = buffer.is_over;
        buffers.remove(&event.context);
        is_over
    }
}
