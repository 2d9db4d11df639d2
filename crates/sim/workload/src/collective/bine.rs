//! Bine trees and butterflies: binomial trees whose partners are at negabinary distances.
//!
//! In the exchange with digit `d`, an even rank's partner is `1 - 2 + 4 - ... (-2)^d` above it, an
//! odd rank's as far below, modulo a power of two of ranks: 1, 1, 3, 5, 11, ... ranks away instead
//! of 1, 2, 4, 8, 16. The sum of the distances is two thirds, so fewer messages leave a group of
//! neighbouring ranks. Other numbers of ranks fold as in MPICH's algorithms.
//!
//! Source: De Sensi et al., "Bine Trees: Enhancing Collective Operations by Optimizing
//! Communication Locality", SC'25, arXiv:2508.17311; De Sensi et al., "Swing", NSDI'24. Status:
//! published; the fold is ours.

use std::ops::Range;

use philae_units::Bytes;

use super::allreduce::VectorSum;
use super::blocks::BlockSizes;
use super::exchange::{Combine, Exchange, ring_neighbours};
use super::fold::Fold;

/// `1 - 2 + 4 - ... (-2)^digit`.
const fn distance(digit: u32) -> i64 {
    (1 - (-2_i64).pow(digit + 1)) / 3
}

/// The partner of an active rank in the exchange with `digit`, of `active` ranks, a power of two.
/// It is mutual.
pub(super) const fn partner(rank: u32, digit: u32, active: u32) -> u32 {
    let away = if rank.is_multiple_of(2) { distance(digit) } else { -distance(digit) };
    (rank as i64 + away).rem_euclid(active as i64) as u32
}

/// The active ranks that exchanges with the digits `from..` lead to, each one taken or left out, in
/// ascending order: `2^(digits - from)` different ones, `rank` among them.
fn reached(rank: u32, from: u32, fold: Fold) -> impl Iterator<Item = u32> {
    let taken = fold.digits() - from;
    (0..1_u32 << taken).map(move |subset| {
        let digits = (0..taken).filter(|digit| subset >> digit & 1 == 1);
        digits.fold(rank, |at, digit| partner(at, from + digit, fold.active))
    })
}

/// The digits of the exchanges, taken in ascending order, that lead from an active rank to the
/// root.
///
/// Those from `digit` on move by a multiple of `2^(digit + 1)`, or by the same odd number modulo
/// that: that decides digit by digit.
fn way_to_root(rank: u32, root: u32, fold: Fold) -> u32 {
    let (mut at, mut way) = (rank, 0);
    for digit in 0..fold.digits() {
        let modulus = i64::from(fold.active).min(1 << (digit + 2).min(40));
        let left = (i64::from(root) - i64::from(at)).rem_euclid(modulus);
        let next = if at.is_multiple_of(2) { distance(digit + 1) } else { -distance(digit + 1) };
        let is_last = digit + 1 == fold.digits();
        if left != 0 && (is_last || left != next.rem_euclid(modulus)) {
            at = partner(at, digit, fold.active);
            way |= 1 << digit;
        }
    }
    way
}

/// Data that a set of ranks stands for.
pub(super) trait Parts: Clone {
    /// The parts of one active rank.
    fn of(&self, active: u32) -> impl Iterator<Item = (Bytes, Range<u64>)>;
}

/// The blocks of the ranks that active ranks represent, counted from a root.
#[derive(Clone)]
pub(super) struct FoldedBlocks<'a> {
    pub blocks: &'a BlockSizes,
    pub root: u32,
    pub ranks: u32,
}

impl Parts for FoldedBlocks<'_> {
    fn of(&self, active: u32) -> impl Iterator<Item = (Bytes, Range<u64>)> {
        Fold::new(self.ranks).ranks_of(active, active + 1).map(|seen| {
            let rank = ring_neighbours(seen, self.ranks, self.root).0;
            (self.blocks.of(rank), u64::from(rank)..u64::from(rank) + 1)
        })
    }
}

/// Parts of a vector, one for each active rank.
#[derive(Clone)]
pub(super) struct VectorParts {
    pub vector: VectorSum,
    pub active: u32,
}

impl Parts for VectorParts {
    fn of(&self, active: u32) -> impl Iterator<Item = (Bytes, Range<u64>)> {
        let part = self.vector.parts(active, active + 1, self.active);
        std::iter::once((self.vector.bytes(&part), part))
    }
}

/// The parts of the ranks that the digits from `from` on lead to.
fn parts_of(parts: &impl Parts, rank: u32, from: u32, fold: Fold) -> (Bytes, Vec<Range<u64>>) {
    let mut total = 0;
    let mut items: Vec<Range<u64>> = Vec::new();
    for active in reached(rank, from, fold) {
        for (bytes, range) in parts.of(active) {
            total += bytes.0;
            items.push(range);
        }
    }
    (Bytes(total), items)
}

/// A step of a reduce-scatter among active ranks: the partner gets the sums of what it and those
/// behind it end with. The nearest partner comes first, with half of the data.
pub(super) fn scatter_sums(parts: &impl Parts, rank: u32, digit: u32, step: u32, fold: Fold, out: &mut impl Exchange) {
    let other = partner(rank, digit, fold.active);
    let (received, _) = parts_of(parts, rank, digit + 1, fold);
    let (sent, items) = parts_of(parts, other, digit + 1, fold);
    out.recv(fold.to_rank(other), received, step, Combine::Sum);
    out.send(fold.to_rank(other), sent, step, items.into_iter().flatten());
}

/// A step of an allgather among active ranks: partners exchange all that they have. The most
/// distant partner comes first, with the least data; `step` counts the digits downwards.
pub(super) fn gather_all(parts: &impl Parts, rank: u32, digit: u32, step: u32, fold: Fold, out: &mut impl Exchange) {
    let other = partner(rank, digit, fold.active);
    let (received, _) = parts_of(parts, other, digit + 1, fold);
    let (sent, items) = parts_of(parts, rank, digit + 1, fold);
    out.recv(fold.to_rank(other), received, step, Combine::Replace);
    out.send(fold.to_rank(other), sent, step, items.into_iter().flatten());
}

/// Steps of a tree.
pub(super) const fn tree_steps(ranks: u32) -> u32 {
    let fold = Fold::new(ranks);
    fold.first_step() + fold.digits()
}

/// A broadcast from the last rank: the most distant child comes first. Ranks that fold come at the
/// end.
pub(super) fn broadcast(bytes: Bytes, seen: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let fold = Fold::new(ranks);
    if step == fold.digits() {
        return if seen >= 2 * fold.excess {
        } else if seen.is_multiple_of(2) {
            out.recv(seen + 1, bytes, step, Combine::Replace);
        } else {
            out.send(seen - 1, bytes, step, std::iter::once(0));
        };
    }
    let Some(active) = fold.to_active(seen) else { return };
    let digit = fold.digits() - 1 - step;
    let peer = fold.to_rank(partner(active, digit, fold.active));
    match way_to_root(active, fold.active - 1, fold).trailing_zeros() {
        first if first == digit => out.recv(peer, bytes, step, Combine::Replace),
        first if first > digit => out.send(peer, bytes, step, std::iter::once(0)),
        _ => {}
    }
}

/// A reduction to the last rank: the broadcast backwards.
pub(super) fn reduce(vector: VectorSum, seen: u32, ranks: u32, step: u32, out: &mut impl Exchange) {
    let fold = Fold::new(ranks);
    let whole = vector.whole();
    if step < fold.first_step() {
        return if seen >= 2 * fold.excess {
        } else if seen.is_multiple_of(2) {
            out.send(seen + 1, vector.bytes(&whole), step, whole);
        } else {
            out.recv(seen - 1, vector.bytes(&whole), step, Combine::Sum);
        };
    }
    let Some(active) = fold.to_active(seen) else { return };
    let digit = step - fold.first_step();
    let peer = fold.to_rank(partner(active, digit, fold.active));
    match way_to_root(active, fold.active - 1, fold).trailing_zeros() {
        first if first == digit => out.send(peer, vector.bytes(&whole), step, whole),
        first if first > digit => out.recv(peer, vector.bytes(&whole), step, Combine::Sum),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn distances_are_negabinary_and_partners_mutual() {
        assert_eq!((0..7).map(distance).collect::<Vec<_>>(), [1, -1, 3, -5, 11, -21, 43]);
        for (digits, active) in (1..8).map(|digits| (digits, 1 << digits)) {
            for (rank, digit) in (0..active).flat_map(|rank| (0..digits).map(move |digit| (rank, digit))) {
                let other = partner(rank, digit, active);
                assert_eq!(partner(other, digit, active), rank);
                assert_ne!(other, rank);
            }
        }
    }

    #[test]
    fn the_sets_of_two_partners_share_nothing_and_are_all_in_the_end() {
        for active in (1..9).map(|digits| 1 << digits) {
            let fold = Fold::new(active);
            for (rank, digit) in (0..active).flat_map(|rank| (0..fold.digits()).map(move |digit| (rank, digit))) {
                let of = |rank| reached(rank, digit + 1, fold).collect::<BTreeSet<_>>();
                let (mine, theirs) = (of(rank), of(partner(rank, digit, active)));
                assert_eq!(mine.len(), 1 << (fold.digits() - digit - 1));
                assert!(mine.is_disjoint(&theirs), "{active} ranks, {rank}, digit {digit}");
            }
            assert_eq!(reached(0, 0, fold).collect::<BTreeSet<_>>().len(), active as usize);
        }
    }

    #[test]
    fn every_rank_finds_its_way_to_any_root() {
        for active in (0..9).map(|digits| 1 << digits) {
            let fold = Fold::new(active);
            for (rank, root) in (0..active).flat_map(|rank| [0, active / 2, active - 1].map(|root| (rank, root))) {
                let way = way_to_root(rank, root, fold);
                let digits = (0..fold.digits()).filter(|digit| way >> digit & 1 == 1);
                assert_eq!(digits.fold(rank, |at, digit| partner(at, digit, active)), root, "{rank} of {active}");
            }
        }
    }
}
