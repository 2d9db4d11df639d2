//! `alltoall`, `alltoallv`, `sendrecv-alltoall`.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{boxed, rules_choose, uneven_text};
use crate::collective::sizes::PairSizes;
use crate::collective::{
    AlltoallAlgorithm, AlltoallvAlgorithm, BlockSizes, Case, Collective, CollectiveMotif, SelectionTable,
};
use crate::error::{WorkloadError, message_size, not_zero};
use crate::phase::Phased;
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// `alltoall`: every rank sends `bytes` to every rank (MPI_Alltoall).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Alltoall {
    /// Per destination. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status: published.
    pub bytes: Size,
    /// Default `auto`.
    pub algorithm: AlltoallAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Whether received data replaces sent data (MPI_IN_PLACE): pairs exchange with `sendrecv-replace`. Default false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Sampling: 8 runs only every eighth step of the algorithm, spread evenly over the partners,
    /// for the bandwidth of an alltoall that is too long to run in full. Default 1: the whole
    /// alltoall.
    #[schemars(range(min = 1))]
    pub every: u32,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Alltoall {
    fn default() -> Self {
        Self {
            bytes: Size::kib(128),
            algorithm: AlltoallAlgorithm::Auto,
            selection: None,
            in_place: false,
            compute: Span::default(),
            every: 1,
            iterations: None,
        }
    }
}

impl Alltoall {
    /// Steps that are taken, and steps of the whole collective.
    #[must_use]
    pub fn steps(&self, ranks: u32) -> (u32, u32) {
        let steps = self.collective(ranks).steps(ranks);
        (steps.div_ceil(self.every.max(1)), steps)
    }

    /// The collective with its algorithm chosen for `ranks`.
    #[must_use]
    pub fn collective(&self, ranks: u32) -> Collective {
        let bytes = self.bytes.0;
        let algorithm = match self.algorithm {
            AlltoallAlgorithm::Auto if self.in_place => AlltoallAlgorithm::SendrecvReplace,
            AlltoallAlgorithm::Auto => SelectionTable::or_mpich(self.selection.as_ref())
                .alltoall(&Case::blocks(ranks, &BlockSizes::Even(bytes))),
            chosen => chosen,
        };
        Collective::Alltoall { algorithm, bytes, seed: 0 }
    }
}

impl Workload for Alltoall {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        not_zero("alltoall", "every", self.every)?;
        message_size("alltoall", "bytes", self.bytes.0)?;
        let replaces = |algorithm| matches!(algorithm, AlltoallAlgorithm::SendrecvReplace | AlltoallAlgorithm::Auto);
        if self.in_place && !replaces(self.algorithm) {
            return Err(not_in_place("alltoall", &philae_units::word(self.algorithm)));
        }
        let exchanges = AlltoallAlgorithm::SendrecvReplace;
        rules_choose("alltoall", self.selection.as_ref(), if self.in_place { exchanges } else { self.algorithm })?;
        let collective = self.collective(ranks);
        if self.every > 1
            && matches!(collective, Collective::Alltoall { algorithm: AlltoallAlgorithm::SendrecvReplace, .. })
        {
            return Err(WorkloadError::Contradiction {
                workload: "alltoall",
                problem: format!("in place, partners meet in different steps, and `every` is {}", self.every),
                remedy: "use `every` = 1, or another algorithm",
            });
        }
        Ok(())
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let mut collective = self.collective(ranks);
        if let Collective::Alltoall { seed: order, .. } = &mut collective {
            *order = seed;
        }
        let motif = CollectiveMotif { collective, rank: rank.0, ranks, compute: self.compute.0, every: self.every };
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let sample = if self.every == 1 { String::new() } else { format!(" (every {}th step)", self.every) };
        format!("alltoall {}{sample}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// The error if an in-place exchange has an algorithm that does not exchange in pairs.
fn not_in_place(workload: &'static str, algorithm: &str) -> WorkloadError {
    WorkloadError::Contradiction {
        workload,
        problem: format!("`in_place` is true and `algorithm` is \"{algorithm}\", which needs a second buffer"),
        remedy: "use \"auto\" or \"sendrecv-replace\"",
    }
}

/// `alltoallv`: every rank sends a block of its own size to every rank (MPI_Alltoallv).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Alltoallv {
    /// Per destination, or the mean, if `sizes` draws. Default 128 KiB, as of `alltoall`.
    pub bytes: Size,
    /// Sizes by sender and receiver; all equal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<PairSizes>,
    /// Default `auto`.
    pub algorithm: AlltoallvAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Whether received data replaces sent data (MPI_IN_PLACE): pairs exchange with `sendrecv-replace`, and both
    /// directions of a pair have the same size: drawn sizes are those from the higher rank to the lower. Default false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Alltoallv {
    fn default() -> Self {
        Self {
            bytes: Size::kib(128),
            sizes: None,
            algorithm: AlltoallvAlgorithm::Auto,
            selection: None,
            in_place: false,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Alltoallv {
    /// The collective with its algorithm chosen for `ranks`; sizes are drawn from `seed`.
    ///
    /// In MPI a rank knows only its own sizes, so the choice uses `bytes` instead.
    #[must_use]
    pub fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let blocks = PairSizes::blocks(self.sizes.as_ref(), self.bytes.0, seed);
        let algorithm = match self.algorithm {
            AlltoallvAlgorithm::Auto if self.in_place => AlltoallvAlgorithm::SendrecvReplace,
            AlltoallvAlgorithm::Auto => {
                let case =
                    Case { uneven: self.sizes.is_some(), ..Case::blocks(ranks, &BlockSizes::Even(self.bytes.0)) };
                SelectionTable::or_mpich(self.selection.as_ref()).alltoallv(&case)
            }
            chosen => chosen,
        };
        Collective::Alltoallv { algorithm, blocks }
    }
}

impl Workload for Alltoallv {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let algorithm = self.algorithm;
        if self.in_place && !matches!(algorithm, AlltoallvAlgorithm::SendrecvReplace | AlltoallvAlgorithm::Auto) {
            return Err(not_in_place("alltoallv", &philae_units::word(algorithm)));
        }
        let in_place = self.in_place || algorithm == AlltoallvAlgorithm::SendrecvReplace;
        let chosen = if self.in_place { AlltoallvAlgorithm::SendrecvReplace } else { algorithm };
        rules_choose("alltoallv", self.selection.as_ref(), chosen)?;
        PairSizes::check(self.sizes.as_ref(), "alltoallv", self.bytes.0, ranks, in_place)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks, seed), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let uneven = uneven_text(self.sizes.as_ref());
        format!("alltoallv {}{uneven}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `sendrecv-alltoall`: an alltoall of blocking MPI_Sendrecv, one partner at a time; GPCNeT's alltoall congestor.
///
/// Partner `rank XOR i` when the rank count is a power of two, else `rank + i` and `rank - i`. GPCNeT also exchanges with
/// itself (`i = 0`); that is a local copy and is skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SendrecvAlltoall {
    /// Per destination. Default 128 KiB. Source: De Sensi et al., SC'20 (GPCNeT itself: 4 KiB). Status: published.
    pub bytes: Size,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for SendrecvAlltoall {
    fn default() -> Self {
        Self { bytes: Size::kib(128), compute: Span::default(), iterations: None }
    }
}

impl Workload for SendrecvAlltoall {
    fn check(&self, _ranks: u32) -> Result<(), WorkloadError> {
        message_size("sendrecv-alltoall", "bytes", self.bytes.0)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let collective = Collective::Alltoall { algorithm: AlltoallAlgorithm::Pairwise, bytes: self.bytes.0, seed: 0 };
        boxed(collective, rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("alltoall by Sendrecv {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
