//! Watches over the API, as server-sent events: changes of documents from the store's log, and
//! observations of the fabric.
//!
//! An event's id is `REVISION.EPOCH.SEQUENCE`: the last change of documents and the last event of
//! this manager that the watcher has seen. A watcher that reconnects with it misses nothing, or
//! learns that it is too late (410). Neither log has a copy for each watcher: a watcher that does
//! not keep up is cut off, and reconnects with its last id.

pub mod endpoints;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use philae_inventory::PlannedFabric;
use philae_policy::DocumentKind;
use philae_store::{LogEntry, Watch};
use serde_json::{Value, json};

use crate::access::{Actor, may_read};
use crate::events::Events;
use crate::protocol::problem::{ApiProblem, ProblemCode};

/// Simultaneous watches.
///
/// Source: ours. Status: assumed.
const WATCHES_MAX: usize = 1_024;

/// Time without an event after which a watcher gets a bookmark.
///
/// Source: ours; proxies cut what is silent for a minute. Status: assumed.
const BOOKMARK: Duration = Duration::from_secs(15);

/// The number of watchers.
#[derive(Clone, Debug, Default)]
pub struct Watchers(Arc<AtomicUsize>);

impl Watchers {
    /// The number of watchers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn enter(&self) -> Result<Seat, ApiProblem> {
        let seat = Seat(self.clone());
        if self.0.fetch_add(1, Ordering::Relaxed) >= WATCHES_MAX {
            let detail = format!("{WATCHES_MAX} watches are open, the limit");
            return Err(ApiProblem::new(ProblemCode::Busy, detail));
        }
        Ok(seat)
    }
}

/// The place of one watcher; dropping it frees the place.
#[derive(Debug)]
struct Seat(Watchers);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub struct Watching {
    documents: Watch,
    events: Arc<Events>,
    seen: u64,
    epoch: u64,
    fabric: Arc<PlannedFabric>,
    actor: Actor,
    types: Option<Vec<String>>,
    until: Option<Instant>,
    said: Option<&'static str>,
    _seat: Seat,
}

impl Watching {
    fn id(&self) -> String {
        format!("{}.{}.{}", self.documents.seen(), self.epoch, self.seen)
    }

    fn wants(&self, sort: &str) -> bool {
        self.types.as_ref().is_none_or(|types| types.iter().any(|wanted| wanted == sort))
    }

    fn event(&self, sort: &str, data: &Value) -> Vec<u8> {
        format!("id: {}\nevent: {sort}\ndata: {data}\n\n", self.id()).into_bytes()
    }

    fn bookmark(&self) -> Vec<u8> {
        self.event("bookmark", &json!({ "revision": self.documents.seen().0 }))
    }

    /// The last event for a watcher.
    fn end(&mut self, why: &'static str, detail: &str) -> Option<Vec<u8>> {
        if self.said.replace(why).is_some() {
            return None;
        }
        Some(self.event("end", &json!({ "code": why, "detail": detail })))
    }

    /// The next piece of the stream; `None` at its end.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        if self.said.is_some() {
            return None;
        }
        let mut newest = self.events.subscribe();
        let bookmark = tokio::time::Instant::now() + BOOKMARK;
        let deadline = self.until.map_or(bookmark, |until| bookmark.min(until.into()));
        loop {
            newest.mark_unchanged();
            match self.events.after(self.seen) {
                Ok(Some(event)) => {
                    self.seen = event.sequence;
                    if self.wants(event.what.sort()) {
                        return Some(self.event(event.what.sort(), &event.to_value(&self.fabric)));
                    }
                    continue;
                }
                Ok(None) => {}
                Err(_) => {
                    return self.end(
                        ProblemCode::Gone.code(),
                        "this watcher was too slow: later events are no longer stored; read the present state, and watch again",
                    );
                }
            }
            tokio::select! {
                entry = self.documents.next() => match entry {
                    Ok(entry) => {
                        if self.wants("document") && let Some(value) = changes(&entry, &self.actor) {
                            return Some(self.event("document", &value));
                        }
                    }
                    Err(error) => {
                        let problem = ApiProblem::from(error);
                        return self.end(problem.code, &problem.detail);
                    }
                },
                told = newest.changed() => if told.is_err() {
                    return self.end(ProblemCode::Stopping.code(), "the manager stops");
                },
                () = tokio::time::sleep_until(deadline) => {
                    if self.until.is_some_and(|until| Instant::now() >= until) {
                        self.said = Some("timeout");
                    }
                    return Some(self.bookmark());
                }
            }
        }
    }

    /// The begin of the stream: a bookmark.
    #[must_use]
    pub fn begin(&self) -> Vec<u8> {
        self.bookmark()
    }
}

/// The event of a change: the documents that it wrote. `None` if it wrote only the manager's own
/// records, or documents that the watcher may not read.
pub(crate) fn changes(entry: &LogEntry, actor: &Actor) -> Option<Value> {
    let writes: Vec<Value> = entry
        .writes
        .iter()
        .filter(|write| DocumentKind::parse(write.key.kind()).is_some_and(|kind| may_read(actor, kind)))
        .map(|write| {
            let document = write.after.as_ref().and_then(|object| serde_json::from_slice::<Value>(&object.value).ok());
            json!({ "kind": write.key.kind(), "name": write.key.name(), "document": document })
        })
        .collect();
    if writes.is_empty() {
        return None;
    }
    Some(json!({
        "revision": entry.revision.0,
        "atMicros": entry.at,
        "actor": entry.actor,
        "requestId": entry.request_id,
        "reason": entry.reason,
        "documents": writes,
    }))
}
