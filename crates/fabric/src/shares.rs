//! The shares of links that endpoints hold, found by port, endpoint and channel.
//!
//! Every hop of every packet looks three times: it takes its part, gives it back, and asks for the memory before. So the shares stand in the
//! tables themselves, eight to a cache line, and each switch has a table of its own: groups are worked on one after the other, and what
//! a group looks at lies together, where one table for all would be a line of somewhere in gigabytes each time.

use crate::places::{Entry, Places};

/// Bits of a share's word that count bytes. Above them, one that says whether packets wait, an endpoint, a channel and a port of the
/// switch.
const BYTES_BITS: u32 = 25;
const KEY_SHIFT: u32 = BYTES_BITS + 1;
const WAITING: u64 = 1 << BYTES_BITS;
const ENDPOINT_BITS: u32 = 26;
const CHANNEL_BITS: u32 = 6;

/// Most that a law may let one endpoint hold: with a packet more, which may go alone, it is a number that a share has room for.
pub const SHARE_BYTES_MAX: u32 = 1 << (BYTES_BITS - 1);

/// Under what a share is found: a channel never waits for another's share, so that routes stay free of deadlock by the order of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShareKey(u64);

impl ShareKey {
    /// The share that an endpoint has of a channel of the link beyond a port of the switch.
    #[inline]
    pub fn new(port: u8, channel: u8, destination: u32) -> Self {
        debug_assert!(channel < 1 << CHANNEL_BITS && destination < 1 << ENDPOINT_BITS, "a system has fewer");
        let of_port = u64::from(port) << CHANNEL_BITS | u64::from(channel);
        Self(of_port << ENDPOINT_BITS | u64::from(destination))
    }

    /// The port, on its switch.
    pub const fn port(self) -> u8 {
        (self.0 >> (ENDPOINT_BITS + CHANNEL_BITS)) as u8
    }
}

impl From<ShareKey> for u64 {
    #[inline]
    fn from(key: ShareKey) -> Self {
        key.0
    }
}

/// What one endpoint's packets hold of one channel of a link.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointShare {
    /// The key, and below it whether packets wait, and the bytes.
    word: u64,
}

/// No key is as large: there are not as many endpoints.
const EMPTY: u64 = u64::MAX;

impl Entry for EndpointShare {
    type Key = ShareKey;
    const VACANT: Self = Self { word: EMPTY };
    const PLACES_FIRST: usize = 32;
    const QUARTERS_HELD: usize = 2;

    #[inline]
    fn key(&self) -> ShareKey {
        ShareKey(self.word >> KEY_SHIFT)
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.word != EMPTY
    }
}

impl EndpointShare {
    /// A share of so many bytes, for which nobody waits.
    #[inline]
    pub fn new(key: ShareKey, used_bytes: u32) -> Self {
        Self { word: key.0 << KEY_SHIFT | u64::from(used_bytes) }
    }

    /// Bytes queued for the link, on it, and in the buffer beyond until their credit is back.
    #[inline]
    pub const fn used_bytes(&self) -> u32 {
        (self.word & ((1 << BYTES_BITS) - 1)) as u32
    }

    /// Whether packets wait for it.
    #[inline]
    pub const fn has_waiting(&self) -> bool {
        self.word & WAITING != 0
    }

    /// Says whether packets wait for it.
    #[inline]
    pub fn set_waiting(&mut self, waits: bool) {
        self.word = self.word & !WAITING | if waits { WAITING } else { 0 };
    }

    /// Takes more.
    #[inline]
    pub fn take(&mut self, bytes: u32) {
        debug_assert!(self.used_bytes() + bytes < 1 << BYTES_BITS, "a share is bounded");
        self.word += u64::from(bytes);
    }

    /// Gives back.
    #[inline]
    pub fn give_back(&mut self, bytes: u32) {
        debug_assert!(self.used_bytes() >= bytes, "what comes back was taken");
        self.word -= u64::from(bytes);
    }
}

/// The shares that are held of one switch's links.
pub type ShareTable = Places<EndpointShare>;

/// Where the packets are that wait for a share: of a switch of the partition, and of that switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsideKey(u64);

impl AsideKey {
    /// Those that wait for a share of a switch's links.
    pub const fn new(switch: usize, share: ShareKey) -> Self {
        Self((switch as u64) << (64 - KEY_SHIFT) | share.0)
    }
}

impl From<AsideKey> for u64 {
    #[inline]
    fn from(key: AsideKey) -> Self {
        key.0
    }
}

/// The packets that wait for a share.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Aside {
    key: u64,
    /// First of them.
    pub head: u32,
    /// Last.
    pub tail: u32,
}

impl Aside {
    /// One packet.
    pub const fn new(key: AsideKey, packet: u32) -> Self {
        Self { key: key.0, head: packet, tail: packet }
    }
}

impl Entry for Aside {
    type Key = AsideKey;
    const VACANT: Self = Self { key: EMPTY, head: u32::MAX, tail: u32::MAX };
    const PLACES_FIRST: usize = 64;
    const QUARTERS_HELD: usize = 2;

    #[inline]
    fn key(&self) -> AsideKey {
        AsideKey(self.key)
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.key != EMPTY
    }
}

/// Packets that wait for shares, by share.
pub type AsideTable = Places<Aside>;

#[cfg(test)]
mod tests {
    use super::*;
    use philae_engine::Stream;
    use std::collections::BTreeMap;

    #[test]
    fn the_table_behaves_like_a_map_under_random_use() {
        let mut table = ShareTable::default();
        let mut oracle: BTreeMap<ShareKey, u32> = BTreeMap::new();
        let mut random = Stream::new(9, 0, 0);
        for bytes in 0..200_000 {
            let key = ShareKey::new(random.below(64) as u8, random.below(2) as u8, random.below(50));
            let place = table.place_of(key);
            assert_eq!(table[place].is_held(), oracle.contains_key(&key));
            if let Some(&used) = oracle.get(&key) {
                assert_eq!((table[place].key(), table[place].used_bytes()), (key, used));
                if random.below(2) == 0 {
                    table.remove(place);
                    oracle.remove(&key);
                }
            } else {
                table.insert(place, EndpointShare::new(key, bytes));
                oracle.insert(key, bytes);
            }
        }
        assert_eq!(table.used().count(), oracle.len());
    }

    #[test]
    fn a_share_tells_its_parts_at_their_largest() {
        let key = ShareKey::new(63, 63, (1 << ENDPOINT_BITS) - 2);
        let mut share = EndpointShare::new(key, SHARE_BYTES_MAX);
        share.take(65_535);
        assert_eq!((share.key(), share.key().port(), share.used_bytes()), (key, 63, SHARE_BYTES_MAX + 65_535));
        share.set_waiting(true);
        assert_eq!((share.key(), share.has_waiting(), share.used_bytes()), (key, true, SHARE_BYTES_MAX + 65_535));
        share.set_waiting(false);
        share.give_back(SHARE_BYTES_MAX + 65_535);
        assert_eq!((share.key(), share.used_bytes()), (key, 0));
    }
}
