//! The configuration of each port: one item for each.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::ConfigId;
use philae_units::{PortIndex, SwitchId};

use crate::desired::sections::input::{BuiltSections, SectionInput};

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let mut encoded: BTreeMap<ConfigId, Arc<[u8]>> = BTreeMap::new();
    let mut made: BuiltSections<Vec<ConfigId>> = BuiltSections::new();
    move |switch| {
        let first = source.names.0.ports_of(switch).start;
        let ids: Vec<ConfigId> =
            source.names.0.ports_of(switch).map(|port| source.composition.port_config_id(PortIndex(port))).collect();
        made.get(ids, |ids| {
            let items = ids.iter().enumerate().map(|(number, &id)| {
                let port = PortIndex(first + number as u32);
                let value = encoded.entry(id).or_insert_with(|| {
                    serde_json::to_vec(source.composition.port(port)).expect("a configuration is plain").into()
                });
                (number as u64, Arc::clone(value))
            });
            items.collect()
        })
    }
}
