//! Prefetching: requests the memory that coming events will touch before they are handled.
//!
//! An event names its packet, the packet its output, the output its queues and credits. Each step
//! is a cache miss that has to end before the next can begin. So prefetching goes in steps too, one
//! step further each time an event comes nearer. Everything here only reads, and no decision
//! depends on it.

use philae_engine::{prefetch, prefetch_at, prefetch_line, prefetch_line_at, prefetch_soon};
use philae_switch::port::{CreditReturn, grant_round_robin, next_channel};
use philae_units::PortId;

use crate::memory::prefetch_queue::{Arrival, PrefetchQueue, PrefetchRows, Search};
use crate::memory::slab::NO_INDEX;
use crate::model::event::Event;
use crate::model::packet::{PacketPurpose, foreign_key};
use crate::model::shared::switch_of;
use crate::model::shares::ShareKey;
use crate::partition::Partition;

/// A credit from another partition takes its last prefetching step when this many others are noted
/// before it, and its first step when twice as many are. Source: ours. Status: assumed.
const CREDITS_AHEAD: usize = 6;

impl Partition {
    /// Prefetches what the coming events will touch, one step for each bucket of the calendar in
    /// between.
    #[inline(never)]
    pub fn prefetch_next_events(&self, queue: &mut PrefetchQueue) {
        let calendar = self.sched.calendar.calendar();
        if !queue.advance(calendar) {
            return;
        }
        for events in calendar.events_of(queue.last()) {
            events.iter().step_by(2).for_each(prefetch);
        }
        for (bucket, rows) in queue.due(1) {
            for events in calendar.events_of(bucket) {
                events.iter().for_each(|(_, event)| self.first_step(*event, rows));
                if self.has_link_layer() {
                    events.iter().for_each(|(_, event)| self.first_step_on_link(*event, rows));
                }
            }
        }
        for (_, rows) in queue.due(2) {
            self.second_step(rows);
            if self.has_link_layer() {
                self.second_step_on_links(rows);
            }
        }
        if !self.sched.prefetches_all_steps && self.limits_ports() {
            queue.due(3).for_each(|(_, rows)| self.prefetch_packets_in_turn(rows));
        }
        if self.sched.prefetches_all_steps {
            queue.due(3).for_each(|(_, rows)| self.third_step(rows));
            queue.due(4).for_each(|(_, rows)| self.fourth_step(rows));
        }
    }

    /// Prefetches what credits from other partitions will touch. The nearest is first in `coming`.
    #[inline]
    pub fn prefetch_credits(&self, coming: &[(u32, CreditReturn)]) {
        if let Some((port, _)) = coming.get(2 * CREDITS_AHEAD) {
            prefetch_line(self.switch.outputs[self.port_slot(*port)].credits());
        }
        if let Some((port, _)) = coming.get(CREDITS_AHEAD)
            && let Some(credit) = self.switch.outputs[self.port_slot(*port)].credits().back()
        {
            prefetch(credit);
        }
    }

    /// Prefetches what an event names, and puts it into the row of its kind.
    #[inline]
    fn first_step(&self, event: Event, rows: &mut PrefetchRows) {
        match event {
            Event::Arrive { packet, port_slot, .. } => {
                self.transit.packets.prefetch_line(packet);
                prefetch_line_at(&self.switch.wires, port_slot as usize);
            }
            Event::Enter { packet, port, port_slot } => {
                self.transit.packets.prefetch_line(packet);
                prefetch_line_at(&self.switch.wires, port_slot as usize);
                self.transit.links.prefetch(packet);
                rows.entries.push(Arrival { packet, port });
            }
            Event::Cross { packet, port_slot, .. } => {
                self.transit.packets.prefetch(packet);
                prefetch_line_at(&self.switch.wires, port_slot as usize);
            }
            Event::Arbitrate { port_slot, .. } => {
                prefetch_at(&self.switch.outputs, port_slot as usize);
                rows.searches.push(Search::of(port_slot));
            }
            Event::Inject { endpoint } => {
                let nic_slot = self.nic_slot(endpoint);
                self.nic.nics[nic_slot].prefetch();
                if self.has_bus() {
                    prefetch_line_at(&self.nic.buses, nic_slot);
                }
                rows.injections.push(endpoint);
            }
            Event::Deliver { packet } => {
                self.transit.packets.prefetch(packet);
                rows.deliveries.push(packet);
            }
            Event::Ack { flow, .. } | Event::Release { flow } => {
                self.edge.flows.flows.prefetch(flow);
                rows.flows.push(flow);
            }
            // These are few, or name nothing that is not prefetched here.
            Event::Request { packet, port } => {
                self.transit.packets.prefetch_line(packet);
                prefetch_line_at(&self.switch.wires, self.port_slot(port));
            }
            Event::Notice { source, destination, class, .. } => self.edge.flows.prefetch(source, destination, class),
            Event::Ready { message } => self.nic.outgoing.prefetch_line(message),
            Event::Complete { message } => self.nic.incoming.prefetch(message),
            Event::Run { rank, .. } => prefetch_at(&self.host.ranks, rank as usize),
            // These are rare, or belong to runs in which something may fail.
            Event::PauseNic { .. }
            | Event::PauseLink { .. }
            | Event::NicDrained { .. }
            | Event::BadFrame { .. }
            | Event::LinkAnswer { .. }
            | Event::LinkTimer { .. }
            | Event::Replay { .. }
            | Event::PeerDown { .. }
            | Event::Fault
            | Event::Tables { .. }
            | Event::PauseGuard { .. }
            | Event::NicAck { .. }
            | Event::NicNack { .. }
            | Event::RetryTimer { .. }
            | Event::Collective { .. }
            | Event::Tcp { .. }
            | Event::EngineTimer { .. }
            | Event::ResendRefused { .. }
            | Event::Lost { .. }
            | Event::NicGivesUp { .. } => {}
        }
    }

    /// Prefetches what an event reads of the end of a link that is modelled frame by frame.
    #[inline(never)]
    fn first_step_on_link(&self, event: Event, rows: &mut PrefetchRows) {
        match event {
            Event::Arrive { port_slot, .. } | Event::Enter { port_slot, .. } | Event::Cross { port_slot, .. } => {
                self.fault.ends[port_slot as usize].prefetch_receiver();
            }
            Event::Arbitrate { port_slot, .. } => self.fault.ends[port_slot as usize].prefetch_to_send(),
            Event::Inject { endpoint } => {
                self.fault.ends[self.switch.wires.len() + self.nic_slot(endpoint)].prefetch_to_send()
            }
            Event::BadFrame { end, .. } => self.fault.ends[self.end_slot(end)].prefetch_receiver(),
            Event::LinkAnswer { end, .. } => {
                let end_slot = self.end_slot(end);
                self.fault.ends[end_slot].prefetch_sender();
                rows.answers.push(end_slot as u32);
            }
            _ => {}
        }
    }

    /// Prefetches what the first step on links has found.
    #[inline(never)]
    fn second_step_on_links(&self, rows: &PrefetchRows) {
        for &end_slot in &rows.answers {
            self.fault.ends[end_slot as usize].prefetch_kept();
        }
        for &packet in &rows.deliveries {
            let nic = self.nic_slot(self.transit.packets[packet].destination);
            self.fault.ends[self.switch.wires.len() + nic].prefetch_receiver();
        }
    }

    /// Prefetches what the first step has found.
    #[inline]
    fn second_step(&self, rows: &mut PrefetchRows) {
        let all = self.sched.prefetches_all_steps;
        for search in &mut rows.searches {
            let port_slot = search.port_slot as usize;
            let output = &self.switch.outputs[port_slot];
            if let Some(credit) = output.credits().front() {
                prefetch_line(credit);
            }
            if output.requesting != 0 {
                let channel = usize::from(next_channel(output.requesting, output.last_channel));
                let channel_slot = port_slot * self.shared.classes.plan.count() + channel;
                prefetch_at(&self.switch.channels, channel_slot);
                if self.switch.fair_queues.are_used() {
                    self.switch.fair_queues.prefetch_channel(channel_slot);
                }
                search.channel = channel_slot as u32;
            }
            if all {
                prefetch_line_at(&self.switch.loads, port_slot);
                prefetch_line_at(&self.switch.wires, port_slot);
                self.record.recorder.prefetch_total(port_slot, output, self.clock.now());
            }
        }
        for &endpoint in &rows.injections {
            let nic_slot = self.nic_slot(endpoint);
            let nic = &self.nic.nics[nic_slot];
            if nic.has_responses {
                prefetch_line_at(&self.nic.responses, nic_slot);
            }
            if all {
                nic.active.front().into_iter().for_each(prefetch_line);
                nic.prefetch_account();
            } else if let Some(&message) = nic.active.front() {
                self.nic.outgoing.prefetch_line(message);
            }
        }
        for &packet in &rows.deliveries {
            let packet_state = &self.transit.packets[packet];
            if packet_state.kind.purpose == PacketPurpose::Collective {
                continue; // It belongs to no message.
            }
            if self.has_bus() {
                let nic_slot = self.nic_slot(packet_state.destination);
                prefetch_line_at(&self.nic.buses, nic_slot);
                if let Some(waiting) = self.nic.buffers.waiting.get(nic_slot) {
                    prefetch_line(waiting);
                }
            }
            if packet_state.part.foreign {
                self.nic.foreign.prefetch(foreign_key(packet_state.source, packet_state.part.message));
            } else {
                self.nic.incoming.prefetch_line(packet_state.part.message);
            }
        }
        for &flow in &rows.flows {
            let flow_state = &self.edge.flows.flows[flow];
            self.transit.packets.prefetch_line(flow_state.held_head);
            if all {
                let nic_slot = self.nic_slot(flow_state.source);
                self.nic.nics[nic_slot].prefetch_flows();
                if self.limits_ports() {
                    prefetch_line_at(&self.edge.ingress_ports, nic_slot);
                }
            }
        }
        if !all {
            self.prefetch_flows_in_turn(rows);
        }
        if all {
            rows.entries.iter().for_each(|arrival| self.second_step_from_nic(*arrival));
        }
    }

    /// Prefetches what a packet from a NIC and its flow will read.
    #[inline]
    fn second_step_from_nic(&self, Arrival { packet, port }: Arrival) {
        let packet_state = &self.transit.packets[packet];
        if packet_state.kind.purpose == PacketPurpose::Collective {
            return;
        }
        let class = self.edge_class_slot(self.port_slot(port), packet_state.kind.class);
        prefetch_at(&self.edge.edge_buffers, class);
        // A packet for the same switch asks for its output as soon as it enters.
        let output = self.edge_port(packet_state.destination);
        if switch_of(&self.shared, output) == switch_of(&self.shared, port) {
            let port_slot = self.port_slot(output);
            prefetch_line_at(&self.switch.outputs, port_slot);
            prefetch_line_at(&self.switch.wires, port_slot);
            prefetch_line_at(&self.switch.loads, port_slot);
        }
        if self.shared.traits.tracks_flows {
            self.edge.flows.prefetch(packet_state.source, packet_state.destination, packet_state.kind.class);
            self.nic.nics[self.nic_slot(packet_state.source)].prefetch_flows();
        }
        if self.limits_ports() {
            prefetch_line_at(&self.edge.ingress_ports, self.nic_slot(packet_state.source));
        }
    }

    /// Prefetches what the second step has found.
    #[inline]
    fn third_step(&self, rows: &mut PrefetchRows) {
        for search in &mut rows.searches {
            let port_slot = search.port_slot as usize;
            if search.channel != NO_INDEX {
                let state = &self.switch.channels[search.channel as usize];
                if self.switch.fair_queues.are_used() {
                    if !state.voq.is_none() {
                        let packet = self.switch.fair_queues.first(search.channel as usize);
                        (search.voq, search.packet) = (state.voq, packet);
                        self.switch.fair_queues.prefetch_last(state.voq);
                        self.transit.packets.prefetch_line(packet);
                        self.transit.links.prefetch(packet);
                    }
                } else if let Some(input) = grant_round_robin(state.requests, state.last_input)
                    && !state.voq.is_none()
                {
                    // Whose turn it is at a wide switch is known when its queues are in the cache.
                    let wide = self.switch.voqs.are_wide();
                    (search.voq, search.input) = (state.voq, if wide { state.last_input } else { input });
                    prefetch_line(self.switch.voqs.memory_of(state.voq, search.input));
                    if !wide {
                        prefetch_line_at(&self.switch.wires, self.input_of(port_slot, input));
                    }
                }
            }
        }
        for &flow in &rows.flows {
            self.transit.links.prefetch(self.edge.flows.flows[flow].held_head);
        }
        self.prefetch_flows_in_turn(rows);
        if self.shared.traits.tracks_flows {
            for arrival in &rows.entries {
                let packet_state = &self.transit.packets[arrival.packet];
                if packet_state.kind.purpose != PacketPurpose::Collective
                    && let Some(flow) =
                        self.edge.flows.find(packet_state.source, packet_state.destination, packet_state.kind.class)
                {
                    self.edge.flows.flows.prefetch(flow);
                    rows.entered.push(flow);
                }
            }
        }
        for &endpoint in &rows.injections {
            let nic_slot = self.nic_slot(endpoint);
            let nic = &self.nic.nics[nic_slot];
            if let Some(&message) = nic.active.front() {
                self.nic.outgoing.prefetch_line(message);
            }
            if nic.has_responses {
                self.nic.responses[nic_slot].prefetch();
            }
        }
        for &packet in &rows.deliveries {
            let packet_state = &self.transit.packets[packet];
            if packet_state.kind.purpose != PacketPurpose::Collective {
                let nic_slot = self.nic_slot(packet_state.destination);
                if let Some(waiting) = self.nic.buffers.waiting.get(nic_slot) {
                    waiting.front().into_iter().chain(waiting.back()).for_each(prefetch_line);
                }
                self.nic.nics[nic_slot].prefetch_wire();
                if packet_state.part.foreign
                    && let Some(record) =
                        self.nic.foreign.find(foreign_key(packet_state.source, packet_state.part.message))
                {
                    self.nic.incoming.prefetch_line(record);
                }
            }
        }
    }

    /// Prefetches the flow that the account of an ingress port lets in next: an acknowledgement may
    /// be of another one.
    #[inline]
    fn prefetch_flows_in_turn(&self, rows: &PrefetchRows) {
        for &flow in &rows.flows {
            let source = self.nic_slot(self.edge.flows.flows[flow].source);
            if let Some(port) = self.edge.ingress_ports.get(source) {
                self.edge.flows.flows.prefetch(port.first());
            }
        }
    }

    /// Prefetches the packet that the account of an ingress port lets in next.
    #[inline]
    fn prefetch_packets_in_turn(&self, rows: &PrefetchRows) {
        for &flow in &rows.flows {
            let source = self.nic_slot(self.edge.flows.flows[flow].source);
            if let Some(port) = self.edge.ingress_ports.get(source)
                && port.first() != NO_INDEX
            {
                self.transit.packets.prefetch_line(self.edge.flows.flows[port.first()].held_head);
            }
        }
    }

    /// Prefetches what the third step has found.
    #[inline]
    fn fourth_step(&self, rows: &PrefetchRows) {
        for search in &rows.searches {
            if search.packet != NO_INDEX {
                let first = &self.transit.packets[search.packet];
                let input = first.place.port;
                if self.owns_port(input) {
                    prefetch_line_at(&self.switch.wires, self.port_slot(input));
                }
                self.switch.fair_queues.prefetch_first(search.voq);
                self.switch.fair_queues.prefetch_indexed(search.channel as usize, first);
            } else if !search.voq.is_none() {
                let mut input = search.input;
                if self.switch.voqs.are_wide() {
                    let Some(next) = self.switch.voqs.next_input(search.voq, search.input) else { continue };
                    input = next;
                    prefetch_line_at(&self.switch.wires, self.input_of(search.port_slot as usize, input));
                }
                let packet = self.switch.voqs.head(search.voq, input);
                self.transit.packets.prefetch_line(packet);
                self.transit.links.prefetch(packet);
            }
        }
        for &flow in &rows.entered {
            let held = self.edge.flows.flows[flow].held_head;
            self.transit.packets.prefetch_line(held);
            self.transit.links.prefetch(held);
        }
        self.prefetch_packets_in_turn(rows);
        for &flow in &rows.flows {
            let next = self.transit.links.prefetched_next(self.edge.flows.flows[flow].held_head);
            self.transit.packets.prefetch_line(next);
            self.transit.links.prefetch(next);
        }
    }

    /// Prefetches everything that a packet will touch of an output.
    #[inline]
    pub fn prefetch_output(&self, port_slot: usize, channel: u8) {
        prefetch_soon(&self.switch.outputs[port_slot]);
        prefetch_soon(&self.switch.wires[port_slot]);
        prefetch_soon(&self.switch.loads[port_slot]);
        let channel_slot = port_slot * self.shared.classes.plan.count() + usize::from(channel);
        prefetch_soon(&self.switch.channels[channel_slot]);
        if self.switch.fair_queues.are_used() {
            self.switch.fair_queues.prefetch_channel(channel_slot);
        }
        self.transit.shares.prefetch(port_slot);
    }

    /// Prefetches the shares that credits of an output will find in no row.
    #[inline(never)]
    pub fn prefetch_shares(&self, port_slot: usize, now: u64) {
        for credit in self.switch.outputs[port_slot].credits().arrived(now) {
            self.transit.shares.prefetch_beyond(port_slot, ShareKey::new(credit.channel(), credit.holder()));
        }
    }

    /// An input of the switch of an output, both as slots.
    #[inline]
    fn input_of(&self, port_slot: usize, input: PortId) -> usize {
        let first = self.layout.port_base + self.switch.wires[port_slot].switch * self.layout.radix;
        self.port_slot(first + u32::from(input.0))
    }
}
