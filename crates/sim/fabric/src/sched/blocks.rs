//! Blocks. A partition processes its groups one at a time, so that the active group's state stays
//! in the cache.
//!
//! An effect of one group on another takes at least the propagation of the shortest link between
//! groups. So within a window of that length each group may run alone, as partitions do on several
//! threads. Unlike partitions, blocks share the memory of their partition: what they do to each
//! other are events in the other block's lane, and nothing is copied.
//!
//! While a window has few events, changing from block to block costs more than it saves. Then the
//! partition processes all blocks together.

use std::ops::Range;
use std::sync::Arc;

use philae_engine::{Calendar, EventKey};
use philae_units::Picoseconds;

use crate::model::event::Event;
use crate::model::shared::Shared;
use crate::sched::division::PartRange;

/// Events per port and microsecond for which that calendar is made: what a busy port has.
///
/// Source: ours; alternating runs at 1,024 to 279,040 endpoints: 3 is 0.90 to 0.99 times as fast; 8
/// and 40 do not differ beyond the noise. Status: measured.
const EVENTS_PER_PORT: u64 = 16;

/// After this many windows, a partition checks again whether its blocks have enough events to be
/// processed one at a time. Source: ours, tens of microseconds. Status: assumed.
const WINDOWS_PER_CHECK: u32 = 64;

/// The pending events of a partition, by block. The active block is the selected lane of the
/// calendar.
pub struct Blocks {
    /// One lane per block.
    calendar: Calendar<Event>,
    bounds: BlockBounds,
    /// What belongs to the active block.
    active: ActiveBlock,
    /// Every event before this time has been handled in the blocks before the current one.
    window_end: Picoseconds,
    /// All blocks are processed together: their events are in the first lane.
    is_gathered: bool,
    /// The blocks have just been gathered: the next [`Self::begin`] reports it.
    newly_gathered: bool,
    /// Windows since the last check of that, and the number of events handled until then.
    windows: u32,
    events_checked: u64,
}

/// The ports and endpoints of each block.
struct BlockBounds {
    shared: Arc<Shared>,
    ports: BlockStarts,
    endpoints: BlockStarts,
}

/// The first index of each block, and a way to find the block of an index without a search. The
/// jumps of a search cost more than everything else that is done for an event of another block.
struct BlockStarts {
    /// First index of each block, and the end of the last.
    firsts: Vec<u32>,
    /// The block of every `1 << shift`-th index, counted from the first. No block is shorter than
    /// `1 << shift`, except empty ones.
    guesses: Vec<u16>,
    shift: u32,
}

impl BlockStarts {
    fn new(firsts: Vec<u32>) -> Self {
        let shortest = firsts.windows(2).map(|pair| pair[1] - pair[0]).filter(|&count| count > 0).min();
        let shift = shortest.unwrap_or(1).ilog2();
        let (begin, end) = (firsts[0], firsts[firsts.len() - 1]);
        let block_at = |index: u32| firsts.partition_point(|&first| first <= index) - 1;
        let guesses = (begin..end).step_by(1 << shift);
        let guesses =
            guesses.map(|index| u16::try_from(block_at(index)).expect("fewer blocks than switches")).collect();
        Self { firsts, guesses, shift }
    }

    /// The block of an index.
    #[inline]
    fn block_of(&self, index: u32) -> usize {
        let mut block = usize::from(self.guesses[((index - self.firsts[0]) >> self.shift) as usize]);
        while index >= self.firsts[block + 1] {
            block += 1;
        }
        block
    }

    /// The first index of a block, and its length.
    fn span(&self, block: usize) -> (u32, u32) {
        (self.firsts[block], self.firsts[block + 1] - self.firsts[block])
    }
}

/// What belongs to the active block, as firsts and lengths: one comparison each. Everything if
/// there is only one block; nothing before the first block begins.
#[derive(Clone, Copy, Debug, Default)]
struct ActiveBlock {
    first_port: u32,
    ports: u32,
    /// Target of the first endpoint. The targets of its flows are `second_round` further.
    first_endpoint: u32,
    endpoints: u32,
    second_round: u32,
}

impl ActiveBlock {
    const EVERYTHING: Self = Self { first_port: 0, ports: u32::MAX, first_endpoint: 0, endpoints: 0, second_round: 0 };

    #[inline]
    const fn is_everything(self) -> bool {
        self.ports == u32::MAX
    }

    /// Whether a target belongs to the active block: a port, an endpoint, or news about its flows.
    #[inline]
    const fn has(self, target: u32) -> bool {
        let endpoint = target.wrapping_sub(self.first_endpoint);
        target.wrapping_sub(self.first_port) < self.ports
            || endpoint < self.endpoints
            || endpoint.wrapping_sub(self.second_round) < self.endpoints
    }
}

impl BlockBounds {
    /// The block to which a target of events belongs.
    fn block_of(&self, target: u32) -> usize {
        let targets = self.shared.places.targets;
        if target < targets.ports {
            return self.ports.block_of(target);
        }
        let endpoint = match (target - targets.ports) / targets.endpoints {
            0 => target - targets.ports,
            1 => target - targets.ports - targets.endpoints,
            _ => self.shared.places.ranks[(target - targets.ports - 2 * targets.endpoints) as usize].endpoint,
        };
        self.endpoints.block_of(endpoint)
    }
}

impl Blocks {
    /// The calendar of `blocks`, which follow each other.
    pub fn new(shared: Arc<Shared>, blocks: &[PartRange]) -> Self {
        let radix = shared.topology().radix() as u32;
        let is_one = blocks.len() == 1;
        let rates = blocks.iter().map(|block| {
            // About three events per packet-hop, one hop per port and 160 ns at full load.
            let endpoints = u64::from(block.endpoints.end - block.endpoints.start);
            let ports = u64::from((block.switches.end - block.switches.start) * radix) * EVENTS_PER_PORT;
            if is_one { ports.max(endpoints * 30) } else { ports }
        });
        let firsts = |range: fn(&PartRange) -> &Range<u32>, scale: u32| {
            let firsts = blocks.iter().map(|block| range(block).start * scale);
            BlockStarts::new(firsts.chain(blocks.last().map(|block| range(block).end * scale)).collect())
        };
        Self {
            calendar: Calendar::with_lanes(rates),
            bounds: BlockBounds {
                ports: firsts(|block| &block.switches, radix),
                endpoints: firsts(|block| &block.endpoints, 1),
                shared,
            },
            active: if is_one { ActiveBlock::EVERYTHING } else { ActiveBlock::default() },
            window_end: Picoseconds::ZERO,
            is_gathered: false,
            newly_gathered: false,
            windows: 0,
            events_checked: 0,
        }
    }

    pub const fn count(&self) -> usize {
        self.calendar.lanes()
    }

    /// Begins the window that ends at `end`. Returns how many blocks are processed one at a time.
    /// `events` is the number that the partition has handled so far.
    pub fn begin_window(&mut self, events: u64, end: Picoseconds) -> usize {
        let lanes = self.calendar.lanes();
        if lanes > 1 {
            self.windows += 1;
            if self.windows == WINDOWS_PER_CHECK {
                let each = (events - self.events_checked) / (u64::from(WINDOWS_PER_CHECK) * lanes as u64);
                (self.windows, self.events_checked) = (0, events);
                let least = self.bounds.shared.options.execution.block_events_min;
                if each < least {
                    self.gather();
                } else if each >= least.saturating_mul(3) {
                    self.spread();
                }
            }
        }
        self.window_end = end;
        if self.is_gathered { 1 } else { lanes }
    }

    /// Processes all blocks together from here on.
    fn gather(&mut self) {
        if !self.is_gathered {
            self.calendar.gather();
            self.active = ActiveBlock::EVERYTHING;
            (self.is_gathered, self.newly_gathered) = (true, true);
        }
    }

    /// Processes the blocks one at a time from here on.
    pub fn spread(&mut self) {
        if self.is_gathered {
            let Self { calendar, bounds, window_end, .. } = self;
            calendar.spread(*window_end, |key| bounds.block_of(key.target()));
            self.active = ActiveBlock::default();
            self.is_gathered = false;
        }
    }

    /// Activates a block. Returns whether its lane differs from the one before.
    pub fn begin(&mut self, block: usize) -> bool {
        if self.calendar.lanes() == 1 || self.is_gathered {
            return std::mem::take(&mut self.newly_gathered);
        }
        self.calendar.select(block);
        let targets = self.bounds.shared.places.targets;
        let ((first_port, ports), (first, endpoints)) =
            (self.bounds.ports.span(block), self.bounds.endpoints.span(block));
        let (first_endpoint, second_round) = (targets.ports + first, targets.endpoints);
        self.active = ActiveBlock { first_port, ports, first_endpoint, endpoints, second_round };
        true
    }

    /// Whether a port of this partition belongs to the active block. True for all ports if there is
    /// only one block.
    #[inline]
    pub const fn is_own_port(&self, port: u32) -> bool {
        port.wrapping_sub(self.active.first_port) < self.active.ports
    }

    /// The block whose slots have the state of a port; the first while all blocks are processed
    /// together.
    #[inline]
    pub fn block_of_port(&self, port: u32) -> usize {
        if self.active.is_everything() { 0 } else { self.bounds.ports.block_of(port) }
    }

    /// The same for an endpoint.
    #[inline]
    pub fn block_of_endpoint(&self, endpoint: u32) -> usize {
        if self.active.is_everything() { 0 } else { self.bounds.endpoints.block_of(endpoint) }
    }

    /// The calendar. The lane of the active block is selected.
    #[inline]
    pub fn calendar(&self) -> &Calendar<Event> {
        &self.calendar
    }

    /// Takes the next event of the active block, if it lies before `limit`.
    #[inline(always)]
    pub fn take_before(&mut self, limit: Picoseconds) -> bool {
        self.calendar.take_before(limit)
    }

    /// Takes the next event of the current bucket, if it lies before `limit`.
    #[inline(always)]
    pub fn take_current(&mut self, limit: Picoseconds) -> bool {
        self.calendar.take_current(limit)
    }

    /// The event that was taken last, until another is pushed.
    #[inline(always)]
    pub fn taken(&self) -> &(EventKey, Event) {
        self.calendar.taken()
    }

    /// Adds an event. The caller writes it where it will be read. An event handed on through memory
    /// would be read as a whole before its parts have arrived there, and the processor would stall
    /// until all earlier stores are done.
    #[inline(always)]
    pub fn push(&mut self, key: EventKey, event: Event) {
        *self.add(key) = (key, event);
    }

    /// Adds an event of the active block.
    #[inline(always)]
    pub fn push_own(&mut self, key: EventKey, event: Event) {
        debug_assert!(self.active.has(key.target()), "an event of another block goes to that block");
        *self.add_own(key) = (key, event);
    }

    /// Makes room for an event with this key in the active block. Returns the place to write it.
    #[inline(never)]
    fn add_own(&mut self, key: EventKey) -> &mut (EventKey, Event) {
        self.calendar.add(key)
    }

    /// Makes room for an event with this key. Returns the place to write it.
    #[inline(never)]
    fn add(&mut self, key: EventKey) -> &mut (EventKey, Event) {
        if self.active.has(key.target()) { self.calendar.add(key) } else { self.add_elsewhere(key) }
    }

    /// The same for an event that may belong to another block.
    #[inline(never)]
    fn add_elsewhere(&mut self, key: EventKey) -> &mut (EventKey, Event) {
        let block = self.bounds.block_of(key.target());
        assert!(
            block == self.calendar.selected() || key.time >= self.window_end,
            "an effect on another group takes longer than a window: {key:?}"
        );
        self.calendar.add_to(block, key)
    }

    /// Removes and returns the events of the only block, in no order. For the reference scheduler.
    pub fn take_all(&mut self) -> Vec<(EventKey, Event)> {
        let events = self.calendar.events().copied().collect();
        self.calendar = Calendar::new(EVENTS_PER_PORT);
        events
    }

    /// Time of the next event.
    pub fn next_time(&self) -> Option<Picoseconds> {
        if !self.is_gathered {
            return self.calendar.next_time();
        }
        // While there is little to do, this avoids a check of hundreds of empty lanes in every
        // window.
        let next = self.calendar.next_time_here();
        debug_assert_eq!(next, self.calendar.next_time(), "all events are in the first lane");
        next
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.calendar.memory_bytes()
    }

    /// The calendar, for a checkpoint: one lane per block, after [`spread`](Self::spread).
    pub fn spread_calendar(&self) -> &Calendar<Event> {
        assert!(!self.is_gathered, "a checkpoint has a lane for each block");
        &self.calendar
    }

    /// The same, for the calendar of a checkpoint to replace it.
    pub fn calendar_mut(&mut self) -> &mut Calendar<Event> {
        self.spread();
        &mut self.calendar
    }
}

#[cfg(test)]
mod tests {
    use philae_topology::DragonflyDescription;
    use philae_units::Picoseconds;

    use crate::memory::slab::NO_INDEX;
    use crate::model::event::Event;
    use crate::model::packet::Packet;
    use crate::tests::{config, job_of, topology};
    use crate::{ExecutionOptions, Job, RunOptions, Simulation};

    /// Runs a little traffic with much traffic in the middle. Returns when blocks were processed
    /// together, and the digest.
    fn run(block_events_min: u64) -> (Vec<bool>, u64) {
        let some = job_of("kind = 'permutation'\nbytes = '8B'", 2);
        let much = job_of("kind = 'uniform-random'\nbytes = '64KiB'\niterations = 20", 64);
        let jobs = vec![some, Job { start: Picoseconds::from_micros(200), ..much }];
        let options = RunOptions {
            execution: ExecutionOptions {
                far_ports_min: 0,
                block_ports_min: 0,
                block_events_min,
                ..ExecutionOptions::default()
            },
            ..RunOptions::default()
        };
        let system = topology(DragonflyDescription::uniform(4, 4, 4, 1));
        let mut simulation = Simulation::new(system, config("slingshot"), options, jobs).expect("it builds");
        let lookahead = simulation.lookahead;
        let partition = &mut simulation.partitions_mut()[0];
        assert_eq!(partition.sched.calendar.count(), 4);
        let mut states = vec![partition.sched.calendar.is_gathered];
        while let Some(next) = partition.sched.calendar.next_time()
            && next < Picoseconds::from_micros(800)
        {
            partition.run_until(Picoseconds(next.0 + lookahead.0));
            if states.last() != Some(&partition.sched.calendar.is_gathered) {
                states.push(partition.sched.calendar.is_gathered);
            }
        }
        (states, partition.clock.digest.value())
    }

    #[test]
    fn blocks_are_processed_together_while_there_are_few_events_and_nothing_else_changes() {
        let (always_apart, digest) = run(0);
        assert_eq!(always_apart, [false]);
        assert_eq!(run(RunOptions::default().execution.block_events_min), (vec![false, true, false, true], digest));
        assert_eq!(run(u64::MAX), (vec![false, true], digest));
    }

    #[test]
    fn packets_are_in_slots_of_the_group_that_they_are_in_or_have_left() {
        let much = job_of("kind = 'uniform-random'\nbytes = '64KiB'\niterations = 20", 64);
        let options = RunOptions {
            execution: ExecutionOptions {
                far_ports_min: 0,
                block_ports_min: 0,
                block_events_min: 0,
                ..ExecutionOptions::default()
            },
            ..RunOptions::default()
        };
        let system = topology(DragonflyDescription::uniform(4, 4, 4, 1));
        let mut simulation = Simulation::new(system, config("slingshot"), options, vec![much]).expect("it builds");
        let lookahead = simulation.lookahead;
        let partition = &mut simulation.partitions_mut()[0];
        let (mut moved, mut crossed) = (0, 0);
        while let Some(next) = partition.sched.calendar.next_time()
            && next < Picoseconds::from_micros(100)
        {
            partition.run_until(Picoseconds(next.0 + lookahead.0));
            // A packet on its way to another group is still in the slots of the group that it left.
            let events = partition.sched.calendar.calendar().events();
            let in_transit: std::collections::BTreeMap<u32, u32> = events
                .filter_map(|(_, event)| match *event {
                    Event::Cross { packet, port_slot, .. } => {
                        Some((packet, partition.switch.wires[port_slot as usize].peer))
                    }
                    _ => None,
                })
                .collect();
            crossed += in_transit.len();
            // A region grows by several consecutive slots, which have packets of one group.
            let mut blocks = std::collections::BTreeMap::new();
            for (slot, packet) in partition.transit.packets.used() {
                let here = if let Some(&left) = in_transit.get(&slot) {
                    partition.sched.calendar.block_of_port(left)
                } else if packet.place.port == NO_INDEX {
                    partition.sched.calendar.block_of_endpoint(packet.destination)
                } else {
                    partition.sched.calendar.block_of_port(packet.place.port)
                };
                let run = slot / (8_192 / size_of::<Packet>() as u32);
                assert_eq!(*blocks.entry(run).or_insert(here), here, "slot {slot}");
                moved += u32::from(here != partition.sched.calendar.block_of_endpoint(packet.source));
            }
        }
        assert!(moved > 10_000, "{moved} times a packet was in another group than its source's");
        assert!(crossed > 10_000, "{crossed} times one was on its way to another");
    }
}
