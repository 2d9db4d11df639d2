//! Tables that are searched by a key.
//!
//! Open addressing with linear probing; entries behind a removed one move up, so that searches stay short however long
//! a run is. A table is only ever asked for one key, so its order never shows.

use std::ops::{Index, IndexMut};

/// What stands in the places of a table.
pub trait Entry: Copy {
    /// Under what it is found.
    type Key: Copy + PartialEq + Into<u64>;
    /// A place in which nothing stands.
    const VACANT: Self;
    /// Places of a new table: a power of two.
    const PLACES_FIRST: usize;
    /// A table doubles when more quarters of it than this are held.
    const QUARTERS_HELD: usize;
    /// Its key.
    fn key(&self) -> Self::Key;
    /// Whether it is one: a place may be vacant.
    fn is_held(&self) -> bool;
}

/// The home of a key in a table, before it is cut to the table's size. Every bit of the key decides about the low bits: those that name the sender are its highest, and all flows of an incast
/// have the others in common.
#[inline]
const fn hash(key: u64) -> usize {
    let wide = key as u128 * 0x9e37_79b9_7f4a_7c15;
    (wide as u64 ^ (wide >> 64) as u64) as usize
}

/// A table of entries, each at the place where its key is looked for.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Places<E> {
    places: Vec<E>,
    used: usize,
}

impl<E: Entry> Default for Places<E> {
    fn default() -> Self {
        Self { places: vec![E::VACANT; E::PLACES_FIRST], used: 0 }
    }
}

impl<E: Entry> Places<E> {
    #[inline]
    fn home_of(&self, key: E::Key) -> usize {
        hash(key.into()) & (self.places.len() - 1)
    }

    /// Place of a key, or the vacant place where it would be.
    #[inline]
    pub fn place_of(&self, key: E::Key) -> usize {
        let mask = self.places.len() - 1;
        let mut at = self.home_of(key);
        while self.places[at].key() != key && self.places[at].is_held() {
            at = (at + 1) & mask;
        }
        at
    }

    /// Asks for a key's place before it is looked up.
    #[inline]
    pub fn prefetch(&self, key: E::Key) {
        philae_engine::prefetch_at(&self.places, self.home_of(key));
    }

    /// Adds an entry whose key is not in the table, at the vacant place of its key.
    #[inline]
    pub fn insert(&mut self, place: usize, entry: E) {
        self.places[place] = entry;
        self.used += 1;
        if self.used * 4 > self.places.len() * E::QUARTERS_HELD {
            self.grow();
        }
    }

    #[inline(never)]
    fn grow(&mut self) {
        let doubled = vec![E::VACANT; self.places.len() * 2];
        for entry in std::mem::replace(&mut self.places, doubled) {
            if entry.is_held() {
                let at = self.place_of(entry.key());
                self.places[at] = entry;
            }
        }
    }

    /// Takes the entry at a place out; those behind it move up so that searches still find them.
    #[inline]
    pub fn remove(&mut self, mut hole: usize) {
        let mask = self.places.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if !self.places[at].is_held() {
                break;
            }
            let home = self.home_of(self.places[at].key());
            // The entry may fill the hole when its home is not between the hole and itself.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.places[hole] = self.places[at];
                hole = at;
            }
        }
        self.places[hole] = E::VACANT;
        self.used -= 1;
    }

    /// The entries.
    pub fn used(&self) -> impl Iterator<Item = &E> {
        self.places.iter().filter(|entry| entry.is_held())
    }

    /// The entries, to be changed, but for their keys.
    pub fn used_mut(&mut self) -> impl Iterator<Item = &mut E> {
        self.places.iter_mut().filter(|entry| entry.is_held())
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<E>()
    }
}

impl<E> Index<usize> for Places<E> {
    type Output = E;
    #[inline]
    fn index(&self, place: usize) -> &E {
        &self.places[place]
    }
}

impl<E> IndexMut<usize> for Places<E> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut E {
        &mut self.places[place]
    }
}
