//! Collective operations of traces: the ranks that take part, and their messages step by step.

use philae_units::Bytes;
use philae_workload::{
    Activity, BlockSizes, Case, Collective, CollectiveTags, Group, GroupCollective, Listed, Op, Phase, SelectionTable,
    VectorSum,
};

use crate::error::TraceError;

/// Tags of collective operations have this bit, those of a trace's own messages do not.
pub const COLLECTIVE_TAG: u32 = CollectiveTags::FIRST;

/// The kind of a collective operation. Sizes are payload; `root` is a member of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Every rank ends with the sum of all ranks' vectors of this size.
    AllReduce(Bytes),
    /// The root ends with the sum.
    Reduce(Bytes, u32),
    /// Every rank ends with its own part of the sum, of these sizes.
    ReduceScatter(BlockSizes),
    /// Every rank ends with all ranks' parts, of these sizes.
    AllGather(BlockSizes),
    /// The root ends with all parts.
    Gather(BlockSizes, u32),
    /// Every rank ends with its own part, of these sizes, of the root's data.
    Scatter(BlockSizes, u32),
    /// Every rank ends with the root's message of this size.
    Broadcast(Bytes, u32),
    /// Every rank sends this many bytes to every rank.
    AllToAll(Bytes),
    /// Every rank to every rank, with these sizes by sender and then receiver.
    AllToAllV(BlockSizes),
    /// Every rank ends with the sum of the vectors of the ranks up to itself, or (true) below
    /// itself, of this size.
    Scan(Bytes, bool),
    /// No rank continues before every rank has arrived.
    Barrier,
}

impl CallKind {
    /// Its name in MPI.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AllReduce(_) => "allreduce",
            Self::Reduce(..) => "reduce",
            Self::ReduceScatter(_) => "reducescatter",
            Self::AllGather(_) => "allgather",
            Self::Gather(..) => "gather",
            Self::Scatter(..) => "scatter",
            Self::Broadcast(..) => "bcast",
            Self::AllToAll(_) => "alltoall",
            Self::AllToAllV(_) => "alltoallv",
            Self::Scan(_, false) => "scan",
            Self::Scan(_, true) => "exscan",
            Self::Barrier => "barrier",
        }
    }

    /// Its root, if it has one.
    pub(crate) const fn root(&self) -> Option<u32> {
        match self {
            Self::Reduce(_, root) | Self::Gather(_, root) | Self::Scatter(_, root) | Self::Broadcast(_, root) => {
                Some(*root)
            }
            _ => None,
        }
    }

    /// The operation with MPICH's choice of algorithm for a group of this size.
    fn collective(&self, ranks: u32) -> Collective {
        let table = SelectionTable::mpich();
        let whole = |bytes: Bytes| Case::whole(ranks, bytes, bytes.0.max(1));
        match self {
            Self::AllReduce(bytes) => {
                Collective::Allreduce { algorithm: table.allreduce(&whole(*bytes)), vector: vector(*bytes) }
            }
            Self::Reduce(bytes, root) => {
                let algorithm = table.reduce(&whole(*bytes));
                Collective::Reduce { algorithm, vector: vector(*bytes), root: *root }
            }
            Self::ReduceScatter(blocks) => {
                let blocks = blocks.clone();
                Collective::ReduceScatter { algorithm: table.reduce_scatter(&Case::blocks(ranks, &blocks)), blocks }
            }
            Self::AllGather(blocks) => {
                let blocks = blocks.clone();
                Collective::Allgather { algorithm: table.allgather(&Case::blocks(ranks, &blocks)), blocks }
            }
            Self::Gather(blocks, root) => {
                let blocks = blocks.clone();
                let algorithm = table.gather(&Case::blocks(ranks, &blocks));
                Collective::Gather { algorithm, blocks, root: *root }
            }
            Self::Scatter(blocks, root) => {
                let blocks = blocks.clone();
                let algorithm = table.scatter(&Case::blocks(ranks, &blocks));
                Collective::Scatter { algorithm, blocks, root: *root }
            }
            Self::Broadcast(bytes, root) => {
                Collective::Broadcast { algorithm: table.broadcast(&whole(*bytes)), bytes: *bytes, root: *root }
            }
            Self::AllToAll(bytes) => {
                let algorithm = table.alltoall(&Case::blocks(ranks, &BlockSizes::Even(*bytes)));
                Collective::Alltoall { algorithm, bytes: *bytes, seed: 0 }
            }
            Self::AllToAllV(blocks) => {
                let blocks = blocks.clone();
                let (bytes, total) = (Bytes(0), Bytes(0));
                let case = Case { ranks, bytes, total, elements: 1, uneven: true };
                Collective::Alltoallv { algorithm: table.alltoallv(&case), blocks }
            }
            Self::Scan(bytes, exclusive) => Collective::Scan { vector: vector(*bytes), exclusive: *exclusive },
            Self::Barrier => Collective::BARRIER,
        }
    }

    /// The operation among a group. `file` is the file's name in errors.
    pub(crate) fn among(&self, file: &str, group: Group) -> Result<GroupCollective, TraceError> {
        let members = group.members();
        GroupCollective::new(self.collective(members), group).map_err(|error| {
            TraceError::whole(file, format!("{} of {members} ranks: {error}", self.name()), "an operation of its ranks")
        })
    }
}

/// Elements are single bytes: traces give the size of a vector, not its element type.
fn vector(bytes: Bytes) -> VectorSum {
    VectorSum { elements: bytes.0.max(1), element_bytes: Bytes(1) }
}

/// Listed sizes, in bytes.
pub(crate) fn listed(sizes: &[u64]) -> BlockSizes {
    match sizes.first() {
        Some(&first) if sizes.iter().all(|&size| size == first) => BlockSizes::Even(Bytes(first)),
        _ => BlockSizes::Listed(Listed::new(sizes.iter().copied().map(Bytes))),
    }
}

/// A buffer in nearly equal parts.
pub(crate) const fn cut(total: u64, ranks: u32) -> BlockSizes {
    if total.is_multiple_of(ranks as u64) {
        BlockSizes::Even(Bytes(total / ranks as u64))
    } else {
        BlockSizes::Parts { total: Bytes(total), root: 0, ranks }
    }
}

/// The collective operations of a schedule.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    calls: Vec<Call>,
    /// Tags in use.
    tags: u32,
}

#[derive(Clone, Debug)]
struct Call {
    collective: GroupCollective,
    first_tag: u32,
}

impl Calls {
    /// Adds an operation. Returns its number.
    pub fn add(&mut self, collective: GroupCollective) -> u32 {
        let number = self.calls.len() as u32;
        let first_tag = self.tags | COLLECTIVE_TAG;
        self.tags = self.tags.wrapping_add(collective.steps()) & !COLLECTIVE_TAG;
        self.calls.push(Call { collective, first_tag });
        number
    }

    /// The name of an operation in MPI.
    pub(crate) fn name(&self, call: u32) -> &'static str {
        self.calls[call as usize].collective.collective().name()
    }

    /// Number of operations.
    #[must_use]
    pub fn count(&self) -> usize {
        self.calls.len()
    }

    /// The part of `rank` in an operation.
    pub(crate) fn part(&self, call: u32, rank: u32) -> RankCall {
        let call = &self.calls[call as usize];
        RankCall::new(call.collective.clone(), rank, call.first_tag)
    }
}

/// One rank's part in an operation in progress.
#[derive(Clone, Debug)]
pub(crate) struct RankCall {
    collective: GroupCollective,
    rank: u32,
    first_tag: u32,
    step: u32,
    outstanding: u32,
}

impl RankCall {
    /// The part of `rank`.
    pub const fn new(collective: GroupCollective, rank: u32, first_tag: u32) -> Self {
        Self { collective, rank, first_tag, step: 0, outstanding: 0 }
    }

    /// Its activity; `number` distinguishes operations of a kind.
    pub fn activity(&self, number: u32) -> Activity {
        Activity::new(self.collective.collective().name(), number)
    }

    /// The current step, from 1.
    pub const fn step_in_hand(&self) -> u32 {
        self.step
    }

    /// Number of its steps, and so of its tags.
    pub fn steps(&self) -> u32 {
        self.collective.steps()
    }

    /// The messages of the next step that has any; none when the operation is over.
    pub fn next_step(&mut self) -> Option<Vec<Op>> {
        let steps = self.steps();
        while self.step < steps {
            let mut phase = Phase::default();
            self.collective.step(self.rank, self.step, self.first_tag, &mut phase);
            self.step += 1;
            if !phase.ops().is_empty() {
                self.outstanding = phase.ops().len() as u32;
                return Some(phase.ops().to_vec());
            }
        }
        None
    }

    /// Counts one complete message of the step. Returns true for the last one.
    pub fn completed_one(&mut self) -> bool {
        self.outstanding -= 1;
        self.outstanding == 0
    }
}
