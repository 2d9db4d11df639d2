//! Reusable slots for what is in flight, without an allocation each.

use std::ops::{Index, IndexMut};

use philae_engine::FreeSlots;
use philae_units::refusable;

/// No slot.
pub const NO_INDEX: u32 = u32::MAX;

/// A growing array of slots with a list of free ones. Slot numbers never take part in the order of
/// events.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Slab<T> {
    slots: Vec<T>,
    free: FreeSlots,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: FreeSlots::default() }
    }
}

/// A slot's memory is prefetched while this many others are taken before it. Source: ours.
/// Status: assumed.
const AHEAD: usize = 3;

/// The expected values take at most one part in this many of the address space. Source: ours, so
/// that the rest of a run has room under a limit. Status: assumed.
const SPACE_PARTS: usize = 4;

/// Reserves address space for `count` values, so that the vector need not be copied as it grows.
/// Values take memory only when they are used. If the system has less than `SPACE_PARTS` times that
/// much, the vector is copied after all.
pub fn expect<T>(values: &mut Vec<T>, count: usize) {
    if refusable(|| values.try_reserve_exact(SPACE_PARTS * count)).is_ok() {
        values.shrink_to(count);
    }
}

impl<T: Clone> Slab<T> {
    /// No slots yet, in `regions` regions; see [`FreeSlots`].
    pub fn of_regions(regions: usize) -> Self {
        Self { slots: Vec::new(), free: FreeSlots::new(regions) }
    }

    /// Selects the region in which slots are taken and freed.
    #[inline]
    pub fn select(&mut self, region: usize) {
        self.free.select(region);
    }

    /// Puts a value into a slot of the selected region.
    #[inline]
    pub fn insert(&mut self, value: T) -> u32 {
        self.insert_in(self.free.selected(), value)
    }

    /// Puts a value into a slot of the selected region, made where it will be read. A value made
    /// elsewhere and moved would be read as a whole before its parts have arrived in memory, and
    /// the processor would stall until all earlier stores are done.
    #[inline(always)]
    pub fn insert_with(&mut self, value: impl Fn() -> T) -> u32 {
        let Some(slot) = self.free.take() else { return self.grow(self.free.selected(), value()) };
        self.prefetch_next_slot(self.free.selected());
        self.slots[slot as usize] = value();
        slot
    }

    /// Puts a value into a slot of any region.
    #[inline]
    pub fn insert_in(&mut self, region: usize, value: T) -> u32 {
        let Some(slot) = self.free.take_of(region) else { return self.grow(region, value) };
        self.prefetch_next_slot(region);
        self.slots[slot as usize] = value;
        slot
    }

    #[inline]
    fn prefetch_next_slot(&self, region: usize) {
        if let Some(coming) = self.free.peek(region, AHEAD) {
            self.prefetch(coming);
        }
    }

    /// Adds slots to a region. Until they are used they hold copies of the value in the first.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, region: usize, value: T) -> u32 {
        let first = self.slots.len();
        let len = self.free.grow(region, first, size_of::<T>());
        self.slots.resize(len, value);
        first as u32
    }
}

impl<T> Slab<T> {
    /// Reserves address space for `slots` slots; see [`expect`].
    pub fn expect(&mut self, slots: usize) {
        expect(&mut self.slots, slots);
    }

    /// Frees a slot. The caller has read the value before: no event may read a free slot.
    #[inline]
    pub fn remove(&mut self, slot: u32) {
        self.free.give(slot);
    }

    /// Frees a slot of any region.
    #[inline]
    pub fn remove_of(&mut self, region: usize, slot: u32) {
        self.free.give_to(region, slot);
    }

    /// Prefetches a slot.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        self.slots.get(slot as usize).into_iter().for_each(philae_engine::prefetch);
    }

    /// Prefetches the first cache line of a slot.
    #[inline]
    pub fn prefetch_line(&self, slot: u32) {
        self.slots.get(slot as usize).into_iter().for_each(philae_engine::prefetch_line);
    }

    /// Slots in use.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Slots that exist, used or not.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.slots.len() * size_of::<T>() + self.free.memory_bytes()
    }

    /// The slots in use. For audits: it takes time proportional to the capacity.
    pub fn used(&self) -> impl Iterator<Item = (u32, &T)> {
        let mut used = vec![true; self.slots.len()];
        for slot in self.free.iter() {
            used[slot as usize] = false;
        }
        self.slots.iter().enumerate().filter(move |(slot, _)| used[*slot]).map(|(slot, value)| (slot as u32, value))
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;
    #[inline]
    fn index(&self, slot: u32) -> &T {
        &self.slots[slot as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut T {
        &mut self.slots[slot as usize]
    }
}
