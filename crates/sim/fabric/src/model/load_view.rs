//! Load as a switch knows it.

use std::cell::Cell;

use philae_path::Loads;
use philae_units::PortIndex;

use crate::model::output::OutputLoad;

/// The loads of a partition's outputs, for one decision.
pub struct LoadView<'a> {
    loads: &'a [OutputLoad],
    /// The slot of each port in the partition's columns.
    slots: &'a [u32],
    now: u64,
    age: u64,
    /// Outputs whose loads deferred requests are about to change.
    deferred: [u32; 2],
    /// Whether the decision has read one of those.
    seen: Cell<bool>,
}

impl<'a> LoadView<'a> {
    /// The loads at `now`, published at most once per `age`. Deferred requests are about to change
    /// the loads of the outputs in `deferred`.
    #[inline]
    pub const fn new(loads: &'a [OutputLoad], slots: &'a [u32], (now, age): (u64, u64), deferred: [u32; 2]) -> Self {
        Self { loads, slots, now, age, deferred, seen: Cell::new(false) }
    }

    /// The slot of a port of the partition.
    #[inline]
    pub const fn slot_of(&self, port: PortIndex) -> usize {
        self.slots[port.0 as usize] as usize
    }

    /// Whether the decision has read a load that is about to change.
    #[inline]
    pub const fn has_read_deferred(&self) -> bool {
        self.seen.get()
    }
}

impl Loads for LoadView<'_> {
    #[inline]
    fn local(&self, port: PortIndex) -> u32 {
        self.loads[self.slot_of(port)].queued_bytes
    }

    #[inline]
    fn remote(&self, port: PortIndex) -> u32 {
        if self.deferred.contains(&port.0) {
            self.seen.set(true);
        }
        self.loads[self.slot_of(port)].known(self.now, self.age)
    }
}

/// No load anywhere, for choices that do not depend on any.
pub struct NoLoads;

impl Loads for NoLoads {
    fn local(&self, _: PortIndex) -> u32 {
        0
    }
    fn remote(&self, _: PortIndex) -> u32 {
        0
    }
}
