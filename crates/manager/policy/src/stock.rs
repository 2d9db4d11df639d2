//! Built-in documents: visible and usable by name, never changed.

use crate::settings::{FlowControl, PortSettings};
use crate::spec::{PortPolicySpec, QosClass, QosProfileSpec, Spec, TopologyPolicySpec};
use crate::{Document, DocumentKind, Selector};
use philae_traffic_class::{PROFILES, TrafficClass, profile};

/// The topology policy in force if no other is active.
pub const TEMPLATE_POLICY: &str = "template-policy";

/// Kinds and names of all built-in documents.
pub const NAMES: [(DocumentKind, &str); 6] = [
    (DocumentKind::TopologyPolicy, TEMPLATE_POLICY),
    (DocumentKind::QosProfile, PROFILES[0]),
    (DocumentKind::QosProfile, PROFILES[1]),
    (DocumentKind::QosProfile, PROFILES[2]),
    (DocumentKind::PortPolicy, "edge-policy"),
    (DocumentKind::PortPolicy, "fabric-policy"),
];

/// All built-in documents.
///
/// Names are those of the product's public documents. Their settings are ours: fabric links carry
/// every VLAN and no untagged frames.
#[must_use]
pub fn documents() -> Vec<Document> {
    let select = |text: &str| Selector::parse(text).ok();
    let edge = PortSettings {
        flow_control: FlowControl { rx: Some(true), tx: Some(true) },
        untagged_allowed: Some(true),
        ..PortSettings::default()
    };
    let fabric = PortSettings { untagged_allowed: Some(false), link_retry: Some(true), ..PortSettings::default() };
    let policy =
        |selector, settings| Spec::PortPolicy(PortPolicySpec { selector: select(selector), priority: 0, settings });
    let topology = TopologyPolicySpec {
        active: true,
        isolation_budget_links: Some(8),
        sweep_interval_milliseconds: Some(10_000),
        ..TopologyPolicySpec::default()
    };
    let mut documents = vec![
        Document::new(TEMPLATE_POLICY, Spec::TopologyPolicy(topology)),
        Document::new("edge-policy", policy("role=edge", edge)),
        Document::new("fabric-policy", policy("role in (local,global)", fabric)),
    ];
    documents.extend(PROFILES.iter().filter_map(|name| {
        let classes = classes(&profile(name)?);
        Some(Document::new(name, Spec::QosProfile(QosProfileSpec { classes })))
    }));
    documents
}

/// Combines pairs of network classes (requests, responses) into classes of a document. Priority
/// code points are the numbers of the network classes.
fn classes(network: &[TrafficClass]) -> Vec<QosClass> {
    let number = |name: &str| network.iter().position(|class| class.name == name).map(|at| at as u8);
    let is_response = |class: &TrafficClass| network.iter().any(|other| other.responses.as_ref() == Some(&class.name));
    let requests = network.iter().filter(|class| !is_response(class));
    let document = |class: &TrafficClass| {
        let response = class.responses.as_ref().and_then(|name| network.iter().find(|other| other.name == *name));
        QosClass {
            name: class.name.clone(),
            request_pcp: number(&class.name),
            response_pcp: response.and_then(|class| number(&class.name)),
            request_dscps: class.dscp.clone(),
            response_dscps: response.map(|class| class.dscp.clone()).unwrap_or_default(),
            assured_percent: class.assured_percent + response.map_or(0, |class| class.assured_percent),
            guaranteed_percent: 0,
            ceiling_percent: (class.ceiling_percent < 100).then_some(class.ceiling_percent),
            priority: class.priority,
            routing_bias_percent: class.nonminimal_bias_percent,
        }
    };
    requests.map(document).collect()
}

/// The network classes of a profile's document, for the checks of `philae_traffic_class`.
pub fn network_classes(spec: &QosProfileSpec) -> Vec<TrafficClass> {
    let class = |class: &QosClass| {
        let half = class.assured_percent / 2;
        let has_responses = class.response_pcp.is_some() || !class.response_dscps.is_empty();
        let name = format!("{}-response", class.name);
        let request = TrafficClass {
            dscp: class.request_dscps.clone(),
            priority: class.priority,
            assured_percent: if has_responses { class.assured_percent - half } else { class.assured_percent },
            reserved_percent: if has_responses {
                class.guaranteed_percent - class.guaranteed_percent / 2
            } else {
                class.guaranteed_percent
            },
            ceiling_percent: class.ceiling_percent.unwrap_or(100),
            nonminimal_bias_percent: class.routing_bias_percent,
            responses: has_responses.then(|| name.clone()),
            ..TrafficClass::named(&class.name)
        };
        let response = has_responses.then(|| TrafficClass {
            dscp: class.response_dscps.clone(),
            priority: class.priority.saturating_sub(1),
            assured_percent: half,
            reserved_percent: class.guaranteed_percent / 2,
            ceiling_percent: class.ceiling_percent.unwrap_or(100),
            ..TrafficClass::named(&name)
        });
        [Some(request), response].into_iter().flatten()
    };
    spec.classes.iter().flat_map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentSet;
    use philae_traffic_class::ClassSet;

    #[test]
    fn stock_documents_are_those_of_the_list_and_survive_being_written() {
        let documents = documents();
        assert_eq!(documents.len(), NAMES.len());
        for document in &documents {
            assert!(DocumentSet::is_stock(&document.reference()));
            assert_eq!(Document::from_value(&document.to_value()).as_ref(), Ok(document));
        }
    }

    #[test]
    fn stock_profiles_are_the_simulators_classes() {
        for document in documents() {
            let Spec::QosProfile(spec) = &document.spec else { continue };
            let classes = network_classes(spec);
            ClassSet::new(classes.clone(), 8).expect("they fit the first generation");
            let ours: Vec<_> = classes.iter().map(|class| (&class.name, class.assured_percent, &class.dscp)).collect();
            let theirs = profile(&document.name).expect("built in");
            let theirs: Vec<_> = theirs.iter().map(|class| (&class.name, class.assured_percent, &class.dscp)).collect();
            assert_eq!(ours, theirs, "{}", document.name);
        }
    }
}
