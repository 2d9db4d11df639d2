//! Transfers that have begun and not ended: what is known of them, should whoever carries them out die meanwhile.

use philae_cassini::nic::{Arrival, Landing, PortalKind};

/// Transfers into one process's memory that are written down at a time. Source: ours. Status: assumed; a further one is
/// carried out with the lock held.
pub const FLIGHTS: usize = 32;

/// A transfer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Flight {
    /// Who carries it out; 0: nobody, the place is free.
    pub process: u32,
    /// What it is about.
    pub cargo: Cargo,
}

/// What a transfer is about.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, u32)]
pub enum Cargo {
    /// Nothing.
    #[default]
    None,
    /// A message for a receive.
    Message {
        /// Whether it has a tag.
        is_tagged: bool,
        /// Where it goes.
        landing: Landing,
        /// What it is.
        arrival: Arrival,
    },
    /// Access to registered memory.
    Access {
        /// The region's key.
        key: u64,
        /// Whether room for an event was set aside.
        has_event: bool,
    },
}

impl Cargo {
    /// A message for a receive of this kind.
    #[must_use]
    pub fn message(kind: PortalKind, landing: Landing, arrival: Arrival) -> Self {
        Self::Message { is_tagged: kind == PortalKind::Tagged, landing, arrival }
    }
}

/// The transfers into a process: a view of their places.
#[derive(Debug)]
pub struct Flights<'a>(pub &'a mut [Flight; FLIGHTS]);

impl Flights<'_> {
    /// Writes a transfer down; its place, if one is free.
    pub fn depart(&mut self, process: u32, cargo: Cargo) -> Option<usize> {
        let place = self.0.iter().position(|flight| flight.process == 0)?;
        self.0[place] = Flight { process, cargo };
        Some(place)
    }

    /// A transfer has ended.
    pub fn arrive(&mut self, place: usize) {
        self.0[place].process = 0;
    }

    /// Takes out a transfer of somebody that `is_gone`.
    pub fn lost(&mut self, is_gone: impl Fn(u32) -> bool) -> Option<Cargo> {
        let lost = self.0.iter_mut().find(|flight| flight.process != 0 && is_gone(flight.process))?;
        lost.process = 0;
        Some(lost.cargo)
    }

    /// Whether a region is being read or written.
    #[must_use]
    pub fn reach(&self, key: u64) -> bool {
        let reaches = |flight: &Flight| matches!(flight.cargo, Cargo::Access { key: other, .. } if other == key);
        self.0.iter().any(|flight| flight.process != 0 && reaches(flight))
    }
}
