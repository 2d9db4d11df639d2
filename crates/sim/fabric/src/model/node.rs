//! A NIC and the memory of its node: reads before a packet leaves, writes after one has arrived,
//! commands and events. The accounts and their laws are in `philae_nic_model` ([`Bus`]).
//!
//! Only the system's own NICs have these accounts. A NIC and its switch are in one partition, so an
//! account is read and written by one partition, in the order of its events. So is the memory of a
//! node: systems are divided only where all NICs of each node are in one group.

mod handlers;

use std::collections::VecDeque;
use std::ops::Range;

use philae_nic_model::{Bus, ConnectionCache, Memory, NodeParameters};
use philae_topology::Topology;
use philae_units::EndpointId;
use serde::{Deserialize, Serialize};

use crate::model::shared::Shared;

/// What a NIC and its node do for each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NicBus {
    /// Whether it has these accounts: third-party endpoints do not.
    is_own: bool,
    /// Its transfers.
    bus: Bus,
    /// The memory of its node, by its place in the partition's column.
    memory: u32,
    /// When the bus had moved what it last took, whatever the memory did, in picoseconds.
    on_bus: u64,
    /// Memory, and not the bus, decided when the last read was done.
    behind_memory: bool,
    /// When its wire is free, whatever the bus does, in picoseconds.
    wire_free_at: u64,
    /// Payloads in its buffer, in the order of their writes: when each is in memory, in
    /// picoseconds, and its bytes. Empty where the buffer has no limit.
    waiting: VecDeque<(u64, u32)>,
    /// Bytes of all of them.
    waiting_bytes: u32,
    /// When it paused its switch port, in picoseconds; `None` while it has not.
    paused_since: Option<u64>,
}

impl NicBus {
    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.waiting.capacity() * size_of::<(u64, u32)>()
    }

    /// Takes the payloads out of the buffer that are in memory by `now`.
    fn drain(&mut self, now: u64) {
        while let Some(&(_, bytes)) = self.waiting.front().filter(|(written, _)| *written <= now) {
            self.waiting.pop_front();
            self.waiting_bytes -= bytes;
        }
    }

    /// When the buffer is down to `bytes`, if nothing else arrives.
    fn down_to(&self, bytes: u32) -> u64 {
        let mut left = self.waiting_bytes;
        let last = self.waiting.iter().find(|(_, written)| {
            left -= written;
            left <= bytes
        });
        last.map_or(0, |(written, _)| *written)
    }

    /// Bytes in its buffer, counted one by one and as an account, for audits.
    pub fn buffered(&self) -> (u64, u64) {
        (self.waiting.iter().map(|(_, bytes)| u64::from(*bytes)).sum(), u64::from(self.waiting_bytes))
    }
}

/// The accounts of these endpoints and of their nodes; empty where nodes have no limit.
///
/// # Panics
/// If a node has NICs in two partitions: our mistake.
pub fn accounts(shared: &Shared, endpoints: Range<u32>) -> (Vec<NicBus>, Vec<Memory>) {
    let Some(node) = &shared.config.node else { return (Vec::new(), Vec::new()) };
    if node.memory_rate() == 0 {
        // Memories without a limit have no state.
        let of = |endpoint| NicBus { is_own: shared.kind(endpoint).ethernet.is_none(), ..NicBus::default() };
        return (endpoints.map(of).collect(), vec![Memory::default()]);
    }
    let mut nodes = 0;
    let of = |endpoint| {
        nodes += u32::from(is_first_nic(shared.topology(), endpoint));
        let memory = u32::checked_sub(nodes, 1).expect("all NICs of a node are in one partition");
        NicBus { is_own: shared.kind(endpoint).ethernet.is_none(), memory, ..NicBus::default() }
    };
    let buses: Vec<NicBus> = endpoints.map(of).collect();
    (buses, vec![Memory::default(); nodes as usize])
}

/// The state of connections in the NICs of these endpoints; empty where none has a limit, or where
/// the kernel has the connections.
pub fn connections(shared: &Shared, endpoints: Range<u32>) -> Vec<ConnectionCache> {
    let nic = &shared.config.nic;
    if nic.connections_max == 0 || shared.config.host.path.is_kernel() {
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
        let waiting = VecDeque::from([(10, 100), (20, 50), (30, 25)]);
        let mut bus = NicBus { waiting, waiting_bytes: 175, ..NicBus::default() };
        assert_eq!([174, 75, 25, 0].map(|bytes| bus.down_to(bytes)), [10, 10, 20, 30]);
        bus.drain(9);
        assert_eq!(bus.buffered(), (175, 175));
        bus.drain(20);
        assert_eq!(bus.buffered(), (25, 25));
    }
}
