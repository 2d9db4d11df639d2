//! The heads of a list: the ends of its chains, and its index. Receives and messages use the same
//! type.

use super::chain::{Chained, Ends};

/// The chain of all entries of a list, and of the unused entries of its pool.
pub(super) const ALL: usize = 0;

/// An entry of a list's pool.
pub trait PoolEntry<const LINKS: usize>: Chained<LINKS> {
    /// An unused entry of a pool.
    fn vacant() -> Self;
}

/// The ends of the chains of a list, and its index.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ListHeads<I> {
    /// The number of entries of the list.
    pub(super) entries: u64,
    /// The number in the list's order that the next entry gets.
    pub(super) next: u64,
    /// Entries that searches have compared.
    pub(super) compared: u64,
    pub(super) vacant: Ends,
    pub(super) all: Ends,
    pub(super) index: I,
}

impl<I: Default> Default for ListHeads<I> {
    /// The heads of a list without a pool.
    fn default() -> Self {
        let (vacant, all) = (Ends::default(), Ends::default());
        Self { entries: 0, next: 1, compared: 0, vacant, all, index: I::default() }
    }
}

impl<I> ListHeads<I> {
    /// The heads of a pool of which no entry is in use.
    #[must_use]
    pub fn of<const LINKS: usize, E: PoolEntry<LINKS>>(pool: &mut [E]) -> Self
    where
        I: Default,
    {
        let mut heads = Self::default();
        heads.extend(pool, 0);
        heads
    }

    /// Records that the pool has grown: its entries from `first` are unused.
    pub fn extend<const LINKS: usize, E: PoolEntry<LINKS>>(&mut self, pool: &mut [E], first: usize) {
        for index in first..pool.len() {
            pool[index] = E::vacant();
            self.vacant.push(pool, ALL, index as u32);
        }
    }

    /// The number of entries of the list.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Whether the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    pub(super) const fn compared(&self) -> u64 {
        self.compared
    }

    pub(super) const fn index(&self) -> &I {
        &self.index
    }

    /// The first entry of the list.
    pub(super) fn first<'p, const LINKS: usize, E: PoolEntry<LINKS>>(&self, pool: &'p [E]) -> Option<&'p E> {
        self.all.first().map(|index| &pool[index as usize])
    }

    /// The number of entries for which `counts` returns true.
    pub(super) fn count<const LINKS: usize, E: PoolEntry<LINKS>>(
        &self,
        pool: &[E],
        mut counts: impl FnMut(&E) -> bool,
    ) -> u64 {
        let mut count = 0;
        let _: Option<u32> = self.all.find(pool, ALL, |entry| {
            count += u64::from(counts(entry));
            false
        });
        count
    }

    /// The same list with a different, empty index.
    pub(super) fn with_index<J: Default>(self) -> ListHeads<J> {
        let Self { entries, next, compared, vacant, all, .. } = self;
        ListHeads { entries, next, compared, vacant, all, index: J::default() }
    }

    /// How many entries a linear search compares until it finds this one. All of them if none is
    /// found.
    pub(super) fn looked_at<const LINKS: usize, E: PoolEntry<LINKS>>(&self, pool: &[E], found: Option<u32>) -> u64 {
        let Some(mut at) = found else { return self.entries };
        let mut seen = 1;
        while let Some(before) = pool[at as usize].links()[ALL].previous() {
            (at, seen) = (before, seen + 1);
        }
        seen
    }
}
