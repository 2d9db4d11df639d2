//! `allgather`, `gather`, `scatter`.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BYTE, boxed, has_root, root_text, uneven_text};
use crate::collective::sizes::Sizes;
use crate::collective::{AllgatherAlgorithm, Case, Collective, GatherAlgorithm, SelectionTable};
use crate::error::WorkloadError;
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::spec::{Workload, iterations_text};

/// `allgather`: every rank's block reaches all ranks (MPI_Allgather; with `sizes` MPI_Allgatherv).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Allgather {
    /// The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours. Status: assumed, any size is
    /// sensible.
    pub bytes: Size,
    /// Sizes by rank; all equal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// Default `auto`.
    pub algorithm: AllgatherAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Allgather {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            sizes: None,
            algorithm: AllgatherAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Allgather {
    /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
    #[must_use]
    pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let blocks = Sizes::blocks(self.sizes.as_ref(), self.bytes.0, BYTE.0, seed);
        let algorithm = match self.algorithm {
            AllgatherAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).allgather(&Case::blocks(ranks, &blocks))
            }
            chosen => chosen,
        };
        Collective::Allgather { algorithm, blocks }
    }
}

impl Workload for Allgather {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        Sizes::check(self.sizes.as_ref(), "allgather", self.bytes.0, BYTE.0, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let uneven = uneven_text(self.sizes.as_ref());
        format!("allgather {}{uneven}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `gather`: every rank's block reaches one rank (MPI_Gather; with `sizes` MPI_Gatherv).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gather {
    /// The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours. Status: assumed, any size is
    /// sensible.
    pub bytes: Size,
    /// Sizes by rank; all equal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// The rank that gets the blocks. Default 0.
    pub root: u32,
    /// Default `auto`.
    pub algorithm: GatherAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Gather {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            sizes: None,
            root: 0,
            algorithm: GatherAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Gather {
    /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
    #[must_use]
    pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let blocks = Sizes::blocks(self.sizes.as_ref(), self.bytes.0, BYTE.0, seed);
        let algorithm = match self.algorithm {
            GatherAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).gather(&Case::blocks(ranks, &blocks))
            }
            chosen => chosen,
        };
        Collective::Gather { algorithm, blocks, root: self.root }
    }
}

impl Workload for Gather {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        has_root("gather", self.root, ranks)?;
        Sizes::check(self.sizes.as_ref(), "gather", self.bytes.0, BYTE.0, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let uneven = uneven_text(self.sizes.as_ref());
        let root = root_text("to", self.root);
        format!("gather {}{uneven}{root}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `scatter`: each rank gets its block from one rank (MPI_Scatter; with `sizes` MPI_Scatterv).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scatter {
    /// The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours. Status: assumed, any size is
    /// sensible.
    pub bytes: Size,
    /// Sizes by rank; all equal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// The rank that has the blocks. Default 0.
    pub root: u32,
    /// Default `auto`.
    pub algorithm: GatherAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Scatter {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            sizes: None,
            root: 0,
            algorithm: GatherAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Scatter {
    /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
    #[must_use]
    pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let blocks = Sizes::blocks(self.sizes.as_ref(), self.bytes.0, BYTE.0, seed);
        let algorithm = match self.algorithm {
            GatherAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).scatter(&Case::blocks(ranks, &blocks))
            }
            chosen => chosen,
        };
        Collective::Scatter { algorithm, blocks, root: self.root }
    }
}

impl Workload for Scatter {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        has_root("scatter", self.root, ranks)?;
        Sizes::check(self.sizes.as_ref(), "scatter", self.bytes.0, BYTE.0, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let uneven = uneven_text(self.sizes.as_ref());
        let root = root_text("from", self.root);
        format!("scatter {}{uneven}{root}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
