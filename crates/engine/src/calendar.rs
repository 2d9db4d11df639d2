//! The calendar: buckets for what is next, turns of them for the near future, and a map of turns for the rest.
//!
//! Almost every event of a network lies within a few microseconds (serialisation, propagation, switch latency), so a
//! push is an append to a turn, later once more to a bucket, and a pop takes the smallest of a handful. Both times there are
//! few places to append to, which stay in the cache however many events are pending. A binary heap moves every event through
//! log2(n) cache lines instead; that heap is kept in the tests as the oracle.

use std::collections::BTreeMap;

use crate::EventKey;
use philae_units::Picoseconds;

/// log2 of the buckets in a turn, and of the turns that are not far: sets of either are one word.
const TURN: u32 = 6;
const TURNS: usize = 1 << TURN;

/// Events of a chunk. A bucket is a chain of chunks, all of them from one store: one that held a thousand events once, when
/// all endpoints began, holds no memory for a thousand ever after, and what fills next is what was emptied last, in the cache.
const CHUNK: usize = 16;

/// In the place of a chunk: none.
const NO_CHUNK: u32 = u32::MAX;

/// The events of a bucket or of a turn: its last chunk, which alone may be part full, and their number.
#[derive(Clone, Copy, Debug)]
struct Chain {
    chunk: u32,
    len: u32,
}

impl Chain {
    const EMPTY: Self = Self { chunk: NO_CHUNK, len: 0 };
}

/// The store of chunks.
#[derive(Clone, Debug)]
struct Chunks<P> {
    events: Vec<(EventKey, P)>,
    /// The chunk before each in its chain, or in the list of those that are free.
    before: Vec<u32>,
    free: u32,
}

impl<P: Copy> Chunks<P> {
    const NONE: Self = Self { events: Vec::new(), before: Vec::new(), free: NO_CHUNK };

    /// Adds an event to a chain.
    #[inline]
    fn push(&mut self, chain: &mut Chain, key: EventKey, payload: P) {
        let place = chain.len as usize % CHUNK;
        if place == 0 {
            if self.free == NO_CHUNK {
                self.grow((key, payload));
            }
            let chunk = self.free;
            self.free = std::mem::replace(&mut self.before[chunk as usize], chain.chunk);
            chain.chunk = chunk;
        }
        self.events[chain.chunk as usize * CHUNK + place] = (key, payload);
        chain.len += 1;
    }

    /// Adds a chunk. Until it is filled it holds copies of `filler`. What has been asked for beyond it is address space, which takes
    /// memory once it is used.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, filler: (EventKey, P)) {
        self.events.resize(self.events.len() + CHUNK, filler);
        self.free = u32::try_from(self.before.len()).expect("fewer chunks than numbers");
        self.before.push(NO_CHUNK);
    }

    /// Events of the last chunk of a chain.
    #[inline]
    const fn last(chain: Chain) -> usize {
        (chain.len as usize - 1) % CHUNK + 1
    }

    /// Takes the last chunk off a chain and frees it; what it held may be read until something is pushed.
    #[inline]
    fn drop_last(&mut self, chain: &mut Chain) {
        let free = std::mem::replace(&mut self.free, chain.chunk);
        chain.len -= Self::last(*chain) as u32;
        chain.chunk = std::mem::replace(&mut self.before[chain.chunk as usize], free);
    }

    /// The events of a chain, chunk by chunk, the last one first.
    #[inline]
    const fn of(&self, chain: Chain) -> ChunksOf<'_, P> {
        ChunksOf { chunks: self, rest: chain }
    }

    fn memory_bytes(&self) -> usize {
        self.events.len() * size_of::<(EventKey, P)>() + self.before.len() * size_of::<u32>()
    }
}

/// The events of a chain, a chunk at a time.
#[derive(Debug)]
struct ChunksOf<'a, P> {
    chunks: &'a Chunks<P>,
    rest: Chain,
}

impl<'a, P: Copy> Iterator for ChunksOf<'a, P> {
    type Item = &'a [(EventKey, P)];

    #[inline]
    fn next(&mut self) -> Option<&'a [(EventKey, P)]> {
        if self.rest.len == 0 {
            return None;
        }
        let last = Chunks::<P>::last(self.rest);
        let chunk = self.rest.chunk as usize;
        self.rest = Chain { chunk: self.chunks.before[chunk], len: self.rest.len - last as u32 };
        Some(&self.chunks.events[chunk * CHUNK..][..last])
    }
}

/// The pending events of a lane, but for the chunks that hold most of them.
#[derive(Clone, Debug)]
struct Lane<P> {
    /// A bucket spans `1 << shift` picoseconds.
    shift: u32,
    /// The bucket being popped, in units of bucket widths since the start of time.
    cursor: u64,
    /// Events of the cursor's bucket, largest key first, so that a pop takes from the end.
    current: Vec<(EventKey, P)>,
    /// Buckets after the cursor's, of its turn and of the next one, unsorted.
    buckets: [Chain; 2 * TURNS],
    /// One bit per bucket that has events, for each of the two turns.
    filled: [u64; 2],
    /// The turns after these two.
    turns: [Chain; TURNS],
    /// One bit per turn that has events.
    filled_turns: u64,
    /// Turns beyond those.
    far: BTreeMap<u64, Chain>,
    len: usize,
    entered: u64,
}

impl<P: Copy> Lane<P> {
    fn new(shift: u32) -> Self {
        Self {
            shift,
            cursor: 0,
            current: Vec::new(),
            buckets: [Chain::EMPTY; 2 * TURNS],
            filled: [0; 2],
            turns: [Chain::EMPTY; TURNS],
            filled_turns: 0,
            far: BTreeMap::new(),
            len: 0,
            entered: 0,
        }
    }

    #[inline]
    fn push(&mut self, chunks: &mut Chunks<P>, key: EventKey, payload: P) {
        let bucket = key.time.0 >> self.shift;
        assert!(bucket >= self.cursor, "an event may not be scheduled in the past: time does not go back");
        self.len += 1;
        if bucket == self.cursor {
            let at = self.current.partition_point(|(pending, _)| *pending > key);
            return self.current.insert(at, (key, payload));
        }
        let turn = bucket >> TURN;
        let ahead = turn - (self.cursor >> TURN);
        if ahead < 2 {
            self.push_bucket(chunks, bucket, key, payload);
        } else if ahead < TURNS as u64 {
            let slot = turn as usize % TURNS;
            self.filled_turns |= 1 << slot;
            chunks.push(&mut self.turns[slot], key, payload);
        } else {
            chunks.push(self.far.entry(turn).or_insert(Chain::EMPTY), key, payload);
        }
    }

    /// Place of a bucket of one of the two turns.
    #[inline]
    const fn slot(bucket: u64) -> usize {
        bucket as usize % (2 * TURNS)
    }

    #[inline]
    fn push_bucket(&mut self, chunks: &mut Chunks<P>, bucket: u64, key: EventKey, payload: P) {
        let slot = Self::slot(bucket);
        self.filled[slot / TURNS] |= 1 << (slot % TURNS);
        chunks.push(&mut self.buckets[slot], key, payload);
    }

    #[inline]
    fn pop_before(&mut self, chunks: &mut Chunks<P>, limit: Picoseconds) -> Option<(EventKey, P)> {
        while self.current.is_empty() {
            if !self.advance(chunks, limit.0.saturating_sub(1) >> self.shift) {
                return None;
            }
        }
        if self.current.last()?.0.time >= limit {
            return None;
        }
        self.len -= 1;
        self.current.pop()
    }

    #[inline]
    const fn bucket_after(&self, bucket: u64) -> Option<u64> {
        let (turn, own) = (bucket >> TURN, self.cursor >> TURN);
        let rest = self.filled[turn as usize % 2] & (u64::MAX << (bucket % TURNS as u64) << 1);
        if rest != 0 {
            return Some((turn << TURN) + rest.trailing_zeros() as u64);
        }
        let next = self.filled[(turn as usize + 1) % 2];
        if turn == own && next != 0 {
            return Some(((turn + 1) << TURN) + next.trailing_zeros() as u64);
        }
        None
    }

    /// The first turn after those whose buckets there are that has events.
    fn next_turn(&self) -> Option<u64> {
        let first = (self.cursor >> TURN) + 2;
        let ahead = self.filled_turns.rotate_right((first % TURNS as u64) as u32);
        if ahead != 0 {
            return Some(first + u64::from(ahead.trailing_zeros()));
        }
        self.far.keys().next().copied()
    }

    fn next_time(&self, chunks: &Chunks<P>) -> Option<Picoseconds> {
        if let Some((key, _)) = self.current.last() {
            return Some(key.time);
        }
        let chain = match (self.bucket_after(self.cursor), self.next_turn()) {
            (Some(bucket), _) => self.buckets[Self::slot(bucket)],
            (None, Some(turn)) => self.far.get(&turn).copied().unwrap_or_else(|| self.turns[turn as usize % TURNS]),
            (None, None) => return None,
        };
        chunks.of(chain).flatten().map(|(key, _)| key.time).min()
    }

    /// Moves the cursor to the next non-empty bucket not beyond `last`. False when there is none.
    fn advance(&mut self, chunks: &mut Chunks<P>, last: u64) -> bool {
        let next = match self.bucket_after(self.cursor) {
            Some(bucket) if bucket > last => return false,
            Some(bucket) => bucket,
            None => match self.next_turn() {
                Some(turn) if turn << TURN <= last => turn << TURN,
                _ => return false,
            },
        };
        let (turn, own) = (next >> TURN, self.cursor >> TURN);
        self.cursor = next;
        if turn != own {
            self.begin_turns(chunks, turn, if turn == own + 1 { turn + 1 } else { turn });
        }
        self.enter(chunks);
        true
    }

    /// The cursor has come to another turn: that and the next have buckets, of which those from turn `from` on are still to be filled.
    fn begin_turns(&mut self, chunks: &mut Chunks<P>, turn: u64, from: u64) {
        while let Some(entry) = self.far.first_entry()
            && *entry.key() < turn + TURNS as u64
        {
            // Nothing can be there: until now, what belongs there went to the far ones.
            let slot = *entry.key() as usize % TURNS;
            self.turns[slot] = entry.remove();
            self.filled_turns |= 1 << slot;
        }
        for turn in from..turn + 2 {
            let slot = turn as usize % TURNS;
            let mut chain = std::mem::replace(&mut self.turns[slot], Chain::EMPTY);
            self.filled_turns &= !(1 << slot);
            while chain.len > 0 {
                let (first, count) = (chain.chunk as usize * CHUNK, Chunks::<P>::last(chain));
                for place in first..first + count {
                    let (key, payload) = chunks.events[place];
                    self.push_bucket(chunks, key.time.0 >> self.shift, key, payload);
                }
                chunks.drop_last(&mut chain);
            }
        }
    }

    /// Makes the cursor's bucket the current one, if it has events.
    fn enter(&mut self, chunks: &mut Chunks<P>) {
        let slot = Self::slot(self.cursor);
        let mut chain = std::mem::replace(&mut self.buckets[slot], Chain::EMPTY);
        if chain.len == 0 {
            return;
        }
        self.entered += 1;
        self.filled[slot / TURNS] &= !(1 << (slot % TURNS));
        self.current.reserve(chain.len as usize);
        while chain.len > 0 {
            let (first, count) = (chain.chunk as usize * CHUNK, Chunks::<P>::last(chain));
            // What was pushed last is the largest, more often than not.
            self.current.extend(chunks.events[first..first + count].iter().rev());
            chunks.drop_last(&mut chain);
        }
        if self.current.len() > 1 {
            self.current.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        }
    }

    /// All its events, in no order.
    fn events<'a>(&'a self, chunks: &'a Chunks<P>) -> impl Iterator<Item = &'a (EventKey, P)> {
        let chains = self.buckets.iter().chain(&self.turns).chain(self.far.values());
        chains.flat_map(|chain| chunks.of(*chain).flatten()).chain(&self.current)
    }
}

/// Pending events, popped in the order of their keys: of one lane or, where those who are told can be worked on one after the
/// other for a while, of several. Lanes have their events in one store, so that one takes up what another has left in the cache.
#[derive(Clone, Debug)]
pub struct Calendar<P> {
    lanes: Vec<Lane<P>>,
    /// The lane that is worked on.
    selected: usize,
    chunks: Chunks<P>,
}

impl<P: Copy> Calendar<P> {
    /// A calendar of one lane, for about `events_per_microsecond` events: the buckets are made to hold a few each.
    #[must_use]
    pub fn new(events_per_microsecond: u64) -> Self {
        Self::with_lanes([events_per_microsecond])
    }

    /// A calendar of lanes for about so many events each. The first is selected.
    #[must_use]
    pub fn with_lanes(events_per_microsecond: impl IntoIterator<Item = u64>) -> Self {
        let width = |rate: u64| (16 * 1_000_000 / rate.max(1)).clamp(64, 1 << 14);
        let lanes: Vec<_> = events_per_microsecond.into_iter().map(|rate| Lane::new(width(rate).ilog2())).collect();
        assert!(!lanes.is_empty(), "events need a lane");
        Self { lanes, selected: 0, chunks: Chunks::NONE }
    }

    /// Number of lanes.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Makes a lane the one that is worked on.
    pub fn select(&mut self, lane: usize) {
        assert!(lane < self.lanes.len(), "lane {lane} of {}", self.lanes.len());
        self.selected = lane;
    }

    /// The lane that is worked on.
    #[inline]
    #[must_use]
    pub const fn selected(&self) -> usize {
        self.selected
    }

    #[inline]
    fn lane(&self) -> &Lane<P> {
        &self.lanes[self.selected]
    }

    /// Number of pending events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lanes.iter().map(|lane| lane.len).sum()
    }

    /// Whether nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory held beside the calendar itself, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_lane = |lane: &Lane<P>| {
            size_of::<Lane<P>>()
                + lane.current.capacity() * size_of::<(EventKey, P)>()
                + lane.far.len() * size_of::<(u64, Chain)>()
        };
        self.chunks.memory_bytes() + self.lanes.iter().map(of_lane).sum::<usize>()
    }

    /// Adds an event to the lane that is worked on.
    ///
    /// # Panics
    /// When it lies before the bucket being popped: nothing may be scheduled in the past.
    #[inline]
    pub fn push(&mut self, key: EventKey, payload: P) {
        self.lanes[self.selected].push(&mut self.chunks, key, payload);
    }

    /// Adds an event to any lane.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline]
    pub fn push_to(&mut self, lane: usize, key: EventKey, payload: P) {
        self.lanes[lane].push(&mut self.chunks, key, payload);
    }

    /// Takes the event with the smallest key of the lane that is worked on, if it lies before `limit`.
    ///
    /// After `None`, the lane's time has reached `limit`: nothing earlier may be pushed.
    #[inline]
    pub fn pop_before(&mut self, limit: Picoseconds) -> Option<(EventKey, P)> {
        self.lanes[self.selected].pop_before(&mut self.chunks, limit)
    }

    /// The bucket that is current.
    #[inline]
    #[must_use]
    pub fn bucket(&self) -> u64 {
        self.lane().cursor
    }

    /// The events so far of a bucket that [`bucket_after`](Self::bucket_after) gave, in no order and in pieces; none once it has become current.
    #[inline]
    pub fn events_of(&self, bucket: u64) -> impl Iterator<Item = &[(EventKey, P)]> {
        let lane = self.lane();
        self.chunks.of(if bucket > lane.cursor { lane.buckets[Lane::<P>::slot(bucket)] } else { Chain::EMPTY })
    }

    /// Buckets that have been made current.
    #[inline]
    #[must_use]
    pub fn buckets(&self) -> u64 {
        self.lane().entered
    }

    /// The first bucket after another one, not before the current one, that has events so far and lies in this turn or the next.
    #[inline]
    #[must_use]
    pub fn bucket_after(&self, bucket: u64) -> Option<u64> {
        self.lane().bucket_after(bucket)
    }

    /// Time of the event with the smallest key, of all lanes.
    ///
    /// Pure look-up: no cursor moves.
    #[must_use]
    pub fn next_time(&self) -> Option<Picoseconds> {
        self.lanes.iter().filter_map(|lane| lane.next_time(&self.chunks)).min()
    }
}

/// Written as the number of lanes and, for each, the width of its buckets, the number of its events, and these in no particular
/// order: to read it is to push all that again.
impl<P: Copy + serde::Serialize> serde::Serialize for Calendar<P> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut all = to.serialize_seq(Some(1 + 2 * self.lanes.len() + self.len()))?;
        all.serialize_element(&self.lanes.len())?;
        for lane in &self.lanes {
            all.serialize_element(&lane.shift)?;
            all.serialize_element(&lane.len)?;
            lane.events(&self.chunks).try_for_each(|event| all.serialize_element(event))?;
        }
        all.end()
    }
}

impl<'de, P: Copy + serde::Deserialize<'de>> serde::Deserialize<'de> for Calendar<P> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Lanes<P>(std::marker::PhantomData<P>);

        fn next<'de, T: serde::Deserialize<'de>, A: serde::de::SeqAccess<'de>>(all: &mut A) -> Result<T, A::Error> {
            use serde::de::Error;
            all.next_element()?.ok_or_else(|| A::Error::custom("a calendar that ends too early"))
        }

        impl<'de, P: Copy + serde::Deserialize<'de>> serde::de::Visitor<'de> for Lanes<P> {
            type Value = Calendar<P>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("lanes of events")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut all: A) -> Result<Calendar<P>, A::Error> {
                use serde::de::Error;
                let mut calendar = Calendar { lanes: Vec::new(), selected: 0, chunks: Chunks::NONE };
                for lane in 0..next::<usize, A>(&mut all)? {
                    let shift: u32 = next(&mut all)?;
                    if shift >= u64::BITS {
                        return Err(A::Error::custom(format!("buckets of 2^{shift} picoseconds")));
                    }
                    calendar.lanes.push(Lane::new(shift));
                    for _ in 0..next::<usize, A>(&mut all)? {
                        let (key, payload) = next(&mut all)?;
                        calendar.push_to(lane, key, payload);
                    }
                }
                if calendar.lanes.is_empty() {
                    return Err(A::Error::custom("no lane"));
                }
                Ok(calendar)
            }
        }

        from.deserialize_seq(Lanes(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Step, Stream};
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    fn key(time: u64, detail: u64) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Arrive, 0, detail)
    }

    /// The simple version that the calendar replaces.
    #[test]
    fn pops_in_the_order_of_a_binary_heap() {
        for (rate, spread) in [(1, 1_000_000_000), (1_000, 3_000_000), (50_000, 100_000_000), (10_000_000, 40_000)] {
            let mut calendar = Calendar::new(rate);
            let mut heap = BinaryHeap::new();
            let mut random = Stream::new(3, rate, 0);
            let mut now = 0;
            for step in 0..60_000_u64 {
                for twin in 0..u64::from(random.below(3)) {
                    let detail = 2 * step + twin;
                    let far = if random.below(50) == 0 { spread * 100 } else { spread };
                    let at = key(now + u64::from(random.below(far as u32)), detail);
                    calendar.push(at, detail);
                    heap.push(Reverse((at, detail)));
                }
                if random.below(3) != 0 {
                    assert_eq!(calendar.next_time(), heap.peek().map(|Reverse((at, _))| at.time));
                    let expected = heap.pop().map(|Reverse((at, payload))| (at, payload));
                    let got = calendar.pop_before(Picoseconds::MAX);
                    assert_eq!(got, expected);
                    now = got.map_or(now, |(at, _)| at.time.0);
                }
            }
            while let Some(Reverse(expected)) = heap.pop() {
                assert_eq!(calendar.pop_before(Picoseconds::MAX), Some(expected));
            }
            assert!(calendar.is_empty());
        }
    }

    /// Lanes share a store of chunks and nothing else.
    #[test]
    fn each_lane_is_a_calendar_of_its_own() {
        let mut calendar = Calendar::with_lanes([1_000, 50_000, 3_000_000]);
        let mut heaps = [const { BinaryHeap::new() }; 3];
        let mut random = Stream::new(11, 0, 0);
        let mut now = [0; 3];
        for detail in 0..200_000_u64 {
            let lane = random.below(3) as usize;
            let at = key(now[lane] + u64::from(random.below(2_000_000)), detail);
            calendar.push_to(lane, at, detail);
            heaps[lane].push(Reverse((at, detail)));
            if random.below(200) == 0 {
                let lane = random.below(3) as usize;
                calendar.select(lane);
                let limit = now[lane] + 300_000;
                while let Some((at, payload)) = calendar.pop_before(Picoseconds(limit)) {
                    assert_eq!(heaps[lane].pop(), Some(Reverse((at, payload))));
                }
                now[lane] = limit;
                let first = heaps.iter().filter_map(|heap| heap.peek()).map(|Reverse((at, _))| at.time).min();
                assert_eq!(calendar.next_time(), first);
                assert_eq!(calendar.len(), heaps.iter().map(BinaryHeap::len).sum::<usize>());
            }
        }
        assert!(now.iter().all(|time| *time > 0), "every lane went on");
    }

    /// Every bucket is full once, each at another time: memory is that of the events pending at a time.
    #[test]
    fn bursts_leave_no_memory_behind() {
        let mut calendar = Calendar::new(1_000_000);
        let burst = 1_000;
        let rounds = 4_096;
        for round in 0..rounds {
            for detail in 0..burst {
                calendar.push(key(64 + round * 80, detail), detail);
            }
            for detail in 0..burst {
                assert_eq!(calendar.pop_before(Picoseconds::MAX).map(|(_, detail)| detail), Some(detail));
            }
        }
        let events = calendar.memory_bytes() / size_of::<(EventKey, u64)>();
        assert!(events < 5 * burst as usize, "memory for {events} events");
    }

    #[test]
    fn stops_at_the_limit_and_goes_on_from_there() {
        let mut calendar = Calendar::new(1_000);
        for time in [5, 50_000, 7_000_000_000, 9_000_000_000_000] {
            calendar.push(key(time, 0), time);
        }
        assert_eq!(calendar.pop_before(Picoseconds(50_000)).map(|(_, time)| time), Some(5));
        assert_eq!(calendar.pop_before(Picoseconds(50_000)), None);
        calendar.push(key(50_001, 0), 50_001);
        let rest: Vec<u64> = std::iter::from_fn(|| calendar.pop_before(Picoseconds::MAX)).map(|(_, t)| t).collect();
        assert_eq!(rest, [50_000, 50_001, 7_000_000_000, 9_000_000_000_000]);
    }

    #[test]
    #[should_panic(expected = "time does not go back")]
    fn refuses_an_event_in_the_past() {
        let mut calendar = Calendar::new(1_000);
        calendar.push(key(1_000_000, 0), 0);
        calendar.pop_before(Picoseconds::MAX);
        calendar.push(key(10, 0), 0);
    }
}
