//! Bit errors, and which frames they damage after correction.
//!
//! The line is one endless row of codewords that pass whether or not a frame is in them. The next
//! error is known as a position on it. So a frame without errors costs one comparison, and so does
//! a link that was idle for an hour.
//!
//! ```text
//! payload  |== frame ==|  idle   |==== frame ====|
//! line     [ codeword ][ codeword ][ codeword ][ codeword ]
//! errors         x                    xx x            gap to the next: geometric
//! ```
//! Not modelled: the interleaving of codewords over lanes (a burst falls into one codeword, where
//! standard Ethernet spreads it over two), decoders that repair to a wrong codeword (the frame
//! check sees those), and errors of single lanes.
//!
//! Source: IEEE 802.3 clause 91 for the codes.

use philae_engine::{RandomStream, exponential_of_mean};
use philae_units::{Bytes, LinkRate, Picoseconds};

use crate::purpose;
use crate::{FecCode, LinkParameters};

/// What happened to a frame on the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameErrors {
    /// Codewords repaired since the crossing before, including those between frames.
    pub corrected: u64,
    /// Codewords beyond repair since the crossing before, including those between frames.
    pub uncorrected: u64,
    /// Whether the frame lies in a codeword beyond repair, and so fails its check.
    pub damaged: bool,
}

/// The noise of one direction of one link.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct BitErrors {
    stream: RandomStream,
    code: FecCode,
    burst_bits: u64,
    /// Mean distance from the start of one disturbance to the next, in line bits, 16 fractional
    /// bits; `None` on a clean line.
    gap: Option<u128>,
    /// Start of the next disturbance, in line bits; the end of all positions if there is none.
    next: u64,
    /// End of the disturbance before, in line bits. Its bits that are not counted yet lie in the
    /// next codeword.
    carried_to: u64,
    /// Codewords decoded so far.
    decoded: u64,
    /// One more than the last codeword beyond repair.
    damaged_before: u64,
    /// Payload bits that have passed, frames and idle.
    passed: u64,
    /// Time up to which they have passed.
    now: Picoseconds,
}

impl BitErrors {
    /// The noise of `direction` (any number that no other direction has) in a run of `seed`.
    ///
    /// # Panics
    /// If [`LinkParameters::check`] refuses the parameters.
    #[must_use]
    pub fn new(parameters: &LinkParameters, seed: u64, direction: u64) -> Self {
        parameters.check().expect("a link is built from parameters that were checked");
        let mut errors = Self {
            stream: RandomStream::new(seed, direction, purpose::BIT_ERROR),
            code: parameters.fec.code(),
            burst_bits: parameters.burst_bits.into(),
            gap: mean_gap(parameters),
            next: u64::MAX,
            carried_to: 0,
            decoded: 0,
            damaged_before: 0,
            passed: 0,
            now: Picoseconds::ZERO,
        };
        errors.next = errors.distance();
        errors
    }

    /// A frame of `size` begins to cross at `start`, at `rate`; frames do not overlap.
    ///
    /// Idle time passes at the same rate, rounded down to whole bits.
    ///
    /// # Panics
    /// On an empty frame, and if the frame starts before the one before has left.
    pub fn cross(&mut self, start: Picoseconds, rate: LinkRate, size: Bytes) -> FrameErrors {
        assert!(start >= self.now, "frames on a link follow each other");
        assert!(size.0 > 0, "a frame has bytes");
        let idle = u128::from((start - self.now).0) * u128::from(rate.0) / 1_000_000;
        self.passed += u64::try_from(idle).expect("a run has less than 2^64 bits on a link");
        let payload = self.code.payload_bits();
        let first = self.passed / payload;
        self.passed += size.0 * 8;
        let last = (self.passed - 1) / payload;
        self.now = start + rate.serialization(size);
        let (corrected, uncorrected) = self.decode_through(last);
        FrameErrors { corrected, uncorrected, damaged: self.damaged_before > first }
    }

    /// Decodes all codewords up to and including `last`. Returns how many were repaired and how
    /// many were beyond repair.
    fn decode_through(&mut self, last: u64) -> (u64, u64) {
        let (mut corrected, mut uncorrected) = (0, 0);
        let bits = self.code.codeword_bits();
        loop {
            let codeword = if self.carried_to > self.decoded * bits { self.decoded } else { self.next / bits };
            if codeword > last {
                self.decoded = self.decoded.max(last + 1);
                return (corrected, uncorrected);
            }
            if self.wrong_symbols(codeword) > u64::from(self.code.correctable_symbols) {
                uncorrected += 1;
                self.damaged_before = codeword + 1;
            } else {
                corrected += 1;
            }
            self.decoded = codeword + 1;
        }
    }

    /// Number of symbols of `codeword` with a wrong bit. Uses up the disturbances that start in it.
    fn wrong_symbols(&mut self, codeword: u64) -> u64 {
        let bits = self.code.codeword_bits();
        let symbol = u64::from(self.code.symbol_bits);
        let (start, end) = (codeword * bits, (codeword + 1) * bits);
        // Symbols below this one are counted.
        let mut counted = start / symbol;
        let mut wrong = 0;
        if self.carried_to > start {
            let past = self.carried_to.min(end).div_ceil(symbol);
            wrong += past - counted;
            counted = past;
        }
        while self.next < end {
            self.carried_to = self.next + self.burst_bits;
            let past = self.carried_to.min(end).div_ceil(symbol);
            wrong += past.saturating_sub(counted.max(self.next / symbol));
            counted = counted.max(past);
            self.next = self.next.saturating_add(1).saturating_add(self.distance());
        }
        wrong
    }

    /// Clean bits before the next disturbance: geometric, as the whole part of an exponential draw.
    fn distance(&mut self) -> u64 {
        self.gap.map_or(u64::MAX, |mean| exponential_of_mean(&mut self.stream, mean))
    }
}

/// The mean of the exponential whose whole part is geometric with the chance `p` that a bit starts
/// a disturbance.
///
/// It is `-1 / ln(1 - p) = 1/p - 1/2 - p/12 - ...`; the terms left out are below `p^2 / 24`. `p` is
/// the bit error rate divided by the bits of a burst, so that longer bursts are rarer. Where bursts
/// overlap, the rate of wrong bits is a little lower.
fn mean_gap(parameters: &LinkParameters) -> Option<u128> {
    if parameters.bit_errors == 0 {
        return None;
    }
    let bits = 10_u128.pow(parameters.bit_errors_per_10_to.into()) * u128::from(parameters.burst_bits);
    let errors = u128::from(parameters.bit_errors);
    Some((bits << 16) / errors - (1 << 15) - (errors << 16) / (12 * bits))
}

#[cfg(test)]
mod tests;
