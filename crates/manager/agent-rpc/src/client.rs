//! An agent's end: one connection to the manager, and calls on it.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use h2::client::SendRequest;
use h2::{Ping, RecvStream, SendStream};
use http::Request;
use philae_agent::{Certificate, FromAgent, JoinRequest, RenewRequest, ToAgent};
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::ca::{CaError, CertifiedKey, make_request};
use crate::frame::{Deframer, FrameError, encode};
use crate::identity::MANAGER_NAME;
use crate::server::{CONNECTION_WINDOW, SERVICE, STREAM_WINDOW, write};
use crate::settings::LinkSettings;
use crate::status::{GrpcCode, GrpcStatus};
use crate::tls::{self, TlsError};

/// Why an agent and a manager cannot communicate.
#[derive(Debug, Error)]
pub enum AgentClientError {
    /// There is no connection, or the other end is not a manager of this fabric.
    #[error("no connection to the manager at {address}: {error}")]
    Connect {
        /// The manager's address.
        address: SocketAddr,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// A step took too long.
    #[error("the manager does not answer in time")]
    Late,
    /// An error of HTTP/2.
    #[error("the connection broke: {0}")]
    Broken(#[from] h2::Error),
    /// The manager refused, with its status.
    #[error("the manager closed with {}: {}", philae_units::word(.0.code), .0.message)]
    Closed(GrpcStatus),
    /// The bytes received are not a message.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The identity cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// A key cannot be made.
    #[error(transparent)]
    Key(#[from] CaError),
}

/// A connection to the manager, for one or more switches. Dropping it breaks its streams.
#[derive(Debug)]
pub struct AgentClient {
    requests: SendRequest<Bytes>,
    settings: LinkSettings,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for AgentClient {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl AgentClient {
    /// Connects with a certificate.
    ///
    /// # Errors
    /// When there is no manager of this fabric. If the manager does not accept the certificate, the
    /// first call fails.
    pub async fn connect(
        address: SocketAddr,
        identity: &CertifiedKey,
        settings: LinkSettings,
    ) -> Result<Self, AgentClientError> {
        Self::with(address, tls::client(&identity.roots, Some(identity))?, settings).await
    }

    /// Connects without a certificate: only [`Self::join`] can be called.
    ///
    /// # Errors
    /// When these roots verify no manager at the address.
    pub async fn anonymous(address: SocketAddr, roots: &str, settings: LinkSettings) -> Result<Self, AgentClientError> {
        Self::with(address, tls::client(roots, None)?, settings).await
    }

    async fn with(
        address: SocketAddr,
        config: Arc<ClientConfig>,
        settings: LinkSettings,
    ) -> Result<Self, AgentClientError> {
        let failed = |error| AgentClientError::Connect { address, error };
        let opening = async {
            let stream = TcpStream::connect(address).await.map_err(failed)?;
            stream.set_nodelay(true).map_err(failed)?;
            let name = ServerName::try_from(MANAGER_NAME).map_err(|error| failed(std::io::Error::other(error)))?;
            let tls = TlsConnector::from(config).connect(name, stream).await.map_err(failed)?;
            let handshake = h2::client::Builder::new()
                .initial_window_size(STREAM_WINDOW)
                .initial_connection_window_size(CONNECTION_WINDOW)
                .max_header_list_size(8 << 10)
                .enable_push(false)
                .handshake::<_, Bytes>(tls);
            handshake.await.map_err(AgentClientError::from)
        };
        let opened = timeout(settings.connect_time, opening).await.map_err(|_| AgentClientError::Late)?;
        let (requests, mut connection) = opened?;
        let pings = connection.ping_pong();
        let driver = tokio::spawn(async move {
            // The end of the connection shows on every stream.
            let _ = connection.await;
        });
        let end = driver.abort_handle();
        let alive = tokio::spawn(async move {
            let Some(mut pings) = pings else { return };
            loop {
                tokio::time::sleep(settings.keep_alive).await;
                if !matches!(timeout(settings.keep_alive_time, pings.ping(Ping::opaque())).await, Ok(Ok(_))) {
                    return end.abort();
                }
            }
        });
        Ok(Self { requests, settings, tasks: [driver, alive] })
    }

    /// Whether the connection has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tasks[0].is_finished()
    }

    async fn call(&self, name: &str) -> Result<(h2::client::ResponseFuture, SendStream<Bytes>), AgentClientError> {
        let request = Request::post(format!("https://{MANAGER_NAME}{SERVICE}{name}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())
            .map_err(|error| AgentClientError::Closed(GrpcStatus::new(GrpcCode::Internal, error.to_string())))?;
        let mut requests = self.requests.clone().ready().await?;
        Ok(requests.send_request(request, false)?)
    }

    /// Opens the stream of one switch and sends the hello.
    ///
    /// # Errors
    /// When the manager refuses; with the time after which to try again, if the manager states one.
    pub async fn attend(&self, hello: &FromAgent) -> Result<ServerStream, AgentClientError> {
        let opening = async {
            let (response, mut send) = self.call("Attend").await?;
            // A refusal breaks the stream before the hello is written. The status in the response
            // says more than the error of the write.
            let written = write(&mut send, encode(hello)).await;
            let body = body(response.await?)?;
            written?;
            Ok(ServerStream { send, body, deframer: Deframer::new(self.settings.message_max), settings: self.settings })
        };
        timeout(self.settings.handshake_time, opening).await.map_err(|_| AgentClientError::Late)?
    }

    async fn ask<M: prost::Message>(&self, name: &str, message: &M) -> Result<Certificate, AgentClientError> {
        let asking = async {
            let (response, mut send) = self.call(name).await?;
            let written = write(&mut send, encode(message)).await;
            // The response may have arrived already, and closed the stream.
            let _ = send.send_data(Bytes::new(), true);
            let body = body(response.await?)?;
            written?;
            let mut answer = Incoming { body, deframer: Deframer::new(64 << 10) };
            answer.next().await
        };
        timeout(self.settings.handshake_time, asking).await.map_err(|_| AgentClientError::Late)?
    }

    /// Gets a first certificate for a switch with a join token.
    ///
    /// # Errors
    /// When the manager does not accept the token.
    pub async fn join(&self, token: &str, name: &str) -> Result<CertifiedKey, AgentClientError> {
        let (key, request) = make_request()?;
        let asked = JoinRequest { token: token.to_owned(), name: name.to_owned(), request };
        let answer = self.ask("Join", &asked).await?;
        Ok(CertifiedKey { certificate: answer.certificate, key, roots: answer.roots })
    }

    /// Gets a new certificate with a new key, which replaces the one of this connection.
    ///
    /// # Errors
    /// When the manager refuses.
    pub async fn renew(&self) -> Result<CertifiedKey, AgentClientError> {
        let (key, request) = make_request()?;
        let answer = self.ask("Renew", &RenewRequest { request }).await?;
        Ok(CertifiedKey { certificate: answer.certificate, key, roots: answer.roots })
    }
}

fn body(response: http::Response<RecvStream>) -> Result<RecvStream, AgentClientError> {
    match GrpcStatus::from_headers(response.headers()) {
        Some(status) => Err(AgentClientError::Closed(status)),
        None if response.status() == http::StatusCode::OK => Ok(response.into_body()),
        None => {
            let detail = format!("the other end answers {}; it may not be a manager", response.status());
            Err(AgentClientError::Closed(GrpcStatus::new(GrpcCode::Unavailable, detail)))
        }
    }
}

struct Incoming {
    body: RecvStream,
    deframer: Deframer,
}

impl Incoming {
    async fn next<M: prost::Message + Default>(&mut self) -> Result<M, AgentClientError> {
        next(&mut self.body, &mut self.deframer).await
    }
}

async fn next<M: prost::Message + Default>(
    body: &mut RecvStream,
    deframer: &mut Deframer,
) -> Result<M, AgentClientError> {
    loop {
        if let Some(message) = deframer.take()? {
            return Ok(message);
        }
        match body.data().await {
            Some(bytes) => {
                let bytes = bytes?;
                deframer.push(&bytes);
                body.flow_control().release_capacity(bytes.len())?;
            }
            None => {
                let trailers = body.trailers().await?;
                let status = trailers.as_ref().and_then(GrpcStatus::from_headers);
                // A stream that the manager closes with a reason may end within a message.
                if status.as_ref().is_none_or(|status| status.code == GrpcCode::Ok) {
                    deframer.finish()?;
                }
                let status = status
                    .unwrap_or_else(|| GrpcStatus::new(GrpcCode::Unavailable, "the manager has closed the stream"));
                return Err(AgentClientError::Closed(status));
            }
        }
    }
}

/// The stream of one switch.
#[derive(Debug)]
pub struct ServerStream {
    send: SendStream<Bytes>,
    body: RecvStream,
    deframer: Deframer,
    settings: LinkSettings,
}

impl ServerStream {
    /// The next message. Cancel safe: a call that is dropped and repeated loses nothing.
    ///
    /// # Errors
    /// When the stream is closed, with the manager's reason.
    pub async fn next(&mut self) -> Result<ToAgent, AgentClientError> {
        next(&mut self.body, &mut self.deframer).await
    }

    /// Sends a message as soon as the manager has room for it.
    ///
    /// # Errors
    /// When the stream is closed, or the manager reads nothing for `write_time`.
    pub async fn send(&mut self, message: &FromAgent) -> Result<(), AgentClientError> {
        self.send_bytes(encode(message)).await
    }

    /// Sends bytes unchanged, for tests of the manager's error handling.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn send_bytes(&mut self, bytes: Bytes) -> Result<(), AgentClientError> {
        let written = timeout(self.settings.write_time, write(&mut self.send, bytes)).await;
        Ok(written.map_err(|_| AgentClientError::Late)??)
    }

    /// Ends the agent's half of the stream; the manager then closes the stream.
    ///
    /// # Errors
    /// When it is closed already.
    pub fn finish(&mut self) -> Result<(), AgentClientError> {
        Ok(self.send.send_data(Bytes::new(), true)?)
    }
}
