//! Reduce-scatter: recursive halving, also as a Bine butterfly, and pairwise, for even and uneven
//! blocks.
//!
//! Source: MPICH; Thakur, Rabenseifner, Gropp, IJHPCA 2005. Status: published. The time of the
//! additions is not modelled.

use super::algorithm::ReduceScatterAlgorithm;
use super::bine::{self, FoldedBlocks};
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange, ring_neighbours};
use super::fold::Fold;

pub(super) fn steps(algorithm: ReduceScatterAlgorithm, ranks: u32) -> u32 {
    let fold = Fold::new(ranks);
    match algorithm {
        ReduceScatterAlgorithm::RecursiveHalving | ReduceScatterAlgorithm::Bine => {
            2 * fold.first_step() + fold.digits()
        }
        ReduceScatterAlgorithm::Pairwise => ranks - 1,
        ReduceScatterAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

pub(super) fn step(
    algorithm: ReduceScatterAlgorithm,
    blocks: &BlockSizes,
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    if algorithm == ReduceScatterAlgorithm::Pairwise {
        return pairwise(blocks, rank, ranks, step, out);
    }
    let fold = Fold::new(ranks);
    let mut exchange = |peer: u32, sent: Option<(u32, u32)>, received: Option<(u32, u32)>, combine| {
        if let Some((first, last)) = received {
            out.recv(peer, blocks.sum(first..last), step, combine);
        }
        if let Some((first, last)) = sent {
            out.send(peer, blocks.sum(first..last), step, (first..last).map(u64::from));
        }
    };
    let folded = rank < 2 * fold.excess;
    if fold.excess > 0 && step == 0 {
        match (folded, rank.is_multiple_of(2)) {
            (true, true) => exchange(rank + 1, Some((0, ranks)), None, Combine::Sum),
            (true, false) => exchange(rank - 1, None, Some((0, ranks)), Combine::Sum),
            (false, _) => {}
        }
    } else if fold.excess > 0 && step == steps(algorithm, ranks) - 1 {
        match (folded, rank.is_multiple_of(2)) {
            (true, true) => exchange(rank + 1, None, Some((rank, rank + 1)), Combine::Replace),
            (true, false) => exchange(rank - 1, Some((rank - 1, rank)), None, Combine::Replace),
            (false, _) => {}
        }
    } else if algorithm == ReduceScatterAlgorithm::Bine {
        let Some(active) = fold.to_active(rank) else { return };
        let parts = FoldedBlocks { blocks, root: 0, ranks };
        bine::scatter_sums(&parts, active, step - fold.first_step(), step, fold, out);
    } else if let Some(active) = fold.to_active(rank) {
        // Of their common window, each rank keeps the half that it represents.
        let digit = fold.digits() - 1 - (step - fold.first_step());
        let other = active ^ (1 << digit);
        let of = |active| {
            let (first, last) = Fold::like(active, digit);
            let ranks = fold.ranks_of(first, last);
            (ranks.start, ranks.end)
        };
        exchange(fold.to_rank(other), Some(of(other)), Some(of(active)), Combine::Sum);
    }
}

/// Step `i - 1`: send the block of the rank `i` above, add a contribution from the rank `i` below
/// to the own block.
fn pairwise(blocks: &BlockSizes, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let (to, from) = ring_neighbours(rank, ranks, step + 1);
    out.recv(from, blocks.of(rank), step, Combine::Sum);
    out.send(to, blocks.of(to), step, std::iter::once(to.into()));
}
