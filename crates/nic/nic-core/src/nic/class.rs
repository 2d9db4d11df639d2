//! The index of long lists: classes of receives, and hash chains.
//!
//! Receives of one class ignore the same bits, and either all name a source or all take any source.
//! A receive of the class and each message that it takes have the same key. Entries with the same
//! key are in one chain, in list order. A search reads one chain for each class, so its cost grows
//! with the number of classes and not with the number of entries. Programs have few classes: an MPI
//! has four, for a tag or any tag, from one rank or any rank.

use super::chain::Ends;
use super::list::{ANY_SOURCE, Criteria};

/// The length up to which a list is searched linearly. Source: ours. Status: assumed; it changes
/// how long a search takes, never its result.
pub(super) const FEW: u64 = if cfg!(test) { 2 } else { 8 };

/// What the receives of a class have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct ReceiveClass {
    ignore: u64,
    takes_any: u32,
}

impl ReceiveClass {
    /// The class of a receive.
    pub fn of(criteria: &Criteria) -> Self {
        Self { ignore: criteria.ignore, takes_any: u32::from(criteria.source == ANY_SOURCE) }
    }

    /// The key of these bits from this source, as a hash. Equal keys have equal hashes, and
    /// different keys nearly always have different hashes.
    #[inline]
    pub fn key(self, bits: u64, source: u32) -> u64 {
        let source = if self.takes_any == 0 { source } else { ANY_SOURCE };
        // Source: the finaliser of MurmurHash3, 64 bits. Status: published.
        let mut mixed = (bits & !self.ignore) ^ u64::from(source).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ (mixed >> 33)
    }
}

/// What is in the chains of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum IndexState {
    /// Nothing: the index is not used.
    #[default]
    Empty,
    /// All entries of the list.
    Used,
    /// Unknown content, because a process died while it changed the index. The index is not used.
    Unknown,
}

/// The ends of the hash chains, wherever they lie.
pub trait ChainEnds: Default {
    /// All chains; their number is a power of two.
    fn ends(&self) -> &[Ends];
    /// All chains, mutable.
    fn ends_mut(&mut self) -> &mut [Ends];
    /// Whether this many entries need more chains, and more are possible.
    fn are_few_for(&self, entries: u64) -> bool;
    /// Provides as many chains as this many entries need and as are possible. All are empty.
    fn empty_for(&mut self, entries: u64);

    /// The chain of a key.
    #[inline]
    fn of(&self, key: u64) -> Ends {
        let ends = self.ends();
        ends[key as usize & (ends.len() - 1)]
    }

    /// The chain of a key, mutable.
    #[inline]
    fn of_mut(&mut self, key: u64) -> &mut Ends {
        let ends = self.ends_mut();
        let place = key as usize & (ends.len() - 1);
        &mut ends[place]
    }
}

/// A fixed number of chains, stored inline, so that they can also lie in shared memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Fixed<const N: usize>([Ends; N]);

impl<const N: usize> Default for Fixed<N> {
    fn default() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self([Ends::default(); N])
    }
}

impl<const N: usize> ChainEnds for Fixed<N> {
    fn ends(&self) -> &[Ends] {
        &self.0
    }
    fn ends_mut(&mut self) -> &mut [Ends] {
        &mut self.0
    }
    fn are_few_for(&self, _: u64) -> bool {
        false
    }
    fn empty_for(&mut self, _: u64) {
        self.0 = [Ends::default(); N];
    }
}

/// As many chains as there are entries, or up to four times as many, in a process's own memory.
#[derive(Clone, Debug, Default)]
pub struct Growing(Vec<Ends>);

impl Growing {
    pub(super) const fn memory_bytes(&self) -> usize {
        self.0.capacity() * size_of::<Ends>()
    }
}

impl ChainEnds for Growing {
    fn ends(&self) -> &[Ends] {
        &self.0
    }
    fn ends_mut(&mut self) -> &mut [Ends] {
        &mut self.0
    }
    fn are_few_for(&self, entries: u64) -> bool {
        (self.0.len() as u64) < entries
    }
    fn empty_for(&mut self, entries: u64) {
        let wanted = (2 * entries as usize).next_power_of_two().max(64);
        self.0.clear();
        self.0.resize(wanted, Ends::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receive_and_each_message_that_it_takes_have_one_key() {
        let all = [
            Criteria::new(0x12, 0, 3),
            Criteria::new(0x12, 0xf0, 3),
            Criteria::new(0x12, 0xff, ANY_SOURCE),
            Criteria::new(0, u64::MAX, ANY_SOURCE),
        ];
        for criteria in all {
            let class = ReceiveClass::of(&criteria);
            let own = class.key(criteria.bits, criteria.source);
            for (bits, source) in (0..256).flat_map(|bits| (0..8).map(move |source| (bits, source))) {
                assert_eq!(
                    class.key(bits, source) == own,
                    criteria.takes(bits, source),
                    "{criteria:?} {bits} {source}"
                );
            }
        }
    }

    #[test]
    fn keys_of_tags_and_sources_as_programs_have_them_spread_over_the_chains() {
        // Tags in steps, with contexts in the bits above them, and sources in ranges.
        for (step, sources) in [(1, 1), (2, 1), (1 << 8, 1), (1 << 32, 1), (1, 64), (1 << 20, 64), (0, 4_096)] {
            let class = ReceiveClass::of(&Criteria::new(0, 0xf << 60, 0));
            let mut counts = vec![0_u32; 1_024];
            for number in 0..4_096_u64 {
                let (bits, source) = (number / sources * step, (number % sources) as u32);
                counts[class.key(bits, source) as usize % 1_024] += 1;
            }
            // The average is four. At random, a chain longer than 20 occurs once in ten million
            // draws.
            assert!(counts.iter().all(|&count| count <= 20), "steps of {step}, {sources} sources: {counts:?}");
        }
    }
}
