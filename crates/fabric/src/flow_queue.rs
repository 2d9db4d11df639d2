//! Flow queues inside the fabric: packets for one endpoint take no more than their share of a link, and wait aside.
//!
//! Rosetta has a queue for each flow at every port and credits per flow between switches, so that a burst to one
//! endpoint backs up towards its sources while everything else passes. The model keeps one account for all flows to an
//! endpoint over a channel of a link (queued for it, on it, and in the buffer beyond) and, once the share is used up, a queue in
//! which further packets of that endpoint wait. They stay in the input buffer that they are in; they block nobody.

use philae_rosetta::{NO_PACKET, PacketLinks};

use crate::partition::Partition;
use crate::slab::NONE;

/// What one endpoint's packets hold of one link.
#[derive(Clone, Copy, Debug)]
pub struct EndpointShare {
    /// The port that the link leaves from.
    pub port: u32,
    /// Bytes queued for the link, on it, and in the buffer beyond until their credit is back.
    pub used_bytes: u32,
    /// First packet that waits for its share.
    head: u32,
    /// Last.
    tail: u32,
}

/// A channel never waits for another's share: routes stay free of deadlock by the order of channels.
#[inline]
fn key_of(port: u32, destination: u32, channel: u8) -> u64 {
    (u64::from(port) << 32) | (u64::from(channel) << 24) | u64::from(destination)
}

impl Partition {
    /// Takes a packet's part of its endpoint's share of the link beyond `port`. False: the packet waits aside.
    pub fn share_taken(&mut self, packet: u32, port: u32) -> bool {
        if self.share_bytes == 0 {
            return true;
        }
        let found = &self.packets[packet];
        let (key, size) = (key_of(port, found.destination, found.channel), u32::from(found.wire_bytes));
        let Some(slot) = self.shares.find(key) else {
            self.shares.insert(key, EndpointShare { port, used_bytes: size, head: NONE, tail: NONE });
            return true;
        };
        let share = &mut self.shares[slot];
        if share.head == NONE && share.used_bytes + size <= self.share_bytes {
            share.used_bytes += size;
            return true;
        }
        if share.head == NONE {
            share.head = packet;
        } else {
            self.links.set_next(share.tail, packet);
        }
        share.tail = packet;
        self.links.set_next(packet, NO_PACKET);
        let at = self.at(port);
        self.outputs[at].waiting_packets += 1;
        if let Some(arrives) = self.outputs[at].credits.next_arrival() {
            self.wake(port, arrives);
        }
        false
    }

    /// A credit for a packet of `destination` is back: its share is free, and packets that waited for it go on.
    pub fn share_returned(&mut self, port: u32, destination: u32, channel: u8, bytes: u32) {
        if self.share_bytes == 0 {
            return;
        }
        let key = key_of(port, destination, channel);
        let slot = self.shares.find(key).expect("a credit comes back to a share that was taken");
        let share = &mut self.shares[slot];
        share.used_bytes -= bytes;
        while self.shares[slot].head != NONE {
            let packet = self.shares[slot].head;
            let size = u32::from(self.packets[packet].wire_bytes);
            let share = &mut self.shares[slot];
            // A packet larger than the share goes alone.
            if share.used_bytes != 0 && share.used_bytes + size > self.share_bytes {
                return;
            }
            share.used_bytes += size;
            let next = self.links.next(packet);
            share.head = if next == NO_PACKET { NONE } else { next };
            let at = self.at(port);
            self.outputs[at].waiting_packets -= 1;
            self.queue(packet, port);
        }
        if self.shares[slot].used_bytes == 0 {
            self.shares.remove(key);
        }
    }
}
