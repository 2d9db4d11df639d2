//! Control ordered sets (CtlOS): eight bytes between or within frames, in which the two ends of an
//! Ultra Ethernet link speak of link layer retry (LLR) and credit-based flow control (CBFC).
//!
//! ```text
//!                    0       1       2                     4                     5        6        7
//! LLR ack, nack      [0x5c  ][1, 2  ][sequence, high 16   ][sequence 4 | 0x6    ][ 0                    ]
//! LLR init, echo     [0x5c  ][3, 4  ][sequence, high 16   ][sequence 4 | 0x6    ][data low][data high][0]
//! CF_Update          [0x5c  ][0x10  ][channel 5 | credits, high 11][credits 4 | 0x6]
//!                                                                                [channel 5 | credits 15 | 0 4]
//! ```
//! These are the bytes on the interface to the physical layer; in a block of 64B/66B code the
//! first one is 0x4b. They are not frames and have no FCS. Unlike our own
//! [`link_retry`](crate::link_retry), sequence numbers have 20 bits, and a nack names the last
//! frame that arrived in order, not the first one that is wanted.
//!
//! The public data model divides the 20 bits of channel and credits into 5 and 15, and then leaves
//! out one bit; the division here is the only one of 5 and 15 that fits its drawing. That the
//! number is the low part of a counter of 20 bits follows from the counter's width in the proposal
//! for switches (SAI) on CBFC. The preamble of a frame with LLR, which carries the frame's own
//! sequence number, is not here: public sources contradict each other on it. Ignored on receipt
//! and written as zero: the bytes and bits shown as 0.
//!
//! Source: public data model of specification 1.0.1, tables 5-7, 5-8, 5-20, 5-21 and 5-29. Status:
//! published for LLR, derived for CF_Update.

use super::fields::{FreedCredits, LinkSequence, VirtualChannel};
use crate::WireError;
use crate::bytes::{expect, put_u24, u24_at};

const FORMAT: &str = "UE ordered set";

/// Bytes of an ordered set.
///
/// Source: public data model of specification 1.0.1, table 5-28. Status: published.
pub const LENGTH: usize = 8;
/// Its first byte on the interface to the physical layer.
///
/// Source: public data model of specification 1.0.1, table 5-28. Status: published.
pub const CONTROL: u8 = 0x5c;
/// Its first byte in a block of 64B/66B code.
///
/// Source: public data model of specification 1.0.1, table 5-30. Status: published.
pub const BLOCK_TYPE: u8 = 0x4b;
/// The code for ordered sets of Ultra Ethernet, 4 bits.
///
/// Source: public data model of specification 1.0.1, table 5-30. Status: published.
pub const ORDERED_SET_CODE: u8 = 0x6;

/// Credits that the receiver has freed on a virtual channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelCredits {
    /// The virtual channel.
    pub channel: VirtualChannel,
    /// Low bits of the count of credits freed since the start.
    pub freed: FreedCredits,
}

impl ChannelCredits {
    /// The 20 bits.
    const fn number(self) -> u32 {
        (self.channel.get() as u32) << FreedCredits::BITS | self.freed.get() as u32
    }

    const fn from_number(number: u32) -> Self {
        let channel = VirtualChannel::from_low_bits((number >> FreedCredits::BITS) as u8);
        Self { channel, freed: FreedCredits::from_low_bits(number as u16) }
    }
}

/// A control ordered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderedSet {
    /// LLR: all frames up to this one have arrived.
    Ack(LinkSequence),
    /// LLR: all frames up to this one have arrived, and the next one has not, or not whole.
    Nack(LinkSequence),
    /// LLR: I start again.
    Init {
        /// The number of my next frame.
        sequence: LinkSequence,
        /// Data that the echo repeats.
        data: u16,
    },
    /// LLR: I have seen that you start again.
    InitEcho {
        /// The number of the init.
        sequence: LinkSequence,
        /// The data of the init.
        data: u16,
    },
    /// CBFC: credits of two virtual channels.
    CreditsFreed([ChannelCredits; 2]),
}

impl OrderedSet {
    const fn kind(self) -> u8 {
        match self {
            Self::Ack(_) => 0x01,
            Self::Nack(_) => 0x02,
            Self::Init { .. } => 0x03,
            Self::InitEcho { .. } => 0x04,
            Self::CreditsFreed(_) => 0x10,
        }
    }

    /// Reads an ordered set, from the interface to the physical layer or from a block.
    ///
    /// # Errors
    /// [`WireError::Field`] for another control byte, type or code.
    pub fn parse(bytes: &[u8; LENGTH]) -> Result<Self, WireError> {
        if bytes[0] != BLOCK_TYPE {
            expect(FORMAT, "control byte", bytes[0], CONTROL, "0x5c, or 0x4b in a block")?;
        }
        let code = bytes[4] & 0xf;
        expect(FORMAT, "ordered set code", code, ORDERED_SET_CODE, "6")?;
        let number = u24_at(bytes, 2) >> 4;
        let sequence = LinkSequence::from_low_bits(number);
        let data = u16::from_le_bytes([bytes[5], bytes[6]]);
        match bytes[1] {
            0x01 => Ok(Self::Ack(sequence)),
            0x02 => Ok(Self::Nack(sequence)),
            0x03 => Ok(Self::Init { sequence, data }),
            0x04 => Ok(Self::InitEcho { sequence, data }),
            0x10 => {
                let second = u24_at(bytes, 5) >> 4;
                Ok(Self::CreditsFreed([number, second].map(ChannelCredits::from_number)))
            }
            other => {
                let (field, valid) = ("type", "1 to 4 (LLR) or 0x10 (credits freed)");
                Err(WireError::Field { format: FORMAT, field, found: other.into(), valid })
            }
        }
    }

    /// The bytes on the interface to the physical layer.
    #[must_use]
    pub fn bytes(self) -> [u8; LENGTH] {
        let (number, rest) = match self {
            Self::Ack(sequence) | Self::Nack(sequence) => (sequence.get(), 0),
            Self::Init { sequence, data } | Self::InitEcho { sequence, data } => {
                (sequence.get(), u32::from(data.swap_bytes()) << 8)
            }
            Self::CreditsFreed([first, second]) => (first.number(), second.number() << 4),
        };
        let mut bytes = [CONTROL, self.kind(), 0, 0, 0, 0, 0, 0];
        put_u24(&mut bytes, 2, number << 4 | u32::from(ORDERED_SET_CODE));
        put_u24(&mut bytes, 5, rest);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_has_the_place_of_the_drawing() {
        let sequence = LinkSequence::from_low_bits(0xa_bcde);
        assert_eq!(OrderedSet::Nack(sequence).bytes(), [0x5c, 2, 0xab, 0xcd, 0xe6, 0, 0, 0]);
        let init = OrderedSet::Init { sequence, data: 0x1234 };
        assert_eq!(init.bytes(), [0x5c, 3, 0xab, 0xcd, 0xe6, 0x34, 0x12, 0]);
        let credits = |channel, freed| ChannelCredits {
            channel: VirtualChannel::from_low_bits(channel),
            freed: FreedCredits::from_low_bits(freed),
        };
        let freed = OrderedSet::CreditsFreed([credits(0x1f, 1), credits(1, 0x7fff)]);
        assert_eq!(freed.bytes(), [0x5c, 0x10, 0xf8, 0x00, 0x16, 0x0f, 0xff, 0xf0]);
    }

    #[test]
    fn a_block_is_read_too_and_another_code_is_refused() {
        let ack = OrderedSet::Ack(LinkSequence::MAX);
        let mut bytes = ack.bytes();
        bytes[0] = BLOCK_TYPE;
        assert_eq!(OrderedSet::parse(&bytes), Ok(ack));
        bytes[4] ^= 1;
        let error = OrderedSet::parse(&bytes).unwrap_err();
        assert_eq!(error.to_string(), "UE ordered set: ordered set code is 0x7; 6 would be valid");
        bytes = [CONTROL, 5, 0, 0, 6, 0, 0, 0];
        assert!(matches!(OrderedSet::parse(&bytes), Err(WireError::Field { field: "type", found: 5, .. })));
    }
}
