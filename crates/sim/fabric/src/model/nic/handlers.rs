//! What happens at a NIC: messages begin, packets leave and are delivered, messages complete.

use philae_congestion::{Admission, CongestionLaw, Gate};
use philae_engine::EventOrder;
use philae_nic_model::{ArrivalStep, EdgeHold, packet_payload};
use philae_results::counter::CounterName;
use philae_switch::port::{CreditReturn, buffer_admits, buffer_release, buffer_take};
use philae_traffic_class::Choice;
use philae_units::{Bytes, ClassId};

use crate::memory::slab::NO_INDEX;
use crate::model::event::Event;
use crate::model::matching::SENT_BEFORE;
use crate::model::output::NO_TIME;
use crate::model::packet::{
    Header, Incoming, MessagePart, NO_MESSAGE, Outgoing, Packet, PacketKind, PacketPlace, PacketPurpose, SegmentHead,
    UetHead, foreign_key,
};
use crate::partition::Partition;

impl Partition {
    /// Slot of an endpoint: the index of its NIC in the columns of this partition.
    #[inline]
    pub fn nic_slot(&self, endpoint: u32) -> usize {
        (endpoint - self.layout.endpoint_base) as usize
    }

    /// Time for which `bytes` of payload occupy the link of an endpoint, in picoseconds.
    pub fn edge_time(&self, endpoint: u32, bytes: u64) -> u64 {
        self.nic.nics[self.nic_slot(endpoint)].wire.rate().serialization(Bytes(bytes)).0
    }

    /// Until when the NIC holds its switch port back, in picoseconds, for a packet with data that
    /// leaves for the NIC now. The packet is shorter on the link than the host's time for it.
    ///
    /// The NIC writes packets to its host one at a time. It has room for as many as the link time
    /// of a full packet covers.
    #[cold]
    #[inline(never)]
    pub fn held_by_writes(&mut self, endpoint: u32, now: u64) -> u64 {
        let nic = &self.shared.config.nic;
        let write_gap = u64::from(nic.write_gap_ps);
        let room = self.edge_time(endpoint, u64::from(nic.payload_max_bytes));
        let nic_slot = self.nic_slot(endpoint);
        let written_at = &mut self.nic.nics[nic_slot].written_at;
        *written_at = now.max(*written_at) + write_gap;
        written_at.saturating_sub(room)
    }

    /// Begins a message from `source` to `destination`. Its NIC can send it from `ready` on.
    pub fn begin_message(&mut self, header: Header, source: u32, destination: u32, ready: u64) {
        let destination = self.next_destination(source, destination);
        let partition = self.shared.partition_of_endpoint(destination);
        let local = partition == self.layout.number;
        let incoming = if local {
            let block = self.sched.calendar.block_of_endpoint(destination);
            self.nic.incoming.insert_in(block, Incoming::new(header, source, destination))
        } else {
            NO_INDEX
        };
        let nic_slot = self.nic_slot(source);
        let begun = self.nic.nics[nic_slot].begun;
        self.nic.nics[nic_slot].begun = begun.wrapping_add(1);
        if local && self.keeps_packets(source) {
            self.nic.foreign.insert(foreign_key(source, begun), incoming);
        }
        let packets = 0;
        let tcp_end = if self.has_tcp() { self.tcp_of_message(&header, source, destination) } else { NO_INDEX };
        let outgoing = self.nic.outgoing.insert(Outgoing {
            header,
            source,
            destination,
            sent: 0,
            incoming,
            number: begun,
            packets,
            tcp_end,
        });
        if !local {
            self.post_announcement((source, destination), begun, header);
        }
        let (handed, pair) = (ready, (header.source_rank, header.destination_rank));
        let ready = self.connected(source, header.purpose, pair, ready);
        let (on_bus, ready) = if self.has_bus() { self.first_read(&header, source, ready) } else { (ready, ready) };
        if self.is_observed() {
            self.explain_begun(&header, source, (outgoing, begun), [handed, on_bus, ready]);
        }
        let key = self.shared.places.targets.message(ready, EventOrder::Arrive, source, begun);
        self.sched.calendar.push(key, Event::Ready { message: outgoing });
    }

    /// A message has been fetched: its packets join the ring.
    #[inline(never)]
    pub fn ready(&mut self, message: u32) {
        let (source, tcp_end) = (self.nic.outgoing[message].source, self.nic.outgoing[message].tcp_end);
        if tcp_end != NO_INDEX {
            return self.tcp_ready(tcp_end, message);
        }
        let nic_slot = self.nic_slot(source);
        self.nic.nics[nic_slot].active.push_back(message);
        if self.is_uet(source) {
            self.uet_ready(message);
        }
        if self.shared.traits.has_processes && self.has_given_up(source) {
            return self.give_up_unsent(source, message);
        }
        self.wake_nic(source, self.clock.now().max(self.nic.nics[nic_slot].output.free_at));
    }

    /// Schedules an injection, unless one is scheduled that is no later.
    pub fn wake_nic(&mut self, endpoint: u32, time: u64) {
        let nic_slot = self.nic_slot(endpoint);
        if time < self.nic.nics[nic_slot].output.wake_at {
            self.nic.nics[nic_slot].output.wake_at = time;
            self.sched.calendar.push(self.shared.places.targets.inject(time, endpoint), Event::Inject { endpoint });
        }
    }

    /// A pause frame has reached a NIC.
    pub fn pause_nic(&mut self, endpoint: u32, class: u8, on: bool) {
        let nic_slot = self.nic_slot(endpoint);
        let of_class = 1 << class;
        if self.is_observed() {
            self.explain_nic(endpoint, false);
        }
        if on {
            self.nic.nics[nic_slot].paused |= of_class;
        } else {
            self.nic.nics[nic_slot].paused &= !of_class;
            self.wake_nic(endpoint, self.clock.now().max(self.nic.nics[nic_slot].output.free_at));
        }
    }

    /// Records a credit that is on its way to a NIC with credit flow control.
    pub fn nic_credit(&mut self, endpoint: u32, credit: CreditReturn) {
        let nic_slot = self.nic_slot(endpoint);
        let output = &mut self.nic.nics[nic_slot].output;
        output.push_credit(credit);
        if output.is_starved() {
            let time = credit.arrives.max(output.free_at);
            self.wake_nic(endpoint, time);
        }
    }

    /// Sends one packet of the NIC, if anything may go.
    #[inline(never)]
    pub fn inject(&mut self, endpoint: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let now = self.clock.now();
        let output = &mut self.nic.nics[nic_slot].output;
        if output.wake_at != now {
            return; // An earlier one replaced it.
        }
        output.wake_at = NO_TIME;
        if output.free_at > now {
            let time = output.free_at;
            return self.wake_nic(endpoint, time);
        }
        if !self.link_ready(self.switch.wires.len() + nic_slot) {
            return; // The link wakes the NIC.
        }
        if self.keeps_packets(endpoint) {
            let is_uet = self.is_uet(endpoint);
            let again = if is_uet { self.uet_next_again(endpoint) } else { self.next_to_resend(endpoint) };
            if let Some(packet) = again {
                return self.resend_packet(endpoint, packet);
            }
        }
        if self.has_trees() && self.inject_tree(endpoint) {
            return;
        }
        if self.nic.nics[nic_slot].has_responses && self.inject_response(endpoint) {
            return;
        }
        let Some(message) = self.choose_message(endpoint) else { return };
        let sending = &self.nic.outgoing[message];
        let form = self.shared.form(endpoint, sending.destination);
        let payload = packet_payload(form, Bytes(sending.header.bytes), sending.sent);
        let size = self.shared.packet_bytes(endpoint, form, &sending.header, (payload, sending.sent == 0));
        let channel = self.shared.classes.plan.channel(sending.header.class.0, 0);
        let by_credits = self.nic.nics[nic_slot].wire.hold == EdgeHold::Credits;
        if by_credits && !self.take_nic_room(nic_slot, usize::from(channel), size) {
            self.nic.nics[nic_slot].active.push_front(message);
            if self.is_observed() {
                self.explain_nic(endpoint, true);
            }
            let output = &mut self.nic.nics[nic_slot].output;
            output.starve(now);
            if let Some(arrives) = output.credits().next_arrival() {
                self.wake_nic(endpoint, arrives);
            }
            return;
        }
        self.nic.nics[nic_slot].output.feed();
        self.send_packet(endpoint, message, payload, size, channel);
    }

    /// The next message of the ring whose class is not paused and that its flow's law admits. If
    /// the law delays all of them, this reschedules the injection.
    fn choose_message(&mut self, endpoint: u32) -> Option<u32> {
        if self.shared.classes.host_schedule.is_some() {
            return self.choose_by_class(endpoint);
        }
        let nic_slot = self.nic_slot(endpoint);
        let is_gated = self.shared.config.congestion.gate() == Gate::Nic || self.is_uet(endpoint);
        let mut earliest = NO_TIME;
        for _ in 0..self.nic.nics[nic_slot].active.len() {
            let message = self.nic.nics[nic_slot].active.pop_front()?;
            if self.nic.nics[nic_slot].is_paused(self.nic.outgoing[message].header.class.0) {
                self.nic.nics[nic_slot].active.push_back(message);
                continue;
            }
            if !is_gated {
                return Some(message);
            }
            match self.law_admits(message) {
                Admission::Now => return Some(message),
                Admission::At(time) => earliest = earliest.min(time),
                Admission::OnAck => {}
            }
            self.nic.nics[nic_slot].active.push_back(message);
        }
        if earliest != NO_TIME {
            self.wake_nic(endpoint, earliest);
        }
        None
    }

    /// The next message of the class that the schedule chooses.
    #[inline(never)]
    fn choose_by_class(&mut self, endpoint: u32) -> Option<u32> {
        let (nic_slot, now) = (self.nic_slot(endpoint), self.clock.now());
        let class_of = |message: &u32| self.nic.outgoing[*message].header.class.0;
        let classes = self.nic.nics[nic_slot].active.iter().map(class_of);
        let mut asking = classes
            .filter(|&class| !self.nic.nics[nic_slot].is_paused(class))
            .fold(0_u64, |asking, class| asking | 1 << class);
        let mut earliest = NO_TIME;
        while asking != 0 {
            let schedule = self.shared.classes.host_schedule.as_ref()?;
            let own = nic_slot * usize::from(self.shared.classes.plan.classes)
                ..(nic_slot + 1) * usize::from(self.shared.classes.plan.classes);
            match schedule.choose(now, asking, &mut self.nic.nic_accounts[own], &mut self.nic.nic_commons[nic_slot]) {
                Choice::Class(class) => {
                    let indices: Vec<usize> = (0..self.nic.nics[nic_slot].active.len())
                        .filter(|&index| {
                            self.nic.outgoing[self.nic.nics[nic_slot].active[index]].header.class.0 == class
                        })
                        .collect();
                    for index in indices {
                        match self.law_admits(self.nic.nics[nic_slot].active[index]) {
                            Admission::Now => return self.nic.nics[nic_slot].active.remove(index),
                            Admission::At(time) => earliest = earliest.min(time),
                            Admission::OnAck => {}
                        }
                    }
                    asking &= !(1 << class);
                }
                Choice::Wait(until) => {
                    earliest = earliest.min(until);
                    break;
                }
                Choice::NoRequest => break,
            }
        }
        if earliest != NO_TIME {
            self.wake_nic(endpoint, earliest);
        }
        None
    }

    pub fn take_nic_room(&mut self, nic_slot: usize, channel: usize, size: u32) -> bool {
        let plan = &self.shared.classes.plan;
        let now = self.clock.now();
        let nic = &mut self.nic.nics[nic_slot];
        while let Some(credit) = nic.output.pop_credit(now) {
            let returned = usize::from(credit.channel());
            let (used, reserve) = (&mut nic.channels[returned], plan.reserve_bytes[returned]);
            (*used, nic.output.shared_used) =
                buffer_release(*used, nic.output.shared_used, reserve, u32::from(credit.bytes()));
        }
        let (used, reserve) = (&mut nic.channels[channel], plan.reserve_bytes[channel]);
        let fits = buffer_admits(*used, nic.output.shared_used, reserve, plan.shared_bytes, size);
        if fits {
            (*used, nic.output.shared_used) = buffer_take(*used, nic.output.shared_used, reserve, size);
        }
        fits
    }

    /// Puts one packet of a message on the wire.
    fn send_packet(&mut self, endpoint: u32, message: u32, payload: u32, size: u32, channel: u8) {
        let nic_slot = self.nic_slot(endpoint);
        let now = self.clock.now();
        let sending = &mut self.nic.outgoing[message];
        let packet_index = sending.packets;
        sending.packets += 1;
        sending.sent += u64::from(payload);
        let finished = sending.sent == sending.header.bytes;
        let tcp_end = sending.tcp_end;
        let segment = if tcp_end == NO_INDEX { SegmentHead::NONE } else { self.tcp_segment(tcp_end, payload) };
        let sending = &self.nic.outgoing[message];
        let wire = self.nic.nics[nic_slot].wire;
        let foreign = sending.incoming == NO_INDEX || self.keeps_packets(endpoint);
        let sent = sending.sent;
        let slot = self.transit.packets.insert_with(|| {
            let header = &sending.header;
            let class = header.class.0;
            let part = MessagePart {
                injected: now,
                message: if foreign { sending.number } else { sending.incoming },
                number: 0,
                order: 0,
                job: header.job,
                foreign,
                opens: false,
                uet: UetHead::default(),
            };
            let kind = PacketKind { class, sent_class: class, purpose: header.purpose, marked: false, entropy: 0 };
            let ends = (endpoint, sending.destination);
            Packet { segment, ..Packet::leaving(ends, (wire.peer, channel), (size, payload), kind, part) }
        });
        if self.keeps_packets(endpoint) {
            let (mut packet, header) = (self.transit.packets[slot], self.nic.outgoing[message].header);
            if self.is_uet(endpoint) {
                self.uet_number(&mut packet, packet_index, finished);
            } else {
                self.remember(&mut packet, header, packet_index);
            }
            self.transit.packets[slot] = packet;
        }
        let serialization = self.put_on_wire(endpoint, slot, Some((message, sent - u64::from(payload))));
        if matches!(self.shared.config.congestion, CongestionLaw::Ecn(_)) && !self.is_uet(endpoint) {
            self.account_rate(message, size);
        }
        if finished {
            self.sent(message, self.clock.now() + serialization);
        } else if tcp_end == NO_INDEX {
            self.nic.nics[nic_slot].active.push_back(message);
        }
        if tcp_end != NO_INDEX {
            self.tcp_sent(tcp_end, finished);
        }
        if !self.nic.nics[nic_slot].active.is_empty() {
            let free_at = self.nic.nics[nic_slot].output.free_at;
            self.wake_nic(endpoint, free_at);
        }
    }

    /// Retransmits a lost packet.
    #[cold]
    #[inline(never)]
    fn resend_packet(&mut self, endpoint: u32, packet: Packet) {
        let (nic_slot, channel, now) = (self.nic_slot(endpoint), usize::from(packet.place.channel), self.clock.now());
        let by_credits = self.nic.nics[nic_slot].wire.hold == EdgeHold::Credits;
        if by_credits && !self.take_nic_room(nic_slot, channel, u32::from(packet.wire_bytes)) {
            let output = &mut self.nic.nics[nic_slot].output;
            output.starve(now);
            if let Some(arrives) = output.credits().next_arrival() {
                self.wake_nic(endpoint, arrives);
            }
            return;
        }
        let slot = self.transit.packets.insert(packet);
        self.put_on_wire(endpoint, slot, None);
        if self.is_uet(endpoint) {
            self.uet_note_again(endpoint, packet.kind.entropy);
        } else {
            self.note_resent(endpoint);
        }
        let free_at = self.nic.nics[nic_slot].output.free_at;
        self.wake_nic(endpoint, free_at);
    }

    /// Sends a packet of a collective tree. Returns false if the edge buffer has no room for it.
    pub fn send_tree_packet(&mut self, endpoint: u32, packet: Packet) -> bool {
        let (nic_slot, channel) = (self.nic_slot(endpoint), usize::from(packet.place.channel));
        let by_credits = self.nic.nics[nic_slot].wire.hold == EdgeHold::Credits;
        let room = !by_credits || self.take_nic_room(nic_slot, channel, u32::from(packet.wire_bytes));
        let now = self.clock.now();
        let output = &mut self.nic.nics[nic_slot].output;
        if room {
            output.feed();
        } else {
            output.starve(now);
        }
        let next = if room {
            let port = self.nic.nics[nic_slot].wire.peer;
            let slot = self.transit.packets.insert(Packet { place: PacketPlace { port, ..packet.place }, ..packet });
            self.put_on_wire(endpoint, slot, None);
            Some(self.nic.nics[nic_slot].output.free_at)
        } else {
            self.nic.nics[nic_slot].output.credits().next_arrival()
        };
        if let Some(time) = next {
            self.wake_nic(endpoint, time);
        }
        room
    }

    /// Puts the packet in `slot` on the wire. Returns the time for which it occupies the wire, in
    /// picoseconds. `first` is the message that is being sent and the packet's offset in it; a
    /// retransmitted packet and a response have none.
    #[inline]
    pub fn put_on_wire(&mut self, endpoint: u32, slot: u32, first: Option<(u32, u64)>) -> u64 {
        let (nic_slot, now) = (self.nic_slot(endpoint), self.clock.now());
        let size = u32::from(self.transit.packets[slot].wire_bytes);
        let wire = self.nic.nics[nic_slot].wire;
        let nic = self.shared.nic(endpoint);
        let serialization = wire.serialization(size + self.shared.edge_gap_bytes(endpoint, nic));
        let begins = first.is_some_and(|(_, offset)| offset == 0);
        let packet_gap =
            u64::from(if begins { nic.packet_gap_ps.max(nic.operation_gap_ps) } else { nic.packet_gap_ps });
        self.transit.links.cover(slot);
        self.transit.injected += 1;
        let port = wire.peer;
        let arrival = self.nic_arrival(nic_slot, serialization, size);
        self.transit.packets[slot].tail = arrival + wire.serialization(size);
        let output = &mut self.nic.nics[nic_slot].output;
        output.free_at = now + serialization.max(packet_gap);
        if self.has_bus() {
            self.read_ahead(endpoint, slot, first.map(|(message, _)| message));
        }
        self.nic.nics[nic_slot].sent_packets += 1;
        if let Some(schedule) = &self.shared.classes.host_schedule {
            let own = nic_slot * usize::from(self.shared.classes.plan.classes)
                ..(nic_slot + 1) * usize::from(self.shared.classes.plan.classes);
            let class = self.transit.packets[slot].kind.class;
            schedule.charge(
                now,
                class,
                serialization,
                &mut self.nic.nic_accounts[own],
                &mut self.nic.nic_commons[nic_slot],
            );
        }
        if self.is_observed() {
            match first {
                Some((message, offset)) => {
                    self.observe_sent(slot, message, offset, u32::from(self.transit.packets[slot].payload_bytes));
                }
                None => {
                    let packet = self.transit.packets[slot];
                    self.observe_resent(slot, &packet);
                }
            }
        }
        if self.has_link_layer() {
            self.send_frame(self.nic_end(endpoint), slot, arrival);
        } else {
            let (key, port_slot) =
                (self.shared.places.targets.arrive(arrival, port), self.nic.nics[nic_slot].port_slot);
            self.sched.calendar.push_own(key, Event::Enter { packet: slot, port, port_slot });
        }
        serialization
    }

    /// When a frame of `size` that a NIC sends now is ready in its switch.
    ///
    /// With several kinds of NIC, links differ in rate, and a packet waits in the switch for its
    /// tail. A short packet must not be ready before a long one in front of it, so the time counts
    /// from the tail of the packet in front.
    #[inline]
    pub fn nic_arrival(&mut self, nic_slot: usize, serialization: u64, size: u32) -> u64 {
        let (wire, last) = (self.nic.nics[nic_slot].wire, self.nic.nics[nic_slot].output.last_arrival);
        let switch = (self.nic.nics[nic_slot].switch - self.layout.switch_base) as usize;
        if !self.shared.kinds.are_mixed() {
            let arrival = self.arrival_time(switch, wire.propagation, serialization, last, self.clock.now());
            self.nic.nics[nic_slot].output.last_arrival = arrival;
            return arrival;
        }
        let arrival = self.arrival_time(
            switch,
            wire.propagation,
            serialization,
            last.saturating_sub(serialization),
            self.clock.now(),
        );
        self.nic.nics[nic_slot].output.last_arrival = arrival + wire.serialization(size);
        arrival
    }

    /// Stops sending a message that has failed. Returns whether any of it had not left.
    pub fn stop_sending(&mut self, endpoint: u32, number: u32) -> bool {
        let nic_slot = self.nic_slot(endpoint);
        let of_message = |message: &&u32| self.nic.outgoing[**message].number == number;
        let Some(&message) = self.nic.nics[nic_slot].active.iter().find(of_message) else { return false };
        self.nic.nics[nic_slot].active.retain(|&other| other != message);
        self.nic.outgoing.remove(message);
        true
    }

    /// The last packet of a message is on the wire.
    fn sent(&mut self, message: u32, time: u64) {
        let (header, source) = (self.nic.outgoing[message].header, self.nic.outgoing[message].source);
        self.nic.outgoing.remove(message);
        let ends_send = header.purpose == PacketPurpose::Eager && header.receive_handle != SENT_BEFORE;
        if ends_send && !self.forwards_for(source, header.source_rank) {
            let time = if self.has_bus() { self.event_of_send(source, time) } else { time };
            self.finish_operation(header.source_rank, header.issuer_handle, time);
        }
    }

    /// A packet has reached its NIC.
    #[inline(never)]
    pub fn deliver(&mut self, packet: u32) {
        if self.has_link_layer() && !self.accept(packet, self.nic_end(self.transit.packets[packet].destination)) {
            return;
        }
        self.transit.delivered += 1;
        if self.has_trees() && self.transit.packets[packet].kind.purpose == PacketPurpose::Collective {
            let packet_state = self.transit.packets[packet];
            self.transit.packets.remove(packet);
            return self.tree_delivered(&packet_state);
        }
        if self.has_responses() && self.transit.packets[packet].kind.purpose == PacketPurpose::Response {
            return self.answered(packet);
        }
        if self.has_responses() && self.is_observed() {
            self.observe_answering(packet);
        }
        if self.has_tcp() && self.transit.packets[packet].segment.is_some() {
            self.segment_delivered(packet);
        }
        let nic_slot = self.nic_slot(self.transit.packets[packet].destination);
        let edge = self.nic.nics[nic_slot].wire.propagation;
        let ack_delay = self.transit.packets[packet].ingress.ack_delay
            + 2 * edge
            + self.shared.config.switch.ack_latency_ns * 1_000;
        if self.keeps_packets(self.transit.packets[packet].source) {
            let packet_state = self.transit.packets[packet];
            let is_taken = if self.is_uet(packet_state.source) {
                self.uet_accept(&packet_state)
            } else {
                self.accept_once(&packet_state, u64::from(ack_delay))
            };
            if !is_taken {
                return self.transit.packets.remove(packet);
            }
        }
        if self.transit.packets[packet].kind.purpose == PacketPurpose::Deferrable && self.uet_drops(packet) {
            return;
        }
        let packet_state = &self.transit.packets[packet];
        let (foreign, marked, source, sent_as) =
            (packet_state.part.foreign, packet_state.kind.marked, packet_state.source, packet_state.part.message);
        let of_source =
            || self.nic.foreign.find(foreign_key(source, sent_as)).expect("what arrives has been announced");
        let record = if foreign { of_source() } else { sent_as };
        let latency = self.clock.now() - packet_state.part.injected;
        let is_observed = self.is_observed();
        let message = &mut self.nic.incoming[record];
        message.received += u64::from(packet_state.payload_bytes);
        message.packets += 1;
        message.latency_sum += latency;
        message.latency_min = message.latency_min.min(latency);
        message.latency_max = message.latency_max.max(latency);
        message.ack_delay = ack_delay;
        let (job, sent_class) = (message.header.job, message.header.class);
        let finished = message.received == message.header.bytes;
        let ack_delay = u64::from(message.ack_delay);
        let (to, of_class) = (packet_state.destination, (packet_state.kind.class, packet_state.payload_bytes));
        if is_observed {
            let (packet_state, whole) = (*packet_state, finished.then_some(*message));
            self.observe_delivered(packet, &packet_state, whole.as_ref());
        }
        let written = if self.has_bus() { self.write_payload(to, of_class.1) } else { self.clock.now() };
        self.record.recorder.delivered(self.clock.now(), job, of_class, latency);
        if marked && !self.is_uet(source) {
            let packet_state = self.transit.packets[packet];
            self.record.recorder.counters.add_nic(packet_state.destination, CounterName::NoticesSent, 1);
            self.send_notice(packet_state.flow_ends(), packet_state.ingress.sequence, 0, ack_delay, self.clock.now());
        }
        if self.shared.traits.responds_to_each && !finished && !self.is_reliable() {
            let packet_state = self.transit.packets[packet];
            self.answer_packet(&packet_state, sent_class);
        }
        if self.has_tcp() && self.transit.packets[packet].segment.is_some() {
            let packet_state = self.transit.packets[packet];
            self.segment_arrived(&packet_state, record, written, finished);
        }
        self.transit.packets.remove(packet);
        if finished {
            if foreign {
                self.nic.foreign.remove(foreign_key(source, sent_as));
                self.nic.reliable.forget(record);
            }
            self.arrived(record, written);
        }
    }

    /// Handles a message all of whose packets have arrived; the last is in memory at `written`.
    fn arrived(&mut self, record: u32, written: u64) {
        let message = self.nic.incoming[record];
        if self.forwarded(record, &message) {
            return;
        }
        let (header, now) = (message.header, self.clock.now());
        let protocol = self.shared.protocol(message.destination);
        let matches = self.nic_matches_for(header.destination_rank, protocol.nic);
        let step = protocol.arrival(header.purpose, matches);
        let pair = (header.destination_rank, header.source_rank);
        let connected = self.connected(message.destination, header.purpose, pair, written);
        let now = now + (connected - written);
        let is_answered = self.answer_message(&message, now);
        // An answer does not wait until data are in memory.
        let is_end = !matches!(step, ArrivalStep::Answer { .. });
        let written = if self.has_bus() {
            self.tell_host(&message, matches, written, (connected, is_end))
        } else {
            if connected > written && is_end && self.is_observed() {
                self.explain_written(&message, connected, connected);
            }
            connected
        };
        if self.host.has_processes {
            self.reach_process(&header, written);
        }
        match step {
            ArrivalStep::Visible { after } => {
                let taken_in = self.core_done_at(&message, written + after);
                self.complete_at(record, taken_in);
            }
            ArrivalStep::Fetched { after } => {
                let taken_in = self.core_done_at(&message, written + after);
                self.complete_at(record, taken_in);
                if !is_answered {
                    let acknowledged = written + u64::from(message.ack_delay) + after;
                    self.finish_operation(header.source_rank, header.issuer_handle, acknowledged);
                }
            }
            ArrivalStep::Answer { purpose, after } => {
                self.nic.incoming.remove(record);
                let (source_rank, destination_rank) = (header.destination_rank, header.source_rank);
                let (bytes, class) = (header.operation_bytes, self.class_of_responses(header.class));
                let data = Header { purpose, source_rank, destination_rank, bytes, class, ..header };
                let asked_by = self.shared.places.ranks[destination_rank as usize].endpoint;
                self.begin_message(data, message.destination, asked_by, now + after);
            }
            ArrivalStep::Written { after } => {
                if self.is_observed() {
                    self.explain_finished(&message, written);
                }
                self.record.recorder.message(written, &message, &self.shared);
                self.record.recorder.received(header.job.0, header.operation_bytes, now);
                self.nic.incoming.remove(record);
                if !is_answered {
                    let acknowledged = written + u64::from(message.ack_delay) + after;
                    self.finish_operation(header.source_rank, header.issuer_handle, acknowledged);
                }
            }
            ArrivalStep::Software => {
                assert!(header.purpose == PacketPurpose::Notice, "{NO_MESSAGE}");
                self.nic.incoming.remove(record);
                self.notice_arrived(header, message.destination);
            }
        }
    }

    pub fn class_of_responses(&self, class: ClassId) -> ClassId {
        ClassId(self.shared.classes.rules[class.index()].responses)
    }

    /// Makes a message visible to its receiver at `time`.
    pub fn complete_at(&mut self, record: u32, time: u64) {
        let endpoint = self.nic.incoming[record].destination;
        let nic_slot = self.nic_slot(endpoint);
        let completed = self.nic.nics[nic_slot].completed;
        self.nic.nics[nic_slot].completed = completed.wrapping_add(1);
        let key = self.shared.places.targets.message(time, EventOrder::Depart, endpoint, completed);
        self.sched.calendar.push(key, Event::Complete { message: record });
    }

    /// Tells a rank, in any partition, that an operation has completed at `time`.
    pub fn finish_operation(&mut self, rank: u32, handle: u32, time: u64) {
        let key = self.shared.places.targets.run(time, rank, handle);
        self.push_run(key, rank, handle);
    }
}
