//! Changes of documents, on the disk.

use std::time::{SystemTime, UNIX_EPOCH};

use philae_intent::Change;
use philae_store::{Expect, Key, Revision, StoreError};

use crate::api::Request;
use crate::manager::Manager;
use crate::problem::Problem;

/// Microseconds since 1970.
pub(super) fn now_micros() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64)
}

/// Writes a change to the disk, where there is one.
pub(super) fn keep(manager: &Manager, request: &Request, change: &Change) -> Result<(), Problem> {
    let Some(store) = &manager.documents.store else { return Ok(()) };
    let reference = change.reference();
    let key = Key::new(reference.kind.singular(), &reference.name).map_err(Problem::bad_request)?;
    let expect = match request.if_match.as_deref().map(|tag| tag.trim_matches('"')) {
        None => Expect::Any,
        Some("*") => Expect::Present,
        Some(tag) => match tag.parse() {
            Ok(revision) => Expect::At(Revision(revision)),
            Err(_) => return Err(Problem::bad_request(format!("If-Match: {tag}: a revision or * would work"))),
        },
    };
    let mut written = philae_store::Change::new(request.actor.name(), now_micros());
    written = match change {
        Change::Put(document) => written.put(key, expect, document.to_value().to_string().as_bytes()),
        Change::Delete(_) => written.delete(key, expect),
    };
    if let Some(once) = &request.idempotency_key {
        written = written.once(once);
    }
    store.commit(written).map(|_| ()).map_err(|error| not_kept(&error))
}

/// Writes changes to the disk as one, for whom the manager acts.
pub(crate) fn keep_all(manager: &Manager, actor: &str, changes: &[Change]) -> Result<(), Problem> {
    let Some(store) = &manager.documents.store else { return Ok(()) };
    let mut written = philae_store::Change::new(actor, now_micros());
    for change in changes {
        let reference = change.reference();
        let key = Key::new(reference.kind.singular(), &reference.name).map_err(Problem::bad_request)?;
        written = match change {
            Change::Put(document) => written.put(key, Expect::Any, document.to_value().to_string().as_bytes()),
            Change::Delete(_) => written.delete(key, Expect::Any),
        };
    }
    store.commit(written).map(|_| ()).map_err(|error| not_kept(&error))
}

pub(super) fn not_kept(error: &StoreError) -> Problem {
    let (status, code, title) = match error {
        StoreError::Precondition { .. } => (412, "document.changed", "The document is not as it was expected"),
        StoreError::IdempotencyConflict { .. } => (409, "idempotency.conflict", "The key was used for something else"),
        StoreError::Busy { .. } => (503, "store.busy", "Too much waits for the disk"),
        StoreError::Invalid(_) | StoreError::Key(_) => (400, "request.invalid", "The request is not valid"),
        StoreError::Fenced { .. } => (409, "manager.fenced", "Another manager leads"),
        _ => (507, "store.failed", "The change could not be kept"),
    };
    Problem { status, code, title, detail: error.to_string(), problems: Vec::new() }
}
