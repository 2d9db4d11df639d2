//! The check of virtual networks (VNIs) and access lists at the edge, by the packet engine: a
//! denied packet is discarded, a changed one travels changed.
//!
//! Packets of collective trees do not meet its tables, neither at the ingress nor at the egress.
//! The fabric's manager makes a tree for the members of one job, which are in one virtual network,
//! and the tree's packets go nowhere else. Responses do not meet them either: the request that they
//! answer has. Assumed: what hardware does is not published.

use philae_packet_engine::PipelineStage;
use philae_results::fault::DiscardCause;
use philae_units::ClassId;

use crate::model::overlay::{EdgeMessage, EdgeVerdict};
use crate::model::packet::{Packet, PacketPurpose};
use crate::partition::Partition;

/// The cause that the packet engine gives for a packet of another virtual network.
const VNI_MISMATCH: &str = "vni_mismatch";

const fn message_of(packet: &Packet) -> EdgeMessage {
    EdgeMessage {
        source: packet.source,
        destination: packet.destination,
        job: packet.part.job,
        class: ClassId(packet.kind.sent_class),
        purpose: packet.kind.purpose,
    }
}

/// Packets that do not meet the tables.
const fn is_exempt(purpose: PacketPurpose) -> bool {
    matches!(purpose, PacketPurpose::Collective | PacketPurpose::Response)
}

fn cause_of(cause: &str) -> DiscardCause {
    if cause == VNI_MISMATCH { DiscardCause::VniMismatch } else { DiscardCause::AccessList }
}

impl Partition {
    /// Applies the ingress tables of a packet's edge port. Returns false if they deny the packet.
    #[inline(never)]
    pub fn passes_ingress(&mut self, packet: u32, port: u32) -> bool {
        let Some(overlay) = &self.shared.overlay else { return true };
        let packet_state = self.transit.packets[packet];
        if is_exempt(packet_state.kind.purpose) {
            return true;
        }
        match self.edge.verdicts.verdict(overlay, PipelineStage::Ingress, &message_of(&packet_state)) {
            EdgeVerdict::Permit { extra_wire_bytes, class } => {
                let (extra, class) = (*extra_wire_bytes, class.0);
                let bytes = u32::from(packet_state.wire_bytes).saturating_add_signed(extra);
                let port_slot = self.port_slot(port);
                let input = self.edge_class_slot(port_slot, packet_state.kind.sent_class);
                let switch = self.switch_slot(port_slot);
                // The packet entered the buffer with its original size. From here on it takes the
                // room of its size on the fabric.
                let used = &mut self.edge.edge_buffers[input].used_bytes;
                *used = used.saturating_add_signed(extra);
                self.switch.buffered[switch].bytes = self.switch.buffered[switch].bytes.saturating_add_signed(extra);
                let entering = &mut self.transit.packets[packet];
                entering.wire_bytes = u16::try_from(bytes).expect("a frame with an outer header is below 64 KiB");
                entering.kind.class = class;
                true
            }
            EdgeVerdict::Deny { cause, .. } => {
                let cause = cause_of(cause);
                self.discard(packet, cause);
                false
            }
        }
    }

    /// Applies the egress tables of a packet's last edge port. Returns false if they deny the
    /// packet.
    #[inline(never)]
    pub fn passes_egress(&mut self, packet: u32) -> bool {
        let Some(overlay) = &self.shared.overlay else { return true };
        let packet_state = self.transit.packets[packet];
        if is_exempt(packet_state.kind.purpose) {
            return true;
        }
        match self.edge.verdicts.verdict(overlay, PipelineStage::Egress, &message_of(&packet_state)) {
            EdgeVerdict::Permit { .. } => true,
            EdgeVerdict::Deny { cause, .. } => {
                let cause = cause_of(cause);
                self.discard(packet, cause);
                false
            }
        }
    }

    /// Size of a packet on the link to its NIC, after the egress tables.
    #[inline(never)]
    pub fn bytes_beyond_egress(&mut self, packet: u32) -> u32 {
        let packet_state = &self.transit.packets[packet];
        let bytes = u32::from(packet_state.wire_bytes);
        let Some(overlay) = &self.shared.overlay else { return bytes };
        if is_exempt(packet_state.kind.purpose) {
            return bytes;
        }
        let message = message_of(packet_state);
        let mut extra = |stage| match self.edge.verdicts.known(overlay, stage, &message) {
            EdgeVerdict::Permit { extra_wire_bytes, .. } => *extra_wire_bytes,
            EdgeVerdict::Deny { .. } => 0,
        };
        // Both count from what the NIC sent.
        let (fabric, edge) = (extra(PipelineStage::Ingress), extra(PipelineStage::Egress));
        bytes.saturating_add_signed(edge - fabric)
    }
}
