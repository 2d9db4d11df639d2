//! Atomics on memory of PEs of this host: the processor's.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;
use crate::memory::Memory;

use super::lock::Atomics;

/// The processor's atomics on the memory that PEs of this host share.
#[derive(Clone, Copy, Debug)]
pub struct NearAtomics<'a> {
    memory: &'a Memory,
}

impl<'a> NearAtomics<'a> {
    /// On what `memory` maps.
    #[must_use]
    pub const fn new(memory: &'a Memory) -> Self {
        Self { memory }
    }

    fn word(&self, pe: u32, address: usize) -> Result<&AtomicU32, Error> {
        let way = self.memory.ways.get(pe as usize).copied().unwrap_or(crate::abi::Way::FAR);
        if way.heap == crate::abi::FAR {
            return Err(Error::Far(format!("PE {pe} is of another host, and this atomic operation is for PEs of this one")));
        }
        let distance = if self.memory.data.contains(&address) { way.data } else { way.heap };
        // SAFETY: callers give symmetric addresses of aligned words; every PE has the same there.
        Ok(unsafe { AtomicU32::from_ptr(address.wrapping_add_signed(distance) as *mut u32) })
    }
}

impl Atomics for NearAtomics<'_> {
    fn swap(&self, pe: u32, address: usize, value: u32) -> Result<u32, Error> {
        Ok(self.word(pe, address)?.swap(value, Ordering::AcqRel))
    }

    fn compare_swap(&self, pe: u32, address: usize, expected: u32, value: u32) -> Result<u32, Error> {
        let result = self.word(pe, address)?.compare_exchange(expected, value, Ordering::AcqRel, Ordering::Acquire);
        Ok(result.unwrap_or_else(|found| found))
    }

    fn add(&self, pe: u32, address: usize, value: u32) -> Result<(), Error> {
        self.word(pe, address)?.fetch_add(value, Ordering::AcqRel);
        if let Some(control) = self.memory.control(pe) {
            control.ring_if_asleep();
        }
        Ok(())
    }
}
