//! `allgather`, `gather`, `scatter`.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BYTE, boxed, has_root, root_text, rules_choose, uneven_text};
use crate::collective::sizes::Sizes;
use crate::collective::{AllgatherAlgorithm, Case, Collective, GatherAlgorithm, SelectionTable};
use crate::error::WorkloadError;
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

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
        rules_choose("allgather", self.selection.as_ref(), self.algorithm)?;
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

/// The two collectives between one rank and all, which differ in nothing but the direction.
macro_rules! rooted {
    ($(#[$doc:meta])* $Name:ident is $word:literal $way:literal $(#[$root:meta])* root, chosen by $choose:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $Name {
            /// The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours. Status: assumed, any size is
            /// sensible.
            pub bytes: Size,
            /// Sizes by rank; all equal when absent.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub sizes: Option<Sizes>,
            $(#[$root])*
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

        impl Default for $Name {
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

        impl $Name {
            /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
            #[must_use]
            pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
                let blocks = Sizes::blocks(self.sizes.as_ref(), self.bytes.0, BYTE.0, seed);
                let algorithm = match self.algorithm {
                    GatherAlgorithm::Auto => {
                        SelectionTable::or_mpich(self.selection.as_ref()).$choose(&Case::blocks(ranks, &blocks))
                    }
                    chosen => chosen,
                };
                Collective::$Name { algorithm, blocks, root: self.root }
            }
        }

        impl Workload for $Name {
            fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
                has_root($word, self.root, ranks)?;
                rules_choose($word, self.selection.as_ref(), self.algorithm)?;
                Sizes::check(self.sizes.as_ref(), $word, self.bytes.0, BYTE.0, ranks)
            }

            fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
                boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
            }

            fn describe(&self) -> String {
                let uneven = uneven_text(self.sizes.as_ref());
                let root = root_text($way, self.root);
                format!("{} {}{uneven}{root}, {}", $word, self.bytes.0, iterations_text(self.iterations))
            }

            fn iterations(&self) -> Option<u32> {
                self.iterations
            }
        }
    };
}

rooted! {
    /// `gather`: every rank's block reaches one rank (MPI_Gather; with `sizes` MPI_Gatherv).
    Gather is "gather" "to"
    /// The rank that gets the blocks. Default 0.
    root, chosen by gather
}

rooted! {
    /// `scatter`: each rank gets its block from one rank (MPI_Scatter; with `sizes` MPI_Scatterv).
    Scatter is "scatter" "from"
    /// The rank that has the blocks. Default 0.
    root, chosen by scatter
}
