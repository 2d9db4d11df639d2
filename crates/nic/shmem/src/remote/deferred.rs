//! The last operation of a bundle is held here until the next one comes, because only then does the
//! NIC learn that more follow (`FI_MORE`). A quiet, a fence, an operation that the program waits
//! for, or the bundle's size ends the hold at the latest.

use philae_fi_sys::FI_INJECT;

use super::endpoint::About;
use super::operation::{RmaKind, RmaOperation};

/// An operation that has not been issued yet.
pub(super) struct DeferredOperation {
    operation: RmaOperation,
    pub about: About,
    /// The bytes to write, if the program may already reuse its source.
    copy: Vec<u8>,
}

// SAFETY: the program has lent the operation the memory that it points to, whichever thread issues
// it.
unsafe impl Send for DeferredOperation {}

impl DeferredOperation {
    /// Holds an operation. `room` is reused for the copy.
    ///
    /// # Safety
    /// Its source is readable now and, if it is not injected, until the operation has ended.
    pub unsafe fn new(operation: RmaOperation, about: About, mut room: Vec<u8>) -> Self {
        room.clear();
        if operation.kind == RmaKind::Write && operation.flags & FI_INJECT != 0 {
            // SAFETY: as the caller promises.
            room.extend_from_slice(unsafe { std::slice::from_raw_parts(operation.local, operation.bytes) });
        }
        Self { operation, about, copy: room }
    }

    /// The operation, with the current address of its bytes.
    pub fn operation(&mut self) -> RmaOperation {
        let mut operation = self.operation;
        if !self.copy.is_empty() {
            operation.local = self.copy.as_mut_ptr();
        }
        operation
    }

    /// The buffer, for the next operation.
    pub fn into_room(self) -> Vec<u8> {
        self.copy
    }
}
