//! Takes what other partitions sent, between two windows.

use philae_engine::EventKey;

use crate::model::event::Event;
use crate::model::packet::{Incoming, MessagePart, Packet, foreign_key};
use crate::partition::Partition;
use crate::sched::outbox::{PartitionMessage, PartitionTraffic};

impl Partition {
    /// Takes everything that another partition sent.
    pub fn receive_all(&mut self, sent: &mut PartitionTraffic) {
        for (packet, &(key, port)) in sent.packets.iter().zip(&sent.arrivals) {
            self.receive_packet(packet, key, port);
        }
        for (index, &(port, credit)) in sent.credits.iter().enumerate() {
            self.prefetch_credits(&sent.credits[index..]);
            self.push_credit(self.port_slot(port), credit);
        }
        for &(key, (flow, bytes, queue)) in &sent.acks {
            self.sched.calendar.push(key, Event::Ack { flow, bytes, queue });
        }
        sent.packets.clear();
        sent.arrivals.clear();
        sent.credits.clear();
        sent.acks.clear();
        sent.others.drain(..).for_each(|message| self.receive(message));
    }

    /// Takes a packet that arrives at input port `port`. Returns its slot.
    #[inline]
    fn receive_packet(&mut self, packet: &Packet, key: EventKey, port: u32) -> u32 {
        let slot = self.transit.packets.insert_in(self.sched.calendar.block_of_port(port), *packet);
        self.transit.links.cover(slot);
        let port_slot = self.port_slot(port) as u32;
        self.sched.calendar.push(key, Event::Arrive { packet: slot, port, port_slot });
        slot
    }

    /// Takes one message.
    fn receive(&mut self, message: PartitionMessage) {
        match message {
            PartitionMessage::Packet { key, port, packet, tag } => {
                let slot = self.receive_packet(&packet, key, port);
                if self.record.observer.on {
                    self.record.observer.put(slot, tag);
                }
            }
            PartitionMessage::TreePacket { key, port, packet, tag, load } => {
                let message = self.put_load(*load);
                let slot =
                    self.transit.packets.insert(Packet { part: MessagePart { message, ..packet.part }, ..packet });
                self.transit.links.cover(slot);
                if self.record.observer.on {
                    self.record.observer.put(slot, tag);
                }
                let port_slot = self.port_slot(port) as u32;
                self.sched.calendar.push(key, Event::Arrive { packet: slot, port, port_slot });
            }
            PartitionMessage::Event { key, event } => self.sched.calendar.push(key, event),
            PartitionMessage::Announce { source, destination, number, header } => {
                let block = self.sched.calendar.block_of_endpoint(destination);
                let incoming = self.nic.incoming.insert_in(block, Incoming::new(header, source, destination));
                self.nic.foreign.insert(foreign_key(source, number), incoming);
            }
            PartitionMessage::Run { key, rank, handle } => {
                let rank = self.shared.places.ranks[rank as usize].local;
                self.sched.calendar.push(key, Event::Run { rank, handle });
            }
            PartitionMessage::ResendRefused { key, header } => {
                let slot = self.host.withheld.insert(header);
                self.sched.calendar.push(key, Event::ResendRefused { slot });
            }
            PartitionMessage::Lost { key, rank, lost } => self.learns_of_loss(key, rank, lost),
        }
    }
}
