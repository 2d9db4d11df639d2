//! Entropy: the number by which switches spread the packets of one PDC over paths.
//!
//! ```text
//! 0          2           4
//! [entropy 16][reserved 16]
//! ```
//! The header stands between IP and the delivery header where there is no UDP. Over UDP the source
//! port is the entropy, at the same place. Ignored on receipt and written as zero: the reserved
//! bytes. Source: reference provider; Wireshark and xdp2 agree. Status: published.

use super::PORT;
use crate::bytes::{at_least, put, put_u16, room, u16_at, view};
use crate::udp::{Checksum, UdpRepr};
use crate::{WireError, WireLayer};

const FORMAT: &str = "UET entropy header";

/// Bytes of the header. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 4;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the contents of an IP packet that carries UET without UDP.
    EntropyPacket,
    check
);

impl<T: AsRef<[u8]>> EntropyPacket<T> {
    /// The entropy.
    pub fn entropy(&self) -> u16 {
        u16_at(self.bytes(), 0)
    }

    /// The UET packet.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[HEADER_LEN..]
    }
}

/// The entropy of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropyRepr(pub u16);

impl EntropyRepr {
    /// Reads a header.
    pub fn parse<T: AsRef<[u8]>>(packet: &EntropyPacket<T>) -> Self {
        Self(packet.entropy())
    }

    /// The UDP header with the same entropy, to the published port. It has no checksum: the
    /// specification demands a zero, over IPv6 too, and a receiver ignores the field.
    ///
    /// Source: reference provider, `vpp-plugin/README.md`, which cites section 3.5.10.1 of
    /// specification 1.0.3.
    #[must_use]
    pub const fn datagram(self) -> UdpRepr {
        UdpRepr { source_port: self.0, destination_port: PORT, checksum: Checksum::Absent }
    }
}

impl WireLayer for EntropyRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        put_u16(bytes, 0, self.0);
        put(bytes, 2, &[0; 2]);
        Ok(())
    }
}
