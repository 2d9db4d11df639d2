//! The dragonfly: groups of switches, every pair of groups joined by at least one global link.

mod build;
mod description;
mod global;
mod group;

pub use description::{
    Arrangement, DragonflyDescription, Fill, GlobalLinks, GlobalWiring, GroupKind, ListedLink, LocalWiring, NicSpread,
    PortRanges, Purpose,
};

use crate::PortRun;
use crate::csr::PortLists;
use crate::radix::Radix;
use philae_units::{GroupId, PortIndex, SwitchId};

/// First port and number of ports of each path from a switch to another of its group.
type LocalRuns = Vec<(u16, u16)>;

/// The dragonfly's structure for routing.
#[derive(Clone, Debug)]
pub struct Dragonfly {
    group_count: u32,
    radix: Radix,
    /// By `from * group_count + to`.
    gateways: PortLists,
    /// Links of every pair of groups, if all pairs have the same number: lists of gateways of this
    /// length follow each other, so their begins need no lookup.
    even_links: Option<u32>,
    /// First port and number of ports of a switch on the path to another of its group, the same in
    /// all groups of a kind, by `local_base[from] + to`, wrapping: the base already has the number
    /// of the group's first switch subtracted.
    local: LocalRuns,
    local_base: Vec<u32>,
    /// Whether a link joins every group to every other.
    is_all_joined: bool,
    wiring: GlobalWiring,
    /// Row and column of each switch in its group.
    place: Vec<(u16, u16)>,
    kind_of_group: Vec<u16>,
    /// Switches of each group.
    switches: Vec<u32>,
    kinds: Vec<GroupKind>,
    /// By `kind * kinds + kind`: links of each pair of groups.
    links_per_pair: Vec<u32>,
}

/// The gateways of one switch towards one group.
#[derive(Clone, Copy, Debug)]
pub struct GatewaysOfSwitch<'a> {
    /// Those of the switch's group.
    list: &'a [PortIndex],
    /// Place of the switch's first in it.
    first: usize,
    /// The distance to its next ones.
    switches: usize,
}

impl GatewaysOfSwitch<'_> {
    /// Number of gateways.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        // Usually there is at most one: no division.
        let rest = self.list.len().saturating_sub(self.first);
        if rest <= self.switches { (rest > 0) as usize } else { rest.div_ceil(self.switches) }
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.first >= self.list.len()
    }

    /// One gateway, by its position.
    #[inline]
    #[must_use]
    pub fn get(&self, turn: usize) -> PortIndex {
        self.list[self.first + turn * self.switches]
    }

    /// All gateways, each with its place among the gateways of the group. Not by `step_by`, which
    /// divides first.
    #[inline]
    pub fn placed(&self) -> impl Iterator<Item = (usize, PortIndex)> + Clone {
        let Self { list, first, switches } = *self;
        let mut next = first;
        std::iter::from_fn(move || {
            let place = next;
            let port = *list.get(place)?;
            next += switches;
            Some((place, port))
        })
    }

    /// All gateways.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = PortIndex> + Clone {
        self.placed().map(|(_, port)| port)
    }
}

impl Dragonfly {
    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.gateways.memory_bytes()
            + self.local.capacity() * size_of::<(u16, u16)>()
            + self.local_base.capacity() * size_of::<u32>()
            + self.place.capacity() * size_of::<(u16, u16)>()
            + self.kind_of_group.capacity() * size_of::<u16>()
    }

    /// Every global port of `from` whose link leads into `to`; empty if they are the same. The far
    /// end of each has the same place in the list of the opposite direction.
    #[inline]
    #[must_use]
    pub fn gateways(&self, from: GroupId, to: GroupId) -> &[PortIndex] {
        let groups = self.group_count as usize;
        match self.even_links {
            Some(links) if from != to => {
                let others_before = to.index() - usize::from(to.index() > from.index());
                let list = from.index() * (groups - 1) + others_before;
                &self.gateways.all()[list * links as usize..][..links as usize]
            }
            Some(_) | None => self.gateways.get(from.index() * groups + to.index()),
        }
    }

    /// Whether a link joins two groups.
    #[inline]
    #[must_use]
    pub fn are_joined(&self, one: GroupId, other: GroupId) -> bool {
        one != other && (self.is_all_joined || !self.gateways(one, other).is_empty())
    }

    /// The ports of [`Self::gateways`] that are on `switch`, a switch of `from`; of listed links,
    /// those that follow the first in the list.
    #[inline]
    #[must_use]
    pub fn gateways_of(&self, switch: SwitchId, from: GroupId, to: GroupId) -> GatewaysOfSwitch<'_> {
        self.own_gateways(switch, from, self.gateways(from, to))
    }

    /// Those on `switch` from a list that [`Self::gateways`] returned, of ports of `from`.
    #[inline]
    #[must_use]
    pub fn own_gateways<'a>(&self, switch: SwitchId, from: GroupId, list: &'a [PortIndex]) -> GatewaysOfSwitch<'a> {
        if self.wiring == GlobalWiring::RoundRobin {
            self.own_of_round_robin(switch, from, list)
        } else {
            self.own_run(switch, list)
        }
    }

    /// The same where links are wired round robin. The caller has asked for the wiring.
    #[inline]
    #[must_use]
    pub fn own_of_round_robin<'a>(
        &self,
        switch: SwitchId,
        from: GroupId,
        list: &'a [PortIndex],
    ) -> GatewaysOfSwitch<'a> {
        let Some(first) = list.first() else { return GatewaysOfSwitch { list, first: 0, switches: 1 } };
        // Links are assigned to the switches of a group round robin, so a switch's own are one
        // round apart.
        let switches = self.switches[from.index()];
        let begins = self.radix.switch_of(first.0);
        let own = if switch.0 >= begins { switch.0 - begins } else { switch.0 + switches - begins };
        GatewaysOfSwitch { list, first: own as usize, switches: switches as usize }
    }

    /// The first run of ports on `switch` in a list: all of them where links are wired in blocks.
    #[cold]
    #[inline(never)]
    fn own_run<'a>(&self, switch: SwitchId, list: &'a [PortIndex]) -> GatewaysOfSwitch<'a> {
        let is_own = |port: &PortIndex| self.radix.switch_of(port.0) == switch.0;
        let first = list.iter().position(is_own).unwrap_or(list.len());
        let end = list[first..].iter().position(|port| !is_own(port)).map_or(list.len(), |run| first + run);
        GatewaysOfSwitch { list: &list[..end], first, switches: 1 }
    }

    /// The ports of `from` on a minimal path towards `to`, a switch of the same group; empty if
    /// they are the same.
    ///
    /// Full mesh: the direct links. Grid: the first hop of dimension order, along the row (rank-1),
    /// then the column (rank-2).
    #[inline]
    #[must_use]
    pub fn local_next(&self, from: SwitchId, to: SwitchId) -> PortRun {
        let (first, len) = self.local[self.local_base[from.index()].wrapping_add(to.0) as usize];
        PortRun::new(PortIndex(from.0 * self.radix.ports() + u32::from(first)), len.into())
    }

    /// Hops between two switches of the same group: 0, 1, or 2 in a grid.
    #[inline]
    #[must_use]
    pub fn local_distance(&self, from: SwitchId, to: SwitchId) -> u8 {
        let (from, to) = (self.place[from.index()], self.place[to.index()]);
        u8::from(from.0 != to.0) + u8::from(from.1 != to.1)
    }

    /// The row and the column of a switch in its group; the row is 0 in a full mesh.
    #[must_use]
    pub fn row_and_column(&self, switch: SwitchId) -> (u16, u16) {
        self.place[switch.index()]
    }

    /// The kind of a group: its sizes, its purpose, and the wiring of its switches.
    #[must_use]
    pub fn kind(&self, group: GroupId) -> &GroupKind {
        &self.kinds[usize::from(self.kind_of_group[group.index()])]
    }

    /// The wiring of the switches of a group.
    #[must_use]
    pub fn local_links(&self, group: GroupId) -> LocalWiring {
        self.kind(group).local
    }

    /// The kinds of group, in the order in which the groups are numbered.
    #[must_use]
    pub fn kinds(&self) -> &[GroupKind] {
        &self.kinds
    }

    /// Which switch of a group has which of its global links.
    #[must_use]
    pub const fn wiring(&self) -> GlobalWiring {
        self.wiring
    }

    /// Links between each two groups of these kinds, given by their place in [`Self::kinds`]. 0 if
    /// all links are listed.
    #[must_use]
    pub fn links_between_kinds(&self, one: usize, other: usize) -> u32 {
        self.links_per_pair[one * self.kinds.len() + other]
    }

    /// Groups.
    #[must_use]
    pub const fn group_count(&self) -> usize {
        self.group_count as usize
    }
}
