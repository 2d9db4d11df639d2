//! Begins a watch.

use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_store::Revision;

use crate::events::Happened;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::Content;
use crate::watching::Watching;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[get(
    "/api/v1/watch",
    "Changes as they happen: of documents from a revision, and of the observed fabric (server-sent events).",
    &[
        ("from", "documents' changes after this revision; absent: from now on"),
        ("types", "only these: document, device, link, nic, tables, alarm, operation, firmware, fenced, manager"),
        ("timeoutSeconds", "the stream ends after this many seconds, 1 to 86400; absent: never"),
    ],
    watch,
)
.content(Content::Events)
.errors(&[409, 410, 503])];

/// Parses the id of the last event that a watcher has seen.
fn parse_id(id: &str) -> Option<(u64, u64, u64)> {
    let mut parts = id.split('.').map(str::parse);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(Ok(revision)), Some(Ok(epoch)), Some(Ok(sequence)), None) => Some((revision, epoch, sequence)),
        _ => None,
    }
}

/// `GET /api/v1/watch`
pub fn watch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let epoch = manager.requests.operations.epoch();
    let events = Arc::clone(&manager.control_loop.events);
    let mut seen = events.newest();
    let mut from = request.whole("from")?.unwrap_or_else(|| manager.documents.revision());
    if let Some(id) = request.last_event.as_deref().filter(|id| !id.is_empty()) {
        let (revision, of_epoch, sequence) = parse_id(id).ok_or_else(|| {
            ApiProblem::bad_request(format!(
                "Last-Event-ID: {id}: the id of an event would work, REVISION.EPOCH.SEQUENCE"
            ))
        })?;
        from = revision;
        let is_kept = of_epoch == epoch && sequence <= seen && events.after(sequence).is_ok();
        if !is_kept {
            let detail =
                format!("the events after {id} are no longer stored; read the present state and watch from there");
            return Err(ApiProblem::new(ProblemCode::Gone, detail));
        }
        seen = sequence;
    }
    let types = request.query.get("types").map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>());
    let known = |word: &String| word == "document" || Happened::SORTS.contains(&word.as_str());
    if let Some(unknown) = types.iter().flatten().find(|word| !known(word)) {
        let sorts = Happened::SORTS.join(", ");
        return Err(ApiProblem::bad_request(format!("there are no events '{unknown}'; there are: document, {sorts}")));
    }
    let until = match request.query.get("timeoutSeconds") {
        None => None,
        Some(_) => Some(Instant::now() + Duration::from_secs(request.number("timeoutSeconds", 1, 86_400)? as u64)),
    };
    let documents = manager.documents.store().watch(Revision(from))?;
    let seat = manager.requests.watchers.enter()?;
    let fabric = Arc::clone(&manager.fabric);
    Ok(Reply::Watch(Box::new(Watching {
        documents,
        events,
        seen,
        epoch,
        fabric,
        actor: request.actor.clone(),
        types,
        until,
        said: None,
        _seat: seat,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        assert_eq!(parse_id("12.3.45"), Some((12, 3, 45)));
        for wrong in ["", "12", "12.3", "12.3.x", "1.2.3.4"] {
            assert_eq!(parse_id(wrong), None, "{wrong}");
        }
    }
}
