//! The objects that an endpoint is bound to.

use std::sync::Arc;

use philae_fi_sys::*;

use crate::abi::Errno;
use crate::address_vector::Addresses;
use crate::completion_queue::FiCompletionQueue;
use crate::counter::FiCounter;

/// A queue for an endpoint's completions.
pub(crate) struct Bound {
    pub queue: Arc<FiCompletionQueue>,
    /// Whether only operations that request it complete there.
    pub is_selective: bool,
}

/// The counters of an endpoint's operations.
#[derive(Default)]
pub(crate) struct OperationCounters {
    pub send: Option<Arc<FiCounter>>,
    pub receive: Option<Arc<FiCounter>>,
    pub read: Option<Arc<FiCounter>>,
    pub write: Option<Arc<FiCounter>>,
    pub remote_read: Option<Arc<FiCounter>>,
    pub remote_write: Option<Arc<FiCounter>>,
}

/// The objects that an endpoint is bound to.
#[derive(Default)]
pub(crate) struct Bindings {
    pub addresses: Option<Arc<Addresses>>,
    pub transmit: Option<Bound>,
    pub receive: Option<Bound>,
    pub counters: OperationCounters,
}

impl OperationCounters {
    /// Whether any is bound.
    pub fn any(&self) -> bool {
        let Self { send, receive, read, write, remote_read, remote_write } = self;
        [send, receive, read, write, remote_read, remote_write].iter().any(|counter| counter.is_some())
    }

    /// Binds a counter to the operations of these kinds.
    ///
    /// # Errors
    /// `EBADFLAGS`: no kinds, or unknown ones.
    pub fn bind(&mut self, counter: &Arc<FiCounter>, flags: u64) -> Result<(), Errno> {
        let Self { send, receive, read, write, remote_read, remote_write } = self;
        let kinds = [
            (FI_SEND, send),
            (FI_RECV, receive),
            (FI_READ, read),
            (FI_WRITE, write),
            (FI_REMOTE_READ, remote_read),
            (FI_REMOTE_WRITE, remote_write),
        ];
        let known = kinds.iter().fold(0, |all, (flag, _)| all | flag);
        if flags == 0 || flags & !known != 0 {
            return Err(FI_EBADFLAGS);
        }
        for (flag, place) in kinds {
            if flags & flag != 0 {
                *place = Some(Arc::clone(counter));
            }
        }
        Ok(())
    }
}
