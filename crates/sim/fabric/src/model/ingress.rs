//! The ingress port: flows, the law's gate and per-flow queues.

use philae_congestion::{Admission, CongestionLaw, Feedback, SlingshotFlow, WindowChange};
use philae_path::RouteState;
use philae_results::fault::DiscardCause;
use philae_switch::port::{NO_PACKET, PacketLinks};
use philae_units::EndpointId;

use crate::memory::slab::NO_INDEX;
use crate::model::event::{Event, FlowNews};
use crate::model::features::rare;
use crate::model::flow::{Flow, FlowControl};
use crate::model::output::NO_TIME;
use crate::model::packet::FlowEnds;
use crate::model::rerouting::MET_CONGESTION;
use crate::model::shared::slingshot;
use crate::partition::Partition;

/// Stands for the queue depth of an acknowledgement: the packet was discarded.
pub const LOST: u32 = u32::MAX;

impl Partition {
    /// A packet has come from its NIC. It passes the gate of its flow, or waits in the flow's own
    /// queue.
    pub fn enter(&mut self, packet: u32, (port_slot, port): (usize, u32)) {
        if self.has_overlay() && !self.passes_ingress(packet, port) {
            return;
        }
        if self.overflows_edge(port_slot, packet) {
            if !self.trims(packet) {
                return self.discard(packet, DiscardCause::LossyClass);
            }
            self.trim(packet, port);
        }
        self.pause_if_full((port_slot, port), self.transit.packets[packet].kind.sent_class);
        if !self.shared.traits.tracks_flows {
            return self.forward(packet, port, None, true);
        }
        let nic_slot = self.nic_slot(self.transit.packets[packet].source);
        if self.nic.nics[nic_slot].first_flowless().is_none() && self.flow_is_available(packet) {
            self.enter_flow(packet, port, true);
        } else {
            self.nic.nics[nic_slot].add_flowless(packet);
        }
    }

    /// Whether a packet's flow exists, or its port can track one more.
    fn flow_is_available(&self, packet: u32) -> bool {
        let packet_state = &self.transit.packets[packet];
        let Some(parameters) = slingshot(&self.shared.config.congestion) else { return true };
        self.nic.nics[self.nic_slot(packet_state.source)].flows < parameters.flows_per_port
            || self.edge.flows.find(packet_state.source, packet_state.destination, packet_state.kind.class).is_some()
    }

    /// A port has one flow less. Packets that waited for a flow continue, in order.
    fn flow_ended(&mut self, endpoint: u32, port: u32) {
        let nic_slot = self.nic_slot(endpoint);
        self.nic.nics[nic_slot].flows -= 1;
        while let Some(packet) = self.nic.nics[nic_slot].first_flowless() {
            if !self.flow_is_available(packet) {
                return;
            }
            self.nic.nics[nic_slot].remove_flowless();
            let is_last = self.nic.nics[nic_slot].first_flowless().is_none();
            self.enter_flow(packet, port, is_last);
        }
    }

    /// Adds a packet to its flow's queue, and lets the flow send what it may. `is_last`: no other
    /// flow of the port sends in this event.
    fn enter_flow(&mut self, packet: u32, port: u32, is_last: bool) {
        let flow = self.flow_of(packet);
        self.transit.packets[packet].ingress.flow = flow;
        let flow_state = &mut self.edge.flows.flows[flow];
        if flow_state.held_head == NO_INDEX {
            flow_state.held_head = packet;
        } else {
            self.transit.links.set_next(flow_state.held_tail, packet);
        }
        flow_state.held_tail = packet;
        self.transit.links.set_next(packet, NO_PACKET);
        self.pump(flow, port, is_last);
        if rare(self.record.observer.on) {
            self.explain_wait_at_port(packet, port);
        }
    }

    /// The flow of a packet. Creates it if there is none.
    fn flow_of(&mut self, packet: u32) -> u32 {
        let ends = self.transit.packets[packet].flow_ends();
        let known = self.edge.flows.find(ends.source, ends.destination, ends.class);
        known.unwrap_or_else(|| self.new_flow(ends))
    }

    /// Begins a flow, of which there is none.
    #[inline(never)]
    fn new_flow(&mut self, FlowEnds { source, destination, class }: FlowEnds) -> u32 {
        let port = self.edge_port(source);
        let control = match slingshot(&self.shared.config.congestion) {
            Some(parameters) => {
                let edge = self.switch.wires[self.port_slot(port)].ps_per_byte_ceil();
                FlowControl::Slingshot(SlingshotFlow::new(parameters, edge))
            }
            None => FlowControl::Order,
        };
        let nic_slot = self.nic_slot(source);
        self.nic.nics[nic_slot].flows += 1;
        let flow = Flow::new(self.shared.topology(), source, destination, class, control);
        self.edge.flows.insert(flow)
    }

    pub fn edge_port(&self, endpoint: u32) -> u32 {
        self.shared.topology().edge_port(EndpointId(endpoint)).0
    }

    /// Lets a flow's waiting packets into the fabric, as far as the law allows now. `is_last`: no
    /// other flow of the port sends in this event.
    fn pump(&mut self, flow: u32, port: u32, is_last: bool) {
        if self.limits_ports() {
            let nic_slot = self.nic_slot(self.edge.flows.flows[flow].source);
            if self.edge.ingress_ports[nic_slot].first() != NO_INDEX {
                return self.pump_port(flow, (port, nic_slot), is_last);
            }
        }
        let mut entering: Option<(u32, bool)> = None;
        loop {
            let next = self.admit(flow);
            if self.limits_ports()
                && rare(self.record.observer.on)
                && let Some((packet, _)) = next
            {
                self.explain_entered(packet, port);
            }
            if let Some((packet, idle)) = entering {
                self.let_in(packet, flow, port, (idle, is_last && next.is_none()));
            }
            if next.is_none() {
                return;
            }
            entering = next;
        }
    }

    /// The same where flows of the port wait for their turns: `flow` may have become ready, or the
    /// port may have room again.
    #[inline(never)]
    fn pump_port(&mut self, flow: u32, (port, nic_slot): (u32, usize), is_last: bool) {
        self.wait_for_turn(flow, nic_slot);
        let mut entering: Option<(u32, u32, bool)> = None;
        loop {
            let next = self.take_turn(nic_slot);
            if rare(self.record.observer.on)
                && let Some((_, packet, _)) = next
            {
                self.explain_entered(packet, port);
            }
            if let Some((flow, packet, idle)) = entering {
                self.let_in(packet, flow, port, (idle, is_last && next.is_none()));
            }
            if next.is_none() {
                return;
            }
            entering = next;
        }
    }

    /// A packet that was admitted enters the fabric.
    #[inline(always)]
    fn let_in(&mut self, packet: u32, flow: u32, port: u32, (idle, is_last): (bool, bool)) {
        let packet_state = &self.transit.packets[packet];
        if self.shared.is_ordered(packet_state.kind.class, packet_state.source, packet_state.destination) {
            self.enter_ordered(packet, flow, port, (idle, is_last));
        } else {
            self.forward(packet, port, None, is_last);
        }
    }

    /// Takes the next packet of a flow's queue, if the law admits it now. Returns the packet, and
    /// whether the flow had nothing in the fabric before. If only the account of its port has no
    /// room, the flow waits for its turn.
    #[inline(always)]
    fn admit(&mut self, flow: u32) -> Option<(u32, bool)> {
        let free = self.gate_admits(flow)?;
        if self.limits_ports() && !self.enter_account(flow) {
            return None;
        }
        Some(self.take_held(flow, free))
    }

    /// What the law says of the next packet of a flow's queue, if there is one, and whether the
    /// flow is free.
    #[inline(always)]
    pub fn law_of_next(&self, flow: u32) -> Option<(Admission, bool)> {
        let flow_state = &self.edge.flows.flows[flow];
        let packet = flow_state.held_head;
        if packet == NO_INDEX || (flow_state.path.is_left && flow_state.extent_bytes > 0) {
            return None;
        }
        let size = u32::from(self.transit.packets[packet].wire_bytes);
        Some(match &flow_state.control {
            FlowControl::Slingshot(law) => (law.admit(self.clock.now(), flow_state.extent_bytes, size), !law.is_held()),
            FlowControl::Order => (Admission::Now, true),
        })
    }

    /// Whether the law admits the next packet of a flow's queue now, and if so, whether the flow is
    /// free. If it is a matter of time, a release is scheduled.
    #[inline(always)]
    pub fn gate_admits(&mut self, flow: u32) -> Option<bool> {
        let (admission, free) = self.law_of_next(flow)?;
        match admission {
            Admission::Now => Some(free),
            Admission::OnAck => None,
            Admission::At(time) => {
                let flow_state = &mut self.edge.flows.flows[flow];
                if time < flow_state.wait.release_at {
                    flow_state.wait.release_at = time;
                    let ends = (flow_state.source, flow_state.destination, flow_state.class);
                    let key = self.shared.places.targets.flow(time, ends, FlowNews::Release, 0);
                    self.sched.calendar.push(key, Event::Release { flow });
                }
                None
            }
        }
    }

    /// Takes the next packet of the queue of a flow that the law admits. Returns it, and whether
    /// the flow had nothing in the fabric before.
    #[inline(always)]
    pub fn take_held(&mut self, flow: u32, free: bool) -> (u32, bool) {
        let packet = self.edge.flows.flows[flow].held_head;
        let size = u32::from(self.transit.packets[packet].wire_bytes);
        let next = self.transit.links.next(packet);
        let flow_state = &mut self.edge.flows.flows[flow];
        flow_state.held_head = if next == NO_PACKET { NO_INDEX } else { next };
        let idle = flow_state.extent_bytes == 0;
        flow_state.path.is_left &= !idle;
        flow_state.extent_bytes += size;
        flow_state.sequence = flow_state.sequence.wrapping_add(1);
        let sequence = flow_state.sequence;
        let entering = &mut self.transit.packets[packet];
        entering.ingress.sequence = sequence;
        entering.ingress.free_flow = free;
        (packet, idle)
    }

    /// Lets a packet of an ordered flow into the fabric. The flow keeps its path while it has
    /// packets in the fabric. With none, or when the path is broken, it chooses again.
    fn enter_ordered(&mut self, packet: u32, flow: u32, port: u32, (idle, is_last): (bool, bool)) {
        let kept = if idle && !self.keeps_path(flow) { None } else { self.edge.flows.flows[flow].path.chosen };
        let kept = kept.filter(|(hop, _)| self.fault.health.works(self.port_slot(hop.0)));
        let chosen = kept.or_else(|| {
            let mut route = RouteState::default();
            let entropy = self.transit.packets[packet].kind.entropy;
            let hop = self.next_hop(self.transit.packets[packet].flow_ends(), port, &mut route, (true, entropy))?;
            Some((hop.port, route))
        });
        let Some((hop, route)) = chosen else { return self.discard(packet, DiscardCause::NoRoute) };
        self.edge.flows.flows[flow].path.chosen = Some((hop, route));
        if kept.is_none() && self.shared.traits.moves_flows {
            self.stay(flow);
        }
        self.transit.packets[packet].route = route;
        self.forward(packet, port, Some(hop), is_last);
    }

    /// An acknowledgement has returned: it makes room for the flow's next packet and tells the load
    /// of the egress.
    #[inline(never)]
    pub fn acknowledged(&mut self, flow: u32, bytes: u32, queue: u32) {
        let now = self.clock.now();
        let lost = queue == LOST;
        let met_congestion = !lost && queue & MET_CONGESTION != 0;
        let queue = if lost { 0 } else { queue & !MET_CONGESTION };
        let flow_state = &mut self.edge.flows.flows[flow];
        let feedback = Feedback { egress_queue_bytes: queue, egress_ps_per_byte: flow_state.egress_ps_per_byte };
        if lost {
            flow_state.path.chosen = None;
        }
        assert!(flow_state.extent_bytes >= bytes, "a flow is acknowledged for what it sent");
        flow_state.extent_bytes -= bytes;
        let (source, port) = (flow_state.source, flow_state.port);
        if self.limits_ports() {
            let nic_slot = self.nic_slot(source);
            self.edge.ingress_ports[nic_slot].inside_bytes -= bytes;
        }
        self.learn(flow, feedback, now);
        if met_congestion {
            self.met_congestion(flow, now);
        }
        self.pump(flow, port, true);
        let flow_state = &self.edge.flows.flows[flow];
        if flow_state.extent_bytes == 0 && flow_state.held_head == NO_INDEX {
            if let FlowControl::Slingshot(law) = &flow_state.control
                && let Some(span) = law.held_for(now)
            {
                let held = *flow_state;
                let of_nic = self.nic_slot(source);
                self.edge.congested[of_nic].held_ps += span;
                self.record.recorder.flow_released(now, port, &held, span);
            }
            self.edge.flows.remove(flow);
            self.flow_ended(source, port);
        }
    }

    fn learn(&mut self, flow: u32, feedback: Feedback, now: u64) {
        let Some(parameters) = slingshot(&self.shared.config.congestion) else { return };
        let flow_state = &mut self.edge.flows.flows[flow];
        let FlowControl::Slingshot(law) = &mut flow_state.control else { return };
        let change = law.learn(parameters, now, feedback);
        if change == WindowChange::None {
            return;
        }
        let held = *flow_state;
        let (port, of_nic) = (held.port, self.nic_slot(held.source));
        match change {
            WindowChange::None => {}
            WindowChange::Held => {
                // What causes congestion stays where it is.
                self.edge.flows.flows[flow].path.is_left = false;
                self.edge.congested[of_nic].flows_held += 1;
                self.record.recorder.flow_held(now, port, &held);
            }
            WindowChange::Released(span) => {
                if self.shared.traits.moves_flows {
                    self.stay(flow);
                }
                self.edge.congested[of_nic].held_ps += span;
                self.record.recorder.flow_released(now, port, &held, span);
            }
        }
    }

    /// A congestion notice has returned.
    pub fn noticed(&mut self, source: u32, destination: u32, queue: u32, class: u8) {
        if let CongestionLaw::Ecn(_) = &self.shared.config.congestion {
            return self.notify_nic(source, destination, class);
        }
        let Some(flow) = self.edge.flows.find(source, destination, class) else { return };
        let egress_ps_per_byte = self.edge.flows.flows[flow].egress_ps_per_byte;
        let feedback = Feedback { egress_queue_bytes: queue, egress_ps_per_byte };
        self.learn(flow, feedback, self.clock.now());
    }

    /// The waiting time of a held flow is over.
    #[inline(never)]
    pub fn release(&mut self, flow: u32) {
        let flow_state = &mut self.edge.flows.flows[flow];
        if flow_state.wait.release_at != self.clock.now() {
            return; // Another flow has the slot, or an earlier release replaced it.
        }
        flow_state.wait.release_at = NO_TIME;
        let port = flow_state.port;
        self.pump(flow, port, true);
    }
}
