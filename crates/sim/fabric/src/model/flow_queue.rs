//! Flow queues inside the fabric: packets for one endpoint take at most their share of a link, and
//! the rest wait aside.
//!
//! Rosetta has a queue for each flow at every port and credits per flow between switches. So a
//! burst to one endpoint backs up towards its sources while everything else passes.
//!
//! The model keeps one account for all flows to an endpoint over a channel of a link, or with
//! `flow_share_bytes` one for each flow: bytes queued for it, on it, and in the buffer beyond. Once
//! the share is used up, further packets of that endpoint wait in a queue of their own. They stay
//! in their input buffer and block no other packet.

use philae_switch::port::{NO_PACKET, PacketLinks};

use crate::model::fair_queues::flow_hash;
use crate::model::packet::{Packet, PacketPurpose};
use crate::model::shares::{ENDPOINT_BITS, ShareKey, ShareQueue, ShareQueueKey};
use crate::partition::Partition;

/// The number that stands for a packet's flow. Packets of collective trees go by their endpoint,
/// because switches make them. Flows with one number share their part of a link: of 2,048 flows
/// there, one pair in thirty runs.
#[inline(never)]
fn share_of_flow(packet: &Packet) -> u32 {
    if packet.kind.purpose == PacketPurpose::Collective {
        return packet.destination;
    }
    ((flow_hash(packet) >> (u64::BITS - ENDPOINT_BITS)) as u32).min((1 << ENDPOINT_BITS) - 2)
}

impl Partition {
    /// Whose share of links a packet takes: its endpoint's, or that of a number which stands for
    /// its flow.
    #[inline]
    pub fn share_holder(&self, packet: &Packet) -> u32 {
        if self.transit.shares_by_flow { share_of_flow(packet) } else { packet.destination }
    }

    /// Takes a packet's part of its endpoint's share of the link beyond `port`. Returns false if
    /// the packet has to wait aside.
    pub fn share_taken(&mut self, packet: u32, (port_slot, port): (usize, u32), now: u64) -> bool {
        if self.transit.share_bytes == 0 {
            return true;
        }
        let packet_state = &self.transit.packets[packet];
        let (key, size) = (
            ShareKey::new(packet_state.place.channel, self.share_holder(packet_state)),
            u32::from(packet_state.wire_bytes),
        );
        if self.transit.shares.take(port_slot, key, size, self.transit.share_bytes)
            || (self.collect_credits(port_slot, now)
                && self.transit.shares.take(port_slot, key, size, self.transit.share_bytes))
        {
            return true;
        }
        self.wait_for_share((port_slot, key), packet);
        self.switch.outputs[port_slot].add_waiting();
        if self.is_observed() {
            self.explain_wait_for_share(packet, port);
        }
        if let Some(arrives) = self.switch.outputs[port_slot].credits().next_arrival() {
            self.wake((port_slot, port), arrives);
        }
        false
    }

    /// Puts a packet behind those that wait for a share.
    #[inline(never)]
    fn wait_for_share(&mut self, (port_slot, key): (usize, ShareKey), packet: u32) {
        self.transit.links.set_next(packet, NO_PACKET);
        let share = self.transit.shares.held_mut(port_slot, key);
        let (has_waiting, queue) = (share.has_waiting(), ShareQueueKey::new(port_slot, key));
        share.set_waiting(true);
        let position = self.transit.share_queues.position_of(queue);
        if has_waiting {
            self.transit.links.set_next(self.transit.share_queues[position].tail, packet);
            self.transit.share_queues[position].tail = packet;
        } else {
            self.transit.share_queues.insert(position, ShareQueue::new(queue, packet));
        }
    }

    /// Takes all packets that wait for a share of the link beyond `port` out of their queues.
    pub fn take_waiting(&mut self, port: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        let port_slot = self.port_slot(port);
        if self.transit.share_bytes == 0 || self.switch.outputs[port_slot].waiting_packets() == 0 {
            return taken;
        }
        // Sorted by key, because their order in the rows depends on the past.
        let mut waiting: Vec<_> =
            self.transit.shares.of_output_mut(port_slot).filter(|(_, share)| share.has_waiting()).collect();
        waiting.sort_unstable_by_key(|(key, _)| *key);
        for (key, share) in waiting {
            share.set_waiting(false);
            let position = self.transit.share_queues.position_of(ShareQueueKey::new(port_slot, key));
            let mut packet = self.transit.share_queues[position].head;
            self.transit.share_queues.remove(position);
            while packet != NO_PACKET {
                taken.push(packet);
                packet = self.transit.links.next(packet);
            }
        }
        self.switch.outputs[port_slot].clear_waiting();
        taken
    }

    /// A credit for a packet of `destination` has returned: its share is free, and packets that
    /// waited for it continue.
    #[inline]
    pub fn share_returned(&mut self, port_slot: usize, holder: u32, channel: u8, bytes: u32, now: u64) {
        if self.transit.share_bytes == 0 {
            return;
        }
        let key = ShareKey::new(channel, holder);
        if self.transit.shares.give_back(port_slot, key, bytes) {
            self.release_waiting(port_slot, key, now);
        }
    }

    /// Queues the packets that wait for a share, as far as it has room.
    #[inline(never)]
    fn release_waiting(&mut self, port_slot: usize, key: ShareKey, now: u64) {
        let (port, queue) = (self.port_in(port_slot), ShareQueueKey::new(port_slot, key));
        let waiting = self.transit.share_queues.position_of(queue);
        loop {
            let packet = self.transit.share_queues[waiting].head;
            let share = self.transit.shares.held_mut(port_slot, key);
            let size = u32::from(self.transit.packets[packet].wire_bytes);
            // A packet larger than the share goes alone.
            if share.used_bytes() != 0 && share.used_bytes() + size > self.transit.share_bytes {
                return;
            }
            share.take(size);
            let next = self.transit.links.next(packet);
            if next == NO_PACKET {
                share.set_waiting(false);
                self.transit.share_queues.remove(waiting);
            } else {
                self.transit.share_queues[waiting].head = next;
            }
            self.switch.outputs[port_slot].remove_waiting();
            if self.is_observed() {
                self.explain_shared(packet, port);
            }
            self.queue(packet, (port_slot, port), now);
            if next == NO_PACKET {
                return;
            }
        }
    }
}
