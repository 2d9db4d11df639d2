//! CC_Update: the sender of a link with credit-based flow control (CBFC) says how many credits it
//! has consumed, so that credits of lost frames come back.
//!
//! ```text
//! 0                2          5        6                                                   46
//! [opcode 0xfffe  ][fa:7a:cb ][type 8 ][credits 20] x 16, the lowest virtual channel first
//! ```
//! It is a MAC control frame, behind ethertype 0x8808, which these bytes fill to the least frame of
//! 64 bytes. Type 1 is for virtual channels 0 to 15, type 2 for 16 to 31.
//!
//! Opcode, organisation, types, sizes and the width of the counters are public; how sixteen numbers
//! of 20 bits lie in 40 bytes is not, and is assumed: without gaps, most significant bit first. A
//! public data model of specification 1.0.1 has another message of 8 bytes, for one channel.
//! Source: the published design of a switch's parser, which cites section 5.2.6.2 of the
//! specification, and the programming interface of a traffic generator (Xena). Status: published,
//! and assumed for the packing.

use super::fields::ConsumedCredits;
use crate::bytes::{array_at, at_least, expect, put, put_u16, room, u16_at, u24_at, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "UE credit update";

/// Opcode of MAC control frames of organisations.
///
/// Source: IEEE 802.3 annex 31C. Status: published.
pub const OPCODE: u16 = 0xfffe;
/// The organisation. Source: the same switch and traffic generator. Status: published.
pub const ORGANISATION: [u8; 3] = [0xfa, 0x7a, 0xcb];
/// Virtual channels of one message. Source: the same switch. Status: published.
pub const CHANNELS: usize = 16;
/// Bytes behind the ethertype. Source: the same switch. Status: published.
pub const LENGTH: usize = CREDITS_AT + CHANNELS * ConsumedCredits::BITS as usize / 8;

const CREDITS_AT: usize = 6;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, LENGTH)
}

view!(
    /// A view over the bytes behind ethertype 0x8808, with opcode 0xfffe.
    CreditUpdatePacket,
    check
);

/// Consumed credits of sixteen virtual channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditUpdateRepr {
    /// Whether they are channels 16 to 31 instead of 0 to 15.
    pub is_upper_half: bool,
    /// Credits consumed since the start, per channel.
    pub consumed: [ConsumedCredits; CHANNELS],
}

impl CreditUpdateRepr {
    /// Reads an update; bytes behind it are padding.
    ///
    /// # Errors
    /// [`WireError::Field`] for another opcode, organisation or type.
    pub fn parse<T: AsRef<[u8]>>(packet: &CreditUpdatePacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        let organisation = |[a, b, c]: [u8; 3]| u32::from_be_bytes([0, a, b, c]);
        expect(FORMAT, "opcode", u16_at(bytes, 0), OPCODE, "0xfffe")?;
        let found = organisation(array_at(bytes, 2));
        expect(FORMAT, "organisation", found, organisation(ORGANISATION), "0xfa7acb")?;
        let is_upper_half = match bytes[5] {
            1 => false,
            2 => true,
            other => {
                let (field, valid) = ("type", "1 (channels 0 to 15) or 2 (16 to 31)");
                return Err(WireError::Field { format: FORMAT, field, found: other.into(), valid });
            }
        };
        // Two numbers take five bytes, so a number begins at a byte or in its middle.
        let consumed = std::array::from_fn(|channel| {
            let (at, is_second) = (CREDITS_AT + channel * 5 / 2, channel % 2 == 1);
            let word = u24_at(bytes, at);
            ConsumedCredits::from_low_bits(if is_second { word } else { word >> 4 })
        });
        Ok(Self { is_upper_half, consumed })
    }
}

impl WireLayer for CreditUpdateRepr {
    fn header_len(&self) -> usize {
        LENGTH
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        put_u16(bytes, 0, OPCODE);
        put(bytes, 2, &ORGANISATION);
        bytes[5] = 1 + u8::from(self.is_upper_half);
        for (pair, at) in self.consumed.chunks_exact(2).zip((CREDITS_AT..).step_by(5)) {
            let word = u64::from(pair[0].get()) << ConsumedCredits::BITS | u64::from(pair[1].get());
            put(bytes, at, &word.to_be_bytes()[3..]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EtherType, Framing, MacAddress, ethernet, stack_len};

    #[test]
    fn an_update_fills_the_least_frame() {
        let update = CreditUpdateRepr { is_upper_half: false, consumed: [ConsumedCredits::default(); CHANNELS] };
        let outer = ethernet::EthernetRepr {
            destination: MacAddress::PAUSE,
            source: MacAddress::default(),
            ethertype: EtherType::MAC_CONTROL,
            framing: Framing::Standard,
        };
        assert_eq!(stack_len(&[&outer, &update], 0), ethernet::FRAME_MIN);
        assert_eq!(ethernet::HEADER_LEN + LENGTH + ethernet::FCS_LEN, 64, "without padding");
    }

    #[test]
    fn another_organisation_is_not_ours_to_read() {
        let mut bytes = [0; LENGTH];
        let consumed = std::array::from_fn(|channel| ConsumedCredits::from_low_bits(0xf_0f00 + channel as u32));
        let update = CreditUpdateRepr { is_upper_half: true, consumed };
        update.emit(&mut bytes, 0).unwrap();
        assert_eq!(bytes[6..11], [0xf0, 0xf0, 0x0f, 0x0f, 0x01]);
        assert_eq!(CreditUpdateRepr::parse(&CreditUpdatePacket::new(bytes).unwrap()), Ok(update));
        bytes[4] = 0xcc;
        let error = CreditUpdateRepr::parse(&CreditUpdatePacket::new(bytes).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "UE credit update: organisation is 0xfa7acc; 0xfa7acb would be valid");
    }
}
