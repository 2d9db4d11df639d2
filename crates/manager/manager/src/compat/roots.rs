//! Paths of the vendor above and next to the fabric: lists of collections, certificates, telemetry.

use std::collections::BTreeMap;

use philae_agent_rpc::{Issued, unix_seconds};
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::compat::ENDPOINTS;
use crate::compat::envelope::{collection, derived, listed};
use crate::manager::Manager;
use crate::protocol::natural::natural;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::security::Security;
use crate::things::switch_named;

type Answer = Result<Reply, ApiProblem>;

/// The path at which other managers have tokens of switches.
const NO_TOKENS: &str = "/fabric/rosetta-auth-token";

/// Links to the collections directly below a path.
fn below(manager: &Manager, request: &ApiRequest, path: &str) -> Answer {
    let mut links: Vec<String> = ENDPOINTS
        .iter()
        .filter(|endpoint| endpoint.method == "GET" && !endpoint.path.contains('{'))
        .filter_map(|endpoint| endpoint.path.strip_prefix(path)?.strip_prefix('/'))
        .filter_map(|rest| rest.split('/').next().filter(|step| !step.is_empty()))
        .map(|step| format!("{path}/{step}"))
        .collect();
    links.sort();
    links.dedup();
    // Only paths that can be read, and not the one that only explains why there is nothing.
    let answers = |link: &String| ENDPOINTS.iter().any(|endpoint| endpoint.method == "GET" && endpoint.path == link);
    links.retain(|link| answers(link) && link != NO_TOKENS);
    listed(manager, request, &links)
}

/// `GET /`
pub fn all(manager: &mut Manager, request: &ApiRequest) -> Answer {
    below(manager, request, "")
}

/// `GET /fabric`
pub fn fabric(manager: &mut Manager, request: &ApiRequest) -> Answer {
    below(manager, request, "/fabric")
}

/// `GET /fabric/vni`
pub fn vni(manager: &mut Manager, request: &ApiRequest) -> Answer {
    below(manager, request, "/fabric/vni")
}

/// `GET /fabric/rosetta-auth-token`
pub fn no_switch_tokens(_: &mut Manager, _: &ApiRequest) -> Answer {
    let detail = "switches have no tokens here: their agents authenticate with certificates; GET /certmgr/switch-certificates lists them";
    Err(ApiProblem::not_found(detail))
}

/// Valid certificates by the switch that they name; those for several switches are listed under
/// their pattern.
fn by_switch(security: &Security) -> Result<BTreeMap<String, Vec<Issued>>, ApiProblem> {
    let Some(authority) = &security.authority else { return Ok(BTreeMap::new()) };
    let issued = authority.expiring(unix_seconds(), u64::MAX);
    let issued = issued.map_err(|error| ApiProblem::conflict(format!("the authority cannot be read: {error}")))?;
    let mut found: BTreeMap<String, Vec<Issued>> = BTreeMap::new();
    for one in issued {
        for name in one.names.iter().filter(|name| name.contains("/agent")) {
            found.entry(name.rsplit('/').next().unwrap_or(name).to_owned()).or_default().push(one.clone());
        }
    }
    Ok(found)
}

fn certificate_link(name: &str) -> String {
    format!("/certmgr/switch-certificates/{name}")
}

/// `GET /certmgr/switch-certificates`
pub fn certificates(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let mut links: Vec<String> = by_switch(&manager.security)?.keys().map(|name| certificate_link(name)).collect();
    links.sort_by(|one, other| natural(one, other));
    listed(manager, request, &links)
}

/// `GET /certmgr/switch-certificates/{name}`
pub fn certificate(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let name = request.capture("name");
    let issued = by_switch(&manager.security)?.remove(name).ok_or_else(|| {
        ApiProblem::not_found(format!(
            "no certificate is valid for {name}; GET /certmgr/switch-certificates lists all certificates"
        ))
    })?;
    let row = |issued: &Issued| json!({ "serialNumber": issued.serial, "root": issued.root, "notAfter": crate::clock::utc(issued.not_after) });
    let fields = json!({ "name": name, "certificates": issued.iter().map(row).collect::<Vec<Value>>() });
    Ok(Reply::Json(derived(manager, "switch-certificate", &certificate_link(name), fields)))
}

/// `GET /telemetry`: an empty list, because nothing is sent to receivers.
pub fn telemetry(manager: &mut Manager, request: &ApiRequest) -> Answer {
    listed(manager, request, &[])
}

fn telemetry_link(manager: &Manager, switch: SwitchId) -> String {
    format!("/switch-telemetry/{}", manager.switch_name(switch))
}

/// `GET /switch-telemetry`
pub fn switch_telemetries(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let manager = &*manager;
    collection(manager, request, manager.fabric.switch_count(), |range| {
        range.map(|switch| telemetry_link(manager, SwitchId::from_index(switch))).collect()
    })
}

/// `GET /switch-telemetry/{name}`
pub fn switch_telemetry(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let fields = json!({
        "switchLink": format!("/fabric/switches/{}", manager.switch_name(switch)),
        "periodInSeconds": manager.documents.composition().switch(switch).telemetry_period_seconds,
        "metricsLink": format!("/metrics/{}", manager.switch_name(switch)),
        "receivers": [],
    });
    Ok(Reply::Json(derived(manager, "switch-telemetry", &telemetry_link(manager, switch), fields)))
}
