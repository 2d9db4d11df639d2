//! Flows at their ingress: created on the first packet, gone when nothing of them is left in the fabric.
//!
//! One open-addressing table per partition maps (source endpoint, destination endpoint, class) to a slot. It is only
//! ever asked for one key, so its order never shows.

use philae_congestion::{EcnFlow, SlingshotFlow};
use philae_routing::RouteState;
use philae_units::PortIndex;

use crate::slab::{NONE, Slab};

/// What the law keeps of a flow.
#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// Nothing: the flow is tracked for the order of its packets.
    Order,
    /// Slingshot.
    Slingshot(SlingshotFlow),
    /// DCQCN, in the NIC.
    Ecn(EcnFlow),
}

/// A flow at its ingress port (or in its NIC).
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Traffic class.
    pub class: u8,
    /// Bytes between ingress and egress.
    pub extent_bytes: u32,
    /// Packets that entered the fabric (wrapping).
    pub sequence: u16,
    /// First packet waiting in the flow's own queue, and the last.
    pub held_head: u32,
    /// Last packet waiting.
    pub held_tail: u32,
    /// When a release is scheduled, in picoseconds; `u64::MAX` for never.
    pub release_at: u64,
    /// When the flow was last notified of congestion, in picoseconds.
    pub noticed_at: u64,
    /// Path of an ordered flow while it has packets in the fabric.
    pub path: Option<(PortIndex, RouteState)>,
    /// What the law keeps.
    pub control: Control,
}

/// All flows of a partition.
#[derive(Clone, Debug)]
pub struct FlowTable {
    /// The flows themselves.
    pub flows: Slab<Flow>,
    keys: Vec<u64>,
    slots: Vec<u32>,
    used: usize,
}

const EMPTY: u64 = u64::MAX;

impl Default for FlowTable {
    fn default() -> Self {
        Self { flows: Slab::default(), keys: vec![EMPTY; 64], slots: vec![NONE; 64], used: 0 }
    }
}

#[inline]
fn key_of(source: u32, destination: u32, class: u8) -> u64 {
    (u64::from(source) << 36) | (u64::from(destination) << 8) | u64::from(class)
}

#[inline]
fn hash(key: u64) -> u64 {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

impl FlowTable {
    /// The flow of this key.
    #[inline]
    pub fn find(&self, source: u32, destination: u32, class: u8) -> Option<u32> {
        let (key, mask) = (key_of(source, destination, class), self.keys.len() - 1);
        let mut at = hash(key) as usize & mask;
        loop {
            if self.keys[at] == key {
                return Some(self.slots[at]);
            }
            if self.keys[at] == EMPTY {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a flow that is not in the table.
    pub fn insert(&mut self, flow: Flow) -> u32 {
        if (self.used + 1) * 4 > self.keys.len() * 3 {
            self.grow();
        }
        let key = key_of(flow.source, flow.destination, flow.class);
        let slot = self.flows.insert(flow);
        self.place(key, slot);
        self.used += 1;
        slot
    }

    fn place(&mut self, key: u64, slot: u32) {
        let mask = self.keys.len() - 1;
        let mut at = hash(key) as usize & mask;
        while self.keys[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.keys[at] = key;
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let doubled = self.keys.len() * 2;
        let keys = std::mem::replace(&mut self.keys, vec![EMPTY; doubled]);
        let slots = std::mem::replace(&mut self.slots, vec![NONE; doubled]);
        for (key, slot) in keys.into_iter().zip(slots) {
            if key != EMPTY {
                self.place(key, slot);
            }
        }
    }

    /// Takes a flow out; entries behind it move up so that searches still find them.
    pub fn remove(&mut self, slot: u32) {
        let flow = &self.flows[slot];
        let (key, mask) = (key_of(flow.source, flow.destination, flow.class), self.keys.len() - 1);
        let mut hole = hash(key) as usize & mask;
        while self.keys[hole] != key {
            assert!(self.keys[hole] != EMPTY, "a flow that is removed is in the table");
            hole = (hole + 1) & mask;
        }
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.keys[at] == EMPTY {
                break;
            }
            let home = hash(self.keys[at]) as usize & mask;
            // The entry may fill the hole when its home is not between the hole and itself.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.keys[hole] = self.keys[at];
                self.slots[hole] = self.slots[at];
                hole = at;
            }
        }
        self.keys[hole] = EMPTY;
        self.slots[hole] = NONE;
        self.used -= 1;
        self.flows.remove(slot);
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.flows.memory_bytes() + self.keys.capacity() * (size_of::<u64>() + size_of::<u32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_engine::Stream;
    use std::collections::BTreeMap;

    fn flow(source: u32, destination: u32) -> Flow {
        Flow {
            source,
            destination,
            class: 0,
            extent_bytes: 0,
            sequence: 0,
            held_head: NONE,
            held_tail: NONE,
            release_at: u64::MAX,
            noticed_at: 0,
            path: None,
            control: Control::Order,
        }
    }

    #[test]
    fn behaves_like_a_map_under_random_use() {
        let mut table = FlowTable::default();
        let mut oracle: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut random = Stream::new(5, 0, 0);
        for _ in 0..200_000 {
            let key = (random.below(40), random.below(40));
            match oracle.get(&key) {
                Some(&slot) => {
                    assert_eq!(table.find(key.0, key.1, 0), Some(slot));
                    if random.below(2) == 0 {
                        table.remove(slot);
                        oracle.remove(&key);
                    }
                }
                None => {
                    assert_eq!(table.find(key.0, key.1, 0), None);
                    oracle.insert(key, table.insert(flow(key.0, key.1)));
                }
            }
        }
        assert_eq!(table.flows.len(), oracle.len());
    }
}
