//! The service: one thread that judges, and an HTTP server that asks it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::http::{Request as HttpRequest, Response, header};
use philae_agent_link::unix_seconds;

use crate::guard::{Guard, Rates, Refusal};
use crate::http::{self, Head};
use crate::judge::{self, Ask};
use crate::listen::{ApiListener, CallerAddress, Proof, Tls, TlsFailure};
use crate::log;
use crate::manager::Manager;
use crate::measured::Measured;
use crate::problem::{Code, Problem};

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

/// What a request needs on its way to the judgement.
#[derive(Clone)]
struct Door {
    ask: Ask,
    guard: Arc<Guard>,
    /// Requests are numbered, from a start that differs from run to run.
    number: Arc<AtomicU64>,
    measured: Arc<Measured>,
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
    let measured = Arc::clone(&manager.measured);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(ServeError::Threads)?;
    runtime.block_on(async {
        let listen = |error| ServeError::Listen { address, error };
        let listener = ApiListener::bind(address, proof).await.map_err(listen)?;
        let ask = judge::start(manager).map_err(ServeError::Threads)?;
        ready(axum::serve::Listener::local_addr(&listener).map_err(listen)?);
        let door = Door { ask, guard, number: Arc::new(AtomicU64::new(unix_seconds() << 24)), measured };
        let router = Router::new().fallback(handle).with_state(door);
        let service = router.into_make_service_with_connect_info::<CallerAddress>();
        let stop = async {
            // Where signals cannot be had, the process ends by them without farewell.
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, service).with_graceful_shutdown(stop).await.map_err(listen)
    })
}

async fn handle(
    State(door): State<Door>,
    ConnectInfo(from): ConnectInfo<CallerAddress>,
    request: HttpRequest<Body>,
) -> Response<Body> {
    let began = Instant::now();
    let id = format!("{:016x}", door.number.fetch_add(1, Ordering::Relaxed));
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    let header = request.headers().get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or(""));
    let (id, actor, response) = match door.guard.admit(header, from.0.ip(), unix_seconds()) {
        Ok(actor) => {
            let name = actor.name().to_owned();
            let (head, request) = http::read(request, id).await;
            let request = request.map(|request| crate::api::Request { actor, ..request });
            (head.request_id.clone(), name, http::answer(&door.ask, request, head).await)
        }
        Err(refusal) => {
            let head = Head::of(&request, id.clone());
            (id, "nobody".to_owned(), refused(&refusal, &head))
        }
    };
    let status = response.status().as_u16();
    door.measured.request(crate::api::template(&method, &path), status, began.elapsed());
    log::request(&id, &actor, &method, &path, status, began.elapsed().as_micros() as u64);
    response
}

fn refused(refusal: &Refusal, head: &Head) -> Response<Body> {
    match refusal {
        Refusal::WrongToken => {
            let detail = "the token is none that counts: it was mistyped, revoked or has ended; philae fabric tokens make gives another";
            http::refuse(&Problem::new(Code::WrongToken, detail), 0, head)
        }
        Refusal::TooMany(seconds) => {
            let detail = format!("too many requests; again in {seconds} s");
            let mut response = http::refuse(&Problem::new(Code::TooMany, detail), 0, head);
            response.headers_mut().insert(header::RETRY_AFTER, (*seconds).into());
            response
        }
    }
}
