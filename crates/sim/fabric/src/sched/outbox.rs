//! What a partition sends to others. Everything that is sent for every hop or packet has a list of
//! its own: a message has room for a packet, which a credit does not need. Each kind has a
//! function that is not inlined, so that the code of every hop stays small.

use philae_engine::EventKey;
use philae_switch::port::CreditReturn;

use crate::model::event::PartitionMessage;
use crate::model::packet::{Packet, PacketPurpose};
use crate::model::partition::{Partition, switch_of};

/// A packet is prefetched while this many others are posted before it. Source: ours.
/// Status: assumed.
const PACKETS_AHEAD: usize = 8;

/// What a partition sends to one other in a window.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct PartitionTraffic {
    /// Packets, by themselves: they fill whole cache lines.
    pub packets: Vec<Packet>,
    /// When each packet arrives, and at which input port.
    pub arrivals: Vec<(EventKey, u32)>,
    /// Output ports, and credits on their way to them.
    pub credits: Vec<(u32, CreditReturn)>,
    /// Acknowledgements on their way to ingress ports: flow, bytes, and the depth of the egress
    /// queue.
    pub acks: Vec<(EventKey, (u32, u32, u32))>,
    /// What is sent less often, or carries more.
    pub others: Vec<PartitionMessage>,
}

impl PartitionTraffic {
    /// Adds a message.
    pub fn push(&mut self, message: PartitionMessage) {
        self.others.push(message);
    }

    pub const fn is_empty(&self) -> bool {
        self.packets.is_empty() && self.credits.is_empty() && self.acks.is_empty() && self.others.is_empty()
    }
}

/// What a partition sends in a window, by destination partition.
#[derive(Debug)]
pub struct Outbox {
    boxes: Vec<PartitionTraffic>,
    /// Whether anything was sent since the last call of `was_used`. In a nearly idle run most
    /// partitions send nothing in a window.
    is_used: bool,
}

impl Outbox {
    /// An empty outbox for `partitions` partitions.
    pub fn new(partitions: usize) -> Self {
        Self { boxes: (0..partitions).map(|_| PartitionTraffic::default()).collect(), is_used: false }
    }

    /// Number of partitions.
    pub const fn len(&self) -> usize {
        self.boxes.len()
    }

    /// The box for a partition, to put something into it.
    pub fn to(&mut self, partition: usize) -> &mut PartitionTraffic {
        self.is_used = true;
        &mut self.boxes[partition]
    }

    /// Whether anything was sent since the last call of this function.
    pub const fn was_used(&mut self) -> bool {
        std::mem::replace(&mut self.is_used, false)
    }

    /// The box for a partition, to empty it.
    pub fn of(&mut self, partition: usize) -> &mut PartitionTraffic {
        &mut self.boxes[partition]
    }
}

/// A packet that leaves for another partition.
#[derive(Clone, Copy, Debug)]
pub struct LeavingPacket {
    key: EventKey,
    /// The input port at which it will arrive.
    port: u32,
    slot: u32,
}

impl Partition {
    /// The partition of a port, in any process.
    fn partition_of_port(&self, port: u32) -> usize {
        usize::from(self.shared.places.partition_of_switch[switch_of(&self.shared, port).index()])
    }

    fn outbox_of_port(&mut self, port: u32) -> &mut PartitionTraffic {
        let partition = self.partition_of_port(port);
        self.sched.outbox.to(partition)
    }

    fn outbox_of_endpoint(&mut self, endpoint: u32) -> &mut PartitionTraffic {
        let partition = self.shared.partition_of_endpoint(endpoint);
        self.sched.outbox.to(usize::from(partition))
    }

    /// A packet leaves for input port `port` of another partition. It is posted when the block's
    /// turn ends, because its parts have just been written and half of it may not be in the cache.
    #[inline]
    pub fn leave(&mut self, key: EventKey, port: u32, slot: u32) {
        self.sched.leaving.push(LeavingPacket { key, port, slot });
    }

    /// Posts the packets that have left the active block.
    #[inline(never)]
    pub fn post_leaving(&mut self) {
        let mut leaving = std::mem::take(&mut self.sched.leaving);
        for index in 0..leaving.len() {
            if let Some(ahead) = leaving.get(index + PACKETS_AHEAD) {
                self.transit.packets.prefetch(ahead.slot);
            }
            self.post_packet(leaving[index]);
        }
        leaving.clear();
        self.sched.leaving = leaving;
    }

    /// Posts a packet to another partition.
    fn post_packet(&mut self, LeavingPacket { key, port, slot }: LeavingPacket) {
        if self.layout.has_features {
            return self.post_packet_with_more(LeavingPacket { key, port, slot });
        }
        let partition = self.partition_of_port(port);
        let sent = self.sched.outbox.to(partition);
        sent.packets.push(self.transit.packets[slot]);
        sent.arrivals.push((key, port));
        self.transit.packets.remove(slot);
    }

    /// The same where packets may carry a tag or a tree's data.
    #[inline(never)]
    fn post_packet_with_more(&mut self, LeavingPacket { key, port, slot }: LeavingPacket) {
        let packet = self.transit.packets[slot];
        self.transit.packets.remove(slot);
        let tag = if self.is_observed() { self.record.observer.take(slot) } else { None };
        let message = if packet.purpose == PacketPurpose::Collective {
            let load = Box::new(self.take_load(packet.message));
            PartitionMessage::TreePacket { key, port, packet, tag, load }
        } else {
            PartitionMessage::Packet { key, port, packet, tag }
        };
        self.outbox_of_port(port).push(message);
    }

    /// Posts a credit to output `port` of another partition.
    #[inline(never)]
    pub fn post_credit(&mut self, port: u32, credit: CreditReturn) {
        self.outbox_of_port(port).credits.push((port, credit));
    }

    /// Tells the ingress of a flow of `source` in another partition that bytes have left the
    /// fabric.
    #[inline(never)]
    pub fn post_ack(&mut self, key: EventKey, source: u32, ack: (u32, u32, u32)) {
        self.outbox_of_endpoint(source).acks.push((key, ack));
    }

    /// Sends a congestion notice to the ingress, or the NIC, of a flow in another partition.
    #[inline(never)]
    pub fn post_notice(&mut self, key: EventKey, (source, destination, class): (u32, u32, u8), queue: u32) {
        self.outbox_of_endpoint(source).push(PartitionMessage::Notice { key, source, destination, queue, class });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unused_outbox_says_so() {
        let mut outbox = Outbox::new(3);
        assert!(!outbox.was_used());
        outbox.to(2).push(PartitionMessage::PeerDown { key: EventKey::default(), end: 7 });
        assert!(outbox.was_used());
        assert!(!outbox.was_used(), "until something is sent again");
        assert!(!outbox.of(2).is_empty() && outbox.of(0).is_empty(), "asking takes nothing");
    }
}
