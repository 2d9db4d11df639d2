//! Access lists: one item for each rule, at the switches with a port that names the list. An item's
//! number is the list's number times 65,536, plus the rule's priority.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{AclAction, AclRule, ConfigId, DocumentKind, Spec};
use philae_units::{PortIndex, SwitchId};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::desired::item::value;
use crate::desired::sections::input::{BuiltSections, SectionInput};

/// Numbers of lists that follow from their names, so that a new list does not renumber others. If
/// two hashes are equal, the second list by name gets the next number.
fn numbers<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, u32> {
    let mut taken = BTreeSet::new();
    let number = |name: &'a str| {
        let mut number = xxh3_64(name.as_bytes()) as u32;
        while !taken.insert(number) {
            number = number.wrapping_add(1);
        }
        (name, number)
    };
    names.map(number).collect()
}

fn rule(acl: &str, rule: &AclRule) -> serde_json::Value {
    let found = &rule.r#match;
    let action = match rule.action {
        AclAction::Deny => "deny",
        AclAction::Permit => "permit",
        AclAction::Count => "count",
    };
    json!({
        "acl": acl,
        "priority": rule.priority,
        "match": {
            "etherType": found.ether_type,
            "sourceMac": found.source_mac,
            "destinationMac": found.destination_mac,
            "vlan": found.vlan,
            "sourceNetwork": found.source_network,
            "destinationNetwork": found.destination_network,
            "protocol": found.protocol,
            "destinationPorts": found.destination_ports,
            "vni": found.vni,
        },
        "action": action,
    })
}

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let numbers = numbers(source.set.of(DocumentKind::Acl).map(|document| document.name.as_str()));
    let mut made: BuiltSections<BTreeSet<&str>> = BuiltSections::new();
    move |switch| {
        let mut used = BTreeSet::new();
        let mut last: Option<ConfigId> = None;
        for port in source.names.0.ports_of(switch).map(PortIndex) {
            let id = source.composition.port_config_id(port);
            if last.replace(id) != Some(id) {
                used.extend(source.composition.port(port).acls.iter().map(String::as_str));
            }
        }
        made.get(used, |used| {
            let lists = used.iter().filter_map(|name| match &source.set.get(DocumentKind::Acl, name)?.spec {
                Spec::Acl(spec) => Some((*name, u64::from(*numbers.get(name)?), &spec.rules)),
                _ => None,
            });
            let items = lists.flat_map(|(name, number, rules)| {
                rules.iter().map(move |found| (number << 16 | u64::from(found.priority), value(&rule(name, found))))
            });
            items.collect()
        })
    }
}
