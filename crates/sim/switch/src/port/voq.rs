//! Virtual output queues: per output and channel, one queue for each input.
//!
//! A 64-port switch with three channels has 12,288 queues. Almost all of them are empty, and most
//! of the others hold a packet or two. So the packets that wait for an output's channel share one
//! cache line (a short queue), in order of arrival and each with its input. The channel borrows the
//! line while anything waits.
//!
//! If more packets wait than fit the line, it becomes a block of 64 queues, one for each input,
//! whose packets are linked through a column next to the packet slab. Memory follows what is in
//! flight. The slot returned last is borrowed next.

use philae_engine::FreeSlots;
use philae_units::PortId;

pub const NO_PACKET: u32 = u32::MAX;

/// The column of links: for each packet slot, the packet behind it in its queue.
pub trait PacketLinks {
    /// The packet behind `packet`.
    fn next(&self, packet: u32) -> u32;
    /// Sets the packet behind `packet`.
    fn set_next(&mut self, packet: u32, next: u32);
}

/// Packets that fit a short queue. Source: ours; with their inputs and their number, one cache
/// line. Status: derived.
const SHORT: usize = 12;

/// Packets that wait for a channel, in order of arrival.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
struct ShortQueue {
    packets: [u32; SHORT],
    /// One byte for the input of each packet, from the lowest on, or [`NO_INPUT`]; above them, the
    /// number of packets.
    inputs: u128,
}

const _: () = assert!(size_of::<ShortQueue>() == 64);

const NO_INPUT: u8 = u8::MAX;
/// Bits of a short queue's inputs.
const INPUT_BITS: u32 = 8 * SHORT as u32;
/// A one in each byte.
const ONES: u128 = u128::from_ne_bytes([1; 16]);

impl ShortQueue {
    const EMPTY: Self = Self { packets: [NO_PACKET; SHORT], inputs: (1 << INPUT_BITS) - 1 };

    #[inline]
    const fn len(&self) -> usize {
        (self.inputs >> INPUT_BITS) as usize
    }

    /// Appends a packet; there must be room.
    #[inline]
    fn push(&mut self, input: PortId, packet: u32) {
        let index = self.len();
        self.packets[index] = packet;
        self.inputs ^= u128::from(NO_INPUT ^ input.0) << (8 * index);
        self.inputs += 1 << INPUT_BITS;
    }

    /// Index of an input's first packet.
    #[inline]
    const fn first_of(&self, input: PortId) -> Option<usize> {
        // A byte is zero if the input is this one. Above the lowest such byte the borrow may mark
        // others, which are not read.
        let apart = self.inputs ^ (ONES * input.0 as u128);
        let equal = apart.wrapping_sub(ONES) & !apart & (ONES << 7) & ((1 << INPUT_BITS) - 1);
        if equal == 0 { None } else { Some(equal.trailing_zeros() as usize / 8) }
    }

    /// Removes the packet at an index.
    #[inline]
    fn remove(&mut self, removed: usize) {
        let last = self.len() - 1;
        for index in removed..last {
            self.packets[index] = self.packets[index + 1];
        }
        let before = (1_u128 << (8 * removed)) - 1;
        let inputs = self.inputs & ((1 << INPUT_BITS) - 1);
        let behind = (inputs >> 8) | u128::from(NO_INPUT) << (INPUT_BITS - 8);
        self.inputs = (inputs & before) | (behind & !before) | (last as u128) << INPUT_BITS;
    }
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Queue {
    head: u32,
    tail: u32,
}

const EMPTY: Queue = Queue { head: NO_PACKET, tail: NO_PACKET };

/// The packets that wait for the channels of outputs.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Voqs {
    short: Vec<ShortQueue>,
    free_short: FreeSlots,
    #[serde(with = "flat")]
    blocks: Vec<[Queue; 64]>,
    free_blocks: FreeSlots,
}

/// The packets that wait for a channel: none, a short queue, or a block of queues. Where outputs
/// are fair to flows, a ring of flow queues, which the owner of the queues keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Voq(u32);

impl Voq {
    /// No packet waits.
    pub const NONE: Self = Self(u32::MAX);
    /// The bit that distinguishes a block from a short queue.
    const BLOCK: u32 = 1 << 31;

    /// Flow queues, of which the one in `slot` was served last.
    #[inline]
    #[must_use]
    pub const fn of_ring(slot: u32) -> Self {
        Self(slot)
    }

    /// The flow queue that was served last.
    #[inline]
    #[must_use]
    pub const fn ring(self) -> u32 {
        self.0
    }

    /// Whether no packet waits.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    /// The number of the block, if it is one.
    #[inline]
    const fn block(self) -> Option<usize> {
        if self.0 & Self::BLOCK == 0 { None } else { Some((self.0 & !Self::BLOCK) as usize) }
    }
}

/// Blocks as one list of queues: formats have no arrays of 64.
mod flat {
    use super::Queue;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{SerializeSeq, Serializer};

    pub fn serialize<S: Serializer>(blocks: &[[Queue; 64]], to: S) -> Result<S::Ok, S::Error> {
        let mut queues = to.serialize_seq(Some(blocks.len() * 64))?;
        blocks.as_flattened().iter().try_for_each(|queue| queues.serialize_element(queue))?;
        queues.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[Queue; 64]>, D::Error> {
        let queues = Vec::<Queue>::deserialize(from)?;
        let (blocks, rest) = queues.as_chunks::<64>();
        if rest.is_empty() { Ok(blocks.to_vec()) } else { Err(Error::invalid_length(queues.len(), &"blocks of 64")) }
    }
}

impl Voqs {
    /// No packet waits, in `regions` regions; see [`FreeSlots`].
    #[must_use]
    pub fn of_regions(regions: usize) -> Self {
        Self { free_short: FreeSlots::new(regions), free_blocks: FreeSlots::new(regions), ..Self::default() }
    }

    /// Selects the region in which memory is borrowed and given back.
    pub fn select(&mut self, region: usize) {
        self.free_short.select(region);
        self.free_blocks.select(region);
    }

    /// Adds short queues.
    #[cold]
    #[inline(never)]
    fn add_short(&mut self) -> u32 {
        let first = self.short.len();
        let len = self.free_short.grow(self.free_short.selected(), first, size_of::<ShortQueue>());
        self.short.resize(len, ShortQueue::EMPTY);
        first as u32
    }

    fn add_blocks(&mut self) -> u32 {
        let first = self.blocks.len();
        let len = self.free_blocks.grow(self.free_blocks.selected(), first, size_of::<[Queue; 64]>());
        self.blocks.resize(len, [EMPTY; 64]);
        first as u32
    }

    /// Appends a packet to an input's queue.
    #[inline]
    pub fn push(&mut self, voq: &mut Voq, input: PortId, packet: u32, links: &mut impl PacketLinks) {
        if voq.is_none() {
            *voq = Voq(self.free_short.take().unwrap_or_else(|| self.add_short()));
        }
        match voq.block() {
            None => {
                let short = &mut self.short[voq.0 as usize];
                if short.len() < SHORT { short.push(input, packet) } else { self.outgrow(voq, input, packet, links) }
            }
            Some(block) => Self::append(&mut self.blocks[block][input.index()], packet, links),
        }
    }

    #[inline]
    fn append(queue: &mut Queue, packet: u32, links: &mut impl PacketLinks) {
        links.set_next(packet, NO_PACKET);
        if queue.head == NO_PACKET {
            queue.head = packet;
        } else {
            links.set_next(queue.tail, packet);
        }
        queue.tail = packet;
    }

    /// Appends a packet that does not fit a short queue: the queue becomes a block.
    #[cold]
    #[inline(never)]
    fn outgrow(&mut self, voq: &mut Voq, input: PortId, packet: u32, links: &mut impl PacketLinks) {
        let block = self.free_blocks.take().unwrap_or_else(|| self.add_blocks());
        let short = std::mem::replace(&mut self.short[voq.0 as usize], ShortQueue::EMPTY);
        self.free_short.give(voq.0);
        let queues = &mut self.blocks[block as usize];
        for (index, &waiting) in short.packets.iter().enumerate() {
            let of = (short.inputs >> (8 * index)) as u8;
            Self::append(&mut queues[usize::from(of)], waiting, links);
        }
        Self::append(&mut queues[input.index()], packet, links);
        *voq = Voq(block | Voq::BLOCK);
    }

    /// The first packet of an input's queue; `NO_PACKET` if it is empty.
    #[inline]
    #[must_use]
    pub fn head(&self, voq: Voq, input: PortId) -> u32 {
        match voq.block() {
            None => {
                let short = &self.short[voq.0 as usize];
                short.first_of(input).map_or(NO_PACKET, |index| short.packets[index])
            }
            Some(block) => self.blocks[block][input.index()].head,
        }
    }

    /// The memory that [`Self::head`] reads, so that it can be prefetched.
    #[inline]
    #[must_use]
    pub fn memory_of(&self, voq: Voq, input: PortId) -> &u32 {
        match voq.block() {
            None => &self.short[voq.0 as usize].packets[0],
            Some(block) => &self.blocks[block][input.index()].head,
        }
    }

    /// Removes the first packet of an input. Returns true if its queue is now empty.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pop(&mut self, voq: Voq, input: PortId, links: &impl PacketLinks) -> bool {
        match voq.block() {
            None => {
                let short = &mut self.short[voq.0 as usize];
                short.remove(short.first_of(input).expect("what is taken is there"));
                short.first_of(input).is_none()
            }
            Some(block) => {
                let queue = &mut self.blocks[block][input.index()];
                queue.head = links.next(queue.head);
                queue.head == NO_PACKET
            }
        }
    }

    /// Gives the memory of empty queues back. That they are empty is known from the caller's
    /// request set, and checked in debug builds.
    #[inline]
    pub fn give_back(&mut self, voq: &mut Voq) {
        match voq.block() {
            None => {
                debug_assert!(self.short[voq.0 as usize].len() == 0);
                self.free_short.give(voq.0);
            }
            Some(block) => {
                debug_assert!(self.blocks[block].iter().all(|queue| queue.head == NO_PACKET));
                self.free_blocks.give(block as u32);
            }
        }
        *voq = Voq::NONE;
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.short.capacity() * size_of::<ShortQueue>()
            + self.blocks.capacity() * size_of::<[Queue; 64]>()
            + self.free_short.memory_bytes()
            + self.free_blocks.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, VecDeque};

    impl PacketLinks for Vec<u32> {
        fn next(&self, packet: u32) -> u32 {
            self[packet as usize]
        }
        fn set_next(&mut self, packet: u32, next: u32) {
            self[packet as usize] = next;
        }
    }

    #[test]
    fn queues_behave_like_lists_under_random_use() {
        // Two channels, so that memory changes its owner. The drawn inputs sometimes outgrow a
        // short queue.
        let mut links = vec![NO_PACKET; 4_096];
        let mut voqs = Voqs::default();
        let mut held = [Voq::NONE; 2];
        let mut oracle = [BTreeMap::<u8, VecDeque<u32>>::new(), BTreeMap::new()];
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut free, mut blocks) = ((0..4_096).collect::<Vec<u32>>(), 0);
        for turn in 0..100_000 {
            let channel = draw(2) as usize;
            let (voq, lists) = (&mut held[channel], &mut oracle[channel]);
            let fills = turn / 128 % 2 == 0;
            if draw(8) < if fills { 5 } else { 2 } && free.len() > 1 {
                let (input, packet) = (PortId([0, 1, 12, 63][draw(4) as usize]), free.pop().expect("some"));
                voqs.push(voq, input, packet, &mut links);
                lists.entry(input.0).or_default().push_back(packet);
            } else if let Some(input) = lists.keys().nth(draw(lists.len().max(1) as u64) as usize).copied() {
                let list = lists.get_mut(&input).expect("just seen");
                let packet = list.pop_front().expect("no empty list is kept");
                assert_eq!(voqs.head(*voq, PortId(input)), packet);
                assert_eq!(voqs.pop(*voq, PortId(input), &links), list.is_empty());
                if list.is_empty() {
                    lists.remove(&input);
                }
                free.insert(0, packet);
            }
            for input in [0, 1, 5, 12, 63] {
                let first = lists.get(&input).map_or(NO_PACKET, |list| list[0]);
                let head = if voq.is_none() { NO_PACKET } else { voqs.head(*voq, PortId(input)) };
                assert_eq!(head, first);
            }
            if lists.is_empty() && !voq.is_none() {
                voqs.give_back(voq);
            }
            blocks += usize::from(voq.block().is_some() && !voq.is_none());
        }
        assert!((10_000..90_000).contains(&blocks), "short queues and blocks are both in use: {blocks}");
        assert_eq!(voqs.short.len(), 2, "a returned slot is used again");
    }
}
