//! Collectives of some of a job's ranks: a communicator of MPI, a process group of a training
//! framework.

use std::sync::Arc;

use philae_units::{Bytes, Picoseconds};

use super::Collective;
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange};
use crate::graph::Operation;
use crate::phase::{Phase, Tagged};
use crate::program::{Offload, Op};

/// Ranks of a job in an order: member 0, member 1, ...
///
/// A group of ranks at a fixed distance needs no memory for its members; clones of a listed group
/// share one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group(Members);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Members {
    All { ranks: u32 },
    Strided { first: u32, stride: u32, count: u32 },
    Listed { ranks: Arc<[u32]>, by_rank: Arc<[(u32, u32)]> },
}

/// An invalid group, or an invalid collective of a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// No members.
    #[error("a group needs at least one member")]
    Empty,
    /// A rank that is a member twice.
    #[error("rank {rank} is in the group twice; list each rank once")]
    Twice { rank: u32 },
    /// Ranks beyond what can be numbered, or at distance 0.
    #[error(
        "{count} members from rank {first}, {stride} apart, are not all ranks; a distance of at least 1 and ranks below 2^32 would work"
    )]
    Stride {
        /// First member.
        first: u32,
        /// Distance.
        stride: u32,
        /// Members.
        count: u32,
    },
    /// A root that is not a member.
    #[error("the root is member {root} of a group of {members}; members are numbered from 0")]
    Root {
        /// Asked for.
        root: u32,
        members: u32,
    },
    /// Listed sizes for another number of ranks.
    #[error("the collective has {found} sizes; a group of {members} needs {needed}")]
    Sizes {
        /// Listed.
        found: u64,
        members: u32,
        /// The number that would work.
        needed: u64,
    },
    /// The switches' trees are those of whole jobs.
    #[error("switches carry out collectives of all ranks of a job; use another algorithm for a group of {members}")]
    Offloaded { members: u32 },
    /// More tags than available.
    #[error("{groups} groups with collectives of {steps} steps need more than the 2^31 available tags")]
    Tags { groups: u32, steps: u32 },
}

impl Group {
    /// All ranks of a job, at least one, in their order.
    #[must_use]
    pub const fn all(ranks: u32) -> Self {
        Self(Members::All { ranks })
    }

    /// `count` ranks, `first` and those at distances of `stride`.
    ///
    /// # Errors
    /// [`GroupError`] if these are not ranks, or none.
    pub const fn strided(first: u32, stride: u32, count: u32) -> Result<Self, GroupError> {
        let Some(others) = count.checked_sub(1) else { return Err(GroupError::Empty) };
        if stride == 0 || first as u64 + stride as u64 * others as u64 > u32::MAX as u64 {
            return Err(GroupError::Stride { first, stride, count });
        }
        Ok(Self(Members::Strided { first, stride, count }))
    }

    /// The group of `rank` if ranks are distributed over groups of `count` ranks, `stride` apart.
    ///
    /// One dimension of a grid of ranks: with 4 ranks to a tensor group, 8 to a data group and 2 to
    /// a pipeline group, numbered in this order, the groups of a rank are `around(rank, 1, 4)`,
    /// `around(rank, 4, 8)` and `around(rank, 32, 2)`.
    ///
    /// # Errors
    /// As [`strided`](Self::strided).
    pub const fn around(rank: u32, stride: u32, count: u32) -> Result<Self, GroupError> {
        if stride == 0 || count == 0 {
            return Self::strided(rank, stride, count);
        }
        Self::strided(rank - rank / stride % count * stride, stride, count)
    }

    /// These ranks in this order.
    ///
    /// # Errors
    /// [`GroupError`] if a rank is listed twice, or none is.
    pub fn listed(ranks: impl Into<Arc<[u32]>>) -> Result<Self, GroupError> {
        let ranks = ranks.into();
        if ranks.is_empty() {
            return Err(GroupError::Empty);
        }
        let mut by_rank: Vec<(u32, u32)> = ranks.iter().copied().zip(0..).collect();
        by_rank.sort_unstable();
        if let Some(pair) = by_rank.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(GroupError::Twice { rank: pair[0].0 });
        }
        Ok(Self(Members::Listed { ranks, by_rank: by_rank.into() }))
    }

    /// Number of members.
    #[must_use]
    pub fn members(&self) -> u32 {
        match &self.0 {
            Members::All { ranks } => *ranks,
            Members::Strided { count, .. } => *count,
            Members::Listed { ranks, .. } => ranks.len() as u32,
        }
    }

    /// The rank of a member.
    ///
    /// # Panics
    /// If a listed group has no such member.
    #[must_use]
    pub fn rank(&self, member: u32) -> u32 {
        match &self.0 {
            Members::All { .. } => member,
            Members::Strided { first, stride, .. } => first + stride * member,
            Members::Listed { ranks, .. } => ranks[member as usize],
        }
    }

    /// The member number of a rank, if it is a member.
    #[must_use]
    pub fn member(&self, rank: u32) -> Option<u32> {
        match &self.0 {
            Members::All { ranks } => (rank < *ranks).then_some(rank),
            Members::Strided { first, stride, count } => {
                let above = rank.checked_sub(*first)?;
                (above.is_multiple_of(*stride) && above / stride < *count).then_some(above / stride)
            }
            Members::Listed { by_rank, .. } => {
                let position = by_rank.binary_search_by_key(&rank, |entry| entry.0).ok()?;
                Some(by_rank[position].1)
            }
        }
    }
}

/// Writes the messages of members as those of their ranks.
struct Within<'a, E> {
    out: &'a mut E,
    group: &'a Group,
}

impl<E: Exchange> Exchange for Within<'_, E> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>) {
        self.out.send(self.group.rank(to), bytes, step, items);
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine) {
        self.out.recv(self.group.rank(from), bytes, step, combine);
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>) {
        self.out.offload(kind, bytes, items);
    }
}

/// A collective among the members of a group. Its root and its blocks are those of members, not of
/// ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupCollective {
    collective: Collective,
    group: Group,
}

impl GroupCollective {
    /// Continues with messages if it was a collective of the switches.
    pub(crate) fn fall_back(&mut self) -> bool {
        let Some(by_messages) = self.collective.by_messages() else { return false };
        self.collective = by_messages;
        true
    }

    /// `collective` among `group`.
    ///
    /// # Errors
    /// [`GroupError`] if the collective does not fit the number of members, or is one for the
    /// switches and not of the whole job.
    pub fn new(collective: Collective, group: Group) -> Result<Self, GroupError> {
        let members = group.members();
        let root = match &collective {
            Collective::Broadcast { root, .. }
            | Collective::Reduce { root, .. }
            | Collective::Gather { root, .. }
            | Collective::Scatter { root, .. } => *root,
            _ => 0,
        };
        if root >= members {
            return Err(GroupError::Root { root, members });
        }
        let (blocks, needed) = match &collective {
            Collective::Alltoallv { blocks, .. } => (Some(blocks), u64::from(members) * u64::from(members)),
            Collective::ReduceScatter { blocks, .. }
            | Collective::Allgather { blocks, .. }
            | Collective::Gather { blocks, .. }
            | Collective::Scatter { blocks, .. } => (Some(blocks), members.into()),
            _ => (None, 0),
        };
        if let Some(BlockSizes::Listed(listed)) = blocks
            && listed.count() as u64 != needed
        {
            return Err(GroupError::Sizes { found: listed.count() as u64, members, needed });
        }
        if collective.is_offloaded() && !matches!(group.0, Members::All { .. }) {
            return Err(GroupError::Offloaded { members });
        }
        Ok(Self { collective, group })
    }

    #[must_use]
    pub const fn group(&self) -> &Group {
        &self.group
    }

    #[must_use]
    pub const fn collective(&self) -> &Collective {
        &self.collective
    }

    /// Number of steps of each member, and of tags; the same for all of them.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.collective.steps(self.group.members())
    }

    /// Adds the operations of `rank` in `step`, with tags from `first_tag`; none for a rank that is
    /// not a member.
    pub fn step(&self, rank: u32, step: u32, first_tag: u32, phase: &mut Phase) {
        if let Some(member) = self.group.member(rank) {
            let mut tagged = Tagged { phase, first_tag };
            let mut out = Within { out: &mut tagged, group: &self.group };
            self.collective.step(member, self.group.members(), step, &mut out);
        }
    }

    /// Adds all operations of `rank` to those of a [`OperationGraph`](crate::OperationGraph), with
    /// tags from `first_tag`.
    ///
    /// It begins when the operations `after` have completed. Returns the operations that must
    /// complete before it is over: ones that it added, or `after` if the rank has nothing to do. A
    /// step begins when the previous one is over; an empty computation replaces a large number of
    /// dependencies.
    pub fn operations(&self, rank: u32, first_tag: u32, after: &[u32], operations: &mut Vec<Operation>) -> Vec<u32> {
        let mut before = after.to_vec();
        if self.group.member(rank).is_none() {
            return before;
        }
        for step in 0..self.steps() {
            let mut phase = Phase::default();
            self.step(rank, step, first_tag, &mut phase);
            let count = phase.ops().len();
            if count == 0 {
                continue;
            }
            if before.len() * count > before.len() + count + 1 {
                let op = Op::Compute { time: Picoseconds::ZERO };
                operations.push(Operation { op, requires: std::mem::take(&mut before), irequires: Vec::new() });
                before.push(operations.len() as u32 - 1);
            }
            let first = operations.len() as u32;
            let started = |op: &Op| Operation { op: *op, requires: before.clone(), irequires: Vec::new() };
            operations.extend(phase.ops().iter().map(started));
            before = (first..operations.len() as u32).collect();
        }
        before
    }
}

/// Tags for the collectives of several groups of one job, separate from point-to-point messages
/// with tags below [`CollectiveTags::FIRST`].
///
/// Two ranks that share several groups need tags that distinguish the groups, and the collectives
/// of one group that are in progress at the same time. Every member of a group calls its
/// collectives in the same order, and this order numbers the tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveTags {
    groups: u32,
    steps: u32,
}

impl CollectiveTags {
    /// The first tag of any collective.
    pub const FIRST: u32 = 1 << 31;

    /// Tags for `groups` groups, whose collectives have at most `steps` steps; both at least 1.
    ///
    /// # Errors
    /// [`GroupError::Tags`], if there are too few.
    pub const fn new(groups: u32, steps: u32) -> Result<Self, GroupError> {
        if groups == 0 || steps == 0 || groups as u64 * steps as u64 > Self::FIRST as u64 {
            return Err(GroupError::Tags { groups, steps });
        }
        Ok(Self { groups, steps })
    }

    /// How many collectives of each group may be in progress before tags repeat.
    #[must_use]
    pub const fn depth(self) -> u32 {
        Self::FIRST / self.steps / self.groups
    }

    /// The first tag of collective number `sequence` of group number `group`.
    #[must_use]
    pub const fn first(self, group: u32, sequence: u32) -> u32 {
        Self::FIRST + (sequence % self.depth() * self.groups + group % self.groups) * self.steps
    }
}
