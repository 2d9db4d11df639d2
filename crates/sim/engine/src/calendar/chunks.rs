//! The store of chunks, which gives all buckets of a calendar their memory.

use crate::slots::added;
use crate::{EventKey, prefetch_line};

/// Events of a chunk. A bucket is a chain of chunks, all from one store. So a bucket that held a
/// thousand events once, when all endpoints began, does not keep memory for a thousand. The chunk
/// that was emptied last is filled next, in the cache.
pub const CHUNK: usize = 16;

/// The least number of events in a cache line. Source: the size of a key and of a payload as large.
/// Status: derived.
const EVENTS_PER_LINE: usize = 2;

/// Stands for a chunk: none.
const NO_CHUNK: u32 = u32::MAX;

/// The events of a bucket or of a turn: its last chunk, which is the only one that may be partly
/// full, and their number.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    pub chunk: u32,
    pub len: u32,
}

impl Chain {
    pub const EMPTY: Self = Self { chunk: NO_CHUNK, len: 0 };
}

/// The store of chunks. It has a region for each lane, whose chunks are near each other.
#[derive(Clone, Debug)]
pub struct Chunks<P> {
    pub events: Vec<(EventKey, P)>,
    /// The chunk before each in its chain, or in the list of free chunks.
    before: Vec<u32>,
    /// A free chunk of each region, and the selected region, in which chunks are taken and freed.
    free: Vec<u32>,
    region: usize,
}

impl<P: Copy + Default> Chunks<P> {
    /// No chunks yet, in `regions` regions.
    pub fn new(regions: usize) -> Self {
        Self { events: Vec::new(), before: Vec::new(), free: vec![NO_CHUNK; regions], region: 0 }
    }

    /// Selects the region in which chunks are taken and freed from here on.
    #[inline]
    pub const fn select(&mut self, region: usize) {
        self.region = region;
    }

    /// Adds an event to a chain. Returns the place to write it.
    #[inline]
    pub fn add(&mut self, chain: &mut Chain) -> &mut (EventKey, P) {
        self.add_of(self.region, chain)
    }

    /// The same, with a chunk of any region if the chain needs one.
    #[inline]
    pub fn add_of(&mut self, region: usize, chain: &mut Chain) -> &mut (EventKey, P) {
        let offset = chain.len as usize % CHUNK;
        if offset == 0 {
            self.extend(region, chain);
        }
        chain.len += 1;
        &mut self.events[chain.chunk as usize * CHUNK + offset]
    }

    /// Prefetches the line after that of the chain's next event. The lines of a new chunk are
    /// prefetched when it is taken.
    #[inline]
    pub fn prefetch_next(&self, chain: Chain) {
        let offset = chain.len as usize % CHUNK;
        if offset != 0 {
            self.events
                .get(chain.chunk as usize * CHUNK + offset + EVENTS_PER_LINE)
                .into_iter()
                .for_each(prefetch_line);
        }
    }

    /// Adds a chunk to a chain whose chunks are full.
    #[inline(never)]
    fn extend(&mut self, region: usize, chain: &mut Chain) {
        if self.free[region] == NO_CHUNK {
            self.grow(region);
        }
        let chunk = self.free[region];
        let next = std::mem::replace(&mut self.before[chunk as usize], chain.chunk);
        self.free[region] = next;
        chain.chunk = chunk;
        // The events that are written next come into the cache by then, and so does the beginning
        // of the chunk that is taken next.
        let rest = &self.events[chunk as usize * CHUNK..][..CHUNK];
        rest.iter().step_by(EVENTS_PER_LINE).skip(1).for_each(prefetch_line);
        self.events.get(next as usize * CHUNK).into_iter().for_each(prefetch_line);
        self.before.get(next as usize).into_iter().for_each(prefetch_line);
    }

    /// Adds chunks to a region. Reserved memory beyond them is only address space, which takes
    /// memory when it is used.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, region: usize) {
        let first = u32::try_from(self.before.len()).expect("fewer chunks than numbers");
        let chunks = added(self.free.len(), CHUNK * size_of::<(EventKey, P)>());
        self.events.resize(self.events.len() + chunks * CHUNK, Default::default());
        self.before.extend((first + 1..).take(chunks - 1).chain([NO_CHUNK]));
        self.free[region] = first;
    }

    /// Number of events in the last chunk of a chain.
    #[inline]
    pub const fn last(chain: Chain) -> usize {
        (chain.len as usize - 1) % CHUNK + 1
    }

    /// Removes the last chunk of a chain and frees it. Its events may be read until something is
    /// pushed.
    #[inline]
    pub fn drop_last(&mut self, chain: &mut Chain) {
        let free = std::mem::replace(&mut self.free[self.region], chain.chunk);
        chain.len -= Self::last(*chain) as u32;
        chain.chunk = std::mem::replace(&mut self.before[chain.chunk as usize], free);
    }

    /// Prefetches the chunk before the last one of a chain.
    #[inline]
    pub fn prefetch_before(&self, chain: Chain) {
        let before = self.before[chain.chunk as usize];
        if before != NO_CHUNK {
            let events = &self.events[before as usize * CHUNK..][..CHUNK];
            events.iter().step_by(EVENTS_PER_LINE).for_each(prefetch_line);
        }
    }

    /// Frees all chunks of a chain.
    pub fn drop_all(&mut self, mut chain: Chain) {
        while chain.len > 0 {
            self.drop_last(&mut chain);
        }
    }

    /// The events of a chain, chunk by chunk, the last chunk first.
    #[inline]
    pub const fn of(&self, chain: Chain) -> ChunksOf<'_, P> {
        ChunksOf { chunks: self, rest: chain }
    }

    pub fn memory_bytes(&self) -> usize {
        self.events.len() * size_of::<(EventKey, P)>() + self.before.len() * size_of::<u32>()
    }
}

/// The events of a chain, a chunk at a time.
#[derive(Debug)]
pub struct ChunksOf<'a, P> {
    chunks: &'a Chunks<P>,
    rest: Chain,
}

impl<'a, P: Copy + Default> Iterator for ChunksOf<'a, P> {
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
