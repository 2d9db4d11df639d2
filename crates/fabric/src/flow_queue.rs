//! Flow queues inside the fabric: packets for one endpoint take no more than their share of a link, and wait aside.
//!
//! Rosetta has a queue for each flow at every port and credits per flow between switches, so that a burst to one
//! endpoint backs up towards its sources while everything else passes. The model keeps one account for all flows to an
//! endpoint over a channel of a link (queued for it, on it, and in the buffer beyond) and, once the share is used up, a queue in
//! which further packets of that endpoint wait. They stay in the input buffer that they are in; they block nobody.

use philae_rosetta::{NO_PACKET, PacketLinks};

use crate::partition::Partition;
use crate::places::Entry;
use crate::shares::{Aside, AsideKey, EndpointShare, ShareKey};
use philae_units::PortIndex;

impl Partition {
    /// The table and the key of an endpoint's share of a channel of the link beyond a port, which is given by column index.
    #[inline]
    pub fn share_of(&self, at: usize, destination: u32, channel: u8) -> (usize, ShareKey) {
        let port = self.shared.topology().port_of(PortIndex(at as u32));
        (self.switch_at(at), ShareKey::new(port.0, channel, destination))
    }

    /// Asks for the memory of a share before it is needed.
    #[inline]
    pub fn prefetch_share(&self, at: usize, destination: u32, channel: u8) {
        if self.share_bytes > 0 {
            let (switch, key) = self.share_of(at, destination, channel);
            self.shares[switch].prefetch(key);
        }
    }

    /// Takes a packet's part of its endpoint's share of the link beyond `port`. False: the packet waits aside.
    pub fn share_taken(&mut self, packet: u32, port: u32) -> bool {
        if self.share_bytes == 0 {
            return true;
        }
        let at = self.at(port);
        let found = &self.packets[packet];
        let (of, size) = (self.share_of(at, found.destination, found.channel), u32::from(found.wire_bytes));
        if self.share_has_room(of, size) || (self.collect_credits(at) && self.share_has_room(of, size)) {
            return true;
        }
        self.wait_aside(of, packet);
        self.outputs[at].waiting_packets += 1;
        self.outputs[at].is_special = true;
        if self.is_observed() {
            self.explain_aside(packet, port);
        }
        if let Some(arrives) = self.outputs[at].credits.next_arrival() {
            self.wake(port, arrives);
        }
        false
    }

    /// Takes part of a share, as far as the credits that have been applied leave any and nobody waits for it.
    #[inline(always)]
    fn share_has_room(&mut self, (switch, key): (usize, ShareKey), size: u32) -> bool {
        let table = &mut self.shares[switch];
        let place = table.place_of(key);
        let share = &mut table[place];
        if !share.is_held() {
            table.insert(place, EndpointShare::new(key, size));
            return true;
        }
        let fits = !share.has_waiting() && share.used_bytes() + size <= self.share_bytes;
        if fits {
            share.take(size);
        }
        fits
    }

    /// Puts a packet behind those that wait for a share.
    #[inline(never)]
    fn wait_aside(&mut self, (switch, key): (usize, ShareKey), packet: u32) {
        self.links.set_next(packet, NO_PACKET);
        let table = &mut self.shares[switch];
        let place = table.place_of(key);
        let (has_waiting, aside) = (table[place].has_waiting(), AsideKey::new(switch, key));
        table[place].set_waiting(true);
        let place = self.aside.place_of(aside);
        if has_waiting {
            self.links.set_next(self.aside[place].tail, packet);
            self.aside[place].tail = packet;
        } else {
            self.aside.insert(place, Aside::new(aside, packet));
        }
    }

    /// Takes all packets that wait for a share of the link beyond `port` out of their queues.
    pub fn take_waiting(&mut self, port: u32) -> Vec<u32> {
        let mut taken = Vec::new();
        let at = self.at(port);
        if self.share_bytes == 0 || self.outputs[at].waiting_packets == 0 {
            return taken;
        }
        let (switch, of_port) = (self.switch_at(at), self.shared.topology().port_of(PortIndex(at as u32)).0);
        // By key: the order of the table depends on what was in it before.
        let mut waiting: Vec<&mut EndpointShare> = self.shares[switch]
            .used_mut()
            .filter(|share| share.key().port() == of_port && share.has_waiting())
            .collect();
        waiting.sort_unstable_by_key(|share| share.key());
        for share in waiting {
            share.set_waiting(false);
            let place = self.aside.place_of(AsideKey::new(switch, share.key()));
            let mut packet = self.aside[place].head;
            self.aside.remove(place);
            while packet != NO_PACKET {
                taken.push(packet);
                packet = self.links.next(packet);
            }
        }
        self.outputs[at].waiting_packets = 0;
        self.outputs[at].judge();
        taken
    }

    /// A credit for a packet of `destination` is back: its share is free, and packets that waited for it go on.
    #[inline]
    pub fn share_returned(&mut self, at: usize, destination: u32, channel: u8, bytes: u32) {
        if self.share_bytes == 0 {
            return;
        }
        let (switch, key) = self.share_of(at, destination, channel);
        let table = &mut self.shares[switch];
        let place = table.place_of(key);
        let share = &mut table[place];
        assert!(share.is_held(), "a credit comes back to a share that was taken");
        share.give_back(bytes);
        if share.has_waiting() {
            self.let_waiting_go(at, switch, key);
        } else if share.used_bytes() == 0 {
            table.remove(place);
        }
    }

    /// Queues the packets that wait for a share, as far as it has room.
    #[inline(never)]
    fn let_waiting_go(&mut self, at: usize, switch: usize, key: ShareKey) {
        let (port, aside) = (self.port_base + at as u32, AsideKey::new(switch, key));
        let waiting = self.aside.place_of(aside);
        loop {
            let packet = self.aside[waiting].head;
            let place = self.shares[switch].place_of(key);
            let share = &mut self.shares[switch][place];
            let size = u32::from(self.packets[packet].wire_bytes);
            // A packet larger than the share goes alone.
            if share.used_bytes() != 0 && share.used_bytes() + size > self.share_bytes {
                return;
            }
            share.take(size);
            let next = self.links.next(packet);
            if next == NO_PACKET {
                share.set_waiting(false);
                self.aside.remove(waiting);
            } else {
                self.aside[waiting].head = next;
            }
            self.outputs[at].waiting_packets -= 1;
            self.outputs[at].judge();
            if self.is_observed() {
                self.explain_shared(packet, port);
            }
            self.queue(packet, port);
            if next == NO_PACKET {
                return;
            }
        }
    }
}
