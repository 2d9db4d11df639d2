//! Flow queues at outputs: the packets of each flow wait in a queue of their own, and the queues of
//! an output's channel take turns, packet by packet.
//!
//! So an output is fair to flows, however many inputs they come from: one flow through a quiet
//! input gets no more than one of a hundred through a busy one. Channels take turns in proportion
//! to their queues, so that the length of a flow's route does not show either.
//!
//! Between switches, a channel counts as at least as many queues as the earlier legs of its class
//! have together. So packets in transit have half of a link if they need it. Otherwise the network
//! would accept less beyond saturation than at saturation: the flows of a full edge buffer, or
//! those of the middle of the route, outnumber the flows that are about to leave a link, whose
//! packets then fill the shared part of the buffers behind them. A nonminimal path crosses two
//! global links, and therefore its second leg needs half of each. Where a link has as many flows
//! in transit as fresh ones, or more, all get the same.
//!
//! The few queues of a quiet channel are searched one after the other. A channel that has had more
//! enters them in an index until all are empty.
//!
//! A channel has a limited number of queues. Once all are taken, packets wait in order of arrival
//! until a queue is free, whichever flow they belong to; so no packet overtakes another of its
//! flow.

mod handlers;
mod index;

use philae_switch::port::Voq;

use crate::memory::slab::{NO_INDEX, Slab};
use crate::model::fair_queues::index::QueueIndex;
use crate::model::packet::Packet;

/// Key of a flow's queue: the output's channel and a hash of the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FairQueueKey(u64);

/// Bits of a flow's hash in the key of its queue. Two flows with one hash share a queue: among the
/// 2,048 flows of a channel that happens once in 131,000 times.
const FLOW_BITS: u32 = 38;

/// Channels of a partition for which a key has room: those of the largest system have 27 million
/// with eight classes of three legs.
const CHANNELS_MAX: usize = 1 << (u64::BITS - FLOW_BITS);

/// One turn of each queue of a channel. Source: ours; of 65,535 queues each still counts.
/// Status: derived.
const TURN: u32 = 1 << 16;

/// Queues of a channel that are searched one after the other. Source: ours, for speed alone.
/// Status: measured.
const SEARCHED: u16 = 4;

/// The queues of a channel.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct ChannelQueues {
    /// How far it is with its turns (wrapping): a packet of a channel that counts as `n` queues
    /// adds [`TURN`]` / n`.
    turn: u32,
    /// The packet whose turn it is, while there are queues.
    first: u32,
    /// How many are in use.
    count: u16,
    /// They are in the index.
    is_indexed: bool,
    /// Packets wait for a queue.
    waits_beyond: bool,
}

const _: () = assert!(size_of::<ChannelQueues>() == 12);

impl ChannelQueues {
    const NONE: Self = Self { turn: 0, first: NO_INDEX, count: 0, is_indexed: false, waits_beyond: false };
}

/// Stands for no flow: the packets that wait for a queue.
const BEYOND: u64 = (1 << FLOW_BITS) - 1;

impl FairQueueKey {
    /// The queue of a packet's flow.
    fn of_packet(channel: usize, packet: &Packet) -> Self {
        let flow = flow_hash(packet) >> (u64::BITS - FLOW_BITS);
        Self((channel as u64) << FLOW_BITS | flow.min(BEYOND - 1))
    }

    /// The packets that wait for a queue.
    const fn beyond(channel: usize) -> Self {
        Self((channel as u64) << FLOW_BITS | BEYOND)
    }
}

/// A number for the flow of a packet, in which all bits of its ends count.
#[inline]
pub fn flow_hash(packet: &Packet) -> u64 {
    let ends = u64::from(packet.source) << 32 | u64::from(packet.destination);
    let wide =
        u128::from(ends ^ u64::from(packet.kind.class) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    (wide >> 64) as u64 ^ wide as u64
}

/// Takes the lowest bit out of a set, and returns its place.
#[inline]
const fn next_bit(set: &mut u64) -> Option<u8> {
    let bit = set.trailing_zeros();
    *set &= set.wrapping_sub(1);
    if bit < u64::BITS { Some(bit as u8) } else { None }
}

/// A queue that is not empty. Two fit a cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(32))]
struct FairQueue {
    key: FairQueueKey,
    head: u32,
    tail: u32,
    /// The queue whose turn comes next.
    next: u32,
    /// The first packet of that queue, so that passing the turn on need not read it.
    next_head: u32,
    /// In the index, the queue behind this one.
    behind: u32,
}

const _: () = assert!(size_of::<FairQueue>() == 32);

impl FairQueue {
    /// A queue of one packet, which has no place yet.
    #[inline]
    const fn of(key: FairQueueKey, packet: u32) -> Self {
        Self { key, head: packet, tail: packet, next: NO_INDEX, next_head: NO_INDEX, behind: NO_INDEX }
    }
}

/// The flow queues of a partition's outputs. The queues of a channel are a ring, which is known by
/// the queue that was served last.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct FairQueues {
    queues: Slab<FairQueue>,
    index: QueueIndex,
    /// By channel: `port * channels + channel`; empty where outputs are fair to inputs.
    of_channel: Vec<ChannelQueues>,
    /// The most queues of a channel.
    most: u16,
}

impl FairQueues {
    /// No packet waits for any of `channels` channels, of at most `most` queues each.
    pub fn new(channels: usize, regions: usize, most: u16) -> Self {
        assert!(channels <= CHANNELS_MAX, "{channels} channels of switches in one partition, at most {CHANNELS_MAX}");
        Self {
            queues: Slab::of_regions(regions),
            index: QueueIndex::new(channels),
            of_channel: vec![ChannelQueues::NONE; channels],
            most,
        }
    }

    /// Reserves address space for `slots` queues, as [`Slab::expect`].
    pub fn expect(&mut self, slots: usize) {
        self.queues.expect(slots);
    }

    /// Selects the region in which memory is taken and freed.
    pub fn select(&mut self, region: usize) {
        self.queues.select(region);
    }

    /// Whether outputs are fair to flows.
    #[inline]
    pub fn are_used(&self) -> bool {
        !self.of_channel.is_empty()
    }

    /// The packet of a channel whose turn it is, while packets wait.
    #[inline]
    pub fn first(&self, channel: usize) -> u32 {
        self.of_channel[channel].first
    }

    /// Prefetches what is known of a channel.
    #[inline]
    pub fn prefetch_channel(&self, channel: usize) {
        philae_engine::prefetch_line_at(&self.of_channel, channel);
    }

    /// Prefetches where a channel's index tells of the queue of a packet's flow.
    #[inline]
    pub fn prefetch_indexed(&self, channel: usize, packet: &Packet) {
        if self.of_channel[channel].is_indexed {
            self.index.prefetch(channel, FairQueueKey::of_packet(channel, packet));
        }
    }

    /// Prefetches the queue that was served last, which the next packet looks at first.
    #[inline]
    pub fn prefetch_last(&self, ring: Voq) {
        self.queues.prefetch_line(ring.ring());
    }

    /// Prefetches the queue whose turn it is.
    #[inline]
    pub fn prefetch_first(&self, ring: Voq) {
        self.queues.prefetch_line(self.queues[ring.ring()].next);
    }

    /// The channel of an output that is behind the others with its turns, of those in `channels`.
    /// `first` is the output's first channel.
    #[inline]
    fn most_behind(&self, first: usize, mut channels: u64) -> Option<u8> {
        let mut chosen = next_bit(&mut channels)?;
        while let Some(other) = next_bit(&mut channels) {
            // Turns wrap: the difference tells which is ahead.
            let of = |channel: u8| self.of_channel[first + usize::from(channel)].turn;
            if (of(chosen).wrapping_sub(of(other)) as i32) > 0 {
                chosen = other;
            }
        }
        Some(chosen)
    }

    /// A channel begins to take turns: it has no claim on those that it missed.
    fn begin(&mut self, channel: usize, behind: Option<usize>) {
        let Some(other) = behind else { return };
        let turn = self.of_channel[other].turn;
        if (turn.wrapping_sub(self.of_channel[channel].turn) as i32) > 0 {
            self.of_channel[channel].turn = turn;
        }
    }

    /// The queue of a key, of those of a ring; `NO_INDEX` if there is none.
    #[inline]
    fn search(&self, ring: Voq, key: FairQueueKey) -> u32 {
        if ring.is_none() {
            return NO_INDEX;
        }
        let last = ring.ring();
        let mut slot = last;
        loop {
            let queue = &self.queues[slot];
            if queue.key == key {
                return slot;
            }
            slot = queue.next;
            if slot == last {
                return NO_INDEX;
            }
        }
    }

    /// Enters all queues of a channel in the index.
    #[cold]
    #[inline(never)]
    fn enter_all(&mut self, ring: Voq, channel: usize) {
        self.of_channel[channel].is_indexed = true;
        let mut slot = ring.ring();
        loop {
            let next = self.queues[slot].next;
            self.index.enter(&mut self.queues, channel, slot);
            slot = next;
            if slot == ring.ring() {
                return;
            }
        }
    }

    /// Adds a queue of one packet behind all others of its channel. Returns its slot.
    #[inline(always)]
    fn add(&mut self, ring: &mut Voq, channel: usize, (key, packet): (FairQueueKey, u32)) -> u32 {
        let of_channel = &mut self.of_channel[channel];
        of_channel.count += 1;
        let (first, last) = (of_channel.first, ring.ring());
        let slot;
        if ring.is_none() {
            of_channel.first = packet;
            slot = self.queues.insert_with(|| FairQueue::of(key, packet));
            (self.queues[slot].next, self.queues[slot].next_head) = (slot, packet);
        } else {
            let next = self.queues[last].next;
            slot = self.queues.insert_with(|| FairQueue { next, next_head: first, ..FairQueue::of(key, packet) });
            (self.queues[last].next, self.queues[last].next_head) = (slot, packet);
        }
        *ring = Voq::of_ring(slot);
        slot
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.queues.memory_bytes() + self.index.memory_bytes() + self.of_channel.capacity() * size_of::<ChannelQueues>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use philae_engine::RandomStream;

    use super::*;
    use crate::model::packet::Links;

    /// What the queues of a channel should do: turns of flows, and an order of arrival for packets
    /// without a queue.
    #[derive(Default)]
    struct Oracle {
        ring: VecDeque<(u64, VecDeque<u32>)>,
        beyond: VecDeque<(u64, u32)>,
    }

    impl Oracle {
        fn append(&mut self, flow: u64, packet: u32, most: usize) -> bool {
            if let Some((_, queue)) = self.ring.iter_mut().find(|(of, _)| *of == flow) {
                queue.push_back(packet);
            } else if self.ring.len() < most {
                self.ring.push_back((flow, VecDeque::from([packet])));
            } else {
                return false;
            }
            true
        }

        fn push(&mut self, flow: u64, packet: u32, most: usize) {
            if !self.beyond.is_empty() || !self.append(flow, packet, most) {
                self.beyond.push_back((flow, packet));
            }
        }

        fn pop(&mut self, most: usize) -> Option<u32> {
            let (flow, mut queue) = self.ring.pop_front()?;
            let packet = queue.pop_front();
            if queue.is_empty() {
                while let Some(&(flow, packet)) = self.beyond.front()
                    && self.append(flow, packet, most)
                {
                    self.beyond.pop_front();
                }
            } else {
                self.ring.push_back((flow, queue));
            }
            packet
        }
    }

    #[test]
    fn channels_of_the_largest_system_have_keys_of_their_own() {
        // 17,440 switches of 64 ports, eight classes of three legs. Keys with 22 bits for a channel
        // were equal from 4,194,304 channels on.
        let channels = 17_440 * 64 * 8 * 3;
        assert!(channels < CHANNELS_MAX);
        for other in [1 << 22, 1 << 24, channels - 1] {
            assert_ne!(FairQueueKey::beyond(0), FairQueueKey::beyond(other));
        }
    }

    #[test]
    fn flows_take_turns_and_none_overtakes_itself_with_many_queues_and_with_few() {
        for most in [1, 2, 5, 2_048] {
            let mut random = RandomStream::new(5, u64::from(most), 0);
            let mut fair = FairQueues::new(2, 1, most);
            let mut links = Links::default();
            links.cover(4_095);
            let (mut rings, mut oracles) = ([Voq::NONE; 2], [Oracle::default(), Oracle::default()]);
            let (mut free, mut waited) = ((0..4_096).collect::<Vec<u32>>(), 0);
            let mut flow_of = vec![0_u64; 4_096];
            for turn in 0..60_000 {
                let channel = random.below(2) as usize;
                let fills = turn / 256 % 2 == 0;
                let (ring, oracle) = (&mut rings[channel], &mut oracles[channel]);
                if random.below(8) < if fills { 5 } else { 2 } && !free.is_empty() {
                    let (flow, packet) = (u64::from(random.below(9)), free.pop().expect("some"));
                    flow_of[packet as usize] = flow;
                    let key = FairQueueKey((channel as u64) << FLOW_BITS | flow);
                    fair.push(ring, channel, (key, packet), &mut links);
                    oracle.push(flow, packet, usize::from(most));
                } else if !ring.is_none() {
                    let packet = fair.first(channel);
                    if fair.pop(ring, (channel, 0), &links) {
                        let key_of =
                            |packet: u32| FairQueueKey((channel as u64) << FLOW_BITS | flow_of[packet as usize]);
                        fair.admit_beyond(ring, channel, &mut links, key_of);
                    }
                    assert_eq!(Some(packet), oracle.pop(usize::from(most)), "{most} queues, turn {turn}");
                    free.insert(0, packet);
                }
                assert_eq!(ring.is_none(), oracle.ring.is_empty());
                waited += usize::from(!oracle.beyond.is_empty());
            }
            assert_eq!(waited > 0, most < 9, "packets waited for a queue in {waited} turns of {most} queues");
        }
    }
}
