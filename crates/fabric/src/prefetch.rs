//! Prefetching: the memory that coming events will touch is asked for before they are handled.
//!
//! An event finds its packet, the packet its output, the output its queues and credits: each step is a miss of the
//! cache that has to end before the next can begin. So memory is asked for in steps too, one step further each time an
//! event comes nearer. Everything here reads; nothing that it reads decides anything.

use philae_engine::{prefetch, prefetch_at, prefetch_line};
use philae_rosetta::{VoqBlocks, grant_round_robin, next_channel};
use philae_units::{EndpointId, PortIndex};

use crate::event::Event;
use crate::output::Far;
use crate::packet::{Packet, Purpose, foreign_key};
use crate::partition::{Partition, switch_of};

/// In the place of a bucket that comes: there is none. No bucket comes after the first.
const NO_BUCKET: u64 = 0;

/// How far memory is asked for, in the lane of the calendar that is worked on.
#[derive(Clone, Copy, Debug)]
pub struct Foresight {
    /// Buckets that had been current when memory was last asked for.
    pub buckets: u64,
    /// What a bucket spans: with another width, buckets have other numbers.
    shift: u32,
    /// The buckets that come next, as far as memory is asked for.
    coming: [u64; 5],
}

impl Default for Foresight {
    fn default() -> Self {
        Self { buckets: u64::MAX, shift: 0, coming: [NO_BUCKET; 5] }
    }
}

impl Partition {
    /// Whether memory is asked for that is found by way of others, too.
    #[inline]
    pub fn is_far_seeing(&self) -> bool {
        self.wires.len() >= self.shared.options.far_ports_min
    }

    /// Asks for what the coming events will touch, a step for each bucket of the calendar that lies between.
    #[inline(never)]
    pub fn prefetch_coming(&mut self) {
        let calendar = self.calendar.calendar();
        let seen = &mut self.foresight;
        seen.buckets = calendar.buckets();
        if seen.shift != calendar.bucket_shift() {
            (seen.shift, seen.coming) = (calendar.bucket_shift(), [NO_BUCKET; 5]);
        }
        let current = calendar.bucket();
        let passed = seen.coming.iter().take_while(|bucket| **bucket <= current).count();
        if passed == 0 {
            return; // One that was filled after the look ahead.
        }
        seen.coming.rotate_left(passed);
        let mut bucket = current;
        for place in 0..seen.coming.len() {
            if place + passed >= seen.coming.len() || seen.coming[place] == NO_BUCKET {
                seen.coming[place] = calendar.bucket_after(bucket).unwrap_or(NO_BUCKET);
            }
            bucket = seen.coming[place];
            if bucket == NO_BUCKET {
                seen.coming[place..].fill(NO_BUCKET);
                break;
            }
        }
        let [fourth, third, second, first, soon] = seen.coming;
        for events in calendar.events_of(soon) {
            events.iter().step_by(2).for_each(prefetch);
        }
        let all = self.is_far_seeing();
        self.step(first, |_| true, Self::first_step);
        self.step(second, |_| true, Self::second_step);
        self.step(third, |event| all || matches!(event, Event::Arbitrate { .. }), Self::third_step);
        self.step(fourth, |event| all || matches!(event, Event::Arbitrate { .. }), Self::fourth_step);
    }

    /// Goes one step further for the events of a bucket that `is_meant` names.
    #[inline]
    fn step(&self, bucket: u64, is_meant: impl Fn(Event) -> bool, step: impl Fn(&Self, Event)) {
        for events in self.calendar.calendar().events_of(bucket) {
            for (_, event) in events {
                if is_meant(*event) {
                    step(self, *event);
                }
            }
        }
    }

    /// What the event names.
    #[inline]
    fn first_step(&self, event: Event) {
        match event {
            Event::Arrive { packet, port } | Event::Request { packet, port } => {
                let at = self.at(port);
                self.packets.prefetch_line(packet);
                prefetch_line(&self.wires[at]);
            }
            Event::Arbitrate { port } => prefetch_at(&self.outputs, self.at(port)),
            Event::Inject { endpoint } => prefetch_at(&self.nics, self.nic_at(endpoint)),
            Event::Deliver { packet } => self.packets.prefetch(packet),
            Event::Ack { flow, .. } | Event::Release { flow } => self.flows.flows.prefetch(flow),
            Event::Ready { message } => self.outgoing.prefetch_line(message),
            Event::Complete { message } => self.incoming.prefetch(message),
            Event::Run { rank, .. } => prefetch_at(&self.ranks, rank as usize),
            // These are rare, or belong to runs in which something may fail.
            Event::Notice { .. }
            | Event::PauseNic { .. }
            | Event::PauseLink { .. }
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
            | Event::EngineTimer { .. }
            | Event::Again { .. } => {}
        }
    }

    /// What that names.
    #[inline]
    fn second_step(&self, event: Event) {
        match event {
            Event::Arrive { packet, port } => {
                let at = self.at(port);
                let wire = &self.wires[at];
                if wire.far == Far::Switch && self.owns_port(wire.peer) {
                    prefetch_line(&self.outputs[self.at(wire.peer)].credits);
                }
                if self.is_far_seeing() {
                    self.second_step_of_arrival(packet, at);
                }
            }
            Event::Arbitrate { port } => {
                let at = self.at(port);
                let output = &self.outputs[at];
                if let Some(credit) = output.credits.front() {
                    prefetch_line(credit);
                }
                if let Some(channel) = self.coming_channel(at) {
                    prefetch_at(&self.channels, channel);
                }
                if self.is_far_seeing() {
                    prefetch_line(&self.loads[at]);
                    self.recorder.prefetch_sample(at);
                }
            }
            Event::Inject { endpoint } => {
                let nic = &self.nics[self.nic_at(endpoint)];
                if self.is_far_seeing() {
                    nic.active.front().into_iter().for_each(prefetch_line);
                    nic.prefetch_account();
                } else if let Some(&message) = nic.active.front() {
                    self.outgoing.prefetch_line(message);
                }
            }
            Event::Deliver { packet } => {
                let found = &self.packets[packet];
                if found.purpose == Purpose::Collective {
                    return; // It is for a tree, not for an endpoint.
                }
                if found.foreign {
                    self.foreign.prefetch(foreign_key(found.source, found.message));
                } else {
                    self.incoming.prefetch_line(found.message);
                }
            }
            Event::Ack { flow, .. } | Event::Release { flow } => {
                let found = &self.flows.flows[flow];
                self.packets.prefetch_line(found.held_head);
                if self.is_far_seeing() {
                    self.nics[self.nic_at(found.source)].prefetch_flows();
                }
            }
            _ => {}
        }
    }

    /// What an arriving packet and its flow look at.
    #[inline]
    fn second_step_of_arrival(&self, packet: u32, at: usize) {
        let found = &self.packets[packet];
        if found.purpose == Purpose::Collective {
            return;
        }
        prefetch_line(&self.buffered[self.switch_at(at)]);
        if self.wires[at].far == Far::Nic {
            prefetch_at(&self.input_used, self.class_at(at, found.class));
            prefetch_at(&self.paused_since, self.class_at(at, found.class));
            if self.shared.tracks_flows {
                self.flows.prefetch(found.source, found.destination, found.class);
                self.nics[self.nic_at(found.source)].prefetch_flows();
            }
        }
    }

    /// And that.
    #[inline]
    fn third_step(&self, event: Event) {
        match event {
            Event::Arrive { packet, port } => {
                let (at, found) = (self.at(port), &self.packets[packet]);
                let wire = &self.wires[at];
                if found.purpose == Purpose::Collective {
                    return;
                }
                if wire.far == Far::Switch {
                    if self.owns_port(wire.peer)
                        && let Some(credit) = self.outputs[self.at(wire.peer)].credits.back()
                    {
                        prefetch(credit);
                    }
                    let channel = self.foreseen_channel(found);
                    if let Some(output) = self.foreseen_port(found, port) {
                        self.ask_for_output(output.0, found.destination, channel);
                    }
                } else if self.shared.tracks_flows
                    && let Some(flow) = self.flows.find(found.source, found.destination, found.class)
                {
                    self.flows.flows.prefetch(flow);
                }
            }
            Event::Arbitrate { port } => {
                let at = self.at(port);
                let output = &self.outputs[at];
                if self.share_bytes > 0
                    && let Some(credit) = output.credits.front()
                {
                    self.shares.prefetch(port, credit.destination, credit.channel);
                }
                if let Some(head) = self.head_of_next(at) {
                    prefetch(head);
                }
            }
            Event::Inject { endpoint } => {
                if let Some(&message) = self.nics[self.nic_at(endpoint)].active.front() {
                    self.outgoing.prefetch_line(message);
                }
            }
            Event::Deliver { packet } => {
                let found = &self.packets[packet];
                if found.purpose != Purpose::Collective {
                    prefetch_line(&self.wires[self.at(self.edge_port(found.destination))]);
                    if found.foreign
                        && let Some(record) = self.foreign.find(foreign_key(found.source, found.message))
                    {
                        self.incoming.prefetch_line(record);
                    }
                }
            }
            _ => {}
        }
    }

    /// And that.
    #[inline]
    fn fourth_step(&self, event: Event) {
        match event {
            Event::Arrive { packet, port } => {
                let found = &self.packets[packet];
                if self.wires[self.at(port)].far != Far::Switch || found.purpose == Purpose::Collective {
                    return;
                }
                let channel = usize::from(self.foreseen_channel(found));
                if let Some(output) = self.foreseen_port(found, port) {
                    let state = &self.channels[self.at(output.0) * self.shared.plan.count() + channel];
                    let input = self.shared.topology().port_of(PortIndex(port));
                    if state.voq_block != VoqBlocks::NONE {
                        prefetch(self.voqs.head(state.voq_block, input));
                    } else if let Some(queue) = self.voqs.coming(input) {
                        prefetch(queue);
                    }
                }
            }
            Event::Arbitrate { port } => {
                if let Some(&packet) = self.head_of_next(self.at(port)) {
                    self.packets.prefetch_line(packet);
                    self.links.prefetch(packet);
                }
            }
            _ => {}
        }
    }

    /// Asks for all that a packet to this endpoint will touch of an output.
    #[inline]
    pub fn ask_for_output(&self, port: u32, destination: u32, channel: u8) {
        let at = self.at(port);
        prefetch(&self.outputs[at]);
        prefetch_line(&self.wires[at]);
        prefetch_line(&self.loads[at]);
        prefetch_at(&self.channels, at * self.shared.plan.count() + usize::from(channel));
        self.recorder.prefetch_sample(at);
        if self.share_bytes > 0 {
            self.shares.prefetch(port, destination, channel);
        }
    }

    /// The channel of a packet's next hop, where its leg goes on.
    #[inline]
    fn foreseen_channel(&self, packet: &Packet) -> u8 {
        let plan = &self.shared.plan;
        plan.channel(packet.class, packet.route.leg.min(plan.legs - 1))
    }

    /// The port that the next hop of a packet in the switch of `input` will take, as far as that is known before.
    #[inline]
    fn foreseen_port(&self, packet: &Packet, input: u32) -> Option<PortIndex> {
        let (shared, destination) = (&self.shared, EndpointId(packet.destination));
        let target = shared.topology().edge_port(destination);
        shared.router.foresee(switch_of(shared, input), target, destination, &packet.route)
    }

    /// Place of the channel that an output will look at first, in the column of channels.
    #[inline]
    fn coming_channel(&self, at: usize) -> Option<usize> {
        let output = &self.outputs[at];
        let channel = (output.requesting != 0).then(|| next_channel(output.requesting, output.last_channel));
        channel.map(|channel| at * self.shared.plan.count() + usize::from(channel))
    }

    /// The head of the queue that an output will look at first.
    #[inline(always)]
    fn head_of_next(&self, at: usize) -> Option<&u32> {
        let state = &self.channels[self.coming_channel(at)?];
        let input = grant_round_robin(state.requests, state.last_input)?;
        (state.voq_block != VoqBlocks::NONE).then(|| self.voqs.head(state.voq_block, input))
    }
}
