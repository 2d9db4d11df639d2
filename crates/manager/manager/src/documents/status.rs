//! Documents with their status: which switches have their content, which do not, and why.

use philae_agent::ConfigSection;
use philae_policy::{Document, DocumentKind, DocumentRef, DocumentSet};
use philae_store::Object;
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::documents::keep::key_of;
use crate::manager::Manager;

/// Most switches that are named because they lack a document's content.
const NAMED: usize = 10;

/// One word on a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Condition {
    /// What it is about: Applied.
    #[serde(rename = "type")]
    pub sort: &'static str,
    /// True or False.
    pub status: &'static str,
    /// One word.
    pub reason: &'static str,
    /// One sentence.
    pub message: String,
    /// Seconds for which it has been so, as far as the switches' states show.
    pub last_transition_seconds_ago: f64,
}

/// A switch that does not have a document's configuration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Lacking {
    /// The switch, by name.
    pub switch: String,
    /// Why it does not have the configuration yet.
    pub reason: String,
}

/// The status of a document: how many switches have it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DocumentStatus", deny_unknown_fields)]
pub struct StatusView {
    /// How many different values it has had.
    pub generation: u64,
    /// The last of them that all of its switches have had.
    pub observed_generation: u64,
    /// Ports that it speaks of.
    pub ports: usize,
    /// Switches with such a port, or that it speaks of itself.
    pub switches: usize,
    /// Those that have the desired configuration.
    pub applied: usize,
    /// The first of the others.
    pub lacking: Vec<Lacking>,
    /// In words.
    pub conditions: Vec<Condition>,
}

/// A document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Document", deny_unknown_fields)]
pub struct DocumentView {
    /// What it is about.
    pub kind: String,
    /// Unique within the kind.
    pub name: String,
    /// For selectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<std::collections::BTreeMap<String, String>>")]
    pub labels: Option<Value>,
    /// Its content; the schema is that of its kind.
    pub spec: Value,
    /// Whether it is built in.
    pub stock: bool,
    /// The revision that last wrote it; built-in ones have none.
    pub revision: Option<u64>,
    /// Its status; absent for earlier revisions, and in lists without the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusView>,
    /// Seconds since its last change; in lists only with the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_seconds: Option<f64>,
}

impl DocumentView {
    /// A document as it is stored.
    #[must_use]
    pub fn of(document: &Document, kept: Option<&Object>) -> Self {
        let mut value = document.to_value();
        Self {
            kind: document.kind.singular().to_owned(),
            name: document.name.clone(),
            labels: value.get_mut("labels").map(Value::take),
            spec: value.get_mut("spec").map(Value::take).unwrap_or_default(),
            stock: DocumentSet::is_stock(&document.reference()),
            revision: kept.map(|object| object.modified.0),
            status: None,
            age_seconds: None,
        }
    }
}

/// A document of this name with its status, if it exists.
pub(crate) fn document_of(manager: &Manager, kind: DocumentKind, name: &str) -> Option<DocumentView> {
    let document = manager.documents.set().get(kind, name)?;
    let reference = document.reference();
    let snapshot = manager.documents.store().snapshot();
    let kept = key_of(&reference).ok().and_then(|key| snapshot.get(&key).cloned());
    let mut view = DocumentView::of(document, kept.as_ref());
    view.status = Some(status(manager, &reference, kept.as_ref()));
    Some(view)
}

/// The status of a present document.
pub(crate) fn status_of(manager: &Manager, reference: &DocumentRef) -> StatusView {
    let snapshot = manager.documents.store().snapshot();
    let kept = key_of(reference).ok().and_then(|key| snapshot.get(&key).cloned());
    status(manager, reference, kept.as_ref())
}

/// How far a document is applied.
fn status(manager: &Manager, reference: &DocumentRef, kept: Option<&Object>) -> StatusView {
    let (ports, switches) = reach(manager, reference);
    let control = &manager.control_loop.control;
    let now_ms = manager.control_loop.now_ms();
    let (mut applied, mut lacking) = (0, Vec::new());
    let (mut newest_ms, mut oldest_ms) = (0, u64::MAX);
    for &switch in &switches {
        let view = control.device(switch);
        let has = view
            .sections
            .iter()
            .all(|(section, desired, observed, ..)| *section == ConfigSection::Routes || desired == observed);
        if has {
            applied += 1;
            newest_ms = newest_ms.max(view.since_ms);
            continue;
        }
        oldest_ms = oldest_ms.min(view.since_ms);
        if lacking.len() < NAMED {
            let reason = format!("{}: {}", view.state.name(), view.cause);
            lacking.push(Lacking { switch: manager.switch_name(switch), reason });
        }
    }
    let generation = kept.map_or(1, |object| object.generation);
    let all = applied == switches.len();
    let since_ms = if all { newest_ms } else { oldest_ms };
    let (status, reason) = match (all, switches.is_empty()) {
        (_, true) => ("True", "ReachesNothing"),
        (true, _) => ("True", "Applied"),
        (false, _) => ("False", "SwitchesLack"),
    };
    let message = match (switches.len(), lacking.first()) {
        (0, _) => "it applies to no switch and no port at present".to_owned(),
        (count, None) => format!("all {count} switches have it"),
        (count, Some(first)) => {
            format!("{applied} of {count} switches have it; {} is {}", first.switch, first.reason)
        }
    };
    let last_transition_seconds_ago = now_ms.saturating_sub(since_ms) as f64 / 1e3;
    StatusView {
        generation,
        observed_generation: if all { generation } else { generation.saturating_sub(1) },
        ports: ports.len(),
        switches: switches.len(),
        applied,
        lacking,
        conditions: vec![Condition { sort: "Applied", status, reason, message, last_transition_seconds_ago }],
    }
}

/// Ports and switches that a document concerns, and the switches that have something of it.
fn reach(manager: &Manager, reference: &DocumentRef) -> (Vec<PortIndex>, Vec<SwitchId>) {
    let reach = manager.documents.composition().reach(reference);
    let mut switches = reach.switches;
    switches.extend(reach.ports.iter().map(|&port| manager.fabric.switch_of(port)));
    if switches.is_empty() && !DocumentSet::is_stock(reference) {
        switches.extend(manager.effect_of_absence(reference).switches());
    }
    switches.sort_unstable();
    switches.dedup();
    (reach.ports, switches)
}
