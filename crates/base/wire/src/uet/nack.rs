//! Negative acknowledgements: a packet was trimmed, came out of order, or found no room.
//!
//! ```text
//!       0         2        3             4                  8              10                  12          16
//! NACK  [prologue][code 8 ][vendor code 8][PSN or packet id ][source PDC 16][destination PDC 16][payload 32]
//!       16                   24          32
//! CCX   [type 4 | state 60  ][state 64   ]
//! ```
//! Flags: 0x20 a switch had marked the packet, 0x10 the packet was retransmitted, 0x08 the packet
//! was RUDI. A NACK of RUDI has the packet's id instead of its PSN, and no PDCs. The payload
//! depends on the code: the first PSN to use for [`NackCode::NEW_START_PSN`], which the reference
//! provider sends; Wireshark calls it the largest received PSN plus one for all codes. Ignored on
//! receipt and written as zero: the other flags, and the PDCs of RUDI.
//!
//! The bytes of a CCX are 16 in the reference provider and in Wireshark, which does not divide
//! them, and 8 in xdp2. Source: reference provider. Status: published.

use super::DELIVERY;
use super::fields::{PdcId, Psn, codes};
use super::prologue::{Prologue, UetPacketType, flag};
use crate::WireError;
use crate::bytes::{at_least, put_u16, put_u32, put_u64, u16_at, u32_at, u64_at};

/// Bytes of a NACK. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 16;
/// Bytes of a NACK_CCX. Source: reference provider. Status: published.
pub const EXTENDED_LEN: usize = HEADER_LEN + 16;

const MARKED: u8 = 0x20;
const RETRANSMITTED: u8 = 0x10;
const IDEMPOTENT: u8 = 0x08;
const KIND_SHIFT: u32 = 60;

codes! {
    /// Why a packet was not accepted.
    ///
    /// The names are the specification's without their prefix. Source: reference provider,
    /// Wireshark and xdp2 agree; a public data model of specification 1.0.1 numbers them
    /// otherwise. Status: published.
    NackCode, 0xff;
    /// A switch trimmed the packet.
    TRIMMED = 0x01, "TRIMMED";
    /// The last switch trimmed the packet: the receiver's link is the bottleneck.
    TRIMMED_LAST_HOP = 0x02, "TRIMMED_LASTHOP";
    /// A switch trimmed an acknowledgement with data.
    TRIMMED_ACK = 0x03, "TRIMMED_ACK";
    /// No PDC is free.
    NO_PDC = 0x04, "NO_PDC_AVAIL";
    /// No congestion control context is free.
    NO_CONGESTION_CONTEXT = 0x05, "NO_CCC_AVAIL";
    /// No bitmap is free.
    NO_BITMAP = 0x06, "NO_BITMAP";
    /// No packet buffer is free.
    NO_PACKET_BUFFER = 0x07, "NO_PKT_BUFFER";
    /// No room for a response that must not be lost.
    NO_GUARANTEED_DELIVERY = 0x08, "NO_GTD_DEL_AVAIL";
    /// No message state is free.
    NO_MESSAGE_STATE = 0x09, "NO_SES_MSG_AVAIL";
    /// Another resource is missing.
    NO_RESOURCE = 0x0a, "NO_RESOURCE";
    /// The PSN lies outside what the receiver tracks.
    PSN_OUT_OF_WINDOW = 0x0b, "PSN_OOR_WINDOW";
    /// A packet of an ordered PDC came out of order.
    OUT_OF_ORDER = 0x0d, "ROD_OOO";
    /// The PDC is not known.
    UNKNOWN_PDC = 0x0e, "INV_DPDCID";
    /// The header contradicts the state of the PDC.
    HEADER_MISMATCH = 0x0f, "PDC_HDR_MISMATCH";
    /// The PDC is closing.
    CLOSING = 0x10, "CLOSING";
    /// The PDC is closing after an error.
    CLOSING_IN_ERROR = 0x11, "CLOSING_IN_ERR";
    /// The packet whose acknowledgement was requested has not arrived.
    NOT_RECEIVED = 0x12, "PKT_NOT_RCVD";
    /// The response of a repeated packet is not there any more.
    RESPONSE_UNAVAILABLE = 0x13, "GTD_RESP_UNAVAIL";
    /// The packet whose acknowledgement was requested has a response with data.
    ACK_WITH_DATA = 0x14, "ACK_WITH_DATA";
    /// SYN with a PSN outside the range that sets up a PDC.
    INVALID_SYN = 0x15, "INVALID_SYN";
    /// RUD on an ordered PDC, or ROD on another.
    MODE_MISMATCH = 0x16, "PDC_MODE_MISMATCH";
    /// Start again, with the PSN in the payload.
    NEW_START_PSN = 0x17, "NEW_START_PSN";
    /// The packet has arrived and is being processed.
    IN_PROCESSING = 0x18, "RCVD_SES_PROCG";
    /// An unexpected event.
    UNEXPECTED = 0x19, "UNEXP_EVENT";
    /// The receiver concludes that the packet is lost.
    INFERRED_LOSS = 0x1a, "RCVR_INFER_LOSS";
    /// Experimental.
    EXPERIMENTAL_NORMAL = 0xfd, "EXP_NACK_NORMAL";
    /// Experimental, an error.
    EXPERIMENTAL_ERROR = 0xfe, "EXP_NACK_ERR";
    /// Experimental, a fatal error.
    EXPERIMENTAL_FATAL = 0xff, "EXP_NACK_FATAL";
}

/// The packet that was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NackSubject {
    /// A packet of a PDC.
    Pdc {
        /// Its number.
        psn: Psn,
        /// The PDC of the endpoint that refuses it; 0 if there is none.
        source: PdcId,
        /// The PDC of the endpoint that sent it.
        destination: PdcId,
    },
    /// A RUDI packet.
    Idempotent {
        /// Its number.
        packet_id: u32,
    },
}

/// Congestion state of a NACK, unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NackCongestion {
    /// Its type: 4 bits.
    pub kind: u8,
    /// Its first word, without the type: 60 bits.
    pub first: u64,
    /// Its second word.
    pub second: u64,
}

/// A negative acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryNack {
    /// Whether a switch had marked the packet.
    pub is_marked: bool,
    /// Whether the packet was a retransmission.
    pub is_retransmitted: bool,
    /// Why it was not accepted.
    pub code: NackCode,
    /// The vendor's own reason.
    pub vendor_code: u8,
    /// The packet.
    pub subject: NackSubject,
    /// By code; otherwise zero.
    pub payload: u32,
    /// Congestion state, in a NACK_CCX.
    pub congestion: Option<NackCongestion>,
}

impl DeliveryNack {
    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        if self.congestion.is_some() { EXTENDED_LEN } else { HEADER_LEN }
    }

    pub(super) const fn kind(&self) -> UetPacketType {
        if self.congestion.is_some() { UetPacketType::NackExtended } else { UetPacketType::Nack }
    }

    pub(super) fn parse(prologue: Prologue, bytes: &[u8]) -> Result<Self, WireError> {
        let is_extended = prologue.kind == UetPacketType::NackExtended;
        at_least(DELIVERY, bytes, if is_extended { EXTENDED_LEN } else { HEADER_LEN })?;
        let number = u32_at(bytes, 4);
        let subject = if prologue.has(IDEMPOTENT) {
            NackSubject::Idempotent { packet_id: number }
        } else {
            let (source, destination) = (PdcId(u16_at(bytes, 8)), PdcId(u16_at(bytes, 10)));
            NackSubject::Pdc { psn: Psn(number), source, destination }
        };
        Ok(Self {
            is_marked: prologue.has(MARKED),
            is_retransmitted: prologue.has(RETRANSMITTED),
            code: NackCode::from_low_bits(bytes[2]),
            vendor_code: bytes[3],
            subject,
            payload: u32_at(bytes, 12),
            congestion: is_extended.then(|| {
                let word = u64_at(bytes, HEADER_LEN);
                let (kind, first) = ((word >> KIND_SHIFT) as u8, word & !(0xf << KIND_SHIFT));
                NackCongestion { kind, first, second: u64_at(bytes, HEADER_LEN + 8) }
            }),
        })
    }

    pub(super) fn emit(&self, next: u8, bytes: &mut [u8]) {
        let (idempotent, number, source, destination) = match self.subject {
            NackSubject::Pdc { psn, source, destination } => (false, psn.0, source.0, destination.0),
            NackSubject::Idempotent { packet_id } => (true, packet_id, 0, 0),
        };
        let flags =
            flag(self.is_marked, MARKED) | flag(self.is_retransmitted, RETRANSMITTED) | flag(idempotent, IDEMPOTENT);
        Prologue { kind: self.kind(), next, flags }.emit(bytes);
        bytes[2] = self.code.get();
        bytes[3] = self.vendor_code;
        put_u32(bytes, 4, number);
        put_u16(bytes, 8, source);
        put_u16(bytes, 10, destination);
        put_u32(bytes, 12, self.payload);
        if let Some(NackCongestion { kind, first, second }) = self.congestion {
            put_u64(bytes, HEADER_LEN, u64::from(kind) << KIND_SHIFT | first & !(0xf << KIND_SHIFT));
            put_u64(bytes, HEADER_LEN + 8, second);
        }
    }
}
