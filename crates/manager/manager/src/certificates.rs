//! Certificates over the API: list, rotation, revocation, join tokens; and the level of the log.

use std::collections::BTreeSet;
use std::sync::Arc;

use philae_agent_rpc::{Authority, CaError, Issued, check_name, unix_seconds};
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::log;
use crate::log::LogLevel;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, LIMIT_100K, SECRETS_READ, SECRETS_WRITE, get, post};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::any;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1/certificates", "Valid certificates, in order of their end.", &[LIMIT_100K], list)
        .for_whom(SECRETS_READ)
        .errors(&[409, 507]),
    post("/api/v1/certificates/rotate", "Create a new root that signs from now on, and ask agents to renew.", rotate)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 507]),
    post("/api/v1/certificates/retire", "Stops trusting old roots.", retire)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 507]),
    post("/api/v1/certificates/{serial}/revoke", "Revokes a certificate.", revoke)
        .for_whom(SECRETS_WRITE)
        .errors(&[404, 409, 507]),
    post("/api/v1/join-tokens", "A token for a first certificate, shown once.", join_token)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 507]),
    get("/api/v1/log", "The log level.", &[], log_level),
    ApiEndpoint {
        method: "PATCH",
        ..post("/api/v1/log", "Changes the log level: {\"level\": \"debug\"}.", set_log_level)
    }
    .body(any),
];

type Answer = Result<Reply, ApiProblem>;

/// Default life of a join token, seconds.
///
/// Source: ours. Status: assumed; an hour.
const JOIN_LIFE_S: u64 = 3_600;

/// Longest life of a join token, seconds.
///
/// Source: ours. Status: assumed; a week.
const JOIN_LIFE_MOST_S: u64 = 7 * 86_400;

fn authority(manager: &Manager) -> Result<Arc<Authority>, ApiProblem> {
    manager.security.authority.clone().ok_or_else(|| {
        ApiProblem::conflict(
            "this manager has no state directory and so no certificate authority; --state DIRECTORY would work",
        )
    })
}

#[allow(clippy::needless_pass_by_value, reason = "it is what errors are mapped by")]
fn failed(error: CaError) -> ApiProblem {
    let (status, code, title) = match &error {
        CaError::Name(_) | CaError::Request(_) => (400, "request.invalid", "The request is not valid"),
        _ => (507, "authority.failed", "The authority could not save the change"),
    };
    ApiProblem { status, code, title, detail: error.to_string(), problems: Vec::new() }
}

fn counting(authority: &Authority) -> Result<Vec<Issued>, ApiProblem> {
    authority.expiring(unix_seconds(), u64::MAX).map_err(failed)
}

/// `GET /api/v1/certificates`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let authority = authority(manager)?;
    let (mut issued, now) = (counting(&authority)?, unix_seconds());
    let grace = authority.settings().grace_s;
    let renewable = authority.renewable(now).map_err(failed)?;
    issued.splice(0..0, renewable);
    let used: BTreeSet<&str> = manager
        .control_loop
        .agents()
        .into_iter()
        .flat_map(|agents| agents.peers().map(|peer| peer.serial.as_str()))
        .collect();
    let item = |issued: &Issued| {
        json!({
            "serial": issued.serial,
            "for": issued.names.iter().map(|name| name.rsplit('/').next().unwrap_or(name)).collect::<Vec<_>>().join(" "),
            "expiresInSeconds": issued.not_after.saturating_sub(now),
            "root": issued.root,
            "inUse": used.contains(issued.serial.as_str()),
            "state": if issued.not_after > now { "counts" } else { "ended" },
            // Only its agent can renew it, with its key.
            "renewableForSeconds": (issued.not_after <= now).then(|| (issued.not_after + grace).saturating_sub(now)),
        })
    };
    Ok(Reply::Json(json!({
        "fabric": authority.fabric(),
        "root": authority.epoch(),
        "rootsBelieved": authority.root_count(),
        "rootExpiresInSeconds": authority.root_end().saturating_sub(now),
        "total": issued.len(),
        "items": issued.iter().take(limit).map(item).collect::<Vec<_>>(),
    })))
}

/// `POST /api/v1/certificates/rotate`
pub fn rotate(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let authority = authority(manager)?;
    if authority.root_count() > 1 {
        return Err(ApiProblem::conflict(
            "an earlier rotation has not ended: POST /api/v1/certificates/retire ends it after all agents have renewed",
        ));
    }
    let root = authority.rotate(unix_seconds()).map_err(failed)?;
    let asked = manager.control_loop.agents().map_or(0, |agents| agents.ask_to_renew());
    publish(&authority)?;
    Ok(Reply::Json(json!({
        "root": root,
        "agentsAsked": asked,
        "next": "when the agents have renewed, POST /api/v1/certificates/retire",
    })))
}

fn publish(authority: &Authority) -> Result<(), ApiProblem> {
    philae_agent_rpc::replace(authority.directory(), "roots.pem", authority.roots().as_bytes()).map_err(failed)
}

/// Agents whose certificates are of an older root and that have none of the newest.
fn not_renewed(issued: &[Issued], root: u64) -> Vec<&Issued> {
    let is_agent = |issued: &&Issued| issued.names.iter().any(|name| name.contains("/agent"));
    let renewed: BTreeSet<&Vec<String>> =
        issued.iter().filter(|issued| issued.root >= root).map(|issued| &issued.names).collect();
    issued.iter().filter(is_agent).filter(|issued| issued.root < root && !renewed.contains(&issued.names)).collect()
}

/// `POST /api/v1/certificates/retire`
pub fn retire(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let authority = authority(manager)?;
    let force = match &request.body["force"] {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        other => return Err(ApiProblem::bad_request(format!("force is {other}; true or false would work"))),
    };
    let issued = counting(&authority)?;
    let left = not_renewed(&issued, authority.epoch());
    if !left.is_empty() && !force {
        let names: Vec<&str> = left.iter().take(3).flat_map(|issued| issued.names.iter().map(String::as_str)).collect();
        return Err(ApiProblem::conflict(format!(
            "{} agents have not renewed, such as {}: they would be refused; {{\"force\": true}} retires regardless",
            left.len(),
            names.join(", ")
        )));
    }
    authority.retire().map_err(failed)?;
    publish(&authority)?;
    // Each end uses a certificate of the newest root from now on.
    let reload = |error: &dyn std::fmt::Display| ApiProblem {
        status: 507,
        code: "authority.failed",
        title: "The authority could not save the change",
        detail: format!("old roots are retired, and the manager's own certificate could not be replaced: {error}"),
        problems: Vec::new(),
    };
    if let Some(agents) = manager.control_loop.agents() {
        agents.reload().map_err(|error| reload(&error))?;
    }
    if let Some(proof) = &manager.security.proof {
        proof.renew().map_err(|error| reload(&error))?;
    }
    Ok(Reply::Json(json!({ "root": authority.epoch(), "rootsBelieved": 1, "notRenewed": left.len() })))
}

/// `POST /api/v1/certificates/{serial}/revoke`
pub fn revoke(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let authority = authority(manager)?;
    let serial = request.capture("serial");
    let mut issued = counting(&authority)?;
    // An expired one can still be renewed.
    issued.extend(authority.renewable(unix_seconds()).map_err(failed)?);
    let Some(found) = issued.iter().find(|issued| issued.serial == serial) else {
        return Err(ApiProblem::not_found(format!(
            "there is no valid certificate {serial}; GET /api/v1/certificates lists them"
        )));
    };
    let closed = match manager.control_loop.agents() {
        Some(agents) => agents.revoke(serial, found.not_after).map_err(failed)?,
        None => authority.revoke(serial, found.not_after).map(|()| 0).map_err(failed)?,
    };
    Ok(Reply::Json(json!({ "revoked": serial, "names": found.names, "streamsClosed": closed })))
}

/// `POST /api/v1/join-tokens`
pub fn join_token(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let authority = authority(manager)?;
    let example = "{\"switches\": \"x1000c*r*b0\", \"lifeSeconds\": 3600} would work";
    let switches = request.body["switches"].as_str();
    let switches = switches.ok_or_else(|| ApiProblem::bad_request(format!("`switches` is missing; {example}")))?;
    check_name(switches).map_err(ApiProblem::bad_request)?;
    let mut names = (0..manager.fabric.switch_count()).map(|at| manager.switch_name(SwitchId::from_index(at)));
    if !names.any(|name| philae_agent_rpc::matches(switches, &name)) {
        let first = manager.switch_name(SwitchId(0));
        let detail = format!(
            "no switch of {} has the name {switches}: '*' stands for one or more digits; {} would match all names like {first}",
            manager.fabric.name(),
            pattern_of(&first)
        );
        return Err(ApiProblem::bad_request(detail));
    }
    let life = match &request.body["lifeSeconds"] {
        Value::Null => JOIN_LIFE_S,
        life => life.as_u64().filter(|life| (60..=JOIN_LIFE_MOST_S).contains(life)).ok_or_else(|| {
            ApiProblem::bad_request(format!("lifeSeconds is {life}; a number from 60 to {JOIN_LIFE_MOST_S} would work"))
        })?,
    };
    let now = unix_seconds();
    let token = authority.make_token(switches, life, now).map_err(failed)?;
    Ok(Reply::Json(json!({
        "switches": switches,
        "expiresAtSeconds": now + life,
        "token": token,
        "roots": authority.roots(),
        "note": "the token is shown only now and works once; the manager keeps only its hash",
    })))
}

/// A name with a star for each number.
fn pattern_of(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        let letter = if letter.is_ascii_digit() { '*' } else { letter };
        if letter != '*' || !pattern.ends_with('*') {
            pattern.push(letter);
        }
    }
    pattern
}

/// `GET /api/v1/log`
pub fn log_level(_: &mut Manager, _: &ApiRequest) -> Answer {
    Ok(Reply::Json(json!({ "level": log::level().name(), "levels": LogLevel::ALL.map(LogLevel::name) })))
}

/// `PATCH /api/v1/log`
pub fn set_log_level(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let level = request.body["level"].as_str().unwrap_or("");
    log::set_level(level.parse().map_err(ApiProblem::bad_request)?);
    log_level(manager, request)
}
