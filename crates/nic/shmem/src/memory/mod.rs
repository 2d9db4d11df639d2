//! Memory that PEs share: a segment per PE with its symmetric heap, and the program's static data.

pub mod allocate;
mod data;
mod heap;
mod layout;
mod segment;
mod size;

pub(crate) use data::set_at_fork;
pub use data::{FORKED_BY, program};
pub use heap::Heap;
pub use layout::{BEFORE_HEAP, COLLECTIVE_BYTES, LAST_SLOT, SHARED_SLOT, SLOT_BYTES, TEAM_SLOTS, WORLD_SLOT};
pub use segment::{HugePages, SegmentFile};
pub use size::{HostMemory, parse as parse_size, say as say_size};

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::abi::{CONTROL_BYTES, ControlPage, MemoryWindow, REMOTE};
use crate::error::Error;
use crate::job::{JobAgreement, ShmemJob, exchange_places};
use crate::settings::ShmemSettings;
use data::StaticData;
use segment::{Mapping, Segment, attach};

/// This PE's memory, and that of the PEs of its host.
#[derive(Debug)]
pub struct SymmetricMemory {
    /// Where each PE's memory lies in this process, by its number in the world.
    pub windows: Box<[MemoryWindow]>,
    /// The heap of this PE.
    pub heap: Range<usize>,
    /// The static data of this PE; empty where it is not shared.
    pub data: Range<usize>,
    /// Whether the heap consists of reserved huge pages.
    pub is_reserved: bool,
    /// The other PEs of this host, with their process numbers.
    pub processes: Box<[(u32, i32)]>,
    /// The heap's allocator.
    blocks: Mutex<Heap>,
    /// The segment, which keeps the memory mapped.
    own: Segment,
    others: Vec<Mapping>,
}

impl SymmetricMemory {
    /// Makes this PE's memory and maps that of the other PEs of its host. All PEs call it.
    ///
    /// # Errors
    /// The system refuses, or another PE's memory cannot be opened.
    pub fn open(job: &ShmemJob, settings: &ShmemSettings, agreed: &JobAgreement) -> Result<Self, Error> {
        let bytes = usize::try_from(agreed.heap_bytes).unwrap_or(usize::MAX);
        let heap_bytes = bytes.checked_next_multiple_of(CONTROL_BYTES).unwrap_or(bytes);
        let own = Segment::new(heap_bytes, settings.huge_pages)?;
        let data = if agreed.shares_data { StaticData::share()? } else { None };
        let data_range = data.map_or(0..0, |data| data.range.clone());
        let heap = own.heap()..own.heap() + heap_bytes;
        let data_place = data.map(StaticData::place).transpose()?;
        let places = exchange_places(job, [Some(own.place), data_place])?;
        let mut windows = vec![MemoryWindow::REMOTE; job.n_pes as usize].into_boxed_slice();
        let mut others = Vec::new();
        let mut processes = Vec::new();
        for &pe in &agreed.local(job.me) {
            if pe == job.me {
                windows[pe as usize] = MemoryWindow { heap: 0, data: if data.is_some() { 0 } else { REMOTE } };
                continue;
            }
            let [Some(segment), data] = places[pe as usize] else {
                return Err(Error::Memory(format!("PE {pe} has no heap to share")));
            };
            processes.push((pe, segment.pid));
            let mut attached = |place: SegmentFile, here: usize| {
                let mapping = attach(pe, place, settings.huge_pages)?;
                let window = (mapping.base() as isize).wrapping_sub(here as isize);
                others.push(mapping);
                Ok::<_, Error>(window)
            };
            let heap_window = attached(segment, own.heap() - segment::LEAD)?;
            let data_window = match data {
                Some(place) if place.bytes as usize == data_range.len() => attached(place, data_range.start)?,
                _ => REMOTE,
            };
            windows[pe as usize] = MemoryWindow { heap: heap_window, data: data_window };
        }
        let is_reserved = own.is_reserved;
        let blocks = Mutex::new(Heap::new(heap_bytes));
        Ok(Self { windows, heap, data: data_range, is_reserved, processes: processes.into(), blocks, own, others })
    }

    /// Closes the descriptor, after all PEs of this host have mapped the memory.
    pub(crate) fn close(&mut self) {
        self.own.close();
    }

    /// Locks the heap's allocator.
    pub fn blocks(&self) -> MutexGuard<'_, Heap> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The whole segment of this PE, from its collective area to the end of its heap, for
    /// registration with a NIC.
    #[must_use]
    pub fn segment(&self) -> Range<usize> {
        self.heap.start - BEFORE_HEAP..self.heap.end
    }

    /// The number of mappings of other PEs' memory.
    #[must_use]
    pub fn mapped(&self) -> usize {
        self.others.len()
    }

    /// The control page of a PE, if it is of this host.
    #[must_use]
    pub fn control(&self, pe: u32) -> Option<&ControlPage> {
        let window = self.windows.get(pe as usize)?.heap;
        let own = self.heap.start - CONTROL_BYTES;
        // SAFETY: the page is mapped as long as `self` lives, and consists of atomics.
        (window != REMOTE).then(|| unsafe { &*(own.wrapping_add_signed(window) as *const ControlPage) })
    }

    /// The control page of this PE.
    #[must_use]
    pub fn own_control(&self) -> &ControlPage {
        debug_assert_eq!(self.own.heap(), self.heap.start);
        // SAFETY: as above; the page lies after the segment's beginning.
        unsafe { &*((self.heap.start - CONTROL_BYTES) as *const ControlPage) }
    }

    /// The collective area of a PE, [`COLLECTIVE_BYTES`] long, if the PE is of this host. Initially
    /// zero.
    #[must_use]
    pub fn collective(&self, pe: u32) -> Option<*mut u8> {
        let window = self.windows.get(pe as usize)?.heap;
        let own = self.heap.start - BEFORE_HEAP;
        (window != REMOTE).then(|| own.wrapping_add_signed(window) as *mut u8)
    }

    /// A team's slot in the collective area of a PE, [`SLOT_BYTES`] long, if the PE is of this
    /// host.
    #[must_use]
    pub fn slot(&self, pe: u32, slot: u32) -> Option<*mut u8> {
        self.collective(pe).map(|area| area.wrapping_add(slot as usize * SLOT_BYTES))
    }
}
