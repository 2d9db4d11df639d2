//! What the congestion control of both ends says to the other in delivery headers.
//!
//! ```text
//!                    0             1..4
//! request (4 bytes)  [context 8   ][credit target 24]
//!                    0                2                          3                  6
//! ack, NSCC (8)      [service time 16][restore 1 | penalty 7    ][received units 24][out of order 16]
//!                    0                3                          6
//! ack, credit (8)    [credit 24      ][reserved 24              ][out of order 16]
//! ```
//! NSCC is network-signal based congestion control, at the sender. The credit form belongs to RCCC,
//! receiver-credit congestion control, and to transport flow control.
//!
//! The reference provider carries all of this as opaque words and sends zeros. The division of the
//! words is that of Wireshark and of xdp2, which agree. A public data model of specification 1.0.1
//! gives the units; its own divisions of the request's word and of the credit form differ, and are
//! not used.

use super::fields::{ReceivedUnits, TransportCredit, WindowPenalty};
use crate::bytes::{put, put_u16, put_u24, put_u64, u16_at, u24_at, u64_at};

/// Bytes of the state in a request. Source: reference provider. Status: published.
pub const REQUEST_STATE_LEN: usize = 4;
/// Bytes of the state in an acknowledgement. Source: reference provider. Status: published.
pub const ACK_STATE_LEN: usize = 8;
/// One unit of the service time, in nanoseconds.
///
/// Source: public data model of specification 1.0.1, table 3-74. Status: published.
pub const SERVICE_TIME_UNIT_NS: u64 = 128;
/// One unit of received bytes.
///
/// Source: public data model of specification 1.0.1, table 3-74. Status: published.
pub const RECEIVED_UNIT_BYTES: u64 = 256;
/// The count of packets out of order that says that the receiver does not count them.
///
/// Source: public data model of specification 1.0.1, table 3-74. Status: published.
pub const OUT_OF_ORDER_UNKNOWN: u16 = 0xffff;

/// State of the sender in a request.
///
/// The units of the target are not in the public sources. Source: Wireshark, xdp2. Status:
/// published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCongestion {
    /// The congestion control context (CCC) of the sender.
    pub context: u8,
    /// The credit that the sender would like to have.
    pub credit_target: TransportCredit,
}

impl RequestCongestion {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        Self { context: bytes[0], credit_target: TransportCredit::from_low_bits(u24_at(bytes, 1)) }
    }

    pub(super) fn emit(self, bytes: &mut [u8]) {
        bytes[0] = self.context;
        put_u24(bytes, 1, self.credit_target.get());
    }
}

/// State of the receiver in an acknowledgement, by its type (`cc_type`, 4 bits).
///
/// Source: Wireshark, xdp2; units: public data model of specification 1.0.1. Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckCongestion {
    /// Type 0: for NSCC.
    Nscc {
        /// Time that the packet spent at the receiver, in units of [`SERVICE_TIME_UNIT_NS`]. 0 says
        /// that it is unknown, 0xffff that it is longer than the field.
        service_time: u16,
        /// Whether the sender shall restore its window.
        restore_window: bool,
        /// By how much the receiver's own congestion shall shrink the window.
        window_penalty: WindowPenalty,
        /// Bytes received on the PDC, in units of [`RECEIVED_UNIT_BYTES`], modulo 2^24.
        received: ReceivedUnits,
        /// Packets out of order now, or [`OUT_OF_ORDER_UNKNOWN`].
        out_of_order: u16,
    },
    /// Type 1: credit of the receiver.
    Credit {
        /// The credit.
        credit: TransportCredit,
        /// Packets out of order now, or [`OUT_OF_ORDER_UNKNOWN`].
        out_of_order: u16,
    },
    /// Another type, 2 to 15.
    Other {
        /// The type; only its low 4 bits are written.
        kind: u8,
        /// The state, unread.
        state: u64,
    },
}

impl AckCongestion {
    /// The number of its type.
    #[must_use]
    pub const fn kind(self) -> u8 {
        match self {
            Self::Nscc { .. } => 0,
            Self::Credit { .. } => 1,
            Self::Other { kind, .. } => kind & 0xf,
        }
    }

    pub(super) fn parse(kind: u8, bytes: &[u8]) -> Self {
        let out_of_order = u16_at(bytes, 6);
        match kind {
            0 => Self::Nscc {
                service_time: u16_at(bytes, 0),
                restore_window: bytes[2] & 0x80 != 0,
                window_penalty: WindowPenalty::from_low_bits(bytes[2]),
                received: ReceivedUnits::from_low_bits(u24_at(bytes, 3)),
                out_of_order,
            },
            1 => Self::Credit { credit: TransportCredit::from_low_bits(u24_at(bytes, 0)), out_of_order },
            kind => Self::Other { kind, state: u64_at(bytes, 0) },
        }
    }

    pub(super) fn emit(self, bytes: &mut [u8]) {
        match self {
            Self::Nscc { service_time, restore_window, window_penalty, received, out_of_order } => {
                put_u16(bytes, 0, service_time);
                bytes[2] = u8::from(restore_window) << 7 | window_penalty.get();
                put_u24(bytes, 3, received.get());
                put_u16(bytes, 6, out_of_order);
            }
            Self::Credit { credit, out_of_order } => {
                put_u24(bytes, 0, credit.get());
                put(bytes, 3, &[0; 3]);
                put_u16(bytes, 6, out_of_order);
            }
            Self::Other { state, .. } => put_u64(bytes, 0, state),
        }
    }
}
