//! The desired, acknowledged and observed state of a port, a switch or a document; why they differ,
//! since when, and when the manager tries again.

pub mod answer;

use std::collections::BTreeMap;

use philae_agent::ConfigSection;
use philae_policy::{DocumentKind, DocumentScope, FieldReach, Spec};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::access::{AccessKind, RequiredAccess};
use crate::documents::lookup::{existing, kind_named};
use crate::explain::answer::why;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, any_json};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::things::{port_named, switch_named};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    any_json(
        "GET",
        "/api/v1/explain/port/{name}",
        "The desired state of a port with the document of each field, the state that its switch acknowledged, the observed state, and the reasons for differences.",
        port,
    ),
    any_json(
        "GET",
        "/api/v1/explain/switch/{name}",
        "The desired state of a switch, section by section, with causes of differences and next attempts.",
        switch,
    ),
    any_json(
        "GET",
        "/api/v1/explain/policy/{kind}/{name}",
        "The ports and switches of a document, documents that override it, and switches that do not have it yet.",
        policy,
    )
    .for_whom(RequiredAccess::OfKind(AccessKind::Read)),
];

/// Most names in a list of an answer.
///
/// Source: ours: what fits a screen. Status: assumed.
const FIRST: usize = 20;

fn seconds(now_ms: u64, since_ms: u64) -> f64 {
    now_ms.saturating_sub(since_ms) as f64 / 1e3
}

fn item(value: Option<&std::sync::Arc<[u8]>>) -> Value {
    value.and_then(|value| serde_json::from_slice(value).ok()).unwrap_or(Value::Null)
}

fn section_row(manager: &Manager, now_ms: u64, switch: SwitchId, section: ConfigSection) -> Value {
    let view = manager.control_loop.control.section(switch, section);
    let differing = match (section, view.applied_now()) {
        (ConfigSection::Routes, _) | (_, None) => None,
        (_, Some(applied)) => {
            let changed = view.desired.iter().filter(|(key, value)| applied.get(*key) != Some(value)).count();
            let gone = applied.iter().filter(|(key, _)| view.desired.get(*key).is_none()).count();
            Some(changed + gone)
        }
    };
    json!({
        "section": section.name(),
        "items": (section != ConfigSection::Routes).then(|| view.desired.len()),
        "itemsThatDiffer": differing,
        "applied": view.agrees(),
        "why": why(&manager.control_loop, switch, &view),
        "forSeconds": seconds(now_ms, view.since_ms),
        "failures": view.failures,
        "nextTryInSeconds": view.next_try_ms.map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
    })
}

/// `GET /api/v1/explain/port/{name}`
pub fn port(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let name = request.capture("name");
    // A NIC stands for its port.
    let port = port_named(&manager.fabric, name)?;
    let (switch, number) = (manager.fabric.switch_of(port), manager.fabric.number_of(port).0);
    let now_ms = manager.control_loop.now_ms();
    let control = &manager.control_loop.control;
    let device = control.device(switch);
    let fields = manager.documents.composition().explain_port(port);
    let fields = fields
        .into_iter()
        .map(|(pointer, value, origin)| json!({ "field": pointer, "value": value, "from": origin.to_string() }));
    let view = control.section(switch, ConfigSection::Ports);
    let key = u64::from(number);
    let acknowledged = view.applied_now().map(|applied| item(applied.get(key)));
    let seen = control.port(port);
    let neighbour = seen.neighbour.map(|nid| {
        let known = philae_manager_core::Expected::port(&*manager.documents.names, nid);
        json!({ "nid": nid, "port": known.map(|port| manager.port_name(port)) })
    });
    let vnis = control.section(switch, ConfigSection::Vnis);
    Ok(Reply::Json(json!({
        "answer": answer::port(manager, port),
        "port": manager.port_name(port),
        "jack": manager.fabric.plug_text(port),
        "fields": fields.collect::<Vec<_>>(),
        "applied": view.has_item(key),
        "desired": item(view.desired.get(key)),
        "acknowledged": acknowledged,
        "observed": { "state": seen.state.name(), "neighbour": neighbour, "losses": seen.losses },
        "vnis": { "desired": item(vnis.desired.get(key))["ranges"], "applied": vnis.has_item(key) },
        "why": why(&manager.control_loop, switch, &view),
        "switch": manager.switch_name(switch),
        "switchState": device.state.name(),
        "switchCause": device.cause.to_string(),
        "forSeconds": seconds(now_ms, view.since_ms),
        "nextTryInSeconds": view.next_try_ms.map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
    })))
}

/// `GET /api/v1/explain/switch/{name}`
pub fn switch(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let now_ms = manager.control_loop.now_ms();
    let device = manager.control_loop.control.device(switch);
    let fields = manager.documents.composition().explain_switch(switch);
    let fields = fields
        .into_iter()
        .map(|(pointer, value, origin)| json!({ "field": pointer, "value": value, "from": origin.to_string() }));
    let now = manager.clock.seconds();
    let closed = philae_policy::may_change(manager.documents.set(), &*manager.documents.names, [switch], now).err();
    let closed = closed.map(|closed| {
        let until = crate::clock::utc(closed.opens_at_seconds);
        json!({ "by": closed.by.to_string(), "freeze": closed.freeze, "until": until })
    });
    let sections = ConfigSection::ALL.into_iter().map(|section| section_row(manager, now_ms, switch, section));
    Ok(Reply::Json(json!({
        "answer": answer::switch(manager, switch),
        "switch": manager.switch_name(switch),
        "state": device.state.name(),
        "cause": device.cause.to_string(),
        "forSeconds": seconds(now_ms, device.since_ms),
        "fields": fields.collect::<Vec<_>>(),
        "sections": sections.collect::<Vec<_>>(),
        "closedForChanges": closed,
    })))
}

/// Switches that do not have something yet: their number, and the first of them with the cause.
fn lacking<'a>(
    manager: &Manager,
    now_ms: u64,
    wanted: impl Iterator<Item = (SwitchId, ConfigSection, &'a [u64])>,
) -> Value {
    let mut lacking: BTreeMap<SwitchId, Value> = BTreeMap::new();
    let (mut count, mut last) = (0, None);
    for (switch, section, keys) in wanted {
        let view = manager.control_loop.control.section(switch, section);
        let has = if keys.is_empty() { view.agrees() } else { keys.iter().all(|key| view.has_item(*key)) };
        if has {
            continue;
        }
        count += usize::from(last.replace(switch) != Some(switch));
        if lacking.len() < FIRST {
            let why = why(&manager.control_loop, switch, &view);
            let next = view.next_try_ms.map(|at| at.saturating_sub(now_ms) as f64 / 1e3);
            lacking.entry(switch).or_insert_with(|| {
                json!({
                    "switch": manager.switch_name(switch),
                    "section": section.name(),
                    "why": why,
                    "forSeconds": seconds(now_ms, view.since_ms),
                    "nextTryInSeconds": next,
                })
            });
        }
    }
    json!({ "switches": count, "first": lacking.into_values().collect::<Vec<_>>() })
}

fn field(reach: &FieldReach, of: &str) -> Value {
    let others = reach.overridden_by.iter().map(|(by, count)| json!({ "by": by.to_string(), "count": count }));
    json!({ "field": reach.pointer, "of": of, "fromIt": reach.from_it, "overriddenBy": others.collect::<Vec<_>>() })
}

/// `GET /api/v1/explain/policy/{kind}/{name}`
pub fn policy(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(&manager.documents, kind, request.capture("name"))?;
    let reference = document.reference();
    let now_ms = manager.control_loop.now_ms();
    let reach = manager.documents.composition().reach(&reference);
    let mut out = match kind {
        DocumentKind::TopologyPolicy
        | DocumentKind::SwitchPolicy
        | DocumentKind::PortPolicy
        | DocumentKind::LinkPolicy
        | DocumentKind::Port
        | DocumentKind::Link
        | DocumentKind::Switch => composed(manager, now_ms, &reach),
        _ => made_of_it(manager, now_ms, &document),
    };
    out["document"] = json!(reference.to_string());
    let lease = document.spec.lease().and_then(|lease| lease.expires_at_seconds);
    out["endsInSeconds"] = json!(lease.map(|end| end.saturating_sub(manager.clock.seconds())));
    Ok(Reply::Json(out))
}

/// For documents that configure ports and switches.
fn composed(manager: &Manager, now_ms: u64, reach: &DocumentScope) -> Value {
    let names = reach.ports.iter().take(FIRST).map(|&port| manager.port_name(port));
    let mut ports: BTreeMap<SwitchId, Vec<u64>> = BTreeMap::new();
    for &port in &reach.ports {
        let number = u64::from(manager.fabric.number_of(port).0);
        ports.entry(manager.fabric.switch_of(port)).or_default().push(number);
    }
    let of_ports = ports.iter().map(|(&switch, keys)| (switch, ConfigSection::Ports, keys.as_slice()));
    let of_switches = reach.switches.iter().map(|&switch| (switch, ConfigSection::Switch, [].as_slice()));
    let fields = reach.port_fields.iter().map(|found| field(found, "ports"));
    let fields = fields.chain(reach.switch_fields.iter().map(|found| field(found, "switches")));
    json!({
        "appliesTo": {
            "ports": reach.ports.len(),
            "firstPorts": names.collect::<Vec<_>>(),
            "switches": reach.switches.len(),
            "switchesWithSuchPorts": ports.len(),
        },
        "fields": fields.collect::<Vec<_>>(),
        "notAppliedYet": lacking(manager, now_ms, of_ports.chain(of_switches)),
    })
}

/// For documents that become items of their own: the items that would go without the document.
fn made_of_it(manager: &Manager, now_ms: u64, document: &philae_policy::Document) -> Value {
    let effect = manager.effect_of_absence(&document.reference());
    let made: Vec<(SwitchId, ConfigSection, Vec<u64>)> = effect
        .changed()
        .map(|(switch, section, without)| {
            let with = manager.desired.sections.get(switch, section);
            let keys = with.iter().filter(|(key, value)| without.get(*key) != Some(value)).map(|(key, _)| key);
            (switch, section, keys.collect())
        })
        .collect();
    let names = made.iter().take(FIRST).map(|(switch, ..)| manager.switch_name(*switch));
    let mut out = json!({
        "appliesTo": {
            "switches": made.len(),
            "firstSwitches": names.collect::<Vec<_>>(),
            "items": made.iter().map(|(.., keys)| keys.len()).sum::<usize>(),
        },
        "notAppliedYet": lacking(manager, now_ms, made.iter().map(|(switch, section, keys)| (*switch, *section, keys.as_slice()))),
    });
    if let Spec::Multicast(spec) = &document.spec
        && let Some(tree) = manager.desired.trees.get(spec.address)
    {
        let name = |port: &PortIndex| manager.port_name(*port);
        out["tree"] = json!({
            "root": tree.members.first().map(name),
            "switches": tree.tree.switches().count(),
            "unreached": tree.tree.unreached().iter().map(name).collect::<Vec<_>>(),
        });
    }
    out
}
