//! TCP headers; options are carried unchanged.
//!
//! ```text
//! 0            2                 4         8                12 12+4 bits      14      16        18      20
//! [source port][destination port][sequence][acknowledgement][offset | flags 12][window][checksum][urgent][options]
//! ```
//! The four bits in front of the eight flags are reserved and carried with them. Source: RFC 9293.

use crate::bytes::{at_least, at_most, put, put_u16, put_u32, room, u16_at, u32_at, view};
use crate::{IpProtocol, PseudoHeader, WireError, WireLayer};

const FORMAT: &str = "TCP";

/// A header without options. Source: RFC 9293. Status: published.
pub const HEADER_MIN: usize = 20;
/// Maximum bytes of options: the header length has 4 bits and counts words. Source: RFC 9293.
/// Status: published.
pub const OPTIONS_MAX: usize = 40;

const SEGMENT_MAX: usize = 65_535;
const CHECKSUM_AT: usize = 16;

/// Flags of a segment: 12 bits, of which the upper four are reserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// No more data. Source: RFC 9293. Status: published.
    pub const FIN: Self = Self(0x01);
    /// First segment. Source: RFC 9293. Status: published.
    pub const SYN: Self = Self(0x02);
    /// Connection refused. Source: RFC 9293. Status: published.
    pub const RST: Self = Self(0x04);
    /// Deliver immediately. Source: RFC 9293. Status: published.
    pub const PSH: Self = Self(0x08);
    /// The acknowledgement is valid. Source: RFC 9293. Status: published.
    pub const ACK: Self = Self(0x10);
    /// The urgent pointer is valid. Source: RFC 9293. Status: published.
    pub const URG: Self = Self(0x20);
    /// A mark was seen. Source: RFC 3168. Status: published.
    pub const ECE: Self = Self(0x40);
    /// The window was reduced. Source: RFC 3168. Status: published.
    pub const CWR: Self = Self(0x80);

    /// Whether all of `wanted` are set.
    #[must_use]
    pub const fn contains(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_MIN)?;
    let words = bytes[12] >> 4;
    if words < 5 {
        let (field, valid) = ("header length in words", "5 to 0xf");
        return Err(WireError::Field { format: FORMAT, field, found: words.into(), valid });
    }
    at_least(FORMAT, bytes, usize::from(words) * 4)
}

view!(
    /// A view over a TCP segment, which ends where its IPv4 packet does.
    TcpSegment,
    check
);

impl<T: AsRef<[u8]>> TcpSegment<T> {
    /// Source port.
    pub fn source_port(&self) -> u16 {
        u16_at(self.bytes(), 0)
    }

    /// Destination port.
    pub fn destination_port(&self) -> u16 {
        u16_at(self.bytes(), 2)
    }

    /// Number of the first byte of the payload.
    pub fn sequence(&self) -> u32 {
        u32_at(self.bytes(), 4)
    }

    /// Number of the next byte expected.
    pub fn acknowledgement(&self) -> u32 {
        u32_at(self.bytes(), 8)
    }

    /// Flags, with the reserved bits.
    pub fn flags(&self) -> Flags {
        Flags(u16_at(self.bytes(), 12) & 0x0fff)
    }

    /// Bytes of the header with its options.
    pub fn header_len(&self) -> usize {
        (usize::from(self.bytes()[12] >> 4) * 4).clamp(HEADER_MIN, self.bytes().len())
    }

    /// Checksum.
    pub fn checksum(&self) -> u16 {
        u16_at(self.bytes(), CHECKSUM_AT)
    }

    /// Options with their padding: a multiple of 4 bytes.
    pub fn options(&self) -> &[u8] {
        &self.bytes()[HEADER_MIN..self.header_len()]
    }

    /// The contents.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[self.header_len()..]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> TcpSegment<T> {
    /// Sets the flags; the checksum is then wrong until [`Self::fill_checksum`].
    pub fn set_flags(&mut self, flags: Flags) {
        let bytes = self.buffer.as_mut();
        let offset = u16_at(bytes, 12) & 0xf000;
        put_u16(bytes, 12, offset | flags.0 & 0x0fff);
    }

    /// Computes the checksum of a segment between `addresses`.
    pub fn fill_checksum(&mut self, addresses: PseudoHeader) {
        let checksum = addresses.checksum(IpProtocol::TCP, self.bytes(), CHECKSUM_AT);
        put_u16(self.buffer.as_mut(), CHECKSUM_AT, checksum);
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpRepr<'bytes> {
    /// Addresses, which the checksum covers.
    pub addresses: PseudoHeader,
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Number of the first byte of the payload.
    pub sequence: u32,
    /// Number of the next byte expected.
    pub acknowledgement: u32,
    /// Flags, with the reserved bits.
    pub flags: Flags,
    /// Bytes that the sender may still receive, before scaling.
    pub window: u16,
    /// End of urgent data.
    pub urgent: u16,
    /// Options with their padding: a multiple of 4 bytes, at most 40.
    pub options: &'bytes [u8],
}

impl<'bytes> TcpRepr<'bytes> {
    /// Reads a header whose checksum is right for a segment between `addresses`.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn parse<T: AsRef<[u8]>>(segment: &'bytes TcpSegment<T>, addresses: PseudoHeader) -> Result<Self, WireError> {
        let found = segment.checksum();
        let computed = addresses.checksum(IpProtocol::TCP, segment.bytes(), CHECKSUM_AT);
        if found != computed {
            let (found, computed) = (found.into(), computed.into());
            return Err(WireError::Checksum { format: FORMAT, field: "checksum", found, computed });
        }
        Ok(Self {
            addresses,
            source_port: segment.source_port(),
            destination_port: segment.destination_port(),
            sequence: segment.sequence(),
            acknowledgement: segment.acknowledgement(),
            flags: segment.flags(),
            window: u16_at(segment.bytes(), 14),
            urgent: u16_at(segment.bytes(), 18),
            options: segment.options(),
        })
    }
}

impl WireLayer for TcpRepr<'_> {
    fn header_len(&self) -> usize {
        HEADER_MIN + self.options.len()
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let field = |field, found: usize, valid| WireError::Field { format: FORMAT, field, found: found as u64, valid };
        if self.options.len() > OPTIONS_MAX || !self.options.len().is_multiple_of(4) {
            return Err(field("length of the options", self.options.len(), "a multiple of 4 up to 0x28"));
        }
        if self.flags.0 > 0x0fff {
            return Err(field("flags", self.flags.0.into(), "0 to 0xfff"));
        }
        let length = self.buffer_len(payload_len);
        at_most(FORMAT, length, SEGMENT_MAX)?;
        let bytes = room(FORMAT, buffer, length)?;
        put_u16(bytes, 0, self.source_port);
        put_u16(bytes, 2, self.destination_port);
        put_u32(bytes, 4, self.sequence);
        put_u32(bytes, 8, self.acknowledgement);
        put_u16(bytes, 12, (self.header_len() as u16 / 4) << 12 | self.flags.0);
        put_u16(bytes, 14, self.window);
        put_u16(bytes, 18, self.urgent);
        put(bytes, HEADER_MIN, self.options);
        let checksum = self.addresses.checksum(IpProtocol::TCP, bytes, CHECKSUM_AT);
        put_u16(bytes, CHECKSUM_AT, checksum);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn header(options: &[u8]) -> TcpRepr<'_> {
        TcpRepr {
            addresses: PseudoHeader { source: Ipv4Addr::LOCALHOST, destination: Ipv4Addr::BROADCAST },
            source_port: 40_000,
            destination_port: 80,
            sequence: 1,
            acknowledgement: 2,
            flags: Flags::SYN | Flags::ACK,
            window: 65_535,
            urgent: 0,
            options,
        }
    }

    #[test]
    fn options_are_carried() {
        let options = [2, 4, 5, 0xb4, 1, 3, 3, 7];
        let mut bytes = [9; 31];
        header(&options).emit(&mut bytes, 3).unwrap();
        let segment = TcpSegment::new(bytes).unwrap();
        assert_eq!(segment.payload(), [9; 3]);
        assert_eq!(TcpRepr::parse(&segment, header(&[]).addresses), Ok(header(&options)));
    }

    #[test]
    fn options_that_are_no_whole_words_are_refused() {
        let error = header(&[1, 1, 1]).emit(&mut [0; 40], 0).unwrap_err();
        assert_eq!(error.to_string(), "TCP: length of the options is 0x3; a multiple of 4 up to 0x28 would be valid");
    }

    #[test]
    fn new_flags_need_a_new_checksum() {
        let mut bytes = [0; 20];
        header(&[]).emit(&mut bytes, 0).unwrap();
        let mut segment = TcpSegment::new(bytes).unwrap();
        segment.set_flags(Flags::RST);
        assert!(TcpRepr::parse(&segment, header(&[]).addresses).is_err());
        segment.fill_checksum(header(&[]).addresses);
        assert!(TcpRepr::parse(&segment, header(&[]).addresses).unwrap().flags.contains(Flags::RST));
    }
}
