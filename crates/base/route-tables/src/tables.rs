//! The tables of all switches.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_units::{GroupId, SwitchId};

use crate::wiring::FabricWiring;

/// Destination of an entry of a switch's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Destination {
    /// A switch of the own group, by its number in the group.
    Place(u32),
    /// Another group.
    Group(GroupId),
    /// One switch that the entries of its group do not serve: it has lost the rest of its group, or
    /// paths to it climb too often.
    Switch(SwitchId),
}

/// The entries of all switches towards one switch that its group's entries do not serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnEntries {
    /// (S): candidate ports.
    pub ports: Vec<u64>,
    /// Whether paths lead up and then down a tree of all switches, in the leg that is kept for it.
    pub up_down: bool,
}

/// Candidate ports of every switch towards every destination, as masks.
///
/// Rows are shared: a copy of all tables costs a pointer for each switch, and a change copies only
/// the rows that it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Number of entries for switches of the own group; the groups follow in the row.
    pub(crate) places: usize,
    /// (G): index of each group among the destinations of a row; groups without edge ports have
    /// none.
    pub(crate) column: Vec<u32>,
    /// (C): group of each column.
    pub(crate) groups: Vec<u32>,
    /// (S): places + C words each.
    pub(crate) rows: Vec<Arc<[u64]>>,
    pub(crate) own_entries: BTreeMap<u32, OwnEntries>,
}

pub const NO_COLUMN: u32 = u32::MAX;

impl Tables {
    /// Empty tables of the right shape.
    pub(crate) fn shaped(wiring: &FabricWiring) -> Self {
        let groups = (0..wiring.group_count()).map(GroupId::from_index);
        let mut column = vec![NO_COLUMN; wiring.group_count()];
        let mut with_edge = Vec::new();
        for group in groups {
            if wiring.switches_of(group).any(|switch| wiring.edge(SwitchId(switch)) != 0) {
                column[group.index()] = with_edge.len() as u32;
                with_edge.push(group.0);
            }
        }
        let places = if wiring.is_grouped() { wiring.group_size_max() } else { 0 };
        Self { places, column, groups: with_edge, rows: Vec::new(), own_entries: BTreeMap::new() }
    }

    /// Number of words in a row.
    pub(crate) fn width(&self) -> usize {
        self.places + self.groups.len()
    }

    /// The candidate ports of a switch towards another one, as a mask. It is empty if no path is
    /// left, or if both are the same.
    #[must_use]
    pub fn toward(&self, wiring: &FabricWiring, from: SwitchId, to: SwitchId) -> u64 {
        if from == to {
            return 0;
        }
        if let Some(own_entries) = self.own_entries.get(&to.0) {
            return own_entries.ports[from.index()];
        }
        let row = &self.rows[from.index()];
        let (here, there) = (wiring.group_of(from), wiring.group_of(to));
        if here == there {
            return row[wiring.place_in_group(to) as usize];
        }
        match self.column[there.index()] {
            NO_COLUMN => 0,
            column => row[self.places + column as usize],
        }
    }

    /// The entry of a switch, as a mask of candidate ports.
    #[must_use]
    pub fn entry(&self, switch: SwitchId, destination: Destination) -> u64 {
        let row = &self.rows[switch.index()];
        match destination {
            Destination::Place(place) => row.get(place as usize).copied().unwrap_or(0),
            Destination::Group(group) => match self.column[group.index()] {
                NO_COLUMN => 0,
                column => row[self.places + column as usize],
            },
            Destination::Switch(target) => {
                self.own_entries.get(&target.0).map_or(0, |own_entries| own_entries.ports[switch.index()])
            }
        }
    }

    /// Entries of a switch: switches of its group and groups that have candidates, then all
    /// switches apart.
    pub fn entries(&self, switch: SwitchId) -> impl Iterator<Item = (Destination, u64)> + '_ {
        let row = &self.rows[switch.index()];
        let within = row.iter().enumerate().map(|(place, &mask)| (self.destination(place), mask));
        let own_entries = self.own_entries.iter().map(move |(&target, own_entries)| {
            (Destination::Switch(SwitchId(target)), own_entries.ports[switch.index()])
        });
        within.filter(|&(_, mask)| mask != 0).chain(own_entries)
    }

    /// Destination of a word of a row.
    pub(crate) fn destination(&self, word: usize) -> Destination {
        match word.checked_sub(self.places) {
            None => Destination::Place(word as u32),
            Some(column) => Destination::Group(GroupId(self.groups[column])),
        }
    }

    /// Switches that the entries of their group do not serve; with `true` if paths to them lead up
    /// and down a tree.
    pub fn own_entries(&self) -> impl Iterator<Item = (SwitchId, bool)> + '_ {
        self.own_entries.iter().map(|(&target, own_entries)| (SwitchId(target), own_entries.up_down))
    }

    /// Size of the tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rows = self.rows.len() * (self.width() * 8 + size_of::<Arc<[u64]>>() + 16);
        rows + self.own_entries.values().map(|own_entries| own_entries.ports.len() * 8).sum::<usize>()
    }
}
