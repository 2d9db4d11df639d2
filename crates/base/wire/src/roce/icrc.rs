//! The invariant CRC of RoCEv2: over all fields that no switch or router changes.
//!
//! It is the CRC-32 of Ethernet over eight bytes of ones, the IPv4 header, the UDP header, the
//! transport headers and the payload. Fields that may change are replaced by ones: class and mark,
//! time to live, both checksums, and the byte of the first transport header that holds its marks.
//! It ends the datagram, least significant byte first.
//!
//! Source: InfiniBand Architecture Specification, annex A17 (RoCEv2).

use super::{BASE_LEN, FORMAT, ICRC_LEN};
use crate::bytes::{array_at, at_least, expect, put};
use crate::ipv4::Ipv4Packet;
use crate::udp::{Checksum, PORT_ROCE, UdpDatagram};
use crate::{IpProtocol, WireError, WireLayer, ipv4, udp};

/// Ones in front of the headers, where an InfiniBand packet has its local route header.
///
/// Source: InfiniBand annex A17. Status: published.
const LEADING_ONES: [u8; 8] = [0xff; 8];

const BTH_AT: usize = ipv4::HEADER_LEN + udp::HEADER_LEN;
/// The bytes before those that are covered unchanged.
const MASKED_LEN: usize = BTH_AT + BASE_LEN;
/// Class and mark, time to live, IPv4 checksum, UDP checksum, the marks of the first transport
/// header.
const MASKED: [usize; 7] = [1, 8, 10, 11, ipv4::HEADER_LEN + 6, ipv4::HEADER_LEN + 7, BTH_AT + 4];

/// Position of the ICRC in an IPv4 packet, if it carries RoCEv2.
fn icrc_at(bytes: &[u8]) -> Result<usize, WireError> {
    let packet = Ipv4Packet::new(bytes)?;
    expect(FORMAT, "IPv4 protocol", packet.protocol().0, IpProtocol::UDP.0, "0x11 (UDP)")?;
    let datagram = UdpDatagram::new(packet.payload())?;
    expect(FORMAT, "UDP destination port", datagram.destination_port(), PORT_ROCE, "0x12b7 (4791)")?;
    at_least(FORMAT, datagram.payload(), BASE_LEN + ICRC_LEN)?;
    Ok(BTH_AT + datagram.payload().len() - ICRC_LEN)
}

/// The ICRC of an IPv4 packet that carries RoCEv2, as it lies on the wire.
///
/// # Errors
/// The errors of [`Ipv4Packet::new`] and [`UdpDatagram::new`], [`WireError::Field`] for another
/// protocol or port, and [`WireError::Short`] for a datagram too short for RoCEv2.
pub fn compute(packet: &[u8]) -> Result<[u8; ICRC_LEN], WireError> {
    let end = icrc_at(packet)?;
    let mut headers: [u8; MASKED_LEN] = array_at(packet, 0);
    for at in MASKED {
        headers[at] = 0xff;
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&LEADING_ONES);
    crc.update(&headers);
    crc.update(&packet[MASKED_LEN..end]);
    Ok(crc.finalize().to_le_bytes())
}

/// Checks the ICRC of an IPv4 packet that carries RoCEv2.
///
/// # Errors
/// [`WireError::Checksum`], and the errors of [`compute`].
pub fn check(packet: &[u8]) -> Result<(), WireError> {
    let (found, computed) = (array_at(packet, icrc_at(packet)?), compute(packet)?);
    if found == computed {
        return Ok(());
    }
    let number = u32::from_le_bytes;
    Err(WireError::Checksum { format: FORMAT, field: "ICRC", found: number(found), computed: number(computed) })
}

/// Writes the ICRC of an IPv4 packet that carries RoCEv2, and then its UDP checksum, if it has one.
///
/// # Errors
/// The errors of [`compute`].
pub fn seal(packet: &mut [u8]) -> Result<(), WireError> {
    let icrc = compute(packet)?;
    let at = icrc_at(packet)?;
    put(packet, at, &icrc);
    let header = Ipv4Packet::new(&*packet)?;
    let (addresses, total) = (header.pseudo_header(), header.total_len());
    let mut datagram = UdpDatagram::new(&mut packet[ipv4::HEADER_LEN..total])?;
    if datagram.checksum() != 0 {
        datagram.fill_checksum(Checksum::Over(addresses));
    }
    Ok(())
}

/// An IPv4 header that also seals the RoCEv2 packet behind it, for [`crate::emit_stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedIpv4(pub ipv4::Ipv4Repr);

impl WireLayer for SealedIpv4 {
    fn header_len(&self) -> usize {
        self.0.header_len()
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        self.0.emit(buffer, payload_len)?;
        seal(buffer)
    }
}
