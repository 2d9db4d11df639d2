//! Slots that are found by a key.
//!
//! Open addressing with linear probing; entries behind a removed one move up, so that searches stay short however long
//! a run is. The table is only ever asked for one key, so its order never shows.

use std::ops::{Index, IndexMut};

use crate::slab::{NONE, Slab};

/// A slab whose slots are found by a key of 64 bits. The key of all ones is not allowed.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeyedSlab<T> {
    slab: Slab<T>,
    keys: Vec<u64>,
    slots: Vec<u32>,
    used: usize,
}

const EMPTY: u64 = u64::MAX;

impl<T> Default for KeyedSlab<T> {
    fn default() -> Self {
        Self { slab: Slab::default(), keys: vec![EMPTY; 64], slots: vec![NONE; 64], used: 0 }
    }
}

#[inline]
fn hash(key: u64) -> usize {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)) as usize
}

impl<T> KeyedSlab<T> {
    /// Place of a key in the table; of the first empty place after its home when it is not there.
    #[inline]
    fn place_of(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut at = hash(key) & mask;
        while self.keys[at] != key && self.keys[at] != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// The slot of a key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let at = self.place_of(key);
        (self.keys[at] == key).then(|| self.slots[at])
    }

    /// Asks for a key's place in the table before it is looked up.
    #[inline]
    pub fn prefetch_key(&self, key: u64) {
        let home = hash(key) & (self.keys.len() - 1);
        philae_engine::prefetch_at(&self.keys, home);
        philae_engine::prefetch_at(&self.slots, home);
    }

    /// Asks for a slot's memory before it is needed.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        self.slab.prefetch(slot);
    }

    /// Adds a value under a key that is not in the table.
    pub fn insert(&mut self, key: u64, value: T) -> u32 {
        debug_assert!(key != EMPTY, "the key of all ones is not allowed");
        if (self.used + 1) * 4 > self.keys.len() * 3 {
            self.grow();
        }
        let slot = self.slab.insert(value);
        let at = self.place_of(key);
        (self.keys[at], self.slots[at]) = (key, slot);
        self.used += 1;
        slot
    }

    fn grow(&mut self) {
        let doubled = self.keys.len() * 2;
        let keys = std::mem::replace(&mut self.keys, vec![EMPTY; doubled]);
        let slots = std::mem::replace(&mut self.slots, vec![NONE; doubled]);
        for (key, slot) in keys.into_iter().zip(slots).filter(|(key, _)| *key != EMPTY) {
            let at = self.place_of(key);
            (self.keys[at], self.slots[at]) = (key, slot);
        }
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: u64) {
        let mask = self.keys.len() - 1;
        let mut hole = self.place_of(key);
        assert!(self.keys[hole] == key, "what is removed is in the table");
        self.slab.remove(self.slots[hole]);
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.keys[at] == EMPTY {
                break;
            }
            let home = hash(self.keys[at]) & mask;
            // The entry may fill the hole when its home is not between the hole and itself.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                (self.keys[hole], self.slots[hole]) = (self.keys[at], self.slots[at]);
                hole = at;
            }
        }
        (self.keys[hole], self.slots[hole]) = (EMPTY, NONE);
        self.used -= 1;
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
        self.slab.memory_bytes() + self.keys.capacity() * (size_of::<u64>() + size_of::<u32>())
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
