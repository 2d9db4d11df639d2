//! The figures of a link.

use philae_units::{Picoseconds, preset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FecKind;

/// A link between two ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LinkParameters {
    /// Lanes, 1 to 8.
    pub lanes: u8,
    /// Wrong bits before correction, per `10 ^ bit_errors_per_10_to` bits of the line. 0 is a line without noise.
    pub bit_errors: u32,
    /// The exponent of `bit_errors`: 1 to 18.
    pub bit_errors_per_10_to: u8,
    /// Bits in a row that one disturbance makes wrong: 1 (independent errors) to 65,536. The error rate stays the same.
    pub burst_bits: u32,
    /// Forward error correction.
    pub fec: FecKind,
    /// Frames that the replay buffer holds, sent and not acknowledged: 1 to 2,048.
    pub replay_entries: u16,
    /// Time without progress after which everything unacknowledged is sent again, in nanoseconds.
    pub replay_timer_ns: u32,
    /// Replays in a row without progress beyond which each one counts as a sign of a failing link.
    pub retry_threshold: u8,
    /// Replays in a row without progress beyond which the link is given up; 255 is never.
    pub replay_count_max: u8,
    /// Time for which a link without lanes keeps its frames and hopes, in nanoseconds.
    pub link_down_timer_ns: u64,
    /// Mean time between flaps of this link, in milliseconds; 0 is never.
    pub flap_gap_ms: u64,
    /// Mean length of a flap, in microseconds.
    pub flap_length_us: u64,
    /// Lanes that a flap takes.
    pub flap_lanes: u8,
}

preset!(
    /// A healthy 200 Gb/s link of Slingshot.
    LinkParameters, slingshot, slingshot_provenance, {
    lanes = 4, Published, "SC20 II-A: four lanes of 56 Gb/s, 50 Gb/s usable", "", "rate with a lane lost";
    bit_errors = 6, Measured, "shs-docs, sample output of a healthy link: about 6e-11 before correction", "", "corrected codewords";
    bit_errors_per_10_to = 11, Measured, "shs-docs, sample output of a healthy link: about 6e-11 before correction", "", "corrected codewords";
    burst_bits = 1, Assumed, "no source: a line that is mostly limited by noise; error propagation in the receiver would give a few bits", "1 to 1000", "uncorrectable codewords";
    fec = FecKind::Rs544, Derived, "shs-docs, sample output: 39 M codewords/s; 200 Gb/s / 5,140 bits = 38.9 M, where the low-latency code of SC20 II-F would show 77.8 M", "", "uncorrectable codewords";
    replay_entries = 2_048, Published, "cassini-headers: max_seq = max_data = 2048", "", "rate of a long link";
    replay_timer_ns = 15_500, Published, "cassini-headers: replay_timer_max = 0x3c8c, at 1 GHz; also the upper limit in the public link driver", "", "time lost when an answer is lost";
    retry_threshold = 2, Published, "cassini-headers: retry_threshold = 2; what the hardware does beyond it is not published, here it counts", "", "replays counted as signs of a failing link";
    replay_count_max = 254, Published, "public link driver: 0xfe on fabric links. The register's default of 255 means no limit, as in the Ultra Ethernet specification", "", "time until a dead link is given up";
    link_down_timer_ns = 1_000_000_000, Published, "cassini-headers: pcs_link_dn_timer_max = 1e9, at 1 GHz", "", "longest flap that loses no frame";
    flap_gap_ms = 0, Assumed, "no flaps unless asked for: rates of installed links are not published", "1 hour to never", "availability of a link";
    flap_length_us = 100_000, Assumed, "no source: a receiver that finds its alignment again", "1000 to 10000000", "whether a flap is bridged or takes the link down";
    flap_lanes = 4, Assumed, "no source: connectors and optics fail as a whole", "1 to lanes", "rate during a flap";
});

impl Default for LinkParameters {
    fn default() -> Self {
        Self::slingshot()
    }
}

/// The most replay entries: half the sequence numbers, or a full buffer would look like an empty
/// one.
///
/// Source: cassini-headers, default of `max_seq`. Status: published.
pub(crate) const ENTRIES_MAX: u16 = philae_wire::link_retry::IN_FLIGHT_MAX;

impl LinkParameters {
    #[must_use]
    pub const fn replay_timer(&self) -> Picoseconds {
        Picoseconds::from_nanos(self.replay_timer_ns as u64)
    }

    /// The time for which a link without lanes is kept.
    #[must_use]
    pub const fn link_down_timer(&self) -> Picoseconds {
        Picoseconds::from_nanos(self.link_down_timer_ns)
    }
}

/// The replay timer that a driver sets once it has measured the loop: `3 * loop + 500 ns`, within 1
/// to 15.5 us.
///
/// Source: the public link driver. Status: published.
#[must_use]
pub fn replay_timer(round_trip: Picoseconds) -> Picoseconds {
    let (least, most) = (Picoseconds::from_micros(1), Picoseconds::from_nanos(15_500));
    (round_trip * 3 + Picoseconds::from_nanos(500)).max(least).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preset_can_be_built_and_every_figure_has_an_origin() {
        LinkParameters::slingshot().check().unwrap();
        let rows = LinkParameters::slingshot_provenance();
        assert_eq!(rows.len(), 13);
        assert!(rows.iter().all(|row| !row.source.is_empty() && !row.moves.is_empty()));
    }

    #[test]
    fn the_replay_timer_follows_the_loop_within_limits() {
        assert_eq!(replay_timer(Picoseconds::ZERO), Picoseconds::from_micros(1));
        assert_eq!(replay_timer(Picoseconds::from_nanos(1_300)), Picoseconds::from_nanos(4_400));
        assert_eq!(replay_timer(Picoseconds::from_micros(90)), Picoseconds::from_nanos(15_500));
    }
}
