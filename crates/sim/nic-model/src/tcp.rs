//! TCP in the kernels of both ends: what a connection may have in flight.
//!
//! A sender has no more unacknowledged bytes than the smaller of two windows: what the receiver has
//! room for, which its segments say, and what the sender thinks that the network takes
//! ([`RenoWindow`]).

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A segment without data on a link: the least frame of standard Ethernet with its preamble, which
/// has room for 14 + 20 + 20 + 4 bytes. Source: IEEE 802.3, RFC 791, RFC 9293. Status: published.
pub const TCP_ACK_BYTES: u32 = crate::ethernet::FRAME_MIN_BYTES;

/// How a sender finds what the network takes.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CongestionControl {
    /// Slow start and congestion avoidance: TCP Reno.
    Reno,
    /// Only the receiver's window limits a sender.
    None,
}

/// As scenarios write it.
impl fmt::Debug for CongestionControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reno => "reno",
            Self::None => "none",
        })
    }
}

/// Windows and acknowledgements of TCP connections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TcpParameters {
    /// Receive buffer of a connection, in bytes: what has arrived and the receiving core has not copied. All that is free
    /// of it is advertised.
    pub receive_buffer_bytes: u32,
    /// How the sender finds what the network takes: "reno", or "none" for the receiver's window alone.
    pub congestion_control: CongestionControl,
    /// Congestion window of a new connection, in full segments.
    pub initial_window_segments: u32,
    /// Segments that one acknowledgement answers.
    pub ack_segments: u32,
    /// The longest that an acknowledgement waits for another segment, or for data to go with, in microseconds.
    pub ack_delay_us: u32,
    /// Core time to make an acknowledgement, and to take one, in nanoseconds, in addition to the host's `segment_ns`.
    pub ack_ns: u32,
}

preset!(
    /// Linux's values, with a congestion window of its own.
    TcpParameters, linux, linux_provenance, {
    receive_buffer_bytes = 6_291_456, Published, "Linux, ip-sysctl: the largest of tcp_rmem, to which automatic tuning may grow a buffer", "131072 to 67108864", "throughput of one connection over a long path, a slow receiver's backlog";
    congestion_control = CongestionControl::Reno, Published, "RFC 5681: the standard's; Linux has CUBIC, which differs where segments are lost", "", "throughput after losses";
    initial_window_segments = 10, Published, "RFC 6928, and Linux's TCP_INIT_CWND", "", "time of a connection's first bytes";
    ack_segments = 2, Published, "RFC 5681, 4.2: at least every second full segment; an offload that merges segments acknowledges fewer", "", "bytes and core time of acknowledgements";
    ack_delay_us = 40_000, Published, "Linux's TCP_DELACK_MIN: 40 ms", "", "when a last, single segment is acknowledged";
    ack_ns = 0, Derived, "part of the hosts' segment_ns, which is said to be as UDP's, and acknowledgements and window", "0 to 1000", "core time of acknowledgements, throughput of one connection";
});

impl TcpParameters {
    /// What makes no sense about its values, with segments of up to `segment_bytes`: the key, what
    /// it is and what works.
    #[must_use]
    pub fn fault(&self, segment_bytes: u32) -> Option<(&'static str, u32, &'static str)> {
        let buffer = self.receive_buffer_bytes;
        if u64::from(buffer) < 2 * u64::from(segment_bytes) {
            let works = "room for at least two full segments, of hardware.nic.payload_max_bytes or of the MTU";
            return Some(("hardware.tcp.receive_buffer_bytes", buffer, works));
        }
        // A window is a difference of sequence numbers.
        if buffer > 1 << 30 {
            let works = "at most 1 GiB: the largest window of RFC 7323";
            return Some(("hardware.tcp.receive_buffer_bytes", buffer, works));
        }
        if self.initial_window_segments == 0 {
            let works = "a connection begins with at least one segment";
            return Some(("hardware.tcp.initial_window_segments", 0, works));
        }
        let works = "an acknowledgement answers at least one segment";
        (self.ack_segments == 0).then_some(("hardware.tcp.ack_segments", 0, works))
    }
}

/// What a sender thinks that the network takes: Reno's window. Source: RFC 5681, with bytes counted
/// as in RFC 3465. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenoWindow {
    bytes: u64,
    /// Where slow start ends.
    threshold: u64,
    segment_bytes: u32,
    /// Bytes acknowledged since the window last grew, in congestion avoidance.
    acknowledged: u64,
}

impl RenoWindow {
    /// That of a new connection with segments of up to `segment_bytes`.
    #[must_use]
    pub fn new(parameters: &TcpParameters, segment_bytes: u32) -> Self {
        let bytes = match parameters.congestion_control {
            CongestionControl::Reno => u64::from(parameters.initial_window_segments) * u64::from(segment_bytes),
            CongestionControl::None => u64::MAX,
        };
        Self { bytes, threshold: u64::MAX, segment_bytes, acknowledged: 0 }
    }

    /// Its size, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// `bytes` of `flight` have been acknowledged. The window grows if it is what limits the sender
    /// (RFC 7661 asks for no less): by what was acknowledged, at most two segments, in slow start;
    /// then by one segment a window.
    pub fn acknowledge(&mut self, bytes: u64, flight: u64) {
        let segment = u64::from(self.segment_bytes);
        if self.bytes < self.threshold {
            if flight > self.bytes / 2 {
                self.bytes = self.bytes.saturating_add(bytes.min(2 * segment));
            }
        } else if flight.saturating_add(segment) > self.bytes {
            self.acknowledged += bytes;
            if self.acknowledged >= self.bytes {
                self.acknowledged -= self.bytes;
                self.bytes = self.bytes.saturating_add(segment);
            }
        }
    }
}

/// Bytes that a sender has in flight, at most, after it has sent what slow start allows for `turns`
/// round trips in which each segment was acknowledged, in pairs: the closed form of
/// [`RenoWindow`] without losses.
#[must_use]
pub fn slow_start_bytes(parameters: &TcpParameters, segment_bytes: u32, turns: u32) -> u64 {
    let first = RenoWindow::new(parameters, segment_bytes).bytes();
    first.saturating_mul(1_u64.checked_shl(turns).unwrap_or(u64::MAX)).min(parameters.receive_buffer_bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_start_doubles_a_window_each_round_trip() {
        let parameters = TcpParameters::linux();
        let mut window = RenoWindow::new(&parameters, 1_000);
        for turn in 0..6 {
            let flight = window.bytes();
            assert_eq!(flight, slow_start_bytes(&parameters, 1_000, turn));
            for _ in 0..flight / 2_000 {
                window.acknowledge(2_000, flight);
            }
        }
        assert_eq!(slow_start_bytes(&parameters, 1_000, 40), 6_291_456, "the receiver's window");
    }

    #[test]
    fn a_window_that_does_not_limit_does_not_grow() {
        let mut window = RenoWindow::new(&TcpParameters::linux(), 1_000);
        window.acknowledge(2_000, 4_000);
        assert_eq!(window.bytes(), 10_000);
        let none = TcpParameters { congestion_control: CongestionControl::None, ..TcpParameters::linux() };
        assert_eq!(RenoWindow::new(&none, 1_000).bytes(), u64::MAX);
    }

    #[test]
    fn values_that_no_connection_can_have_are_faults() {
        let fault = |change: fn(&mut TcpParameters)| {
            let mut parameters = TcpParameters::linux();
            change(&mut parameters);
            parameters.fault(4_096).map(|(key, ..)| key)
        };
        assert_eq!(fault(|_| {}), None);
        assert_eq!(fault(|to| to.receive_buffer_bytes = 8_191), Some("hardware.tcp.receive_buffer_bytes"));
        assert_eq!(fault(|to| to.receive_buffer_bytes = 1 << 31), Some("hardware.tcp.receive_buffer_bytes"));
        assert_eq!(fault(|to| to.initial_window_segments = 0), Some("hardware.tcp.initial_window_segments"));
        assert_eq!(fault(|to| to.ack_segments = 0), Some("hardware.tcp.ack_segments"));
    }
}
