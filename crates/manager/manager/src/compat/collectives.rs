//! `/fabric/collectives`: sessions of jobs, as the workload manager requests them, and trees, as
//! the first rank of a job does.

use std::collections::BTreeMap;

use philae_agent::ConfigSection;
use philae_agent::items::{Item, read_all};
use philae_inventory::read_mac;
use philae_policy::{Document, DocumentKind, DocumentRef, MulticastSpec, Role, Spec, VNI_MAX, edge_port};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::access::Actor;
use crate::collectives::sessions::RequestedTree;
use crate::collectives::{STEP, trees_of};
use crate::compat::envelope::{kept, listed, only, text, texts};
use crate::documents::Documents;
use crate::manager::Manager;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::tokens::session_actor;
use philae_inventory::PlannedFabric;

type Answer = Result<Reply, ApiProblem>;

fn job_link(job: &str) -> String {
    format!("/fabric/collectives/jobs/{job}")
}

/// Whether a caller may see tokens of sessions. With such a token anyone can request trees as that
/// job.
fn sees_tokens(actor: &Actor) -> bool {
    actor.has(Role::Wlm) || actor.has(Role::Admin)
}

fn job_document(manager: &Manager, actor: &Actor, job: &str) -> Answer {
    let session = manager.session_of(job)?;
    let Spec::CollectiveSession(spec) = &session.spec else { return Err(ApiProblem::conflict("this is no session")) };
    let mut steps: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for (document, tree) in trees_of(manager.documents.set(), job) {
        steps.entry(document.labels.get(STEP).map_or("", String::as_str)).or_default().push(tree.address);
    }
    let fields = json!({
        "jobID": job,
        "mcastLimit": spec.mcast_limit,
        // `null` for other roles, and if another manager made the session, whose key is not here.
        "sessionToken": manager.security.sessions.token(session).filter(|_| sees_tokens(actor)),
        "jobSteps": steps,
    });
    Ok(Reply::Json(kept(manager, "collective-job", &job_link(job), &session.reference(), fields)))
}

/// `GET /fabric/collectives/jobs`
pub fn jobs(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> =
        manager.documents.set().of(DocumentKind::CollectiveSession).map(|found| job_link(&found.name)).collect();
    listed(manager, request, &links)
}

/// `GET /fabric/collectives/jobs/{name}`
pub fn job(manager: &mut Manager, request: &ApiRequest) -> Answer {
    job_document(manager, &request.actor, request.capture("name"))
}

/// `POST /fabric/collectives/jobs`
pub fn post_job(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["jobID", "mcastLimit"])?;
    let job = text(request, "jobID", "\"cluster-123\"")?.to_owned();
    let limit = request.body.get("mcastLimit").and_then(Value::as_u64).and_then(|limit| u16::try_from(limit).ok());
    let limit =
        limit.ok_or_else(|| ApiProblem::bad_request("the body lacks mcastLimit: a number up to 65535 would work"))?;
    manager.open_session(request.actor.name(), &job, limit)?;
    manager.run();
    job_document(manager, &request.actor, &job)
}

/// `PATCH /fabric/collectives/jobs/{name}`: a step that is null deletes its trees.
pub fn patch_job(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["jobSteps"])?;
    let job = request.capture("name").to_owned();
    manager.session_of(&job)?;
    let steps = request.body.get("jobSteps").and_then(Value::as_object);
    let steps = steps.ok_or_else(|| ApiProblem::bad_request("the body lacks jobSteps: {\"0\": null} would work"))?;
    if let Some((step, value)) = steps.iter().find(|(_, value)| !value.is_null()) {
        return Err(ApiProblem::bad_request(format!(
            "step {step} is {value}; null, which gives its trees back, would work"
        )));
    }
    for step in steps.keys() {
        manager.close_step(request.actor.name(), &job, step)?;
    }
    manager.run();
    job_document(manager, &request.actor, &job)
}

/// `DELETE /fabric/collectives/jobs/{name}`
pub fn delete_job(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let job = request.capture("name").to_owned();
    let Reply::Json(mut shown) = job_document(manager, &request.actor, &job)? else {
        return Err(ApiProblem::conflict("a session is a document"));
    };
    manager.close_session(request.actor.name(), &job)?;
    manager.run();
    // The token is of no use any more.
    shown["sessionToken"] = Value::Null;
    Ok(Reply::Json(shown))
}

fn tree_link(address: u16) -> String {
    format!("/fabric/collectives/multicasts/{address}")
}

/// The longest time of a reduction, microseconds.
///
/// Source: what libfabric's FI_CXI_COLL_TIMEOUT_USEC takes. Status: published.
const TIMEOUT_MAX_US: u64 = 20_000_000;

/// Labels of a tree: the VNI of its traffic, and the time limit of a reduction.
const VNI: &str = "vni";
const TIMEOUT: &str = "reduction-timeout-us";

fn mac(fabric: &PlannedFabric, port: PortIndex) -> Option<String> {
    fabric.address(port).ok().map(|address| address.mac().to_string())
}

/// The address of a NIC as libfabric reads it: six octets, whose sum, each shifted to its place, is
/// the 20-bit address. The first octets are 0, because those of a MAC address would change the sum.
fn root(fabric: &PlannedFabric, port: PortIndex) -> Option<String> {
    let nid = fabric.address(port).ok()?.nid();
    Some(format!("00:00:00:{:02x}:{:02x}:{:02x}", nid >> 16 & 0xf, nid >> 8 & 0xff, nid & 0xff))
}

fn tree_document(manager: &Manager, document: &Document, spec: &MulticastSpec) -> Value {
    let tree = manager.desired.trees.get(spec.address);
    let members = tree.map_or(&[][..], |tree| &tree.members);
    let macs: Vec<String> = members.iter().filter_map(|port| mac(&manager.fabric, *port)).collect();
    let unreached = tree.map_or(0, |tree| tree.tree.unreached().len());
    let number = |label: &str| document.labels.get(label).and_then(|text| text.parse::<u64>().ok());
    let fields = json!({
        "jobID": spec.session,
        "jobStepID": document.labels.get(STEP),
        "mcastID": spec.address,
        "hwRoot": members.first().and_then(|port| root(&manager.fabric, *port)),
        "macs": macs,
        "vni": number(VNI),
        "timeout": number(TIMEOUT),
        "switches": tree.map_or(0, |tree| tree.tree.switches().count()),
        "unreached": unreached,
    });
    kept(manager, "multicast", &tree_link(spec.address), &document.reference(), fields)
}

/// `GET /fabric/collectives/multicasts`
pub fn multicasts(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> = manager.desired.trees.iter().map(|(address, _)| tree_link(address)).collect();
    listed(manager, request, &links)
}

fn tree_named(documents: &Documents, request: &ApiRequest) -> Result<(Document, MulticastSpec), ApiProblem> {
    let name = request.capture("name");
    let address: Option<u16> = name.parse().ok();
    let found = documents.set().of(DocumentKind::Multicast).find_map(|document| match &document.spec {
        Spec::Multicast(spec) if Some(spec.address) == address => Some((document.clone(), spec.clone())),
        _ => None,
    });
    found.ok_or_else(|| {
        ApiProblem::not_found(format!("there is no multicast {name}; GET /fabric/collectives/multicasts lists them"))
    })
}

/// `GET /fabric/collectives/multicasts/{name}`
pub fn multicast(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (document, spec) = tree_named(&manager.documents, request)?;
    Ok(Reply::Json(tree_document(manager, &document, &spec)))
}

/// The edge port of an address in a client's notation: a MAC address of six octets, or the NIC's 20
/// bits as X:XX:XX.
fn port_of(manager: &Manager, text: &str) -> Option<PortIndex> {
    let parts: Vec<&str> = text.split(':').collect();
    if let [high, middle, low] = parts.as_slice() {
        let octet = |part: &str| (1..=2).contains(&part.len()).then(|| u32::from_str_radix(part, 16).ok()).flatten();
        let nid = octet(high).filter(|high| *high <= 0xf)? << 16 | octet(middle)? << 8 | octet(low)?;
        return philae_policy::FabricView::port_at(&*manager.documents.names, nid);
    }
    let (address, ..) = read_mac(text.parse().ok()?).ok()?;
    manager.fabric.port_of_address(address)
}

/// The members in a body: by address, or by name or 20-bit address of their edge ports.
fn members(manager: &Manager, request: &ApiRequest) -> Result<Vec<PortIndex>, ApiProblem> {
    let (key, names) = match (texts(request, "macs")?, texts(request, "edgePorts")?) {
        (Some(macs), None) => ("macs", macs),
        (None, Some(ports)) => ("edgePorts", ports),
        _ => return Err(ApiProblem::bad_request("the body names its members by either macs or edgePorts")),
    };
    if names.is_empty() {
        return Err(ApiProblem::bad_request(format!("{key} is empty: a tree has a member or more")));
    }
    let mut found = Vec::with_capacity(names.len());
    let mut seen = std::collections::BTreeSet::new();
    for name in &names {
        let port = match key {
            "macs" => port_of(manager, name),
            _ => edge_port(name, &*manager.documents.names),
        };
        let port = port.filter(|port| manager.fabric.nic_at(*port).is_some()).ok_or_else(|| {
            let works = "a NIC's 20-bit address as X:XX:XX or its MAC address would work";
            ApiProblem::bad_request(format!("{key} has '{name}', which is no edge port of this fabric; {works}"))
        })?;
        if !seen.insert(port) {
            return Err(ApiProblem::bad_request(format!("{key} has '{name}' twice; each member once would work")));
        }
        found.push(port);
    }
    Ok(found)
}

/// A number in the body from 1 to `most`; `None` if it is absent.
fn number(request: &ApiRequest, key: &str, most: u64) -> Result<Option<u64>, ApiProblem> {
    match request.body.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => match found.as_u64().filter(|number| (1..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(ApiProblem::bad_request(format!("{key} is {found}; a number from 1 to {most} would work"))),
        },
    }
}

/// Refuses a VNI that VNI blocks do not allow for one of the members. Ports without a block may use
/// any VNI.
fn check_vni(manager: &Manager, vni: u64, members: &[PortIndex]) -> Result<(), ApiProblem> {
    let mut by_switch: BTreeMap<SwitchId, BTreeMap<u64, Item>> = BTreeMap::new();
    for port in members {
        let switch = manager.fabric.switch_of(*port);
        let items = by_switch.entry(switch).or_insert_with(|| {
            let items = manager.desired.sections.get(switch, ConfigSection::Vnis);
            read_all(ConfigSection::Vnis, items).unwrap_or_default().into_iter().collect()
        });
        let Some(Item::Vni(item)) = items.get(&u64::from(manager.fabric.number_of(*port).0)) else { continue };
        if !item.ranges.iter().any(|[first, last]| (u64::from(*first)..=u64::from(*last)).contains(&vni)) {
            let ranges: Vec<String> = item.ranges.iter().map(|[first, last]| format!("{first}-{last}")).collect();
            let (name, ranges) = (manager.port_name(*port), ranges.join(", "));
            return Err(ApiProblem::bad_request(format!(
                "vni {vni} may not be used at {name}; one of {ranges} would work"
            )));
        }
    }
    Ok(())
}

/// `POST /fabric/collectives/multicasts`
pub fn post_multicast(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["sessionToken", "jobID", "jobStepID", "macs", "edgePorts", "vni", "timeout"])?;
    let job = text(request, "jobID", "\"cluster-123\"")?.to_owned();
    // Ranks of a job authenticate with the session's token; other callers send it in the body.
    let token = if request.actor.name() == session_actor(&job) {
        None
    } else {
        Some(text(request, "sessionToken", "the sessionToken of the job")?.to_owned())
    };
    let step = request.body.get("jobStepID").cloned().unwrap_or(Value::Null);
    let step = match &step {
        Value::Null => "0".to_owned(),
        Value::String(step) => step.clone(),
        other => other.to_string(),
    };
    let members = members(manager, request)?;
    let mut labels = vec![(STEP, step)];
    if let Some(vni) = number(request, "vni", u64::from(VNI_MAX))? {
        check_vni(manager, vni, &members)?;
        labels.push((VNI, vni.to_string()));
    }
    labels.extend(number(request, "timeout", TIMEOUT_MAX_US)?.map(|timeout| (TIMEOUT, timeout.to_string())));
    let address = manager.open_tree(
        token.as_deref(),
        &RequestedTree { job: &job, labels: &labels, members: &members, actor: request.actor.name() },
    )?;
    manager.run();
    let mut captured = request.clone();
    captured.captures.insert("name", address.to_string());
    multicast(manager, &captured)
}

/// `DELETE /fabric/collectives/multicasts/{name}`: allowed with the session token of its job, and
/// for roles that may end sessions.
pub fn delete_multicast(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let ends_sessions = sees_tokens(&request.actor);
    let refused = || {
        let detail = format!(
            "{} may not do this; the roles wlm and admin may, and a caller with the sessionToken of the tree's job",
            request.actor.name()
        );
        ApiProblem::new(ProblemCode::Forbidden, detail)
    };
    // Other callers do not even learn which trees exist.
    if !ends_sessions && !request.actor.name().starts_with(&session_actor("")) {
        return Err(refused());
    }
    let (document, spec) = tree_named(&manager.documents, request)?;
    if !ends_sessions && request.actor.name() != session_actor(&spec.session) {
        return Err(refused());
    }
    let shown = tree_document(manager, &document, &spec);
    let change = philae_policy::DocumentChange::Delete(DocumentRef::new(DocumentKind::Multicast, &document.name));
    manager.commit(request.actor.name(), &[change])?;
    manager.run();
    Ok(Reply::Json(shown))
}
