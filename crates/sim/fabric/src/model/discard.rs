//! Discards a packet: returns its credits, updates all counters and records the loss.

use philae_nic_model::EdgeHold;
use philae_results::fault::DiscardCause;

use crate::memory::slab::NO_INDEX;
use crate::model::ingress::LOST;
use crate::model::link_layer::NO_FAULT;
use crate::model::losses::Cost;
use crate::model::output::FarEnd;
use crate::model::packet::{Packet, PacketPurpose};
use crate::partition::Partition;

impl Partition {
    /// Discards a packet that is in an input buffer of a switch and in no queue. The clock has the
    /// packet's time, because a run that may discard packets defers no request.
    #[cold]
    #[inline(never)]
    pub fn discard(&mut self, packet: u32, cause: DiscardCause) {
        let packet_state = self.transit.packets[packet];
        let now = self.clock.now();
        self.leave_input(packet, now, now);
        if let Some(receipt) = packet_state.receipt() {
            self.acknowledge(receipt, LOST, now);
        }
        self.count_discard(packet_state.place.port, &packet_state, cause);
        if packet_state.kind.purpose == PacketPurpose::Collective {
            self.take_load(packet_state.part.message);
        }
        self.transit.packets.remove(packet);
    }

    /// Whether a packet of a lossy class finds its queue at an output full.
    #[inline]
    pub fn overflows(&self, port_slot: usize, packet: u32) -> bool {
        if !self.has_lossy_classes() {
            return false;
        }
        let packet_state = &self.transit.packets[packet];
        let most = self.shared.classes.rules[usize::from(packet_state.kind.class)].queue_max_bytes;
        most.is_some_and(|most| {
            self.switch.class_queued[self.class_slot(port_slot, packet_state.kind.class)]
                + u32::from(packet_state.wire_bytes)
                > most
        })
    }

    /// Discards a packet of a lossy class that has its share of an output, and no place in the
    /// output's queue.
    #[inline(never)]
    pub fn give_share_back_and_discard(&mut self, packet: u32, port: u32) {
        self.give_share_back(self.port_slot(port), packet);
        self.discard(packet, DiscardCause::LossyClass);
    }

    /// Returns the share of a link's far buffer that a packet in the output's queue has taken.
    pub fn give_share_back(&mut self, port_slot: usize, packet: u32) {
        let packet = &self.transit.packets[packet];
        if self.switch.wires[port_slot].far_end == FarEnd::Switch {
            self.share_returned(
                port_slot,
                self.share_holder(packet),
                packet.place.channel,
                u32::from(packet.wire_bytes),
                self.clock.now(),
            );
        }
    }

    /// Whether a packet finds its part of an edge port's buffer full, counting itself. Only for a
    /// packet of a lossy class, or of a NIC that nothing blocks.
    #[inline]
    pub fn overflows_edge(&self, port_slot: usize, packet: u32) -> bool {
        let class = self.transit.packets[packet].kind.sent_class;
        let lossy = self.shared.classes.rules[usize::from(class)].queue_max_bytes.is_some();
        if !lossy && self.switch.wires[port_slot].hold != EdgeHold::Nothing {
            return false;
        }
        self.exceeds_part(
            self.edge.edge_buffers[self.edge_class_slot(port_slot, class)].used_bytes,
            self.shared.config.switch.pause_on_bytes,
        )
    }

    /// Discards everything that waits for an output.
    pub fn drain_output(&mut self, port: u32, cause: DiscardCause) {
        let port_slot = self.port_slot(port);
        for packet in self.take_waiting(port) {
            self.discard(packet, cause);
        }
        let channels = self.shared.classes.plan.count();
        self.record.recorder.sample_output(
            (port_slot, port),
            (&mut self.switch.outputs[port_slot], &self.switch.wires[port_slot]),
            self.switch.loads[port_slot].queued_bytes,
            self.clock.now(),
        );
        for channel in 0..channels {
            let channel_slot = port_slot * channels + channel;
            while let Some(packet) = self.first_waiting(channel_slot) {
                self.pop_first_waiting(port_slot, channel);
                let packet_state = self.transit.packets[packet];
                self.transit.packets[packet].place.queued_for = NO_INDEX;
                self.switch.loads[port_slot].queued_bytes -= u32::from(packet_state.wire_bytes);
                if !self.switch.class_queued.is_empty() {
                    let of_class = self.class_slot(port_slot, packet_state.kind.class);
                    self.switch.class_queued[of_class] -= u32::from(packet_state.wire_bytes);
                }
                self.give_share_back(port_slot, packet);
                self.discard(packet, cause);
            }
        }
        let output = &mut self.switch.outputs[port_slot];
        if output.feed() {
            self.record.recorder.sample_fed(output, self.clock.now());
        }
    }

    /// Records that a packet was discarded at `port`. The loss counts for the fault that struck the
    /// port, or else for the latest fault.
    pub fn count_discard(&mut self, port: u32, packet: &Packet, cause: DiscardCause) {
        let cost = Cost { packets: 1, bytes: u64::from(packet.wire_bytes), frames: 0, last: self.clock.now() };
        self.transit.discarded += 1;
        *self.fault.losses.discards.entry((port, cause)).or_default() += cost;
        self.record.recorder.discarded(self.clock.now(), port, packet);
        let struck = match cause {
            DiscardCause::LinkDown | DiscardCause::SwitchDown | DiscardCause::NicDown | DiscardCause::PauseGuard => {
                let port_slot = self.port_slot(port);
                Some(self.fault.ends[port_slot].fault).filter(|&fault| fault != NO_FAULT)
            }
            DiscardCause::NoRoute => self.fault.latest_fault,
            DiscardCause::UncorrectedFrame
            | DiscardCause::LossyClass
            | DiscardCause::AccessList
            | DiscardCause::VniMismatch => None,
        };
        if let Some(fault) = struck {
            *self.fault.losses.faults.entry(fault).or_default() += cost;
        }
    }

    /// Records that a frame was sent again over a link that `fault` struck last.
    pub fn count_replay(&mut self, fault: u32) {
        if fault != NO_FAULT {
            *self.fault.losses.faults.entry(fault).or_default() +=
                Cost { frames: 1, last: self.clock.now(), ..Cost::default() };
        }
    }
}
