//! TCP between two ranks: windows, acknowledgements and the receive buffer.
//!
//! The shape of it:
//! - A connection joins two ranks in one class. Each end has a [`TcpEnd`], which sends and receives
//!   a stream of bytes. Two-sided data takes it where the host's path is the kernel, or a
//!   third-party end speaks TCP. A message without payload counts as [`shown_bytes`].
//! - **The sender** sends its messages one after the other. The first is in the NIC's ring while
//!   the next segment fits both windows, and waits outside it otherwise: the NIC's own loop does
//!   not know TCP. Bytes sent but not acknowledged never exceed the congestion window or the window
//!   that the receiver has told.
//! - **The receiver** counts what arrives in order. It keeps the bytes until its core has copied
//!   them: the software behind the socket reads as soon as the core is free, a kernel's segment at
//!   a time, whether or not a receive has been posted. So a core that computes, or copies something
//!   else, does not read, and the window closes.
//! - **Acknowledgements** are packets (`response.rs`) of the connection's class. One answers each
//!   `ack_segments` segments, or from the second on the last before a pause: there an offload that
//!   merges segments hands them on. The rest wait for a timer or go with data of the other
//!   direction. A reader that frees room sends one if the window is twice as large as the sender
//!   knows, as Linux does. Making one and taking one costs core time.
//! - What an acknowledgement opens reaches the NIC after the time of reception, of the core, and of
//!   a command with a read of its data.
//!
//! In runs that cannot lose packets, nothing has to be sent again and no window update is lost:
//! there is no retransmission timer and no window probe. Not modelled: the handshake, automatic
//! tuning of the buffer, offloads that merge segments before they are acknowledged. A run that may
//! lose packets is refused.

mod handlers;

use std::collections::{BTreeMap, VecDeque};

use philae_nic_model::{HostPath, RenoWindow, TcpParameters, ThirdPartyTransport};
use philae_topology::Topology;
use philae_units::JobId;
use serde::{Deserialize, Serialize};

use crate::model::config::FabricConfig;
use crate::model::edge::{NicKind, NicKinds};
use crate::model::error::FabricError;
use crate::model::fabric_gateway::FabricGateways;
use crate::model::output::NO_TIME;
use crate::model::packet::{Packet, PacketPurpose, SegmentHead};
use crate::model::shared::Shared;

/// Bytes on the wire of a packet without payload: a request, or an empty message, is more than
/// nothing to a socket. Source: as the envelope of a SEND in captures. Status: assumed.
const EMPTY_LEN: u32 = 16;

/// Bytes that a packet carries on a socket.
#[must_use]
pub const fn shown_bytes(payload: u32) -> u32 {
    if payload == 0 { EMPTY_LEN } else { payload }
}

/// What happens to a connection at a time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TcpStep {
    /// A segment with data is visible to the kernel.
    Arrived,
    /// The kernel has taken what another segment said about this end's stream.
    Heard,
    /// The core has read a part of what the buffer held.
    Read,
    /// The core has taken a message, and all before it.
    Taken,
    /// An acknowledgement may have waited for long enough.
    AckTimer,
}

/// A segment on its way from its NIC to the kernel.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Arriving {
    bytes: u32,
    /// With it, the core has something to copy of a message.
    begins: bool,
}

/// What another segment said: an acknowledgement.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Heard {
    /// Bytes that have arrived there.
    acknowledged: u64,
    /// The first byte that the other end has no room for.
    edge: u64,
    /// It came without data: taking it costs core time.
    is_pure: bool,
}

/// One end of a connection. Positions count the bytes of a stream from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TcpEnd {
    /// Endpoint and rank (over all jobs) of this end.
    own: (u32, u32),
    /// Those of the other end.
    peer: (u32, u32),
    class: u8,
    job: JobId,
    /// Payload of a full segment.
    segment_bytes: u32,

    /// Messages to send, in order.
    queue: VecDeque<u32>,
    /// The first of them is in the NIC's ring, or is being sent.
    in_ring: bool,
    sent: u64,
    acknowledged: u64,
    /// The first byte that the other end has no room for.
    edge: u64,
    window: RenoWindow,
    /// What other segments have said, until this end takes it.
    heard: VecDeque<Heard>,
    /// The most that any of them said.
    heard_most: (u64, u64),

    /// Bytes of the other stream that have reached the NIC.
    delivered: u64,
    /// Segments that have, and that the kernel does not see yet.
    arriving: VecDeque<Arriving>,
    /// Bytes of the other stream that the kernel has.
    received: u64,
    /// Those of them that the core has copied: the buffer holds the rest.
    read: u64,
    /// Where the core is when it has read what it is reading; `read` if it does not read.
    reading_to: u64,
    /// The first byte that this end has said it has no room for.
    told: u64,
    /// Segments that have not been acknowledged.
    unanswered: u32,
    /// When they are at the latest, in picoseconds; `NO_TIME` if there are none.
    answer_by: u64,
    /// A timer is due; `NO_TIME` if there is none.
    timer_at: u64,
    /// Acknowledgements that the core has made since it began with the message that is arriving.
    unpaid: u32,
    /// Ends of the messages that the core is taking, in the order of its work.
    taken: VecDeque<u64>,
}

impl TcpEnd {
    fn new(
        parameters: &TcpParameters,
        (own, peer): ((u32, u32), (u32, u32)),
        (class, job): (u8, JobId),
        segment_bytes: u32,
    ) -> Self {
        let buffer = u64::from(parameters.receive_buffer_bytes);
        Self {
            own,
            peer,
            class,
            job,
            segment_bytes,
            queue: VecDeque::new(),
            in_ring: false,
            sent: 0,
            acknowledged: 0,
            edge: buffer,
            window: RenoWindow::new(parameters, segment_bytes),
            heard: VecDeque::new(),
            heard_most: (0, buffer),
            delivered: 0,
            arriving: VecDeque::new(),
            received: 0,
            read: 0,
            reading_to: 0,
            told: buffer,
            unanswered: 0,
            answer_by: NO_TIME,
            timer_at: NO_TIME,
            unpaid: 0,
            taken: VecDeque::new(),
        }
    }

    /// Whether a segment of `bytes` fits both windows.
    const fn admits(&self, bytes: u32) -> bool {
        let after = self.sent + bytes as u64;
        after <= self.edge && after <= self.acknowledged.saturating_add(self.window.bytes())
    }

    /// Whether the window, or an earlier message, keeps a message out of the NIC's ring.
    pub fn holds(&self, message: u32) -> bool {
        !(self.in_ring && self.queue.front() == Some(&message))
    }

    /// Room beyond what has arrived: what there is, and what the other end knows of.
    const fn room(&self, buffer: u64) -> (u64, u64) {
        (self.read + buffer - self.received, self.told - self.received)
    }

    /// Whether the other end should know that there is more room: twice as much as it knows, and at
    /// least another segment. Source: Linux's `tcp_cleanup_rbuf`; RFC 9293, 3.8.6.2.2. Status:
    /// published.
    const fn has_news(&self, buffer: u64) -> bool {
        let (room, known) = self.room(buffer);
        room >= 2 * known && room >= known + self.segment_bytes as u64
    }

    /// The head of the next segment, which has `bytes` of data.
    fn next_segment(&mut self, bytes: u32, buffer: u64) -> SegmentHead {
        let sequence = self.sent as u32;
        self.sent += u64::from(bytes);
        (self.told, self.unanswered, self.answer_by) = (self.read + buffer, 0, NO_TIME);
        SegmentHead {
            source_rank: self.own.1,
            destination_rank: self.peer.1,
            sequence,
            acknowledgement: self.received as u32,
            window: (self.told - self.received) as u32,
        }
    }

    /// What breaks a law of the connection; nothing if none is broken.
    pub fn fault(&self, buffer: u64) -> Option<String> {
        let Self { own, peer, sent, acknowledged, edge, delivered, received, read, told, .. } = self;
        let name = format!("TCP of rank {} (of all jobs) to rank {}", own.1, peer.1);
        if acknowledged > sent || sent > edge {
            return Some(format!(
                "{name}: {acknowledged} bytes are acknowledged and {sent} sent, with room up to {edge}"
            ));
        }
        if read > received || received > delivered || delivered > told || *told > read + buffer {
            return Some(format!(
                "{name}: {delivered} bytes have arrived, the kernel has {received} and {read} are read; a buffer of {buffer} was promised up to {told}"
            ));
        }
        None
    }

    /// Memory held, in bytes.
    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.queue.capacity() * size_of::<u32>()
            + self.heard.capacity() * size_of::<Heard>()
            + self.arriving.capacity() * size_of::<Arriving>()
            + self.taken.capacity() * size_of::<u64>()
    }
}

/// The position of a wire's number, near `position`.
fn position_of(number: u32, position: u64) -> u64 {
    position.wrapping_add_signed(i64::from(number.wrapping_sub(position as u32) as i32))
}

/// The ends of TCP connections of a partition's ranks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TcpEnds {
    /// By own rank, the other's, and class.
    of_ranks: BTreeMap<(u32, u32, u8), u32>,
    ends: Vec<TcpEnd>,
    /// When each rank's core has read what it has begun to read, in picoseconds.
    readers: BTreeMap<u32, u64>,
    /// Bytes of segments that have been sent, have arrived and were lost, for audits.
    pub totals: [u64; 3],
}

impl TcpEnds {
    /// The ends.
    pub fn all(&self) -> &[TcpEnd] {
        &self.ends
    }

    /// The end of a rank's connection, if it has one.
    pub fn find(&self, own: u32, peer: u32, class: u8) -> Option<u32> {
        self.of_ranks.get(&(own, peer, class)).copied()
    }

    /// Whether the connection keeps a message out of its NIC's ring.
    pub fn holds(&self, end: u32, message: u32) -> bool {
        self.ends[end as usize].holds(message)
    }

    /// Breaks the law of windows, for a test of audits: a sender has less room than it has used.
    #[cfg(test)]
    pub fn promise_less(&mut self) {
        self.ends.iter_mut().filter(|end| end.sent > 0).for_each(|end| end.edge = end.sent - 1);
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.ends.iter().map(TcpEnd::memory_bytes).sum::<usize>() + self.of_ranks.len() * 32 + self.readers.len() * 24
    }
}

/// Bytes that a packet carries on a TCP connection; 0 if it is no data of one.
pub const fn stream_bytes(packet: &Packet) -> u64 {
    if packet.segment.is_some() && matches!(packet.kind.purpose, PacketPurpose::Eager) {
        shown_bytes(packet.payload_bytes as u32) as u64
    } else {
        0
    }
}

/// Whether two-sided data between the system's own NICs takes connections with windows.
pub fn is_of_sockets(config: &FabricConfig) -> bool {
    config.laws.tcp.is_some() && config.host.path == HostPath::Kernel
}

/// Whether a host or an endpoint speaks TCP.
pub fn is_spoken(config: &FabricConfig, kinds: &NicKinds) -> bool {
    let is_tcp = |kind: &NicKind| {
        kind.ethernet.as_ref().is_some_and(|(parameters, _)| parameters.transport == ThirdPartyTransport::Tcp)
    };
    config.host.path == HostPath::Kernel || kinds.all().iter().any(is_tcp)
}

/// Whether connections can have windows in this run.
///
/// # Errors
/// [`FabricError::Parameter`] for what cannot have them.
pub fn check(
    config: &FabricConfig,
    kinds: &NicKinds,
    topology: &Topology,
    is_reliable: bool,
) -> Result<(), FabricError> {
    let Some(tcp) = &config.laws.tcp else { return Ok(()) };
    let refuse =
        |found: &str, works| Err(FabricError::Parameter { what: "hardware.tcp", found: found.to_owned(), works });
    let without = "the same without it, or without hardware.tcp: then no window limits a sender";
    if !FabricGateways::of(topology).is_empty() {
        return refuse("a system with gateways between fabrics", without);
    }
    if is_reliable {
        return refuse("a run that may lose packets", without);
    }
    let segment = kinds.forms().iter().map(|form| form.payload_max_bytes).max().unwrap_or(0);
    match tcp.fault(segment) {
        Some((what, found, works)) => Err(FabricError::Parameter { what, found: found.to_string(), works }),
        None => Ok(()),
    }
}

impl Shared {
    /// Whether two-sided data between two endpoints goes over TCP. A third-party end decides it.
    pub fn speaks_tcp(&self, source: u32, destination: u32) -> bool {
        let third_party = |endpoint| self.kind(endpoint).ethernet.as_ref().map(|(parameters, _)| parameters.transport);
        let transport = match self.kinds.are_mixed() {
            true => third_party(source).or(third_party(destination)),
            false => None,
        };
        transport.map_or(self.config.host.path == HostPath::Kernel, |transport| transport == ThirdPartyTransport::Tcp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end() -> TcpEnd {
        let parameters = TcpParameters { receive_buffer_bytes: 10_000, ..TcpParameters::linux() };
        TcpEnd::new(&parameters, ((0, 0), (1, 1)), (0, JobId(0)), 1_000)
    }

    #[test]
    fn numbers_wrap_and_positions_do_not() {
        let wrapped = 1_u64 << 32;
        assert_eq!(position_of(5, wrapped - 10), wrapped + 5);
        assert_eq!(position_of(u32::MAX, wrapped + 3), wrapped - 1);
        assert_eq!(position_of(7, 7), 7);
    }

    #[test]
    fn both_windows_limit_a_sender() {
        let mut end = end();
        end.sent = 9_000;
        assert!(end.admits(1_000) && !end.admits(1_001));
        end.edge = 9_500;
        assert!(!end.admits(1_000) && end.admits(500));
        end.edge = 20_000;
        assert!(!end.admits(1_001), "the congestion window has ten segments");
    }

    #[test]
    fn news_of_room_is_worth_a_segment_if_it_doubles_the_window() {
        let mut end = end();
        (end.received, end.read, end.told) = (8_000, 0, 10_000);
        assert!(!end.has_news(10_000), "nothing was read");
        end.read = 1_999;
        assert!(!end.has_news(10_000), "3,999 bytes are not twice 2,000");
        end.read = 2_000;
        assert!(end.has_news(10_000));
        (end.received, end.read) = (10_000, 999);
        assert!(!end.has_news(10_000), "less than a segment");
    }

    #[test]
    fn broken_laws_are_faults() {
        let fault = |change: fn(&mut TcpEnd)| {
            let mut end = end();
            change(&mut end);
            end.fault(10_000).is_some()
        };
        assert!(!fault(|_| {}));
        assert!(fault(|end| end.sent = 10_001), "beyond the window");
        assert!(fault(|end| end.acknowledged = 1), "acknowledged before it was sent");
        assert!(fault(|end| end.read = 1), "read before it arrived");
        assert!(fault(|end| end.delivered = 10_001), "more than was promised");
        assert!(fault(|end| end.told = 10_001), "more than the buffer");
    }
}
