//! `sliced-collective`: the same collective in several communicators at the same time, and with
//! barriers between.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Allgather, Allreduce, Alltoall, Barrier, Broadcast, Reduce};
use crate::activity::Activity;
use crate::collective::{Collective, GroupCollective};
use crate::error::WorkloadError;
use crate::pattern::{check_slices, slice_of};
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::workload::{Workload, iterations_text};

/// Which collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SlicedOperation {
    /// MPI_Allreduce; `bytes` is the vector.
    #[default]
    Allreduce,
    /// MPI_Alltoall; `bytes` per destination.
    Alltoall,
    /// MPI_Allgather; `bytes` is the block of one rank.
    Allgather,
    /// MPI_Bcast from the first rank.
    Broadcast,
    /// MPI_Reduce to the first rank; `bytes` is the vector.
    Reduce,
    /// MPI_Barrier; `bytes` is not used.
    Barrier,
}

impl SlicedOperation {
    /// Its name in scenarios.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allreduce => "allreduce",
            Self::Alltoall => "alltoall",
            Self::Allgather => "allgather",
            Self::Broadcast => "broadcast",
            Self::Reduce => "reduce",
            Self::Barrier => "barrier",
        }
    }
}

/// `sliced-collective`: every slice of ranks runs the same collective, all slices at the same time.
///
/// Slice `k` consists of the ranks `k`, `k + slices` and so on. With `barriers`, even iterations are barriers of the slice and odd
/// ones the collective, so that its time counts from a common start: the loop of the OSU collectives. Without, and with one
/// slice for each rank of a node: GPCNeT's "Multiple Allreduce". Algorithms are those that MPICH chooses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SlicedCollective {
    /// Default `allreduce`.
    pub operation: SlicedOperation,
    /// Size, as defined by the operation. Default 8 B. Source: GPCNeT v1.3, Multiple Allreduce. Status: published.
    pub bytes: Size,
    /// One element of a vector, which is never cut. Default 8 B, a double. Must divide `bytes` of `allreduce` and `reduce`.
    pub element: Size,
    /// Number of slices. Must divide the number of ranks. Default 1.
    pub slices: u32,
    /// Whether every second iteration is a barrier. Default false.
    pub barriers: bool,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for SlicedCollective {
    fn default() -> Self {
        Self {
            operation: SlicedOperation::default(),
            bytes: Size::bytes(8),
            element: Size::bytes(8),
            slices: 1,
            barriers: false,
            iterations: None,
        }
    }
}

impl SlicedCollective {
    /// The same collective as a workload of its own, which checks its keys.
    fn whole(&self) -> Box<dyn Workload> {
        let (bytes, element) = (self.bytes, self.element);
        match self.operation {
            SlicedOperation::Allreduce => Box::new(Allreduce { bytes, element, ..Allreduce::default() }),
            SlicedOperation::Alltoall => Box::new(Alltoall { bytes, ..Alltoall::default() }),
            SlicedOperation::Allgather => Box::new(Allgather { bytes, ..Allgather::default() }),
            SlicedOperation::Broadcast => Box::new(Broadcast { bytes, ..Broadcast::default() }),
            SlicedOperation::Reduce => Box::new(Reduce { bytes, element, ..Reduce::default() }),
            SlicedOperation::Barrier => Box::new(Barrier::default()),
        }
    }

    fn collective(&self, ranks: u32, seed: u64) -> Collective {
        let (bytes, element) = (self.bytes, self.element);
        match self.operation {
            SlicedOperation::Allreduce => Allreduce { bytes, element, ..Allreduce::default() }.collective(ranks),
            SlicedOperation::Alltoall => Alltoall { bytes, ..Alltoall::default() }.collective(ranks),
            SlicedOperation::Allgather => Allgather { bytes, ..Allgather::default() }.collective(ranks, seed),
            SlicedOperation::Broadcast => Broadcast { bytes, ..Broadcast::default() }.collective(ranks),
            SlicedOperation::Reduce => Reduce { bytes, element, ..Reduce::default() }.collective(ranks),
            SlicedOperation::Barrier => Collective::BARRIER,
        }
    }
}

impl Workload for SlicedCollective {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        check_slices("sliced-collective", self.slices, 2, ranks)?;
        self.whole().check(ranks / self.slices)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let among = |collective| {
            let slice = slice_of(rank.0, ranks, self.slices);
            GroupCollective::new(collective, slice).expect("slices are checked before programs are made")
        };
        let collective = among(self.collective(ranks / self.slices, seed));
        let barrier = self.barriers.then(|| among(Collective::BARRIER));
        Box::new(Phased::new(Turns { rank: rank.0, collective, barrier }, self.iterations))
    }

    fn describe(&self) -> String {
        let (name, bytes) = (self.operation.name(), self.bytes.0);
        let barriers = if self.barriers { " between barriers" } else { "" };
        format!("{name} {bytes} in {} slices{barriers}, {}", self.slices, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Turns {
    rank: u32,
    collective: GroupCollective,
    barrier: Option<GroupCollective>,
}

impl Motif for Turns {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let turn = match &self.barrier {
            Some(barrier) if iteration.is_multiple_of(2) => barrier,
            _ => &self.collective,
        };
        if step >= turn.steps() {
            return false;
        }
        // Tags of an iteration do not overlap those of the next. Those of a long one may overlap
        // later ones, which match in order.
        let tags = self.collective.steps().max(turn.steps()).max(32);
        turn.step(self.rank, step, iteration.wrapping_mul(tags), phase);
        true
    }

    fn activity(&self, iteration: u32, _step: u32) -> Option<Activity> {
        let barrier = self.barrier.as_ref().filter(|_| iteration.is_multiple_of(2));
        Some(Activity::new(barrier.unwrap_or(&self.collective).collective().name(), 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{SendMode, simulate_semantics};

    #[test]
    fn every_slice_keeps_to_itself_and_barriers_alternate() {
        for operation in [
            SlicedOperation::Allreduce,
            SlicedOperation::Alltoall,
            SlicedOperation::Allgather,
            SlicedOperation::Broadcast,
            SlicedOperation::Reduce,
            SlicedOperation::Barrier,
        ] {
            let spec = SlicedCollective { operation, slices: 3, iterations: Some(4), ..SlicedCollective::default() };
            spec.check(24).expect("it fits");
            let run = |spec: &SlicedCollective| {
                let programs = (0..24).map(|rank| spec.program(RankId(rank), 24, 0)).collect();
                simulate_semantics(programs, SendMode::Rendezvous, 1, 100_000).expect("it ends")
            };
            let alone = run(&spec);
            let apart = |(rank, found): (usize, &crate::RankSummary)| {
                found.peers.keys().all(|peer| peer.index() % 3 == rank % 3)
            };
            assert!(alone.iter().enumerate().all(apart), "{operation:?}");
            let sends = |found: &[crate::RankSummary]| found.iter().map(|rank| rank.sends).sum::<u64>();
            let between = run(&SlicedCollective { barriers: true, ..spec });
            // Eight ranks need three steps for a barrier; two iterations of four are barriers.
            assert_eq!(sends(&between), sends(&alone) / 2 + 2 * 3 * 24, "{operation:?}");
        }
    }

    #[test]
    fn a_vector_that_is_no_whole_number_of_elements_is_refused() {
        let spec = SlicedCollective { bytes: Size::bytes(12), ..SlicedCollective::default() };
        assert!(spec.check(4).expect_err("a double and a half").to_string().contains("12"));
    }
}
