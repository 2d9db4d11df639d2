//! Transfers that have begun and not ended: what is known of them, should whoever carries them out die meanwhile.

use std::sync::atomic::{Ordering, compiler_fence};

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
#[expect(clippy::large_enum_variant, reason = "a place in shared memory has room for the greatest")]
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

/// A place as it was before it was changed: one that dies meanwhile has not changed it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct FlightNote {
    /// One more than the place; 0: none was changed.
    place: u32,
    /// Who had it.
    process: u32,
}

/// The transfers into a process: a view of their places.
#[derive(Debug)]
pub struct Flights<'a> {
    places: &'a mut [Flight; FLIGHTS],
    note: &'a mut FlightNote,
}

impl<'a> Flights<'a> {
    /// A view.
    pub fn new(places: &'a mut [Flight; FLIGHTS], note: &'a mut FlightNote) -> Self {
        Self { places, note }
    }
}

impl Flights<'_> {
    /// Writes a transfer down; its place, if one is free.
    pub fn depart(&mut self, process: u32, cargo: Cargo) -> Option<usize> {
        let place = self.places.iter().position(|flight| flight.process == 0)?;
        self.note(place);
        self.places[place] = Flight { process, cargo };
        Some(place)
    }

    /// A session of somebody other than the process begins: it changes one place at most.
    pub fn open(&mut self) {
        self.note.place = 0;
    }

    /// Takes back what a session did that has not ended.
    pub fn recover(&mut self) {
        let FlightNote { place, process } = *self.note;
        if let Some(flight) = (place as usize).checked_sub(1).and_then(|place| self.places.get_mut(place)) {
            flight.process = process;
        }
    }

    fn note(&mut self, place: usize) {
        self.note.process = self.places[place].process;
        compiler_fence(Ordering::SeqCst);
        self.note.place = place as u32 + 1;
        compiler_fence(Ordering::SeqCst);
    }

    /// A transfer has ended.
    pub fn arrive(&mut self, place: usize) {
        self.note(place);
        self.places[place].process = 0;
    }

    /// Takes out a transfer of somebody that `is_gone`.
    pub fn lost(&mut self, is_gone: impl Fn(u32) -> bool) -> Option<Cargo> {
        let lost = self.places.iter_mut().find(|flight| flight.process != 0 && is_gone(flight.process))?;
        lost.process = 0;
        Some(lost.cargo)
    }

    /// Whether a region is being read or written.
    #[must_use]
    pub fn reach(&self, key: u64) -> bool {
        let reaches = |flight: &Flight| matches!(flight.cargo, Cargo::Access { key: other, .. } if other == key);
        self.places.iter().any(|flight| flight.process != 0 && reaches(flight))
    }
}
