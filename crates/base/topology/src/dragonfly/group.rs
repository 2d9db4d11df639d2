//! One kind of group: its grid of switches, its ports and the places of its nodes.

use super::description::{Fill, GroupKind, LocalWiring, NicSpread};
use crate::TopologyError;

/// The switches of a group as a grid; a full mesh is a grid of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub columns: u32,
    pub rows: u32,
    pub row_links: u32,
    pub column_links: u32,
}

impl Grid {
    pub fn of(kind: &GroupKind) -> Result<Self, TopologyError> {
        let zero = |key: &str| TopologyError::Zero { what: format!("{key} of kind '{}'", kind.name) };
        match kind.local {
            LocalWiring::FullMesh { parallel } => {
                if parallel == 0 && kind.switches > 1 {
                    return Err(zero("local.parallel"));
                }
                Ok(Self { columns: kind.switches, rows: 1, row_links: parallel, column_links: 0 })
            }
            LocalWiring::Grid { columns, rows, row_links, column_links } => {
                let product = u64::from(columns) * u64::from(rows);
                if product != u64::from(kind.switches) {
                    let (kind, switches) = (kind.name.clone(), kind.switches);
                    return Err(TopologyError::Grid { kind, switches, columns, rows, product });
                }
                if row_links == 0 && columns > 1 {
                    return Err(zero("local.row_links"));
                }
                if column_links == 0 && rows > 1 {
                    return Err(zero("local.column_links"));
                }
                Ok(Self { columns, rows, row_links, column_links })
            }
        }
    }

    pub const fn column(&self, switch: u32) -> u32 {
        switch % self.columns
    }

    pub const fn row(&self, switch: u32) -> u32 {
        switch / self.columns
    }

    /// Local ports of each switch.
    pub fn ports(&self) -> u64 {
        u64::from(self.columns - 1) * u64::from(self.row_links)
            + u64::from(self.rows - 1) * u64::from(self.column_links)
    }

    /// The local ports of `from`, counted from its first, on the first hop towards `to`: along the
    /// row, then the column.
    pub fn next(&self, from: u32, to: u32) -> std::ops::Range<u32> {
        /// Position of a peer in the list of all others.
        const fn rank(own: u32, peer: u32) -> u32 {
            if peer > own { peer - 1 } else { peer }
        }
        if self.column(from) != self.column(to) {
            let first = rank(self.column(from), self.column(to)) * self.row_links;
            first..first + self.row_links
        } else if self.row(from) != self.row(to) {
            let rows_end = (self.columns - 1) * self.row_links;
            let first = rows_end + rank(self.row(from), self.row(to)) * self.column_links;
            first..first + self.column_links
        } else {
            0..0
        }
    }
}

/// Nodes that fit into one group.
pub(crate) fn node_places(kind: &GroupKind) -> Result<u32, TopologyError> {
    let nics = u32::from(kind.nics_per_node);
    if nics == 0 {
        return Err(TopologyError::Zero { what: format!("nics_per_node of kind '{}'", kind.name) });
    }
    if kind.endpoints_per_switch == 0 {
        return Ok(0);
    }
    let (room, spread, places) = match kind.nic_spread {
        NicSpread::DifferentSwitches => {
            let places = block_sizes(kind.switches, nics).map(|size| size * kind.endpoints_per_switch / nics).sum();
            (kind.switches, "on different switches", places)
        }
        NicSpread::SameSwitch => {
            let room = kind.endpoints_per_switch;
            (room, "on one switch", room / nics * kind.switches)
        }
    };
    if nics > room {
        let (kind, nics) = (kind.name.clone(), kind.nics_per_node);
        return Err(TopologyError::NicSpread { kind, nics, spread, room });
    }
    Ok(places)
}

/// Blocks of neighbouring switches: as many as a node has NICs; the last one takes the rest.
fn block_sizes(switches: u32, nics: u32) -> impl Iterator<Item = u32> {
    let blocks = (switches / nics).max(1);
    (0..blocks).map(move |block| if block + 1 == blocks { switches - block * nics } else { nics })
}

/// The place of NIC `nic` of the group's node `node`: the switch within the group, the edge port
/// within the switch.
pub(crate) fn nic_place(kind: &GroupKind, node: u32, nic: u32) -> (u32, u32) {
    let nics = u32::from(kind.nics_per_node);
    match kind.nic_spread {
        NicSpread::SameSwitch => {
            let per_switch = kind.endpoints_per_switch / nics;
            (node / per_switch, node % per_switch * nics + nic)
        }
        NicSpread::DifferentSwitches => {
            // Every block except the last has as many switches as a node has NICs, hence one node
            // per edge port.
            let blocks = (kind.switches / nics).max(1);
            let block = (node / kind.endpoints_per_switch).min(blocks - 1);
            let first = block * nics;
            let size = if block + 1 == blocks { kind.switches - first } else { nics };
            let place = (node - block * kind.endpoints_per_switch) * nics + nic;
            (first + place % size, place / size)
        }
    }
}

/// Nodes of each group of a kind.
pub(crate) fn nodes_per_group(kind: &GroupKind) -> Result<Vec<u32>, TopologyError> {
    let room = node_places(kind)?;
    let places = u64::from(room) * u64::from(kind.count);
    let Some(nodes) = kind.nodes else {
        return Ok(vec![room; kind.count as usize]);
    };
    if u64::from(nodes) > places {
        let (groups, nics, kind) = (kind.count, kind.nics_per_node, kind.name.clone());
        return Err(TopologyError::NodeCount { kind, nodes, groups, places, nics });
    }
    Ok((0..kind.count)
        .map(|group| match kind.fill {
            Fill::Even => nodes / kind.count + u32::from(group < nodes % kind.count),
            Fill::InOrder => nodes.saturating_sub(group.saturating_mul(room)).min(room),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nics_of_a_node_are_on_different_switches_and_no_place_is_taken_twice() {
        for (switches, ports, nics) in [(32, 16, 4), (16, 16, 2), (7, 5, 3), (5, 3, 4), (3, 4, 1), (2, 3, 2)] {
            let mut kind = GroupKind::uniform(1, switches, ports);
            kind.nics_per_node = nics;
            let nodes = node_places(&kind).expect("legal");
            assert!(switches * ports - nodes * u32::from(nics) < u32::from(nics), "hardly a place is lost");
            let mut taken = BTreeSet::new();
            for node in 0..nodes {
                let at = (0..u32::from(nics)).map(|nic| nic_place(&kind, node, nic)).collect::<Vec<_>>();
                let on = at.iter().map(|place| place.0).collect::<BTreeSet<_>>();
                assert_eq!(on.len(), usize::from(nics), "node {node} of {switches} x {ports} / {nics}: {at:?}");
                for place in at {
                    assert!(place.0 < switches && place.1 < ports, "{place:?} is in the group");
                    assert!(taken.insert(place), "{place:?} is taken once");
                }
            }
        }
    }

    #[test]
    fn nics_of_a_node_can_share_a_switch() {
        let mut kind = GroupKind::uniform(1, 2, 16);
        kind.nics_per_node = 8;
        kind.nic_spread = NicSpread::SameSwitch;
        assert_eq!(node_places(&kind), Ok(4));
        assert_eq!(nic_place(&kind, 1, 7), (0, 15));
        assert_eq!(nic_place(&kind, 2, 0), (1, 0));
        kind.nics_per_node = 17;
        assert!(matches!(node_places(&kind), Err(TopologyError::NicSpread { room: 16, .. })));
    }

    #[test]
    fn nodes_that_do_not_fill_the_places_are_spread() {
        let mut kind = GroupKind::uniform(4, 8, 16);
        kind.nodes = Some(485);
        assert_eq!(nodes_per_group(&kind), Ok(vec![122, 121, 121, 121]));
        kind.fill = Fill::InOrder;
        assert_eq!(nodes_per_group(&kind), Ok(vec![128, 128, 128, 101]));
        kind.nodes = Some(513);
        let error = nodes_per_group(&kind).expect_err("too many");
        assert_eq!(
            error.to_string(),
            "kind 'compute' has 513 nodes, but its 4 groups have 512 places of 1 NICs each; at most 512 would work"
        );
    }

    #[test]
    fn a_grid_goes_along_the_row_first() {
        let grid = Grid { columns: 16, rows: 6, row_links: 1, column_links: 3 };
        assert_eq!(grid.ports(), 30, "15 rank-1 and 15 rank-2 ports: Aries");
        assert_eq!(grid.next(0, 17), 0..1, "row first, towards column 1");
        assert_eq!(grid.next(1, 17), 15..18, "then the column");
        assert_eq!(grid.next(17, 17), 0..0);
    }
}
