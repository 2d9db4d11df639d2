//! What happens to responses: made at the target, sent by its NIC, taken by the source.

use philae_nic_model::{EdgeHold, HostPath, PacketPurpose, TCP_ACK_BYTES};
use philae_units::JobId;

use super::{Response, ResponseContent};
use crate::model::packet::{Header, Incoming, MessagePart, Packet, PacketKind, SegmentHead, UetHead};
use crate::partition::Partition;

impl Partition {
    /// Whether NICs answer with packets in this run.
    #[inline]
    pub fn has_responses(&self) -> bool {
        !self.nic.responses.is_empty()
    }

    /// Whether `destination` answers what `source` sends with packets. UDP has no answers.
    pub fn answers_with_packets(&self, source: u32, destination: u32) -> bool {
        self.has_responses()
            && self.shared.places.gateways.is_empty()
            && self.shared.config.host.path != HostPath::KernelUdp
            && self.shared.form(source, destination).responses != philae_nic_model::ResponseScope::Switch
    }

    /// A packet has arrived that does not complete its message, in a run that cannot lose packets.
    pub fn answer_packet(&mut self, packet: &Packet, class: philae_units::ClassId) {
        let each = philae_nic_model::ResponseScope::Packet;
        if packet.kind.purpose.gets_response()
            && !packet.segment.is_some()
            && self.answers_with_packets(packet.source, packet.destination)
            && self.shared.form(packet.source, packet.destination).responses == each
        {
            let to = (packet.destination, packet.source, self.class_of_responses(class).0);
            self.respond(to, (packet.kind.purpose, packet.part.job), ResponseContent::Arrived, self.clock.now());
        }
    }

    /// A message has arrived in full, and its NIC handles it from `time` on. Returns whether a
    /// response, sent now or earlier, ends the issuer's operation.
    pub fn answer_message(&mut self, message: &Incoming, time: u64) -> bool {
        // A TCP connection with a window has its own acknowledgements.
        if message.stream_end > 0 || !self.answers_with_packets(message.source, message.destination) {
            return false;
        }
        let Header { purpose, class, job, source_rank, issuer_handle, .. } = message.header;
        if !self.keeps_packets(message.source) && (purpose.gets_response() || purpose.ends_when_answered()) {
            let ends = ResponseContent::Ends { rank: source_rank, handle: issuer_handle };
            let answer = if purpose.ends_when_answered() { ends } else { ResponseContent::Arrived };
            let to = (message.destination, message.source, self.class_of_responses(class).0);
            self.respond(to, (purpose, job), answer, time);
        }
        true
    }

    /// The NIC of `from` makes a response for `to`, in class `class`, to a packet that it handles
    /// at `time`.
    pub fn respond(
        &mut self,
        (from, to, class): (u32, u32, u8),
        (purpose, job): (PacketPurpose, JobId),
        answer: ResponseContent,
        time: u64,
    ) {
        let ready = time + self.shared.protocol(from).response(purpose);
        let number = self.add_response((from, to, class), job, (answer, SegmentHead::NONE), ready);
        if self.is_observed() {
            self.record.observer.note_response(from, number);
        }
    }

    /// The NIC of `from` gets a TCP segment without data for `to`, which it can send at `ready`.
    pub fn respond_by_segment(&mut self, ends: (u32, u32, u8), job: JobId, segment: SegmentHead, ready: u64) {
        self.add_response(ends, job, (ResponseContent::Arrived, segment), ready);
    }

    /// Returns the number of the response among those of its NIC.
    fn add_response(
        &mut self,
        (from, to, class): (u32, u32, u8),
        job: JobId,
        (answer, segment): (ResponseContent, SegmentHead),
        ready: u64,
    ) -> u32 {
        let nic_slot = self.nic_slot(from);
        let responses = &mut self.nic.responses[nic_slot];
        let number = responses.made;
        responses.made = number.wrapping_add(1);
        responses.add(Response { ready, destination: to, job, answer, segment, number, class });
        self.nic.nics[nic_slot].has_responses = true;
        self.wake_nic(from, ready.max(self.nic.nics[nic_slot].output.free_at));
        number
    }

    /// Sends a response of a NIC, if one is ready. Returns true if nothing else may be sent now.
    #[inline(never)]
    pub fn inject_response(&mut self, endpoint: u32) -> bool {
        let (nic_slot, now) = (self.nic_slot(endpoint), self.clock.now());
        let nic = &self.nic.nics[nic_slot];
        let responses = &self.nic.responses[nic_slot];
        let Some(place) = responses.next(now, |class| !nic.is_paused(class)) else {
            if let Some(ready) = responses.next_ready(now) {
                self.wake_nic(endpoint, ready);
            }
            return false;
        };
        let response = responses.waiting[place];
        let class = response.class;
        let least = if response.segment.is_some() { TCP_ACK_BYTES } else { 0 };
        let form = self.shared.form(endpoint, response.destination);
        let size = self.shared.response_bytes(endpoint, form, response.answer).max(least);
        let channel = self.shared.classes.plan.channel(class, 0);
        let (by_credits, port) = (nic.wire().hold == EdgeHold::Credits, nic.wire().peer);
        if by_credits && !self.take_nic_room(nic_slot, usize::from(channel), size) {
            let output = &mut self.nic.nics[nic_slot].output;
            output.starve(now);
            if let Some(arrives) = output.credits().next_arrival() {
                self.wake_nic(endpoint, arrives);
            }
            return true;
        }
        self.nic.nics[nic_slot].output.feed();
        let responses = &mut self.nic.responses[nic_slot];
        responses.waiting.remove(place);
        self.nic.nics[nic_slot].has_responses = !responses.is_empty();
        let (message, number, order) = response.answer.words();
        let slot = self.transit.packets.insert_with(|| {
            let part = MessagePart {
                injected: now,
                message,
                number,
                order,
                job: response.job,
                foreign: false,
                opens: false,
                uet: UetHead::default(),
            };
            let kind =
                PacketKind { class, sent_class: class, purpose: PacketPurpose::Response, marked: false, entropy: 0 };
            let ends = (endpoint, response.destination);
            Packet { segment: response.segment, ..Packet::leaving(ends, (port, channel), (size, 0), kind, part) }
        });
        if self.is_observed() {
            self.record.observer.begin_response(slot, endpoint, response.number);
            self.observe_segment(slot, response.number);
            if self.is_uet(endpoint) {
                self.uet_observe_response(slot);
            }
        }
        self.put_on_wire(endpoint, slot, None);
        let free_at = self.nic.nics[nic_slot].output.free_at;
        self.wake_nic(endpoint, free_at);
        true
    }

    /// A response has reached its NIC.
    #[inline(never)]
    pub fn answered(&mut self, packet: u32) {
        let response = self.transit.packets[packet];
        self.transit.packets.remove(packet);
        if self.is_observed() {
            self.record.observer.take(packet);
        }
        let MessagePart { message, number, order, .. } = response.part;
        let endpoint = response.destination;
        if response.segment.is_some() {
            return self.segment_heard(&response, true);
        }
        let content = ResponseContent::of_words(message, number, order);
        if self.is_uet(endpoint) && self.is_observed() {
            self.uet_learn_context(&response, content);
        }
        match content {
            ResponseContent::Arrived => {}
            ResponseContent::Ends { rank, handle } => {
                let ends = self.clock.now() + self.shared.protocol(endpoint).answered();
                self.finish_operation(rank, handle, ends);
            }
            ResponseContent::Taken { number } => self.nic_ack(endpoint, number),
            ResponseContent::Refused { wanted, class } => {
                if self.is_uet(endpoint) {
                    return self.uet_refused(endpoint, response.source, class, wanted);
                }
                self.nic_nack(endpoint, response.source, wanted, class);
            }
            ResponseContent::Received { number, others, class, marked, penalty, .. } => {
                self.uet_received(endpoint, response.source, class, (number, others, marked), penalty);
            }
            ResponseContent::Trimmed { number, class } => self.uet_trimmed(endpoint, response.source, class, number),
            ResponseContent::Probe { number, class } => self.uet_probed(endpoint, response.source, class, number),
            ResponseContent::Deferred { message, number, class } => {
                self.uet_deferred(endpoint, response.source, class, (message, number));
            }
            ResponseContent::Credit { units, class } => self.uet_credited(endpoint, response.source, class, units),
            ResponseContent::Wants { units, class, again } => {
                self.uet_asked(endpoint, response.source, class, (units, again));
            }
        }
    }
}
