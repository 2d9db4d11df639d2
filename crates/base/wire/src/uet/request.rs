//! Reliable requests: RUD and ROD, with or without congestion state.
//!
//! ```text
//! 0         2                   4      8           10               12
//! [prologue][clear PSN offset 16][PSN 32][source PDC 16][destination 16][congestion state, 4 bytes]
//! ```
//! Flags: 0x10 retransmitted, 0x08 an acknowledgement is requested, 0x04 SYN. With SYN the
//! destination is not known yet, and its field holds how far this packet is from the first one of
//! the PDC. So a PDC needs no handshake: each packet of the first round trip sets it up.
//!
//! ```text
//! destination with SYN:  bit 15                     14..12      11..0
//!                        [PDC of the reserved pool][reserved 3][PSN offset 12]
//! ```
//! Ignored on receipt and written as zero: the flags 0x63 and the reserved bits.
//!
//! Sources disagree on the bit of the reserved pool: bit 15 in Wireshark, xdp2 and libfabric's
//! `suet` provider, which cite the specification's table 3-33; bit 12 in the reference provider. It
//! is bit 15 here. Source: reference provider for everything else. Status: published.

use super::DELIVERY;
use super::congestion::{REQUEST_STATE_LEN, RequestCongestion};
use super::fields::{PdcId, Psn, StartOffset};
use super::prologue::{Prologue, UetPacketType, flag};
use crate::WireError;
use crate::bytes::{at_least, put_u16, put_u32, u16_at, u32_at};

/// Bytes without congestion state. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 12;

pub(super) const RETRANSMITTED: u8 = 0x10;
pub(super) const ACKNOWLEDGE: u8 = 0x08;
pub(super) const SYN: u8 = 0x04;
const RESERVED_POOL: u16 = 0x8000;

/// The PDC that a packet goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PdcDestination {
    /// The receiver's number, once the sender knows it.
    Established(PdcId),
    /// Not known yet: the packet sets the PDC up (SYN).
    Syn {
        /// Whether the receiver shall use a PDC of its reserved pool.
        reserved_pool: bool,
        /// How far the packet's PSN is from the first PSN of the PDC.
        start_offset: StartOffset,
    },
}

impl PdcDestination {
    pub(super) fn parse(is_syn: bool, field: u16) -> Self {
        if is_syn {
            let start_offset = StartOffset::from_low_bits(field);
            return Self::Syn { reserved_pool: field & RESERVED_POOL != 0, start_offset };
        }
        Self::Established(PdcId(field))
    }

    /// The flag and the field.
    pub(super) fn emit(self) -> (u8, u16) {
        match self {
            Self::Established(number) => (0, number.0),
            Self::Syn { reserved_pool, start_offset } => {
                (SYN, if reserved_pool { RESERVED_POOL } else { 0 } | start_offset.get())
            }
        }
    }
}

/// A reliable request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryRequest {
    /// Whether the PDC delivers in order: ROD instead of RUD.
    pub is_ordered: bool,
    /// Whether the packet was sent before.
    pub is_retransmitted: bool,
    /// Whether the sender requests an acknowledgement now.
    pub acknowledge: bool,
    /// Distance from the PSN to the PSN up to which the sender has all responses, so that the
    /// receiver may forget them; never positive.
    pub clear_psn_offset: i16,
    /// The packet's number.
    pub psn: Psn,
    /// The sender's PDC.
    pub source: PdcId,
    /// The receiver's PDC.
    pub destination: PdcDestination,
    /// State of the sender's congestion control.
    pub congestion: Option<RequestCongestion>,
}

impl DeliveryRequest {
    /// The PSN up to which the receiver may forget its responses.
    #[must_use]
    pub const fn clear_psn(&self) -> Psn {
        self.psn.offset(self.clear_psn_offset as i32)
    }

    /// The first PSN of the PDC, if the packet sets it up.
    #[must_use]
    pub fn start_psn(&self) -> Option<Psn> {
        match self.destination {
            PdcDestination::Established(_) => None,
            PdcDestination::Syn { start_offset, .. } => Some(self.psn.offset(-i32::from(start_offset.get()))),
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        HEADER_LEN + if self.congestion.is_some() { REQUEST_STATE_LEN } else { 0 }
    }

    pub(super) const fn kind(&self) -> UetPacketType {
        match (self.is_ordered, self.congestion.is_some()) {
            (false, false) => UetPacketType::RudRequest,
            (true, false) => UetPacketType::RodRequest,
            (false, true) => UetPacketType::RudCongestionRequest,
            (true, true) => UetPacketType::RodCongestionRequest,
        }
    }

    pub(super) fn parse(prologue: Prologue, bytes: &[u8]) -> Result<Self, WireError> {
        use UetPacketType::{RodCongestionRequest, RodRequest, RudCongestionRequest};
        let has_congestion = matches!(prologue.kind, RudCongestionRequest | RodCongestionRequest);
        at_least(DELIVERY, bytes, HEADER_LEN + if has_congestion { REQUEST_STATE_LEN } else { 0 })?;
        Ok(Self {
            is_ordered: matches!(prologue.kind, RodRequest | RodCongestionRequest),
            is_retransmitted: prologue.has(RETRANSMITTED),
            acknowledge: prologue.has(ACKNOWLEDGE),
            clear_psn_offset: u16_at(bytes, 2).cast_signed(),
            psn: Psn(u32_at(bytes, 4)),
            source: PdcId(u16_at(bytes, 8)),
            destination: PdcDestination::parse(prologue.has(SYN), u16_at(bytes, 10)),
            congestion: has_congestion.then(|| RequestCongestion::parse(&bytes[HEADER_LEN..])),
        })
    }

    pub(super) fn emit(&self, next: u8, bytes: &mut [u8]) {
        let (syn, destination) = self.destination.emit();
        let flags = flag(self.is_retransmitted, RETRANSMITTED) | flag(self.acknowledge, ACKNOWLEDGE) | syn;
        Prologue { kind: self.kind(), next, flags }.emit(bytes);
        put_u16(bytes, 2, self.clear_psn_offset.cast_unsigned());
        put_u32(bytes, 4, self.psn.0);
        put_u16(bytes, 8, self.source.0);
        put_u16(bytes, 10, destination);
        if let Some(congestion) = self.congestion {
            congestion.emit(&mut bytes[HEADER_LEN..]);
        }
    }
}
