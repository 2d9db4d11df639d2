//! The settings of the switch itself: one item.

use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{Spec, SwitchConfig};
use philae_units::SwitchId;
use serde_json::json;

use crate::desired::item::value;
use crate::desired::sections::input::{BuiltSections, SectionInput};

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let bias = source.set.active_topology().and_then(|document| match &document.spec {
        Spec::TopologyPolicy(spec) => spec.nonminimal_bias_percent,
        _ => None,
    });
    let mut made: BuiltSections<&SwitchConfig> = BuiltSections::new();
    move |switch| {
        made.get(source.composition.switch(switch), |config| {
            let item = json!({
                "firmware": config.firmware,
                "telemetryPeriodSeconds": config.telemetry_period_seconds,
                "lldp": config.lldp,
                "managementVlan": config.management_vlan,
                "enabled": config.enabled,
                "nonminimalBiasPercent": bias,
            });
            std::iter::once((0, value(&item))).collect()
        })
    }
}
