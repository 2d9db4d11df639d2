//! How much an area holds, and where in it that lies.

use std::io;
use std::mem::{align_of, size_of};

use philae_cassini::nic::{Arrival, Block, BufferShape, Counter, Event, Receive, Region, Trigger};

use super::area::HEADER_BYTES;
use super::inbox::Inbox;
use super::pages::Short;

/// Every part begins at a cache line.
pub(super) const LINE: usize = 64;

const _: () = assert!(align_of::<Event>() <= LINE && align_of::<Receive>() <= LINE && align_of::<Inbox>() <= LINE);

/// How much an area holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Shape {
    /// Where messages without tags meet their receives.
    pub plain: PortalShape,
    /// Where those with tags do.
    pub tagged: PortalShape,
    /// Registered regions.
    pub regions: u32,
    /// Counters.
    pub counters: u32,
    /// Operations that wait for a counter.
    pub triggers: u32,
    /// Events that wait to be read.
    pub events: u32,
}

/// How much a portal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PortalShape {
    /// Receives.
    pub receives: u32,
    /// Messages that wait for a receive.
    pub arrivals: u32,
    /// Where the bytes of messages are kept.
    pub blocks: BufferShape,
}

/// An area that cannot be made or mapped.
#[derive(Debug, thiserror::Error)]
pub enum AreaError {
    /// The system refused.
    #[error("{what} {name}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The area's name.
        name: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// It is no area, or one of another version of this library, or not whole.
    #[error("{name} is not an area of this version")]
    Foreign {
        /// Its name.
        name: String,
    },
    /// There is no memory for it.
    #[error("cannot make {name}: {short}")]
    NoRoom {
        /// Its name.
        name: String,
        /// How much is missing.
        short: Short,
    },
    /// Its owner is in another PID namespace, or otherwise not on this host as processes of it see each other.
    #[error("{name} belongs to a process of another namespace")]
    Elsewhere {
        /// Its name.
        name: String,
    },
    /// It belongs to another user.
    #[error("{name} belongs to user {owner}")]
    NotOurs {
        /// Its name.
        name: String,
        /// Whose it is.
        owner: u32,
    },
}

/// Where the parts of an area begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub portals: [PortalPlaces; 2],
    pub regions: usize,
    pub counters: usize,
    pub triggers: usize,
    pub events: usize,
    pub inboxes: usize,
    pub total: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PortalPlaces {
    pub receives: usize,
    pub arrivals: usize,
    pub blocks: usize,
    pub bytes: usize,
}

impl Shape {
    /// Where the parts begin; nothing where they are more than an address can name.
    pub(super) fn places(&self) -> Option<Places> {
        let mut end = HEADER_BYTES;
        let mut part = |count: usize, bytes: usize| {
            let begin = end.checked_next_multiple_of(LINE)?;
            end = begin.checked_add(count.checked_mul(bytes)?)?;
            Some(begin)
        };
        let mut portal = |shape: &PortalShape| {
            Some(PortalPlaces {
                receives: part(shape.receives as usize, size_of::<Receive>())?,
                arrivals: part(shape.arrivals as usize, size_of::<Arrival>())?,
                blocks: part(shape.blocks.block_count(), size_of::<Block>())?,
                bytes: part(shape.blocks.bytes(), 1)?,
            })
        };
        let portals = [portal(&self.plain)?, portal(&self.tagged)?];
        let regions = part(self.regions as usize, size_of::<Region>())?;
        let counters = part(self.counters as usize, size_of::<Counter>())?;
        let triggers = part(self.triggers as usize, size_of::<Trigger>())?;
        let events = part(self.events as usize, size_of::<Event>())?;
        let inboxes = part(2, size_of::<Inbox>())?;
        Some(Places { portals, regions, counters, triggers, events, inboxes, total: end })
    }
}
