//! What has come for a lane that is not worked on.
//!
//! A lane's buckets have left the cache by the time that others add to them, and would have left it again before it is worked on. So
//! what comes is kept in the order of its coming, in chunks whose ends stay in the cache, and is sorted into buckets when these are about
//! to be used.

use philae_units::Picoseconds;

use super::chunks::{CHUNK, Chain, Chunks};
use super::lane::Lane;
use crate::EventKey;

/// The events that have come for a lane.
#[derive(Clone, Copy, Debug)]
pub struct Mail {
    events: Chain,
    /// Time of the first of them; the end of time where there is none.
    first: Picoseconds,
}

impl Mail {
    pub const NONE: Self = Self { events: Chain::EMPTY, first: Picoseconds::MAX };

    /// Adds an event of this time to what has come for a lane: the place where it is to be written.
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

    /// Moves all of them into their lane.
    pub fn deliver<P: Copy + Default>(&mut self, chunks: &mut Chunks<P>, lane: &mut Lane<P>) {
        let mut chain = std::mem::replace(self, Self::NONE).events;
        while chain.len > 0 {
            chunks.prefetch_before(chain);
            let (first, count) = (chain.chunk as usize * CHUNK, Chunks::<P>::last(chain));
            for place in first..first + count {
                let event = chunks.events[place];
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

    /// All of them, in no order.
    pub fn events<'a, P: Copy + Default>(&self, chunks: &'a Chunks<P>) -> impl Iterator<Item = &'a (EventKey, P)> {
        chunks.of(self.events).flatten()
    }
}
