//! The effect of a change, before or after it is made: warnings, its reach, and the effect on
//! ports.

use std::collections::BTreeMap;

use philae_inventory::PlannedFabric;
use philae_policy::{Admitted, Composition, ConfigId};
use philae_units::PortIndex;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Names in a list that is cut off.
const FIRST: usize = 10;
/// Warnings of one kind that are listed separately.
const ALIKE: usize = 3;
/// Kinds of changes of ports in an answer.
const PORT_CHANGES_MAX: usize = 100;

/// What a change reaches.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct BlastRadius {
    /// Ports whose configuration changes.
    pub ports: usize,
    /// Switches whose configuration changes, or that of one of their ports.
    pub switches: usize,
    /// The first of them.
    pub first_switches: Vec<String>,
    /// Links with such a port.
    pub links: usize,
    /// Pairs of groups that lose their last direct link.
    pub group_pairs_cut_off: Vec<[u32; 2]>,
    /// NICs whose ports are switched off.
    pub nics_cut_off: usize,
    /// The first of their nodes.
    pub first_nodes_cut_off: Vec<String>,
    /// Pairs of switches without a path, each counted once: before and after.
    pub switch_pairs_without_way: [u64; 2],
    /// Sections of switches that change, with how many switches each.
    pub sections: BTreeMap<&'static str, usize>,
    /// Switches that get something sent.
    pub sent_to: usize,
}

/// A field of a port's configuration that changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FieldChange {
    /// The field, as a JSON pointer.
    pub field: &'static str,
    /// The value before.
    pub before: Value,
    /// The value after.
    pub after: Value,
    /// The document that sets it.
    pub from: String,
}

/// A change that is the same for several ports.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PortChange {
    /// Number of these ports.
    pub ports: usize,
    /// The first of them.
    pub first_ports: Vec<String>,
    /// What changes.
    pub fields: Vec<FieldChange>,
}

/// The effect of a change, made or planned.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Report {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Documents that it makes, replaces or deletes.
    pub documents: usize,
    /// Warnings.
    pub warnings: Vec<String>,
    /// What it reaches.
    pub blast_radius: BlastRadius,
    /// What becomes of ports, most ports first.
    pub port_changes: Vec<PortChange>,
    /// The losses, in words, if pairs of switches would lose each other: such a change requires
    /// force=true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts_off: Option<String>,
    /// Why it would be refused now: during a freeze, outside maintenance windows, or because pairs
    /// of switches would lose each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_now: Option<String>,
    /// The change's revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// Whether a document was made that was not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<bool>,
    /// Whether the same had been done before, under the same idempotency key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<bool>,
    /// The operation that brings it to switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Until when it has to be confirmed, microseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_until_micros: Option<u64>,
}

/// The effect of an admitted change.
#[must_use]
pub fn report(fabric: &PlannedFabric, before: &Composition, admitted: &Admitted, documents: usize) -> Report {
    let blast = &admitted.blast;
    Report {
        documents,
        warnings: warnings(&admitted.warnings),
        blast_radius: BlastRadius {
            ports: blast.ports.len(),
            switches: blast.switches.len(),
            first_switches: blast
                .switches
                .iter()
                .take(FIRST)
                .map(|&switch| fabric.bmc_xname(switch).to_string())
                .collect(),
            links: blast.links.len(),
            group_pairs_cut_off: blast.groups_cut_off.iter().map(|(one, other)| [one.0, other.0]).collect(),
            ..BlastRadius::default()
        },
        port_changes: port_changes(fabric, before, &admitted.composition, &blast.ports),
        ..Report::default()
    }
}

/// Warnings in words: many of one kind become one.
fn warnings(found: &[philae_policy::PolicyProblem]) -> Vec<String> {
    let mut sorts: BTreeMap<(philae_policy::PolicyCode, String), Vec<String>> = BTreeMap::new();
    for problem in found {
        let document = problem.document.as_ref().map_or_else(String::new, ToString::to_string);
        sorts.entry((problem.code, document)).or_default().push(problem.to_string());
    }
    let told = sorts.into_values().flat_map(|alike| match alike.len() {
        0..=ALIKE => alike,
        count => vec![format!("{}; and {} more such", alike[0], count - 1)],
    });
    told.collect()
}

/// Groups ports that change in the same way: there are few kinds of changes, no matter how many
/// ports.
fn port_changes(
    fabric: &PlannedFabric,
    before: &Composition,
    after: &Composition,
    ports: &[PortIndex],
) -> Vec<PortChange> {
    let mut alike: BTreeMap<(ConfigId, ConfigId), (usize, Vec<PortIndex>)> = BTreeMap::new();
    for &port in ports {
        let (count, first) = alike.entry((before.port_config_id(port), after.port_config_id(port))).or_default();
        *count += 1;
        if first.len() < FIRST {
            first.push(port);
        }
    }
    let mut changes: Vec<PortChange> = alike
        .into_values()
        .map(|(count, first)| {
            let fields = before.explain_port(first[0]).into_iter().zip(after.explain_port(first[0]));
            let fields = fields.filter(|(old, new)| old.1 != new.1).map(|(old, new)| FieldChange {
                field: new.0,
                before: old.1,
                after: new.1,
                from: new.2.to_string(),
            });
            PortChange {
                ports: count,
                fields: fields.collect(),
                first_ports: first.into_iter().map(|port| fabric.link_xname(port).to_string()).collect(),
            }
        })
        .collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.ports));
    changes.truncate(PORT_CHANGES_MAX);
    changes
}
