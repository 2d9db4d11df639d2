//! HTTP requests and answers.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{HeaderMap, Request as HttpRequest, Response, StatusCode, header};
use futures_util::stream;
use http_body::{Frame, SizeHint};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Pieces, Reply};
use crate::protocol::request::ApiRequest;
use crate::routing::methods;
use crate::server::connection_slots::Answering;
use crate::server::event_loop::{AnswerAtRevision, Ask};
use crate::server::json;
use crate::watching::Watching;
use crate::{compat, login};

/// The largest body that is read, bytes.
///
/// Source: ours. Status: assumed.
const BODY_MAX: usize = 16 << 20;
/// Pieces of a long answer that are made in advance of sending.
///
/// Source: ours. Status: assumed.
const PIECES_AHEAD: usize = 4;
/// The largest body of a refused request that is read, bytes.
///
/// Source: ours. Status: assumed.
const UNWANTED_MAX: usize = 64 << 10;
/// How long the body of a refused request is waited for: an honest client has sent it already.
///
/// Source: ours. Status: assumed.
const UNWANTED: Duration = Duration::from_millis(100);
/// Longest request id, letters.
///
/// Source: ours. Status: assumed.
const REQUEST_ID_MAX: usize = 128;

/// Answers a request of any caller.
pub async fn answer(ask: &Ask, request: Result<ApiRequest, ApiProblem>, head: Head) -> Response<Body> {
    let AnswerAtRevision { answer, revision } = match request {
        Ok(request) => match ask.ask(request).await {
            Ok(answered) => answered,
            Err(problem) => AnswerAtRevision { answer: Err(problem), revision: 0 },
        },
        Err(problem) => AnswerAtRevision { answer: Err(problem), revision: 0 },
    };
    let answer = worked_out(answer).await;
    respond(answer, revision, &head)
}

/// Computes answers that need only the data that they hold, outside of the event loop.
async fn worked_out(mut answer: Answer) -> Answer {
    loop {
        answer = match answer {
            Ok(Reply::Read(read)) => elsewhere(read).await,
            Ok(Reply::With(reply, meta)) => match *reply {
                Reply::Read(read) => elsewhere(read).await.map(|reply| reply.beside(meta)),
                reply => return Ok(Reply::With(Box::new(reply), meta)),
            },
            answer => return answer,
        };
    }
}

async fn elsewhere(read: Box<dyn FnOnce() -> Answer + Send>) -> Answer {
    let fault = || ApiProblem::new(ProblemCode::Internal, "the answer hit a fault of the manager, which continues");
    tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(fault()))
}

/// The parts of a request's head that the answer depends on.
#[derive(Clone, Debug, Default)]
pub struct Head {
    method: String,
    path: String,
    if_none_match: Option<String>,
    /// The request's id.
    pub request_id: String,
}

impl Head {
    /// The parts of the head, for a request that is not read.
    #[must_use]
    pub fn of(request: &HttpRequest<Body>, id: String) -> Self {
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        Self { method, path, if_none_match: None, request_id: id }
    }
}

/// Reads a request.
///
/// # Errors
/// When a part of it is invalid.
pub async fn read(
    request: HttpRequest<Body>,
    id: String,
    patience: Duration,
) -> (Head, Result<ApiRequest, ApiProblem>) {
    let (parts, body) = request.into_parts();
    let header = |name: &str| text(&parts.headers, name);
    let head = Head {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        if_none_match: header("if-none-match"),
        request_id: header("x-request-id").filter(|id| (1..=REQUEST_ID_MAX).contains(&id.len())).unwrap_or(id),
    };
    let whole = async {
        let query = parts.uri.query().unwrap_or("");
        let query: BTreeMap<String, String> = axum::extract::Query::try_from_uri(&parts.uri)
            .map_err(|error| ApiProblem::bad_request(format!("the query '{query}' cannot be read: {error}")))?
            .0;
        let path = decoded(parts.uri.path())
            .ok_or_else(|| ApiProblem::bad_request(format!("the path '{}' is not UTF-8 text", parts.uri.path())))?;
        let content_type = header("content-type");
        // Browsers send these headers with requests of pages. The page of another site may send
        // forms without permission.
        let of_page = parts.headers.contains_key(header::ORIGIN) || parts.headers.contains_key("sec-fetch-site");
        let bytes = tokio::time::timeout(patience, to_bytes(body, BODY_MAX)).await;
        let bytes = bytes.map_err(|_| {
            let seconds = patience.as_secs();
            ApiProblem::new(ProblemCode::TooSlow, format!("the body did not arrive within {seconds} s"))
        })?;
        let bytes = bytes.map_err(|_| {
            ApiProblem::new(ProblemCode::TooLarge, format!("the body is larger than {BODY_MAX} bytes, or incomplete"))
        })?;
        Ok(ApiRequest {
            method: head.method.clone(),
            body: parsed(&bytes, content_type.as_deref(), &path, of_page)?,
            path,
            query,
            if_match: header("if-match"),
            idempotency_key: header("idempotency-key"),
            content_type,
            accept: header("accept"),
            last_event: header("last-event-id"),
            user_agent: header("user-agent"),
            request_id: head.request_id.clone(),
            ..ApiRequest::default()
        })
    };
    let request = whole.await;
    (head, request)
}

/// Reads and drops the body of a refused request, if it is small and already there. Returns whether
/// the connection is ready for the next request.
pub(crate) async fn passed_over(request: HttpRequest<Body>) -> bool {
    let whole = tokio::time::timeout(UNWANTED, to_bytes(request.into_body(), UNWANTED_MAX)).await;
    matches!(whole, Ok(Ok(_)))
}

/// A path with its percent encoding resolved.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn parsed(bytes: &[u8], content_type: Option<&str>, path: &str, of_page: bool) -> Result<Value, ApiProblem> {
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    // The default is JSON.
    let kind = content_type.map_or("application/json", |kind| kind.split(';').next().unwrap_or("").trim());
    if kind.eq_ignore_ascii_case(FORM) && !of_page {
        return of_form(bytes, path);
    }
    if !["application/json", "application/merge-patch+json", "application/json-patch+json"].contains(&kind) {
        let detail = format!("the body is of type {kind}; application/json would work");
        return Err(ApiProblem::new(ProblemCode::MediaType, detail));
    }
    json::read(bytes).map_err(|error| ApiProblem::bad_request(format!("the body is not JSON: {error}")))
}

/// The media type of a form, which curl sends by default.
const FORM: &str = "application/x-www-form-urlencoded";

/// Reads a body that is declared a form: a form where tokens are exchanged, elsewhere JSON, which
/// `curl -d` declares so.
fn of_form(bytes: &[u8], path: &str) -> Result<Value, ApiProblem> {
    if login::is_token_path(path) {
        let wrong = || {
            ApiProblem::bad_request(
                "the form cannot be read; grant_type=client_credentials&client_secret=TOKEN would work",
            )
        };
        let text = std::str::from_utf8(bytes).map_err(|_| wrong())?;
        let plain = |text: &str| decoded(&text.replace('+', " "));
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((plain(name)?, Value::String(plain(value)?)))
        };
        let pairs = text.trim().split('&').filter(|pair| !pair.is_empty());
        return pairs.map(pair).collect::<Option<serde_json::Map<_, _>>>().map(Value::Object).ok_or_else(wrong);
    }
    let value = json::read(bytes).ok().filter(|value: &Value| value.is_object() || value.is_array());
    value.ok_or_else(|| {
        let detail =
            format!("the body is of type {FORM}, not JSON; JSON, with Content-Type: application/json, would work");
        ApiProblem::new(ProblemCode::MediaType, detail)
    })
}

fn respond(answer: Answer, revision: u64, head: &Head) -> Response<Body> {
    let (reply, meta) = match answer {
        Ok(reply) => reply.split(),
        Err(problem) => return refuse(&problem, revision, head),
    };
    let mut tag = meta.etag;
    let is_get = head.method == "GET";
    // An answer without a revision has an entity tag of its bytes.
    let whole = |bytes: Vec<u8>, tag: &mut Option<String>| {
        if is_get && tag.is_none() {
            *tag = Some(format!("W/\"{:016x}\"", xxh3_64(&bytes)));
        }
        Body::from(bytes)
    };
    let (kind, body) = match reply {
        Reply::Json(value) => ("application/json", whole(value.to_string().into_bytes(), &mut tag)),
        Reply::Encoded(bytes) => ("application/json", whole(bytes, &mut tag)),
        Reply::Text(text) => ("text/plain; charset=utf-8", Body::from(text)),
        Reply::Bytes(bytes) => ("application/octet-stream", Body::from(bytes)),
        Reply::Lines(pieces) => ("application/x-ndjson", lines(pieces)),
        Reply::Watch(watching) => ("text/event-stream", events(*watching)),
        Reply::With(..) | Reply::Read(_) | Reply::Work(_) | Reply::Wait(_) => {
            return refuse(&ApiProblem::new(ProblemCode::Internal, "the answer was not worked out"), revision, head);
        }
    };
    let status = meta.status.unwrap_or(200);
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, kind)
        .header("Philae-Revision", revision)
        .header("X-Request-Id", &head.request_id);
    if let Some(tag) = &tag {
        response = response.header(header::ETAG, tag);
        if is_get && head.if_none_match.as_deref().is_some_and(|wanted| names(wanted, tag)) {
            return finished(response.status(StatusCode::NOT_MODIFIED).body(Body::empty()));
        }
    }
    if let Some(kept) = meta.kept {
        response = response.header("Philae-Durability", kept.name());
    }
    if let Some(location) = &meta.location {
        response = response.header(header::LOCATION, location);
    }
    if let Some(cookie) = &meta.cookie {
        response = response.header(header::SET_COOKIE, cookie);
    }
    if meta.cookie.is_some() || login::is_token_path(&head.path) {
        response = response.header(header::CACHE_CONTROL, "no-store");
    }
    if kind == "text/event-stream" || kind == "application/x-ndjson" {
        response = response.header(header::CACHE_CONTROL, "no-cache");
    }
    let status = StatusCode::from_u16(status).expect("our statuses are legal");
    finished(response.status(status).body(body))
}

/// Whether `If-None-Match` names a tag. It treats weak and strong tags alike.
fn names(wanted: &str, tag: &str) -> bool {
    let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    wanted.trim() == "*" || wanted.split(',').any(|wanted| plain(wanted) == plain(tag))
}

/// The answer to a refused request.
pub fn refuse(problem: &ApiProblem, revision: u64, head: &Head) -> Response<Body> {
    let plain = compat::paths::without_prefix(&head.path).unwrap_or(&head.path);
    let (kind, body) = if login::is_token_path(plain) {
        ("application/json", login::error(problem).to_string().into_bytes())
    } else if compat::paths::is_path(plain) {
        ("application/json", compat::paths::error(problem).to_string().into_bytes())
    } else {
        ("application/problem+json", serde_json::to_vec(problem).expect("a problem is plain"))
    };
    let mut response = Response::builder().header(header::CONTENT_TYPE, kind).header("X-Request-Id", &head.request_id);
    if revision > 0 {
        response = response.header("Philae-Revision", revision);
    }
    match problem.status {
        // Basic is accepted but not asked for, because a browser that is asked stores the password
        // and sends it for other sites, too.
        401 => response = response.header(header::WWW_AUTHENTICATE, "Bearer realm=\"philae\""),
        405 => response = response.header(header::ALLOW, methods(&head.path).join(", ")),
        503 => response = response.header(header::RETRY_AFTER, "1"),
        _ => {}
    }
    let status = compat::paths::status(plain, &head.method, problem);
    let status = StatusCode::from_u16(status).expect("our statuses are legal");
    finished(response.status(status).body(Body::from(body)))
}

/// A response whose connection counts as busy until the client has read it or given up.
pub(crate) fn held(response: Response<Body>, answering: Answering) -> Response<Body> {
    response.map(|body| Body::new(Held { body, _answering: answering }))
}

/// A body, and what is held while it is sent.
struct Held {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A request's id comes from outside, and may have letters that a header cannot have.
fn finished(response: Result<Response<Body>, axum::http::Error>) -> Response<Body> {
    response.unwrap_or_else(|_| {
        let mut plain = Response::new(Body::from("{}"));
        *plain.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        plain
    })
}

/// The body of a long answer, which a thread of its own makes as fast as the client reads it.
fn lines(pieces: Pieces) -> Body {
    let (give, take) = tokio::sync::mpsc::channel::<Vec<u8>>(PIECES_AHEAD);
    tokio::task::spawn_blocking(move || pieces(&mut |piece| give.blocking_send(piece).is_ok()));
    Body::from_stream(stream::unfold(take, |mut take| async move {
        let piece = take.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(piece)), take))
    }))
}

fn events(watching: Watching) -> Body {
    let first = watching.begin();
    Body::from_stream(stream::unfold((watching, Some(first)), |(mut watching, first)| async move {
        let piece = match first {
            Some(first) => first,
            None => watching.next().await?,
        };
        Some((Ok::<_, Infallible>(Bytes::from(piece)), (watching, None)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_lists() {
        assert!(names("\"5\"", "\"5\""));
        assert!(names("\"4\", W/\"5\"", "\"5\""));
        assert!(names("*", "\"5\""));
        assert!(!names("\"4\"", "\"5\""));
    }

    #[test]
    fn paths_lose_their_percent_signs() {
        assert_eq!(decoded("/a%2Fb%20c").as_deref(), Some("/a/b c"));
        for wrong in ["/%", "/%zz", "/%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn json_is_read_as_curl_sends_it_and_a_form_where_tokens_are_exchanged() {
        let form = Some("application/x-www-form-urlencoded");
        assert_eq!(parsed(b"{\"a\": 1}", form, "/api/v1/documents", false), Ok(serde_json::json!({ "a": 1 })));
        assert_eq!(parsed(b"{}", form, "/api/v1/documents", true).expect_err("a page's form").status, 415);
        for wrong in ["a=1", "7", "\"text\""] {
            assert_eq!(
                parsed(wrong.as_bytes(), form, "/api/v1/documents", false).expect_err("no JSON").status,
                415,
                "{wrong}"
            );
        }
        let read = parsed(b"grant_type=client_credentials&client_secret=a%2Bb+c&x", form, "/oauth/token", false);
        let wanted = serde_json::json!({ "grant_type": "client_credentials", "client_secret": "a+b c", "x": "" });
        assert_eq!(read, Ok(wanted));
        assert_eq!(parsed(b"client_secret=%zz", form, "/token", false).expect_err("no letter").status, 400);
        assert_eq!(parsed(b"{}", Some("text/html"), "/token", false).expect_err("no form").status, 415);
    }
}
