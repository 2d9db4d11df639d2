//! The sections of a switch's configuration, and the hashes by which manager and agent find
//! differences.

use std::collections::BTreeMap;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A part of a switch's configuration that is compared and sent separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ConfigSection {
    /// Forwarding tables.
    Routes = 0,
    /// Settings of each port.
    Ports = 1,
    /// Traffic classes.
    Qos = 2,
    /// VLANs of the ports.
    Vlans = 3,
    /// VNIs that each edge port may use.
    Vnis = 4,
    /// Access lists.
    Acls = 5,
    /// Link aggregation groups.
    Lags = 6,
    /// Multicast trees and collectives.
    Multicast = 7,
    /// Settings of the switch itself.
    Switch = 8,
}

impl ConfigSection {
    /// All sections.
    pub const ALL: [Self; 9] = [
        Self::Routes,
        Self::Ports,
        Self::Qos,
        Self::Vlans,
        Self::Vnis,
        Self::Acls,
        Self::Lags,
        Self::Multicast,
        Self::Switch,
    ];

    /// The section with this number on the wire.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Routes => "routes",
            Self::Ports => "ports",
            Self::Qos => "qos",
            Self::Vlans => "vlans",
            Self::Vnis => "vnis",
            Self::Acls => "acls",
            Self::Lags => "lags",
            Self::Multicast => "multicast",
            Self::Switch => "switch",
        }
    }
}

/// The items of a section other than the routes: small values by number (a port, a VLAN, a rule).
///
/// Its hash is the sum of the items' hashes, so that a change of one item updates it without
/// reading the others. Values are shared, because most ports of a fabric have the same settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionItems {
    items: BTreeMap<u64, Arc<[u8]>>,
    hash: u64,
}

/// The contribution of one item to a section's hash.
fn weight(key: u64, value: &[u8]) -> u64 {
    xxh3_64_with_seed(value, key)
}

impl SectionItems {
    /// Sets an item, or drops it.
    pub fn set(&mut self, key: u64, value: Option<Arc<[u8]>>) {
        let old = match value {
            Some(value) => {
                self.hash = self.hash.wrapping_add(weight(key, &value));
                self.items.insert(key, value)
            }
            None => self.items.remove(&key),
        };
        if let Some(old) = old {
            self.hash = self.hash.wrapping_sub(weight(key, &old));
        }
    }

    /// The value of an item.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<&Arc<[u8]>> {
        self.items.get(&key)
    }

    /// All items, by key.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Arc<[u8]>)> {
        self.items.iter().map(|(&key, value)| (key, value))
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// A hash that differs between different contents.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }
}

impl FromIterator<(u64, Arc<[u8]>)> for SectionItems {
    fn from_iter<I: IntoIterator<Item = (u64, Arc<[u8]>)>>(items: I) -> Self {
        let mut section = Self::default();
        for (key, value) in items {
            section.set(key, Some(value));
        }
        section
    }
}
