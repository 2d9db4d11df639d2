//! A packet in flight, and the messages at both ends.

use philae_rosetta::PacketLinks;
use philae_routing::RouteState;
use philae_units::{ClassId, JobId};

use crate::slab::NONE;

/// A packet in flight. What every hop looks at comes first and fills one cache line; what its ends look at, the next.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Packet {
    /// When its last bit is in the switch that it is in, on the scale of header arrivals, in picoseconds.
    pub tail: u64,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Input port in whose buffer it is, or to which it is on its way; `NONE` once it is on its way to its NIC.
    pub port: u32,
    /// Output port that it waits for; `NONE` while it does not.
    pub queued_for: u32,
    /// Time an acknowledgement needs back to the ingress port, in picoseconds.
    pub ack_delay: u32,
    /// Flow at the ingress port, in the slab of the ingress port's partition.
    pub flow: u32,
    /// Route so far.
    pub route: RouteState,
    /// Bytes on a fabric link.
    pub wire_bytes: u16,
    /// Payload.
    pub payload_bytes: u16,
    /// Counts the packets of its flow (wrapping): part of the identity of its acknowledgement.
    pub sequence: u16,
    /// Its frame number while it is on a link that is modelled frame by frame.
    pub frame: u16,
    /// Channel whose buffer space it holds in that switch.
    pub input_channel: u8,
    /// Channel of the output it is queued for.
    pub channel: u8,
    /// Traffic class.
    pub class: u8,
    /// Traffic class in which its NIC sent it: the packet engine may have changed it.
    pub sent_class: u8,
    /// Switches that it has been in, the present one too.
    pub hops: u8,
    /// What its message is for.
    pub purpose: Purpose,
    /// It has left the fabric, and its acknowledgement is on its way.
    pub egressed: bool,
    /// Its flow was free (not held) when it entered the fabric.
    pub free_flow: bool,
    /// Marked by ECN.
    pub marked: bool,
    /// When its first bit left the NIC, in picoseconds.
    pub injected: u64,
    /// Receiver's record of the message; the number that its NIC gave it, when `foreign`; in a collective tree, what the
    /// packet carries.
    pub message: u32,
    /// Its number at its NIC, in runs that may lose packets; in a collective tree, whose buffer it holds.
    pub number: u32,
    /// Its place: in its connection if its class is ordered, else in its message.
    pub order: u32,
    /// Job whose it is.
    pub job: JobId,
    /// `message` is the source NIC's number, because the receiver's record is in another partition.
    pub foreign: bool,
    /// Its connection begins anew with it.
    pub opens: bool,
}

// The edge of two cache lines, and the message's part behind the first.
const _: () = assert!(size_of::<Packet>() == 128 && std::mem::offset_of!(Packet, injected) == 64);

/// Under what a message is found that was told of by another partition: its source, and its number there.
#[inline]
pub const fn foreign_key(source: u32, number: u32) -> u64 {
    (source as u64) << 32 | number as u64
}

/// Which flow a packet belongs to.
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
pub struct Receipt {
    /// Flow at the ingress port.
    pub flow: u32,
    /// Which it is.
    pub ends: FlowEnds,
    /// The packet's number in it.
    pub sequence: u16,
    /// Bytes that have left the fabric.
    pub bytes: u32,
    /// Time that it needs back to the ingress port, in picoseconds.
    pub delay: u32,
}

impl Packet {
    /// Which flow it belongs to.
    #[inline]
    pub const fn flow_ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.class }
    }

    /// What its acknowledgement says; nothing where no flow of its is tracked.
    #[inline]
    pub fn receipt(&self) -> Option<Receipt> {
        let (flow, ends, sequence, delay) = (self.flow, self.flow_ends(), self.sequence, self.ack_delay);
        (flow != NONE).then(|| Receipt { flow, ends, sequence, bytes: u32::from(self.wire_bytes), delay })
    }
}

/// The column of queue links beside the packets.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Links(Vec<u32>);

impl Links {
    /// Asks for address space for those of so many slots, as [`Slab::expect`](crate::slab::Slab::expect).
    pub fn expect(&mut self, slots: usize) {
        crate::slab::expect(&mut self.0, slots);
    }

    /// Makes room for the slots of a slab.
    #[inline]
    pub fn cover(&mut self, slot: u32) {
        if self.0.len() <= slot as usize {
            self.0.resize(slot as usize + 1, NONE);
        }
    }

    /// The packet behind another in their queue, or none.
    #[inline]
    pub fn foreseen(&self, packet: u32) -> u32 {
        self.0.get(packet as usize).copied().unwrap_or(NONE)
    }

    /// Asks for a link's memory before it is needed.
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

/// What a message between two NICs is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Purpose {
    /// Two-sided data sent at once.
    Eager,
    /// Asks the receiver to fetch two-sided data.
    RendezvousRequest,
    /// Asks the sender for the data: from the receiver's NIC to the sender's.
    ReadRequest,
    /// The data of a rendezvous.
    ReadData,
    /// One-sided write.
    Put,
    /// Asks a target for its memory.
    GetRequest,
    /// The memory asked for.
    GetData,
    /// Changes a target's memory.
    Amo,
    /// Changes a target's memory and asks for what was there.
    FetchingAmo,
    /// What was there.
    AmoData,
    /// What software tells software about a collective tree that is broken.
    Notice,
    /// A packet of a collective tree, which belongs to no message.
    Collective,
}

/// Why no message has the purpose [`Purpose::Collective`].
pub const NO_MESSAGE: &str = "a packet of a collective tree belongs to no message";

impl Purpose {
    /// Whether a packet of such a message may be taken twice to the same effect.
    pub const fn is_idempotent(self) -> bool {
        match self {
            Self::Put | Self::ReadData | Self::GetData | Self::AmoData => true,
            Self::Eager
            | Self::RendezvousRequest
            | Self::ReadRequest
            | Self::GetRequest
            | Self::Amo
            | Self::FetchingAmo
            | Self::Notice
            | Self::Collective => false,
        }
    }
}

/// What both ends know of a message: what each of its packets looks at first.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Header {
    /// Payload that travels now.
    pub bytes: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// Traffic class.
    pub class: ClassId,
    /// Job of both ranks.
    pub job: JobId,
    /// Sending rank, counted over all jobs.
    pub source_rank: u32,
    /// Receiving rank, counted over all jobs.
    pub destination_rank: u32,
    /// Payload that the operation is about (a request travels without it).
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

/// The sender's record of a message. A packet that leaves looks at its first cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Outgoing {
    /// Payload put on the wire so far.
    pub sent: u64,
    /// Endpoints.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// The receiver's record; `NONE` when it is in another partition.
    pub incoming: u32,
    /// Its number among the messages of its NIC (wrapping).
    pub number: u32,
    /// Packets put on the wire so far.
    pub packets: u32,
    /// What it is.
    pub header: Header,
}

/// The receiver's record of a message. A packet that arrives looks at its first cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Incoming {
    /// Payload received so far.
    pub received: u64,
    /// Sum, least and largest of their packets' times from NIC to NIC, in picoseconds.
    pub latency_sum: u64,
    /// Least.
    pub latency_min: u64,
    /// Largest.
    pub latency_max: u64,
    /// Packets received so far.
    pub packets: u32,
    /// Time an acknowledgement of the last packet needs back to the source NIC, in picoseconds.
    pub ack_delay: u32,
    /// What it is.
    pub header: Header,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
}

// What a packet looks at ends with the header's first words.
const _: () = assert!(std::mem::offset_of!(Outgoing, header) + 16 <= 64 && size_of::<Outgoing>() == 128);
const _: () = assert!(std::mem::offset_of!(Incoming, header) + 16 <= 64 && size_of::<Incoming>() == 128);
