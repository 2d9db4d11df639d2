//! The capacity of an area, and the layout of its parts.

use std::io;
use std::mem::{align_of, size_of};

use philae_nic_core::nic::{
    Block, BufferShape, NicCounter, NicEvent, Receive, RegisteredRegion, Trigger, UnexpectedMessage,
};

use super::area::HEADER_BYTES;
use super::inbox::PortalInbox;
use super::pages::Short;

/// Every part begins at a cache line.
pub(super) const LINE: usize = 64;

const _: () =
    assert!(align_of::<NicEvent>() <= LINE && align_of::<Receive>() <= LINE && align_of::<PortalInbox>() <= LINE);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct AreaCapacity {
    /// The portal of messages without tags.
    pub plain: PortalShape,
    /// The portal of messages with tags.
    pub tagged: PortalShape,
    /// Registered regions.
    pub regions: u32,
    pub counters: u32,
    /// Operations that wait for a counter.
    pub triggers: u32,
    /// Events that wait to be read.
    pub events: u32,
}

/// The capacity of a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PortalShape {
    pub receives: u32,
    /// Messages that wait for a receive.
    pub arrivals: u32,
    /// The blocks for the bytes of messages.
    pub blocks: BufferShape,
}

/// The area cannot be made or mapped.
#[derive(Debug, thiserror::Error)]
pub enum AreaError {
    /// The system refused.
    #[error("{what} {name}: {source}")]
    System {
        /// The attempted action.
        what: &'static str,
        /// The area's name.
        name: String,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// It is not an area, or one of another version of this library, or incomplete.
    #[error("{name} is not an area of this version")]
    Foreign { name: String },
    /// Memory for it is lacking.
    #[error("cannot make {name}: {short}")]
    NoRoom {
        name: String,
        /// The shortage.
        short: Short,
    },
    /// Its owner is in another PID namespace, or does not count as on this host for another reason.
    #[error("{name} belongs to a process of another namespace")]
    Elsewhere { name: String },
    /// It belongs to another user.
    #[error("{name} belongs to user {owner}")]
    NotOurs {
        name: String,
        /// The owning user.
        owner: u32,
    },
}

/// The layout of an area: where its parts begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct AreaLayout {
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

impl AreaCapacity {
    /// The layout; `None` if it exceeds the address space.
    pub(super) fn places(&self) -> Option<AreaLayout> {
        let mut end = HEADER_BYTES;
        let mut part = |count: usize, bytes: usize| {
            let begin = end.checked_next_multiple_of(LINE)?;
            end = begin.checked_add(count.checked_mul(bytes)?)?;
            Some(begin)
        };
        let mut portal = |shape: &PortalShape| {
            Some(PortalPlaces {
                receives: part(shape.receives as usize, size_of::<Receive>())?,
                arrivals: part(shape.arrivals as usize, size_of::<UnexpectedMessage>())?,
                blocks: part(shape.blocks.block_count(), size_of::<Block>())?,
                bytes: part(shape.blocks.bytes(), 1)?,
            })
        };
        let portals = [portal(&self.plain)?, portal(&self.tagged)?];
        let regions = part(self.regions as usize, size_of::<RegisteredRegion>())?;
        let counters = part(self.counters as usize, size_of::<NicCounter>())?;
        let triggers = part(self.triggers as usize, size_of::<Trigger>())?;
        let events = part(self.events as usize, size_of::<NicEvent>())?;
        let inboxes = part(2, size_of::<PortalInbox>())?;
        Some(AreaLayout { portals, regions, counters, triggers, events, inboxes, total: end })
    }
}
