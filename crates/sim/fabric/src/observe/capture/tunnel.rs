//! Puts the headers that the packet engine makes around a packet's contents.
//!
//! Tables see one frame for all packets of a message, without payload and with the operation of a
//! message of one packet (see `overlay.rs`). A capture takes the headers from that frame: before
//! the ingress, between ingress and egress, and after the egress. They are addresses, class, VLAN
//! tags, tunnels and anything else that the program has written, up to the first transport header.
//!
//! From there on the frame is the packet's own: operation, sequence number, payload. Bytes of the
//! first transport header that the program has changed are changed here too, and the queue pair is
//! the one that tables see. Lengths, IPv4 checksums and the ICRC are computed again.
//!
//! On the fabric, hops and marks are those of the outermost header. The far edge copies a mark into
//! the frame that was in a tunnel, whose hops do not count. Source: RFC 6040 for marks; for hops
//! ours. Status: assumed.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_packet_engine::PipelineStage;
use philae_wire::dissect::{LayerKind, Layers, Start, dissect};
use philae_wire::roce::icrc;
use philae_wire::{Ecn, Framing, ipv4, udp};

use super::FrameSpan;
use super::frame::HOPS_MAX;
use crate::model::overlay::EdgeMessage;
use crate::model::shared::Shared;
use crate::observe::observer::PacketIdentity;

/// Offset of the transport header in a frame that no table has changed: after Ethernet, IPv4 and
/// UDP.
const PLAIN_AT: usize = 14 + ipv4::HEADER_LEN + udp::HEADER_LEN;
/// Bytes of the first transport header. Source: InfiniBand chapter 9. Status: published.
const TRANSPORT_LEN: usize = 12;
/// Bytes of the queue pair in the transport header.
const QUEUE_PAIR: std::ops::Range<usize> = 5..8;

type Key = (FrameSpan, u32, u32, u16, u8, u8);

/// The headers that tables have made, by span of the path and kind of packet.
pub struct Tunnels {
    shared: Arc<Shared>,
    made: BTreeMap<Key, Made>,
}

impl std::fmt::Debug for Tunnels {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Tunnels").field(&self.made.len()).finish()
    }
}

/// A frame as tables have left it.
#[derive(Debug)]
struct Made {
    frame: Vec<u8>,
    layers: Layers,
    /// Offset of its first transport header.
    transport_at: usize,
    /// Bytes of that header that differ from what the NIC sent.
    changed: Vec<usize>,
    has_left_tunnel: bool,
}

impl Tunnels {
    /// The tunnels of a fabric with a packet engine; `None` for all others.
    pub fn new(shared: &Arc<Shared>) -> Option<Self> {
        shared.overlay.is_some().then(|| Self { shared: Arc::clone(shared), made: BTreeMap::new() })
    }

    /// Puts the headers of a span around what follows the UDP header of the plain frame in
    /// `buffer`. Returns false if the program has left no transport header.
    pub fn wrap(
        &mut self,
        identity: &PacketIdentity,
        span: FrameSpan,
        (hops, marked): (u8, bool),
        buffer: &mut Vec<u8>,
    ) -> bool {
        let Some(made) = self.made(identity, span) else { return false };
        let inside = buffer.split_off(PLAIN_AT);
        let transport_offset = made.transport_at;
        buffer.clear();
        buffer.extend_from_slice(&made.frame[..transport_offset]);
        buffer.extend_from_slice(&inside);
        for place in QUEUE_PAIR.chain(made.changed.iter().copied()) {
            buffer[transport_offset + place] = made.frame[transport_offset + place];
        }
        let more = buffer.len() - made.frame.len().min(buffer.len());
        let less = made.frame.len() - made.frame.len().min(buffer.len());
        for layer in made.layers.as_slice() {
            let field = match layer.kind {
                LayerKind::Ipv4 => layer.offset + 2,
                LayerKind::Udp => layer.offset + 4,
                _ => continue,
            };
            let length = usize::from(u16::from_be_bytes([buffer[field], buffer[field + 1]])) + more - less;
            buffer[field..field + 2].copy_from_slice(&(length as u16).to_be_bytes());
        }
        let outermost = made.layers.as_slice().iter().position(|layer| layer.kind == LayerKind::Ipv4);
        for (place, layer) in
            made.layers.as_slice().iter().enumerate().filter(|(_, layer)| layer.kind == LayerKind::Ipv4)
        {
            let Ok(mut packet) = ipv4::Ipv4Packet::new(&mut buffer[layer.offset..]) else { return false };
            let crosses = Some(place) == outermost && span != FrameSpan::FromNic;
            if crosses && !made.has_left_tunnel {
                packet.set_time_to_live(packet.time_to_live().min(HOPS_MAX).saturating_sub(hops));
            }
            if crosses && marked {
                packet.set_ecn(Ecn::Congested);
            }
            packet.fill_checksum();
        }
        let innermost = made.layers.innermost(LayerKind::Ipv4).map(|layer| layer.offset);
        innermost.is_some_and(|offset| icrc::seal(&mut buffer[offset..]).is_ok())
    }

    fn made(&mut self, identity: &PacketIdentity, span: FrameSpan) -> Option<&Made> {
        let header = &identity.header;
        let (source, destination, job, class, purpose) =
            (identity.source, identity.destination, header.job, header.class, header.purpose);
        let key = (span, source, destination, job.0, class.0, purpose as u8);
        if !self.made.contains_key(&key) {
            let overlay = self.shared.overlay.as_ref()?;
            let message = EdgeMessage { source, destination, job, class, purpose };
            let plain = overlay.frame(&message);
            let (frame, has_left_tunnel) = match span {
                FrameSpan::FromNic => (plain.clone(), false),
                FrameSpan::Fabric => (overlay.emitted(PipelineStage::Ingress, &message), false),
                FrameSpan::ToNic => {
                    let inside = tunnels(&overlay.emitted(PipelineStage::Ingress, &message));
                    let frame = overlay.emitted(PipelineStage::Egress, &message);
                    let left = tunnels(&frame) < inside;
                    (frame, left)
                }
            };
            let layers = dissect(&frame, Start::Ethernet(Framing::Bare));
            let transport_at = layers.innermost(LayerKind::Roce)?.offset;
            let differs = |offset: &usize| frame[transport_at + offset] != plain[PLAIN_AT + offset];
            let changed = (0..TRANSPORT_LEN).filter(differs).collect();
            self.made.insert(key, Made { frame, layers, transport_at, changed, has_left_tunnel });
        }
        self.made.get(&key)
    }
}

/// Number of tunnels around a frame.
fn tunnels(frame: &[u8]) -> usize {
    let layers = dissect(frame, Start::Ethernet(Framing::Bare));
    layers.as_slice().iter().filter(|layer| layer.kind == LayerKind::Vxlan).count()
}
