//! Neighbouring ports of one switch.

use philae_units::PortIndex;

/// Consecutive ports: parallel links, usually one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortRun {
    first: PortIndex,
    len: u32,
}

impl PortRun {
    /// No port.
    pub const EMPTY: Self = Self { first: PortIndex(0), len: 0 };

    /// Ports starting at `first`.
    #[inline]
    #[must_use]
    pub const fn new(first: PortIndex, len: u32) -> Self {
        Self { first, len }
    }

    /// Number of ports.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// One port, by its place.
    #[inline]
    #[must_use]
    pub const fn get(self, place: usize) -> PortIndex {
        PortIndex(self.first.0 + place as u32)
    }

    /// The first, if there is one.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<PortIndex> {
        (self.len > 0).then_some(self.first)
    }

    /// All ports.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = PortIndex> + Clone {
        (self.first.0..self.first.0 + self.len).map(PortIndex)
    }
}
