//! VNIs: one item for each edge port, with the ranges that it may use. A block without ports
//! applies to its partition's ports, a partition without ports to every edge port.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{DocumentKind, FabricView, PortRole, Spec, edge_port, vni_range};
use philae_units::{PortIndex, SwitchId};
use serde_json::json;

use crate::desired::item::value;
use crate::desired::sections::input::{BuiltSections, SectionInput};

/// First and last VNI of each range, in order; no range touches another.
type Ranges = Vec<(u32, u32)>;

fn merged(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut merged: Ranges = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.0 <= last.1.saturating_add(1) => last.1 = last.1.max(range.1),
            _ => merged.push(range),
        }
    }
    merged
}

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let mut everywhere: Ranges = Vec::new();
    let mut own: BTreeMap<PortIndex, Ranges> = BTreeMap::new();
    for document in source.set.of(DocumentKind::VniBlock) {
        let Spec::VniBlock(block) = &document.spec else { continue };
        let ranges: Ranges = block.vni_ranges.iter().filter_map(|text| vni_range(text)).collect();
        let partition = source.set.get(DocumentKind::VniPartition, &block.partition).map(|found| &found.spec);
        let ports = match partition {
            Some(Spec::VniPartition(partition)) if block.edge_ports.is_empty() => &partition.edge_ports,
            _ => &block.edge_ports,
        };
        if ports.is_empty() {
            everywhere.extend(ranges);
            continue;
        }
        for port in ports.iter().filter_map(|name| edge_port(name, source.names)) {
            own.entry(port).or_default().extend(&ranges);
        }
    }
    let everywhere = merged(everywhere);
    let mut made: BuiltSections<Vec<(u8, Ranges)>> = BuiltSections::new();
    move |switch| {
        let edges = source.names.0.ports_of(switch).map(PortIndex);
        let allowed = edges.filter(|port| source.names.role(*port) == PortRole::Edge).filter_map(|port| {
            let ranges = match own.get(&port) {
                Some(own) => merged(own.iter().chain(&everywhere).copied().collect()),
                None => everywhere.clone(),
            };
            (!ranges.is_empty()).then(|| (source.names.0.number_of(port).0, ranges))
        });
        made.get(allowed.collect(), |ports| {
            let item = |(port, ranges): &(u8, Ranges)| (u64::from(*port), value(&json!({ "ranges": ranges })));
            ports.iter().map(item).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(merged(vec![(10, 20), (1, 2), (15, 30), (31, 31), (40, 50)]), [(1, 2), (10, 31), (40, 50)]);
        assert_eq!(merged(Vec::new()), []);
    }
}
