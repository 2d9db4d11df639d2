//! The table of one switch, as the switch holds it.

use std::collections::BTreeMap;

use philae_units::SwitchId;
use xxhash_rust::xxh3::Xxh3;

use crate::port_sets::PortSets;
use crate::rollout::StagedEntry;
use crate::tables::{Destination, Tables};

/// The forwarding table of one switch. Entries are set one by one.
#[derive(Clone, Debug, Default)]
pub struct ForwardingTable {
    /// By number in the own group.
    places: PortSets,
    groups: PortSets,
    /// Switches that have an entry of their own.
    own_entries: BTreeMap<u32, u64>,
}

impl PartialEq for ForwardingTable {
    fn eq(&self, other: &Self) -> bool {
        self.entries().eq(other.entries())
    }
}

impl Eq for ForwardingTable {}

impl ForwardingTable {
    /// Candidate ports towards a switch: its own entry if it has one, else its place's within the
    /// own group, else its group's.
    #[must_use]
    pub fn toward(&self, target: SwitchId, place_in_own_group: Option<u32>, group: usize) -> u64 {
        if let Some(&mask) = self.own_entries.get(&target.0) {
            return mask;
        }
        match place_in_own_group {
            Some(place) => self.places.get(place as usize),
            None => self.groups.get(group),
        }
    }

    /// Activates an entry, or drops one.
    pub fn set(&mut self, destination: Destination, ports: Option<u64>) {
        let (list, index) = match destination {
            Destination::Place(place) => (&mut self.places, place as usize),
            Destination::Group(group) => (&mut self.groups, group.index()),
            Destination::Switch(target) => {
                match ports {
                    Some(ports) => self.own_entries.insert(target.0, ports),
                    None => self.own_entries.remove(&target.0),
                };
                return;
            }
        };
        list.set(index, ports.unwrap_or(0));
    }

    /// Activates the entries of one round.
    pub fn activate(&mut self, entries: &[StagedEntry], round: u8) {
        for entry in entries.iter().filter(|entry| entry.round == round) {
            self.set(entry.destination, entry.ports);
        }
    }

    /// Frees the memory that setting entries one by one left over.
    pub fn shrink_to_fit(&mut self) {
        self.places.shrink();
        self.groups.shrink();
    }

    /// Entries: places and groups with candidates, then switches that have an entry of their own.
    pub fn entries(&self) -> impl Iterator<Item = (Destination, u64)> + '_ {
        let places = self.places.iter().enumerate().map(|(place, mask)| (Destination::Place(place as u32), mask));
        let groups = self
            .groups
            .iter()
            .enumerate()
            .map(|(group, mask)| (Destination::Group(philae_units::GroupId(group as u32)), mask));
        let own_entries = self.own_entries.iter().map(|(&target, &mask)| (Destination::Switch(SwitchId(target)), mask));
        places.chain(groups).filter(|&(_, mask)| mask != 0).chain(own_entries)
    }

    /// A hash that differs if tables differ: 64 bits of XXH3 over all entries.
    #[must_use]
    pub fn hash(&self) -> u64 {
        hash(self.entries())
    }
}

impl Tables {
    /// The table of one switch.
    #[must_use]
    pub fn of(&self, switch: SwitchId) -> ForwardingTable {
        let mut table = ForwardingTable::default();
        for (destination, mask) in self.entries(switch) {
            table.set(destination, Some(mask));
        }
        table
    }

    /// The [`ForwardingTable::hash`] of a switch's table, without making the table.
    #[must_use]
    pub fn hash_of(&self, switch: SwitchId) -> u64 {
        hash(self.entries(switch))
    }
}

fn hash(entries: impl Iterator<Item = (Destination, u64)>) -> u64 {
    let mut hash = Xxh3::new();
    for (destination, mask) in entries {
        let (kind, number) = match destination {
            Destination::Place(place) => (0_u64, place),
            Destination::Group(group) => (1, group.0),
            Destination::Switch(switch) => (2, switch.0),
        };
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(kind << 32 | u64::from(number)).to_le_bytes());
        bytes[8..].copy_from_slice(&mask.to_le_bytes());
        hash.update(&bytes);
    }
    hash.digest()
}
