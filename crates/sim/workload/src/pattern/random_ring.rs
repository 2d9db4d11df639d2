//! Rings in random order: every rank with two others that change repeatedly.

use philae_engine::RandomStream;
use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::IncastOperation;
use crate::collective::{Collective, Group, GroupCollective};
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::random::{Scrambled, purpose};
use crate::workload::{Workload, iterations_text};

/// `random-ring`: every rank exchanges messages with both neighbours of a ring, waits for all, and begins again.
///
/// Slice `k` consists of the ranks `k`, `k + slices`, `k + 2 slices` and so on (with `slices` ranks on each node: of the `k`-th
/// rank of each), and has a ring of its own. After `per_ring` iterations a new order is drawn; before the first iteration
/// of each order all ranks of the job meet in a barrier, whose time is part of that iteration. GPCNeT's ring tests, whose
/// defaults these are. Source: GPCNeT v1.3. Status: published; the order is drawn from the job's seed instead of `rand()`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RandomRing {
    /// Per message. Default 8 B.
    pub bytes: Size,
    /// Default `send`. With `put` and `get` the neighbours do nothing.
    pub operation: IncastOperation,
    /// Messages in flight to each neighbour. Default 1; GPCNeT's bandwidth tests 8.
    pub window: u32,
    /// Whether the ranks of a slice meet in a barrier at the end of each iteration (GPCNeT's "BW+Sync"). Default false.
    pub barrier: bool,
    /// Whether ranks keep their natural order. Default false.
    pub natural: bool,
    /// Iterations with one order. Default 200.
    pub per_ring: u32,
    /// Number of rings. Must divide the number of ranks. Default 1.
    pub slices: u32,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for RandomRing {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            operation: IncastOperation::Send,
            window: 1,
            barrier: false,
            natural: false,
            per_ring: 200,
            slices: 1,
            iterations: None,
        }
    }
}

/// Checks that all slices have the same size, of at least `needed` ranks.
pub(crate) fn check_slices(workload: &'static str, slices: u32, needed: u32, ranks: u32) -> Result<(), WorkloadError> {
    not_zero(workload, "slices", slices)?;
    at_least(workload, slices.saturating_mul(needed), ranks)?;
    if !ranks.is_multiple_of(slices) {
        let allowed = format!("a divisor of the {ranks} ranks, such as the ranks on each node");
        return Err(WorkloadError::OutOfRange { workload, key: "slices", found: slices.into(), allowed });
    }
    Ok(())
}

/// The ranks of the slice that `rank` is in.
pub(crate) fn slice_of(rank: u32, ranks: u32, slices: u32) -> Group {
    Group::strided(rank % slices, slices, ranks / slices).expect("slices are checked before programs are made")
}

impl Workload for RandomRing {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "random-ring";
        message_size(workload, "bytes", self.bytes.0)?;
        not_zero(workload, "window", self.window)?;
        not_zero(workload, "per_ring", self.per_ring)?;
        check_slices(workload, self.slices, 2, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let barrier = |group| GroupCollective::new(Collective::BARRIER, group).expect("any group has a barrier");
        let slice = slice_of(rank.0, ranks, self.slices);
        let motif = Ring {
            spec: self.clone(),
            rank: rank.0,
            seed,
            neighbours: [rank.0; 2],
            everybody: barrier(Group::all(ranks)),
            slice: barrier(slice),
        };
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let order = if self.natural { "natural" } else { "random" };
        let sync = if self.barrier { " with barrier" } else { "" };
        let (window, bytes) = (self.window, self.bytes.0);
        format!("{order} ring {window} x {bytes} each way{sync}, {}", iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Ring {
    spec: RandomRing,
    rank: u32,
    seed: u64,
    /// On the left and on the right.
    neighbours: [u32; 2],
    everybody: GroupCollective,
    slice: GroupCollective,
}

impl Ring {
    /// Tags per iteration: 0 to 31 for the barrier of all, 32 to 63 for the slice's, two for
    /// messages.
    const TAGS: u32 = 128;
    const SLICE: u32 = 32;
    const LEFTWARD: u32 = 64;
    const RIGHTWARD: u32 = 65;

    /// The neighbours of this rank in the ring of this number.
    fn draw(&self, ring: u32) -> [u32; 2] {
        let group = self.slice.group();
        let (member, members) = (group.member(self.rank).expect("a rank is in its slice"), group.members());
        let (below, above) = (members - 1, 1);
        if self.spec.natural {
            return [below, above].map(|step| group.rank((member + step) % members));
        }
        let slice = u64::from(self.rank % self.spec.slices) << 32;
        let key = RandomStream::new(self.seed, slice | u64::from(ring), purpose::PERMUTATION).next_u64();
        let order = Scrambled::new(members.into(), key);
        let place = order.forward(member.into());
        let at = |step: u32| order.backward((place + u64::from(step)) % u64::from(members)) as u32;
        [below, above].map(|step| group.rank(at(step)))
    }

    fn messages(&self, first_tag: u32, phase: &mut Phase) {
        let ([left, right], bytes) = (self.neighbours, self.spec.bytes.0);
        let (leftward, rightward) = (first_tag.wrapping_add(Self::LEFTWARD), first_tag.wrapping_add(Self::RIGHTWARD));
        if self.spec.operation == IncastOperation::Send {
            for _ in 0..self.spec.window {
                phase.recv(left, bytes, rightward);
                phase.recv(right, bytes, leftward);
            }
        }
        for _ in 0..self.spec.window {
            for (to, tag) in [(left, leftward), (right, rightward)] {
                match self.spec.operation {
                    IncastOperation::Send => phase.send(to, bytes, tag),
                    IncastOperation::Put => phase.put(to, bytes),
                    IncastOperation::Get => phase.get(to, bytes),
                }
            }
        }
    }
}

impl Motif for Ring {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let first_tag = iteration.wrapping_mul(Self::TAGS);
        let begins = iteration.is_multiple_of(self.spec.per_ring);
        let before = if begins { self.everybody.steps() } else { 0 };
        if step < before {
            self.everybody.step(self.rank, step, first_tag, phase);
            return true;
        }
        if step == before {
            if begins {
                self.neighbours = self.draw(iteration / self.spec.per_ring);
            }
            self.messages(first_tag, phase);
            return true;
        }
        let meeting = step - before - 1;
        if !self.spec.barrier || meeting >= self.slice.steps() {
            return false;
        }
        self.slice.step(self.rank, meeting, first_tag.wrapping_add(Self::SLICE), phase);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{RankSummary, SendMode, simulate_semantics};

    fn run(spec: &RandomRing, ranks: u32, seed: u64) -> Vec<RankSummary> {
        spec.check(ranks).expect("it fits");
        let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, seed)).collect();
        simulate_semantics(programs, SendMode::Rendezvous, 1, 1_000_000).expect("it ends")
    }

    /// Neighbours by put, which barriers do not use.
    fn one_ring() -> RandomRing {
        RandomRing { operation: IncastOperation::Get, per_ring: 5, iterations: Some(5), ..RandomRing::default() }
    }

    #[test]
    fn a_ring_is_one_circle_through_every_rank_of_its_slice() {
        for (ranks, slices) in [(7, 1), (12, 3), (4, 2)] {
            for seed in 0..10 {
                let spec = RandomRing { slices, ..RandomRing::default() };
                let neighbours = |rank: u32| {
                    let barrier = |group| GroupCollective::new(Collective::BARRIER, group).expect("a barrier");
                    let (everybody, slice) = (barrier(Group::all(ranks)), barrier(slice_of(rank, ranks, slices)));
                    Ring { spec: spec.clone(), rank, seed, neighbours: [0; 2], everybody, slice }.draw(3)
                };
                for first in 0..slices {
                    let (mut at, mut seen) = (first, vec![]);
                    loop {
                        seen.push(at);
                        let [_, right] = neighbours(at);
                        assert_eq!(neighbours(right)[0], at, "left of the right is oneself");
                        at = right;
                        if at == first {
                            break;
                        }
                    }
                    seen.sort_unstable();
                    let slice: Vec<u32> = (first..ranks).step_by(slices as usize).collect();
                    assert_eq!(seen, slice);
                }
            }
        }
    }

    #[test]
    fn one_sided_rings_name_two_others_and_change_with_the_seed_and_the_ring() {
        let gets = |spec: &RandomRing, seed| run(spec, 30, seed).iter().map(|rank| rank.gets).collect::<Vec<_>>();
        assert_eq!(gets(&one_ring(), 1), vec![10; 30]);
        let peers = |iterations, seed| {
            let spec = RandomRing { iterations: Some(iterations), ..one_ring() };
            run(&spec, 30, seed).iter().map(|rank| rank.peers.len()).sum::<usize>()
        };
        assert!(peers(50, 1) > peers(5, 1), "ten rings reach more than one");
        assert_ne!(run(&one_ring(), 30, 1), run(&one_ring(), 30, 2));
    }

    #[test]
    fn a_bandwidth_iteration_sends_a_window_each_way_and_a_barrier() {
        let spec = RandomRing { window: 8, iterations: Some(3), per_ring: 3, ..RandomRing::default() };
        assert_eq!(run(&spec, 8, 1)[0].sends, 3 * 16 + 3, "one barrier of all, three steps");
        let synced = RandomRing { barrier: true, ..spec };
        assert_eq!(run(&synced, 8, 1)[0].sends, 3 * (16 + 3) + 3);
    }

    #[test]
    fn slices_that_do_not_divide_the_ranks_are_refused() {
        let spec = RandomRing { slices: 3, ..RandomRing::default() };
        assert!(spec.check(7).expect_err("seven").to_string().contains("`slices` is 3"));
        assert!(spec.check(3).expect_err("one each").to_string().contains("at least 6 ranks"));
    }
}
