//! VLANs: one item for each VLAN. A switch gets those that may pass one of its ports, its
//! management VLAN, and those that a VXLAN which ends at the switch carries. VLAN 1 always exists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{ConfigId, Document, DocumentKind, FabricView, PortRole, Spec, VlanSpec, VxlanSpec};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::desired::item::value;
use crate::desired::sections::input::{BuiltSections, SectionInput};

/// The input for a section of VLANs: the VLANs, and the VXLANs that end at the switch, which name
/// it.
type Key = (BTreeSet<u16>, Option<(SwitchId, Vec<usize>)>);

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let known: BTreeMap<u16, &Document> = source
        .set
        .of(DocumentKind::Vlan)
        .filter_map(|document| match &document.spec {
            Spec::Vlan(VlanSpec { id, .. }) => Some((*id, document)),
            _ => None,
        })
        .collect();
    let vxlans: Vec<(u16, &VxlanSpec)> = source
        .set
        .of(DocumentKind::Vxlan)
        .filter_map(|document| match &document.spec {
            Spec::Vxlan(spec) => {
                let id = known.iter().find(|(_, vlan)| vlan.name == spec.vlan).map(|(id, _)| *id);
                // VLAN 1 has no document of its own.
                Some((id?, spec))
            }
            _ => None,
        })
        .collect();
    let mut ends: BTreeMap<SwitchId, Vec<usize>> = BTreeMap::new();
    for (at, (_, spec)) in vxlans.iter().enumerate() {
        for switch in spec.vteps.iter().filter_map(|name| source.names.find_switch(name)) {
            ends.entry(switch).or_default().push(at);
        }
    }
    let mut of_config: BTreeMap<ConfigId, BTreeSet<u16>> = BTreeMap::new();
    let mut made: BuiltSections<Key> = BuiltSections::new();
    move |switch| {
        let mut vlans = BTreeSet::from([source.composition.switch(switch).management_vlan]);
        let mut last = None;
        for port in source.names.0.ports_of(switch).map(PortIndex) {
            let id = source.composition.port_config_id(port);
            if last == Some(id) || source.names.role(port) == PortRole::Unused {
                continue;
            }
            last = Some(id);
            let passing = of_config.entry(id).or_insert_with(|| {
                let config = source.composition.port(port);
                let mut passing: BTreeSet<u16> = config.allowed_vlans.iter().copied().collect();
                passing.insert(config.native_vlan);
                if config.allowed_vlans.is_empty() {
                    passing.extend(known.keys());
                }
                passing
            });
            if !passing.is_subset(&vlans) {
                vlans.extend(passing.iter());
            }
        }
        let ending = ends.get(&switch);
        vlans.extend(ending.into_iter().flatten().map(|&at| vxlans[at].0));
        vlans.retain(|id| known.contains_key(id));
        made.get((vlans, ending.map(|ending| (switch, ending.clone()))), |(vlans, ending)| {
            let carried = |id: u16| -> Vec<Value> {
                let ending = ending.iter().flat_map(|(_, ending)| ending).map(|&at| &vxlans[at]);
                let vxlan = |(_, spec): &(u16, &VxlanSpec)| {
                    let others = spec.vteps.iter().filter(|name| source.names.find_switch(name) != Some(switch));
                    json!({ "vni": spec.vni, "remote": others.collect::<BTreeSet<_>>() })
                };
                ending.filter(|(vlan, _)| *vlan == id).map(vxlan).collect()
            };
            let item = |id: &u16| {
                let vlan = json!({ "name": known[id].name, "vxlans": carried(*id) });
                (u64::from(*id), value(&vlan))
            };
            vlans.iter().map(item).collect()
        })
    }
}
