//! The reliable transport between NICs of different hosts, as a state machine without input, output or clock.
//!
//! Invariants: every message that [`Transport::send`] took is given to the peer's handler once, whole and in order, or is
//! reported as undelivered, in bounded time once the peer is silent; memory is bounded by the parameters; a datagram that
//! is damaged, foreign, forged by somebody who does not read the wire, or left over from an earlier connection changes
//! nothing but counters.
//!
//! The driver gives datagrams in ([`Transport::receive`]), takes datagrams out ([`Transport::transmit`]), and calls
//! [`Transport::tick`] no later than [`Transport::next_wakeup`]. The wire format and the rules are in `docs/transport.md`.

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
pub use faults::{FaultSpec, FaultSpecError, Faults};
pub use header::{
    ACK_BYTES, Acknowledgement, DATA_BYTES, Datagram, FROM_BYTES, Greeting, HeaderError, Identity, ONCE_BYTES,
    RANGE_BYTES, RANGES_MAX, TRAFFIC_BYTES, Traffic, UNKNOWN_INDEX, seal,
};
pub use machine::{Transmit, Transport};
pub use parameters::TransportParameters;

/// Greatest header of a message, in bytes. Source: ours, four blocks of 64 B. Status: assumed.
pub const MESSAGE_HEADER_MAX: usize = 256;
/// Greatest payload that [`Payload::Copied`] takes, in bytes. Source: ours. Status: assumed.
pub const COPIED_MAX: usize = 1024;
/// Greatest message that is sent once, in bytes: it fits the least datagram. Source: [`DATAGRAM_LEAST`] less the headers
/// below. Status: derived.
pub const ONCE_MAX: usize = DATAGRAM_LEAST - TRAFFIC_BYTES - FROM_BYTES - ONCE_BYTES;
/// Least size of a datagram that a peer may be limited to, in bytes.
/// Source: RFC 791, what every host takes, 576 B, less the headers of IPv6 and UDP. Status: derived.
pub const DATAGRAM_LEAST: usize = 528;
/// Greatest size of a datagram, in bytes. Source: RFC 768 over IPv4: 65535 less 28. Status: published.
pub const DATAGRAM_MOST: usize = 65_507;

/// A peer of this NIC: an address and a lane. The number is an index and stays with the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u32);

/// The address of a NIC, in the driver's own form; equal NICs have equal addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(pub [u8; 28]);

/// The bytes that follow a message's header.
#[derive(Clone, Copy, Debug)]
pub enum Payload<'p> {
    /// Bytes that the caller keeps, unchanged, until the message is delivered or undelivered. The address is the caller's:
    /// [`Memory::read`] gets it back, moved on by the offset.
    At {
        /// Where.
        address: u64,
        /// How many, up to 2^32 - 1.
        bytes: u32,
    },
    /// Bytes that are copied now, up to [`COPIED_MAX`].
    Copied(&'p [u8]),
}

/// Where payloads lie.
pub trait Memory {
    /// Fills `out` from `address` on. Asked only for what a message in the queue described.
    fn read(&self, address: u64, out: &mut [u8]);

    /// The bytes from `address` on where they lie, for a driver that sends from there: they are not copied. By default none
    /// are given. Asked as `read`.
    fn lend(&self, _address: u64, _bytes: usize) -> Option<&[u8]> {
        None
    }
}

/// What becomes of a message that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Chunks and the end will follow.
    Accept,
    /// Not now: asked again at the next [`Transport::tick`]. What follows from this peer waits; the peer's window closes.
    Stall,
    /// Taken and dropped: no chunks, but the end follows, and the sender learns that it was delivered.
    Discard,
}

/// Why a peer or a message failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Nothing was heard from the peer for as long as the parameters allow.
    #[error("the peer does not answer")]
    Unreachable,
    /// The peer's host says that nobody listens there.
    #[error("nobody listens at the peer's address")]
    Gone,
    /// The peer closed.
    #[error("the peer closed its end")]
    Closed,
    /// Another NIC, or the same one begun anew, is at the peer's address.
    #[error("the peer began anew and knows nothing of what was sent to it")]
    Restarted,
    /// The peer's bytes make no sense though they come from it.
    #[error("the peer broke the protocol")]
    Protocol,
}

/// What the transport tells its caller.
///
/// Nothing of the transport can be called from inside; what a message asks for is sent after the call that brought it.
pub trait Handler {
    /// A message begins: its header (up to [`MESSAGE_HEADER_MAX`]) and how many bytes will follow.
    fn begin(&mut self, peer: PeerId, header: &[u8], payload_bytes: u32) -> Verdict;
    /// Bytes of the message that began, in order; never empty.
    fn chunk(&mut self, peer: PeerId, offset: u32, bytes: &[u8]);
    /// The message that began is whole.
    fn end(&mut self, peer: PeerId);
    /// The peer's handler has the whole message: its memory is the caller's again.
    fn delivered(&mut self, peer: PeerId, token: u64);
    /// A message that was sent once has come. Unlike others it may be lost, and comes in no order.
    fn once(&mut self, _peer: PeerId, _message: &[u8]) {}
    /// A message did not get through, or not as far as is known: its memory is the caller's again.
    fn undelivered(&mut self, peer: PeerId, token: u64, failure: Failure);
    /// The connection to the peer is over, after its messages were reported. A message that began will not end.
    fn failed(&mut self, peer: PeerId, failure: Failure);
}

/// A message that was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The queue to this peer is full: again after the next message was delivered.
    #[error("the queue to the peer is full")]
    Busy,
    /// The header is too long.
    #[error("a header of {0} B; at most 256 B go with a message")]
    Header(usize),
    /// The payload is too long to be copied.
    #[error("{0} B to copy; at most 1024 B are copied, more is sent from where it lies")]
    Copied(usize),
    /// The message is too long to be sent once.
    #[error("{0} B to send once; a message that is sent once goes in one datagram, of at most 476 B")]
    Once(usize),
    /// There is no such peer.
    #[error("no peer {0}; `connect` gives numbers of peers")]
    NoPeer(u32),
    /// The peer failed and was not connected anew.
    #[error("{0}")]
    Failed(Failure),
}

/// No place for one more peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} peers are known, which is the most (`peers_max`)")]
pub struct TooManyPeers(pub u32);

/// Parameters that make no sense together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("transport parameter `{name}` is {found}; it must be {wanted}")]
pub struct TransportParametersError {
    /// Which.
    pub name: &'static str,
    /// Its value.
    pub found: u64,
    /// What would do.
    pub wanted: &'static str,
}
