//! What happens at a gateway: a message that has arrived in full is sent on.

use crate::model::packet::Incoming;
use crate::partition::Partition;

impl Partition {
    /// The next destination of a message from `source` for `target`: the target, or a gateway on
    /// its path.
    pub fn next_destination(&self, source: u32, target: u32) -> u32 {
        let gateways = &self.shared.places.gateways;
        if gateways.is_empty() { target } else { gateways.first_destination(source, target) }
    }

    /// Whether `endpoint` forwards what `rank` sends, because it is not the rank's own endpoint.
    pub fn forwards_for(&self, endpoint: u32, rank: u32) -> bool {
        !self.shared.places.gateways.is_empty() && self.shared.places.ranks[rank as usize].endpoint != endpoint
    }

    /// Forwards a message that has arrived in full, if this endpoint is a gateway on its path.
    /// Returns whether it did.
    pub fn forwarded(&mut self, record: u32, message: &Incoming) -> bool {
        if self.shared.places.gateways.is_empty() {
            return false;
        }
        let target = self.shared.places.ranks[message.header.destination_rank as usize].endpoint;
        if message.destination == target {
            return false;
        }
        self.nic.incoming.remove(record);
        let other = self.shared.places.gateways.receiving_gateway(message.destination, target);
        let nic = &self.shared.config.nic;
        let turnaround = u64::from(nic.receive_ns + nic.dma_read_ns + nic.transmit_ns) * 1_000;
        self.begin_message(message.header, other, target, self.clock.now() + turnaround);
        true
    }
}
