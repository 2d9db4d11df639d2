//! Atomics on memory of PEs of this host: the processor's.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::abi::{ControlPage, MemoryWindow, REMOTE};
use crate::collective::{self, membership::Home};
use crate::error::Error;
use crate::memory::SymmetricMemory;

use super::lock::Atomics;

/// The processor's atomics on the memory that PEs of this host share.
#[derive(Clone, Copy, Debug)]
pub struct LocalAtomics<'a> {
    windows: &'a [MemoryWindow],
    segment: (usize, usize),
    control: usize,
}

impl<'a> LocalAtomics<'a> {
    /// Atomics on the memory that `memory` maps.
    #[must_use]
    pub fn new(memory: &'a SymmetricMemory) -> Self {
        // SAFETY: `memory` says what is mapped.
        unsafe { Self::on(&memory.windows, &collective::home(memory)) }
    }

    /// Atomics on the memory of PEs of the world that `windows` leads to, from this PE's own.
    ///
    /// # Safety
    /// The memory is mapped as `windows` and `home` say.
    #[must_use]
    pub const unsafe fn on(windows: &'a [MemoryWindow], home: &Home) -> Self {
        Self { windows, segment: (home.segment.start, home.segment.end), control: home.control }
    }

    fn window(&self, pe: u32) -> Result<MemoryWindow, Error> {
        let window = self.windows.get(pe as usize).copied().filter(|window| window.heap != REMOTE);
        window.ok_or_else(|| {
            Error::Remote(format!("PE {pe} is of another host, and this atomic operation is for PEs of this one"))
        })
    }

    fn word(&self, pe: u32, address: usize) -> Result<&AtomicU32, Error> {
        let window = self.window(pe)?;
        let distance = if (self.segment.0..self.segment.1).contains(&address) { window.heap } else { window.data };
        // SAFETY: as `on` was promised; callers pass symmetric addresses of aligned words, and
        // every PE has the same there.
        Ok(unsafe { AtomicU32::from_ptr(address.wrapping_add_signed(distance) as *mut u32) })
    }
}

impl Atomics for LocalAtomics<'_> {
    fn swap(&self, pe: u32, address: usize, value: u32) -> Result<u32, Error> {
        Ok(self.word(pe, address)?.swap(value, Ordering::AcqRel))
    }

    fn compare_swap(&self, pe: u32, address: usize, expected: u32, value: u32) -> Result<u32, Error> {
        let result = self.word(pe, address)?.compare_exchange(expected, value, Ordering::AcqRel, Ordering::Acquire);
        Ok(result.unwrap_or_else(|found| found))
    }

    fn add(&self, pe: u32, address: usize, value: u32) -> Result<(), Error> {
        self.word(pe, address)?.fetch_add(value, Ordering::AcqRel);
        let control = self.control.wrapping_add_signed(self.window(pe)?.heap) as *const ControlPage;
        // SAFETY: as `on` was promised.
        unsafe { &*control }.ring_if_asleep();
        Ok(())
    }
}
