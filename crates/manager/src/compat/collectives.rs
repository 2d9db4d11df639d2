//! `/fabric/collectives`: sessions of jobs as the workload manager asks for them, and trees as the first rank of a job does.

use std::collections::BTreeMap;

use philae_intent::{Document, DocumentRef, Kind, MulticastSpec, Spec, edge_port};
use philae_inventory::read_mac;
use philae_units::PortIndex;
use serde_json::{Value, json};

use super::envelope::{kept, listed, only, text, texts};
use crate::api::{Reply, Request};
use crate::collectives::{STEP, trees_of};
use crate::manager::Manager;
use crate::problem::Problem;
use crate::tokens::session_actor;

type Answer = Result<Reply, Problem>;

/// Who is named in the log for what a workload manager asks.
const ACTOR: &str = "wlm";

fn job_link(job: &str) -> String {
    format!("/fabric/collectives/jobs/{job}")
}

fn job_document(manager: &Manager, job: &str) -> Answer {
    let session = manager.session_of(job)?;
    let Spec::CollectiveSession(spec) = &session.spec else { return Err(Problem::conflict("this is no session")) };
    let mut steps: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for (document, tree) in trees_of(manager.documents.set(), job) {
        steps.entry(document.labels.get(STEP).map_or("", String::as_str)).or_default().push(tree.address);
    }
    let fields = json!({
        "jobID": job,
        "mcastLimit": spec.mcast_limit,
        // None where another manager made the session: its key is not here.
        "sessionToken": manager.sessions.token(session),
        "jobSteps": steps,
    });
    Ok(Reply::Json(kept(manager, "collective-job", &job_link(job), &session.reference(), fields)))
}

/// `GET /fabric/collectives/jobs`
pub fn jobs(manager: &mut Manager, request: &Request) -> Answer {
    let links: Vec<String> =
        manager.documents.set().of(Kind::CollectiveSession).map(|found| job_link(&found.name)).collect();
    listed(request, &links)
}

/// `GET /fabric/collectives/jobs/{name}`
pub fn job(manager: &mut Manager, request: &Request) -> Answer {
    job_document(manager, request.capture("name"))
}

/// `POST /fabric/collectives/jobs`
pub fn post_job(manager: &mut Manager, request: &Request) -> Answer {
    only(request, &["jobID", "mcastLimit"])?;
    let job = text(request, "jobID", "\"cluster-123\"")?.to_owned();
    let limit = request.body.get("mcastLimit").and_then(Value::as_u64).and_then(|limit| u16::try_from(limit).ok());
    let limit =
        limit.ok_or_else(|| Problem::bad_request("the body lacks mcastLimit: a number up to 65535 would work"))?;
    manager.open_session(ACTOR, &job, limit)?;
    manager.run();
    job_document(manager, &job)
}

/// `PATCH /fabric/collectives/jobs/{name}`: a step that is null gives its trees back.
pub fn patch_job(manager: &mut Manager, request: &Request) -> Answer {
    only(request, &["jobSteps"])?;
    let job = request.capture("name").to_owned();
    manager.session_of(&job)?;
    let steps = request.body.get("jobSteps").and_then(Value::as_object);
    let steps = steps.ok_or_else(|| Problem::bad_request("the body lacks jobSteps: {\"0\": null} would work"))?;
    if let Some((step, value)) = steps.iter().find(|(_, value)| !value.is_null()) {
        return Err(Problem::bad_request(format!(
            "step {step} is {value}; null, which gives its trees back, would work"
        )));
    }
    for step in steps.keys() {
        manager.close_step(ACTOR, &job, step)?;
    }
    manager.run();
    job_document(manager, &job)
}

/// `DELETE /fabric/collectives/jobs/{name}`
pub fn delete_job(manager: &mut Manager, request: &Request) -> Answer {
    let job = request.capture("name").to_owned();
    let Reply::Json(mut shown) = job_document(manager, &job)? else {
        return Err(Problem::conflict("a session is a document"));
    };
    manager.close_session(ACTOR, &job)?;
    manager.run();
    // Nobody needs it any more.
    shown["sessionToken"] = Value::Null;
    Ok(Reply::Json(shown))
}

fn tree_link(address: u16) -> String {
    format!("/fabric/collectives/multicasts/{address}")
}

fn mac(manager: &Manager, port: PortIndex) -> Option<String> {
    manager.fabric.address(port).ok().map(|address| address.mac().to_string())
}

fn tree_document(manager: &Manager, document: &Document, spec: &MulticastSpec) -> Value {
    let tree = manager.trees.get(spec.address);
    let members = tree.map_or(&[][..], |tree| &tree.members);
    let macs: Vec<String> = members.iter().filter_map(|port| mac(manager, *port)).collect();
    let unreached = tree.map_or(0, |tree| tree.tree.unreached().len());
    let fields = json!({
        "jobID": spec.session,
        "jobStepID": document.labels.get(STEP),
        "mcastID": spec.address,
        "hwRoot": macs.first(),
        "macs": macs,
        "switches": tree.map_or(0, |tree| tree.tree.switches().count()),
        "unreached": unreached,
    });
    kept(manager, "multicast", &tree_link(spec.address), &document.reference(), fields)
}

/// `GET /fabric/collectives/multicasts`
pub fn multicasts(manager: &mut Manager, request: &Request) -> Answer {
    let links: Vec<String> = manager.trees.iter().map(|(address, _)| tree_link(address)).collect();
    listed(request, &links)
}

fn tree_named(manager: &Manager, request: &Request) -> Result<(Document, MulticastSpec), Problem> {
    let name = request.capture("name");
    let address: Option<u16> = name.parse().ok();
    let found = manager.documents.set().of(Kind::Multicast).find_map(|document| match &document.spec {
        Spec::Multicast(spec) if Some(spec.address) == address => Some((document.clone(), spec.clone())),
        _ => None,
    });
    found.ok_or_else(|| {
        Problem::not_found(format!("there is no multicast {name}; GET /fabric/collectives/multicasts lists them"))
    })
}

/// `GET /fabric/collectives/multicasts/{name}`
pub fn multicast(manager: &mut Manager, request: &Request) -> Answer {
    let (document, spec) = tree_named(manager, request)?;
    Ok(Reply::Json(tree_document(manager, &document, &spec)))
}

/// The members that a body names: by MAC, or by name or 20-bit address of their edge ports.
fn members(manager: &Manager, request: &Request) -> Result<Vec<PortIndex>, Problem> {
    let (key, names) = match (texts(request, "macs")?, texts(request, "edgePorts")?) {
        (Some(macs), None) => ("macs", macs),
        (None, Some(ports)) => ("edgePorts", ports),
        _ => return Err(Problem::bad_request("the body names its members by either macs or edgePorts")),
    };
    if names.is_empty() {
        return Err(Problem::bad_request(format!("{key} is empty: a tree has a member or more")));
    }
    let port = |name: &String| {
        let found = match key {
            "macs" => {
                let address = name.parse().ok().and_then(|mac| read_mac(mac).ok()).map(|(address, ..)| address);
                address.and_then(|address| manager.fabric.port_of_address(address))
            }
            _ => edge_port(name, &*manager.documents.names),
        };
        found.ok_or_else(|| Problem::bad_request(format!("{key} has '{name}', which is no edge port of this fabric")))
    };
    names.iter().map(port).collect()
}

/// `POST /fabric/collectives/multicasts`
pub fn post_multicast(manager: &mut Manager, request: &Request) -> Answer {
    only(request, &["sessionToken", "jobID", "jobStepID", "macs", "edgePorts"])?;
    let job = text(request, "jobID", "\"cluster-123\"")?.to_owned();
    // Ranks of a job show the session's token as their own; others name it in the body.
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
    let address = manager.open_tree(token.as_deref(), &job, &step, &members)?;
    manager.run();
    let mut captured = request.clone();
    captured.captures.insert("name", address.to_string());
    multicast(manager, &captured)
}

/// `DELETE /fabric/collectives/multicasts/{name}`
pub fn delete_multicast(manager: &mut Manager, request: &Request) -> Answer {
    let (document, spec) = tree_named(manager, request)?;
    let shown = tree_document(manager, &document, &spec);
    let change = philae_intent::Change::Delete(DocumentRef::new(Kind::Multicast, &document.name));
    manager.commit(ACTOR, &[change])?;
    manager.run();
    Ok(Reply::Json(shown))
}
