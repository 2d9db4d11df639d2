//! What a rank waits for, in words.

use philae_cosim::{RankCommandKind, WaitKind};
use philae_units::{Bytes, RankId};
use philae_workload::{OpHandle, Wait};

use crate::rank::{CoordinatedState, OutstandingOperation, RankPhase};
use crate::run::Run;

impl Run {
    /// What a rank waits for.
    pub fn describe(&self, rank: u32) -> Wait {
        let state = self.rank(rank);
        let how = match state.phase {
            RankPhase::Outside { .. } => "outside of the provider, in a call or a lock of its own",
            RankPhase::Waits { kind: WaitKind::Sleep, .. } => "sleeping",
            RankPhase::Waits { kind: WaitKind::Poll, .. } => "polling",
            RankPhase::Waits { .. } => "waiting",
            RankPhase::Busy { .. } => "computing",
            RankPhase::Gone => "gone",
            RankPhase::Failed => "failed",
        };
        let operations = operations(&state);
        drop(state);
        let receives = self.receives(rank);
        let partner = receives.first().and_then(|receive| receive.0).map(RankId);
        let mut words = how.to_owned();
        for part in operations.into_iter().chain(receives.into_iter().map(|receive| receive.1)) {
            words += ", ";
            words += &part;
        }
        Wait { words, partner }
    }

    /// The receives that a rank has posted: the rank of their sender, if they name one, and words.
    fn receives(&self, rank: u32) -> Vec<(Option<u32>, String)> {
        let mut found = Vec::new();
        for address in self.coordinator.endpoints(rank) {
            let Some(known) = self.at(address) else { continue };
            for posted in known.endpoint.posted(RECEIVES_SHOWN) {
                let sender = posted.source.and_then(|source| self.rank_of(source));
                let from = sender.map_or_else(|| "any rank".to_owned(), |sender| format!("rank {sender}"));
                let kind = if posted.is_tagged { format!(" with the tag {:#x}", posted.bits) } else { String::new() };
                found.push((sender, format!("with a receive from {from}{kind}")));
            }
        }
        found
    }
}

/// Ranks that a deadlock beside other jobs names. Source: ours. Status: assumed.
const RANKS_SHOWN: u32 = 4;

impl Run {
    /// What its first ranks wait for.
    pub fn describe_all(&self) -> String {
        let named =
            (0..self.ranks().min(RANKS_SHOWN)).map(|rank| format!("rank {rank}, {}", self.describe(rank).words));
        let more = self.ranks().saturating_sub(RANKS_SHOWN);
        let rest = (more > 0).then(|| format!("and {} more", philae_units::counted(u64::from(more), "rank")));
        named.chain(rest).collect::<Vec<String>>().join("; ")
    }
}

/// Receives that a description names. Source: ours. Status: assumed.
const RECEIVES_SHOWN: usize = 4;

/// The operations that have not ended, by kind: how many, of how many bytes, and where the first
/// goes.
fn operations(state: &CoordinatedState) -> Vec<String> {
    let kinds = [
        (RankCommandKind::Send, "message"),
        (RankCommandKind::Put, "write"),
        (RankCommandKind::Get, "read"),
        (RankCommandKind::Amo, "atomic operation"),
    ];
    let mut words = Vec::new();
    for (kind, name) in kinds {
        let is_open = |(_, one): &(&OpHandle, &OutstandingOperation)| !one.has_ended && one.operation.kind == kind;
        let mut open: Vec<_> = state.operations.iter().filter(is_open).collect();
        open.sort_unstable_by_key(|(handle, _)| **handle);
        let Some((_, first)) = open.first() else { continue };
        let bytes: u64 = open.iter().map(|(_, one)| one.operation.length()).sum();
        let (what, to) = (philae_units::counted(open.len() as u64, name), first.to);
        let first = if open.len() > 1 { ", the first" } else { "" };
        words.push(format!("with {what} of {}{first} to rank {to}", Bytes(bytes)));
    }
    words
}
