//! The service: one thread that judges, and an HTTP server that asks it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, Request as HttpRequest, Response, StatusCode, header};
use philae_agent_link::unix_seconds;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::access::Actor;
use crate::api::{self, Reply, Request};
use crate::compat;
use crate::guard::{Guard, Rates, Refusal};
use crate::listen::{ApiListener, CallerAddress, Proof, Tls, TlsFailure};
use crate::log;
use crate::manager::Manager;
use crate::problem::Problem;

/// The largest body that is read, bytes.
const BODY_MAX: usize = 16 << 20;

/// Why the service cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not this machine's alone.
    #[error(
        "{0} can be reached from elsewhere, where tokens must not go in the clear: --tls, or --tls-certificate FILE and --tls-key FILE, or 127.0.0.1:8000 would work"
    )]
    NeedsTls(SocketAddr),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] TlsFailure),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The runtime cannot begin.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
}

/// Where and how the API is served.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Where.
    pub address: SocketAddr,
    /// How it is proven.
    pub tls: Tls,
    /// How often somebody may ask.
    pub rates: Rates,
}

type Answer = Result<Reply, Problem>;

enum Question {
    Asked(Request, oneshot::Sender<Answer>),
    /// Agents have said something.
    Wake,
}

/// What a request needs on its way to the judgement.
#[derive(Clone)]
struct Door {
    ask: mpsc::Sender<Question>,
    guard: Arc<Guard>,
    /// Requests are numbered, from a start that differs from run to run.
    number: Arc<AtomicU64>,
}

/// Serves until the process is told to end.
///
/// # Errors
/// When the address needs TLS and has none, there is no certificate, or it cannot be listened on.
pub fn serve(mut manager: Manager, options: ServeOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let ServeOptions { address, tls, rates } = options;
    if !address.ip().is_loopback() && tls == Tls::Off {
        return Err(ServeError::NeedsTls(address));
    }
    manager.security.proof = Proof::new(tls, manager.security.authority.clone())?;
    let proof = manager.security.proof.clone();
    let guard = Arc::new(Guard::new(rates));
    guard.refresh(manager.documents.set());
    manager.security.guard = Arc::clone(&guard);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(ServeError::Threads)?;
    runtime.block_on(async {
        let listen = |error| ServeError::Listen { address, error };
        let listener = ApiListener::bind(address, proof).await.map_err(listen)?;
        let (ask, questions) = mpsc::channel();
        let wake = ask.clone();
        // Where nobody judges any more, nobody is to be woken.
        manager.wake.set(move || drop(wake.send(Question::Wake)));
        std::thread::Builder::new()
            .name("judge".to_owned())
            .spawn(move || judge(manager, &questions))
            .map_err(ServeError::Threads)?;
        ready(axum::serve::Listener::local_addr(&listener).map_err(listen)?);
        let door = Door { ask, guard, number: Arc::new(AtomicU64::new(unix_seconds() << 24)) };
        let router = Router::new().fallback(handle).with_state(door);
        let service = router.into_make_service_with_connect_info::<CallerAddress>();
        let stop = async {
            // Where signals cannot be had, the process ends by them without farewell.
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, service).with_graceful_shutdown(stop).await.map_err(listen)
    })
}

/// Judges, and answers questions in between.
fn judge(mut manager: Manager, questions: &mpsc::Receiver<Question>) {
    loop {
        let next_ms = manager.turn();
        let wait_ms = next_ms.map_or(IDLE_MS, |at| at.saturating_sub(manager.plant.now_ms()).min(IDLE_MS));
        match questions.recv_timeout(Duration::from_millis(wait_ms)) {
            Ok(question) => {
                answer(&mut manager, question);
                // Where agents never cease to speak, everybody who waits has their turn nevertheless.
                for question in questions.try_iter().take(TURN) {
                    answer(&mut manager, question);
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn answer(manager: &mut Manager, question: Question) {
    let Question::Asked(request, reply) = question else { return };
    let changes = request.method != "GET";
    let answer = api::answer(manager, request);
    if changes {
        // Tokens and roles may be others now: before whoever changed them hears of it.
        manager.security.guard.refresh(manager.documents.set());
    }
    // Whoever asked may be gone.
    let _ = reply.send(answer);
}

/// Questions that are answered before agents are heard again.
///
/// Source: ours. Status: assumed.
const TURN: usize = 256;

/// The longest time without looking whether anything is due, milliseconds.
///
/// Source: ours. Status: assumed.
const IDLE_MS: u64 = 1_000;

async fn handle(
    State(door): State<Door>,
    ConnectInfo(from): ConnectInfo<CallerAddress>,
    request: HttpRequest<Body>,
) -> Response<Body> {
    let began = Instant::now();
    let id = format!("{:016x}", door.number.fetch_add(1, Ordering::Relaxed));
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    // Clients of that view know problems in its shape.
    let compatible = compat::is_path(&path);
    let header = request.headers().get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or(""));
    let (actor, response) = match door.guard.admit(header, from.0.ip(), unix_seconds()) {
        Ok(actor) => (actor.name().to_owned(), ask(&door, actor, request, compatible).await),
        Err(refusal) => ("nobody".to_owned(), refused(&refusal, compatible)),
    };
    let status = response.status().as_u16();
    log::request(&id, &actor, &method, &path, status, began.elapsed().as_micros() as u64);
    with_id(response, &id)
}

fn with_id(mut response: Response<Body>, id: &str) -> Response<Body> {
    if let Ok(id) = id.parse() {
        response.headers_mut().insert("x-request-id", id);
    }
    response
}

fn refused(refusal: &Refusal, compatible: bool) -> Response<Body> {
    let problem = |status, code, title, detail: String| Problem { status, code, title, detail, problems: Vec::new() };
    match refusal {
        Refusal::WrongToken => {
            let detail = "the token is none that counts: it was mistyped, revoked or has ended; philae fabric tokens make gives another";
            answered(Err(problem(401, "auth.wrong-token", "The token does not count", detail.to_owned())), compatible)
        }
        Refusal::TooMany(seconds) => {
            let detail = format!("too many requests; again in {seconds} s");
            let mut response = answered(Err(problem(429, "request.too-many", "Too many requests", detail)), compatible);
            response.headers_mut().insert(header::RETRY_AFTER, (*seconds).into());
            response
        }
    }
}

fn gone() -> Problem {
    Problem {
        status: 503,
        code: "manager.stopping",
        title: "Stopping",
        detail: "the manager stops".to_owned(),
        problems: Vec::new(),
    }
}

async fn ask(door: &Door, actor: Actor, request: HttpRequest<Body>, compatible: bool) -> Response<Body> {
    let answer = match question(actor, request).await {
        Ok(question) => {
            let (reply, answer) = oneshot::channel();
            match door.ask.send(Question::Asked(question, reply)) {
                Ok(()) => answer.await.unwrap_or_else(|_| Err(gone())),
                Err(_) => Err(gone()),
            }
        }
        Err(problem) => Err(problem),
    };
    let answer = match answer {
        Ok(Reply::Later(later)) => tokio::task::spawn_blocking(|| later.work()).await.unwrap_or_else(|_| Err(gone())),
        other => other,
    };
    answered(answer, compatible)
}

fn answered(answer: Answer, compatible: bool) -> Response<Body> {
    let (status, kind, body) = match answer {
        Ok(Reply::Json(value)) => (200, "application/json", value.to_string().into_bytes()),
        Ok(Reply::Bytes(bytes)) => (200, "application/octet-stream", bytes),
        Ok(Reply::Text(text)) => (200, "text/plain; charset=utf-8", text.into_bytes()),
        Ok(Reply::Later(_)) => unreachable!("later work answers at once"),
        Err(problem) if compatible => {
            (problem.status, "application/json", compat::error(&problem).to_string().into_bytes())
        }
        Err(problem) => {
            let body = serde_json::to_vec(&problem).expect("a problem is plain");
            (problem.status, "application/problem+json", body)
        }
    };
    let status = StatusCode::from_u16(status).expect("our statuses are legal");
    let mut response = Response::builder().status(status).header(header::CONTENT_TYPE, kind);
    if status == StatusCode::UNAUTHORIZED {
        response = response.header(header::WWW_AUTHENTICATE, "Bearer realm=\"philae\"");
    }
    response.body(Body::from(body)).expect("a response of legal parts")
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

async fn question(actor: Actor, request: HttpRequest<Body>) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let (if_match, idempotency_key) = (text_of(&parts.headers, "if-match"), text_of(&parts.headers, "idempotency-key"));
    let query = parts.uri.query().unwrap_or("");
    let query: BTreeMap<String, String> = axum::extract::Query::try_from_uri(&parts.uri)
        .map_err(|error| Problem::bad_request(format!("the query '{query}' cannot be read: {error}")))?
        .0;
    let bytes = to_bytes(body, BODY_MAX).await;
    let bytes = bytes.map_err(|_| Problem::bad_request(format!("the body is larger than {BODY_MAX} bytes")))?;
    let body = if bytes.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&bytes).map_err(|error| Problem::bad_request(format!("the body is no JSON: {error}")))?
    };
    Ok(Request {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query,
        body,
        if_match,
        idempotency_key,
        actor,
        ..Request::default()
    })
}
