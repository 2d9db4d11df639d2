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
    /// Connections whose state is being read, and when it is there, in picoseconds.
    reading: Vec<(u32, u64)>,
}

/// Whether the state of a connection is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldState {
    Here,
    /// Another message has asked for it; it comes at this time, in picoseconds.
    Comes(u64),
    /// It has to be read.
    Missing,
}

impl ConnectionCache {
    /// A cache with room for so many connections; 0 if the NIC needs no state.
    #[must_use]
    pub const fn new(room: u32) -> Self {
        Self { room, sets: Vec::new(), reading: Vec::new() }
    }

    /// Uses the connection between a rank and a rank elsewhere at `now`. As long as there is room,
    /// its state is there: it came when the connection was made. What is missing takes the place of
    /// another, and [`reads`](Self::reads) says when it comes.
    pub fn uses(&mut self, own: u32, peer: u32, now: u64) -> HeldState {
        if self.room == 0 {
            return HeldState::Here;
        }
        if self.sets.is_empty() {
            self.sets = vec![[FREE; WAYS]; self.room.div_ceil(WAYS as u32) as usize];
        }
        let (mixed, name) = name_of(own, peer);
        let (room, sets) = (u64::from(self.room), self.sets.len() as u64);
        let index = ((mixed >> 32) * sets) >> 32;
        // Sets share the room as evenly as it goes.
        let ways = ((index + 1) * room / sets - index * room / sets) as usize;
        let set = &mut self.sets[index as usize][..ways];
        let place = set.iter().position(|known| *known == name || *known == FREE);
        set[..=place.unwrap_or(ways - 1)].rotate_right(1);
        set[0] = name;
        if !self.reading.is_empty() {
            self.reading.retain(|(_, until)| *until > now);
        }
        match self.reading.iter().find(|(known, _)| *known == name) {
            Some((_, until)) => HeldState::Comes(*until),
            None if place.is_some() => HeldState::Here,
            None => HeldState::Missing,
        }
    }

    /// The state of a connection that is missing is there at `until`, in picoseconds. Messages on
    /// it wait until then, so that none overtakes another.
    pub fn reads(&mut self, own: u32, peer: u32, until: u64) {
        self.reading.push((name_of(own, peer).1, until));
    }

    /// Memory held, in bytes.
    #[must_use]
    pub const fn memory_bytes(&self) -> usize {
        let reading = self.reading.capacity() * size_of::<(u32, u64)>();
        size_of::<Self>() + self.sets.capacity() * size_of::<[u32; WAYS]>() + reading
    }
}

/// A connection as a set is chosen by it, and its name there. Two connections of a set have one
/// name with a chance of 1 in 2^29.
fn name_of(own: u32, peer: u32) -> (u64, u32) {
    let mixed = mix(u64::from(own) << 32 | u64::from(peer));
    (mixed, (mixed as u32).max(1))
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
    use super::HeldState::{Comes, Here, Missing};
    use super::*;

    impl ConnectionCache {
        fn finds(&mut self, own: u32, peer: u32) -> bool {
            self.uses(own, peer, 0) == Here
        }
    }

    /// The share of uses that find the state, when `count` connections take turns.
    fn found(cache: &mut ConnectionCache, count: u32) -> f64 {
        for peer in 0..count {
            cache.finds(7, peer);
        }
        (0..count).filter(|peer| cache.finds(7, *peer)).count() as f64 / f64::from(count)
    }

    #[test]
    fn a_cache_without_a_limit_has_everything() {
        let mut cache = ConnectionCache::new(0);
        assert!((0..100_000).all(|peer| cache.finds(1, peer)));
        assert_eq!(cache.memory_bytes(), size_of::<ConnectionCache>());
    }

    #[test]
    fn connections_that_have_room_are_always_there() {
        let mut cache = ConnectionCache::new(4_096);
        assert!((0..1_024).all(|peer| cache.finds(3, peer)), "made, and not read");
        assert!(found(&mut cache, 2_048) > 0.95, "sets are filled unevenly");
        let last = found(&mut cache, 65_536);
        assert!(last < 0.01, "turns among many find none: {last}");
    }

    #[test]
    fn there_is_room_for_as_many_as_asked_for() {
        for room in [1, 5, 8, 9, 12, 100, 5_592] {
            let mut cache = ConnectionCache::new(room);
            for peer in 0..100_000 {
                cache.finds(0, peer);
            }
            let kept = cache.sets.iter().flatten().filter(|known| **known != FREE).count();
            assert_eq!(kept, room as usize);
        }
    }

    #[test]
    fn what_is_being_read_comes_when_the_first_read_ends() {
        let mut cache = ConnectionCache::new(1);
        assert_eq!((cache.uses(0, 1, 5), cache.uses(0, 2, 5)), (Here, Missing));
        cache.reads(0, 2, 90);
        assert_eq!((cache.uses(0, 2, 6), cache.uses(0, 2, 89)), (Comes(90), Comes(90)));
        assert_eq!(cache.uses(0, 1, 89), Missing, "it lost its place");
        assert_eq!(cache.uses(0, 2, 89), Comes(90), "and is on its way, whoever has the place");
        assert_eq!(cache.uses(0, 2, 90), Here);
    }

    #[test]
    fn the_connections_used_last_stay() {
        let mut cache = ConnectionCache::new(8);
        assert!((0..8).all(|peer| cache.finds(0, peer)));
        assert!(cache.finds(0, 0));
        assert!(!cache.finds(0, 8), "it takes the place of 1, not of 0");
        assert!(cache.finds(0, 0) && !cache.finds(0, 1));
        assert!(!cache.finds(9, 0), "another rank's connection to 0 is another one");
    }
}
