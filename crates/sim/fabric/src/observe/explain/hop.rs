//! Explained packets in a switch: from arrival to departure.

use std::collections::BTreeMap;

use philae_congestion::Admission;
use philae_results::explain::TimePart;

use super::packet_path::{FlowKey, PacketPath, PacketWait, SpanPlace, flow_of};
use crate::memory::slab::NO_INDEX;
use crate::model::output::FarEnd;
use crate::model::packet::{Incoming, Packet};
use crate::partition::Partition;

use super::Explainer;

/// Packets of explained messages in switches.
impl Partition {
    /// Calls `act` with the explainer, if there is one.
    pub fn explaining<T>(&mut self, act: impl FnOnce(&mut Self, &mut Explainer) -> T) -> Option<T> {
        let mut explainer = self.record.observer.explainer.take()?;
        let answer = act(self, &mut explainer);
        self.record.observer.explainer = Some(explainer);
        Some(answer)
    }

    /// A packet's header is ready at input port `port`.
    pub fn explain_arrived(&mut self, slot: u32, port: u32) {
        let now = self.clock.now();
        let switch = &self.shared.config.switch;
        let (latency, spread) =
            (u64::from(switch.latency_ns + switch.fec_ns) * 1_000, switch.latency_spread_ns * 1_000);
        let above = if switch.outliers_per_million > 0 { switch.outlier_max_ns * 1_000 } else { spread - spread / 2 };
        let latency = latency + u64::from(above);
        let propagation = u64::from(self.switch.wires[self.port_slot(port)].propagation);
        let from_nic = self.switch.wires[self.port_slot(port)].far_end == FarEnd::Nic;
        let last = self.edge_port(self.transit.packets[slot].destination);
        let Some(path) = self.record.observer.path(slot) else { return };
        path.crossed(now, propagation, (TimePart::Switch, latency), SpanPlace::Port(port));
        path.wait = if from_nic { PacketWait::Flow { port, gone: None } } else { PacketWait::Nothing };
        if from_nic && let Some(explainer) = &mut self.record.observer.explainer {
            explainer.held.entry(last).or_default().push(slot);
        }
    }

    /// Whether the packet in `slot` waits at ingress port `port` for the account of the port: its
    /// flow's law would let it go.
    fn waits_for_port_account(&mut self, slot: u32, port: u32) -> bool {
        let waits = PacketWait::Flow { port, gone: None };
        if !self.limits_ports() || self.record.observer.path(slot).is_none_or(|path| path.wait != waits) {
            return false;
        }
        let packet = &self.transit.packets[slot];
        let flow = self.edge.flows.find(packet.source, packet.destination, packet.kind.class);
        let law = flow.and_then(|flow| self.law_of_next(flow));
        matches!(law, Some((Admission::Now, _)))
    }

    /// A packet has come to its ingress port, and waits there if it has not entered the fabric. If
    /// it waits for the account of the port, the flows that have bytes in it are to blame.
    #[cold]
    pub fn explain_wait_at_port(&mut self, slot: u32, port: u32) {
        if !self.waits_for_port_account(slot, port) {
            return;
        }
        let source = self.transit.packets[slot].source;
        self.explaining(|partition, explainer| {
            let Some(path) = partition.record.observer.path(slot) else { return };
            for (_, flow) in partition.edge.flows.flows.used().filter(|(_, flow)| flow.source == source) {
                if let Some(&job) = explainer.entered.get(&(source, flow.destination, flow.class)) {
                    let key = (job, source, flow.destination, flow.class);
                    path.spans.blame(TimePart::Held, SpanPlace::Port(port), key, flow.extent_bytes.into());
                }
            }
        });
    }

    /// A packet enters the fabric through ingress port `port`, before others that wait for the
    /// account of the port.
    #[cold]
    pub fn explain_entered(&mut self, slot: u32, port: u32) {
        let (flow, bytes) = (flow_of(&self.transit.packets[slot]), u64::from(self.transit.packets[slot].wire_bytes));
        let Some(explainer) = &mut self.record.observer.explainer else { return };
        let (job, source, destination, class) = flow;
        explainer.entered.insert((source, destination, class), job);
        let others: Vec<u32> = explainer.held.values().flatten().copied().filter(|&other| other != slot).collect();
        for other in others {
            if self.waits_for_port_account(other, port)
                && let Some(path) = self.record.observer.path(other)
            {
                path.spans.blame(TimePart::Held, SpanPlace::Port(port), flow, bytes);
            }
        }
    }

    /// A packet with a chosen route waits for its tail.
    #[cold]
    pub fn explain_tail(&mut self, slot: u32) {
        let now = self.clock.now();
        let Some(path) = self.record.observer.path(slot) else { return };
        path.wait = match path.wait {
            PacketWait::Flow { port, .. } => PacketWait::Flow { port, gone: Some(now) },
            PacketWait::Nothing | PacketWait::Tail | PacketWait::Share(_) | PacketWait::Output(_) => PacketWait::Tail,
        };
    }

    /// A packet requests output `port`.
    pub fn explain_requested(&mut self, slot: u32, port: u32) {
        let (now, port_slot) = (self.clock.now(), self.port_slot(port));
        let (queued, free_at) = (self.switch.loads[port_slot].queued_bytes, self.switch.outputs[port_slot].free_at);
        let last = self.edge_port(self.transit.packets[slot].destination);
        let Some(path) = self.record.observer.path(slot) else { return };
        path.requests_output(now, port, queued);
        let Some(explainer) = &mut self.record.observer.explainer else { return };
        if let Some(held) = explainer.held.get_mut(&last) {
            held.retain(|&other| other != slot);
        }
        let before = explainer.crossing.get(&port).filter(|_| free_at > now).copied();
        explainer.waiting.entry(port).or_default().push(slot);
        if let (Some((other, bytes)), Some(path)) = (before, self.record.observer.path(slot)) {
            path.spans.blame(TimePart::Queueing, SpanPlace::Port(port), other, bytes);
        }
    }

    /// A packet waits aside for its endpoint's share of the link beyond `port`.
    #[cold]
    pub fn explain_wait_for_share(&mut self, slot: u32, port: u32) {
        if self.record.observer.path(slot).is_none() {
            return;
        }
        let (peer, own) = (self.switch.wires[self.port_slot(port)].peer, self.transit.packets[slot]);
        let holds = |packet: &Packet| {
            packet.destination == own.destination && (packet.place.queued_for == port || packet.place.port == peer)
        };
        let holders = self.bytes_of(slot, holds);
        let Some(path) = self.record.observer.path(slot) else { return };
        path.wait = PacketWait::Share(port);
        for (flow, bytes) in holders {
            path.spans.blame(TimePart::FlowQueue, SpanPlace::Port(port), flow, bytes);
        }
    }

    /// A packet has its endpoint's share and queues for output `port`.
    #[cold]
    pub fn explain_shared(&mut self, slot: u32, port: u32) {
        let now = self.clock.now();
        let crosses = self.switch.outputs[self.port_slot(port)].free_at > now;
        let explainer = self.record.observer.explainer.as_ref();
        let before = explainer.and_then(|explainer| explainer.crossing.get(&port)).filter(|_| crosses).copied();
        let Some(path) = self.record.observer.path(slot) else { return };
        path.waited(now, now, TimePart::FlowQueue);
        path.wait = PacketWait::Output(port);
        if let Some((other, bytes)) = before {
            path.spans.blame(TimePart::Queueing, SpanPlace::Port(port), other, bytes);
        }
    }

    /// Bytes by flow of packets for which `holds` is true, without the one in `slot`.
    pub fn bytes_of(&self, slot: u32, holds: impl Fn(&Packet) -> bool) -> BTreeMap<FlowKey, u64> {
        let mut bytes = BTreeMap::new();
        for (_, packet) in self.transit.packets.used().filter(|(other, packet)| *other != slot && holds(packet)) {
            *bytes.entry(flow_of(packet)).or_insert(0) += u64::from(packet.wire_bytes);
        }
        bytes
    }

    /// Output `port` has something to send and sends nothing, because of `reason`.
    #[cold]
    pub fn explain_idle(&mut self, port: u32, reason: TimePart) {
        self.explaining(|partition, explainer| {
            let Some(waiting) = explainer.waiting.get(&port).filter(|waiting| !waiting.is_empty()) else { return };
            let (now, free_at) = (partition.clock.now(), partition.switch.outputs[partition.port_slot(port)].free_at);
            let before = explainer.idle.insert(port, reason);
            for &slot in waiting {
                if let Some(path) = partition.record.observer.path(slot) {
                    path.waited(now, free_at, before.unwrap_or(reason));
                }
            }
            if reason != TimePart::Credit || before == Some(reason) {
                return;
            }
            // Packets that wait here are not in the buffer beyond: it has the same ones for all.
            let peer = partition.switch.wires[partition.port_slot(port)].peer;
            let holders = partition.bytes_of(NO_INDEX, |packet| packet.place.port == peer);
            for &slot in waiting {
                let Some(path) = partition.record.observer.path(slot) else { continue };
                if path.wait == PacketWait::Output(port) {
                    for (flow, bytes) in &holders {
                        path.spans.blame(TimePart::Credit, SpanPlace::Port(port), *flow, *bytes);
                    }
                }
            }
        });
    }

    /// A packet leaves through output `port` now.
    pub fn explain_departed(&mut self, slot: u32, port: u32) {
        self.explaining(|partition, explainer| {
            let (now, port_slot) = (partition.clock.now(), partition.port_slot(port));
            let (leaving, free_at) = (partition.transit.packets[slot], partition.switch.outputs[port_slot].free_at);
            let (flow, bytes) = (flow_of(&leaving), u64::from(leaving.wire_bytes));
            let reason = explainer.idle.remove(&port).unwrap_or(TimePart::Class);
            if let Some(waiting) = explainer.waiting.get_mut(&port) {
                waiting.retain(|&other| {
                    let for_one = partition.transit.packets[other].destination == leaving.destination;
                    let Some(path) = partition.record.observer.path(other).filter(|path| path.waits_for_port(port))
                    else {
                        return false;
                    };
                    path.waited(now, free_at, reason);
                    let place = SpanPlace::Port(port);
                    match path.wait {
                        _ if other == slot => path.wait = PacketWait::Nothing,
                        PacketWait::Output(_) => path.spans.blame(TimePart::Queueing, place, flow, bytes),
                        PacketWait::Share(_) if for_one => path.spans.blame(TimePart::FlowQueue, place, flow, bytes),
                        PacketWait::Nothing | PacketWait::Flow { .. } | PacketWait::Tail | PacketWait::Share(_) => {}
                    }
                    other != slot
                });
            }
            if partition.switch.wires[port_slot].far_end == FarEnd::Nic
                && let Some(held) = explainer.held.get_mut(&port)
            {
                held.retain(|&other| {
                    let Some(path) = partition.record.observer.path(other) else { return false };
                    let PacketWait::Flow { port: ingress, gone: None } = path.wait else { return false };
                    if !partition.waits_for_port_account(other, ingress)
                        && let Some(path) = partition.record.observer.path(other)
                    {
                        path.spans.blame(TimePart::Held, SpanPlace::Port(ingress), flow, bytes);
                    }
                    true
                });
            }
            explainer.crossing.insert(port, (flow, bytes));
        });
    }

    /// A packet has reached its NIC, and completes `finished`, if that is set: the packet's path
    /// then belongs to the message's explanation.
    pub fn explain_delivered(&mut self, packet: &Packet, path: PacketPath, finished: Option<&Incoming>) {
        if finished.is_none() {
            return;
        }
        let mut path = path;
        let port = self.edge_port(packet.destination);
        let propagation = u64::from(self.switch.wires[self.port_slot(port)].propagation);
        let correction = u64::from(self.shared.config.switch.fec_ns) * 1_000;
        path.crossed(self.clock.now(), propagation, (TimePart::Nic, correction), SpanPlace::Nic(packet.destination));
        if let Some(explainer) = &mut self.record.observer.explainer {
            let followed = &mut explainer.messages[path.message_index as usize];
            followed.spans.append(path.spans);
        }
    }
}
