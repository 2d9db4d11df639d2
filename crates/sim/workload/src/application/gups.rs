//! Random updates of a table that is distributed over all ranks.

use philae_engine::RandomStream;
use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::pattern::OneSidedOperation;
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::random::purpose;
use crate::workload::{Workload, iterations_text};

/// `gups`: every rank updates words at random addresses on the other ranks, a window at a time. One iteration is one window.
///
/// An address on the rank itself, one in as many as there are ranks, is skipped: it is an update of local memory.
/// Source: Ember's randominc (sstsimulator/ember @ f47fcd9), a fetching add of 8 B; HPCC RandomAccess, the window. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gups {
    /// A word. Default 8 B. Source: Ember. Status: published.
    pub bytes: Size,
    /// Default `fetching-amo`. Source: Ember. Status: published.
    pub operation: OneSidedOperation,
    /// Updates between two waits. Default 1,024. Source: HPCC RandomAccess, the largest lookahead that it allows. Status: published.
    /// Ember waits for each: 1.
    pub window: u32,
    /// Windows; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Gups {
    fn default() -> Self {
        Self { bytes: Size::bytes(8), operation: OneSidedOperation::FetchingAmo, window: 1_024, iterations: None }
    }
}

/// Largest window: all its operations start together.
const WINDOW_MAX: u32 = 1 << 20;

impl Workload for Gups {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        message_size("gups", "bytes", self.bytes.0)?;
        not_zero("gups", "window", self.window)?;
        if self.window > WINDOW_MAX {
            let (found, allowed) = (self.window.into(), format!("at most {WINDOW_MAX}"));
            return Err(WorkloadError::OutOfRange { workload: "gups", key: "window", found, allowed });
        }
        at_least("gups", 2, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let targets = RandomStream::new(seed, u64::from(rank.0), purpose::DESTINATION);
        Box::new(Phased::new(Updates { spec: self.clone(), rank: rank.0, ranks, targets }, self.iterations))
    }

    fn describe(&self) -> String {
        let (operation, window) = (self.operation.name(), self.window);
        format!("gups, {operation} {window} x {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Updates {
    spec: Gups,
    rank: u32,
    ranks: u32,
    targets: RandomStream,
}

impl Motif for Updates {
    fn step(&mut self, _iteration: u32, step: u32, phase: &mut Phase) -> bool {
        if step > 0 {
            return false;
        }
        for _ in 0..self.spec.window {
            let other = self.targets.below(self.ranks - 1);
            let target = if other < self.rank { other } else { other + 1 };
            self.spec.operation.add(target, self.spec.bytes.0, phase);
        }
        true
    }
}
