//! Chains of entries in a fixed pool, linked by index. An index has the same meaning at any address
//! of the pool, so the pool may lie in memory that several processes share.

/// No entry.
const NONE: u32 = u32::MAX;

/// An entry's neighbours in one chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ChainLinks {
    next: u32,
    previous: u32,
}

impl Default for ChainLinks {
    fn default() -> Self {
        Self { next: NONE, previous: NONE }
    }
}

impl ChainLinks {
    /// The next entry in the chain.
    pub(super) fn next(self) -> Option<u32> {
        (self.next != NONE).then_some(self.next)
    }

    /// The previous entry in the chain.
    pub(super) fn previous(self) -> Option<u32> {
        (self.previous != NONE).then_some(self.previous)
    }
}

/// The two ends of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Ends {
    first: u32,
    last: u32,
}

impl Default for Ends {
    fn default() -> Self {
        Self { first: NONE, last: NONE }
    }
}

/// An entry of a pool, with neighbours in each of `N` chains.
pub trait Chained<const N: usize> {
    /// The neighbours, one pair for each kind of chain.
    fn links(&self) -> &[ChainLinks; N];
    /// The neighbours, mutable.
    fn links_mut(&mut self) -> &mut [ChainLinks; N];
}

impl Ends {
    /// The first entry.
    #[must_use]
    pub fn first(self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    /// The last entry.
    #[must_use]
    pub fn last(self) -> Option<u32> {
        (self.last != NONE).then_some(self.last)
    }

    /// Appends entry `index` to chain `kind`.
    pub fn push<const N: usize, T: Chained<N>>(&mut self, pool: &mut [T], kind: usize, index: u32) {
        pool[index as usize].links_mut()[kind] = ChainLinks { next: NONE, previous: self.last };
        match self.last {
            NONE => self.first = index,
            last => pool[last as usize].links_mut()[kind].next = index,
        }
        self.last = index;
    }

    /// Prepends entry `index` to chain `kind`, so that the entry used last is used next, while it
    /// is in the caches.
    pub fn push_front<const N: usize, T: Chained<N>>(&mut self, pool: &mut [T], kind: usize, index: u32) {
        pool[index as usize].links_mut()[kind] = ChainLinks { next: self.first, previous: NONE };
        match self.first {
            NONE => self.last = index,
            first => pool[first as usize].links_mut()[kind].previous = index,
        }
        self.first = index;
    }

    /// Takes entry `index` out of chain `kind`.
    pub fn remove<const N: usize, T: Chained<N>>(&mut self, pool: &mut [T], kind: usize, index: u32) {
        let ChainLinks { next, previous } = pool[index as usize].links()[kind];
        match previous {
            NONE => self.first = next,
            previous => pool[previous as usize].links_mut()[kind].next = next,
        }
        match next {
            NONE => self.last = previous,
            next => pool[next as usize].links_mut()[kind].previous = previous,
        }
        pool[index as usize].links_mut()[kind] = ChainLinks::default();
    }

    /// Takes out the first entry.
    pub fn pop<const N: usize, T: Chained<N>>(&mut self, pool: &mut [T], kind: usize) -> Option<u32> {
        let first = self.first()?;
        self.remove(pool, kind, first);
        Some(first)
    }

    /// Finds the first entry that `matches`, from the front.
    pub fn find<const N: usize, T: Chained<N>>(
        self,
        pool: &[T],
        kind: usize,
        mut matches: impl FnMut(&T) -> bool,
    ) -> Option<u32> {
        let mut at = self.first;
        while at != NONE {
            let entry = &pool[at as usize];
            if matches(entry) {
                return Some(at);
            }
            at = entry.links()[kind].next;
        }
        None
    }
}

#[cfg(test)]
impl ChainLinks {
    /// What an interrupted write may have left, or anything else.
    pub fn torn(next: u32, previous: u32) -> Self {
        Self { next, previous }
    }
}

#[cfg(test)]
impl Ends {
    /// What an interrupted write may have left, or anything else.
    pub fn torn(first: u32, last: u32) -> Self {
        Self { first, last }
    }
}
