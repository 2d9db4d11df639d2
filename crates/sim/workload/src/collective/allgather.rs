//! Allgather: recursive doubling, also as a Bine butterfly, Bruck and ring, for even and uneven
//! blocks.
//!
//! Source: MPICH; Thakur, Rabenseifner, Gropp, IJHPCA 2005; Bruck et al., IEEE TPDS 1997. Status:
//! published. For other than a power of two, MPICH's recursive doubling sends the missing blocks in
//! further messages; here ranks fold as in an allreduce.

use super::algorithm::AllgatherAlgorithm;
use super::bine::{self, FoldedBlocks};
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange, ceil_log2, ring_neighbours};
use super::fold::Fold;

pub(super) fn steps(algorithm: AllgatherAlgorithm, ranks: u32) -> u32 {
    let fold = Fold::new(ranks);
    match algorithm {
        AllgatherAlgorithm::RecursiveDoubling | AllgatherAlgorithm::Bine => 2 * fold.first_step() + fold.digits(),
        AllgatherAlgorithm::Bruck => ceil_log2(ranks),
        AllgatherAlgorithm::Ring => ranks - 1,
        AllgatherAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

/// Every rank's block to every rank; `seen` and the peers count from `root`, whose block is block
/// 0.
pub(super) struct AllgatherProgram<'a> {
    pub algorithm: AllgatherAlgorithm,
    pub blocks: &'a BlockSizes,
    pub root: u32,
    pub ranks: u32,
}

impl AllgatherProgram<'_> {
    pub fn step(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        match self.algorithm {
            AllgatherAlgorithm::RecursiveDoubling | AllgatherAlgorithm::Bine => {
                self.recursive_doubling(seen, step, out)
            }
            AllgatherAlgorithm::Bruck => self.bruck(seen, step, out),
            AllgatherAlgorithm::Ring => self.ring(seen, step, out),
            AllgatherAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
        }
    }

    fn send(&self, to: u32, step: u32, first: u32, count: u32, out: &mut impl Exchange) {
        let (bytes, items) = self.blocks.run(self.root, self.ranks, first, count);
        out.send(to, bytes, step, items);
    }

    fn recv(&self, from: u32, step: u32, first: u32, count: u32, out: &mut impl Exchange) {
        let (bytes, _) = self.blocks.run(self.root, self.ranks, first, count);
        out.recv(from, bytes, step, Combine::Replace);
    }

    /// Step `k`: exchange the blocks of both with the rank that differs in digit `k`, or with the
    /// partner of a Bine butterfly.
    fn recursive_doubling(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        let fold = Fold::new(self.ranks);
        let last = steps(self.algorithm, self.ranks).saturating_sub(1);
        if fold.excess > 0 && step == 0 {
            match (seen < 2 * fold.excess, seen.is_multiple_of(2)) {
                (true, true) => self.send(seen + 1, step, seen, 1, out),
                (true, false) => self.recv(seen - 1, step, seen - 1, 1, out),
                (false, _) => {}
            }
            return;
        }
        if fold.excess > 0 && step == last {
            // The even one has its own block; the others are before and behind it.
            match (seen < 2 * fold.excess, seen.is_multiple_of(2)) {
                (true, true) => self.recv(seen + 1, step, seen + 1, self.ranks - 1, out),
                (true, false) => self.send(seen - 1, step, seen, self.ranks - 1, out),
                (false, _) => {}
            }
            return;
        }
        let Some(active) = fold.to_active(seen) else { return };
        let digit = step - fold.first_step();
        if self.algorithm == AllgatherAlgorithm::Bine {
            let parts = FoldedBlocks { blocks: self.blocks, root: self.root, ranks: self.ranks };
            return bine::gather_all(&parts, active, fold.digits() - 1 - digit, step, fold, out);
        }
        let other = active ^ (1 << digit);
        let of = |active| {
            let (first, last) = Fold::like(active, digit);
            let ranks = fold.ranks_of(first, last);
            (ranks.start, ranks.end - ranks.start)
        };
        let (peer, (first, count), (mine, mine_count)) = (fold.to_rank(other), of(other), of(active));
        self.recv(peer, step, first, count, out);
        self.send(peer, step, mine, mine_count, out);
    }

    /// Step `k`: send the blocks so far, from the own block upwards, to the rank `2^k` below.
    fn bruck(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        let distance = 1_u32 << step;
        let (above, below) = ring_neighbours(seen, self.ranks, distance);
        let count = distance.min(self.ranks - distance);
        self.recv(above, step, above, count, out);
        self.send(below, step, seen, count, out);
    }

    /// Each block goes round once, one rank further in each step.
    fn ring(&self, seen: u32, step: u32, out: &mut impl Exchange) {
        let (above, below) = ring_neighbours(seen, self.ranks, 1);
        self.recv(below, step, ring_neighbours(below, self.ranks, step).1, 1, out);
        self.send(above, step, ring_neighbours(seen, self.ranks, step).1, 1, out);
    }
}
