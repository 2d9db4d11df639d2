//! Allreduce: recursive doubling, Rabenseifner, both also as Bine butterflies, ring and tree.
//!
//! Source: MPICH @ 6a79bf6; Thakur, Rabenseifner, Gropp, IJHPCA 2005; ring as in Patarasuk and
//! Yuan, JPDC 2009. Status: published. Neither the time of the additions nor MPICH's node-local
//! first stage is modelled.

use std::ops::Range;

use philae_units::Bytes;

use super::algorithm::AllreduceAlgorithm;
use super::bine;
use super::exchange::{Combine, Exchange, Later, ceil_log2, ring_neighbours};
use super::fold::Fold;
use super::one_to_all;
use super::rooted::binomial_reduce;
use crate::program::Offload;

/// A vector that is summed over all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorSum {
    /// Number of elements; at least 1.
    pub elements: u64,
    /// Size of each.
    pub element_bytes: Bytes,
}

impl VectorSum {
    pub(super) fn bytes(self, range: &Range<u64>) -> Bytes {
        Bytes((range.end - range.start) * self.element_bytes.0)
    }

    pub(super) fn whole(self) -> Range<u64> {
        0..self.elements
    }

    /// The elements of parts `first..last` if the vector is divided into `parts` nearly equal ones:
    /// as in MPICH, the first ones have one element more than the others.
    pub(super) fn parts(self, first: u32, last: u32, parts: u32) -> Range<u64> {
        let (each, more) = (self.elements / u64::from(parts), self.elements % u64::from(parts));
        let cut = |part: u32| u64::from(part) * each + more.min(u64::from(part));
        cut(first)..cut(last)
    }
}

pub(super) fn steps(algorithm: AllreduceAlgorithm, ranks: u32) -> u32 {
    let fold = Fold::new(ranks);
    match algorithm {
        AllreduceAlgorithm::RecursiveDoubling | AllreduceAlgorithm::Bine => 2 * fold.first_step() + fold.digits(),
        AllreduceAlgorithm::Rabenseifner | AllreduceAlgorithm::BineRabenseifner => {
            2 * fold.first_step() + 2 * fold.digits()
        }
        AllreduceAlgorithm::Ring => 2 * (ranks - 1),
        AllreduceAlgorithm::Tree => 2 * ceil_log2(ranks),
        AllreduceAlgorithm::SwitchOffloaded => 1,
        AllreduceAlgorithm::Auto => unreachable!("the specification resolves `auto` before it builds a program"),
    }
}

pub(super) fn step(
    algorithm: AllreduceAlgorithm,
    vector: VectorSum,
    rank: u32,
    ranks: u32,
    step: u32,
    out: &mut impl Exchange,
) {
    if algorithm == AllreduceAlgorithm::Ring {
        return ring(vector, rank, ranks, step, out);
    }
    if algorithm == AllreduceAlgorithm::SwitchOffloaded {
        return out.offload(Offload::Allreduce, vector.bytes(&vector.whole()), vector.whole());
    }
    if algorithm == AllreduceAlgorithm::Tree {
        return tree(vector, rank, ranks, step, out);
    }
    let fold = Fold::new(ranks);
    let last = steps(algorithm, ranks) - 1;
    if fold.excess > 0 && (step == 0 || step == last) {
        return fold_or_unfold(vector, rank, step, fold, out);
    }
    let Some(active) = fold.to_active(rank) else { return };
    let inner = step - fold.first_step();
    let digits = fold.digits();
    if algorithm == AllreduceAlgorithm::Bine {
        let peer = fold.to_rank(bine::partner(active, inner, fold.active));
        exchange(vector, peer, step, vector.whole(), vector.whole(), Combine::Sum, out);
    } else if algorithm == AllreduceAlgorithm::BineRabenseifner {
        let parts = bine::VectorParts { vector, active: fold.active };
        match inner.checked_sub(digits) {
            None => bine::scatter_sums(&parts, active, inner, step, fold, out),
            Some(done) => bine::gather_all(&parts, active, digits - 1 - done, step, fold, out),
        }
    } else if algorithm == AllreduceAlgorithm::RecursiveDoubling {
        let peer = fold.to_rank(active ^ (1 << inner));
        exchange(vector, peer, step, vector.whole(), vector.whole(), Combine::Sum, out);
    } else if inner < digits {
        halve(vector, active, step, inner, fold, out);
    } else {
        // The same windows backwards: each rank sends the half that it finished to the other.
        let digit = 2 * digits - 1 - inner;
        let other = active ^ (1 << digit);
        let (mine, theirs) =
            (window(vector, active, digit + 1, fold.active), window(vector, other, digit + 1, fold.active));
        exchange(vector, fold.to_rank(other), step, mine, theirs, Combine::Replace, out);
    }
}

/// The first step (even ranks send their data) and the last (odd ranks return the result) of the
/// folded ranks.
pub(super) fn fold_or_unfold(vector: VectorSum, rank: u32, step: u32, fold: Fold, out: &mut impl Exchange) {
    let folding = step == 0;
    let whole = vector.whole();
    if rank >= 2 * fold.excess {
        return;
    }
    if folding == rank.is_multiple_of(2) {
        out.send(rank ^ 1, vector.bytes(&whole), step, whole);
    } else {
        out.recv(rank ^ 1, vector.bytes(&whole), step, if folding { Combine::Sum } else { Combine::Replace });
    }
}

/// Recursive halving: of their common window, each rank keeps the half with its own digit.
pub(super) fn halve(vector: VectorSum, active: u32, step: u32, digit: u32, fold: Fold, out: &mut impl Exchange) {
    let other = active ^ (1 << digit);
    let (theirs, mine) =
        (window(vector, other, digit + 1, fold.active), window(vector, active, digit + 1, fold.active));
    exchange(vector, fold.to_rank(other), step, theirs, mine, Combine::Sum, out);
}

/// The window of an active rank after `halvings` halvings: digit 0 chooses the half, digit 1 the
/// quarter, ...
pub(super) fn window(vector: VectorSum, active: u32, halvings: u32, parts: u32) -> Range<u64> {
    let first: u32 = (0..halvings).map(|digit| ((active >> digit) & 1) * (parts >> (digit + 1))).sum();
    vector.parts(first, first + (parts >> halvings), parts)
}

fn exchange(
    vector: VectorSum,
    peer: u32,
    step: u32,
    sent: Range<u64>,
    received: Range<u64>,
    combine: Combine,
    out: &mut impl Exchange,
) {
    out.recv(peer, vector.bytes(&received), step, combine);
    out.send(peer, vector.bytes(&sent), step, sent);
}

/// Each part of the vector goes round once to collect the sum, and once more to distribute it.
fn ring(vector: VectorSum, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let (above, below) = ring_neighbours(rank, ranks, 1);
    let (spreading, hop) = (step / (ranks - 1), step % (ranks - 1));
    let part_sent = ring_neighbours(rank + spreading, ranks, hop).1;
    let part_received = ring_neighbours(part_sent, ranks, 1).1;
    let part = |part: u32| vector.parts(part, part + 1, ranks);
    let combine = if spreading == 0 { Combine::Sum } else { Combine::Replace };
    let (sent, received) = (part(part_sent), part(part_received));
    out.recv(below, vector.bytes(&received), step, combine);
    out.send(above, vector.bytes(&sent), step, sent);
}

/// Sums go up to rank 0, the whole sum comes down.
fn tree(vector: VectorSum, rank: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let up = ceil_log2(ranks);
    if step < up {
        return binomial_reduce(vector, rank, ranks, step, out);
    }
    let whole = vector.whole();
    let mut later = Later { out, steps: up };
    one_to_all::binomial(vector.bytes(&whole), rank, ranks, step - up, whole, &mut later);
}
