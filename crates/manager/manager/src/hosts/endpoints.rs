//! Hosts' attestations over the API.

use philae_units::NodeId;
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::desired::sections::{profile_hash, profile_text};
use crate::hosts::{Attestation, wanted};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, any_json};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::EndpointShape;
use philae_inventory::PlannedFabric;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    ApiEndpoint {
        method: "GET",
        path: "/api/v1/attestations",
        summary: "Attestations of hosts about their NICs, and the planned values.",
        query: &[
            ("limit", "most items in the answer, 1 to 100000; default 1000"),
            ("after", "name of the last node of the previous page"),
        ],
        changes: false,
        access: RequiredAccess::Of(AccessArea::Fabric, AccessKind::Read),
        shape: EndpointShape { errors: &[404], ..EndpointShape::ANY },
        run: list,
    },
    any_json("GET", "/api/v1/attestations/{name}", "The last attestation of a node.", get),
    any_json(
        "PUT",
        "/api/v1/attestations/{name}",
        "Stores a node's attestation: QoS profile and addresses of its NICs.",
        put,
    ),
    any_json("DELETE", "/api/v1/attestations/{name}", "Deletes a node's attestation.", delete),
];

pub(crate) fn node_named(fabric: &PlannedFabric, request: &ApiRequest) -> Result<NodeId, ApiProblem> {
    crate::things::node_named(fabric, request.capture("name"))
}

pub(crate) fn row(manager: &Manager, node: NodeId, (said, _, at_ms): &(Attestation, u64, u64)) -> Value {
    let age = manager.control_loop.now_ms().saturating_sub(*at_ms) as f64 / 1e3;
    json!({ "node": manager.fabric.node_xname(node).to_string(), "said": said, "secondsAgo": age })
}

/// `GET /api/v1/attestations`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let limit = request.number("limit", 1_000, 100_000)?;
    let after = match request.query.get("after") {
        Some(name) => Some(crate::things::node_named(&manager.fabric, name)?),
        None => None,
    };
    let wanted = wanted(&manager.fabric, &manager.documents)
        .map(|(name, spec)| json!({ "qosProfile": name, "qosProfileHash": profile_hash(spec), "hashed": profile_text(spec) }));
    let said = manager.hosts.said.iter().filter(|(node, _)| after.is_none_or(|after| **node > after));
    let mut items: Vec<Value> = said.take(limit + 1).map(|(&node, said)| row(manager, node, said)).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(|item| item["node"].clone());
    Ok(Reply::Json(json!({ "wanted": wanted, "items": items, "next": next })))
}

/// `GET /api/v1/attestations/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let node = node_named(&manager.fabric, request)?;
    let said = manager.hosts.said.get(&node);
    let said = said.ok_or_else(|| {
        ApiProblem::not_found(format!("node {} has sent no attestation", manager.fabric.node_xname(node)))
    })?;
    Ok(Reply::Json(row(manager, node, said)))
}

/// `PUT /api/v1/attestations/{name}`
pub fn put(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let node = node_named(&manager.fabric, request)?;
    let said: Attestation = serde_json::from_value(request.body.clone()).map_err(|error| {
        let works = "{\"qosProfile\": \"HPC\", \"qosProfileHash\": \"...\", \"nics\": [{\"name\": \"...h0\", \"mac\": \"02:...\"}]}";
        ApiProblem::bad_request(format!("the body: {error}; {works} would work"))
    })?;
    for nic in &said.nics {
        let id = manager.fabric.nic_by_name(&nic.name).map_err(ApiProblem::bad_request)?;
        if manager.fabric.nics()[id.index()].node != node {
            let name = manager.fabric.node_xname(node);
            return Err(ApiProblem::bad_request(format!("NIC {} is not of node {name}", nic.name)));
        }
    }
    let now_ms = manager.control_loop.now_ms();
    let known = manager.hosts.said.get(&node).filter(|(known, ..)| *known == said);
    let since_ms = known.map_or(now_ms, |(_, since_ms, _)| *since_ms);
    manager.hosts.said.insert(node, (said, since_ms, now_ms));
    get(manager, request)
}

/// `DELETE /api/v1/attestations/{name}`
pub fn delete(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let node = node_named(&manager.fabric, request)?;
    let gone = manager.hosts.said.remove(&node).is_some();
    Ok(Reply::Json(json!({ "deleted": gone })))
}
