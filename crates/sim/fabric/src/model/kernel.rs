//! Sockets: two-sided messages through the kernels of both ends.
//!
//! The kernel processes a message segment by segment, so that the first is on its way while the
//! core copies the others. In the same way the receiver's kernel begins before the last packet has
//! arrived.
//!
//! Packets leave at the rate of the link once the first segment is ready, even if the sender's core
//! is slower than that. The receiver's core does the same work, so it finishes no earlier than it
//! would if the packets kept the pace of the sender's core.

use crate::partition::Partition;

impl Partition {
    /// A message with all its packets, and its receive, have matched at `time`.
    pub fn kernel_receive(&mut self, record: u32, handle: u32, time: u64) {
        let message = self.nic.incoming[record];
        self.nic.incoming.remove(record);
        if self.record.observer.on {
            self.explain_finished(&message, time);
        }
        self.record.recorder.message(time, &message, &self.shared);
        let (rank, bytes) = (message.header.destination_rank, message.header.bytes);
        let rest = bytes.saturating_sub(u64::from(self.shared.config.host.segment_bytes));
        let streamed = self.edge_time(message.destination, rest).max(message.kernel_span);
        let owed = if self.has_tcp() { self.tcp_owed(&message) } else { 0 };
        let protocol = self.shared.protocol(message.destination);
        let mut done = protocol.taken_by_kernel(bytes, streamed, time, self.core_free_at(rank));
        if owed > 0 {
            // Acknowledgements took their time from the core while it copied.
            let begins = time.saturating_sub(streamed).max(self.core_free_at(rank));
            done = protocol.taken_by_kernel(bytes, streamed, time, begins + owed);
        }
        if self.has_bus() {
            let begins = self.copy_begins(message.destination, rank, time);
            done += self.copy_waits(message.destination, bytes, begins);
        }
        let begins = time.saturating_sub(streamed).max(self.core_free_at(rank));
        done += self.late(rank, begins, done - begins);
        self.occupy(rank, done);
        if self.has_tcp() {
            self.tcp_taken(&message, done);
        }
        self.program_gets(rank, handle, bytes);
        self.finish_operation(rank, handle, done);
    }
}
