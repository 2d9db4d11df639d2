//! Folding: how algorithms for powers of two work for any number of ranks.

use std::ops::Range;

/// The fold of the ranks onto a power of two, as in MPICH. Of the first `2 * excess` ranks, the
/// even ones give their data to the odd one above, pause, and get their result at the end.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Ranks that take part: the largest power of two.
    pub active: u32,
    /// Ranks that pause.
    pub excess: u32,
}

impl Fold {
    pub const fn new(ranks: u32) -> Self {
        let active = 1 << ranks.ilog2();
        Self { active, excess: ranks - active }
    }

    /// The first step among the active ranks.
    pub const fn first_step(self) -> u32 {
        (self.excess > 0) as u32
    }

    /// Number of steps that halve or double over all active ranks.
    pub const fn digits(self) -> u32 {
        self.active.ilog2()
    }

    pub const fn to_active(self, rank: u32) -> Option<u32> {
        if rank >= 2 * self.excess {
            Some(rank - self.excess)
        } else if rank % 2 == 1 {
            Some(rank / 2)
        } else {
            None
        }
    }

    pub const fn to_rank(self, active: u32) -> u32 {
        if active < self.excess { active * 2 + 1 } else { active + self.excess }
    }

    /// The ranks that the active ranks `first..last` represent, including themselves.
    pub const fn ranks_of(self, first: u32, last: u32) -> Range<u32> {
        self.first_rank(first)..self.first_rank(last)
    }

    const fn first_rank(self, active: u32) -> u32 {
        if active < self.excess { active * 2 } else { active + self.excess }
    }

    /// The active ranks that share all digits from `digit` on with `active`.
    pub const fn like(active: u32, digit: u32) -> (u32, u32) {
        let first = (active >> digit) << digit;
        (first, first + (1 << digit))
    }
}
