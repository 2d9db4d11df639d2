//! A lane: buckets for what is next, turns of buckets for the near future, and a map of turns for
//! the rest.

use std::collections::BTreeMap;

use philae_units::Picoseconds;

use super::chunks::{CHUNK, Chain, Chunks};
use super::order::in_order;
use crate::EventKey;

/// log2 of the buckets in a turn, and of the near turns: a set of either fits one word.
const TURN: u32 = 6;
const TURNS: usize = 1 << TURN;

/// log2 of the least and the most picoseconds that a bucket spans. Source: ours; what serialisation
/// takes of a byte or two, and about a crossing of the network. Status: assumed.
const SHIFT_MIN: u32 = 6;
const SHIFT_MAX: u32 = 20;

/// After this many buckets, a lane checks whether their width fits its events. Source: ours.
/// Status: assumed.
const BUCKETS_PER_CHECK: u64 = 128;
/// With fewer events per bucket on average than the first, buckets become wider, so that they hold
/// the second. Source: callgrind on an incast of 8,192 endpoints, where a bucket of 1.8 events cost
/// about a thousand instructions, looking ahead included. Status: derived.
const SPARSE: u64 = 4;
const WANTED: u64 = 16;
/// With this many events in a bucket, widened buckets return to their original width, which is for
/// a busy network. Source: ours; at 172 events a bucket, where wide ones were left as they were, a
/// group shift took a tenth longer. Status: assumed.
const WIDE_BUCKET_EVENTS_MAX: usize = 256;
/// With this many events in a bucket, buckets become narrower than originally, so that they hold
/// the second number. Source: ours; to add to the current bucket moves what it has.
/// Status: assumed.
pub const BUCKET_EVENTS_MAX: usize = 2_048;
const ENOUGH: u64 = 64;

/// So many of the next events are compared one by one with one that is added to the current bucket.
/// Source: ours. Status: assumed.
const NEAR: usize = 8;

/// The pending events of a lane, without the chunks that hold most of them.
#[derive(Clone, Debug)]
pub struct Lane<P> {
    /// A bucket spans `1 << shift` picoseconds.
    shift: u32,
    /// The shift when the lane was made.
    planned: u32,
    /// The bucket being popped, in units of bucket widths since the start of time.
    cursor: u64,
    /// Events of the cursor's bucket, largest key first, so that a pop takes from the end of the
    /// first `left`. Those after `left` have been taken.
    current: Vec<(EventKey, P)>,
    left: usize,
    /// Buckets after the cursor's, of its turn and of the next one, unsorted.
    buckets: [Chain; 2 * TURNS],
    /// One bit per bucket that has events, for each of the two turns.
    filled: [u64; 2],
    /// The turns after these two.
    turns: [Chain; TURNS],
    /// One bit per turn that has events.
    filled_turns: u64,
    /// Turns beyond those.
    later_turns: BTreeMap<u64, Chain>,
    /// Number of events in all these.
    len: usize,
    /// Number of buckets that have been made current, and that number at the last check of their
    /// width.
    entered: u64,
    entered_checked: u64,
    /// Number of events that the buckets have had since that check.
    weighed: u64,
}

impl<P: Copy + Default> Lane<P> {
    pub fn new(shift: u32) -> Self {
        Self {
            shift,
            planned: shift,
            cursor: 0,
            current: Vec::new(),
            left: 0,
            buckets: [Chain::EMPTY; 2 * TURNS],
            filled: [0; 2],
            turns: [Chain::EMPTY; TURNS],
            filled_turns: 0,
            later_turns: BTreeMap::new(),
            len: 0,
            entered: 0,
            entered_checked: 0,
            weighed: 0,
        }
    }

    /// Adds an event with this key. Returns the place to write it.
    #[inline(always)]
    pub fn add<'a>(&'a mut self, chunks: &'a mut Chunks<P>, key: EventKey) -> &'a mut (EventKey, P) {
        let bucket = key.time.0 >> self.shift;
        let turn = bucket >> TURN;
        let ahead = turn.wrapping_sub(self.cursor >> TURN);
        // Almost all events lie after the current bucket, and not far away.
        if bucket <= self.cursor || ahead >= TURNS as u64 {
            return self.add_elsewhere(chunks, key);
        }
        self.len += 1;
        let chain = if ahead < 2 {
            self.bucket_to_fill(bucket)
        } else {
            let slot = turn as usize % TURNS;
            self.filled_turns |= 1 << slot;
            &mut self.turns[slot]
        };
        chunks.add(chain)
    }

    /// Adds an event to the current bucket or to a far turn.
    #[cold]
    #[inline(never)]
    fn add_elsewhere<'a>(&'a mut self, chunks: &'a mut Chunks<P>, key: EventKey) -> &'a mut (EventKey, P) {
        let bucket = key.time.0 >> self.shift;
        assert!(bucket >= self.cursor, "an event may not be scheduled in the past: time does not go back");
        if bucket == self.cursor && !self.is_unbegun() {
            return self.add_current(chunks, key);
        }
        self.len += 1;
        if bucket == self.cursor {
            return chunks.add(self.bucket_to_fill(bucket));
        }
        chunks.add(self.later_turns.entry(bucket >> TURN).or_insert(Chain::EMPTY))
    }

    /// Whether no bucket has been popped yet. Until then the first one collects its events
    /// unsorted, as the others do: all ranks of a job begin at one time, and to insert them one by
    /// one would take quadratic time.
    const fn is_unbegun(&self) -> bool {
        self.entered == 0 && self.left == 0
    }

    /// The first bucket, if no bucket has been popped yet and it has events.
    fn first_bucket(&self) -> Option<u64> {
        let slot = Self::slot(self.cursor);
        let is_filled = self.filled[slot / TURNS] >> (slot % TURNS) & 1 == 1;
        (self.is_unbegun() && is_filled).then_some(self.cursor)
    }

    /// Adds an event to the bucket that is being popped.
    fn add_current<'a>(&'a mut self, chunks: &'a mut Chunks<P>, key: EventKey) -> &'a mut (EventKey, P) {
        if self.exceeds_width() {
            let shift = self.shift;
            self.divide_current(chunks);
            if self.shift != shift {
                return self.add(chunks, key);
            }
        }
        let whole = key.as_u128();
        if self.left == self.current.len() {
            self.current.push(Default::default());
        }
        // Most belong among the next few: to compare those one by one, and to move them on the way,
        // takes less than a search and a copy.
        let (mut position, near) = (self.left, self.left.saturating_sub(NEAR));
        self.left += 1;
        while position > near && self.current[position - 1].0.as_u128() < whole {
            self.current[position] = self.current[position - 1];
            position -= 1;
        }
        if position == near {
            position = self.current[..near].partition_point(|(pending, _)| pending.as_u128() > whole);
            self.current.copy_within(position..near, position + 1);
        }
        &mut self.current[position]
    }

    /// Index of a bucket in one of the two turns.
    #[inline]
    const fn slot(bucket: u64) -> usize {
        bucket as usize % (2 * TURNS)
    }

    /// A bucket of these two turns, to which an event is about to be added.
    #[inline]
    fn bucket_to_fill(&mut self, bucket: u64) -> &mut Chain {
        let slot = Self::slot(bucket);
        self.filled[slot / TURNS] |= 1 << (slot % TURNS);
        &mut self.buckets[slot]
    }

    /// Takes the next event of the current bucket, if it lies before `limit`.
    #[inline(always)]
    pub fn pop_current(&mut self, limit: Picoseconds) -> bool {
        let last = self.left.wrapping_sub(1);
        let is_due = self.current.get(last).is_some_and(|next| next.0.time < limit);
        if is_due {
            self.left = last;
        }
        is_due
    }

    /// Takes the next event, if it lies before `limit`, when the current bucket has none.
    #[inline(never)]
    pub fn pop_next(&mut self, chunks: &mut Chunks<P>, limit: Picoseconds) -> bool {
        while self.left == 0 {
            if !self.advance(chunks, limit.0) {
                return false;
            }
        }
        self.pop_current(limit)
    }

    /// The next event of the current bucket.
    #[inline(always)]
    pub fn peek(&self) -> Option<&(EventKey, P)> {
        self.current.get(self.left.wrapping_sub(1))
    }

    /// The event that was taken last, until another is added.
    #[inline(always)]
    pub fn taken(&self) -> &(EventKey, P) {
        &self.current[self.left]
    }

    #[inline]
    pub const fn bucket_after(&self, bucket: u64) -> Option<u64> {
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

    /// The first turn with events after the two turns that have buckets.
    fn next_turn(&self) -> Option<u64> {
        let first = (self.cursor >> TURN) + 2;
        let ahead = self.filled_turns.rotate_right((first % TURNS as u64) as u32);
        if ahead != 0 {
            return Some(first + u64::from(ahead.trailing_zeros()));
        }
        self.later_turns.keys().next().copied()
    }

    pub fn next_time(&self, chunks: &Chunks<P>) -> Option<Picoseconds> {
        if let Some((key, _)) = self.pending().last() {
            return Some(key.time);
        }
        let chain = match (self.first_bucket().or_else(|| self.bucket_after(self.cursor)), self.next_turn()) {
            (Some(bucket), _) => self.buckets[Self::slot(bucket)],
            (None, Some(turn)) => {
                self.later_turns.get(&turn).copied().unwrap_or_else(|| self.turns[turn as usize % TURNS])
            }
            (None, None) => return None,
        };
        chunks.of(chain).flatten().map(|(key, _)| key.time).min()
    }

    /// Moves the cursor to the next non-empty bucket that begins before `limit`. Returns false if
    /// there is none.
    fn advance(&mut self, chunks: &mut Chunks<P>, limit: u64) -> bool {
        if self.entered - self.entered_checked >= BUCKETS_PER_CHECK {
            self.check_width(chunks);
            if self.left > 0 {
                return true;
            }
        }
        let last = limit.saturating_sub(1) >> self.shift;
        if let Some(bucket) = self.first_bucket() {
            if bucket <= last {
                self.enter(chunks);
            }
            return bucket <= last;
        }
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

    /// The cursor has reached another turn. That turn and the next have buckets; the buckets of
    /// turns from `from` on are filled here.
    fn begin_turns(&mut self, chunks: &mut Chunks<P>, turn: u64, from: u64) {
        while let Some(entry) = self.later_turns.first_entry()
            && *entry.key() < turn + TURNS as u64
        {
            // The place is empty: until now, events of this turn went to the far turns.
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
                for index in first..first + count {
                    let event = chunks.events[index];
                    *chunks.add(self.bucket_to_fill(event.0.time.0 >> self.shift)) = event;
                }
                chunks.drop_last(&mut chain);
            }
        }
    }

    /// Makes the cursor's bucket the current one, if it has events.
    fn enter(&mut self, chunks: &mut Chunks<P>) {
        let slot = Self::slot(self.cursor);
        let chain = std::mem::replace(&mut self.buckets[slot], Chain::EMPTY);
        if chain.len == 0 {
            return;
        }
        self.entered += 1;
        self.weighed += u64::from(chain.len);
        self.filled[slot / TURNS] &= !(1 << (slot % TURNS));
        in_order(&mut self.current, chunks, chain, self.shift);
        self.left = chain.len as usize;
        self.len -= self.left;
        if self.exceeds_width() {
            self.divide_current(chunks);
        }
    }

    /// Whether the current bucket has more events than one of its width should.
    #[inline]
    const fn exceeds_width(&self) -> bool {
        self.left > if self.shift > self.planned { WIDE_BUCKET_EVENTS_MAX } else { BUCKET_EVENTS_MAX }
    }

    /// Makes buckets wider, if those since the last check had too few events.
    #[cold]
    #[inline(never)]
    fn check_width(&mut self, chunks: &mut Chunks<P>) {
        let average = self.weighed / (self.entered - self.entered_checked);
        (self.entered_checked, self.weighed) = (self.entered, 0);
        if average < SPARSE {
            self.set_shift(chunks, self.shift + (WANTED / average.max(1)).ilog2());
        }
    }

    /// Makes buckets narrower, if that divides the events of the current one.
    #[cold]
    #[inline(never)]
    fn divide_current(&mut self, chunks: &mut Chunks<P>) {
        if self.shift > self.planned {
            return self.set_shift(chunks, self.planned);
        }
        let (Some((last, _)), Some((first, _))) = (self.pending().first(), self.pending().last()) else { return };
        let width = (last.time.0 - first.time.0) / (self.left as u64 / ENOUGH);
        if width >= 1 << SHIFT_MIN {
            self.set_shift(chunks, width.ilog2());
        }
    }

    /// Changes the width of all buckets.
    fn set_shift(&mut self, chunks: &mut Chunks<P>, shift: u32) {
        let shift = shift.clamp(SHIFT_MIN, SHIFT_MAX);
        if shift == self.shift {
            return;
        }
        let begins = self.cursor << self.shift;
        let events = self.take(chunks);
        (self.shift, self.cursor) = (shift, begins >> shift);
        for event in events {
            *self.add(chunks, event.0) = event;
        }
    }

    /// Removes and returns all its events, in no order.
    pub fn take(&mut self, chunks: &mut Chunks<P>) -> Vec<(EventKey, P)> {
        let events: Vec<_> = self.events(chunks).copied().collect();
        let later_turns = std::mem::take(&mut self.later_turns);
        for chain in self.buckets.iter().chain(&self.turns).copied().chain(later_turns.into_values()) {
            chunks.drop_all(chain);
        }
        (self.buckets, self.turns) = ([Chain::EMPTY; 2 * TURNS], [Chain::EMPTY; TURNS]);
        (self.filled, self.filled_turns, self.len, self.left) = ([0; 2], 0, 0, 0);
        events
    }

    /// Advances a lane without events to `time`. Nothing earlier may be pushed after that.
    pub fn begin_at(&mut self, time: Picoseconds) {
        debug_assert!(self.len() == 0, "only a lane without events may skip time");
        self.cursor = self.cursor.max(time.0 >> self.shift);
    }

    /// log2 of the picoseconds that a bucket spans.
    #[inline]
    pub const fn shift(&self) -> u32 {
        self.shift
    }

    /// log2 of the picoseconds that a bucket spanned when the lane was made.
    pub const fn planned_shift(&self) -> u32 {
        self.planned
    }

    /// Number of its events.
    pub const fn len(&self) -> usize {
        self.len + self.left
    }

    /// The events of the current bucket, largest key first.
    fn pending(&self) -> &[(EventKey, P)] {
        &self.current[..self.left]
    }

    /// The current bucket.
    #[inline]
    pub const fn cursor(&self) -> u64 {
        self.cursor
    }

    /// Number of buckets that have been made current.
    #[inline]
    pub const fn entered(&self) -> u64 {
        self.entered
    }

    /// The events of a bucket of this turn or the next; none once it has become current.
    #[inline]
    pub const fn chain_of(&self, bucket: u64) -> Chain {
        if bucket > self.cursor { self.buckets[Self::slot(bucket)] } else { Chain::EMPTY }
    }

    /// Memory held in addition to the store of chunks, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.current.capacity() * size_of::<(EventKey, P)>()
            + self.later_turns.len() * size_of::<(u64, Chain)>()
    }

    /// All its events, in no order.
    pub fn events<'a>(&'a self, chunks: &'a Chunks<P>) -> impl Iterator<Item = &'a (EventKey, P)> {
        let chains = self.buckets.iter().chain(&self.turns).chain(self.later_turns.values());
        chains.flat_map(|chain| chunks.of(*chain).flatten()).chain(self.pending())
    }
}
