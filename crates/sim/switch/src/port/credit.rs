//! Credits: the upstream port's count of free bytes in the downstream input buffer.
//!
//! A channel first uses its own reserve and then the shared part. The sender keeps the account; the
//! receiver returns credits when a packet's tail has left the buffer. Returns are not events. They
//! wait in a queue at the sender, ordered by the time at which they arrive, and are applied when
//! they decide something. Only a sender that is blocked needs to be woken, which saves one calendar
//! entry per hop.

use std::collections::VecDeque;

/// Whether a packet of `size` fits: into the channel's reserve, or with the overflow into the
/// shared part.
#[inline]
#[must_use]
pub const fn buffer_admits(used: u32, shared_used: u32, reserve: u32, shared: u32, size: u32) -> bool {
    shared_used + overflow(used + size, reserve) - overflow(used, reserve) <= shared
}

/// Takes room for a packet; returns the channel's new use and the new use of the shared part.
#[inline]
#[must_use]
pub const fn buffer_take(used: u32, shared_used: u32, reserve: u32, size: u32) -> (u32, u32) {
    (used + size, shared_used + overflow(used + size, reserve) - overflow(used, reserve))
}

/// Gives room back; returns the channel's new use and the new use of the shared part.
///
/// # Panics
/// If more comes back than was taken: credits are conserved.
#[inline]
#[must_use]
pub const fn buffer_release(used: u32, shared_used: u32, reserve: u32, size: u32) -> (u32, u32) {
    assert!(used >= size, "credits out + returning = capacity: more came back than was taken");
    (used - size, shared_used - (overflow(used, reserve) - overflow(used - size, reserve)))
}

#[inline]
const fn overflow(used: u32, reserve: u32) -> u32 {
    used.saturating_sub(reserve)
}

/// A credit in flight to the sender. It has two words, so that it is passed in registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CreditReturn {
    /// Time of arrival, in picoseconds.
    pub arrives: u64,
    /// Whose share of the link the packet took (32 bits), bytes freed (16), channel (8).
    packed: u64,
}

impl CreditReturn {
    /// A credit for `bytes` bytes of a packet, which took them of the share of `holder`.
    #[inline]
    #[must_use]
    pub const fn new(arrives: u64, holder: u32, bytes: u16, channel: u8) -> Self {
        Self { arrives, packed: (holder as u64) << 32 | (bytes as u64) << 8 | channel as u64 }
    }

    /// Whose share of the link the packet took: its endpoint, or a number for its flow.
    #[inline]
    #[must_use]
    pub const fn holder(self) -> u32 {
        (self.packed >> 32) as u32
    }

    /// Bytes freed.
    #[inline]
    #[must_use]
    pub const fn bytes(self) -> u16 {
        (self.packed >> 8) as u16
    }

    #[inline]
    #[must_use]
    pub const fn channel(self) -> u8 {
        self.packed as u8
    }
}

/// Credits in flight to one sender, by time of arrival.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct CreditQueue {
    pending: VecDeque<CreditReturn>,
    /// Time at which the last credit arrives; in the past if none is pending.
    last: u64,
}

impl CreditQueue {
    /// Adds a credit. Departures from one input buffer end almost in order, so the search from the
    /// back is short.
    #[inline]
    pub fn push(&mut self, credit: CreditReturn) {
        if credit.arrives >= self.last {
            self.last = credit.arrives;
            self.pending.push_back(credit);
        } else {
            let behind = self.pending.iter().rev().take_while(|later| later.arrives > credit.arrives).count();
            self.pending.insert(self.pending.len() - behind, credit);
        }
    }

    /// The credits that have arrived by `now`, oldest first.
    #[inline]
    pub fn arrived(&self, now: u64) -> impl Iterator<Item = &CreditReturn> {
        self.pending.iter().take_while(move |credit| credit.arrives <= now)
    }

    /// Takes the oldest credit that has arrived by `now`.
    #[inline]
    pub fn pop_arrived(&mut self, now: u64) -> Option<CreditReturn> {
        if self.pending.front()?.arrives <= now { self.pending.pop_front() } else { None }
    }

    /// Number of credits in flight or arrived.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// The oldest credit.
    #[inline]
    #[must_use]
    pub fn front(&self) -> Option<&CreditReturn> {
        self.pending.front()
    }

    /// The credit that arrives last.
    #[inline]
    #[must_use]
    pub fn back(&self) -> Option<&CreditReturn> {
        self.pending.back()
    }

    /// Time at which the next credit arrives.
    #[inline]
    #[must_use]
    pub fn next_arrival(&self) -> Option<u64> {
        self.pending.front().map(|credit| credit.arrives)
    }

    /// Bytes in flight, over all channels.
    #[must_use]
    pub fn pending_bytes(&self) -> u64 {
        self.pending.iter().map(|credit| u64::from(credit.bytes())).sum()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.pending.capacity() * size_of::<CreditReturn>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_order_of_taking_and_giving_keeps_the_account(sizes in prop::collection::vec((0_usize..3, 1_u32..5_000), 1..200)) {
            let (reserve, shared) = (8_192, 30_000);
            let mut used = [0_u32; 3];
            let mut shared_used = 0;
            let mut held: Vec<(usize, u32)> = Vec::new();
            for (channel, size) in sizes {
                if buffer_admits(used[channel], shared_used, reserve, shared, size) {
                    (used[channel], shared_used) = buffer_take(used[channel], shared_used, reserve, size);
                    held.push((channel, size));
                } else if !held.is_empty() {
                    let (channel, size) = held.swap_remove(size as usize % held.len());
                    (used[channel], shared_used) = buffer_release(used[channel], shared_used, reserve, size);
                }
                prop_assert!(shared_used <= shared);
                prop_assert!(used.iter().sum::<u32>() <= 3 * reserve + shared, "never over the buffer");
                let overflow: u32 = used.iter().map(|used| used.saturating_sub(reserve)).sum();
                prop_assert_eq!(overflow, shared_used, "the shared part is exactly what exceeds the reserves");
            }
        }
    }

    #[test]
    fn a_reserve_cannot_be_taken_by_others() {
        let (reserve, shared) = (4_096, 10_000);
        let (_, shared_used) = buffer_take(0, 0, reserve, reserve + shared);
        assert!(!buffer_admits(reserve + shared, shared_used, reserve, shared, 1));
        assert!(buffer_admits(0, shared_used, reserve, shared, 4_096), "the other channel still has its reserve");
        assert!(!buffer_admits(0, shared_used, reserve, shared, 4_097));
    }

    #[test]
    #[should_panic(expected = "more came back than was taken")]
    fn a_credit_that_was_never_taken_is_caught() {
        let _ = buffer_release(100, 0, 4_096, 101);
    }

    #[test]
    fn credits_are_applied_in_order_of_arrival() {
        let mut queue = CreditQueue::default();
        for arrives in [50, 80, 60, 70] {
            queue.push(CreditReturn::new(arrives, 0, arrives as u16, 0));
        }
        assert_eq!(queue.next_arrival(), Some(50));
        assert_eq!(queue.pop_arrived(49), None);
        let order: Vec<u64> = std::iter::from_fn(|| queue.pop_arrived(75)).map(|credit| credit.arrives).collect();
        assert_eq!(order, [50, 60, 70]);
        assert_eq!(queue.pending_bytes(), 80);
    }
}
