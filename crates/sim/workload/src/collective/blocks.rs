//! Sizes of blocks, one for each rank or for each ordered pair of ranks.

use std::ops::Range;
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exchange::ring_neighbours;
use crate::random::{exponential, purpose};

/// Distribution of the sizes of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Uniform from 0 to twice the mean.
    Uniform,
    /// Exponential: most are small, a few are many times the mean.
    Exponential,
}

/// Sizes of blocks. Every rank knows all of them. No rank needs a table of its own; all share the
/// table of listed ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockSizes {
    /// All of this size.
    Even(Bytes),
    /// As listed: by rank, or by sender and then receiver.
    Listed(Listed),
    /// Drawn from a seed.
    Drawn {
        /// Mean of the law.
        mean: Bytes,
        law: Draw,
        /// Sizes are multiples of this, at least 1 byte.
        unit: Bytes,
        /// Same seed, same sizes.
        seed: u64,
    },
    /// Some ranks (receivers, if blocks belong to pairs) have larger blocks than the others.
    Hot {
        /// Size for the others.
        bytes: Bytes,
        /// Number of ranks with larger blocks: the first ones.
        hot: u32,
        /// Their size as a multiple.
        factor: u32,
    },
    /// A message in nearly equal parts, the first of them rank `root`'s, and so on, modulo the
    /// ranks. The last ones may be empty.
    Parts {
        /// The message.
        total: Bytes,
        /// The rank of the first part.
        root: u32,
        /// Number of ranks.
        ranks: u32,
    },
}

/// Listed sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The end of each block if they lie one behind the other, with a zero in front.
    ends: Arc<[u64]>,
}

impl Listed {
    /// Blocks of these sizes.
    #[must_use]
    pub fn new(sizes: impl IntoIterator<Item = Bytes>) -> Self {
        let mut end = 0_u64;
        let after = sizes.into_iter().map(|size| {
            end = end.saturating_add(size.0);
            end
        });
        Self { ends: std::iter::once(0).chain(after).collect() }
    }

    /// Number of sizes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ends.len() - 1
    }
}

impl BlockSizes {
    /// The size of the block of `rank`.
    ///
    /// # Panics
    /// If sizes are listed and there is none for this rank.
    #[must_use]
    pub fn of(&self, rank: u32) -> Bytes {
        match self {
            Self::Even(bytes) => *bytes,
            Self::Listed(listed) => listed.at(rank.into()),
            Self::Drawn { mean, law, unit, seed } => draw(*mean, *law, *unit, *seed, rank.into()),
            Self::Hot { bytes, hot, factor } => hot_bytes(*bytes, rank < *hot, *factor),
            Self::Parts { total, root, ranks } => {
                let part = ring_neighbours(rank, *ranks, *root).1;
                Bytes(part_end(*total, *ranks, part + 1) - part_end(*total, *ranks, part))
            }
        }
    }

    /// The size of the block from `from` for `to`.
    ///
    /// # Panics
    /// If sizes are listed and there is none for this pair.
    #[must_use]
    pub fn pair(&self, from: u32, to: u32, ranks: u32) -> Bytes {
        let index = u64::from(from) * u64::from(ranks) + u64::from(to);
        match self {
            Self::Listed(listed) => listed.at(index),
            Self::Drawn { mean, law, unit, seed } => draw(*mean, *law, *unit, *seed, index),
            Self::Even(_) | Self::Hot { .. } | Self::Parts { .. } => self.of(to),
        }
    }

    /// The size of a block that two ranks exchange in place: MPI requires the same size in both
    /// directions.
    #[must_use]
    pub(super) fn exchanged(&self, one: u32, other: u32, ranks: u32) -> Bytes {
        self.pair(one.max(other), one.min(other), ranks)
    }

    /// The total size of the blocks of `ranks`.
    #[must_use]
    pub fn sum(&self, ranks: Range<u32>) -> Bytes {
        match self {
            Self::Even(bytes) => Bytes(bytes.0 * u64::from(ranks.end - ranks.start)),
            Self::Listed(listed) => Bytes(listed.ends[ranks.end as usize] - listed.ends[ranks.start as usize]),
            Self::Hot { bytes, hot, factor } => {
                let many = u64::from(ranks.end.min(*hot).saturating_sub(ranks.start));
                let others = u64::from(ranks.end - ranks.start) - many;
                Bytes(bytes.0 * (others + many * u64::from(*factor)))
            }
            Self::Parts { total, root, ranks: parts } => {
                let before_root = |ranks: Range<u32>| {
                    let first = ring_neighbours(ranks.start, *parts, *root).1;
                    let last = first + (ranks.end - ranks.start);
                    part_end(*total, *parts, last) - part_end(*total, *parts, first)
                };
                if ranks.is_empty() {
                    Bytes::ZERO
                } else if ranks.start < *root && *root < ranks.end {
                    Bytes(before_root(ranks.start..*root) + before_root(*root..ranks.end))
                } else {
                    Bytes(before_root(ranks))
                }
            }
            Self::Drawn { .. } => Bytes(ranks.map(|rank| self.of(rank).0).sum()),
        }
    }

    /// Blocks `first..first + count` counted from a root, whose own is block 0: their size, and the
    /// ranks that own them.
    pub(super) fn run(
        &self,
        root: u32,
        ranks: u32,
        first: u32,
        count: u32,
    ) -> (Bytes, impl Iterator<Item = u64> + use<>) {
        let start = ring_neighbours(first, ranks, root).0;
        let end = start + count.min(ranks - start);
        let wrapped = count - (end - start);
        let bytes = Bytes(self.sum(start..end).0 + self.sum(0..wrapped).0);
        (bytes, (start..end).chain(0..wrapped).map(u64::from))
    }
}

impl Listed {
    pub(super) fn at(&self, index: u64) -> Bytes {
        let index = index as usize;
        Bytes(self.ends[index + 1] - self.ends[index])
    }
}

fn hot_bytes(bytes: Bytes, hot: bool, factor: u32) -> Bytes {
    if hot { Bytes(bytes.0 * u64::from(factor)) } else { bytes }
}

/// The end of part number `part - 1` of a message in `parts`: every part is as large as the first,
/// until nothing is left.
fn part_end(total: Bytes, parts: u32, part: u32) -> u64 {
    total.0.min(total.0.div_ceil(u64::from(parts)).saturating_mul(u64::from(part)))
}

/// The size of block `index`: a function of the seed and the index alone.
fn draw(mean: Bytes, law: Draw, unit: Bytes, seed: u64, index: u64) -> Bytes {
    let mut stream = RandomStream::new(seed, index, purpose::BLOCKS);
    let bytes = match law {
        Draw::Uniform => (u128::from(stream.next_u64()) * (2 * u128::from(mean.0) + 1)) >> 64,
        Draw::Exponential => (u128::from(exponential(&mut stream)) * u128::from(mean.0)) >> 32,
    };
    let unit = unit.0.max(1);
    Bytes((bytes as u64 + unit / 2) / unit * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(law: Draw, unit: u64) -> BlockSizes {
        BlockSizes::Drawn { mean: Bytes(1_000), law, unit: Bytes(unit), seed: 7 }
    }

    #[test]
    fn sums_are_those_of_the_blocks_one_by_one() {
        let listed = BlockSizes::Listed(Listed::new([5, 0, 7, 9, 0, 1, 1, 3].map(Bytes)));
        let parts = |total, root| BlockSizes::Parts { total: Bytes(total), root, ranks: 8 };
        let hot = BlockSizes::Hot { bytes: Bytes(3), hot: 3, factor: 4 };
        for blocks in
            [BlockSizes::Even(Bytes(3)), listed, drawn(Draw::Uniform, 1), hot, parts(21, 0), parts(21, 5), parts(3, 7)]
        {
            for start in 0..=8 {
                for end in start..=8 {
                    let one_by_one: u64 = (start..end).map(|rank| blocks.of(rank).0).sum();
                    assert_eq!(blocks.sum(start..end), Bytes(one_by_one), "{blocks:?} {start}..{end}");
                }
            }
        }
        assert_eq!(parts(21, 5).sum(0..8), Bytes(21));
        assert_eq!(
            [5, 6, 7, 0, 1, 2, 3, 4].map(|rank| parts(21, 5).of(rank).0),
            [3; 7].into_iter().chain([0]).collect::<Vec<_>>()[..]
        );
    }

    #[test]
    fn drawn_sizes_have_their_mean_and_their_unit() {
        for law in [Draw::Uniform, Draw::Exponential] {
            let mean = drawn(law, 1).sum(0..20_000).0 / 20_000;
            assert!((980..=1_020).contains(&mean), "{law:?}: {mean}");
            assert!((0..1_000).all(|rank| drawn(law, 8).of(rank).0.is_multiple_of(8)));
            let largest = (0..20_000).map(|rank| drawn(law, 1).of(rank).0).max().expect("there are some");
            assert_eq!(law == Draw::Uniform, largest <= 2_000, "{law:?}: {largest}");
        }
        let other = BlockSizes::Drawn { mean: Bytes(1_000), law: Draw::Uniform, unit: Bytes(1), seed: 8 };
        assert!((0..8).any(|rank| other.of(rank) != drawn(Draw::Uniform, 1).of(rank)));
    }

    #[test]
    fn a_run_goes_round() {
        let (bytes, ranks) = BlockSizes::Listed(Listed::new([1, 2, 4, 8].map(Bytes))).run(3, 4, 0, 3);
        assert_eq!((bytes, ranks.collect::<Vec<_>>()), (Bytes(11), vec![3, 0, 1]));
    }
}
