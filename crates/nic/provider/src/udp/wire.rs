//! The wire: sockets, the transport between them, and the time of the next call.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use philae_nic_core::transport::{
    DATAGRAM_LEAST, DATAGRAM_MOST, FaultyWire, Handler, OutgoingDatagram, Payload, PayloadMemory, PeerId, TooManyPeers,
    Transport, TransportCounters, TransportParameters, TransportParametersError, TransportSendError,
};

use super::address::{pack, unpack};
use super::config::{ConfigError, WireConfig};
use super::socket::{DatagramGroup, GROUPS_MAX, Lent, ReceiveBuffers, SEGMENTS_MAX, SendArguments, Socket, route_mtu};

/// Bytes gathered before a system call. Source: ours; they fit a cache of the second level.
/// Status: assumed.
const OUT_BYTES: usize = 4 << 16;
/// The longest buffer that the system cuts, for both kinds of IP. Source: 65535 less the headers of
/// IPv6 and UDP. Status: derived.
const GROUP_BYTES_MAX: usize = 65_487;
/// Receiving calls for one socket in one poll, before the next socket's turn. Source: ours.
/// Status: assumed.
const CALLS_PER_POLL: usize = 8;
/// The largest datagram if the route is not known. Source: RFC 8200, least MTU of 1280 B, less
/// headers. Status: derived.
const DATAGRAM_BLIND: usize = 1_232;
/// How long to wait before the system is asked again whether it takes a datagram, in nanoseconds.
/// Source: ours. Status: assumed.
const FULL_WAIT_NS: u64 = 100_000;

/// The wire cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum UdpWireError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The transport's parameters are invalid.
    #[error(transparent)]
    Parameters(#[from] TransportParametersError),
    /// The system refused.
    #[error("UDP socket at {bind}: {what}: {source}")]
    System {
        /// The requested address.
        bind: SocketAddr,
        /// The requested action.
        what: &'static str,
        /// The system's error.
        #[source]
        source: io::Error,
    },
}

impl UdpWireError {
    /// Whether another process listens at the address and port.
    #[must_use]
    pub fn is_address_in_use(&self) -> bool {
        matches!(self, Self::System { source, .. } if source.kind() == io::ErrorKind::AddrInUse)
    }
}

/// The peer cannot be connected.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// One address is IPv4 and the other IPv6.
    #[error("the NIC at {local} cannot reach {to}: one is IPv4, the other IPv6; bind to an address of the same kind")]
    Family {
        /// The NIC's address.
        local: SocketAddr,
        /// The peer's address.
        to: SocketAddr,
    },
    /// Not an address of a NIC.
    #[error("{0} is not a NIC's address: it needs a host and a port")]
    Address(SocketAddr),
    /// There are too many peers.
    #[error(transparent)]
    TooMany(#[from] TooManyPeers),
}

/// Counts of the wire's system calls; the transport's own counters are [`UdpWire::total`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireCounters {
    /// Calls that sent data.
    pub calls_sent: u64,
    /// Calls that received data.
    pub calls_received: u64,
    /// Buffers that the system cut into several datagrams.
    pub cut_by_system: u64,
    /// Buffers into which the system had joined several datagrams.
    pub joined_by_system: u64,
    /// Datagrams that the system did not send, for temporary reasons; the transport retransmits
    /// what matters.
    pub not_sent: u64,
    /// Times that the system took no more data for now.
    pub full: u64,
    /// Times that a host reported that no process listens.
    pub refusals: u64,
    /// Datagrams lost by injected faults.
    pub lost_by_faults: u64,
}

/// How long a closing wire waits for datagrams that its faults delay, in ns. Source: ours.
/// Status: assumed.
const HELD_NS: u64 = 1_000_000_000;

/// The memory of this process. Callers of [`UdpWire::send_from`] answer for the addresses.
struct ProcessMemory {
    /// Whether data is sent from its own place.
    lends: bool,
}

impl PayloadMemory for ProcessMemory {
    fn read(&self, address: u64, out: &mut [u8]) {
        // SAFETY: the sender promised that the memory stays readable until the message has ended,
        // and the transport reads nothing else.
        unsafe { std::ptr::copy_nonoverlapping(address as usize as *const u8, out.as_mut_ptr(), out.len()) };
    }

    fn lend(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        // SAFETY: as above.
        self.lends.then(|| unsafe { std::slice::from_raw_parts(address as usize as *const u8, bytes) })
    }
}

/// One NIC on a UDP network.
pub struct UdpWire {
    config: WireConfig,
    sockets: Vec<Socket>,
    local: SocketAddr,
    events: OwnedFd,
    timer: OwnedFd,
    /// When the timer is set to fire.
    timer_at: Option<u64>,
    transport: Transport,
    inbox: ReceiveBuffers,
    outbox: SendArguments,
    out: Vec<u8>,
    /// The parts of it that lie elsewhere, in order: empty after each call of [`UdpWire::flush`].
    lent: Vec<Lent>,
    /// The groups gathered in `out`, by socket, and how many of them were sent.
    groups: Vec<(usize, DatagramGroup)>,
    gone: usize,
    /// Sockets that reported, while sending, answers of hosts to earlier datagrams.
    reported: Vec<bool>,
    faults: Option<FaultyWire>,
    counters: WireCounters,
    datagrams: BTreeMap<IpAddr, usize>,
}

impl std::fmt::Debug for UdpWire {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Wire")
            .field("local", &self.local)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

/// Takes ownership of a descriptor that a system call made.
fn owned(fd: libc::c_int) -> io::Result<OwnedFd> {
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call made it just now, and it has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn random() -> io::Result<[u64; 2]> {
    let mut bytes = [0_u8; 16];
    // SAFETY: there is room for the requested bytes; so few come in one call.
    let count = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if count != bytes.len() as isize {
        return Err(io::Error::last_os_error());
    }
    let whole = u128::from_ne_bytes(bytes);
    Ok([whole as u64, (whole >> 64) as u64])
}

impl UdpWire {
    /// Opens the NIC's sockets.
    ///
    /// # Errors
    /// [`UdpWireError`].
    pub fn open(mut config: WireConfig) -> Result<Self, UdpWireError> {
        config.check()?;
        let bind = config.bind;
        let system = |what| move |source| UdpWireError::System { bind, what, source };
        let open =
            |bind: &SocketAddr, shared| Socket::open(bind, shared, config.buffer_bytes, config.offload, config.marks);
        let first = open(&bind, false).map_err(system("open"))?;
        let local = first.local_address().map_err(system("its address"))?;
        let mut sockets = vec![first];
        if config.sockets > 1 {
            // Shared only from now on: a socket that is shared from the start may be given an
            // address that others have.
            sockets[0].share().map_err(system("several of one address"))?;
        }
        while sockets.len() < config.sockets {
            sockets.push(open(&local, true).map_err(system("several of one address"))?);
        }
        let room = sockets[0].buffer_bytes().map_err(system("size of the buffer"))?;
        let window = u32::try_from(room).unwrap_or(u32::MAX).max(4_096);
        config.parameters.window_bytes = config.parameters.window_bytes.min(window);
        let secret = random().map_err(system("random numbers"))?;
        let transport = Transport::new(config.parameters.clone(), secret)?;
        // SAFETY: these calls make new descriptors.
        let (events, timer) = unsafe {
            let flags = libc::TFD_NONBLOCK | libc::TFD_CLOEXEC;
            (libc::epoll_create1(libc::EPOLL_CLOEXEC), libc::timerfd_create(libc::CLOCK_MONOTONIC, flags))
        };
        let events = owned(events).map_err(system("epoll"))?;
        let timer = owned(timer).map_err(system("timer"))?;
        for fd in sockets.iter().map(Socket::raw).chain([timer.as_raw_fd()]) {
            let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: fd as u64 };
            // SAFETY: the event outlives the call.
            let result = unsafe { libc::epoll_ctl(events.as_raw_fd(), libc::EPOLL_CTL_ADD, fd, &raw mut event) };
            if result < 0 {
                return Err(system("epoll")(io::Error::last_os_error()));
            }
        }
        let faults = config.faults.map(FaultyWire::new);
        let reported = vec![false; sockets.len()];
        Ok(Self {
            config,
            sockets,
            local,
            events,
            timer,
            timer_at: None,
            transport,
            inbox: ReceiveBuffers::new(),
            outbox: SendArguments::new(),
            out: vec![0; OUT_BYTES],
            lent: Vec::new(),
            groups: Vec::with_capacity(GROUPS_MAX),
            gone: 0,
            reported,
            faults,
            counters: WireCounters::default(),
            datagrams: BTreeMap::new(),
        })
    }

    /// The time that all calls take: of the system's monotonic clock, in nanoseconds.
    #[must_use]
    pub fn now() -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: there is room for a time.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }

    /// The NIC's address, including the port.
    #[must_use]
    pub const fn local_address(&self) -> SocketAddr {
        self.local
    }

    /// The transport's parameters; the size of the system's buffers limits the window.
    #[must_use]
    pub const fn parameters(&self) -> &TransportParameters {
        self.transport.parameters()
    }

    /// The peer at an address, by lane. Sends nothing yet. After this a failed peer can be sent to
    /// again.
    ///
    /// # Errors
    /// [`ConnectError`].
    pub fn connect(&mut self, to: &SocketAddr, lane: u8) -> Result<PeerId, ConnectError> {
        let address = pack(to);
        let to = unpack(&address);
        if to.is_ipv4() != self.local.is_ipv4() {
            return Err(ConnectError::Family { local: self.local, to });
        }
        if to.port() == 0 || to.ip().is_unspecified() {
            return Err(ConnectError::Address(to));
        }
        let datagram_max = self.datagram_max(&to);
        Ok(self.transport.connect(&address, lane, datagram_max)?)
    }

    /// The largest datagram for a route.
    fn datagram_max(&mut self, to: &SocketAddr) -> usize {
        if let Some(bytes) = self.config.datagram_max {
            return bytes;
        }
        let local = self.local;
        *self.datagrams.entry(to.ip()).or_insert_with(|| {
            let headers = if to.is_ipv6() { 48 } else { 28 };
            let mtu = route_mtu(&local, to).unwrap_or(DATAGRAM_BLIND + headers);
            mtu.saturating_sub(headers).clamp(DATAGRAM_LEAST, DATAGRAM_MOST)
        })
    }

    /// A peer's address and lane.
    #[must_use]
    pub fn peer(&self, peer: PeerId) -> Option<(SocketAddr, u8)> {
        self.transport.peer(peer).map(|(address, lane)| (unpack(&address), lane))
    }

    /// Queues a message whose bytes are copied (up to [`super::COPIED_MAX`]). [`UdpWire::flush`] or
    /// [`UdpWire::poll`] sends it.
    ///
    /// # Errors
    /// [`TransportSendError`]; then the message is not queued.
    pub fn send(&mut self, peer: PeerId, header: &[u8], payload: &[u8], token: u64) -> Result<(), TransportSendError> {
        self.transport.send(Self::now(), peer, header, Payload::Copied(payload), token)
    }

    /// Queues a message whose payload is sent from its own place.
    ///
    /// # Safety
    /// `bytes` bytes from `payload` on are readable, and stay so, until the handler learns that
    /// `token` is delivered or undelivered, or the wire is gone. They should not change, or the
    /// peer may get a mixture.
    ///
    /// # Errors
    /// [`TransportSendError`]; then the message is not queued.
    pub unsafe fn send_from(
        &mut self,
        peer: PeerId,
        header: &[u8],
        payload: *const u8,
        bytes: u32,
        token: u64,
    ) -> Result<(), TransportSendError> {
        let payload = Payload::At { address: payload.expose_provenance() as u64, bytes };
        self.transport.send(Self::now(), peer, header, payload, token)
    }

    /// Queues a message that is sent once, without retransmission: up to [`super::ONCE_MAX`] bytes
    /// in all.
    ///
    /// # Errors
    /// [`TransportSendError`]; then the message is not queued.
    pub fn send_once(&mut self, peer: PeerId, message: &[&[u8]]) -> Result<(), TransportSendError> {
        self.transport.send_once(Self::now(), peer, message)
    }

    /// Whether something is expected from the peer: if so, the wire periodically asks it for a sign
    /// of life.
    pub fn expects(&mut self, peer: PeerId, expects: bool) {
        self.transport.expects(Self::now(), peer, expects);
    }

    /// The number of messages to a peer that have not ended.
    #[must_use]
    pub fn outstanding(&self, peer: PeerId) -> usize {
        self.transport.outstanding(peer)
    }

    /// Receives, retries stalled messages, acknowledges, sends and retransmits. Returns whether
    /// anything arrived.
    ///
    /// # Errors
    /// The system's error on a socket, unless it is temporary.
    pub fn poll(&mut self, now: u64, handler: &mut impl Handler) -> io::Result<bool> {
        if self.timer_at.is_some_and(|at| at <= now) {
            self.set_timer(None)?;
        }
        let mut anything = false;
        for index in 0..self.sockets.len() {
            anything |= self.receive(index, now, handler)?;
            if self.reported[index] {
                self.heed_refusals(index, handler);
            }
        }
        self.transport.tick(now, handler);
        self.flush(now)?;
        Ok(anything)
    }

    fn receive(&mut self, index: usize, now: u64, handler: &mut impl Handler) -> io::Result<bool> {
        let mut anything = false;
        for _ in 0..CALLS_PER_POLL {
            let count = match self.sockets[index].receive(&mut self.inbox) {
                Ok(count) => count,
                Err(error) => match error.raw_os_error() {
                    Some(libc::EAGAIN) => {
                        self.inbox.expects_more(0);
                        break;
                    }
                    Some(libc::EINTR) => continue,
                    // Answers of hosts and routers to earlier datagrams.
                    Some(
                        libc::ECONNREFUSED | libc::EHOSTUNREACH | libc::ENETUNREACH | libc::EMSGSIZE | libc::EPROTO,
                    ) => {
                        self.heed_refusals(index, handler);
                        continue;
                    }
                    Some(libc::ENOMEM | libc::ENOBUFS) => break,
                    _ => return Err(error),
                },
            };
            anything |= count > 0;
            self.counters.calls_received += 1;
            for buffer in 0..count {
                let Some(arrived) = self.inbox.arrived(buffer) else { continue };
                let from = pack(&arrived.from);
                self.counters.joined_by_system += u64::from(arrived.bytes.len() > arrived.size);
                for datagram in arrived.bytes.chunks(arrived.size.max(1)) {
                    self.transport.receive(now, &from, datagram, arrived.is_marked, handler);
                }
            }
            while let Some(peer) = self.transport.take_newcomer() {
                if let Some((address, _)) = self.peer(peer) {
                    let datagram_max = self.datagram_max(&address);
                    self.transport.set_datagram_max(peer, datagram_max);
                }
            }
            if !self.inbox.expects_more(count) {
                break;
            }
            self.flush(now)?;
        }
        Ok(anything)
    }

    fn heed_refusals(&mut self, index: usize, handler: &mut impl Handler) {
        self.reported[index] = false;
        while let Some(refusal) = self.sockets[index].next_refusal() {
            if let Some(address) = refusal {
                self.counters.refusals += 1;
                self.transport.refused_by_host(&pack(&address), handler);
            }
        }
    }

    /// Sends everything in the queue: the doorbell.
    ///
    /// # Errors
    /// The system's error on a socket, unless it is temporary.
    pub fn flush(&mut self, now: u64) -> io::Result<()> {
        loop {
            while self.gone < self.groups.len() {
                let is_taken = self.send_groups();
                if !matches!(is_taken, Ok(true)) {
                    // The program may reuse lent memory after this returns.
                    self.take_lent();
                    return is_taken.map(drop);
                }
            }
            (self.gone, _) = (0, self.groups.clear());
            self.lent.clear();
            if self.faults.is_some() {
                self.gather_from_faults(now)
            } else {
                self.gather(now)
            }
            if self.groups.is_empty() {
                return Ok(());
            }
        }
    }

    /// Copies lent parts to places with room for them.
    fn take_lent(&mut self) {
        for Lent { at, address, bytes } in self.lent.drain(..) {
            ProcessMemory { lends: false }.read(address, &mut self.out[at..at + bytes]);
        }
    }

    fn gather(&mut self, now: u64) {
        let mut at = 0;
        while self.out.len() - at >= DATAGRAM_MOST && self.groups.len() < GROUPS_MAX {
            let room = &mut self.out[at..];
            let Some(transmit) = self.transport.transmit(now, &ProcessMemory { lends: true }, room) else { return };
            if let Some((address, bytes)) = transmit.lent {
                self.lent.push(Lent { at: at + transmit.bytes - bytes, address, bytes });
            }
            self.add(&transmit, at);
            at += transmit.bytes;
        }
    }

    /// The socket that sends to a peer: always the same, so that no datagram overtakes another.
    fn socket_for(&self, peer: Option<PeerId>) -> usize {
        peer.map_or(0, |peer| peer.0 as usize % self.sockets.len())
    }

    fn add(&mut self, transmit: &OutgoingDatagram, start: usize) {
        let socket = self.socket_for(transmit.peer);
        let (to, bytes) = (unpack(&transmit.to), transmit.bytes);
        if let Some((last_socket, last)) = self.groups.last_mut()
            && self.sockets[socket].cuts
            && *last_socket == socket
            && last.to == to
            && last.bytes % last.size == 0
            && bytes <= last.size
            && last.bytes / last.size < SEGMENTS_MAX
            && last.bytes + bytes <= GROUP_BYTES_MAX
        {
            last.bytes += bytes;
            return;
        }
        self.groups.push((socket, DatagramGroup { to, start, bytes, size: bytes, is_marked: false }));
    }

    /// As [`UdpWire::gather`], through the injected faults.
    fn gather_from_faults(&mut self, now: u64) {
        let Some(faults) = &mut self.faults else { return };
        while let Some(transmit) = self.transport.transmit(now, &ProcessMemory { lends: false }, &mut self.out) {
            faults.put(now, &transmit.to, &self.out[..transmit.bytes]);
        }
        self.counters.lost_by_faults = faults.lost();
        let mut start = 0;
        while self.out.len() - start >= DATAGRAM_MOST && self.groups.len() < GROUPS_MAX {
            let Some((to, datagram, is_marked)) = faults.take(now) else { return };
            let bytes = datagram.len();
            self.out[start..start + bytes].copy_from_slice(&datagram);
            self.groups.push((0, DatagramGroup { to: unpack(&to), start, bytes, size: bytes.max(1), is_marked }));
            start += bytes;
        }
    }

    /// Sends the next groups of one socket. `false`: the system takes no more for now.
    fn send_groups(&mut self) -> io::Result<bool> {
        let socket = self.groups[self.gone].0;
        let groups = &self.groups[self.gone..];
        let of_socket = groups.iter().take_while(|(of, _)| *of == socket).map(|(_, group)| group);
        let first = groups[0].1;
        let error = match self.sockets[socket].send(&self.out, &self.lent, of_socket, &mut self.outbox) {
            Ok(sent) => {
                self.counters.calls_sent += 1;
                let cut = groups[..sent].iter().filter(|(_, group)| group.bytes > group.size).count();
                self.counters.cut_by_system += cut as u64;
                self.gone += sent;
                return Ok(true);
            }
            Err(error) => error,
        };
        match error.raw_os_error() {
            Some(libc::EINTR) => Ok(true),
            Some(libc::EAGAIN) => {
                self.counters.full += 1;
                Ok(false)
            }
            Some(libc::EBADF | libc::ENOTSOCK | libc::EFAULT) => Err(error),
            // The error may concern an earlier datagram, perhaps to another peer: this one has not
            // been tried yet.
            Some(libc::ECONNREFUSED) if !self.reported[socket] => {
                self.reported[socket] = true;
                Ok(true)
            }
            _ if first.bytes > first.size => {
                // The system cannot cut buffers for this route: each datagram is sent individually,
                // from now on.
                self.sockets[socket].cuts = false;
                let starts = (first.start..first.start + first.bytes).step_by(first.size);
                let end = first.start + first.bytes;
                let single = starts.map(|start| {
                    let bytes = first.size.min(end - start);
                    (socket, DatagramGroup { start, bytes, size: bytes, ..first })
                });
                self.groups.splice(self.gone..=self.gone, single);
                Ok(true)
            }
            // No route, no room in a queue, a filter, or a host's answer to an earlier datagram:
            // counts as lost in transit.
            _ => {
                self.counters.not_sent += 1;
                self.gone += 1;
                Ok(true)
            }
        }
    }

    /// When [`UdpWire::poll`] must be called if nothing arrives before; `None`: only when something
    /// arrives.
    #[must_use]
    pub fn next_wakeup(&self, now: u64) -> Option<u64> {
        let full =
            (self.gone < self.groups.len() || self.transport.has_something_to_send()).then_some(now + FULL_WAIT_NS);
        let faults = self.faults.as_ref().and_then(FaultyWire::next);
        [self.transport.next_wakeup(), faults, full].into_iter().flatten().min()
    }

    /// A descriptor that is readable when something has arrived, or when the timer of the last
    /// [`UdpWire::prepare_sleep`] has expired.
    #[must_use]
    pub fn wait_fd(&self) -> RawFd {
        self.events.as_raw_fd()
    }

    /// Call this before waiting for [`UdpWire::wait_fd`]. Acknowledges and sends what would
    /// otherwise wait for more data, and sets the timer behind the descriptor. A message that the
    /// handler stalled is retried only by polling.
    ///
    /// # Errors
    /// The system's error.
    pub fn prepare_sleep(&mut self, now: u64) -> io::Result<()> {
        self.transport.hurry(now);
        self.flush(now)?;
        self.set_timer(self.next_wakeup(now))
    }

    fn set_timer(&mut self, at: Option<u64>) -> io::Result<()> {
        if self.timer_at == at {
            return Ok(());
        }
        // A time of zero would mean never.
        let time = at.map_or(0, |at| at.max(1));
        let value = libc::timespec {
            tv_sec: (time / 1_000_000_000) as libc::time_t,
            tv_nsec: (time % 1_000_000_000) as libc::c_long,
        };
        let spec = libc::itimerspec { it_interval: libc::timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
        let (fd, flags) = (self.timer.as_raw_fd(), libc::TFD_TIMER_ABSTIME);
        // SAFETY: the time outlives the call.
        if unsafe { libc::timerfd_settime(fd, flags, &raw const spec, std::ptr::null_mut()) } < 0 {
            return Err(io::Error::last_os_error());
        }
        self.timer_at = at;
        Ok(())
    }

    /// Waits until something has arrived or the timer expires, at most this many nanoseconds.
    ///
    /// # Errors
    /// The system's error.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        self.prepare_sleep(Self::now())?;
        let mut poll = libc::pollfd { fd: self.wait_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = i32::try_from(at_most_ns.div_ceil(1_000_000)).unwrap_or(i32::MAX);
        // SAFETY: one descriptor, which outlives the call.
        let result = unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
        let error = io::Error::last_os_error();
        if result < 0 && error.raw_os_error() != Some(libc::EINTR) { Err(error) } else { Ok(()) }
    }

    /// Polls until all messages have ended, at most this many nanoseconds; returns whether they
    /// have. Call this before a wire is dropped: messages that have not ended by then will not
    /// arrive.
    ///
    /// # Errors
    /// The system's error.
    pub fn drain(&mut self, at_most_ns: u64, handler: &mut impl Handler) -> io::Result<bool> {
        let end = Self::now().saturating_add(at_most_ns);
        loop {
            let now = Self::now();
            self.poll(now, handler)?;
            if self.transport.outstanding_total() == 0 {
                return Ok(true);
            }
            if now >= end {
                return Ok(false);
            }
            self.wait(end - now)?;
        }
    }

    /// The transport's counters for one peer.
    #[must_use]
    pub fn peer_counters(&self, peer: PeerId) -> Option<&TransportCounters> {
        self.transport.counters(peer)
    }

    /// The transport's counters in total.
    #[must_use]
    pub fn total(&self) -> TransportCounters {
        self.transport.total()
    }

    /// The counts of the wire's system calls.
    #[must_use]
    pub const fn counters(&self) -> &WireCounters {
        &self.counters
    }

    /// Bytes that may be in flight to a peer, and the smoothed round trip to it in nanoseconds (0
    /// while unknown).
    #[must_use]
    pub fn path(&self, peer: PeerId) -> Option<(u64, u64)> {
        self.transport.path(peer)
    }
}

impl Drop for UdpWire {
    fn drop(&mut self) {
        // Peers learn immediately that the wire is closed, unless the message is lost; then they
        // learn it later.
        let now = Self::now();
        self.transport.close(now);
        let _ = self.flush(now);
        // Datagrams in transit arrive although their sender is gone; so must those that the faults
        // still delay.
        while let Some(due) =
            self.faults.as_ref().and_then(FaultyWire::next).filter(|due| due.saturating_sub(now) < HELD_NS)
        {
            std::thread::sleep(Duration::from_nanos(due.saturating_sub(Self::now())));
            if self.flush(Self::now()).is_err() {
                break;
            }
        }
    }
}
