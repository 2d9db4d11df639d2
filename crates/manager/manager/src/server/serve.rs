//! The service: a thread with the event loop, and an HTTP server that sends it requests.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderValue, Request as HttpRequest, Response, Version, header};
use philae_agent_rpc::unix_seconds;

use crate::access::{Actor, unknown};
use crate::login::is_for_browsers;
use crate::manager::Manager;
use crate::measured::ThreadCounters;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::server::connection_slots::{ConnectionUse, Limits};
use crate::server::credential::RequestCredentials;
use crate::server::event_loop::Ask;
use crate::server::guard::{Guard, RateLimits, RequestRefusal};
use crate::server::http::Head;
use crate::server::listen::{ApiListener, ClientConnection, ServerCertificate, Tls, TlsFailure};
use crate::server::{event_loop, http};
use crate::{log, routing};

/// Why the service cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Other machines can reach the address.
    #[error(
        "{0} can be reached from elsewhere, where tokens must not be sent in clear text: --tls, or --tls-certificate FILE and --tls-key FILE, or 127.0.0.1:8000 would work"
    )]
    NeedsTls(SocketAddr),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsFailure),
    /// The manager cannot listen at the address.
    #[error("cannot listen on {address}: {error}; another address would work: --listen HOST:PORT")]
    Listen {
        address: SocketAddr,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// The runtime cannot begin.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
}

/// The address of the API and its limits.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    pub address: SocketAddr,
    /// The certificate.
    pub tls: Tls,
    /// Rate limits.
    pub rates: RateLimits,
    /// The limits of connections and of their silence.
    pub limits: Limits,
    /// A file with the roots that verify clients, PEM.
    pub client_roots: Option<PathBuf>,
}

/// What handlers need before a request reaches the event loop.
#[derive(Clone)]
struct Door {
    ask: Ask,
    guard: Arc<Guard>,
    /// Requests are numbered, from a start that differs from run to run.
    number: Arc<AtomicU64>,
    measured: Arc<ThreadCounters>,
}

/// Serves until the process gets a signal to end.
///
/// # Errors
/// When the address needs TLS and has none, there is no certificate, or the manager cannot listen.
pub fn serve(mut manager: Manager, options: ServeOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let ServeOptions { address, tls, rates, limits, client_roots } = options;
    if !address.ip().is_loopback() && tls == Tls::Off {
        return Err(ServeError::NeedsTls(address));
    }
    manager.security.proof = ServerCertificate::new(tls, client_roots, manager.security.authority.clone())?;
    let proof = manager.security.proof.clone();
    let guard = Arc::new(Guard::new(rates));
    guard.refresh(manager.documents.set());
    manager.security.guard = Arc::clone(&guard);
    let measured = Arc::clone(&manager.process.measured);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(ServeError::Threads)?;
    runtime.block_on(async {
        let listen = |error| ServeError::Listen { address, error };
        let listener = ApiListener::bind(address, proof, limits).await.map_err(listen)?;
        let ask = event_loop::start(manager).map_err(ServeError::Threads)?;
        ready(axum::serve::Listener::local_addr(&listener).map_err(listen)?);
        let door = Door { ask, guard, number: Arc::new(AtomicU64::new(unix_seconds() << 24)), measured };
        let router = Router::new().fallback(handle).with_state(door);
        let service = router.into_make_service_with_connect_info::<ClientConnection>();
        let stop = async {
            // Without handlers, signals end the process immediately.
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, service).with_graceful_shutdown(stop).await.map_err(listen)
    })
}

async fn handle(
    State(door): State<Door>,
    ConnectInfo(from): ConnectInfo<ClientConnection>,
    request: HttpRequest<Body>,
) -> Response<Body> {
    let began = Instant::now();
    if request.uri().path() == "/livez" && request.method() == axum::http::Method::GET && host_fault(&request).is_none()
    {
        // This needs no event loop, which may be busy with its first tables.
        return Response::new(Body::from("ok\n"));
    }
    let answering = Arc::clone(&from.place).answer();
    let id = format!("{:016x}", door.number.fetch_add(1, Ordering::Relaxed));
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    let (id, actor, response) = match admitted(&door, &from, &request) {
        Ok(actor) => {
            let name = actor.name().to_owned();
            let (head, request) = http::read(request, id, from.place.limits().body).await;
            let from = Some(from.address.ip());
            let request = request.map(|request| crate::protocol::request::ApiRequest { actor, from, ..request });
            (head.request_id.clone(), name, http::answer(&door.ask, request, head).await)
        }
        Err((actor, refusal)) => {
            let head = Head::of(&request, id.clone());
            let mut response = refused(refusal, &head);
            if !http::passed_over(request).await {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            (id, actor, response)
        }
    };
    let status = response.status().as_u16();
    door.measured.request(routing::template(&method, &path), status, began.elapsed());
    log::request(&id, &actor, &method, &path, status, began.elapsed().as_micros() as u64);
    http::held(response, answering)
}

/// Why a request is refused before its body is read.
enum Refused {
    Guard(RequestRefusal),
    Problem(ApiProblem),
}

/// What is wrong with the header Host. RFC 9112: a request must have it exactly once.
fn host_fault(request: &HttpRequest<Body>) -> Option<String> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    let is_fault = request.version() == Version::HTTP_11 && hosts != 1;
    is_fault.then(|| format!("HTTP/1.1 has the header Host once, and here it is {hosts} times"))
}

/// The actor of a request; or the name for the log, and why the request is not read.
fn admitted(door: &Door, from: &ClientConnection, request: &HttpRequest<Body>) -> Result<Actor, (String, Refused)> {
    let (method, path) = (request.method().as_str(), request.uri().path());
    let nobody = |refused| ("nobody".to_owned(), refused);
    let is_probe = matches!(path, "/livez" | "/readyz");
    if from.place.class() == ConnectionUse::Probe && !is_probe {
        let detail = "too many requests at the same time; the same request would work in a second (/livez and /readyz always answer)";
        return Err(nobody(Refused::Problem(ApiProblem::new(ProblemCode::Busy, detail))));
    }
    if let Some(detail) = host_fault(request) {
        return Err(nobody(Refused::Problem(ApiProblem::bad_request(detail))));
    }
    let header = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or(""));
    let credentials = RequestCredentials {
        authorization: header(header::AUTHORIZATION),
        cookie: header(header::COOKIE),
        certificate: from.certificate.as_deref(),
    };
    let address = from.address.ip();
    let actor = door.guard.admit(&credentials, address, door.guard.now());
    let actor = actor.map_err(|refusal| nobody(Refused::Guard(refusal)))?;
    // The body of a refused caller is not read.
    let here = address.to_canonical().is_loopback();
    if actor.is_nobody() && !routing::is_open(method, path, here) {
        return Err(nobody(Refused::Problem(unknown())));
    }
    if actor.shows_cookie() && !is_for_browsers(method, path) {
        let detail = "a browser's cookie may only read: another site can make a browser send it; Authorization: Bearer TOKEN would work";
        return Err((actor.name().to_owned(), Refused::Problem(ApiProblem::new(ProblemCode::Forbidden, detail))));
    }
    Ok(actor)
}

fn refused(refused: Refused, head: &Head) -> Response<Body> {
    match refused {
        Refused::Problem(problem) => http::refuse(&problem, 0, head),
        Refused::Guard(RequestRefusal::WrongToken) => {
            let detail = "the token is not valid: it was mistyped, revoked or has ended; philae fabric tokens make makes a new one";
            http::refuse(&ApiProblem::new(ProblemCode::WrongToken, detail), 0, head)
        }
        Refused::Guard(RequestRefusal::TooMany(seconds)) => {
            let detail = format!("too many requests; a request in {seconds} s would work");
            let mut response = http::refuse(&ApiProblem::new(ProblemCode::TooMany, detail), 0, head);
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            response
        }
    }
}
