//! Registered memory: what other processes may access, by key, within bounds, and with the rights
//! of the registration.

use std::ops::{BitAnd, BitOr};

/// What other processes may do with a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Rights(u32);

impl Rights {
    /// No access.
    pub const NONE: Self = Self(0);
    /// Gets, and fetching atomics.
    pub const REMOTE_READ: Self = Self(1);
    /// Puts, and atomics that change the target.
    pub const REMOTE_WRITE: Self = Self(2);

    /// Whether all of `asked` is granted.
    #[must_use]
    pub fn allow(self, asked: Self) -> bool {
        self & asked == asked
    }
}

impl BitOr for Rights {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Rights {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Counters that accesses of other processes count in, each as its number plus one; 0: none. An
/// access counts once in each of its counters, even if one is named twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Counted {
    /// Counters of writes and of atomics that change the target: the region's and the endpoint's.
    pub writes: [u32; 2],
    /// Counters of reads and of fetching atomics: the region's and the endpoint's.
    pub reads: [u32; 2],
}

impl Counted {
    /// The counters that an access with these rights counts in.
    #[must_use]
    pub fn by(self, rights: Rights) -> [u32; 4] {
        let of = |right: Rights, counters: [u32; 2]| if rights.allow(right) { counters } else { [0; 2] };
        let ([a, b], [c, d]) = (of(Rights::REMOTE_WRITE, self.writes), of(Rights::REMOTE_READ, self.reads));
        let mut all = [a, b, c, d];
        for index in 1..all.len() {
            if all[..index].contains(&all[index]) {
                all[index] = 0;
            }
        }
        all
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct RegisteredRegion {
    /// The key by which other processes name it.
    pub key: u64,
    /// Where it begins, in its process.
    pub address: u64,
    /// Its length in bytes.
    pub length: u64,
    /// What other processes may do.
    pub rights: Rights,
    /// The counters of accesses to it.
    pub counters: Counted,
    state: State,
}

/// Whether an entry of the table is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
enum State {
    /// Never was in use: a search ends here.
    #[default]
    Free,
    /// Was in use before: a search continues.
    Gone,
    InUse,
}

impl RegisteredRegion {
    /// A region of `length` bytes at `address`.
    #[must_use]
    pub const fn new(key: u64, address: u64, length: u64, rights: Rights) -> Self {
        Self { key, address, length, rights, counters: Counted { writes: [0; 2], reads: [0; 2] }, state: State::InUse }
    }
}

/// The reason why an access is refused. The initiator's completion reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// No region has this key.
    #[error("no memory is registered with this key")]
    NoSuchKey,
    /// The access goes beyond an end of the region.
    #[error("{length} B at {offset} reach over the end of a region of {region} B")]
    OutOfBounds {
        /// Where the access begins, as an offset into the region.
        offset: u64,
        /// The bytes of the access.
        length: u64,
        /// The bytes of the region.
        region: u64,
    },
    /// The region is not registered for this access.
    #[error("the region is not registered for this access")]
    NotAllowed,
}

/// A region that cannot be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Another region has the key.
    #[error("key {key:#x} is in use")]
    KeyInUse { key: u64 },
    /// The table is full.
    #[error("all {places} regions are in use")]
    Full {
        /// The capacity of the table, in entries.
        places: usize,
    },
}

/// The regions of a process: a view of a table.
#[derive(Debug)]
pub struct Regions<'a> {
    /// Open addressing with linear probing from the key's entry.
    table: &'a mut [RegisteredRegion],
}

impl<'a> Regions<'a> {
    /// A view of a table of at least one entry; entries that are all zero are free.
    pub fn new(table: &'a mut [RegisteredRegion]) -> Self {
        Self { table }
    }

    /// The entries to probe for a key, in order.
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let places = self.table.len();
        let first = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % places.max(1);
        (0..places).map(move |step| (first + step) % places)
    }

    fn place_of(&self, key: u64) -> Option<usize> {
        let searched = self.places(key).take_while(|&place| self.table[place].state != State::Free);
        let mut held = searched.filter(|&place| self.table[place].state == State::InUse);
        held.find(|&place| self.table[place].key == key)
    }

    /// Registers a region.
    ///
    /// # Errors
    /// [`RegisterError`].
    pub fn register(&mut self, region: RegisteredRegion) -> Result<(), RegisterError> {
        if self.place_of(region.key).is_some() {
            return Err(RegisterError::KeyInUse { key: region.key });
        }
        let place = self.places(region.key).find(|&place| self.table[place].state != State::InUse);
        let place = place.ok_or(RegisterError::Full { places: self.table.len() })?;
        self.table[place] = RegisteredRegion { state: State::InUse, ..region };
        Ok(())
    }

    /// Ends a registration, and returns whether there was one.
    pub fn remove(&mut self, key: u64) -> bool {
        let Some(place) = self.place_of(key) else { return false };
        let next = (place + 1) % self.table.len();
        let is_end = self.table[next].state == State::Free;
        self.table[place] =
            RegisteredRegion { state: if is_end { State::Free } else { State::Gone }, ..RegisteredRegion::default() };
        true
    }

    /// Sets the counters of accesses to a region, and returns whether the region exists.
    pub fn set_counters(&mut self, key: u64, counters: Counted) -> bool {
        let Some(place) = self.place_of(key) else { return false };
        self.table[place].counters = counters;
        true
    }

    /// Returns the address, in its process, of `length` bytes at `offset` of a region, if the
    /// region grants these rights.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn reach(
        &self,
        key: u64,
        offset: u64,
        length: u64,
        asked: Rights,
    ) -> Result<(u64, RegisteredRegion), AccessError> {
        let region = self.table[self.place_of(key).ok_or(AccessError::NoSuchKey)?];
        if !region.rights.allow(asked) {
            return Err(AccessError::NotAllowed);
        }
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > region.length) {
            return Err(AccessError::OutOfBounds { offset, length, region: region.length });
        }
        Ok((region.address.wrapping_add(offset), region))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const BOTH: Rights = Rights(3);

    #[test]
    fn only_what_was_registered_can_be_reached() {
        let mut table = vec![RegisteredRegion::default(); 4];
        let mut regions = Regions::new(&mut table);
        regions.register(RegisteredRegion::new(9, 0x1000, 100, Rights::REMOTE_READ)).expect("there is room");
        let address = |offset, length, asked| regions.reach(9, offset, length, asked).map(|(address, _)| address);
        assert_eq!(address(0, 100, Rights::REMOTE_READ), Ok(0x1000));
        assert_eq!(address(100, 0, Rights::REMOTE_READ), Ok(0x1064), "nothing, at the end");
        let beyond = AccessError::OutOfBounds { offset: 99, length: 2, region: 100 };
        assert_eq!(address(99, 2, Rights::REMOTE_READ), Err(beyond));
        assert!(matches!(address(u64::MAX, 2, Rights::REMOTE_READ), Err(AccessError::OutOfBounds { .. })), "no wrap");
        assert_eq!(address(0, 1, Rights::REMOTE_WRITE), Err(AccessError::NotAllowed));
        assert_eq!(address(0, 1, BOTH), Err(AccessError::NotAllowed), "an atomic that fetches needs both");
        assert_eq!(regions.reach(8, 0, 1, Rights::NONE).map(|_| ()), Err(AccessError::NoSuchKey));
    }

    #[test]
    fn keys_are_one_region_each_and_a_table_ends() {
        let mut table = vec![RegisteredRegion::default(); 2];
        let mut regions = Regions::new(&mut table);
        let region = |key| RegisteredRegion::new(key, 0, 1, BOTH);
        regions.register(region(1)).expect("there is room");
        assert_eq!(regions.register(region(1)), Err(RegisterError::KeyInUse { key: 1 }));
        regions.register(region(2)).expect("there is room");
        assert_eq!(regions.register(region(3)), Err(RegisterError::Full { places: 2 }));
        assert!(regions.remove(1) && !regions.remove(1));
        regions.register(region(3)).expect("there is room again");
        let counted = Counted { writes: [1, 0], reads: [2, 1] };
        assert!(regions.set_counters(3, counted) && !regions.set_counters(1, counted));
        assert_eq!(regions.reach(3, 0, 1, BOTH).expect("registered").1.counters, counted);
        assert_eq!(counted.by(Rights::REMOTE_WRITE), [1, 0, 0, 0]);
        assert_eq!(counted.by(Rights::REMOTE_READ), [0, 0, 2, 1]);
        assert_eq!(counted.by(BOTH), [1, 0, 2, 0], "a counter that is named twice counts once");
    }

    proptest! {
        #[test]
        fn a_table_does_what_a_map_does(steps in prop::collection::vec((any::<bool>(), 0_u64..12), 0..200)) {
            let mut table = vec![RegisteredRegion::default(); 8];
            let mut regions = Regions::new(&mut table);
            let mut known = BTreeMap::new();
            for (serial, (is_new, key)) in steps.into_iter().enumerate() {
                if is_new {
                    let expected = !known.contains_key(&key) && known.len() < 8;
                    let address = serial as u64;
                    prop_assert_eq!(regions.register(RegisteredRegion::new(key, address, 1, BOTH)).is_ok(), expected);
                    if expected {
                        known.insert(key, address);
                    }
                } else {
                    prop_assert_eq!(regions.remove(key), known.remove(&key).is_some());
                }
                for key in 0..12 {
                    let found = regions.reach(key, 0, 1, BOTH).ok().map(|(address, _)| address);
                    prop_assert_eq!(found, known.get(&key).copied());
                }
            }
        }
    }
}
