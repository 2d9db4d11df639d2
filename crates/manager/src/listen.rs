//! Where the API is listened for: on this machine as it is, elsewhere over TLS.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use philae_agent_link::{Authority, CaError, Role, TlsError, tls_service, unix_seconds};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

/// Connections at once; others wait.
///
/// Source: ours. Status: assumed.
const CONNECTIONS: usize = 4_096;

/// Time for a handshake.
///
/// Source: ours. Status: assumed.
const HANDSHAKE: Duration = Duration::from_secs(10);

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
}

/// The certificate of now.
#[derive(Debug)]
pub(crate) struct Proof {
    tls: Tls,
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
    pub(crate) fn new(tls: Tls, authority: Option<Arc<Authority>>) -> Result<Option<Arc<Self>>, TlsFailure> {
        let Some(first) = made(&tls, authority.as_ref())? else { return Ok(None) };
        // A file is to be replaced by somebody, who wants to know in time; our own is replaced by itself at two thirds.
        let life = match tls {
            Tls::Files { .. } => u64::MAX,
            _ => first.1.saturating_sub(unix_seconds()),
        };
        Ok(Some(Arc::new(Self { tls, authority, config: RwLock::new(first), life })))
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
        if let Some(new) = made(&self.tls, self.authority.as_ref())? {
            *self.config.write().unwrap_or_else(PoisonError::into_inner) = new;
        }
        Ok(())
    }

    /// When the files were written last.
    fn written(&self) -> Option<SystemTime> {
        let Tls::Files { certificate, key } = &self.tls else { return None };
        let at = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        at(certificate).max(at(key))
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
fn made(tls: &Tls, authority: Option<&Arc<Authority>>) -> Result<Option<(Arc<ServerConfig>, u64)>, TlsFailure> {
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
    Ok(Some((tls_service(&certificate, &key, &["http/1.1"])?, end)))
}

/// A connection to a client.
#[derive(Debug)]
pub(crate) struct Line {
    stream: Stream,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Where a client is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallerAddress(pub SocketAddr);

impl Connected<IncomingStream<'_, ApiListener>> for CallerAddress {
    fn connect_info(stream: IncomingStream<'_, ApiListener>) -> Self {
        Self(*stream.remote_addr())
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
    pub(crate) async fn bind(address: SocketAddr, proof: Option<Arc<Proof>>) -> io::Result<Self> {
        let socket = TcpListener::bind(address).await?;
        let address = socket.local_addr()?;
        let (sender, ready) = mpsc::channel(64);
        tokio::spawn(accept(socket, proof.clone(), sender));
        if let Some(proof) = proof {
            tokio::spawn(async move { proof.keep().await });
        }
        Ok(Self { address, ready })
    }
}

async fn accept(socket: TcpListener, proof: Option<Arc<Proof>>, ready: mpsc::Sender<(Line, SocketAddr)>) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let Ok((stream, from)) = socket.accept().await else {
            // No descriptors left: some connection must end first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Small answers go at once; where that cannot be had they go a little later.
        let _ = stream.set_nodelay(true);
        let Some(proof) = &proof else {
            if ready.send((Line { stream: Stream::Plain(stream), _permit: permit }, from)).await.is_err() {
                return;
            }
            continue;
        };
        let (config, ready) = (proof.config(), ready.clone());
        tokio::spawn(async move {
            let accepted = tokio::time::timeout(HANDSHAKE, TlsAcceptor::from(config).accept(stream)).await;
            if let Ok(Ok(stream)) = accepted {
                // Nobody takes it when the service ends.
                let _ = ready.send((Line { stream: Stream::Tls(Box::new(stream)), _permit: permit }, from)).await;
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

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, into),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, into),
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
