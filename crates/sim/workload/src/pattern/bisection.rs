//! One half of the ranks with the other half, in both directions.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Pairing;
use crate::error::WorkloadError;
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::stream::{Always, Offered, StreamOperation, StreamProgram, StreamShape, WINDOW_DEFAULT, stream_text};
use crate::workload::Workload;

/// `bisection`: rank `i` and rank `i + n / 2` stream to each other, in both directions at the same time.
///
/// Whether this crosses the smallest cut depends on the placement: with linear allocation over whole groups it does.
/// Source: De Sensi et al., SC'20, Fig. 6 and Fig. 14. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Bisection {
    /// Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status: published.
    pub bytes: Size,
    /// Default `put`.
    pub operation: StreamOperation,
    /// Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to fill a link with messages of 128 KiB or more.
    pub window: u32,
    /// Start messages at a given rate instead of keeping the window full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offered: Option<Offered>,
    /// Messages of each rank; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Bisection {
    fn default() -> Self {
        Self {
            bytes: Size::kib(128),
            operation: StreamOperation::Put,
            window: WINDOW_DEFAULT,
            offered: None,
            iterations: None,
        }
    }
}

impl Bisection {
    fn shape(&self) -> StreamShape {
        StreamShape {
            bytes: self.bytes,
            operation: self.operation,
            window: self.window,
            messages: self.iterations,
            offered: self.offered,
        }
    }
}

impl Workload for Bisection {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        Pairing::Halves.check("bisection", ranks)?;
        self.shape().check("bisection")
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let (partner, _) = Pairing::Halves.partner(rank.0, ranks).expect("an even number of ranks, checked before");
        Box::new(StreamProgram::new(self.shape(), Always(partner), Some(partner), rank, seed))
    }

    fn describe(&self) -> String {
        format!("bisection, {}", stream_text(&self.shape()))
    }

    fn offered_gbps(&self) -> Option<f64> {
        self.offered.map(|offered| offered.gbps())
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }

    fn counted_iterations(&self) -> Option<u32> {
        self.iterations.map(|_| 1)
    }
}
