//! Forward error correction: the codes, and what each repairs.

use philae_units::Picoseconds;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// The code. Without correction a "codeword" is one byte, which cannot be repaired.
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
    /// Source: 50 ns as the switch has it (`rosetta`, `fec_ns`); the Consortium says that its code
    /// takes about half the time of the standard one, hence 100 ns. Status: assumed; a latency of
    /// the same link with both codes would settle it.
    #[must_use]
    pub const fn latency(self) -> Picoseconds {
        match self {
            Self::None => Picoseconds::ZERO,
            Self::LowLatency => Picoseconds::from_nanos(50),
            Self::Rs544 => Picoseconds::from_nanos(100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codewords_a_second_are_those_that_the_diagnostics_print() {
        let a_second = |fec: FecKind| 200_000_000_000 / fec.code().payload_bits();
        assert_eq!(a_second(FecKind::Rs544) / 100_000, 389);
        assert_eq!(a_second(FecKind::LowLatency) / 100_000, 778);
    }

    #[test]
    fn stronger_codes_take_longer() {
        assert!(FecKind::None.latency() < FecKind::LowLatency.latency());
        assert!(FecKind::LowLatency.latency() < FecKind::Rs544.latency());
    }
}
