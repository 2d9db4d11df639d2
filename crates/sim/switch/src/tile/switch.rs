//! The switch as a whole: its state, its calendar, and its event loop.

use std::collections::VecDeque;

use philae_engine::{Calendar, Digest};
use philae_units::{Bytes, LinkRate, Picoseconds, PortId};

use crate::tile::arbiter::{Arbiter, CrossbarAccount};
use crate::tile::audit;
use crate::tile::column::ColumnOutput;
use crate::tile::error::TileError;
use crate::tile::event::{ACTORS, TileActor, TileEvent, event_key, wake_key};
use crate::tile::layout::{PORTS, ROWS};
use crate::tile::packet::Packets;
use crate::tile::parameters::TileParameters;
use crate::tile::row::{CrossbarOutput, TileRow};
use crate::tile::source::{LinkSender, Offer};

/// Events between two checks of the laws of conservation. A check reads every packet inside the
/// switch.
const EVENTS_PER_AUDIT: u64 = 1 << 16;
/// Largest packet, in bytes: a jumbo frame with its headers fits.
const PACKET_MAX: u32 = 16_384;
/// Later than any time.
const NO_TIME: u64 = u64::MAX;

/// A packet that has crossed the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Port by which it came in.
    pub input: PortId,
    /// Port by which it left.
    pub output: PortId,
    /// Size on the link.
    pub bytes: u32,
    /// When its header was at the pins of the input.
    pub arrived: Picoseconds,
    /// When its header was at the pins of the output.
    pub departed: Picoseconds,
}

/// One switch at tile fidelity, with the packets that are offered to it.
#[derive(Debug)]
pub struct TileSwitch {
    pub(crate) parameters: TileParameters,
    /// Time on a link by size, in picoseconds.
    pub(crate) serialization: Vec<u64>,
    pub(crate) now: u64,
    calendar: Calendar<TileEvent>,
    digest: Digest,
    /// When each actor looks next, in picoseconds.
    woken: Vec<u64>,
    pub(crate) packets: Packets,
    pub(crate) sources: Vec<LinkSender>,
    pub(crate) arbiters: Vec<Arbiter>,
    /// By crossbar output.
    pub(crate) accounts: Vec<CrossbarAccount>,
    pub(crate) rows: Vec<TileRow>,
    /// By crossbar output.
    pub(crate) crossbars: Vec<CrossbarOutput>,
    /// By crossbar output.
    pub(crate) crossbar_queues: Vec<VecDeque<u32>>,
    pub(crate) outputs: Vec<ColumnOutput>,
    /// Virtual output queues: packets whose request waits, by output and input.
    pub(crate) requested: Vec<VecDeque<u32>>,
    /// Virtual output queues: packets that are granted, by input and output.
    pub(crate) granted: Vec<VecDeque<u32>>,
    pub(crate) launched: u64,
    pub(crate) departed: u64,
    events: u64,
}

impl TileSwitch {
    /// A switch with `link` on each of its 64 ports and `offers` for each input, in order of time.
    ///
    /// # Errors
    /// [`TileError`] if the switch cannot have a parameter, a packet or the number of inputs.
    pub fn new(
        parameters: TileParameters,
        link: LinkRate,
        seed: u64,
        offers: Vec<Vec<Offer>>,
    ) -> Result<Self, TileError> {
        let largest = check_offers(&offers)?;
        check_parameters(&parameters, link, largest)?;
        let serialization = (0..=u64::from(largest)).map(|bytes| link.serialization(Bytes(bytes)).0).collect();
        let queues = |count: usize| -> Vec<VecDeque<u32>> { (0..count).map(|_| VecDeque::new()).collect() };
        let source = |(input, offers)| LinkSender::new(offers, seed, PortId::from_index(input));
        let mut switch = Self {
            parameters,
            serialization,
            now: 0,
            calendar: Calendar::new(100_000),
            digest: Digest::default(),
            woken: vec![NO_TIME; ACTORS],
            packets: Packets::default(),
            sources: offers.into_iter().enumerate().map(source).collect(),
            arbiters: vec![Arbiter::default(); PORTS],
            accounts: vec![CrossbarAccount::default(); ROWS * PORTS],
            rows: vec![TileRow::default(); ROWS],
            crossbars: vec![CrossbarOutput::default(); ROWS * PORTS],
            crossbar_queues: queues(ROWS * PORTS),
            outputs: vec![ColumnOutput::default(); PORTS],
            requested: queues(PORTS * PORTS),
            granted: queues(PORTS * PORTS),
            launched: 0,
            departed: 0,
            events: 0,
        };
        for input in 0..PORTS {
            if let Some(first) = switch.sources[input].offers.first() {
                let time = first.time.0;
                switch.wake(TileActor::Source(PortId::from_index(input)), time);
            }
        }
        Ok(switch)
    }

    /// Runs until no event is left before `end`, and tells `observe` about every packet that has
    /// crossed.
    ///
    /// # Errors
    /// [`TileError::Broken`] if a law of conservation is broken.
    pub fn run(&mut self, end: Picoseconds, mut observe: impl FnMut(Crossing)) -> Result<(), TileError> {
        while let Some((key, event)) = self.calendar.pop_before(end) {
            self.now = key.time.0;
            self.digest.add(key);
            self.events += 1;
            if let Some(crossing) = self.handle(event) {
                observe(crossing);
            }
            if self.events.is_multiple_of(EVENTS_PER_AUDIT) {
                audit::check(self)?;
            }
        }
        audit::check(self)?;
        if self.calendar.is_empty() { audit::drained(self) } else { Ok(()) }
    }

    fn handle(&mut self, event: TileEvent) -> Option<Crossing> {
        match event {
            TileEvent::Request { packet } => self.requested(packet),
            TileEvent::Grant { packet } => self.granted(packet),
            TileEvent::Released { input, output } => self.released(input, output),
            TileEvent::Crossed { packet } => self.crossed(packet),
            TileEvent::Queued { packet } => self.queued(packet),
            TileEvent::Wake(actor) => return self.act(actor),
        }
        None
    }

    /// An actor's turn, unless an earlier one replaced it.
    fn act(&mut self, actor: TileActor) -> Option<Crossing> {
        let woken = &mut self.woken[actor.index()];
        if *woken != self.now {
            return None;
        }
        *woken = NO_TIME;
        match actor {
            TileActor::Source(input) => self.launch(input),
            TileActor::Arbiter(output) => self.arbitrate(output),
            TileActor::Row(row) => self.match_row(row),
            TileActor::Mux(output) => self.multiplex(output),
            TileActor::Link(output) => return self.transmit(output),
        }
        None
    }

    /// Wakes an actor at `time`, unless it looks no later anyway. An actor that looks schedules its
    /// next turn itself.
    pub(crate) fn wake(&mut self, actor: TileActor, time: u64) {
        let woken = &mut self.woken[actor.index()];
        if time < *woken {
            *woken = time;
            self.calendar.push(wake_key(time, actor), TileEvent::Wake(actor));
        }
    }

    /// Schedules an event between an input and an output.
    pub(crate) fn schedule(&mut self, time: u64, event: TileEvent, input: PortId, output: PortId) {
        self.calendar.push(event_key(time, &event, input, output), event);
    }

    /// Packets whose header has come in.
    #[must_use]
    pub const fn launched(&self) -> u64 {
        self.launched
    }

    /// Packets that have left, or whose tail is leaving.
    #[must_use]
    pub const fn departed(&self) -> u64 {
        self.departed
    }

    /// Events handled.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Digest of the event order.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest.value()
    }
}

/// Checks the offers. Returns the largest size.
fn check_offers(offers: &[Vec<Offer>]) -> Result<u32, TileError> {
    if offers.len() != PORTS {
        return Err(TileError::Inputs { found: offers.len() });
    }
    let mut largest = 0;
    for (input, offers) in offers.iter().enumerate() {
        let mut before = Picoseconds::ZERO;
        for (number, offer) in offers.iter().enumerate() {
            let wrong = |problem| TileError::Offer { input: PortId::from_index(input), number, problem };
            if offer.output.index() >= PORTS {
                return Err(wrong(format!("it is for port {}; ports 0 to 63 would work", offer.output)));
            }
            if !(1..=PACKET_MAX).contains(&offer.bytes) {
                return Err(wrong(format!("it has {} bytes; 1 to {PACKET_MAX} would work", offer.bytes)));
            }
            if offer.time < before {
                return Err(wrong(format!("it is offered at {}, before the one ahead of it ({before})", offer.time)));
            }
            before = offer.time;
            largest = largest.max(offer.bytes);
        }
    }
    Ok(largest)
}

fn check_parameters(parameters: &TileParameters, link: LinkRate, largest: u32) -> Result<(), TileError> {
    let wrong = |name, found, works: String| Err(TileError::Parameter { name, found, works });
    for (name, found) in [("clock_mhz", parameters.clock_mhz), ("bus_bytes", parameters.bus_bytes), ("link", link.0)] {
        if found == 0 {
            return wrong(name, found, "1 or more".to_owned());
        }
    }
    let buffer = parameters.buffer_reserve_bytes + parameters.buffer_shared_bytes;
    for (name, found) in [
        ("crossbar_queue_bytes", parameters.crossbar_queue_bytes),
        ("output_queue_bytes", parameters.output_queue_bytes),
        ("buffer_reserve_bytes + buffer_shared_bytes", buffer),
    ] {
        if found < largest {
            return wrong(name, found, format!("{largest} or more, the largest packet offered,"));
        }
    }
    let arrives = parameters.fec_ns + parameters.receive_ns;
    if parameters.latency_spread_ns / 2 > arrives {
        let works = format!("at most {}, twice fec_ns and receive_ns,", 2 * arrives);
        return wrong("latency_spread_ns", parameters.latency_spread_ns, works);
    }
    Ok(())
}
