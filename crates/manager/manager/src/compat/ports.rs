//! `/fabric/ports`, `/fabric/switches`, `/fabric/links`.

use philae_policy::{Document, DocumentChange, DocumentKind, DocumentRef, FabricView, PortSpec, PortState, Spec};
use philae_topology::{PortPeer, PortRole};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::compat::envelope::{collection, derived, kept, made, name_of, only, texts};
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::things::{port_named, switch_named};
use philae_inventory::PlannedFabric;

type Answer = Result<Reply, ApiProblem>;

/// The name of a port by its jack.
pub fn jack(fabric: &PlannedFabric, port: PortIndex) -> String {
    fabric.connector_port_xname(port).to_string()
}

fn port_link(manager: &Manager, port: PortIndex) -> String {
    format!("/fabric/ports/{}", jack(&manager.fabric, port))
}

fn switch_link(manager: &Manager, switch: SwitchId) -> String {
    format!("/fabric/switches/{}", manager.switch_name(switch))
}

fn is_used(fabric: &PlannedFabric, port: PortIndex) -> bool {
    fabric.port(port).role != PortRole::Unused
}

/// `GET /fabric/switches`
pub fn switches(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    collection(manager, request, manager.fabric.switch_count(), |range| {
        range.map(|switch| switch_link(manager, SwitchId::from_index(switch))).collect()
    })
}

/// `GET /fabric/switches/{name}`
pub fn switch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let (fabric, name) = (&manager.fabric, manager.switch_name(switch));
    let view = manager.control_loop.control.device(switch);
    let ports = || fabric.ports_of(switch).map(PortIndex).filter(|port| is_used(&manager.fabric, *port));
    let edge = |port: &PortIndex| fabric.port(*port).role == PortRole::Edge;
    let links = |ports: &[PortIndex]| ports.iter().map(|&port| port_link(manager, port)).collect::<Vec<_>>();
    let rows = |ports: &[PortIndex]| {
        let row = |&port: &PortIndex| json!({ "portNum": fabric.number_of(port).0, "conn_port": jack(&manager.fabric, port) });
        ports.iter().map(row).collect::<Vec<Value>>()
    };
    let (edges, others): (Vec<PortIndex>, Vec<PortIndex>) = ports().partition(edge);
    let reference = DocumentRef::new(DocumentKind::Switch, &name);
    let labels =
        manager.documents.set().get(DocumentKind::Switch, &name).map(|found| found.labels.clone()).unwrap_or_default();
    let policy = match manager.documents.set().get(DocumentKind::Switch, &name).map(|found| &found.spec) {
        Some(Spec::Switch(spec)) => {
            spec.switch_policy_links.last().map(|name| format!("/fabric/switch-policies/{name}"))
        }
        _ => None,
    };
    let fields = json!({
        "IP": "",
        "grpId": fabric.switch(switch).group.0,
        "swcNum": fabric.switch(switch).number,
        "firmwareVersion": view.firmware,
        "firmwareImage": manager.documents.composition().switch(switch).firmware.clone().unwrap_or_default(),
        "serialNumber": view.serial,
        "switchType": fabric.model(switch).name(),
        "displayName": fabric.switch_label(switch).unwrap_or(&name),
        "switchLabelList": labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>(),
        "agentLink": format!("/fabric/agents/{name}"),
        "switchPolicyLink": policy.unwrap_or_default(),
        "edgePortLinks": links(&edges),
        "fabricPortLinks": links(&others),
        "edgePorts": rows(&edges),
        "fabricPorts": rows(&others),
    });
    Ok(Reply::Json(kept(manager, "switch", &switch_link(manager, switch), &reference, fields)))
}

/// `GET /fabric/ports`
pub fn ports(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    let all =
        || (0..manager.fabric.port_count()).map(PortIndex::from_index).filter(|port| is_used(&manager.fabric, *port));
    collection(manager, request, all().count(), |range| {
        all().skip(range.start).take(range.len()).map(|port| port_link(manager, port)).collect()
    })
}

fn named(fabric: &PlannedFabric, request: &ApiRequest) -> Result<PortIndex, ApiProblem> {
    port_named(fabric, request.capture("name"))
}

/// The policies of a port: those that it names, else the built-in one of its role.
fn policies(manager: &Manager, port: PortIndex) -> Vec<String> {
    let named = match manager.documents.set().get(DocumentKind::Port, &manager.port_name(port)).map(|found| &found.spec)
    {
        Some(Spec::Port(spec)) => spec.port_policy_links.clone(),
        _ => Vec::new(),
    };
    let stock = if manager.fabric.port(port).role == PortRole::Edge { "edge-policy" } else { "fabric-policy" };
    let names = if named.is_empty() { vec![stock.to_owned()] } else { named };
    names.into_iter().map(|name| format!("/fabric/port-policies/{name}")).collect()
}

fn document(manager: &Manager, port: PortIndex) -> Value {
    let destination = match manager.fabric.port(port).peer {
        PortPeer::Endpoint(nic) => manager.fabric.nic_xname(nic).to_string(),
        PortPeer::Port(far) => jack(&manager.fabric, far),
        PortPeer::None => String::new(),
    };
    let name = manager.port_name(port);
    let fields = json!({
        "id": name,
        "conn_port": jack(&manager.fabric, port),
        "dst_port": destination,
        "switchLink": switch_link(manager, manager.fabric.switch_of(port)),
        "portNumber": manager.fabric.number_of(port).0,
        "hsnIp": "",
        "portPolicyLinks": policies(manager, port),
    });
    kept(manager, "port", &port_link(manager, port), &DocumentRef::new(DocumentKind::Port, &name), fields)
}

/// `GET /fabric/ports/{name}`
pub fn port(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = named(&manager.fabric, request)?;
    Ok(Reply::Json(document(manager, port)))
}

/// `PATCH /fabric/ports/{name}`
pub fn patch_port(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["portPolicyLinks"])?;
    let port = named(&manager.fabric, request)?;
    let links = texts(request, "portPolicyLinks")?;
    let links = links.ok_or_else(|| {
        ApiProblem::bad_request("the body lacks portPolicyLinks: [\"/fabric/port-policies/edge-policy\"] would work")
    })?;
    let name = manager.port_name(port);
    let known = manager.documents.set().get(DocumentKind::Port, &name).cloned();
    let mut document = known.unwrap_or_else(|| Document::new(&name, Spec::Port(PortSpec::default())));
    if let Spec::Port(spec) = &mut document.spec {
        spec.port_policy_links = links.iter().map(|link| name_of(link).to_owned()).collect();
    }
    made(manager, request, DocumentChange::Put(document))?;
    Ok(Reply::Json(self::document(manager, port)))
}

/// `GET /fabric/links`
pub fn links(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    let wiring = manager.control_loop.control.wiring();
    collection(manager, request, manager.control_loop.control.link_count(), |range| {
        let links = wiring.links().skip(range.start).take(range.len());
        links
            .map(|(one, other)| {
                format!("/fabric/links/{}-{}", jack(&manager.fabric, one), jack(&manager.fabric, other))
            })
            .collect()
    })
}

/// `GET /fabric/links/{name}`
pub fn link(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let name = request.capture("name");
    let ends = manager.documents.names.find_link(name).ok_or_else(|| {
        ApiProblem::not_found(format!(
            "there is no link '{name}': two ports joined by '-' would work, as GET /fabric/links has them"
        ))
    })?;
    let now_ms = manager.control_loop.now_ms();
    let view = manager.control_loop.control.link_view(now_ms, ends.0);
    let of = |port: PortIndex| port_link(manager, port);
    let ours = manager.documents.names.link_name(ends.0, ends.1);
    let policies = match manager.documents.set().get(DocumentKind::Link, &ours).map(|found| &found.spec) {
        Some(Spec::Link(spec)) => spec.link_policy_links.clone(),
        _ => Vec::new(),
    };
    let fields = json!({
        "portALink": of(ends.0),
        "portBLink": of(ends.1),
        "linkType": manager.fabric.port(ends.0).role.name(),
        "linkPolicyLinks": policies.iter().map(|name| format!("/fabric/link-policies/{name}")).collect::<Vec<_>>(),
        "state": if view.is_some_and(|view| view.unusable.is_none()) { "ONLINE" } else { "OFFLINE" },
    });
    let link = format!("/fabric/links/{}-{}", jack(&manager.fabric, ends.0), jack(&manager.fabric, ends.1));
    Ok(Reply::Json(derived(manager, "link", &link, fields)))
}

/// The ports of a set that older tools ask for.
fn set(fabric: &PlannedFabric, request: &ApiRequest) -> Result<Vec<PortIndex>, ApiProblem> {
    let name = request.capture("name");
    let fits: fn(PortRole) -> bool = match name {
        "edge-ports" => |role| role == PortRole::Edge,
        "fabric-ports" => |role| matches!(role, PortRole::Local | PortRole::Global),
        _ => {
            let detail = format!("there is no port set '{name}'; there are: edge-ports, fabric-ports");
            return Err(ApiProblem::not_found(detail));
        }
    };
    let ports = (0..fabric.port_count()).map(PortIndex::from_index);
    Ok(ports.filter(|port| fits(fabric.port(*port).role)).collect())
}

/// `GET /port-sets/{name}`
pub fn port_set(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let ports: Vec<String> =
        set(&manager.fabric, request)?.into_iter().map(|port| jack(&manager.fabric, port)).collect();
    let name = request.capture("name");
    Ok(Reply::Json(derived(
        manager,
        "port-set",
        &format!("/port-sets/{name}"),
        json!({ "name": name, "ports": ports }),
    )))
}

/// `GET /port-sets/{name}/status`
pub fn port_set_status(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let row = |port: PortIndex| {
        let enabled = manager.documents.composition().port(port).state == PortState::Online;
        let state = manager.control_loop.control.port(port).state.name().to_uppercase();
        json!({ "xname": jack(&manager.fabric, port), "status": { "enable": enabled, "state": state } })
    };
    let ports: Vec<Value> = set(&manager.fabric, request)?.into_iter().map(row).collect();
    let name = request.capture("name");
    Ok(Reply::Json(derived(
        manager,
        "port-set-status",
        &format!("/port-sets/{name}/status"),
        json!({ "ports": ports }),
    )))
}
