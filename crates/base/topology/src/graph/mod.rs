//! Any connected graph of switches, with every minimal next hop in a table.

mod build;
mod description;
mod directed;
mod document;
mod gexf;
mod graphml;
pub(crate) mod import;
mod json;
mod node_link;
mod unused;
mod value;
mod xml;

pub use description::{GraphDescription, GraphEndpoint, GraphLabels, GraphLink};

use crate::csr::PortLists;
use philae_units::{PortIndex, SwitchId};

/// The graph's structure for routing.
#[derive(Clone, Debug)]
pub struct TopologyGraph {
    switches: u32,
    /// By `from * switches + to`.
    next: PortLists,
    distance: Vec<u8>,
    /// The fabric of each switch.
    fabric: Vec<u16>,
}

impl TopologyGraph {
    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.next.memory_bytes() + self.distance.capacity() + self.fabric.capacity() * size_of::<u16>()
    }

    /// Every port of `from` that is the first hop of a shortest path to `to`; empty if they are the
    /// same.
    #[inline]
    #[must_use]
    pub fn next(&self, from: SwitchId, to: SwitchId) -> &[PortIndex] {
        self.next.get(from.index() * self.switches as usize + to.index())
    }

    /// The fabric of a switch: switches of one reach each other, those of two do not.
    #[must_use]
    pub fn fabric(&self, switch: SwitchId) -> u16 {
        self.fabric[switch.index()]
    }

    /// Whether a packet can reach one switch from another.
    #[must_use]
    pub fn reaches(&self, from: SwitchId, to: SwitchId) -> bool {
        self.fabric(from) == self.fabric(to)
    }

    /// Hops of a shortest path; 255 if there is none.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: SwitchId, to: SwitchId) -> u8 {
        self.distance[from.index() * self.switches as usize + to.index()]
    }
}
