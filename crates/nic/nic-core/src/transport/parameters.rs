//! The parameters of the transport.

use philae_units::preset;

use super::TransportParametersError;

/// How the transport behaves. [`TransportParameters::default`] is
/// [`TransportParameters::software`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportParameters {
    /// Bytes that a peer may send beyond what the handler has accepted.
    pub window_bytes: u32,
    /// Bytes kept for all peers together, out of order or because the handler stalls.
    pub held_bytes_max: u64,
    /// The most messages to one peer that are not delivered yet.
    pub queue_messages_max: u32,
    /// The most peers of one NIC.
    pub peers_max: u32,
    /// Segments received before an acknowledgement is sent immediately.
    pub ack_every_segments: u32,
    /// Bytes received before an acknowledgement is sent immediately.
    pub ack_every_bytes: u32,
    /// Longest time that an acknowledgement waits for a datagram to travel with, in nanoseconds.
    pub ack_delay_ns: u64,
    /// Segments sent later and acknowledged before a segment counts as lost.
    pub reorder_segments: u32,
    /// Wait for an answer before the round trip is known, in nanoseconds.
    pub timeout_initial_ns: u64,
    /// Least wait for an answer, in nanoseconds.
    pub timeout_min_ns: u64,
    /// Longest wait for an answer, in nanoseconds.
    pub timeout_max_ns: u64,
    /// Silence after the first missed answer until the peer counts as unreachable, in nanoseconds.
    pub unreachable_after_ns: u64,
    /// Least number of missed answers until the peer counts as unreachable: a NIC that was
    /// suspended for long does not blame its peers.
    pub attempts_min: u32,
    /// Silence of a peer from which something is expected until it is probed, in nanoseconds.
    pub keepalive_ns: u64,
    /// Bytes that may be in flight at the beginning of a connection.
    pub start_window_bytes: u32,
    /// The share of the congestion window that remains after a loss or a mark, in 256ths.
    pub decrease_256: u32,
}

preset!(
    /// The transport as the software NIC uses it.
    TransportParameters, software, transport_provenance, {
    window_bytes = 2_097_152, Assumed, "ours: the product of 10 GB/s and 200 us", "256 KiB to 16 MiB", "bandwidth of one pair over a long or slow path";
    held_bytes_max = 67_108_864, Assumed, "ours: 32 peers with a full window each", "", "bandwidth while many peers lose packets";
    queue_messages_max = 1_024, Published, "fi_cxi(7): default size of a transmit queue", "", "memory";
    peers_max = 65_536, Assumed, "ours", "", "memory";
    ack_every_segments = 16, Assumed, "ours", "2 to 64", "processor time for acknowledgements";
    ack_every_bytes = 262_144, Assumed, "ours: an eighth of the window", "", "bandwidth of one pair";
    ack_delay_ns = 20_000, Assumed, "ours: longer than an answer of the application takes", "5 us to 1 ms", "acknowledgements that travel alone";
    reorder_segments = 3, Published, "RFC 9002, kPacketThreshold", "", "retransmissions on paths that reorder";
    timeout_initial_ns = 20_000_000, Assumed, "ours: hosts of one machine room", "", "time to connect when the first datagram is lost";
    timeout_min_ns = 4_000_000, Assumed, "ours: a time slice of a busy processor", "1 to 200 ms", "time lost with the last datagram of a burst";
    timeout_max_ns = 1_000_000_000, Assumed, "ours", "", "time until a peer that comes back is found";
    unreachable_after_ns = 10_000_000_000_u64, Assumed, "ours; a process that computes longer without progress is taken for dead", "1 s to minutes", "time until a cut-off peer is an error";
    attempts_min = 4, Published, "shs-libcxi retry handler: at most 4 retries", "", "time until a cut-off peer is an error";
    keepalive_ns = 1_000_000_000, Assumed, "ours", "", "time until a cut-off peer is an error";
    start_window_bytes = 262_144, Assumed, "ours", "15 KiB to 1 MiB", "time of the first large message";
    decrease_256 = 128, Published, "RFC 5681: half", "128 to 240", "bandwidth under loss";
});

impl Default for TransportParameters {
    fn default() -> Self {
        Self::software()
    }
}

impl TransportParameters {
    /// Checks that the parameters are consistent.
    ///
    /// # Errors
    /// The first parameter that is not.
    pub fn check(&self) -> Result<(), TransportParametersError> {
        let at_least = |name, found: u64, least: u64, wanted| match found >= least {
            true => Ok(()),
            false => Err(TransportParametersError { name, found, wanted }),
        };
        at_least("window_bytes", self.window_bytes.into(), 4_096, "at least 4096")?;
        at_least("queue_messages_max", self.queue_messages_max.into(), 1, "at least 1")?;
        at_least("peers_max", self.peers_max.into(), 1, "at least 1")?;
        at_least("ack_every_segments", self.ack_every_segments.into(), 1, "at least 1")?;
        at_least("ack_every_bytes", self.ack_every_bytes.into(), 1, "at least 1")?;
        at_least("reorder_segments", self.reorder_segments.into(), 1, "at least 1")?;
        at_least("timeout_min_ns", self.timeout_min_ns, 1_000, "at least 1000")?;
        at_least("timeout_initial_ns", self.timeout_initial_ns, self.timeout_min_ns, "at least `timeout_min_ns`")?;
        at_least("timeout_max_ns", self.timeout_max_ns, self.timeout_initial_ns, "at least `timeout_initial_ns`")?;
        at_least("attempts_min", self.attempts_min.into(), 1, "at least 1")?;
        at_least("keepalive_ns", self.keepalive_ns, self.timeout_min_ns, "at least `timeout_min_ns`")?;
        at_least("start_window_bytes", self.start_window_bytes.into(), 1, "at least 1")?;
        match self.decrease_256 {
            1..=255 => Ok(()),
            found => Err(TransportParametersError { name: "decrease_256", found: found.into(), wanted: "1 to 255" }),
        }
    }

    /// Longest time from the last sign of life of a peer to its failure, in nanoseconds. It holds
    /// if the driver calls in time and something is outstanding.
    #[must_use]
    pub const fn unreachable_bound_ns(&self) -> u64 {
        let first = if self.keepalive_ns > self.timeout_max_ns { self.keepalive_ns } else { self.timeout_max_ns };
        let silence = self.unreachable_after_ns + self.timeout_max_ns;
        let attempts = self.timeout_max_ns * self.attempts_min as u64;
        first + if silence > attempts { silence } else { attempts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_named() {
        assert_eq!(TransportParameters::default().check(), Ok(()));
        let wrong = TransportParameters { decrease_256: 256, ..TransportParameters::default() };
        let text = wrong.check().expect_err("an increase").to_string();
        assert_eq!(text, "transport parameter `decrease_256` is 256; it must be 1 to 255");
        let wrong = TransportParameters { timeout_max_ns: 5, ..TransportParameters::default() };
        assert_eq!(wrong.check().expect_err("too short").name, "timeout_max_ns");
    }
}
