//! Bytes of the packets of Ultra Ethernet's transport on a link: the lengths of its formats.
//!
//! ```text
//! [preamble and gap 20][Ethernet 14][IP 20 or 40][UDP 8 or entropy 4][delivery][semantic][payload][CRC 4][FCS 4]
//! ```
//! The lengths of all headers are those of [`philae_wire::uet`]. Which header a message has:
//!
//! | message | semantic header |
//! |---|---|
//! | send or write of one packet, read whose data fits one packet | medium request |
//! | any other send, write or read | standard request, in each packet |
//! | request of a rendezvous | standard request, rendezvous extension |
//! | deferrable send, request to restart it, and what is sent again | standard request |
//! | atomic operation | standard request, atomic extension |
//! | data of a read, earlier value of an atomic operation | response with data |
//!
//! Source: reference provider (`uet_pkt_hdr.h`, `uet_api.c`) for the headers of each kind. Status:
//! published; that writes and reads use match bits (their memory key), and so never the small
//! request, is assumed.

use philae_wire::uet::overhead::{Encapsulation, Protection};
use philae_wire::uet::semantic::extension::{ATOMIC_LEN, RENDEZVOUS_LEN};
use philae_wire::uet::semantic::request::{MEDIUM_LEN, STANDARD_LEN};
use philae_wire::uet::semantic::response::{DATA_LEN, PLAIN_LEN};
use philae_wire::uet::{acknowledgement, congestion, control, nack, request};

use crate::{PacketPurpose, UetEncapsulation, UetLongSend, UetParameters};

/// Ethernet's header and frame check sequence. Source: IEEE 802.3. Status: published.
const ETHERNET_BYTES: u32 = 14 + 4;
/// Least Ethernet frame. Source: IEEE 802.3. Status: published.
const FRAME_MIN_BYTES: u32 = 64;

/// Sizes of all kinds of packets in a run, in bytes on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UetSizes {
    encapsulation: Encapsulation,
    gap: u32,
    /// The delivery header of a request.
    request: u32,
    /// Most payload of a packet.
    payload_max: u32,
    /// Long messages are deferrable sends: what asks for their data restarts them.
    is_deferrable: bool,
}

impl UetSizes {
    /// Those of a run; `None` if packets have the sizes of `hardware.nic`. `has_credits`: senders
    /// tell receivers how much credit they want, in each request.
    #[must_use]
    pub const fn new(parameters: &UetParameters, payload_max: u32, has_credits: bool) -> Option<Self> {
        let encapsulation = match (parameters.encapsulation, parameters.ip) {
            (UetEncapsulation::Nic, _) => return None,
            (UetEncapsulation::Udp, 6) => Encapsulation::UdpIpv6,
            (UetEncapsulation::Udp, _) => Encapsulation::UdpIpv4,
            (UetEncapsulation::Ip, 6) => Encapsulation::NativeIpv6,
            (UetEncapsulation::Ip, _) => Encapsulation::NativeIpv4,
        };
        let state = if has_credits { congestion::REQUEST_STATE_LEN } else { 0 };
        let request = (request::HEADER_LEN + state) as u32;
        let is_deferrable = matches!(parameters.long_send, UetLongSend::Deferrable);
        Some(Self { encapsulation, gap: parameters.frame_gap_bytes, request, payload_max, is_deferrable })
    }

    /// Whether long messages are deferrable sends.
    #[must_use]
    pub const fn is_deferrable(&self) -> bool {
        self.is_deferrable
    }

    /// What is around the packets.
    #[must_use]
    pub const fn encapsulation(&self) -> Encapsulation {
        self.encapsulation
    }

    /// Whether requests carry congestion state.
    #[must_use]
    pub const fn has_state(&self) -> bool {
        self.request > request::HEADER_LEN as u32
    }

    /// A frame with so many bytes behind IP and UDP or entropy, without the CRC.
    const fn framed(&self, bytes: u32) -> u32 {
        let frame = ETHERNET_BYTES + self.encapsulation.header_len() as u32 + bytes + Protection::Clear.length() as u32;
        self.gap + if frame < FRAME_MIN_BYTES { FRAME_MIN_BYTES } else { frame }
    }

    /// Whether a message has a header for one packet. `bytes`: its payload; `operation_bytes`: that
    /// of its operation, which a request for data does not carry.
    #[must_use]
    pub const fn is_medium(&self, purpose: PacketPurpose, bytes: u64, operation_bytes: u64) -> bool {
        use PacketPurpose as Purpose;
        let most = self.payload_max as u64;
        match purpose {
            Purpose::Eager | Purpose::Put | Purpose::Notice => bytes <= most,
            Purpose::ReadRequest if self.is_deferrable => false,
            Purpose::ReadRequest | Purpose::GetRequest => operation_bytes <= most,
            _ => false,
        }
    }

    const fn semantic(&self, purpose: PacketPurpose, bytes: u64, operation_bytes: u64) -> usize {
        use PacketPurpose as Purpose;
        match purpose {
            Purpose::RendezvousRequest => STANDARD_LEN + RENDEZVOUS_LEN,
            Purpose::Amo | Purpose::FetchingAmo => STANDARD_LEN + ATOMIC_LEN,
            Purpose::ReadData if self.is_deferrable => STANDARD_LEN,
            Purpose::ReadData | Purpose::GetData | Purpose::AmoData => DATA_LEN,
            _ if self.is_medium(purpose, bytes, operation_bytes) => MEDIUM_LEN,
            _ => STANDARD_LEN,
        }
    }

    /// A packet of a message with `payload` bytes.
    #[inline]
    #[must_use]
    pub const fn request(&self, purpose: PacketPurpose, (bytes, operation_bytes): (u64, u64), payload: u32) -> u32 {
        self.framed(self.request + self.semantic(purpose, bytes, operation_bytes) as u32 + payload)
    }

    /// A full packet of a long message.
    #[must_use]
    pub const fn full(&self) -> u32 {
        self.framed(self.request + STANDARD_LEN as u32 + self.payload_max)
    }

    /// A message of so many bytes, in all its packets.
    #[must_use]
    pub const fn message(&self, purpose: PacketPurpose, (bytes, operation_bytes): (u64, u64)) -> u64 {
        let most = self.payload_max as u64;
        let full = if bytes == 0 { 0 } else { (bytes - 1) / most };
        let last = (bytes - full * most) as u32;
        full * self.request(purpose, (bytes, operation_bytes), self.payload_max) as u64
            + self.request(purpose, (bytes, operation_bytes), last) as u64
    }

    /// An acknowledgement with congestion state. `responds`: with the response to a message.
    #[must_use]
    pub const fn acknowledgement(&self, responds: bool) -> u32 {
        self.framed((acknowledgement::CONGESTION_LEN + if responds { PLAIN_LEN } else { 0 }) as u32)
    }

    /// A refusal.
    #[must_use]
    pub const fn refusal(&self) -> u32 {
        self.framed(nack::HEADER_LEN as u32)
    }

    /// A credit, or a request for one.
    #[must_use]
    pub const fn control(&self) -> u32 {
        self.framed(control::HEADER_LEN as u32)
    }

    /// What a switch leaves of a packet that it trims. It keeps no CRC.
    #[must_use]
    pub const fn trimmed(&self) -> u32 {
        let frame = ETHERNET_BYTES + self.encapsulation.trimmed_min() as u32;
        self.gap + if frame < FRAME_MIN_BYTES { FRAME_MIN_BYTES } else { frame }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(encapsulation: UetEncapsulation, ip: u8, has_credits: bool) -> UetSizes {
        let parameters = UetParameters { encapsulation, ip, ..UetParameters::uec() };
        UetSizes::new(&parameters, 4_096, has_credits).expect("sizes of the formats")
    }

    #[test]
    fn sizes_are_sums_of_headers() {
        let udp = sizes(UetEncapsulation::Udp, 4, false);
        let around = 20 + 14 + 20 + 8 + 4 + 4;
        assert_eq!(udp.full(), around + 12 + 44 + 4_096);
        assert_eq!(udp.request(PacketPurpose::Put, (100, 100), 100), around + 12 + 32 + 100);
        assert_eq!(udp.request(PacketPurpose::Amo, (8, 8), 8), around + 12 + 48 + 8);
        assert_eq!(udp.request(PacketPurpose::RendezvousRequest, (0, 1 << 20), 0), around + 12 + 68);
        assert_eq!(udp.request(PacketPurpose::GetRequest, (0, 1 << 20), 0), around + 12 + 44);
        assert_eq!(udp.request(PacketPurpose::GetRequest, (0, 4_096), 0), around + 12 + 32);
        assert_eq!(udp.request(PacketPurpose::GetData, (8_192, 8_192), 4_096), around + 12 + 20 + 4_096);
        assert_eq!((udp.acknowledgement(false), udp.acknowledgement(true)), (around + 32, around + 44));
        assert_eq!((udp.refusal(), udp.control()), (around + 16, around + 16));
        let credits = sizes(UetEncapsulation::Ip, 6, true);
        assert_eq!(credits.full(), 20 + 14 + 40 + 4 + 4 + 4 + 16 + 44 + 4_096);
        assert!(credits.has_state() && !udp.has_state());
    }

    #[test]
    fn frames_are_padded() {
        let native = sizes(UetEncapsulation::Ip, 4, false);
        assert_eq!(14 + 20 + 4 + 16 + 4 + 4, 62);
        assert_eq!(native.control(), 64 + 20);
        assert_eq!(native.trimmed(), 64 + 20, "14 + 20 + 20 + 4 bytes");
    }

    #[test]
    fn a_message_is_the_sum_of_its_packets() {
        let sizes = sizes(UetEncapsulation::Udp, 4, true);
        let put = |bytes: u64, payload| u64::from(sizes.request(PacketPurpose::Put, (bytes, bytes), payload));
        let message = |bytes| sizes.message(PacketPurpose::Put, (bytes, bytes));
        assert_eq!(message(0), put(0, 0));
        assert_eq!(message(4_096), put(4_096, 4_096));
        assert_eq!(message(4_097), put(4_097, 4_096) + put(4_097, 1));
        assert_eq!(message(8_192), 2 * put(8_192, 4_096));
    }

    #[test]
    fn the_nic_decides_if_asked() {
        let parameters = UetParameters { encapsulation: UetEncapsulation::Nic, ..UetParameters::uec() };
        assert_eq!(UetSizes::new(&parameters, 4_096, true), None);
    }
}
