//! Gather and scatter (binomial, linear), and all algorithms of broadcast and reduce. Ranks and
//! peers count from the root.
//!
//! Source: MPICH; Thakur, Rabenseifner, Gropp, IJHPCA 2005. Status: published.

use philae_units::Bytes;

use super::algorithm::{AllgatherAlgorithm, BroadcastAlgorithm, GatherAlgorithm};
use super::allgather::{self, AllgatherProgram};
use super::allreduce::VectorSum;
use super::bine;
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange, Later, ceil_log2};
use super::one_to_all;

pub(super) const fn gather_steps(algorithm: GatherAlgorithm, ranks: u32) -> u32 {
    match algorithm {
        GatherAlgorithm::Binomial => ceil_log2(ranks),
        GatherAlgorithm::Linear => (ranks > 1) as u32,
        GatherAlgorithm::Auto => unreachable!(),
    }
}

/// Blocks that go to or come from a root.
pub(super) struct RootedBlocks<'a> {
    pub algorithm: GatherAlgorithm,
    pub blocks: &'a BlockSizes,
    pub root: u32,
    pub ranks: u32,
}

impl RootedBlocks<'_> {
    /// Every rank's block to the root.
    pub fn gather(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        if self.algorithm == GatherAlgorithm::Linear {
            return self.linear(seen, step, true, out);
        }
        self.subtree(seen, step, step, true, out);
    }

    /// The root's blocks to their owners.
    pub fn scatter(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        if self.algorithm == GatherAlgorithm::Linear {
            return self.linear(seen, step, false, out);
        }
        self.subtree(seen, step, ceil_log2(self.ranks) - 1 - step, false, out);
    }

    /// Between a rank whose last `digit` digits are zero and the one `2^digit` above: the blocks of
    /// the upper one's subtree.
    fn subtree(&self, seen: u32, step: u32, digit: u32, upwards: bool, out: &mut impl Exchange) {
        let distance = 1_u32 << digit;
        if seen & (distance - 1) != 0 {
            return;
        }
        let is_child = seen & distance != 0;
        let child = if is_child { seen } else { seen.saturating_add(distance) };
        if child >= self.ranks {
            return;
        }
        let (bytes, items) = self.blocks.run(self.root, self.ranks, child, distance.min(self.ranks - child));
        let peer = if is_child { child - distance } else { child };
        if is_child == upwards {
            out.send(peer, bytes, step, items);
        } else {
            out.recv(peer, bytes, step, Combine::Replace);
        }
    }

    /// Every block separately, all at the same time; empty ones are not sent.
    fn linear(&self, seen: u32, step: u32, to_root: bool, out: &mut impl Exchange) {
        let others = if seen == 0 { 1..self.ranks } else { seen..seen + 1 };
        for other in others {
            let (bytes, items) = self.blocks.run(self.root, self.ranks, other, 1);
            let peer = if seen == 0 { other } else { 0 };
            match (bytes, to_root == (seen == 0)) {
                (Bytes::ZERO, _) => {}
                (_, true) => out.recv(peer, bytes, step, Combine::Replace),
                (_, false) => out.send(peer, bytes, step, items),
            }
        }
    }
}

pub(super) fn broadcast_steps(algorithm: BroadcastAlgorithm, ranks: u32) -> u32 {
    match (algorithm, spread(algorithm)) {
        (BroadcastAlgorithm::SwitchOffloaded, _) => 1,
        (BroadcastAlgorithm::Bine, _) => bine::tree_steps(ranks),
        (_, Some(spread)) => ceil_log2(ranks) + allgather::steps(spread, ranks),
        (_, None) => one_to_all::steps(ranks),
    }
}

/// The allgather that joins the scattered parts of a broadcast.
fn spread(algorithm: BroadcastAlgorithm) -> Option<AllgatherAlgorithm> {
    match algorithm {
        BroadcastAlgorithm::ScatterRecursiveDoubling => Some(AllgatherAlgorithm::RecursiveDoubling),
        BroadcastAlgorithm::ScatterRing => Some(AllgatherAlgorithm::Ring),
        BroadcastAlgorithm::Binomial | BroadcastAlgorithm::Bine | BroadcastAlgorithm::SwitchOffloaded => None,
        BroadcastAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

/// The parts of a broadcast that is scattered first; `None` for one that is not divided.
pub(super) fn parts(algorithm: BroadcastAlgorithm, bytes: Bytes, root: u32, ranks: u32) -> Option<BlockSizes> {
    spread(algorithm).map(|_| BlockSizes::Parts { total: bytes, root, ranks })
}

/// The root's message to every rank, with messages.
pub(super) fn broadcast(
    algorithm: BroadcastAlgorithm,
    bytes: Bytes,
    root: u32,
    ranks: u32,
    seen: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    let Some(spread) = spread(algorithm) else {
        return one_to_all::binomial(bytes, seen, ranks, step, std::iter::once(0), out);
    };
    let blocks = BlockSizes::Parts { total: bytes, root, ranks };
    let first = ceil_log2(ranks);
    if step < first {
        RootedBlocks { algorithm: GatherAlgorithm::Binomial, blocks: &blocks, root, ranks }.scatter(seen, step, out);
    } else {
        let mut later = Later { out, steps: first };
        AllgatherProgram { algorithm: spread, blocks: &blocks, root, ranks }.step(seen, step - first, &mut later);
    }
}

/// Step `k` of a binomial reduction: of the remaining ranks, every second one sends its sums to the
/// one `2^k` below.
pub(super) fn binomial_reduce(vector: VectorSum, seen: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let distance = 1_u32 << step;
    if seen & (distance - 1) != 0 {
        return;
    }
    let whole = vector.whole();
    if seen & distance != 0 {
        out.send(seen - distance, vector.bytes(&whole), step, whole);
    } else if seen.saturating_add(distance) < ranks {
        out.recv(seen + distance, vector.bytes(&whole), step, Combine::Sum);
    }
}
