//! One-sided operations on their way from a core to its NIC. Each has its own doorbell, or several
//! share one (FI_MORE).

use crate::model::packet::Header;
use crate::partition::Partition;

impl Partition {
    /// A core has written the command of a one-sided operation at `time`. It rings the doorbell, or
    /// waits to ring it once for several commands.
    pub fn command(&mut self, local: u32, header: Header, time: u64) {
        self.occupy(header.source_rank, time);
        self.host.held.push(header);
        if self.host.held.len() >= self.shared.config.host.bundle_max as usize {
            self.ring(local);
        }
    }

    /// Rings the doorbell for the commands that the core has written, if there are any.
    ///
    /// A single command is written into the NIC. Several wait in the host's memory, and the NIC
    /// fetches them.
    pub fn ring(&mut self, local: u32) {
        let Some(first) = self.host.held.first() else { return };
        let rank = first.source_rank;
        debug_assert_eq!(self.shared.places.ranks[rank as usize].local, local, "a rank rings for its own commands");
        let endpoint = self.shared.places.ranks[rank as usize].endpoint;
        let time = self.shared.protocol(endpoint).rung(self.core_free_at(rank));
        self.occupy(rank, time);
        let mut held = std::mem::take(&mut self.host.held);
        let together = held.len() > 1;
        for header in held.drain(..) {
            if together {
                self.issue_command(header, true, time);
            } else {
                self.issue(header, header.bytes, time);
            }
        }
        self.host.held = held;
    }
}
