//! FGFC, fine-grained flow control: a switch pauses one flow of a NIC, where PFC would stop a whole
//! class.
//!
//! ```text
//! 0         3         5            6          10            12
//! [00:0e:ab][protocol][credit unit][ flow id ][pause quanta][credit]   behind ethertype 0x88b7; 14 bytes
//! ```
//! During the pause the flow may send what the credit allows; a pause of zero ends it. The public
//! counters show that there are four forms of the frame (by port, L2, IPv4 and IPv6) and that a NIC
//! compares the VNI; ours has a flow id instead.
//!
//! Sources: cassini-headers for the ethertype, the OUI, the destination 01:80:c2:00:00:0e and that
//! a period of zero ends the pause; US patents 12267229 and 11863431 for the fields. Status:
//! assumed for the layout, the protocol number, the width of each field and the units.

use crate::bytes::{array_at, at_least, expect, put, put_u16, put_u32, room, u16_at, u32_at, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "FGFC";

/// Bytes of the frame's content.
///
/// Source: the rest of a 32-byte frame without header and FCS. Status: assumed.
pub const HEADER_LEN: usize = 14;
/// The organisation of the protocol. Source: cassini-headers (0xeab). Status: published.
pub const OUI: [u8; 3] = [0x00, 0x0e, 0xab];
/// The organisation's number for it. Source: ours. Status: assumed.
pub const PROTOCOL: u16 = 1;
/// Bytes of one unit of a credit in bytes: the smallest frame.
///
/// Source: ours. Status: assumed.
pub const CREDIT_UNIT_BYTES: u32 = 32;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the bytes behind ethertype 0x88b7.
    FlowControlPacket,
    check
);

impl<T: AsRef<[u8]>> FlowControlPacket<T> {
    /// The organisation: another one's protocol may differ.
    pub fn oui(&self) -> [u8; 3] {
        array_at(self.bytes(), 0)
    }

    /// The flow.
    pub fn flow(&self) -> u32 {
        u32_at(self.bytes(), 6)
    }
}

/// The amount that a paused flow may still send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credit {
    /// This many frames.
    Frames(u16),
    /// This many units of 32 bytes.
    Units(u16),
}

/// A pause for one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowControlRepr {
    /// The flow, as the NIC named it.
    pub flow: u32,
    /// Duration, in quanta of 512 bit times; 0 ends the pause.
    pub pause_quanta: u16,
    /// The amount that it may send meanwhile.
    pub credit: Credit,
}

impl FlowControlRepr {
    /// Reads a pause; bytes behind it are padding.
    ///
    /// # Errors
    /// [`WireError::Field`] for another organisation, protocol or unit.
    pub fn parse<T: AsRef<[u8]>>(packet: &FlowControlPacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        let number = |[a, b, c]: [u8; 3]| u32::from_be_bytes([0, a, b, c]);
        expect(FORMAT, "OUI", number(packet.oui()), number(OUI), "0xeab")?;
        expect(FORMAT, "protocol", u16_at(bytes, 3), PROTOCOL, "1")?;
        let amount = u16_at(bytes, 12);
        let credit = match bytes[5] {
            0 => Credit::Frames(amount),
            1 => Credit::Units(amount),
            other => {
                let (field, valid) = ("credit unit", "0 (frames) or 1 (units of 32 bytes)");
                return Err(WireError::Field { format: FORMAT, field, found: other.into(), valid });
            }
        };
        Ok(Self { flow: packet.flow(), pause_quanta: u16_at(bytes, 10), credit })
    }
}

impl WireLayer for FlowControlRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let (unit, amount) = match self.credit {
            Credit::Frames(amount) => (0, amount),
            Credit::Units(amount) => (1, amount),
        };
        put(bytes, 0, &OUI);
        put_u16(bytes, 3, PROTOCOL);
        bytes[5] = unit;
        put_u32(bytes, 6, self.flow);
        put_u16(bytes, 10, self.pause_quanta);
        put_u16(bytes, 12, amount);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_organisation_is_not_ours_to_read() {
        let value = FlowControlRepr { flow: 0xdead, pause_quanta: 0xffff, credit: Credit::Units(64) };
        let mut bytes = [0; HEADER_LEN];
        value.emit(&mut bytes, 0).unwrap();
        assert_eq!(FlowControlRepr::parse(&FlowControlPacket::new(bytes).unwrap()), Ok(value));
        bytes[0] = 1;
        let error = FlowControlRepr::parse(&FlowControlPacket::new(bytes).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "FGFC: OUI is 0x10eab; 0xeab would be valid");
    }
}
