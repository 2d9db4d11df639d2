//! Ports per switch, and the switch of a port: read several times in every hop.

use crate::wiring::PORTS_MAX;

/// log2 of the scale of reciprocals.
const SHIFT: u32 = 34;

/// The number of ports of every switch, 1 to 256, with its reciprocal: a multiplication instead of
/// a division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Radix {
    ports: u32,
    reciprocal: u64,
}

impl Radix {
    /// A radix of this many ports.
    pub(crate) fn new(ports: u32) -> Self {
        assert!((1..=256).contains(&ports), "a switch has 1 to 256 ports, not {ports}");
        Self { ports, reciprocal: (1_u64 << SHIFT).div_ceil(u64::from(ports)) }
    }

    /// The ports of a switch.
    #[inline]
    pub(crate) const fn ports(self) -> u32 {
        self.ports
    }

    /// The switch of a port. The reciprocal is too large by less than 1, and the product by less
    /// than `port`, which is less than the distance to the next multiple of the radix.
    #[inline]
    pub(crate) const fn switch_of(self, port: u32) -> u32 {
        debug_assert!((port as u64) < PORTS_MAX, "a system has that many ports at most");
        ((port as u64).wrapping_mul(self.reciprocal) >> SHIFT) as u32
    }

    /// The number of a port on its switch.
    #[inline]
    pub(crate) const fn port_of(self, port: u32) -> u32 {
        port.wrapping_sub(self.switch_of(port).wrapping_mul(self.ports))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_division_for_every_radix() {
        for ports in 1..=256 {
            let radix = Radix::new(ports);
            let end = PORTS_MAX as u32;
            let last = (end - 1) / ports;
            let switches = (0..300).chain((0..last).step_by(99_991)).chain(last.saturating_sub(300)..=last);
            for port in switches.flat_map(|switch| [switch * ports, switch * ports + ports - 1]) {
                let port = port.min(end - 1);
                assert_eq!(
                    (radix.switch_of(port), radix.port_of(port)),
                    (port / ports, port % ports),
                    "{port} by {ports}"
                );
            }
        }
    }
}
