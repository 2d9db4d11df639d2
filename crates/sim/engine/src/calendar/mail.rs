//! Mail: events for lanes that are not active.
//!
//! The buckets of a lane have left the cache when other lanes add events to them, and would leave
//! it again before the lane becomes active. So these events are kept in the order of arrival, in
//! chunks whose ends stay in the cache. They are sorted into buckets when these are about to be
//! used.

use philae_units::Picoseconds;

use super::chunks::{CHUNK, Chain, Chunks};
use super::lane::Lane;
use crate::EventKey;

/// The events that have arrived for a lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneMail {
    events: Chain,
    /// Time of the earliest; the end of time if there is none.
    first: Picoseconds,
}

impl LaneMail {
    pub const NONE: Self = Self { events: Chain::EMPTY, first: Picoseconds::MAX };

    /// Adds an event of this time to a lane's mail. Returns the place to write it.
    #[inline]
    pub fn add<'a, P: Copy + Default>(
        &mut self,
        chunks: &'a mut Chunks<P>,
        lane: usize,
        time: Picoseconds,
    ) -> &'a mut (EventKey, P) {
        self.first = self.first.min(time);
        chunks.prefetch_next(self.events);
        chunks.add_of(lane, &mut self.events)
    }

    /// Moves all events into their lane.
    pub fn deliver<P: Copy + Default>(&mut self, chunks: &mut Chunks<P>, lane: &mut Lane<P>) {
        let mut chain = std::mem::replace(self, Self::NONE).events;
        while chain.len > 0 {
            chunks.prefetch_before(chain);
            let (first, count) = (chain.chunk as usize * CHUNK, Chunks::<P>::last(chain));
            for index in first..first + count {
                let event = chunks.events[index];
                *lane.add(chunks, event.0) = event;
            }
            chunks.drop_last(&mut chain);
        }
    }

    pub const fn len(&self) -> usize {
        self.events.len as usize
    }

    pub fn first_time(&self) -> Option<Picoseconds> {
        (self.events.len > 0).then_some(self.first)
    }

    /// All events, in no order.
    pub fn events<'a, P: Copy + Default>(&self, chunks: &'a Chunks<P>) -> impl Iterator<Item = &'a (EventKey, P)> {
        chunks.of(self.events).flatten()
    }
}
