//! The index of flow queues: finds the queue of a flow among the many of a channel.
//!
//! Where an output is busy, most packets find no queue of their flow, and their queue is gone after
//! one packet. So what counts is how quickly the index says no, enters and forgets. It is an array
//! of first queues, four bytes each; a queue leads to the one behind it. An array serves channels
//! that are near each other, so that a group of switches has little to keep in the cache.

use super::{FairQueue, FairQueueKey};
use crate::memory::slab::{NO_INDEX, Slab};

/// Channels with an array in common: as many as a block of switches has ports. Source: ours, for
/// speed alone. Status: assumed.
const CHANNELS: usize = 2_048;

/// Bits of the number of first queues at the beginning. Source: ours, for little memory while idle.
/// Status: assumed.
const BITS_FIRST: u32 = 4;

/// The queues of some channels, by a hash of their keys.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Part {
    /// The first queue of each hash, or `NO_INDEX`: four times as many as queues, or more, so that
    /// few queues have one behind them.
    firsts: Vec<u32>,
    /// Queues in it.
    entered: u32,
    /// How far a hash is shifted to the number of a first queue.
    shift: u32,
}

impl Part {
    fn of_bits(bits: u32) -> Self {
        Self { firsts: vec![NO_INDEX; 1 << bits], entered: 0, shift: u64::BITS - bits }
    }

    /// Where the queue of a key is. All bits of the key influence the highest of the hash.
    #[inline]
    const fn place_of(&self, key: FairQueueKey) -> usize {
        (key.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn enter(&mut self, queues: &mut Slab<FairQueue>, slot: u32) {
        let place = self.place_of(queues[slot].key);
        queues[slot].behind = std::mem::replace(&mut self.firsts[place], slot);
        self.entered += 1;
    }

    /// Doubles the array.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, queues: &mut Slab<FairQueue>) {
        let before = std::mem::replace(self, Self::of_bits(u64::BITS - self.shift + 1));
        for mut slot in before.firsts {
            while slot != NO_INDEX {
                let behind = queues[slot].behind;
                self.enter(queues, slot);
                slot = behind;
            }
        }
    }
}

/// The queues of all channels that have had many.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct QueueIndex {
    parts: Vec<Part>,
}

impl QueueIndex {
    /// No queues of `channels` channels.
    pub fn new(channels: usize) -> Self {
        Self { parts: vec![Part::of_bits(BITS_FIRST); channels.div_ceil(CHANNELS)] }
    }

    /// The queue of a key of a channel; `NO_INDEX` if there is none.
    #[inline]
    pub fn find(&self, queues: &Slab<FairQueue>, channel: usize, key: FairQueueKey) -> u32 {
        let part = &self.parts[channel / CHANNELS];
        let mut slot = part.firsts[part.place_of(key)];
        while slot != NO_INDEX && queues[slot].key != key {
            slot = queues[slot].behind;
        }
        slot
    }

    /// Enters a queue whose key is not in the index.
    #[inline]
    pub fn enter(&mut self, queues: &mut Slab<FairQueue>, channel: usize, slot: u32) {
        let part = &mut self.parts[channel / CHANNELS];
        part.enter(queues, slot);
        if part.entered as usize * 4 > part.firsts.len() {
            part.grow(queues);
        }
    }

    /// Forgets a queue that is in the index.
    #[inline]
    pub fn forget(&mut self, queues: &mut Slab<FairQueue>, channel: usize, slot: u32) {
        let FairQueue { key, behind, .. } = queues[slot];
        let part = &mut self.parts[channel / CHANNELS];
        let place = part.place_of(key);
        part.entered -= 1;
        let mut before = part.firsts[place];
        if before == slot {
            part.firsts[place] = behind;
            return;
        }
        while queues[before].behind != slot {
            before = queues[before].behind;
        }
        queues[before].behind = behind;
    }

    /// Prefetches the place of a key.
    #[inline]
    pub fn prefetch(&self, channel: usize, key: FairQueueKey) {
        let part = &self.parts[channel / CHANNELS];
        philae_engine::prefetch_line_at(&part.firsts, part.place_of(key));
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let firsts: usize = self.parts.iter().map(|part| part.firsts.capacity()).sum();
        self.parts.len() * size_of::<Part>() + firsts * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use philae_engine::RandomStream;

    use super::*;

    #[test]
    fn queues_are_found_until_they_are_forgotten_however_many_there_are() {
        let mut random = RandomStream::new(8, 0, 0);
        let mut queues = Slab::of_regions(1);
        let mut index = QueueIndex::new(2 * CHANNELS);
        let mut entered = BTreeMap::new();
        for turn in 0..40_000 {
            let channel = random.below(4) as usize * 1_000;
            let key = FairQueueKey((channel as u64) << super::super::FLOW_BITS | u64::from(random.below(3_000)));
            let found = index.find(&queues, channel, key);
            assert_eq!(found, entered.get(&key.0).copied().unwrap_or(NO_INDEX), "turn {turn}");
            let fills = turn / 10_000 % 2 == 0;
            if found == NO_INDEX && (fills || random.below(8) == 0) {
                let slot = queues.insert(FairQueue::of(key, 0));
                index.enter(&mut queues, channel, slot);
                entered.insert(key.0, slot);
            } else if found != NO_INDEX && !fills {
                index.forget(&mut queues, channel, found);
                queues.remove(found);
                entered.remove(&key.0);
            }
        }
        assert_eq!(index.parts.iter().map(|part| part.entered as usize).sum::<usize>(), entered.len());
        assert!(index.parts.iter().all(|part| part.firsts.len() > 1 << BITS_FIRST), "the arrays have grown");
    }
}
