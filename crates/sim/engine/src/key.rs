//! The place of an event in the one total order of a run.

use philae_units::Picoseconds;

/// Order of events at the same picosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum EventOrder {
    /// Packets, acknowledgements and credits land in their queues.
    Arrive = 0,
    /// Arbiters choose among everything that has landed.
    Arbitrate = 1,
    /// Winners leave; hosts and NICs act.
    Depart = 2,
    /// Counters are read.
    Observe = 3,
}

/// Time, then step, then target, then detail.
///
/// The target is the component that gets the event; the detail distinguishes the events that it
/// gets at one instant. Both are identities of the model (a port, a flow and sequence number),
/// never memory or threads. Two events with equal keys must commute; the models in this project
/// make their keys unique per instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EventKey {
    pub time: Picoseconds,
    /// Step, target and detail packed so that integers compare as the fields do.
    packed: u64,
}

impl EventKey {
    /// Targets are 26 bits wide: 67 million components.
    pub const TARGET_BITS: u32 = 26;
    /// Details are 36 bits wide.
    pub const DETAIL_BITS: u32 = 36;

    /// Builds a key. `target` must fit 26 bits; `detail` is cut to 36 bits by the caller.
    #[inline]
    #[must_use]
    pub const fn new(time: Picoseconds, step: EventOrder, target: u32, detail: u64) -> Self {
        debug_assert!(target < 1 << Self::TARGET_BITS, "a component id fits 26 bits");
        debug_assert!(detail < 1 << Self::DETAIL_BITS, "an event detail fits 36 bits");
        Self {
            time,
            packed: ((step as u64) << (Self::TARGET_BITS + Self::DETAIL_BITS))
                | ((target as u64) << Self::DETAIL_BITS)
                | detail,
        }
    }

    /// Step, target and detail as one integer that compares as they do.
    #[inline]
    #[must_use]
    pub const fn packed(self) -> u64 {
        self.packed
    }

    /// The whole key as one integer. Sorts compare it with two subtractions and no branch, which
    /// would be mispredicted half of the time.
    #[inline]
    #[must_use]
    pub const fn as_u128(self) -> u128 {
        ((self.time.0 as u128) << 64) | self.packed as u128
    }

    #[inline]
    #[must_use]
    pub const fn target(self) -> u32 {
        ((self.packed >> Self::DETAIL_BITS) & ((1 << Self::TARGET_BITS) - 1)) as u32
    }
}

impl Ord for EventKey {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_u128().cmp(&other.as_u128())
    }
}

impl PartialOrd for EventKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_by_time_then_step_then_target_then_detail() {
        let key = |time, step, target, detail| EventKey::new(Picoseconds(time), step, target, detail);
        let ascending = [
            key(1, EventOrder::Observe, 9, 9),
            key(2, EventOrder::Arrive, 3, 0),
            key(2, EventOrder::Arrive, 3, 1),
            key(2, EventOrder::Arrive, 4, 0),
            key(2, EventOrder::Arbitrate, 0, 0),
            key(2, EventOrder::Depart, 0, 0),
        ];
        assert!(ascending.is_sorted());
        assert_eq!(ascending[3].target(), 4);
    }
}
