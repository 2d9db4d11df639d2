//! UDP headers.
//!
//! ```text
//! 0            2                 4       6         8
//! [source port][destination port][length][checksum]
//! ```
//! Source: RFC 768.

use crate::bytes::{at_least, at_most, put_u16, room, u16_at, view};
use crate::{IpProtocol, PseudoHeader, PseudoHeaderIpv6, WireError, WireLayer};

const FORMAT: &str = "UDP";

/// Ports, length, checksum. Source: RFC 768. Status: published.
pub const HEADER_LEN: usize = 8;
/// Destination port of RoCEv2. Source: IANA; InfiniBand annex A17. Status: published.
pub const PORT_ROCE: u16 = 4_791;
/// Destination port of VXLAN. Source: RFC 7348. Status: published.
pub const PORT_VXLAN: u16 = 4_789;

const DATAGRAM_MAX: usize = 65_535;
const CHECKSUM_AT: usize = 6;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)?;
    let length = u16_at(bytes, 4);
    if usize::from(length) < HEADER_LEN {
        let (field, valid) = ("length", "0x8 to 0xffff");
        return Err(WireError::Field { format: FORMAT, field, found: length.into(), valid });
    }
    at_least(FORMAT, bytes, length.into())
}

view!(
    /// A view over a UDP datagram.
    UdpDatagram,
    check
);

impl<T: AsRef<[u8]>> UdpDatagram<T> {
    /// Source port; RoCEv2 and VXLAN write a hash of the flow into it.
    pub fn source_port(&self) -> u16 {
        u16_at(self.bytes(), 0)
    }

    /// Destination port.
    pub fn destination_port(&self) -> u16 {
        u16_at(self.bytes(), 2)
    }

    /// Checksum; 0 if the sender computed none.
    pub fn checksum(&self) -> u16 {
        u16_at(self.bytes(), CHECKSUM_AT)
    }

    /// Header and payload.
    fn datagram(&self) -> &[u8] {
        let end = usize::from(u16_at(self.bytes(), 4)).clamp(HEADER_LEN, self.bytes().len());
        &self.bytes()[..end]
    }

    /// The contents.
    pub fn payload(&self) -> &[u8] {
        &self.datagram()[HEADER_LEN..]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> UdpDatagram<T> {
    /// Sets the source port; a checksum is then wrong until [`Self::fill_checksum`].
    pub fn set_source_port(&mut self, port: u16) {
        put_u16(self.buffer.as_mut(), 0, port);
    }

    /// Sets the destination port; a checksum is then wrong until [`Self::fill_checksum`].
    pub fn set_destination_port(&mut self, port: u16) {
        put_u16(self.buffer.as_mut(), 2, port);
    }

    /// Computes the checksum as `wanted`.
    pub fn fill_checksum(&mut self, wanted: Checksum) {
        let checksum = wanted.of(self.datagram());
        put_u16(self.buffer.as_mut(), CHECKSUM_AT, checksum);
    }
}

/// Whether a datagram has a checksum, and what it covers in addition to the datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// None: the field is 0. Usual for RoCEv2, which has its own, and for VXLAN.
    Absent,
    /// Over these addresses, the header and the payload.
    Over(PseudoHeader),
    /// Over these addresses of IPv6, the header and the payload.
    OverIpv6(PseudoHeaderIpv6),
}

impl Checksum {
    /// The value of the field for `datagram`: a computed 0 is written as 0xffff, which means the
    /// same.
    fn of(self, datagram: &[u8]) -> u16 {
        match self {
            Self::Absent => 0,
            Self::Over(addresses) => or_ones(addresses.checksum(IpProtocol::UDP, datagram, CHECKSUM_AT)),
            Self::OverIpv6(addresses) => or_ones(addresses.checksum(IpProtocol::UDP, datagram, CHECKSUM_AT)),
        }
    }
}

const fn or_ones(sum: u16) -> u16 {
    if sum == 0 { 0xffff } else { sum }
}

/// A header. Its length follows from the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpRepr {
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Whether there is a checksum.
    pub checksum: Checksum,
}

impl UdpRepr {
    /// Reads a header whose checksum, if it has one, is right for a datagram between `addresses`.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn parse<T: AsRef<[u8]>>(datagram: &UdpDatagram<T>, addresses: PseudoHeader) -> Result<Self, WireError> {
        Self::parse_over(datagram, Checksum::Over(addresses))
    }

    /// Reads a header whose checksum, if it has one, is right over `present`.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn parse_over<T: AsRef<[u8]>>(datagram: &UdpDatagram<T>, present: Checksum) -> Result<Self, WireError> {
        let found = datagram.checksum();
        let checksum = if found == 0 { Checksum::Absent } else { present };
        let computed = checksum.of(datagram.datagram());
        if found != computed {
            let (found, computed) = (found.into(), computed.into());
            return Err(WireError::Checksum { format: FORMAT, field: "checksum", found, computed });
        }
        Ok(Self { source_port: datagram.source_port(), destination_port: datagram.destination_port(), checksum })
    }
}

impl WireLayer for UdpRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let length = self.buffer_len(payload_len);
        at_most(FORMAT, length, DATAGRAM_MAX)?;
        let bytes = room(FORMAT, buffer, length)?;
        put_u16(bytes, 0, self.source_port);
        put_u16(bytes, 2, self.destination_port);
        put_u16(bytes, 4, length as u16);
        let checksum = self.checksum.of(bytes);
        put_u16(bytes, CHECKSUM_AT, checksum);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const ADDRESSES: PseudoHeader =
        PseudoHeader { source: Ipv4Addr::new(10, 0, 0, 1), destination: Ipv4Addr::new(10, 0, 0, 2) };

    #[test]
    fn no_checksum_is_read_as_none() {
        let value = UdpRepr { source_port: 0xc000, destination_port: PORT_VXLAN, checksum: Checksum::Absent };
        let mut bytes = [7; 16];
        value.emit(&mut bytes, 8).unwrap();
        assert_eq!(bytes[6..8], [0, 0]);
        assert_eq!(UdpRepr::parse(&UdpDatagram::new(bytes).unwrap(), ADDRESSES), Ok(value));
    }

    #[test]
    fn a_sum_of_zero_is_written_as_all_ones() {
        let value = UdpRepr { source_port: 0, destination_port: 9, checksum: Checksum::Over(ADDRESSES) };
        let mut bytes = [0; 10];
        value.emit(&mut bytes, 2).unwrap();
        // The payload takes the difference of the sum to all ones.
        bytes.copy_within(6..8, 8);
        value.emit(&mut bytes, 2).unwrap();
        assert_eq!(bytes[6..8], [0xff, 0xff]);
        assert_eq!(UdpRepr::parse(&UdpDatagram::new(bytes).unwrap(), ADDRESSES), Ok(value));
    }

    #[test]
    fn a_wrong_checksum_says_what_it_should_be() {
        let value = UdpRepr { source_port: 1, destination_port: 2, checksum: Checksum::Over(ADDRESSES) };
        let mut bytes = [0; 8];
        value.emit(&mut bytes, 0).unwrap();
        let right = u16_at(&bytes, 6);
        bytes[7] ^= 1;
        let error = UdpRepr::parse(&UdpDatagram::new(bytes).unwrap(), ADDRESSES).unwrap_err();
        assert_eq!(error.to_string(), format!("UDP: checksum is {:#x}; the bytes give {right:#x}", right ^ 1));
    }
}
