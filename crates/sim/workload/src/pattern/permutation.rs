//! Random pairs: every rank sends to one rank and receives from one.

use philae_engine::RandomStream;
use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::random::{Scrambled, purpose};
use crate::stream::{Always, Offered, StreamOperation, StreamProgram, StreamShape, WINDOW_DEFAULT, stream_text};
use crate::workload::Workload;

/// `permutation`: every rank streams to one other rank, and one other rank streams to it.
///
/// All ranks form one ring in random order (GPCNeT's random ring, in one direction), so no rank sends to itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Permutation {
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

impl Default for Permutation {
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

impl Permutation {
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

impl Workload for Permutation {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("permutation", 2, ranks)?;
        self.shape().check("permutation")
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let key = RandomStream::new(seed, 0, purpose::PERMUTATION).next_u64();
        let order = Scrambled::new(u64::from(ranks), key);
        let place = order.forward(u64::from(rank.0));
        let to = order.backward((place + 1) % u64::from(ranks)) as u32;
        let from = order.backward((place + u64::from(ranks) - 1) % u64::from(ranks)) as u32;
        Box::new(StreamProgram::new(self.shape(), Always(to), Some(from), rank, seed))
    }

    fn describe(&self) -> String {
        format!("random permutation, {}", stream_text(&self.shape()))
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
