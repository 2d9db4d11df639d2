//! Joins the actions of different ranks into collective operations: the first of each rank, the
//! second, and so on.

use philae_units::Bytes;
use philae_workload::{BlockSizes, Group};

use crate::call::{CallKind, Calls, listed};
use crate::error::TraceError;
use crate::task::TaskKind;
use crate::text::TraceLine;

/// The collective operations of a trace while its ranks are read.
pub(super) struct TraceCollectives {
    /// Operations that each rank has taken part in.
    taken: Vec<usize>,
    known: Vec<Known>,
}

struct Known {
    kind: CallKind,
    /// Whether its sizes are known: those of derived datatypes are not.
    is_known: bool,
    line: usize,
    ranks: u32,
    /// Sizes of an alltoallv, by rank and the other rank.
    sent: Vec<Option<Vec<u64>>>,
    received: Vec<Option<Vec<u64>>>,
}

impl TraceCollectives {
    /// An empty set, for a world of this many ranks.
    pub fn new(ranks: u32) -> Self {
        Self { taken: vec![0; ranks as usize], known: Vec::new() }
    }

    /// Adds the part of `rank` in its next operation, which is of this kind. `is_known` says
    /// whether its sizes are.
    pub fn take_part(
        &mut self,
        rank: u32,
        kind: CallKind,
        is_known: bool,
        line: TraceLine,
    ) -> Result<TaskKind, TraceError> {
        self.next(rank, kind, is_known, line).map(TaskKind::Call)
    }

    fn next(&mut self, rank: u32, kind: CallKind, is_known: bool, line: TraceLine) -> Result<u32, TraceError> {
        let number = self.taken[rank as usize];
        self.taken[rank as usize] += 1;
        let Some(known) = self.known.get_mut(number) else {
            let (sent, received) = (Vec::new(), Vec::new());
            self.known.push(Known { kind, is_known, line: line.number, ranks: 1, sent, received });
            return Ok(number as u32);
        };
        known.ranks += 1;
        let of_root = match (&known.kind, &kind) {
            // Only the root's sizes count; those of the others do not matter.
            (CallKind::Gather(_, root), CallKind::Gather(_, same))
            | (CallKind::Scatter(_, root), CallKind::Scatter(_, same))
                if root == same =>
            {
                Some(*root == rank)
            }
            _ => None,
        };
        if known.kind == kind {
            known.is_known |= is_known;
            return Ok(number as u32);
        }
        let is_alike = |one: &CallKind, other: &CallKind| one.name() == other.name() && one.root() == other.root();
        match of_root {
            Some(of_root) => {
                if of_root && (is_known || !known.is_known) || is_known && !known.is_known {
                    (known.kind, known.is_known) = (kind, is_known);
                }
            }
            // A rank with a derived datatype does not know the size; another rank may.
            None if !known.is_known && is_alike(&known.kind, &kind) => {
                (known.kind, known.is_known) = (kind, is_known);
            }
            None if !is_known && is_alike(&known.kind, &kind) => {}
            None => {
                let found = format!("{} as collective operation {number} of rank {rank}", kind.name());
                let (first, line_of_first) = (known.kind.name(), known.line);
                let expected = format!(
                    "{first} with the arguments of line {line_of_first}: all ranks have the same operations, because \
                     the format has no communicator"
                );
                return Err(line.error(found, expected));
            }
        }
        Ok(number as u32)
    }

    /// The same for an exchange with sizes of its own for every pair: the sizes to each rank and
    /// from each, if known.
    pub fn exchange(
        &mut self,
        rank: u32,
        sent: Option<Vec<u64>>,
        received: Option<Vec<u64>>,
        line: TraceLine,
    ) -> Result<TaskKind, TraceError> {
        let call = self.next(rank, CallKind::AllToAllV(BlockSizes::Even(Bytes::ZERO)), true, line)?;
        let size = self.taken.len();
        let known = &mut self.known[call as usize];
        known.sent.resize(size, None);
        known.received.resize(size, None);
        known.sent[rank as usize] = sent;
        known.received[rank as usize] = received;
        Ok(TaskKind::Call(call))
    }

    /// The operations, once all ranks are read and have taken part in each; and how many messages
    /// of exchanges have another size at their receiver.
    pub fn finish(self, file: &str) -> Result<(Calls, u64), TraceError> {
        let size = self.taken.len();
        let mut calls = Calls::default();
        let mut disagree = 0;
        for (number, known) in self.known.into_iter().enumerate() {
            if known.ranks as usize != size {
                let (name, line) = (known.kind.name(), known.line);
                let found = format!("collective operation {number} ({name}, line {line}) of {} ranks", known.ranks);
                let without = self.taken.iter().position(|&taken| taken <= number).unwrap_or(0);
                let expected = format!(
                    "it on all {size} ranks, but rank {without} does not have it; the format has no communicator"
                );
                return Err(TraceError::whole(file, found, expected));
            }
            let kind = match known.kind {
                CallKind::AllToAllV(_) => {
                    let (sizes, differ) = agreed(&known.sent, &known.received);
                    disagree += differ;
                    CallKind::AllToAllV(listed(&sizes))
                }
                kind => kind,
            };
            calls.add(kind.among(file, Group::all(size as u32))?);
        }
        Ok((calls, disagree))
    }
}

/// Sizes by sender and receiver: the sender's size, or the receiver's if the sender does not know.
/// Also counts the differences.
fn agreed(sent: &[Option<Vec<u64>>], received: &[Option<Vec<u64>>]) -> (Vec<u64>, u64) {
    let size = sent.len();
    let mut differ = 0;
    let mut sizes = Vec::with_capacity(size * size);
    for from in 0..size {
        for to in 0..size {
            let said = sent[from].as_ref().map(|sizes| sizes[to]);
            let heard = received[to].as_ref().map(|sizes| sizes[from]);
            differ += u64::from(from != to && said.zip(heard).is_some_and(|(said, heard)| said != heard));
            sizes.push(said.or(heard).unwrap_or(0));
        }
    }
    (sizes, differ)
}
