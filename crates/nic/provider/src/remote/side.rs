//! The remote side of an endpoint: its wire to other hosts, and the operations on it that have not
//! ended.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::os::fd::RawFd;

use philae_nic_core::nic::{MessageLanding, PortalKind, ReturnCode, UnexpectedMessage};

use super::command::RemoteCommand;
use crate::abi::Errno;
use crate::log::{MessageLevel, say, tell};
use crate::operation::CompletionTarget;
use crate::udp::{PeerId, UdpWire, WireConfig};

/// Marks the source of messages from other hosts; the rest is the peer's number on the wire.
pub(crate) const REMOTE: u32 = 1 << 31;
/// Requests may be stalled.
pub(super) const REQUESTS: u8 = 0;
/// Answers are never stalled.
pub(super) const ANSWERS: u8 = 1;

/// An operation that has not ended.
#[expect(clippy::large_enum_variant, reason = "the large one is a long message, for which nothing is allocated")]
pub(super) enum WireOperation {
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

pub(super) struct Outstanding {
    pub(super) operation: WireOperation,
    pub(super) peer: SocketAddr,
    /// Whether an answer is expected.
    pub(super) is_answered: bool,
}

/// A command to send by the lane of answers.
pub(super) struct WireAnswer {
    pub(super) to: SocketAddr,
    pub(super) command: RemoteCommand,
    pub(super) bytes: AnswerBytes,
}

pub(super) enum AnswerBytes {
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
    pub(super) wire: UdpWire,
    pub(super) core: Core,
}

/// All except the wire: the state that the request handler uses while the wire calls it.
#[derive(Default)]
pub(super) struct Core {
    pub(super) outstanding: HashMap<u64, Outstanding>,
    /// How many of them are messages that no receive has taken yet.
    pub(super) offered: usize,
    next_handle: u64,
    pub(super) answers: Vec<WireAnswer>,
    pub(super) arriving: HashMap<PeerId, Arriving>,
    pub(super) held: HashMap<PeerId, DeferredMessage>,
    pub(super) expectations: Expectations,
    /// Peers that have sent something, and their addresses once they are known.
    pub(super) heard: HashMap<PeerId, Option<SocketAddr>>,
    /// Peers whose addresses are to be queried.
    pub(super) strangers: Vec<PeerId>,
    /// Operations that were sent once and wait for their answer, with their deadlines, in this
    /// order.
    pub(super) once: VecDeque<(u64, u64)>,
    /// Messages sent once by peers whose address is being queried.
    pub(super) early: Vec<(PeerId, Box<[u8]>)>,
}

/// The peers that something is expected from: the wire asks them for signs of life.
#[derive(Default)]
pub(super) struct Expectations {
    /// The number of expected answers by peer.
    pub(super) answers: HashMap<SocketAddr, usize>,
    /// Peers for whose messages a receive waits, and when the last such receive was posted.
    pub(super) receives: HashMap<SocketAddr, u64>,
    /// When the receives that still wait were last checked.
    pub(super) checked_at: u64,
    /// The peers for which that has changed.
    pub(super) changed: Vec<SocketAddr>,
}

impl Core {
    pub(super) fn add(&mut self, operation: WireOperation, peer: SocketAddr, is_answered: bool) -> u64 {
        self.next_handle += 1;
        self.offered += usize::from(matches!(operation, WireOperation::Offered { .. }));
        self.outstanding.insert(self.next_handle, Outstanding { operation, peer, is_answered });
        if is_answered {
            let expected = self.expectations.answers.entry(peer).or_default();
            *expected += 1;
            if *expected == 1 {
                self.expectations.changed.push(peer);
            }
        }
        self.next_handle
    }

    /// Puts back an operation that continues in another form and expects no answer any more.
    pub(super) fn put_back(&mut self, handle: u64, operation: WireOperation, peer: SocketAddr) {
        self.offered += usize::from(matches!(operation, WireOperation::Offered { .. }));
        self.outstanding.insert(handle, Outstanding { operation, peer, is_answered: false });
    }

    pub(super) fn take(&mut self, handle: u64) -> Option<WireOperation> {
        let Outstanding { operation, peer, is_answered } = self.outstanding.remove(&handle)?;
        self.offered -= usize::from(matches!(operation, WireOperation::Offered { .. }));
        if is_answered && let Some(expected) = self.expectations.answers.get_mut(&peer) {
            *expected -= 1;
            if *expected == 0 {
                self.expectations.changed.push(peer);
            }
        }
        Some(operation)
    }

    /// The address of a peer that has sent something; queries it if it is not known.
    pub(super) fn address_of(&mut self, peer: PeerId) -> Option<SocketAddr> {
        let known = *self.heard.entry(peer).or_default();
        if known.is_none() {
            self.strangers.push(peer);
        }
        known
    }

    /// The operation with this handle, if it is one with this peer: no peer can end another's
    /// operation.
    pub(super) fn of_peer(&self, handle: u64, peer: SocketAddr) -> Option<&WireOperation> {
        self.outstanding.get(&handle).filter(|outstanding| outstanding.peer == peer).map(|found| &found.operation)
    }
}

/// A message that is arriving.
pub(super) struct Arriving {
    pub from: SocketAddr,
    pub vni: u16,
    pub command: RemoteCommand,
    /// Bytes that follow.
    pub payload: u32,
    /// Bytes that are written to their place when all have arrived.
    pub gathered: Vec<u8>,
    pub code: ReturnCode,
}

/// A message that found no room; later ones wait.
pub(super) struct DeferredMessage {
    pub arrival: UnexpectedMessage,
    pub kind: PortalKind,
    pub vni: u16,
    pub bytes: Vec<u8>,
    pub from: SocketAddr,
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

    /// Whether a message of this source has arrived and has found no room yet.
    pub fn holds(&self, source: u32) -> bool {
        self.core.held.keys().any(|peer| REMOTE | peer.0 == source)
    }

    /// Operations that have not ended, except messages that wait for a receive: those end only when
    /// the other program receives, possibly after it has sent as many itself.
    pub fn outstanding(&self) -> usize {
        self.core.outstanding.len() - self.core.offered
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
