//! Deferrable sends: a long message goes at once, and a target without a receive for it defers it.
//!
//! The target decides at the first packet that arrives. Without a receive that fits, it tells the
//! source, drops what comes of the message, and keeps a request in its list of unexpected messages.
//! The source stops. When a receive is posted, the target asks the source to restart, and all of
//! the message is sent again, into the receive. So a target needs no buffer for it, and a message
//! whose receive is posted in time needs no request. The sender's operation ends when all has been
//! acknowledged.
//!
//! If another message takes the receive in the meantime, the data are kept, as those of an eager
//! message. Where software matches, or NICs have few list entries, or ranks are processes, long
//! messages are rendezvous.
//!
//! Source: UE overview (arXiv 2508.08906) and the opcodes of uet-ref-prov. Status: published; that
//! the first packet decides, and that all is sent again, is assumed.

use philae_nic_model::UetLongSend;
use philae_units::Bytes;

use crate::model::packet::{Packet, PacketPurpose, foreign_key};
use crate::model::response::ResponseContent;
use crate::partition::Partition;

impl Partition {
    /// Whether a long message of `bytes` from a rank (by its index in the partition) is a
    /// deferrable send. The last packet of one does not decide.
    pub fn uet_defers(&self, local: u32, bytes: u64) -> bool {
        let endpoint = self.endpoint_of(local);
        self.is_uet(endpoint)
            && bytes > u64::from(self.shared.nic(endpoint).payload_max_bytes)
            && self.shared.config.laws.uet.long_send == UetLongSend::Deferrable
            && self.host.entries.is_empty()
            && !self.host.ranks[local as usize].is_process()
    }

    /// A packet of a deferrable message has arrived: whether it ends here, because its message is
    /// deferred.
    #[cold]
    #[inline(never)]
    pub fn uet_drops(&mut self, slot: u32) -> bool {
        let packet = self.transit.packets[slot];
        let drops = match self.nic.foreign.find(foreign_key(packet.source, packet.part.message)) {
            Some(record) => self.nic.incoming[record].packets == 0 && self.uet_defer(&packet, record),
            None => {
                // The source may not know it yet.
                if packet.part.uet.is_last {
                    self.uet_tell_deferred(&packet);
                }
                true
            }
        };
        if drops {
            if self.is_observed() {
                self.record.observer.take(slot);
            }
            self.transit.packets.remove(slot);
        }
        drops
    }

    /// The first packet of a deferrable message has arrived, as `record`: whether the message is
    /// deferred.
    fn uet_defer(&mut self, packet: &Packet, record: u32) -> bool {
        let header = self.nic.incoming[record].header;
        let local = self.shared.places.ranks[header.destination_rank as usize].local;
        let rank = &mut self.host.ranks[local as usize];
        let (posted, _) = rank.lists.would_land(&mut self.host.match_pools, header.tag.into(), header.source_rank);
        if posted.is_some() {
            return false;
        }
        self.nic.foreign.remove(foreign_key(packet.source, packet.part.message));
        self.nic.reliable.forget(record);
        let message = &mut self.nic.incoming[record];
        (message.header.purpose, message.header.bytes) = (PacketPurpose::RendezvousRequest, 0);
        let accepted = u64::from(self.shared.nic(packet.destination).accept_ns) * 1_000;
        self.complete_at(record, self.clock.now() + accepted);
        self.uet_tell_deferred(packet);
        true
    }

    /// Tells the source of a packet that its message is deferred.
    pub fn uet_tell_deferred(&mut self, packet: &Packet) {
        let (class, number, message) = (packet.kind.sent_class, packet.part.number, packet.part.message);
        let ends = (packet.destination, packet.source, class);
        self.uet_tell(ends, packet.part.job, ResponseContent::Deferred { message, number, class });
    }

    /// The target has deferred a message, of which packet `number` has arrived.
    pub fn uet_deferred(&mut self, endpoint: u32, peer: u32, class: u8, (message, number): (u32, u32)) {
        let unsent = self.uet_unsent_bytes(endpoint, message);
        let Some(uet) = &mut self.nic.uet else { return };
        // Unless it is known already.
        if uet.kept.find(foreign_key(endpoint, message)).is_some() {
            uet.kept.remove(foreign_key(endpoint, message));
            if let (Some(slot), Some(unsent)) = (uet.senders.find(endpoint, peer, class), unsent) {
                let sender = &mut uet.senders.flows[slot];
                sender.waiting = sender.waiting.saturating_sub(unsent);
            }
            self.stop_sending(endpoint, message);
            if let Some(explainer) = &mut self.record.observer.explainer {
                explainer.stopped(endpoint, message);
            }
        }
        self.uet_received(endpoint, peer, class, (number, 1, false), 0);
    }

    /// Bytes on the wire of what has not left of a message, if its NIC still sends it.
    pub fn uet_unsent_bytes(&self, endpoint: u32, number: u32) -> Option<u64> {
        let of_message = |slot: &&u32| self.nic.outgoing[**slot].number == number;
        let &message = self.nic.nics[self.nic_slot(endpoint)].active.iter().find(of_message)?;
        let sending = &self.nic.outgoing[message];
        let form = self.shared.form(sending.source, sending.destination);
        let mut rest = sending.header;
        let all = philae_nic_model::packet_count(form, Bytes(rest.bytes));
        rest.bytes -= sending.sent;
        Some(if u64::from(sending.packets) < all { self.shared.uet_message_bytes(form, &rest) } else { 0 })
    }
}
