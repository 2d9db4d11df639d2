//! Explained messages in software: issue, completion, matching, delivery.

use philae_results::explain::TimePart;

use super::packet_path::SpanPlace;
use crate::model::packet::{Header, Incoming, PacketPurpose};
use crate::partition::Partition;

impl Partition {
    /// A core has done its part of an operation at `time`: the NIC has its command, or its copy
    /// begins.
    #[cold]
    pub fn explain_issued(&mut self, header: &Header, time: u64) {
        self.explaining(|_, explainer| {
            if let Some(index) = explainer.index_of(header) {
                explainer.messages[index].spans.advance(TimePart::Host, SpanPlace::Host, time);
            }
        });
    }

    /// A core is done with its part of an operation at `time`, of which the memory made it wait
    /// `delay` for a copy.
    #[cold]
    pub fn explain_copied(&mut self, header: &Header, time: u64, delay: u64) {
        self.explaining(|_, explainer| {
            if let Some(index) = explainer.index_of(header) {
                let spans = &mut explainer.messages[index].spans;
                spans.advance(TimePart::Host, SpanPlace::Host, time.saturating_sub(delay));
                spans.advance(TimePart::Memory, SpanPlace::Host, time);
            }
        });
    }

    /// All of a message, and its event, are in memory at `written`. The bus was done at `on_bus`.
    #[cold]
    pub fn explain_written(&mut self, message: &Incoming, on_bus: u64, written: u64) {
        self.explaining(|_, explainer| {
            if let Some(index) = explainer.index_of(&message.header) {
                let place = SpanPlace::Nic(message.destination);
                let spans = &mut explainer.messages[index].spans;
                spans.advance(TimePart::Bus, place, on_bus);
                spans.advance(TimePart::Memory, place, written);
            }
        });
    }

    /// A message has become visible at its receiver.
    #[cold]
    pub fn explain_visible(&mut self, message: &Incoming) {
        self.explaining(|partition, explainer| {
            let Some(index) = explainer.index_of(&message.header) else { return };
            let spans = &mut explainer.messages[index].spans;
            let nic = partition.shared.nic(message.destination);
            let reception = match message.header.purpose {
                _ if message.packets == 0 => 0,
                PacketPurpose::RendezvousRequest if partition.nic_matches_for(message.header.destination_rank, nic) => {
                    u64::from(nic.accept_ns) * 1_000
                }
                _ => u64::from(nic.receive_ns) * 1_000,
            };
            let received = (spans.cursor + reception).min(partition.clock.now());
            spans.advance(TimePart::Nic, SpanPlace::Nic(message.destination), received);
            spans.advance(TimePart::Host, SpanPlace::Host, partition.clock.now());
        });
    }

    /// A refused message is sent again at `time`.
    #[cold]
    pub fn explain_resent(&mut self, header: &Header, time: u64) {
        self.explaining(|partition, explainer| {
            if let Some(index) = explainer.index_of(header) {
                let source = partition.shared.places.ranks[header.source_rank as usize].endpoint;
                explainer.messages[index].spans.advance(TimePart::Retry, SpanPlace::Nic(source), time);
            }
        });
    }

    /// A message and its receive have matched at `time`.
    #[cold]
    pub fn explain_matched(&mut self, header: &Header, time: u64) {
        self.explaining(|_, explainer| {
            if let Some(index) = explainer.index_of(header) {
                explainer.messages[index].spans.advance(TimePart::Receiver, SpanPlace::Host, time);
            }
        });
    }

    /// An operation's data has arrived in full at `time`: its explanation is complete.
    #[cold]
    pub fn explain_finished(&mut self, message: &Incoming, time: u64) {
        self.explaining(|_, explainer| {
            let Some(index) = explainer.index_of(&message.header) else { return };
            let followed = &mut explainer.messages[index];
            followed.spans.advance(TimePart::Host, SpanPlace::Host, time);
            followed.done = Some((*message, crate::observe::recorder::kind_of(message), time));
        });
    }
}
