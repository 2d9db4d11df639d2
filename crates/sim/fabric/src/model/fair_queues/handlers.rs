//! Packets that wait for an output: in virtual output queues by input, or in flow queues.

use philae_switch::port::{ChannelState, NO_PACKET, PacketLinks, Voq, grant_round_robin, next_channel};
use philae_units::{PortId, PortIndex};

use super::{ChannelQueues, FairQueue, FairQueueKey, FairQueues, SEARCHED, TURN, next_bit};
use crate::memory::slab::NO_INDEX;
use crate::model::output::FarEnd;
use crate::model::packet::Links;
use crate::partition::Partition;

/// In a channel's set of requests, stands for all flow queues, and for all inputs of a switch with
/// more ports than the set has room for.
const ANY: PortId = PortId(0);

/// The last port of the widest switch. The turn after it is that of port 0, at every switch.
const LAST: PortId = PortId(u8::MAX);

impl Partition {
    /// Puts a packet into the queue in which it waits for a channel of an output.
    #[inline]
    pub fn push_waiting(&mut self, port_slot: usize, channel: usize, packet: u32) {
        if self.switch.fair_queues.are_used() {
            return self.push_fair(port_slot, channel, packet);
        }
        let channel_slot = port_slot * self.shared.classes.plan.count() + channel;
        let input = self.shared.topology().port_of(PortIndex(self.transit.packets[packet].place.port));
        let state = &mut self.switch.channels[channel_slot];
        state.requests.insert(if self.switch.voqs.are_wide() { ANY } else { input });
        self.switch.voqs.push(&mut state.voq, input, packet, &mut self.transit.links);
    }

    /// The channel whose turn it is, of those in `untried`. `last` was tried or served before.
    #[inline(always)]
    pub fn next_channel_of(&self, port_slot: usize, (requesting, untried): (u64, u64), last: u8) -> u8 {
        if self.switch.fair_queues.are_used() {
            let first = port_slot * self.shared.classes.plan.count();
            return self.switch.fair_queues.most_behind(first, untried).unwrap_or(last);
        }
        next_channel(requesting, last)
    }

    /// The input whose turn it is, where outputs are fair to inputs.
    #[inline(always)]
    pub fn next_input(&self, state: &ChannelState) -> Option<PortId> {
        if self.switch.voqs.are_wide() {
            return self.switch.voqs.next_input(state.voq, state.last_input);
        }
        grant_round_robin(state.requests, state.last_input)
    }

    /// The packet that a channel of an output sends next, if any waits.
    #[inline(always)]
    pub fn next_waiting(&self, channel_slot: usize) -> Option<u32> {
        let state = &self.switch.channels[channel_slot];
        let packet = if self.switch.fair_queues.are_used() {
            state.requests.first()?;
            self.switch.fair_queues.first(channel_slot)
        } else {
            self.switch.voqs.head(state.voq, self.next_input(state)?)
        };
        debug_assert!(packet != NO_PACKET, "a granted packet was requested");
        Some(packet)
    }

    /// Removes the packet that [`next_waiting`](Self::next_waiting) has returned from its queue,
    /// and passes the turn on.
    #[inline(always)]
    pub fn pop_waiting(&mut self, port_slot: usize, channel: usize) {
        let channel_slot = port_slot * self.shared.classes.plan.count() + channel;
        if self.switch.fair_queues.are_used() {
            return self.pop_fair(port_slot, channel);
        }
        let Some(input) = self.next_input(&self.switch.channels[channel_slot]) else { return };
        let state = &mut self.switch.channels[channel_slot];
        let emptied = self.switch.voqs.pop(state.voq, input, &self.transit.links);
        state.last_input = input;
        if emptied {
            if !self.switch.voqs.are_wide() {
                state.requests.remove(input);
            } else if self.switch.voqs.is_empty(state.voq) {
                state.requests.remove(ANY);
            }
            if state.requests.is_empty() {
                self.switch.voqs.give_back(&mut state.voq);
                self.switch.outputs[port_slot].requesting &= !(1 << channel);
            }
        }
    }

    /// The packet of a channel that is discarded next when an output gives all of them up: by
    /// input, or by turns of flow queues.
    pub fn first_waiting(&self, channel_slot: usize) -> Option<u32> {
        let state = &self.switch.channels[channel_slot];
        let input = state.requests.first()?;
        if self.switch.fair_queues.are_used() {
            return Some(self.switch.fair_queues.first(channel_slot));
        }
        let input = if self.switch.voqs.are_wide() { self.switch.voqs.next_input(state.voq, LAST)? } else { input };
        Some(self.switch.voqs.head(state.voq, input))
    }

    /// Removes the packet that [`first_waiting`](Self::first_waiting) has returned from its queue.
    pub fn pop_first_waiting(&mut self, port_slot: usize, channel: usize) {
        let state = &mut self.switch.channels[port_slot * self.shared.classes.plan.count() + channel];
        let turn = std::mem::replace(&mut state.last_input, LAST);
        self.pop_waiting(port_slot, channel);
        self.switch.channels[port_slot * self.shared.classes.plan.count() + channel].last_input = turn;
    }

    #[inline(never)]
    fn push_fair(&mut self, port_slot: usize, channel: usize, packet: u32) {
        let first = port_slot * self.shared.classes.plan.count();
        let channel_slot = first + channel;
        let key = FairQueueKey::of_packet(channel_slot, &self.transit.packets[packet]);
        if self.switch.channels[channel_slot].voq.is_none() {
            let others = self.switch.outputs[port_slot].requesting & !(1 << channel);
            let fair = &mut self.switch.fair_queues;
            let behind = fair.most_behind(first, others).map(|other| first + usize::from(other));
            fair.begin(channel_slot, behind);
        }
        let state = &mut self.switch.channels[channel_slot];
        state.requests.insert(ANY);
        self.switch.fair_queues.push(&mut state.voq, channel_slot, (key, packet), &mut self.transit.links);
    }

    /// How many flow queues an output between switches has for packets of `channel`'s class on
    /// earlier legs of their route.
    #[inline]
    fn earlier_queues(&self, port_slot: usize, channel: usize) -> u32 {
        let plan = &self.shared.classes.plan;
        let class = channel as u8 / plan.legs;
        let earlier = plan.channels_of(class) & ((1 << channel) - 1) & self.switch.outputs[port_slot].requesting;
        if earlier == 0 || self.switch.wires[port_slot].far_end == FarEnd::Nic {
            return 0;
        }
        self.switch.fair_queues.queues_of(port_slot * plan.count(), earlier)
    }

    #[inline(never)]
    fn pop_fair(&mut self, port_slot: usize, channel: usize) {
        let channel_slot = port_slot * self.shared.classes.plan.count() + channel;
        let earlier = self.earlier_queues(port_slot, channel);
        let state = &mut self.switch.channels[channel_slot];
        if self.switch.fair_queues.pop(&mut state.voq, (channel_slot, earlier), &self.transit.links) {
            let packets = &self.transit.packets;
            let key_of = |packet| FairQueueKey::of_packet(channel_slot, &packets[packet]);
            self.switch.fair_queues.admit_beyond(&mut state.voq, channel_slot, &mut self.transit.links, key_of);
        }
        if state.voq.is_none() {
            state.requests.remove(ANY);
            self.switch.outputs[port_slot].requesting &= !(1 << channel);
        } else {
            // A busy output has the next one soon, before its events are prefetched.
            self.transit.packets.prefetch_line(self.switch.fair_queues.first(channel_slot));
        }
    }
}

impl FairQueues {
    /// Queues of some channels of an output. `first` is the output's first channel.
    #[inline]
    fn queues_of(&self, first: usize, mut channels: u64) -> u32 {
        let mut queues = 0;
        while let Some(channel) = next_bit(&mut channels) {
            queues += u32::from(self.of_channel[first + usize::from(channel)].count);
        }
        queues
    }

    /// Adds a packet to its flow's queue, or to those that wait for one.
    pub(super) fn push(
        &mut self,
        ring: &mut Voq,
        channel: usize,
        (key, packet): (FairQueueKey, u32),
        links: &mut Links,
    ) {
        links.set_next(packet, NO_PACKET);
        if ring.is_none() {
            // Most often: there is nothing to search, and always room.
            self.add(ring, channel, (key, packet));
        } else if self.of_channel[channel].waits_beyond || !self.append(ring, channel, (key, packet), links) {
            self.push_beyond(channel, packet, links);
        }
    }

    /// Adds a packet to its flow's queue, which may be new. Returns false if there is no queue for
    /// it.
    fn append(
        &mut self,
        ring: &mut Voq,
        channel: usize,
        (key, packet): (FairQueueKey, u32),
        links: &mut Links,
    ) -> bool {
        let ChannelQueues { count, is_indexed, .. } = self.of_channel[channel];
        let slot = if is_indexed { self.index.find(&self.queues, channel, key) } else { self.search(*ring, key) };
        if slot != NO_INDEX {
            self.add_behind(slot, packet, links);
            return true;
        }
        if count == self.most {
            return false;
        }
        let slot = self.add(ring, channel, (key, packet));
        if is_indexed {
            self.index.enter(&mut self.queues, channel, slot);
        } else if count == SEARCHED {
            self.enter_all(*ring, channel);
        }
        true
    }

    /// Adds a packet at the end of a queue.
    fn add_behind(&mut self, slot: u32, packet: u32, links: &mut Links) {
        let queue = &mut self.queues[slot];
        links.set_next(queue.tail, packet);
        queue.tail = packet;
    }

    /// Removes the first packet of the queue whose turn it is. The channel counts as at least
    /// `earlier` queues. Returns whether that queue is free now and packets wait for one.
    pub(super) fn pop(&mut self, ring: &mut Voq, (channel, earlier): (usize, u32), links: &Links) -> bool {
        let last = ring.ring();
        let slot = self.queues[last].next;
        let FairQueue { head, tail, next, next_head, .. } = self.queues[slot];
        let of_channel = &mut self.of_channel[channel];
        let counted = u32::from(of_channel.count).max(earlier).min(TURN);
        let turn = if counted == 1 { TURN } else { TURN / counted };
        of_channel.turn = of_channel.turn.wrapping_add(turn);
        if head != tail {
            let behind = links.next(head);
            self.queues[slot].head = behind;
            self.queues[last].next_head = behind;
            of_channel.first = if slot == last { behind } else { next_head };
            *ring = Voq::of_ring(slot);
            return false;
        }
        of_channel.count -= 1;
        let is_indexed = of_channel.is_indexed;
        of_channel.is_indexed &= of_channel.count > 0;
        if slot == last {
            *ring = Voq::NONE;
        } else {
            of_channel.first = next_head;
            (self.queues[last].next, self.queues[last].next_head) = (next, next_head);
            self.queues.prefetch_line(next);
        }
        if is_indexed {
            self.index.forget(&mut self.queues, channel, slot);
        }
        self.queues.remove(slot);
        self.of_channel[channel].waits_beyond
    }

    /// The packet that has waited longest for a queue of a channel.
    fn first_beyond(&self, channel: usize) -> Option<u32> {
        let slot = self.index.find(&self.queues, channel, FairQueueKey::beyond(channel));
        (slot != NO_INDEX).then(|| self.queues[slot].head)
    }

    #[cold]
    fn push_beyond(&mut self, channel: usize, packet: u32, links: &mut Links) {
        let key = FairQueueKey::beyond(channel);
        let slot = self.index.find(&self.queues, channel, key);
        if slot != NO_INDEX {
            self.add_behind(slot, packet, links);
            return;
        }
        self.of_channel[channel].waits_beyond = true;
        let slot = self.queues.insert_with(|| FairQueue::of(key, packet));
        self.index.enter(&mut self.queues, channel, slot);
    }

    /// Gives the packets that wait for a queue of a channel the one that is free, and those behind
    /// them the queues that their flows have. `key_of` tells the key of a packet's flow.
    #[cold]
    pub(super) fn admit_beyond(
        &mut self,
        ring: &mut Voq,
        channel: usize,
        links: &mut Links,
        key_of: impl Fn(u32) -> FairQueueKey,
    ) {
        let beyond = FairQueueKey::beyond(channel);
        while let Some(packet) = self.first_beyond(channel) {
            // Its link leads to the packet behind it.
            let behind = links.next(packet);
            links.set_next(packet, NO_PACKET);
            if !self.append(ring, channel, (key_of(packet), packet), links) {
                links.set_next(packet, behind);
                return;
            }
            let slot = self.index.find(&self.queues, channel, beyond);
            if behind == NO_PACKET {
                self.of_channel[channel].waits_beyond = false;
                self.index.forget(&mut self.queues, channel, slot);
                self.queues.remove(slot);
            } else {
                self.queues[slot].head = behind;
            }
        }
    }
}
