//! Credits of receivers: who wants them, whose turn it is, and when the next one goes.

use philae_units::Bytes;

use super::CREDIT_UNIT_BYTES;
use crate::model::response::ResponseContent;
use crate::partition::Partition;

/// Stands for a receiver's credits among its timers.
pub const CREDITS: u32 = u32::MAX;

impl Partition {
    /// A sender wants credit up to so many units.
    pub fn uet_wants(&mut self, slot: u32, units: u32) {
        let Some(uet) = &mut self.nic.uet else { return };
        let receiver = &mut uet.receivers.flows[slot];
        receiver.wanted = receiver.wanted.max(units);
        let wants = u64::from(receiver.wanted) * CREDIT_UNIT_BYTES > receiver.credited;
        if receiver.in_turn || !wants || self.shared.config.congestion.credit_packets().is_none() {
            return;
        }
        receiver.in_turn = true;
        let endpoint = receiver.destination;
        let nic = &mut uet.nics[(endpoint - self.layout.endpoint_base) as usize];
        nic.turns.push_back(slot);
        if nic.turns.len() == 1 {
            nic.timers.insert((self.clock.now().max(nic.credits_from), CREDITS));
            self.uet_schedule(endpoint);
        }
    }

    /// Gives credit to the sender whose turn it is. The next one gets its own when the link has
    /// taken what this one may send.
    pub fn uet_give_credit(&mut self, endpoint: u32) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let Some(packets) = self.shared.config.congestion.credit_packets() else { return };
        let most = u64::from(packets) * u64::from(self.shared.uet_packet_bytes(endpoint));
        let rate = self.nic.nics[nic_slot].wire().rate();
        let Some(uet) = &mut self.nic.uet else { return };
        let nic = &mut uet.nics[nic_slot];
        let Some(slot) = nic.turns.pop_front() else { return };
        let receiver = &mut uet.receivers.flows[slot];
        // No more than it wants: the link would wait for packets that do not exist.
        let wants = (u64::from(receiver.wanted) * CREDIT_UNIT_BYTES).saturating_sub(receiver.credited);
        let bytes = most.min(wants);
        let takes = rate.serialization(Bytes(bytes)).0;
        receiver.credited += bytes;
        receiver.in_turn = u64::from(receiver.wanted) * CREDIT_UNIT_BYTES > receiver.credited;
        if receiver.in_turn {
            nic.turns.push_back(slot);
        }
        nic.credits_from = now + takes;
        if !nic.turns.is_empty() {
            nic.timers.insert((nic.credits_from, CREDITS));
        }
        let units = u32::try_from(receiver.credited / CREDIT_UNIT_BYTES).unwrap_or(u32::MAX);
        let (to, class, job) = (receiver.source, receiver.class, receiver.job);
        self.uet_tell((endpoint, to, class), job, ResponseContent::Credit { units, class });
    }

    /// A sender has credit up to so many units.
    pub fn uet_credited(&mut self, endpoint: u32, peer: u32, class: u8, units: u32) {
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(slot) = uet.senders.find(endpoint, peer, class) else { return };
        let sender = &mut uet.senders.flows[slot];
        sender.unheard = 0;
        if let Some(credit) = &mut sender.credit {
            credit.credited(u64::from(units) * CREDIT_UNIT_BYTES);
        }
        self.wake_end(self.nic_end(endpoint));
    }

    /// A sender without credit has asked for some.
    pub fn uet_asked(&mut self, endpoint: u32, peer: u32, class: u8, units: u32) {
        let slot = self.uet_receiver(peer, endpoint, class);
        self.uet_wants(slot, units);
    }
}
