//! Runs an endpoint that changes something.

use std::sync::Arc;

use philae_store::{DocumentKey, Expect};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::clock::now_micros;
use crate::documents::Documents;
use crate::documents::keep::{Note, ORDERS};
use crate::manager::Manager;
use crate::mutation::Attempt;
use crate::protocol::endpoint::ApiEndpoint;
use crate::protocol::meta::Meta;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply, Work};
use crate::protocol::request::ApiRequest;

/// The largest answer that is kept, bytes.
///
/// Source: ours. Status: assumed.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Longest idempotency key, letters.
///
/// Source: ours. Status: assumed.
const KEY_MAX: usize = 255;

/// The hash that identifies an attempt.
pub(crate) fn hash_of(request: &ApiRequest) -> u64 {
    xxh3_64(format!("{} {} {:?} {}", request.method, request.path, request.query, request.body).as_bytes())
}

/// Runs an endpoint that changes something.
///
/// # Errors
/// The problem for the client.
pub fn mutate(manager: &mut Manager, endpoint: &ApiEndpoint, request: &ApiRequest) -> Answer {
    let answer = attempt(manager, endpoint, request);
    if let Err(problem) = &answer {
        manager.requests.mutations.refuse(request, problem);
    }
    answer
}

pub(crate) fn attempt(manager: &mut Manager, endpoint: &ApiEndpoint, request: &ApiRequest) -> Answer {
    let who = match &request.idempotency_key {
        None => None,
        Some(key) if key.is_empty() || key.len() > KEY_MAX => {
            return Err(ApiProblem::bad_request(format!("Idempotency-Key: 1 to {KEY_MAX} letters would work")));
        }
        Some(key) => Some((request.actor.name().to_owned(), key.clone())),
    };
    if let Some(found) = who.as_ref().and_then(|who| manager.requests.mutations.attempts.get(who)) {
        if found.hash != hash_of(request) {
            let detail = "this Idempotency-Key was used for another request; a new one would work";
            return Err(ApiProblem::new(ProblemCode::IdempotencyConflict, detail));
        }
        return Ok(Reply::With(Box::new(Reply::Json(found.answer.clone())), found.meta.clone()));
    }
    let of_document = endpoint.path.starts_with("/api/v1/{kind}/") || endpoint.path.starts_with("/api/v1/change-sets/");
    if !of_document {
        matches_revision(&manager.documents, request)?;
    }
    let dry = request.query.get("dryRun").is_some_and(|dry| dry == "true");
    let began = now_micros();
    let work = match (endpoint.run)(manager, request)? {
        // Changes of documents have an entry of their own; all other changes get one here.
        Reply::Work(work) => work,
        reply => audited(&manager.documents, request, began, reply)?,
    };
    let request = request.clone();
    Ok(Reply::Work(work.after(move |manager, answer| {
        match &answer {
            Ok(reply) if !dry => remember(manager, who, &request, reply),
            Ok(_) => {}
            Err(problem) => manager.requests.mutations.refuse(&request, problem),
        }
        answer
    })))
}

/// Checks `If-Match` for a change of no single document: nothing at all may have changed since.
fn matches_revision(documents: &Documents, request: &ApiRequest) -> Result<(), ApiProblem> {
    let Some(tag) = request.if_match.as_deref().map(|tag| tag.trim().trim_matches('"')) else { return Ok(()) };
    let revision = documents.revision();
    match tag.parse::<u64>() {
        _ if tag == "*" => Ok(()),
        Ok(asked) if asked == revision => Ok(()),
        Ok(asked) => Err(ApiProblem::new(
            ProblemCode::Changed,
            format!("If-Match expects revision {asked}, the newest is {revision}"),
        )),
        Err(_) => Err(ApiProblem::bad_request(format!("If-Match: {tag}: a revision or * would work"))),
    }
}

/// An order that was carried out goes into the audit before it is answered, with the time at which
/// it began: what follows from it comes later.
pub(crate) fn audited(
    documents: &Documents,
    request: &ApiRequest,
    began: u64,
    reply: Reply,
) -> Result<Work, ApiProblem> {
    let name: String = request.path.trim_start_matches("/api/v1/").chars().take(200).collect();
    let key = DocumentKey::new(ORDERS, &name).map_err(ApiProblem::bad_request)?;
    let value = json!({
        "method": request.method,
        "path": request.path,
        "body": without_secrets(&request.body),
        "beganMicros": began,
    });
    let note = Note { once: None, ..Note::of(request) };
    let change = note.change().put(key, Expect::Any, value.to_string().as_bytes());
    let store = Arc::clone(documents.store());
    Ok(Work::new(
        move || store.commit(change),
        move |_, committed| match committed {
            Ok(_) => Ok(reply),
            Err(error) => {
                let detail = format!("it was done, but the audit could not be written: {error}");
                Err(ApiProblem::new(ProblemCode::StoreFailed, detail))
            }
        },
    ))
}

/// A body without secrets, because more people read the audit than have sent the request.
fn without_secrets(body: &Value) -> Value {
    let is_secret = |key: &str| {
        let key = key.to_ascii_lowercase();
        ["token", "secret", "password", "key"].iter().any(|word| key.contains(word))
    };
    match body {
        Value::Object(table) => table
            .iter()
            .map(|(key, value)| {
                let shown =
                    if is_secret(key) { Value::String("(not kept)".to_owned()) } else { without_secrets(value) };
                (key.clone(), shown)
            })
            .collect(),
        Value::Array(list) => list.iter().map(without_secrets).collect(),
        value => value.clone(),
    }
}

/// Keeps the answer of an attempt.
pub(crate) fn remember(manager: &mut Manager, who: Option<(String, String)>, request: &ApiRequest, reply: &Reply) {
    let Some(who) = who else { return };
    let (body, meta) = match reply {
        Reply::With(body, meta) => (&**body, meta.clone()),
        Reply::Wait(waiting) => match &waiting.otherwise {
            Reply::With(body, meta) => (&**body, meta.clone()),
            body => (body, Meta::default()),
        },
        body => (body, Meta::default()),
    };
    if let Reply::Json(answer) = body
        && answer.to_string().len() <= ANSWER_BYTES_MAX
    {
        let attempt = Attempt { hash: hash_of(request), answer: answer.clone(), meta };
        manager.requests.mutations.remember(who, attempt);
    }
}
