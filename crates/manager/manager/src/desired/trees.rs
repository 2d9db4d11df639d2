//! The trees of multicasts on live links: which switches copy packets to which ports.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{DocumentKind, DocumentSet, MulticastSpec, Spec, edge_port};
use philae_route_tables::{MulticastTree, RoutePlan};
use philae_units::{PortIndex, SwitchId};
use serde_json::json;

use crate::desired::item::value;
use crate::names::FabricNames;

/// A multicast and its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MulticastGroup {
    /// Its document's name.
    pub name: String,
    /// The session that it belongs to.
    pub session: String,
    /// Edge ports of the members, the root first.
    pub members: Vec<PortIndex>,
    /// The tree; empty before the fabric came up.
    pub tree: Arc<MulticastTree>,
}

/// All trees, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MulticastGroups {
    by_address: BTreeMap<u16, MulticastGroup>,
    /// The generation of the tables that they were made with; 0: none.
    generation: u64,
}

impl MulticastGroups {
    /// The trees of these documents on the live links. Trees that are unchanged, and whose links
    /// still work, are kept.
    #[must_use]
    pub fn updated(&self, set: &DocumentSet, names: &FabricNames, plan: Option<&RoutePlan>) -> Self {
        let generation = plan.map_or(0, |plan| plan.generation().0);
        let grown = generation != self.generation;
        let mut by_address = BTreeMap::new();
        for document in set.of(DocumentKind::Multicast) {
            let Spec::Multicast(MulticastSpec { session, address, edge_ports, .. }) = &document.spec else { continue };
            let members: Vec<PortIndex> = edge_ports.iter().filter_map(|name| edge_port(name, names)).collect();
            let known = self.by_address.get(address).filter(|known| {
                known.name == document.name
                    && known.members == members
                    && plan.is_some_and(|plan| known.tree.is_live(plan))
                    && known.tree.switches().next().is_some()
                    // Members without a path may have one by now.
                    && (!grown || known.tree.unreached().is_empty())
            });
            let tree = match (known, plan) {
                (Some(known), _) => Arc::clone(&known.tree),
                (None, Some(plan)) => Arc::new(MulticastTree::new(plan, &members)),
                (None, None) => Arc::default(),
            };
            let name = document.name.clone();
            by_address.insert(*address, MulticastGroup { name, session: session.clone(), members, tree });
        }
        Self { by_address, generation }
    }

    /// Whether tables have changed since the trees were made, so that [`Self::updated`] may find
    /// others.
    #[must_use]
    pub fn is_behind(&self, plan: Option<&RoutePlan>) -> bool {
        !self.by_address.is_empty() && plan.is_some_and(|plan| plan.generation().0 != self.generation)
    }

    /// All of them, by address.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &MulticastGroup)> {
        self.by_address.iter().map(|(&address, tree)| (address, tree))
    }

    /// The tree of an address.
    #[must_use]
    pub fn get(&self, address: u16) -> Option<&MulticastGroup> {
        self.by_address.get(&address)
    }

    /// The desired sections of switches: one item for each tree, by its address.
    pub fn build(&self) -> impl FnMut(SwitchId) -> Arc<SectionItems> + use<> {
        let mut of_switch: BTreeMap<SwitchId, SectionItems> = BTreeMap::new();
        for (&address, tree) in &self.by_address {
            for (switch, part) in tree.tree.switches() {
                let down: Vec<u8> = (0..64).filter(|port| part.down >> port & 1 == 1).collect();
                let item = json!({ "session": tree.session, "up": part.up.0, "down": down });
                of_switch.entry(switch).or_default().set(u64::from(address), Some(value(&item)));
            }
        }
        let empty = Arc::new(SectionItems::default());
        move |switch| of_switch.remove(&switch).map_or_else(|| Arc::clone(&empty), Arc::new)
    }
}
