//! What happens inside the switch, and in which order at one instant.

use philae_engine::{EventKey, Step};
use philae_units::{Picoseconds, PortId};

/// An event: a plain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A request has reached the output's tile.
    Request {
        /// Whose.
        packet: u32,
    },
    /// A grant has reached the input's tile.
    Grant {
        /// Whose.
        packet: u32,
    },
    /// A packet's tail has left its row bus and crossbar output.
    Released {
        /// Whose row bus.
        input: PortId,
        /// To which output.
        output: PortId,
    },
    /// A packet's header is in the queue behind its crossbar output.
    Crossed {
        /// Which.
        packet: u32,
    },
    /// A packet's header is in the output queue.
    Queued {
        /// Which.
        packet: u32,
    },
    /// Somebody looks for something to do.
    Wake(Actor),
}

/// What a place of the calendar holds before it has an event.
impl Default for Event {
    fn default() -> Self {
        Self::Wake(Actor::Row(0))
    }
}

/// Who looks for something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
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

impl Actor {
    /// Place in a column of all actors.
    pub const fn index(self) -> usize {
        match self {
            Self::Source(port) => port.index(),
            Self::Arbiter(port) => 64 + port.index(),
            Self::Row(row) => 128 + row,
            Self::Mux(port) => 192 + port.index(),
            Self::Link(port) => 256 + port.index(),
        }
    }

    /// When in an instant it acts: what arrives has landed before anybody chooses.
    const fn step(self) -> Step {
        match self {
            Self::Arbiter(_) | Self::Row(_) | Self::Mux(_) => Step::Arbitrate,
            Self::Source(_) | Self::Link(_) => Step::Depart,
        }
    }
}

/// First targets of each kind of event; an actor's target is its index.
const REQUEST: u32 = 512;
const GRANT: u32 = 576;
const RELEASED: u32 = 640;
const CROSSED: u32 = 704;
const QUEUED: u32 = 768;

/// The key of an actor's turn.
pub const fn wake_key(time: u64, actor: Actor) -> EventKey {
    EventKey::new(Picoseconds(time), actor.step(), actor.index() as u32, 0)
}

/// The key of an event between an input and an output. At most one of a kind happens between them at an instant, since an
/// arbiter, a bus and a channel each serve one packet at a time.
pub const fn event_key(time: u64, event: &Event, input: PortId, output: PortId) -> EventKey {
    let (base, told, other) = match event {
        Event::Request { .. } => (REQUEST, output, input),
        Event::Grant { .. } => (GRANT, input, output),
        Event::Released { .. } => (RELEASED, input, output),
        Event::Crossed { .. } => (CROSSED, output, input),
        Event::Queued { .. } => (QUEUED, output, input),
        Event::Wake(actor) => return wake_key(time, *actor),
    };
    EventKey::new(Picoseconds(time), Step::Arrive, base + told.0 as u32, other.0 as u64)
}
