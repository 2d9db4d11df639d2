//! Foresight: which buckets of the calendar come next, and what their events name, by kind.
//!
//! The events of a bucket are looked at once, when it comes in sight, and what they name is put in a row for each kind. To go a step
//! further is then the same few instructions for each place of a row, whose misses of the cache overlap; a look at every event
//! anew would jump somewhere else each time, and the processor would wait at every jump.

use philae_engine::Calendar;
use philae_rosetta::Voq;
use philae_units::PortId;

use crate::event::Event;
use crate::slab::NONE;

/// In the place of a bucket that comes: there is none. No bucket comes after the first.
const NO_BUCKET: u64 = 0;

/// Steps in which memory is asked for: as many buckets are looked ahead, and one more, whose events themselves are asked for.
/// Source: ours; an event, its packet or output, and what that names, and so on, as far as it was measured to pay. Status: assumed.
const STEPS: usize = 4;

/// A packet that arrives from its NIC, and the port of its arrival.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The packet.
    pub packet: u32,
    /// The port.
    pub port: u32,
}

/// An output that will look for a packet, and what it will look at.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The output, as its place in the column.
    pub at: u32,
    /// Place of its channel in the column of channels, from the second step on; `NONE` where it has no request.
    pub channel: u32,
    /// The queues of that channel, from the third step on.
    pub voq: Voq,
    /// The input whose turn it is.
    pub input: PortId,
}

impl Search {
    /// Of an output, of which no more is known.
    pub const fn of(at: u32) -> Self {
        Self { at, channel: NONE, voq: Voq::NONE, input: PortId(0) }
    }
}

/// What the events of a bucket name.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// The bucket.
    bucket: u64,
    /// Steps that have been taken.
    taken: usize,
    /// Arrivals from NICs.
    pub entries: Vec<Arrival>,
    /// Flows of those, from the third step on.
    pub entered: Vec<u32>,
    /// Outputs that will look for a packet.
    pub searches: Vec<Search>,
    /// Endpoints whose NICs will send.
    pub injections: Vec<u32>,
    /// Packets that will be delivered.
    pub deliveries: Vec<u32>,
    /// Flows that will be told of.
    pub flows: Vec<u32>,
    /// Ends of links that will have answers, as their places in the column.
    pub answers: Vec<u32>,
}

impl Sight {
    /// Nothing yet of a bucket.
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

/// How far memory is asked for, in the lane of the calendar that is worked on.
#[derive(Clone, Debug)]
pub struct Foresight {
    /// Buckets that had been current when memory was last asked for.
    buckets: u64,
    /// What a bucket spans: with another width, buckets have other numbers.
    shift: u32,
    /// The buckets that come next, as far as memory is asked for.
    coming: [u64; STEPS + 1],
    /// What the events of all but the last of them name.
    sights: [Sight; STEPS],
}

impl Default for Foresight {
    fn default() -> Self {
        Self { buckets: u64::MAX, shift: 0, coming: [NO_BUCKET; STEPS + 1], sights: Default::default() }
    }
}

impl Foresight {
    /// Begins anew, in another lane.
    pub fn begin(&mut self) {
        self.buckets = u64::MAX;
        self.forget();
    }

    /// Forgets all buckets, whose numbers mean others from now on.
    fn forget(&mut self) {
        self.coming.fill(NO_BUCKET);
        self.sights.iter_mut().for_each(|sight| sight.bucket = NO_BUCKET);
    }

    /// Whether another bucket is current than at the last look.
    #[inline]
    pub fn is_due(&self, calendar: &Calendar<Event>) -> bool {
        self.buckets != calendar.buckets()
    }

    /// Looks which buckets come next. False, where they are those that came next before.
    pub fn look(&mut self, calendar: &Calendar<Event>) -> bool {
        self.buckets = calendar.buckets();
        if self.shift != calendar.bucket_shift() {
            self.shift = calendar.bucket_shift();
            self.forget();
        }
        let current = calendar.bucket();
        let passed = self.coming.iter().take_while(|bucket| **bucket <= current).count();
        if passed == 0 {
            return false; // One that was filled after the look ahead.
        }
        self.coming.rotate_left(passed);
        self.sights.rotate_left(passed % STEPS);
        let mut bucket = current;
        for place in 0..self.coming.len() {
            if place + passed >= self.coming.len() || self.coming[place] == NO_BUCKET {
                self.coming[place] = calendar.bucket_after(bucket).unwrap_or(NO_BUCKET);
            }
            bucket = self.coming[place];
            if bucket == NO_BUCKET {
                self.coming[place..].fill(NO_BUCKET);
                break;
            }
        }
        true
    }

    /// The bucket whose events themselves are asked for.
    pub const fn last(&self) -> u64 {
        self.coming[STEPS]
    }

    /// The buckets that take step number `step` now, from 1 on: the one that is as far away as the step is before the last, and nearer
    /// ones that have missed it.
    #[inline]
    pub fn due(&mut self, step: usize) -> impl Iterator<Item = (u64, &mut Sight)> {
        self.coming[..=STEPS - step].iter().zip(&mut self.sights).filter_map(move |(&bucket, sight)| {
            if bucket == NO_BUCKET {
                return None;
            }
            if sight.bucket != bucket {
                sight.begin(bucket);
            }
            let is_due = sight.taken + 1 == step;
            sight.taken += usize::from(is_due);
            is_due.then_some((bucket, sight))
        })
    }
}
