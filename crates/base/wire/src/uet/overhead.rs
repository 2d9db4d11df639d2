//! Bytes around the payload, per kind of packet: the figures that a simulator needs.
//!
//! All lengths begin with the IP header and end with the CRC. An Ethernet frame adds 18 bytes, and
//! the link its preamble and gap ([`occupancy`](crate::hpc_ethernet::occupancy) counts those).

use super::crc::CRC_LEN;
use super::security::{HEADER_LEN as SECURITY_LEN, HEADER_WITH_SOURCE_LEN, TAG_LEN};
use super::semantic::extension::{ATOMIC_LEN, RENDEZVOUS_LEN, TWO_OPERANDS_LEN};
use super::semantic::request::{MEDIUM_LEN, SMALL_LEN, STANDARD_LEN};
use super::semantic::response::{DATA_LEN, PLAIN_LEN, SMALL_DATA_LEN};
use super::{acknowledgement, congestion, control, datagram, entropy, nack, request};
use crate::{ipv4, ipv6, udp};

/// The least bytes behind the IP header that a switch leaves when it trims a packet in native IP:
/// entropy and the largest part of a delivery header.
///
/// Source: public data model of specification 1.0.1, table 4-1. Status: published.
pub const TRIMMED_NATIVE_MIN: usize = 20;
/// The least bytes behind the IP header that a switch leaves when it trims a packet over UDP.
///
/// Source: public data model of specification 1.0.1, table 4-1. Status: published.
pub const TRIMMED_UDP_MIN: usize = 24;

/// What is around a UET packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encapsulation {
    /// IPv4 and an entropy header.
    NativeIpv4,
    /// IPv6 and an entropy header.
    NativeIpv6,
    /// IPv4 and UDP.
    UdpIpv4,
    /// IPv6 and UDP.
    UdpIpv6,
}

impl Encapsulation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NativeIpv4, Self::NativeIpv6, Self::UdpIpv4, Self::UdpIpv6];

    /// Bytes of the IP header.
    #[must_use]
    pub const fn ip_len(self) -> usize {
        match self {
            Self::NativeIpv4 | Self::UdpIpv4 => ipv4::HEADER_LEN,
            Self::NativeIpv6 | Self::UdpIpv6 => ipv6::HEADER_LEN,
        }
    }

    /// Bytes in front of the UET packet.
    #[must_use]
    pub const fn header_len(self) -> usize {
        let behind_ip = match self {
            Self::NativeIpv4 | Self::NativeIpv6 => entropy::HEADER_LEN,
            Self::UdpIpv4 | Self::UdpIpv6 => udp::HEADER_LEN,
        };
        self.ip_len() + behind_ip
    }

    /// Least bytes of a trimmed packet.
    #[must_use]
    pub const fn trimmed_min(self) -> usize {
        let behind_ip = match self {
            Self::NativeIpv4 | Self::NativeIpv6 => TRIMMED_NATIVE_MIN,
            Self::UdpIpv4 | Self::UdpIpv6 => TRIMMED_UDP_MIN,
        };
        self.ip_len() + behind_ip
    }
}

/// How a packet is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// In the clear, with a CRC.
    Clear,
    /// Encrypted, with a tag; its header may name the source.
    Secured {
        /// Whether it does.
        has_source: bool,
    },
}

impl Protection {
    /// Bytes in addition to the headers of UET.
    #[must_use]
    pub const fn length(self) -> usize {
        match self {
            Self::Clear => CRC_LEN,
            Self::Secured { has_source: false } => SECURITY_LEN + TAG_LEN,
            Self::Secured { has_source: true } => HEADER_WITH_SOURCE_LEN + TAG_LEN,
        }
    }
}

/// The headers of one kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketOverhead {
    /// The kind.
    pub name: &'static str,
    /// Bytes of the delivery header.
    pub delivery: usize,
    /// Bytes of the semantic header and its extension.
    pub semantic: usize,
}

impl PacketOverhead {
    /// Bytes of the packet without its payload.
    #[must_use]
    pub const fn bytes(self, encapsulation: Encapsulation, protection: Protection) -> usize {
        encapsulation.header_len() + self.delivery + self.semantic + protection.length()
    }
}

const fn row(name: &'static str, delivery: usize, semantic: usize) -> PacketOverhead {
    PacketOverhead { name, delivery, semantic }
}

const REQUEST: usize = request::HEADER_LEN;
const REQUEST_STATE: usize = request::HEADER_LEN + congestion::REQUEST_STATE_LEN;
const ACK: usize = acknowledgement::HEADER_LEN;

/// The usual packets. Each row is the sum of the lengths in the modules of its headers.
pub const OVERHEADS: [PacketOverhead; 24] = [
    row("request, small", REQUEST, SMALL_LEN),
    row("request, medium", REQUEST, MEDIUM_LEN),
    row("request, standard", REQUEST, STANDARD_LEN),
    row("request, standard, rendezvous", REQUEST, STANDARD_LEN + RENDEZVOUS_LEN),
    row("request, standard, atomic", REQUEST, STANDARD_LEN + ATOMIC_LEN),
    row("request, standard, compare and swap", REQUEST, STANDARD_LEN + TWO_OPERANDS_LEN),
    row("request with state, small", REQUEST_STATE, SMALL_LEN),
    row("request with state, medium", REQUEST_STATE, MEDIUM_LEN),
    row("request with state, standard", REQUEST_STATE, STANDARD_LEN),
    row("RUDI request, small", datagram::IDEMPOTENT_LEN, SMALL_LEN),
    row("RUDI request, standard", datagram::IDEMPOTENT_LEN, STANDARD_LEN),
    row("RUDI response", datagram::IDEMPOTENT_LEN, PLAIN_LEN),
    row("RUDI response with data", datagram::IDEMPOTENT_LEN, DATA_LEN),
    row("UUD request, standard", datagram::UNRELIABLE_LEN, STANDARD_LEN),
    row("ACK", ACK, 0),
    row("ACK, response", ACK, PLAIN_LEN),
    row("ACK, response with data", ACK, DATA_LEN),
    row("ACK, small response with data", ACK, SMALL_DATA_LEN),
    row("ACK_CC", acknowledgement::CONGESTION_LEN, 0),
    row("ACK_CC, response", acknowledgement::CONGESTION_LEN, PLAIN_LEN),
    row("ACK_CCX", acknowledgement::EXTENDED_LEN, 0),
    row("NACK", nack::HEADER_LEN, 0),
    row("NACK_CCX", nack::EXTENDED_LEN, 0),
    row("control", control::HEADER_LEN, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(name: &str, encapsulation: Encapsulation, protection: Protection) -> usize {
        let row = OVERHEADS.iter().find(|row| row.name == name).expect("there is such a row");
        row.bytes(encapsulation, protection)
    }

    #[test]
    fn sizes_are_those_of_the_headers() {
        use Encapsulation::{NativeIpv4, NativeIpv6, UdpIpv4, UdpIpv6};
        let clear = Protection::Clear;
        assert_eq!(bytes("request, standard", NativeIpv4, clear), 20 + 4 + 12 + 44 + 4);
        assert_eq!(bytes("request, standard", UdpIpv6, clear), 40 + 8 + 12 + 44 + 4);
        assert_eq!(bytes("ACK_CC", NativeIpv4, clear), 20 + 4 + 32 + 4);
        assert_eq!(bytes("ACK_CCX", UdpIpv4, clear), 20 + 8 + 40 + 4);
        assert_eq!(bytes("NACK", NativeIpv6, Protection::Secured { has_source: true }), 40 + 4 + 16 + 16 + 16);
        assert_eq!(NativeIpv4.trimmed_min(), 40);
    }
}
