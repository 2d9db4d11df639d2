//! Follows single packets while they cross the fabric: their identity, for captures, and what they
//! met, for telemetry.
//!
//! Nothing here flows back into the model. A packet that is followed has a tag next to its slot,
//! which goes with it from partition to partition. For all other packets the cost is one check of
//! [`Observer::on`], and a run that follows no packets has no tags at all.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_nic_model::packet_count;
use philae_units::{Bytes, EndpointId, PortIndex};

use crate::model::collective::TreeLoad;
use crate::model::output::{FarEnd, Wire};
use crate::model::packet::{Header, Incoming, Outgoing, Packet, PacketPurpose};
use crate::model::partition::Partition;
use crate::observe::capture::{CaptureEnd, CaptureWatch, Captured, FrameContent, FrameSpan, TreeSource, shown_bytes};
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
    /// Number of its first byte among those that its rank has sent to the other, for streams
    /// (wrapping).
    pub stream: u32,
    /// The next byte that its sender expects of the other's stream (wrapping).
    pub stream_expected: u32,
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
    /// Identities of the packets that their NICs may have to send again, by sending endpoint and
    /// number.
    unacked: BTreeMap<(u32, u32), PacketIdentity>,
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

    /// The other NIC has acknowledged a packet: it will not be sent again.
    pub fn acknowledged(&mut self, endpoint: u32, number: u32) {
        self.unacked.remove(&(endpoint, number));
        if let Some(explainer) = &mut self.explainer {
            explainer.acknowledged(endpoint, number);
        }
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

    fn identity(&self, slot: u32) -> Option<PacketIdentity> {
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
            PacketPurpose::Collective => unreachable!("{}", crate::model::packet::NO_MESSAGE),
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

/// The end at the other side of a wire.
const fn far_end(wire: Wire) -> CaptureEnd {
    match wire.far_end {
        FarEnd::Nic => nic_end(wire.peer),
        FarEnd::Switch | FarEnd::Nothing => port_end(wire.peer),
    }
}

impl Partition {
    /// A NIC has put the packet in `slot` on the wire: `payload` bytes of a message, from `offset`
    /// on.
    #[cold]
    pub fn observe_sent(&mut self, slot: u32, message: u32, offset: u64, payload: u32) {
        let sending = self.nic.outgoing[message];
        let nic_slot = self.nic_slot(sending.source);
        let number = self.nic.nics[nic_slot].sent_packets - 1;
        self.record.observer.traffic.nic_sent(
            nic_slot,
            self.transit.packets[slot].class,
            self.transit.packets[slot].wire_bytes,
        );
        let sampled = self.record.observer.sample_every > 0 && number.is_multiple_of(self.record.observer.sample_every);
        let trace = sampled.then(|| PacketTrace::new(number));
        let identity = self.record.observer.watch.is_some().then(|| self.identify(&sending, offset, payload));
        let finished = sending.sent == sending.header.bytes;
        let path = self.explain_sent(slot, Some(sending.number), finished).map(Box::new);
        let followed = identity.is_some() || trace.is_some() || path.is_some();
        self.record.observer.put(slot, followed.then(|| Box::new(Tag { identity, trace, entered: 0, path })));
        if let Some(identity) = identity {
            if self.shared.traits.is_reliable {
                self.record.observer.unacked.insert((sending.source, self.transit.packets[slot].number), identity);
            }
            self.note_sent(&identity);
        }
    }

    /// A NIC has put the packet in `slot` on the wire again.
    #[cold]
    pub fn observe_resent(&mut self, slot: u32, packet: &Packet) {
        let nic_slot = self.nic_slot(packet.source);
        self.record.observer.traffic.nic_sent(nic_slot, packet.class, packet.wire_bytes);
        let path = self.explain_sent(slot, None, false).map(Box::new);
        if packet.purpose == PacketPurpose::Collective {
            self.record.observer.put(slot, None);
            let (end, edge_port) = (nic_end(packet.source), self.edge_port(packet.source));
            let propagation = self.switch.wires[self.port_slot(edge_port)].propagation;
            return self.note_tree(packet, (end, port_end(edge_port)), propagation);
        }
        let identity = self.record.observer.unacked.get(&(packet.source, packet.number)).copied();
        let followed = identity.is_some() || path.is_some();
        self.record.observer.put(slot, followed.then(|| Box::new(Tag { identity, path, ..Tag::default() })));
        if let Some(identity) = identity {
            self.note_sent(&identity);
        }
    }

    /// Notes a packet of a tree at the end of a link that it leaves, and at the far end if links do
    /// not err.
    fn note_tree(&mut self, packet: &Packet, (sender, receiver): (CaptureEnd, CaptureEnd), propagation: u32) {
        if self.record.observer.watch.is_none() {
            return;
        }
        let content = self.tree_content(packet, sender);
        self.record.observer.note(sender, false, self.clock.now(), content);
        if !self.shared.traits.has_link_layer {
            self.record.observer.note(receiver, true, self.clock.now() + u64::from(propagation), content);
        }
    }

    /// The contents of a tree packet that `near` has sent.
    fn tree_content(&self, packet: &Packet, sender: CaptureEnd) -> FrameContent {
        let load = self.collectives.loads[packet.message];
        let root = self.shared.trees.as_ref().map_or(0, |trees| trees.root(load.key().0.tree));
        let source = match (load, sender) {
            (TreeLoad::Down(_), _) => TreeSource::Nic(root),
            (TreeLoad::Up(_), CaptureEnd::Nic(endpoint)) => TreeSource::Nic(endpoint.0),
            (TreeLoad::Up(_), CaptureEnd::Port(port)) => TreeSource::Engine(port.0),
        };
        FrameContent::Tree { load, source, root, class: packet.sent_class, hops: packet.hops }
    }

    /// Notes what a NIC sends at both ends of its link. If links may err, the far end waits until
    /// it takes the frame.
    fn note_sent(&mut self, identity: &PacketIdentity) {
        let port = self.edge_port(identity.source);
        let arrives = self.clock.now() + u64::from(self.switch.wires[self.port_slot(port)].propagation);
        let content = FrameContent::Packet { identity: *identity, marked: false, hops: 0, span: FrameSpan::FromNic };
        self.record.observer.note(nic_end(identity.source), false, self.clock.now(), content);
        if !self.shared.traits.has_link_layer {
            self.record.observer.note(port_end(port), true, arrives, content);
        }
    }

    fn identify(&mut self, sending: &Outgoing, offset: u64, payload: u32) -> PacketIdentity {
        let nic = self.shared.form(sending.source, sending.destination);
        let header = sending.header;
        let index = (offset / u64::from(nic.payload_max_bytes)) as u32;
        let count = packet_count(nic, Bytes(header.bytes)) as u32;
        let answers = match header.purpose {
            PacketPurpose::ReadRequest | PacketPurpose::GetRequest => {
                packet_count(nic, Bytes(header.operation_bytes)) as u32
            }
            _ => 1,
        };
        let sequence = self.record.observer.number(&header, index, index + 1 == count, answers);
        let pair = (header.destination_rank, header.source_rank);
        let completed = self.record.observer.completed.get(&pair).copied().unwrap_or(0);
        let stream_expected = self.record.observer.streams_received.get(&pair).copied().unwrap_or(0);
        let stream = self.record.observer.streams.entry((header.source_rank, header.destination_rank)).or_insert(0);
        let (first, length) = (*stream, shown_bytes(payload));
        *stream = stream.wrapping_add(length);
        PacketIdentity {
            header,
            source: sending.source,
            destination: sending.destination,
            message: sending.number,
            offset,
            payload,
            index,
            count,
            sequence,
            completed,
            stream: first,
            stream_expected,
        }
    }

    /// A packet's header is ready at input port `port`.
    #[cold]
    pub fn observe_arrived(&mut self, slot: u32, port: u32) {
        let now = self.clock.now();
        if let Some(trace) = self.record.observer.trace(slot) {
            trace.arrived(now, port);
        }
        self.explain_arrived(slot, port);
    }

    /// A packet requests output `port` for the first time.
    #[cold]
    pub fn observe_requested(&mut self, slot: u32, port: u32) {
        let (now, queued) = (self.clock.now(), self.switch.loads[self.port_slot(port)].queued_bytes);
        if let Some(trace) = self.record.observer.trace(slot) {
            trace.requested(now, port, queued);
        }
        self.explain_requested(slot, port);
    }

    /// A packet leaves through output `port` now.
    #[cold]
    pub fn observe_departed(&mut self, slot: u32, port: u32) {
        let (now, port_slot) = (self.clock.now(), self.port_slot(port));
        self.record.observer.traffic.port_sent(
            port_slot,
            self.transit.packets[slot].class,
            self.transit.packets[slot].wire_bytes,
        );
        if let Some(trace) = self.record.observer.trace(slot) {
            trace.departed(now);
        }
        self.explain_departed(slot, port);
        let (wire, packet) = (self.switch.wires[port_slot], self.transit.packets[slot]);
        if packet.purpose == PacketPurpose::Collective {
            return self.note_tree(&packet, (port_end(port), far_end(wire)), wire.propagation);
        }
        let Some(identity) = self.record.observer.identity(slot) else { return };
        let span = if wire.far_end == FarEnd::Nic { FrameSpan::ToNic } else { FrameSpan::Fabric };
        let content = FrameContent::Packet { identity, marked: packet.marked, hops: packet.hops, span };
        self.record.observer.note(port_end(port), false, now, content);
        if !self.shared.traits.has_link_layer {
            self.record.observer.note(far_end(wire), true, now + u64::from(wire.propagation), content);
        }
    }

    /// The link layer has taken a frame at `end`: only now is it known that the frame was neither
    /// damaged nor lost.
    #[cold]
    pub fn observe_accepted(&mut self, slot: u32, end: u32) {
        let packet = self.transit.packets[slot];
        let Some(tag) = self.record.observer.tags.get(slot as usize).and_then(Option::as_ref) else { return };
        let (time, identity) = (tag.entered, tag.identity);
        let ports = self.shared.places.targets.ports;
        let point = if end < ports { port_end(end) } else { nic_end(end - ports) };
        if self.record.observer.watch.as_ref().is_none_or(|watch| watch.point(point).is_none()) {
            return;
        }
        if packet.purpose == PacketPurpose::Collective {
            let sender = if end < ports {
                far_end(self.switch.wires[self.port_slot(end)])
            } else {
                port_end(self.edge_port(end - ports))
            };
            let content = self.tree_content(&packet, sender);
            return self.record.observer.note(point, true, time, content);
        }
        let Some(identity) = identity else { return };
        let span = if end >= ports {
            FrameSpan::ToNic
        } else if self.switch.wires[self.port_slot(end)].far_end == FarEnd::Nic {
            FrameSpan::FromNic
        } else {
            FrameSpan::Fabric
        };
        let content = FrameContent::Packet { identity, marked: packet.marked, hops: packet.hops, span };
        self.record.observer.note(point, true, time, content);
    }

    /// A packet has reached its NIC, and completes `finished`, if that is set.
    #[cold]
    pub fn observe_delivered(&mut self, slot: u32, packet: &Packet, finished: Option<&Incoming>) {
        let Some(mut tag) = self.record.observer.take(slot) else { return };
        if let Some(path) = tag.path.take() {
            self.explain_delivered(packet, *path, finished);
        }
        if let Some(trace) = &tag.trace {
            self.record.recorder.sampled(self.clock.now(), packet, trace);
        }
        if let Some(identity) = &tag.identity {
            let pair = (identity.header.source_rank, identity.header.destination_rank);
            let received = self.record.observer.streams_received.entry(pair).or_insert(0);
            *received = received.wrapping_add(shown_bytes(identity.payload));
        }
        if let (Some(identity), Some(message)) = (tag.identity, finished) {
            self.observe_message(&identity, message);
        }
    }

    /// A message has arrived in full. Its answers will say so, and an acknowledgement goes back
    /// immediately.
    fn observe_message(&mut self, last: &PacketIdentity, message: &Incoming) {
        let header = &last.header;
        let first = last.sequence.wrapping_sub(last.index);
        match header.purpose {
            // Data that was asked for acknowledges itself.
            PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData => return,
            PacketPurpose::ReadRequest | PacketPurpose::GetRequest | PacketPurpose::FetchingAmo => {
                let request =
                    (header.source_rank, header.destination_rank, header.issuer_handle, header.receive_handle);
                self.record.observer.requests.insert(request, first);
            }
            PacketPurpose::Eager
            | PacketPurpose::Put
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Amo
            | PacketPurpose::Notice => {}
            PacketPurpose::Collective => unreachable!("{}", crate::model::packet::NO_MESSAGE),
        }
        let completed =
            self.record.observer.completed.entry((header.source_rank, header.destination_rank)).or_insert(0);
        *completed = completed.wrapping_add(1);
        let completed = *completed;
        let acknowledged = !matches!(
            header.purpose,
            PacketPurpose::ReadRequest | PacketPurpose::GetRequest | PacketPurpose::FetchingAmo
        );
        if !acknowledged || !self.record.observer.watch.as_ref().is_some_and(|watch| watch.acknowledges(last)) {
            return;
        }
        let pair = (header.source_rank, header.destination_rank);
        let back_pair = (header.destination_rank, header.source_rank);
        let acknowledgement = PacketIdentity {
            source: last.destination,
            destination: last.source,
            sequence: first.wrapping_add(last.count - 1),
            completed,
            stream: self.record.observer.streams.get(&back_pair).copied().unwrap_or(0),
            stream_expected: self.record.observer.streams_received.get(&pair).copied().unwrap_or(0),
            ..*last
        };
        let content = FrameContent::Acknowledgement { identity: acknowledgement };
        // At both its edge links: it leaves one NIC, and reaches the other after the time that the
        // model uses.
        let (leaves, back) = (self.clock.now(), self.clock.now() + u64::from(message.ack_delay));
        let (sender_port, receiver_port) = (self.edge_port(last.destination), self.edge_port(last.source));
        let propagation = |port| self.shared.topology().propagation(PortIndex(port)).0;
        let (arrives, goes_on) =
            (leaves + propagation(sender_port), back.saturating_sub(propagation(receiver_port)).max(leaves));
        self.record.observer.note(nic_end(last.destination), false, leaves, content);
        self.record.observer.note(port_end(sender_port), true, arrives, content);
        self.record.observer.note(port_end(receiver_port), false, goes_on, content);
        self.record.observer.note(nic_end(last.source), true, back, content);
    }

    /// A switch sends a pause frame out of `port`, for one class.
    #[cold]
    pub fn observe_pause(&mut self, port: u32, class: u8, on: bool) {
        let wire = self.switch.wires[self.port_slot(port)];
        let content = FrameContent::Pause { port, class, on };
        self.record.observer.note(port_end(port), false, self.clock.now(), content);
        self.record.observer.note(far_end(wire), true, self.clock.now() + u64::from(wire.propagation), content);
    }
}
