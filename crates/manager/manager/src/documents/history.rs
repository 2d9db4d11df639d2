//! The past of documents: differences, history, the audit, and a backup of everything.

use std::sync::Arc;

use philae_policy::DocumentKind;
use philae_store::{AuditQuery, Past, Revision, RevisionDifference, Store};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::access::{AccessArea, AccessKind, RequiredAccess, Scope, authorise, may_read};
use crate::clock::now_micros;
use crate::documents::audit::{AuditEntry, ChangedRecord, audited, changed, is_secret, value_of};
use crate::documents::keep::{CHANGE_SETS, ORDERS, PENDING};
use crate::documents::lookup::{existing, kind_named};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, BEFORE, SECRETS_READ, get};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, of};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/diff",
        "The differences of two revisions.",
        &[("from", "a revision"), ("to", "another revision; absent: the newest")],
        diff,
    )
    .json(of::<DifferenceView>)
    .errors(&[409, 410]),
    get(
        "/api/v1/history/{kind}/{name}",
        "The history of a document, newest first.",
        &[("limit", "most items in the answer, 1 to 10000; default 100"), BEFORE],
        history,
    )
    .json(of::<DocumentHistory>)
    .for_whom(RequiredAccess::OfKind(AccessKind::Read))
    .errors(&[404]),
    get(
        "/api/v1/audit",
        "The audit: changes and orders with their actors, newest first.",
        &[
            ("limit", "most items in the answer, 1 to 10000; default 100"),
            BEFORE,
            ("actor", "by this one only"),
            ("kind", "of documents of this kind, or orders, change-sets, pending"),
            ("name", "only names with this beginning; of orders, their path"),
            ("fromMicros", "not before this time, microseconds since 1970"),
            ("untilMicros", "before this time"),
            ("outcome", "done, or refused: the newest refusals since the manager began"),
        ],
        audit,
    )
    .json(of::<AuditList>)
    .for_whom(RequiredAccess::Of(AccessArea::Audit, AccessKind::Read))
    .errors(&[404]),
    get("/api/v1/backup", "Documents and their log, without keys, for `philae manager restore`.", &[], backup)
        .content(Content::File)
        .for_whom(SECRETS_READ)
        .errors(&[507]),
];

/// The differences of two revisions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Difference", deny_unknown_fields)]
pub struct DifferenceView {
    /// The first revision.
    pub from: u64,
    /// The second.
    pub to: u64,
    /// Documents that are not the same.
    pub items: Vec<ChangedRecord>,
}

/// `GET /api/v1/diff`
pub fn diff(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let newest = manager.documents.revision();
    let from = request.whole("from")?;
    let from = from.ok_or_else(|| ApiProblem::bad_request("the query lacks 'from': a revision"))?;
    let to = request.whole("to")?.unwrap_or(newest);
    let actor = request.actor.clone();
    let store = Arc::clone(manager.documents.store());
    Ok(Reply::Read(Box::new(move || {
        let found = store.diff(Revision(from), Revision(to))?;
        let document = |found: &RevisionDifference| {
            DocumentKind::parse(found.key.kind()).is_some_and(|kind| may_read(&actor, kind))
        };
        let items = found
            .iter()
            .filter(|found| document(found))
            .map(|found| changed(found.key.kind(), found.key.name(), found.before.as_ref(), found.after.as_ref()));
        Ok(Reply::of(&DifferenceView { from, to, items: items.collect() }))
    })))
}

/// One change of a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PastView {
    /// Its revision.
    pub revision: u64,
    /// The time of the change, microseconds since 1970.
    pub at_micros: u64,
    /// The user or token that made the change.
    pub actor: String,
    /// The request that it belonged to.
    pub request_id: String,
    /// The reason that the caller gave.
    pub reason: String,
    /// What changed.
    pub changed: ChangedRecord,
    /// The document after it; none where it was deleted.
    pub document: Option<Value>,
}

/// What became of a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "History")]
pub struct DocumentHistory {
    /// Its changes, newest first.
    pub items: Vec<PastView>,
    /// The revision before which the next page begins (`before`).
    pub next: Option<u64>,
}

/// `GET /api/v1/history/{kind}/{name}`
pub fn history(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    if request.scope != Scope::Fabric {
        // A caller that is limited to a tenant sees the history of documents that belong to the
        // tenant now; earlier owners are not checked.
        let document = existing(&manager.documents, kind, request.capture("name"))?;
        if !request.scope.covers(&document) {
            return Err(ApiProblem::not_found(format!("there is no {} '{}'", kind.singular(), document.name)));
        }
    }
    let limit = request.number("limit", 100, 10_000)?;
    let before = request.whole("before")?.map(Revision);
    let key =
        philae_store::DocumentKey::new(kind.singular(), request.capture("name")).map_err(ApiProblem::bad_request)?;
    let store = Arc::clone(manager.documents.store());
    Ok(Reply::Read(Box::new(move || {
        let mut found = store.history(&key, before, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        if found.is_empty() && before.is_none() {
            return Err(ApiProblem::not_found(format!("the log has no change of {key}")));
        }
        let next = found.last().filter(|_| more).map(|past| past.revision.0);
        let item = |past: Past| PastView {
            revision: past.revision.0,
            at_micros: past.at,
            actor: past.actor,
            request_id: past.request_id,
            reason: past.reason,
            changed: changed(key.kind(), key.name(), past.before.as_ref(), past.after.as_ref()),
            document: past.after.as_ref().map(|object| value_of(Some(object))),
        };
        Ok(Reply::of(&DocumentHistory { items: found.into_iter().map(item).collect(), next }))
    })))
}

/// A part of the audit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AuditList {
    /// Newest first.
    pub items: Vec<AuditEntry>,
    /// The revision before which the next page begins (`before`). A page may be short and not be the last.
    pub next: Option<u64>,
}

/// `GET /api/v1/audit`
pub fn audit(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let limit = request.number("limit", 100, 10_000)?;
    let text = |key: &str| request.query.get(key).cloned();
    let keeps_secrets =
        authorise(RequiredAccess::Of(AccessArea::Secrets, AccessKind::Read), &request.actor, None).is_ok();
    if request.query.get("outcome").map(String::as_str) == Some("refused") {
        let actor = text("actor");
        let refused = manager.requests.mutations.refused().rev();
        let items = refused.filter(|entry| actor.as_ref().is_none_or(|actor| *actor == entry.actor)).take(limit);
        let items = items.cloned().map(|mut entry| {
            if let Some(order) = entry.order.as_mut().filter(|order| !keeps_secrets && is_secret(&order.path)) {
                order.body = Value::Null;
            }
            entry
        });
        return Ok(Reply::of(&AuditList { items: items.collect(), next: None }));
    }
    let kind = match text("kind") {
        None => None,
        Some(kind) if kind == "orders" => Some(ORDERS.to_owned()),
        Some(kind) if kind == "change-sets" => Some(CHANGE_SETS.to_owned()),
        Some(kind) if kind == "pending" => Some(PENDING.to_owned()),
        Some(kind) => Some(kind_named(&kind)?.singular().to_owned()),
    };
    let query = AuditQuery {
        actor: text("actor"),
        kind,
        name_prefix: text("name"),
        from: request.whole("fromMicros")?,
        until: request.whole("untilMicros")?,
        before: request.whole("before")?.map(Revision),
    };
    match request.query.get("outcome").map(String::as_str) {
        None | Some("done") => {}
        Some(other) => return Err(ApiProblem::bad_request(format!("outcome={other}: done or refused would work"))),
    }
    let store = Arc::clone(manager.documents.store());
    Ok(Reply::Read(Box::new(move || {
        let page = store.audit(&query, limit)?;
        let items = page.entries.iter().map(|entry| audited(entry, keeps_secrets)).collect();
        Ok(Reply::of(&AuditList { items, next: page.next.map(|revision| revision.0) }))
    })))
}

/// A backup of a store as bytes.
///
/// # Errors
/// When there is no room for its file.
pub(crate) fn backup_of(store: &Store) -> Result<Vec<u8>, ApiProblem> {
    let failed =
        |error: &dyn std::fmt::Display| ApiProblem::new(ProblemCode::StoreFailed, format!("no backup: {error}"));
    let at = now_micros();
    // Only this user can read the folder.
    let folder = tempfile::Builder::new().prefix("philae-backup-").tempdir().map_err(|error| failed(&error))?;
    let file = folder.path().join("backup");
    store.backup(&file, at).map_err(|error| failed(&error))?;
    let bytes = std::fs::read(&file).map_err(|error| failed(&error))?;
    folder.close().map_err(|error| failed(&error))?;
    Ok(bytes)
}

/// `GET /api/v1/backup`
pub fn backup(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let store = Arc::clone(manager.documents.store());
    Ok(Reply::Read(Box::new(move || Ok(Reply::Bytes(backup_of(&store)?)))))
}
