//! RoCEv2 opcodes: transport service and operation, and the headers that they require.
//!
//! The upper three bits of an opcode are the service, the lower five the operation. Source:
//! InfiniBand Architecture Specification, volume 1, chapter 9, table of opcodes; annex A17 for the
//! notification packet.

use super::FORMAT;
use crate::WireError;

/// Transport service: how reliable, and whether connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoceService {
    /// Connected, acknowledged (RC).
    ReliableConnection,
    /// Connected, not acknowledged (UC).
    UnreliableConnection,
    /// Not connected (UD).
    UnreliableDatagram,
    /// Belongs to no service: the congestion notification of RoCEv2 (CNP).
    Notification,
}

/// The operation of a packet. First, middle, last and only give its position in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the specification's table")]
pub enum RoceOperation {
    SendFirst,
    SendMiddle,
    SendLast,
    SendLastImmediate,
    SendOnly,
    SendOnlyImmediate,
    WriteFirst,
    WriteMiddle,
    WriteLast,
    WriteLastImmediate,
    WriteOnly,
    WriteOnlyImmediate,
    ReadRequest,
    ReadResponseFirst,
    ReadResponseMiddle,
    ReadResponseLast,
    ReadResponseOnly,
    Acknowledge,
    AtomicAcknowledge,
    CompareSwap,
    FetchAdd,
    SendLastInvalidate,
    SendOnlyInvalidate,
    CongestionNotification,
}

/// The headers that follow the first, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeaderSet(u8);

impl HeaderSet {
    /// No further header.
    pub const NONE: Self = Self(0);
    /// Datagram: queue key and source queue pair.
    pub const DATAGRAM: Self = Self(1);
    /// Remote memory: address, key, length.
    pub const REMOTE: Self = Self(1 << 1);
    /// Atomic operation: address, key, operands.
    pub const ATOMIC: Self = Self(1 << 2);
    /// Acknowledgement: syndrome and message sequence number.
    pub const ACKNOWLEDGE: Self = Self(1 << 3);
    /// The old value in memory of an atomic operation.
    pub const ATOMIC_ANSWER: Self = Self(1 << 4);
    /// Immediate data.
    pub const IMMEDIATE: Self = Self(1 << 5);
    /// The memory key to invalidate.
    pub const INVALIDATE: Self = Self(1 << 6);

    /// Both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `wanted` are in the set.
    #[must_use]
    pub const fn contains(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// As a number, for messages.
    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

/// The contents that a packet may have behind its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PacketBody {
    /// Nothing.
    Empty,
    /// Any payload.
    Payload,
    /// The 16 reserved bytes of a congestion notification.
    Reserved,
}

struct Entry {
    code: u8,
    service: RoceService,
    operation: RoceOperation,
    headers: HeaderSet,
    body: PacketBody,
}

/// An opcode of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opcode {
    index: u8,
}

impl Opcode {
    /// The opcode of `operation` over `service`, if there is one.
    #[must_use]
    pub fn new(service: RoceService, operation: RoceOperation) -> Option<Self> {
        let index = TABLE.iter().position(|entry| entry.service == service && entry.operation == operation)?;
        Some(Self { index: index as u8 })
    }

    /// The notification packet of RoCEv2: slow down.
    #[must_use]
    pub const fn congestion_notification() -> Self {
        Self { index: (TABLE.len() - 1) as u8 }
    }

    /// From its number.
    ///
    /// # Errors
    /// [`WireError::Field`] for a number that is not in the table.
    pub fn from_code(code: u8) -> Result<Self, WireError> {
        match INDEX[code as usize] {
            ABSENT => Err(WireError::Field {
                format: FORMAT,
                field: "opcode",
                found: code.into(),
                valid: "0 to 0x14, 0x16, 0x17 (RC), 0x20 to 0x2b (UC), 0x64, 0x65 (UD) or 0x81 (CNP)",
            }),
            index => Ok(Self { index }),
        }
    }

    /// All opcodes, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self { index: index as u8 })
    }

    fn entry(self) -> &'static Entry {
        &TABLE[self.index as usize]
    }

    /// Its number.
    #[must_use]
    pub fn code(self) -> u8 {
        self.entry().code
    }

    /// Its service.
    #[must_use]
    pub fn service(self) -> RoceService {
        self.entry().service
    }

    /// Its operation.
    #[must_use]
    pub fn operation(self) -> RoceOperation {
        self.entry().operation
    }

    /// The headers that follow the first.
    #[must_use]
    pub fn headers(self) -> HeaderSet {
        self.entry().headers
    }

    pub(super) fn body(self) -> PacketBody {
        self.entry().body
    }
}

const fn entry(
    code: u8,
    service: RoceService,
    operation: RoceOperation,
    headers: HeaderSet,
    body: PacketBody,
) -> Entry {
    Entry { code, service, operation, headers, body }
}

const NONE: HeaderSet = HeaderSet::NONE;
const REMOTE: HeaderSet = HeaderSet::REMOTE;
const ACKNOWLEDGE: HeaderSet = HeaderSet::ACKNOWLEDGE;
const IMMEDIATE: HeaderSet = HeaderSet::IMMEDIATE;
const INVALIDATE: HeaderSet = HeaderSet::INVALIDATE;

use PacketBody::{Empty, Payload, Reserved};
use RoceOperation as Op;
use RoceService::{Notification, ReliableConnection as Rc, UnreliableConnection as Uc, UnreliableDatagram as Ud};

/// Source: InfiniBand Architecture Specification, volume 1, chapter 9. Status: published.
static TABLE: [Entry; 38] = [
    entry(0x00, Rc, Op::SendFirst, NONE, Payload),
    entry(0x01, Rc, Op::SendMiddle, NONE, Payload),
    entry(0x02, Rc, Op::SendLast, NONE, Payload),
    entry(0x03, Rc, Op::SendLastImmediate, IMMEDIATE, Payload),
    entry(0x04, Rc, Op::SendOnly, NONE, Payload),
    entry(0x05, Rc, Op::SendOnlyImmediate, IMMEDIATE, Payload),
    entry(0x06, Rc, Op::WriteFirst, REMOTE, Payload),
    entry(0x07, Rc, Op::WriteMiddle, NONE, Payload),
    entry(0x08, Rc, Op::WriteLast, NONE, Payload),
    entry(0x09, Rc, Op::WriteLastImmediate, IMMEDIATE, Payload),
    entry(0x0a, Rc, Op::WriteOnly, REMOTE, Payload),
    entry(0x0b, Rc, Op::WriteOnlyImmediate, REMOTE.with(IMMEDIATE), Payload),
    entry(0x0c, Rc, Op::ReadRequest, REMOTE, Empty),
    entry(0x0d, Rc, Op::ReadResponseFirst, ACKNOWLEDGE, Payload),
    entry(0x0e, Rc, Op::ReadResponseMiddle, NONE, Payload),
    entry(0x0f, Rc, Op::ReadResponseLast, ACKNOWLEDGE, Payload),
    entry(0x10, Rc, Op::ReadResponseOnly, ACKNOWLEDGE, Payload),
    entry(0x11, Rc, Op::Acknowledge, ACKNOWLEDGE, Empty),
    entry(0x12, Rc, Op::AtomicAcknowledge, ACKNOWLEDGE.with(HeaderSet::ATOMIC_ANSWER), Empty),
    entry(0x13, Rc, Op::CompareSwap, HeaderSet::ATOMIC, Empty),
    entry(0x14, Rc, Op::FetchAdd, HeaderSet::ATOMIC, Empty),
    entry(0x16, Rc, Op::SendLastInvalidate, INVALIDATE, Payload),
    entry(0x17, Rc, Op::SendOnlyInvalidate, INVALIDATE, Payload),
    entry(0x20, Uc, Op::SendFirst, NONE, Payload),
    entry(0x21, Uc, Op::SendMiddle, NONE, Payload),
    entry(0x22, Uc, Op::SendLast, NONE, Payload),
    entry(0x23, Uc, Op::SendLastImmediate, IMMEDIATE, Payload),
    entry(0x24, Uc, Op::SendOnly, NONE, Payload),
    entry(0x25, Uc, Op::SendOnlyImmediate, IMMEDIATE, Payload),
    entry(0x26, Uc, Op::WriteFirst, REMOTE, Payload),
    entry(0x27, Uc, Op::WriteMiddle, NONE, Payload),
    entry(0x28, Uc, Op::WriteLast, NONE, Payload),
    entry(0x29, Uc, Op::WriteLastImmediate, IMMEDIATE, Payload),
    entry(0x2a, Uc, Op::WriteOnly, REMOTE, Payload),
    entry(0x2b, Uc, Op::WriteOnlyImmediate, REMOTE.with(IMMEDIATE), Payload),
    entry(0x64, Ud, Op::SendOnly, HeaderSet::DATAGRAM, Payload),
    entry(0x65, Ud, Op::SendOnlyImmediate, HeaderSet::DATAGRAM.with(IMMEDIATE), Payload),
    entry(0x81, Notification, Op::CongestionNotification, NONE, Reserved),
];

const ABSENT: u8 = 0xff;

/// From an opcode's number to its place in the table: every packet's opcode is read.
static INDEX: [u8; 256] = {
    let mut index = [ABSENT; 256];
    let mut at = 0;
    while at < TABLE.len() {
        index[TABLE[at].code as usize] = at as u8;
        at += 1;
    }
    index
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_is_found_by_number_and_by_meaning() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::from_code(opcode.code()), Ok(opcode));
            assert_eq!(Opcode::new(opcode.service(), opcode.operation()), Some(opcode));
        }
        assert_eq!((0..=255).filter(|code| Opcode::from_code(*code).is_ok()).count(), TABLE.len());
        assert_eq!(Opcode::new(Ud, Op::ReadRequest), None);
        assert_eq!(Opcode::congestion_notification().code(), 0x81);
    }

    #[test]
    fn the_upper_bits_are_the_service() {
        for opcode in Opcode::all() {
            let service = [(0, Rc), (1, Uc), (3, Ud), (4, Notification)];
            assert!(service.contains(&(opcode.code() >> 5, opcode.service())));
        }
    }
}
