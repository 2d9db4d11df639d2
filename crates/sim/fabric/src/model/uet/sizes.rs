//! Bytes that packets have on a link: those of Ultra Ethernet's formats in runs with its transport,
//! and otherwise those of the NICs.

use philae_nic_model::{NicParameters, UetParameters, UetSizes, wire_bytes};

use crate::model::config::FabricConfig;
use crate::model::packet::Header;
use crate::model::response::ResponseContent;
use crate::model::shared::Shared;

impl FabricConfig {
    /// The sizes of Ultra Ethernet's formats, if packets have them.
    #[must_use]
    pub fn uet_sizes(&self) -> Option<UetSizes> {
        if !self.congestion.is_ultra_ethernet() {
            return None;
        }
        UetSizes::new(&self.laws.uet, self.nic.payload_max_bytes, self.congestion.credit_packets().is_some())
    }
}

impl Shared {
    /// A packet of a message with `payload` bytes of it.
    #[inline]
    pub fn packet_bytes(&self, form: &NicParameters, header: &Header, payload: u32, first: bool) -> u32 {
        match &self.traits.uet.sizes {
            None => wire_bytes(form, payload, first),
            Some(sizes) => sizes.request(header.purpose, (header.bytes, header.operation_bytes), payload),
        }
    }

    /// A response of a NIC.
    #[inline]
    pub fn response_bytes(&self, form: &NicParameters, content: ResponseContent) -> u32 {
        let Some(sizes) = &self.traits.uet.sizes else { return wire_bytes(form, 0, false) };
        match content {
            ResponseContent::Received { responds, .. } => sizes.acknowledgement(responds),
            ResponseContent::Deferred { .. } => sizes.acknowledgement(true),
            ResponseContent::Refused { .. } | ResponseContent::Trimmed { .. } => sizes.refusal(),
            ResponseContent::Credit { .. } | ResponseContent::Wants { .. } | ResponseContent::Probe { .. } => {
                sizes.control()
            }
            ResponseContent::Arrived | ResponseContent::Ends { .. } | ResponseContent::Taken { .. } => {
                unreachable!("NICs with Ultra Ethernet's transport have other answers")
            }
        }
    }

    /// What a switch leaves of a packet that it trims.
    pub fn trimmed_bytes(&self) -> u16 {
        match (self.config.laws.uet.trimmed_bytes, &self.traits.uet.sizes) {
            (0, None) => UetParameters::TRIMMED_LEAST,
            (0, Some(sizes)) => sizes.trimmed() as u16,
            (given, _) => given,
        }
    }

    /// Gap in front of a frame of an endpoint, in bytes. Frames of Ultra Ethernet have it in their
    /// size.
    #[inline]
    pub fn edge_gap_bytes(&self, nic: &NicParameters) -> u32 {
        if self.traits.uet.sizes.is_some() { 0 } else { nic.edge_gap_bytes }
    }

    /// All packets of a message.
    pub fn uet_message_bytes(&self, form: &NicParameters, header: &Header) -> u64 {
        if let Some(sizes) = &self.traits.uet.sizes {
            return sizes.message(header.purpose, (header.bytes, header.operation_bytes));
        }
        let packets = philae_nic_model::packet_count(form, philae_units::Bytes(header.bytes));
        header.bytes + packets * u64::from(wire_bytes(form, form.payload_max_bytes, true) - form.payload_max_bytes)
    }

    /// A full packet of a NIC on the wire, in bytes.
    pub fn uet_packet_bytes(&self, endpoint: u32) -> u32 {
        let nic = self.nic(endpoint);
        self.traits.uet.sizes.map_or_else(|| wire_bytes(nic, nic.payload_max_bytes, true), |sizes| sizes.full())
    }
}
