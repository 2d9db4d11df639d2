//! A message there and back: the latency test.

use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least, message_size};
use crate::phase::{Idle, Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// The pairs of ranks. The first of a pair begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Ranks 0 and 1; the others are idle.
    #[default]
    First,
    /// Rank 0 and the last rank; the others are idle.
    Ends,
    /// Rank `i` and rank `i + n / 2`, all at the same time.
    Halves,
    /// Ranks `2 i` and `2 i + 1`, all at the same time.
    Neighbours,
}

impl Pairing {
    /// The partner of `rank`, and whether `rank` is the first of the pair. None for idle ranks.
    #[must_use]
    pub const fn partner(self, rank: u32, ranks: u32) -> Option<(u32, bool)> {
        let half = ranks / 2;
        let partner = match self {
            Self::First if rank < 2 => rank ^ 1,
            Self::Ends if rank == 0 => ranks - 1,
            Self::Ends if rank == ranks - 1 => 0,
            Self::Halves if rank < half => rank + half,
            Self::Halves if rank < 2 * half => rank - half,
            Self::Neighbours if rank / 2 < half => rank ^ 1,
            _ => return None,
        };
        Some((partner, rank < partner))
    }

    /// Checks whether every rank has a part, so that their number must be even.
    pub(crate) fn check(self, workload: &'static str, ranks: u32) -> Result<(), WorkloadError> {
        at_least(workload, 2, ranks)?;
        if matches!(self, Self::Halves | Self::Neighbours) && ranks % 2 == 1 {
            return Err(WorkloadError::OddRanks { workload, found: ranks });
        }
        Ok(())
    }
}

/// `ping-pong`: the first of each pair sends, the second answers. One iteration is one round trip, from the first's send until it has
/// the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PingPong {
    /// Size of a message in each direction. Default 8 B. Source: De Sensi et al., SC'20, smallest size. Status: published.
    pub bytes: Size,
    /// The pairs of ranks. Default `first`.
    pub pairs: Pairing,
    /// Computation of the first of a pair before each round trip. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for PingPong {
    fn default() -> Self {
        Self { bytes: Size::bytes(8), pairs: Pairing::First, compute: Span::default(), iterations: None }
    }
}

impl Workload for PingPong {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        message_size("ping-pong", "bytes", self.bytes.0)?;
        self.pairs.check("ping-pong", ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        match self.pairs.partner(rank.0, ranks) {
            None => Box::new(Idle),
            Some((partner, first)) => {
                let motif = RoundTrip { partner, first, bytes: self.bytes.0, compute: self.compute.0 };
                Box::new(Phased::new(motif, self.iterations))
            }
        }
    }

    fn describe(&self) -> String {
        format!("ping-pong {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct RoundTrip {
    partner: u32,
    first: bool,
    bytes: Bytes,
    compute: Picoseconds,
}

impl Motif for RoundTrip {
    /// The second waits for its next message as soon as it has answered: its time is no round trip.
    fn counts(&self) -> bool {
        self.first
    }

    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        match (step, self.first) {
            (0, true) => phase.compute(self.compute),
            (0, false) => {}
            (1, true) | (2, false) => phase.send(self.partner, self.bytes, iteration),
            (1, false) | (2, true) => phase.recv(self.partner, self.bytes, iteration),
            _ => return false,
        }
        true
    }
}
