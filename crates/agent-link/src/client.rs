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

use crate::ca::{CaError, Identity, make_request};
use crate::frame::{Deframer, FrameError, encode};
use crate::identity::MANAGER_NAME;
use crate::server::{CONNECTION_WINDOW, SERVICE, STREAM_WINDOW, write};
use crate::settings::LinkSettings;
use crate::status::{Code, Status};
use crate::tls::{self, TlsError};

/// Why an agent and a manager do not speak.
#[derive(Debug, Error)]
pub enum ClientError {
    /// No connection, or none of this fabric's manager.
    #[error("no connection to the manager at {address}: {error}")]
    Connect {
        /// Where.
        address: SocketAddr,
        /// What is wrong.
        error: std::io::Error,
    },
    /// Something takes too long.
    #[error("the manager does not answer in time")]
    Late,
    /// HTTP/2.
    #[error("the connection broke: {0}")]
    Broken(#[from] h2::Error),
    /// The manager says no.
    #[error("the manager closed with {}: {}", philae_units::word(.0.code), .0.message)]
    Closed(Status),
    /// What came is no message.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The identity cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// A key cannot be made.
    #[error(transparent)]
    Key(#[from] CaError),
}

/// A connection to the manager, for one or more switches. When it is dropped its streams break.
#[derive(Debug)]
pub struct Client {
    requests: SendRequest<Bytes>,
    settings: LinkSettings,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for Client {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Client {
    /// Connects with a certificate.
    ///
    /// # Errors
    /// When there is no manager of this fabric. That the manager does not take the certificate
    /// shows with the first call.
    pub async fn connect(
        address: SocketAddr,
        identity: &Identity,
        settings: LinkSettings,
    ) -> Result<Self, ClientError> {
        Self::with(address, tls::client(&identity.roots, Some(identity))?, settings).await
    }

    /// Connects without a certificate: only [`Self::join`] can be called.
    ///
    /// # Errors
    /// When there is no manager that these roots prove.
    pub async fn anonymous(address: SocketAddr, roots: &str, settings: LinkSettings) -> Result<Self, ClientError> {
        Self::with(address, tls::client(roots, None)?, settings).await
    }

    async fn with(address: SocketAddr, config: Arc<ClientConfig>, settings: LinkSettings) -> Result<Self, ClientError> {
        let failed = |error| ClientError::Connect { address, error };
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
            handshake.await.map_err(ClientError::from)
        };
        let opened = timeout(settings.connect_time, opening).await.map_err(|_| ClientError::Late)?;
        let (requests, mut connection) = opened?;
        let pings = connection.ping_pong();
        let driver = tokio::spawn(async move {
            // Its end shows on every stream.
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

    /// Whether it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tasks[0].is_finished()
    }

    async fn call(&self, name: &str) -> Result<(h2::client::ResponseFuture, SendStream<Bytes>), ClientError> {
        let request = Request::post(format!("https://{MANAGER_NAME}{SERVICE}{name}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())
            .map_err(|error| ClientError::Closed(Status::new(Code::Internal, error.to_string())))?;
        let mut requests = self.requests.clone().ready().await?;
        Ok(requests.send_request(request, false)?)
    }

    /// Opens the stream of one switch and says the hello.
    ///
    /// # Errors
    /// When the manager refuses, with the time after which to try again where it says one.
    pub async fn attend(&self, hello: &FromAgent) -> Result<ServerStream, ClientError> {
        let opening = async {
            let (response, mut send) = self.call("Attend").await?;
            // A refusal breaks the stream before the hello is written: what the answer says tells
            // more.
            let written = write(&mut send, encode(hello)).await;
            let body = body(response.await?)?;
            written?;
            Ok(ServerStream { send, body, deframer: Deframer::new(self.settings.message_max), settings: self.settings })
        };
        timeout(self.settings.handshake_time, opening).await.map_err(|_| ClientError::Late)?
    }

    async fn ask<M: prost::Message>(&self, name: &str, message: &M) -> Result<Certificate, ClientError> {
        let asking = async {
            let (response, mut send) = self.call(name).await?;
            let written = write(&mut send, encode(message)).await;
            // The answer may be there already, and the stream closed with it.
            let _ = send.send_data(Bytes::new(), true);
            let body = body(response.await?)?;
            written?;
            let mut answer = Incoming { body, deframer: Deframer::new(64 << 10) };
            answer.next().await
        };
        timeout(self.settings.handshake_time, asking).await.map_err(|_| ClientError::Late)?
    }

    /// A first certificate for a switch, for a token.
    ///
    /// # Errors
    /// When the manager does not take the token.
    pub async fn join(&self, token: &str, name: &str) -> Result<Identity, ClientError> {
        let (key, request) = make_request()?;
        let asked = JoinRequest { token: token.to_owned(), name: name.to_owned(), request };
        let answer = self.ask("Join", &asked).await?;
        Ok(Identity { certificate: answer.certificate, key, roots: answer.roots })
    }

    /// A new certificate with a new key, in place of the one that this connection is proven with.
    ///
    /// # Errors
    /// When the manager refuses.
    pub async fn renew(&self) -> Result<Identity, ClientError> {
        let (key, request) = make_request()?;
        let answer = self.ask("Renew", &RenewRequest { request }).await?;
        Ok(Identity { certificate: answer.certificate, key, roots: answer.roots })
    }
}

fn body(response: http::Response<RecvStream>) -> Result<RecvStream, ClientError> {
    match Status::from_headers(response.headers()) {
        Some(status) => Err(ClientError::Closed(status)),
        None if response.status() == http::StatusCode::OK => Ok(response.into_body()),
        None => {
            let detail = format!("the other end answers {}: is it a manager?", response.status());
            Err(ClientError::Closed(Status::new(Code::Unavailable, detail)))
        }
    }
}

struct Incoming {
    body: RecvStream,
    deframer: Deframer,
}

impl Incoming {
    async fn next<M: prost::Message + Default>(&mut self) -> Result<M, ClientError> {
        next(&mut self.body, &mut self.deframer).await
    }
}

async fn next<M: prost::Message + Default>(body: &mut RecvStream, deframer: &mut Deframer) -> Result<M, ClientError> {
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
                let status = trailers.as_ref().and_then(Status::from_headers);
                // Closed with a reason, the stream may end within a message.
                if status.as_ref().is_none_or(|status| status.code == Code::Ok) {
                    deframer.finish()?;
                }
                let status =
                    status.unwrap_or_else(|| Status::new(Code::Unavailable, "the manager has closed the stream"));
                return Err(ClientError::Closed(status));
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
    /// The next message. May be given up and called again: nothing is lost by it.
    ///
    /// # Errors
    /// When the stream is closed, with the manager's reason.
    pub async fn next(&mut self) -> Result<ToAgent, ClientError> {
        next(&mut self.body, &mut self.deframer).await
    }

    /// Sends a message, as soon as the manager has room for it.
    ///
    /// # Errors
    /// When the stream is closed or the manager takes nothing for long.
    pub async fn send(&mut self, message: &FromAgent) -> Result<(), ClientError> {
        self.send_bytes(encode(message)).await
    }

    /// Sends bytes as they are: for tests of what a manager does with them.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn send_bytes(&mut self, bytes: Bytes) -> Result<(), ClientError> {
        let written = timeout(self.settings.write_time, write(&mut self.send, bytes)).await;
        Ok(written.map_err(|_| ClientError::Late)??)
    }

    /// Says that nothing more comes; the manager closes the stream then.
    ///
    /// # Errors
    /// When it is closed already.
    pub fn finish(&mut self) -> Result<(), ClientError> {
        Ok(self.send.send_data(Bytes::new(), true)?)
    }
}
