//! `allreduce`, `reduce`, `reduce-scatter`.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{boxed, fits_switch, has_root, root_text, rules_choose, uneven_text};
use crate::collective::sizes::{Sizes, divides};
use crate::collective::{
    AllreduceAlgorithm, Case, Collective, ReduceAlgorithm, ReduceScatterAlgorithm, SelectionTable, VectorSum,
};
use crate::error::{WorkloadError, message_size};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

fn vector(bytes: Size, element: Size) -> VectorSum {
    VectorSum { elements: bytes.0.0 / element.0.0.max(1), element_bytes: element.0 }
}

fn check_vector(workload: &'static str, bytes: Size, element: Size) -> Result<(), WorkloadError> {
    message_size(workload, "bytes", bytes.0)?;
    message_size(workload, "element", element.0)?;
    divides(workload, "bytes", bytes.0, element.0)
}

/// `allreduce`: every rank ends with the sum of a vector over all ranks (MPI_Allreduce).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Allreduce {
    /// The vector. Default 8 B. Source: De Sensi et al., SC'20, traffic classes; GPCNeT. Status: published.
    pub bytes: Size,
    /// One element, which is never cut. Default 8 B, a double. Must divide `bytes`.
    pub element: Size,
    /// Default `auto`.
    pub algorithm: AllreduceAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Allreduce {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            element: Size::bytes(8),
            algorithm: AllreduceAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Allreduce {
    /// The collective with its algorithm chosen for `ranks`.
    #[must_use]
    pub fn collective(&self, ranks: u32) -> Collective {
        let vector = vector(self.bytes, self.element);
        let algorithm = match self.algorithm {
            AllreduceAlgorithm::Auto => {
                let case = Case::whole(ranks, self.bytes.0, vector.elements);
                SelectionTable::or_mpich(self.selection.as_ref()).allreduce(&case)
            }
            chosen => chosen,
        };
        Collective::Allreduce { algorithm, vector }
    }
}

impl Workload for Allreduce {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        rules_choose("allreduce", self.selection.as_ref(), self.algorithm)?;
        check_vector("allreduce", self.bytes, self.element)?;
        if self.collective(ranks).is_offloaded() {
            fits_switch("allreduce", self.bytes.0, ranks)?;
        }
        Ok(())
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("allreduce {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn offloads(&self, ranks: u32) -> bool {
        self.collective(ranks).is_offloaded()
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `reduce`: one rank ends with the sum of a vector over all ranks (MPI_Reduce).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reduce {
    /// The vector. Default 8 B. Source: ours. Status: assumed, any size is sensible.
    pub bytes: Size,
    /// One element, which is never cut. Default 8 B, a double. Must divide `bytes`.
    pub element: Size,
    /// The rank that gets the sum. Default 0.
    pub root: u32,
    /// Default `auto`.
    pub algorithm: ReduceAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Reduce {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            element: Size::bytes(8),
            root: 0,
            algorithm: ReduceAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Reduce {
    /// The collective with its algorithm chosen for `ranks`.
    #[must_use]
    pub fn collective(&self, ranks: u32) -> Collective {
        let vector = vector(self.bytes, self.element);
        let algorithm = match self.algorithm {
            ReduceAlgorithm::Auto => {
                let case = Case::whole(ranks, self.bytes.0, vector.elements);
                SelectionTable::or_mpich(self.selection.as_ref()).reduce(&case)
            }
            chosen => chosen,
        };
        Collective::Reduce { algorithm, vector, root: self.root }
    }
}

impl Workload for Reduce {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        has_root("reduce", self.root, ranks)?;
        rules_choose("reduce", self.selection.as_ref(), self.algorithm)?;
        check_vector("reduce", self.bytes, self.element)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let root = root_text("to", self.root);
        format!("reduce {}{root}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `reduce-scatter`: every rank ends with the sum over all ranks of its own block of a vector (MPI_Reduce_scatter_block;
/// with `sizes` MPI_Reduce_scatter).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReduceScatter {
    /// The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours. Status: assumed, any size is
    /// sensible.
    pub bytes: Size,
    /// Sizes by rank; all equal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// One element, which is never cut. Default 8 B, a double. Must divide all blocks.
    pub element: Size,
    /// Default `auto`.
    pub algorithm: ReduceScatterAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for ReduceScatter {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            sizes: None,
            element: Size::bytes(8),
            algorithm: ReduceScatterAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl ReduceScatter {
    /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
    #[must_use]
    pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let blocks = Sizes::blocks(self.sizes.as_ref(), self.bytes.0, self.element.0, seed);
        let algorithm = match self.algorithm {
            ReduceScatterAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).reduce_scatter(&Case::blocks(ranks, &blocks))
            }
            chosen => chosen,
        };
        Collective::ReduceScatter { algorithm, blocks }
    }
}

impl Workload for ReduceScatter {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        rules_choose("reduce-scatter", self.selection.as_ref(), self.algorithm)?;
        Sizes::check(self.sizes.as_ref(), "reduce-scatter", self.bytes.0, self.element.0, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let uneven = uneven_text(self.sizes.as_ref());
        format!("reduce-scatter {}{uneven}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
