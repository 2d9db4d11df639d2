//! Headers of the packet delivery sublayer (PDS): any of them, with the kind of the next header.

use super::DELIVERY;
use super::acknowledgement::DeliveryAck;
use super::control::{self, DeliveryControl};
use super::datagram::{self, IdempotentPacket};
use super::nack::DeliveryNack;
use super::prologue::{NextHeader, Prologue, UetPacketType};
use super::request::DeliveryRequest;
use crate::WireError;

/// A delivery header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryRepr {
    /// A reliable request: RUD or ROD.
    Request(DeliveryRequest),
    /// A RUDI request or response.
    Idempotent(IdempotentPacket),
    /// A UUD request.
    Unreliable,
    /// An acknowledgement.
    Ack(DeliveryAck),
    /// A negative acknowledgement.
    Nack(DeliveryNack),
    /// A control packet.
    Control(DeliveryControl),
}

impl DeliveryRepr {
    /// The type of the packet.
    #[must_use]
    pub const fn packet_type(&self) -> UetPacketType {
        match self {
            Self::Request(header) => header.kind(),
            Self::Idempotent(header) => header.kind(),
            Self::Unreliable => UetPacketType::UudRequest,
            Self::Ack(header) => header.kind(),
            Self::Nack(header) => header.kind(),
            Self::Control(_) => UetPacketType::Control,
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        match self {
            Self::Request(header) => header.header_len(),
            Self::Idempotent(_) => datagram::IDEMPOTENT_LEN,
            Self::Unreliable => datagram::UNRELIABLE_LEN,
            Self::Ack(header) => header.header_len(),
            Self::Nack(header) => header.header_len(),
            Self::Control(_) => control::HEADER_LEN,
        }
    }

    /// Reads the header at the front of `bytes`, and the kind of the next one.
    ///
    /// # Errors
    /// [`WireError::Short`] if the bytes end before the header does, [`WireError::Field`] for a
    /// reserved type, next header or request, and for a security header.
    pub fn parse(bytes: &[u8]) -> Result<(Self, NextHeader), WireError> {
        use UetPacketType as Type;
        let prologue = Prologue::parse(bytes)?;
        let header = match prologue.kind {
            Type::Security => {
                let (field, valid) = ("packet type", "2 to 0xe; a security header is not a delivery header");
                return Err(WireError::Field { format: DELIVERY, field, found: prologue.kind as u64, valid });
            }
            Type::Control => return Ok((Self::Control(DeliveryControl::parse(prologue, bytes)?), NextHeader::None)),
            Type::RudRequest | Type::RodRequest | Type::RudCongestionRequest | Type::RodCongestionRequest => {
                Self::Request(DeliveryRequest::parse(prologue, bytes)?)
            }
            Type::RudiRequest | Type::RudiResponse => Self::Idempotent(IdempotentPacket::parse(prologue, bytes)?),
            Type::UudRequest => {
                datagram::parse_unreliable(bytes)?;
                Self::Unreliable
            }
            Type::Ack | Type::AckCongestion | Type::AckExtended => Self::Ack(DeliveryAck::parse(prologue, bytes)?),
            Type::Nack | Type::NackExtended => Self::Nack(DeliveryNack::parse(prologue, bytes)?),
        };
        Ok((header, prologue.next_header()?))
    }

    /// Writes the header to the front of `bytes`, which are long enough.
    pub(super) fn emit(&self, next: NextHeader, bytes: &mut [u8]) {
        let next = next as u8;
        match self {
            Self::Request(header) => header.emit(next, bytes),
            Self::Idempotent(header) => header.emit(next, bytes),
            Self::Unreliable => datagram::emit_unreliable(next, bytes),
            Self::Ack(header) => header.emit(next, bytes),
            Self::Nack(header) => header.emit(next, bytes),
            Self::Control(header) => header.emit(bytes),
        }
    }
}
