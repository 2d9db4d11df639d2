//! Membership: the members of a collective, and where their memory lies.

use std::ops::Range;

use crate::abi::{MemoryWindow, REMOTE};

/// Where this PE's symmetric memory lies.
#[derive(Clone, Debug)]
pub struct Home {
    /// The segment: collective area, control page and heap.
    pub segment: Range<usize>,
    /// The beginning of the control page.
    pub control: usize,
}

/// The members of a team or an active set, by rank: their number in it.
#[derive(Clone, Debug)]
pub struct Membership {
    me: usize,
    pes: Box<[u32]>,
    windows: Box<[MemoryWindow]>,
    home: Home,
    /// Ranks of this host, ascending; the first leads.
    local: Box<[usize]>,
    local_me: usize,
    /// The leader of each host, ascending.
    leaders: Box<[usize]>,
    host: usize,
}

/// A member: its PE of the world, where its memory lies here, and its host. Host numbers only serve
/// to tell hosts apart.
#[derive(Clone, Copy, Debug)]
pub struct TeamMember {
    /// The PE, by its number in the world.
    pub pe: u32,
    /// Where its memory lies in this process.
    pub window: MemoryWindow,
    /// The number of its host.
    pub host: u32,
}

impl Membership {
    /// The membership of `places`, of which this PE is number `me`. PEs of this PE's host have a
    /// `window` that is not `REMOTE`.
    #[must_use]
    pub fn new(me: usize, places: &[TeamMember], home: Home) -> Self {
        let own = places[me].host;
        let local: Box<[usize]> = (0..places.len()).filter(|&rank| places[rank].host == own).collect();
        let mut seen = std::collections::BTreeSet::new();
        let leaders: Box<[usize]> = (0..places.len()).filter(|&rank| seen.insert(places[rank].host)).collect();
        Self {
            me,
            local_me: local.iter().position(|&rank| rank == me).unwrap_or_default(),
            host: leaders.iter().position(|&rank| places[rank].host == own).unwrap_or_default(),
            pes: places.iter().map(|place| place.pe).collect(),
            windows: places.iter().map(|place| place.window).collect(),
            home,
            local,
            leaders,
        }
    }

    /// This PE's rank.
    #[must_use]
    pub const fn me(&self) -> usize {
        self.me
    }

    /// The number of members.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.pes.len()
    }

    /// The PE of the world with this rank.
    #[must_use]
    pub fn pe(&self, rank: usize) -> u32 {
        self.pes[rank]
    }

    /// The members as PEs of the world, by rank.
    #[must_use]
    pub const fn pes(&self) -> &[u32] {
        &self.pes
    }

    /// The ranks of this host, ascending.
    #[must_use]
    pub const fn local(&self) -> &[usize] {
        &self.local
    }

    /// This PE's index among the members of its host.
    #[must_use]
    pub const fn local_me(&self) -> usize {
        self.local_me
    }

    /// Whether this PE leads the members of its host.
    #[must_use]
    pub const fn leads(&self) -> bool {
        self.local_me == 0
    }

    /// The rank that leads this host.
    #[must_use]
    pub fn leader(&self) -> usize {
        self.local[0]
    }

    /// The ranks that lead the hosts, ascending.
    #[must_use]
    pub const fn leaders(&self) -> &[usize] {
        &self.leaders
    }

    /// This host's index among the leaders.
    #[must_use]
    pub const fn host(&self) -> usize {
        self.host
    }

    /// Whether all members are of this host.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.leaders.len() == 1
    }

    /// Whether a rank is of this host.
    #[must_use]
    pub fn has_local(&self, rank: usize) -> bool {
        self.windows[rank].heap != REMOTE
    }

    /// Where this PE's own memory lies.
    #[must_use]
    pub const fn home(&self) -> &Home {
        &self.home
    }

    /// Where a PE of this host has the counterpart of this PE's symmetric `address`.
    ///
    /// For a rank of another host, or an address that is not symmetric, the result must not be
    /// used.
    #[must_use]
    pub fn at(&self, rank: usize, address: usize) -> *mut u8 {
        let window = self.windows[rank];
        let distance = if self.home.segment.contains(&address) { window.heap } else { window.data };
        address.wrapping_add_signed(distance) as *mut u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_may_lie_between_each_other() {
        let home = Home { segment: 0x1000..0x9000, control: 0x2000 };
        let remote = MemoryWindow::REMOTE;
        let local = MemoryWindow { heap: 0x100, data: -0x10 };
        let places = [(3, remote, 7), (1, local, 2), (4, remote, 9), (2, local, 2), (9, remote, 7)]
            .map(|(pe, window, host)| TeamMember { pe, window, host });
        let membership = Membership::new(3, &places, home);
        assert_eq!(
            (membership.local(), membership.local_me(), membership.leads(), membership.leader()),
            (&[1, 3][..], 1, false, 1)
        );
        assert_eq!((membership.leaders(), membership.host(), membership.is_local()), (&[0, 1, 2][..], 1, false));
        assert_eq!(membership.at(1, 0x3000) as usize, 0x3100);
        assert_eq!(membership.at(1, 0xa000) as usize, 0x9ff0);
        assert!(membership.has_local(3) && !membership.has_local(0));
    }
}
