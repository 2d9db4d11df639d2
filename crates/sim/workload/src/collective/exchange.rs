//! The output of algorithms: their messages. Adapters make one algorithm a part of another.

use philae_units::Bytes;

use crate::program::Offload;

/// What the receiver does with the data items of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Keeps them as they are.
    Replace,
    /// Adds them to its own; adding a rank's contribution twice is a mistake.
    Sum,
    /// Learns what the sender knows; learning it twice is harmless.
    Union,
    /// Adds them to its own. If the sender is a lower rank, also adds them to the items at this
    /// distance: its result.
    Prefix {
        /// Distance from an item to its result.
        results: u64,
    },
}

/// Receives the messages of one step of one rank from an algorithm.
///
/// The collective numbers its data items (see [`Collective`](super::Collective)). The driver of a
/// simulation ignores them; they are lazy, so they then cost nothing.
pub trait Exchange {
    /// Sends `items`, `bytes` in total, in step `step` of the collective.
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>);
    /// Receives what `from` sends in its step `step`.
    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine);
    /// Leaves `items` to the switches: every rank ends with the combination of all ranks' items.
    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>);
}

/// Writes the second half of an algorithm: its step 0 follows `steps` others.
pub(super) struct Later<'a, E> {
    pub out: &'a mut E,
    pub steps: u32,
}

impl<E: Exchange> Exchange for Later<'_, E> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>) {
        self.out.send(to, bytes, self.steps + step, items);
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine) {
        self.out.recv(from, bytes, self.steps + step, combine);
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>) {
        self.out.offload(kind, bytes, items);
    }
}

/// Writes an algorithm whose root is its rank 0 for any root: all ranks move up by `root`, modulo
/// the ranks.
pub(super) struct Rooted<'a, E> {
    pub out: &'a mut E,
    pub root: u32,
    pub ranks: u32,
}

impl<E> Rooted<'_, E> {
    const fn rank(&self, seen: u32) -> u32 {
        ring_neighbours(seen, self.ranks, self.root).0
    }
}

impl<E: Exchange> Exchange for Rooted<'_, E> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>) {
        self.out.send(self.rank(to), bytes, step, items);
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine) {
        self.out.recv(self.rank(from), bytes, step, combine);
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>) {
        self.out.offload(kind, bytes, items);
    }
}

/// The ranks `distance` above and below in a ring.
pub(super) const fn ring_neighbours(rank: u32, ranks: u32, distance: u32) -> (u32, u32) {
    let distance = distance % ranks;
    let above = (rank as u64 + distance as u64) % ranks as u64;
    let below = (rank as u64 + ranks as u64 - distance as u64) % ranks as u64;
    (above as u32, below as u32)
}

/// Number of binary digits that distinguish `ranks` ranks: the smallest `k` with `2^k >= ranks`.
pub(super) const fn ceil_log2(ranks: u32) -> u32 {
    if ranks <= 1 { 0 } else { u32::BITS - (ranks - 1).leading_zeros() }
}
