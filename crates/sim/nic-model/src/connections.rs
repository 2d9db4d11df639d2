//! State of connections, where a NIC has room for few of them.
//!
//! A NIC with connections keeps their state on chip, and in the host's memory what has no room
//! there. A message on another connection waits until its state has been read, and the state that
//! makes room goes back.

use serde::{Deserialize, Serialize};

/// Most connections in a set: each has its place in one set, and the set keeps those used last.
/// Source: ours; common for caches on chips. Status: assumed.
const WAYS: usize = 8;

/// No connection.
const FREE: u32 = 0;

/// Which connections a NIC has the state of. A connection is a pair of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionCache {
    /// Connections that have room; 0 if the NIC needs no state.
    room: u32,
    /// In each set, the one used last comes first. Empty until the first is used.
    sets: Vec<[u32; WAYS]>,
}

impl ConnectionCache {
    /// A cache with room for so many connections; 0 if the NIC needs no state.
    #[must_use]
    pub const fn new(room: u32) -> Self {
        Self { room, sets: Vec::new() }
    }

    /// Uses the connection between a rank and a rank elsewhere. Returns whether its state is there.
    /// As long as there is room, it is: it came when the connection was made.
    pub fn uses(&mut self, own: u32, peer: u32) -> bool {
        if self.room == 0 {
            return true;
        }
        if self.sets.is_empty() {
            self.sets = vec![[FREE; WAYS]; self.room.div_ceil(WAYS as u32) as usize];
        }
        let mixed = mix(u64::from(own) << 32 | u64::from(peer));
        // Two connections of a set have one name with a chance of 1 in 2^29.
        let name = (mixed as u32).max(1);
        let (room, sets) = (u64::from(self.room), self.sets.len() as u64);
        let index = ((mixed >> 32) * sets) >> 32;
        // Sets share the room as evenly as it goes.
        let ways = ((index + 1) * room / sets - index * room / sets) as usize;
        let set = &mut self.sets[index as usize][..ways];
        let place = set.iter().position(|known| *known == name || *known == FREE);
        set[..=place.unwrap_or(ways - 1)].rotate_right(1);
        set[0] = name;
        place.is_some()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub const fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.sets.capacity() * size_of::<[u32; WAYS]>()
    }
}

/// Spreads the bits of a pair, as `SplitMix64` does.
const fn mix(pair: u64) -> u64 {
    let pair = pair.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let pair = (pair ^ (pair >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let pair = (pair ^ (pair >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    pair ^ (pair >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of uses that find the state, when `count` connections take turns.
    fn found(cache: &mut ConnectionCache, count: u32) -> f64 {
        for peer in 0..count {
            cache.uses(7, peer);
        }
        (0..count).filter(|peer| cache.uses(7, *peer)).count() as f64 / f64::from(count)
    }

    #[test]
    fn a_cache_without_a_limit_has_everything() {
        let mut cache = ConnectionCache::new(0);
        assert!((0..100_000).all(|peer| cache.uses(1, peer)));
        assert_eq!(cache.memory_bytes(), size_of::<ConnectionCache>());
    }

    #[test]
    fn connections_that_have_room_are_always_there() {
        let mut cache = ConnectionCache::new(4_096);
        assert!((0..1_024).all(|peer| cache.uses(3, peer)), "made, and not read");
        assert!(found(&mut cache, 2_048) > 0.95, "sets are filled unevenly");
        let last = found(&mut cache, 65_536);
        assert!(last < 0.01, "turns among many find none: {last}");
    }

    #[test]
    fn there_is_room_for_as_many_as_asked_for() {
        for room in [1, 5, 8, 9, 12, 100, 5_592] {
            let mut cache = ConnectionCache::new(room);
            (0..100_000).for_each(|peer| drop(cache.uses(0, peer)));
            let kept = cache.sets.iter().flatten().filter(|known| **known != FREE).count();
            assert_eq!(kept, room as usize);
        }
    }

    #[test]
    fn the_connections_used_last_stay() {
        let mut cache = ConnectionCache::new(8);
        assert!((0..8).all(|peer| cache.uses(0, peer)));
        assert!(cache.uses(0, 0));
        assert!(!cache.uses(0, 8), "it takes the place of 1, not of 0");
        assert!(cache.uses(0, 0) && !cache.uses(0, 1));
        assert!(!cache.uses(9, 0), "another rank's connection to 0 is another one");
    }
}
