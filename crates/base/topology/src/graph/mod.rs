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
mod shortest;
mod unused;
pub(crate) mod value;
mod xml;

pub use description::{GraphDescription, GraphEndpoint, GraphLabels, GraphLink};

use philae_units::{PortIndex, SwitchId};
pub(crate) use shortest::GRAPH_SWITCHES_MAX;
use shortest::ShortestPaths;

/// The graph's structure for routing.
#[derive(Clone, Debug)]
pub struct TopologyGraph {
    paths: ShortestPaths,
    /// The fabric of each switch.
    fabric: Vec<u16>,
}

impl TopologyGraph {
    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.paths.memory_bytes() + self.fabric.capacity() * size_of::<u16>()
    }

    /// Every port of `from` that is the first hop of a shortest path to `to`; empty if they are the
    /// same.
    #[inline]
    #[must_use]
    pub fn next(&self, from: SwitchId, to: SwitchId) -> &[PortIndex] {
        self.paths.next(from.index(), to.index())
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

    /// Whether shortest paths from `at` to two other switches may begin with the same link.
    #[must_use]
    pub fn may_begin_alike(&self, at: SwitchId, one: SwitchId, other: SwitchId) -> bool {
        common(self.next(at, one), self.next(at, other)) > 0
    }

    /// Whether every shortest path from `at` to `one` begins with a link that is also the first of
    /// one to `other`.
    #[must_use]
    pub fn must_begin_alike(&self, at: SwitchId, one: SwitchId, other: SwitchId) -> bool {
        let first = self.next(at, one);
        common(first, self.next(at, other)) == first.len()
    }

    /// Hops of a shortest path; 255 if there is none.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: SwitchId, to: SwitchId) -> u8 {
        self.paths.distance(from.index(), to.index())
    }
}

/// Number of ports that are in both of two ascending lists.
fn common(one: &[PortIndex], other: &[PortIndex]) -> usize {
    let (mut count, mut rest) = (0, other);
    for port in one {
        while rest.first().is_some_and(|first| first < port) {
            rest = &rest[1..];
        }
        count += usize::from(rest.first() == Some(port));
    }
    count
}
