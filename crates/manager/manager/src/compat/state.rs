//! The fabric's state: topology, health, agents, metrics, settings.

use philae_manager_core::DeviceState;
use philae_policy::{DocumentKind, DocumentSet, Spec};
use philae_topology::PortRole;
use philae_units::{PortIndex, SwitchId};
use serde_json::{Map, Value, json};

use crate::compat::envelope::{collection, derived, kept};
use crate::compat::ports::jack;
use crate::control_loop::ControlLoop;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::things::switch_named;
use crate::{resources, tuning};

type Answer = Result<Reply, ApiProblem>;

/// `GET /fabric/topology-policies`
pub fn topology_policies(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let names = manager.documents.set().of(DocumentKind::TopologyPolicy).map(|found| found.name.clone());
    let links: Vec<String> = names.map(|name| format!("/fabric/topology-policies/{name}")).collect();
    crate::compat::envelope::listed(manager, request, &links)
}

/// `GET /fabric/topology-policies/{name}`: `template-policy` is the active one, whatever its name
/// here.
pub fn topology_policy(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let set = manager.documents.set();
    let name = request.capture("name");
    let active = set.active_topology();
    let found = if name == "template-policy" { active } else { set.get(DocumentKind::TopologyPolicy, name) };
    let found = found.ok_or_else(|| {
        ApiProblem::not_found(format!(
            "there is no topology policy '{name}'; template-policy, the active one, would work"
        ))
    })?;
    let Spec::TopologyPolicy(spec) = &found.spec else {
        return Err(ApiProblem::conflict("this is no topology policy"));
    };
    let settings = manager.control_loop.control.settings();
    let fields = json!({
        "name": found.name,
        "active": active.is_some_and(|active| active.name == found.name),
        "builtIn": DocumentSet::is_stock(&found.reference()),
        "template": spec.template.clone().unwrap_or_else(|| manager.fabric.name().to_owned()),
        "sweepIntervalInMilliseconds": settings.heartbeat_ms,
        "isolationBudgetLinks": spec.isolation_budget_links,
        "nonminimalBiasPercent": spec.nonminimal_bias_percent,
        "nicQosProfile": spec.nic_qos_profile,
        "numGroups": manager.fabric.group_count(),
        "numSwitches": manager.fabric.switch_count(),
    });
    let link = format!("/fabric/topology-policies/{name}");
    Ok(Reply::Json(kept(manager, "topology-policy", &link, &found.reference(), fields)))
}

/// `GET /fabric/topology-maps`
pub fn topology_maps(manager: &mut Manager, request: &ApiRequest) -> Answer {
    crate::compat::envelope::listed(manager, request, &["/fabric/topology-maps/template-map".to_owned()])
}

/// `GET /fabric/health-engines`
pub fn health_engines(manager: &mut Manager, request: &ApiRequest) -> Answer {
    crate::compat::envelope::listed(manager, request, &["/fabric/health-engines/template-policy".to_owned()])
}

const ROUTING_ENGINE: &str = "/fabric/routing-engines/template-policy";

/// `GET /fabric/routing-engines`
pub fn routing_engines(manager: &mut Manager, request: &ApiRequest) -> Answer {
    crate::compat::envelope::listed(manager, request, &[ROUTING_ENGINE.to_owned()])
}

/// `GET /fabric/routing-engines/template-policy`: the published tables, and how many switches have
/// them.
pub fn routing_engine(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let control = &manager.control_loop.control;
    let generation = control.published().generation;
    let switches = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    let synchronised = switches.filter(|switch| control.device_state(*switch) == DeviceState::Synced).count();
    let fields = json!({
        "topologyPolicyLink": "/fabric/topology-policies/template-policy",
        "generation": generation,
        "numSwitches": manager.fabric.switch_count(),
        "numSwitchesSynchronized": synchronised,
    });
    Ok(Reply::Json(derived(manager, "routing-engine", ROUTING_ENGINE, fields)))
}

/// `GET /fabric/topology-maps/template-map`
pub fn topology_map(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let fabric = &manager.fabric;
    let mut switches = Map::new();
    for switch in (0..fabric.switch_count()).map(SwitchId::from_index) {
        let (mut edge, mut others) = (Map::new(), Map::new());
        for port in fabric.ports_of(switch).map(PortIndex) {
            let state = json!(manager.control_loop.control.port(port).state.name().to_uppercase());
            match fabric.port(port).role {
                PortRole::Unused => continue,
                PortRole::Edge => edge.insert(jack(&manager.fabric, port), state),
                PortRole::Local | PortRole::Global => others.insert(jack(&manager.fabric, port), state),
            };
        }
        let row = json!({
            "enabled": manager.documents.composition().switch(switch).enabled,
            "state": manager.control_loop.control.device_state(switch).name(),
            "edgePortStateMap": edge,
            "fabricPortStateMap": others,
        });
        switches.insert(manager.switch_name(switch), row);
    }
    let fields = json!({
        "switches": switches,
        "generation": manager.control_loop.control.published().generation,
        "sweepIntervalInMilliseconds": manager.control_loop.control.settings().heartbeat_ms,
    });
    Ok(Reply::Json(derived(manager, "topology-map", "/fabric/topology-maps/template-map", fields)))
}

/// `GET /fabric/health-engines/template-policy`
pub fn health(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let Reply::Json(status) = resources::status::status(manager, request)? else {
        return Err(ApiProblem::conflict("the status is a document"));
    };
    let word = |name: &str| status["health"][name]["word"].clone();
    let now = manager.clock.seconds();
    let windows = manager.documents.set().of(DocumentKind::MaintenanceWindow);
    let last = windows.filter_map(|document| match &document.spec {
        Spec::MaintenanceWindow(spec) if !spec.freeze && spec.starts_at_seconds <= now => {
            Some((spec.starts_at_seconds, spec.ends_at_seconds))
        }
        _ => None,
    });
    let last = last.max();
    let fields = json!({
        "healthStatus": {
            "Runtime": word("runtime"),
            "Configuration": word("configuration"),
            "Traffic": word("traffic"),
            "Security": word("security"),
        },
        "lastMaintenanceStart": last.map(|(start, _)| crate::clock::utc(start)),
        "lastMaintenanceEnd": last.map(|(_, end)| crate::clock::utc(end)),
    });
    Ok(Reply::Json(derived(manager, "health-engine", "/fabric/health-engines/template-policy", fields)))
}

fn agent_link(manager: &Manager, switch: SwitchId) -> String {
    format!("/fabric/agents/{}", manager.switch_name(switch))
}

/// `GET /fabric/agents`
pub fn agents(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    collection(manager, request, manager.fabric.switch_count(), |range| {
        range.map(|switch| agent_link(manager, SwitchId::from_index(switch))).collect()
    })
}

/// Whether the agent of a switch answers.
fn is_available(control_loop: &ControlLoop, switch: SwitchId) -> bool {
    !matches!(control_loop.control.device_state(switch), DeviceState::Unknown | DeviceState::Unreachable)
}

/// `GET /fabric/available-agents`
pub fn available_agents(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    let all = || (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    let available = || all().filter(|switch| is_available(&manager.control_loop, *switch));
    collection(manager, request, available().count(), |range| {
        available().skip(range.start).take(range.len()).map(|switch| agent_link(manager, switch)).collect()
    })
}

/// `GET /fabric/agents/{name}`
pub fn agent(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let view = manager.control_loop.control.device(switch);
    let fields = json!({
        "switchLink": format!("/fabric/switches/{}", manager.switch_name(switch)),
        "available": is_available(&manager.control_loop, switch),
        "state": view.state.name().to_uppercase(),
        "cause": view.cause.to_string(),
        "firmwareVersion": view.firmware,
        "serialNumber": view.serial,
        "fullySynchronized": view.state == DeviceState::Synced,
    });
    Ok(Reply::Json(derived(manager, "agent", &agent_link(manager, switch), fields)))
}

/// `GET /metrics` with an OData key: links to the metrics of each switch.
pub fn metrics(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    let model = match request.query.get("$filter") {
        None => None,
        Some(filter) => {
            let model = filter.strip_prefix("switchType eq '").and_then(|rest| rest.strip_suffix('\''));
            Some(model.ok_or_else(|| {
                ApiProblem::bad_request(format!("$filter={filter}: \"switchType eq 'NAME'\" is the filter that works"))
            })?)
        }
    };
    let fits = |switch: &SwitchId| model.is_none_or(|model| manager.fabric.model(*switch).name() == model);
    let all = || (0..manager.fabric.switch_count()).map(SwitchId::from_index).filter(fits);
    collection(manager, request, all().count(), |range| {
        all()
            .skip(range.start)
            .take(range.len())
            .map(|switch| format!("/metrics/{}", manager.switch_name(switch)))
            .collect()
    })
}

/// `GET /metrics/{name}`
pub fn switch_metrics(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let row = |port: PortIndex| {
        let view = manager.control_loop.control.port(port);
        json!({ "conn_port": jack(&manager.fabric, port), "state": view.state.name().to_uppercase(), "linkLosses": view.losses })
    };
    let ports = manager.fabric.ports_of(switch).map(PortIndex);
    let ports = ports.filter(|port| manager.fabric.port(*port).role != PortRole::Unused);
    let fields =
        json!({ "switchType": manager.fabric.model(switch).name(), "ports": ports.map(row).collect::<Vec<_>>() });
    Ok(Reply::Json(derived(manager, "metrics", &format!("/metrics/{}", manager.switch_name(switch)), fields)))
}

fn settings_document(manager: &Manager) -> Reply {
    let all = manager.control_loop.control.settings().all();
    let fields: Map<String, Value> = all.into_iter().map(|(name, value, ..)| (name.to_owned(), json!(value))).collect();
    Reply::Json(derived(manager, "host-settings", "/host-settings", Value::Object(fields)))
}

/// `GET /host-settings`
pub fn settings(manager: &mut Manager, _: &ApiRequest) -> Answer {
    Ok(settings_document(manager))
}

/// `PATCH /host-settings`
pub fn set(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let mut plain = request.clone();
    if let Some(body) = plain.body.as_object_mut() {
        body.retain(|key, _| !key.starts_with("document"));
    }
    tuning::endpoints::set(manager, &plain)?;
    Ok(settings_document(manager))
}
