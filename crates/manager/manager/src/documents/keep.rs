//! Changes of documents and of the manager's own records, in the store's form: actor, reason,
//! conditions.

use philae_policy::{DocumentChange, DocumentRef};
use philae_store::{DocumentKey, Expect, Revision};
use serde_json::Value;

use crate::clock::now_micros;
use crate::protocol::problem::ApiProblem;
use crate::protocol::request::ApiRequest;

/// The kind of records of change sets.
pub const CHANGE_SETS: &str = ".change-set";
/// The kind of records of orders and settings: each order is one change of its record, so that the
/// log has all of them.
pub const ORDERS: &str = ".order";
/// The kind of the record of a change that waits for its confirmation.
pub const PENDING: &str = ".pending";

/// The actor of a change, and the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    pub actor: String,
    /// The request that it belongs to.
    pub request_id: String,
    /// The reason, in words.
    pub reason: String,
    /// The idempotency key.
    pub once: Option<String>,
}

impl Note {
    /// The note of a request.
    #[must_use]
    pub fn of(request: &ApiRequest) -> Self {
        Self {
            actor: request.actor.name().to_owned(),
            request_id: request.request_id.clone(),
            reason: request.query.get("reason").cloned().unwrap_or_default(),
            once: request.idempotency_key.clone(),
        }
    }

    /// A change of the store with this note, without writes yet.
    #[must_use]
    pub fn change(&self) -> philae_store::Change {
        let mut change = philae_store::Change::new(&self.actor, now_micros());
        change.request_id.clone_from(&self.request_id);
        change.reason.clone_from(&self.reason);
        change.idempotency_key.clone_from(&self.once);
        change
    }
}

/// The key of a document.
///
/// # Errors
/// When its name cannot be a key.
pub fn key_of(reference: &DocumentRef) -> Result<DocumentKey, ApiProblem> {
    DocumentKey::new(reference.kind.singular(), &reference.name).map_err(ApiProblem::bad_request)
}

/// The key of a record.
///
/// # Errors
/// When its name cannot be a key.
pub fn record(kind: &str, name: &str) -> Result<DocumentKey, ApiProblem> {
    DocumentKey::new(kind, name).map_err(ApiProblem::bad_request)
}

/// A record of the manager, written with documents or alone.
#[derive(Clone, Debug, PartialEq)]
pub struct ManagerRecord {
    pub key: DocumentKey,
    /// The condition on its present state.
    pub expect: Expect,
    /// The content; `None` deletes it.
    pub value: Option<Value>,
}

/// The condition in `If-Match`.
///
/// # Errors
/// When it is neither a revision nor `*`.
pub fn expected(request: &ApiRequest) -> Result<Expect, ApiProblem> {
    match request.if_match.as_deref().map(|tag| tag.trim().trim_matches('"')) {
        None => Ok(Expect::Any),
        Some("*") => Ok(Expect::Present),
        Some("0") => Ok(Expect::Absent),
        Some(tag) => match tag.parse() {
            Ok(revision) => Ok(Expect::At(Revision(revision))),
            Err(_) => Err(ApiProblem::bad_request(format!("If-Match: {tag}: a revision or * would work"))),
        },
    }
}

/// A change of documents and records, in the store's form.
///
/// # Errors
/// When a name cannot be a key.
pub fn as_change(
    note: &Note,
    steps: &[(DocumentChange, Expect)],
    records: Vec<ManagerRecord>,
) -> Result<philae_store::Change, ApiProblem> {
    let mut change = note.change();
    for (step, expect) in steps {
        let key = key_of(&step.reference())?;
        change = match step {
            DocumentChange::Put(document) => change.put(key, *expect, document.to_value().to_string().as_bytes()),
            DocumentChange::Delete(_) => change.delete(key, *expect),
        };
    }
    for ManagerRecord { key, expect, value } in records {
        change = match value {
            Some(value) => change.put(key, expect, value.to_string().as_bytes()),
            None => change.delete(key, expect),
        };
    }
    Ok(change)
}
