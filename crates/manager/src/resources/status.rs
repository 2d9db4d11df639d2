//! How well the fabric is, and where it is not.

use std::collections::BTreeMap;

use philae_control::{AlarmKind, CableFault, DeviceState, Health, HealthWord, PortCount};
use philae_inventory::Fabric;
use philae_units::PortIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, seconds, unusable};
use crate::api::Request;
use crate::manager::Manager;
use crate::problem::{Code, Problem};
use crate::reply::Reply;
use crate::security;

/// One of the four words, with what it comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Word {
    /// HEALTHY, CONVERGING, DEGRADED or UNHEALTHY.
    pub word: &'static str,
    /// Why, most serious first.
    pub causes: Vec<String>,
}

/// The three words that are read first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Words {
    /// Whether devices and links are there.
    pub runtime: Word,
    /// Whether devices have what they should have.
    pub configuration: Word,
    /// Whether traffic finds its ways.
    pub traffic: Word,
    /// Whether somebody knocks who should not, and whether what proves who is who is about to end.
    pub security: Word,
}

/// Switches, counted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SwitchCounts {
    /// All.
    pub total: usize,
    /// By state.
    pub by_state: BTreeMap<&'static str, usize>,
}

/// Ports, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PortCounts {
    /// All.
    pub total: usize,
    /// Those whose switch says that they are up.
    pub up: usize,
    /// Those whose switch does not answer.
    pub unknown: usize,
}

/// Links, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LinkCounts", deny_unknown_fields)]
pub struct CarryingLinks {
    /// All.
    pub total: usize,
    /// Those that carry traffic.
    pub carrying: usize,
}

/// The tables that were published last.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PublishedTables {
    /// Their number.
    pub generation: u64,
    /// Links that had changed.
    pub links: usize,
    /// Entries that changed.
    pub entries: usize,
    /// Switches that they were sent to.
    pub switches: usize,
    /// Rounds in which they were taken up.
    pub rounds: u8,
    /// From the first change of a link to the last answer, milliseconds.
    pub converged_ms: u64,
}

/// How well the fabric is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Status", deny_unknown_fields)]
pub struct StatusView {
    /// The system's name.
    pub system: String,
    /// In words.
    pub health: Words,
    /// Its switches.
    pub switches: SwitchCounts,
    /// Ports to NICs.
    pub edge_ports: PortCounts,
    /// Ports to other switches.
    pub fabric_ports: PortCounts,
    /// Links between switches.
    pub links: CarryingLinks,
    /// Pairs of groups without a live direct link.
    pub group_pairs_without_direct_link: usize,
    /// The tables in force.
    pub routes: PublishedTables,
    /// The revision of what is wanted.
    pub revision: u64,
}

/// `GET /api/v1/status`
pub fn status(manager: &mut Manager, _: &Request) -> Answer {
    let mut status = manager.plant.control.status();
    let faults = manager.hosts.faults(manager).len();
    if faults > 0 {
        status.configuration.add(Health::Degraded, format!("{faults} hosts do not fit the fabric"));
    }
    let word = |word: HealthWord| Word { word: word.health.name(), causes: word.causes };
    let published = status.published;
    let ports = |PortCount { total, up, unknown }| PortCounts { total, up, unknown };
    Ok(Reply::of(&StatusView {
        system: manager.fabric.name().to_owned(),
        switches: SwitchCounts {
            total: manager.fabric.switch_count(),
            by_state: DeviceState::ALL.iter().map(|state| (state.name(), status.switches[*state as usize])).collect(),
        },
        edge_ports: ports(status.edge),
        fabric_ports: ports(status.fabric),
        links: CarryingLinks { total: status.links.0, carrying: status.links.1 },
        group_pairs_without_direct_link: status.indirect_pairs,
        health: Words {
            runtime: word(status.runtime),
            configuration: word(status.configuration),
            traffic: word(status.traffic),
            security: word(HealthWord::from_causes(security::causes(manager))),
        },
        routes: PublishedTables {
            generation: published.generation,
            links: published.links,
            entries: published.entries,
            switches: published.switches,
            rounds: published.rounds,
            converged_ms: published.done_ms.saturating_sub(published.event_ms),
        },
        revision: manager.documents.revision(),
    }))
}

/// Something that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Alarm", deny_unknown_fields)]
pub struct AlarmRow {
    /// switch, link, link-flapping, cable, group-pair, paused-too-long, routes, security, multicast, lease, or what is wrong with a host.
    pub kind: &'static str,
    /// How bad it is, as one of the four words.
    pub health: &'static str,
    /// What is wrong.
    pub detail: String,
    /// Since when, where that is known.
    pub since_seconds: Option<f64>,
}

/// All that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AlarmList {
    /// How many there are.
    pub total: usize,
    /// The worst of them.
    pub items: Vec<AlarmRow>,
}

/// The kind of an alarm, and what is wrong, for people.
pub(crate) fn described(fabric: &Fabric, kind: &AlarmKind) -> (&'static str, String) {
    let name = |port: PortIndex| fabric.link_xname(port).to_string();
    let link = |port: PortIndex| {
        let far = match fabric.port(port).peer {
            philae_topology::Peer::Port(far) => name(far),
            _ => "?".to_owned(),
        };
        format!("link {} - {far}", name(port))
    };
    match kind {
        AlarmKind::Device(switch, state, cause) => {
            ("switch", format!("switch {} is {}: {cause}", fabric.bmc_xname(*switch), state.name()))
        }
        AlarmKind::Link(port, why) => ("link", format!("{}: {}", link(*port), unusable(fabric, *why))),
        AlarmKind::Spared(port) => {
            let why = "flaps, and is not isolated: the budget is spent or it is the last one";
            ("link-flapping", format!("{} {why}", link(*port)))
        }
        AlarmKind::Cable(CableFault::Exchanged(one, other)) => {
            let jack = |port: &PortIndex| fabric.connector_port_xname(*port);
            ("cable", format!("the cables in {} and {} are exchanged", jack(one), jack(other)))
        }
        AlarmKind::Cable(CableFault::Elsewhere { port, planned, found }) => {
            let named = |port: &Option<PortIndex>| port.map_or("nothing known".to_owned(), name);
            ("cable", format!("{} leads to {}, planned is {}", name(*port), named(found), named(planned)))
        }
        AlarmKind::NoDirectLink(one, other) => (
            "group-pair",
            format!("groups {one} and {other} have no direct link: ways between them take two global hops"),
        ),
        AlarmKind::PausedTooLong(port) => {
            let nic =
                fabric.nic_at(*port).map_or_else(|| "its partner".to_owned(), |nic| fabric.nic_xname(nic).to_string());
            let text = format!("edge port {} is isolated: {nic} held back all traffic for too long", name(*port));
            ("paused-too-long", text)
        }
        AlarmKind::Unsound(error) => ("routes", format!("new tables could not be proven: {error}")),
    }
}

/// Alarms of what documents want and hosts say.
fn desired_alarms(manager: &Manager, now_ms: u64) -> Vec<AlarmRow> {
    let health = Health::Degraded.name();
    let faults = manager.hosts.faults(manager).into_iter();
    let mut alarms: Vec<AlarmRow> = faults
        .map(|fault| {
            let since_seconds = Some(seconds(now_ms, fault.since_ms));
            AlarmRow { kind: fault.kind, health, detail: fault.detail, since_seconds }
        })
        .collect();
    for (address, tree) in manager.trees.iter().filter(|(_, tree)| !tree.tree.unreached().is_empty()) {
        let first = tree.tree.unreached().first().map(|port| manager.port_name(*port)).unwrap_or_default();
        let count = tree.tree.unreached().len();
        let detail =
            format!("tree {address} of session {} does not reach {count} members, such as {first}", tree.session);
        alarms.push(AlarmRow { kind: "multicast", health, detail, since_seconds: None });
    }
    if let Some(overdue) = &manager.overdue {
        alarms.push(AlarmRow { kind: "lease", health, detail: overdue.clone(), since_seconds: None });
    }
    alarms
}

/// `GET /api/v1/alarms`
pub fn alarms(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let now_ms = manager.plant.now_ms();
    let mut alarms = manager.plant.control.alarms(now_ms);
    let (fabric, mut others) = (manager.fabric.clone(), desired_alarms(manager, now_ms));
    others.extend(security::causes(manager).into_iter().map(|(health, detail)| AlarmRow {
        kind: "security",
        health: health.name(),
        detail,
        since_seconds: None,
    }));
    Ok(Reply::Read(Box::new(move || {
        alarms.sort_by_key(|alarm| std::cmp::Reverse(alarm.health));
        let row = |alarm: &philae_control::Alarm| {
            let (kind, detail) = described(&fabric, &alarm.kind);
            let since_seconds = alarm.since_ms.map(|since| seconds(now_ms, since));
            AlarmRow { kind, health: alarm.health.name(), detail, since_seconds }
        };
        let total = alarms.len() + others.len();
        let items = alarms.iter().map(row).chain(others).take(limit).collect();
        Ok(Reply::of(&AlarmList { total, items }))
    })))
}

/// `GET /readyz`
pub fn ready(manager: &mut Manager, _: &Request) -> Answer {
    if let Some(epoch) = manager.plant.fenced {
        let detail = format!("agents obey a manager of epoch {epoch}: this one orders nothing");
        return Err(Problem { status: 503, ..Problem::new(Code::Fenced, detail) });
    }
    match manager.plant.control.plan() {
        Some(_) => Ok(Reply::Text("ok\n".to_owned())),
        None => {
            Err(Problem::new(Code::NotReady, "no tables have been published yet: switches are still to be heard of"))
        }
    }
}
