//! Follows explained messages through their NIC.

use std::collections::BTreeMap;

use philae_congestion::CongestionLaw;
use philae_nic_model::EdgeHold;
use philae_results::explain::TimePart;

use super::super::packet_path::{FlowKey, PacketPath, SpanPlace, Spans, flow_of};
use super::{FollowedMessage, SendingFlow};
use crate::memory::slab::NO_INDEX;
use crate::model::packet::{Header, SentKey};
use crate::partition::Partition;

impl Partition {
    /// A message has been handed to the NIC of `source` as its number `begun`, and can be sent from
    /// `ready` on. The NIC reads from memory from `handed` until then: the bus is done at `on_bus`.
    #[cold]
    pub fn explain_begun(
        &mut self,
        header: &Header,
        source: u32,
        (outgoing, begun): (u32, u32),
        [handed, on_bus, ready]: [u64; 3],
    ) {
        self.explaining(|partition, explainer| {
            let Some(index) = explainer.index_of(header) else { return };
            let nic = partition.shared.nic(source);
            let spans = &mut explainer.messages[index].spans;
            let is_asked = header.purpose == crate::model::packet::PacketPurpose::ReadRequest;
            if is_asked && !partition.nic_matches_for(header.source_rank, nic) {
                let nic_part = u64::from(nic.command_ns + nic.transmit_ns) * 1_000;
                spans.advance(TimePart::Host, SpanPlace::Host, handed.saturating_sub(nic_part));
            }
            spans.advance(TimePart::Nic, SpanPlace::Nic(source), handed);
            spans.advance(TimePart::Bus, SpanPlace::Nic(source), on_bus);
            spans.advance(TimePart::Memory, SpanPlace::Nic(source), ready);
            let ring = FollowedMessage {
                message_index: index as u32,
                number: begun,
                class: header.class.0,
                outgoing,
                tcp_end: partition.nic.outgoing[outgoing].tcp_end,
                spans: Spans::from(ready),
                sending: explainer.sending.get(&source).copied(),
                starved: false,
                held: false,
            };
            explainer.rings.insert((source, begun), ring);
        });
    }

    /// Accounts for the time of a NIC's followed messages up to now, before the reason of their
    /// wait changes.
    #[cold]
    pub fn explain_nic(&mut self, endpoint: u32, starved: bool) {
        self.explain_nic_before(endpoint, u32::MAX, starved);
    }

    /// The same, before the packet in `slot` takes the wire.
    fn explain_nic_before(&mut self, endpoint: u32, slot: u32, starved: bool) {
        self.explaining(|partition, explainer| {
            let (now, nic_slot) = (partition.clock.now(), partition.nic_slot(endpoint));
            let is_ecn = matches!(partition.shared.config.congestion, CongestionLaw::Ecn(_));
            let law = is_ecn || partition.is_uet(endpoint);
            let buffered = partition.nic.nics[nic_slot].wire().peer;
            let mut holders: Option<BTreeMap<FlowKey, u64>> = None;
            for ring in explainer.rings.range_mut((endpoint, 0)..=(endpoint, u32::MAX)).map(|(_, ring)| ring) {
                if now < ring.spans.cursor {
                    continue;
                }
                let reason = if ring.tcp_end != NO_INDEX && partition.nic.tcp.holds(ring.tcp_end, ring.outgoing) {
                    TimePart::Window
                } else if partition.nic.nics[nic_slot].is_paused(ring.class) {
                    TimePart::Pause
                } else if ring.starved {
                    TimePart::Credit
                } else if law || ring.held {
                    TimePart::Held
                } else if partition.shared.classes.host_schedule.is_some() {
                    TimePart::Class
                } else if partition.shared.traits.has_link_layer {
                    TimePart::LinkRetry
                } else if partition.has_bus() {
                    partition.bus_part(endpoint)
                } else if partition.nic.nics[nic_slot].wire().hold == EdgeHold::Credits {
                    TimePart::Credit
                } else {
                    TimePart::Nic
                };
                let before = ring.spans.cursor;
                ring.waited(endpoint, now, reason);
                ring.starved = starved;
                if matches!(reason, TimePart::Pause | TimePart::Credit) && ring.spans.cursor > before {
                    let flows =
                        holders.get_or_insert_with(|| partition.bytes_of(slot, |packet| packet.place.port == buffered));
                    for (flow, bytes) in flows {
                        ring.spans.blame(reason, SpanPlace::Nic(endpoint), *flow, *bytes);
                    }
                }
            }
        });
    }

    /// The law does not let the next packet of a message go, from now on until it is sent.
    #[cold]
    pub fn explain_held_by_law(&mut self, message: u32) {
        if self.record.observer.explainer.is_none() {
            return;
        }
        let (endpoint, number) = (self.nic.outgoing[message].source, self.nic.outgoing[message].number);
        self.explain_nic(endpoint, false);
        self.explaining(|_, explainer| {
            if let Some(ring) = explainer.rings.get_mut(&(endpoint, number)) {
                ring.held = true;
            }
        });
    }

    /// A NIC has put the packet in `slot` on the wire. The packet belongs to the NIC's message
    /// `number`; `None`: it is sent again.
    pub fn explain_sent(&mut self, slot: u32, number: Option<u32>, finished: bool) -> Option<PacketPath> {
        self.record.observer.explainer.as_ref()?;
        let packet = self.transit.packets[slot];
        let endpoint = packet.source;
        self.explain_nic_before(endpoint, slot, false);
        let until = self.wire_free_at(endpoint);
        let sending =
            SendingFlow { flow: flow_of(&packet), bytes: u64::from(packet.wire_bytes), message: number, until };
        let (now, is_kept) = (self.clock.now(), self.keeps_packets(endpoint));
        let explainer = self.record.observer.explainer.as_mut()?;
        explainer.sending.insert(endpoint, sending);
        for ring in explainer.rings.range_mut((endpoint, 0)..=(endpoint, u32::MAX)).map(|(_, ring)| ring) {
            ring.sending = Some(sending);
        }
        if packet.kind.purpose == crate::model::packet::PacketPurpose::Response {
            return None; // It belongs to no message.
        }
        let Some(number) = number else {
            let mut path = explainer.unacked.get(&SentKey::of(&packet))?.clone();
            path.spans.advance(TimePart::Retry, SpanPlace::Nic(endpoint), now);
            return Some(path);
        };
        let ring = explainer.rings.get_mut(&(endpoint, number))?;
        ring.held = false;
        let path = PacketPath::new(ring.message_index, ring.spans.clone());
        if is_kept {
            explainer.unacked.insert(SentKey::of(&packet), path.clone());
        }
        if finished {
            explainer.rings.remove(&(endpoint, number));
        }
        Some(path)
    }
}
