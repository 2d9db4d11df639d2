//! Posted receives that wait for their message, in the order of posting.

use super::chain::Ends;
use super::class::{ChainEnds, FEW, Fixed, Growing, IndexState, ReceiveClass};
use super::heads::{ALL, ListHeads, PoolEntry};
use super::list::{BINS, ListFull, MessageLanding, Receive};

/// The chain of a key; receives whose class the index does not have share one chain.
const KEY: usize = 1;
/// The chain of a context.
const CONTEXT: usize = 2;

/// Classes of receives that an index has at one time. Receives of further classes are searched
/// linearly. Source: ours. Status: assumed; it changes how long a search takes, never its result.
const CLASSES: usize = 8;

/// The index that a long list of receives has in addition to the chain of all. `()` is no index,
/// for lists that stay short.
pub trait ReceiveIndexing: Default {
    /// Whether the index holds all posted receives.
    fn is_used(&self) -> bool;
    /// Whether the index should be [filled](Self::fill) for this many receives, because it is
    /// unused or has too few chains.
    fn is_wanted_for(&self, posted: u64) -> bool;
    /// Puts all receives into the index.
    fn fill(&mut self, pool: &mut [Receive], all: Ends, posted: u64);
    /// Marks the index as unused. All receives have been taken out of it.
    fn leave(&mut self);
    /// Marks the content of the index as unknown.
    fn forget(&mut self);
    /// Appends a receive.
    fn add(&mut self, pool: &mut [Receive], index: u32);
    /// Takes a receive out.
    fn remove(&mut self, pool: &mut [Receive], index: u32);
    /// Finds the first receive that takes a message, and adds the number of receives compared to
    /// `compared`.
    fn find(&self, pool: &[Receive], bits: u64, source: u32, compared: &mut u64) -> Option<u32>;
    /// Finds the first receive of a context, and counts comparisons in the same way.
    fn of_context(&self, pool: &[Receive], context: u64, compared: &mut u64) -> Option<u32>;
}

impl ReceiveIndexing for () {
    fn is_used(&self) -> bool {
        false
    }
    fn is_wanted_for(&self, _: u64) -> bool {
        false
    }
    fn fill(&mut self, _: &mut [Receive], _: Ends, _: u64) {}
    fn leave(&mut self) {}
    fn forget(&mut self) {}
    fn add(&mut self, _: &mut [Receive], _: u32) {}
    fn remove(&mut self, _: &mut [Receive], _: u32) {}
    fn find(&self, _: &[Receive], _: u64, _: u32, _: &mut u64) -> Option<u32> {
        None
    }
    fn of_context(&self, _: &[Receive], _: u64, _: &mut u64) -> Option<u32> {
        None
    }
}

/// Posted receives by class and key, and by context.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct ReceiveIndex<B = Fixed<BINS>> {
    state: IndexState,
    /// The end of the range of classes that have receives.
    classes_end: u32,
    classes: [ReceiveClass; CLASSES],
    /// Receives of each class.
    posted: [u32; CLASSES],
    /// Receives of further classes.
    others: Ends,
    keys: B,
    contexts: B,
}

impl ReceiveIndex<Growing> {
    pub(super) const fn memory_bytes(&self) -> usize {
        self.keys.memory_bytes() + self.contexts.memory_bytes()
    }
}

impl<B: ChainEnds> ReceiveIndex<B> {
    /// The number of a class, which gets one if one is free.
    fn number_of(&mut self, class: ReceiveClass) -> Option<usize> {
        let end = self.classes_end as usize;
        let mut free = (end < CLASSES).then_some(end);
        for number in 0..end {
            if self.posted[number] == 0 {
                free = Some(number);
            } else if self.classes[number] == class {
                return Some(number);
            }
        }
        let number = free?;
        self.classes[number] = class;
        self.classes_end = self.classes_end.max(number as u32 + 1);
        Some(number)
    }

    /// The chain that a receive is in.
    fn chain(&mut self, receive: &Receive) -> &mut Ends {
        let criteria = &receive.criteria;
        match self.classes.get(receive.class as usize) {
            Some(class) => self.keys.of_mut(class.key(criteria.bits, criteria.source)),
            None => &mut self.others,
        }
    }
}

/// A context as a key.
const fn context_key(context: u64) -> u64 {
    // Contexts are usually addresses. This is Fibonacci hashing: the upper bits of a product with
    // 2^64 / golden ratio.
    context.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

impl<B: ChainEnds> ReceiveIndexing for ReceiveIndex<B> {
    #[inline]
    fn is_used(&self) -> bool {
        self.state == IndexState::Used
    }

    #[inline]
    fn is_wanted_for(&self, posted: u64) -> bool {
        posted > FEW && (self.state != IndexState::Used || self.keys.are_few_for(posted))
    }

    fn fill(&mut self, pool: &mut [Receive], all: Ends, posted: u64) {
        (self.classes_end, self.posted, self.others) = (0, [0; CLASSES], Ends::default());
        if self.state != IndexState::Empty || self.keys.are_few_for(posted) {
            self.keys.empty_for(posted);
            self.contexts.empty_for(posted);
        }
        self.state = IndexState::Used;
        let mut at = all.first();
        while let Some(index) = at {
            self.add(pool, index);
            at = pool[index as usize].links[ALL].next();
        }
    }

    fn leave(&mut self) {
        self.state = IndexState::Empty;
    }

    fn forget(&mut self) {
        self.state = IndexState::Unknown;
    }

    fn add(&mut self, pool: &mut [Receive], index: u32) {
        let number = self.number_of(ReceiveClass::of(&pool[index as usize].criteria));
        if let Some(number) = number {
            self.posted[number] += 1;
        }
        let receive = &mut pool[index as usize];
        receive.class = number.unwrap_or(CLASSES) as u32;
        let receive = *receive;
        self.chain(&receive).push(pool, KEY, index);
        self.contexts.of_mut(context_key(receive.context)).push(pool, CONTEXT, index);
    }

    fn remove(&mut self, pool: &mut [Receive], index: u32) {
        let receive = pool[index as usize];
        self.chain(&receive).remove(pool, KEY, index);
        self.contexts.of_mut(context_key(receive.context)).remove(pool, CONTEXT, index);
        if let Some(posted) = self.posted.get_mut(receive.class as usize) {
            *posted -= 1;
        }
    }

    fn find(&self, pool: &[Receive], bits: u64, source: u32, compared: &mut u64) -> Option<u32> {
        let mut first: Option<u32> = None;
        let mut look = |chain: Ends| {
            let found = chain.find(pool, KEY, |receive| {
                *compared += 1;
                receive.criteria.takes(bits, source)
            });
            if let Some(found) = found
                && first.is_none_or(|first| pool[found as usize].order < pool[first as usize].order)
            {
                first = Some(found);
            }
        };
        for number in 0..self.classes_end as usize {
            if self.posted[number] > 0 {
                look(self.keys.of(self.classes[number].key(bits, source)));
            }
        }
        look(self.others);
        first
    }

    fn of_context(&self, pool: &[Receive], context: u64, compared: &mut u64) -> Option<u32> {
        self.contexts.of(context_key(context)).find(pool, CONTEXT, |receive| {
            *compared += 1;
            receive.context == context
        })
    }
}

/// The ends of the chains of posted receives, and their index.
pub type ReceiveHeads<I = ReceiveIndex> = ListHeads<I>;

impl PoolEntry<3> for Receive {
    fn vacant() -> Self {
        Self::vacant()
    }
}

/// Posted receives: a view of a pool and its heads, wherever they lie.
#[derive(Debug)]
pub struct Receives<'a, I = ReceiveIndex> {
    pool: &'a mut [Receive],
    heads: &'a mut ReceiveHeads<I>,
}

impl<'a, I: ReceiveIndexing> Receives<'a, I> {
    /// A view of `pool` and `heads`.
    pub fn new(pool: &'a mut [Receive], heads: &'a mut ReceiveHeads<I>) -> Self {
        Self { pool, heads }
    }

    /// The number of posted receives.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.heads.entries
    }

    /// Whether no receive is posted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cost of searches so far: receives compared with a message or a context.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.heads.compared
    }

    /// Appends a posted receive.
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn post(&mut self, receive: Receive) -> Result<u32, ListFull> {
        let full = ListFull { list: "priority", places: self.pool.len() };
        let index = self.heads.vacant.pop(self.pool, ALL).ok_or(full)?;
        let order = self.heads.next;
        self.pool[index as usize] = Receive { order, links: Default::default(), ..receive };
        self.heads.all.push(self.pool, ALL, index);
        self.heads.next += 1;
        self.heads.entries += 1;
        if self.heads.index.is_used() {
            self.heads.index.add(self.pool, index);
        }
        Ok(index)
    }

    /// Builds an index if a long list has none, and returns whether the list has one.
    #[inline]
    fn has_index(&mut self) -> bool {
        let ListHeads { entries: posted, all, ref mut index, .. } = *self.heads;
        if index.is_wanted_for(posted) {
            index.fill(self.pool, all, posted);
        }
        index.is_used()
    }

    /// The first receive that takes a message with these bits from this source.
    #[must_use]
    pub fn find(&mut self, bits: u64, source: u32) -> Option<u32> {
        let has_index = self.has_index();
        let ListHeads { all, ref index, ref mut compared, .. } = *self.heads;
        if has_index {
            return index.find(self.pool, bits, source, compared);
        }
        all.find(self.pool, ALL, |receive| {
            *compared += 1;
            receive.criteria.takes(bits, source)
        })
    }

    /// The receive at this index.
    #[must_use]
    pub fn get(&self, index: u32) -> &Receive {
        &self.pool[index as usize]
    }

    /// How many receives a linear search compares until it finds this one. All of them if none is
    /// found.
    #[must_use]
    pub fn looked_at(&self, found: Option<u32>) -> u64 {
        self.heads.looked_at(self.pool, found)
    }

    /// Where a message of `bytes` lands in receive `index`. A receive that is then complete is
    /// taken out.
    pub fn land(&mut self, index: u32, bytes: u64) -> MessageLanding {
        let landing = self.pool[index as usize].landing(bytes);
        if landing.is_last {
            self.remove(index);
        } else {
            self.pool[index as usize].used += bytes.min(landing.room);
        }
        landing
    }

    /// Takes a receive out.
    pub fn remove(&mut self, index: u32) -> Receive {
        let receive = self.pool[index as usize];
        self.take(index);
        receive
    }

    /// Takes a receive out of which the caller needs only the context.
    #[inline]
    pub fn take(&mut self, index: u32) -> u64 {
        let context = self.pool[index as usize].context;
        self.heads.all.remove(self.pool, ALL, index);
        self.heads.entries -= 1;
        if self.heads.index.is_used() {
            self.heads.index.remove(self.pool, index);
            if self.heads.entries == 0 {
                self.heads.index.leave();
            }
        }
        self.pool[index as usize].order = 0;
        self.heads.vacant.push_front(self.pool, ALL, index);
        context
    }

    /// Restores a receive as it was before a message matched it. The chains are wrong until they
    /// are [rebuilt](Self::rebuild).
    pub(super) fn put_back(&mut self, index: u32, order: u64, used: u64) {
        if let Some(receive) = self.pool.get_mut(index as usize) {
            (receive.order, receive.used) = (order, used);
        }
    }

    /// Builds the chains from the entries, whatever state they were in.
    pub(super) fn rebuild(&mut self) {
        let order = |pool: &[Receive], index: u32| pool[index as usize].order;
        let places = 0..self.pool.len() as u32;
        let (mut posted, vacant): (Vec<u32>, Vec<u32>) = places.partition(|&index| order(self.pool, index) != 0);
        posted.sort_unstable_by_key(|&index| order(self.pool, index));
        (self.heads.vacant, self.heads.all) = (Ends::default(), Ends::default());
        self.heads.index.forget();
        for index in vacant {
            self.heads.vacant.push(self.pool, ALL, index);
        }
        self.heads.entries = posted.len() as u64;
        for index in posted {
            self.heads.all.push(self.pool, ALL, index);
        }
    }

    /// Takes out the receive that was posted first.
    pub fn take_first(&mut self) -> Option<Receive> {
        let first = self.heads.all.first()?;
        Some(self.remove(first))
    }

    /// The capacity of the pool, in entries.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.pool.len()
    }

    /// Whether the pool has an unused entry.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.heads.vacant.first().is_some()
    }

    /// Visits all receives, with their indices, in the order of posting.
    pub fn each(&self, mut visit: impl FnMut(u32, &Receive)) {
        let mut at = self.heads.all.first();
        while let Some(index) = at {
            let receive = &self.pool[index as usize];
            visit(index, receive);
            at = receive.links[ALL].next();
        }
    }

    /// The indices of receives that match messages of this source only, in the order of posting.
    #[must_use]
    pub fn of_source(&self, source: u32) -> Vec<u32> {
        let mut found = Vec::new();
        self.each(|index, receive| {
            if receive.criteria.source == source {
                found.push(index);
            }
        });
        found
    }

    /// Takes out the first receive of this context.
    pub fn cancel(&mut self, context: u64) -> Option<Receive> {
        let has_index = self.has_index();
        let ListHeads { all, ref index, ref mut compared, .. } = *self.heads;
        let found = if has_index {
            index.of_context(self.pool, context, compared)
        } else {
            all.find(self.pool, ALL, |receive| {
                *compared += 1;
                receive.context == context
            })
        };
        found.map(|index| self.remove(index))
    }
}

/// For tests: what a process that dies in the middle of a session may leave behind. Entries are of
/// one of two states, and chains hold anything.
#[cfg(test)]
pub(super) mod torn {
    use super::{Ends, Receive, ReceiveHeads};
    use crate::nic::chain::ChainLinks;
    use crate::nic::class::ChainEnds;

    pub fn receive(one: &Receive, other: &Receive, mut draw: impl FnMut() -> u32) -> Receive {
        let mut pick = |one: u64, other: u64| if draw().is_multiple_of(2) { one } else { other };
        let (order, used) = (pick(one.order, other.order), pick(one.used, other.used));
        let links = [(); 3].map(|()| ChainLinks::torn(draw(), draw()));
        Receive { order, used, class: draw(), links, ..*one }
    }

    pub fn receive_heads(of: &ReceiveHeads, mut draw: impl FnMut() -> u32) -> ReceiveHeads {
        let mut heads = *of;
        let mut ends = || Ends::torn(draw(), draw());
        (heads.vacant, heads.all, heads.index.others) = (ends(), ends(), ends());
        for bins in [&mut heads.index.keys, &mut heads.index.contexts] {
            bins.ends_mut().iter_mut().for_each(|chain| *chain = ends());
        }
        heads.index.posted = heads.index.posted.map(|_| draw());
        heads.index.classes_end = draw();
        ReceiveHeads { entries: 77, ..heads }
    }
}
