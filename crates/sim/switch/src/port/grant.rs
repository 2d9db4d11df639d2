//! Grants: which of the requesting inputs an output serves next.

use philae_units::PortId;

/// A set of ports of one switch: one bit per port, so that a switch of at most 64 ports is one
/// word. Those of a switch with more are a [`WidePortSet`].
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

/// A set of ports of a switch that may have 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WidePortSet([u64; 4]);

impl WidePortSet {
    /// Whether no port is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        let [one, two, three, four] = self.0;
        one | two | three | four == 0
    }

    /// Adds a port.
    pub fn insert(&mut self, port: PortId) {
        self.0[port.index() / 64] |= 1 << (port.0 % 64);
    }

    /// Removes a port.
    pub fn remove(&mut self, port: PortId) {
        self.0[port.index() / 64] &= !(1 << (port.0 % 64));
    }

    /// The first port of the set after `last`, cyclically: round robin.
    #[must_use]
    pub fn next_after(self, last: PortId) -> Option<PortId> {
        let first = last.0.wrapping_add(1);
        let (word, from_first) = (usize::from(first / 64), u64::MAX << (first % 64));
        // The word of the first port comes twice: from that port on, and at last up to it.
        let in_turn = |turn: usize| {
            let at = (word + turn) % 4;
            let bits = match turn {
                0 => self.0[at] & from_first,
                4 => self.0[at] & !from_first,
                _ => self.0[at],
            };
            (bits != 0).then(|| PortId((at * 64) as u8 + bits.trailing_zeros() as u8))
        };
        (0..=4).find_map(in_turn)
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

        #[test]
        fn wide_sets_take_turns_as_a_walk_around_all_ports_does(
            ports in proptest::collection::btree_set(0_u8.., 0..257),
            last in 0_u8..,
        ) {
            let mut set = WidePortSet::default();
            ports.iter().for_each(|&port| set.insert(PortId(port)));
            prop_assert_eq!(set.is_empty(), ports.is_empty());
            let walk = (1..=256_u16).map(|step| last.wrapping_add(step as u8)).find(|port| ports.contains(port));
            prop_assert_eq!(set.next_after(PortId(last)), walk.map(PortId));
            for &port in &ports {
                set.remove(PortId(port));
            }
            prop_assert!(set.is_empty(), "each port is its own bit");
        }
    }
}
