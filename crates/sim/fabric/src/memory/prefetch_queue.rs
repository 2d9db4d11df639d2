//! The prefetch queue: the next buckets of the calendar, and what their events name, by kind.
//!
//! The events of a bucket are read once, when the bucket enters the queue. What they name goes into
//! one row per kind. A further step then runs the same few instructions for each entry of a row,
//! and its cache misses overlap. Reading every event again would jump to a different place each
//! time, and the processor would wait at every jump.

use philae_engine::Calendar;
use philae_switch::port::Voq;
use philae_units::PortId;

use crate::memory::slab::NO_INDEX;

/// Stands for a bucket where there is none. No bucket follows after the first `NO_BUCKET`.
const NO_BUCKET: u64 = 0;

/// Steps of prefetching. The calendar is searched for as many buckets ahead, and for one more,
/// whose events themselves are prefetched. Source: ours; an event, its packet or output, and what
/// that names, and so on, as far as it was measured to pay. Status: assumed.
const STEPS: usize = 4;

/// A packet that arrives from its NIC, and the port of its arrival.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub packet: u32,
    pub port: u32,
}

/// An output that will look for a packet, and what it will read.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Slot of the output's port.
    pub port_slot: u32,
    /// Slot of its channel, from the second step on; `NO_INDEX` if it has no request.
    pub channel: u32,
    /// The queues of that channel, from the third step on.
    pub voq: Voq,
    /// The input whose turn it is.
    pub input: PortId,
    /// The packet whose turn it is, from the third step on, where outputs are fair to flows;
    /// `NO_INDEX` if none waits.
    pub packet: u32,
}

impl Search {
    /// The search of an output of which no more is known.
    pub const fn of(port_slot: u32) -> Self {
        Self { port_slot, channel: NO_INDEX, voq: Voq::NONE, input: PortId(0), packet: NO_INDEX }
    }
}

/// What the events of a bucket name.
#[derive(Clone, Debug, Default)]
pub struct PrefetchRows {
    bucket: u64,
    /// Number of steps taken.
    taken: usize,
    /// Arrivals from NICs.
    pub entries: Vec<Arrival>,
    /// Flows of those arrivals, from the third step on.
    pub entered: Vec<u32>,
    /// Outputs that will look for a packet.
    pub searches: Vec<Search>,
    /// Endpoints whose NICs will send.
    pub injections: Vec<u32>,
    /// Packets that will be delivered.
    pub deliveries: Vec<u32>,
    /// Flows that will get an acknowledgement or a release.
    pub flows: Vec<u32>,
    /// Slots of the ends of links that will get answers.
    pub answers: Vec<u32>,
}

impl PrefetchRows {
    /// Begins a bucket, with nothing known of it.
    fn begin(&mut self, bucket: u64) {
        (self.bucket, self.taken) = (bucket, 0);
        self.entries.clear();
        self.entered.clear();
        self.searches.clear();
        self.injections.clear();
        self.deliveries.clear();
        self.flows.clear();
        self.answers.clear();
    }
}

/// How far ahead memory has been prefetched, in the active lane of the calendar.
#[derive(Clone, Debug)]
pub struct PrefetchQueue {
    /// Number of buckets that had been current at the last look.
    buckets: u64,
    /// Width of a bucket. With another width, buckets have other numbers.
    shift: u32,
    /// The buckets that come next, as far as prefetching goes.
    coming: [u64; STEPS + 1],
    /// What the events of all of them but the last name.
    rows: [PrefetchRows; STEPS],
}

impl Default for PrefetchQueue {
    fn default() -> Self {
        Self { buckets: u64::MAX, shift: 0, coming: [NO_BUCKET; STEPS + 1], rows: Default::default() }
    }
}

impl PrefetchQueue {
    /// Begins again, in another lane.
    pub fn begin(&mut self) {
        self.buckets = u64::MAX;
        self.forget();
    }

    /// Forgets all buckets, because their numbers change their meaning.
    fn forget(&mut self) {
        self.coming.fill(NO_BUCKET);
        self.rows.iter_mut().for_each(|rows| rows.bucket = NO_BUCKET);
    }

    /// Whether the current bucket has changed since the last look.
    #[inline]
    pub fn is_due<P: Copy + Default>(&self, calendar: &Calendar<P>) -> bool {
        self.buckets != calendar.buckets()
    }

    /// Finds the buckets that come next. Returns false if none of those found before has passed.
    pub fn advance<P: Copy + Default>(&mut self, calendar: &Calendar<P>) -> bool {
        self.buckets = calendar.buckets();
        if self.shift != calendar.bucket_shift() {
            self.shift = calendar.bucket_shift();
            self.forget();
        }
        let current = calendar.bucket();
        let passed = self.coming.iter().take_while(|bucket| **bucket <= current).count();
        if passed == 0 {
            return false; // The current one was filled after that.
        }
        self.coming.rotate_left(passed);
        self.rows.rotate_left(passed % STEPS);
        let mut bucket = current;
        for index in 0..self.coming.len() {
            if index + passed >= self.coming.len() || self.coming[index] == NO_BUCKET {
                self.coming[index] = calendar.bucket_after(bucket).unwrap_or(NO_BUCKET);
            }
            bucket = self.coming[index];
            if bucket == NO_BUCKET {
                self.coming[index..].fill(NO_BUCKET);
                break;
            }
        }
        true
    }

    /// The bucket whose events themselves are prefetched.
    pub const fn last(&self) -> u64 {
        self.coming[STEPS]
    }

    /// The buckets that now take step number `step`, from 1 on. One is the bucket whose distance
    /// fits the step; the others are nearer and have missed it.
    #[inline]
    pub fn due(&mut self, step: usize) -> impl Iterator<Item = (u64, &mut PrefetchRows)> {
        self.coming[..=STEPS - step].iter().zip(&mut self.rows).filter_map(move |(&bucket, rows)| {
            if bucket == NO_BUCKET {
                return None;
            }
            if rows.bucket != bucket {
                rows.begin(bucket);
            }
            let is_due = rows.taken + 1 == step;
            rows.taken += usize::from(is_due);
            is_due.then_some((bucket, rows))
        })
    }
}
