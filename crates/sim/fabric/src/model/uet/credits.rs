//! Credits of receivers: who wants them, whose turn it is, and when the next one goes.

use philae_units::Bytes;

use super::CREDIT_UNIT_BYTES;
use crate::model::response::ResponseContent;
use crate::partition::Partition;

/// Stands for a receiver's credits among its timers.
pub const CREDITS: u32 = u32::MAX;

/// How full the buffer of a target's NIC is, in thousandths of what makes it pause its switch port,
/// before senders are slowed. Source: ours. Status: assumed.
const FULL: u64 = 500;

impl Partition {
    /// By how many of 128 parts the sender of a context is to shrink its window. It grows with each
    /// acknowledgement while the buffer of the target's NIC is more than half full, and falls
    /// slowly while it is not: a buffer that has just drained says nothing about the next burst.
    pub fn uet_penalty(&mut self, slot: u32) -> u8 {
        /// The most that acknowledgements have room for. Source: uet-ref-prov (7 bits). Status:
        /// published.
        const MOST: u8 = 127;
        /// How fast it grows and falls. Source: ours. Status: assumed.
        const STEPS: (u8, u8) = (16, 1);
        if !self.shared.config.laws.uet.destination_flow_control {
            return 0;
        }
        let Some(uet) = &self.nic.uet else { return 0 };
        let endpoint = uet.receivers.flows[slot].destination;
        let (fill, _) = self.buffer_fill(endpoint);
        let nic_slot = self.nic_slot(endpoint);
        let Some(uet) = &mut self.nic.uet else { return 0 };
        let penalty = &mut uet.nics[nic_slot].penalty;
        *penalty = if fill > FULL { (*penalty + STEPS.0).min(MOST) } else { penalty.saturating_sub(STEPS.1) };
        *penalty
    }

    /// A sender wants credit up to so many units.
    pub fn uet_wants(&mut self, slot: u32, units: u32) {
        let Some(uet) = &mut self.nic.uet else { return };
        let receiver = &mut uet.receivers.flows[slot];
        receiver.wanted = receiver.wanted.max(units);
        let wants = u64::from(receiver.wanted) * CREDIT_UNIT_BYTES > receiver.credited;
        if receiver.in_turn || !wants || self.shared.traits.uet.law.credit_packets().is_none() {
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
    /// taken what this one may send. A credit above what is wanted is at most a first window:
    /// senders that hoard more flood the receiver later, because its link does not wait for it.
    pub fn uet_give_credit(&mut self, endpoint: u32) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let Some(packets) = self.shared.traits.uet.law.credit_packets() else { return };
        let most = u64::from(packets) * u64::from(self.shared.uet_packet_bytes(endpoint));
        let rate = self.nic.nics[nic_slot].wire().rate();
        if self.shared.config.laws.uet.destination_flow_control {
            let (fill, drained) = self.buffer_fill(endpoint);
            if fill > FULL && drained > now {
                // The host takes data more slowly than the link brings it.
                let Some(uet) = &mut self.nic.uet else { return };
                let nic = &mut uet.nics[nic_slot];
                nic.credits_from = drained;
                nic.timers.insert((drained, CREDITS));
                return;
            }
        }
        let Some(uet) = &mut self.nic.uet else { return };
        let nic = &mut uet.nics[nic_slot];
        let Some(slot) = nic.turns.pop_front() else { return };
        let receiver = &mut uet.receivers.flows[slot];
        // The link waits for no more than the sender wants. What is left of the credit lets it
        // begin its next message at once.
        let wants = (u64::from(receiver.wanted) * CREDIT_UNIT_BYTES).saturating_sub(receiver.credited);
        let rate = self.shared.rate_of_class(rate, receiver.class);
        let takes = rate.serialization(Bytes(most.min(wants))).0;
        receiver.credited += most.min(wants.max(receiver.first_window));
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

    /// A sender without credit has asked for some. If it asks again for what it has been given, the
    /// credit was lost: tells it once more.
    pub fn uet_asked(&mut self, endpoint: u32, peer: u32, class: u8, (units, again): (u32, bool)) {
        let slot = self.uet_receiver(peer, endpoint, class);
        let Some(uet) = &mut self.nic.uet else { return };
        let receiver = &uet.receivers.flows[slot];
        let (credited, job) = (receiver.credited / CREDIT_UNIT_BYTES, receiver.job);
        if again && u64::from(units) <= credited {
            let units = u32::try_from(credited).unwrap_or(u32::MAX);
            self.uet_tell((endpoint, peer, class), job, ResponseContent::Credit { units, class });
            return;
        }
        self.uet_wants(slot, units);
    }
}
