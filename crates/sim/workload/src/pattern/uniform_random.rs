//! Every message to a random rank: the load that spreads best.

use philae_engine::RandomStream;
use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::random::purpose;
use crate::stream::{Destinations, Offered, StreamOperation, StreamProgram, StreamShape, WINDOW_DEFAULT, stream_text};
use crate::workload::Workload;

/// `uniform-random`: every message goes to another rank, each equally likely. Always puts: a target cannot know how many
/// messages to receive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UniformRandom {
    /// Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status: published.
    pub bytes: Size,
    /// Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to fill a link with messages of 128 KiB or more.
    pub window: u32,
    /// Start messages at a given rate instead of keeping the window full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offered: Option<Offered>,
    /// Messages of each rank; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for UniformRandom {
    fn default() -> Self {
        Self { bytes: Size::kib(128), window: WINDOW_DEFAULT, offered: None, iterations: None }
    }
}

impl UniformRandom {
    fn shape(&self) -> StreamShape {
        StreamShape {
            bytes: self.bytes,
            operation: StreamOperation::Put,
            window: self.window,
            messages: self.iterations,
            offered: self.offered,
        }
    }
}

impl Workload for UniformRandom {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("uniform-random", 2, ranks)?;
        self.shape().check("uniform-random")
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let stream = RandomStream::new(seed, u64::from(rank.0), purpose::DESTINATION);
        Box::new(StreamProgram::new(self.shape(), AnyOther { rank: rank.0, ranks, stream }, None, rank, seed))
    }

    fn describe(&self) -> String {
        format!("uniform random, {}", stream_text(&self.shape()))
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

/// Any rank except the own one.
struct AnyOther {
    rank: u32,
    ranks: u32,
    stream: RandomStream,
}

impl Destinations for AnyOther {
    fn next(&mut self) -> u32 {
        let other = self.stream.below(self.ranks - 1);
        if other < self.rank { other } else { other + 1 }
    }
}
