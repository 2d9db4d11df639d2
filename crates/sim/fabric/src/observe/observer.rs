//! Follows single packets while they cross the fabric: their identity, for captures, and what they
//! met, for telemetry.
//!
//! Nothing here flows back into the model. A packet that is followed has a tag next to its slot,
//! which goes with it from partition to partition. For all other packets the cost is one check of
//! [`Observer::on`], and a run that follows no packets has no tags at all.

mod following;

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_units::{EndpointId, PortIndex};

use crate::model::output::{FarEnd, Wire};
use crate::model::packet::{Header, PacketPurpose, SentKey};
use crate::observe::capture::{CaptureEnd, CaptureWatch, Captured, FrameContent, UetShown};
use crate::observe::counters::ClassTraffic;
use crate::observe::explain::{Explainer, PacketPath};
use crate::observe::telemetry::PacketTrace;

/// Identity of a packet, from which its bytes are made.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct PacketIdentity {
    /// Purpose and ranks of its message.
    pub header: Header,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Number of the message among those of its NIC (wrapping).
    pub message: u32,
    /// First byte of the message that it carries.
    pub offset: u64,
    /// Payload bytes.
    pub payload: u32,
    /// Its index among the packets of its message, from 0.
    pub index: u32,
    /// Packets of its message.
    pub count: u32,
    /// Packet sequence number, before it is cut to the bits that a header has.
    pub sequence: u32,
    /// Number of messages that its sender has taken from its receiver in full: responses carry it.
    pub completed: u32,
    /// Its place in the stream between the ranks.
    pub stream: StreamPlace,
    /// What it says as a packet of Ultra Ethernet's transport.
    pub uet: Option<UetShown>,
}

impl PacketIdentity {
    /// That of a packet that carries no part of a message, with this number.
    pub fn alone(header: Header, (source, destination): (u32, u32), message: u32) -> Self {
        Self {
            header,
            source,
            destination,
            message,
            offset: 0,
            payload: 0,
            index: 0,
            count: 1,
            sequence: 0,
            completed: 0,
            stream: StreamPlace::default(),
            uet: None,
        }
    }
}

/// The place of a packet in the stream of bytes between two ranks, for sockets.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct StreamPlace {
    /// Number of its first byte among those that its rank has sent to the other (wrapping).
    pub first: u32,
    /// The next byte that its sender expects of the other's stream (wrapping).
    pub expected: u32,
    /// Bytes for which its sender has room from there on, where connections have windows.
    pub window: Option<u32>,
}

/// The data that goes with a followed packet.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Tag {
    /// Identity; set while anything is captured.
    pub identity: Option<PacketIdentity>,
    /// What it met so far; set for packets that are sampled.
    pub trace: Option<PacketTrace>,
    /// When its first bit reached the far end of its present link, in picoseconds. Set while
    /// anything is captured, if links are modelled frame by frame.
    entered: u64,
    /// Its time by parts; set for packets of explained messages.
    #[serde(skip)]
    pub path: Option<Box<PacketPath>>,
}

/// A request that waits for its data: requesting rank, answering rank, handles of the operation and
/// of its receive.
type Request = (u32, u32, u32, u32);

/// What a partition follows.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub struct Observer {
    /// Whether any packet is followed.
    pub on: bool,
    /// One of how many packets of a NIC is sampled; 0 for none.
    sample_every: u64,
    /// The ports where packets are captured.
    #[serde(skip)]
    pub watch: Option<Arc<CaptureWatch>>,
    /// Tags, by packet slot.
    tags: Vec<Option<Box<Tag>>>,
    /// Next packet sequence number, by requesting and answering rank.
    sequences: BTreeMap<(u32, u32), u32>,
    /// Sequence numbers of requests whose data has not been sent.
    requests: BTreeMap<Request, u32>,
    /// Identities of the packets that their NICs may have to send again.
    unacked: BTreeMap<SentKey, PacketIdentity>,
    /// The packet that a response is being made for, as its acknowledgement shows it.
    answering: Option<PacketIdentity>,
    /// What the responses that have not been sent acknowledge, by endpoint and number.
    responses: BTreeMap<(u32, u32), PacketIdentity>,
    /// Number of messages taken in full, by sending and receiving rank.
    completed: BTreeMap<(u32, u32), u32>,
    /// Bytes sent as a stream, by sending and receiving rank.
    streams: BTreeMap<(u32, u32), u32>,
    /// Bytes of streams that have arrived, by sending and receiving rank.
    streams_received: BTreeMap<(u32, u32), u32>,
    /// Frames that crossed the watched ports since they were last collected.
    #[serde(skip)]
    pub captured: Vec<Captured>,
    /// Packets and bytes sent, by class.
    pub traffic: ClassTraffic,
    /// Messages that are explained.
    #[serde(skip)]
    pub explainer: Option<Box<Explainer>>,
}

impl Observer {
    /// Samples every `sample_every`-th packet of each NIC, or none if that is 0. Counts into
    /// `traffic`, if that is set.
    pub fn new(sample_every: u32, traffic: Option<ClassTraffic>) -> Self {
        let on = sample_every > 0 || traffic.is_some();
        Self { on, sample_every: sample_every.into(), traffic: traffic.unwrap_or_default(), ..Self::default() }
    }

    /// Gives the packet in `slot` a tag, or none: a slot keeps nothing of its former packet.
    pub fn put(&mut self, slot: u32, tag: Option<Box<Tag>>) {
        let slot = slot as usize;
        if self.tags.len() <= slot {
            self.tags.resize(slot + 1, None);
        }
        self.tags[slot] = tag;
    }

    /// Memory held, in bytes. State for sequence numbers is not counted.
    pub fn memory_bytes(&self) -> usize {
        let tags = self.tags.iter().flatten();
        let traces = tags.clone().filter_map(|tag| tag.trace.as_ref()).map(PacketTrace::memory_bytes);
        self.tags.capacity() * size_of::<Option<Box<Tag>>>()
            + tags.count() * size_of::<Tag>()
            + traces.sum::<usize>()
            + self.captured.capacity() * size_of::<Captured>()
            + self.traffic.memory_bytes()
    }

    /// Packets that are followed and not acknowledged.
    #[cfg(test)]
    pub fn unacknowledged(&self) -> usize {
        self.unacked.len()
    }

    /// The other NIC has acknowledged a packet: it will not be sent again.
    pub fn acknowledged(&mut self, key: SentKey) {
        self.unacked.remove(&key);
        if let Some(explainer) = &mut self.explainer {
            explainer.acknowledged(key);
        }
    }

    /// A NIC has made its response `number`, to the packet that is being handled.
    pub fn note_response(&mut self, endpoint: u32, number: u32) {
        if let Some(identity) = self.answering {
            self.responses.insert((endpoint, number), identity);
        }
    }

    /// A NIC sends its response `number`, in `slot`.
    pub fn begin_response(&mut self, slot: u32, endpoint: u32, number: u32) {
        let identity = self.responses.remove(&(endpoint, number));
        self.put(slot, identity.map(|identity| Box::new(Tag { identity: Some(identity), ..Tag::default() })));
    }

    /// Records when the first bit of the packet in `slot` reaches the far end of a link that may
    /// damage it. The far end notes the packet if it takes it.
    pub fn enters(&mut self, slot: u32, time: u64) {
        if self.watch.is_some() {
            let mut tag = self.take(slot).unwrap_or_default();
            tag.entered = time;
            self.put(slot, Some(tag));
        }
    }

    /// The same for a packet that goes to another partition.
    pub fn entering(&self, tag: Option<Box<Tag>>, time: u64) -> Option<Box<Tag>> {
        if self.watch.is_none() {
            return tag;
        }
        let tag = tag.map_or_else(Tag::default, |tag| *tag);
        Some(Box::new(Tag { entered: time, ..tag }))
    }

    /// A packet's tag.
    pub fn tag(&self, slot: u32) -> Option<Box<Tag>> {
        self.tags.get(slot as usize)?.clone()
    }

    /// Takes a packet's tag, because the packet leaves the partition.
    pub fn take(&mut self, slot: u32) -> Option<Box<Tag>> {
        self.tags.get_mut(slot as usize).and_then(Option::take)
    }

    /// What a packet met so far, if it is sampled.
    pub fn trace(&mut self, slot: u32) -> Option<&mut PacketTrace> {
        self.tags.get_mut(slot as usize)?.as_mut()?.trace.as_mut()
    }

    /// A packet's time by parts, if its message is explained.
    pub fn path(&mut self, slot: u32) -> Option<&mut PacketPath> {
        self.tags.get_mut(slot as usize)?.as_mut()?.path.as_deref_mut()
    }

    /// The packet in `slot` is on a link that may damage it, and is due at its far end at
    /// `arrival`.
    pub fn due(&mut self, slot: u32, arrival: u64) {
        if let Some(path) = self.path(slot) {
            path.due = arrival;
        }
    }

    /// Gives the response in `slot` an identity of its own, if anything is captured.
    pub fn identify_response(&mut self, slot: u32, identity: PacketIdentity) {
        if self.watch.is_some() {
            self.put(slot, Some(Box::new(Tag { identity: Some(identity), ..Tag::default() })));
        }
    }

    /// A packet's identity, while anything is captured.
    pub fn identity(&self, slot: u32) -> Option<PacketIdentity> {
        self.tags.get(slot as usize)?.as_ref()?.identity
    }

    /// Notes what crosses one end of a link, if that end is watched.
    fn note(&mut self, end: CaptureEnd, inbound: bool, time: u64, content: FrameContent) {
        if let Some(point) = self.watch.as_ref().and_then(|watch| watch.point(end)) {
            self.captured.push(Captured { time, point, inbound, content });
        }
    }

    /// The packet sequence number of a packet. A request takes the numbers of the packets that
    /// answer it.
    fn number(&mut self, header: &Header, index: u32, last: bool, answers: u32) -> u32 {
        match header.purpose {
            PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData => {
                let request = request_of(header);
                let first = self.requests.get(&request).copied().unwrap_or(0);
                if last {
                    self.requests.remove(&request);
                }
                first.wrapping_add(index)
            }
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::Put
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::ReadRequest
            | PacketPurpose::GetRequest
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo
            | PacketPurpose::Notice => {
                let next = self.sequences.entry((header.source_rank, header.destination_rank)).or_insert(0);
                let number = *next;
                *next = next.wrapping_add(answers);
                number
            }
            PacketPurpose::Collective | PacketPurpose::Response => {
                unreachable!("{}", crate::model::packet::NO_MESSAGE)
            }
        }
    }
}

/// The request that data answers: data goes to the requesting rank.
const fn request_of(data: &Header) -> Request {
    (data.destination_rank, data.source_rank, data.issuer_handle, data.receive_handle)
}

const fn nic_end(endpoint: u32) -> CaptureEnd {
    CaptureEnd::Nic(EndpointId(endpoint))
}

const fn port_end(port: u32) -> CaptureEnd {
    CaptureEnd::Port(PortIndex(port))
}

/// The far end of a wire.
const fn far_end(wire: Wire) -> CaptureEnd {
    match wire.far_end {
        FarEnd::Nic => nic_end(wire.peer),
        FarEnd::Switch => port_end(wire.peer),
    }
}
