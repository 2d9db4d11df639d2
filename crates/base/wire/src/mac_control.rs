//! MAC control: the pause of 802.3x and the priority flow control (PFC) of 802.1Qbb, behind
//! ethertype 0x8808.
//!
//! ```text
//! pause  [opcode 0x0001][quanta 2]
//! PFC    [opcode 0x0101][ 0 ][enabled classes][quanta 2] x 8, class 0 first
//! ```
//! One quantum is the time of 512 bits on the link. Source: IEEE 802.3 annex 31B; IEEE 802.1Qbb.

use crate::bytes::{at_least, expect, put_u16, room, u16_at, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "MAC control";

/// Opcode of a pause. Source: IEEE 802.3 annex 31A. Status: published.
pub const PAUSE: u16 = 0x0001;
/// Opcode of PFC. Source: IEEE 802.1Qbb. Status: published.
pub const PRIORITY_PAUSE: u16 = 0x0101;
/// Bits on the link that one quantum lasts. Source: IEEE 802.3 annex 31B. Status: published.
pub const QUANTUM_BITS: u64 = 512;
/// Classes of PFC. Source: IEEE 802.1Qbb. Status: published.
pub const CLASSES: usize = 8;

const PAUSE_LEN: usize = 4;
const PRIORITY_PAUSE_LEN: usize = 4 + 2 * CLASSES;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, 2)?;
    match u16_at(bytes, 0) {
        PAUSE => at_least(FORMAT, bytes, PAUSE_LEN),
        PRIORITY_PAUSE => at_least(FORMAT, bytes, PRIORITY_PAUSE_LEN),
        _ => Ok(()),
    }
}

view!(
    /// A view over the bytes behind ethertype 0x8808.
    MacControlPacket,
    check
);

impl<T: AsRef<[u8]>> MacControlPacket<T> {
    /// The request.
    pub fn opcode(&self) -> u16 {
        u16_at(self.bytes(), 0)
    }
}

/// How long the other end must send nothing; 0 ends the pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacControlRepr {
    /// The whole link.
    Pause {
        /// In quanta of 512 bit times.
        quanta: u16,
    },
    /// Single classes.
    PriorityPause {
        /// Bit n: whether `quanta[n]` counts.
        enabled: u8,
        /// Per class, in quanta of 512 bit times.
        quanta: [u16; CLASSES],
    },
}

impl MacControlRepr {
    /// Reads a pause or PFC; bytes behind it are padding.
    ///
    /// # Errors
    /// [`WireError::Field`] for another opcode, or if the class vector's upper byte is not zero.
    pub fn parse<T: AsRef<[u8]>>(packet: &MacControlPacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        match packet.opcode() {
            PAUSE => Ok(Self::Pause { quanta: u16_at(bytes, 2) }),
            PRIORITY_PAUSE => {
                expect(FORMAT, "upper byte of the class vector", bytes[2], 0_u8, "0")?;
                let quanta = std::array::from_fn(|class| u16_at(bytes, 4 + 2 * class));
                Ok(Self::PriorityPause { enabled: bytes[3], quanta })
            }
            other => Err(WireError::Field {
                format: FORMAT,
                field: "opcode",
                found: other.into(),
                valid: "0x1 (pause) or 0x101 (PFC)",
            }),
        }
    }
}

impl WireLayer for MacControlRepr {
    fn header_len(&self) -> usize {
        match self {
            Self::Pause { .. } => PAUSE_LEN,
            Self::PriorityPause { .. } => PRIORITY_PAUSE_LEN,
        }
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let buffer = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        match self {
            Self::Pause { quanta } => {
                put_u16(buffer, 0, PAUSE);
                put_u16(buffer, 2, *quanta);
            }
            Self::PriorityPause { enabled, quanta } => {
                put_u16(buffer, 0, PRIORITY_PAUSE);
                put_u16(buffer, 2, u16::from(*enabled));
                for (class, quanta) in quanta.iter().enumerate() {
                    put_u16(buffer, 4 + 2 * class, *quanta);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_zero_comes_first() {
        let mut bytes = [0; PRIORITY_PAUSE_LEN];
        MacControlRepr::PriorityPause { enabled: 0b1000_0001, quanta: [1, 0, 0, 0, 0, 0, 0, 0xffff] }
            .emit(&mut bytes, 0)
            .unwrap();
        assert_eq!(bytes[..6], [0x01, 0x01, 0x00, 0x81, 0x00, 0x01]);
        assert_eq!(bytes[18..], [0xff, 0xff]);
    }

    #[test]
    fn another_opcode_can_be_seen_but_not_read() {
        let packet = MacControlPacket::new([0x00, 0x02]).unwrap();
        assert_eq!(packet.opcode(), 2);
        assert!(matches!(MacControlRepr::parse(&packet), Err(WireError::Field { field: "opcode", found: 2, .. })));
    }
}
