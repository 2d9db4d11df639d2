//! Costs of software on the host, on the path of data between a program and its NIC.

mod eager_rendezvous;
mod jitter;
mod matching;
mod parameters;
mod protocol;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use jitter::{ExponentialJitter, HostJitter, PeriodicJitter};
pub use matching::{receive_entry, unexpected_entry};
pub use protocol::{ArrivalStep, Handover, HostProtocol, HostStep, PacketPurpose};

/// The way of two-sided data between a program's memory and its NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HostPath {
    /// From the program's memory into the memory that the receiver has posted, at any size: verbs.
    Direct,
    /// Messages that are matched: at once up to `nic.eager_max_bytes`, copied where the NIC does not match; beyond it the
    /// receiver fetches. Libfabric and MPI.
    Messages,
    /// Through the kernel: it copies at both ends, segment by segment. TCP.
    Kernel,
    /// The same without connections: UDP. Only captures tell the two apart.
    KernelUdp,
}

/// What software on the host costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostParameters {
    /// The path of two-sided data.
    pub path: HostPath,
    /// Core time per operation issued, in nanoseconds; on the kernel's path, of the system call.
    pub send_overhead_ns: u32,
    /// Core time per message received or data fetched (matching), in nanoseconds; on the kernel's path, of the interrupt,
    /// the wake-up and the system call. Completions of sends and puts cost nothing.
    pub receive_overhead_ns: u32,
    /// Core time to notify the NIC of commands, in nanoseconds, in addition to the above: the store and its fence.
    pub doorbell_ns: u32,
    /// One-sided operations that a core hands to the NIC together, at most (libfabric's FI_MORE); 1: each by itself.
    pub bundle_max: u32,
    /// Bytes that the kernel handles in one step; 0 on other paths.
    pub segment_bytes: u32,
    /// Core time per segment in the kernel, at each end, in nanoseconds; 0 on other paths.
    pub segment_ns: u32,
    /// Latency between two ranks of one node, in nanoseconds.
    pub local_latency_ns: u32,
    /// Rate at which one core copies, in megabytes per second: messages between ranks of one node, eager data in and
    /// out of the buffers of a NIC that does not match, and data in and out of the kernel.
    pub copy_rate_mbytes: u32,
}

impl HostPath {
    /// Whether data passes the kernel.
    #[must_use]
    pub const fn is_kernel(self) -> bool {
        matches!(self, Self::Kernel | Self::KernelUdp)
    }
}

impl HostParameters {
    /// Time for one core to copy `bytes`, in picoseconds.
    #[must_use]
    pub const fn copy(&self, bytes: u64) -> u64 {
        bytes * 1_000_000 / self.copy_rate_mbytes as u64
    }

    /// Core time of the kernel, at one end, for a message of `bytes`: copies and segments, in
    /// picoseconds.
    #[must_use]
    pub const fn kernel_time(&self, bytes: u64) -> u64 {
        let segments = match bytes.div_ceil(self.segment_size()) {
            0 => 1,
            segments => segments,
        };
        self.copy(bytes) + segments * self.segment_ns as u64 * 1_000
    }

    /// The part of [`kernel_time`](Self::kernel_time) that the first segment takes: while it is on
    /// its way, the others are worked on.
    #[must_use]
    pub const fn kernel_first(&self, bytes: u64) -> u64 {
        self.kernel_time(self.first_segment(bytes))
    }

    /// What `bytes` of a long message take of that time: copies, and their part of the segments.
    #[must_use]
    pub const fn kernel_part(&self, bytes: u64) -> u64 {
        let of_segment = self.segment_ns as u128 * 1_000 * bytes as u128 / self.segment_size() as u128;
        self.copy(bytes) + of_segment as u64
    }

    /// Bytes of the first segment of a message of `bytes`.
    #[must_use]
    pub const fn first_segment(&self, bytes: u64) -> u64 {
        let size = self.segment_size();
        if bytes < size { bytes } else { size }
    }

    /// A segment; without a size, everything is one.
    const fn segment_size(&self) -> u64 {
        if self.segment_bytes == 0 { u64::MAX } else { self.segment_bytes as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_copies_everything_and_works_on_each_segment() {
        let host = HostParameters { segment_bytes: 1_000, segment_ns: 7, ..HostParameters::connectx_5_tcp() };
        assert_eq!(host.kernel_time(0), 7_000, "a message without payload is a segment too");
        assert_eq!(host.kernel_time(1_000), host.copy(1_000) + 7_000);
        assert_eq!(host.kernel_time(1_001), host.copy(1_001) + 14_000);
        assert_eq!(host.kernel_first(10_000), host.kernel_time(1_000));
        assert_eq!(host.kernel_first(10), host.kernel_time(10));
        assert_eq!(host.kernel_part(10_000), host.kernel_time(10_000));
        assert_eq!(host.kernel_part(500), host.copy(500) + 3_500);
    }
}
