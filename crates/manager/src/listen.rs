//! Where the API is listened for: on this machine as it is, elsewhere over TLS.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use philae_agent_link::{Authority, CaError, Role, TlsError, common_name, tls_service, unix_seconds};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

use crate::places::{Limits, Place, Places};

/// Time for a handshake.
///
/// Source: ours. Status: assumed.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How often it is looked which connections have waited too long.
///
/// Source: ours. Status: assumed.
const SWEEP: Duration = Duration::from_secs(1);

/// How often it is looked whether a certificate is to be replaced.
///
/// Source: ours. Status: assumed.
const LOOK: Duration = Duration::from_secs(60);

/// How the API is proven to those who call it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// Not at all: on this machine only.
    #[default]
    Off,
    /// By the fabric's own authority, for these hosts.
    Own(Vec<String>),
    /// By a certificate and its key, in files.
    Files {
        /// The certificate and those above it.
        certificate: PathBuf,
        /// Its key.
        key: PathBuf,
    },
}

/// Why the API has no certificate.
#[derive(Debug, thiserror::Error)]
pub enum TlsFailure {
    /// The authority.
    #[error(transparent)]
    Authority(#[from] CaError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Unusable(#[from] TlsError),
    /// A file.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no authority: nothing is kept.
    #[error("without a state directory there is no authority that could prove the API; --state DIRECTORY would work")]
    NoAuthority,
    /// Certificates of clients are shown over TLS alone.
    #[error(
        "--client-ca asks clients for certificates, which they show over TLS alone: --tls, or --tls-certificate FILE and --tls-key FILE, would work"
    )]
    ClientsWithoutTls,
}

/// The certificate of now.
#[derive(Debug)]
pub(crate) struct Proof {
    tls: Tls,
    /// Those whose certificates prove clients, PEM.
    clients: Option<PathBuf>,
    authority: Option<Arc<Authority>>,
    config: RwLock<(Arc<ServerConfig>, u64)>,
    /// Life that was left when it was taken up, seconds.
    life: u64,
}

fn read(path: &Path) -> Result<String, TlsFailure> {
    std::fs::read_to_string(path).map_err(|error| TlsFailure::File { path: path.to_owned(), error })
}

impl Proof {
    /// Makes or reads the certificate; nothing where there is no TLS.
    pub(crate) fn new(
        tls: Tls,
        clients: Option<PathBuf>,
        authority: Option<Arc<Authority>>,
    ) -> Result<Option<Arc<Self>>, TlsFailure> {
        let Some(first) = made(&tls, clients.as_deref(), authority.as_ref())? else {
            return if clients.is_some() { Err(TlsFailure::ClientsWithoutTls) } else { Ok(None) };
        };
        // A file is to be replaced by somebody, who wants to know in time; our own is replaced by itself at two thirds.
        let life = match tls {
            Tls::Files { .. } => u64::MAX,
            _ => first.1.saturating_sub(unix_seconds()),
        };
        Ok(Some(Arc::new(Self { tls, clients, authority, config: RwLock::new(first), life })))
    }

    /// The file that it is read from, where it is not the fabric's own.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.tls {
            Tls::Files { certificate, .. } => Some(certificate),
            _ => None,
        }
    }

    /// How long a certificate lives; as good as for ever where somebody else makes it.
    pub(crate) const fn life(&self) -> u64 {
        self.life
    }

    fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// When the certificate ends, seconds since 1970, where that is known.
    pub(crate) fn not_after(&self) -> u64 {
        self.config.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// A new certificate, for connections from now on.
    pub(crate) fn renew(&self) -> Result<(), TlsFailure> {
        if let Some(new) = made(&self.tls, self.clients.as_deref(), self.authority.as_ref())? {
            *self.config.write().unwrap_or_else(PoisonError::into_inner) = new;
        }
        Ok(())
    }

    /// When the files were written last.
    fn written(&self) -> Option<SystemTime> {
        let at = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let clients = self.clients.as_deref().and_then(at);
        match &self.tls {
            Tls::Files { certificate, key } => at(certificate).max(at(key)).max(clients),
            _ => clients,
        }
    }

    /// Replaces the certificate at two thirds of its life, or when its files are new.
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
        philae_agent_link::renewal_at(unix_seconds(), self.not_after())
    }
}

/// The certificate, and when it ends.
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
    let end = philae_agent_link::end_of(&certificate).unwrap_or(u64::MAX);
    let clients = clients.map(read).transpose()?;
    Ok(Some((tls_service(&certificate, &key, clients.as_deref(), &["http/1.1"])?, end)))
}

/// A connection to a client.
#[derive(Debug)]
pub(crate) struct Line {
    stream: Stream,
    place: Arc<Place>,
    /// Tells that the place is another's now.
    ended: Option<oneshot::Receiver<()>>,
    stuck: bool,
    certificate: Option<Arc<str>>,
}

#[derive(Debug)]
enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Who is at the other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Where it is.
    pub(crate) address: SocketAddr,
    /// The name that its certificate proves, where it has one.
    pub(crate) certificate: Option<Arc<str>>,
    /// The place of the connection.
    pub(crate) place: Arc<Place>,
}

impl Connected<IncomingStream<'_, ApiListener>> for Client {
    fn connect_info(stream: IncomingStream<'_, ApiListener>) -> Self {
        let line = stream.io();
        Self { address: *stream.remote_addr(), certificate: line.certificate.clone(), place: Arc::clone(&line.place) }
    }
}

/// Accepts connections, and proves the manager to those that come over TLS; a slow handshake holds up nobody else.
#[derive(Debug)]
pub(crate) struct ApiListener {
    address: SocketAddr,
    ready: mpsc::Receiver<(Line, SocketAddr)>,
}

impl ApiListener {
    /// Begins to accept.
    pub(crate) async fn bind(address: SocketAddr, proof: Option<Arc<Proof>>, limits: Limits) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        let (sender, ready) = mpsc::channel(64);
        let places = Places::new(limits);
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
    proof: Option<Arc<Proof>>,
    places: Arc<Places>,
    ready: mpsc::Sender<(Line, SocketAddr)>,
) {
    loop {
        let Ok((stream, from)) = socket.accept().await else {
            // No descriptors left: some connection must end first.
            places.give_way();
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        // All places are being answered, those that are kept among them: it is closed again.
        let Some((place, mut ended)) = places.enter(from.ip()) else { continue };
        // Small answers go at once; where that cannot be had they go a little later.
        let _ = stream.set_nodelay(true);
        let line = |stream, ended, certificate| Line { stream, place, ended: Some(ended), stuck: false, certificate };
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
                // Nobody takes it when the service ends.
                let _ = ready.send((line, from)).await;
            }
        });
    }
}

impl Listener for ApiListener {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(ready) => ready,
            // Nothing is accepted any more: the service ends.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}

impl Line {
    /// Whether the place is still this connection's; when it is not, whoever reads or writes is
    /// woken.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let Some(ended) = &mut self.ended else { return Err(io::ErrorKind::TimedOut.into()) };
        if Pin::new(ended).poll(context).is_ready() {
            self.ended = None;
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Takes down whether the client takes what is sent.
    fn sent<T>(&mut self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_pending() != self.stuck {
            self.stuck = polled.is_pending();
            self.place.stuck(self.stuck);
        }
        polled
    }
}

impl AsyncRead for Line {
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

impl AsyncWrite for Line {
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
