//! The service: one thread that judges, and an HTTP server that asks it.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request as HttpRequest, Response};

use crate::http;
use crate::judge::{self, Ask};
use crate::manager::Manager;

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
        let ask = judge::start(manager).map_err(ServeError::Threads)?;
        ready(listener.local_addr().map_err(listen)?);
        let router = Router::new().fallback(handle).with_state(ask);
        let stop = async {
            // Where signals cannot be had, the process ends by them without farewell.
            let _ = tokio::signal::ctrl_c().await;
        };
        axum::serve(listener, router).with_graceful_shutdown(stop).await.map_err(listen)
    })
}

async fn handle(State(ask): State<Ask>, request: HttpRequest<Body>) -> Response<Body> {
    let (head, request) = http::read(request).await;
    http::answer(&ask, request, head).await
}
