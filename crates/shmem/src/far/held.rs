//! The last operation of a bundle waits here for the next: only when that comes is it known that more follow (`FI_MORE`).
//! What it waits for at most is a quiet, a fence, an operation that the program waits for, or the bundle's size.

use philae_fi_sys::FI_INJECT;

use super::endpoint::About;
use super::operation::{Kind, Operation};

/// An operation that was not handed over yet.
pub(super) struct Held {
    operation: Operation,
    pub about: About,
    /// What it writes, where the program may use its source again.
    copy: Vec<u8>,
}

// SAFETY: the memory that it points to is lent to the operation by the program, whichever thread hands it over.
unsafe impl Send for Held {}

impl Held {
    /// Keeps an operation. `room` is used again for the copy.
    ///
    /// # Safety
    /// What it writes can be read now, and, where it is not injected, until it has ended.
    pub unsafe fn new(operation: Operation, about: About, mut room: Vec<u8>) -> Self {
        room.clear();
        if operation.kind == Kind::Write && operation.flags & FI_INJECT != 0 {
            // SAFETY: as the caller says.
            room.extend_from_slice(unsafe { std::slice::from_raw_parts(operation.local, operation.bytes) });
        }
        Self { operation, about, copy: room }
    }

    /// The operation, with its bytes where they are now.
    pub fn operation(&mut self) -> Operation {
        let mut operation = self.operation;
        if !self.copy.is_empty() {
            operation.local = self.copy.as_mut_ptr();
        }
        operation
    }

    /// The room, for the next.
    pub fn into_room(self) -> Vec<u8> {
        self.copy
    }
}
