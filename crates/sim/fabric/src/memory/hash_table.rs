//! Hash tables with a key per entry.
//!
//! Open addressing with linear probing. Entries behind a removed one move up, so that searches stay
//! short however long a run is. Nothing iterates over a table for a decision, so its order never
//! shows.

use std::ops::{Index, IndexMut};

/// An entry of a table.
pub trait Entry: Copy {
    /// The key of an entry.
    type Key: Copy + PartialEq + Into<u64>;
    /// A position without an entry.
    const VACANT: Self;
    /// Positions of a new table: a power of two.
    const CAPACITY_FIRST: usize;
    /// A table doubles when more quarters of it than this are held.
    const QUARTERS_HELD: usize;
    fn key(&self) -> Self::Key;
    /// Whether it is an entry: a position may be vacant.
    fn is_held(&self) -> bool;
}

/// The home of a key in a table, before it is cut to the table's size. Every bit of the key
/// influences the low bits: the bits that name the sender are the highest, and all flows of an
/// incast have the others in common.
#[inline]
const fn hash(key: u64) -> usize {
    let wide = key as u128 * 0x9e37_79b9_7f4a_7c15;
    (wide as u64 ^ (wide >> 64) as u64) as usize
}

/// A table of entries, each at the position where a search for its key looks.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct HashTable<E> {
    entries: Vec<E>,
    used: usize,
}

impl<E: Entry> Default for HashTable<E> {
    fn default() -> Self {
        Self { entries: vec![E::VACANT; E::CAPACITY_FIRST], used: 0 }
    }
}

impl<E: Entry> HashTable<E> {
    #[inline]
    fn home_of(&self, key: E::Key) -> usize {
        hash(key.into()) & (self.entries.len() - 1)
    }

    /// The position of a key, or the vacant position where it would be.
    #[inline]
    pub fn position_of(&self, key: E::Key) -> usize {
        let mask = self.entries.len() - 1;
        let mut position = self.home_of(key);
        while self.entries[position].key() != key && self.entries[position].is_held() {
            position = (position + 1) & mask;
        }
        position
    }

    /// Prefetches the position of a key.
    #[inline]
    pub fn prefetch(&self, key: E::Key) {
        philae_engine::prefetch_at(&self.entries, self.home_of(key));
    }

    /// Adds an entry whose key is not in the table, at the vacant position of its key.
    #[inline]
    pub fn insert(&mut self, position: usize, entry: E) {
        self.entries[position] = entry;
        self.used += 1;
        if self.used * 4 > self.entries.len() * E::QUARTERS_HELD {
            self.grow();
        }
    }

    #[inline(never)]
    fn grow(&mut self) {
        let doubled = vec![E::VACANT; self.entries.len() * 2];
        for entry in std::mem::replace(&mut self.entries, doubled) {
            if entry.is_held() {
                let position = self.position_of(entry.key());
                self.entries[position] = entry;
            }
        }
    }

    /// Removes the entry at a position. Those behind it move up so that searches still find them.
    #[inline]
    pub fn remove(&mut self, mut hole: usize) {
        let mask = self.entries.len() - 1;
        let mut position = hole;
        loop {
            position = (position + 1) & mask;
            if !self.entries[position].is_held() {
                break;
            }
            let home = self.home_of(self.entries[position].key());
            // The entry may fill the hole if its home is not between the hole and itself.
            if (position.wrapping_sub(home) & mask) >= (position.wrapping_sub(hole) & mask) {
                self.entries[hole] = self.entries[position];
                hole = position;
            }
        }
        self.entries[hole] = E::VACANT;
        self.used -= 1;
    }

    pub fn used(&self) -> impl Iterator<Item = &E> {
        self.entries.iter().filter(|entry| entry.is_held())
    }

    /// The entries, to be changed except for their keys.
    pub fn used_mut(&mut self) -> impl Iterator<Item = &mut E> {
        self.entries.iter_mut().filter(|entry| entry.is_held())
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<E>()
    }
}

impl<E> Index<usize> for HashTable<E> {
    type Output = E;
    #[inline]
    fn index(&self, position: usize) -> &E {
        &self.entries[position]
    }
}

impl<E> IndexMut<usize> for HashTable<E> {
    #[inline]
    fn index_mut(&mut self, position: usize) -> &mut E {
        &mut self.entries[position]
    }
}
