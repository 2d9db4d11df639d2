//! The account of an ingress port: bytes of all its flows between ingress and egress, and the flows
//! that wait for room in it.
//!
//! Flows that the account blocks wait in a list and take turns, a packet each. A flow that its own
//! law holds takes no turn: at its turn it leaves the list, and joins again when its time has come
//! or its acknowledgement has returned. A flow that finds the list empty and room in the account
//! does not join it. So each event adds one flow at most, and a packet costs the
//! same however many flows wait.

use philae_congestion::{InjectionScope, SlingshotParameters, injection_limit_bytes};

use crate::memory::slab::NO_INDEX;
use crate::model::output::PortWire;
use crate::model::shared::slingshot;
use crate::partition::Partition;

/// The account of an ingress port, where the law has one.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct IngressPort {
    /// Bytes of its flows between ingress and egress.
    pub inside_bytes: u32,
    /// How many may be there; one packet always may.
    limit_bytes: u32,
    /// First flow that waits for its turn.
    first: u32,
    /// Last flow that waits for its turn.
    last: u32,
}

impl IngressPort {
    /// The account of a port with this wire: nothing inside.
    fn new(parameters: &SlingshotParameters, wire: &PortWire) -> Self {
        let limit_bytes = injection_limit_bytes(parameters, wire.ps_per_byte_ceil());
        Self { inside_bytes: 0, limit_bytes, first: NO_INDEX, last: NO_INDEX }
    }

    /// Whether a packet may enter the fabric.
    #[inline]
    const fn has_room(&self, bytes: u32) -> bool {
        self.inside_bytes == 0 || self.inside_bytes as u64 + bytes as u64 <= self.limit_bytes as u64
    }

    /// First flow that waits for its turn.
    pub const fn first(&self) -> u32 {
        self.first
    }
}

impl Partition {
    /// The accounts of the ingress ports; none where the law limits flows only.
    pub fn new_ingress_ports(&self) -> Vec<IngressPort> {
        let Some(parameters) = slingshot(&self.shared.config.congestion) else { return Vec::new() };
        if parameters.injection_scope == InjectionScope::Flow {
            return Vec::new();
        }
        let port_of = |nic: usize| self.port_slot(self.edge_port(self.layout.endpoint_base + nic as u32));
        (0..self.nic.nics.len()).map(|nic| IngressPort::new(parameters, &self.switch.wires[port_of(nic)])).collect()
    }

    /// Whether all flows of an ingress port share an account.
    #[inline]
    pub fn limits_ports(&self) -> bool {
        !self.edge.ingress_ports.is_empty()
    }

    /// The rate of an edge link has changed, and with it the limit of its port.
    pub fn limit_port_again(&mut self, port_slot: usize) {
        let wire = self.switch.wires[port_slot];
        let nic_slot = self.nic_slot(wire.peer);
        if let (true, Some(parameters)) = (self.limits_ports(), slingshot(&self.shared.config.congestion)) {
            let IngressPort { limit_bytes, .. } = IngressPort::new(parameters, &wire);
            self.edge.ingress_ports[nic_slot].limit_bytes = limit_bytes;
        }
    }

    /// Puts a flow that has packets waiting behind those that wait for their turn.
    #[inline]
    pub fn wait_for_turn(&mut self, flow: u32, nic_slot: usize) {
        let flow_state = &mut self.edge.flows.flows[flow];
        if flow_state.wait.waits_for_turn || flow_state.held_head == NO_INDEX {
            return;
        }
        flow_state.wait.waits_for_turn = true;
        flow_state.wait.next_in_turn = NO_INDEX;
        let port = &mut self.edge.ingress_ports[nic_slot];
        let before = std::mem::replace(&mut port.last, flow);
        if before == NO_INDEX {
            port.first = flow;
        } else {
            self.edge.flows.flows[before].wait.next_in_turn = flow;
        }
    }

    /// Charges the next packet of a flow to the account of its port, where no other flow waits for
    /// a turn. If there is no room, the flow waits for its turn.
    #[inline]
    pub fn enter_account(&mut self, flow: u32) -> bool {
        let flow_state = &self.edge.flows.flows[flow];
        let nic_slot = self.nic_slot(flow_state.source);
        let size = u32::from(self.transit.packets[flow_state.held_head].wire_bytes);
        let port = &mut self.edge.ingress_ports[nic_slot];
        let enters = port.has_room(size);
        if enters {
            port.inside_bytes += size;
        } else {
            self.wait_for_turn(flow, nic_slot);
        }
        enters
    }

    /// Takes the next packet that may enter through an ingress port, if there is one: its flow, the
    /// packet, and whether the flow had nothing in the fabric before.
    #[inline]
    pub fn take_turn(&mut self, nic_slot: usize) -> Option<(u32, u32, bool)> {
        loop {
            let flow = self.edge.ingress_ports[nic_slot].first;
            if flow == NO_INDEX {
                return None;
            }
            let admitted = self.gate_admits(flow);
            let held = self.edge.flows.flows[flow].held_head;
            let size = u32::from(self.transit.packets[held].wire_bytes);
            if admitted.is_some() && !self.edge.ingress_ports[nic_slot].has_room(size) {
                return None;
            }
            let flow_state = &mut self.edge.flows.flows[flow];
            flow_state.wait.waits_for_turn = false;
            let next = flow_state.wait.next_in_turn;
            let port = &mut self.edge.ingress_ports[nic_slot];
            port.first = next;
            if next == NO_INDEX {
                port.last = NO_INDEX;
            }
            if let Some(free) = admitted {
                port.inside_bytes += size;
                let (packet, idle) = self.take_held(flow, free);
                self.wait_for_turn(flow, nic_slot);
                return Some((flow, packet, idle));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_packet_always_may_and_others_up_to_the_limit() {
        let mut port = IngressPort { inside_bytes: 0, limit_bytes: 1_000, first: NO_INDEX, last: NO_INDEX };
        assert!(port.has_room(4_158), "a packet larger than the limit goes alone");
        port.inside_bytes = 400;
        assert!(port.has_room(600) && !port.has_room(601));
        port.limit_bytes = u32::MAX;
        assert!(!port.has_room(u32::MAX), "without an overflow");
    }
}
