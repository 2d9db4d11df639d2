//! Link aggregation groups: one item for each, numbered by its lowest port.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{DocumentKind, FabricView, LacpTimeout, LagMode, Spec};
use philae_units::SwitchId;
use serde_json::json;

use crate::desired::item::value;
use crate::desired::sections::input::SectionInput;

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let mut of_switch: BTreeMap<SwitchId, SectionItems> = BTreeMap::new();
    for document in source.set.of(DocumentKind::Lag) {
        let Spec::Lag(spec) = &document.spec else { continue };
        let mut ports: Vec<_> = spec.port_links.iter().filter_map(|name| source.names.find_port(name)).collect();
        ports.sort_unstable();
        let Some(&first) = ports.first() else { continue };
        let numbers: Vec<u8> = ports.iter().map(|port| source.names.0.number_of(*port).0).collect();
        let mode = match spec.mode {
            LagMode::LacpActive => "lacp-active",
            LagMode::LacpPassive => "lacp-passive",
            LagMode::Static => "static",
        };
        let timeout = match spec.lacp_timeout {
            LacpTimeout::Long => "long",
            LacpTimeout::Short => "short",
        };
        let key = u64::from(numbers[0]);
        let item = json!({ "name": document.name, "ports": numbers, "mode": mode, "lacpTimeout": timeout });
        of_switch.entry(source.names.switch_of(first)).or_default().set(key, Some(value(&item)));
    }
    let empty = Arc::new(SectionItems::default());
    move |switch| of_switch.remove(&switch).map_or_else(|| Arc::clone(&empty), Arc::new)
}
