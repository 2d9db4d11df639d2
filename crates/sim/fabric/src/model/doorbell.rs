//! One-sided operations on their way from a core to its NIC. Each has its own doorbell, or several
//! share one (FI_MORE).

use crate::model::packet::Header;
use crate::partition::Partition;

impl Partition {
    /// A core has written the command of a one-sided operation at `time`. It rings the doorbell, or
    /// waits to ring it once for several commands: a process says itself when.
    pub fn command(&mut self, local: u32, header: Header, time: u64) {
        self.occupy(header.source_rank, time);
        self.host.held.push(header);
        let endpoint = self.shared.places.ranks[header.source_rank as usize].endpoint;
        let is_process = self.host.ranks[local as usize].is_process();
        if !is_process && self.shared.protocol(endpoint).is_bundle_full(self.host.held.len()) {
            self.ring(local);
        }
    }

    /// Rings the doorbell for the commands that the core has written, if there are any.
    pub fn ring(&mut self, local: u32) {
        let Some(first) = self.host.held.first() else { return };
        let rank = first.source_rank;
        debug_assert_eq!(self.shared.places.ranks[rank as usize].local, local, "a rank rings for its own commands");
        let endpoint = self.shared.places.ranks[rank as usize].endpoint;
        let time = self.shared.protocol(endpoint).rung(self.core_free_at(rank));
        self.occupy(rank, time);
        let mut held = std::mem::take(&mut self.host.held);
        let commands = held.len();
        if commands > 1 && self.has_bus() {
            self.doorbell(endpoint);
        }
        for header in held.drain(..) {
            let fetched = self.shared.protocol(endpoint).fetches_command(commands, header.bytes);
            self.issue_command(header, (commands, fetched), time);
        }
        self.host.held = held;
    }
}
