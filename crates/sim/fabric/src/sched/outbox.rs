//! What a partition sends to others. Everything that is sent for every hop or packet has a list of
//! its own: a message has room for a packet, which a credit does not need. Each kind has a
//! function that is not inlined, so that the code of every hop stays small.

mod posting;

use philae_engine::EventKey;
use philae_switch::port::CreditReturn;

use crate::model::collective::TreeLoad;
use crate::model::event::Event;
use crate::model::host::LostMessage;
use crate::model::packet::{Header, Packet};
use crate::observe::observer::Tag;

/// A packet is prefetched while this many others are posted before it. Source: ours.
/// Status: assumed.
const PACKETS_AHEAD: usize = 8;

/// What travels between partitions, with the time at which it happens there. What every hop sends
/// is not here: see [`PartitionTraffic`].
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub enum PartitionMessage {
    /// An event that names no slot.
    Event { key: EventKey, event: Event },
    /// A packet arrives at an input port, with its tag.
    Packet { key: EventKey, port: u32, packet: Packet, tag: Option<Box<Tag>> },
    /// A packet of a collective tree, with its tag and its contents.
    TreePacket { key: EventKey, port: u32, packet: Packet, tag: Option<Box<Tag>>, load: Box<TreeLoad> },
    /// A message is on its way. Its receiver's record is made before its first packet can arrive.
    Announce { source: u32, destination: u32, number: u32, header: Header },
    /// A completion for a rank.
    Run { key: EventKey, rank: u32, handle: u32 },
    /// A message for which its receiver had no list entry: it is sent again.
    ResendRefused { key: EventKey, header: Header },
    /// A message is lost for good: news for a rank, counted over all jobs.
    Lost { key: EventKey, rank: u32, lost: LostMessage },
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unused_outbox_says_so() {
        let mut outbox = Outbox::new(3);
        assert!(!outbox.was_used());
        outbox.to(2).push(PartitionMessage::Event { key: EventKey::default(), event: Event::PeerDown { end: 7 } });
        assert!(outbox.was_used());
        assert!(!outbox.was_used(), "until something is sent again");
        assert!(!outbox.of(2).is_empty() && outbox.of(0).is_empty(), "asking takes nothing");
    }
}
