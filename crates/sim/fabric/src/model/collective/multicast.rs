//! Packets of a tree in a switch: copies those from the root, combines those towards the root.

use philae_engine::EventOrder;
use philae_path::TreePort;
use philae_results::counter::CounterName;
use philae_switch::port::CreditReturn;
use philae_switch::reduction::{Arm, Contribution, ContributionOutcome, PortEngines, ReductionKey};
use philae_topology::PortPeer;
use philae_units::{JobId, PortIndex};

use super::{Down, IN_ENGINE, OWN_BUFFER, SharedRoom, TreeLoad};
use crate::memory::slab::NO_INDEX;
use crate::model::event::Event;
use crate::model::output::FarEnd;
use crate::model::packet::{FlowPacket, MessagePart, Packet, PacketKind, PacketPlace, PacketPurpose, UetHead};
use crate::model::shared::switch_of;
use crate::partition::Partition;

impl Partition {
    /// A packet of a tree has arrived at input port `port` and is in its buffer.
    #[inline(never)]
    pub fn tree_arrived(&mut self, packet: u32, port: u32) {
        let port_slot = self.port_slot(port);
        if self.switch.wires[port_slot].far_end == FarEnd::Switch {
            self.switch.wires[port_slot].add_ack(self.clock.now(), self.shared.config.switch.ack_overhead_bytes);
            let packet_state = self.transit.packets[packet];
            self.link_filled(port, packet_state.place.input_channel, u32::from(packet_state.wire_bytes));
        }
        match self.collectives.loads[self.transit.packets[packet].part.message] {
            TreeLoad::Down(down) => self.copy_down(packet, port, down),
            TreeLoad::Up(contribution) => self.combine(packet, port, contribution),
        }
    }

    /// Arms the engine, then requests every output of the tree for a copy. The copies share the
    /// place in the input buffer.
    fn copy_down(&mut self, packet: u32, port: u32, down: Down) {
        let original = self.take_in(packet);
        let shared = std::sync::Arc::clone(&self.shared);
        let Some(trees) = &shared.trees else { unreachable!("a packet of a tree comes from a tree") };
        let tree = &trees.list[usize::from(down.key.tree)];
        let switch = tree.switch(switch_of(&shared, port)).expect("a copy goes to switches of the tree only");
        let timeout = u64::from(trees.parameters.timeout_us) * 1_000_000;
        let engines = self.collectives.engines.entry(switch.up.0);
        let engines = engines.or_insert_with(|| PortEngines::new(trees.parameters.engines_per_port, timeout));
        let children = switch.down.len() as u8;
        let (key, cookie, sequence) = (down.key, down.cookie, down.sequence);
        if engines.arm(Arm { key, cookie, sequence, children }).is_err() {
            self.record.recorder.counters.add(switch.up.0, CounterName::ReductionsRefused, 1);
        }
        let held = SharedRoom {
            port,
            bytes: original.wire_bytes,
            channel: original.place.input_channel,
            destination: original.destination,
            left: switch.down.len() as u16,
        };
        let held = self.collectives.held.insert(held);
        for &hop in &switch.down {
            self.copy_to(&original, held, hop, down, tree.root.0);
        }
    }

    fn copy_to(&mut self, original: &Packet, held: u32, hop: TreePort, down: Down, root: u32) {
        let topology = self.shared.topology();
        let destination = match topology.port(hop.port).peer {
            PortPeer::Endpoint(endpoint) => endpoint.0,
            PortPeer::Port(_) | PortPeer::None => root,
        };
        let sequence = topology.port_of(hop.port).0.into();
        let message = self.put_load(TreeLoad::Down(down));
        let channel = self.shared.classes.plan.channel(original.kind.class, hop.leg);
        let hops = original.hops + 1;
        let copy = Packet {
            destination,
            place: PacketPlace { channel, ..original.place },
            ingress: FlowPacket { sequence, ..original.ingress },
            hops,
            part: MessagePart { message, number: held + 1, ..original.part },
            ..*original
        };
        let slot = self.make(copy);
        // From a slow link, as any other packet (see `forward`).
        let output = self.switch.wires[self.port_slot(hop.port.0)].serialization(u32::from(copy.wire_bytes));
        let ready = copy.tail.saturating_sub(output);
        if ready > self.clock.now() {
            let key = self.shared.places.targets.request(ready, &copy);
            self.sched.calendar.push(key, Event::Request { packet: slot, port: hop.port.0 });
        } else {
            self.request(slot, (self.port_slot(hop.port.0), hop.port.0), self.clock.now());
        }
    }

    /// Gives a contribution to the engine of the port towards the root.
    fn combine(&mut self, packet: u32, port: u32, contribution: Contribution) {
        let whole = self.clock.now().max(self.transit.packets[packet].tail);
        self.leave_input(packet, whole, self.clock.now());
        let original = self.take_in(packet);
        let shared = std::sync::Arc::clone(&self.shared);
        let Some(trees) = &shared.trees else { unreachable!("a packet of a tree comes from a tree") };
        let tree = &trees.list[usize::from(contribution.key.tree)];
        let switch = tree.switch(switch_of(&shared, port)).expect("a contribution passes switches of the tree only");
        let up = switch.up.0;
        let child = shared.topology().port_of(PortIndex(port)).0;
        let Some(engines) = self.collectives.engines.get_mut(&up) else {
            unreachable!("a member contributes once its tree is armed")
        };
        let ready = whole + u64::from(trees.parameters.engine_latency_ns) * 1_000;
        // An engine has a bit for each child, not for each port: a switch may have more than 64.
        let place = switch.down.iter().position(|hop| hop.port.0 == port);
        let place = place.expect("a contribution comes from a child") as u8;
        match engines.contribute(self.clock.now(), place, contribution) {
            ContributionOutcome::Kept(None) => {}
            ContributionOutcome::Kept(Some(deadline)) => self.set_timer(up, contribution.key, deadline),
            ContributionOutcome::Up(result) => {
                let name = if result.count == contribution.count && result.partial {
                    CounterName::ReductionsLate
                } else if result.partial {
                    CounterName::ReductionsPartial
                } else {
                    CounterName::ReductionResults
                };
                self.record.recorder.counters.add(up, name, 1);
                self.send_up(up, result, original.kind.class, ready, child);
            }
            ContributionOutcome::Refused(_) => self.record.recorder.counters.add(up, CounterName::ReductionsRefused, 1),
        }
    }

    /// The time of an engine may be up. Each engine has one timer, which follows its deadlines.
    pub fn engine_timer(&mut self, up: u32, key: ReductionKey) {
        self.collectives.timers.remove(&(up, key));
        let Some(engines) = self.collectives.engines.get_mut(&up) else { return };
        if let Some(partial) = engines.expire(self.clock.now(), key) {
            let Some(trees) = &self.shared.trees else { return };
            let class = self.shared.classes.job_class[usize::from(trees.jobs[usize::from(key.tree)])];
            let ready = self.clock.now() + u64::from(trees.parameters.engine_latency_ns) * 1_000;
            self.record.recorder.counters.add(up, CounterName::ReductionsPartial, 1);
            self.send_up(up, partial, class, ready, u8::MAX);
        } else if let Some(deadline) = engines.deadline(key) {
            self.set_timer(up, key, deadline);
        }
    }

    fn set_timer(&mut self, up: u32, key: ReductionKey, deadline: u64) {
        if self.collectives.timers.insert((up, key)) {
            let event_key = self.shared.places.targets.tree_port(deadline, EventOrder::Arbitrate, up, key, 0);
            self.sched
                .calendar
                .push(event_key, Event::EngineTimer { port: up, tree: key.tree, reduction: key.reduction });
        }
    }

    /// Sends a result from the engine of `up` at `ready`. If it has to wait, it waits in the engine
    /// and not in an input buffer.
    fn send_up(&mut self, up: u32, result: Contribution, class: u8, ready: u64, from: u8) {
        let Some(trees) = &self.shared.trees else { return };
        let tree = &trees.list[usize::from(result.key.tree)];
        let leg = tree.switch(switch_of(&self.shared, up)).map_or(0, |switch| switch.up_leg);
        let (root, channel) = (tree.root.0, self.shared.classes.plan.channel(class, leg));
        let packet = self.tree_packet(TreeLoad::Up(result), root, root, class);
        let packet = Packet {
            tail: ready,
            place: PacketPlace { port: up, channel, ..packet.place },
            hops: 1,
            part: MessagePart { number: IN_ENGINE, ..packet.part },
            ..packet
        };
        let slot = self.make(packet);
        let key = self.shared.places.targets.tree_port(ready, EventOrder::Arrive, up, result.key, from);
        self.sched.calendar.push(key, Event::Request { packet: slot, port: up });
    }

    /// A packet of a tree, on no link yet.
    pub(super) fn tree_packet(&mut self, load: TreeLoad, source: u32, destination: u32, class: u8) -> Packet {
        let Some(trees) = &self.shared.trees else { unreachable!("a packet of a tree comes from a tree") };
        let (tree, value) = match load {
            TreeLoad::Up(up) => (up.key.tree, Some(up.value)),
            TreeLoad::Down(down) => (down.key.tree, down.result.map(|done| done.value)),
        };
        let operands = match value {
            None => 0,
            Some(philae_switch::reduction::Operands::Words { count, .. }) => 8 * u32::from(count),
            Some(philae_switch::reduction::Operands::Sum(_)) => philae_switch::reduction::PAYLOAD_MAX,
        };
        let job = JobId(trees.jobs[usize::from(tree)]);
        let payload = operands + u32::from(trees.parameters.header_bytes);
        let size = philae_nic_model::wire_bytes(&self.shared.config.nic, payload, true);
        let message = self.put_load(load);
        let channel = self.shared.classes.plan.channel(class, 0);
        let kind =
            PacketKind { class, sent_class: class, purpose: PacketPurpose::Collective, marked: false, entropy: 0 };
        let part = MessagePart {
            injected: self.clock.now(),
            message,
            number: OWN_BUFFER,
            order: 0,
            job,
            foreign: true,
            opens: false,
            uet: UetHead::default(),
        };
        let mut packet = Packet::leaving((source, destination), (NO_INDEX, channel), (size, operands), kind, part);
        packet.ingress.free_flow = false;
        packet
    }

    /// A switch takes a packet in: the packet ends, although it may still hold its place in the
    /// buffer.
    fn take_in(&mut self, packet: u32) -> Packet {
        let original = self.transit.packets[packet];
        self.collectives.loads.remove(original.part.message);
        self.transit.packets.remove(packet);
        self.collectives.absorbed += 1;
        original
    }

    /// A switch makes a packet.
    fn make(&mut self, packet: Packet) -> u32 {
        let slot = self.transit.packets.insert(packet);
        self.transit.links.cover(slot);
        if self.record.observer.on {
            self.record.observer.put(slot, None);
        }
        self.collectives.made += 1;
        slot
    }

    /// A packet of a tree leaves its switch. Returns the input buffer room that this frees, with
    /// its channel and destination; `None` if it frees none.
    #[inline(never)]
    pub fn tree_leaves(&mut self, packet: u32) -> Option<CreditReturn> {
        let number = std::mem::replace(&mut self.transit.packets[packet].part.number, OWN_BUFFER);
        let packet_state = self.transit.packets[packet];
        let (destination, channel) = match number {
            IN_ENGINE => return None,
            OWN_BUFFER => (packet_state.destination, packet_state.place.input_channel),
            shared => {
                let held = &mut self.collectives.held[shared - 1];
                held.left -= 1;
                if held.left > 0 {
                    return None;
                }
                let held = *held;
                self.collectives.held.remove(shared - 1);
                (held.destination, held.channel)
            }
        };
        Some(CreditReturn::new(0, destination, packet_state.wire_bytes, channel))
    }
}
