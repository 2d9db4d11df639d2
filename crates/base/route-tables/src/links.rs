//! The state of links.

use philae_units::{PortIndex, SwitchId};

use crate::wiring::FabricWiring;

/// One link that stopped or began to work, named by either of its ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkChange {
    /// A port of the link.
    pub port: PortIndex,
    /// Whether it works now.
    pub up: bool,
}

/// The links that may carry traffic: a link works at both of its ends or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveLinks {
    /// (S): switch-to-switch ports that work, as masks.
    live: Vec<u64>,
}

impl LiveLinks {
    /// All links work.
    #[must_use]
    pub fn all(wiring: &FabricWiring) -> Self {
        let switches = (0..wiring.switch_count()).map(SwitchId::from_index);
        Self { live: switches.map(|switch| wiring.local(switch) | wiring.global(switch)).collect() }
    }

    /// No link works: the state before any switch has reported.
    #[must_use]
    pub fn none(wiring: &FabricWiring) -> Self {
        Self { live: vec![0; wiring.switch_count()] }
    }

    /// Ports of a switch whose links work, as a mask.
    #[inline]
    #[must_use]
    pub fn of(&self, switch: SwitchId) -> u64 {
        self.live[switch.index()]
    }

    /// Whether the link of a port works.
    #[must_use]
    pub fn is_live(&self, wiring: &FabricWiring, port: PortIndex) -> bool {
        let (switch, number) = wiring.split(port);
        self.live[switch.index()] >> number.0 & 1 == 1
    }

    /// Applies a change. Returns whether anything changed. A port without a link to a switch has
    /// nothing to change.
    pub fn set(&mut self, wiring: &FabricWiring, change: LinkChange) -> bool {
        let Some(peer) = wiring.peer(change.port) else { return false };
        if self.is_live(wiring, change.port) == change.up {
            return false;
        }
        for end in [change.port, peer] {
            let (switch, number) = wiring.split(end);
            let bit = 1 << number.0;
            let live = &mut self.live[switch.index()];
            *live = if change.up { *live | bit } else { *live & !bit };
        }
        true
    }

    #[inline]
    pub(crate) fn local(&self, wiring: &FabricWiring, switch: usize) -> u64 {
        self.live[switch] & wiring.local(SwitchId(switch as u32))
    }

    #[inline]
    pub(crate) fn global(&self, wiring: &FabricWiring, switch: usize) -> u64 {
        self.live[switch] & wiring.global(SwitchId(switch as u32))
    }
}

/// The ports of a mask, lowest first.
#[inline]
pub fn ports(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let port = mask.trailing_zeros();
        mask &= mask - 1;
        Some(port)
    })
}
