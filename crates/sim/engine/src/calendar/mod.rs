//! The calendar: buckets for what is next, turns of buckets for the near future, and a map of turns
//! for the rest.
//!
//! Almost every event of a network lies within a few microseconds (serialisation, propagation,
//! switch latency). So a push is an append to a turn, later one more append to a bucket, and a pop
//! takes the smallest of a few. Both appends go to few places, which stay in the cache however many
//! events are pending. A binary heap moves every event through log2(n) cache lines instead; the
//! tests keep such a heap as the oracle.

mod chunks;
mod lane;
mod mail;
mod order;

use philae_units::Picoseconds;

use self::chunks::Chunks;
use self::lane::Lane;
use self::mail::LaneMail;
use crate::EventKey;

/// The planned most events of a bucket. A calendar of several lanes, which belongs to a large
/// network, plans twice as many. Source: ours, alternating runs at 1,024 and 8,192 endpoints
/// (docs/simulate/scale.md). Status: assumed.
const EVENTS_PLANNED: u64 = 16;

/// Lanes behind pointers: selecting one exchanges two pointers, and not two lanes.
type Lanes<P> = Vec<Box<Lane<P>>>;

/// Pending events, popped in the order of their keys. A calendar has one lane, or several if groups
/// of targets can be processed one at a time for a while. Lanes have their events in one store, so
/// that a lane reuses what another has left in the cache.
#[derive(Clone, Debug)]
pub struct Calendar<P> {
    /// The active lane, and its number.
    lane: Box<Lane<P>>,
    selected: usize,
    /// All lanes. A lane without events stands for the active one.
    lanes: Lanes<P>,
    /// Events that have arrived for each lane since it was active.
    mail: Vec<LaneMail>,
    chunks: Chunks<P>,
}

impl<P: Copy + Default> Calendar<P> {
    /// A calendar of one lane, for about `events_per_microsecond` events: its buckets hold a few
    /// each.
    #[must_use]
    pub fn new(events_per_microsecond: u64) -> Self {
        Self::with_lanes([events_per_microsecond])
    }

    /// A calendar with a lane per rate, for about that many events each. The first is selected.
    #[must_use]
    pub fn with_lanes(events_per_microsecond: impl IntoIterator<Item = u64>) -> Self {
        let rates: Vec<u64> = events_per_microsecond.into_iter().collect();
        let events = if rates.len() > 1 { 2 * EVENTS_PLANNED } else { EVENTS_PLANNED };
        let width = |rate: u64| (events * 1_000_000 / rate.max(1)).clamp(64, 1 << 14);
        Self::of(rates.into_iter().map(|rate| Box::new(Lane::new(width(rate).ilog2()))).collect())
    }

    /// A calendar of these lanes. The first is selected.
    fn of(mut lanes: Lanes<P>) -> Self {
        let first = lanes.first_mut().expect("events need a lane");
        let empty = Box::new(Lane::new(first.shift()));
        let lane = std::mem::replace(first, empty);
        Self { lane, selected: 0, mail: vec![LaneMail::NONE; lanes.len()], chunks: Chunks::new(lanes.len()), lanes }
    }

    /// Number of lanes.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Activates a lane.
    pub fn select(&mut self, lane: usize) {
        assert!(lane < self.lanes.len(), "lane {lane} of {}", self.lanes.len());
        std::mem::swap(&mut self.lane, &mut self.lanes[self.selected]);
        std::mem::swap(&mut self.lane, &mut self.lanes[lane]);
        self.selected = lane;
        self.chunks.select(lane);
        self.mail[lane].deliver(&mut self.chunks, &mut self.lane);
    }

    /// The active lane.
    #[inline]
    #[must_use]
    pub const fn selected(&self) -> usize {
        self.selected
    }

    /// All lanes, in order.
    fn all(&self) -> impl Iterator<Item = &Lane<P>> {
        let lanes = self.lanes.iter().enumerate();
        lanes.map(|(number, lane)| if number == self.selected { &*self.lane } else { &**lane })
    }

    /// All pending events, in no order.
    pub fn events(&self) -> impl Iterator<Item = &(EventKey, P)> {
        let mail = self.mail.iter().flat_map(|mail| mail.events(&self.chunks));
        self.all().flat_map(|lane| lane.events(&self.chunks)).chain(mail)
    }

    /// Number of pending events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all().map(Lane::len).sum::<usize>() + self.mail.iter().map(LaneMail::len).sum::<usize>()
    }

    /// Whether no event is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory held in addition to the calendar itself, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let mail = self.mail.len() * size_of::<LaneMail>();
        self.chunks.memory_bytes() + mail + self.all().map(Lane::memory_bytes).sum::<usize>()
    }

    /// Adds an event to the active lane.
    ///
    /// # Panics
    /// If it lies before the bucket being popped: nothing may be scheduled in the past.
    #[inline]
    pub fn push(&mut self, key: EventKey, payload: P) {
        *self.add(key) = (key, payload);
    }

    /// Adds an event with this key to the active lane. Returns the place to write it.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline]
    pub fn add(&mut self, key: EventKey) -> &mut (EventKey, P) {
        self.lane.add(&mut self.chunks, key)
    }

    /// Adds an event to any lane. An inactive lane gets it when it is selected.
    ///
    /// # Panics
    /// As [`push`](Self::push), here or when the lane is selected.
    #[inline]
    pub fn push_to(&mut self, lane: usize, key: EventKey, payload: P) {
        *self.add_to(lane, key) = (key, payload);
    }

    /// Adds an event with this key to any lane. Returns the place to write it.
    ///
    /// # Panics
    /// As [`push_to`](Self::push_to).
    #[inline]
    pub fn add_to(&mut self, lane: usize, key: EventKey) -> &mut (EventKey, P) {
        if lane == self.selected {
            return self.add(key);
        }
        self.mail[lane].add(&mut self.chunks, lane, key.time)
    }

    /// Takes the event with the smallest key of the active lane, if it lies before `limit`.
    ///
    /// After `None`, the lane's time has reached `limit`: nothing earlier may be pushed.
    #[inline]
    pub fn pop_before(&mut self, limit: Picoseconds) -> Option<(EventKey, P)> {
        self.take_before(limit).then(|| *self.taken())
    }

    /// Takes that event, if there is one. It can be read with [`taken`](Self::taken): moving it
    /// costs more than reading what is needed of it.
    #[inline(always)]
    pub fn take_before(&mut self, limit: Picoseconds) -> bool {
        self.lane.pop_current(limit) || self.lane.pop_next(&mut self.chunks, limit)
    }

    /// The event that was taken last, until another is pushed.
    ///
    /// # Panics
    /// Before the first is taken.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self) -> &(EventKey, P) {
        self.lane.taken()
    }

    /// The next event of the current bucket of the active lane, if it has any.
    #[inline(always)]
    #[must_use]
    pub fn peek(&self) -> Option<&(EventKey, P)> {
        self.lane.peek()
    }

    /// Takes that event, if it lies before `limit`.
    #[inline(always)]
    pub fn take_current(&mut self, limit: Picoseconds) -> bool {
        self.lane.pop_current(limit)
    }

    /// Moves the events of all lanes into the first, which is selected. No lane may have passed a
    /// pending event of another.
    pub fn gather(&mut self) {
        self.select(0);
        for (lane, mail) in self.lanes.iter_mut().zip(&mut self.mail).skip(1) {
            mail.deliver(&mut self.chunks, lane);
            for event in lane.take(&mut self.chunks) {
                *self.lane.add(&mut self.chunks, event.0) = event;
            }
        }
    }

    /// Moves the events of the first lane into the lanes that `lane_of` names; the others must have
    /// none. Nothing before `time` may be pushed after that.
    pub fn spread(&mut self, time: Picoseconds, lane_of: impl Fn(&EventKey) -> usize) {
        self.select(0);
        self.lanes[1..].iter_mut().for_each(|lane| lane.begin_at(time));
        for (key, payload) in self.lane.take(&mut self.chunks) {
            self.push_to(lane_of(&key), key, payload);
        }
    }

    /// log2 of the picoseconds that a bucket of the active lane spans. When it changes, buckets get
    /// other numbers.
    #[inline]
    #[must_use]
    pub fn bucket_shift(&self) -> u32 {
        self.lane.shift()
    }

    /// The current bucket.
    #[inline]
    #[must_use]
    pub fn bucket(&self) -> u64 {
        self.lane.cursor()
    }

    /// The events so far of a bucket that [`bucket_after`](Self::bucket_after) returned, in no
    /// order and in pieces; none once it has become current.
    #[inline]
    pub fn events_of(&self, bucket: u64) -> impl Iterator<Item = &[(EventKey, P)]> {
        self.chunks.of(self.lane.chain_of(bucket))
    }

    /// Number of buckets that have been made current.
    #[inline]
    #[must_use]
    pub fn buckets(&self) -> u64 {
        self.lane.entered()
    }

    /// The first bucket after `bucket` that has events so far and lies in this turn or the next.
    /// `bucket` may not be before the current one.
    #[inline]
    #[must_use]
    pub fn bucket_after(&self, bucket: u64) -> Option<u64> {
        self.lane.bucket_after(bucket)
    }

    /// Time of the event with the smallest key, of all lanes.
    ///
    /// Pure look-up: no cursor moves.
    #[must_use]
    pub fn next_time(&self) -> Option<Picoseconds> {
        let lanes = self.all().filter_map(|lane| lane.next_time(&self.chunks));
        lanes.chain(self.mail.iter().filter_map(LaneMail::first_time)).min()
    }

    /// The same for the active lane.
    #[must_use]
    pub fn next_time_here(&self) -> Option<Picoseconds> {
        self.lane.next_time(&self.chunks)
    }
}

/// Written as the number of lanes and, for each lane, the width of its buckets, the number of its
/// events, and the events in no particular order. Reading pushes all of them again.
impl<P: Copy + Default + serde::Serialize> serde::Serialize for Calendar<P> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut all = to.serialize_seq(Some(1 + 2 * self.lanes.len() + self.len()))?;
        let lanes = u16::try_from(self.lanes.len()).map_err(serde::ser::Error::custom)?;
        all.serialize_element(&lanes)?;
        for (lane, mail) in self.all().zip(&self.mail) {
            all.serialize_element(&lane.planned_shift())?;
            all.serialize_element(&(lane.len() + mail.len()))?;
            let mut events = lane.events(&self.chunks).chain(mail.events(&self.chunks));
            events.try_for_each(|event| all.serialize_element(event))?;
        }
        all.end()
    }
}

impl<'de, P: Copy + Default + serde::Deserialize<'de>> serde::Deserialize<'de> for Calendar<P> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Lanes<P>(std::marker::PhantomData<P>);

        fn next<'de, T: serde::Deserialize<'de>, A: serde::de::SeqAccess<'de>>(all: &mut A) -> Result<T, A::Error> {
            use serde::de::Error;
            all.next_element()?.ok_or_else(|| A::Error::custom("a calendar that ends too early"))
        }

        impl<'de, P: Copy + Default + serde::Deserialize<'de>> serde::de::Visitor<'de> for Lanes<P> {
            type Value = Calendar<P>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("lanes of events")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut all: A) -> Result<Calendar<P>, A::Error> {
                use serde::de::Error;
                let mut lanes = Vec::new();
                let count = usize::from(next::<u16, A>(&mut all)?);
                let mut chunks = Chunks::new(count);
                for number in 0..count {
                    chunks.select(number);
                    let shift: u32 = next(&mut all)?;
                    if shift >= u64::BITS {
                        return Err(A::Error::custom(format!("buckets of 2^{shift} picoseconds")));
                    }
                    let mut lane = Box::new(Lane::new(shift));
                    for _ in 0..next::<usize, A>(&mut all)? {
                        let event: (EventKey, P) = next(&mut all)?;
                        *lane.add(&mut chunks, event.0) = event;
                    }
                    lanes.push(lane);
                }
                if lanes.is_empty() {
                    return Err(A::Error::custom("no lane"));
                }
                chunks.select(0);
                let calendar = Calendar { chunks, ..Calendar::of(lanes) };
                Ok(calendar)
            }
        }

        from.deserialize_seq(Lanes(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventOrder, RandomStream};
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    fn key(time: u64, detail: u64) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, 0, detail)
    }

    /// Compares with the simple version that the calendar replaces.
    #[test]
    fn pops_in_the_order_of_a_binary_heap() {
        for (rate, spread) in [(1, 1_000_000_000), (1_000, 3_000_000), (50_000, 100_000_000), (10_000_000, 40_000)] {
            let mut calendar = Calendar::new(rate);
            let mut heap = BinaryHeap::new();
            let mut random = RandomStream::new(3, rate, 0);
            let mut now = 0;
            for step in 0..60_000_u64 {
                for twin in 0..u64::from(random.below(3)) {
                    let detail = 2 * step + twin;
                    let span = if random.below(50) == 0 { spread * 100 } else { spread };
                    let event_key = key(now + u64::from(random.below(span as u32)), detail);
                    calendar.push(event_key, detail);
                    heap.push(Reverse((event_key, detail)));
                }
                if random.below(3) != 0 {
                    assert_eq!(calendar.next_time(), heap.peek().map(|Reverse((event_key, _))| event_key.time));
                    let expected = heap.pop().map(|Reverse((event_key, payload))| (event_key, payload));
                    let got = calendar.pop_before(Picoseconds::MAX);
                    assert_eq!(got, expected);
                    now = got.map_or(now, |(event_key, _)| event_key.time.0);
                }
            }
            while let Some(Reverse(expected)) = heap.pop() {
                assert_eq!(calendar.pop_before(Picoseconds::MAX), Some(expected));
            }
            assert!(calendar.is_empty());
        }
    }

    /// Events a microsecond apart, then a thousand in each nanosecond, then as before: buckets
    /// become wider and narrower.
    #[test]
    fn buckets_follow_the_events() {
        let mut calendar = Calendar::new(1_000);
        let mut heap = BinaryHeap::new();
        let mut random = RandomStream::new(4, 0, 0);
        let (mut now, mut detail, mut shifts) = (0, 0, vec![calendar.bucket_shift()]);
        for (events, spread) in [(20_000_u64, 40_000_000), (200_000, 30_000), (80_000, 40_000_000)] {
            for _ in 0..events {
                // The number of pending events grows to forty or thirty thousand.
                let most = if spread > 1_000_000 { 40 } else { 30_000 };
                while heap.len() < most {
                    let event_key = key(now + u64::from(random.below(spread)), detail);
                    calendar.push(event_key, detail);
                    heap.push(Reverse((event_key, detail)));
                    detail += 1;
                }
                let Some(Reverse(expected)) = heap.pop() else { unreachable!("some were pushed") };
                assert_eq!(calendar.pop_before(Picoseconds::MAX), Some(expected));
                now = expected.0.time.0;
            }
            assert_eq!(calendar.len(), heap.len());
            assert_eq!(calendar.next_time(), heap.peek().map(|Reverse((event_key, _))| event_key.time));
            shifts.push(calendar.bucket_shift());
        }
        let [made, sparse, dense, again] = shifts[..] else { unreachable!("one for each phase") };
        assert!(sparse > made + 3 && dense < made && again > made + 3, "2^{shifts:?} picoseconds");
    }

    /// All ranks of a job begin at one time, before anything is popped.
    #[test]
    fn events_before_the_first_pop_are_in_order() {
        let mut random = RandomStream::new(13, 0, 0);
        for spread in [1, 40, 1 << 30] {
            let mut calendar = Calendar::new(1_000);
            let mut heap = BinaryHeap::new();
            for detail in 0..20_000_u64 {
                let event_key = key(u64::from(random.below(spread)), u64::from(random.below(1 << 30)) << 20 | detail);
                calendar.push(event_key, detail);
                heap.push(Reverse((event_key, detail)));
            }
            assert_eq!(calendar.len(), 20_000);
            let first = heap.peek().map(|Reverse((key, _))| key.time);
            assert_eq!((calendar.next_time(), calendar.next_time_here()), (first, first));
            while let Some(Reverse(expected)) = heap.pop() {
                assert_eq!(calendar.pop_before(Picoseconds::MAX), Some(expected));
            }
            assert_eq!(calendar.pop_before(Picoseconds::MAX), None);
        }
    }

    #[test]
    fn events_of_all_lanes_are_gathered_and_spread() {
        let mut calendar = Calendar::with_lanes([1_000, 50_000, 3_000_000]);
        let mut heap = BinaryHeap::new();
        let mut random = RandomStream::new(12, 0, 0);
        let lane_of = |key: &EventKey| key.time.0 as usize % 3;
        let mut now = 0;
        for round in 0..60_u64 {
            let together = round % 2 == 1;
            if together {
                calendar.gather();
            } else if round > 0 {
                calendar.spread(Picoseconds(now), lane_of);
            }
            for detail in 0..500 {
                let event_key = key(now + u64::from(random.below(9_000_000)), round << 10 | detail);
                calendar.push_to(if together { 0 } else { lane_of(&event_key) }, event_key, round);
                heap.push(Reverse((event_key, round)));
            }
            now += 3_000_000;
            let mut popped = Vec::new();
            for lane in 0..if together { 1 } else { 3 } {
                calendar.select(lane);
                popped.extend(std::iter::from_fn(|| calendar.pop_before(Picoseconds(now))));
            }
            popped.sort_unstable();
            for expected in popped {
                assert_eq!(heap.pop(), Some(Reverse(expected)));
            }
            let next = heap.peek().map(|Reverse((event_key, _))| event_key.time);
            assert!(next.is_some_and(|next| next.0 >= now), "nothing is left behind");
            assert_eq!(calendar.next_time(), next);
            assert!(!together || calendar.next_time_here() == next);
            assert_eq!(calendar.len(), heap.len());
        }
    }

    /// Lanes share only a store of chunks.
    #[test]
    fn each_lane_is_a_calendar_of_its_own() {
        let mut calendar = Calendar::with_lanes([1_000, 50_000, 3_000_000]);
        let mut heaps = [const { BinaryHeap::new() }; 3];
        let mut random = RandomStream::new(11, 0, 0);
        let mut now = [0; 3];
        for detail in 0..200_000_u64 {
            let lane = random.below(3) as usize;
            let event_key = key(now[lane] + u64::from(random.below(2_000_000)), detail);
            calendar.push_to(lane, event_key, detail);
            heaps[lane].push(Reverse((event_key, detail)));
            if random.below(200) == 0 {
                let lane = random.below(3) as usize;
                calendar.select(lane);
                let limit = now[lane] + 300_000;
                while let Some((event_key, payload)) = calendar.pop_before(Picoseconds(limit)) {
                    assert_eq!(heaps[lane].pop(), Some(Reverse((event_key, payload))));
                }
                now[lane] = limit;
                let first =
                    heaps.iter().filter_map(|heap| heap.peek()).map(|Reverse((event_key, _))| event_key.time).min();
                assert_eq!(calendar.next_time(), first);
                assert_eq!(calendar.len(), heaps.iter().map(BinaryHeap::len).sum::<usize>());
            }
        }
        assert!(now.iter().all(|time| *time > 0), "every lane went on");
    }

    /// Every bucket is full once, each at another time: memory is that of the events pending at a
    /// time.
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
    fn stops_at_the_limit_and_continues_from_there() {
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
