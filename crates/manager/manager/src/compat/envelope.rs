//! The common fields of documents and collections.

use std::time::Instant;

use philae_policy::DocumentChange;
use philae_policy::{Document, DocumentRef};
use serde_json::{Value, json};

use crate::documents::endpoints::change;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;

/// The value of `documentOwner`.
const OWNER: &str = "philae";

/// Query keys of collections.
pub const PAGE: &[(&str, &str)] = &[
    ("$limit", "most links in the answer, with links to the previous and next pages"),
    ("$skip", "number of links to skip"),
    ("$top", "only this many links, without pages"),
    ("$count", "accepted without effect: the answer always has both counts"),
    ("expand", "also the documents themselves, by link: at most 1000, fewer by $limit"),
    ("$filter", "only documents with these fields: \"grpId eq 3 and switchType eq 'NAME'\""),
];

/// A document that follows from the fabric; it cannot be written.
pub fn derived(manager: &Manager, kind: &str, link: &str, fields: Value) -> Value {
    dressed(kind, link, fields, Kept { version: 0, written: manager.changed_micros(), ends: 0 }, "POST")
}

/// The store's record of a document: the revision that last wrote it, its time, and its expiry, in
/// microseconds.
struct Kept {
    version: u64,
    written: u64,
    ends: u64,
}

/// A document that follows from one of ours.
pub fn kept(manager: &Manager, kind: &str, link: &str, of: &DocumentRef, fields: Value) -> Value {
    let version = manager.documents.modified(of).unwrap_or(0);
    let document = manager.documents.set().get(of.kind, &of.name);
    let end = document.and_then(|found: &Document| found.spec.lease()).and_then(|lease| lease.expires_at_seconds);
    // A document that was never written is built in, and as old as this manager's run.
    let written = manager.documents.written_micros(version).unwrap_or(manager.process.began_micros);
    dressed(kind, link, fields, Kept { version, written, ends: end.unwrap_or(0) * 1_000_000 }, "PUT")
}

fn dressed(kind: &str, link: &str, mut fields: Value, kept: Kept, action: &str) -> Value {
    for (key, value) in [
        ("documentSelfLink", json!(link)),
        ("documentKind", json!(format!("philae:fabric:{kind}"))),
        ("documentVersion", json!(kept.version)),
        ("documentEpoch", json!(0)),
        ("documentOwner", json!(OWNER)),
        ("documentUpdateAction", json!(action)),
        ("documentUpdateTimeMicros", json!(kept.written)),
        ("documentExpirationTimeMicros", json!(kept.ends)),
    ] {
        fields[key] = value;
    }
    fields
}

fn number(request: &ApiRequest, key: &str) -> Result<Option<usize>, ApiProblem> {
    let Some(text) = request.query.get(key) else { return Ok(None) };
    let number = text.parse();
    number.map(Some).map_err(|_| ApiProblem::bad_request(format!("{key}={text}: a whole number would work")))
}

/// A collection: links only, as many as the request asks for. `count` is their total number,
/// `links` returns those of a range.
pub fn collection(
    manager: &Manager,
    request: &ApiRequest,
    count: usize,
    links: impl FnOnce(std::ops::Range<usize>) -> Vec<String>,
) -> Result<Reply, ApiProblem> {
    let began = Instant::now();
    let skip = number(request, "$skip")?.unwrap_or(0).min(count);
    let (limit, top) = (number(request, "$limit")?, number(request, "$top")?);
    if limit == Some(0) {
        return Err(ApiProblem::bad_request("$limit=0: 1 or more would work"));
    }
    let end = limit.into_iter().chain(top).map(|most| skip.saturating_add(most)).min().unwrap_or(count).min(count);
    let links = links(skip..end);
    let page = |skip: usize, limit: usize| json!(format!("{}?$limit={limit}&$skip={skip}", request.path));
    let next = limit.filter(|_| end < count).map(|limit| page(end, limit));
    let before = limit.filter(|_| skip > 0).map(|limit| page(skip.saturating_sub(limit), limit));
    let mut body = json!({
        "documentLinks": links,
        "documentCount": links.len(),
        "totalCount": count,
        "queryTimeMicros": began.elapsed().as_micros() as u64,
        "documentVersion": 0,
        "documentUpdateTimeMicros": manager.changed_micros(),
        "documentExpirationTimeMicros": 0,
        "documentOwner": OWNER,
    });
    for (key, link) in [("nextPageLink", next), ("prevPageLink", before)] {
        if let Some(link) = link {
            body[key] = link;
        }
    }
    Ok(Reply::Json(body))
}

/// A collection of the given links.
pub fn listed(manager: &Manager, request: &ApiRequest, links: &[String]) -> Result<Reply, ApiProblem> {
    collection(manager, request, links.len(), |range| links[range].to_vec())
}

/// The name at the end of a link, or the name itself.
pub fn name_of(link: &str) -> &str {
    link.trim_end_matches('/').rsplit('/').next().unwrap_or(link)
}

/// The text of a field.
///
/// # Errors
/// When it is missing or not a text.
pub fn text<'a>(request: &'a ApiRequest, key: &str, works: &str) -> Result<&'a str, ApiProblem> {
    let found = request.body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| ApiProblem::bad_request(format!("the body lacks {key}: {works} would work")))
}

/// The texts of a list; `None` if the field is missing.
///
/// # Errors
/// When it is not a list of texts.
pub fn texts(request: &ApiRequest, key: &str) -> Result<Option<Vec<String>>, ApiProblem> {
    let wrong = || ApiProblem::bad_request(format!("{key} is not a list of texts"));
    match request.body.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => {
            let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
            texts.collect::<Option<Vec<_>>>().ok_or_else(wrong).map(Some)
        }
        Some(_) => Err(wrong()),
    }
}

/// Refuses unknown keys in a body.
///
/// # Errors
/// When there are any, with the known keys.
pub fn only(request: &ApiRequest, known: &[&str]) -> Result<(), ApiProblem> {
    let Some(body) = request.body.as_object() else {
        return Err(ApiProblem::bad_request(format!("the body is not an object; keys: {}", known.join(", "))));
    };
    let envelope = |key: &str| key.starts_with("document");
    match body.keys().find(|key| !known.contains(&key.as_str()) && !envelope(key)) {
        Some(unknown) => {
            Err(ApiProblem::bad_request(format!("there is no key '{unknown}'; there are: {}", known.join(", "))))
        }
        None => Ok(()),
    }
}

/// Makes a change in the same way as the native API.
pub(crate) fn made(manager: &mut Manager, request: &ApiRequest, wanted: DocumentChange) -> Result<(), ApiProblem> {
    change(manager, request, wanted).map(|_| ())
}
