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
//!
//! A switch with more than 64 ports is wide: its blocks have 128, 192 or 256 queues. The set of its
//! requesting inputs does not fit the word of a channel's state, so it is known here: a short
//! queue's is in its line, a block's is next to it.

use crate::port::grant::WidePortSet;
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
        if equal == 0 {
            return None;
        }
        let index = equal.trailing_zeros() as usize / 8;
        // The last of 256 ports has the number that means no input.
        if input.0 == NO_INPUT && index >= self.len() { None } else { Some(index) }
    }

    /// The first input with a packet after `last`, cyclically.
    fn next_after(&self, last: PortId) -> Option<PortId> {
        let first = last.0.wrapping_add(1);
        let inputs = (0..self.len()).map(|index| (self.inputs >> (8 * index)) as u8);
        inputs.map(|input| input.wrapping_sub(first)).min().map(|after| PortId(first.wrapping_add(after)))
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

/// Queues of a block: one for each port of a switch with at most 64, and the unit of wider ones.
const BLOCK: usize = 64;

/// The packets that wait for the channels of outputs.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Voqs {
    short: Vec<ShortQueue>,
    free_short: FreeSlots,
    /// One block after the other.
    queues: Vec<Queue>,
    free_blocks: FreeSlots,
    /// Queues of a block.
    block_len: u32,
    /// By block: the inputs of a wide switch that have packets in it. Empty where no switch is
    /// wide.
    requests: Vec<WidePortSet>,
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

impl Voqs {
    /// No packet waits, at switches of `radix` ports, in `regions` regions; see [`FreeSlots`].
    #[must_use]
    pub fn new(radix: usize, regions: usize) -> Self {
        Self {
            short: Vec::new(),
            free_short: FreeSlots::new(regions),
            queues: Vec::new(),
            free_blocks: FreeSlots::new(regions),
            block_len: radix.next_multiple_of(BLOCK) as u32,
            requests: Vec::new(),
        }
    }

    /// Whether a switch has more ports than a word has bits: [`Self::next_input`] knows whose turn
    /// it is.
    #[inline]
    #[must_use]
    pub const fn are_wide(&self) -> bool {
        self.block_len > BLOCK as u32
    }

    /// Index of an input's queue in a block.
    #[inline]
    const fn queue_of(&self, block: usize, input: PortId) -> usize {
        block * self.block_len as usize + input.index()
    }

    /// The input whose turn it is: the first with a packet after `last`, cyclically.
    #[must_use]
    pub fn next_input(&self, voq: Voq, last: PortId) -> Option<PortId> {
        if voq.is_none() {
            return None;
        }
        match voq.block() {
            None => self.short[voq.0 as usize].next_after(last),
            Some(block) => self.requests[block].next_after(last),
        }
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
        let block_len = self.block_len as usize;
        let first = self.queues.len() / block_len;
        let len = self.free_blocks.grow(self.free_blocks.selected(), first, block_len * size_of::<Queue>());
        self.queues.resize(len * block_len, EMPTY);
        if self.are_wide() {
            self.requests.resize(len, WidePortSet::default());
        }
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
            Some(block) => {
                let queue = self.queue_of(block, input);
                Self::append(&mut self.queues[queue], packet, links);
                if self.are_wide() {
                    self.requests[block].insert(input);
                }
            }
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
        let inputs = short.packets.iter().enumerate().map(|(index, _)| PortId((short.inputs >> (8 * index)) as u8));
        let waiting = inputs.zip(short.packets).chain([(input, packet)]);
        for (input, packet) in waiting {
            let queue = self.queue_of(block as usize, input);
            Self::append(&mut self.queues[queue], packet, links);
            if self.are_wide() {
                self.requests[block as usize].insert(input);
            }
        }
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
            Some(block) => self.queues[self.queue_of(block, input)].head,
        }
    }

    /// The memory that [`Self::head`] reads, so that it can be prefetched.
    #[inline]
    #[must_use]
    pub fn memory_of(&self, voq: Voq, input: PortId) -> &u32 {
        match voq.block() {
            None => &self.short[voq.0 as usize].packets[0],
            Some(block) => &self.queues[self.queue_of(block, input)].head,
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
                let queue = self.queue_of(block, input);
                let queue = &mut self.queues[queue];
                queue.head = links.next(queue.head);
                let emptied = queue.head == NO_PACKET;
                if emptied && self.are_wide() {
                    self.requests[block].remove(input);
                }
                emptied
            }
        }
    }

    /// Whether no packet is left in the queues of a channel.
    #[must_use]
    pub fn is_empty(&self, voq: Voq) -> bool {
        self.next_input(voq, PortId(0)).is_none()
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
                let first = self.queue_of(block, PortId(0));
                let queues = &self.queues[first..][..self.block_len as usize];
                debug_assert!(queues.iter().all(|queue| queue.head == NO_PACKET));
                debug_assert!(self.requests.get(block).is_none_or(|requests| requests.is_empty()));
                self.free_blocks.give(block as u32);
            }
        }
        *voq = Voq::NONE;
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.short.capacity() * size_of::<ShortQueue>()
            + self.queues.capacity() * size_of::<Queue>()
            + self.requests.capacity() * size_of::<WidePortSet>()
            + self.free_short.memory_bytes()
            + self.free_blocks.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
        for radix in [64, 65, 128, 256] {
            behave_like_lists(radix);
        }
    }

    fn behave_like_lists(radix: usize) {
        let last = (radix - 1) as u8;
        // Two channels, so that memory changes its owner. The drawn inputs sometimes outgrow a
        // short queue.
        let mut links = vec![NO_PACKET; 4_096];
        let mut voqs = Voqs::new(radix, 1);
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
                let (input, packet) = (PortId([0, 1, 12, last][draw(4) as usize]), free.pop().expect("some"));
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
            for input in [0, 1, 5, 12, last] {
                let first = lists.get(&input).map_or(NO_PACKET, |list| list[0]);
                let head = if voq.is_none() { NO_PACKET } else { voqs.head(*voq, PortId(input)) };
                assert_eq!(head, first);
            }
            if voqs.are_wide() {
                let after = draw(radix as u64) as u8;
                let walk = lists.range(after + 1..).chain(lists.range(..=after)).next();
                assert_eq!(voqs.next_input(*voq, PortId(after)), walk.map(|(&input, _)| PortId(input)));
                assert_eq!(voqs.is_empty(*voq), lists.is_empty());
            }
            if lists.is_empty() && !voq.is_none() {
                voqs.give_back(voq);
            }
            blocks += usize::from(voq.block().is_some() && !voq.is_none());
        }
        assert!((10_000..90_000).contains(&blocks), "short queues and blocks are both in use: {blocks}");
        assert_eq!(voqs.short.len(), 2, "a returned slot is used again");
    }

    /// An output that serves inputs in turn, with a naive record of who was served while another
    /// waited.
    #[test]
    fn no_input_is_served_twice_while_another_waits() {
        for radix in [65_usize, 128, 256] {
            let mut links = vec![NO_PACKET; 8_192];
            let (mut voqs, mut voq, mut last) = (Voqs::new(radix, 1), Voq::NONE, PortId(0));
            // By input that waits: its packets, and the inputs served since it began.
            let mut waiting = BTreeMap::<PortId, (u32, BTreeSet<PortId>)>::new();
            let mut free = (0..8_192).collect::<Vec<u32>>();
            let mut random = philae_engine::RandomStream::new(3, radix as u64, 0);
            let (mut most, mut served) = (0, BTreeSet::new());
            for turn in 0..40_000 {
                let fills = turn / 2_048 % 2 == 0;
                if random.below(8) < if fills { 6 } else { 2 } {
                    let (input, packet) = (PortId::from_index(random.below(radix as u32) as usize), free.remove(0));
                    voqs.push(&mut voq, input, packet, &mut links);
                    waiting.entry(input).or_default().0 += 1;
                } else if let Some(input) = voqs.next_input(voq, last) {
                    free.push(voqs.head(voq, input));
                    let emptied = voqs.pop(voq, input, &links);
                    let own = waiting.get_mut(&input).expect("what is served waits");
                    own.0 -= 1;
                    own.1.clear();
                    assert_eq!(emptied, own.0 == 0);
                    waiting.retain(|_, (packets, _)| *packets > 0);
                    for (other, (_, since)) in waiting.iter_mut().filter(|(other, _)| **other != input) {
                        assert!(since.insert(input), "{input} is served twice while {other} waits ({radix} ports)");
                    }
                    served.insert(input);
                    last = input;
                }
                if voqs.is_empty(voq) && !voq.is_none() {
                    voqs.give_back(&mut voq);
                }
                most = most.max(waiting.len());
            }
            assert!(most > radix / 2 && served.len() == radix, "{most} waited, {} were served", served.len());
        }
    }
}
