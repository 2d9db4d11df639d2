//! How well the fabric is, and where it is not.

use std::collections::BTreeMap;

use philae_control::{Alarm, AlarmKind, CableFault, DeviceState, Health, HealthWord};
use philae_units::PortIndex;
use serde_json::{Value, json};

use super::{Answer, link_text, unusable};
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;
use crate::security;

/// `GET /api/v1/status`
pub fn status(manager: &mut Manager, _: &Request) -> Answer {
    let mut status = manager.plant.control.status();
    let faults = manager.hosts.faults(manager).len();
    if faults > 0 {
        status.configuration.add(Health::Degraded, format!("{faults} hosts do not fit the fabric"));
    }
    let word = |word: &HealthWord| json!({ "word": word.health.name(), "causes": word.causes });
    let by_state: BTreeMap<&str, usize> =
        DeviceState::ALL.iter().map(|state| (state.name(), status.switches[*state as usize])).collect();
    let published = status.published;
    Ok(Reply::Json(json!({
        "system": manager.fabric.name(),
        "health": {
            "runtime": word(&status.runtime),
            "configuration": word(&status.configuration),
            "traffic": word(&status.traffic),
            "security": word(&HealthWord::from_causes(security::causes(manager))),
        },
        "switches": { "total": manager.fabric.switch_count(), "byState": by_state },
        "edgePorts": { "total": status.edge.0, "up": status.edge.1 },
        "fabricPorts": { "total": status.fabric.0, "up": status.fabric.1 },
        "links": { "total": status.links.0, "carrying": status.links.1 },
        "groupPairsWithoutDirectLink": status.indirect_pairs,
        "routes": {
            "generation": published.generation,
            "links": published.links,
            "entries": published.entries,
            "switches": published.switches,
            "rounds": published.rounds,
            "convergedMs": published.done_ms.saturating_sub(published.event_ms),
        },
    })))
}

fn alarm(manager: &Manager, now_ms: u64, alarm: &Alarm) -> Value {
    let (kind, detail) = match &alarm.kind {
        AlarmKind::Device(switch, state, cause) => {
            ("switch", format!("switch {} is {}: {cause}", manager.switch_name(*switch), state.name()))
        }
        AlarmKind::Link(port, why) => ("link", format!("{}: {}", link_text(manager, *port), unusable(manager, *why))),
        AlarmKind::Spared(port) => {
            let why = "flaps, and is not isolated: the budget is spent or it is the last one";
            ("link-flapping", format!("{} {why}", link_text(manager, *port)))
        }
        AlarmKind::Cable(CableFault::Exchanged(one, other)) => {
            let jack = |port: &PortIndex| manager.fabric.connector_port_xname(*port);
            ("cable", format!("the cables in {} and {} are exchanged", jack(one), jack(other)))
        }
        AlarmKind::Cable(CableFault::Elsewhere { port, planned, found }) => {
            let name =
                |port: &Option<PortIndex>| port.map_or("nothing known".to_owned(), |port| manager.port_name(port));
            let text = format!("{} leads to {}, planned is {}", manager.port_name(*port), name(found), name(planned));
            ("cable", text)
        }
        AlarmKind::NoDirectLink(one, other) => (
            "group-pair",
            format!("groups {one} and {other} have no direct link: ways between them take two global hops"),
        ),
        AlarmKind::PausedTooLong(port) => {
            let nic = manager.fabric.nic_at(*port).map(|nic| manager.fabric.nic_xname(nic).to_string());
            let nic = nic.unwrap_or_else(|| "its partner".to_owned());
            let text =
                format!("edge port {} is isolated: {nic} held back all traffic for too long", manager.port_name(*port));
            ("paused-too-long", text)
        }
        AlarmKind::Unsound(error) => ("routes", format!("new tables could not be proven: {error}")),
    };
    let since = alarm.since_ms.map(|since| now_ms.saturating_sub(since) as f64 / 1e3);
    json!({ "kind": kind, "health": alarm.health.name(), "detail": detail, "sinceSeconds": since })
}

/// Alarms of what documents want and hosts say.
fn desired_alarms(manager: &Manager, now_ms: u64) -> Vec<Value> {
    let mut alarms: Vec<Value> = manager
        .hosts
        .faults(manager)
        .into_iter()
        .map(|fault| {
            let since = now_ms.saturating_sub(fault.since_ms) as f64 / 1e3;
            json!({ "kind": fault.kind, "health": Health::Degraded.name(), "detail": fault.detail, "sinceSeconds": since })
        })
        .collect();
    for (address, tree) in manager.trees.iter().filter(|(_, tree)| !tree.tree.unreached().is_empty()) {
        let first = tree.tree.unreached().first().map(|port| manager.port_name(*port)).unwrap_or_default();
        let count = tree.tree.unreached().len();
        let detail =
            format!("tree {address} of session {} does not reach {count} members, such as {first}", tree.session);
        alarms.push(
            json!({ "kind": "multicast", "health": Health::Degraded.name(), "detail": detail, "sinceSeconds": null }),
        );
    }
    if let Some(overdue) = &manager.overdue {
        alarms.push(
            json!({ "kind": "lease", "health": Health::Degraded.name(), "detail": overdue, "sinceSeconds": null }),
        );
    }
    alarms
}

/// `GET /api/v1/alarms`
pub fn alarms(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let now_ms = manager.plant.now_ms();
    let mut alarms = manager.plant.control.alarms(now_ms);
    alarms.sort_by_key(|alarm| std::cmp::Reverse(alarm.health));
    let mut items: Vec<Value> = alarms.iter().take(limit).map(|found| alarm(manager, now_ms, found)).collect();
    let mut others = desired_alarms(manager, now_ms);
    others.extend(security::causes(manager).into_iter().map(|(health, detail)| {
        json!({ "kind": "security", "health": health.name(), "detail": detail, "sinceSeconds": null })
    }));
    let total = alarms.len() + others.len();
    items.extend(others);
    items.truncate(limit);
    Ok(Reply::Json(json!({ "total": total, "items": items })))
}

/// `GET /readyz`
pub fn ready(manager: &mut Manager, _: &Request) -> Answer {
    if let Some(epoch) = manager.plant.fenced {
        return Err(Problem {
            status: 503,
            code: "manager.fenced",
            title: "Another manager leads",
            detail: format!("agents obey a manager of epoch {epoch}: this one orders nothing"),
            problems: Vec::new(),
        });
    }
    match manager.plant.control.plan() {
        Some(_) => Ok(Reply::Text("ok\n".to_owned())),
        None => Err(Problem {
            status: 503,
            code: "manager.not-ready",
            title: "Not yet",
            detail: "no tables have been published yet: switches are still to be heard of".to_owned(),
            problems: Vec::new(),
        }),
    }
}
