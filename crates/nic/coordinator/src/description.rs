//! What a rank waits for, in words.

use philae_cosim::WaitKind;
use philae_provider::simulated::nic::UnmatchedMessage;
use philae_units::{Bytes, RankId};
use philae_workload::{OpHandle, Wait};

use crate::operation::OperationKind;
use crate::process::CoordinatedRank;
use crate::rank::{OutstandingOperation, OutstandingOperations, RankPhase};

impl CoordinatedRank {
    /// What it waits for.
    pub fn describe(&self) -> Wait {
        let state = self.run.rank(self.rank);
        let how = match state.phase {
            RankPhase::Outside { .. } => "outside of the provider, in a call or a lock of its own",
            RankPhase::Waits { kind: WaitKind::Sleep, .. } => "sleeping",
            RankPhase::Waits { kind: WaitKind::Poll, .. } => "polling",
            RankPhase::Waits { .. } => "waiting",
            RankPhase::Busy { .. } | RankPhase::Ahead { .. } => "computing",
            RankPhase::Gone => "gone",
            RankPhase::Failed => "failed",
        };
        drop(state);
        let operations = operations(self.run.operations(self.rank));
        let receives = self.receives();
        let partner = receives.first().and_then(|receive| receive.0).map(RankId);
        let mut words = how.to_owned();
        let receives = receives.into_iter().map(|receive| receive.1);
        for part in operations.into_iter().chain(receives).chain(self.arrivals()) {
            words += ", ";
            words += &part;
        }
        Wait { words, partner }
    }

    /// The receives that it has posted: the rank of their sender, if they name one, and words.
    fn receives(&self) -> Vec<(Option<u32>, String)> {
        let mut found = Vec::new();
        for address in self.run.coordinator.endpoints(self.rank) {
            let Some(known) = self.run.at(address) else { continue };
            for posted in known.endpoint.posted(MESSAGES_SHOWN) {
                let sender = posted.source.and_then(|source| self.run.rank_of(source));
                let from = match (posted.source, sender) {
                    (None, _) => "any rank".to_owned(),
                    (Some(_), None) => "an unknown rank".to_owned(),
                    (Some(_), Some((rank, false))) => format!("rank {rank}"),
                    (Some(_), Some((rank, true))) => format!("rank {rank}, whose endpoint is closed,"),
                };
                let words = format!("with a receive from {from}{}", tag(&posted));
                found.push((sender.map(|sender| sender.0), words));
            }
        }
        found
    }

    /// The messages that have come, and that none of its receives takes.
    fn arrivals(&self) -> Vec<String> {
        let mut found = Vec::new();
        for address in self.run.coordinator.endpoints(self.rank) {
            let Some(known) = self.run.at(address) else { continue };
            for arrived in known.endpoint.arrived(MESSAGES_SHOWN) {
                let sender = arrived.source.and_then(|source| self.run.rank_of(source));
                let from = sender.map_or_else(|| "an unknown rank".to_owned(), |(rank, _)| format!("rank {rank}"));
                found.push(format!("with a message from {from}{} that no receive takes", tag(&arrived)));
            }
        }
        found
    }
}

/// The tag of a message or a receive. MPI libraries have the program's tag in the low bits, and the
/// communicator above.
fn tag(message: &UnmatchedMessage) -> String {
    if message.is_tagged { format!(" with the tag {:#x} ({})", message.bits, message.bits) } else { String::new() }
}

/// Receives, and messages that have come, that a description names. Source: ours. Status: assumed.
const MESSAGES_SHOWN: usize = 4;

/// The operations that have not ended, by kind: how many, of how many bytes, and where the first
/// goes.
fn operations(operations: &OutstandingOperations) -> Vec<String> {
    let operations = operations.lock();
    let kinds = [
        (OperationKind::Send, "message"),
        (OperationKind::Put, "write"),
        (OperationKind::Get, "read"),
        (OperationKind::Amo, "atomic operation"),
    ];
    let mut words = Vec::new();
    for (kind, name) in kinds {
        let is_open = |(_, one): &(&OpHandle, &OutstandingOperation)| !one.has_ended && one.operation.kind == kind;
        let mut open: Vec<_> = operations.iter().filter(is_open).collect();
        open.sort_unstable_by_key(|(handle, _)| **handle);
        let Some((_, first)) = open.first() else { continue };
        let bytes: u64 = open.iter().map(|(_, one)| one.operation.length()).sum();
        let (what, to) = (philae_units::counted(open.len() as u64, name), first.to);
        let first = if open.len() > 1 { ", the first" } else { "" };
        words.push(format!("with {what} of {}{first} to rank {to}", Bytes(bytes)));
    }
    words
}
