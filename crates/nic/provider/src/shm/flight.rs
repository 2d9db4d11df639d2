//! Transfers in flight, recorded in case the process that carries one out dies.

use std::sync::atomic::{Ordering, compiler_fence};

use philae_nic_core::nic::{MessageLanding, PortalKind, UnexpectedMessage};

/// Transfers into one process's memory that can be recorded at a time. Source: ours.
/// Status: assumed; a further one is carried out with the lock held.
pub const FLIGHTS: usize = 32;

/// A transfer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Flight {
    /// The process that carries it out; 0: the entry is free.
    pub process: u32,
    /// What is being transferred.
    pub cargo: Cargo,
}

/// What a transfer carries.
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
        /// Where the message goes.
        landing: MessageLanding,
        /// The message.
        arrival: UnexpectedMessage,
    },
    /// Access to registered memory.
    Access {
        /// The region's key.
        key: u64,
        /// Whether room for an event was reserved.
        has_event: bool,
    },
}

impl Cargo {
    /// A message for a receive of this kind.
    #[must_use]
    pub fn message(kind: PortalKind, landing: MessageLanding, arrival: UnexpectedMessage) -> Self {
        Self::Message { is_tagged: kind == PortalKind::Tagged, landing, arrival }
    }
}

/// An entry before its change: if the process dies meanwhile, the change is rolled back.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct FlightNote {
    /// The entry's index plus one; 0: none was changed.
    place: u32,
    /// The process that had it.
    process: u32,
}

/// The transfers into a process: a view of their entries.
#[derive(Debug)]
pub struct Flights<'a> {
    places: &'a mut [Flight; FLIGHTS],
    note: &'a mut FlightNote,
}

impl<'a> Flights<'a> {
    /// A view of these entries.
    pub fn new(places: &'a mut [Flight; FLIGHTS], note: &'a mut FlightNote) -> Self {
        Self { places, note }
    }
}

impl Flights<'_> {
    /// Records a transfer; returns its entry, if one is free.
    pub fn depart(&mut self, process: u32, cargo: Cargo) -> Option<usize> {
        let place = self.places.iter().position(|flight| flight.process == 0)?;
        self.note(place);
        self.places[place] = Flight { process, cargo };
        Some(place)
    }

    /// Begins a session of a process other than the owner: it changes at most one entry.
    pub fn open(&mut self) {
        self.note.place = 0;
    }

    /// Rolls back an unfinished session.
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

    /// Ends a transfer.
    pub fn arrive(&mut self, place: usize) {
        self.note(place);
        self.places[place].process = 0;
    }

    /// Removes a transfer of a process that `is_gone`.
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
