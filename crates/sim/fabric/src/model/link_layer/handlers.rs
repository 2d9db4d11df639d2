//! What happens on a link: frames are sent, accepted, answered, replayed and lost.

use philae_link_layer::{LaneChange, OutgoingFrame, Received, Receiver, ReceiverAction, Retry, Sender};
use philae_nic_model::EdgeHold;
use philae_results::fault::DiscardCause;
use philae_switch::port::CreditReturn;
use philae_units::{Bytes, Picoseconds};
use philae_wire::RetrySequence;

use super::{KeptFrame, NO_FAULT};
use crate::model::event::Event;
use crate::model::output::{FarEnd, NO_TIME, Wire};
use crate::model::packet::NO_FRAME;
use crate::model::packet::{Packet, PacketPurpose};
use crate::partition::Partition;

impl Partition {
    /// Slot of an end of a link: ports first, then NICs.
    #[inline]
    pub fn end_slot(&self, end: u32) -> usize {
        let ports = self.shared.places.targets.ports;
        if end < ports { self.port_slot(end) } else { self.switch.wires.len() + self.nic_slot(end - ports) }
    }

    /// The number of a NIC's end.
    #[inline]
    pub fn nic_end(&self, endpoint: u32) -> u32 {
        self.shared.places.targets.ports + endpoint
    }

    /// The wire that leaves an end.
    fn wire_of_end(&self, end: u32) -> Wire {
        let ports = self.shared.places.targets.ports;
        if end < ports {
            *self.switch.wires[self.port_slot(end)]
        } else {
            self.nic.nics[self.nic_slot(end - ports)].wire()
        }
    }

    /// The far end of the link.
    pub fn peer_end(&self, end: u32) -> u32 {
        let wire = self.wire_of_end(end);
        if wire.far_end == FarEnd::Nic { self.nic_end(wire.peer) } else { wire.peer }
    }

    /// Whether the link beyond an output takes a frame now.
    #[inline]
    pub fn link_ready(&self, end_slot: usize) -> bool {
        !self.has_link_layer() || self.fault.ends[end_slot].is_ready()
    }

    /// Sends a packet over the link of `end`; it would arrive at `arrival`.
    #[inline(never)]
    pub fn send_frame(&mut self, end: u32, packet: u32, arrival: u64) {
        let end_slot = self.end_slot(end);
        if !self.fault.ends[end_slot].retries {
            return self.send_unprotected(end, packet, arrival);
        }
        let copy = self.transit.packets[packet];
        if self.record.observer.on {
            self.record.observer.due(packet, arrival);
        }
        let load = if self.shared.trees.is_some() { self.load_of(&copy) } else { None };
        let tag = if self.record.observer.on { self.record.observer.tag(packet) } else { None };
        let state = &mut self.fault.ends[end_slot];
        let number = state.first.wrapping_add(state.kept.len() as u32);
        let sent = state.sender.on_send(Picoseconds(self.clock.now()), number);
        state.kept.push_back(KeptFrame { packet: copy, tag, load, received_at: NO_TIME });
        let transmit = sent.expect("an output asks its link before it grants");
        self.put_on_line(end, transmit, arrival, Some(packet));
        self.update_link_timer(end);
    }

    /// Sends a packet over a link without retry. Noise decides whether it arrives or is lost.
    fn send_unprotected(&mut self, end: u32, slot: u32, arrival: u64) {
        let (end_slot, wire) = (self.end_slot(end), self.wire_of_end(end));
        let packet = self.transit.packets[slot];
        let state = &mut self.fault.ends[end_slot];
        let frame_errors =
            state.errors.cross(Picoseconds(self.clock.now()), wire.rate(), Bytes(u64::from(packet.wire_bytes)));
        state.count_codewords(frame_errors);
        let far_end = self.peer_end(end);
        if self.record.observer.on {
            self.record.observer.enters(slot, self.clock.now() + u64::from(wire.propagation));
        }
        if frame_errors.damaged {
            return self.lose_unprotected(end, slot, DiscardCause::UncorrectedFrame);
        }
        self.transit.packets[slot].tail = arrival + wire.serialization(u32::from(packet.wire_bytes));
        let event = match wire.far_end {
            FarEnd::Nic => Event::Deliver { packet: slot },
            FarEnd::Switch => self.arrival_at(slot, far_end),
        };
        self.sched.calendar.push(self.shared.places.targets.frame(arrival, far_end), event);
    }

    /// The arrival of a packet at a port: from its NIC or from a switch.
    fn arrival_at(&self, packet: u32, port: u32) -> Event {
        let slot = self.port_slot(port);
        let port_slot = slot as u32;
        if self.switch.wires[slot].far_end == FarEnd::Nic {
            Event::Enter { packet, port, port_slot }
        } else {
            Event::Arrive { packet, port, port_slot }
        }
    }

    /// A packet is lost on the link of `end`, which is at the edge and has no retry. No credits are
    /// due, because credits need retry. No flow has to be told: its egress has reported a packet
    /// that has left the fabric, and before its ingress a packet has no flow.
    fn lose_unprotected(&mut self, end: u32, slot: u32, cause: DiscardCause) {
        let packet = self.transit.packets[slot];
        let port = if end < self.shared.places.targets.ports { end } else { self.wire_of_end(end).peer };
        self.count_discard(port, &packet, cause);
        self.drop_copy(slot);
    }

    /// Drops a copy, with its contents.
    fn drop_copy(&mut self, slot: u32) {
        if self.transit.packets[slot].kind.purpose == PacketPurpose::Collective {
            self.take_load(self.transit.packets[slot].part.message);
        }
        self.transit.packets.remove(slot);
    }

    /// Puts a frame on the line. Noise decides whether it is damaged; an undamaged one arrives as a
    /// packet.
    fn put_on_line(&mut self, end: u32, transmit: OutgoingFrame, arrival: u64, slot: Option<u32>) {
        let (end_slot, wire) = (self.end_slot(end), self.wire_of_end(end));
        let state = &mut self.fault.ends[end_slot];
        let kept_index = transmit.frame.wrapping_sub(state.first) as usize;
        let mut packet = state.kept[kept_index].packet;
        let size = Bytes(u64::from(packet.wire_bytes));
        let frame_errors = state.errors.cross(Picoseconds(self.clock.now()), wire.rate(), size);
        state.count_codewords(frame_errors);
        let frame = state.frame(transmit.sequence);
        let far_end = self.peer_end(end);
        if frame_errors.damaged {
            if let Some(slot) = slot {
                self.drop_copy(slot);
            }
            let key = self.shared.places.targets.frame(arrival, far_end);
            let partition = self.shared.partition_of_end(far_end);
            return self.push_to(partition, key, Event::BadFrame { end: far_end, frame });
        }
        let state = &mut self.fault.ends[end_slot];
        if transmit.sequence == state.expected {
            state.expected = state.expected.after(1);
            state.kept[kept_index].received_at = arrival;
        }
        packet.place.frame = frame;
        packet.tail = arrival + wire.serialization(u32::from(packet.wire_bytes));
        let key = self.shared.places.targets.frame(arrival, far_end);
        if !self.owns_end(far_end) {
            if let Some(slot) = slot {
                self.drop_copy(slot);
            }
            let (tag, load) = (
                self.fault.ends[end_slot].kept[kept_index].tag.clone(),
                self.fault.ends[end_slot].kept[kept_index].load.clone(),
            );
            let tag = self.record.observer.entering(tag, self.clock.now() + u64::from(wire.propagation));
            return self.post_frame((key, far_end), packet, tag, load);
        }
        let slot = match slot {
            Some(slot) => {
                self.transit.packets[slot] = packet;
                slot
            }
            None => {
                if let Some(load) = self.fault.ends[end_slot].kept[kept_index].load.clone() {
                    packet.part.message = self.put_load(*load);
                }
                let slot = self.transit.packets.insert(packet);
                self.transit.links.cover(slot);
                if self.record.observer.on {
                    let tag = self.fault.ends[end_slot].kept[kept_index].tag.clone();
                    self.record.observer.put(slot, tag);
                }
                slot
            }
        };
        if self.record.observer.on {
            self.record.observer.enters(slot, self.clock.now() + u64::from(wire.propagation));
        }
        let event = match wire.far_end {
            FarEnd::Nic => Event::Deliver { packet: slot },
            FarEnd::Switch => self.arrival_at(slot, far_end),
        };
        self.sched.calendar.push(key, event);
    }

    /// Handles a frame that has arrived undamaged at `end`. Returns true if it is the next one,
    /// which then becomes a packet here. Otherwise drops the copy.
    #[inline(never)]
    pub fn accept(&mut self, packet: u32, end: u32) -> bool {
        if self.fault.timeline.next_time().is_some_and(|time| time <= self.clock.now()) {
            self.apply_due_faults();
        }
        let end_slot = self.end_slot(end);
        if !self.fault.ends[end_slot].retries {
            if self.fault.ends[end_slot].is_down() {
                self.lose_unprotected(end, packet, DiscardCause::LinkDown);
                return false;
            }
            if self.record.observer.on {
                self.observe_accepted(packet, end);
            }
            return true;
        }
        let frame = std::mem::replace(&mut self.transit.packets[packet].place.frame, NO_FRAME);
        let state = &mut self.fault.ends[end_slot];
        if state.is_down() || !state.is_current(frame) {
            self.drop_copy(packet);
            return false;
        }
        let sequence = RetrySequence::from_low_bits(frame);
        let action = state.receiver.on_frame(Received::Good { sequence, frame: packet });
        self.answer(end, action);
        let taken = matches!(action, ReceiverAction::Deliver { .. });
        if !taken {
            self.drop_copy(packet);
        } else if self.record.observer.on {
            self.observe_accepted(packet, end);
        }
        taken
    }

    /// A frame has arrived damaged.
    pub fn bad_frame(&mut self, end: u32, frame: u16) {
        let end_slot = self.end_slot(end);
        let state = &mut self.fault.ends[end_slot];
        if !state.is_down() && state.is_current(frame) {
            let action = state.receiver.on_frame(Received::Bad);
            self.answer(end, action);
        }
    }

    fn answer(&mut self, end: u32, action: ReceiverAction) {
        let (sequence, nack) = match action {
            ReceiverAction::Deliver { ack, .. } | ReceiverAction::Duplicate { ack } => (ack, false),
            ReceiverAction::Nack { wanted } => (wanted, true),
            ReceiverAction::Drop => return,
        };
        let end_slot = self.end_slot(end);
        let frame = self.fault.ends[end_slot].frame(sequence);
        let (far_end, wire) = (self.peer_end(end), self.wire_of_end(end));
        let logic = u64::from(self.shared.config.switch.credit_latency_ns) * 1_000;
        let key =
            self.shared.places.targets.link_answer(self.clock.now() + u64::from(wire.propagation) + logic, far_end);
        self.push_to(self.shared.partition_of_end(far_end), key, Event::LinkAnswer { end: far_end, frame, nack });
    }

    /// An ack or a nack has returned to the sender of `end`.
    pub fn link_answer(&mut self, end: u32, frame: u16, nack: bool) {
        let (now, end_slot) = (Picoseconds(self.clock.now()), self.end_slot(end));
        let state = &mut self.fault.ends[end_slot];
        if state.is_down() || !state.is_current(frame) {
            return;
        }
        let was_ready = state.sender.ready().is_ok();
        let before = state.sender.unacknowledged();
        let sequence = RetrySequence::from_low_bits(frame);
        let retry = if nack {
            state.sender.on_nack(now, sequence)
        } else {
            state.sender.on_ack(now, sequence);
            Retry::Nothing
        };
        let released = before - state.sender.unacknowledged();
        state.kept.drain(..usize::from(released));
        state.first = state.first.wrapping_add(u32::from(released));
        self.act_on_retry(end, retry, was_ready);
    }

    /// The replay timer of `end` may have expired.
    pub fn link_timer(&mut self, end: u32) {
        let (now, end_slot) = (self.clock.now(), self.end_slot(end));
        let state = &mut self.fault.ends[end_slot];
        if state.timer_at != now {
            return; // An earlier one replaced it.
        }
        state.timer_at = NO_TIME;
        let was_ready = state.sender.ready().is_ok();
        let lanes = state.lanes.on_timer(Picoseconds(now));
        if lanes == LaneChange::Down {
            let cause = DiscardCause::LinkDown;
            self.end_down(end, cause);
            self.update_link_timer(end);
            return;
        }
        let retry = self.fault.ends[end_slot].sender.on_timer(Picoseconds(now));
        self.act_on_retry(end, retry, was_ready);
    }

    /// Acts on a change of the sender of `end`.
    fn act_on_retry(&mut self, end: u32, retry: Retry, was_ready: bool) {
        let end_slot = self.end_slot(end);
        match retry {
            Retry::Nothing => {}
            Retry::Again(_) => {
                if !std::mem::replace(&mut self.fault.ends[end_slot].replaying, true) {
                    let time = self.clock.now().max(self.free_at(end));
                    self.sched.calendar.push(self.shared.places.targets.replay(time, end), Event::Replay { end });
                }
            }
            Retry::GiveUp => self.link_gives_up(end),
        }
        self.update_link_timer(end);
        if !was_ready && self.fault.ends[end_slot].is_ready() {
            self.wake_end(end);
        }
    }

    /// Sends the next frame of a replay.
    pub fn replay(&mut self, end: u32) {
        let (now, end_slot) = (self.clock.now(), self.end_slot(end));
        let Some(transmit) = self.fault.ends[end_slot].sender.replay_next(Picoseconds(now)) else {
            (self.fault.ends[end_slot].replaying, self.fault.ends[end_slot].replay_of) = (false, NO_FAULT);
            self.wake_end(end);
            return;
        };
        let wire = self.wire_of_end(end);
        let state = &self.fault.ends[end_slot];
        let packet = state.kept[transmit.frame.wrapping_sub(state.first) as usize].packet;
        let fault = state.replay_of;
        let is_port = end < self.shared.places.targets.ports;
        let ack_time = if is_port { self.switch.wires[end_slot].ack_time(now) } else { 0 };
        let serialization = wire.serialization(u32::from(packet.wire_bytes)) + ack_time;
        let arrival = self.frame_arrival(end, wire, serialization, u32::from(packet.wire_bytes));
        self.count_replay(fault);
        self.put_on_line(end, transmit, arrival, None);
        let output = self.output_of_end(end);
        output.free_at = now + serialization;
        let time = output.free_at;
        if is_port {
            self.switch.wires[end_slot].take_until(time);
        }
        self.sched.calendar.push(self.shared.places.targets.replay(time, end), Event::Replay { end });
        self.update_link_timer(end);
    }

    /// When a frame that leaves `end` now counts as arrived: its header parsed in a switch, its
    /// tail in a NIC.
    fn frame_arrival(&mut self, end: u32, wire: Wire, serialization: u64, size: u32) -> u64 {
        if wire.far_end == FarEnd::Nic {
            let fec = u64::from(self.shared.config.switch.fec_ns) * 1_000;
            return self.clock.now() + wire.serialization(size) + u64::from(wire.propagation) + fec;
        }
        let ports = self.shared.places.targets.ports;
        if end >= ports {
            // The spread of a NIC's frames is that of its switch, as for packets that the switch
            // sends.
            return self.nic_arrival(self.nic_slot(end - ports), serialization, size);
        }
        let (switch, last) = (self.switch_slot(self.port_slot(end)), self.output_of_end(end).last_arrival);
        let arrival = self.arrival_time(switch, wire.propagation, serialization, last, self.clock.now());
        self.output_of_end(end).last_arrival = arrival;
        arrival
    }

    fn output_of_end(&mut self, end: u32) -> &mut crate::model::output::Output {
        let ports = self.shared.places.targets.ports;
        if end < ports {
            let port_slot = self.port_slot(end);
            &mut self.switch.outputs[port_slot]
        } else {
            let nic_slot = self.nic_slot(end - ports);
            &mut self.nic.nics[nic_slot].output
        }
    }

    fn free_at(&mut self, end: u32) -> u64 {
        self.output_of_end(end).free_at
    }

    /// Wakes the output of an end.
    pub fn wake_end(&mut self, end: u32) {
        let time = self.clock.now().max(self.free_at(end));
        let ports = self.shared.places.targets.ports;
        if end < ports {
            let port_slot = self.port_slot(end);
            if self.switch.loads[port_slot].queued_bytes > 0 {
                self.wake((port_slot, end), time);
            }
        } else {
            self.wake_nic(end - ports, time);
        }
    }

    /// Keeps one timer event scheduled ahead of the deadlines of the sender and the lanes.
    fn update_link_timer(&mut self, end: u32) {
        let end_slot = self.end_slot(end);
        let state = &mut self.fault.ends[end_slot];
        let deadlines = state.sender.deadline().into_iter().chain(state.lanes.deadline());
        let Some(deadline) = deadlines.map(|time| time.0).min() else { return };
        if deadline < state.timer_at {
            state.timer_at = deadline;
            self.sched.calendar.push(self.shared.places.targets.link_timer(deadline, end), Event::LinkTimer { end });
        }
    }

    /// Gives up a link after too many replays in a row. This end stops sending, and both ends go
    /// down when the far end has heard of it. They go down at the same instant, so that packets on
    /// the line are lost for both or for neither.
    fn link_gives_up(&mut self, end: u32) {
        let (far_end, wire) = (self.peer_end(end), self.wire_of_end(end));
        let logic = u64::from(self.shared.config.switch.credit_latency_ns) * 1_000;
        let time = self.clock.now() + u64::from(wire.propagation) + logic;
        self.sched.calendar.push(self.shared.places.targets.peer_down(time, end), Event::PeerDown { end });
        let key = self.shared.places.targets.peer_down(time, far_end);
        self.push_to(self.shared.partition_of_end(far_end), key, Event::PeerDown { end: far_end });
    }

    /// Adds a reason for an end to be down. Frames that it kept and the far end has not taken are
    /// lost.
    pub fn end_down(&mut self, end: u32, cause: DiscardCause) {
        let (now, end_slot) = (self.clock.now(), self.end_slot(end));
        let is_port = end < self.shared.places.targets.ports;
        self.fault.ends[end_slot].down += 1;
        if is_port && self.fault.health.set(end_slot, true) {
            self.notify_tables(end, true);
        }
        let state = &mut self.fault.ends[end_slot];
        if state.down > 1 {
            return;
        }
        state.interrupt(now);
        state.sender.give_up();
        state.sender.take().for_each(drop);
        state.replaying = false;
        let kept = std::mem::take(&mut state.kept);
        for kept in kept.iter().filter(|kept| kept.received_at == NO_TIME) {
            self.lose(end, &kept.packet, cause);
        }
        if is_port {
            self.drain_output(end, cause);
        } else if self.shared.traits.has_processes {
            self.nic_loses_link(end - self.shared.places.targets.ports);
        }
    }

    /// Removes a reason for an end to be down. With none left, it starts again.
    pub fn end_up(&mut self, end: u32) {
        let end_slot = self.end_slot(end);
        let is_port = end < self.shared.places.targets.ports;
        self.fault.ends[end_slot].down -= 1;
        if is_port && self.fault.health.set(end_slot, false) {
            self.notify_tables(end, false);
        }
        let parameters = &self.shared.link;
        let state = &mut self.fault.ends[end_slot];
        if state.down > 0 {
            return;
        }
        state.past += *state.sender.counters();
        state.past += *state.receiver.counters();
        (state.sender, state.receiver) = (Sender::new(parameters), Receiver::new());
        state.expected = RetrySequence::default();
        state.first = 0;
        state.epoch = state.epoch.wrapping_add(1);
        if !is_port && self.shared.traits.has_processes {
            self.nic_regains_link(end - self.shared.places.targets.ports);
        }
        self.wake_end(end);
    }

    /// Loses a packet that was on the link of `end`: frees its room beyond the link, and tells its
    /// flow.
    fn lose(&mut self, end: u32, packet: &Packet, cause: DiscardCause) {
        let wire = self.wire_of_end(end);
        let ports = self.shared.places.targets.ports;
        let holder = self.share_holder(packet);
        let credit = CreditReturn::new(self.clock.now(), holder, packet.wire_bytes, packet.place.input_channel);
        if end >= ports {
            if wire.hold == EdgeHold::Credits {
                self.nic_credit(end - ports, credit);
            }
        } else if wire.far_end == FarEnd::Switch {
            self.push_credit(self.port_slot(end), credit);
            if let Some(receipt) = packet.receipt() {
                self.acknowledge(receipt, crate::model::ingress::LOST, self.clock.now());
            }
        }
        let port = if end < ports { end } else { wire.peer };
        self.count_discard(port, packet, cause);
    }

    /// A fault takes lanes from the link of `end`.
    pub fn lose_lanes(&mut self, end: u32, fault: u32, count: u8) {
        let (now, end_slot) = (self.clock.now(), self.end_slot(end));
        let state = &mut self.fault.ends[end_slot];
        let lanes = self.shared.link.lanes;
        let held = state.taken.values().fold(0, |held, mask| held | mask);
        let free = (0..lanes).filter(|lane| held >> lane & 1 == 0).take(usize::from(count));
        let mask = free.fold(0_u8, |mask, lane| mask | 1 << lane);
        state.taken.insert(fault, mask);
        let changes = (0..lanes).filter(|lane| mask >> lane & 1 == 1);
        let mut paused = false;
        for lane in changes {
            paused |= state.lanes.on_lost(Picoseconds(now), lane) == LaneChange::Pause;
        }
        if paused {
            state.interrupt(now);
            state.sender.pause();
            if end < self.shared.places.targets.ports {
                self.fault.health.set_waiting(end_slot, true);
            }
        } else {
            self.apply_lane_rate(end);
        }
        self.update_link_timer(end);
    }

    /// A fault gives its lanes back.
    pub fn regain_lanes(&mut self, end: u32, fault: u32) {
        let end_slot = self.end_slot(end);
        let state = &mut self.fault.ends[end_slot];
        let Some(mask) = state.taken.remove(&fault) else { return };
        let lanes = self.shared.link.lanes;
        let mut woken = LaneChange::Rate;
        for lane in (0..lanes).filter(|lane| mask >> lane & 1 == 1) {
            let change = state.lanes.on_regained(lane);
            woken = if change == LaneChange::Rate { woken } else { change };
        }
        self.apply_lane_rate(end);
        if woken == LaneChange::Rate {
            return;
        }
        if end < self.shared.places.targets.ports {
            self.fault.health.set_waiting(end_slot, false);
        }
        if woken == LaneChange::Anew {
            self.end_up(end);
        } else if !self.fault.ends[end_slot].is_down() {
            self.fault.ends[end_slot].replay_of = fault;
            let retry = self.fault.ends[end_slot].sender.resume();
            self.act_on_retry(end, retry, false);
        }
    }

    /// Sets the rate of the wire to what the lanes allow.
    fn apply_lane_rate(&mut self, end: u32) {
        let end_slot = self.end_slot(end);
        let state = &self.fault.ends[end_slot];
        let Some(rate) = state.lanes.rate(state.full) else { return };
        let ports = self.shared.places.targets.ports;
        if end < ports {
            self.switch.wires[end_slot].set_rate(rate);
            if self.switch.wires[end_slot].far_end == FarEnd::Nic {
                self.limit_port_again(end_slot);
            }
        } else {
            let nic_slot = self.nic_slot(end - ports);
            self.nic.nics[nic_slot].set_rate(rate);
        }
    }
}
