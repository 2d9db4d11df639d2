//! Collective operations of traces: which ranks take part, and their messages step by step.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_units::{Bytes, RankId};
use philae_workload::{Collective, Combine, Exchange, Offload, Op, Reduction, SelectionTable};

/// Tags of collective operations have this bit, those of a trace's own messages do not.
pub const COLLECTIVE_TAG: u32 = 1 << 31;

/// Messages of an operation with sizes of its own for every pair that are under way at once. Source: MPICH's throttle for
/// its scattered alltoall, [`Collective`]. Status: published.
const AT_ONCE: u32 = 32;

/// A set of ranks, in an order of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    members: Arc<[u32]>,
    /// Rank and position, by rank.
    positions: Vec<(u32, u32)>,
}

/// What a collective operation does. Sizes are payload; `root` is a position in the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Everybody ends with the sum of everybody's vectors of this size.
    AllReduce(Bytes),
    /// The root ends with it.
    Reduce(Bytes, u32),
    /// Everybody ends with its own part, of these sizes, of it.
    ReduceScatter(Arc<[u64]>),
    /// Everybody ends with everybody's parts, of these sizes.
    AllGather(Arc<[u64]>),
    /// The root ends with them.
    Gather(Arc<[u64]>, u32),
    /// Everybody ends with its own part, of these sizes, of what the root has.
    Scatter(Arc<[u64]>, u32),
    /// Everybody ends with the root's message of this size.
    Broadcast(Bytes, u32),
    /// Everybody sends this much to everybody.
    AllToAll(Bytes),
    /// Everybody to everybody, every pair with a size of its own ([`What::CallV`](crate::What::CallV)).
    AllToAllV,
    /// Nobody goes on before everybody has come.
    Barrier,
}

/// One collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    kind: CallKind,
    /// The kind with its algorithm chosen; none where sizes differ from pair to pair, or where nobody else takes part.
    collective: Option<Collective>,
    group: u32,
    first_tag: u32,
}

/// The collective operations of a schedule and the groups of ranks that take part in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    groups: Vec<Group>,
    by_members: BTreeMap<Vec<u32>, u32>,
    calls: Vec<Call>,
    /// Tags given out.
    tags: u32,
}

impl Calls {
    /// The group of these ranks in this order; the same for the same members. `None` where one is in it twice.
    pub fn group(&mut self, members: &[u32]) -> Option<u32> {
        if let Some(&known) = self.by_members.get(members) {
            return Some(known);
        }
        let mut positions: Vec<(u32, u32)> = members.iter().copied().zip(0..).collect();
        positions.sort_unstable();
        if positions.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let number = self.groups.len() as u32;
        self.groups.push(Group { members: members.into(), positions });
        self.by_members.insert(members.to_vec(), number);
        Some(number)
    }

    /// Members of a group.
    #[must_use]
    pub fn size(&self, group: u32) -> u32 {
        self.groups[group as usize].members.len() as u32
    }

    /// Position of a rank in a group.
    #[must_use]
    pub fn position(&self, group: u32, rank: u32) -> Option<u32> {
        self.groups[group as usize].position(rank)
    }

    /// One more operation of a group; its number.
    pub fn add(&mut self, kind: CallKind, group: u32) -> u32 {
        let number = self.calls.len() as u32;
        let first_tag = self.tags;
        let collective = kind.collective(self.size(group));
        self.calls.push(Call { kind, collective, group, first_tag });
        self.tags = self.tags.wrapping_add(self.steps(number)) & !COLLECTIVE_TAG;
        number
    }

    /// What an operation does, and whose it is.
    #[must_use]
    pub fn kind(&self, call: u32) -> (&CallKind, u32) {
        let call = &self.calls[call as usize];
        (&call.kind, call.group)
    }

    fn steps(&self, call: u32) -> u32 {
        let call = &self.calls[call as usize];
        steps(call.collective.as_ref(), self.size(call.group))
    }

    /// The part of `rank`, which is a member, in an operation. `sizes` are those of [`CallKind::AllToAllV`].
    pub(crate) fn part(&self, call: u32, rank: u32, sizes: Option<Arc<[u64]>>) -> Part {
        let call = &self.calls[call as usize];
        let position = self.position(call.group, rank).expect("ranks take part in operations of their own groups");
        let members = Arc::clone(&self.groups[call.group as usize].members);
        Part { sizes, ..Part::new(members, position, call.collective.clone(), call.first_tag) }
    }
}

/// Steps of an operation; of one whose sizes differ from pair to pair without a collective.
fn steps(collective: Option<&Collective>, size: u32) -> u32 {
    match collective {
        _ if size < 2 => 0,
        Some(collective) => collective.steps(size),
        None => (size - 1).div_ceil(AT_ONCE),
    }
}

impl CallKind {
    /// The operation with MPICH's choice of algorithm for a group of this size.
    pub(crate) fn collective(&self, size: u32) -> Option<Collective> {
        if size < 2 {
            return None;
        }
        let table = SelectionTable::mpich();
        Some(match self {
            Self::AllReduce(bytes) => {
                let vector = vector(*bytes);
                let algorithm = table.allreduce(size, *bytes, vector.elements);
                Collective::Allreduce { algorithm, vector }
            }
            Self::AllToAll(bytes) => Collective::Alltoall { algorithm: table.alltoall(size, *bytes), bytes: *bytes },
            Self::Barrier => Collective::Barrier,
            _ => return None,
        })
    }
}

/// Elements are single bytes: traces say how many bytes a vector has, not of what.
fn vector(bytes: Bytes) -> Reduction {
    Reduction { elements: bytes.0.max(1), element_bytes: Bytes(1) }
}

impl Group {
    fn position(&self, rank: u32) -> Option<u32> {
        let found = self.positions.binary_search_by_key(&rank, |&(rank, _)| rank).ok()?;
        Some(self.positions[found].1)
    }
}

/// One rank's part in an operation that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    members: Arc<[u32]>,
    position: u32,
    collective: Option<Collective>,
    sizes: Option<Arc<[u64]>>,
    first_tag: u32,
    step: u32,
    outstanding: u32,
}

impl Part {
    /// The part of the member at `position`.
    pub const fn new(members: Arc<[u32]>, position: u32, collective: Option<Collective>, first_tag: u32) -> Self {
        Self { members, position, collective, sizes: None, first_tag, step: 0, outstanding: 0 }
    }

    /// How many steps, and so tags, it takes.
    pub fn steps(&self) -> u32 {
        steps(self.collective.as_ref(), self.members.len() as u32)
    }

    /// Adds the messages of the next step that has any. False when there is none left.
    pub fn next_step(&mut self, ops: &mut Vec<Op>) -> bool {
        let steps = self.steps();
        while self.step < steps && ops.is_empty() {
            self.write_step(ops);
            self.step += 1;
        }
        self.outstanding = ops.len() as u32;
        !ops.is_empty()
    }

    /// One of the step's messages is complete. True when it was the last.
    pub fn completed_one(&mut self) -> bool {
        self.outstanding -= 1;
        self.outstanding == 0
    }

    fn write_step(&self, ops: &mut Vec<Op>) {
        let size = self.members.len() as u32;
        let mut out = InGroup { members: &self.members, first_tag: self.first_tag, ops };
        match (&self.collective, &self.sizes) {
            (Some(collective), _) => collective.step(self.position, size, self.step, &mut out),
            (None, Some(sizes)) => {
                let from = 1 + self.step * AT_ONCE;
                for distance in from..size.min(from + AT_ONCE) {
                    let (to, of) = ((self.position + distance) % size, (self.position + size - distance) % size);
                    // Both ends know which messages are empty, and leave them out.
                    if let received @ 1.. = sizes[(size + of) as usize] {
                        out.recv(of, Bytes(received), distance, Combine::Replace);
                    }
                    if let sent @ 1.. = sizes[to as usize] {
                        out.send(to, Bytes(sent), distance, std::iter::empty());
                    }
                }
            }
            (None, None) => unreachable!("an operation without a collective comes with its sizes"),
        }
    }
}

/// Writes the messages of a group's members as messages of the job's ranks.
struct InGroup<'a> {
    members: &'a [u32],
    first_tag: u32,
    ops: &'a mut Vec<Op>,
}

impl InGroup<'_> {
    fn rank(&self, member: u32) -> RankId {
        RankId(self.members[member as usize])
    }

    const fn tag(&self, step: u32) -> u32 {
        self.first_tag.wrapping_add(step) | COLLECTIVE_TAG
    }
}

impl Exchange for InGroup<'_> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, _items: impl Iterator<Item = u64>) {
        let op = Op::Send { to: self.rank(to), bytes, tag: self.tag(step), class: None };
        self.ops.push(op);
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, _combine: Combine) {
        let op = Op::Recv { from: Some(self.rank(from)), bytes, tag: Some(self.tag(step)) };
        self.ops.push(op);
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, _items: impl Iterator<Item = u64>) {
        self.ops.push(Op::Offload { kind, bytes });
    }
}
