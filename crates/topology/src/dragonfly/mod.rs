//! The dragonfly: groups of switches, every pair of groups joined by at least one global link.

mod build;
mod description;
mod group;

pub use description::{
    Arrangement, DragonflyDescription, Fill, GlobalLinks, GroupKind, LocalWiring, NicSpread, PortRanges, Purpose,
};

use crate::csr::PortLists;
use philae_units::{GroupId, PortIndex, SwitchId};

/// What routing asks of a dragonfly.
#[derive(Clone, Debug)]
pub struct Dragonfly {
    group_count: u32,
    /// By `from * group_count + to`.
    gateways: PortLists,
    /// By `local_base[from] + to`, wrapping: the base already has the number of the group's first switch taken off.
    local: PortLists,
    local_base: Vec<u32>,
    /// Row and column of each switch in its group.
    place: Vec<(u16, u16)>,
    kind_of_group: Vec<u16>,
    kinds: Vec<GroupKind>,
    /// By `kind * kinds + kind`: links of each pair of groups.
    links_per_pair: Vec<u32>,
}

impl Dragonfly {
    /// Every global port of `from` whose link leads into `to`; empty where they are the same.
    #[inline]
    #[must_use]
    pub fn gateways(&self, from: GroupId, to: GroupId) -> &[PortIndex] {
        self.gateways.get(from.index() * self.group_count as usize + to.index())
    }

    /// The ports of `from` on a minimal way towards `to`, a switch of the same group; empty where they are the same.
    ///
    /// Full mesh: the direct links. Grid: the first hop of dimension order, along the row (rank-1), then the column
    /// (rank-2).
    #[inline]
    #[must_use]
    pub fn local_next(&self, from: SwitchId, to: SwitchId) -> &[PortIndex] {
        self.local.get(self.local_base[from.index()].wrapping_add(to.0) as usize)
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

    /// The kind of a group: its sizes, its purpose, and how its switches are joined.
    #[must_use]
    pub fn kind(&self, group: GroupId) -> &GroupKind {
        &self.kinds[usize::from(self.kind_of_group[group.index()])]
    }

    /// How the switches of a group are joined.
    #[must_use]
    pub fn local_links(&self, group: GroupId) -> LocalWiring {
        self.kind(group).local
    }

    /// The kinds of group, in the order in which the groups are numbered.
    #[must_use]
    pub fn kinds(&self) -> &[GroupKind] {
        &self.kinds
    }

    /// Links between each two groups of these kinds, given by their place in [`Self::kinds`].
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
