//! Reduction to one rank by reduce-scatter and gather.
//!
//! Source: MPICH; Thakur, Rabenseifner, Gropp, IJHPCA 2005. Status: published; compared with MPICH
//! 5.0.2 message by message (`bench/simulated/rules.py`). The time of the additions is not
//! modelled.

use philae_units::Bytes;

use super::allreduce::{VectorSum, fold_or_unfold, halve, window};
use super::exchange::{Combine, Exchange};
use super::fold::Fold;
use crate::program::Offload;

/// A vector that is summed at a root.
#[derive(Clone, Copy)]
pub(super) struct ScatteredReduction {
    pub vector: VectorSum,
    pub root: u32,
    pub ranks: u32,
}

impl ScatteredReduction {
    pub const fn steps(self) -> u32 {
        let fold = self.fold();
        fold.first_step() + 2 * fold.digits() + self.root_is_folded() as u32
    }

    pub fn step(self, rank: u32, step: u32, out: &mut impl Exchange) {
        let fold = self.fold();
        let first = fold.first_step();
        let seen = neighbour(rank, fold);
        if step < first {
            return fold_or_unfold(self.vector, seen, step, fold, &mut Neighbours { out, fold });
        }
        let halvings = first + fold.digits();
        if step < halvings {
            let Some(active) = fold.to_active(seen) else { return };
            return halve(self.vector, active, step, step - first, fold, &mut Neighbours { out, fold });
        }
        let gathering = halvings + u32::from(self.root_is_folded());
        if step < gathering {
            self.hand_over(rank, step, out);
        } else {
            self.gather(rank, step, fold.digits() - 1 - (step - gathering), out);
        }
    }

    const fn fold(self) -> Fold {
        Fold::new(self.ranks)
    }

    /// A root that has given its vector away takes the part of rank 0, and its place from then on.
    const fn root_is_folded(self) -> bool {
        self.root < 2 * self.fold().excess && self.root % 2 == 1
    }

    fn hand_over(self, rank: u32, step: u32, out: &mut impl Exchange) {
        let part = window(self.vector, 0, self.fold().digits(), self.fold().active);
        if rank == 0 {
            out.send(self.root, self.vector.bytes(&part), step, part);
        } else if rank == self.root {
            out.recv(0, self.vector.bytes(&part), step, Combine::Replace);
        }
    }

    /// The windows backwards, the most distant ranks first: of two that differ in this digit alone,
    /// the one that does not have the root's sends its window to the other.
    fn gather(self, rank: u32, step: u32, digit: u32, out: &mut impl Exchange) {
        let (Some(active), Some(root)) = (self.place(rank), self.place(self.root)) else { return };
        let above = digit + 1;
        if active >> above != root >> above {
            return;
        }
        let other = active ^ (1 << digit);
        let is_sender = (active ^ root) >> digit & 1 == 1;
        let handed = window(self.vector, if is_sender { active } else { other }, above, self.fold().active);
        let bytes = self.vector.bytes(&handed);
        if is_sender {
            out.send(self.rank_at(other), bytes, step, handed);
        } else {
            out.recv(self.rank_at(other), bytes, step, Combine::Replace);
        }
    }

    /// The place of a rank in the gather.
    const fn place(self, rank: u32) -> Option<u32> {
        match rank {
            0 if self.root_is_folded() => None,
            _ if self.root_is_folded() && rank == self.root => Some(0),
            _ => self.fold().to_active(neighbour(rank, self.fold())),
        }
    }

    const fn rank_at(self, place: u32) -> u32 {
        if place == 0 && self.root_is_folded() {
            return self.root;
        }
        neighbour(self.fold().to_rank(place), self.fold())
    }
}

/// Unlike in an allreduce, odd ranks give their vector to the even one below: each of the ranks
/// that fold has the place of its neighbour.
const fn neighbour(rank: u32, fold: Fold) -> u32 {
    if rank < 2 * fold.excess { rank ^ 1 } else { rank }
}

/// Messages of ranks that have the places of their neighbours.
struct Neighbours<'a, E> {
    out: &'a mut E,
    fold: Fold,
}

impl<E: Exchange> Exchange for Neighbours<'_, E> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>) {
        self.out.send(neighbour(to, self.fold), bytes, step, items);
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine) {
        self.out.recv(neighbour(from, self.fold), bytes, step, combine);
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>) {
        self.out.offload(kind, bytes, items);
    }
}
