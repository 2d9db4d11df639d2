//! Follows packets from hop to hop.

use philae_nic_model::packet_count;
use philae_units::{Bytes, ClassId, PortIndex};

use super::{PacketIdentity, StreamPlace, Tag, far_end, nic_end, port_end};
use crate::model::collective::TreeLoad;
use crate::model::output::FarEnd;
use crate::model::packet::{Header, Incoming, Outgoing, Packet, PacketPurpose, SegmentHead, SentKey};
use crate::observe::capture::{CaptureEnd, FrameContent, FrameSpan, TreeSource, UetShown, shown_bytes};
use crate::observe::counters::SentBy;
use crate::observe::telemetry::PacketTrace;
use crate::partition::Partition;

/// What a capture shows of a packet.
fn content_of(packet: &Packet, identity: PacketIdentity, span: FrameSpan) -> FrameContent {
    match packet.kind.purpose {
        PacketPurpose::Response => {
            // It belongs to a class of its own.
            let header = Header { class: ClassId(packet.kind.sent_class), ..identity.header };
            FrameContent::Acknowledgement { identity: PacketIdentity { header, ..identity }, hops: packet.hops }
        }
        _ => FrameContent::Packet { identity, marked: packet.kind.marked, hops: packet.hops, span },
    }
}

/// What the head of a TCP segment says of its packet, if that has one.
fn with_segment(identity: PacketIdentity, segment: &SegmentHead) -> PacketIdentity {
    if !segment.is_some() {
        return identity;
    }
    let SegmentHead { sequence: first, acknowledgement: expected, window, .. } = *segment;
    PacketIdentity { stream: StreamPlace { first, expected, window: Some(window) }, ..identity }
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
            self.transit.packets[slot].kind.class,
            self.transit.packets[slot].wire_bytes,
            SentBy::Message,
        );
        let sampled = self.record.observer.sample_every > 0 && number.is_multiple_of(self.record.observer.sample_every);
        let trace = sampled.then(|| PacketTrace::new(number));
        let identity = self.record.observer.watch.is_some().then(|| {
            let identity = self.identify(&sending, offset, payload);
            let packet = self.transit.packets[slot];
            PacketIdentity { uet: self.uet_shown(&packet), ..with_segment(identity, &packet.segment) }
        });
        let finished = sending.sent == sending.header.bytes;
        let path = self.explain_sent(slot, Some(sending.number), finished).map(Box::new);
        let followed = identity.is_some() || trace.is_some() || path.is_some();
        self.record.observer.put(slot, followed.then(|| Box::new(Tag { identity, trace, entered: 0, path })));
        if let Some(identity) = identity {
            if self.keeps_packets(sending.source) {
                self.record.observer.unacked.insert(SentKey::of(&self.transit.packets[slot]), identity);
            }
            let packet = self.transit.packets[slot];
            self.note_sent(&packet, identity);
        }
    }

    /// A NIC has put the packet in `slot` on the wire again.
    #[cold]
    pub fn observe_resent(&mut self, slot: u32, packet: &Packet) {
        let nic_slot = self.nic_slot(packet.source);
        let by = match packet.kind.purpose {
            PacketPurpose::Response => SentBy::Transport,
            PacketPurpose::Collective => SentBy::Message,
            _ => SentBy::Retry,
        };
        self.record.observer.traffic.nic_sent(nic_slot, packet.kind.class, packet.wire_bytes, by);
        let path = self.explain_sent(slot, None, false).map(Box::new);
        if packet.kind.purpose == PacketPurpose::Collective {
            self.record.observer.put(slot, None);
            let (end, edge_port) = (nic_end(packet.source), self.edge_port(packet.source));
            let propagation = self.switch.wires[self.port_slot(edge_port)].propagation;
            return self.note_tree(packet, (end, port_end(edge_port)), propagation);
        }
        if packet.kind.purpose == PacketPurpose::Response {
            if let Some(identity) = self.record.observer.identity(slot) {
                self.note_sent(packet, identity);
            }
            return;
        }
        let identity = self.record.observer.unacked.get(&SentKey::of(packet)).copied();
        let identity = identity.map(|identity| {
            let shown = self.uet_shown(packet).map(UetShown::again);
            PacketIdentity { uet: shown, ..identity }
        });
        let followed = identity.is_some() || path.is_some();
        self.record.observer.put(slot, followed.then(|| Box::new(Tag { identity, path, ..Tag::default() })));
        if let Some(identity) = identity {
            self.note_sent(packet, identity);
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
        let load = self.collectives.loads[packet.part.message];
        let root = self.shared.trees.as_ref().map_or(0, |trees| trees.root(load.key().0.tree));
        let source = match (load, sender) {
            (TreeLoad::Down(_), _) => TreeSource::Nic(root),
            (TreeLoad::Up(_), CaptureEnd::Nic(endpoint)) => TreeSource::Nic(endpoint.0),
            (TreeLoad::Up(_), CaptureEnd::Port(port)) => TreeSource::Engine(port.0),
        };
        FrameContent::Tree { load, source, root, class: packet.kind.sent_class, hops: packet.hops }
    }

    /// Notes what a NIC sends at both ends of its link. If links may err, the far end waits until
    /// it takes the frame.
    fn note_sent(&mut self, packet: &Packet, identity: PacketIdentity) {
        let port = self.edge_port(identity.source);
        let arrives = self.clock.now() + u64::from(self.switch.wires[self.port_slot(port)].propagation);
        let content = content_of(&Packet { hops: 0, ..*packet }, identity, FrameSpan::FromNic);
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
            stream: StreamPlace { first, expected: stream_expected, window: None },
            uet: None,
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
            self.transit.packets[slot].kind.class,
            self.transit.packets[slot].wire_bytes,
        );
        if let Some(trace) = self.record.observer.trace(slot) {
            trace.departed(now);
        }
        self.explain_departed(slot, port);
        let (wire, packet) = (*self.switch.wires[port_slot], self.transit.packets[slot]);
        if packet.kind.purpose == PacketPurpose::Collective {
            return self.note_tree(&packet, (port_end(port), far_end(wire)), wire.propagation);
        }
        let Some(identity) = self.record.observer.identity(slot) else { return };
        let span = if wire.far_end == FarEnd::Nic { FrameSpan::ToNic } else { FrameSpan::Fabric };
        let content = content_of(&packet, identity, span);
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
        if packet.kind.purpose == PacketPurpose::Collective {
            let sender = if end < ports {
                far_end(*self.switch.wires[self.port_slot(end)])
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
        let content = content_of(&packet, identity, span);
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
            | PacketPurpose::Deferrable
            | PacketPurpose::Put
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Amo
            | PacketPurpose::Notice => {}
            PacketPurpose::Collective | PacketPurpose::Response => {
                unreachable!("{}", crate::model::packet::NO_MESSAGE)
            }
        }
        let completed =
            self.record.observer.completed.entry((header.source_rank, header.destination_rank)).or_insert(0);
        *completed = completed.wrapping_add(1);
        let completed = *completed;
        let acknowledged = !matches!(
            header.purpose,
            PacketPurpose::ReadRequest | PacketPurpose::GetRequest | PacketPurpose::FetchingAmo
        );
        let is_shown = self.record.observer.watch.as_ref().is_some_and(|watch| watch.acknowledges(last));
        let answers = last.stream.window.is_some() || self.answers_with_packets(last.source, last.destination);
        if !acknowledged || !is_shown || answers {
            return;
        }
        let identity = self.acknowledgement_of(last, first.wrapping_add(last.count - 1), completed);
        let content = FrameContent::Acknowledgement { identity, hops: 0 };
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

    /// The acknowledgement of a packet as a capture shows it: with the number of the last packet
    /// that it acknowledges, and of the messages that have been taken in full.
    fn acknowledgement_of(&self, packet: &PacketIdentity, sequence: u32, completed: u32) -> PacketIdentity {
        let observer = &self.record.observer;
        let pair = (packet.header.source_rank, packet.header.destination_rank);
        let back_pair = (packet.header.destination_rank, packet.header.source_rank);
        PacketIdentity {
            source: packet.destination,
            destination: packet.source,
            sequence,
            completed,
            stream: StreamPlace {
                first: observer.streams.get(&back_pair).copied().unwrap_or(0),
                expected: observer.streams_received.get(&pair).copied().unwrap_or(0),
                window: None,
            },
            ..*packet
        }
    }

    /// A NIC sends its response `number` in `slot`: a TCP segment without data has an identity of
    /// its own.
    #[cold]
    pub fn observe_segment(&mut self, slot: u32, number: u32) {
        let packet = self.transit.packets[slot];
        if !packet.segment.is_some() || self.record.observer.watch.is_none() {
            return;
        }
        // It keeps the ranks of the data, which went in the other direction.
        let header = Header {
            bytes: 0,
            purpose: PacketPurpose::Eager,
            class: ClassId(packet.kind.sent_class),
            job: packet.part.job,
            source_rank: packet.segment.destination_rank,
            destination_rank: packet.segment.source_rank,
            operation_bytes: 0,
            tag: 0,
            issuer_handle: 0,
            receive_handle: 0,
            issued: 0,
        };
        let identity = PacketIdentity::alone(header, (packet.source, packet.destination), number);
        let identity = Some(with_segment(identity, &packet.segment));
        self.record.observer.put(slot, Some(Box::new(Tag { identity, ..Tag::default() })));
    }

    /// The packet in `slot` has reached its NIC, which may answer it.
    #[cold]
    pub fn observe_answering(&mut self, slot: u32) {
        let identity = self.record.observer.identity(slot);
        let shown = identity
            .filter(|identity| self.record.observer.watch.as_ref().is_some_and(|watch| watch.shows_response(identity)));
        let answering = shown.map(|identity| {
            let pair = (identity.header.source_rank, identity.header.destination_rank);
            let before = self.record.observer.completed.get(&pair).copied().unwrap_or(0);
            let completed = before.wrapping_add(u32::from(identity.index + 1 == identity.count));
            self.acknowledgement_of(&identity, identity.sequence, completed)
        });
        self.record.observer.answering = answering;
    }

    /// A switch sends a pause frame out of `port`, for one class.
    #[cold]
    pub fn observe_pause(&mut self, port: u32, class: u8, on: bool) {
        let wire = *self.switch.wires[self.port_slot(port)];
        let content = FrameContent::Pause { port, class, on };
        self.record.observer.note(port_end(port), false, self.clock.now(), content);
        self.record.observer.note(far_end(wire), true, self.clock.now() + u64::from(wire.propagation), content);
    }
}
