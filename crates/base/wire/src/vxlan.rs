//! VXLAN headers: an Ethernet frame, without FCS, inside a UDP datagram to port 4789.
//!
//! ```text
//! 0      1          4    7
//! [0x08][reserved 3][VNI][reserved 1][ inner Ethernet frame ...]
//! ```
//! Ignored on receipt and written as zero: the reserved bytes, and the flags other than the one
//! that says that the VNI is valid. Source: RFC 7348.

use crate::bytes::{at_least, expect, put_u24, room, u24_at, view};
use crate::{VxlanId, WireError, WireLayer};

const FORMAT: &str = "VXLAN";

/// Flags, VNI and reserved bytes. Source: RFC 7348. Status: published.
pub const HEADER_LEN: usize = 8;
/// The flag that says that the VNI is valid. Source: RFC 7348. Status: published.
pub const FLAG_VNI: u8 = 0x08;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the payload of a datagram to port 4789.
    VxlanPacket,
    check
);

impl<T: AsRef<[u8]>> VxlanPacket<T> {
    /// Flags.
    pub fn flags(&self) -> u8 {
        self.bytes()[0]
    }

    /// The virtual network.
    pub fn vni(&self) -> VxlanId {
        VxlanId::from_low_bits(u24_at(self.bytes(), 4))
    }

    /// The inner Ethernet frame.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[HEADER_LEN..]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> VxlanPacket<T> {
    /// Sets the virtual network.
    pub fn set_vni(&mut self, vni: VxlanId) {
        put_u24(self.buffer.as_mut(), 4, vni.get());
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VxlanRepr {
    /// The virtual network.
    pub vni: VxlanId,
}

impl VxlanRepr {
    /// Reads a header.
    ///
    /// # Errors
    /// [`WireError::Field`] if the flags do not say that the VNI is valid.
    pub fn parse<T: AsRef<[u8]>>(packet: &VxlanPacket<T>) -> Result<Self, WireError> {
        expect(FORMAT, "VNI flag", packet.flags() & FLAG_VNI, FLAG_VNI, "8 (set)")?;
        Ok(Self { vni: packet.vni() })
    }
}

impl WireLayer for VxlanRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        bytes[..HEADER_LEN].fill(0);
        bytes[0] = FLAG_VNI;
        put_u24(bytes, 4, self.vni.get());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_bits_are_ignored_and_the_flag_is_not() {
        let packet = VxlanPacket::new([0xff, 1, 2, 3, 0x12, 0x34, 0x56, 4]).unwrap();
        assert_eq!(VxlanRepr::parse(&packet).unwrap().vni.get(), 0x12_3456);
        let packet = VxlanPacket::new([0xf7, 0, 0, 0, 0x12, 0x34, 0x56, 0]).unwrap();
        assert_eq!(
            VxlanRepr::parse(&packet).unwrap_err().to_string(),
            "VXLAN: VNI flag is 0x0; 8 (set) would be valid"
        );
    }
}
