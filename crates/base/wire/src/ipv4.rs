//! IPv4 headers without options.
//!
//! ```text
//! 0        1           2             4               6              8    9         10        12      16           20
//! [4 | 5 ][DSCP | ECN][total length][identification][flags|offset][TTL][protocol][checksum][source][destination]
//! ```
//! Options are refused: no packet of this network has them, and RoCEv2 excludes them. Source: RFC
//! 791, RFC 2474 (DSCP), RFC 3168 (ECN).

use crate::bytes::{array_at, at_least, at_most, expect, put, put_u16, room, u16_at, view};
use crate::checksum::Sum;
use crate::{Dscp, Ecn, IpProtocol, PseudoHeader, WireError, WireLayer};
use std::net::Ipv4Addr;

const FORMAT: &str = "IPv4";

/// A header without options. Source: RFC 791. Status: published.
pub const HEADER_LEN: usize = 20;
/// The largest packet, header included: 16 bits. Source: RFC 791. Status: published.
pub const PACKET_MAX: usize = 65_535;

const CHECKSUM_AT: usize = 10;
const DONT_FRAGMENT: u16 = 0x4000;
const MORE_FRAGMENTS: u16 = 0x2000;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)?;
    expect(FORMAT, "version", bytes[0] >> 4, 4_u8, "4")?;
    expect(FORMAT, "header length in words", bytes[0] & 0x0f, 5_u8, "5 (options are not carried)")?;
    let total = u16_at(bytes, 2);
    if usize::from(total) < HEADER_LEN {
        let (field, valid) = ("total length", "0x14 to 0xffff");
        return Err(WireError::Field { format: FORMAT, field, found: total.into(), valid });
    }
    at_least(FORMAT, bytes, total.into())
}

view!(
    /// A view over an IPv4 packet; bytes beyond its total length are padding.
    Ipv4Packet,
    check
);

impl<T: AsRef<[u8]>> Ipv4Packet<T> {
    /// Differentiated services code point: the traffic class.
    pub fn dscp(&self) -> Dscp {
        Dscp::from_low_bits(self.bytes()[1] >> 2)
    }

    /// Congestion notification.
    pub fn ecn(&self) -> Ecn {
        Ecn::from_low_bits(self.bytes()[1])
    }

    /// Bytes of header and payload.
    pub fn total_len(&self) -> usize {
        usize::from(u16_at(self.bytes(), 2)).clamp(HEADER_LEN, self.bytes().len())
    }

    /// Time to live, in hops.
    pub fn time_to_live(&self) -> u8 {
        self.bytes()[8]
    }

    /// What follows the header.
    pub fn protocol(&self) -> IpProtocol {
        IpProtocol(self.bytes()[9])
    }

    /// Header checksum.
    pub fn checksum(&self) -> u16 {
        u16_at(self.bytes(), CHECKSUM_AT)
    }

    /// Source address.
    pub fn source(&self) -> Ipv4Addr {
        array_at::<4>(self.bytes(), 12).into()
    }

    /// Destination address.
    pub fn destination(&self) -> Ipv4Addr {
        array_at::<4>(self.bytes(), 16).into()
    }

    /// Whether it is a fragment: only the first one has the next header.
    pub fn is_fragment(&self) -> bool {
        u16_at(self.bytes(), 6) & !(DONT_FRAGMENT | 0x8000) != 0
    }

    /// The part of the header that UDP and TCP checksums cover.
    pub fn pseudo_header(&self) -> PseudoHeader {
        PseudoHeader { source: self.source(), destination: self.destination() }
    }

    /// The contents without padding.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[HEADER_LEN..self.total_len()]
    }

    /// Checks the header checksum.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn check_checksum(&self) -> Result<(), WireError> {
        let (found, computed) = (self.checksum(), header_checksum(self.bytes()));
        if found == computed {
            return Ok(());
        }
        Err(WireError::Checksum { format: FORMAT, field: "checksum", found: found.into(), computed: computed.into() })
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Ipv4Packet<T> {
    /// Sets or removes a mark, and updates the checksum.
    pub fn set_ecn(&mut self, ecn: Ecn) {
        let bytes = self.buffer.as_mut();
        bytes[1] = bytes[1] & !3 | ecn as u8;
        self.fill_checksum();
    }

    /// Sets the traffic class and updates the checksum.
    pub fn set_dscp(&mut self, dscp: Dscp) {
        let bytes = self.buffer.as_mut();
        bytes[1] = dscp.get() << 2 | bytes[1] & 3;
        self.fill_checksum();
    }

    /// Sets the time to live and updates the checksum.
    pub fn set_time_to_live(&mut self, hops: u8) {
        self.buffer.as_mut()[8] = hops;
        self.fill_checksum();
    }

    /// The bytes, for a format of the same shape; its checksum is then wrong until
    /// [`Self::fill_checksum`].
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.buffer.as_mut()
    }

    /// Computes the header checksum again.
    pub fn fill_checksum(&mut self) {
        let bytes = self.buffer.as_mut();
        put_u16(bytes, CHECKSUM_AT, header_checksum(bytes));
    }
}

/// The checksum of the header at the front of `bytes`.
pub(crate) fn header_checksum(bytes: &[u8]) -> u16 {
    Sum::default().add(&bytes[..CHECKSUM_AT]).add(&bytes[CHECKSUM_AT + 2..HEADER_LEN]).finish()
}

/// A header. Its total length follows from the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4Repr {
    /// Differentiated services code point: the traffic class.
    pub dscp: Dscp,
    /// Congestion notification.
    pub ecn: Ecn,
    /// The common number of the fragments of one packet.
    pub identification: u16,
    /// Whether routers must not divide it.
    pub dont_fragment: bool,
    /// Whether further parts follow.
    pub more_fragments: bool,
    /// Position of this fragment, in units of 8 bytes: 0 to 0x1fff.
    pub fragment_offset: u16,
    /// Time to live, in hops.
    pub time_to_live: u8,
    /// What follows the header.
    pub protocol: IpProtocol,
    /// Source address.
    pub source: Ipv4Addr,
    /// Destination address.
    pub destination: Ipv4Addr,
}

impl Ipv4Repr {
    /// A whole packet of the default class: not fragmented, 64 hops, no marks.
    #[must_use]
    pub const fn new(protocol: IpProtocol, source: Ipv4Addr, destination: Ipv4Addr) -> Self {
        Self {
            dscp: Dscp::from_low_bits(0),
            ecn: Ecn::NotCapable,
            identification: 0,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: 0,
            time_to_live: 64,
            protocol,
            source,
            destination,
        }
    }

    /// Reads a header whose checksum is right.
    ///
    /// # Errors
    /// [`WireError::Checksum`], and [`WireError::Field`] if the reserved flag is set.
    pub fn parse<T: AsRef<[u8]>>(packet: &Ipv4Packet<T>) -> Result<Self, WireError> {
        packet.check_checksum()?;
        let fragment = u16_at(packet.bytes(), 6);
        expect(FORMAT, "reserved flag", fragment >> 15, 0_u16, "0")?;
        Ok(Self {
            dscp: packet.dscp(),
            ecn: packet.ecn(),
            identification: u16_at(packet.bytes(), 4),
            dont_fragment: fragment & DONT_FRAGMENT != 0,
            more_fragments: fragment & MORE_FRAGMENTS != 0,
            fragment_offset: fragment & 0x1fff,
            time_to_live: packet.time_to_live(),
            protocol: packet.protocol(),
            source: packet.source(),
            destination: packet.destination(),
        })
    }

    /// The part of the header that UDP and TCP checksums cover.
    #[must_use]
    pub const fn pseudo_header(&self) -> PseudoHeader {
        PseudoHeader { source: self.source, destination: self.destination }
    }
}

impl WireLayer for Ipv4Repr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let total = self.buffer_len(payload_len);
        at_most(FORMAT, total, PACKET_MAX)?;
        if self.fragment_offset > 0x1fff {
            let (field, found) = ("fragment offset", self.fragment_offset.into());
            return Err(WireError::Field { format: FORMAT, field, found, valid: "0 to 0x1fff" });
        }
        let bytes = room(FORMAT, buffer, total)?;
        bytes[0] = 0x45;
        bytes[1] = self.dscp.get() << 2 | self.ecn as u8;
        put_u16(bytes, 2, total as u16);
        put_u16(bytes, 4, self.identification);
        let flags =
            if self.dont_fragment { DONT_FRAGMENT } else { 0 } | if self.more_fragments { MORE_FRAGMENTS } else { 0 };
        put_u16(bytes, 6, flags | self.fragment_offset);
        bytes[8] = self.time_to_live;
        bytes[9] = self.protocol.0;
        put(bytes, 12, &self.source.octets());
        put(bytes, 16, &self.destination.octets());
        put_u16(bytes, CHECKSUM_AT, header_checksum(bytes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of the RoCEv2 packet in Scapy's tests, which name its checksum: 0xb4d5.
    fn published() -> Ipv4Repr {
        let address = Ipv4Addr::new(192, 168, 0, 7);
        Ipv4Repr { ecn: Ecn::Capable1, identification: 1_144, ..Ipv4Repr::new(IpProtocol::UDP, address, address) }
    }

    #[test]
    fn the_checksum_of_a_published_header_comes_out() {
        let mut bytes = [0; 64];
        published().emit(&mut bytes, 44).unwrap();
        let packet = Ipv4Packet::new(bytes).unwrap();
        assert_eq!(packet.checksum(), 0xb4d5);
        assert_eq!(packet.payload().len(), 44);
    }

    #[test]
    fn a_mark_mends_the_checksum() {
        let mut bytes = [0; 64];
        published().emit(&mut bytes, 44).unwrap();
        let mut packet = Ipv4Packet::new(bytes).unwrap();
        packet.set_ecn(Ecn::Congested);
        packet.set_dscp(Dscp::new(8).unwrap());
        packet.set_time_to_live(63);
        let value = Ipv4Repr::parse(&packet).unwrap();
        assert_eq!((value.ecn, value.dscp.get(), value.time_to_live), (Ecn::Congested, 8, 63));
    }

    #[test]
    fn padding_behind_the_total_length_is_no_payload() {
        let mut bytes = [0xaa; 46];
        published().emit(&mut bytes, 3).unwrap();
        assert_eq!(Ipv4Packet::new(bytes).unwrap().payload(), [0xaa; 3]);
    }

    #[test]
    fn options_other_versions_and_impossible_lengths_are_refused() {
        let message = |at: usize, value: u8| {
            let mut bytes = [0; 64];
            published().emit(&mut bytes, 44).unwrap();
            bytes[at] = value;
            Ipv4Packet::new(bytes).unwrap_err().to_string()
        };
        assert_eq!(message(0, 0x65), "IPv4: version is 0x6; 4 would be valid");
        assert_eq!(message(0, 0x46), "IPv4: header length in words is 0x6; 5 (options are not carried) would be valid");
        assert_eq!(message(3, 19), "IPv4: total length is 0x13; 0x14 to 0xffff would be valid");
        assert_eq!(message(2, 1), "IPv4: 64 bytes found; at least 320 would be valid");
    }
}
