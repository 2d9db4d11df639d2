//! Flow queues inside the fabric: packets for one endpoint take no more than their share of a link, and wait aside.
//!
//! Rosetta has a queue for each flow at every port and credits per flow between switches, so that a burst to one
//! endpoint backs up towards its sources while everything else passes. The model keeps one account for all flows to an
//! endpoint over a channel of a link (queued for it, on it, and in the buffer beyond) and, once the share is used up, a queue in
//! which further packets of that endpoint wait. They stay in the input buffer that they are in; they block nobody.

use philae_rosetta::{NO_PACKET, PacketLinks};

use crate::keyed::hash;
use crate::partition::Partition;
use crate::slab::NONE;

/// What one endpoint's packets hold of one channel of a link.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointShare {
    key: u64,
    /// Bytes queued for the link, on it, and in the buffer beyond until their credit is back.
    pub used_bytes: u32,
    /// First packet that waits for its share.
    head: u32,
    /// Last.
    tail: u32,
}

impl EndpointShare {
    /// The port that the link leaves from.
    pub const fn port(&self) -> u32 {
        (self.key >> 32) as u32
    }
}

/// A channel never waits for another's share: routes stay free of deadlock by the order of channels.
#[inline]
fn key_of(port: u32, destination: u32, channel: u8) -> u64 {
    (u64::from(port) << 32) | (u64::from(channel) << 24) | u64::from(destination)
}

const EMPTY: u64 = u64::MAX;
const NO_SHARE: EndpointShare = EndpointShare { key: EMPTY, used_bytes: 0, head: NONE, tail: NONE };

/// All shares that are held: open addressing with the shares in the table itself, because every hop of every packet
/// looks twice and should meet one cache line, not three as in a table of slots.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct ShareTable {
    places: Vec<EndpointShare>,
    used: usize,
}

impl Default for ShareTable {
    fn default() -> Self {
        Self { places: vec![NO_SHARE; 64], used: 0 }
    }
}

impl ShareTable {
    /// Place of a key, or the empty place where it would be.
    #[inline]
    fn place_of(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = hash(key) & mask;
        while self.places[at].key != key && self.places[at].key != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// Asks for a share's memory before it is needed.
    #[inline]
    pub fn prefetch(&self, port: u32, destination: u32, channel: u8) {
        let mask = self.places.len() - 1;
        philae_engine::prefetch_at(&self.places, hash(key_of(port, destination, channel)) & mask);
    }

    fn insert(&mut self, share: EndpointShare) {
        if (self.used + 1) * 2 > self.places.len() {
            let doubled = vec![NO_SHARE; self.places.len() * 2];
            for share in std::mem::replace(&mut self.places, doubled) {
                if share.key != EMPTY {
                    let at = self.place_of(share.key);
                    self.places[at] = share;
                }
            }
        }
        let at = self.place_of(share.key);
        self.places[at] = share;
        self.used += 1;
    }

    /// Takes the share at a place out; those behind it move up so that searches still find them.
    fn remove(&mut self, mut hole: usize) {
        let mask = self.places.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.places[at].key == EMPTY {
                break;
            }
            let home = hash(self.places[at].key) & mask;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.places[hole] = self.places[at];
                hole = at;
            }
        }
        self.places[hole] = NO_SHARE;
        self.used -= 1;
    }

    /// The shares that are held (for audits).
    pub fn used(&self) -> impl Iterator<Item = &EndpointShare> {
        self.places.iter().filter(|share| share.key != EMPTY)
    }

    /// The first share that is held, to be tampered with.
    #[cfg(test)]
    pub fn first_mut(&mut self) -> Option<&mut EndpointShare> {
        self.places.iter_mut().find(|share| share.key != EMPTY)
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<EndpointShare>()
    }
}

impl Partition {
    /// Takes a packet's part of its endpoint's share of the link beyond `port`. False: the packet waits aside.
    pub fn share_taken(&mut self, packet: u32, port: u32) -> bool {
        if self.share_bytes == 0 {
            return true;
        }
        let found = &self.packets[packet];
        let (key, size) = (key_of(port, found.destination, found.channel), u32::from(found.wire_bytes));
        let at = self.at(port);
        if self.share_has_room(key, size) || (self.collect_credits(at) && self.share_has_room(key, size)) {
            return true;
        }
        let place = self.shares.place_of(key);
        let share = &mut self.shares.places[place];
        if share.head == NONE {
            share.head = packet;
        } else {
            self.links.set_next(share.tail, packet);
        }
        share.tail = packet;
        self.links.set_next(packet, NO_PACKET);
        self.outputs[at].waiting_packets += 1;
        if self.observer.on {
            self.explain_aside(packet, port);
        }
        if let Some(arrives) = self.outputs[at].credits.next_arrival() {
            self.wake(port, arrives);
        }
        false
    }

    /// Takes part of a share, as far as the credits that have been applied leave any and nobody waits for it.
    #[inline]
    fn share_has_room(&mut self, key: u64, size: u32) -> bool {
        let place = self.shares.place_of(key);
        let share = &mut self.shares.places[place];
        if share.key == EMPTY {
            self.shares.insert(EndpointShare { key, used_bytes: size, head: NONE, tail: NONE });
            return true;
        }
        let fits = share.head == NONE && share.used_bytes + size <= self.share_bytes;
        if fits {
            share.used_bytes += size;
        }
        fits
    }

    /// Takes all packets that wait for a share of the link beyond `port` out of their queues.
    pub fn take_waiting(&mut self, port: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        if self.share_bytes == 0 || self.outputs[self.at(port)].waiting_packets == 0 {
            return taken;
        }
        // By key: the order of the table depends on what was in it before.
        let waits = |share: &&mut EndpointShare| share.key != EMPTY && share.port() == port && share.head != NONE;
        let mut waiting: Vec<&mut EndpointShare> = self.shares.places.iter_mut().filter(waits).collect();
        waiting.sort_unstable_by_key(|share| share.key);
        for share in waiting {
            let mut packet = std::mem::replace(&mut share.head, NONE);
            while packet != NO_PACKET {
                taken.push(packet);
                packet = self.links.next(packet);
            }
        }
        let at = self.at(port);
        self.outputs[at].waiting_packets = 0;
        taken
    }

    /// A credit for a packet of `destination` is back: its share is free, and packets that waited for it go on.
    #[inline]
    pub fn share_returned(&mut self, port: u32, destination: u32, channel: u8, bytes: u32) {
        if self.share_bytes == 0 {
            return;
        }
        let key = key_of(port, destination, channel);
        let place = self.shares.place_of(key);
        assert!(self.shares.places[place].key == key, "a credit comes back to a share that was taken");
        self.shares.places[place].used_bytes -= bytes;
        while self.shares.places[place].head != NONE {
            let share = &mut self.shares.places[place];
            let packet = share.head;
            let size = u32::from(self.packets[packet].wire_bytes);
            // A packet larger than the share goes alone.
            if share.used_bytes != 0 && share.used_bytes + size > self.share_bytes {
                return;
            }
            share.used_bytes += size;
            let next = self.links.next(packet);
            share.head = if next == NO_PACKET { NONE } else { next };
            let at = self.at(port);
            self.outputs[at].waiting_packets -= 1;
            if self.observer.on {
                self.explain_shared(packet, port);
            }
            self.queue(packet, port);
        }
        if self.shares.places[place].used_bytes == 0 {
            self.shares.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_engine::Stream;
    use std::collections::BTreeMap;

    #[test]
    fn the_table_behaves_like_a_map_under_random_use() {
        let mut table = ShareTable::default();
        let mut oracle: BTreeMap<u64, u32> = BTreeMap::new();
        let mut random = Stream::new(9, 0, 0);
        for turn in 0..200_000 {
            let key = key_of(random.below(30), random.below(50), 0);
            let place = table.place_of(key);
            match oracle.get(&key) {
                Some(&value) => {
                    assert_eq!((table.places[place].key, table.places[place].used_bytes), (key, value));
                    if random.below(2) == 0 {
                        table.remove(place);
                        oracle.remove(&key);
                    }
                }
                None => {
                    assert_eq!(table.places[place].key, EMPTY);
                    table.insert(EndpointShare { key, used_bytes: turn, head: NONE, tail: NONE });
                    oracle.insert(key, turn);
                }
            }
        }
        assert_eq!(table.used().count(), oracle.len());
    }
}
