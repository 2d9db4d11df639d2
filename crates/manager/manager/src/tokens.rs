//! Bearer tokens: made over the API, shown once, stored as hashes.

use std::fmt;
use std::path::Path;

use philae_policy::{
    Document, DocumentChange, DocumentKind, DocumentSet, Lease, Role, RoleBindingSpec, Spec, TokenSpec, is_name,
};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use crate::access::{Actor, ROLES, RoleGrant, check_changes, grants_of, role_name, role_named};
use crate::api::{ApiRequest, Reply};
use crate::manager::Manager;
use crate::problem::ApiProblem;

/// The prefix of a token, so that a finder recognises it.
const PREFIX: &str = "philae-";

/// Default life of a token, seconds.
///
/// Source: ours. Status: assumed; 90 days.
const LIFE_S: u64 = 90 * 86_400;

/// Longest life of a token, seconds.
///
/// Source: ours. Status: assumed; 10 years.
const LIFE_MOST_S: u64 = 3_650 * 86_400;

/// Life of the token that the manager makes for its operator, seconds.
///
/// Source: ours. Status: assumed; a year, and each start makes a new one for the last month.
const ADMIN_LIFE_S: u64 = 365 * 86_400;

/// Name of the token that the manager makes for its operator.
pub const ADMIN: &str = "admin";

/// The text of a token. Its `Debug` output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenSecret(String);

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl TokenSecret {
    /// A new one, of 256 random bits.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn random() -> Result<Self, ApiProblem> {
        let mut bytes = [0_u8; 32];
        SystemRandom::new().fill(&mut bytes).map_err(|_| ApiProblem {
            status: 500,
            code: "system.no-random",
            title: "No random numbers",
            detail: "the system gives no random numbers, so that no token can be made".to_owned(),
            problems: Vec::new(),
        })?;
        Ok(Self(format!("{PREFIX}{}", hexadecimal(&bytes))))
    }

    /// The text, for the one time that it is shown.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash by which a token is stored.
#[must_use]
pub fn hash_of(token: &str) -> String {
    hexadecimal(digest(&SHA256, token.as_bytes()).as_ref())
}

/// The actor's name for the token of a job's session; a token's own name never has a colon.
#[must_use]
pub fn session_actor(job: &str) -> String {
    format!("session:{job}")
}

/// A valid token, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownToken {
    name: String,
    hash: String,
    not_after: Option<u64>,
    grants: Vec<RoleGrant>,
}

impl KnownToken {
    /// All tokens in documents: those that the manager has made, and those of collective sessions,
    /// with which a job requests its trees and which have no role.
    #[must_use]
    pub fn all(set: &DocumentSet) -> Vec<Self> {
        let known = set.of(DocumentKind::Token).filter_map(|document| match &document.spec {
            Spec::Token(spec) => Some(Self {
                name: document.name.clone(),
                hash: spec.hash.clone(),
                not_after: spec.lease.expires_at_seconds,
                grants: grants_of(set, &document.name),
            }),
            _ => None,
        });
        let sessions = set.of(DocumentKind::CollectiveSession).filter_map(|document| match &document.spec {
            Spec::CollectiveSession(spec) => Some(Self {
                name: session_actor(&document.name),
                hash: spec.token_hash.clone(),
                not_after: spec.lease.expires_at_seconds,
                grants: Vec::new(),
            }),
            _ => None,
        });
        known.chain(sessions).collect()
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hash by which it is stored.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// Its expiry, seconds since 1970.
    pub(crate) const fn not_after(&self) -> Option<u64> {
        self.not_after
    }

    /// Whether the manager has made it as a token, not for a job's session.
    pub(crate) fn is_lasting(&self) -> bool {
        !self.name.contains(':')
    }

    /// Whether it has expired.
    #[must_use]
    pub fn is_over(&self, now: u64) -> bool {
        self.not_after.is_some_and(|end| end <= now)
    }

    /// The actor that shows it.
    #[must_use]
    pub fn actor(&self, here: bool) -> Actor {
        Actor::known(self.name.clone(), self.grants.clone(), here)
    }
}

/// The known token with this text. The time of the search reveals nothing about any token.
#[must_use]
pub fn find<'a>(known: &'a [KnownToken], text: &str) -> Option<&'a KnownToken> {
    let hash = hash_of(text);
    let mut found = None;
    for token in known {
        if bool::from(token.hash.as_bytes().ct_eq(hash.as_bytes())) {
            found = Some(token);
        }
    }
    found
}

fn documents(
    name: &str,
    secret: &TokenSecret,
    about: &str,
    end: u64,
    role: Role,
    tenant: Option<String>,
) -> Vec<DocumentChange> {
    let lease = Lease { expires_at_seconds: Some(end), holder: name.to_owned() };
    let token = TokenSpec { hash: hash_of(secret.reveal()), description: about.to_owned(), lease };
    let binding = RoleBindingSpec { role, subjects: vec![name.to_owned()], tenant };
    vec![
        DocumentChange::Put(Document::new(name, Spec::Token(token))),
        DocumentChange::Put(Document::new(name, Spec::RoleBinding(binding))),
    ]
}

/// Ensures that the file in the state directory has a valid token: makes one at the first start,
/// and if it is lost, expired, or nearly so. A token that may be stored elsewhere stays as it is:
/// then the new one has a name of its own.
///
/// # Errors
/// When it cannot be stored.
pub fn first_token(manager: &mut Manager, state: &Path, now: u64) -> Result<(), ApiProblem> {
    let path = philae_manager_api::admin_file(state);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let known = KnownToken::all(manager.documents.set());
    let found = find(&known, text.trim());
    let is_admin = |token: &KnownToken| token.grants.contains(&RoleGrant { role: Role::Admin, tenant: None });
    if found.is_some_and(|token| !token.is_over(now + ADMIN_LIFE_S / 12) && is_admin(token)) {
        return Ok(());
    }
    let taken = |name: &str| {
        let set = manager.documents.set();
        set.get(DocumentKind::Token, name).is_some()
            || set.get(DocumentKind::RoleBinding, name).is_some()
            || !grants_of(set, name).is_empty()
    };
    let (name, why) = match found {
        // The owner of the file finds the next token in the same place.
        Some(token) if is_admin(token) => (token.name.clone(), "the one before is about to end"),
        _ if !taken(ADMIN) => (ADMIN.to_owned(), ""),
        _ => {
            let mut names = (2..).map(|number| format!("{ADMIN}-{number}"));
            let free = names.find(|name| !taken(name)).expect("names do not end");
            (free, "the file of the previous token is gone; that token remains valid")
        }
    };
    let secret = TokenSecret::random()?;
    // The file is written first: a token without a file would be of no use.
    philae_agent_rpc::replace(state, "admin.token", format!("{}\n", secret.reveal()).as_bytes())
        .map_err(|error| ApiProblem::conflict(format!("the admin's token cannot be saved: {error}")))?;
    let about = "made by the manager for the user who starts it";
    let changes = documents(&name, &secret, about, now + ADMIN_LIFE_S, Role::Admin, None);
    manager.documents.commit(Actor::process().name(), &changes)?;
    if !why.is_empty() {
        crate::log::token_made(&name, why);
    }
    Ok(())
}

fn text<'a>(body: &'a Value, key: &str) -> Result<Option<&'a str>, ApiProblem> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_its_text_alone_and_never_printed() {
        let secret = TokenSecret::random().expect("random numbers");
        assert_eq!(secret.reveal().len(), PREFIX.len() + 64);
        assert!(!format!("{secret:?}").contains(&secret.reveal()[PREFIX.len()..]));
        let set = DocumentSet::default().changed(&documents("one", &secret, "", 100, Role::Guest, None));
        let known = KnownToken::all(&set);
        let found = find(&known, secret.reveal()).expect("it is known");
        assert_eq!((found.name(), found.is_over(99), found.is_over(100)), ("one", false, true));
        assert!(find(&known, &known[0].hash).is_none(), "the hash opens nothing");
        assert!(find(&known, "").is_none());
        assert!(!format!("{known:?}").contains(secret.reveal()));
    }
}
