//! The jobs that have leased NICs of switches.

use std::collections::{BTreeMap, BTreeSet};

use philae_inventory::PlannedFabric;
use philae_policy::{DocumentKind, DocumentSet, Spec, edge_port};
use philae_units::SwitchId;

use crate::incidents::counted;
use crate::names::FabricNames;

/// The jobs that have leased NICs of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leased {
    /// The documents with the leases.
    by: BTreeSet<String>,
}

impl Leased {
    pub(crate) fn words(&self) -> String {
        let first = self.by.first().map_or("", String::as_str);
        match self.by.len() {
            0 | 1 => format!("{first} to end, which has leased NICs of the switch; --force takes it"),
            many => format!(
                "{first} and {} to end, which have leased NICs of the switch; --force takes it",
                counted(many - 1, "more lease", "s")
            ),
        }
    }
}

/// Jobs that have leased NICs, by the switches of these NICs.
pub(crate) fn leased(set: &DocumentSet, names: &FabricNames, fabric: &PlannedFabric) -> BTreeMap<SwitchId, Leased> {
    let mut found: BTreeMap<SwitchId, Leased> = BTreeMap::new();
    for document in set.of(DocumentKind::VniBlock).chain(set.of(DocumentKind::Multicast)) {
        let ports = match &document.spec {
            Spec::VniBlock(block) => &block.edge_ports,
            Spec::Multicast(tree) => &tree.edge_ports,
            _ => continue,
        };
        let name = format!("{} '{}'", document.kind.singular(), document.name);
        for port in ports.iter().filter_map(|port| edge_port(port, names)) {
            let by = &mut found.entry(fabric.switch_of(port)).or_default().by;
            if !by.contains(&name) {
                by.insert(name.clone());
            }
        }
    }
    found
}
