//! All ranks to the rank a fixed distance above: the basis of adversarial traffic on a dragonfly.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least, not_zero};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::stream::{Always, Offered, StreamOperation, StreamProgram, StreamShape, WINDOW_DEFAULT, stream_text};
use crate::workload::Workload;

/// `shift`: rank `i` streams to rank `i + by * stride`, modulo the number of ranks. With `stride` = ranks in a group, `by` = 1 sends all
/// traffic of a group to the next group, the worst case for minimal routing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Shift {
    /// Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status: published.
    pub bytes: Size,
    /// Number of strides. Default 1.
    pub by: u32,
    /// Ranks in a stride. Default 1.
    pub stride: u32,
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

impl Default for Shift {
    fn default() -> Self {
        Self {
            bytes: Size::kib(128),
            by: 1,
            stride: 1,
            operation: StreamOperation::Put,
            window: WINDOW_DEFAULT,
            offered: None,
            iterations: None,
        }
    }
}

impl Shift {
    /// The distance of each message, below `ranks`.
    fn distance(&self, ranks: u32) -> u32 {
        (u64::from(self.by) * u64::from(self.stride) % u64::from(ranks)) as u32
    }

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

impl Workload for Shift {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("shift", 2, ranks)?;
        not_zero("shift", "by", self.by)?;
        not_zero("shift", "stride", self.stride)?;
        if self.distance(ranks) == 0 {
            let found = u64::from(self.by) * u64::from(self.stride);
            let allowed =
                format!("such that `by * stride` is not a multiple of the {ranks} ranks (no rank sends to itself)");
            return Err(WorkloadError::OutOfRange { workload: "shift", key: "by * stride", found, allowed });
        }
        self.shape().check("shift")
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let distance = u64::from(self.distance(ranks));
        let (own, all) = (u64::from(rank.0), u64::from(ranks));
        let (to, from) = ((own + distance) % all, (own + all - distance) % all);
        Box::new(StreamProgram::new(self.shape(), Always(to as u32), Some(from as u32), rank, seed))
    }

    fn describe(&self) -> String {
        format!("shift by {} x {}, {}", self.by, self.stride, stream_text(&self.shape()))
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
