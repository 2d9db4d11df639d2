//! Hosts' attestations: the QoS profile of their NICs and the NICs' addresses. The manager compares
//! them with the switches' configuration at each request, so that an alarm ends when its cause
//! does.

use std::collections::BTreeMap;

use philae_inventory::{MacForm, read_mac};
use philae_policy::{Composition, DocumentKind, DocumentSet, QosProfileSpec, Spec};
use philae_topology::PortPeer;
use philae_units::{NodeId, SwitchId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api::{ApiRequest, Reply};
use crate::manager::Manager;
use crate::problem::ApiProblem;
use crate::sections::{profile_hash, profile_text};

/// A host's attestation of a NIC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NicAttestation {
    /// Its name (xname).
    pub name: String,
    /// Its MAC address.
    pub mac: String,
}

/// A host's attestation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Attestation {
    /// The QoS profile of its NICs, by name.
    pub qos_profile: Option<String>,
    /// The hash of that profile.
    pub qos_profile_hash: Option<String>,
    /// Its NICs.
    pub nics: Vec<NicAttestation>,
}

/// The last attestations, by node.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// With the times of the first and the last report of this attestation.
    said: BTreeMap<NodeId, (Attestation, u64, u64)>,
}

/// A difference between a host and the fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFault {
    /// "qos-mismatch" or "address-mismatch".
    pub kind: &'static str,
    /// In words, with the node's name.
    pub detail: String,
    /// Since when, milliseconds of the manager's clock.
    pub since_ms: u64,
}

/// The profile that NICs and switches must have: that of the enabled switches, which admission
/// keeps equal.
fn wanted(manager: &Manager) -> Option<(&str, &QosProfileSpec)> {
    wanted_by(manager, manager.documents.set(), manager.documents.composition())
}

/// The same for other documents.
fn wanted_by<'a>(
    manager: &Manager,
    set: &'a DocumentSet,
    composition: &'a Composition,
) -> Option<(&'a str, &'a QosProfileSpec)> {
    let switches = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    let config = switches.map(|switch| composition.switch(switch)).find(|config| config.enabled)?;
    match &set.get(DocumentKind::QosProfile, &config.qos_profile)?.spec {
        Spec::QosProfile(spec) => Some((&config.qos_profile, spec)),
        _ => None,
    }
}

impl Hosts {
    /// The profile of switches in some documents, with its hash, and the number of NICs that attest
    /// it.
    #[must_use]
    pub fn attesting(
        &self,
        manager: &Manager,
        set: &DocumentSet,
        composition: &Composition,
    ) -> Option<((String, String), usize)> {
        let (name, spec) = wanted_by(manager, set, composition)?;
        let hash = profile_hash(spec);
        let said = self.said.values().filter(|(said, ..)| said.qos_profile_hash.as_ref() == Some(&hash));
        Some(((name.to_owned(), hash.clone()), said.map(|(said, ..)| said.nics.len().max(1)).sum()))
    }

    /// All differences between hosts and the fabric.
    #[must_use]
    pub fn faults(&self, manager: &Manager) -> Vec<HostFault> {
        let wanted = wanted(manager).map(|(name, spec)| (name, profile_hash(spec)));
        let mut faults = Vec::new();
        for (&node, (said, since_ms, _)) in &self.said {
            let name = manager.fabric.node_xname(node);
            if let (Some((wanted, hash)), Some(found)) = (&wanted, &said.qos_profile_hash)
                && found != hash
            {
                let of = said.qos_profile.as_deref().unwrap_or("a profile without a name");
                let detail = format!(
                    "node {name} has QoS profile {of} with hash {found}, the switches have {wanted} with {hash}: traffic \
                     classes do not match"
                );
                faults.push(HostFault { kind: "qos-mismatch", detail, since_ms: *since_ms });
            }
            for nic in &said.nics {
                if let Some(detail) = address_fault(manager, nic) {
                    faults.push(HostFault { kind: "address-mismatch", detail, since_ms: *since_ms });
                }
            }
        }
        faults
    }
}

/// What is wrong with a NIC's address; `None` if it is right.
fn address_fault(manager: &Manager, nic: &NicAttestation) -> Option<String> {
    let fabric = &manager.fabric;
    let id = fabric.nic_by_name(&nic.name).ok()?;
    let planned = fabric.address(fabric.nics()[id.index()].port).ok()?;
    let found = match nic.mac.parse().ok().and_then(|mac| read_mac(mac).ok()) {
        Some((address, _, MacForm::Nic)) => address,
        _ => {
            return Some(format!(
                "NIC {} has {}, which is not the address of a NIC; planned is {}",
                nic.name,
                nic.mac,
                planned.mac()
            ));
        }
    };
    if found == planned {
        return None;
    }
    let other = fabric.port_of_address(found).map(|port| match fabric.port(port).peer {
        PortPeer::Endpoint(other) => {
            format!("that of NIC {}: cables or addresses are exchanged", fabric.nic_xname(other))
        }
        PortPeer::Port(_) | PortPeer::None => format!("that of port {}, which has no NIC", manager.port_name(port)),
    });
    let other = other.unwrap_or_else(|| "not of a port of this fabric".to_owned());
    Some(format!("NIC {} has address {}, {other}; planned is {}", nic.name, nic.mac, planned.mac()))
}

fn node_named(manager: &Manager, request: &ApiRequest) -> Result<NodeId, ApiProblem> {
    crate::things::node_named(&manager.fabric, request.capture("name"))
}

fn row(manager: &Manager, node: NodeId, (said, _, at_ms): &(Attestation, u64, u64)) -> Value {
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
    let wanted = wanted(manager)
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
    let node = node_named(manager, request)?;
    let said = manager.hosts.said.get(&node);
    let said = said.ok_or_else(|| {
        ApiProblem::not_found(format!("node {} has sent no attestation", manager.fabric.node_xname(node)))
    })?;
    Ok(Reply::Json(row(manager, node, said)))
}

/// `PUT /api/v1/attestations/{name}`
pub fn put(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let node = node_named(manager, request)?;
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
    let node = node_named(manager, request)?;
    let gone = manager.hosts.said.remove(&node).is_some();
    Ok(Reply::Json(json!({ "deleted": gone })))
}
