//! Memory that PEs share: a segment per PE with its symmetric heap, and the program's static data.

mod layout;

pub use layout::{BEFORE_HEAP, COLLECTIVE_BYTES, SHARED_SLOT, SLOT_BYTES, TEAM_SLOTS, WORLD_SLOT};

use std::ops::Range;

use crate::abi::{Control, FAR, Way};

/// This PE's memory, and that of the PEs of its host.
#[derive(Debug)]
pub struct Memory {
    /// Where each PE's memory lies here, by its number in the world.
    pub ways: Box<[Way]>,
    /// The heap of this PE.
    pub heap: Range<usize>,
    /// The static data of this PE; empty where it is not shared.
    pub data: Range<usize>,
}

impl Memory {
    /// The control page of a PE, where it is of this host.
    #[must_use]
    pub fn control(&self, pe: u32) -> Option<&Control> {
        let way = self.ways.get(pe as usize)?.heap;
        let own = self.heap.start - crate::abi::CONTROL_BYTES;
        // SAFETY: the page is mapped as long as this object is there, and made of atomics.
        (way != FAR).then(|| unsafe { &*(own.wrapping_add_signed(way) as *const Control) })
    }

    /// The collective area of a PE, [`COLLECTIVE_BYTES`] long, where it is of this host. It begins as zeros.
    #[must_use]
    pub fn collective(&self, pe: u32) -> Option<*mut u8> {
        let way = self.ways.get(pe as usize)?.heap;
        let own = self.heap.start - BEFORE_HEAP;
        (way != FAR).then(|| own.wrapping_add_signed(way) as *mut u8)
    }

    /// A team's slot in the collective area of a PE, [`SLOT_BYTES`] long, where it is of this host.
    #[must_use]
    pub fn slot(&self, pe: u32, slot: u32) -> Option<*mut u8> {
        self.collective(pe).map(|area| area.wrapping_add(slot as usize * SLOT_BYTES))
    }
}
