//! Packets without a packet delivery context: RUDI requests and responses, and UUD requests.
//!
//! ```text
//!       0         2            4             8
//! RUDI  [prologue][reserved 16][packet id 32]
//! UUD   [prologue][reserved 16]
//! ```
//! Flags of RUDI: 0x20 the request was marked by a switch (responses only), 0x10 retransmitted. UUD
//! has none. Ignored on receipt and written as zero: the reserved bytes, the other flags, and the
//! mark of a request.
//!
//! Sources disagree on RUDI: 8 bytes in the reference provider and xdp2, 6 bytes without the
//! reserved ones in Wireshark and a public data model of specification 1.0.1, and in earlier
//! versions of the reference provider. It has 8 here, because all other headers are whole words.
//! Source: reference provider. Status: published.

use super::DELIVERY;
use super::prologue::{Prologue, UetPacketType, flag};
use crate::WireError;
use crate::bytes::{at_least, put, put_u32, u32_at};

/// Bytes of a RUDI header. Source: reference provider. Status: published.
pub const IDEMPOTENT_LEN: usize = 8;
/// Bytes of a UUD header. Source: reference provider. Status: published.
pub const UNRELIABLE_LEN: usize = 4;

const MARKED: u8 = 0x20;
const RETRANSMITTED: u8 = 0x10;

/// A RUDI request, or the response to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdempotentPacket {
    /// Whether it is a response; then, whether a switch had marked the request.
    pub response: Option<RequestMark>,
    /// Whether it was sent before.
    pub is_retransmitted: bool,
    /// Number that the sender of the request chose; the response repeats it.
    pub packet_id: u32,
}

/// Whether a switch had marked the request that a response answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestMark {
    /// It had not.
    Unmarked,
    /// It had: congestion.
    Marked,
}

impl IdempotentPacket {
    pub(super) const fn kind(&self) -> UetPacketType {
        if self.response.is_some() { UetPacketType::RudiResponse } else { UetPacketType::RudiRequest }
    }

    pub(super) fn parse(prologue: Prologue, bytes: &[u8]) -> Result<Self, WireError> {
        at_least(DELIVERY, bytes, IDEMPOTENT_LEN)?;
        let mark = if prologue.has(MARKED) { RequestMark::Marked } else { RequestMark::Unmarked };
        Ok(Self {
            response: (prologue.kind == UetPacketType::RudiResponse).then_some(mark),
            is_retransmitted: prologue.has(RETRANSMITTED),
            packet_id: u32_at(bytes, 4),
        })
    }

    pub(super) fn emit(&self, next: u8, bytes: &mut [u8]) {
        let marked = self.response == Some(RequestMark::Marked);
        let flags = flag(marked, MARKED) | flag(self.is_retransmitted, RETRANSMITTED);
        Prologue { kind: self.kind(), next, flags }.emit(bytes);
        put(bytes, 2, &[0; 2]);
        put_u32(bytes, 4, self.packet_id);
    }
}

/// Checks the length of a UUD header, which has no fields.
pub(super) fn parse_unreliable(bytes: &[u8]) -> Result<(), WireError> {
    at_least(DELIVERY, bytes, UNRELIABLE_LEN)
}

/// Writes a UUD header.
pub(super) fn emit_unreliable(next: u8, bytes: &mut [u8]) {
    Prologue { kind: UetPacketType::UudRequest, next, flags: 0 }.emit(bytes);
    put(bytes, 2, &[0; 2]);
}
