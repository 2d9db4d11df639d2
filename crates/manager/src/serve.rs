//! The service: one thread that judges, and an HTTP server that asks it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{Request as HttpRequest, Response, StatusCode, header};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::api::{self, Reply, Request};
use crate::compat;
use crate::manager::Manager;
use crate::problem::Problem;

/// The largest body that is read, bytes.
const BODY_MAX: usize = 16 << 20;

/// Why the service cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not this machine's alone.
    #[error("{0} can be reached from elsewhere, and there are no roles and tokens yet: 127.0.0.1:8000 would work")]
    NotLoopback(SocketAddr),
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

type Answer = Result<Reply, Problem>;
type Question = (Request, oneshot::Sender<Answer>);

/// Serves until the process is told to end.
///
/// # Errors
/// When the address is not a loopback one, or cannot be listened on.
pub fn serve(manager: Manager, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::NotLoopback(address));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(ServeError::Threads)?;
    runtime.block_on(async {
        let listen = |error| ServeError::Listen { address, error };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(listen)?;
        let (ask, questions) = mpsc::channel();
        std::thread::Builder::new()
            .name("judge".to_owned())
            .spawn(move || judge(manager, &questions))
            .map_err(ServeError::Threads)?;
        ready(listener.local_addr().map_err(listen)?);
        let router = Router::new().fallback(handle).with_state(ask);
        let stop = async {
            // Where signals cannot be had, the process ends by them without farewell.
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router).with_graceful_shutdown(stop).await.map_err(listen)
    })
}

/// Judges, and answers questions in between.
fn judge(mut manager: Manager, questions: &mpsc::Receiver<Question>) {
    loop {
        let next_ms = manager.run();
        let wait_ms = next_ms.map_or(IDLE_MS, |at| at.saturating_sub(manager.plant.now_ms()).min(IDLE_MS));
        match questions.recv_timeout(Duration::from_millis(wait_ms)) {
            Ok((request, reply)) => {
                // Whoever asked may be gone.
                let _ = reply.send(api::answer(&mut manager, request));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The longest time without looking whether anything is due, milliseconds.
///
/// Source: ours. Status: assumed.
const IDLE_MS: u64 = 1_000;

fn gone() -> Problem {
    Problem {
        status: 503,
        code: "manager.stopping",
        title: "Stopping",
        detail: "the manager stops".to_owned(),
        problems: Vec::new(),
    }
}

async fn handle(State(ask): State<mpsc::Sender<Question>>, request: HttpRequest<Body>) -> Response<Body> {
    let compatible = compat::is_path(request.uri().path());
    let answer = match question(request).await {
        Ok(question) => {
            let (reply, answer) = oneshot::channel();
            match ask.send((question, reply)) {
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
    let response = Response::builder().status(status).header(header::CONTENT_TYPE, kind).body(Body::from(body));
    response.expect("a response of legal parts")
}

async fn question(request: HttpRequest<Body>) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (if_match, idempotency_key) = (header("if-match"), header("idempotency-key"));
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
        captures: BTreeMap::new(),
    })
}
