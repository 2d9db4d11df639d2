//! The 802.1Q tag: the bytes behind ethertype 0x8100. Tags stack.
//!
//! ```text
//! 15  13  12  11           0  31               16
//! [ PCP ][DEI][    VID     ]  [    ethertype     ]
//! ```
//! Source: IEEE 802.1Q.

use crate::bytes::{at_least, put_u16, room, u16_at, view};
use crate::ethernet::check_ethertype;
use crate::{EtherType, Priority, VlanId, WireError, WireLayer};

const FORMAT: &str = "802.1Q tag";

/// Tag control information and the next ethertype. Source: IEEE 802.1Q. Status: published.
pub const HEADER_LEN: usize = 4;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the bytes behind ethertype 0x8100.
    VlanTag,
    check
);

impl<T: AsRef<[u8]>> VlanTag<T> {
    /// Priority code point.
    pub fn priority(&self) -> Priority {
        Priority::from_low_bits(self.bytes()[0] >> 5)
    }

    /// Whether the frame may be dropped first.
    pub fn drop_eligible(&self) -> bool {
        self.bytes()[0] & 0x10 != 0
    }

    /// VLAN identifier.
    pub fn vlan(&self) -> VlanId {
        VlanId::from_low_bits(u16_at(self.bytes(), 0))
    }

    /// What follows the tag.
    pub fn ethertype(&self) -> EtherType {
        EtherType(u16_at(self.bytes(), 2))
    }

    /// What follows the tag, with the frame's padding.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[HEADER_LEN..]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> VlanTag<T> {
    /// Sets priority, drop eligibility and VLAN.
    pub fn set_control(&mut self, priority: Priority, drop_eligible: bool, vlan: VlanId) {
        let control = u16::from(priority.get()) << 13 | u16::from(drop_eligible) << 12 | vlan.get();
        put_u16(self.buffer.as_mut(), 0, control);
    }
}

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VlanRepr {
    /// Priority code point.
    pub priority: Priority,
    /// Whether the frame may be dropped first.
    pub drop_eligible: bool,
    /// VLAN identifier.
    pub vlan: VlanId,
    /// What follows the tag.
    pub ethertype: EtherType,
}

impl VlanRepr {
    /// Reads a tag.
    ///
    /// # Errors
    /// [`WireError::Field`] for an ethertype below 0x600.
    pub fn parse<T: AsRef<[u8]>>(tag: &VlanTag<T>) -> Result<Self, WireError> {
        Ok(Self {
            priority: tag.priority(),
            drop_eligible: tag.drop_eligible(),
            vlan: tag.vlan(),
            ethertype: check_ethertype(FORMAT, tag.ethertype())?,
        })
    }
}

impl WireLayer for VlanRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        check_ethertype(FORMAT, self.ethertype)?;
        let mut tag = VlanTag { buffer: room(FORMAT, buffer, self.buffer_len(payload_len))? };
        tag.set_control(self.priority, self.drop_eligible, self.vlan);
        put_u16(tag.buffer, 2, self.ethertype.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_standard_says() {
        let tag = VlanTag::new([0b1011_0000, 0x64, 0x08, 0x00]).unwrap();
        let value = VlanRepr::parse(&tag).unwrap();
        assert_eq!((value.priority.get(), value.drop_eligible, value.vlan.get()), (5, true, 100));
        assert_eq!(value.ethertype, EtherType::IPV4);
    }
}
