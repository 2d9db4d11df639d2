//! Grants: which of the requesting inputs an output serves next.

use philae_units::PortId;

/// A set of ports of one switch: one bit per port, so that a 64-port switch is one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PortSet(pub u64);

impl PortSet {
    /// Whether no port is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first port; `None` if the set is empty.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<PortId> {
        if self.is_empty() { None } else { Some(PortId(self.0.trailing_zeros() as u8)) }
    }

    /// Adds a port.
    #[inline]
    pub const fn insert(&mut self, port: PortId) {
        self.0 |= 1 << port.0;
    }

    /// Removes a port.
    #[inline]
    pub const fn remove(&mut self, port: PortId) {
        self.0 &= !(1 << port.0);
    }

    /// Whether the port is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, port: PortId) -> bool {
        self.0 >> port.0 & 1 == 1
    }
}

/// The input port that an output port grants next: round robin, starting after the last winner.
///
/// One bit per input, so the choice has no loop.
#[inline]
#[must_use]
pub const fn grant_round_robin(requests: PortSet, last_granted: PortId) -> Option<PortId> {
    if requests.0 == 0 {
        return None;
    }
    let first = (last_granted.0 as u32 + 1) % u64::BITS;
    let skipped = requests.0.rotate_right(first).trailing_zeros();
    Some(PortId(((first + skipped) % u64::BITS) as u8))
}

/// The first channel of `requesting` (one bit each; not empty) after `last`, cyclically.
#[inline]
#[must_use]
pub const fn next_channel(requesting: u64, last: u8) -> u8 {
    let after = match u64::MAX.checked_shl(last as u32 + 1) {
        Some(later) => requesting & later,
        None => 0,
    };
    (if after != 0 { after } else { requesting }).trailing_zeros() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn channels_take_turns_up_to_the_last_of_sixty_four() {
        assert_eq!(next_channel(0b1011, 0), 1);
        assert_eq!(next_channel(0b1011, 1), 3);
        assert_eq!(next_channel(0b1011, 3), 0);
        assert_eq!(next_channel(1 | 1 << 63, 62), 63);
        assert_eq!(next_channel(1 | 1 << 63, 63), 0);
    }

    #[test]
    fn no_request_means_no_grant() {
        assert_eq!(grant_round_robin(PortSet(0), PortId(5)), None);
    }

    proptest! {
        #[test]
        fn no_requester_is_starved(requests in 1_u64.., start in 0_u8..64) {
            let requests = PortSet(requests);
            let mut granted = PortSet(0);
            let mut last = PortId(start);
            for _ in 0..requests.0.count_ones() {
                last = grant_round_robin(requests, last).expect("a request is set");
                prop_assert!(requests.contains(last));
                prop_assert!(!granted.contains(last), "no input is served twice before each is served once");
                granted.insert(last);
            }
            prop_assert_eq!(granted, requests);
        }
    }
}
