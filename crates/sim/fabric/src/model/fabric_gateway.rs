//! Two fabrics that share no switch, and the nodes between them.
//!
//! A fabric gateway is a node with a NIC in each fabric. A message for another fabric goes to the
//! gateway's NIC in the sender's fabric, which reassembles it. Then the gateway's other NIC fetches
//! the message and sends it: it is stored and forwarded whole. The gateway's cores have no part in
//! it.
//!
//! Acknowledgements on the second part of the path complete an operation. What those on the first
//! part would add is left out.

mod handlers;

use std::collections::BTreeMap;

use philae_topology::{Topology, TopologyShape};
use philae_units::{EndpointId, NodeId};

/// A NIC of a gateway in one fabric, and its other NIC in another.
type Passage = (u32, u32);

/// The fabric of each endpoint, and how messages get from one fabric to another. Empty for one
/// fabric.
#[derive(Debug, Default)]
pub struct FabricGateways {
    fabric: Vec<u16>,
    /// By the fabrics of the first and the second NIC.
    passages: BTreeMap<(u16, u16), Vec<Passage>>,
}

impl FabricGateways {
    /// The gateways of a system.
    pub fn of(topology: &Topology) -> Self {
        let TopologyShape::Graph(graph) = topology.shape() else { return Self::default() };
        let endpoints = (0..topology.endpoint_count()).map(EndpointId::from_index);
        let fabric: Vec<u16> = endpoints.map(|endpoint| graph.fabric(topology.switch_of_endpoint(endpoint))).collect();
        let mut passages: BTreeMap<(u16, u16), Vec<Passage>> = BTreeMap::new();
        for node in (0..topology.node_count()).map(NodeId::from_index) {
            let nics = topology.endpoints_of(node);
            for one in nics.clone() {
                for other in nics.clone() {
                    let between = (fabric[one as usize], fabric[other as usize]);
                    if between.0 != between.1 {
                        passages.entry(between).or_default().push((one, other));
                    }
                }
            }
        }
        if passages.is_empty() { Self::default() } else { Self { fabric, passages } }
    }

    /// Whether there is only one fabric.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// The first destination of a message from `source` for `target`. Messages for one endpoint
    /// share a gateway, so that they stay in order.
    fn first_destination(&self, source: u32, target: u32) -> u32 {
        let between = (self.fabric[source as usize], self.fabric[target as usize]);
        if between.0 == between.1 {
            return target;
        }
        let passages = &self.passages[&between];
        passages[target as usize % passages.len()].0
    }

    /// The NIC that forwards what has arrived at `gateway` for `target`.
    fn receiving_gateway(&self, gateway: u32, target: u32) -> u32 {
        let passages = &self.passages[&(self.fabric[gateway as usize], self.fabric[target as usize])];
        let passage = passages.iter().find(|passage| passage.0 == gateway);
        passage.expect("messages stop at NICs of gateways only").1
    }
}
