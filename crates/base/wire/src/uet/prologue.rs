//! The first two bytes of each packet: its type, the header behind it, flags of the type.
//!
//! ```text
//! bits  15..11        10..7              6..0
//!       [packet type][next header, or   ][flags]
//!                    [type of control   ]
//! ```
//! Source: reference provider, `uet_pkt_hdr.h`; Wireshark and xdp2 agree. Status: published.

use super::DELIVERY;
use crate::WireError;
use crate::bytes::{at_least, put_u16, u16_at};

/// Bytes of the prologue. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 2;

/// Type of a packet of the packet delivery sublayer (PDS).
///
/// RUD is reliable and unordered, ROD reliable and ordered, RUDI reliable and unordered for
/// idempotent operations, UUD unreliable and unordered. Source: reference provider. Status:
/// published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UetPacketType {
    /// A security header (TSS), and encrypted bytes behind it.
    Security = 1,
    /// Reliable and unordered request.
    RudRequest = 2,
    /// Reliable and ordered request.
    RodRequest = 3,
    /// Request for an idempotent operation.
    RudiRequest = 4,
    /// Response to a request for an idempotent operation.
    RudiResponse = 5,
    /// Request without acknowledgement.
    UudRequest = 6,
    /// Acknowledgement.
    Ack = 7,
    /// Acknowledgement with a selective one and congestion state.
    AckCongestion = 8,
    /// Acknowledgement with a selective one and congestion state of twice the size.
    AckExtended = 9,
    /// Negative acknowledgement.
    Nack = 10,
    /// Control packet.
    Control = 11,
    /// Negative acknowledgement with congestion state.
    NackExtended = 12,
    /// Reliable and unordered request with congestion state.
    RudCongestionRequest = 13,
    /// Reliable and ordered request with congestion state.
    RodCongestionRequest = 14,
}

impl UetPacketType {
    /// All of them, by number.
    pub const ALL: [Self; 14] = [
        Self::Security,
        Self::RudRequest,
        Self::RodRequest,
        Self::RudiRequest,
        Self::RudiResponse,
        Self::UudRequest,
        Self::Ack,
        Self::AckCongestion,
        Self::AckExtended,
        Self::Nack,
        Self::Control,
        Self::NackExtended,
        Self::RudCongestionRequest,
        Self::RodCongestionRequest,
    ];

    /// The type in the first byte of a packet.
    ///
    /// # Errors
    /// [`WireError::Field`] for a reserved number.
    pub fn of_first_byte(byte: u8) -> Result<Self, WireError> {
        let number = byte >> 3;
        Self::ALL.into_iter().find(|known| *known as u8 == number).ok_or(WireError::Field {
            format: DELIVERY,
            field: "packet type",
            found: number.into(),
            valid: "1 to 0xe",
        })
    }
}

/// The header of the semantic sublayer (SES) behind the delivery header.
///
/// Source: reference provider. Status: published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextHeader {
    /// None.
    #[default]
    None = 0,
    /// Request of 20 bytes.
    SmallRequest = 1,
    /// Request of 32 bytes.
    MediumRequest = 2,
    /// Request of 44 bytes.
    StandardRequest = 3,
    /// Response of 12 bytes.
    Response = 4,
    /// Response of 20 bytes, with data.
    ResponseWithData = 5,
    /// Response of 12 bytes, with data.
    SmallResponseWithData = 6,
}

impl NextHeader {
    /// All of them, by number.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::SmallRequest,
        Self::MediumRequest,
        Self::StandardRequest,
        Self::Response,
        Self::ResponseWithData,
        Self::SmallResponseWithData,
    ];

    fn from_number(number: u8) -> Result<Self, WireError> {
        Self::ALL.into_iter().find(|known| *known as u8 == number).ok_or(WireError::Field {
            format: DELIVERY,
            field: "next header",
            found: number.into(),
            valid: "0 to 6",
        })
    }
}

/// The fields of a prologue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prologue {
    pub(super) kind: UetPacketType,
    /// Next header, or type of a control packet: 4 bits.
    pub(super) next: u8,
    /// 7 bits.
    pub(super) flags: u8,
}

impl Prologue {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        at_least(DELIVERY, bytes, HEADER_LEN)?;
        let word = u16_at(bytes, 0);
        let kind = UetPacketType::of_first_byte(bytes[0])?;
        Ok(Self { kind, next: (word >> 7) as u8 & 0xf, flags: word as u8 & 0x7f })
    }

    pub(super) fn next_header(self) -> Result<NextHeader, WireError> {
        NextHeader::from_number(self.next)
    }

    pub(super) const fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn emit(self, bytes: &mut [u8]) {
        put_u16(bytes, 0, (self.kind as u16) << 11 | u16::from(self.next & 0xf) << 7 | u16::from(self.flags & 0x7f));
    }
}

/// `flag` if `is_set`.
pub(super) const fn flag(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}
