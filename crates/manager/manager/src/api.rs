//! The table of endpoints, and the dispatch of a request to its endpoint.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::access::{RequiredAccess, authorise};
use crate::availability::shipping;
use crate::documents::{change_sets, history};
use crate::manager::Manager;
use crate::mutation::run::mutate;
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::problem::{ApiProblem, ProblemCode};
pub use crate::protocol::reply::{Answer, Reply};
pub use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, of};
pub use crate::routing::template;
use crate::routing::{kind_of, route};
use crate::{
    backup, certificates, compat, documents, events, explain, firmware, hosts, leases, login, openapi, operations,
    resources, things, tokens, tuning, watching, what_if,
};

/// The resources. Each declares its endpoints beside its handlers. Those of documents come last,
/// because some of their paths match any kind. The first meaning of a key of the query is the one
/// that the OpenAPI document shares.
const RESOURCES: &[&[ApiEndpoint]] = &[
    OWN,
    shipping::ENDPOINTS,
    explain::ENDPOINTS,
    tuning::endpoints::ENDPOINTS,
    hosts::endpoints::ENDPOINTS,
    what_if::ENDPOINTS,
    resources::simulation::ENDPOINTS,
    resources::nics::ENDPOINTS,
    things::ENDPOINTS,
    events::endpoints::ENDPOINTS,
    resources::routes::ENDPOINTS,
    resources::orders::ENDPOINTS,
    resources::status::ENDPOINTS,
    resources::switches::ENDPOINTS,
    resources::ports::ENDPOINTS,
    resources::links::ENDPOINTS,
    resources::traffic::ENDPOINTS,
    resources::metrics::ENDPOINTS,
    firmware::orders::ENDPOINTS,
    login::ENDPOINTS,
    watching::endpoints::ENDPOINTS,
    operations::endpoints::ENDPOINTS,
    change_sets::ENDPOINTS,
    history::ENDPOINTS,
    backup::ENDPOINTS,
    certificates::ENDPOINTS,
    tokens::endpoints::ENDPOINTS,
    leases::ENDPOINTS,
    documents::endpoints::ENDPOINTS,
];

/// The endpoints about the API itself.
const OWN: &[ApiEndpoint] = &[
    get("/api/v1", "This list, with the roles that each endpoint requires.", &[], |_, _| Ok(Reply::of(&list())))
        .json(of::<EndpointList>)
        .for_whom(RequiredAccess::Known),
    get("/api/v1/openapi.json", "The whole API, as OpenAPI 3.1.", &[], |_, _| {
        Ok(Reply::Read(Box::new(|| Ok(Reply::Json(openapi::document())))))
    })
    .for_whom(RequiredAccess::Known),
    get("/livez", "Whether the manager answers.", &[], |_, _| Ok(Reply::Text("ok\n".to_owned())))
        .content(Content::Text)
        .for_whom(RequiredAccess::Open),
];

/// A key of every `GET`.
const AT_LEAST: (&str, &str) = ("atLeastRevision", "refused unless the documents have this revision or a later one");

/// All endpoints. The first one that matches counts.
pub fn endpoints() -> impl Iterator<Item = &'static ApiEndpoint> {
    RESOURCES.iter().copied().flatten().chain(compat::endpoints())
}

/// Begins to answer a request. The answer may be work that another thread still has to do.
///
/// # Errors
/// The problem for the client.
pub fn begin(manager: &mut Manager, mut request: ApiRequest) -> Answer {
    if let Some(plain) = compat::paths::without_prefix(&request.path) {
        request.path = plain.to_owned();
    }
    let (endpoint, captures) = match route(&request) {
        Ok(found) => found,
        Err(problem) => {
            // An unknown caller learns nothing of what exists.
            authorise(RequiredAccess::Known, &request.actor, None)?;
            return Err(problem);
        }
    };
    request.scope = authorise(endpoint.access, &request.actor, captures.get("kind").and_then(|kind| kind_of(kind)))?;
    let is_get = endpoint.method == "GET";
    let known = endpoint.query.iter().chain([&AT_LEAST].into_iter().filter(|_| is_get)).map(|(known, _)| *known);
    if let Some(unknown) = request.query.keys().find(|key| !known.clone().any(|known| known == key.as_str())) {
        let known: Vec<&str> = endpoint.query.iter().map(|(known, _)| *known).collect();
        let known =
            if known.is_empty() { "none is known here".to_owned() } else { format!("known: {}", known.join(", ")) };
        return Err(ApiProblem::bad_request(format!("there is no query key '{unknown}'; {known}")));
    }
    if let Some(least) = request.whole("atLeastRevision")? {
        let revision = manager.documents.revision();
        if revision < least {
            let detail = format!(
                "revision {least} was requested, but the newest is {revision}; the same request would work later"
            );
            return Err(ApiProblem::new(ProblemCode::RevisionNotReached, detail));
        }
    }
    if endpoint.shape.body.is_none()
        && endpoint.method == "POST"
        && !request.body.is_null()
        && request.body != json!({})
    {
        return Err(ApiProblem::bad_request(format!("{} takes no body; without a body it would work", request.path)));
    }
    request.captures = captures;
    if !endpoint.changes {
        let reply = (endpoint.run)(manager, &request)?;
        return compat::expand::expanded(manager, endpoint, &request, reply);
    }
    manager.availability.admit_change()?;
    let before = manager.documents.revision();
    let reply = mutate(manager, endpoint, &request)?;
    Ok(shipping::confirmed(manager, before, &request, reply))
}

/// Answers a request, and does all of its work in this thread: for callers without an event loop
/// that it would block.
///
/// # Errors
/// The problem for the client.
pub fn answer(manager: &mut Manager, request: ApiRequest) -> Answer {
    begin(manager, request)?.finish(manager)
}

/// One endpoint, for people and programs.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "Endpoint", deny_unknown_fields)]
pub struct EndpointView {
    /// "GET", "POST", "PATCH".
    pub method: &'static str,
    /// Path, with `{name}` for what is captured.
    pub path: &'static str,
    /// Its purpose.
    pub summary: &'static str,
    /// Keys of the query, with their effects.
    pub query: BTreeMap<&'static str, &'static str>,
    /// Who may.
    pub roles: Value,
}

/// All endpoints.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EndpointList {
    /// Each of them, in the order in which they are looked through.
    pub endpoints: Vec<EndpointView>,
}

/// The table, for people and programs.
fn list() -> EndpointList {
    let endpoint = |endpoint: &ApiEndpoint| EndpointView {
        method: endpoint.method,
        path: endpoint.path,
        summary: endpoint.summary,
        query: endpoint.query.iter().copied().collect(),
        roles: endpoint.access.shown(),
    };
    EndpointList { endpoints: endpoints().map(endpoint).collect() }
}
