//! Acknowledgements: of a PSN and of all before another, with a bitmap, and with congestion state.
//!
//! ```text
//!       0         2                  4                 8              10                  12
//! ACK   [prologue][ACK PSN offset 16][cumulative PSN 32][source PDC 16][destination PDC 16]
//!       12                    13                     14               16        24
//! CC    [type 4 | reserved 4 ][maximum PSN range 8  ][SACK offset 16 ][bitmap 64][state, 8 bytes ]
//! CCX   [type 4 | reserved 4 ][maximum PSN range 8  ][SACK offset 16 ][bitmap 64][state, 16 bytes]
//! ```
//! Both offsets are signed and count from the cumulative PSN. Bit 0 of the bitmap stands for the
//! cumulative PSN plus the SACK offset, bit n for the n-th PSN after it.
//!
//! Flags: 0x20 a switch had marked the packet, 0x10 the packet was retransmitted, 0x08 this answers
//! a probe, 0x06 what the receiver asks for. An acknowledgement of a probe has the probe's opaque
//! number instead of the ACK PSN offset. With flag 0x40 an ACK has four more bytes, the PSN that
//! the receiver of a secure domain expects next: only the reference provider has this, Wireshark
//! and xdp2 show the flag as reserved. Ignored on receipt and written as zero: flag 0x01, flag 0x40
//! of the longer forms, the reserved bits.
//!
//! Sources disagree on the state of CCX: 16 bytes in the reference provider and in Wireshark, 8 in
//! xdp2, and 16 after 28 in a public data model. Source: reference provider; for the order of the
//! bitmap's bits, its `uet_pds.c`. Status: published.

use super::DELIVERY;
use super::congestion::{ACK_STATE_LEN, AckCongestion};
use super::fields::{PdcId, Psn};
use super::prologue::{Prologue, UetPacketType, flag};
use crate::WireError;
use crate::bytes::{array_at, at_least, put, put_u16, put_u32, put_u64, u16_at, u32_at, u64_at};

/// Bytes of an ACK. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 12;
/// Bytes of an ACK with an expected PSN. Source: reference provider. Status: published.
pub const EXPECTED_PSN_LEN: usize = HEADER_LEN + 4;
/// Bytes of an ACK_CC. Source: reference provider. Status: published.
pub const CONGESTION_LEN: usize = SELECTIVE_END + ACK_STATE_LEN;
/// Bytes of an ACK_CCX. Source: reference provider. Status: published.
pub const EXTENDED_LEN: usize = SELECTIVE_END + EXTENDED_STATE_LEN;
/// Bytes of the state of an ACK_CCX. Source: reference provider. Status: published.
pub const EXTENDED_STATE_LEN: usize = 16;
/// PSNs of one unit of the maximum PSN range.
///
/// Source: reference provider, `uet_pds.c`. Status: published.
pub const PSN_RANGE_UNIT: u32 = 128;
/// PSNs of one bitmap. Source: reference provider. Status: published.
pub const BITMAP_PSNS: u32 = 64;

/// End of the part that ACK_CC and ACK_CCX have in common.
const SELECTIVE_END: usize = HEADER_LEN + 12;

const EXPECTED_PSN: u8 = 0x40;
const MARKED: u8 = 0x20;
const RETRANSMITTED: u8 = 0x10;
const PROBE: u8 = 0x08;
const REQUEST_SHIFT: u8 = 1;

/// What the receiver asks the sender for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AckRequest {
    /// Nothing.
    #[default]
    None,
    /// To clear its responses (with the clear PSN of a request, or a control packet).
    Clear,
    /// To close the PDC.
    Close,
}

/// What an acknowledgement answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckSubject {
    /// A packet: the distance of its PSN from the cumulative PSN.
    PsnOffset(i16),
    /// A probe: its opaque number.
    Probe(u16),
}

/// Which packets behind the cumulative PSN have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectiveAck {
    /// How many PSNs after the cumulative one the sender may use, in units of [`PSN_RANGE_UNIT`]; 0
    /// sets no limit.
    pub maximum_psn_range: u8,
    /// Distance of the bitmap's first PSN from the cumulative PSN.
    pub psn_offset: i16,
    /// Bit n: whether the n-th PSN from the first has arrived.
    pub bitmap: u64,
}

/// What an acknowledgement carries in addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckExtension {
    /// Nothing: an ACK.
    None,
    /// The PSN that the receiver of a secure domain expects next: an ACK with flag 0x40.
    ExpectedPsn(Psn),
    /// An ACK_CC.
    Congestion(SelectiveAck, AckCongestion),
    /// An ACK_CCX.
    Extended {
        /// The selective acknowledgement.
        selective: SelectiveAck,
        /// Type of the state: 4 bits; 14 and 15 are for vendors.
        kind: u8,
        /// The state, unread.
        state: [u8; EXTENDED_STATE_LEN],
    },
}

/// An acknowledgement of a PDC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryAck {
    /// Whether a switch had marked the packet that it answers.
    pub is_marked: bool,
    /// Whether that packet was a retransmission.
    pub is_retransmitted: bool,
    /// What the receiver asks the sender for.
    pub request: AckRequest,
    /// What it answers.
    pub subject: AckSubject,
    /// All PSNs up to this one have arrived.
    pub cumulative_psn: Psn,
    /// The PDC of the endpoint that acknowledges.
    pub source: PdcId,
    /// The PDC of the endpoint that sent the packet.
    pub destination: PdcId,
    /// What it carries in addition.
    pub extension: AckExtension,
}

impl DeliveryAck {
    /// The PSN that it answers, unless it answers a probe.
    #[must_use]
    pub const fn psn(&self) -> Option<Psn> {
        match self.subject {
            AckSubject::PsnOffset(offset) => Some(self.cumulative_psn.offset(offset as i32)),
            AckSubject::Probe(_) => None,
        }
    }

    /// The bitmap of what has arrived and its first PSN, if there is one.
    #[must_use]
    pub const fn selective(&self) -> Option<(Psn, u64)> {
        match self.extension {
            AckExtension::None | AckExtension::ExpectedPsn(_) => None,
            AckExtension::Congestion(selective, _) | AckExtension::Extended { selective, .. } => {
                Some((self.cumulative_psn.offset(selective.psn_offset as i32), selective.bitmap))
            }
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        match self.extension {
            AckExtension::None => HEADER_LEN,
            AckExtension::ExpectedPsn(_) => EXPECTED_PSN_LEN,
            AckExtension::Congestion(..) => CONGESTION_LEN,
            AckExtension::Extended { .. } => EXTENDED_LEN,
        }
    }

    pub(super) const fn kind(&self) -> UetPacketType {
        match self.extension {
            AckExtension::None | AckExtension::ExpectedPsn(_) => UetPacketType::Ack,
            AckExtension::Congestion(..) => UetPacketType::AckCongestion,
            AckExtension::Extended { .. } => UetPacketType::AckExtended,
        }
    }

    pub(super) fn parse(prologue: Prologue, bytes: &[u8]) -> Result<Self, WireError> {
        let is_probe = prologue.has(PROBE);
        at_least(DELIVERY, bytes, HEADER_LEN)?;
        let (offset, extension) = (u16_at(bytes, 2), parse_extension(prologue, bytes)?);
        Ok(Self {
            is_marked: prologue.has(MARKED),
            is_retransmitted: prologue.has(RETRANSMITTED),
            request: match prologue.flags >> REQUEST_SHIFT & 3 {
                0 => AckRequest::None,
                1 => AckRequest::Clear,
                2 => AckRequest::Close,
                other => {
                    let (field, valid) = ("request of the receiver", "0 (none), 1 (clear) or 2 (close)");
                    return Err(WireError::Field { format: DELIVERY, field, found: other.into(), valid });
                }
            },
            subject: if is_probe { AckSubject::Probe(offset) } else { AckSubject::PsnOffset(offset.cast_signed()) },
            cumulative_psn: Psn(u32_at(bytes, 4)),
            source: PdcId(u16_at(bytes, 8)),
            destination: PdcId(u16_at(bytes, 10)),
            extension,
        })
    }

    pub(super) fn emit(&self, next: u8, bytes: &mut [u8]) {
        let (probe, offset) = match self.subject {
            AckSubject::PsnOffset(offset) => (false, offset.cast_unsigned()),
            AckSubject::Probe(opaque) => (true, opaque),
        };
        let flags = flag(matches!(self.extension, AckExtension::ExpectedPsn(_)), EXPECTED_PSN)
            | flag(self.is_marked, MARKED)
            | flag(self.is_retransmitted, RETRANSMITTED)
            | flag(probe, PROBE)
            | (self.request as u8) << REQUEST_SHIFT;
        Prologue { kind: self.kind(), next, flags }.emit(bytes);
        put_u16(bytes, 2, offset);
        put_u32(bytes, 4, self.cumulative_psn.0);
        put_u16(bytes, 8, self.source.0);
        put_u16(bytes, 10, self.destination.0);
        match self.extension {
            AckExtension::None => {}
            AckExtension::ExpectedPsn(expected) => put_u32(bytes, HEADER_LEN, expected.0),
            AckExtension::Congestion(selective, state) => {
                emit_selective(selective, state.kind(), bytes);
                state.emit(&mut bytes[SELECTIVE_END..]);
            }
            AckExtension::Extended { selective, kind, state } => {
                emit_selective(selective, kind, bytes);
                put(bytes, SELECTIVE_END, &state);
            }
        }
    }
}

fn parse_extension(prologue: Prologue, bytes: &[u8]) -> Result<AckExtension, WireError> {
    match prologue.kind {
        UetPacketType::AckCongestion => {
            at_least(DELIVERY, bytes, CONGESTION_LEN)?;
            let state = AckCongestion::parse(bytes[HEADER_LEN] >> 4, &bytes[SELECTIVE_END..]);
            Ok(AckExtension::Congestion(parse_selective(bytes), state))
        }
        UetPacketType::AckExtended => {
            at_least(DELIVERY, bytes, EXTENDED_LEN)?;
            let (kind, state) = (bytes[HEADER_LEN] >> 4, array_at(bytes, SELECTIVE_END));
            Ok(AckExtension::Extended { selective: parse_selective(bytes), kind, state })
        }
        _ if prologue.has(EXPECTED_PSN) => {
            at_least(DELIVERY, bytes, EXPECTED_PSN_LEN)?;
            Ok(AckExtension::ExpectedPsn(Psn(u32_at(bytes, HEADER_LEN))))
        }
        _ => Ok(AckExtension::None),
    }
}

fn parse_selective(bytes: &[u8]) -> SelectiveAck {
    SelectiveAck {
        maximum_psn_range: bytes[HEADER_LEN + 1],
        psn_offset: u16_at(bytes, HEADER_LEN + 2).cast_signed(),
        bitmap: u64_at(bytes, HEADER_LEN + 4),
    }
}

fn emit_selective(selective: SelectiveAck, kind: u8, bytes: &mut [u8]) {
    bytes[HEADER_LEN] = kind << 4;
    bytes[HEADER_LEN + 1] = selective.maximum_psn_range;
    put_u16(bytes, HEADER_LEN + 2, selective.psn_offset.cast_unsigned());
    put_u64(bytes, HEADER_LEN + 4, selective.bitmap);
}
