//! Messages that came before their receive, in the order of their coming.

use super::chain::{Chained, Ends, Links};
use super::list::{BINS, Criteria, ListFull, bin};

/// A message that came before its receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Arrival {
    /// Its bits.
    pub bits: u64,
    /// Who sent it.
    pub source: u32,
    /// Where what came of its bytes is kept, by the driver's own numbering.
    pub kept_at: u32,
    /// Bytes of the whole message.
    pub length: u64,
    /// Bytes that came with it; the others are fetched once it is taken.
    pub kept: u64,
    /// Where the sender has its bytes.
    pub address: u64,
    /// What the sender knows it by.
    pub handle: u64,
    /// Data that the sender gave the event.
    pub data: u64,
    /// Bits of the interface's flags.
    pub flags: u64,
    /// Who has claimed it: only a receive of this context gets it. 0: nobody.
    pub claimed_by: u64,
    /// Its place in the order of coming, from 1 on; 0: it does not wait.
    pub(super) order: u64,
    pub(super) links: [Links; 2],
}

impl Chained<2> for Arrival {
    fn links(&self) -> &[Links; 2] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [Links; 2] {
        &mut self.links
    }
}

impl Arrival {
    /// A message of `length` bytes, none of which are kept.
    #[must_use]
    pub fn new(bits: u64, source: u32, length: u64) -> Self {
        Self {
            bits,
            source,
            kept_at: 0,
            length,
            kept: 0,
            address: 0,
            handle: 0,
            data: 0,
            flags: 0,
            claimed_by: 0,
            order: 0,
            links: [Links::default(); 2],
        }
    }

    /// A place in a pool that is not in use.
    #[must_use]
    pub fn vacant() -> Self {
        Self::new(0, 0, 0)
    }
}

/// The ends of the chains of messages without a receive, in `N` bins; a short list needs none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArrivalHeads<const N: usize = BINS> {
    waiting: u64,
    next: u64,
    pub(super) vacant: Ends,
    all: Ends,
    bins: [Ends; N],
}

/// The chain of all, and of the vacant.
const ALL: usize = 0;
/// The chain of a bin.
const BIN: usize = 1;

impl<const N: usize> Default for ArrivalHeads<N> {
    /// Those of no entries.
    fn default() -> Self {
        Self { vacant: Ends::default(), all: Ends::default(), bins: [Ends::default(); N], waiting: 0, next: 1 }
    }
}

impl<const N: usize> ArrivalHeads<N> {
    /// The heads of a pool of which nothing is in use.
    #[must_use]
    pub fn of(pool: &mut [Arrival]) -> Self {
        let mut heads = Self::default();
        heads.extend(pool, 0);
        heads
    }

    /// The pool has grown: its places from `first` on are vacant.
    pub fn extend(&mut self, pool: &mut [Arrival], first: usize) {
        for index in first..pool.len() {
            pool[index] = Arrival::vacant();
            self.vacant.push(pool, ALL, index as u32);
        }
    }

    /// Messages that wait.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.waiting
    }

    /// Whether none does.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Messages for which `counts` says yes.
    pub(super) fn count(&self, pool: &[Arrival], mut counts: impl FnMut(&Arrival) -> bool) -> u64 {
        let mut count = 0;
        let _: Option<u32> = self.all.find(pool, ALL, |arrival| {
            count += u64::from(counts(arrival));
            false
        });
        count
    }
}

impl ArrivalHeads<0> {
    /// The same messages, in bins.
    #[must_use]
    pub fn into_bins<const N: usize>(self, pool: &mut [Arrival]) -> ArrivalHeads<N> {
        let Self { waiting, next, vacant, all, .. } = self;
        let mut heads = ArrivalHeads { waiting, next, vacant, all, ..ArrivalHeads::default() };
        let mut at = all.first();
        while let Some(index) = at {
            let arrival = &pool[index as usize];
            let bin = bin::<N>(arrival.bits, arrival.source);
            at = arrival.links[ALL].next();
            if let Some(bin) = bin {
                heads.bins[bin].push(pool, BIN, index);
            }
        }
        heads
    }
}

/// Messages without a receive: a view of a pool and its heads, wherever they lie.
#[derive(Debug)]
pub struct Arrivals<'a, const N: usize = BINS> {
    pool: &'a mut [Arrival],
    heads: &'a mut ArrivalHeads<N>,
}

impl<'a, const N: usize> Arrivals<'a, N> {
    /// A view.
    pub fn new(pool: &'a mut [Arrival], heads: &'a mut ArrivalHeads<N>) -> Self {
        Self { pool, heads }
    }

    /// Messages that wait.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.heads.waiting
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Places of the pool.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.pool.len()
    }

    /// Adds a message behind the others.
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn add(&mut self, arrival: Arrival) -> Result<u32, ListFull> {
        let full = ListFull { list: "unexpected", places: self.pool.len() };
        let index = self.heads.vacant.pop(self.pool, ALL).ok_or(full)?;
        let order = self.heads.next;
        self.pool[index as usize] = Arrival { claimed_by: 0, order, links: [Links::default(); 2], ..arrival };
        self.heads.next += 1;
        self.heads.all.push(self.pool, ALL, index);
        if let Some(bin) = bin::<N>(arrival.bits, arrival.source) {
            self.heads.bins[bin].push(self.pool, BIN, index);
        }
        self.heads.waiting += 1;
        Ok(index)
    }

    /// The first message that is asked for and that nobody has claimed.
    #[must_use]
    pub fn find(&self, criteria: &Criteria) -> Option<u32> {
        let takes = |arrival: &Arrival| arrival.claimed_by == 0 && criteria.takes(arrival.bits, arrival.source);
        if self.is_empty() {
            return None;
        }
        match criteria.bin::<N>() {
            Some(bin) => self.heads.bins[bin].find(self.pool, BIN, takes),
            None => self.heads.all.find(self.pool, ALL, takes),
        }
    }

    /// The message that this context has claimed.
    #[must_use]
    pub fn find_claimed(&self, context: u64) -> Option<u32> {
        self.heads.all.find(self.pool, ALL, |arrival| arrival.claimed_by == context)
    }

    /// The message that came first, of those for which `wanted` says yes.
    #[must_use]
    pub fn find_first(&self, wanted: impl FnMut(&Arrival) -> bool) -> Option<u32> {
        self.heads.all.find(self.pool, ALL, wanted)
    }

    /// Visits all messages, in the order of their coming.
    pub fn each(&self, mut visit: impl FnMut(&Arrival)) {
        let _ = self.heads.all.find(self.pool, ALL, |arrival| {
            visit(arrival);
            false
        });
    }

    /// A message, to read.
    #[must_use]
    pub fn get(&self, index: u32) -> &Arrival {
        &self.pool[index as usize]
    }

    /// How many messages somebody looks at who searches them one by one, in their order, until this one is found; all of
    /// them where none is.
    #[must_use]
    pub fn looked_at(&self, found: Option<u32>) -> u64 {
        let Some(found) = found else { return self.len() };
        let (mut at, mut seen) = (self.heads.all.first(), 1);
        while let Some(index) = at.filter(|&index| index != found) {
            (at, seen) = (self.pool[index as usize].links[ALL].next(), seen + 1);
        }
        seen
    }

    /// Every message is kept there from now on.
    pub fn keep_all_at(&mut self, kept_at: u32) {
        let mut at = self.heads.all.first();
        while let Some(index) = at {
            let arrival = &mut self.pool[index as usize];
            arrival.kept_at = kept_at;
            at = arrival.links[ALL].next();
        }
    }

    /// Keeps a message for a receive of this context, which is not 0.
    pub fn claim(&mut self, index: u32, context: u64) {
        self.pool[index as usize].claimed_by = context;
    }

    /// Takes a message out.
    pub fn remove(&mut self, index: u32) -> Arrival {
        let arrival = self.pool[index as usize];
        self.take(index);
        arrival
    }

    /// Takes a message out of which only the handle is wanted.
    #[inline]
    pub fn take(&mut self, index: u32) -> u64 {
        let Arrival { bits, source, handle, .. } = self.pool[index as usize];
        self.heads.all.remove(self.pool, ALL, index);
        if let Some(bin) = bin::<N>(bits, source) {
            self.heads.bins[bin].remove(self.pool, BIN, index);
        }
        self.pool[index as usize].order = 0;
        self.heads.vacant.push_front(self.pool, ALL, index);
        self.heads.waiting -= 1;
        handle
    }

    /// The place in the order of coming that the next message gets.
    pub(super) fn next(&self) -> u64 {
        self.heads.next
    }

    /// Forgets the messages that came from this place in the order on. The chains are wrong until they are [made
    /// again](Self::rebuild).
    pub(super) fn forget_from(&mut self, next: u64) {
        self.pool.iter_mut().filter(|arrival| arrival.order >= next).for_each(|arrival| arrival.order = 0);
    }

    /// The blocks that hold bytes of messages that wait.
    pub(super) fn blocks(&self) -> impl Iterator<Item = u32> {
        let keeps = |arrival: &&Arrival| arrival.order != 0 && arrival.kept > 0;
        self.pool.iter().filter(keeps).map(|arrival| arrival.kept_at)
    }

    /// Makes the chains from the entries, whatever they were.
    pub(super) fn rebuild(&mut self) {
        let order = |pool: &[Arrival], index: u32| pool[index as usize].order;
        let places = 0..self.pool.len() as u32;
        let (mut waiting, vacant): (Vec<u32>, Vec<u32>) = places.partition(|&index| order(self.pool, index) != 0);
        waiting.sort_unstable_by_key(|&index| order(self.pool, index));
        (self.heads.vacant, self.heads.all, self.heads.bins) = (Ends::default(), Ends::default(), [Ends::default(); N]);
        for index in vacant {
            self.heads.vacant.push(self.pool, ALL, index);
        }
        self.heads.waiting = waiting.len() as u64;
        for index in waiting {
            let Arrival { bits, source, .. } = self.pool[index as usize];
            self.heads.all.push(self.pool, ALL, index);
            if let Some(bin) = bin::<N>(bits, source) {
                self.heads.bins[bin].push(self.pool, BIN, index);
            }
        }
    }
}

/// What a session that was cut off may have left, for the tests of what is made of it: of two states, something of either,
/// and anything in the chains.
#[cfg(test)]
pub(super) mod torn {
    use super::{Arrival, ArrivalHeads, BINS, Ends, Links};

    pub fn arrival(one: &Arrival, other: &Arrival, mut draw: impl FnMut() -> u32) -> Arrival {
        let body = if one.order == 0 && draw().is_multiple_of(2) { other } else { one };
        let order = if draw().is_multiple_of(2) { one.order } else { other.order };
        Arrival { order, links: [(); 2].map(|()| Links::torn(draw(), draw())), ..*body }
    }

    pub fn arrival_heads(one: &ArrivalHeads, other: &ArrivalHeads, mut draw: impl FnMut() -> u32) -> ArrivalHeads {
        let next = if draw().is_multiple_of(2) { one.next } else { other.next };
        let mut ends = || Ends::torn(draw(), draw());
        ArrivalHeads { vacant: ends(), all: ends(), bins: [(); BINS].map(|()| ends()), waiting: 77, next }
    }
}
