//! What happens on a receiving core: it takes in one message after the other.

use super::{address, queue_of};
use crate::model::packet::Incoming;
use crate::partition::Partition;

impl Partition {
    /// When the core of a message's flow has taken in the message, which the NIC hands over at
    /// `time`.
    pub fn core_done_at(&mut self, message: &Incoming, time: u64) -> u64 {
        if !self.shared.kinds.are_mixed() {
            return time;
        }
        let shared = std::sync::Arc::clone(&self.shared);
        let nic_slot = self.nic_slot(message.destination);
        let Some((parameters, _)) = &shared.kind(message.destination).ethernet else { return time };
        let Some(extras) = &mut self.nic.nics[nic_slot].extras else { return time };
        let cores = &mut extras.receive_cores;
        if cores.is_empty() {
            return time;
        }
        let header = &message.header;
        // The answer to a read returns to the rank that the message counts as its destination.
        let addresses = [address(&shared, message.source), address(&shared, message.destination)];
        let queue = queue_of(addresses, [header.source_rank, header.destination_rank], cores.len() as u32);
        let packets = philae_nic_model::packet_count(
            shared.form(message.source, message.destination),
            philae_units::Bytes(header.bytes),
        );
        let free_at = &mut cores[queue];
        *free_at = time.max(*free_at) + parameters.receive_work(packets, header.bytes);
        *free_at
    }
}
