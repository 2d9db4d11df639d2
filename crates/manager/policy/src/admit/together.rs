//! Checks of documents against each other and against the fabric.

use super::alone::{overlap, vni_range};
use super::is_inventory;
use crate::compose::SwitchSubject;
use crate::problem::{PolicyCode, PolicyProblem};
use crate::spec::Spec;
use crate::{
    Composition, ConfigId, Document, DocumentChange, DocumentKind, DocumentRef, DocumentSet, FabricView, Origin,
    PortRole, Selector,
};
use philae_units::{LinkRate, PortIndex, SwitchId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The documents that a document names: the position, and the document.
fn references(document: &Document) -> Vec<(String, DocumentRef)> {
    let list = |pointer: &str, kind: DocumentKind, names: &[String]| {
        names.iter().enumerate().map(|(at, name)| (format!("{pointer}/{at}"), DocumentRef::new(kind, name))).collect()
    };
    let one = |pointer: &str, kind: DocumentKind, name: &str| vec![(pointer.to_owned(), DocumentRef::new(kind, name))];
    let qos = |pointer: &str, name: &Option<String>| {
        name.iter().flat_map(|name| one(pointer, DocumentKind::QosProfile, name)).collect::<Vec<_>>()
    };
    let acls = |at: &str, names: &Option<Vec<String>>| {
        list(&format!("{at}/acls"), DocumentKind::Acl, names.as_deref().unwrap_or_default())
    };
    match &document.spec {
        Spec::Port(spec) => {
            let policies: Vec<_> = list("/spec/portPolicyLinks", DocumentKind::PortPolicy, &spec.port_policy_links);
            [policies, acls("/spec/settings", &spec.settings.acls)].concat()
        }
        Spec::PortPolicy(spec) => acls("/spec/settings", &spec.settings.acls),
        Spec::Link(spec) => list("/spec/linkPolicyLinks", DocumentKind::LinkPolicy, &spec.link_policy_links),
        Spec::Switch(spec) => {
            let policies: Vec<_> =
                list("/spec/switchPolicyLinks", DocumentKind::SwitchPolicy, &spec.switch_policy_links);
            [policies, qos("/spec/settings/qosProfile", &spec.settings.qos_profile)].concat()
        }
        Spec::SwitchPolicy(spec) => qos("/spec/settings/qosProfile", &spec.settings.qos_profile),
        Spec::TopologyPolicy(spec) => [
            qos("/spec/nicQosProfile", &spec.nic_qos_profile),
            qos("/spec/switchDefaults/qosProfile", &spec.switch_defaults.qos_profile),
            acls("/spec/portDefaults", &spec.port_defaults.acls),
        ]
        .concat(),
        Spec::VniBlock(spec) => one("/spec/partition", DocumentKind::VniPartition, &spec.partition),
        Spec::Vxlan(spec) => one("/spec/vlan", DocumentKind::Vlan, &spec.vlan),
        Spec::Multicast(spec) => one("/spec/session", DocumentKind::CollectiveSession, &spec.session),
        _ => Vec::new(),
    }
}

/// VLANs that a document names by number.
fn vlan_ids(document: &Document) -> Vec<(String, u16)> {
    let of = |at: &str, settings: &crate::PortSettings| {
        let allowed = settings.allowed_vlans.iter().flatten().enumerate();
        let mut ids: Vec<_> = allowed.map(|(index, id)| (format!("{at}/allowedVlans/{index}"), *id)).collect();
        ids.extend(settings.native_vlan.map(|id| (format!("{at}/nativeVlan"), id)));
        ids
    };
    let management =
        |at: &str, id: Option<u16>| id.map(|id| (format!("{at}/managementVlan"), id)).into_iter().collect();
    let mut ids = match &document.spec {
        Spec::Port(spec) => of("/spec/settings", &spec.settings),
        Spec::PortPolicy(spec) => of("/spec/settings", &spec.settings),
        Spec::TopologyPolicy(spec) => of("/spec/portDefaults", &spec.port_defaults),
        Spec::SwitchPolicy(spec) => management("/spec/settings", spec.settings.management_vlan),
        Spec::Switch(spec) => management("/spec/settings", spec.settings.management_vlan),
        _ => Vec::new(),
    };
    // VLAN 1 always exists.
    ids.retain(|(_, id)| *id != 1);
    ids
}

/// The selector of a policy or window.
pub(super) fn selector_of(document: &Document) -> Option<&Selector> {
    match &document.spec {
        Spec::PortPolicy(spec) => spec.selector.as_ref(),
        Spec::LinkPolicy(spec) => spec.selector.as_ref(),
        Spec::SwitchPolicy(spec) => spec.selector.as_ref(),
        Spec::MaintenanceWindow(spec) => spec.selector.as_ref(),
        _ => None,
    }
}

impl Selector {
    /// Whether it selects any port (switch, link) of the fabric.
    pub(super) fn selects_any(&self, set: &DocumentSet, kind: DocumentKind, fabric: &dyn FabricView) -> bool {
        let name = RefCell::new(String::new());
        if matches!(kind, DocumentKind::SwitchPolicy | DocumentKind::MaintenanceWindow) {
            let labelled: BTreeMap<u32, &Document> = set
                .of(DocumentKind::Switch)
                .filter_map(|found| Some((fabric.find_switch(&found.name)?.0, found)))
                .collect();
            return (0..fabric.switch_count()).map(SwitchId).any(|switch| {
                let document = labelled.get(&switch.0).copied();
                self.matches(&SwitchSubject { fabric, switch, document, name: &name })
            });
        }
        crate::compose::selects_any_port(self, set, kind == DocumentKind::LinkPolicy, fabric)
    }
}

pub(super) fn check(
    before: &DocumentSet,
    after: &DocumentSet,
    changes: &[DocumentChange],
    fabric: &dyn FabricView,
    problems: &mut Vec<PolicyProblem>,
) {
    let mut gone = BTreeSet::new();
    for change in changes {
        match change {
            DocumentChange::Put(document) => {
                let reference = document.reference();
                let mut found = Vec::new();
                check_references(after, document, &mut found);
                check_elements(document, fabric, &mut found);
                problems.extend(found.into_iter().map(|problem| problem.of(&reference)));
            }
            DocumentChange::Delete(reference) => {
                let id = before.get(reference.kind, &reference.name).and_then(vlan_id);
                gone.extend(id);
                check_in_use(after, reference, id, problems);
            }
        }
    }
    let kinds: BTreeSet<DocumentKind> = changes.iter().map(|change| change.reference().kind).collect();
    let any = |list: &[DocumentKind]| list.iter().any(|kind| kinds.contains(kind));
    if any(&[
        DocumentKind::Vlan,
        DocumentKind::Port,
        DocumentKind::PortPolicy,
        DocumentKind::TopologyPolicy,
        DocumentKind::SwitchPolicy,
        DocumentKind::Switch,
    ]) {
        check_vlans(after, &gone, problems);
    }
    if any(&[DocumentKind::VniBlock, DocumentKind::VniPartition]) {
        check_vnis(after, fabric, problems);
    }
    if any(&[DocumentKind::Lag]) {
        check_lag_members(after, fabric, problems);
    }
    if any(&[DocumentKind::Vxlan]) {
        unique(after, DocumentKind::Vxlan, "/spec/vni", problems, |document| match &document.spec {
            Spec::Vxlan(spec) => Some(spec.vni),
            _ => None,
        });
    }
    if any(&[DocumentKind::Multicast, DocumentKind::CollectiveSession]) {
        check_multicasts(after, problems);
    }
    if any(&[DocumentKind::TopologyPolicy]) {
        let active = after.of(DocumentKind::TopologyPolicy).filter(|document| {
            matches!(&document.spec, Spec::TopologyPolicy(spec) if spec.active)
                && !DocumentSet::is_stock(&document.reference())
        });
        for pair in active.collect::<Vec<_>>().windows(2) {
            let problem = PolicyProblem::new(PolicyCode::Conflict, "/spec/active", "two topology policies are active");
            problems.push(problem.works("one").of(&pair[1].reference()).with(pair[0].reference()));
        }
    }
}

fn check_references(after: &DocumentSet, document: &Document, found: &mut Vec<PolicyProblem>) {
    for (pointer, wanted) in references(document) {
        if !after.contains(&wanted) {
            let known = after.of(wanted.kind).map(|document| document.name.as_str());
            let problem =
                PolicyProblem::new(PolicyCode::UnknownDocument, pointer, format!("there is no such {}", wanted.kind));
            found.push(problem.found(format!("'{}'", wanted.name)).near(&wanted.name, known));
        }
    }
}

/// The number of a VLAN.
const fn vlan_id(document: &Document) -> Option<u16> {
    match &document.spec {
        Spec::Vlan(spec) => Some(spec.id),
        _ => None,
    }
}

fn check_in_use(after: &DocumentSet, gone: &DocumentRef, vlan: Option<u16>, problems: &mut Vec<PolicyProblem>) {
    let users: Vec<DocumentRef> = after
        .iter()
        .filter(|document| {
            references(document).iter().any(|(_, wanted)| wanted == gone)
                || vlan.is_some_and(|vlan| vlan_ids(document).iter().any(|(_, id)| *id == vlan))
        })
        .map(Document::reference)
        .collect();
    let is_replaced = vlan.is_some() && after.of(DocumentKind::Vlan).any(|document| vlan_id(document) == vlan);
    if !users.is_empty() && !is_replaced {
        let names: Vec<String> = users.iter().map(DocumentRef::to_string).collect();
        let message = format!("it is used by {}", names.join(", "));
        let mut problem =
            PolicyProblem::new(PolicyCode::InUse, "", message).works("removing it from those first").of(gone);
        problem.others = users;
        problems.push(problem);
    }
}

fn unknown(pointer: String, what: &str, name: &str, nearest: Option<String>) -> PolicyProblem {
    let mut problem = PolicyProblem::new(PolicyCode::UnknownElement, pointer, format!("the fabric has no such {what}"));
    problem.nearest = nearest;
    problem.found(format!("'{name}'"))
}

/// An edge port by name or 20-bit address; any port by its name.
#[must_use]
pub fn edge_port(name: &str, fabric: &dyn FabricView) -> Option<PortIndex> {
    let address = name.strip_prefix("0x").map_or_else(|| name.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
    fabric.find_port(name).or_else(|| address.and_then(|address| fabric.port_at(address)))
}

fn check_elements(document: &Document, fabric: &dyn FabricView, found: &mut Vec<PolicyProblem>) {
    let name = &document.name;
    match document.kind {
        DocumentKind::Port if fabric.find_port(name).is_none() => {
            found.push(unknown("/name".to_owned(), "port", name, fabric.nearest_port(name)));
        }
        DocumentKind::Switch if fabric.find_switch(name).is_none() => {
            found.push(unknown("/name".to_owned(), "switch", name, fabric.nearest_switch(name)));
        }
        DocumentKind::Link => match fabric.find_link(name) {
            None => found.push(unknown("/name".to_owned(), "link", name, None)),
            Some((one, other)) if fabric.link_name(one, other) != *name => {
                let works = format!("'{}'", fabric.link_name(one, other));
                let problem =
                    PolicyProblem::new(PolicyCode::BadName, "/name", "the ports of a link are named in order");
                found.push(problem.found(format!("'{name}'")).works(works));
            }
            Some(_) => {}
        },
        _ => {}
    }
    let (edge_ports, vteps): (&[String], &[String]) = match &document.spec {
        Spec::VniPartition(spec) => (&spec.edge_ports, &[]),
        Spec::VniBlock(spec) => (&spec.edge_ports, &[]),
        Spec::Multicast(spec) => (&spec.edge_ports, &[]),
        Spec::Vxlan(spec) => (&[], &spec.vteps),
        _ => (&[], &[]),
    };
    for (at, name) in edge_ports.iter().enumerate() {
        let pointer = format!("/spec/edgePorts/{at}");
        match edge_port(name, fabric) {
            None => found.push(unknown(pointer, "edge port", name, fabric.nearest_port(name))),
            Some(port) if fabric.role(port) != PortRole::Edge => {
                let problem = PolicyProblem::new(PolicyCode::WrongRole, pointer, "this is not an edge port");
                found.push(problem.found(format!("'{name}', a {} port", fabric.role(port).name())));
            }
            Some(_) => {}
        }
    }
    for (at, name) in vteps.iter().enumerate().filter(|(_, name)| fabric.find_switch(name).is_none()) {
        found.push(unknown(format!("/spec/vteps/{at}"), "switch", name, fabric.nearest_switch(name)));
    }
    if let Spec::Lag(spec) = &document.spec {
        check_lag(&spec.port_links, fabric, found);
    }
}

fn check_lag(names: &[String], fabric: &dyn FabricView, found: &mut Vec<PolicyProblem>) {
    let mut first: Option<(SwitchId, &String)> = None;
    for (at, name) in names.iter().enumerate() {
        let pointer = format!("/spec/portLinks/{at}");
        let Some(port) = fabric.find_port(name) else {
            found.push(unknown(pointer, "port", name, fabric.nearest_port(name)));
            continue;
        };
        if fabric.role(port) != PortRole::Edge {
            let problem = PolicyProblem::new(PolicyCode::WrongRole, pointer.clone(), "only edge ports form a LAG");
            found.push(problem.found(format!("'{name}', a {} port", fabric.role(port).name())));
        }
        let switch = fabric.switch_of(port);
        let (known, of) = *first.get_or_insert((switch, name));
        if known != switch {
            let problem = PolicyProblem::new(PolicyCode::Conflict, pointer, "the ports of a LAG are on one switch");
            found.push(
                problem.found(format!("'{of}' and '{name}'")).works(format!("ports of {}", fabric.switch_name(known))),
            );
        }
    }
}

fn check_lag_members(after: &DocumentSet, fabric: &dyn FabricView, problems: &mut Vec<PolicyProblem>) {
    let mut taken: BTreeMap<PortIndex, &Document> = BTreeMap::new();
    for document in after.of(DocumentKind::Lag) {
        let Spec::Lag(spec) = &document.spec else { continue };
        for (at, name) in spec.port_links.iter().enumerate() {
            let Some(port) = fabric.find_port(name) else { continue };
            if let Some(other) = taken.insert(port, document).filter(|other| other.name != document.name) {
                let problem = PolicyProblem::new(
                    PolicyCode::Duplicate,
                    format!("/spec/portLinks/{at}"),
                    "the port is in another LAG",
                );
                let problem = problem.found(format!("'{name}', of {}", other.reference()));
                problems.push(problem.of(&document.reference()).with(other.reference()));
            }
        }
    }
}

fn unique(
    after: &DocumentSet,
    kind: DocumentKind,
    pointer: &str,
    problems: &mut Vec<PolicyProblem>,
    number: impl Fn(&Document) -> Option<u32>,
) {
    let mut taken: BTreeMap<u32, &Document> = BTreeMap::new();
    for document in after.of(kind) {
        let Some(number) = number(document) else { continue };
        if let Some(other) = taken.insert(number, document) {
            let problem = PolicyProblem::new(PolicyCode::Duplicate, pointer, "another document has this number");
            problems.push(problem.found(number).of(&document.reference()).with(other.reference()));
        }
    }
}

fn check_vlans(after: &DocumentSet, gone: &BTreeSet<u16>, problems: &mut Vec<PolicyProblem>) {
    unique(after, DocumentKind::Vlan, "/spec/id", problems, |document| vlan_id(document).map(u32::from));
    let known: BTreeSet<u16> = after.of(DocumentKind::Vlan).filter_map(vlan_id).collect();
    for document in after.iter() {
        for (pointer, id) in vlan_ids(document).into_iter().filter(|(_, id)| !known.contains(id) && !gone.contains(id))
        {
            let list: Vec<String> = known.iter().map(u16::to_string).collect();
            let works = if list.is_empty() {
                "a vlan document with this id".to_owned()
            } else {
                format!("1, {}", list.join(", "))
            };
            let problem = PolicyProblem::new(PolicyCode::UnknownDocument, pointer, "no VLAN has this id");
            problems.push(problem.found(id).works(works).of(&document.reference()));
        }
    }
}

fn ranges(list: &[String]) -> Vec<(u32, u32)> {
    list.iter().filter_map(|text| vni_range(text)).collect()
}

fn check_vnis(after: &DocumentSet, fabric: &dyn FabricView, problems: &mut Vec<PolicyProblem>) {
    let mut taken: Vec<((u32, u32), &Document)> = Vec::new();
    for document in after.of(DocumentKind::VniPartition) {
        let Spec::VniPartition(spec) = &document.spec else { continue };
        for range in ranges(&spec.vni_ranges) {
            overlapping(&taken, range, document, problems);
            taken.push((range, document));
        }
    }
    let mut blocks: Vec<((u32, u32), &Document)> = Vec::new();
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    for document in after.of(DocumentKind::VniBlock) {
        let Spec::VniBlock(spec) = &document.spec else { continue };
        let Some(Spec::VniPartition(partition)) =
            after.get(DocumentKind::VniPartition, &spec.partition).map(|found| &found.spec)
        else {
            continue;
        };
        let home = ranges(&partition.vni_ranges);
        for (at, range) in ranges(&spec.vni_ranges).into_iter().enumerate() {
            let inside = home.iter().any(|(first, last)| *first <= range.0 && range.1 <= *last);
            if partition.vni_count.is_none() && !inside {
                let problem = PolicyProblem::new(
                    PolicyCode::LimitExceeded,
                    format!("/spec/vniRanges/{at}"),
                    "the partition does not have these VNIs",
                );
                let problem = problem.found(format!("{}-{}", range.0, range.1)).works(partition.vni_ranges.join(", "));
                let partition = DocumentRef::new(DocumentKind::VniPartition, &spec.partition);
                problems.push(problem.of(&document.reference()).with(partition));
            }
            overlapping(&blocks, range, document, problems);
            blocks.push((range, document));
            *used.entry(spec.partition.as_str()).or_default() += range.1 - range.0 + 1;
        }
        let allowed: BTreeSet<_> = partition.edge_ports.iter().filter_map(|name| edge_port(name, fabric)).collect();
        for (at, name) in spec.edge_ports.iter().enumerate().filter(|_| !allowed.is_empty()) {
            if edge_port(name, fabric).is_some_and(|port| !allowed.contains(&port)) {
                let problem = PolicyProblem::new(
                    PolicyCode::Conflict,
                    format!("/spec/edgePorts/{at}"),
                    "the port is not in the partition",
                );
                problems.push(problem.found(format!("'{name}'")).of(&document.reference()));
            }
        }
    }
    for (name, used) in used {
        let Some(Spec::VniPartition(spec)) = after.get(DocumentKind::VniPartition, name).map(|found| &found.spec)
        else {
            continue;
        };
        if let Some(count) = spec.vni_count.filter(|count| used > *count) {
            let problem = PolicyProblem::new(
                PolicyCode::LimitExceeded,
                "/spec/vniCount",
                "the blocks of the partition have more VNIs",
            );
            problems.push(
                problem
                    .found(used)
                    .works(format!("{count} or fewer"))
                    .of(&DocumentRef::new(DocumentKind::VniPartition, name)),
            );
        }
    }
}

fn overlapping(
    taken: &[((u32, u32), &Document)],
    range: (u32, u32),
    document: &Document,
    problems: &mut Vec<PolicyProblem>,
) {
    for (other, holder) in taken.iter().filter(|(other, holder)| holder.name != document.name && overlap(*other, range))
    {
        let problem =
            PolicyProblem::new(PolicyCode::Duplicate, "/spec/vniRanges", "another document has some of these VNIs");
        let found = format!("{}-{}, of which {} has {}-{}", range.0, range.1, holder.reference(), other.0, other.1);
        problems.push(problem.found(found).of(&document.reference()).with(holder.reference()));
    }
}

fn check_multicasts(after: &DocumentSet, problems: &mut Vec<PolicyProblem>) {
    unique(after, DocumentKind::Multicast, "/spec/address", problems, |document| match &document.spec {
        Spec::Multicast(spec) => Some(u32::from(spec.address)),
        _ => None,
    });
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    for document in after.of(DocumentKind::Multicast) {
        if let Spec::Multicast(spec) = &document.spec {
            *used.entry(spec.session.as_str()).or_default() += 1;
        }
    }
    for (name, used) in used {
        let Some(Spec::CollectiveSession(spec)) =
            after.get(DocumentKind::CollectiveSession, name).map(|found| &found.spec)
        else {
            continue;
        };
        if used > u32::from(spec.mcast_limit) {
            let problem =
                PolicyProblem::new(PolicyCode::LimitExceeded, "/spec/mcastLimit", "the session has more trees");
            let reference = DocumentRef::new(DocumentKind::CollectiveSession, name);
            problems.push(problem.found(used).works(format!("{} or fewer", spec.mcast_limit)).of(&reference));
        }
    }
}

/// Checks that need whole configurations, composed of several documents.
pub(super) fn check_resolved(
    after: &DocumentSet,
    next: &Composition,
    ports: &[PortIndex],
    fabric: &dyn FabricView,
    problems: &mut Vec<PolicyProblem>,
) {
    let mut seen: BTreeSet<(ConfigId, Option<LinkRate>)> = BTreeSet::new();
    for &port in ports {
        let rate = fabric.rate(port);
        if !seen.insert((next.port_config_id(port), rate)) {
            continue;
        }
        let (config, name) = (next.port(port), fabric.port_name(port));
        let blame = |problem: PolicyProblem, pointer: &str| {
            let fields = next.explain_port(port);
            let origin = fields.into_iter().find(|(known, ..)| *known == pointer).map(|(.., origin)| origin);
            match origin {
                Some(Origin::Document(reference)) => problem.of(&reference),
                _ => problem,
            }
        };
        // The built-in default requests no speed: devices run at the link's rate.
        let is_asked = next.explain_port(port).iter().any(|(at, _, by)| *at == "/speed" && *by != Origin::Default);
        if is_asked && rate.is_some_and(|rate| config.speed.rate() > rate) {
            let problem =
                PolicyProblem::new(PolicyCode::NotCapable, "", format!("port {name} cannot run at this speed"));
            let most = rate.map(|rate| rate.to_string()).unwrap_or_default();
            problems.push(blame(problem.found(config.speed.rate()).works(format!("at most {most}")), "/speed"));
        }
        let carries_native = config.allowed_vlans.is_empty() || config.allowed_vlans.contains(&config.native_vlan);
        if config.untagged_allowed && !carries_native {
            let message = format!("port {name} accepts untagged frames, but their VLAN is not among the allowed ones");
            let problem = PolicyProblem::new(PolicyCode::Conflict, "", message).found(config.native_vlan);
            let allowed: Vec<String> = config.allowed_vlans.iter().map(ToString::to_string).collect();
            problems.push(blame(problem.works(format!("one of {}", allowed.join(", "))), "/nativeVlan"));
        }
    }
    check_macs(next, ports, fabric, problems);
    for document in after.of(DocumentKind::Lag) {
        let Spec::Lag(spec) = &document.spec else { continue };
        let members: Vec<PortIndex> = spec.port_links.iter().filter_map(|name| fabric.find_port(name)).collect();
        let speeds: BTreeSet<_> = members.iter().map(|port| next.port(*port).speed).collect();
        if speeds.len() > 1 {
            let problem =
                PolicyProblem::new(PolicyCode::Conflict, "/spec/portLinks", "the ports of a LAG have one speed");
            problems.push(problem.found(format!("{speeds:?}")).of(&document.reference()));
        }
    }
    check_qos(after, next, fabric, problems);
}

/// Checks that a MAC address belongs to one port only.
fn check_macs(next: &Composition, ports: &[PortIndex], fabric: &dyn FabricView, problems: &mut Vec<PolicyProblem>) {
    if !ports.iter().any(|port| next.port(*port).mac.is_some()) {
        return;
    }
    let mut taken: BTreeMap<&str, PortIndex> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for port in (0..fabric.port_count()).map(PortIndex) {
        let Some(mac) = &next.port(port).mac else { continue };
        if let Some(other) = taken.insert(mac, port).filter(|_| told.insert(mac)) {
            let message =
                format!("ports {} and {} would have one MAC address", fabric.port_name(other), fabric.port_name(port));
            let mut problem = PolicyProblem::new(PolicyCode::Duplicate, "", message).found(mac);
            let origin = next.explain_port(port).into_iter().find(|(pointer, ..)| *pointer == "/mac");
            if let Some((_, _, Origin::Document(reference))) = origin {
                problem = problem.of(&reference);
            }
            problems.push(problem);
        }
    }
}

/// Checks that all switches of the fabric have the NICs' QoS profile.
fn check_qos(after: &DocumentSet, next: &Composition, fabric: &dyn FabricView, problems: &mut Vec<PolicyProblem>) {
    let topology = after.active_topology();
    let of_nics = topology.and_then(|document| match &document.spec {
        Spec::TopologyPolicy(spec) => spec.nic_qos_profile.as_deref(),
        _ => None,
    });
    let mut first: Option<(&str, SwitchId)> = None;
    for switch in (0..fabric.switch_count()).map(SwitchId).filter(|switch| next.switch(*switch).enabled) {
        let profile = next.switch(switch).qos_profile.as_str();
        let (known, of) = *first.get_or_insert((profile, switch));
        let name = fabric.switch_name(switch);
        let (other, other_profile) = match of_nics {
            Some(nics) => ("the NICs".to_owned(), nics),
            None => (format!("switch {}", fabric.switch_name(of)), known),
        };
        if profile != other_profile {
            let origin = next.explain_switch(switch).into_iter().find(|(pointer, ..)| *pointer == "/qosProfile");
            let message = format!("switch {name} would have another QoS profile than {other}");
            let problem = PolicyProblem::new(PolicyCode::QosMismatch, "", message)
                .found(format!("'{profile}' and '{other_profile}'"));
            let problem = problem.works("one profile for all switches and NICs");
            problems.push(match (origin, topology) {
                (Some((_, _, Origin::Document(reference))), _) => problem.of(&reference),
                (_, Some(document)) => problem.of(&document.reference()),
                _ => problem,
            });
            // Report one switch for all: the cause is a policy.
            return;
        }
    }
}

/// Switches that changed documents affect, apart from configurations of ports and switches.
pub(super) fn switches_of(
    before: &DocumentSet,
    after: &DocumentSet,
    composed: &Composition,
    touched: &[DocumentRef],
    fabric: &dyn FabricView,
) -> BTreeSet<SwitchId> {
    let mut switches = BTreeSet::new();
    let all = || (0..fabric.switch_count()).map(SwitchId);
    for reference in touched.iter().filter(|reference| !is_inventory(reference.kind)) {
        for document in [before, after].into_iter().filter_map(|set| set.get(reference.kind, &reference.name)) {
            let edges = |names: &[String]| {
                names
                    .iter()
                    .filter_map(|name| edge_port(name, fabric))
                    .map(|port| fabric.switch_of(port))
                    .collect::<Vec<_>>()
            };
            match &document.spec {
                Spec::VniBlock(spec) => switches.extend(edges(&spec.edge_ports)),
                Spec::Multicast(spec) => switches.extend(edges(&spec.edge_ports)),
                Spec::Lag(spec) => switches.extend(edges(&spec.port_links)),
                Spec::Vxlan(spec) => switches.extend(spec.vteps.iter().filter_map(|name| fabric.find_switch(name))),
                Spec::QosProfile(_) => {
                    switches.extend(all().filter(|switch| composed.switch(*switch).qos_profile == document.name));
                }
                Spec::Acl(_) => {
                    let uses = |port: u32| composed.port(PortIndex(port)).acls.contains(&document.name);
                    switches.extend(all().filter(|switch| fabric.ports_of(*switch).any(uses)));
                }
                _ => {}
            }
        }
    }
    switches
}
