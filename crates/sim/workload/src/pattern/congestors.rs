//! Four concurrent congestors, with the ranks distributed among them at random.

use philae_engine::RandomStream;
use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Incast, IncastOperation, check_slices};
use crate::activity::Activities;
use crate::collective::SendrecvAlltoall;
use crate::error::{WorkloadError, message_size};
use crate::program::{Action, Op, OpHandle, Progress, RankProgram};
use crate::quantity::{Size, Span};
use crate::random::{Scrambled, purpose};
use crate::workload::{Workload, iterations_text};

/// `congestors`: the ranks of each slice are shuffled and distributed in turn to four groups, each with its own congestor.
///
/// Of every four ranks one goes to an alltoall by Sendrecv, one to an incast by sends, one to an incast by puts, and one reads
/// from its group's first rank (get broadcast). Slice `k` consists of the ranks `k`, `k + slices` and so on. The congestors of
/// GPCNeT's load test. Source: GPCNeT v1.3. Status: published; ranks are shuffled by the job's seed instead of `rand()`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Congestors {
    /// Per message. Default 4 KiB.
    pub bytes: Size,
    /// Number of sets of four groups. Must divide the number of ranks. Default 1.
    pub slices: u32,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Congestors {
    fn default() -> Self {
        Self { bytes: Size::kib(4), slices: 1, iterations: None }
    }
}

/// Kinds of congestor. Source: GPCNeT v1.3. Status: published.
const KINDS: u32 = 4;

impl Workload for Congestors {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        message_size("congestors", "bytes", self.bytes.0)?;
        check_slices("congestors", self.slices, 2 * KINDS, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let (slice, members) = (rank.0 % self.slices, ranks / self.slices);
        let key = RandomStream::new(seed, slice.into(), purpose::PERMUTATION).next_u64();
        let order = Scrambled::new(members.into(), key);
        let place = order.forward((rank.0 / self.slices).into()) as u32;
        let group = Dealt { order, kind: place % KINDS, slice, slices: self.slices };
        let (member, size) = (RankId(place / KINDS), members / KINDS + u32::from(group.kind < members % KINDS));
        let incast = |operation| {
            Incast { bytes: self.bytes, operation, iterations: self.iterations, ..Incast::default() }
                .program(member, size, seed)
        };
        let program = match group.kind {
            0 => SendrecvAlltoall { bytes: self.bytes, compute: Span::default(), iterations: self.iterations }
                .program(member, size, seed),
            1 => incast(IncastOperation::Send),
            2 => incast(IncastOperation::Put),
            _ => incast(IncastOperation::Get),
        };
        Box::new(Among { program, group })
    }

    fn describe(&self) -> String {
        format!("four congestors {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// One group of ranks: those of a slice whose place in the shuffled order is `kind` modulo the
/// kinds.
#[derive(Clone, Copy, Debug)]
struct Dealt {
    order: Scrambled,
    kind: u32,
    slice: u32,
    slices: u32,
}

impl Dealt {
    /// The rank in the job of a member of the group.
    fn rank(&self, member: RankId) -> RankId {
        let place = self.order.backward(u64::from(member.0 * KINDS + self.kind)) as u32;
        RankId(place * self.slices + self.slice)
    }
}

/// The program of a member of a group, whose peers are members, as that of a rank of the job.
///
/// A receive from any source may match any rank of the job: only its group sends to it.
struct Among {
    program: Box<dyn RankProgram>,
    group: Dealt,
}

impl RankProgram for Among {
    fn activities(&self, report: &mut Activities) {
        self.program.activities(report);
    }

    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let first = actions.len();
        let progress = self.program.advance(completed, actions);
        for action in &mut actions[first..] {
            let Action::Start(_, op) = action else { continue };
            match op {
                Op::Recv { from, .. } => *from = from.map(|member| self.group.rank(member)),
                Op::Send { to: peer, .. }
                | Op::Put { to: peer, .. }
                | Op::Get { from: peer, .. }
                | Op::Amo { to: peer, .. } => *peer = self.group.rank(*peer),
                Op::Compute { .. }
                | Op::Delay { .. }
                | Op::Until { .. }
                | Op::Event { .. }
                | Op::Fetch { .. }
                | Op::Offload { .. } => {}
            }
        }
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{RankSummary, SendMode, simulate_semantics};

    fn run(slices: u32, ranks: u32, seed: u64) -> Vec<RankSummary> {
        let spec = Congestors { slices, iterations: Some(3), ..Congestors::default() };
        spec.check(ranks).expect("it fits");
        let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, seed)).collect();
        simulate_semantics(programs, SendMode::Rendezvous, seed, 1_000_000).expect("it ends")
    }

    #[test]
    fn every_kind_has_its_share_of_every_slice() {
        for (slices, ranks) in [(1, 8), (1, 11), (3, 30)] {
            let summaries = run(slices, ranks, 4);
            for slice in 0..slices {
                let own: Vec<&RankSummary> = summaries.iter().skip(slice as usize).step_by(slices as usize).collect();
                let members = own.len() as u64;
                let size = |kind: u64| members / 4 + u64::from(kind < members % 4);
                let sum = |of: fn(&RankSummary) -> u64| own.iter().map(|rank| of(rank)).sum::<u64>();
                let alltoall = size(0) * (size(0) - 1);
                assert_eq!(sum(|rank| rank.sends), 3 * (alltoall + size(1) - 1), "{slices} slices of {ranks}");
                assert_eq!(sum(|rank| rank.puts), 3 * (size(2) - 1));
                assert_eq!(sum(|rank| rank.gets), 3 * (size(3) - 1));
                let inside = |rank: &&RankSummary| rank.peers.keys().all(|peer| peer.0 % slices == slice);
                assert!(own.iter().all(inside), "nobody leaves the slice");
            }
        }
    }

    #[test]
    fn the_seed_deals_the_ranks() {
        assert_ne!(run(1, 16, 1), run(1, 16, 2));
    }

    #[test]
    fn fewer_than_two_ranks_of_each_kind_are_refused() {
        let spec = Congestors { slices: 2, ..Congestors::default() };
        assert_eq!(
            spec.check(14).expect_err("seven each").to_string(),
            "congestors needs at least 16 ranks; the job has 14"
        );
    }
}
