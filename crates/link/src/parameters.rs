//! The figures of a link.

use philae_units::{Picoseconds, preset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which forward error correction a link runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FecKind {
    /// None: every byte with a wrong bit is damage.
    None,
    /// RS(272, 257+1) of the 25 Gigabit Ethernet Consortium.
    LowLatency,
    /// RS(544, 514) of IEEE 802.3 clause 91 and 119 ("KP4").
    Rs544,
}

/// The shape of a block code over the bits of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FecCode {
    /// Bits of a symbol. Source: IEEE 802.3 clause 91. Status: published.
    pub symbol_bits: u32,
    /// Symbols of a codeword. Source: the code's name. Status: published.
    pub codeword_symbols: u32,
    /// Symbols of a codeword that carry frames. Source: the code's name. Status: published.
    pub payload_symbols: u32,
    /// Wrong symbols that the decoder repairs.
    ///
    /// Source: half the parity symbols, (544 - 514) / 2 and (272 - 258) / 2. Status: derived.
    pub correctable_symbols: u32,
}

impl FecCode {
    /// Bits of a codeword on the line.
    #[must_use]
    pub const fn codeword_bits(self) -> u64 {
        self.symbol_bits as u64 * self.codeword_symbols as u64
    }

    /// Bits of frames in a codeword.
    #[must_use]
    pub const fn payload_bits(self) -> u64 {
        self.symbol_bits as u64 * self.payload_symbols as u64
    }
}

impl FecKind {
    /// The code. Without correction a "codeword" is one byte, which nothing repairs.
    #[must_use]
    pub const fn code(self) -> FecCode {
        match self {
            Self::None => FecCode { symbol_bits: 1, codeword_symbols: 8, payload_symbols: 8, correctable_symbols: 0 },
            Self::LowLatency => {
                FecCode { symbol_bits: 10, codeword_symbols: 272, payload_symbols: 257, correctable_symbols: 7 }
            }
            Self::Rs544 => {
                FecCode { symbol_bits: 10, codeword_symbols: 544, payload_symbols: 514, correctable_symbols: 15 }
            }
        }
    }

    /// Time that it adds to a crossing.
    ///
    /// Source: 50 ns as the switch has it (`rosetta`, `fec_ns`); the Consortium says that its code takes about half the time
    /// of the standard one, hence 100 ns. Status: assumed; a latency of the same link with both codes would settle it.
    #[must_use]
    pub const fn latency(self) -> Picoseconds {
        match self {
            Self::None => Picoseconds::ZERO,
            Self::LowLatency => Picoseconds::from_nanos(50),
            Self::Rs544 => Picoseconds::from_nanos(100),
        }
    }
}

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

/// A link that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("link: `{key}` is {found}; {works} would work")]
pub struct ParameterError {
    /// The key.
    pub key: &'static str,
    /// What was asked.
    pub found: u64,
    /// What would work.
    pub works: String,
}

/// Most replay entries: half the sequence numbers, or a full buffer would look like an empty one.
///
/// Source: cassini-headers, default of `max_seq`. Status: published.
pub(crate) const ENTRIES_MAX: u16 = 2_048;

impl LinkParameters {
    /// Whether such a link can be built.
    ///
    /// # Errors
    /// [`ParameterError`] for the first figure outside its range, or a line on which a tenth of the bits or more starts an
    /// error.
    pub fn check(&self) -> Result<(), ParameterError> {
        within("lanes", self.lanes.into(), 1, 8)?;
        within("bit_errors_per_10_to", self.bit_errors_per_10_to.into(), 1, 18)?;
        within("burst_bits", self.burst_bits.into(), 1, 65_536)?;
        within("replay_entries", self.replay_entries.into(), 1, ENTRIES_MAX.into())?;
        within("replay_timer_ns", self.replay_timer_ns.into(), 1, u32::MAX.into())?;
        within("flap_lanes", self.flap_lanes.into(), 1, self.lanes.into())?;
        // Times must stay within 2^64 ps, also as 44 times the mean, the longest draw there is.
        within("link_down_timer_ns", self.link_down_timer_ns, 0, 1_000_000_000_000_000)?;
        within("flap_gap_ms", self.flap_gap_ms, 0, 100_000_000)?;
        within("flap_length_us", self.flap_length_us, 1, 100_000_000_000)?;
        let most = 10_u64.pow(self.bit_errors_per_10_to.into()) / 10;
        within("bit_errors", self.bit_errors.into(), 0, most.saturating_mul(self.burst_bits.into()))
    }

    /// The replay timer.
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

fn within(key: &'static str, found: u64, least: u64, most: u64) -> Result<(), ParameterError> {
    if found < least || found > most {
        return Err(ParameterError { key, found, works: format!("{least} to {most}") });
    }
    Ok(())
}

/// The replay timer that a driver sets once the loop has been timed: `3 * loop + 500 ns`, within 1 to 15.5 us.
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
    fn what_cannot_be_built_says_what_can() {
        let refused = |change: fn(&mut LinkParameters)| {
            let mut parameters = LinkParameters::slingshot();
            change(&mut parameters);
            parameters.check().unwrap_err().to_string()
        };
        assert_eq!(refused(|link| link.replay_entries = 2_049), "link: `replay_entries` is 2049; 1 to 2048 would work");
        assert_eq!(refused(|link| link.flap_lanes = 5), "link: `flap_lanes` is 5; 1 to 4 would work");
        assert!(refused(|link| (link.bit_errors, link.bit_errors_per_10_to) = (2, 1)).contains("`bit_errors`"));
    }

    #[test]
    fn codewords_a_second_are_those_that_the_diagnostics_print() {
        let a_second = |fec: FecKind| 200_000_000_000 / fec.code().payload_bits();
        assert_eq!(a_second(FecKind::Rs544) / 100_000, 389);
        assert_eq!(a_second(FecKind::LowLatency) / 100_000, 778);
    }

    #[test]
    fn the_replay_timer_follows_the_loop_within_limits() {
        assert_eq!(replay_timer(Picoseconds::ZERO), Picoseconds::from_micros(1));
        assert_eq!(replay_timer(Picoseconds::from_nanos(1_300)), Picoseconds::from_nanos(4_400));
        assert_eq!(replay_timer(Picoseconds::from_micros(90)), Picoseconds::from_nanos(15_500));
    }

    #[test]
    fn stronger_codes_take_longer() {
        assert!(FecKind::None.latency() < FecKind::LowLatency.latency());
        assert!(FecKind::LowLatency.latency() < FecKind::Rs544.latency());
    }
}
