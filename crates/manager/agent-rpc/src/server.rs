//! The manager's end: accepts connections, verifies certificates, and turns streams into events.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Ping, RecvStream, SendStream};
use http::{Request, Response};
use philae_agent::{Certificate, FromAgent, FromBody, JoinRequest, RenewRequest};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::ca::{Authority, CaError, renewal_at};
use crate::frame::{Deframer, encode};
use crate::identity::{PeerIdentity, Role};
use crate::refused::{RefusedCall, RefusedCalls};
use crate::registry::{CloseReason, Kill, LinkEvent, StreamHandle, SwitchStreams};
use crate::settings::{LinkSettings, TokenBucket};
use crate::sound::sound;
use crate::status::{GrpcCode, GrpcStatus};
use crate::tls::{self, TlsError};
use crate::unix_seconds;

/// The path of the calls.
pub(crate) const SERVICE: &str = "/philae.agent.v1.AgentLink/";

/// Unread bytes that a peer may send on one stream.
///
/// Source: HTTP/2's own default. Status: published (RFC 9113, section 6.9.2).
pub(crate) const STREAM_WINDOW: u32 = 65_535;

/// Unread bytes that a peer may send on one connection.
///
/// Source: ours. Status: assumed.
pub(crate) const CONNECTION_WINDOW: u32 = 4 << 20;

/// The reason for refusing a certificate that expired before the grace period.
const ENDED: &str = "its certificate has ended";

/// Largest request for a certificate, bytes.
///
/// Source: ours. Status: assumed; one is about 400.
const REQUEST_MAX: usize = 16 << 10;

/// Why the manager cannot listen.
#[derive(Debug, Error)]
pub enum BindError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {error}")]
    Address {
        address: SocketAddr,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// The authority cannot make the manager's certificate.
    #[error(transparent)]
    Authority(#[from] CaError),
    /// The manager's certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// What all connections share.
#[derive(Debug)]
struct Shared {
    authority: Arc<Authority>,
    settings: LinkSettings,
    links: SwitchStreams,
    events: mpsc::Sender<LinkEvent>,
    bucket: Mutex<TokenBucket>,
    began: Instant,
    numbers: AtomicU64,
    tls: RwLock<Arc<ServerConfig>>,
    refused: Mutex<RefusedCalls>,
    stop: watch::Receiver<bool>,
}

/// Listens for agents. Dropping it or shutting it down closes all streams.
#[derive(Debug)]
pub struct Listener {
    shared: Arc<Shared>,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Listener {
    /// Begins to listen. The receiver gives the events; a thread (`blocking_recv`) or a task may
    /// read it.
    ///
    /// # Errors
    /// When the address is taken or the authority cannot make a certificate.
    pub async fn bind(
        address: SocketAddr,
        authority: Arc<Authority>,
        settings: LinkSettings,
    ) -> Result<(Self, mpsc::Receiver<LinkEvent>), BindError> {
        let failed = |error| BindError::Address { address, error };
        let socket = TcpListener::bind(address).await.map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        let identity = authority.issue(&Role::Manager, unix_seconds())?;
        let (events, receiver) = mpsc::channel(settings.events.max(1));
        let (stop, stopped) = watch::channel(false);
        let shared = Arc::new(Shared {
            tls: RwLock::new(tls::server(&identity, authority.settings().grace_s)?),
            authority,
            settings,
            links: SwitchStreams::new(settings),
            events,
            bucket: Mutex::new(TokenBucket::new(settings.admitted_per_second, settings.admitted_burst)),
            began: Instant::now(),
            numbers: AtomicU64::new(1),
            refused: Mutex::default(),
            stop: stopped,
        });
        let tasks = vec![tokio::spawn(accept(Arc::clone(&shared), socket)), tokio::spawn(renew(Arc::clone(&shared)))];
        Ok((Self { shared, address, stop, tasks }, receiver))
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends to agents and closes their streams.
    #[must_use]
    pub fn links(&self) -> SwitchStreams {
        self.shared.links.clone()
    }

    /// Takes a new certificate of the manager and the present roots for new connections. Open
    /// connections continue.
    ///
    /// # Errors
    /// When the authority cannot make one; the old one is then kept.
    pub fn reload(&self) -> Result<(), BindError> {
        self.shared.reload()
    }

    /// Revokes a certificate and closes the streams that use it. Returns how many streams were
    /// closed.
    ///
    /// # Errors
    /// When the revocation cannot be written; nothing is closed then.
    pub fn revoke(&self, serial: &str, not_after: u64) -> Result<usize, CaError> {
        self.shared.authority.revoke(serial, not_after)?;
        Ok(self.shared.links.close_serial(serial, &CloseReason::Revoked))
    }

    /// The number of refusals since the start, and the last ones, oldest first.
    #[must_use]
    pub fn refused(&self) -> (u64, Vec<RefusedCall>) {
        self.shared.refused.lock().unwrap_or_else(PoisonError::into_inner).all()
    }

    /// Notes a refusal for a reason that the link does not know.
    pub fn note_refused(&self, from: Option<SocketAddr>, why: String, at: u64) {
        self.shared.refuse(from, why, at);
    }

    /// Closes all streams with a reason and stops listening.
    pub async fn shutdown(self) {
        self.shared.links.close_all(&CloseReason::Shutdown);
        // Time to send the last messages; agents that do not read them in time are cut off.
        let all_gone = async {
            while self.shared.links.connected() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = timeout(Duration::from_secs(1), all_gone).await;
        // If no task listens any more, there is nothing to stop.
        let _ = self.stop.send(true);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.shared.links.close_all(&CloseReason::Shutdown);
        let _ = self.stop.send(true);
    }
}

impl Shared {
    fn reload(&self) -> Result<(), BindError> {
        let identity = self.authority.issue(&Role::Manager, unix_seconds())?;
        let config = tls::server(&identity, self.authority.settings().grace_s)?;
        *self.tls.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    fn refuse(&self, from: Option<SocketAddr>, why: String, at: u64) {
        self.note(RefusedCall { at, from, why, ended: None });
    }

    fn refuse_ended(&self, from: SocketAddr, peer: &PeerIdentity, why: &str) {
        let names = match &peer.role {
            Role::Agent(names) => names.clone(),
            _ => Vec::new(),
        };
        self.note(RefusedCall {
            at: unix_seconds(),
            from: Some(from),
            why: why.to_owned(),
            ended: Some((names, peer.not_after)),
        });
    }

    fn note(&self, refused: RefusedCall) {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).note(refused);
    }

    fn admit(&self) -> Result<(), GrpcStatus> {
        let now_ms = self.began.elapsed().as_millis() as u64;
        let taken = self.bucket.lock().unwrap_or_else(PoisonError::into_inner).take(now_ms);
        taken.map_err(|retry_ms| GrpcStatus {
            retry_ms: Some(retry_ms),
            ..GrpcStatus::new(
                GrpcCode::ResourceExhausted,
                format!("too many agents connect at the same time; a new attempt in {retry_ms} ms would work"),
            )
        })
    }

    /// Whether a certificate may be used for calls now.
    fn check(&self, peer: Option<&Arc<PeerIdentity>>) -> Result<Arc<PeerIdentity>, GrpcStatus> {
        let peer = peer.ok_or_else(|| GrpcStatus::new(GrpcCode::Unauthenticated, "the agent sent no certificate"))?;
        let denied = |message: &str| Err(GrpcStatus::new(GrpcCode::PermissionDenied, message));
        if self.authority.is_revoked(&peer.serial) {
            return denied("the certificate is revoked");
        }
        if peer.fabric != self.authority.fabric() {
            return denied("the certificate belongs to another fabric");
        }
        if self.has_ended(peer) {
            return Err(over());
        }
        if self.authority.used(&peer.serial).is_err() {
            return Err(GrpcStatus::new(GrpcCode::Internal, "the authority cannot record the use of the certificate"));
        }
        Ok(Arc::clone(peer))
    }

    /// Whether a certificate has expired: within the grace period it may be renewed, and nothing
    /// else.
    fn has_ended(&self, peer: &PeerIdentity) -> bool {
        peer.not_after + self.authority.settings().skew_s <= unix_seconds()
    }

    /// Whether a connection may only ask for a certificate, within a short time.
    fn only_asks(&self, peer: Option<&Arc<PeerIdentity>>) -> bool {
        peer.is_none_or(|peer| self.has_ended(peer))
    }

    /// Notes that a call was refused. The first call with a certificate that can still be renewed
    /// is not noted, because the agent renews it next.
    fn note_call(&self, from: SocketAddr, peer: Option<&Arc<PeerIdentity>>, path: &str, status: &GrpcStatus) {
        let Some(peer) = peer.filter(|peer| self.has_ended(peer)) else {
            return self.refuse(Some(from), status.message.clone(), unix_seconds());
        };
        let has_grace = peer.not_after + self.authority.settings().grace_s > unix_seconds();
        if path != "Attend" || !has_grace {
            self.refuse_ended(from, peer, &status.message);
        }
    }
}

/// Renews the manager's own certificate after two thirds of its life, and removes expired records.
async fn renew(shared: Arc<Shared>) {
    loop {
        let life = shared.authority.settings().life_s;
        tokio::time::sleep(Duration::from_secs(renewal_at(0, life).max(1))).await;
        let authority = Arc::clone(&shared.authority);
        // Records that cannot be removed now are removed next time.
        let _ = tokio::task::spawn_blocking(move || authority.clean(unix_seconds())).await;
        while shared.reload().is_err() {
            // A third of the life is left for retries: a full disk may have room again.
            tokio::time::sleep(Duration::from_secs((life / 30).max(1))).await;
        }
    }
}

async fn accept(shared: Arc<Shared>, socket: TcpListener) {
    let connections = Arc::new(Semaphore::new(shared.settings.connections));
    let handshakes = Arc::new(Semaphore::new(shared.settings.handshakes));
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let Ok((stream, from)) = socket.accept().await else {
            // There are no file descriptors left: a connection must end first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (shared, handshakes) = (Arc::clone(&shared), Arc::clone(&handshakes));
        tokio::spawn(async move {
            let mut stop = shared.stop.clone();
            tokio::select! {
                () = connection(&shared, &handshakes, stream, from) => {}
                _ = stop.wait_for(|&stop| stop) => {}
            }
            drop(permit);
        });
    }
}

/// Serves one connection until it ends. Its errors affect no other connection.
async fn connection(shared: &Arc<Shared>, handshakes: &Semaphore, stream: TcpStream, from: SocketAddr) {
    let settings = shared.settings;
    let _ = stream.set_nodelay(true);
    let config = Arc::clone(&shared.tls.read().unwrap_or_else(PoisonError::into_inner));
    let Ok(permit) = handshakes.acquire().await else { return };
    let handshake = timeout(settings.handshake_time, TlsAcceptor::from(config).accept(stream));
    let (made, ended) = tls::telling_who(handshake).await;
    let tls = match made {
        Ok(Ok(tls)) => tls,
        Ok(Err(_)) if let Some(peer) = &ended => return shared.refuse_ended(from, peer, ENDED),
        // A peer that disconnects without sending anything was not refused.
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => return,
        Ok(Err(error)) => return shared.refuse(Some(from), tls::why_not(&error), unix_seconds()),
        Err(_) => return shared.refuse(Some(from), "no TLS in time".to_owned(), unix_seconds()),
    };
    let peer = match tls.get_ref().1.peer_certificates().and_then(|chain| chain.first()) {
        None => None,
        Some(certificate) => match PeerIdentity::of(certificate) {
            Ok(peer) => Some(Arc::new(peer)),
            Err(error) => return shared.refuse(Some(from), error.to_string(), unix_seconds()),
        },
    };
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(if shared.only_asks(peer.as_ref()) { 4 } else { settings.streams_per_connection })
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(8 << 10)
        .max_send_buffer_size(64 << 10)
        .handshake::<_, Bytes>(tls);
    let Ok(Ok(mut connection)) = timeout(settings.handshake_time, handshake).await else { return };
    drop(permit);
    let Some(mut pings) = connection.ping_pong() else { return };
    let serve = async {
        while let Some(Ok((request, respond))) = connection.accept().await {
            let (shared, peer) = (Arc::clone(shared), peer.clone());
            tokio::spawn(async move { call(&shared, peer.as_ref(), from, request, respond).await });
        }
    };
    let alive = async {
        loop {
            tokio::time::sleep(settings.keep_alive).await;
            let Ok(Ok(_)) = timeout(settings.keep_alive_time, pings.ping(Ping::opaque())).await else { return };
        }
    };
    // Without a valid certificate the only call is for a new one, and it takes little time.
    let is_limited = shared.only_asks(peer.as_ref());
    let anonymous = async {
        if !is_limited {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(settings.handshake_time).await;
    };
    tokio::select! { () = serve => {}, () = alive => {}, () = anonymous => {} }
}

async fn call(
    shared: &Arc<Shared>,
    peer: Option<&Arc<PeerIdentity>>,
    from: SocketAddr,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
) {
    let path = request.uri().path().strip_prefix(SERVICE).unwrap_or("").to_owned();
    let admitted = shared.admit();
    let result = match (admitted, path.as_str()) {
        (Err(status), _) => Err(status),
        (Ok(()), "Attend") => match shared.check(peer) {
            Err(status) => Err(status),
            Ok(peer) => return attend(shared, peer, from, request.into_body(), respond).await,
        },
        (Ok(()), "Join") => join(shared, request.into_body()).await,
        (Ok(()), "Renew") => match (shared.check(peer), peer.filter(|peer| shared.has_ended(peer))) {
            (_, Some(peer)) => renew_late(shared, peer, request.into_body()).await,
            (Err(status), None) => Err(status),
            (Ok(peer), None) => renew_one(shared, &peer, request.into_body()).await,
        },
        _ => Err(GrpcStatus::new(GrpcCode::Unimplemented, "the calls are Attend, Join and Renew")),
    };
    if let Err(status) = &result
        && matches!(status.code, GrpcCode::PermissionDenied | GrpcCode::Unauthenticated)
    {
        shared.note_call(from, peer, &path, status);
    }
    let Some(response) = response(result.as_ref().err()) else { return };
    // If sending fails, the other end is gone and cannot be told.
    let Ok(mut send) = respond.send_response(response, result.is_err()) else { return };
    if let Ok(certificate) = result
        && send.send_data(encode(&certificate), false).is_ok()
    {
        let _ = send.send_trailers(GrpcStatus::new(GrpcCode::Ok, "").to_headers());
    }
}

fn over() -> GrpcStatus {
    GrpcStatus::new(GrpcCode::PermissionDenied, "the certificate has ended; renew it, or connect with the new one")
}

/// Headers of an answer; with a status if the answer has nothing else.
fn response(status: Option<&GrpcStatus>) -> Option<Response<()>> {
    let mut response = Response::builder().header("content-type", "application/grpc").body(()).ok()?;
    if let Some(status) = status {
        response.headers_mut().extend(status.to_headers());
    }
    Some(response)
}

async fn one_message<M: prost::Message + Default>(shared: &Shared, mut body: RecvStream) -> Result<M, GrpcStatus> {
    let read = async {
        let mut deframer = Deframer::new(REQUEST_MAX);
        loop {
            if let Some(message) = deframer.take::<M>().map_err(|error| invalid(&error))? {
                return Ok(message);
            }
            let Some(Ok(bytes)) = body.data().await else { return Err(invalid(&"the request ends early")) };
            let _ = body.flow_control().release_capacity(bytes.len());
            deframer.push(&bytes);
        }
    };
    timeout(shared.settings.handshake_time, read).await.unwrap_or_else(|_| Err(invalid(&"the request took too long")))
}

fn invalid(error: &dyn std::fmt::Display) -> GrpcStatus {
    GrpcStatus::new(GrpcCode::InvalidArgument, error.to_string())
}

/// Runs the authority's work, which writes to disk, on a thread of its own.
async fn by_authority(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Authority) -> Result<String, CaError> + Send + 'static,
) -> Result<Certificate, GrpcStatus> {
    let authority = Arc::clone(&shared.authority);
    let done = tokio::task::spawn_blocking(move || {
        let certificate = work(&authority)?;
        Ok(Certificate { certificate, roots: authority.roots() })
    });
    match done.await {
        Ok(Ok(certificate)) => Ok(certificate),
        Ok(Err(error @ (CaError::Token | CaError::NotRenewable(_)))) => {
            Err(GrpcStatus::new(GrpcCode::PermissionDenied, error.to_string()))
        }
        Ok(Err(error @ (CaError::Request(_) | CaError::Name(_)))) => Err(invalid(&error)),
        // The other end need not see the paths of our files.
        Ok(Err(_)) | Err(_) => Err(GrpcStatus::new(GrpcCode::Internal, "the authority cannot make a certificate now")),
    }
}

async fn join(shared: &Arc<Shared>, body: RecvStream) -> Result<Certificate, GrpcStatus> {
    let asked: JoinRequest = one_message(shared, body).await?;
    by_authority(shared, move |authority| authority.join(&asked.token, &asked.name, &asked.request, unix_seconds()))
        .await
}

async fn renew_one(
    shared: &Arc<Shared>,
    peer: &Arc<PeerIdentity>,
    body: RecvStream,
) -> Result<Certificate, GrpcStatus> {
    let asked: RenewRequest = one_message(shared, body).await?;
    let peer = Arc::clone(peer);
    by_authority(shared, move |authority| authority.renew(&peer, &asked.request, unix_seconds())).await
}

/// Renews an expired certificate.
async fn renew_late(
    shared: &Arc<Shared>,
    peer: &Arc<PeerIdentity>,
    body: RecvStream,
) -> Result<Certificate, GrpcStatus> {
    let asked: RenewRequest = one_message(shared, body).await?;
    let peer = Arc::clone(peer);
    by_authority(shared, move |authority| authority.renew_late(&peer, &asked.request, unix_seconds())).await
}

/// Reads messages of one stream.
struct Reader {
    body: RecvStream,
    deframer: Deframer,
    /// An agent that sends more than a switch needs to is slowed down.
    messages: TokenBucket,
    kibibytes: TokenBucket,
    began: Instant,
}

impl Reader {
    /// The next message; `None` at the end.
    async fn next(&mut self) -> Result<Option<FromAgent>, GrpcStatus> {
        loop {
            if let Some(message) = self.deframer.take::<FromAgent>().map_err(|error| invalid(&error))? {
                sound(&message).map_err(|error| invalid(&error))?;
                wait_for(&mut self.messages, self.began).await;
                return Ok(Some(message));
            }
            match self.body.data().await {
                Some(Ok(bytes)) => {
                    self.deframer.push(&bytes);
                    for _ in 0..bytes.len().div_ceil(1_024) {
                        wait_for(&mut self.kibibytes, self.began).await;
                    }
                    // The peer may send as many bytes again; it waits while the manager does.
                    let _ = self.body.flow_control().release_capacity(bytes.len());
                }
                Some(Err(error)) => return Err(GrpcStatus::new(GrpcCode::Unavailable, error.to_string())),
                None => return self.deframer.finish().map(|()| None).map_err(|error| invalid(&error)),
            }
        }
    }
}

async fn wait_for(bucket: &mut TokenBucket, began: Instant) {
    while let Err(ms) = bucket.take(began.elapsed().as_millis() as u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// Serves the stream of one agent, from its hello to its end.
async fn attend(
    shared: &Arc<Shared>,
    peer: Arc<PeerIdentity>,
    from: SocketAddr,
    body: RecvStream,
    mut respond: SendResponse<Bytes>,
) {
    let Some(head) = response(None) else { return };
    let Ok(mut send) = respond.send_response(head, false) else { return };
    let settings = shared.settings;
    let mut reader = Reader {
        body,
        deframer: Deframer::new(settings.message_max),
        messages: TokenBucket::new(settings.messages_per_second, settings.messages_per_second),
        kibibytes: TokenBucket::new(settings.kibibytes_per_second, settings.kibibytes_per_second * 8),
        began: Instant::now(),
    };
    let first = timeout(shared.settings.handshake_time, reader.next()).await;
    let first = first.unwrap_or_else(|_| Err(invalid(&"no hello arrived in time")));
    let (hello, switch) = match first.and_then(|message| hello(&peer, message)) {
        Ok(both) => both,
        Err(status) => {
            if status.code == GrpcCode::PermissionDenied {
                shared.refuse(Some(from), status.message.clone(), unix_seconds());
            }
            return end(&mut send, &status);
        }
    };
    let (queue, waiting) = mpsc::channel(shared.settings.queue_messages.max(1));
    let (_done, done) = watch::channel(());
    let kill = Arc::new(Kill::default());
    let queued = Arc::new(AtomicUsize::new(0));
    let number = shared.numbers.fetch_add(1, Ordering::Relaxed);
    let handle = StreamHandle {
        number,
        serial: peer.serial.clone(),
        queue,
        queued: Arc::clone(&queued),
        kill: Arc::clone(&kill),
        done,
    };
    if let Some(mut old) = shared.links.insert(Arc::clone(&switch), handle) {
        old.kill.close(CloseReason::Replaced);
        // The old stream's last event must come before the new one's first.
        let _ = old.done.changed().await;
    }
    // If the certificate is revoked between the check and the insertion, `revoke` has not seen this
    // stream.
    if shared.authority.is_revoked(&peer.serial) {
        kill.close(CloseReason::Revoked);
    }
    let life = (peer.not_after + shared.authority.settings().skew_s).saturating_sub(unix_seconds());
    let mut is_replaced = false;
    let reason = if shared.events.send(LinkEvent::Connected { switch: Arc::clone(&switch), peer }).await.is_ok() {
        let ended = tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(life)) => over(),
            ended = listen(shared, &switch, hello, &mut reader) => ended,
            ended = talk(shared, waiting, &queued, &mut send) => ended,
            reason = kill.closed() => {
                is_replaced = reason == CloseReason::Replaced;
                reason.status()
            }
        };
        shared.links.remove(&switch, number);
        end(&mut send, &ended);
        ended
    } else {
        shared.links.remove(&switch, number);
        GrpcStatus::new(GrpcCode::Unavailable, "the manager ends")
    };
    // If the receiver is gone, the manager is ending.
    let _ = shared.events.send(LinkEvent::Disconnected { switch, reason: reason.message, is_replaced }).await;
}

/// Checks that the first message is a hello, for a switch that the certificate names.
fn hello(peer: &PeerIdentity, message: Option<FromAgent>) -> Result<(FromAgent, Arc<str>), GrpcStatus> {
    let Some(message) = message else { return Err(invalid(&"the stream ends before its hello")) };
    let Some(FromBody::Hello(hello)) = &message.body else { return Err(invalid(&"the first message is not a hello")) };
    if !peer.role.covers(&hello.name) {
        let shown: String = hello.name.chars().take(128).collect();
        return Err(GrpcStatus::new(
            GrpcCode::PermissionDenied,
            format!("the certificate does not name the switch '{shown}'"),
        ));
    }
    let switch = Arc::from(hello.name.as_str());
    Ok((message, switch))
}

async fn listen(shared: &Shared, switch: &Arc<str>, hello: FromAgent, reader: &mut Reader) -> GrpcStatus {
    let mut message = hello;
    loop {
        let event = LinkEvent::Message { switch: Arc::clone(switch), message };
        if shared.events.send(event).await.is_err() {
            return GrpcStatus::new(GrpcCode::Unavailable, "the manager ends");
        }
        message = match reader.next().await {
            Ok(Some(message)) => message,
            Ok(None) => return GrpcStatus::new(GrpcCode::Ok, "the agent has closed the stream"),
            Err(status) => return status,
        };
        if matches!(message.body, Some(FromBody::Hello(_))) {
            return invalid(&"a second hello on one stream");
        }
    }
}

async fn talk(
    shared: &Shared,
    mut waiting: mpsc::Receiver<Bytes>,
    queued: &AtomicUsize,
    send: &mut SendStream<Bytes>,
) -> GrpcStatus {
    while let Some(frame) = waiting.recv().await {
        let length = frame.len();
        match timeout(shared.settings.write_time, write(send, frame)).await {
            Ok(Ok(())) => queued.fetch_sub(length, Ordering::Relaxed),
            Ok(Err(error)) => return GrpcStatus::new(GrpcCode::Unavailable, error.to_string()),
            Err(_) => return CloseReason::Slow.status(),
        };
    }
    GrpcStatus::new(GrpcCode::Unavailable, "the manager ends")
}

/// Writes at the peer's pace: it buffers no more than the peer has room for.
pub(crate) async fn write(send: &mut SendStream<Bytes>, mut frame: Bytes) -> Result<(), h2::Error> {
    while !frame.is_empty() {
        send.reserve_capacity(frame.len());
        let gone = || h2::Error::from(h2::Reason::STREAM_CLOSED);
        let room = std::future::poll_fn(|context| send.poll_capacity(context)).await.ok_or_else(gone)??;
        let part = frame.split_to(room.min(frame.len()));
        send.send_data(part, false)?;
    }
    Ok(())
}

fn end(send: &mut SendStream<Bytes>, status: &GrpcStatus) {
    // The other end may be gone already.
    let _ = send.send_trailers(status.to_headers());
}
