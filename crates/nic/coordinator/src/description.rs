//! What a rank waits for, in words.

use philae_cosim::{RankCommandKind, WaitKind};
use philae_units::{Bytes, RankId};
use philae_workload::Wait;

use crate::process::CoordinatedRank;
use crate::rank::{Phase, RankState};

impl CoordinatedRank {
    /// What it waits for.
    pub fn describe(&self) -> Wait {
        let state = self.run.rank(self.rank);
        let how = match state.phase {
            Phase::Outside { .. } => "outside of the provider, in a call or a lock of its own",
            Phase::Waits { kind: WaitKind::Sleep, .. } => "sleeping",
            Phase::Waits { kind: WaitKind::Poll, .. } => "polling",
            Phase::Waits { .. } => "waiting",
            Phase::Busy { .. } => "computing",
            Phase::Gone => "gone",
            Phase::Failed => "failed",
        };
        let operations = operations(&state);
        drop(state);
        let receives = self.receives();
        let partner = receives.first().and_then(|receive| receive.0).map(RankId);
        let mut words = how.to_owned();
        for part in operations.into_iter().chain(receives.into_iter().map(|receive| receive.1)) {
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
            for posted in known.endpoint.posted(RECEIVES_SHOWN) {
                let sender = posted.source.and_then(|source| self.run.of_source(source)).map(|known| known.rank);
                let from = sender.map_or_else(|| "any rank".to_owned(), |rank| format!("rank {rank}"));
                let kind = if posted.is_tagged { format!(" with the tag {:#x}", posted.bits) } else { String::new() };
                found.push((sender, format!("with a receive from {from}{kind}")));
            }
        }
        found
    }
}

/// Receives that a description names. Source: ours. Status: assumed.
const RECEIVES_SHOWN: usize = 4;

/// The operations that have not ended, by kind.
fn operations(state: &RankState) -> Vec<String> {
    let kinds = [
        (RankCommandKind::Send, "message"),
        (RankCommandKind::Put, "write"),
        (RankCommandKind::Get, "read"),
        (RankCommandKind::Amo, "atomic operation"),
    ];
    let mut words = Vec::new();
    for (kind, name) in kinds {
        let of_kind = state.operations.values().filter(|one| !one.has_ended && one.operation.kind == kind);
        let (count, bytes) = of_kind.fold((0_u64, 0), |sum, one| (sum.0 + 1, sum.1 + one.operation.length()));
        if count > 0 {
            words.push(format!("with {} of {}", philae_units::counted(count, name), Bytes(bytes)));
        }
    }
    words
}
