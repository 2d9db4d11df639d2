//! Defers requests, and makes those that were deferred.

use philae_engine::prefetch_soon;
use philae_units::{Picoseconds, PortId, PortIndex};

use super::{DeferredRequests, Request};
use crate::model::event::Event;
use crate::model::output::NO_TIME;
use crate::model::shares::ShareKey;
use crate::partition::Partition;

impl Partition {
    /// Defers a packet's request for an output, whose memory has been prefetched. The packet came
    /// from `input`.
    #[inline]
    pub fn defer(&mut self, packet: u32, (port_slot, port, channel): (usize, u32, u8), input: u32) {
        let switch = port - u32::from(self.shared.topology().port_of(PortIndex(port)).0);
        let channel = (port_slot * self.shared.classes.plan.count()) as u32 + u32::from(channel);
        // Both ports are on that switch.
        let input = PortId((input - switch) as u8);
        let port_slot = port_slot as u32;
        let request = Request { time: self.clock.now(), packet, port, port_slot, switch, channel, input };
        let deferred = &mut self.sched.deferred;
        deferred.unseen_until = deferred.unseen_until.min(self.clock.now() + self.shared.traits.unseen_ps);
        let before = deferred.requests[deferred.newer];
        deferred.newer ^= usize::from(before.waits());
        let oldest = std::mem::replace(&mut deferred.requests[deferred.newer], request);
        if before.waits() {
            self.prefetch_output_details(before);
        }
        if oldest.waits() {
            #[cfg(test)]
            {
                self.sched.deferred.waited += 1;
            }
            self.request_at(oldest);
        }
    }

    /// Prefetches what the output of a request names.
    #[inline]
    fn prefetch_output_details(&self, Request { packet, port_slot, channel, input, .. }: Request) {
        let port_slot = port_slot as usize;
        if self.transit.shares.are_beyond(port_slot) {
            let packet_state = &self.transit.packets[packet];
            self.transit
                .shares
                .prefetch_beyond(port_slot, ShareKey::new(packet_state.place.channel, self.share_holder(packet_state)));
        }
        let output = &self.switch.outputs[port_slot];
        if output.is_special()
            && let Some(credit) = output.credits().front()
        {
            prefetch_soon(credit);
        }
        self.record.recorder.prefetch_total(port_slot, output, self.clock.now());
        let voq = self.switch.channels[channel as usize].voq;
        if voq.is_none() {
            return;
        }
        if self.switch.fair_queues.are_used() {
            self.switch.fair_queues.prefetch_last(voq);
            self.switch.fair_queues.prefetch_indexed(channel as usize, &self.transit.packets[packet]);
        } else {
            prefetch_soon(self.switch.voqs.memory_of(voq, input));
        }
    }

    /// Makes a request at the time when it was deferred. Then handles the arbitrations that it has
    /// woken and that come before the current event, each at its own time.
    #[inline]
    fn request_at(&mut self, Request { packet, port, port_slot, time, .. }: Request) {
        self.request(packet, (port_slot as usize, port), time);
        let current_key = self.clock.current_key();
        // What else a request does takes longer.
        while let Some(&(key, Event::Arbitrate { port, port_slot })) = self.sched.calendar.calendar().peek()
            && key < current_key
        {
            self.sched.calendar.take_current(Picoseconds::MAX);
            self.clock.events += 1;
            self.arbitrate((port_slot as usize, port), key.time.0);
        }
    }

    /// Whether a request is deferred at the switch of a port.
    pub const fn has_deferred_at(&self, port: u32) -> bool {
        self.sched.deferred.has_switch_of(port, self.layout.radix)
    }

    /// Makes the requests that were deferred at the switch of a port. The dispatcher calls this
    /// before every other event at that switch.
    #[inline(always)]
    pub fn flush(&mut self, port: u32) {
        if self.sched.deferred.has_switch_of(port, self.layout.radix) {
            self.flush_switch(port);
        }
    }

    /// Makes the requests that were deferred at the switch of a port.
    #[inline(never)]
    fn flush_switch(&mut self, port: u32) {
        for request in self.sched.deferred.take_of(port, self.layout.radix) {
            if request.waits() {
                self.request_at(request);
            }
        }
    }

    /// Makes all deferred requests.
    #[inline(never)]
    pub fn flush_all(&mut self) {
        let DeferredRequests { requests, newer, .. } = self.sched.deferred;
        self.sched.deferred.requests = [Request::NONE; 2];
        self.sched.deferred.unseen_until = NO_TIME;
        for request in [requests[1 - newer], requests[newer]] {
            if request.waits() {
                self.request_at(request);
            }
        }
    }
}
