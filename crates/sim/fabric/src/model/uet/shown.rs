//! What captures show of the transport's state. It is read only where packets are observed.

use philae_nic_model::PacketPurpose;
use philae_units::ClassId;
use philae_wire::uet::congestion::{RECEIVED_UNIT_BYTES, SERVICE_TIME_UNIT_NS};
use philae_wire::uet::semantic::opcode::SemanticStatus;

use super::UetReceiver;
use crate::model::packet::{Header, Packet};
use crate::model::response::ResponseContent;
use crate::observe::capture::{UetAckState, UetContent, UetShown};
use crate::observe::observer::PacketIdentity;
use crate::partition::Partition;

impl UetReceiver {
    /// The first of 64 packets, the last of which is `number`, and which of them have arrived.
    fn bitmap(&self, number: u32) -> (i64, u64) {
        let first = i64::from(number) - i64::from(u64::BITS - 1);
        let bit = |bit: u32| {
            let packet = u32::try_from(first + i64::from(bit));
            u64::from(packet.is_ok_and(|packet| self.has(packet))) << bit
        };
        (first, (0..u64::BITS).map(bit).fold(0, |bits, bit| bits | bit))
    }
}

impl Partition {
    /// What the packet of a message says as it leaves its NIC.
    pub fn uet_shown(&self, packet: &Packet) -> Option<UetShown> {
        let uet = self.nic.uet.as_ref()?;
        let (source, destination, class) = (packet.source, packet.destination, packet.kind.class);
        let sender = &uet.senders.flows[uet.senders.find(source, destination, class)?];
        let (number, head) = (packet.part.number, packet.part.uet);
        let tries = sender.of(number).map_or(0, |index| sender.sent[index].tries);
        let wanted = sender.credit.as_ref().map(|_| head.wanted);
        let (asks, is_retransmitted) = (head.asks, tries > 0);
        Some(UetShown {
            source: head.context,
            destination: sender.receiver_context,
            entropy: packet.kind.entropy,
            is_ordered: self.shared.is_ordered(class, source, destination),
            content: UetContent::Request { number, cleared: head.cleared, wanted, asks, is_retransmitted },
        })
    }

    /// What a response says as it leaves its NIC.
    fn uet_shown_response(&self, response: &Packet, content: ResponseContent) -> Option<UetShown> {
        let uet = self.nic.uet.as_ref()?;
        let (from, to) = (response.source, response.destination);
        let class = content.context_class()?;
        let shown = |source, destination, content| UetShown {
            source,
            destination,
            entropy: response.kind.entropy,
            is_ordered: self.shared.is_ordered(class, to, from),
            content,
        };
        let of_sender = match content {
            ResponseContent::Wants { units, .. } => Some(UetContent::Credit { units, is_request: true }),
            ResponseContent::Probe { number, .. } => Some(UetContent::Probe { number }),
            _ => None,
        };
        if let Some(content) = of_sender {
            let sender = &uet.senders.flows[uet.senders.find(from, to, class)?];
            return Some(shown(sender.context, sender.receiver_context, content));
        }
        let receiver = &uet.receivers.flows[uet.receivers.find(to, from, class)?];
        let content = match content {
            ResponseContent::Received { .. } | ResponseContent::Deferred { .. } => {
                let (number, marked, penalty, status) = match content {
                    ResponseContent::Received { number, marked, responds, penalty, .. } => {
                        (number, marked, penalty, responds.then_some(SemanticStatus::OK))
                    }
                    ResponseContent::Deferred { number, .. } => (number, false, 0, Some(SemanticStatus::NO_MATCH)),
                    _ => return None,
                };
                let status = status.map(SemanticStatus::get);
                let (first, bitmap) = receiver.bitmap(number);
                let behind = receiver.arrived.iter().filter(|has| **has).count();
                let state = if self.shared.traits.uet.law.credit_packets().is_some() {
                    UetAckState::Credit { units: (receiver.credited / super::CREDIT_UNIT_BYTES) as u32 }
                } else {
                    let takes_ns = self.shared.protocol(from).response(PacketPurpose::Put) / 1_000;
                    UetAckState::Window {
                        service_time: u16::try_from(takes_ns / SERVICE_TIME_UNIT_NS).unwrap_or(u16::MAX),
                        penalty,
                        received: (receiver.received / RECEIVED_UNIT_BYTES) as u32,
                    }
                };
                let (expected, out_of_order) = (receiver.expected, u16::try_from(behind).unwrap_or(u16::MAX - 1));
                UetContent::Received { number, expected, first, bitmap, out_of_order, state, marked, status }
            }
            ResponseContent::Refused { wanted, .. } => UetContent::Refused { wanted, is_trimmed: false },
            ResponseContent::Trimmed { number, .. } => UetContent::Refused { wanted: number, is_trimmed: true },
            ResponseContent::Credit { units, .. } => UetContent::Credit { units, is_request: false },
            _ => return None,
        };
        Some(shown(receiver.context, receiver.sender_context, content))
    }

    /// A NIC sends the response in `slot`.
    #[cold]
    pub fn uet_observe_response(&mut self, slot: u32) {
        let packet = self.transit.packets[slot];
        let part = packet.part;
        let content = ResponseContent::of_words(part.message, part.number, part.order);
        let Some(shown) = self.uet_shown_response(&packet, content) else { return };
        self.transit.packets[slot].part.uet.context = shown.source;
        let answered = self.record.observer.identity(slot);
        let header = Header {
            bytes: 0,
            purpose: PacketPurpose::Response,
            class: ClassId(packet.kind.sent_class),
            job: part.job,
            source_rank: 0,
            destination_rank: 0,
            operation_bytes: 0,
            tag: 0,
            issuer_handle: 0,
            receive_handle: 0,
            issued: 0,
        };
        let alone = PacketIdentity::alone(header, (packet.source, packet.destination), part.number);
        // An acknowledgement knows the message whose packet it names.
        let identity = match content {
            ResponseContent::Received { .. } | ResponseContent::Deferred { .. } => answered.unwrap_or(alone),
            _ => alone,
        };
        self.record.observer.identify_response(slot, PacketIdentity { uet: Some(shown), ..identity });
    }

    /// A response tells the number of its context at the other NIC.
    pub fn uet_learn_context(&mut self, response: &Packet, content: ResponseContent) {
        let (from, to, number) = (response.source, response.destination, response.part.uet.context);
        let (Some(uet), Some(class)) = (&mut self.nic.uet, content.context_class()) else { return };
        if let ResponseContent::Wants { .. } | ResponseContent::Probe { .. } = content {
            if let Some(slot) = uet.receivers.find(from, to, class) {
                uet.receivers.flows[slot].sender_context = number;
            }
        } else if let Some(slot) = uet.senders.find(to, from, class) {
            uet.senders.flows[slot].receiver_context = number;
        }
    }
}
