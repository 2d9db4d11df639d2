//! Control packets of a PDC.
//!
//! ```text
//! 0         2                4       8              10                12          16
//! [prologue][probe number 16][PSN 32][source PDC 16][destination 16  ][payload 32]
//! ```
//! The prologue has the type of control instead of a next header. The payload depends on it:
//!
//! | type | payload |
//! |---|---|
//! | ACK request | the message of the PSN, or zero |
//! | clear, clear request | PSN up to which responses are forgotten |
//! | probe | PSN of the first bit of the bitmap |
//! | credit | credit of the receiver |
//! | credit request | credit that the sender would like to have |
//! | others | zero |
//!
//! Flags: 0x20 the PDC is ordered (for no-operation and negotiation), 0x10 retransmitted, 0x08 an
//! acknowledgement is requested, 0x04 SYN: the destination is then as in
//! [`request`](super::request). The probe number is zero unless the packet is a probe; the
//! acknowledgement repeats it. Ignored on receipt and written as zero: the other flags.
//!
//! Wireshark shows flag 0x20 as reserved, does not know the type negotiation, and reads the
//! destination of a SYN as a PDC. Source: reference provider. Status: published.

use super::DELIVERY;
use super::fields::{PdcId, Psn, codes};
use super::prologue::{Prologue, UetPacketType, flag};
use super::request::{ACKNOWLEDGE, PdcDestination, RETRANSMITTED, SYN};
use crate::WireError;
use crate::bytes::{at_least, put_u16, put_u32, u16_at, u32_at};

/// Bytes of a control packet. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 16;

const ORDERED: u8 = 0x20;

codes! {
    /// What a control packet says. Source: reference provider. Status: published.
    ControlType, 0x0f;
    /// Nothing: it only takes a PSN.
    NO_OPERATION = 0, "NOOP";
    /// Acknowledge this PSN.
    ACK_REQUEST = 1, "ACK_REQ";
    /// Forget the responses up to a PSN.
    CLEAR = 2, "CLEAR";
    /// The receiver asks for a clear.
    CLEAR_REQUEST = 3, "CLEAR_REQ";
    /// The initiator closes the PDC.
    CLOSE = 4, "CLOSE";
    /// The receiver asks for the close.
    CLOSE_REQUEST = 5, "CLOSE_REQ";
    /// Acknowledge now, whatever has arrived.
    PROBE = 6, "PROBE";
    /// Credit of the receiver.
    CREDIT = 7, "CREDIT";
    /// The sender asks for credit.
    CREDIT_REQUEST = 8, "CREDIT_REQ";
    /// Negotiation.
    NEGOTIATION = 9, "NEGOTIATION";
}

/// A control packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryControl {
    /// What it says.
    pub control: ControlType,
    /// Whether the PDC delivers in order.
    pub is_ordered: bool,
    /// Whether it was sent before.
    pub is_retransmitted: bool,
    /// Whether an acknowledgement is requested.
    pub acknowledge: bool,
    /// Number of a probe.
    pub probe: u16,
    /// Its own number, or the number that it is about.
    pub psn: Psn,
    /// The PDC of the endpoint that sends it.
    pub source: PdcId,
    /// The other PDC.
    pub destination: PdcDestination,
    /// By type.
    pub payload: u32,
}

impl DeliveryControl {
    pub(super) fn parse(prologue: Prologue, bytes: &[u8]) -> Result<Self, WireError> {
        at_least(DELIVERY, bytes, HEADER_LEN)?;
        Ok(Self {
            control: ControlType::from_low_bits(prologue.next),
            is_ordered: prologue.has(ORDERED),
            is_retransmitted: prologue.has(RETRANSMITTED),
            acknowledge: prologue.has(ACKNOWLEDGE),
            probe: u16_at(bytes, 2),
            psn: Psn(u32_at(bytes, 4)),
            source: PdcId(u16_at(bytes, 8)),
            destination: PdcDestination::parse(prologue.has(SYN), u16_at(bytes, 10)),
            payload: u32_at(bytes, 12),
        })
    }

    pub(super) fn emit(&self, bytes: &mut [u8]) {
        let (syn, destination) = self.destination.emit();
        let flags = flag(self.is_ordered, ORDERED)
            | flag(self.is_retransmitted, RETRANSMITTED)
            | flag(self.acknowledge, ACKNOWLEDGE)
            | syn;
        Prologue { kind: UetPacketType::Control, next: self.control.get(), flags }.emit(bytes);
        put_u16(bytes, 2, self.probe);
        put_u32(bytes, 4, self.psn.0);
        put_u16(bytes, 8, self.source.0);
        put_u16(bytes, 10, destination);
        put_u32(bytes, 12, self.payload);
    }
}
