//! The CRC that ends a UET packet in the clear.
//!
//! It is CRC-32C (Castagnoli) over everything from the source address of the IP header to the end
//! of the payload, so also over the UDP header, and over the entropy. Class, mark and hops are in
//! front of that and may change on the way. The four bytes belong to the IP packet's contents.
//! They lie on the wire most significant byte first, other than in iSCSI and other than Ethernet's
//! FCS.
//!
//! Wireshark and xdp2 do not read it. Source: reference provider, `uet_pds.c` and `util/crc32c.c`.
//! Status: published.

use crate::bytes::{array_at, at_least, put};
use crate::ipv4::{self, Ipv4Packet};
use crate::ipv6::{self, Ipv6Packet};
use crate::{WireError, WireLayer};
use std::ops::Range;

const FORMAT: &str = "UET";

/// Bytes of the CRC. Source: reference provider. Status: published.
pub const CRC_LEN: usize = 4;

/// The polynomial, bits reversed. Source: RFC 3385. Status: published.
const POLYNOMIAL: u32 = 0x82f6_3b78;
/// Where the source address begins. Source: RFC 791, RFC 8200. Status: published.
const IPV4_SOURCE_AT: usize = 12;
const IPV6_SOURCE_AT: usize = 8;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut remainder, mut bit) = (byte as u32, 0);
        while bit < 8 {
            remainder = remainder >> 1 ^ if remainder & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// CRC-32C of `bytes`.
#[must_use]
pub fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, byte| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)])
}

/// The bytes of an IP packet that the CRC covers; the CRC is behind them.
fn covered(packet: &[u8]) -> Result<Range<usize>, WireError> {
    at_least(FORMAT, packet, 1)?;
    let (start, header, end) = match packet[0] >> 4 {
        6 => {
            let length = Ipv6Packet::new(packet)?.payload().len();
            (IPV6_SOURCE_AT, ipv6::HEADER_LEN, ipv6::HEADER_LEN + length)
        }
        _ => (IPV4_SOURCE_AT, ipv4::HEADER_LEN, Ipv4Packet::new(packet)?.total_len()),
    };
    at_least(FORMAT, &packet[header..end], CRC_LEN)?;
    Ok(start..end - CRC_LEN)
}

/// The CRC of an IP packet that carries UET in the clear, as it lies on the wire.
///
/// # Errors
/// The errors of [`Ipv4Packet::new`] and [`Ipv6Packet::new`], and [`WireError::Short`] for a packet
/// too short for a CRC.
pub fn compute(packet: &[u8]) -> Result<[u8; CRC_LEN], WireError> {
    Ok(crc32c(&packet[covered(packet)?]).to_be_bytes())
}

/// Checks the CRC of an IP packet that carries UET in the clear.
///
/// # Errors
/// [`WireError::Checksum`], and the errors of [`compute`].
pub fn check(packet: &[u8]) -> Result<(), WireError> {
    let (found, computed) = (array_at(packet, covered(packet)?.end), compute(packet)?);
    if found == computed {
        return Ok(());
    }
    let number = u32::from_be_bytes;
    Err(WireError::Checksum { format: FORMAT, field: "CRC", found: number(found), computed: number(computed) })
}

/// Writes the CRC of an IP packet that carries UET in the clear.
///
/// # Errors
/// The errors of [`compute`].
pub fn seal(packet: &mut [u8]) -> Result<(), WireError> {
    let (at, crc) = (covered(packet)?.end, compute(packet)?);
    put(packet, at, &crc);
    Ok(())
}

/// An IPv4 or IPv6 header that also seals the UET packet behind it, for [`crate::emit_stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedUet<Header>(pub Header);

impl<Header: WireLayer> WireLayer for SealedUet<Header> {
    fn header_len(&self) -> usize {
        self.0.header_len()
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        self.0.emit(buffer, payload_len)?;
        seal(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_rfc_3720_come_out() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283, "the check value of CRC-32C");
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(&std::array::from_fn::<u8, 32, _>(|byte| byte as u8)), 0x46dd_794e);
    }
}
