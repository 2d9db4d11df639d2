//! What happens with pause frames: buffers fill and drain, senders stop and continue.

use philae_nic_model::EdgeHold;

use crate::model::buffer::EdgeBuffer;
use crate::model::event::Event;
use crate::model::output::NO_TIME;
use crate::model::shared::switch_of;
use crate::partition::Partition;

impl Partition {
    /// A packet from another switch has entered an input buffer: pauses the sender if the packet's
    /// channel fills.
    #[inline(never)]
    pub fn link_filled(&mut self, port: u32, channel: u8, bytes: u32) {
        let Some((threshold, _)) = self.shared.config.congestion.pause_thresholds() else { return };
        let now = self.clock.now();
        let slot = self.port_slot(port) * self.shared.classes.plan.count() + usize::from(channel);
        let buffer = &mut self.switch.link_buffers[slot];
        buffer.used_bytes += bytes;
        if buffer.used_bytes > threshold && buffer.paused_since.is_none() {
            buffer.paused_since = Some(now);
            let used = buffer.used_bytes;
            self.count_pause(port, channel / self.shared.classes.plan.legs);
            self.record.recorder.pause_start(now, port, used);
            self.send_link_pause(port, channel, true, now);
        }
    }

    /// A packet has left an input buffer: lets the sender continue if the packet's channel has
    /// drained.
    #[inline(never)]
    pub fn link_drained(&mut self, port: u32, channel: u8, bytes: u32, now: u64) {
        let Some((_, threshold)) = self.shared.config.congestion.pause_thresholds() else { return };
        let slot = self.port_slot(port) * self.shared.classes.plan.count() + usize::from(channel);
        let buffer = &mut self.switch.link_buffers[slot];
        buffer.used_bytes -= bytes;
        if buffer.used_bytes <= threshold
            && let Some(since) = buffer.paused_since.take()
        {
            self.count_paused(port, channel / self.shared.classes.plan.legs, now - since);
            self.record.recorder.pause_end(now, port, now - since);
            self.send_link_pause(port, channel, false, now);
        }
    }

    /// Whether a sender whose frames may be repeated may send one more, on a link that is paused
    /// when its far buffer fills. Frames that the far end has not taken come again whether the link
    /// is paused or not. So they count, as if they were in the far buffer, against the channel's
    /// part of it, which has room for what is on its way when a pause takes effect.
    #[inline(never)]
    pub fn has_room_for_repeats(&self, port_slot: usize, channel: usize, size: u32) -> bool {
        let plan = &self.shared.classes.plan;
        let used = self.switch.channels[port_slot * plan.count() + channel].used_bytes;
        (u64::from(used) + u64::from(size)) * plan.count() as u64 <= u64::from(plan.capacity_bytes())
    }

    /// Counts pauses of links that last until the end of the run.
    pub fn close_link_pauses(&mut self, end: u64) {
        let channels = self.shared.classes.plan.count();
        for index in 0..self.switch.link_buffers.len() {
            if let Some(since) = self.switch.link_buffers[index].paused_since {
                let (port, channel) = (self.port_in(index / channels), (index % channels) as u8);
                self.count_paused(port, channel / self.shared.classes.plan.legs, end.saturating_sub(since));
            }
        }
    }

    fn send_link_pause(&mut self, port: u32, channel: u8, on: bool, now: u64) {
        if self.record.observer.on {
            self.observe_pause(port, channel / self.shared.classes.plan.legs, on);
        }
        let wire = self.switch.wires[self.port_slot(port)];
        let logic = u64::from(self.shared.config.switch.credit_latency_ns) * 1_000;
        let upstream = wire.peer;
        let time = now + u64::from(wire.propagation) + logic;
        let key = self.shared.places.targets.pause_link(time, upstream, channel, on);
        let partition = self.shared.places.partition_of_switch[switch_of(&self.shared, upstream).index()];
        self.push_to(partition, key, Event::PauseLink { port: upstream, channel, on });
    }

    /// A pause frame has reached the output of a switch.
    pub fn pause_link(&mut self, port: u32, channel: u8, on: bool) {
        let port_slot = self.port_slot(port);
        // A NIC pauses all of its port with the first channel.
        self.switch.channels[port_slot * self.shared.classes.plan.count() + usize::from(channel)].paused = on;
        if !on && self.switch.loads[port_slot].queued_bytes > 0 {
            self.wake((port_slot, port), self.clock.now().max(self.switch.outputs[port_slot].free_at));
        }
    }

    /// Whether a class holds more than its part of `all` bytes. Classes have equal parts. There is
    /// no division, because every packet asks.
    #[inline]
    pub fn exceeds_part(&self, used: u32, all: u32) -> bool {
        u64::from(used) * u64::from(self.shared.classes.plan.classes) > u64::from(all)
    }

    /// Pauses a class of the NIC of an edge port if its part of the buffer fills.
    #[inline]
    pub fn pause_if_full(&mut self, (port_slot, port): (usize, u32), class: u8) {
        if self.switch.wires[port_slot].hold != EdgeHold::Pause {
            return;
        }
        let slot = self.edge_class_slot(port_slot, class);
        let EdgeBuffer { used_bytes, is_paused } = self.edge.edge_buffers[slot];
        if !is_paused && self.exceeds_part(used_bytes, self.shared.config.switch.pause_on_bytes) {
            self.pause(port, class, (slot, used_bytes));
        }
    }

    #[inline(never)]
    fn pause(&mut self, port: u32, class: u8, (slot, used_bytes): (usize, u32)) {
        self.edge.edge_buffers[slot].is_paused = true;
        self.edge.paused_since[slot] = self.clock.now();
        self.count_pause(port, class);
        self.record.recorder.pause_start(self.clock.now(), port, used_bytes);
        self.send_pause(port, class, true, self.clock.now());
    }

    /// Lets a paused class of the NIC of an edge port continue if its part of the buffer has
    /// drained. `slot` is that of the class.
    #[inline(never)]
    pub fn unpause(&mut self, port: u32, (class, slot): (u8, usize), now: u64) {
        let used_bytes = self.edge.edge_buffers[slot].used_bytes;
        if !self.exceeds_part(used_bytes, self.shared.config.switch.pause_off_bytes) {
            self.edge.edge_buffers[slot].is_paused = false;
            let since = std::mem::replace(&mut self.edge.paused_since[slot], NO_TIME);
            self.count_paused(port, class, now - since);
            self.record.recorder.pause_end(now, port, now - since);
            self.send_pause(port, class, false, now);
        }
    }

    fn send_pause(&mut self, port: u32, class: u8, on: bool, now: u64) {
        if self.record.observer.on {
            self.observe_pause(port, class, on);
        }
        let wire = self.switch.wires[self.port_slot(port)];
        let logic = u64::from(self.shared.config.switch.credit_latency_ns) * 1_000;
        let key = self.shared.places.targets.pause(now + u64::from(wire.propagation) + logic, wire.peer, class, on);
        self.sched.calendar.push(key, Event::PauseNic { endpoint: wire.peer, class, on });
    }
}
