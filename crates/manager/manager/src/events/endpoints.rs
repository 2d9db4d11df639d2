//! The events of the fabric and of documents, for people on call.

use std::sync::Arc;

use philae_store::{AuditQuery, LogEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::events::Happened;
use crate::events::log;
use crate::events::log::{EventQuery, ago};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[get(
    "/api/v1/events",
    "Events, the oldest first; they survive restarts of the manager.",
    &[
        ("sinceSeconds", "not older than this many seconds; default 86400"),
        ("fromMicros", "not before this time, microseconds since 1970"),
        ("untilMicros", "before this time"),
        ("types", "only these: device, link, nic, tables, alarm, operation, firmware, fenced, manager, document"),
        ("limit", "number of events, the newest, 1 to 100000; default 1000"),
    ],
    events,
)
.json(of::<EventList>)
.errors(&[507])];

/// What happened.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EventList", deny_unknown_fields)]
pub struct EventList {
    /// The oldest first. Each has atMicros, event (its sort), words, and the fields of its sort.
    #[schemars(with = "Vec<std::collections::BTreeMap<String, Value>>")]
    pub items: Vec<Value>,
    /// Older ones that fit and are left out: a larger limit takes them.
    pub older: usize,
    /// Events that could not be saved since the manager began.
    pub left_out: u64,
    /// Whether they survive a restart of the manager.
    pub durable: bool,
}

/// `GET /api/v1/events`
pub fn events(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let most = request.number("limit", 1_000, 100_000)?;
    let since = request.whole("sinceSeconds")?;
    let from = request.whole("fromMicros")?.unwrap_or_else(|| ago(since.unwrap_or(86_400)));
    let until = request.whole("untilMicros")?.unwrap_or(u64::MAX);
    let sorts = request.query.get("types").map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>());
    let known = |sort: &String| sort == "document" || Happened::SORTS.contains(&sort.as_str());
    if let Some(unknown) = sorts.iter().flatten().find(|sort| !known(sort)) {
        let sorts = Happened::SORTS.join(", ");
        return Err(ApiProblem::bad_request(format!("there are no events '{unknown}'; there are: document, {sorts}")));
    }
    let wanted = EventQuery { from, until, sorts, most };
    let (fabric, store) = (Arc::clone(&manager.fabric), Arc::clone(manager.documents.store()));
    let log = manager.control_loop.event_log.clone();
    let memory = if log.is_none() { manager.control_loop.events.kept() } else { Vec::new() };
    let actor = request.actor.clone();
    Ok(Reply::Read(Box::new(move || {
        let (mut items, mut older) = match &log {
            Some(log) => log::read(log.path(), &wanted).map_err(|error| {
                ApiProblem::new(ProblemCode::StoreFailed, format!("{}: {error}", log.path().display()))
            })?,
            None => log::in_memory(&fabric, &memory, &wanted),
        };
        if wanted.sorts.as_ref().is_none_or(|sorts| sorts.iter().any(|sort| sort == "document")) {
            let query = AuditQuery { from: Some(from), until: Some(until), ..AuditQuery::default() };
            let page = store.audit(&query, most)?;
            items.extend(page.entries.iter().filter_map(|entry| changed(entry, &actor)));
            // A cause stands before its effects, within one microsecond too.
            items.sort_by_key(|event| (event["atMicros"].as_u64(), event["event"] != "document"));
            let more = items.len().saturating_sub(most);
            items.drain(..more);
            older += more;
        }
        let left_out = log.as_ref().map_or(0, log::EventLog::left_out);
        Ok(Reply::of(&EventList { items, older, left_out, durable: log.is_some() }))
    })))
}

/// A change of documents, or an order, as an event.
fn changed(entry: &LogEntry, actor: &crate::access::Actor) -> Option<Value> {
    let mut value = crate::watching::changes(entry, actor).or_else(|| {
        let order = entry.writes.iter().find(|write| write.key.kind() == crate::documents::keep::ORDERS)?;
        let order: Value = serde_json::from_slice(&order.after.as_ref()?.value).ok()?;
        // The entry is written when the order is done; its effects may be known before that.
        let at = order["beganMicros"].as_u64().unwrap_or(entry.at);
        Some(json!({ "atMicros": at, "actor": entry.actor, "order": order["path"], "revision": entry.revision.0 }))
    })?;
    let words = match value["order"].as_str() {
        Some(path) => format!("order of {}: {}", entry.actor, path.trim_start_matches("/api/v1/")),
        None => {
            let names = value["documents"].as_array().into_iter().flatten().map(|document| {
                let verb = if document["document"].is_null() { " deleted" } else { "" };
                let text = |key: &str| document[key].as_str().unwrap_or("?").to_owned();
                format!("{} {}{verb}", text("kind"), text("name"))
            });
            let names: Vec<String> = names.collect();
            format!("revision {} by {}: {}", entry.revision, entry.actor, names.join(", "))
        }
    };
    // The documents themselves are in the history.
    value.as_object_mut().map(|value| value.remove("documents"));
    value["event"] = json!("document");
    value["words"] = json!(words);
    Some(value)
}
