//! Blocks: the groups of a partition are worked on one after the other, so that each finds its state in the cache.
//!
//! What a group does to another takes at least as long as the shortest link between groups, so within a window of that
//! length each may go on alone, as partitions do on several threads. Blocks share the memory of their partition, though:
//! what they do to each other are events in the calendar of the other, and nothing is copied.

use std::ops::Range;
use std::sync::Arc;

use philae_engine::{Calendar, EventKey};
use philae_units::Picoseconds;

use crate::division::PartRange;
use crate::event::Event;
use crate::partition::Shared;

/// Events of a port and microsecond for which that calendar is made: a fifth of what a busy one has. Buckets of some dozens
/// of events are the best to look ahead in.
const EVENTS_PER_PORT: u64 = 3;

/// The pending events of a partition, by block. The block that is worked on is the calendar's lane that is selected.
pub struct Blocks {
    shared: Arc<Shared>,
    /// A lane for each.
    calendar: Calendar<Event>,
    /// First port of each block, and the end of the last.
    ports: Vec<u32>,
    /// First endpoint of each block, and the end of the last.
    endpoints: Vec<u32>,
    /// What belongs to it.
    own: Own,
    /// Every event before this has been handled in the blocks before the current one.
    window_end: Picoseconds,
}

/// What belongs to the block that is worked on, as firsts and lengths: one comparison each. Everything, where there is only one;
/// nothing, before the first is begun.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    first_port: u32,
    ports: u32,
    /// Target of the first endpoint; those of its flows are `second_round` further.
    first_endpoint: u32,
    endpoints: u32,
    second_round: u32,
}

impl Blocks {
    /// The calendars of these blocks, which follow each other.
    pub fn new(shared: Arc<Shared>, blocks: &[PartRange]) -> Self {
        let radix = shared.topology().radix() as u32;
        let is_one = blocks.len() == 1;
        let rates = blocks.iter().map(|block| {
            // About three events per packet-hop, one hop per port and 160 ns at full load.
            let endpoints = u64::from(block.endpoints.end - block.endpoints.start);
            if is_one {
                endpoints * 30
            } else {
                let ports = u64::from((block.switches.end - block.switches.start) * radix);
                ports * EVENTS_PER_PORT
            }
        });
        let firsts = |range: fn(&PartRange) -> &Range<u32>, scale: u32| -> Vec<u32> {
            let firsts = blocks.iter().map(|block| range(block).start * scale);
            firsts.chain(blocks.last().map(|block| range(block).end * scale)).collect()
        };
        Self {
            calendar: Calendar::with_lanes(rates),
            ports: firsts(|block| &block.switches, radix),
            endpoints: firsts(|block| &block.endpoints, 1),
            own: Own { first_port: 0, ports: if is_one { u32::MAX } else { 0 }, ..Own::default() },
            window_end: Picoseconds::ZERO,
            shared,
        }
    }

    /// Blocks.
    pub fn count(&self) -> usize {
        self.calendar.lanes()
    }

    /// Goes on to a block, in a window that ends at `end`. Whether it is another than the one before.
    pub fn begin(&mut self, block: usize, end: Picoseconds) -> bool {
        self.window_end = end;
        if self.calendar.lanes() == 1 {
            return false;
        }
        self.calendar.select(block);
        let targets = self.shared.targets;
        let span = |firsts: &[u32]| (firsts[block], firsts[block + 1] - firsts[block]);
        let ((first_port, ports), (first, endpoints)) = (span(&self.ports), span(&self.endpoints));
        let (first_endpoint, second_round) = (targets.ports + first, targets.endpoints);
        self.own = Own { first_port, ports, first_endpoint, endpoints, second_round };
        true
    }

    /// The calendar, of which the lane of the block that is worked on is selected.
    #[inline]
    pub fn calendar(&self) -> &Calendar<Event> {
        &self.calendar
    }

    /// Takes the next event of that block, if it lies before `limit`.
    #[inline]
    pub fn pop_before(&mut self, limit: Picoseconds) -> Option<(EventKey, Event)> {
        self.calendar.pop_before(limit)
    }

    /// Adds an event.
    #[inline]
    pub fn push(&mut self, key: EventKey, event: Event) {
        let Own { first_port, ports, first_endpoint, endpoints, second_round } = self.own;
        let target = key.target();
        let endpoint = target.wrapping_sub(first_endpoint);
        if target.wrapping_sub(first_port) < ports
            || endpoint < endpoints
            || endpoint.wrapping_sub(second_round) < endpoints
        {
            self.calendar.push(key, event);
        } else {
            self.push_elsewhere(key, event);
        }
    }

    /// Adds an event that may be another block's.
    #[inline(never)]
    fn push_elsewhere(&mut self, key: EventKey, event: Event) {
        let block = self.block_of(key.target());
        assert!(
            block == self.calendar.selected() || key.time >= self.window_end,
            "what reaches another group is on its way for longer than a window: {key:?}, {event:?}"
        );
        self.calendar.push_to(block, key, event);
    }

    /// The block to which a target of events belongs.
    fn block_of(&self, target: u32) -> usize {
        let targets = self.shared.targets;
        let last_of = |firsts: &[u32], place: u32| firsts.partition_point(|&first| first <= place) - 1;
        if target < targets.ports {
            return last_of(&self.ports, target);
        }
        let endpoint = match (target - targets.ports) / targets.endpoints {
            0 => target - targets.ports,
            1 => target - targets.ports - targets.endpoints,
            _ => self.shared.ranks[(target - targets.ports - 2 * targets.endpoints) as usize].endpoint,
        };
        last_of(&self.endpoints, endpoint)
    }

    /// Time of the next event.
    pub fn next_time(&self) -> Option<Picoseconds> {
        self.calendar.next_time()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.calendar.memory_bytes()
    }

    /// The calendar, for a checkpoint.
    pub fn calendar_mut(&mut self) -> &mut Calendar<Event> {
        &mut self.calendar
    }
}
