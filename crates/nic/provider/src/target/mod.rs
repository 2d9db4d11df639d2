//! The target NIC's part of an operation: match, move the bytes, write the event. Another process
//! than the target's carries it out, with the target's lock held where that is needed.

mod access;
mod message;

use std::sync::Arc;

use philae_nic_core::nic::ReturnCode;

use crate::shm::area::SharedArea;
use crate::shm::copy;

pub(crate) use access::{AccessResult, AskedAccess};
pub(crate) use message::OfferResult;

/// The target of an operation within the host.
pub(crate) struct LocalTarget<'t> {
    pub area: &'t Arc<SharedArea>,
    pub process: u32,
    /// Whether it is this process itself.
    pub is_here: bool,
}

impl LocalTarget<'_> {
    /// Writes bytes to the target's memory.
    pub fn write(&self, address: u64, bytes: &[u8]) -> ReturnCode {
        if self.is_here {
            // SAFETY: this process has lent the address to a receive, or has registered it. The
            // program must avoid overlapping ranges, but even those are copied.
            unsafe { std::ptr::copy(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) };
            return ReturnCode::Ok;
        }
        copy::code_of(copy::write_to(self.process, address, bytes))
    }

    /// Reads bytes from the target's memory.
    pub fn read(&self, address: u64, room: &mut [u8]) -> ReturnCode {
        if self.is_here {
            // SAFETY: as above.
            unsafe { std::ptr::copy(address as usize as *const u8, room.as_mut_ptr(), room.len()) };
            return ReturnCode::Ok;
        }
        copy::code_of(copy::read_from(self.process, address, room))
    }
}
