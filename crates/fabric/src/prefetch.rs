//! Prefetching: the memory that coming events will touch is asked for before they are handled.
//!
//! An event finds its packet, the packet its output, the output its queues and credits: each step is a miss of the
//! cache that has to end before the next can begin. So memory is asked for in steps too, one step further each time an
//! event comes nearer. Everything here reads; nothing that it reads decides anything.

use philae_engine::{prefetch, prefetch_at};
use philae_rosetta::{VoqBlocks, grant_round_robin, next_channel};

use crate::event::Event;
use crate::output::Far;
use crate::partition::Partition;

/// Events between the present one and the one whose third step is asked for.
const THIRD_STEP: usize = 2;
/// The same for the fourth step.
const FOURTH_STEP: usize = 1;

impl Partition {
    /// Asks for what the next events will touch: of the next bucket the first step, of the present one the others.
    #[inline]
    pub fn prefetch_coming(&mut self) {
        let current = self.calendar.current();
        if self.foreseen != self.calendar.buckets() {
            self.calendar.next_bucket().iter().for_each(|(_, event)| self.first_step(*event));
            current.iter().for_each(|(_, event)| self.second_step(*event));
            self.foreseen = self.calendar.buckets();
        }
        let at = |ahead: usize| current.len().checked_sub(ahead).and_then(|place| current.get(place));
        if let Some((_, event)) = at(THIRD_STEP) {
            self.third_step(*event);
        }
        if let Some((_, event)) = at(FOURTH_STEP) {
            self.fourth_step(*event);
        }
    }

    /// What the event names.
    #[inline]
    fn first_step(&self, event: Event) {
        match event {
            Event::Arrive { packet, port } | Event::Request { packet, port } => {
                let at = self.at(port);
                self.packets.prefetch(packet);
                prefetch_at(&self.wires, at);
                prefetch_at(&self.input_used, self.class_at(at, 0));
                prefetch_at(&self.outputs, at);
            }
            Event::Arbitrate { port } => prefetch_at(&self.outputs, self.at(port)),
            Event::Inject { endpoint } => prefetch_at(&self.nics, self.nic_at(endpoint)),
            Event::Deliver { packet } => self.packets.prefetch(packet),
            Event::Ack { flow, .. } | Event::Release { flow } => self.flows.flows.prefetch(flow),
            Event::Ready { message } => self.outgoing.prefetch(message),
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
            Event::Arrive { port, .. } => {
                let wire = &self.wires[self.at(port)];
                if wire.far == Far::Switch && self.owns_port(wire.peer) {
                    prefetch_at(&self.outputs, self.at(wire.peer));
                }
            }
            Event::Arbitrate { port } => {
                let at = self.at(port);
                let output = &self.outputs[at];
                if let Some(credit) = output.credits.front() {
                    prefetch(credit);
                }
                if let Some(channel) = self.coming_channel(at) {
                    prefetch_at(&self.channels, channel);
                }
            }
            Event::Inject { endpoint } => {
                if let Some(&message) = self.nics[self.nic_at(endpoint)].active.front() {
                    self.outgoing.prefetch(message);
                }
            }
            Event::Deliver { packet } => {
                let found = &self.packets[packet];
                if !found.foreign {
                    self.incoming.prefetch(found.message);
                }
            }
            Event::Ack { flow, .. } | Event::Release { flow } => {
                let found = &self.flows.flows[flow];
                self.packets.prefetch(found.held_head);
            }
            _ => {}
        }
    }

    /// And that.
    #[inline]
    fn third_step(&self, event: Event) {
        if let Event::Arbitrate { port } = event {
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
    }

    /// And that.
    #[inline]
    fn fourth_step(&self, event: Event) {
        if let Event::Arbitrate { port } = event
            && let Some(&packet) = self.head_of_next(self.at(port))
        {
            self.packets.prefetch(packet);
        }
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
