//! Trims a packet: of one that finds its queue full, the header goes on.
//!
//! What is left goes in the class of the packet's responses, ahead of the queue that was full, so
//! that its receiver can ask for the packet long before a timer of its sender would run out.
//!
//! Source: UE overview (arXiv 2508.08906), uet-htsim. Status: published.

use philae_results::counter::CounterName;
use philae_units::ClassId;

use crate::memory::slab::NO_INDEX;
use crate::model::ingress::LOST;
use crate::model::packet::PacketPurpose;
use crate::partition::Partition;

impl Partition {
    /// Whether a packet can be trimmed: its class is, it carries a part of a message, and it is
    /// longer than what would be left.
    pub fn trims(&self, packet: u32) -> bool {
        let packet = &self.transit.packets[packet];
        self.shared.classes.rules[usize::from(packet.kind.class)].trims
            && !matches!(packet.kind.purpose, PacketPurpose::Response | PacketPurpose::Collective)
            && !packet.part.uet.trimmed
            && packet.wire_bytes > self.shared.trimmed_bytes()
    }

    /// Trims a packet that is in an input buffer of a switch and in no queue, at `port`.
    #[cold]
    #[inline(never)]
    pub fn trim(&mut self, packet: u32, port: u32) {
        let (now, left) = (self.clock.now(), self.shared.trimmed_bytes());
        let whole = self.transit.packets[packet];
        if let Some(receipt) = whole.receipt() {
            self.acknowledge(receipt, LOST, now);
        }
        // Its place in the buffer is free once its last bit is in.
        let held = (whole.place.port, whole.place.input_channel, whole.kind.sent_class);
        let freed = (self.share_holder(&whole), whole.wire_bytes - left);
        self.free_input(held, freed, whole.tail.max(now), now);
        let class = self.class_of_responses(ClassId(whole.kind.class)).0;
        let leg = whole.place.channel % self.shared.classes.plan.legs;
        let channel = self.shared.classes.plan.channel(class, leg);
        let trimmed = &mut self.transit.packets[packet];
        (trimmed.wire_bytes, trimmed.payload_bytes, trimmed.ingress.flow) = (left, 0, NO_INDEX);
        trimmed.tail = whole.tail.min(now);
        (trimmed.kind.class, trimmed.place.channel, trimmed.part.uet.trimmed) = (class, channel, true);
        self.record.recorder.counters.add(port, CounterName::Trimmed, 1);
    }
}
