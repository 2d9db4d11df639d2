//! The calendar: a ring of buckets for the near future and a map of epochs for the rest.
//!
//! Almost every event of a network lies within a few microseconds (serialisation, propagation, switch latency), so a
//! push is an append to a bucket and a pop takes the smallest of a handful. A binary heap moves every event through
//! log2(n) cache lines instead; that heap is kept in the tests as the oracle.

use std::collections::BTreeMap;

use crate::EventKey;
use philae_units::Picoseconds;

/// Buckets in the ring, at most. 4,096 bucket heads are 96 KiB: they stay in the second-level cache.
const RING: usize = 1 << 12;
const WORDS: usize = RING / 64;

/// Pending events, popped in the order of their keys.
#[derive(Clone, Debug)]
pub struct Calendar<P> {
    /// A bucket spans `1 << shift` picoseconds.
    shift: u32,
    /// The bucket being popped, in units of bucket widths since the start of time.
    cursor: u64,
    /// Events of the cursor's bucket, largest key first, so that a pop takes from the end.
    current: Vec<(EventKey, P)>,
    /// Buckets after the cursor's, one turn of them, unsorted.
    ring: Vec<Vec<(EventKey, P)>>,
    /// Memory of buckets that have been popped, for those that fill next: the one used last is still in the cache.
    spare: Vec<Vec<(EventKey, P)>>,
    /// One bit per non-empty ring bucket.
    occupied: Box<[u64; WORDS]>,
    /// One bit per non-zero word of `occupied`.
    summary: [u64; WORDS / 64],
    /// Events beyond the ring, by the turn in which their bucket will be.
    far: BTreeMap<u64, Vec<(EventKey, P)>>,
    len: usize,
    buckets: u64,
}

impl<P: Copy> Calendar<P> {
    /// A calendar for about `events_per_microsecond` events: the buckets are made to hold a few each.
    #[must_use]
    pub fn new(events_per_microsecond: u64) -> Self {
        Self::with_ring(events_per_microsecond, RING)
    }

    /// The same with fewer buckets in its ring: a power of two from 64 to 4,096.
    ///
    /// # Panics
    /// When it is something else.
    #[must_use]
    pub fn with_ring(events_per_microsecond: u64, ring: usize) -> Self {
        assert!(ring.is_power_of_two() && (64..=RING).contains(&ring), "a ring of {ring} buckets");
        let width = (16 * 1_000_000 / events_per_microsecond.max(1)).clamp(64, 1 << 14);
        Self {
            shift: width.ilog2(),
            cursor: 0,
            current: Vec::new(),
            ring: (0..ring).map(|_| Vec::new()).collect(),
            spare: Vec::new(),
            occupied: Box::new([0; WORDS]),
            summary: [0; WORDS / 64],
            far: BTreeMap::new(),
            len: 0,
            buckets: 0,
        }
    }

    /// Number of pending events.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is pending.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let event = size_of::<(EventKey, P)>();
        let ring: usize = self.ring.iter().chain(&self.spare).map(Vec::capacity).sum();
        let far: usize = self.far.values().map(Vec::capacity).sum();
        (ring + far + self.current.capacity()) * event + self.ring.len() * size_of::<Vec<(EventKey, P)>>()
    }

    /// Adds an event.
    ///
    /// # Panics
    /// When it lies before the bucket being popped: nothing may be scheduled in the past.
    #[inline]
    pub fn push(&mut self, key: EventKey, payload: P) {
        let bucket = key.time.0 >> self.shift;
        assert!(bucket >= self.cursor, "an event may not be scheduled in the past: time does not go back");
        self.len += 1;
        let ahead = bucket - self.cursor;
        if ahead == 0 {
            let at = self.current.partition_point(|(pending, _)| *pending > key);
            self.current.insert(at, (key, payload));
        } else if ahead < self.ring.len() as u64 {
            self.push_ring(bucket, key, payload);
        } else {
            let epoch = self.epoch(bucket);
            self.far.entry(epoch).or_default().push((key, payload));
        }
    }

    /// Place of a bucket in the ring.
    #[inline]
    fn slot(&self, bucket: u64) -> usize {
        bucket as usize & (self.ring.len() - 1)
    }

    /// The turn of the ring in which a bucket is.
    #[inline]
    fn epoch(&self, bucket: u64) -> u64 {
        bucket >> self.ring.len().trailing_zeros()
    }

    #[inline]
    fn push_ring(&mut self, bucket: u64, key: EventKey, payload: P) {
        let slot = self.slot(bucket);
        let events = &mut self.ring[slot];
        if events.is_empty() {
            self.occupied[slot / 64] |= 1 << (slot % 64);
            self.summary[slot / 4096] |= 1 << (slot / 64 % 64);
            if let Some(spare) = self.spare.pop() {
                *events = spare;
            }
        }
        events.push((key, payload));
    }

    /// Takes the event with the smallest key, if it lies before `limit`.
    ///
    /// After `None`, time has reached `limit`: nothing earlier may be pushed.
    #[inline]
    pub fn pop_before(&mut self, limit: Picoseconds) -> Option<(EventKey, P)> {
        while self.current.is_empty() {
            if !self.advance(limit.0.saturating_sub(1) >> self.shift) {
                return None;
            }
        }
        if self.current.last()?.0.time >= limit {
            return None;
        }
        self.len -= 1;
        self.current.pop()
    }

    /// The events of the current bucket, the next to be popped last; others may be pushed between them.
    #[inline]
    #[must_use]
    pub fn current(&self) -> &[(EventKey, P)] {
        &self.current
    }

    /// The bucket that is current.
    #[inline]
    #[must_use]
    pub const fn bucket(&self) -> u64 {
        self.cursor
    }

    /// The events so far, in no order, of a bucket that [`bucket_after`](Self::bucket_after) gave and that is not current yet.
    #[inline]
    #[must_use]
    pub fn events_of(&self, bucket: u64) -> &[(EventKey, P)] {
        &self.ring[self.slot(bucket)]
    }

    /// Buckets that have been made current.
    #[inline]
    #[must_use]
    pub const fn buckets(&self) -> u64 {
        self.buckets
    }

    /// Time of the event with the smallest key.
    ///
    /// Pure look-up: the cursor does not move.
    #[must_use]
    pub fn next_time(&self) -> Option<Picoseconds> {
        if let Some((key, _)) = self.current.last() {
            return Some(key.time);
        }
        let ring = self.next_occupied().map(|bucket| &self.ring[self.slot(bucket)]);
        let earliest = |events: &Vec<(EventKey, P)>| events.iter().map(|(key, _)| key.time).min();
        let far = self.far.values().next().and_then(earliest);
        match (ring.and_then(earliest), far) {
            (Some(ring), Some(far)) => Some(ring.min(far)),
            (ring, far) => ring.or(far),
        }
    }

    /// Moves the cursor to the next non-empty bucket not beyond `last`. False when there is none.
    fn advance(&mut self, last: u64) -> bool {
        if self.len == 0 {
            return false;
        }
        let ring = self.ring.len() as u64;
        let epoch_end = (self.epoch(self.cursor) + 1) * ring;
        let next_in_ring = self.next_occupied();
        match next_in_ring {
            Some(bucket) if bucket < epoch_end => {
                if bucket > last {
                    return false;
                }
                self.enter(bucket);
            }
            _ => {
                // Nothing left in this epoch: go to the first epoch that has something and bring its far events in.
                let ring_epoch = next_in_ring.map(|bucket| self.epoch(bucket));
                let far_epoch = self.far.keys().next().copied();
                let epoch = match (ring_epoch, far_epoch) {
                    (Some(a), Some(b)) => a.min(b),
                    (Some(a), None) => a,
                    (None, Some(b)) => b,
                    (None, None) => return false,
                };
                if epoch * ring > last {
                    return false;
                }
                self.enter(epoch * ring);
                for (key, payload) in self.far.remove(&epoch).unwrap_or_default() {
                    self.len -= 1;
                    self.push(key, payload);
                }
            }
        }
        true
    }

    /// Makes `bucket` the current one.
    fn enter(&mut self, bucket: u64) {
        self.cursor = bucket;
        let slot = self.slot(bucket);
        if self.occupied[slot / 64] >> (slot % 64) & 1 == 1 {
            let emptied = std::mem::replace(&mut self.current, std::mem::take(&mut self.ring[slot]));
            if emptied.capacity() > 0 {
                self.spare.push(emptied);
            }
            self.buckets += 1;
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            if self.occupied[slot / 64] == 0 {
                self.summary[slot / 4096] &= !(1 << (slot / 64 % 64));
            }
            if self.current.len() > 1 {
                self.current.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
            }
        }
    }

    /// The first non-empty bucket after the cursor that the ring holds.
    fn next_occupied(&self) -> Option<u64> {
        self.bucket_after(self.cursor)
    }

    /// The first bucket after another one, not before the current one, that has events in the ring so far.
    #[inline]
    #[must_use]
    pub fn bucket_after(&self, bucket: u64) -> Option<u64> {
        let (from, own) = (self.slot(bucket + 1), self.slot(self.cursor));
        // The ring ends before the cursor's own slot, which is empty.
        let slot = if from <= own {
            self.first_slot(from, own)
        } else {
            self.first_slot(from, self.ring.len()).or_else(|| self.first_slot(0, own))
        }?;
        let ahead = slot.wrapping_sub(own) & (self.ring.len() - 1);
        Some(self.cursor + ahead as u64)
    }

    /// The first non-empty slot in `from..to`.
    fn first_slot(&self, from: usize, to: usize) -> Option<usize> {
        if from >= to {
            return None;
        }
        let first = self.occupied[from / 64] & (u64::MAX << (from % 64));
        let mut found = (first != 0).then(|| from / 64 * 64 + first.trailing_zeros() as usize);
        if found.is_none() {
            let mut word = from / 64 + 1;
            while word < WORDS {
                let rest = self.summary[word / 64] & (u64::MAX << (word % 64));
                if rest != 0 {
                    let word = word / 64 * 64 + rest.trailing_zeros() as usize;
                    found = Some(word * 64 + self.occupied[word].trailing_zeros() as usize);
                    break;
                }
                word = (word / 64 + 1) * 64;
            }
        }
        found.filter(|&slot| slot < to)
    }
}

/// Written as the width and number of its buckets and what is in them, in no particular order: to read it is to push all that again.
impl<P: Copy + serde::Serialize> serde::Serialize for Calendar<P> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut events = to.serialize_seq(Some(self.len + 2))?;
        events.serialize_element(&self.shift)?;
        events.serialize_element(&(self.ring.len() as u32))?;
        let buckets = self.ring.iter().chain(self.far.values());
        for event in buckets.flatten().chain(&self.current) {
            events.serialize_element(event)?;
        }
        events.end()
    }
}

impl<'de, P: Copy + serde::Deserialize<'de>> serde::Deserialize<'de> for Calendar<P> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Events<P>(std::marker::PhantomData<P>);

        impl<'de, P: Copy + serde::Deserialize<'de>> serde::de::Visitor<'de> for Events<P> {
            type Value = Calendar<P>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("the width of buckets, their number, then events")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut events: A) -> Result<Calendar<P>, A::Error> {
                use serde::de::Error;
                let shift: u32 = events.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                if shift >= u64::BITS {
                    return Err(A::Error::custom(format!("buckets of 2^{shift} picoseconds")));
                }
                let ring: u32 = events.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
                if !ring.is_power_of_two() || !(64..=RING as u32).contains(&ring) {
                    return Err(A::Error::custom(format!("a ring of {ring} buckets")));
                }
                let mut calendar = Calendar { shift, ..Calendar::with_ring(1, ring as usize) };
                while let Some((key, payload)) = events.next_element()? {
                    calendar.push(key, payload);
                }
                Ok(calendar)
            }
        }

        from.deserialize_seq(Events(std::marker::PhantomData))
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
