//! The Internet checksum, and the pseudo header that UDP and TCP add to it.
//!
//! Source: RFC 1071; RFC 768, RFC 9293 and RFC 8200 for the pseudo headers.

use crate::IpProtocol;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The part of the IPv4 header that UDP and TCP checksums cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudoHeader {
    /// Source address.
    pub source: Ipv4Addr,
    /// Destination address.
    pub destination: Ipv4Addr,
}

impl PseudoHeader {
    /// The checksum of `segment`, header and payload of `protocol`, whose own checksum lies at
    /// `checksum_at`.
    pub(crate) fn checksum(self, protocol: IpProtocol, segment: &[u8], checksum_at: usize) -> u16 {
        let length = segment.len() as u32;
        Sum::default()
            .add(&self.source.octets())
            .add(&self.destination.octets())
            .add(&[0, protocol.0])
            .add(&length.to_be_bytes())
            .add(&segment[..checksum_at])
            .add(&segment[checksum_at + 2..])
            .finish()
    }
}

/// The part of the IPv6 header that UDP checksums cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudoHeaderIpv6 {
    /// Source address.
    pub source: Ipv6Addr,
    /// Destination address.
    pub destination: Ipv6Addr,
}

impl PseudoHeaderIpv6 {
    /// The checksum of `segment`, header and payload of `protocol`, whose own checksum lies at
    /// `checksum_at`.
    pub(crate) fn checksum(self, protocol: IpProtocol, segment: &[u8], checksum_at: usize) -> u16 {
        Sum::default()
            .add(&self.source.octets())
            .add(&self.destination.octets())
            .add(&(segment.len() as u32).to_be_bytes())
            .add(&[0, 0, 0, protocol.0])
            .add(&segment[..checksum_at])
            .add(&segment[checksum_at + 2..])
            .finish()
    }
}

/// A running one's complement sum of 16-bit words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum(u64);

impl Sum {
    /// Adds `bytes`. Only the last part added may have an odd length: it is padded with a zero
    /// byte.
    pub(crate) fn add(self, bytes: &[u8]) -> Self {
        let mut words = bytes.chunks_exact(2);
        let whole: u64 = words.by_ref().map(|word| u64::from(u16::from_be_bytes([word[0], word[1]]))).sum();
        let odd = words.remainder().first().map_or(0, |byte| u64::from(*byte) << 8);
        Self(self.0 + whole + odd)
    }

    /// The checksum: the complement of the sum, carries added back.
    pub(crate) fn finish(self) -> u16 {
        let mut sum = self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_rfc_1071_comes_out() {
        let sum = Sum::default().add(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]);
        assert_eq!(sum.finish(), !0xddf2);
    }

    #[test]
    fn an_odd_byte_is_the_high_half_of_a_word() {
        assert_eq!(Sum::default().add(&[0x12]).finish(), Sum::default().add(&[0x12, 0x00]).finish());
    }
}
