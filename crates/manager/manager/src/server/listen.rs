//! Listening for the API: on this machine with or without TLS, elsewhere with TLS only.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use philae_agent_rpc::{Authority, CaError, Role, TlsError, common_name, tls_service, unix_seconds};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

use crate::server::connection_slots::{ConnectionSlot, ConnectionSlots, Limits};

/// Time limit for a handshake.
///
/// Source: ours. Status: assumed.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Interval between checks for connections that have been idle too long.
///
/// Source: ours. Status: assumed.
const SWEEP: Duration = Duration::from_secs(1);

/// Interval between checks whether a certificate must be replaced.
///
/// Source: ours. Status: assumed.
const LOOK: Duration = Duration::from_secs(60);

/// The manager's certificate for clients of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// None: on this machine only.
    #[default]
    Off,
    /// One of the fabric's own authority, for these hosts.
    Own(Vec<String>),
    /// A certificate and its key, in files.
    Files {
        /// The certificate and its chain.
        certificate: PathBuf,
        key: PathBuf,
    },
}

/// Why the API has no certificate.
#[derive(Debug, thiserror::Error)]
pub enum TlsFailure {
    /// The authority failed.
    #[error(transparent)]
    Authority(#[from] CaError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Unusable(#[from] TlsError),
    /// A file cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },
    /// There is no authority, because there is no state directory.
    #[error("without a state directory there is no authority that could prove the API; --state DIRECTORY would work")]
    NoAuthority,
    /// Clients can show certificates over TLS only.
    #[error(
        "--client-ca asks clients for certificates, which need TLS: --tls, or --tls-certificate FILE and --tls-key FILE, would work"
    )]
    ClientsWithoutTls,
}

/// The present certificate.
#[derive(Debug)]
pub(crate) struct ServerCertificate {
    tls: Tls,
    /// The roots that verify clients' certificates, PEM.
    clients: Option<PathBuf>,
    authority: Option<Arc<Authority>>,
    config: RwLock<(Arc<ServerConfig>, u64)>,
    /// Remaining life when it was loaded, seconds.
    life: u64,
}

fn read(path: &Path) -> Result<String, TlsFailure> {
    std::fs::read_to_string(path).map_err(|error| TlsFailure::File { path: path.to_owned(), error })
}

impl ServerCertificate {
    /// Makes or reads the certificate; `None` without TLS.
    pub(crate) fn new(
        tls: Tls,
        clients: Option<PathBuf>,
        authority: Option<Arc<Authority>>,
    ) -> Result<Option<Arc<Self>>, TlsFailure> {
        let Some(first) = made(&tls, clients.as_deref(), authority.as_ref())? else {
            return if clients.is_some() { Err(TlsFailure::ClientsWithoutTls) } else { Ok(None) };
        };
        // An operator replaces the file of a certificate and needs a warning in time; our own is
        // renewed after two thirds of its life.
        let life = match tls {
            Tls::Files { .. } => u64::MAX,
            _ => first.1.saturating_sub(unix_seconds()),
        };
        Ok(Some(Arc::new(Self { tls, clients, authority, config: RwLock::new(first), life })))
    }

    /// The file of the certificate, if it is not the fabric's own.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.tls {
            Tls::Files { certificate, .. } => Some(certificate),
            _ => None,
        }
    }

    /// The life of a certificate; practically unlimited if it comes from a file.
    pub(crate) const fn life(&self) -> u64 {
        self.life
    }

    fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Expiry of the certificate, seconds since 1970, if known.
    pub(crate) fn not_after(&self) -> u64 {
        self.config.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Takes a new certificate for new connections.
    pub(crate) fn renew(&self) -> Result<(), TlsFailure> {
        if let Some(new) = made(&self.tls, self.clients.as_deref(), self.authority.as_ref())? {
            *self.config.write().unwrap_or_else(PoisonError::into_inner) = new;
        }
        Ok(())
    }

    /// When the files were last written.
    fn written(&self) -> Option<SystemTime> {
        let at = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let clients = self.clients.as_deref().and_then(at);
        match &self.tls {
            Tls::Files { certificate, key } => at(certificate).max(at(key)).max(clients),
            _ => clients,
        }
    }

    /// Replaces the certificate after two thirds of its life, or when its files are new.
    async fn keep(&self) {
        let mut written = self.written();
        let mut renew_at = self.renewal();
        loop {
            tokio::time::sleep(LOOK).await;
            let is_new = self.written() != written;
            let is_due = matches!(self.tls, Tls::Own(_)) && unix_seconds() >= renew_at;
            if (is_new || is_due) && self.renew().is_ok() {
                written = self.written();
                renew_at = self.renewal();
            }
        }
    }

    fn renewal(&self) -> u64 {
        philae_agent_rpc::renewal_at(unix_seconds(), self.not_after())
    }
}

/// Makes or reads the certificate; returns its expiry too.
fn made(
    tls: &Tls,
    clients: Option<&Path>,
    authority: Option<&Arc<Authority>>,
) -> Result<Option<(Arc<ServerConfig>, u64)>, TlsFailure> {
    let (certificate, key) = match tls {
        Tls::Off => return Ok(None),
        Tls::Own(hosts) => {
            let authority = authority.ok_or(TlsFailure::NoAuthority)?;
            let identity = authority.issue(&Role::Service(hosts.clone()), unix_seconds())?;
            (identity.certificate, identity.key)
        }
        Tls::Files { certificate, key } => (read(certificate)?, read(key)?),
    };
    let end = philae_agent_rpc::end_of(&certificate).unwrap_or(u64::MAX);
    let clients = clients.map(read).transpose()?;
    Ok(Some((tls_service(&certificate, &key, clients.as_deref(), &["http/1.1"])?, end)))
}

/// A connection to a client.
#[derive(Debug)]
pub(crate) struct ClientStream {
    stream: Stream,
    place: Arc<ConnectionSlot>,
    /// Receives the order to end, when another connection gets the place.
    ended: Option<oneshot::Receiver<()>>,
    stuck: bool,
    certificate: Option<Arc<str>>,
}

#[derive(Debug)]
enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct ClientConnection {
    pub(crate) address: SocketAddr,
    /// The name in its verified certificate, if it has one.
    pub(crate) certificate: Option<Arc<str>>,
    /// The place of the connection.
    pub(crate) place: Arc<ConnectionSlot>,
}

impl Connected<IncomingStream<'_, ApiListener>> for ClientConnection {
    fn connect_info(stream: IncomingStream<'_, ApiListener>) -> Self {
        let line = stream.io();
        Self { address: *stream.remote_addr(), certificate: line.certificate.clone(), place: Arc::clone(&line.place) }
    }
}

/// Accepts connections, and runs the TLS handshakes; a slow handshake blocks no other connection.
#[derive(Debug)]
pub(crate) struct ApiListener {
    address: SocketAddr,
    ready: mpsc::Receiver<(ClientStream, SocketAddr)>,
}

impl ApiListener {
    /// Begins to accept connections.
    pub(crate) async fn bind(
        address: SocketAddr,
        proof: Option<Arc<ServerCertificate>>,
        limits: Limits,
    ) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        let (sender, ready) = mpsc::channel(64);
        let places = ConnectionSlots::new(limits);
        tokio::spawn(accept(socket, proof.clone(), Arc::clone(&places), sender));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                places.sweep(Instant::now());
            }
        });
        if let Some(proof) = proof {
            tokio::spawn(async move { proof.keep().await });
        }
        Ok(Self { address, ready })
    }
}

async fn accept(
    socket: TcpListener,
    proof: Option<Arc<ServerCertificate>>,
    places: Arc<ConnectionSlots>,
    ready: mpsc::Sender<(ClientStream, SocketAddr)>,
) {
    loop {
        let Ok((stream, from)) = socket.accept().await else {
            // There are no file descriptors left: a connection must end first.
            places.give_way();
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        // All places are busy, the reserved ones among them, so the connection is closed again.
        let Some((place, mut ended)) = places.enter(from.ip()) else { continue };
        // Small answers are sent without delay; if this fails, they are a little later.
        let _ = stream.set_nodelay(true);
        let line =
            |stream, ended, certificate| ClientStream { stream, place, ended: Some(ended), stuck: false, certificate };
        let Some(proof) = &proof else {
            if ready.send((line(Stream::Plain(stream), ended, None), from)).await.is_err() {
                return;
            }
            continue;
        };
        let (config, ready) = (proof.config(), ready.clone());
        tokio::spawn(async move {
            let accepted = tokio::select! {
                accepted = tokio::time::timeout(HANDSHAKE, TlsAcceptor::from(config).accept(stream)) => accepted,
                _ = &mut ended => return,
            };
            if let Ok(Ok(stream)) = accepted {
                let shown = stream.get_ref().1.peer_certificates().and_then(|chain| common_name(chain.first()?));
                let line = line(Stream::Tls(Box::new(stream)), ended, shown.map(Arc::from));
                // The receiver is gone when the service ends.
                let _ = ready.send((line, from)).await;
            }
        });
    }
}

impl Listener for ApiListener {
    type Io = ClientStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(ready) => ready,
            // No connection is accepted any more: the service ends.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}

impl ClientStream {
    /// Whether the place still belongs to this connection; if not, its reader or writer is woken.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let Some(ended) = &mut self.ended else { return Err(io::ErrorKind::TimedOut.into()) };
        if Pin::new(ended).poll(context).is_ready() {
            self.ended = None;
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Notes whether the client reads what is sent.
    fn sent<T>(&mut self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_pending() != self.stuck {
            self.stuck = polled.is_pending();
            self.place.stuck(self.stuck);
        }
        polled
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        let before = into.filled().len();
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, into),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, into),
        };
        if into.filled().len() > before {
            self.place.heard();
        }
        polled
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        self.sent(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        let polled = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        };
        self.sent(polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
