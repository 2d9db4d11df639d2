//! Halo exchange with all 26 neighbours.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::WorkloadError;
use crate::motif::Halo3d;
use crate::program::RankProgram;
use crate::quantity::Span;
use crate::workload::Workload;

/// `halo3d-26`: compute, then exchange faces, edges and corners with all neighbours at the same time. `halo3d` with `diagonals`.
///
/// Source: Ember's halo3d-26 (sstsimulator/ember @ f47fcd9). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Halo3d26 {
    /// Cells of one rank in x, y, z. Default 10 each. Source: Ember. Status: published.
    pub cells: [u32; 3],
    /// Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.
    pub vars: u32,
    /// Computation before each exchange. Default 1 us. Source: Ember. Status: published.
    pub compute: Span,
    /// Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Endless when absent. Ember: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Halo3d26 {
    fn default() -> Self {
        let Halo3d { cells, vars, compute, grid, diagonals: _, iterations } = Halo3d::default();
        Self { cells, vars, compute, grid, iterations }
    }
}

impl Halo3d26 {
    fn as_halo3d(&self) -> Halo3d {
        let Self { cells, vars, compute, grid, iterations } = *self;
        Halo3d { cells, vars, compute, grid, diagonals: true, iterations }
    }
}

impl Workload for Halo3d26 {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        self.as_halo3d().check(ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        self.as_halo3d().program(rank, ranks, seed)
    }

    fn describe(&self) -> String {
        self.as_halo3d().describe()
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
