//! The reliable transport between NICs of different hosts, as a state machine without input, output
//! or clock.
//!
//! Invariants: every message that [`Transport::send`] accepted is given to the peer's handler once,
//! whole and in order, or is reported as undelivered, in bounded time once the peer is silent.
//! Memory is bounded by the parameters. A datagram changes nothing but counters if it is damaged,
//! foreign, left over from an earlier connection, or forged by a host that cannot read the wire.
//!
//! The driver gives datagrams in ([`Transport::receive`]), takes datagrams out
//! ([`Transport::transmit`]), and calls [`Transport::tick`] no later than
//! [`Transport::next_wakeup`]. The wire format and the rules are in `docs/nic/transport.md`.

mod congestion;
mod counters;
mod faults;
mod header;
mod key;
mod machine;
mod once;
mod parameters;
mod peer;
mod receiving;
mod rtt;
mod sending;

pub use counters::TransportCounters;
pub use faults::{FaultSpec, FaultSpecError, FaultyWire};
pub use header::{
    ACK_BYTES, Acknowledgement, ConnectionEnd, ConnectionTraffic, DATA_BYTES, Datagram, FROM_BYTES, Greeting,
    HeaderError, ONCE_BYTES, RANGE_BYTES, RANGES_MAX, TRAFFIC_BYTES, UNKNOWN_INDEX, seal,
};
pub use machine::{OutgoingDatagram, Transport};
pub use parameters::TransportParameters;

/// Largest header of a message, in bytes. Source: ours, four blocks of 64 B. Status: assumed.
pub const MESSAGE_HEADER_MAX: usize = 256;
/// Largest payload that [`Payload::Copied`] takes, in bytes. Source: ours. Status: assumed.
pub const COPIED_MAX: usize = 1024;
/// Largest message that is sent once, in bytes: it fits the smallest datagram. Source:
/// [`DATAGRAM_LEAST`] less the headers below. Status: derived.
pub const ONCE_MAX: usize = DATAGRAM_LEAST - TRAFFIC_BYTES - FROM_BYTES - ONCE_BYTES;
/// The smallest limit on datagrams that a peer may have, in bytes.
/// Source: RFC 791, what every host accepts, 576 B, less the headers of IPv6 and UDP. Status:
/// derived.
pub const DATAGRAM_LEAST: usize = 528;
/// Largest size of a datagram, in bytes. Source: RFC 768 over IPv4: 65535 less 28. Status:
/// published.
pub const DATAGRAM_MOST: usize = 65_507;

/// A peer of this NIC: an address and a lane. The number is an index and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u32);

/// The address of a NIC, in the driver's own form; equal NICs have equal addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NicAddress(pub [u8; 28]);

/// The payload of a message, which follows its header.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'p> {
    /// Bytes that the caller keeps unchanged until the message is delivered or undelivered. The
    /// address is the caller's: [`PayloadMemory::read`] gets it back, plus the offset.
    At {
        /// The address of the first byte.
        address: u64,
        /// The number of bytes, up to 2^32 - 1.
        bytes: u32,
    },
    /// Bytes that are copied in the call, up to [`COPIED_MAX`].
    Copied(&'p [u8]),
}

/// Access to the memory that payloads lie in.
pub trait PayloadMemory {
    /// Fills `out` from `address`. Called only for memory that a queued message described.
    fn read(&self, address: u64, out: &mut [u8]);

    /// Lends the bytes at `address`, for a driver that sends from there without a copy. The default
    /// lends none. Called for the same memory as `read`.
    fn lend(&self, _address: u64, _bytes: usize) -> Option<&[u8]> {
        None
    }
}

/// The handler's decision on an arriving message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerDecision {
    /// Accept it: chunks and the end will follow.
    Accept,
    /// Not now: the transport asks again at the next [`Transport::tick`]. Later messages of this
    /// peer wait, and the peer's window closes.
    Stall,
    /// Accept and drop it: no chunks, but the end follows, and the sender learns that it was
    /// delivered.
    Discard,
}

/// Why a peer or a message failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportFailure {
    /// Nothing was heard from the peer for as long as the parameters allow.
    #[error("the peer does not answer")]
    Unreachable,
    /// The peer's host reports that no process listens there.
    #[error("no process listens at the peer's address: start the peer, or connect to its new address")]
    Gone,
    /// The peer closed.
    #[error("the peer closed its end")]
    Closed,
    /// Another NIC, or a restart of the same one, is at the peer's address.
    #[error("the peer restarted and lost what was sent to it; connect to it again")]
    Restarted,
    /// The peer itself sent bytes that violate the protocol.
    #[error("the peer broke the protocol")]
    Protocol,
}

/// Reports from the transport to its caller.
///
/// These methods must not call the transport. The caller sends any reply after the call that
/// brought the message.
pub trait Handler {
    /// A message begins: its header (up to [`MESSAGE_HEADER_MAX`]) and how many bytes will follow.
    fn begin(&mut self, peer: PeerId, header: &[u8], payload_bytes: u32) -> HandlerDecision;
    /// Bytes of the message that began, in order; never empty.
    fn chunk(&mut self, peer: PeerId, offset: u32, bytes: &[u8]);
    /// The current message is complete.
    fn end(&mut self, peer: PeerId);
    /// The peer's handler has the whole message: its memory belongs to the caller again.
    fn delivered(&mut self, peer: PeerId, token: u64);
    /// A message that was sent once has arrived. Such messages may be lost and arrive in any order.
    fn once(&mut self, _peer: PeerId, _message: &[u8]) {}
    /// A message was not delivered, as far as is known: its memory belongs to the caller again.
    fn undelivered(&mut self, peer: PeerId, token: u64, failure: TransportFailure);
    /// The connection to the peer has ended, after its messages were reported. A message that has
    /// begun will not end.
    fn failed(&mut self, peer: PeerId, failure: TransportFailure);
}

/// Why a message was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportSendError {
    /// The queue to this peer is full: try again after the next message is delivered.
    #[error("the queue to the peer is full")]
    Busy,
    /// The header is too long.
    #[error("a header of {0} B; at most 256 B go with a message")]
    Header(usize),
    /// The payload is too long to be copied.
    #[error("{0} B to copy; at most 1024 B are copied; a longer payload is sent from the caller's memory")]
    Copied(usize),
    /// The message is too long to be sent once.
    #[error("{0} B to send once; a message that is sent once goes in one datagram, of at most 476 B")]
    Once(usize),
    /// There is no such peer.
    #[error("no peer {0}; `connect` gives numbers of peers")]
    NoPeer(u32),
    /// The peer failed and has not been connected again.
    #[error("{0}")]
    Failed(TransportFailure),
}

/// The NIC has the most peers that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} peers are known, which is the most (`peers_max`)")]
pub struct TooManyPeers(pub u32);

/// The parameters are inconsistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("transport parameter `{name}` is {found}; it must be {wanted}")]
pub struct TransportParametersError {
    /// The name of the parameter.
    pub name: &'static str,
    /// Its value.
    pub found: u64,
    /// The values that would work.
    pub wanted: &'static str,
}
