//! What each endpoint does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use philae_control::{Alarm, AlarmKind, CableFault, DeviceState, FlapView, Input, Isolation, LinkView, Unusable};
use philae_forwarding::Destination;
use philae_inventory::Selector;
use philae_topology::Peer;
use philae_units::{PortId, PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

type Answer = Result<Reply, Problem>;

fn switch_named(manager: &Manager, name: &str) -> Result<SwitchId, Problem> {
    manager.fabric.switch_by_name(name).map_err(Problem::not_found)
}

fn port_named(manager: &Manager, name: &str) -> Result<PortIndex, Problem> {
    manager.fabric.port_by_name(name).map_err(Problem::not_found)
}

fn link_named(manager: &Manager, name: &str) -> Result<PortIndex, Problem> {
    let port = port_named(manager, name)?;
    match manager.fabric.port(port).peer {
        Peer::Port(_) => Ok(port),
        _ => Err(Problem::conflict(format!("{name} has no link to another switch"))),
    }
}

fn done(manager: &mut Manager) -> Answer {
    manager.plant.run();
    Ok(Reply::Json(json!({ "done": true })))
}

/// `GET /api/v1/status`
pub fn status(manager: &mut Manager, _: &Request) -> Answer {
    let status = manager.plant.control.status();
    let word = |word: &philae_control::HealthWord| json!({ "word": word.health.name(), "causes": word.causes });
    let by_state: BTreeMap<&str, usize> =
        DeviceState::ALL.iter().map(|state| (state.name(), status.switches[*state as usize])).collect();
    let published = status.published;
    Ok(Reply::Json(json!({
        "system": manager.fabric.name(),
        "health": {
            "runtime": word(&status.runtime),
            "configuration": word(&status.configuration),
            "traffic": word(&status.traffic),
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

fn unusable(manager: &Manager, why: Unusable) -> String {
    match why {
        Unusable::NotHeardOf => "neither of its switches has been heard of".to_owned(),
        Unusable::Down(port, state) => format!("{} is {}", manager.port_name(port), state.name()),
        Unusable::Miscabled(port, Some(found)) => {
            format!("{} leads to {}", manager.port_name(port), manager.port_name(found))
        }
        Unusable::Miscabled(port, None) => format!("{} leads to something unknown", manager.port_name(port)),
        Unusable::HeldDown => "held down after a loss".to_owned(),
        Unusable::Isolated => "isolated after too many losses; release it when the cable is mended".to_owned(),
        Unusable::Drained => "drained by an operator".to_owned(),
    }
}

fn link_text(manager: &Manager, port: PortIndex) -> String {
    let far = manager.plant.control.wiring().peer(port);
    let far = far.map_or_else(|| "?".to_owned(), |far| manager.port_name(far));
    format!("link {} - {far}", manager.port_name(port))
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
        AlarmKind::Unsound(error) => ("routes", format!("new tables could not be proven: {error}")),
    };
    let since = alarm.since_ms.map(|since| now_ms.saturating_sub(since) as f64 / 1e3);
    json!({ "kind": kind, "health": alarm.health.name(), "detail": detail, "sinceSeconds": since })
}

/// `GET /api/v1/alarms`
pub fn alarms(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let now_ms = manager.plant.now_ms();
    let mut alarms = manager.plant.control.alarms(now_ms);
    alarms.sort_by_key(|alarm| std::cmp::Reverse(alarm.health));
    let items: Vec<Value> = alarms.iter().take(limit).map(|found| alarm(manager, now_ms, found)).collect();
    Ok(Reply::Json(json!({ "total": alarms.len(), "items": items })))
}

fn switch_row(manager: &Manager, now_ms: u64, switch: SwitchId) -> Value {
    let view = manager.plant.control.device(switch);
    json!({
        "name": manager.switch_name(switch),
        "group": manager.fabric.switch(switch).group.0,
        "number": manager.fabric.switch(switch).number,
        "model": view.model,
        "firmware": view.firmware,
        "state": view.state.name(),
        "cause": view.cause.to_string(),
        "forSeconds": now_ms.saturating_sub(view.since_ms) as f64 / 1e3,
    })
}

/// `GET /api/v1/switches`
pub fn switches(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let selector: Option<Selector> = match request.query.get("name") {
        Some(text) => Some(text.parse().map_err(Problem::bad_request)?),
        None => None,
    };
    let state = match request.query.get("state") {
        Some(text) => {
            let known = DeviceState::ALL.into_iter().find(|state| state.name() == text);
            let names: Vec<&str> = DeviceState::ALL.iter().map(|state| state.name()).collect();
            Some(known.ok_or_else(|| {
                Problem::bad_request(format!("there is no state '{text}'; there are: {}", names.join(", ")))
            })?)
        }
        None => None,
    };
    let first = match request.query.get("after") {
        Some(name) => switch_named(manager, name)?.0 + 1,
        None => 0,
    };
    let now_ms = manager.plant.now_ms();
    let wanted = |switch: &SwitchId| {
        let name = manager.fabric.bmc_xname(*switch);
        selector
            .as_ref()
            .is_none_or(|selector| selector.matches(name) || selector.matches(manager.fabric.switch_xname(*switch)))
            && state.is_none_or(|state| manager.plant.control.device_state(*switch) == state)
    };
    let all = (first..manager.fabric.switch_count() as u32).map(SwitchId).filter(wanted);
    let mut page: Vec<SwitchId> = all.take(limit + 1).collect();
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more).map(|&switch| manager.switch_name(switch));
    let items: Vec<Value> = page.into_iter().map(|switch| switch_row(manager, now_ms, switch)).collect();
    Ok(Reply::Json(json!({ "items": items, "next": next })))
}

/// `GET /api/v1/switches/{name}`
pub fn switch(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    let mut row = switch_row(manager, now_ms, switch);
    let view = manager.plant.control.device(switch);
    let section =
        |(section, desired, observed, failures, next): (philae_agent::Section, u64, u64, u32, Option<u64>)| {
            json!({
                "section": section.name(),
                "desiredHash": format!("{desired:016x}"),
                "observedHash": format!("{observed:016x}"),
                "applied": desired == observed,
                "failures": failures,
                "nextTryInSeconds": next.map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
            })
        };
    row["serial"] = json!(view.serial);
    row["heardSecondsAgo"] = json!(now_ms.saturating_sub(view.last_heard_ms) as f64 / 1e3);
    row["sections"] = view.sections.into_iter().map(section).collect();
    let ports = manager.fabric.ports_of(switch).map(PortIndex);
    row["ports"] = ports.map(|port| port_row(manager, port)).collect();
    Ok(Reply::Json(row))
}

fn port_row(manager: &Manager, port: PortIndex) -> Value {
    let planned = manager.fabric.port(port);
    let peer = match planned.peer {
        Peer::None => None,
        Peer::Endpoint(nic) => Some(manager.fabric.nic_xname(nic).to_string()),
        Peer::Port(far) => Some(manager.port_name(far)),
    };
    let view = manager.plant.control.port(port);
    json!({
        "name": manager.port_name(port),
        "jack": manager.fabric.connector_port_xname(port).to_string(),
        "number": manager.fabric.number_of(port).0,
        "role": planned.role.name(),
        "peer": peer,
        "state": view.state.name(),
        "losses": view.losses,
    })
}

fn flap_row(now_ms: u64, flaps: &FlapView) -> Value {
    let isolation = match flaps.isolation {
        Isolation::None => "none",
        Isolation::HeldDown { .. } => "held-down",
        Isolation::Isolated => "isolated",
        Isolation::Spared => "spared",
    };
    let last = flaps.last_ms.map(|at| now_ms.saturating_sub(at) as f64 / 1e3);
    json!({ "score": flaps.score, "losses": flaps.losses, "lastSecondsAgo": last, "isolation": isolation })
}

fn link_row(manager: &Manager, now_ms: u64, link: &LinkView) -> Value {
    json!({
        "name": manager.port_name(link.ports.0),
        "ends": [manager.port_name(link.ports.0), manager.port_name(link.ports.1)],
        "role": manager.fabric.port(link.ports.0).role.name(),
        "carrying": link.unusable.is_none(),
        "cause": link.unusable.map(|(why, _)| unusable(manager, why)),
        "forSeconds": link.unusable.map(|(_, since)| now_ms.saturating_sub(since) as f64 / 1e3),
        "flaps": flap_row(now_ms, &link.flaps),
    })
}

/// `GET /api/v1/ports/{name}`
pub fn port(manager: &mut Manager, request: &Request) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    let mut row = port_row(manager, port);
    row["address"] = match manager.fabric.address(port) {
        Ok(address) => json!({ "nid": address.nid(), "mac": address.mac().to_string() }),
        Err(error) => json!({ "none": error.to_string() }),
    };
    row["link"] =
        manager.plant.control.link_view(now_ms, port).map_or(Value::Null, |link| link_row(manager, now_ms, &link));
    Ok(Reply::Json(row))
}

/// `GET /api/v1/links`
pub fn links(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let carrying = match request.query.get("state").map(String::as_str) {
        None => None,
        Some("carrying") => Some(true),
        Some("not-carrying") => Some(false),
        Some(other) => {
            return Err(Problem::bad_request(format!(
                "there is no state '{other}'; there are: carrying, not-carrying"
            )));
        }
    };
    let after = match request.query.get("after") {
        Some(name) => Some(port_named(manager, name)?),
        None => None,
    };
    let now_ms = manager.plant.now_ms();
    let control = &manager.plant.control;
    let all = control.wiring().links().map(|(port, _)| port).filter(|&port| after.is_none_or(|after| port > after));
    let views = all.filter_map(|port| control.link_view(now_ms, port));
    let mut page: Vec<LinkView> = views
        .filter(|link| carrying.is_none_or(|carrying| carrying == link.unusable.is_none()))
        .take(limit + 1)
        .collect();
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more).map(|link| manager.port_name(link.ports.0));
    let items: Vec<Value> = page.iter().map(|link| link_row(manager, now_ms, link)).collect();
    Ok(Reply::Json(json!({ "items": items, "next": next })))
}

/// `GET /api/v1/flaps`
pub fn flaps(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let now_ms = manager.plant.now_ms();
    let control = &manager.plant.control;
    let mut found: Vec<(PortIndex, FlapView)> = control.flapping(now_ms).collect();
    found.sort_by_key(|(port, flaps)| (std::cmp::Reverse(flaps.losses), *port));
    let views = found.iter().take(limit).filter_map(|(port, _)| control.link_view(now_ms, *port));
    let items: Vec<Value> = views.map(|link| link_row(manager, now_ms, &link)).collect();
    Ok(Reply::Json(json!({ "total": found.len(), "items": items })))
}

fn port_names(manager: &Manager, switch: SwitchId, mask: u64) -> Vec<String> {
    let ports = (0..64).filter(|port| mask >> port & 1 == 1);
    ports.map(|port| manager.port_name(manager.fabric.port_index(switch, PortId(port)))).collect()
}

/// `GET /api/v1/routes/{name}`
pub fn routes(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let plan = manager.plant.control.plan();
    let plan =
        plan.ok_or_else(|| Problem::conflict("no tables have been published yet; /readyz says when they are"))?;
    let wiring = plan.wiring();
    let entry = |(destination, mask): (Destination, u64)| {
        let to = match destination {
            Destination::Place(place) => {
                let first = wiring.switches_of(wiring.group_of(switch)).start;
                json!({ "switch": manager.switch_name(SwitchId(first + place)) })
            }
            Destination::Group(group) => json!({ "group": group.0 }),
            Destination::Switch(target) => json!({ "switch": manager.switch_name(target), "apart": true }),
        };
        json!({ "to": to, "ports": port_names(manager, switch, mask) })
    };
    Ok(Reply::Json(json!({
        "switch": manager.switch_name(switch),
        "generation": plan.generation().0,
        "hash": format!("{:016x}", plan.tables().hash_of(switch)),
        "entries": plan.tables().entries(switch).map(entry).collect::<Vec<_>>(),
    })))
}

/// The port that a name means: a port's own, or the one that a NIC is attached to.
fn place_named(manager: &Manager, request: &Request, key: &str) -> Result<PortIndex, Problem> {
    let name = request.query.get(key);
    let name = name.ok_or_else(|| Problem::bad_request(format!("the query lacks '{key}': a port or a NIC")))?;
    if let Ok(nic) = manager.fabric.nic_by_name(name) {
        return Ok(manager.fabric.nics()[nic.index()].port);
    }
    port_named(manager, name)
}

/// `GET /api/v1/explain/path`
pub fn path(manager: &mut Manager, request: &Request) -> Answer {
    let from = place_named(manager, request, "from")?;
    let to = place_named(manager, request, "to")?;
    let plan = manager.plant.control.plan();
    let plan =
        plan.ok_or_else(|| Problem::conflict("no tables have been published yet; /readyz says when they are"))?;
    let wiring = plan.wiring();
    let (start, end) = (manager.fabric.switch_of(from), manager.fabric.switch_of(to));
    let mut hops = Vec::new();
    let mut at = BTreeSet::from([start]);
    let mut lost = false;
    while !at.is_empty() && !at.iter().all(|&switch| switch == end) {
        let mut next = BTreeSet::new();
        let mut candidates = Vec::new();
        for &switch in at.iter().filter(|&&switch| switch != end) {
            let mask = plan.tables().toward(wiring, switch, end);
            lost |= mask == 0;
            candidates
                .push(json!({ "switch": manager.switch_name(switch), "ports": port_names(manager, switch, mask) }));
            for port in (0..64).filter(|port| mask >> port & 1 == 1) {
                let far = wiring.peer(wiring.port(switch, PortId(port))).expect("a candidate has a link");
                next.insert(wiring.split(far).0);
            }
        }
        hops.push(json!(candidates));
        at = next;
    }
    Ok(Reply::Json(json!({
        "from": { "port": manager.port_name(from), "switch": manager.switch_name(start) },
        "to": { "port": manager.port_name(to), "switch": manager.switch_name(end) },
        "reached": !lost,
        "generation": plan.generation().0,
        "candidatesByHop": hops,
    })))
}

/// `GET /api/v1/settings`
pub fn settings(manager: &mut Manager, _: &Request) -> Answer {
    let all = manager.plant.control.settings().all();
    let setting = |(name, value, least, most): (&str, u64, u64, u64)| json!({ "name": name, "value": value, "least": least, "most": most });
    Ok(Reply::Json(json!({ "items": all.into_iter().map(setting).collect::<Vec<_>>() })))
}

/// `PATCH /api/v1/settings`
pub fn set(manager: &mut Manager, request: &Request) -> Answer {
    let Some(changes) = request.body.as_object() else {
        return Err(Problem::bad_request("the body is no object; {\"heartbeat_ms\": 5000} would work"));
    };
    let mut settings = *manager.plant.control.settings();
    for (name, value) in changes {
        let number = value.as_u64();
        let number =
            number.ok_or_else(|| Problem::bad_request(format!("{name} is {value}; a whole number would work")))?;
        settings.set(name, number).map_err(Problem::bad_request)?;
    }
    // All of them are right: now they count.
    for (name, value) in changes {
        let value = value.as_u64().expect("it was looked at above");
        manager.plant.control.set(name, value).map_err(Problem::bad_request)?;
    }
    self::settings(manager, request)
}

fn order(manager: &mut Manager, input: Input) -> Answer {
    let now_ms = manager.plant.now_ms();
    manager.plant.control.handle(now_ms, input);
    done(manager)
}

/// `POST /api/v1/links/{name}/drain`
pub fn drain(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::Drain(port, true))
}

/// `POST /api/v1/links/{name}/restore`
pub fn restore(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::Drain(port, false))
}

/// `POST /api/v1/links/{name}/release`
pub fn release_link(manager: &mut Manager, request: &Request) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    order(manager, Input::ReleaseLink(port))
}

/// `POST /api/v1/switches/{name}/maintenance`
pub fn maintenance(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    order(manager, Input::Maintenance(switch, true))
}

/// `POST /api/v1/switches/{name}/resume`
pub fn resume(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    manager.plant.control.handle(now_ms, Input::Maintenance(switch, false));
    order(manager, Input::ReleaseDevice(switch))
}

/// `POST /api/v1/switches/{name}/reboot`
pub fn reboot(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    order(manager, Input::Reboot(switch))
}

fn signal(manager: &mut Manager, request: &Request, up: bool) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    manager.plant.fabric.set_link(port, up);
    done(manager)
}

/// `POST /api/v1/simulation/links/{name}/cut`
pub fn cut(manager: &mut Manager, request: &Request) -> Answer {
    signal(manager, request, false)
}

/// `POST /api/v1/simulation/links/{name}/mend`
pub fn mend(manager: &mut Manager, request: &Request) -> Answer {
    signal(manager, request, true)
}

fn power(manager: &mut Manager, request: &Request, on: bool) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    manager.plant.set_power(switch, on);
    done(manager)
}

/// `POST /api/v1/simulation/switches/{name}/off`
pub fn power_off(manager: &mut Manager, request: &Request) -> Answer {
    power(manager, request, false)
}

/// `POST /api/v1/simulation/switches/{name}/on`
pub fn power_on(manager: &mut Manager, request: &Request) -> Answer {
    power(manager, request, true)
}

/// `GET /readyz`
pub fn ready(manager: &mut Manager, _: &Request) -> Answer {
    match manager.plant.control.plan() {
        Some(_) => Ok(Reply::Text("ok\n".to_owned())),
        None => Err(Problem {
            status: 503,
            code: "manager.not-ready",
            title: "Not yet",
            detail: "no tables have been published yet: switches are still to be heard of".to_owned(),
        }),
    }
}

/// `GET /metrics`
pub fn metrics(manager: &mut Manager, _: &Request) -> Answer {
    let status = manager.plant.control.status();
    let usage = crate::clock::Usage::now();
    let traffic = manager.plant.traffic;
    let mut out = String::new();
    let mut one = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
        let _ = writeln!(out, "# HELP philae_{name} {help}\n# TYPE philae_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(out, "philae_{name}{labels} {value}");
        }
    };
    let states: Vec<(String, f64)> = DeviceState::ALL
        .iter()
        .map(|state| (format!("{{state=\"{}\"}}", state.name()), status.switches[*state as usize] as f64))
        .collect();
    one("switches", "gauge", "Switches by state.", &states);
    let single = |value: f64| vec![(String::new(), value)];
    one("links_carrying", "gauge", "Switch-to-switch links that carry traffic.", &single(status.links.1 as f64));
    one("links", "gauge", "Switch-to-switch links.", &single(status.links.0 as f64));
    one("edge_ports_up", "gauge", "Edge ports that are up.", &single(status.edge.1 as f64));
    let indirect = status.indirect_pairs as f64;
    one("group_pairs_without_direct_link", "gauge", "Pairs of groups without a live direct link.", &single(indirect));
    one("routes_generation", "counter", "Forwarding tables published.", &single(status.published.generation as f64));
    let crossed = |to: u64, from: u64| {
        vec![("{to=\"agents\"}".to_owned(), to as f64), ("{to=\"manager\"}".to_owned(), from as f64)]
    };
    one(
        "agent_messages_total",
        "counter",
        "Messages between manager and agents.",
        &crossed(traffic.messages_out, traffic.messages_in),
    );
    one(
        "agent_bytes_total",
        "counter",
        "Bytes between manager and agents.",
        &crossed(traffic.bytes_out, traffic.bytes_in),
    );
    one("process_cpu_seconds_total", "counter", "Processor time of the manager.", &single(usage.cpu_seconds));
    one("process_resident_memory_bytes", "gauge", "Memory of the manager.", &single(usage.bytes as f64));
    Ok(Reply::Text(out))
}
