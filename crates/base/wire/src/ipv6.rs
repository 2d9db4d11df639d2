//! IPv6 headers without extension headers.
//!
//! ```text
//! 0                                     4                  6                7           8       24           40
//! [6 | DSCP 6 | ECN 2 | flow label 20  ][payload length 16][next header 8  ][hop limit 8][source][destination]
//! ```
//! Extension headers are not read: a packet with one is data of its next header's number. Source:
//! RFC 8200, RFC 2474 (DSCP), RFC 3168 (ECN).

use crate::bytes::{array_at, at_least, at_most, expect, put, put_u16, put_u32, room, u16_at, u32_at, view};
use crate::{Dscp, Ecn, FlowLabel, IpProtocol, PseudoHeaderIpv6, WireError, WireLayer};
use std::net::Ipv6Addr;

const FORMAT: &str = "IPv6";

/// A header without extensions. Source: RFC 8200. Status: published.
pub const HEADER_LEN: usize = 40;
/// The largest payload: 16 bits. Source: RFC 8200. Status: published.
pub const PAYLOAD_MAX: usize = 65_535;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)?;
    expect(FORMAT, "version", bytes[0] >> 4, 6_u8, "6")?;
    at_least(FORMAT, bytes, HEADER_LEN + usize::from(u16_at(bytes, 4)))
}

view!(
    /// A view over an IPv6 packet; bytes beyond its payload are padding.
    Ipv6Packet,
    check
);

impl<T: AsRef<[u8]>> Ipv6Packet<T> {
    /// Differentiated services code point: the traffic class.
    pub fn dscp(&self) -> Dscp {
        Dscp::from_low_bits((u16_at(self.bytes(), 0) >> 6) as u8)
    }

    /// Congestion notification.
    pub fn ecn(&self) -> Ecn {
        Ecn::from_low_bits(self.bytes()[1] >> 4)
    }

    /// Flow label.
    pub fn flow_label(&self) -> FlowLabel {
        FlowLabel::from_low_bits(u32_at(self.bytes(), 0))
    }

    /// What follows the header.
    pub fn next_header(&self) -> IpProtocol {
        IpProtocol(self.bytes()[6])
    }

    /// Hops left.
    pub fn hop_limit(&self) -> u8 {
        self.bytes()[7]
    }

    /// Source address.
    pub fn source(&self) -> Ipv6Addr {
        array_at::<16>(self.bytes(), 8).into()
    }

    /// Destination address.
    pub fn destination(&self) -> Ipv6Addr {
        array_at::<16>(self.bytes(), 24).into()
    }

    /// The part of the header that UDP checksums cover.
    pub fn pseudo_header(&self) -> PseudoHeaderIpv6 {
        PseudoHeaderIpv6 { source: self.source(), destination: self.destination() }
    }

    /// The contents without padding.
    pub fn payload(&self) -> &[u8] {
        let end = HEADER_LEN + usize::from(u16_at(self.bytes(), 4));
        &self.bytes()[HEADER_LEN..end.min(self.bytes().len())]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Ipv6Packet<T> {
    /// Sets or removes a mark.
    pub fn set_ecn(&mut self, ecn: Ecn) {
        let bytes = self.buffer.as_mut();
        bytes[1] = bytes[1] & !0x30 | (ecn as u8) << 4;
    }
}

/// A header. Its payload length follows from the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv6Repr {
    /// Differentiated services code point: the traffic class.
    pub dscp: Dscp,
    /// Congestion notification.
    pub ecn: Ecn,
    /// Flow label; 0 for none.
    pub flow_label: FlowLabel,
    /// What follows the header.
    pub next_header: IpProtocol,
    /// Hops left.
    pub hop_limit: u8,
    /// Source address.
    pub source: Ipv6Addr,
    /// Destination address.
    pub destination: Ipv6Addr,
}

impl Ipv6Repr {
    /// A packet of the default class: 64 hops, no label, no mark.
    #[must_use]
    pub const fn new(next_header: IpProtocol, source: Ipv6Addr, destination: Ipv6Addr) -> Self {
        Self {
            dscp: Dscp::from_low_bits(0),
            ecn: Ecn::NotCapable,
            flow_label: FlowLabel::from_low_bits(0),
            next_header,
            hop_limit: 64,
            source,
            destination,
        }
    }

    /// Reads a header.
    pub fn parse<T: AsRef<[u8]>>(packet: &Ipv6Packet<T>) -> Self {
        Self {
            dscp: packet.dscp(),
            ecn: packet.ecn(),
            flow_label: packet.flow_label(),
            next_header: packet.next_header(),
            hop_limit: packet.hop_limit(),
            source: packet.source(),
            destination: packet.destination(),
        }
    }

    /// The part of the header that UDP checksums cover.
    #[must_use]
    pub const fn pseudo_header(&self) -> PseudoHeaderIpv6 {
        PseudoHeaderIpv6 { source: self.source, destination: self.destination }
    }
}

impl WireLayer for Ipv6Repr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        at_most(FORMAT, payload_len, PAYLOAD_MAX)?;
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let class = u32::from(self.dscp.get() << 2 | self.ecn as u8);
        put_u32(bytes, 0, 6 << 28 | class << 20 | self.flow_label.get());
        put_u16(bytes, 4, payload_len as u16);
        bytes[6] = self.next_header.0;
        bytes[7] = self.hop_limit;
        put(bytes, 8, &self.source.octets());
        put(bytes, 24, &self.destination.octets());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_mark_and_label_share_the_first_word() {
        let value = Ipv6Repr {
            dscp: Dscp::MAX,
            ecn: Ecn::Capable1,
            flow_label: FlowLabel::from_low_bits(0x1_2345),
            ..Ipv6Repr::new(IpProtocol::UDP, Ipv6Addr::LOCALHOST, Ipv6Addr::UNSPECIFIED)
        };
        let mut bytes = [0; 43];
        value.emit(&mut bytes, 3).unwrap();
        assert_eq!(bytes[..8], [0x6f, 0xd1, 0x23, 0x45, 0, 3, 17, 64]);
        let mut packet = Ipv6Packet::new(bytes).unwrap();
        assert_eq!(Ipv6Repr::parse(&packet), value);
        packet.set_ecn(Ecn::Congested);
        assert_eq!(Ipv6Repr::parse(&packet), Ipv6Repr { ecn: Ecn::Congested, ..value });
    }

    #[test]
    fn a_payload_that_is_not_there_is_refused() {
        let mut bytes = [0; 42];
        Ipv6Repr::new(IpProtocol::UDP, Ipv6Addr::LOCALHOST, Ipv6Addr::LOCALHOST).emit(&mut bytes, 2).unwrap();
        assert_eq!(Ipv6Packet::new(bytes).unwrap().payload(), [0; 2]);
        bytes[5] = 3;
        assert_eq!(Ipv6Packet::new(bytes).unwrap_err().to_string(), "IPv6: 42 bytes found; at least 43 would be valid");
        bytes[0] = 0x45;
        assert_eq!(Ipv6Packet::new(bytes).unwrap_err().to_string(), "IPv6: version is 0x4; 6 would be valid");
    }
}
