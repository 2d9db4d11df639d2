//! Slots that are found by a key.

use std::ops::{Index, IndexMut};

use crate::memory::hash_table::{Entry, HashTable};
use crate::memory::slab::{NO_INDEX, Slab};

/// A key and its slot: four of them fit a cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct KeyedSlot {
    key: u64,
    slot: u32,
}

const EMPTY: u64 = u64::MAX;

impl Entry for KeyedSlot {
    type Key = u64;
    const VACANT: Self = Self { key: EMPTY, slot: NO_INDEX };
    const CAPACITY_FIRST: usize = 64;
    const QUARTERS_HELD: usize = 2;

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.key != EMPTY
    }
}

/// Slots, found by a key of 64 bits. The key of all ones is not allowed.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SlotTable {
    table: HashTable<KeyedSlot>,
}

impl SlotTable {
    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let entry = &self.table[self.table.position_of(key)];
        entry.is_held().then_some(entry.slot)
    }

    /// Prefetches a key's position in the table.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.table.prefetch(key);
    }

    /// Adds the slot of a key that is not in the table.
    pub fn insert(&mut self, key: u64, slot: u32) {
        debug_assert!(key != EMPTY, "the key of all ones is not allowed");
        self.table.insert(self.table.position_of(key), KeyedSlot { key, slot });
    }

    /// Removes a key and returns its slot.
    pub fn remove(&mut self, key: u64) -> u32 {
        let position = self.table.position_of(key);
        let entry = self.table[position];
        assert!(entry.key == key, "what is removed is in the table");
        self.table.remove(position);
        entry.slot
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }
}

/// A slab whose slots are found by a key.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeyedSlab<T> {
    slab: Slab<T>,
    table: SlotTable,
}

impl<T> Default for KeyedSlab<T> {
    fn default() -> Self {
        Self { slab: Slab::default(), table: SlotTable::default() }
    }
}

impl<T: Clone> KeyedSlab<T> {
    /// No values yet, in `regions` regions; see [`Slab::of_regions`].
    pub fn of_regions(regions: usize) -> Self {
        Self { slab: Slab::of_regions(regions), table: SlotTable::default() }
    }

    /// Selects the region in which slots are taken and freed.
    #[inline]
    pub fn select(&mut self, region: usize) {
        self.slab.select(region);
    }

    /// Adds a value under a key that is not in the table.
    pub fn insert(&mut self, key: u64, value: T) -> u32 {
        let slot = self.slab.insert(value);
        self.table.insert(key, slot);
        slot
    }
}

impl<T> KeyedSlab<T> {
    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        self.table.find(key)
    }

    /// Prefetches a key's position in the table.
    #[inline]
    pub fn prefetch_key(&self, key: u64) {
        self.table.prefetch(key);
    }

    /// Prefetches a slot.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        self.slab.prefetch(slot);
    }

    /// Removes a key and its value.
    pub fn remove(&mut self, key: u64) {
        let slot = self.table.remove(key);
        self.slab.remove(slot);
    }

    /// Slots in use (for audits).
    pub fn used(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slab.used()
    }

    /// Slots that exist, used or not.
    pub fn capacity(&self) -> usize {
        self.slab.capacity()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.slab.memory_bytes() + self.table.memory_bytes()
    }
}

impl<T> Index<u32> for KeyedSlab<T> {
    type Output = T;
    #[inline]
    fn index(&self, slot: u32) -> &T {
        &self.slab[slot]
    }
}

impl<T> IndexMut<u32> for KeyedSlab<T> {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut T {
        &mut self.slab[slot]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_engine::RandomStream;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_like_a_map_under_random_use() {
        let mut table = KeyedSlab::default();
        let mut oracle: BTreeMap<u64, u32> = BTreeMap::new();
        let mut random = RandomStream::new(5, 0, 0);
        for _ in 0..200_000 {
            let key = u64::from(random.below(1_600)) << 7;
            match oracle.get(&key) {
                Some(&slot) => {
                    assert_eq!(table.find(key), Some(slot));
                    assert_eq!(table[slot], key);
                    if random.below(2) == 0 {
                        table.remove(key);
                        oracle.remove(&key);
                    }
                }
                None => {
                    assert_eq!(table.find(key), None);
                    oracle.insert(key, table.insert(key, key));
                }
            }
        }
        assert_eq!(table.used().count(), oracle.len());
    }
}
