//! The fat tree: leaves with the endpoints, spines above them and, with three levels, cores above the spines of pods.

mod build;
mod description;
pub(crate) mod htsim;

pub use description::{FatTreeCores, FatTreeDescription};

use crate::Endpoint;
use crate::csr::PortLists;
use philae_units::{EndpointId, PortIndex, SwitchId};

/// What routing asks of a fat tree.
#[derive(Clone, Debug)]
pub struct FatTree {
    level: Vec<u8>,
    levels: u8,
    up: PortLists,
    /// By `down_base[switch] + child`: leaf within the pod for a spine, pod for a core. Leaves have none.
    down: PortLists,
    down_base: Vec<u32>,
    /// Edge port of each endpoint.
    edge_port: Vec<PortIndex>,
    /// Leaf of each endpoint.
    leaf: Vec<SwitchId>,
    /// Pod of each switch; cores have `pods`.
    pod: Vec<u32>,
    /// First switch, hence first leaf, of each pod.
    pod_first: Vec<u32>,
    description: FatTreeDescription,
}

impl FatTree {
    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.up.memory_bytes()
            + self.down.memory_bytes()
            + self.level.capacity()
            + (self.down_base.capacity() + self.pod.capacity() + self.pod_first.capacity()) * size_of::<u32>()
            + self.edge_port.capacity() * size_of::<PortIndex>()
            + self.leaf.capacity() * size_of::<SwitchId>()
    }

    /// Takes in endpoints that were attached after the tree was built.
    pub(crate) fn attach(&mut self, endpoints: &[Endpoint], radix: usize) {
        for endpoint in &endpoints[self.edge_port.len()..] {
            self.edge_port.push(endpoint.port);
            self.leaf.push(SwitchId(endpoint.port.0 / radix as u32));
        }
    }

    /// 0 for a leaf, 1 for a spine, 2 for a core.
    #[inline]
    #[must_use]
    pub fn level_of(&self, switch: SwitchId) -> u8 {
        self.level[switch.index()]
    }

    /// Levels of switches: 2 or 3.
    #[must_use]
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// The ports of a switch that lead away from the endpoints; empty at the top.
    #[inline]
    #[must_use]
    pub fn up_ports(&self, switch: SwitchId) -> &[PortIndex] {
        self.up.get(switch.index())
    }

    /// The ports of a switch that lead down to an endpoint (at its leaf, its edge port); `None` where it is not below.
    #[inline]
    #[must_use]
    pub fn down_ports(&self, switch: SwitchId, endpoint: EndpointId) -> Option<&[PortIndex]> {
        let leaf = self.leaf[endpoint.index()];
        let base = self.down_base[switch.index()];
        match self.level[switch.index()] {
            0 if leaf == switch => Some(std::slice::from_ref(&self.edge_port[endpoint.index()])),
            0 => None,
            1 => {
                let pod = self.pod[switch.index()];
                if self.pod[leaf.index()] != pod {
                    return None;
                }
                Some(self.down.get((base + leaf.0 - self.pod_first[pod as usize]) as usize))
            }
            _ => Some(self.down.get((base + self.pod[leaf.index()]) as usize)),
        }
    }

    /// Whether an endpoint is below a switch.
    #[inline]
    #[must_use]
    pub fn is_below(&self, switch: SwitchId, endpoint: EndpointId) -> bool {
        self.down_ports(switch, endpoint).is_some()
    }

    /// The sizes that it was built from.
    #[must_use]
    pub const fn description(&self) -> &FatTreeDescription {
        &self.description
    }
}
