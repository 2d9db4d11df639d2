//! Traffic classes: item 0 is the profile, items from 1 on its classes.

use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{DocumentKind, QosClass, QosProfileSpec, Spec};
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::desired::item::value;
use crate::desired::sections::input::{BuiltSections, SectionInput};
use crate::digest;

pub fn build(source: SectionInput<'_>) -> impl FnMut(SwitchId) -> Arc<SectionItems> {
    let mut made: BuiltSections<&str> = BuiltSections::new();
    move |switch| {
        let name = source.composition.switch(switch).qos_profile.as_str();
        made.get(name, |name| match source.set.get(DocumentKind::QosProfile, name).map(|found| &found.spec) {
            Some(Spec::QosProfile(spec)) => section(name, spec),
            _ => SectionItems::default(),
        })
    }
}

fn section(name: &str, spec: &QosProfileSpec) -> SectionItems {
    let profile = json!({ "profile": name, "hash": profile_hash(spec), "classes": spec.classes.len() });
    let classes = spec.classes.iter().enumerate().map(|(at, found)| (at as u64 + 1, value(&class(found))));
    std::iter::once((0, value(&profile))).chain(classes).collect()
}

fn class(class: &QosClass) -> Value {
    json!({
        "name": class.name,
        "requestPcp": class.request_pcp,
        "responsePcp": class.response_pcp,
        "requestDscps": class.request_dscps,
        "responseDscps": class.response_dscps,
        "assuredPercent": class.assured_percent,
        "guaranteedPercent": class.guaranteed_percent,
        "ceilingPercent": class.ceiling_percent,
        "priority": class.priority,
        "routingBiasPercent": class.routing_bias_percent,
    })
}

/// The text that a profile's hash is computed from: its classes as JSON without spaces, keys in
/// alphabetical order.
#[must_use]
pub fn profile_text(spec: &QosProfileSpec) -> String {
    Value::from(spec.classes.iter().map(class).collect::<Vec<_>>()).to_string()
}

/// The hash by which switches and hosts compare profiles: SHA-256 of [`profile_text`], as 64
/// hexadecimal digits.
#[must_use]
pub fn profile_hash(spec: &QosProfileSpec) -> String {
    digest::sha256_hex(profile_text(spec).as_bytes())
}
