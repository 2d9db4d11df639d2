//! Collective operations as point-to-point steps.
//!
//! Each algorithm is a function of (rank, step) that writes to an [`Exchange`]. The same function
//! drives the simulation, which needs peers, sizes and tags, and the correctness check, which also
//! needs to know *which data* each message carries. So the check cannot diverge from the
//! simulation.

mod algorithm;
mod allgather;
mod allreduce;
mod alltoall;
mod bine;
mod blocks;
mod data;
pub(crate) mod exchange;
mod fold;
mod group;
mod mpich_json;
#[cfg(test)]
mod mpich_messages;
mod one_to_all;
mod order;
mod reduce;
mod reduce_scatter;
mod rooted;
mod scan;
mod select;
mod sizes;
mod spec;
mod task;

pub use algorithm::*;
pub use allreduce::VectorSum;
pub use blocks::{BlockSizes, Draw, Listed};
pub use data::{DataError, simulate_data};
pub use exchange::{Combine, Exchange};
pub use group::{CollectiveTags, Group, GroupCollective, GroupError};
pub use select::{Case, Rule, SelectionError, SelectionTable};
pub use sizes::{Hot, ListedSizes, Matrix, PairSizes, Sizes};
pub use spec::{
    Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Broadcast, Gather, Reduce, ReduceScatter, Scatter,
    SendrecvAlltoall, SlicedCollective, SlicedOperation,
};

use philae_units::{Bytes, Picoseconds};

use self::allgather::AllgatherProgram as AllgatherSteps;
use self::exchange::{Rooted, ring_neighbours};
use self::reduce::ScatteredReduction;
use self::rooted::RootedBlocks;
use crate::activity::Activity;
use crate::phase::{Motif, Phase, Tagged};
use crate::program::Offload;

/// A collective operation with its chosen algorithm, which is never `Auto`. A single rank has
/// nothing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Every rank has `bytes` for every rank. Item `origin * ranks + destination` is one such
    /// block.
    Alltoall {
        algorithm: AlltoallAlgorithm,
        /// Per destination.
        bytes: Bytes,
        /// Chooses the order of partners where it is random.
        seed: u64,
    },
    /// Every rank has a block of its own size for every rank. Items as of an alltoall.
    Alltoallv {
        algorithm: AlltoallvAlgorithm,
        /// By sender and receiver.
        blocks: BlockSizes,
    },
    /// Every rank ends with the sum over all ranks of a vector. Item `i` is element `i`.
    Allreduce { algorithm: AllreduceAlgorithm, vector: VectorSum },
    /// Every rank ends with the sum over all ranks of its own block of a vector. Item `i` is the
    /// block of rank `i`.
    ReduceScatter {
        algorithm: ReduceScatterAlgorithm,
        /// By rank.
        blocks: BlockSizes,
    },
    /// Every rank's block reaches every rank. Item `i` is the block of rank `i`.
    Allgather {
        algorithm: AllgatherAlgorithm,
        /// By rank.
        blocks: BlockSizes,
    },
    /// One rank's message reaches every rank. Item 0 is the whole message, or item `i` the part of
    /// rank `i` if the algorithm divides it.
    Broadcast {
        /// The algorithm. Switches support only root 0.
        algorithm: BroadcastAlgorithm,
        /// The message.
        bytes: Bytes,
        /// The rank that sends it.
        root: u32,
    },
    /// One rank ends with the sum over all ranks of a vector. Item `i` is element `i`.
    Reduce {
        algorithm: ReduceAlgorithm,
        vector: VectorSum,
        /// The rank with the result.
        root: u32,
    },
    /// One rank ends with every rank's block. Item `i` is the block of rank `i`.
    Gather {
        algorithm: GatherAlgorithm,
        /// By rank.
        blocks: BlockSizes,
        /// The rank with the result.
        root: u32,
    },
    /// One rank's blocks reach their owners. Item `i` is the block of rank `i`.
    Scatter {
        algorithm: GatherAlgorithm,
        /// By rank.
        blocks: BlockSizes,
        /// The rank that sends them.
        root: u32,
    },
    /// Every rank ends with the sum of the vectors of the ranks up to itself, or below itself.
    /// Items 0 to n - 1 are the elements that a rank passes on, items n to 2n - 1 those of its
    /// result.
    Scan {
        vector: VectorSum,
        /// Whether a rank's sum excludes its own vector (`MPI_Exscan`).
        exclusive: bool,
    },
    /// No rank leaves before every rank has entered. Item 0 is the knowledge of which ranks have
    /// entered.
    Barrier { algorithm: BarrierAlgorithm },
}

impl Collective {
    /// A barrier by messages.
    pub const BARRIER: Self = Self::Barrier { algorithm: BarrierAlgorithm::Dissemination };

    /// Number of steps of each rank; some may be empty for some ranks.
    ///
    /// # Panics
    /// On an algorithm of `Auto`: the specification resolves it earlier.
    #[must_use]
    pub fn steps(&self, ranks: u32) -> u32 {
        match self {
            Self::Alltoall { algorithm, .. } => alltoall::steps(*algorithm, ranks),
            Self::Alltoallv { algorithm, .. } => alltoall::steps_v(*algorithm, ranks),
            Self::Allreduce { algorithm, .. } => allreduce::steps(*algorithm, ranks),
            Self::ReduceScatter { algorithm, .. } => reduce_scatter::steps(*algorithm, ranks),
            Self::Allgather { algorithm, .. } => allgather::steps(*algorithm, ranks),
            Self::Broadcast { algorithm, .. } => rooted::broadcast_steps(*algorithm, ranks),
            &Self::Reduce { algorithm: ReduceAlgorithm::ReduceScatterGather, vector, root } => {
                ScatteredReduction { vector, root, ranks }.steps()
            }
            Self::Reduce { algorithm: ReduceAlgorithm::Bine, .. } => bine::tree_steps(ranks),
            Self::Reduce { .. } => one_to_all::steps(ranks),
            Self::Gather { algorithm, .. } | Self::Scatter { algorithm, .. } => rooted::gather_steps(*algorithm, ranks),
            Self::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded } => 1,
            Self::Scan { .. } | Self::Barrier { .. } => one_to_all::steps(ranks),
        }
    }

    /// Writes the messages of `rank` in `step`; those of one step start together.
    ///
    /// # Panics
    /// As [`steps`](Self::steps).
    pub fn step(&self, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
        // The number of a rank for algorithms whose root is rank 0.
        let seen_from = |root| ring_neighbours(rank, ranks, root).1;
        match self {
            Self::Alltoall { algorithm, bytes, seed } => {
                alltoall::step(*algorithm, (*bytes, *seed), rank, ranks, step, out);
            }
            Self::Alltoallv { algorithm, blocks } => alltoall::step_v(*algorithm, blocks, rank, ranks, step, out),
            Self::Allreduce { algorithm, vector } => allreduce::step(*algorithm, *vector, rank, ranks, step, out),
            Self::ReduceScatter { algorithm, blocks } => {
                reduce_scatter::step(*algorithm, blocks, rank, ranks, step, out);
            }
            Self::Allgather { algorithm, blocks } => {
                AllgatherSteps { algorithm: *algorithm, blocks, root: 0, ranks }.step(rank, step, out);
            }
            Self::Broadcast { algorithm: BroadcastAlgorithm::SwitchOffloaded, bytes, root } => {
                out.offload(Offload::Broadcast, *bytes, std::iter::once(0).filter(|_| rank == *root));
            }
            &Self::Broadcast { algorithm: BroadcastAlgorithm::Bine, bytes, root } => {
                // Counted from the rank above, the root is the last, which never folds.
                let root = ring_neighbours(root, ranks, 1).0;
                let mut out = Rooted { out, root, ranks };
                bine::broadcast(bytes, seen_from(root), ranks, step, &mut out);
            }
            &Self::Reduce { algorithm: ReduceAlgorithm::Bine, vector, root } => {
                let root = ring_neighbours(root, ranks, 1).0;
                let mut out = Rooted { out, root, ranks };
                bine::reduce(vector, seen_from(root), ranks, step, &mut out);
            }
            &Self::Broadcast { algorithm, bytes, root } => {
                let mut out = Rooted { out, root, ranks };
                rooted::broadcast(algorithm, bytes, root, ranks, seen_from(root), step, &mut out);
            }
            &Self::Reduce { algorithm: ReduceAlgorithm::ReduceScatterGather, vector, root } => {
                ScatteredReduction { vector, root, ranks }.step(rank, step, out);
            }
            &Self::Reduce { vector, root, .. } => {
                let mut out = Rooted { out, root, ranks };
                rooted::binomial_reduce(vector, seen_from(root), ranks, step, &mut out);
            }
            Self::Gather { algorithm, blocks, root } => {
                let mut out = Rooted { out, root: *root, ranks };
                RootedBlocks { algorithm: *algorithm, blocks, root: *root, ranks }.gather(
                    seen_from(*root),
                    step,
                    &mut out,
                );
            }
            Self::Scatter { algorithm, blocks, root } => {
                let mut out = Rooted { out, root: *root, ranks };
                RootedBlocks { algorithm: *algorithm, blocks, root: *root, ranks }.scatter(
                    seen_from(*root),
                    step,
                    &mut out,
                );
            }
            Self::Scan { vector, .. } => scan::step(*vector, rank, ranks, step, out),
            Self::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded } => {
                out.offload(Offload::Barrier, Bytes::ZERO, std::iter::once(0));
            }
            Self::Barrier { .. } => one_to_all::dissemination(rank, ranks, step, out),
        }
    }

    /// Its name in MPI.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Alltoall { .. } => "alltoall",
            Self::Alltoallv { .. } => "alltoallv",
            Self::Allreduce { .. } => "allreduce",
            Self::ReduceScatter { .. } => "reduce_scatter",
            Self::Allgather { .. } => "allgather",
            Self::Broadcast { .. } => "bcast",
            Self::Reduce { .. } => "reduce",
            Self::Gather { .. } => "gather",
            Self::Scatter { .. } => "scatter",
            Self::Scan { exclusive: false, .. } => "scan",
            Self::Scan { exclusive: true, .. } => "exscan",
            Self::Barrier { .. } => "barrier",
        }
    }

    /// The same with messages, for a collective of the switches whose tree is broken. Small
    /// allreduces use recursive doubling, which has the fewest steps.
    #[must_use]
    pub fn by_messages(&self) -> Option<Self> {
        match *self {
            Self::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded } => Some(Self::BARRIER),
            Self::Broadcast { algorithm: BroadcastAlgorithm::SwitchOffloaded, bytes, root } => {
                Some(Self::Broadcast { algorithm: BroadcastAlgorithm::Binomial, bytes, root })
            }
            Self::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, vector } => {
                Some(Self::Allreduce { algorithm: AllreduceAlgorithm::RecursiveDoubling, vector })
            }
            _ => None,
        }
    }

    /// Whether switches take part.
    #[must_use]
    pub const fn is_offloaded(&self) -> bool {
        matches!(
            self,
            Self::Barrier { algorithm: BarrierAlgorithm::SwitchOffloaded }
                | Self::Broadcast { algorithm: BroadcastAlgorithm::SwitchOffloaded, .. }
                | Self::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, .. }
        )
    }
}

/// A collective of one rank as a motif: computation, then the collective's steps.
#[derive(Clone, Debug)]
pub struct CollectiveMotif {
    pub collective: Collective,
    pub rank: u32,
    /// Number of ranks.
    pub ranks: u32,
    /// Computation before each collective.
    pub compute: Picoseconds,
    /// Only the first of every `every` steps is taken; 1 for the whole collective.
    pub every: u32,
}

impl Motif for CollectiveMotif {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let steps = self.collective.steps(self.ranks);
        let Some(taken) = step.checked_sub(1) else {
            phase.compute(self.compute);
            return true;
        };
        let step = u64::from(taken) * u64::from(self.every);
        if step >= u64::from(steps) {
            return false;
        }
        let mut out = Tagged { phase, first_tag: iteration.wrapping_mul(steps) };
        self.collective.step(self.rank, self.ranks, step as u32, &mut out);
        true
    }

    fn activity(&self, _iteration: u32, step: u32) -> Option<Activity> {
        (step > 0).then(|| Activity::new(self.collective.name(), 0))
    }

    fn offloads(&self) -> bool {
        self.collective.is_offloaded()
    }

    fn fall_back(&mut self) -> bool {
        let Some(by_messages) = self.collective.by_messages() else { return false };
        self.collective = by_messages;
        true
    }
}
