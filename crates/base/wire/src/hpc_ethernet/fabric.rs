//! The fabric header: 20 bytes in the shape of IPv4.
//!
//! ```text
//! 0    1           2             4    6                               8    9              10        12        16
//! [4|5][DSCP | ECN][total length][VNI][0 (2) | SPT index 11 | try (3)][TTL][protocol 253][checksum][source  ][destination]
//!                                                                                                  [DFA 20 | endpoint 12]
//! ```
//! The VNI lies at IPv4's identification, SPT index and try count at its fragment flags and offset,
//! and an address is a fabric address followed by the endpoint. An IPv4 tool sees a packet of an
//! experimental protocol. Addresses of multicast groups are not distinguished here.
//!
//! Sources: HewlettPackard/shs-cassini-headers, generated user definitions, for fields, widths and
//! places; RFC 791 for the checksum. Status: published, except for three facts that those files
//! leave open and that are ours: the protocol number, the byte order of the two addresses (that of
//! IPv4), and that the checksum is computed as IPv4's is.

use crate::bytes::{at_most, expect, put_u16, put_u32, room, u16_at, u32_at};
use crate::{Dfa, Dscp, Ecn, EndpointIndex, IpProtocol, SptIndex, TryCount, WireError, WireLayer, ipv4};

const FORMAT: &str = "fabric header";

/// Bytes of the header. Source: cassini-headers. Status: published.
pub const HEADER_LEN: usize = 20;

/// A view over a packet with a fabric header; bytes beyond its total length are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FabricPacket<T> {
    ip: ipv4::Ipv4Packet<T>,
}

impl<T: AsRef<[u8]>> FabricPacket<T> {
    /// A view over `buffer`, which may be longer than the packet.
    ///
    /// # Errors
    /// The errors of [`ipv4::Ipv4Packet::new`], and [`WireError::Field`] for another protocol.
    pub fn new(buffer: T) -> Result<Self, WireError> {
        let ip = ipv4::Ipv4Packet::new(buffer)?;
        expect(FORMAT, "protocol", ip.protocol().0, IpProtocol::FABRIC.0, "0xfd (253)")?;
        Ok(Self { ip })
    }

    /// Returns the bytes.
    pub fn into_inner(self) -> T {
        self.ip.into_inner()
    }

    /// The fields in common with IPv4: class, marks, time to live, lengths, checksum.
    pub fn ip(&self) -> &ipv4::Ipv4Packet<T> {
        &self.ip
    }

    /// Virtual network: the job or tenant.
    pub fn vni(&self) -> u16 {
        u16_at(self.ip.bytes(), 4)
    }

    /// How often the packet was sent before.
    pub fn try_count(&self) -> TryCount {
        TryCount::from_low_bits(self.ip.bytes()[7])
    }

    /// The sender's packet table entry.
    pub fn spt_index(&self) -> SptIndex {
        SptIndex::from_low_bits(u16_at(self.ip.bytes(), 6) >> 3)
    }

    /// The sender.
    pub fn source(&self) -> ProcessAddress {
        ProcessAddress::from_word(u32_at(self.ip.bytes(), 12))
    }

    /// The receiver.
    pub fn destination(&self) -> ProcessAddress {
        ProcessAddress::from_word(u32_at(self.ip.bytes(), 16))
    }

    /// The contents without padding: a message header and its data.
    pub fn payload(&self) -> &[u8] {
        self.ip.payload()
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> FabricPacket<T> {
    /// The fields in common with IPv4, writable. Changes of marks and of the time to live update
    /// the checksum.
    pub fn ip_mut(&mut self) -> &mut ipv4::Ipv4Packet<T> {
        &mut self.ip
    }

    /// Sets how often the packet was sent before and updates the checksum.
    pub fn set_try_count(&mut self, tries: TryCount) {
        let low = &mut self.ip.bytes_mut()[7];
        *low = *low & !TryCount::MAX.get() | tries.get();
        self.ip.fill_checksum();
    }
}

/// One process of one NIC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessAddress {
    /// The NIC.
    pub address: Dfa,
    /// The process of the NIC.
    pub endpoint: EndpointIndex,
}

impl ProcessAddress {
    fn from_word(word: u32) -> Self {
        Self { address: Dfa::from_low_bits(word >> 12), endpoint: EndpointIndex::from_low_bits((word & 0xfff) as u16) }
    }

    fn word(self) -> u32 {
        self.address.get() << 12 | u32::from(self.endpoint.get())
    }
}

/// A fabric header. Its total length follows from the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FabricRepr {
    /// The traffic class.
    pub dscp: Dscp,
    /// Congestion notification.
    pub ecn: Ecn,
    /// Virtual network: the job or tenant.
    pub vni: u16,
    /// How often the packet was sent before.
    pub try_count: TryCount,
    /// The sender's packet table entry.
    pub spt_index: SptIndex,
    /// Time to live, in hops.
    pub time_to_live: u8,
    /// The sender.
    pub source: ProcessAddress,
    /// The receiver.
    pub destination: ProcessAddress,
}

impl FabricRepr {
    /// Reads a header whose checksum is right.
    ///
    /// # Errors
    /// [`WireError::Checksum`], and [`WireError::Field`] if the two unused bits are not zero.
    pub fn parse<T: AsRef<[u8]>>(packet: &FabricPacket<T>) -> Result<Self, WireError> {
        let ip = packet.ip();
        ip.check_checksum()?;
        expect(FORMAT, "unused bits before the SPT index", ip.bytes()[6] >> 6, 0_u8, "0")?;
        Ok(Self {
            dscp: ip.dscp(),
            ecn: ip.ecn(),
            vni: packet.vni(),
            try_count: packet.try_count(),
            spt_index: packet.spt_index(),
            time_to_live: ip.time_to_live(),
            source: packet.source(),
            destination: packet.destination(),
        })
    }
}

impl WireLayer for FabricRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let total = self.buffer_len(payload_len);
        at_most(FORMAT, total, ipv4::PACKET_MAX)?;
        let bytes = room(FORMAT, buffer, total)?;
        bytes[0] = 0x45;
        bytes[1] = self.dscp.get() << 2 | self.ecn as u8;
        put_u16(bytes, 2, total as u16);
        put_u16(bytes, 4, self.vni);
        put_u16(bytes, 6, self.spt_index.get() << 3 | u16::from(self.try_count.get()));
        bytes[8] = self.time_to_live;
        bytes[9] = IpProtocol::FABRIC.0;
        put_u32(bytes, 12, self.source.word());
        put_u32(bytes, 16, self.destination.word());
        put_u16(bytes, 10, ipv4::header_checksum(bytes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> FabricRepr {
        let place = |address, endpoint| ProcessAddress {
            address: Dfa::new(address).unwrap(),
            endpoint: EndpointIndex::new(endpoint).unwrap(),
        };
        FabricRepr {
            dscp: Dscp::new(8).unwrap(),
            ecn: Ecn::Capable0,
            vni: 0xbeef,
            try_count: TryCount::new(5).unwrap(),
            spt_index: SptIndex::MAX,
            time_to_live: 10,
            source: place(2_026, 0x123),
            destination: place(0xfffff, 1),
        }
    }

    #[test]
    fn it_has_the_shape_of_ipv4() {
        let mut bytes = [0; 64];
        header().emit(&mut bytes, 44).unwrap();
        let packet = ipv4::Ipv4Packet::new(bytes).unwrap();
        assert_eq!(packet.check_checksum(), Ok(()));
        assert_eq!((packet.total_len(), packet.protocol()), (64, IpProtocol::FABRIC));
        assert_eq!((packet.dscp().get(), packet.ecn(), packet.time_to_live()), (8, Ecn::Capable0, 10));
    }

    #[test]
    fn what_changes_on_the_way_keeps_the_checksum_right() {
        let mut bytes = [0; 20];
        header().emit(&mut bytes, 0).unwrap();
        let mut packet = FabricPacket::new(bytes).unwrap();
        packet.ip_mut().set_ecn(Ecn::Congested);
        packet.ip_mut().set_time_to_live(9);
        packet.set_try_count(TryCount::new(2).unwrap());
        let changed =
            FabricRepr { ecn: Ecn::Congested, time_to_live: 9, try_count: TryCount::new(2).unwrap(), ..header() };
        assert_eq!(FabricRepr::parse(&packet), Ok(changed));
    }

    #[test]
    fn unused_bits_and_other_protocols_are_refused() {
        let mut bytes = [0; 20];
        header().emit(&mut bytes, 0).unwrap();
        bytes[6] |= 0x80;
        let checksum = ipv4::header_checksum(&bytes);
        put_u16(&mut bytes, 10, checksum);
        assert!(matches!(FabricRepr::parse(&FabricPacket::new(bytes).unwrap()), Err(WireError::Field { .. })));
        bytes[9] = 17;
        let error = FabricPacket::new(bytes).unwrap_err();
        assert_eq!(error.to_string(), "fabric header: protocol is 0x11; 0xfd (253) would be valid");
    }
}
