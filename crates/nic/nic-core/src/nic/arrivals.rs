//! Messages that arrived before their receive was posted (unexpected messages), in order of
//! arrival.

use super::chain::{ChainLinks, Chained, Ends};
use super::class::{ChainEnds, FEW, Fixed, Growing, IndexState, ReceiveClass};
use super::heads::{ALL, ListHeads, PoolEntry};
use super::list::{BINS, Criteria, ListFull};

/// The chain of a claimant, for claimed messages. They are in no chain of a key.
const CLAIM: usize = 1;
/// Classes of receives that an index has at one time, each with a chain for every message. If
/// receives of more classes alternate while many messages wait, each change of class rebuilds the
/// chains. Source: ours. Status: assumed; it changes how long a search takes, never its result.
const CLASSES: usize = 4;
/// Chains that a message is in: the chain of all messages, and one for each class from `KEY`.
const LINKS: usize = KEY + CLASSES;
const KEY: usize = 1;

/// A message that arrived before its receive was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct UnexpectedMessage {
    /// Its match bits.
    pub bits: u64,
    /// The source that sent it.
    pub source: u32,
    /// Where the bytes that came with it are kept, by the driver's own numbering.
    pub kept_at: u32,
    /// Bytes of the whole message.
    pub length: u64,
    /// Bytes that came with it; the others are fetched after a receive takes it.
    pub kept: u64,
    /// Where the sender has its bytes.
    pub address: u64,
    /// The sender's handle for it.
    pub handle: u64,
    /// Data that the sender supplied for the event.
    pub data: u64,
    /// The interface's flag bits.
    pub flags: u64,
    /// The context that has claimed it: only a receive of this context gets it. 0: unclaimed.
    pub claimed_by: u64,
    /// Its number in the order of arrival, from 1; 0: it does not wait.
    pub(super) order: u64,
    pub(super) links: [ChainLinks; LINKS],
}

impl Chained<LINKS> for UnexpectedMessage {
    fn links(&self) -> &[ChainLinks; LINKS] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [ChainLinks; LINKS] {
        &mut self.links
    }
}

impl UnexpectedMessage {
    /// Whether it is in a list.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.order != 0
    }

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
            links: [ChainLinks::default(); LINKS],
        }
    }

    /// An unused entry of a pool.
    #[must_use]
    pub fn vacant() -> Self {
        Self::new(0, 0, 0)
    }
}

/// The index that a long list of messages has in addition to the chain of all. `()` is no index,
/// for lists that stay short.
pub trait ArrivalIndexing: Default {
    /// Whether the index holds all messages.
    fn is_used(&self) -> bool;
    /// Whether the index should be [filled](Self::fill) for this many messages, because it is
    /// unused or has too few chains.
    fn is_wanted_for(&self, waiting: u64) -> bool;
    /// Puts all messages into the index.
    fn fill(&mut self, pool: &mut [UnexpectedMessage], all: Ends, waiting: u64);
    /// Marks the index as unused. All messages have been taken out of it.
    fn leave(&mut self);
    /// Marks the content of the index as unknown.
    fn forget(&mut self);
    /// Appends a message.
    fn add(&mut self, pool: &mut [UnexpectedMessage], index: u32);
    /// Takes a message out.
    fn remove(&mut self, pool: &mut [UnexpectedMessage], index: u32);
    /// Finds the first message that the receive takes, and adds the number of messages compared to
    /// `compared`. From now on the messages are in chains of the receive's class.
    fn find(
        &mut self,
        pool: &mut [UnexpectedMessage],
        of: (Ends, u64),
        criteria: &Criteria,
        compared: &mut u64,
    ) -> Option<u32>;
    /// Finds the first message that this context has claimed, and counts comparisons in the same
    /// way.
    fn of_claimant(&self, pool: &[UnexpectedMessage], context: u64, compared: &mut u64) -> Option<u32>;
}

impl ArrivalIndexing for () {
    fn is_used(&self) -> bool {
        false
    }
    fn is_wanted_for(&self, _: u64) -> bool {
        false
    }
    fn fill(&mut self, _: &mut [UnexpectedMessage], _: Ends, _: u64) {}
    fn leave(&mut self) {}
    fn forget(&mut self) {}
    fn add(&mut self, _: &mut [UnexpectedMessage], _: u32) {}
    fn remove(&mut self, _: &mut [UnexpectedMessage], _: u32) {}
    fn find(&mut self, _: &mut [UnexpectedMessage], _: (Ends, u64), _: &Criteria, _: &mut u64) -> Option<u32> {
        None
    }
    fn of_claimant(&self, _: &[UnexpectedMessage], _: u64, _: &mut u64) -> Option<u32> {
        None
    }
}

/// Messages by their key for each class of receives that has been searched for, and by their
/// claimant.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct ArrivalIndex<B = Fixed<BINS>> {
    state: IndexState,
    /// Searches so far.
    searches: u64,
    classes: [ReceiveClass; CLASSES],
    /// The number of the last search of each class; 0: messages are in no chain of it.
    searched: [u64; CLASSES],
    keys: [B; CLASSES],
    claims: B,
}

impl ArrivalIndex<Growing> {
    pub(super) fn memory_bytes(&self) -> usize {
        self.keys.iter().chain([&self.claims]).map(Growing::memory_bytes).sum()
    }
}

impl<B: ChainEnds> ArrivalIndex<B> {
    /// The chain of a class that a message is in.
    fn chain(&mut self, number: usize, arrival: &UnexpectedMessage) -> &mut Ends {
        let key = self.classes[number].key(arrival.bits, arrival.source);
        self.keys[number].of_mut(key)
    }

    /// The number of a class, whose chains hold the messages from now on. If no number is free, the
    /// class takes over the number of the class that was searched for least recently.
    fn number_of(
        &mut self,
        pool: &mut [UnexpectedMessage],
        (all, waiting): (Ends, u64),
        class: ReceiveClass,
        compared: &mut u64,
    ) -> usize {
        let known = (0..CLASSES).find(|&number| self.searched[number] != 0 && self.classes[number] == class);
        if let Some(number) = known {
            return number;
        }
        let number = (0..CLASSES).min_by_key(|&number| self.searched[number]).expect("there are some");
        if self.searched[number] != 0 || self.keys[number].are_few_for(waiting) {
            self.keys[number].empty_for(waiting);
        }
        self.classes[number] = class;
        let mut at = all.first();
        while let Some(index) = at {
            *compared += 1;
            let arrival = pool[index as usize];
            if arrival.claimed_by == 0 {
                self.chain(number, &arrival).push(pool, KEY + number, index);
            }
            at = arrival.links[ALL].next();
        }
        number
    }
}

impl<B: ChainEnds> ArrivalIndexing for ArrivalIndex<B> {
    #[inline]
    fn is_used(&self) -> bool {
        self.state == IndexState::Used
    }

    #[inline]
    fn is_wanted_for(&self, waiting: u64) -> bool {
        waiting > FEW && (self.state != IndexState::Used || self.claims.are_few_for(waiting))
    }

    fn fill(&mut self, pool: &mut [UnexpectedMessage], all: Ends, waiting: u64) {
        if self.state != IndexState::Empty || self.claims.are_few_for(waiting) {
            self.claims.empty_for(waiting);
            self.keys.iter_mut().for_each(|chains| chains.empty_for(waiting));
        }
        self.searched = [0; CLASSES];
        self.state = IndexState::Used;
        let mut at = all.first();
        while let Some(index) = at {
            let arrival = pool[index as usize];
            if arrival.claimed_by != 0 {
                self.claims.of_mut(context_key(arrival.claimed_by)).push(pool, CLAIM, index);
            }
            at = arrival.links[ALL].next();
        }
    }

    fn leave(&mut self) {
        self.state = IndexState::Empty;
    }

    fn forget(&mut self) {
        self.state = IndexState::Unknown;
    }

    fn add(&mut self, pool: &mut [UnexpectedMessage], index: u32) {
        let arrival = pool[index as usize];
        if arrival.claimed_by != 0 {
            return self.claims.of_mut(context_key(arrival.claimed_by)).push(pool, CLAIM, index);
        }
        for number in (0..CLASSES).filter(|&number| self.searched[number] != 0) {
            let key = self.classes[number].key(arrival.bits, arrival.source);
            self.keys[number].of_mut(key).push(pool, KEY + number, index);
        }
    }

    fn remove(&mut self, pool: &mut [UnexpectedMessage], index: u32) {
        let arrival = pool[index as usize];
        if arrival.claimed_by != 0 {
            return self.claims.of_mut(context_key(arrival.claimed_by)).remove(pool, CLAIM, index);
        }
        for number in 0..CLASSES {
            if self.searched[number] != 0 {
                self.chain(number, &arrival).remove(pool, KEY + number, index);
            }
        }
    }

    fn find(
        &mut self,
        pool: &mut [UnexpectedMessage],
        of: (Ends, u64),
        criteria: &Criteria,
        compared: &mut u64,
    ) -> Option<u32> {
        let class = ReceiveClass::of(criteria);
        let number = self.number_of(pool, of, class, compared);
        self.searches += 1;
        self.searched[number] = self.searches;
        let chain = self.keys[number].of(class.key(criteria.bits, criteria.source));
        chain.find(pool, KEY + number, |arrival| {
            *compared += 1;
            criteria.takes(arrival.bits, arrival.source)
        })
    }

    fn of_claimant(&self, pool: &[UnexpectedMessage], context: u64, compared: &mut u64) -> Option<u32> {
        self.claims.of(context_key(context)).find(pool, CLAIM, |arrival| {
            *compared += 1;
            arrival.claimed_by == context
        })
    }
}

/// The ends of the chains of unexpected messages, and their index.
pub type ArrivalHeads<I = ArrivalIndex> = ListHeads<I>;

impl PoolEntry<LINKS> for UnexpectedMessage {
    fn vacant() -> Self {
        Self::vacant()
    }
}

/// How far software has read the waiting messages, in order of arrival.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadPosition {
    /// The number of the last one read, in that order.
    order: u64,
    /// Its index in the pool.
    index: u32,
}

/// Unexpected messages: a view of a pool and its heads, wherever they lie.
#[derive(Debug)]
pub struct Arrivals<'a, I = ArrivalIndex> {
    pool: &'a mut [UnexpectedMessage],
    heads: &'a mut ArrivalHeads<I>,
}

impl<'a, I: ArrivalIndexing> Arrivals<'a, I> {
    /// A view of `pool` and `heads`.
    pub fn new(pool: &'a mut [UnexpectedMessage], heads: &'a mut ArrivalHeads<I>) -> Self {
        Self { pool, heads }
    }

    /// The number of waiting messages.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.heads.entries
    }

    /// Whether no message waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cost of searches so far: messages compared with a receive, or put into chains for one.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.heads.compared
    }

    /// The capacity of the pool, in entries.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.pool.len()
    }

    /// Appends a message. A claim on it remains.
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn add(&mut self, arrival: UnexpectedMessage) -> Result<u32, ListFull> {
        let full = ListFull { list: "unexpected", places: self.pool.len() };
        let index = self.heads.vacant.pop(self.pool, ALL).ok_or(full)?;
        let order = self.heads.next;
        self.pool[index as usize] = UnexpectedMessage { order, links: Default::default(), ..arrival };
        self.heads.next += 1;
        self.heads.all.push(self.pool, ALL, index);
        self.heads.entries += 1;
        if self.heads.index.is_used() {
            self.heads.index.add(self.pool, index);
        }
        Ok(index)
    }

    /// Builds an index if a long list has none, and returns whether the list has one.
    #[inline]
    fn has_index(&mut self) -> bool {
        let ListHeads { entries: waiting, all, ref mut index, .. } = *self.heads;
        if index.is_wanted_for(waiting) {
            index.fill(self.pool, all, waiting);
        }
        index.is_used()
    }

    /// Finds the first message that the receive takes and that no context has claimed.
    #[must_use]
    #[inline]
    pub fn find(&mut self, criteria: &Criteria) -> Option<u32> {
        if self.is_empty() { None } else { self.search(criteria) }
    }

    fn search(&mut self, criteria: &Criteria) -> Option<u32> {
        let has_index = self.has_index();
        let ListHeads { entries: waiting, all, ref mut index, ref mut compared, .. } = *self.heads;
        if has_index {
            return index.find(self.pool, (all, waiting), criteria, compared);
        }
        all.find(self.pool, ALL, |arrival| {
            *compared += 1;
            arrival.claimed_by == 0 && criteria.takes(arrival.bits, arrival.source)
        })
    }

    /// Finds the message that this context has claimed.
    #[must_use]
    pub fn find_claimed(&mut self, context: u64) -> Option<u32> {
        let has_index = self.has_index();
        let ListHeads { all, ref index, ref mut compared, .. } = *self.heads;
        if has_index {
            return index.of_claimant(self.pool, context, compared);
        }
        all.find(self.pool, ALL, |arrival| {
            *compared += 1;
            arrival.claimed_by == context
        })
    }

    /// The message that arrived first.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.heads.all.first()
    }

    /// The first message that arrived after all messages read so far.
    pub fn first_unseen(&mut self, seen: &mut ReadPosition) -> Option<u32> {
        self.heads.compared += 1;
        let first = self.heads.all.first()?;
        if self.order(first) > seen.order {
            return Some(first);
        }
        if self.pool.get(seen.index as usize).is_some_and(|last| last.order == seen.order) {
            return self.pool[seen.index as usize].links[ALL].next();
        }
        // The last message that was read is gone: go back to the nearest one before it that is
        // left.
        let mut found = None;
        let mut at = self.heads.all.last()?;
        while self.order(at) > seen.order {
            self.heads.compared += 1;
            found = Some(at);
            // The first of all has been read, so the search stops at it.
            at = self.pool[at as usize].links[ALL].previous()?;
        }
        *seen = self.seen_to(at);
        found
    }

    /// Marks all messages up to this one as read.
    #[must_use]
    pub fn seen_to(&self, index: u32) -> ReadPosition {
        ReadPosition { order: self.order(index), index }
    }

    /// Marks all messages as read.
    #[must_use]
    pub fn seen_all(&self) -> ReadPosition {
        ReadPosition { order: self.heads.next - 1, index: self.heads.all.last().unwrap_or(0) }
    }

    /// Visits all messages, in order of arrival.
    pub fn each(&self, mut visit: impl FnMut(&UnexpectedMessage)) {
        let _ = self.heads.all.find(self.pool, ALL, |arrival| {
            visit(arrival);
            false
        });
    }

    /// The message at this index.
    #[must_use]
    pub fn get(&self, index: u32) -> &UnexpectedMessage {
        &self.pool[index as usize]
    }

    /// How many messages a linear search compares until it finds this one. All of them if none is
    /// found.
    #[must_use]
    pub fn looked_at(&self, found: Option<u32>) -> u64 {
        self.heads.looked_at(self.pool, found)
    }

    /// Records `kept_at` as the place of every message.
    pub fn keep_all_at(&mut self, kept_at: u32) {
        let mut at = self.heads.all.first();
        while let Some(index) = at {
            let arrival = &mut self.pool[index as usize];
            arrival.kept_at = kept_at;
            at = arrival.links[ALL].next();
        }
    }

    /// Records that all bytes of a message have arrived and are kept at `kept_at` and `address`.
    /// Its sender no longer waits.
    pub fn has_come(&mut self, index: u32, kept_at: u32, address: u64) {
        let arrival = &mut self.pool[index as usize];
        (arrival.kept_at, arrival.address, arrival.kept, arrival.handle) = (kept_at, address, arrival.length, 0);
    }

    /// Reserves a message for a receive of this context, which is not 0.
    pub fn claim(&mut self, index: u32, context: u64) {
        let is_used = self.heads.index.is_used();
        if is_used {
            self.heads.index.remove(self.pool, index);
        }
        self.pool[index as usize].claimed_by = context;
        if is_used {
            self.heads.index.add(self.pool, index);
        }
    }

    /// Takes a message out.
    pub fn remove(&mut self, index: u32) -> UnexpectedMessage {
        let arrival = self.pool[index as usize];
        self.take(index);
        arrival
    }

    /// Takes a message out of which the caller needs only the handle.
    #[inline]
    pub fn take(&mut self, index: u32) -> u64 {
        let handle = self.pool[index as usize].handle;
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
        handle
    }

    /// The number in the order of arrival that the next message gets.
    pub(super) fn next(&self) -> u64 {
        self.heads.next
    }

    /// The number of a message in the order of arrival.
    fn order(&self, index: u32) -> u64 {
        self.pool[index as usize].order
    }

    /// Forgets the messages whose number is `next` or higher. The chains are wrong until they are
    /// [rebuilt](Self::rebuild).
    pub(super) fn forget_from(&mut self, next: u64) {
        self.pool.iter_mut().filter(|arrival| arrival.order >= next).for_each(|arrival| arrival.order = 0);
    }

    /// The blocks that hold bytes of waiting messages.
    pub(super) fn blocks(&self) -> impl Iterator<Item = u32> {
        let keeps = |arrival: &&UnexpectedMessage| arrival.order != 0 && arrival.kept > 0;
        self.pool.iter().filter(keeps).map(|arrival| arrival.kept_at)
    }

    /// Builds the chains from the entries, whatever state they were in.
    pub(super) fn rebuild(&mut self) {
        let order = |pool: &[UnexpectedMessage], index: u32| pool[index as usize].order;
        let places = 0..self.pool.len() as u32;
        let (mut waiting, vacant): (Vec<u32>, Vec<u32>) = places.partition(|&index| order(self.pool, index) != 0);
        waiting.sort_unstable_by_key(|&index| order(self.pool, index));
        (self.heads.vacant, self.heads.all) = (Ends::default(), Ends::default());
        self.heads.index.forget();
        for index in vacant {
            self.heads.vacant.push(self.pool, ALL, index);
        }
        self.heads.entries = waiting.len() as u64;
        for index in waiting {
            self.heads.all.push(self.pool, ALL, index);
        }
    }
}

/// A claimant's context as a key.
const fn context_key(context: u64) -> u64 {
    context.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// For tests: what a process that dies in the middle of a session may leave behind. Entries are of
/// one of two states, and chains hold anything.
#[cfg(test)]
pub(super) mod torn {
    use super::{ArrivalHeads, ChainEnds, ChainLinks, Ends, UnexpectedMessage};

    pub fn arrival(
        one: &UnexpectedMessage,
        other: &UnexpectedMessage,
        mut draw: impl FnMut() -> u32,
    ) -> UnexpectedMessage {
        let body = if one.order == 0 && draw().is_multiple_of(2) { other } else { one };
        let order = if draw().is_multiple_of(2) { one.order } else { other.order };
        UnexpectedMessage { order, links: [(); super::LINKS].map(|()| ChainLinks::torn(draw(), draw())), ..*body }
    }

    pub fn arrival_heads(one: &ArrivalHeads, other: &ArrivalHeads, mut draw: impl FnMut() -> u32) -> ArrivalHeads {
        let next = if draw().is_multiple_of(2) { one.next } else { other.next };
        let mut heads = *one;
        for bins in heads.index.keys.iter_mut().chain([&mut heads.index.claims]) {
            bins.ends_mut().iter_mut().for_each(|chain| *chain = Ends::torn(draw(), draw()));
        }
        heads.index.searched = heads.index.searched.map(|_| u64::from(draw()));
        (heads.vacant, heads.all) = (Ends::torn(draw(), draw()), Ends::torn(draw(), draw()));
        ArrivalHeads { entries: 77, next, ..heads }
    }
}
