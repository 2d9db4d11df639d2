//! A packet in flight, and the messages at both ends.

pub use philae_nic_model::PacketPurpose;
use philae_path::RouteState;
use philae_switch::port::PacketLinks;
use philae_units::{ClassId, JobId};

use crate::memory::slab::NO_INDEX;

/// The frame number of a packet that is not on a link.
pub const NO_FRAME: u16 = u16::MAX;

/// A packet in flight. What every hop reads comes first and fills one cache line; what the ends
/// read fills the next.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Packet {
    /// When its last bit is in the present switch, on the scale of header arrivals, in picoseconds.
    pub tail: u64,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// The buffer and the queue that it is in.
    pub place: PacketPlace,
    /// What concerns its flow at the ingress port.
    pub ingress: FlowPacket,
    pub route: RouteState,
    /// Bytes on a fabric link.
    pub wire_bytes: u16,
    pub payload_bytes: u16,
    /// How it is to be handled.
    pub kind: PacketKind,
    /// Switches that it has visited, including the present one.
    pub hops: u8,
    /// What it carries of its message.
    pub part: MessagePart,
    /// What it says as a segment of a TCP connection.
    pub segment: SegmentHead,
}

// The boundary of the two cache lines. The message's part lies behind the first.
const _: () = assert!(size_of::<Packet>() == 128 && std::mem::offset_of!(Packet, part) == 64);

/// The buffer and the queue that a packet is in.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct PacketPlace {
    /// Input port whose buffer has it, or to which it is on its way; `NO_INDEX` once it is on its
    /// way to its NIC.
    pub port: u32,
    /// Output port that it waits for; `NO_INDEX` if it does not wait.
    pub queued_for: u32,
    /// Its frame number while it is on a link that is modelled frame by frame.
    pub frame: u16,
    /// Channel whose buffer space it holds in the present switch.
    pub input_channel: u8,
    /// Channel of the output for which it is queued.
    pub channel: u8,
}

/// A packet of a flow: what the flow's ingress port and its acknowledgement need.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct FlowPacket {
    /// Time that an acknowledgement needs back to the ingress port, in picoseconds.
    pub ack_delay: u32,
    /// Flow at the ingress port, in the slab of the ingress port's partition.
    pub flow: u32,
    /// Its number in its flow (wrapping): part of the identity of its acknowledgement.
    pub sequence: u16,
    /// Its flow was free (not held) when it entered the fabric.
    pub free_flow: bool,
    /// It has left the fabric, and its acknowledgement is on its way.
    pub egressed: bool,
}

/// How a packet is to be handled.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct PacketKind {
    /// Traffic class.
    pub class: u8,
    /// Traffic class in which its NIC sent it; the packet engine may have changed `class`.
    pub sent_class: u8,
    /// Purpose of its message.
    pub purpose: PacketPurpose,
    /// Marked by ECN.
    pub marked: bool,
    /// By what switches choose its path, where they choose by that.
    pub entropy: u16,
}

/// What a packet carries of its message.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct MessagePart {
    /// When its first bit left the NIC, in picoseconds.
    pub injected: u64,
    /// Receiver's record of the message. If `foreign`, the number that its NIC gave the message; in
    /// a collective tree, the packet's contents; in a response, see
    /// [`ResponseContent`](super::response::ResponseContent).
    pub message: u32,
    /// Its number at its NIC, in runs that may lose packets; in a collective tree, the holder of
    /// its buffer.
    pub number: u32,
    /// Its place in its connection if its class is ordered, else in its message; in a response,
    /// what it answers.
    pub order: u32,
    pub job: JobId,
    /// `message` is the source NIC's number, because the receiver's record is in another partition.
    pub foreign: bool,
    /// Its connection starts again with it.
    pub opens: bool,
    /// What it says to the other NIC's transport (Ultra Ethernet).
    pub uet: UetHead,
}

/// What a packet of Ultra Ethernet's transport says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UetHead {
    /// What its sender wants credit for, in units, since the context began.
    pub wanted: u32,
    /// The sender waits for none of the packets before this one.
    pub cleared: u32,
    /// Number of its context at its NIC.
    pub context: u16,
    /// Whether it asks for an acknowledgement at once.
    pub asks: bool,
    /// Whether a switch has cut it down to its header.
    pub trimmed: bool,
    /// Whether it is the last of its message.
    pub is_last: bool,
}

/// The head of a TCP segment, in runs in which connections have windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SegmentHead {
    /// Sending rank, over all jobs; `NO_INDEX` if the packet is no such segment.
    pub source_rank: u32,
    /// Receiving rank.
    pub destination_rank: u32,
    /// Number of its first byte in the stream (wrapping, from 0).
    pub sequence: u32,
    /// The byte of the other stream that its sender expects next (wrapping).
    pub acknowledgement: u32,
    /// Bytes for which its sender has room from there on.
    pub window: u32,
}

impl SegmentHead {
    /// That of a packet which is none.
    pub const NONE: Self =
        Self { source_rank: NO_INDEX, destination_rank: NO_INDEX, sequence: 0, acknowledgement: 0, window: 0 };

    /// Whether there is one.
    #[inline]
    pub const fn is_some(&self) -> bool {
        self.source_rank != NO_INDEX
    }
}

/// Key of a message that another partition has announced: its source, and its number there.
#[inline]
pub const fn foreign_key(source: u32, number: u32) -> u64 {
    (source as u64) << 32 | number as u64
}

/// The key of a packet's flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowEnds {
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Traffic class.
    pub class: u8,
}

/// What an acknowledgement tells the ingress of a packet's flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowReceipt {
    /// Flow at the ingress port.
    pub flow: u32,
    /// The flow's key.
    pub ends: FlowEnds,
    /// The packet's number in the flow.
    pub sequence: u16,
    /// Bytes that have left the fabric.
    pub bytes: u32,
    /// Time that the acknowledgement needs back to the ingress port, in picoseconds.
    pub delay: u32,
}

/// A packet that its NIC may have to send again: its ends and class, and its number. Ultra
/// Ethernet's transport numbers the packets between two NICs in a class, others those of a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct SentKey {
    pub source: u32,
    pub destination: u32,
    pub class: u8,
    pub number: u32,
}

impl SentKey {
    /// Of a packet.
    pub const fn of(packet: &Packet) -> Self {
        let Packet { source, destination, .. } = *packet;
        Self { source, destination, class: packet.kind.class, number: packet.part.number }
    }
}

impl Packet {
    /// A packet that its NIC puts on the wire to `port` of its switch, as `channel`: from and to
    /// these endpoints, `wire_bytes` long with `payload_bytes` of data.
    ///
    /// # Panics
    /// If it has 64 KiB or more: our mistake, since no form of packet is that long.
    #[inline]
    pub fn leaving(
        (source, destination): (u32, u32),
        (port, channel): (u32, u8),
        (wire_bytes, payload_bytes): (u32, u32),
        kind: PacketKind,
        part: MessagePart,
    ) -> Self {
        Self {
            tail: 0,
            source,
            destination,
            place: PacketPlace { port, queued_for: NO_INDEX, frame: NO_FRAME, input_channel: channel, channel },
            ingress: FlowPacket { ack_delay: 0, flow: NO_INDEX, sequence: 0, free_flow: true, egressed: false },
            route: RouteState::default(),
            wire_bytes: u16::try_from(wire_bytes).expect("a packet is smaller than 64 KiB"),
            payload_bytes: payload_bytes as u16,
            kind,
            hops: 0,
            part,
            segment: SegmentHead::NONE,
        }
    }

    /// The key of its flow.
    #[inline]
    pub const fn flow_ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.kind.class }
    }

    /// The contents of its acknowledgement; `None` if its flow is not tracked.
    #[inline]
    pub fn receipt(&self) -> Option<FlowReceipt> {
        let (flow, ends, sequence, delay) =
            (self.ingress.flow, self.flow_ends(), self.ingress.sequence, self.ingress.ack_delay);
        (flow != NO_INDEX).then(|| FlowReceipt { flow, ends, sequence, bytes: u32::from(self.wire_bytes), delay })
    }
}

/// The column of queue links next to the packets.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Links(Vec<u32>);

impl Links {
    /// Reserves address space for the links of `slots` slots, as
    /// [`Slab::expect`](crate::memory::slab::Slab::expect).
    pub fn expect(&mut self, slots: usize) {
        crate::memory::slab::expect(&mut self.0, slots);
    }

    /// Makes room for the slots of a slab.
    #[inline]
    pub fn cover(&mut self, slot: u32) {
        if self.0.len() <= slot as usize {
            self.0.resize(slot as usize + 1, NO_INDEX);
        }
    }

    /// The packet behind `packet` in its queue, or none.
    #[inline]
    pub fn prefetched_next(&self, packet: u32) -> u32 {
        self.0.get(packet as usize).copied().unwrap_or(NO_INDEX)
    }

    /// Prefetches a link.
    #[inline]
    pub fn prefetch(&self, packet: u32) {
        self.0.get(packet as usize).into_iter().for_each(philae_engine::prefetch_line);
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.0.len() * size_of::<u32>()
    }
}

impl PacketLinks for Links {
    #[inline]
    fn next(&self, packet: u32) -> u32 {
        self.0[packet as usize]
    }
    #[inline]
    fn set_next(&mut self, packet: u32, next: u32) {
        self.0[packet as usize] = next;
    }
}

/// Why no message has the purpose [`PacketPurpose::Collective`] or [`PacketPurpose::Response`].
pub const NO_MESSAGE: &str = "packets of collective trees and responses belong to no message";

/// What both ends know of a message. The fields that each of its packets reads come first.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Header {
    /// Payload that travels now.
    pub bytes: u64,
    pub purpose: PacketPurpose,
    pub class: ClassId,
    /// Job of both ranks.
    pub job: JobId,
    /// Sending rank, counted over all jobs.
    pub source_rank: u32,
    /// Receiving rank, counted over all jobs.
    pub destination_rank: u32,
    /// Payload of the operation (a request travels without it).
    pub operation_bytes: u64,
    /// Tag of a two-sided message.
    pub tag: u32,
    /// Handle of the rank that issued the operation.
    pub issuer_handle: u32,
    /// Handle of the receive that it matched.
    pub receive_handle: u32,
    /// When the issuing rank issued the operation, in picoseconds.
    pub issued: u64,
}

/// The sender's record of a message. A packet that leaves reads its first cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Outgoing {
    /// Payload put on the wire so far.
    pub sent: u64,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// The receiver's record; `NO_INDEX` if it is in another partition.
    pub incoming: u32,
    /// Its number among the messages of its NIC (wrapping).
    pub number: u32,
    /// Packets put on the wire so far.
    pub packets: u32,
    /// End of the TCP connection that it takes; `NO_INDEX` if it takes none that has a window.
    pub tcp_end: u32,
    pub header: Header,
}

/// The receiver's record of a message. A packet that arrives reads its first cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Incoming {
    /// Payload received so far.
    pub received: u64,
    /// Sum of the packets' times from NIC to NIC, in picoseconds.
    pub latency_sum: u64,
    /// Shortest of those times.
    pub latency_min: u64,
    /// Longest of those times.
    pub latency_max: u64,
    /// Packets received so far.
    pub packets: u32,
    /// Time that an acknowledgement of the last packet needs back to the source NIC, in
    /// picoseconds.
    pub ack_delay: u32,
    pub header: Header,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// On a TCP connection: when its first part was there for the kernel; once all of it has
    /// arrived, how long that was before the last. In picoseconds.
    pub kernel_span: u64,
    /// Where it ends in the connection's stream, once it has arrived; 0 if it takes no connection
    /// that has a window.
    pub stream_end: u64,
}

// The part that a packet reads ends with the header's first words.
const _: () = assert!(std::mem::offset_of!(Outgoing, header) + 16 <= 64 && size_of::<Outgoing>() == 128);
const _: () = assert!(std::mem::offset_of!(Incoming, header) + 16 <= 64 && size_of::<Incoming>() == 128);
