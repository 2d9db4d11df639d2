//! Bytes that packets have on a link: those of Ultra Ethernet's formats in runs with its transport,
//! and otherwise those of the NICs.

use philae_congestion::UetLaw;
use philae_nic_model::{NicParameters, UetParameters, UetSizes, wire_bytes};

use crate::model::config::FabricConfig;
use crate::model::packet::Header;
use crate::model::response::ResponseContent;
use crate::model::shared::Shared;

impl FabricConfig {
    /// The sizes of Ultra Ethernet's formats, if packets of the system's own NICs have them.
    #[must_use]
    pub fn uet_sizes(&self) -> Option<UetSizes> {
        if !self.congestion.is_ultra_ethernet() {
            return None;
        }
        self.uet_sizes_of(&self.nic)
    }

    /// The same for packets of `nic`, which has the transport.
    pub fn uet_sizes_of(&self, nic: &NicParameters) -> Option<UetSizes> {
        UetSizes::new(&self.laws.uet, nic.payload_max_bytes, self.uet_law().credit_packets().is_some())
    }

    /// The law of Ultra Ethernet's transport: that of the run, or that of third-party endpoints.
    pub fn uet_law(&self) -> UetLaw {
        self.congestion.ultra_ethernet().unwrap_or_else(|| self.laws.uet_law.clone())
    }
}

impl Shared {
    /// The sizes of the formats, if packets of an endpoint have them.
    #[inline]
    fn uet_sizes(&self, endpoint: u32) -> Option<&UetSizes> {
        let sizes = self.traits.uet.sizes.as_ref()?;
        self.is_uet(endpoint).then_some(sizes)
    }

    /// A packet of a message of `source` with `payload` bytes of it.
    #[inline]
    pub fn packet_bytes(
        &self,
        source: u32,
        form: &NicParameters,
        header: &Header,
        (payload, first): (u32, bool),
    ) -> u32 {
        match self.uet_sizes(source) {
            None => wire_bytes(form, payload, first),
            Some(sizes) => sizes.request(header.purpose, (header.bytes, header.operation_bytes), payload),
        }
    }

    /// A response of a NIC.
    #[inline]
    pub fn response_bytes(&self, from: u32, form: &NicParameters, content: ResponseContent) -> u32 {
        let Some(sizes) = self.uet_sizes(from) else { return wire_bytes(form, 0, false) };
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
    pub fn edge_gap_bytes(&self, endpoint: u32, nic: &NicParameters) -> u32 {
        if self.uet_sizes(endpoint).is_some() { 0 } else { nic.edge_gap_bytes }
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
