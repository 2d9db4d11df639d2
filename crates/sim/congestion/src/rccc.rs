//! RCCC, Ultra Ethernet's receiver-based control: a sender first sends what a round trip holds, and
//! then what its receiver gives it credit for. The receiver gives credits at the rate of its link,
//! to one after another of those that have asked.
//!
//! Both sides count bytes since the flow began, so that a lost credit is made good by the next one.
//!
//! Source: UE overview (arXiv 2508.08906), ultraethernet/uet-htsim (`UecSink`, `UecPullPacer`).
//! Status: published.

use crate::nscc::UetPath;

/// Credit of one sender with one receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RcccFlow {
    /// Bytes sent, all in all; a packet that is sent again counts again.
    sent: u64,
    /// Bytes for which it has credit, all in all, with those of the beginning.
    credit: u64,
    /// How far ahead it asks for credit, in bytes. Source: uet-htsim `computePullTarget`. Status:
    /// published.
    most: u64,
}

impl RcccFlow {
    /// A new flow may send this part of the bytes of a round trip, in thousandths.
    #[must_use]
    pub fn new(path: UetPath, window_permille: u32) -> Self {
        let first = Self::first_credit(path, window_permille);
        Self { sent: 0, credit: first, most: first }
    }

    /// What a new flow may send, in bytes. Its receiver counts from there.
    #[must_use]
    pub fn first_credit(path: UetPath, window_permille: u32) -> u64 {
        path.window() * u64::from(window_permille) / 1_000
    }

    /// Whether a packet may be sent: the last one may use more than is left.
    #[inline]
    #[must_use]
    pub const fn admits(&self) -> bool {
        self.sent < self.credit
    }

    /// A packet has been sent.
    pub const fn sent(&mut self, bytes: u32) {
        self.sent += bytes as u64;
    }

    /// A credit has come, over so many bytes all in all. An older one says nothing new.
    pub const fn credited(&mut self, credit: u64) {
        if credit > self.credit {
            self.credit = credit;
        }
    }

    /// What the sender wants credit for, all in all, if `waiting` bytes are still to be sent: no
    /// more than a first window ahead, so that one whose link is busy with other receivers does not
    /// hoard credit, and floods one of them later.
    #[must_use]
    pub const fn wanted(&self, waiting: u64) -> u64 {
        self.sent + if waiting < self.most { waiting } else { self.most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_sends_a_round_trip_and_then_what_it_has_credit_for() {
        let path = UetPath {
            round_trip: 8_000_000,
            rate_mbps: 100_000,
            packet_bytes: 4_000,
            network_round_trip: 8_000_000,
            trims: true,
        };
        let mut flow = RcccFlow::new(path, 1_500);
        let mut packets = 0;
        while flow.admits() {
            flow.sent(4_000);
            packets += 1;
        }
        assert_eq!(packets, 38, "150,000 B, and the last may use more than is left");
        assert_eq!(flow.wanted(16_000), 168_000);
        assert_eq!(flow.wanted(16_000_000), 302_000, "a first window ahead");
        flow.credited(152_000);
        assert!(!flow.admits(), "that is used");
        flow.credited(160_000);
        assert!(flow.admits());
        flow.credited(10);
        assert!(flow.admits(), "an older credit says nothing new");
    }
}
