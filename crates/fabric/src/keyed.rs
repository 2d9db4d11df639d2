//! Slots that are found by a key.
//!
//! Open addressing with linear probing; entries behind a removed one move up, so that searches stay short however long
//! a run is. The table is only ever asked for one key, so its order never shows.

use std::ops::{Index, IndexMut};

use crate::slab::{NONE, Slab};

/// A key and its slot: four of them in a cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Place {
    key: u64,
    slot: u32,
}

const EMPTY: u64 = u64::MAX;
const NO_PLACE: Place = Place { key: EMPTY, slot: NONE };

/// Slots of something, found by a key of 64 bits. The key of all ones is not allowed.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct SlotTable {
    places: Vec<Place>,
    used: usize,
}

impl Default for SlotTable {
    fn default() -> Self {
        Self { places: vec![NO_PLACE; 64], used: 0 }
    }
}

/// The home of a key in a table, before it is cut to the table's size. Every bit of the key decides about the low bits: those that name the sender are its highest, and all flows of an incast
/// have the others in common.
#[inline]
pub const fn hash(key: u64) -> usize {
    let wide = key as u128 * 0x9e37_79b9_7f4a_7c15;
    (wide as u64 ^ (wide >> 64) as u64) as usize
}

impl SlotTable {
    /// Place of a key in the table; of the first empty place after its home when it is not there.
    #[inline]
    fn place_of(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = hash(key) & mask;
        while self.places[at].key != key && self.places[at].key != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let found = &self.places[self.place_of(key)];
        (found.key == key).then_some(found.slot)
    }

    /// Asks for a key's place in the table before it is looked up.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let home = hash(key) & (self.places.len() - 1);
        philae_engine::prefetch_line(&self.places[home]);
    }

    /// Adds the slot of a key that is not in the table.
    pub fn insert(&mut self, key: u64, slot: u32) {
        debug_assert!(key != EMPTY, "the key of all ones is not allowed");
        if (self.used + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        let at = self.place_of(key);
        self.places[at] = Place { key, slot };
        self.used += 1;
    }

    fn grow(&mut self) {
        let doubled = vec![NO_PLACE; self.places.len() * 2];
        for place in std::mem::replace(&mut self.places, doubled) {
            if place.key != EMPTY {
                let at = self.place_of(place.key);
                self.places[at] = place;
            }
        }
    }

    /// Takes a key out; its slot.
    pub fn remove(&mut self, key: u64) -> u32 {
        let mask = self.places.len() - 1;
        let mut hole = self.place_of(key);
        let Place { key: found, slot } = self.places[hole];
        assert!(found == key, "what is removed is in the table");
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.places[at].key == EMPTY {
                break;
            }
            let home = hash(self.places[at].key) & mask;
            // The entry may fill the hole when its home is not between the hole and itself.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.places[hole] = self.places[at];
                hole = at;
            }
        }
        self.places[hole] = NO_PLACE;
        self.used -= 1;
        slot
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
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

impl<T> KeyedSlab<T> {
    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        self.table.find(key)
    }

    /// Asks for a key's place in the table before it is looked up.
    #[inline]
    pub fn prefetch_key(&self, key: u64) {
        self.table.prefetch(key);
    }

    /// Asks for a slot's memory before it is needed.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        self.slab.prefetch(slot);
    }

    /// Adds a value under a key that is not in the table.
    pub fn insert(&mut self, key: u64, value: T) -> u32 {
        let slot = self.slab.insert(value);
        self.table.insert(key, slot);
        slot
    }

    /// Takes a key out.
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
    use philae_engine::Stream;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_like_a_map_under_random_use() {
        let mut table = KeyedSlab::default();
        let mut oracle: BTreeMap<u64, u32> = BTreeMap::new();
        let mut random = Stream::new(5, 0, 0);
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
