//! Collective operations as point-to-point steps.
//!
//! Each algorithm is a function of (rank, step) that writes to an [`Exchange`]. The same function drives the simulation
//! (which wants peers, sizes and tags) and the correctness check (which also wants to know *which data* each message
//! carries), so that the check cannot drift from what is simulated.

mod allreduce;
mod alltoall;
mod data;
mod one_to_all;
mod select;
mod spec;

pub use allreduce::Reduction;
pub use data::{DataError, simulate_data};
pub use select::{AllreduceRule, AlltoallRule, SelectionError, SelectionTable};
pub use spec::{
    Allreduce, AllreduceAlgorithm, Alltoall, AlltoallAlgorithm, Barrier, Broadcast, SendrecvAlltoall, SmallAlgorithm,
};

use philae_units::{Bytes, Picoseconds};

use crate::phase::{Motif, Phase, Tagged};
use crate::program::Offload;

/// What the receiver does with the data items of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Keeps them as they are.
    Replace,
    /// Adds them to its own; adding a rank's contribution twice is a mistake.
    Sum,
    /// Learns what the sender knows; learning twice does no harm.
    Union,
}

/// Where an algorithm writes the messages of one step of one rank.
///
/// Data items are numbered by the collective (see [`Collective`]); the driver of a simulation ignores them, and as they
/// are lazy they then cost nothing.
pub trait Exchange {
    /// Sends `items`, `bytes` in all, in step `step` of the collective.
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>);
    /// Receives what `from` sends in its step `step`.
    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine);
    /// Leaves `items` to the switches: everybody ends with what all ranks' own make together.
    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>);
}

/// A collective operation with its algorithm chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Every rank has `bytes` for every rank. Item `origin * ranks + destination` is one such block.
    Alltoall {
        /// Bruck, scattered or pairwise; never `Auto`.
        algorithm: AlltoallAlgorithm,
        /// Per destination.
        bytes: Bytes,
    },
    /// Every rank ends with the sum over all ranks of a vector. Item `i` is element `i`.
    Allreduce {
        /// Anything but `Auto`.
        algorithm: AllreduceAlgorithm,
        /// The vector.
        vector: Reduction,
    },
    /// Nobody leaves before everybody has entered (dissemination). Item 0 is the knowledge of who has entered.
    Barrier,
    /// The same, by the switches.
    OffloadedBarrier,
    /// Rank 0's `bytes` reach everybody (binomial tree). Item 0 is the whole message.
    Broadcast {
        /// The message.
        bytes: Bytes,
    },
    /// The same, by the switches.
    OffloadedBroadcast {
        /// The message.
        bytes: Bytes,
    },
}

impl Collective {
    /// How many steps each rank takes; some may be empty for some ranks.
    ///
    /// # Panics
    /// On an algorithm of `Auto`: the specification resolves it before.
    #[must_use]
    pub fn steps(&self, ranks: u32) -> u32 {
        match self {
            Self::Alltoall { algorithm, .. } => alltoall::steps(*algorithm, ranks),
            Self::Allreduce { algorithm, .. } => allreduce::steps(*algorithm, ranks),
            Self::Barrier | Self::Broadcast { .. } => one_to_all::steps(ranks),
            Self::OffloadedBarrier | Self::OffloadedBroadcast { .. } => 1,
        }
    }

    /// Writes the messages of `rank` in `step`; those of one step start together.
    ///
    /// # Panics
    /// As [`steps`](Self::steps).
    pub fn step(&self, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
        match self {
            Self::Alltoall { algorithm, bytes } => alltoall::step(*algorithm, *bytes, rank, ranks, step, out),
            Self::Allreduce { algorithm, vector } => allreduce::step(*algorithm, *vector, rank, ranks, step, out),
            Self::Barrier => one_to_all::dissemination(rank, ranks, step, out),
            Self::Broadcast { bytes } => one_to_all::binomial(*bytes, rank, ranks, step, out),
            Self::OffloadedBarrier => out.offload(Offload::Barrier, Bytes::ZERO, std::iter::once(0)),
            Self::OffloadedBroadcast { bytes } => {
                out.offload(Offload::Broadcast, *bytes, std::iter::once(0).filter(|_| rank == 0));
            }
        }
    }

    /// The same by messages, for a collective of the switches: what ranks do once their tree is broken. Small allreduces go by
    /// recursive doubling, as MPICH chooses it at these sizes.
    #[must_use]
    pub const fn by_messages(&self) -> Option<Self> {
        match *self {
            Self::OffloadedBarrier => Some(Self::Barrier),
            Self::OffloadedBroadcast { bytes } => Some(Self::Broadcast { bytes }),
            Self::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, vector } => {
                Some(Self::Allreduce { algorithm: AllreduceAlgorithm::RecursiveDoubling, vector })
            }
            Self::Allreduce { .. } | Self::Alltoall { .. } | Self::Barrier | Self::Broadcast { .. } => None,
        }
    }

    /// Whether switches take part.
    #[must_use]
    pub const fn is_offloaded(&self) -> bool {
        match self {
            Self::OffloadedBarrier | Self::OffloadedBroadcast { .. } => true,
            Self::Allreduce { algorithm, .. } => matches!(algorithm, AllreduceAlgorithm::SwitchOffloaded),
            Self::Alltoall { .. } | Self::Barrier | Self::Broadcast { .. } => false,
        }
    }
}

/// A collective of one rank as a motif: computation, then the collective's steps.
#[derive(Clone, Copy, Debug)]
pub struct CollectiveMotif {
    /// What to do.
    pub collective: Collective,
    /// Who does it.
    pub rank: u32,
    /// Among how many.
    pub ranks: u32,
    /// Before each collective.
    pub compute: Picoseconds,
    /// Of every this many steps the first is taken; 1 for the whole collective.
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

    fn offloads(&self) -> bool {
        self.collective.is_offloaded()
    }

    fn fall_back(&mut self) -> bool {
        let by_messages = self.collective.by_messages();
        self.collective = by_messages.unwrap_or(self.collective);
        by_messages.is_some()
    }
}

/// Number of binary digits needed to tell `ranks` ranks apart: the smallest `k` with `2^k >= ranks`.
const fn ceil_log2(ranks: u32) -> u32 {
    if ranks <= 1 { 0 } else { u32::BITS - (ranks - 1).leading_zeros() }
}
