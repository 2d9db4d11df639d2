//! Collectives as workloads.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Collective, CollectiveMotif, Reduction, SelectionTable};
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::Phased;
use crate::program::{Offload, RankProgram};
use crate::quantity::{Size, Span};
use crate::spec::{Workload, iterations_text};

/// How an alltoall is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlltoallAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// Few large messages: each block travels up to log2(ranks) times.
    Bruck,
    /// Every block on its own, 32 at once.
    Scattered,
    /// Every block on its own, one exchange at a time.
    Pairwise,
}

/// How an allreduce is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllreduceAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// The whole vector in each of log2(ranks) steps: best for small ones.
    RecursiveDoubling,
    /// Reduce-scatter by halving, then allgather by doubling.
    Rabenseifner,
    /// Reduce-scatter and allgather around a ring: best for the largest.
    Ring,
    /// By reduction engines in the switches: at most 32 B, one rank per NIC.
    SwitchOffloaded,
}

/// How a barrier or a broadcast is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SmallAlgorithm {
    /// By messages: a dissemination barrier, a binomial broadcast.
    #[default]
    Software,
    /// By reduction engines in the switches: at most 32 B, one rank per NIC.
    SwitchOffloaded,
}

/// Checks that operands fit an operation in the switch.
fn fits_switch(workload: &'static str, bytes: Size) -> Result<(), WorkloadError> {
    if bytes.0 <= Offload::BYTES_MAX {
        return Ok(());
    }
    let allowed = format!("at most {} with the algorithm switch-offloaded; others take more", Offload::BYTES_MAX);
    Err(WorkloadError::OutOfRange { workload, key: "bytes", found: bytes.0.0, allowed })
}

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
    /// Before each. Default 0.
    pub compute: Span,
    /// Of every this many steps of the algorithm only the first is taken: a sample, spread evenly over the partners, for
    /// the bandwidth of an alltoall that is too long to run whole. Default 1: the whole alltoall.
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
            compute: Span::default(),
            every: 1,
            iterations: None,
        }
    }
}

impl Alltoall {
    /// The steps that are taken, and those of the whole collective.
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
            AlltoallAlgorithm::Auto => {
                self.selection.as_ref().unwrap_or(SelectionTable::mpich()).alltoall(ranks, bytes)
            }
            chosen => chosen,
        };
        Collective::Alltoall { algorithm, bytes }
    }
}

impl Workload for Alltoall {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("alltoall", 2, ranks)?;
        not_zero("alltoall", "every", self.every)?;
        message_size("alltoall", "bytes", self.bytes.0)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let collective = self.collective(ranks);
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

/// `sendrecv-alltoall`: an alltoall of blocking MPI_Sendrecv, one partner at a time; GPCNeT's alltoall congestor.
///
/// Partner `rank XOR i` when the rank count is a power of two, else `rank + i` and `rank - i`. GPCNeT also exchanges with
/// itself (`i = 0`); that is a local copy and is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SendrecvAlltoall {
    /// Per destination. Default 128 KiB. Source: De Sensi et al., SC'20 (GPCNeT itself: 4 KiB). Status: published.
    pub bytes: Size,
    /// Before each. Default 0.
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
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("sendrecv-alltoall", 2, ranks)?;
        message_size("sendrecv-alltoall", "bytes", self.bytes.0)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let collective = Collective::Alltoall { algorithm: AlltoallAlgorithm::Pairwise, bytes: self.bytes.0 };
        boxed(collective, rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("alltoall by Sendrecv {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
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
    /// Before each. Default 0.
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
        let vector = Reduction { elements: self.bytes.0.0 / self.element.0.0.max(1), element_bytes: self.element.0 };
        let algorithm = match self.algorithm {
            AllreduceAlgorithm::Auto => self.selection.as_ref().unwrap_or(SelectionTable::mpich()).allreduce(
                ranks,
                self.bytes.0,
                vector.elements,
            ),
            chosen => chosen,
        };
        Collective::Allreduce { algorithm, vector }
    }
}

impl Workload for Allreduce {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("allreduce", 2, ranks)?;
        message_size("allreduce", "bytes", self.bytes.0)?;
        message_size("allreduce", "element", self.element.0)?;
        if !self.bytes.0.0.is_multiple_of(self.element.0.0) {
            return Err(WorkloadError::NotDividing {
                workload: "allreduce",
                key: "bytes",
                found: self.bytes.0.0,
                divisor_key: "element",
                divisor: self.element.0.0,
            });
        }
        if self.collective(ranks).is_offloaded() {
            fits_switch("allreduce", self.bytes)?;
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

/// `barrier`: nobody goes on before everybody has arrived (MPI_Barrier).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Barrier {
    /// Default `software`: dissemination.
    pub algorithm: SmallAlgorithm,
    /// Before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Workload for Barrier {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("barrier", 2, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let collective = match self.algorithm {
            SmallAlgorithm::Software => Collective::Barrier,
            SmallAlgorithm::SwitchOffloaded => Collective::OffloadedBarrier,
        };
        boxed(collective, rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("barrier, {}", iterations_text(self.iterations))
    }

    fn offloads(&self, _ranks: u32) -> bool {
        self.algorithm == SmallAlgorithm::SwitchOffloaded
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `broadcast`: rank 0's message reaches everybody (MPI_Bcast).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Broadcast {
    /// The message. Default 8 B. Source: ours. Status: assumed, any size is sensible.
    pub bytes: Size,
    /// Default `software`: a binomial tree.
    pub algorithm: SmallAlgorithm,
    /// Before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Broadcast {
    fn default() -> Self {
        let algorithm = SmallAlgorithm::default();
        Self { bytes: Size::bytes(8), algorithm, compute: Span::default(), iterations: None }
    }
}

impl Workload for Broadcast {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("broadcast", 2, ranks)?;
        message_size("broadcast", "bytes", self.bytes.0)?;
        match self.algorithm {
            SmallAlgorithm::Software => Ok(()),
            SmallAlgorithm::SwitchOffloaded => fits_switch("broadcast", self.bytes),
        }
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let bytes = self.bytes.0;
        let collective = match self.algorithm {
            SmallAlgorithm::Software => Collective::Broadcast { bytes },
            SmallAlgorithm::SwitchOffloaded => Collective::OffloadedBroadcast { bytes },
        };
        boxed(collective, rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("broadcast {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn offloads(&self, _ranks: u32) -> bool {
        self.algorithm == SmallAlgorithm::SwitchOffloaded
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

fn boxed(
    collective: Collective,
    rank: RankId,
    ranks: u32,
    compute: Span,
    iterations: Option<u32>,
) -> Box<dyn RankProgram> {
    Box::new(Phased::new(CollectiveMotif { collective, rank: rank.0, ranks, compute: compute.0, every: 1 }, iterations))
}
