//! A NIC and the memory of its node: reads before a packet leaves, writes after one has arrived,
//! commands and events. The accounts and their laws are in `philae_nic_model` ([`Bus`]).
//!
//! Only the system's own NICs have these accounts. A NIC and its switch are in one partition, so an
//! account is read and written by one partition, in the order of its events. So is the memory of a
//! node: systems are divided only where all NICs of each node are in one group.

mod handlers;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use philae_nic_model::{Bus, ConnectionCache, Memory, NodeParameters};
use philae_topology::Topology;
use philae_units::EndpointId;
use serde::{Deserialize, Serialize};

use crate::model::shared::Shared;

/// A queue of payloads is looked through when it has this many, or twice, four times as many and so
/// on: then it would grow. Source: ours; two cache lines of payloads. Status: assumed.
const GROWS_FROM: usize = 8;

/// The transfers between a NIC and its node: what each packet reads and writes, in one cache line.
/// The payloads in front of the last one are in [`NicBuffers`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct NicBus {
    /// Its transfers.
    bus: Bus,
    /// When its wire is free, whatever the bus does, in picoseconds.
    wire_free_at: u64,
    /// When the last payload in its buffer is in memory, in picoseconds.
    last_written: u64,
    /// Bytes of all payloads in its buffer, as far as it has looked: those that have reached memory
    /// since are among them. 0 where the buffer has no limit.
    waiting_bytes: u32,
    /// Bytes of the last payload in its buffer; 0 if it is empty.
    last_bytes: u16,
    /// Whether it has these accounts: third-party endpoints do not.
    is_own: bool,
    /// Memory, and not the bus, decided when the last read was done.
    behind_memory: bool,
}

// Each packet that leaves or arrives touches one.
const _: () = assert!(size_of::<NicBus>() == 64);

/// Payloads in the buffer of a NIC except the last, in the order of their writes: when each is in
/// memory, in picoseconds, and its bytes.
pub type Waiting = VecDeque<(u64, u32)>;

/// What few packets read of the buffers of NICs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NicBuffers {
    /// By NIC; empty where buffers have no limit.
    pub waiting: Vec<Waiting>,
    /// NICs that have paused their switch ports, by slot, and since when, in picoseconds.
    paused: BTreeMap<u32, u64>,
    /// The memory of each NIC's node, by its place in the partition's column; empty where memories
    /// have no limit.
    memory_of: Vec<u32>,
    /// When the bus had moved what the packet of the present event needed, whatever the memory did,
    /// in picoseconds.
    on_bus: u64,
}

impl NicBuffers {
    /// Whether the memories of nodes have a limit.
    #[inline]
    fn has_memories(&self) -> bool {
        !self.memory_of.is_empty()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let waiting: usize = self.waiting.iter().map(VecDeque::capacity).sum();
        waiting * size_of::<(u64, u32)>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + self.memory_of.capacity() * size_of::<u32>()
    }
}

impl NicBus {
    /// Puts a payload into the buffer at `now`, which is in memory at `written`.
    ///
    /// It looks for payloads that have reached memory only if all have, or before the queue grows.
    /// So it seldom reads what it has written long ago.
    #[inline]
    fn put(&mut self, waiting: &mut Waiting, now: u64, (written, bytes): (u64, u16)) {
        if self.last_written <= now {
            if self.waiting_bytes > u32::from(self.last_bytes) {
                waiting.clear();
            }
            self.waiting_bytes = 0;
        } else {
            waiting.push_back((self.last_written, self.last_bytes.into()));
            if waiting.len() >= GROWS_FROM && waiting.len().is_power_of_two() {
                self.drain(waiting, now);
            }
        }
        (self.last_written, self.last_bytes) = (written, bytes);
        self.waiting_bytes += u32::from(bytes);
    }

    /// Takes the payloads out of the buffer that are in memory by `now`.
    fn drain(&mut self, waiting: &mut Waiting, now: u64) {
        while let Some(&(_, bytes)) = waiting.front().filter(|(written, _)| *written <= now) {
            waiting.pop_front();
            self.waiting_bytes -= bytes;
        }
        if self.last_written <= now {
            self.waiting_bytes -= u32::from(std::mem::take(&mut self.last_bytes));
        }
    }

    /// The payloads in the buffer, with when each is in memory.
    fn payloads(&self, waiting: &Waiting) -> impl Iterator<Item = (u64, u32)> {
        let last = (self.last_bytes > 0).then_some((self.last_written, u32::from(self.last_bytes)));
        waiting.iter().copied().chain(last)
    }

    /// When the buffer is down to `bytes`, if nothing else arrives.
    fn down_to(&self, waiting: &Waiting, bytes: u32) -> u64 {
        let mut left = self.waiting_bytes;
        let last = self.payloads(waiting).find(|(_, written)| {
            left -= written;
            left <= bytes
        });
        last.map_or(0, |(written, _)| written)
    }

    /// Bytes in its buffer, counted one by one and as an account, for audits.
    pub fn buffered(&self, waiting: &Waiting) -> (u64, u64) {
        (self.payloads(waiting).map(|(_, bytes)| u64::from(bytes)).sum(), u64::from(self.waiting_bytes))
    }
}

/// The accounts of these endpoints, of their buffers and of their nodes; empty where nodes have no
/// limit.
///
/// # Panics
/// If a node has NICs in two partitions: our mistake.
pub fn accounts(shared: &Shared, endpoints: Range<u32>) -> (Vec<NicBus>, NicBuffers, Vec<Memory>) {
    let Some(node) = &shared.config.node else { return (Vec::new(), NicBuffers::default(), Vec::new()) };
    let of = |endpoint| NicBus { is_own: shared.kind(endpoint).ethernet.is_none(), ..NicBus::default() };
    let buses: Vec<NicBus> = endpoints.clone().map(of).collect();
    let waiting = vec![Waiting::new(); if node.buffer_bytes > 0 { buses.len() } else { 0 }];
    if node.memory_rate() == 0 {
        // Memories without a limit have no state.
        return (buses, NicBuffers { waiting, ..NicBuffers::default() }, vec![Memory::default()]);
    }
    let mut nodes = 0;
    let of = |endpoint| {
        nodes += u32::from(is_first_nic(shared.topology(), endpoint));
        u32::checked_sub(nodes, 1).expect("all NICs of a node are in one partition")
    };
    let memory_of = endpoints.map(of).collect();
    (buses, NicBuffers { waiting, memory_of, ..NicBuffers::default() }, vec![Memory::default(); nodes as usize])
}

/// The state of connections in the NICs of these endpoints; empty where none has a limit.
pub fn connections(shared: &Shared, endpoints: Range<u32>) -> Vec<ConnectionCache> {
    let nic = &shared.config.nic;
    if nic.connections_max == 0 {
        return Vec::new();
    }
    let room = |endpoint| if shared.kind(endpoint).ethernet.is_none() { nic.connections_max } else { 0 };
    endpoints.map(|endpoint| ConnectionCache::new(room(endpoint))).collect()
}

fn is_first_nic(topology: &Topology, endpoint: u32) -> bool {
    topology.endpoint(EndpointId(endpoint)).nic == 0
}

/// Whether the values of a node make sense: which key does not, what it is and what works.
pub fn fault_of_memory(node: &NodeParameters) -> Option<(&'static str, u32, &'static str)> {
    if !(1..=100).contains(&node.memory_copies_percent) {
        let works = "copies take 1 to 100 percent of the memory";
        return Some(("hardware.node.memory_copies_percent", node.memory_copies_percent, works));
    }
    let works = match node.memory_mbytes {
        0 => "nothing can be reserved of a memory without a limit: set hardware.node.memory_mbytes",
        _ => "at most half of hardware.node.memory_mbytes",
    };
    let reserved = node.memory_reserved_mbytes;
    (reserved > node.memory_mbytes / 2).then_some(("hardware.node.memory_reserved_mbytes", reserved, works))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_drains_in_the_order_of_its_writes() {
        let (mut bus, mut waiting) = (NicBus::default(), Waiting::new());
        for payload in [(10, 100), (20, 50), (30, 25)] {
            bus.put(&mut waiting, 0, payload);
        }
        assert_eq!([174, 75, 25, 0].map(|bytes| bus.down_to(&waiting, bytes)), [10, 10, 20, 30]);
        bus.drain(&mut waiting, 9);
        assert_eq!(bus.buffered(&waiting), (175, 175));
        bus.drain(&mut waiting, 20);
        assert_eq!(bus.buffered(&waiting), (25, 25));
        bus.drain(&mut waiting, 30);
        assert_eq!(bus.buffered(&waiting), (0, 0));
    }

    #[test]
    fn a_buffer_that_seldom_looks_has_the_bytes_of_one_that_always_does() {
        let mut random = philae_engine::RandomStream::new(7, 0, 0);
        let (mut bus, mut waiting) = (NicBus::default(), Waiting::new());
        let (mut now, mut written, mut all) = (0, 0, Vec::new());
        let (mut looks, mut longest) = (0, 0);
        for turn in 0..20_000 {
            // Bursts, after which the buffer is empty again.
            now += u64::from(random.below(if turn / 100 % 3 == 0 { 40 } else { 12 }));
            let bytes = 1 + random.below(2_000) as u16;
            written = now.max(written) + 1 + u64::from(bytes) / 200;
            bus.put(&mut waiting, now, (written, bytes));
            all.push((written, u64::from(bytes)));
            assert_eq!(bus.buffered(&waiting).0, bus.buffered(&waiting).1);
            longest = longest.max(waiting.len());
            if random.below(50) == 0 {
                bus.drain(&mut waiting, now);
                all.retain(|(written, _)| *written > now);
                assert_eq!(bus.buffered(&waiting).1, all.iter().map(|(_, bytes)| bytes).sum::<u64>());
                looks += u32::from(all.len() > 2);
            }
        }
        assert!(looks > 100 && (5..200).contains(&longest), "{looks} looks at several payloads, {longest} at most");
    }
}
