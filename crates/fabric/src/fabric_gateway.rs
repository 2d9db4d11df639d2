//! Two fabrics that share no switch, and the nodes between them.
//!
//! A fabric gateway is a node with a NIC in each fabric. A message for another fabric goes to the gateway's NIC in the sender's,
//! which puts it together; then the gateway's other NIC fetches it and sends it on: stored and forwarded whole. The
//! gateway's cores have no part in it. Acknowledgements of the second part of the way complete an operation; what those
//! of the first part would add is left out.

use std::collections::BTreeMap;

use philae_topology::{Shape, Topology};
use philae_units::{EndpointId, NodeId};

use crate::packet::Incoming;
use crate::partition::Partition;

/// A NIC of a gateway in one fabric, and its other one in another.
type Passage = (u32, u32);

/// Which endpoints are in which fabric, and how messages get from one to another. Empty for one fabric.
#[derive(Debug, Default)]
pub struct FabricGateways {
    fabric: Vec<u16>,
    /// By the fabrics of the first and the second NIC.
    passages: BTreeMap<(u16, u16), Vec<Passage>>,
}

impl FabricGateways {
    /// Those of a system.
    pub fn of(topology: &Topology) -> Self {
        let Shape::Graph(graph) = topology.shape() else { return Self::default() };
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

    /// Whether there is one fabric only.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Where a message from `source` for `target` goes first. Messages for one endpoint share a gateway, so that they
    /// stay in order.
    fn first_stop(&self, source: u32, target: u32) -> u32 {
        let between = (self.fabric[source as usize], self.fabric[target as usize]);
        if between.0 == between.1 {
            return target;
        }
        let passages = &self.passages[&between];
        passages[target as usize % passages.len()].0
    }

    /// The NIC that sends on what has arrived at `at` for `target`.
    fn other_side(&self, at: u32, target: u32) -> u32 {
        let passages = &self.passages[&(self.fabric[at as usize], self.fabric[target as usize])];
        let passage = passages.iter().find(|passage| passage.0 == at);
        passage.expect("messages stop at NICs of gateways only").1
    }
}

impl Partition {
    /// Where a message from `source` for `target` goes: there, or to a gateway on its way.
    pub fn next_stop(&self, source: u32, target: u32) -> u32 {
        let gateways = &self.shared.gateways;
        if gateways.is_empty() { target } else { gateways.first_stop(source, target) }
    }

    /// Whether `endpoint` sends on what `rank` sends: it is not the rank's own.
    pub fn sends_on(&self, endpoint: u32, rank: u32) -> bool {
        !self.shared.gateways.is_empty() && self.shared.ranks[rank as usize].endpoint != endpoint
    }

    /// A message has arrived in full: if this is a gateway on its way, it is sent on, and the answer is yes.
    pub fn forwarded(&mut self, record: u32, message: &Incoming) -> bool {
        if self.shared.gateways.is_empty() {
            return false;
        }
        let target = self.shared.ranks[message.header.destination_rank as usize].endpoint;
        if message.destination == target {
            return false;
        }
        self.incoming.remove(record);
        let other = self.shared.gateways.other_side(message.destination, target);
        let nic = &self.shared.config.nic;
        let turnaround = u64::from(nic.receive_ns + nic.dma_read_ns + nic.transmit_ns) * 1_000;
        self.begin_message(message.header, other, target, self.now + turnaround);
        true
    }
}
