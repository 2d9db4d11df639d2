//! Flow signature: the number that distinguishes flows of one source and destination.
//!
//! The signature is the CRC-32 of Ethernet (polynomial 0x04c11db7, reflected, all ones at start and
//! end; check value 0xcbf43926) over `eth.src`, `eth.dst` and then the programmed fields in their
//! order. Each field is nine bytes: 1 and its value as eight bytes, most significant first, or nine
//! zeros if the packet does not have it. Source: IEEE 802.3 for the CRC; the hash of a Rosetta is
//! not published, so the function is ours.

use crate::field::{Field, FieldName};
use crate::packet::EnginePacket;

/// Source and destination, which are part of every signature.
const ENDS: [FieldName; 2] = [FieldName::EthSrc, FieldName::EthDst];
/// The fields that distinguish flows within a tunnel. RFC 7348 asks for a hash of the inner headers
/// as the outer source port.
const WITHIN_TUNNEL: [FieldName; 5] =
    [FieldName::IpSrc, FieldName::IpDst, FieldName::IpProto, FieldName::L4Sport, FieldName::L4Dport];

fn crc(packet: &EnginePacket<'_>, fields: impl Iterator<Item = Field>) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    for field in fields {
        let mut bytes = [0; 9];
        if let Some(value) = packet.get(field) {
            bytes[0] = 1;
            bytes[1..].copy_from_slice(&value.to_be_bytes());
        }
        crc.update(&bytes);
    }
    crc.finalize()
}

/// The signature of a packet over source, destination and `fields`.
pub(crate) fn signature(packet: &EnginePacket<'_>, fields: &[Field]) -> u32 {
    crc(packet, ENDS.into_iter().map(Field::of).chain(fields.iter().copied()))
}

/// The outer source port of a tunnel: 49152 to 65535, from the signature over addresses, protocol
/// and ports.
///
/// Source: RFC 7348 for the range and that it is a hash.
pub(crate) fn tunnel_port(packet: &EnginePacket<'_>) -> u16 {
    let fields = ENDS.into_iter().chain(WITHIN_TUNNEL).map(Field::of);
    0xc000 | (crc(packet, fields) & 0x3fff) as u16
}
