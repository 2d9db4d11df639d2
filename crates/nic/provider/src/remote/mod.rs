//! Endpoints on other hosts: requests of this NIC to theirs, and their requests to this one, over
//! the wire between hosts.
//!
//! The wire calls [`RequestHandler`] with arrived messages; the answers are recorded and sent after
//! the call. All of this runs in the thread that polls: in a call of the program, or in the thread
//! that polls while the program computes.

mod command;
#[cfg(test)]
mod hostile;
mod request;
mod request_handler;

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::os::fd::RawFd;
use std::sync::Weak;
use std::time::Duration;

use philae_nic_core::nic::{MessageLanding, PortalKind, ReturnCode, UnexpectedMessage};

use crate::abi::Errno;
use crate::endpoint::{CompletionTarget, EndpointPort};
use crate::log::{MessageLevel, say, tell};
use crate::udp::{COPIED_MAX, PeerId, TransportSendError, UdpWire, WireConfig};
use crate::wait::rough_now_ns;
use command::RemoteCommand;
use request_handler::{Arriving, DeferredMessage, RequestHandler};

/// Marks the source of messages from other hosts; the rest is the peer's number on the wire.
pub(crate) const REMOTE: u32 = 1 << 31;
/// Requests may be stalled.
const REQUESTS: u8 = 0;
/// Answers are never stalled.
const ANSWERS: u8 = 1;
/// Answers that may wait to be sent before requests are stalled. Source: ours. Status: assumed.
const ANSWERS_MAX: usize = 256;
/// An operation that is sent once and gets no answer within this time is lost. Source: ours, many
/// round trips of any network that NICs share. Status: assumed.
const ONCE_NS: u64 = 500_000_000;
/// The most operations kept that were sent once by peers with an unknown address. Source: ours.
/// Status: assumed.
const EARLY_MAX: usize = 64;
/// The interval between checks whether a receive still waits for a peer, in ns: half the silence
/// after which the peer is asked for a sign of life. Source: ours. Status: assumed.
const AWAITED_NS: u64 = 500_000_000;
/// If the wire was last polled longer ago than this, it is polled before a receive waits for a
/// peer. Source: ours. Status: assumed.
const LATELY_NS: u64 = 1_000_000;
/// How long a closing endpoint waits for its messages to be taken. Source: ours. Status: assumed.
const DRAIN_NS: u64 = 2_000_000_000;

/// An operation that has not ended.
enum Operation {
    /// Ends when the peer's NIC has it. `None`: it has ended for the program.
    Sent(Option<CompletionTarget>),
    /// The receiver will fetch it from here.
    Offered { reply: CompletionTarget, address: u64, length: u64 },
    /// The receiver has fetched it; it ends when the peer's NIC has it.
    Fetched(CompletionTarget),
    /// Ends when the peer has answered, and the wire no longer needs the program's bytes. The
    /// answer's bytes go to `address`.
    Asked { reply: CompletionTarget, address: u64, length: u64, waits_for_wire: bool, answered: Option<ReturnCode> },
    /// A message that is being fetched for a receive here.
    Fetching { kind: PortalKind, landing: MessageLanding, arrival: UnexpectedMessage },
    /// An answer whose bytes are kept until the peer has them.
    Answer(Box<[u8]>),
}

struct Outstanding {
    operation: Operation,
    peer: SocketAddr,
    /// Whether an answer is expected.
    is_answered: bool,
}

/// A command to send by the lane of answers.
struct Answer {
    to: SocketAddr,
    command: RemoteCommand,
    bytes: Bytes,
}

/// The bytes of an answer.
enum Bytes {
    None,
    /// Kept until the peer has them.
    Own(Box<[u8]>),
    /// The program's, lent to an operation, which ends when the peer has them.
    Lent {
        address: u64,
        length: u64,
        handle: u64,
    },
}

/// The remote side of an endpoint.
pub(crate) struct RemoteSide {
    wire: UdpWire,
    core: Core,
}

/// All except the wire: the state that the request handler uses while the wire calls it.
#[derive(Default)]
struct Core {
    outstanding: HashMap<u64, Outstanding>,
    /// How many of them are messages that no receive has taken yet.
    offered: usize,
    next_handle: u64,
    answers: Vec<Answer>,
    arriving: HashMap<PeerId, Arriving>,
    held: HashMap<PeerId, DeferredMessage>,
    /// The number of expected answers by peer, and the peers for which it has become zero or
    /// nonzero.
    expected: HashMap<SocketAddr, usize>,
    expected_changed: Vec<SocketAddr>,
    /// Peers for whose messages a receive waits, and when the last such receive was posted.
    awaited: HashMap<SocketAddr, u64>,
    /// When the receives that still wait were last checked.
    awaited_at: u64,
    /// Peers that have sent something, and their addresses once they are known.
    heard: HashMap<PeerId, Option<SocketAddr>>,
    /// Peers whose addresses are to be queried.
    strangers: Vec<PeerId>,
    /// Operations that were sent once and wait for their answer, with their deadlines, in this
    /// order.
    once: VecDeque<(u64, u64)>,
    /// Messages sent once by peers whose address is being queried.
    early: Vec<(PeerId, Box<[u8]>)>,
}

impl Core {
    fn add(&mut self, operation: Operation, peer: SocketAddr, is_answered: bool) -> u64 {
        self.next_handle += 1;
        self.offered += usize::from(matches!(operation, Operation::Offered { .. }));
        self.outstanding.insert(self.next_handle, Outstanding { operation, peer, is_answered });
        if is_answered {
            let expected = self.expected.entry(peer).or_default();
            *expected += 1;
            if *expected == 1 {
                self.expected_changed.push(peer);
            }
        }
        self.next_handle
    }

    /// Puts back an operation that continues in another form and expects no answer any more.
    fn put_back(&mut self, handle: u64, operation: Operation, peer: SocketAddr) {
        self.offered += usize::from(matches!(operation, Operation::Offered { .. }));
        self.outstanding.insert(handle, Outstanding { operation, peer, is_answered: false });
    }

    fn take(&mut self, handle: u64) -> Option<Operation> {
        let Outstanding { operation, peer, is_answered } = self.outstanding.remove(&handle)?;
        self.offered -= usize::from(matches!(operation, Operation::Offered { .. }));
        if is_answered && let Some(expected) = self.expected.get_mut(&peer) {
            *expected -= 1;
            if *expected == 0 {
                self.expected_changed.push(peer);
            }
        }
        Some(operation)
    }

    /// The address of a peer that has sent something; queries it if it is not known.
    fn address_of(&mut self, peer: PeerId) -> Option<SocketAddr> {
        let known = *self.heard.entry(peer).or_default();
        if known.is_none() {
            self.strangers.push(peer);
        }
        known
    }

    /// The operation with this handle, if it is one with this peer: no peer can end another's
    /// operation.
    fn of_peer(&self, handle: u64, peer: SocketAddr) -> Option<&Operation> {
        self.outstanding.get(&handle).filter(|outstanding| outstanding.peer == peer).map(|found| &found.operation)
    }
}

impl RemoteSide {
    /// Opens the wire at an address of this host.
    ///
    /// # Errors
    /// It cannot be opened; the error is reported.
    pub fn open(bind: SocketAddr) -> Result<Self, Errno> {
        let config = WireConfig::from_environment(bind).map_err(|error| {
            tell(&format!("philae: {error}"));
            libc::EINVAL
        })?;
        let wire = UdpWire::open(config).map_err(|error| {
            say(MessageLevel::Warn, &error.to_string());
            if error.is_address_in_use() { libc::EADDRINUSE } else { libc::ENETUNREACH }
        })?;
        Ok(Self { wire, core: Core::default() })
    }

    /// The address under which other hosts reach it.
    pub fn local_address(&self) -> SocketAddr {
        self.wire.local_address()
    }

    /// A descriptor that is readable when something has arrived.
    pub fn file(&self) -> RawFd {
        self.wire.wait_fd()
    }

    /// Call this before the owner sleeps on the file.
    pub fn prepare_sleep(&mut self) {
        let _ = self.wire.prepare_sleep(UdpWire::now());
    }

    /// The peer at an address.
    ///
    /// # Errors
    /// It cannot be reached from this host.
    pub fn peer(&mut self, address: SocketAddr) -> Result<PeerId, Errno> {
        let peer = self.wire.connect(&address, REQUESTS).map_err(|error| {
            say(MessageLevel::Warn, &error.to_string());
            libc::EHOSTUNREACH
        })?;
        self.core.heard.insert(peer, Some(address));
        Ok(peer)
    }

    /// A receive waits for this peer: from now on the wire asks it for signs of life.
    pub fn await_messages(&mut self, port: &EndpointPort, address: SocketAddr) {
        // Arrived messages may say that the peer has closed. A peer that closes before a receive is
        // posted gets this question and does not answer any more.
        if !port.was_polled_since(LATELY_NS) {
            self.poll(port);
        }
        if self.core.awaited.insert(address, rough_now_ns()).is_none() {
            self.core.expected_changed.push(address);
            // An empty message: an answer to it, or the lack of one, shows whether the peer is
            // there.
            let command = RemoteCommand::Done { handle: 0, code: ReturnCode::Ok };
            if let Ok(peer) = self.wire.connect(&address, REQUESTS) {
                let _ = self.wire.send(peer, &command.encode(port.vni), &[], 0);
                let _ = self.wire.flush(UdpWire::now());
            }
        }
    }

    /// Stops asking peers for signs of life for which no receive waits any more.
    fn forget_awaited(&mut self, port: &EndpointPort, now: u64) {
        let Self { wire, core } = self;
        core.awaited_at = now;
        // A receive that is about to be posted is not in a list yet.
        let lately = rough_now_ns().saturating_sub(AWAITED_NS);
        let changed = &mut core.expected_changed;
        let waited_for = port.sources_waited_for();
        core.awaited.retain(|address, &mut posted| {
            let source = wire.connect(address, REQUESTS).map(|peer| REMOTE | peer.0);
            let is_awaited = posted > lately || source.is_ok_and(|source| waited_for.contains(&source));
            if !is_awaited {
                changed.push(*address);
            }
            is_awaited
        });
    }

    /// Handles what has arrived and sends the answers; returns whether anything arrived.
    pub fn poll(&mut self, port: &EndpointPort) -> bool {
        let now = UdpWire::now();
        if !self.core.once.is_empty() {
            self.give_up_once(port, now);
        }
        if !self.core.awaited.is_empty() && now.saturating_sub(self.core.awaited_at) > AWAITED_NS {
            self.forget_awaited(port, now);
        }
        let mut desk = RequestHandler { port, core: &mut self.core };
        desk.retry_held();
        let anything = self.wire.poll(now, &mut desk).unwrap_or_else(|error| {
            say(MessageLevel::Warn, &format!("the wire between hosts: {error}"));
            false
        });
        self.settle(port);
        if !self.core.early.is_empty() {
            let mut desk = RequestHandler { port, core: &mut self.core };
            desk.retry_early();
            self.settle(port);
        }
        anything
    }

    /// Sends pending answers.
    fn settle(&mut self, port: &EndpointPort) {
        let answers = std::mem::take(&mut self.core.answers);
        let is_idle = answers.is_empty();
        for answer in answers {
            if let Some(again) = self.answer(port, answer) {
                self.core.answers.push(again);
            }
        }
        for peer in std::mem::take(&mut self.core.expected_changed) {
            let is_asked = self.core.expected.get(&peer).is_some_and(|&expected| expected > 0);
            let expects = is_asked || self.core.awaited.contains_key(&peer);
            if let Ok(peer) = self.wire.connect(&peer, REQUESTS) {
                self.wire.expects(peer, expects);
            }
        }
        for peer in self.core.strangers.drain(..) {
            let Some(known) = self.core.heard.get_mut(&peer) else { continue };
            *known = self.wire.peer(peer).map(|(address, _)| address);
            if let Some((address, REQUESTS)) = self.wire.peer(peer) {
                port.name_remote(peer, address);
            }
        }
        if !is_idle {
            let _ = self.wire.flush(UdpWire::now());
        }
    }

    /// Sends an answer; returns what could not be sent now, to be sent later.
    fn answer(&mut self, port: &EndpointPort, answer: Answer) -> Option<Answer> {
        let Answer { to, command, bytes } = answer;
        let Ok(lane) = self.wire.connect(&to, ANSWERS) else { return None };
        self.core.heard.insert(lane, Some(to));
        let header = command.encode(port.vni);
        let (sent, bytes) = match bytes {
            Bytes::None => (self.wire.send(lane, &header, &[], 0), Bytes::None),
            Bytes::Own(own) if own.len() <= COPIED_MAX => (self.wire.send(lane, &header, &own, 0), Bytes::Own(own)),
            Bytes::Own(own) => {
                let (begin, length) = (own.as_ptr(), own.len() as u32);
                let token = self.core.add(Operation::Answer(own), to, false);
                // SAFETY: the bytes stay in their place until the operation is removed, which is
                // when the peer has them.
                let sent = unsafe { self.wire.send_from(lane, &header, begin, length, token) };
                let own = if sent.is_ok() { None } else { self.core.take(token) };
                let Some(Operation::Answer(own)) = own else { return None };
                (sent, Bytes::Own(own))
            }
            Bytes::Lent { address, length, handle } => {
                // SAFETY: the program has lent the bytes to the operation with this handle, which
                // ends when the peer has them.
                let begin = address as usize as *const u8;
                let sent = unsafe { self.wire.send_from(lane, &header, begin, length as u32, handle) };
                (sent, Bytes::Lent { address, length, handle })
            }
        };
        match sent {
            Err(TransportSendError::Busy) => Some(Answer { to, command, bytes }),
            Err(_) => {
                if let Bytes::Lent { handle, .. } = bytes
                    && let Some(Operation::Fetched(reply)) = self.core.take(handle)
                {
                    port.ended(&reply, ReturnCode::Undeliverable);
                }
                None
            }
            Ok(()) => None,
        }
    }

    /// Whether a message of this source has arrived and has found no room yet.
    pub fn holds(&self, source: u32) -> bool {
        self.core.held.keys().any(|peer| REMOTE | peer.0 == source)
    }

    /// Operations that have not ended, except messages that wait for a receive: those end only when
    /// the other program receives, possibly after it has sent as many itself.
    pub fn outstanding(&self) -> usize {
        self.core.outstanding.len() - self.core.offered
    }

    /// Waits a while until everything sent has arrived: nothing can be sent any more once `self` is
    /// gone.
    pub fn drain(&mut self, port: &EndpointPort) {
        self.settle(port);
        let mut desk = RequestHandler { port, core: &mut self.core };
        let _ = self.wire.drain(DRAIN_NS, &mut desk);
    }

    /// The wire's counts for one peer, of both lanes: datagrams sent, and segments retransmitted.
    pub fn counts_of(&mut self, address: SocketAddr) -> (u64, u64) {
        let mut sum = (0, 0);
        for lane in [REQUESTS, ANSWERS] {
            let counts = self.wire.connect(&address, lane).ok().and_then(|peer| self.wire.peer_counters(peer).copied());
            let (datagrams, again) = counts.map_or((0, 0), |counts| (counts.datagrams_sent, counts.retransmissions));
            sum = (sum.0 + datagrams, sum.1 + again);
        }
        sum
    }

    /// The wire's counts: datagrams sent and received, and retransmissions.
    pub fn counts(&self) -> philae_nic_core::transport::TransportCounters {
        self.wire.total()
    }
}

/// Polls an endpoint's wire while its program computes, so that other hosts get answers and do not
/// take it for dead. While the program polls, the thread sleeps and no arrival wakes it: a thread
/// that datagrams wake takes the processor from the thread that waits for them.
pub(crate) fn attend(weak: Weak<EndpointPort>) {
    let attend = move || {
        while let Some(port) = weak.upgrade() {
            if port.was_polled_since(ATTEND.as_nanos() as u64) {
                drop(port);
                std::thread::sleep(ATTEND);
                continue;
            }
            port.poll_remote();
            let prepare = |remote: &mut RemoteSide| {
                remote.prepare_sleep();
                Ok(remote.file())
            };
            let Ok(file) = port.with_remote(prepare) else { return };
            drop(port);
            let mut poll = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
            // SAFETY: one descriptor. It may be closed meanwhile; then the endpoint is gone, which
            // the loop checks.
            unsafe { libc::poll(&raw mut poll, 1, ATTEND_IDLE_MS) };
        }
    };
    let started = std::thread::Builder::new().name("philae-progress".to_owned()).spawn(attend);
    if started.is_err() {
        say(MessageLevel::Warn, "no thread can be started: other hosts are answered only when the program calls");
    }
}

/// The thread leaves the wire to the program if that has polled within this time. Source: ours; at
/// 1 ms a round trip took a third longer. Status: measured.
const ATTEND: Duration = Duration::from_millis(5);
/// If nothing arrives, the thread checks at this interval whether it is still needed, in ms.
/// Source: ours. Status: assumed.
const ATTEND_IDLE_MS: i32 = 20;
