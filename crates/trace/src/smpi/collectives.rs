//! Which actions of different ranks are one collective operation: the first of each rank, the second, and so on.

use std::sync::Arc;

use crate::call::{CallKind, Calls};
use crate::error::TraceError;
use crate::schedule::{Task, What};
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
            self.known.push(Known { kind, line: line.number, ranks: 1 });
            return Ok(number as u32);
        };
        known.ranks += 1;
        match (&known.kind, &kind) {
            // Only the root's sizes count: the others may say what they like.
            (CallKind::Gather(_, root), CallKind::Gather(_, same)) | (CallKind::Scatter(_, root), CallKind::Scatter(_, same))
                if root == same =>
            {
                if *root == rank {
                    known.kind = kind;
                }
            }
            (first, found) if first == found => {}
            (first, found) => {
                let found = format!("{} as collective operation {number} of rank {rank}", name(found));
                let first = name(first);
                let expected = format!("{first} with the arguments of line {}: all ranks take part in the same ones", known.line);
                return Err(line.error(found, expected));
            }
        }
        Ok(number as u32)
    }

    /// The same of an exchange of sizes of its own for every pair.
    pub fn exchange(&mut self, rank: u32, sent: &[u64], received: &[u64], line: Line) -> Result<What, TraceError> {
        let call = self.next(rank, CallKind::AllToAllV, line)?;
        Ok(What::CallV(call, sent.iter().chain(received).copied().collect()))
    }

    /// The operations, once all ranks are read: everybody has taken part in each, and both ends of every message agree.
    pub fn finish(self, file: &str, ranks: &mut [Vec<Task>]) -> Result<Calls, TraceError> {
        let size = self.taken.len();
        if let Some((number, known)) = self.known.iter().enumerate().find(|(_, known)| known.ranks as usize != size) {
            let found = format!("collective operation {number} ({}, line {}) of {} ranks", name(&known.kind), known.line, known.ranks);
            return Err(TraceError::whole(file, found, format!("all {size} ranks to take part")));
        }
        let mut exchanges: Vec<Vec<(usize, Arc<[u64]>)>> = Vec::new();
        for (rank, tasks) in ranks.iter().enumerate() {
            let own = tasks.iter().filter_map(|task| match &task.what {
                What::CallV(call, sizes) => Some((*call as usize, Arc::clone(sizes))),
                _ => None,
            });
            for (call, sizes) in own {
                if exchanges.len() <= call {
                    exchanges.resize(call + 1, Vec::new());
                }
                exchanges[call].push((rank, sizes));
            }
        }
        for exchange in exchanges.iter().filter(|exchange| !exchange.is_empty()) {
            for (from, to) in (0..size).flat_map(|from| (0..size).map(move |to| (from, to))).filter(|(from, to)| from != to) {
                let (sent, received) = (exchange[from].1[to], exchange[to].1[size + from]);
                if sent != received {
                    let found = format!("alltoallv in which rank {from} sends {sent} bytes to rank {to}, which receives {received}");
                    return Err(TraceError::whole(file, found, "both ends to agree"));
                }
            }
        }
        let mut calls = Calls::default();
        let world = calls.group(&(0..size as u32).collect::<Vec<_>>()).expect("ranks are different");
        for known in self.known {
            calls.add(known.kind, world);
        }
        Ok(calls)
    }
}

const fn name(kind: &CallKind) -> &'static str {
    match kind {
        CallKind::AllReduce(_) => "allreduce",
        CallKind::Reduce(..) => "reduce",
        CallKind::ReduceScatter(_) => "reducescatter",
        CallKind::AllGather(_) => "allgather",
        CallKind::Gather(..) => "gather",
        CallKind::Scatter(..) => "scatter",
        CallKind::Broadcast(..) => "bcast",
        CallKind::AllToAll(_) => "alltoall",
        CallKind::AllToAllV => "alltoallv",
        CallKind::Barrier => "barrier",
    }
}
