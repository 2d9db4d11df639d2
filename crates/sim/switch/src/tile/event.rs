//! Events inside the switch, and their order at one instant.

use philae_engine::{EventKey, EventOrder};
use philae_units::{Picoseconds, PortId};

/// An event: a plain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileEvent {
    /// A request has reached the output's tile.
    Request { packet: u32 },
    /// A grant has reached the input's tile.
    Grant { packet: u32 },
    /// A packet's tail has left its row bus and crossbar output.
    Released {
        /// Input of the row bus.
        input: PortId,
        /// Output to which the packet goes.
        output: PortId,
    },
    /// A packet's header is in the queue behind its crossbar output.
    Crossed { packet: u32 },
    /// A packet's header is in the output queue.
    Queued { packet: u32 },
    /// An actor looks for something to do.
    Wake(TileActor),
}

/// The value of a place of the calendar before it has an event.
impl Default for TileEvent {
    fn default() -> Self {
        Self::Wake(TileActor::Row(0))
    }
}

/// A component that looks for something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileActor {
    /// The sender at the other end of an input's link.
    Source(PortId),
    /// An output's arbiter of requests.
    Arbiter(PortId),
    /// The crossbars of a row.
    Row(usize),
    /// An output's multiplexer.
    Mux(PortId),
    /// An output's link.
    Link(PortId),
}

/// Number of actors.
pub const ACTORS: usize = 5 * 64;

impl TileActor {
    /// Index in a column of all actors.
    pub const fn index(self) -> usize {
        match self {
            Self::Source(port) => port.index(),
            Self::Arbiter(port) => 64 + port.index(),
            Self::Row(row) => 128 + row,
            Self::Mux(port) => 192 + port.index(),
            Self::Link(port) => 256 + port.index(),
        }
    }

    /// Step of an instant in which it acts: what arrives has landed before any actor chooses.
    const fn step(self) -> EventOrder {
        match self {
            Self::Arbiter(_) | Self::Row(_) | Self::Mux(_) => EventOrder::Arbitrate,
            Self::Source(_) | Self::Link(_) => EventOrder::Depart,
        }
    }
}

/// First target of each kind of event. An actor's target is its index.
const REQUEST: u32 = 512;
const GRANT: u32 = 576;
const RELEASED: u32 = 640;
const CROSSED: u32 = 704;
const QUEUED: u32 = 768;

/// The key of an actor's turn.
pub const fn wake_key(time: u64, actor: TileActor) -> EventKey {
    EventKey::new(Picoseconds(time), actor.step(), actor.index() as u32, 0)
}

/// The key of an event between an input and an output. At most one event of a kind happens between
/// them at an instant, because an arbiter, a bus and a channel each serve one packet at a time.
pub const fn event_key(time: u64, event: &TileEvent, input: PortId, output: PortId) -> EventKey {
    let (base, target, other) = match event {
        TileEvent::Request { .. } => (REQUEST, output, input),
        TileEvent::Grant { .. } => (GRANT, input, output),
        TileEvent::Released { .. } => (RELEASED, input, output),
        TileEvent::Crossed { .. } => (CROSSED, output, input),
        TileEvent::Queued { .. } => (QUEUED, output, input),
        TileEvent::Wake(actor) => return wake_key(time, *actor),
    };
    EventKey::new(Picoseconds(time), EventOrder::Arrive, base + target.0 as u32, other.0 as u64)
}
