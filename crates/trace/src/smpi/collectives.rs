//! Which actions of different ranks are one collective operation: the first of each rank, the second, and so on.

use philae_units::Bytes;
use philae_workload::{Blocks, Group};

use crate::call::{CallKind, Calls, listed};
use crate::error::TraceError;
use crate::schedule::What;
use crate::text::Line;

/// The collective operations of a trace as its ranks are read.
pub(super) struct Collectives {
    /// Operations that each rank has taken part in.
    taken: Vec<usize>,
    known: Vec<Known>,
}

struct Known {
    kind: CallKind,
    line: usize,
    ranks: u32,
    /// Sizes of an alltoallv: by sender and receiver, and by receiver and sender.
    sent: Vec<u64>,
    received: Vec<u64>,
}

impl Collectives {
    /// None yet, of a world of this many ranks.
    pub fn new(ranks: u32) -> Self {
        Self { taken: vec![0; ranks as usize], known: Vec::new() }
    }

    /// `rank` takes part in its next operation, which is of this kind.
    pub fn take_part(&mut self, rank: u32, kind: CallKind, line: Line) -> Result<What, TraceError> {
        self.next(rank, kind, line).map(What::Call)
    }

    fn next(&mut self, rank: u32, kind: CallKind, line: Line) -> Result<u32, TraceError> {
        let number = self.taken[rank as usize];
        self.taken[rank as usize] += 1;
        let Some(known) = self.known.get_mut(number) else {
            self.known.push(Known { kind, line: line.number, ranks: 1, sent: Vec::new(), received: Vec::new() });
            return Ok(number as u32);
        };
        known.ranks += 1;
        match (&known.kind, &kind) {
            // Only the root's sizes count: the others may say what they like.
            (CallKind::Gather(_, root), CallKind::Gather(_, same))
            | (CallKind::Scatter(_, root), CallKind::Scatter(_, same))
                if root == same =>
            {
                if *root == rank {
                    known.kind = kind;
                }
            }
            (first, found) if first == found => {}
            (first, found) => {
                let found = format!("{} as collective operation {number} of rank {rank}", found.name());
                let first = first.name();
                let expected =
                    format!("{first} with the arguments of line {}: all ranks take part in the same ones", known.line);
                return Err(line.error(found, expected));
            }
        }
        Ok(number as u32)
    }

    /// The same of an exchange with sizes of its own for every pair: what it sends to each rank and receives from each.
    pub fn exchange(&mut self, rank: u32, sent: &[u64], received: &[u64], line: Line) -> Result<What, TraceError> {
        let call = self.next(rank, CallKind::AllToAllV(Blocks::Even(Bytes::ZERO)), line)?;
        let size = sent.len();
        let known = &mut self.known[call as usize];
        known.sent.resize(size * size, 0);
        known.received.resize(size * size, 0);
        let row = rank as usize * size..(rank as usize + 1) * size;
        known.sent[row.clone()].copy_from_slice(sent);
        known.received[row].copy_from_slice(received);
        Ok(What::Call(call))
    }

    /// The operations, once all ranks are read: everybody has taken part in each, and both ends of every message agree.
    pub fn finish(self, file: &str) -> Result<Calls, TraceError> {
        let size = self.taken.len();
        let mut calls = Calls::default();
        for (number, known) in self.known.into_iter().enumerate() {
            if known.ranks as usize != size {
                let (name, line) = (known.kind.name(), known.line);
                let found = format!("collective operation {number} ({name}, line {line}) of {} ranks", known.ranks);
                return Err(TraceError::whole(file, found, format!("all {size} ranks to take part")));
            }
            for (from, to) in
                (0..known.sent.len()).map(|pair| (pair / size, pair % size)).filter(|(from, to)| from != to)
            {
                let (sent, received) = (known.sent[from * size + to], known.received[to * size + from]);
                if sent != received {
                    let found = format!(
                        "alltoallv in which rank {from} sends {sent} bytes to rank {to}, which receives {received}"
                    );
                    return Err(TraceError::whole(file, found, "both ends to agree"));
                }
            }
            let kind = match known.kind {
                CallKind::AllToAllV(_) => CallKind::AllToAllV(listed(&known.sent)),
                kind => kind,
            };
            calls.add(kind.among(file, Group::all(size as u32))?);
        }
        Ok(calls)
    }
}
