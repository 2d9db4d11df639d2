//! Resolves names, for all endpoints and commands: an xname first, else a label.

use philae_inventory::{LookupError, PlannedFabric, Thing};
use philae_topology::PortPeer;
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::list::word;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[get(
    "/api/v1/names",
    "The switch, port, NIC or node with an xname or a label.",
    &[("name", "an xname, or a label"), ("kind", "only these: switches, ports, links, nics, nodes")],
    named,
)
.json(of::<NamedView>)
.errors(&[404, 409])];

/// The error for a name that leads to nothing, or to several things.
pub(crate) fn unknown(error: LookupError) -> ApiProblem {
    match error {
        LookupError::Several { .. } => ApiProblem::conflict(error),
        error => ApiProblem::not_found(error),
    }
}

/// The switch of a name.
pub(crate) fn switch_named(fabric: &PlannedFabric, name: &str) -> Result<SwitchId, ApiProblem> {
    fabric.switch_by_name(name).map_err(unknown)
}

/// The node of a name.
pub(crate) fn node_named(fabric: &PlannedFabric, name: &str) -> Result<NodeId, ApiProblem> {
    fabric.node_by_name(name).map_err(unknown)
}

/// The only NIC of a node.
fn only_nic(fabric: &PlannedFabric, node: NodeId) -> Result<EndpointId, ApiProblem> {
    let nics: Vec<EndpointId> = fabric.nics_of(node).map(EndpointId).collect();
    match nics[..] {
        [nic] => Ok(nic),
        [] => Err(ApiProblem::not_found(format!("node {} has no NIC", fabric.node_text(node)))),
        _ => {
            let names: Vec<String> = nics.iter().map(|&nic| fabric.nic_xname(nic).to_string()).collect();
            let names = names.join(", ");
            Err(ApiProblem::conflict(format!(
                "node {} has {} NICs: {names}; one of these would work",
                fabric.node_text(node),
                nics.len()
            )))
        }
    }
}

/// The port that a name means: its own name, or that of its NIC, or of a node with only this NIC.
pub(crate) fn port_named(fabric: &PlannedFabric, name: &str) -> Result<PortIndex, ApiProblem> {
    let of_nic = |nic: EndpointId| fabric.nics()[nic.index()].port;
    match fabric.thing_by_name(name) {
        Ok(Thing::Port(port)) => Ok(port),
        Ok(Thing::Nic(nic)) => Ok(of_nic(nic)),
        Ok(Thing::Node(node)) => only_nic(fabric, node).map(of_nic),
        Ok(Thing::Switch(switch)) => {
            let mut ports = fabric.ports_of(switch).map(PortIndex);
            let edge = ports.find(|port| matches!(fabric.port(*port).peer, PortPeer::Endpoint(_)));
            let example = edge.or_else(|| fabric.ports_of(switch).map(PortIndex).next());
            let example =
                example.map_or(String::new(), |port| format!(", such as its port {}", fabric.link_xname(port)));
            Err(ApiProblem::not_found(format!(
                "{} is a switch; a port or a NIC would work{example}",
                fabric.switch_text(switch)
            )))
        }
        Err(error @ LookupError::Several { .. }) => {
            // A switch with that label is not meant here.
            fabric.nic_by_name(name).map(of_nic).map_err(|_| unknown(error))
        }
        Err(error) => Err(unknown(error)),
    }
}

/// What a name means.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Named", deny_unknown_fields)]
pub struct NamedView {
    /// switches, ports, nics or nodes: what paths begin with.
    pub kind: &'static str,
    /// Its xname, as paths take it.
    pub name: String,
    /// What other programs call it.
    pub label: Option<String>,
    /// Its switch, where it has one.
    pub switch: Option<String>,
    /// Its port: of a NIC, and of a node with one NIC.
    pub port: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Switch,
    Port,
    Nic,
    Node,
}

fn view(fabric: &PlannedFabric, thing: Thing) -> NamedView {
    let of_port = |port: PortIndex| {
        let switch = fabric.bmc_xname(fabric.switch_of(port)).to_string();
        (Some(switch), Some(fabric.link_xname(port).to_string()))
    };
    let (kind, name, label, (switch, port)) = match thing {
        Thing::Switch(switch) => {
            let name = fabric.bmc_xname(switch).to_string();
            ("switches", name.clone(), fabric.switch_system(switch), (Some(name), None))
        }
        Thing::Port(port) => ("ports", fabric.link_xname(port).to_string(), None, of_port(port)),
        Thing::Nic(nic) => {
            let of = fabric.nics()[nic.index()];
            let label = fabric.nic_label(nic).or_else(|| fabric.node_label(of.node));
            ("nics", fabric.nic_xname(nic).to_string(), label, of_port(of.port))
        }
        Thing::Node(node) => {
            let nics: Vec<EndpointId> = fabric.nics_of(node).map(EndpointId).collect();
            let place = match nics[..] {
                [nic] => of_port(fabric.nics()[nic.index()].port),
                _ => (None, None),
            };
            ("nodes", fabric.node_xname(node).to_string(), fabric.node_label(node), place)
        }
    };
    NamedView { kind, name, label: label.map(str::to_owned), switch, port }
}

/// `GET /api/v1/names`
pub fn named(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let fabric = &*manager.fabric;
    let works = "the query lacks 'name': an xname or a label";
    let name = request.query.get("name").ok_or_else(|| ApiProblem::bad_request(works))?;
    let kinds = [
        ("switches", Wanted::Switch),
        ("ports", Wanted::Port),
        ("links", Wanted::Port),
        ("nics", Wanted::Nic),
        ("nodes", Wanted::Node),
    ];
    let thing = match word(request, "kind", &kinds)? {
        None => fabric.thing_by_name(name).map_err(unknown)?,
        Some(Wanted::Switch) => Thing::Switch(switch_named(fabric, name)?),
        Some(Wanted::Port) => Thing::Port(port_named(fabric, name)?),
        Some(Wanted::Nic) => match fabric.nic_by_name(name) {
            Ok(nic) => Thing::Nic(nic),
            Err(error) => match fabric.node_by_name(name) {
                Ok(node) => Thing::Nic(only_nic(fabric, node)?),
                Err(_) => return Err(unknown(error)),
            },
        },
        Some(Wanted::Node) => Thing::Node(node_named(fabric, name)?),
    };
    Ok(Reply::of(&view(fabric, thing)))
}
