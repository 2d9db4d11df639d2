//! Posts what goes to other partitions.

use philae_engine::EventKey;
use philae_switch::port::CreditReturn;

use super::{LeavingPacket, PACKETS_AHEAD, PartitionMessage, PartitionTraffic};
use crate::model::collective::TreeLoad;
use crate::model::event::Event;
use crate::model::host::LostMessage;
use crate::model::packet::{Header, Packet, PacketPurpose};
use crate::model::shared::{RankEntry, switch_of};
use crate::observe::observer::Tag;
use crate::partition::Partition;

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

    fn outbox_of_end(&mut self, end: u32) -> &mut PartitionTraffic {
        let partition = self.shared.partition_of_end(end);
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
        let message = if packet.kind.purpose == PacketPurpose::Collective {
            let load = Box::new(self.take_load(packet.part.message));
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

    /// Adds an event that names no slot to the calendar of its partition.
    pub fn push_to(&mut self, partition: u16, key: EventKey, event: Event) {
        if partition == self.layout.number {
            self.sched.calendar.push(key, event);
        } else {
            self.sched.outbox.to(partition.into()).push(PartitionMessage::Event { key, event });
        }
    }

    /// Announces a message to its receiver in another partition.
    pub fn post_announcement(&mut self, (source, destination): (u32, u32), number: u32, header: Header) {
        self.outbox_of_endpoint(destination).push(PartitionMessage::Announce { source, destination, number, header });
    }

    /// Tells a rank, in any partition, that an operation has completed.
    pub fn push_run(&mut self, key: EventKey, rank: u32, handle: u32) {
        let RankEntry { partition, local, .. } = self.shared.places.ranks[rank as usize];
        if partition == self.layout.number {
            self.sched.calendar.push(key, Event::Run { rank: local, handle });
        } else {
            self.sched.outbox.to(partition.into()).push(PartitionMessage::Run { key, rank, handle });
        }
    }

    /// Tells a process, in any partition, that a message is lost for good.
    pub fn push_loss(&mut self, key: EventKey, rank: u32, lost: LostMessage) {
        let partition = self.shared.places.ranks[rank as usize].partition;
        if partition == self.layout.number {
            self.learns_of_loss(key, rank, lost);
        } else {
            self.sched.outbox.to(partition.into()).push(PartitionMessage::Lost { key, rank, lost });
        }
    }

    /// Posts a refused message to its sender in another partition.
    pub fn post_refused(&mut self, partition: u16, key: EventKey, header: Header) {
        self.sched.outbox.to(partition.into()).push(PartitionMessage::ResendRefused { key, header });
    }

    /// Posts a frame that arrives at `port` of another partition, with what it carries.
    pub fn post_frame(
        &mut self,
        (key, port): (EventKey, u32),
        packet: Packet,
        tag: Option<Box<Tag>>,
        load: Option<Box<TreeLoad>>,
    ) {
        self.outbox_of_end(port).push(match load {
            Some(load) => PartitionMessage::TreePacket { key, port, packet, tag, load },
            None => PartitionMessage::Packet { key, port, packet, tag },
        });
    }
}
