//! How a NIC handles packets that the other NIC does not acknowledge.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Retransmission of packets that the other NIC does not acknowledge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RetryParameters {
    /// Time after which a packet without an acknowledgement counts as lost, in nanoseconds.
    pub packet_timeout_ns: u64,
    /// Times that a packet is sent again before its message fails.
    pub retries_max: u8,
    /// Wait before the second retry, in milliseconds; each further one waits longer by the same, the first not at all.
    pub retry_step_ms: u32,
    /// Least wait before a packet that may arrive in any order is sent again, in milliseconds.
    pub unordered_delay_ms: u32,
}

preset!(
    /// The retry handler of Cassini as shipped.
    RetryParameters, cassini, cassini_retry_provenance, {
    packet_timeout_ns = 1_073_741_824, Published, "cassini-headers: SPT timeout epoch of 2^30 clocks at 1 GHz", "", "time until a lost packet is sent again";
    retries_max = 4, Published, "shs-libcxi retry handler: at most 4 retries", "", "time until a message to a dead NIC fails";
    retry_step_ms = 4_000, Published, "shs-libcxi retry handler: intervals of 0, 4, 8 and 12 s", "", "time until a message to a dead NIC fails";
    unordered_delay_ms = 2_000, Published, "shs-libcxi retry handler: unordered packets wait at least 2 s", "", "time until a lost packet of a put or read is sent again";
});

impl Default for RetryParameters {
    fn default() -> Self {
        Self::cassini()
    }
}

impl RetryParameters {
    /// The wait before retry number `attempt` (from 1), in picoseconds.
    #[must_use]
    pub const fn wait(&self, attempt: u8, ordered: bool) -> u64 {
        let step = self.retry_step_ms as u64 * (attempt as u64).saturating_sub(1);
        let least = if ordered { 0 } else { self.unordered_delay_ms as u64 };
        (if step > least { step } else { least }) * 1_000_000_000
    }

    /// From the first time that a packet is sent until its message fails, in picoseconds.
    #[must_use]
    pub fn span(&self, ordered: bool) -> u64 {
        let waits: u64 = (1..=self.retries_max).map(|attempt| self.wait(attempt, ordered)).sum();
        self.packet_timeout_ns.saturating_mul(1_000).saturating_mul(u64::from(self.retries_max) + 1) + waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_wait_longer_each_time() {
        let retry = RetryParameters::cassini();
        let seconds = |attempt, ordered| retry.wait(attempt, ordered) / 1_000_000_000_000;
        assert_eq!([1, 2, 3, 4].map(|attempt| seconds(attempt, true)), [0, 4, 8, 12]);
        assert_eq!([1, 2, 3, 4].map(|attempt| seconds(attempt, false)), [2, 4, 8, 12]);
        // Five timeouts of 1.07 s, and the waits between them.
        assert_eq!([true, false].map(|ordered| retry.span(ordered) / 1_000_000_000_000), [29, 31]);
    }
}
