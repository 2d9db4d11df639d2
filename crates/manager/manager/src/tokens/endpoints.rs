//! Tokens over the API: made, listed, revoked.

use philae_policy::{Document, DocumentChange, DocumentKind, Spec, is_name};
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, ROLES, RequiredAccess, check_changes, grants_of, role_name, role_named};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, SECRETS_READ, SECRETS_WRITE, get, post};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::any;
use crate::tokens::{TokenSecret, documents};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1/tokens", "Tokens with their roles and ends, without the secrets.", &[], list).for_whom(SECRETS_READ),
    post("/api/v1/tokens", "A token with a role, shown once.", make)
        .body(any)
        .for_whom(SECRETS_WRITE)
        .errors(&[409, 422]),
    ApiEndpoint {
        method: "DELETE",
        ..post("/api/v1/tokens/{name}", "Revokes a token, and the role bindings of it alone.", revoke)
    }
    .for_whom(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Delete))
    .errors(&[404, 409, 422]),
];

/// Default life of a token, seconds.
///
/// Source: ours. Status: assumed; 90 days.
const LIFE_S: u64 = 90 * 86_400;

/// Longest life of a token, seconds.
///
/// Source: ours. Status: assumed; 10 years.
const LIFE_MOST_S: u64 = 3_650 * 86_400;

pub(crate) fn text<'a>(body: &'a Value, key: &str) -> Result<Option<&'a str>, ApiProblem> {
    match &body[key] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(ApiProblem::bad_request(format!("{key} is {other}; a text would work"))),
    }
}

/// `POST /api/v1/tokens`
pub fn make(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    const KEYS: [&str; 5] = ["name", "role", "tenant", "description", "lifeSeconds"];
    let body = &request.body;
    let example = "{\"name\": \"slurm\", \"role\": \"wlm\", \"lifeSeconds\": 7776000} would work";
    let object =
        body.as_object().ok_or_else(|| ApiProblem::bad_request(format!("the body is not an object; {example}")))?;
    if let Some(unknown) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ApiProblem::bad_request(format!("there is no key '{unknown}'; known: {}", KEYS.join(", "))));
    }
    let name = text(body, "name")?.filter(|name| is_name(name));
    let name =
        name.ok_or_else(|| ApiProblem::bad_request(format!("a token needs a name of letters and digits; {example}")))?;
    let role = text(body, "role")?.unwrap_or("");
    let role = role_named(role).ok_or_else(|| {
        ApiProblem::bad_request(format!("role '{role}': {} would work", ROLES.map(role_name).join(", ")))
    })?;
    let life = match &body["lifeSeconds"] {
        Value::Null => LIFE_S,
        life => life.as_u64().filter(|life| (60..=LIFE_MOST_S).contains(life)).ok_or_else(|| {
            ApiProblem::bad_request(format!("lifeSeconds is {life}; a number from 60 to {LIFE_MOST_S} would work"))
        })?,
    };
    if manager.documents.set().get(DocumentKind::Token, name).is_some()
        || manager.documents.set().get(DocumentKind::RoleBinding, name).is_some()
    {
        let detail = format!(
            "there is already a token or a role-binding '{name}'; deleting it first, or another name, would work"
        );
        return Err(ApiProblem::conflict(detail));
    }
    // A name in a role binding would bring that role along.
    if let Some(grant) = grants_of(manager.documents.set(), name).first() {
        let detail =
            format!("a role-binding gives '{name}' the role {} already; use another name", role_name(grant.role));
        return Err(ApiProblem::conflict(detail));
    }
    let secret = TokenSecret::random()?;
    let end = philae_agent_rpc::unix_seconds() + life;
    let tenant = text(body, "tenant")?.map(str::to_owned);
    let about = text(body, "description")?.unwrap_or("");
    let changes = documents(name, &secret, about, end, role, tenant.clone());
    check_changes(&request.actor, manager.documents.set(), &changes)?;
    manager.documents.commit(request.actor.name(), &changes)?;
    Ok(Reply::Json(json!({
        "name": name,
        "role": role_name(role),
        "tenant": tenant,
        "expiresAtSeconds": end,
        "token": secret.reveal(),
        "note": "the token is shown only now; the manager keeps only its hash",
    })))
}

/// `GET /api/v1/tokens`
pub fn list(manager: &mut Manager, _: &ApiRequest) -> Result<Reply, ApiProblem> {
    let now = philae_agent_rpc::unix_seconds();
    let items = manager.documents.set().of(DocumentKind::Token).filter_map(|document| {
        let Spec::Token(spec) = &document.spec else { return None };
        let end = spec.lease.expires_at_seconds;
        let roles = grants_of(manager.documents.set(), &document.name);
        let roles = roles.iter().map(|grant| match &grant.tenant {
            Some(tenant) => format!("{} of tenant {tenant}", role_name(grant.role)),
            None => role_name(grant.role).to_owned(),
        });
        Some(json!({
            "name": document.name,
            "description": spec.description,
            "roles": roles.collect::<Vec<_>>().join(", "),
            "expiresInSeconds": end.map(|end| end.saturating_sub(now)),
            "expired": end.is_some_and(|end| end <= now),
        }))
    });
    Ok(Reply::Json(json!({ "items": items.collect::<Vec<_>>() })))
}

/// `DELETE /api/v1/tokens/{name}`: with the roles that only it had.
pub fn revoke(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let name = request.capture("name");
    let set = manager.documents.set();
    let Some(token) = set.get(DocumentKind::Token, name) else {
        let known: Vec<&str> = set.of(DocumentKind::Token).map(|token| token.name.as_str()).collect();
        return Err(ApiProblem::not_found(format!("there is no token '{name}'; there are: {}", known.join(", "))));
    };
    let mut changes = vec![DocumentChange::Delete(token.reference())];
    for binding in set.of(DocumentKind::RoleBinding) {
        let Spec::RoleBinding(spec) = &binding.spec else { continue };
        if !spec.subjects.iter().any(|subject| subject == name) {
            continue;
        }
        let mut left = spec.clone();
        left.subjects.retain(|subject| subject != name);
        changes.push(if left.subjects.is_empty() {
            DocumentChange::Delete(binding.reference())
        } else {
            DocumentChange::Put(Document { spec: Spec::RoleBinding(left), ..binding.clone() })
        });
    }
    check_changes(&request.actor, set, &changes)?;
    manager.documents.commit(request.actor.name(), &changes)?;
    Ok(Reply::Json(json!({ "revoked": name })))
}
