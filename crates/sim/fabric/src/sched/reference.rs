//! The reference scheduler: one binary heap by event key. It is slow and plain on purpose, and the
//! oracle of the determinism tests.
//!
//! It has no buckets, no blocks, no deferred requests, no delayed credits and no prefetching. Every
//! event is handled completely before the next, in the order of the keys alone. The event loop
//! (`event_loop`) may do all these things, and must give the same record.
//!
//! Handlers add their events to the partition's calendar, as always. After each event this
//! scheduler empties the calendar into its heap, so that the calendar orders nothing.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use philae_engine::EventKey;
use philae_units::Picoseconds;

use crate::model::event::Event;
use crate::partition::Partition;

/// A pending event. The one with the smallest key is the greatest, so that the heap gives it first.
struct Pending(EventKey, Event);

impl Ord for Pending {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pending {}

impl Partition {
    /// Handles every event before `end` in the order of their keys.
    pub fn run_by_reference(&mut self, end: Picoseconds) {
        self.clock.window_end = end.0;
        self.record.recorder.rows.congestion_counts.begin_window();
        self.clock.begin_turn();
        let mut heap = BinaryHeap::new();
        loop {
            self.return_all();
            heap.extend(self.sched.calendar.take_all().into_iter().map(|(key, event)| Pending(key, event)));
            if heap.peek().is_none_or(|Pending(key, _)| key.time >= end) {
                break;
            }
            let Some(Pending(key, event)) = heap.pop() else { break };
            // The handlers read the event in the calendar, which has no other.
            self.sched.calendar.push(key, event);
            let is_taken = self.sched.calendar.take_before(end);
            assert!(is_taken && !self.sched.deferred.any(), "one event is handled at a time, and nothing is deferred");
            self.clock.events += 1;
            self.handle_taken();
        }
        for Pending(key, event) in heap {
            self.sched.calendar.push(key, event);
        }
        self.post_leaving();
        self.clock.end_turn();
    }
}
