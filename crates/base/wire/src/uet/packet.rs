//! A whole UET packet: what is behind the entropy header, or inside the UDP datagram.
//!
//! Its length is that of the datagram or the IP packet; it has no length field of its own. A packet
//! that a switch trimmed may end within its semantic header and has no valid CRC, so it does not
//! parse; its delivery header alone does ([`DeliveryRepr::parse`]).

use super::crc::CRC_LEN;
use super::delivery::DeliveryRepr;
use super::prologue::UetPacketType;
use super::security::{SecurityRepr, TAG_LEN};
use super::semantic::SemanticRepr;
use crate::bytes::{array_at, at_least, put, room, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "UET";

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, 1)?;
    let (headers, trailer) = parts(bytes)?;
    at_least(FORMAT, bytes, headers + trailer)
}

/// Bytes of the headers that can be read, and of the trailer.
fn parts(bytes: &[u8]) -> Result<(usize, usize), WireError> {
    if is_secured(bytes)? {
        return Ok((SecurityRepr::parse(bytes)?.header_len(), TAG_LEN));
    }
    let (delivery, semantic) = headers(bytes)?;
    Ok((delivery.header_len() + semantic.map_or(0, |header| header.header_len()), CRC_LEN))
}

fn is_secured(bytes: &[u8]) -> Result<bool, WireError> {
    Ok(UetPacketType::of_first_byte(bytes[0])? == UetPacketType::Security)
}

fn headers(bytes: &[u8]) -> Result<(DeliveryRepr, Option<SemanticRepr>), WireError> {
    let (delivery, next) = DeliveryRepr::parse(bytes)?;
    let semantic = SemanticRepr::parse(next, &bytes[delivery.header_len()..])?;
    Ok((delivery, semantic))
}

view!(
    /// A view over a whole UET packet, from its prologue to its CRC or tag.
    UetPacket,
    check
);

impl<T: AsRef<[u8]>> UetPacket<T> {
    /// Bytes of the headers that can be read.
    pub fn header_len(&self) -> usize {
        parts(self.bytes()).map_or(0, |(headers, _)| headers)
    }

    /// The contents: without the CRC, but with the tag of a secured packet, because both are
    /// encrypted bytes to a reader without the key.
    pub fn payload(&self) -> &[u8] {
        let bytes = self.bytes();
        match parts(bytes) {
            Ok((headers, CRC_LEN)) => &bytes[headers..(bytes.len() - CRC_LEN).max(headers)],
            Ok((headers, _)) => &bytes[headers..],
            Err(_) => &[],
        }
    }
}

/// All headers of a packet that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UetRepr {
    /// A packet in the clear.
    Clear {
        /// The delivery header.
        delivery: DeliveryRepr,
        /// The semantic header, if there is one.
        semantic: Option<SemanticRepr>,
        /// The CRC as it lies on the wire; zero until [`crc::seal`](super::crc::seal).
        crc: [u8; CRC_LEN],
    },
    /// A secured packet: its payload is encrypted bytes and a tag.
    Secured(SecurityRepr),
}

impl UetRepr {
    /// A packet in the clear that is not sealed yet.
    #[must_use]
    pub const fn new(delivery: DeliveryRepr, semantic: Option<SemanticRepr>) -> Self {
        Self::Clear { delivery, semantic, crc: [0; CRC_LEN] }
    }

    /// Reads all headers that can be read.
    ///
    /// # Errors
    /// The errors of [`UetPacket::new`], if the bytes were changed since.
    pub fn parse<T: AsRef<[u8]>>(packet: &UetPacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        if is_secured(bytes)? {
            return SecurityRepr::parse(bytes).map(Self::Secured);
        }
        let (delivery, semantic) = headers(bytes)?;
        Ok(Self::Clear { delivery, semantic, crc: array_at(bytes, bytes.len() - CRC_LEN) })
    }
}

impl WireLayer for UetRepr {
    fn header_len(&self) -> usize {
        match self {
            Self::Clear { delivery, semantic, .. } => {
                delivery.header_len() + semantic.as_ref().map_or(0, SemanticRepr::header_len)
            }
            Self::Secured(header) => header.header_len(),
        }
    }

    fn buffer_len(&self, payload_len: usize) -> usize {
        let trailer = if matches!(self, Self::Clear { .. }) { CRC_LEN } else { 0 };
        self.header_len() + payload_len + trailer
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let length = self.buffer_len(payload_len);
        match self {
            Self::Clear { delivery, semantic, crc } => {
                semantic.as_ref().map_or(Ok(()), SemanticRepr::check)?;
                let can_have_next = !matches!(delivery, DeliveryRepr::Control(_));
                if semantic.is_some() && !can_have_next {
                    let (field, found) = ("packet type", UetPacketType::Control as u64);
                    return Err(WireError::Field { format: FORMAT, field, found, valid: "one with a next header" });
                }
                let bytes = room(FORMAT, buffer, length)?;
                let next = semantic.as_ref().map(SemanticRepr::next_header).unwrap_or_default();
                delivery.emit(next, bytes);
                if let Some(semantic) = semantic {
                    semantic.emit(&mut bytes[delivery.header_len()..]);
                }
                put(bytes, length - CRC_LEN, crc);
            }
            Self::Secured(header) => {
                if payload_len < TAG_LEN {
                    return Err(WireError::Short { format: FORMAT, wanted: TAG_LEN, found: payload_len });
                }
                header.emit(room(FORMAT, buffer, length)?);
            }
        }
        Ok(())
    }
}
