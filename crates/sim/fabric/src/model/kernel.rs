//! Sockets: two-sided messages through the kernels of both ends.
//!
//! The kernel processes a message segment by segment, so that the first is on its way while the
//! core copies the others. In the same way the receiver's kernel begins before the last packet has
//! arrived.
//!
//! Packets leave at the rate of the link once the first segment is ready, even if the sender's core
//! is slower than that. The receiver's core does the same work, so it finishes no earlier than it
//! would if the packets kept the pace of the sender's core.

use crate::model::packet::Header;
use crate::partition::Partition;

impl Partition {
    /// A core has called into the kernel, which sends from `time` on.
    pub fn kernel_send(&mut self, local: u32, header: Header, time: u64) {
        debug_assert_eq!(self.shared.places.ranks[header.source_rank as usize].local, local);
        let host = &self.shared.config.host;
        let doorbell = u64::from(host.doorbell_ns) * 1_000;
        let first = time + host.kernel_first(header.bytes) + doorbell;
        let all = time + host.kernel_time(header.bytes) + doorbell;
        self.occupy(header.source_rank, all);
        self.issue(header, header.bytes, first);
    }

    /// A message with all its packets, and its receive, have matched at `time`.
    pub fn kernel_receive(&mut self, record: u32, handle: u32, time: u64) {
        let message = self.nic.incoming[record];
        self.nic.incoming.remove(record);
        if self.record.observer.on {
            self.explain_finished(&message, time);
        }
        self.record.recorder.message(time, &message, &self.shared);
        let (rank, bytes) = (message.header.destination_rank, message.header.bytes);
        let host = &self.shared.config.host;
        let overhead = u64::from(host.receive_overhead_ns) * 1_000;
        // The core began when the first segment had arrived, if it had nothing else to do.
        let streamed = self.edge_time(message.destination, bytes.saturating_sub(u64::from(host.segment_bytes)));
        let began = time.saturating_sub(streamed).max(self.core_free_at(rank));
        let done = (began + overhead + host.kernel_time(bytes)).max(time + host.kernel_first(bytes));
        self.occupy(rank, done);
        self.finish_operation(rank, handle, done);
    }
}
