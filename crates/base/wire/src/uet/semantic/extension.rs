//! What some operations add behind a request's header.
//!
//! ```text
//!                      0                4                                                  8         16        24
//! rendezvous (24)      [eager length 32][generation 8 | PIDonFEP 12 | resource index 12][offset 64][key 64]
//!                      0        1      2         3          4
//! atomic (4)           [code 8 ][type 8][control 8][reserved 8]
//! two operands (36)    [atomic 4][compare value or mask, 16 bytes][swap value, 16 bytes]
//! sync (4)             [group 16][count 16]
//! ```
//! The atomic operation of a sync group has both extensions, sync first. Ignored on receipt and
//! written as zero: the reserved byte.
//!
//! Sources disagree. The rendezvous extension has 24 bytes in the reference provider and in
//! Wireshark, of which xdp2 has the first 8; Wireshark divides the second word into 2 reserved
//! bits, 14 bits of PIDonFEP, 4 reserved bits and 12 bits of index, without a generation. A public
//! data model of specification 1.0.1 has 32 bytes with other fields. The control byte has its
//! flags in bits 0 and 1, but in bits 7 and 6 in xdp2. The reference provider's parser takes the
//! operands of a compare and swap for the payload; they have the same place. Source: reference
//! provider. Status: published.

use super::FORMAT;
use super::opcode::{AtomicCode, AtomicNumber, SemanticOpcode};
use crate::WireError;
use crate::bytes::{array_at, at_least, put, put_u16, put_u32, put_u64, u16_at, u32_at, u64_at};
use crate::uet::fields::{PidOnFep, ResourceIndex};

/// Bytes of a rendezvous extension. Source: reference provider. Status: published.
pub const RENDEZVOUS_LEN: usize = 24;
/// Bytes of an atomic extension. Source: reference provider. Status: published.
pub const ATOMIC_LEN: usize = 4;
/// Bytes of an atomic extension with two operands. Source: reference provider. Status: published.
pub const TWO_OPERANDS_LEN: usize = ATOMIC_LEN + 32;
/// Bytes of a sync extension. Source: reference provider. Status: published.
pub const SYNC_LEN: usize = 4;
/// Control flag of an atomic operation: the target may keep the number in its cache.
///
/// Source: reference provider. Status: published.
pub const CONTROL_CACHEABLE: u8 = 0x01;
/// Control flag of an atomic operation: the processors of the target see it.
///
/// Source: reference provider. Status: published.
pub const CONTROL_COHERENT: u8 = 0x02;

/// Where the target reads the rest of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RendezvousExtension {
    /// Bytes that travel with the message; the target reads the others.
    pub eager_length: u32,
    /// Generation of the initiator's resource.
    pub generation: u8,
    /// The initiator's process.
    pub pid_on_fep: PidOnFep,
    /// The initiator's resource.
    pub resource_index: ResourceIndex,
    /// Where the message begins in the initiator's memory.
    pub offset: u64,
    /// Key of the initiator's memory.
    pub key: u64,
}

/// An atomic operation with one operand, which is the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicExtension {
    /// The operation.
    pub code: AtomicCode,
    /// The type of the number.
    pub number: AtomicNumber,
    /// [`CONTROL_CACHEABLE`], [`CONTROL_COHERENT`] and reserved bits, carried unread.
    pub control: u8,
}

/// The two operands of an atomic operation; a shorter type uses their last bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicOperands {
    /// What to compare with, or the mask.
    pub compare: [u8; 16],
    /// The new value.
    pub swap: [u8; 16],
}

/// Membership of a write in a group that the target counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncExtension {
    /// The group.
    pub group: u16,
    /// Messages of the group.
    pub count: u16,
}

/// What the operation requires behind the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticExtension {
    /// Nothing.
    None,
    /// Of a rendezvous.
    Rendezvous(RendezvousExtension),
    /// Of an atomic operation: two operands if its code has two.
    Atomic(AtomicExtension, Option<AtomicOperands>),
    /// Of a write of a sync group.
    Sync(SyncExtension),
    /// Of an atomic operation of a sync group.
    SyncAtomic(SyncExtension, AtomicExtension),
}

/// The kinds of extensions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    Rendezvous,
    Atomic,
    Sync,
    SyncAtomic,
}

const fn kind_of(opcode: SemanticOpcode) -> Kind {
    match opcode {
        SemanticOpcode::RENDEZVOUS_SEND | SemanticOpcode::RENDEZVOUS_TAGGED_SEND => Kind::Rendezvous,
        SemanticOpcode::ATOMIC
        | SemanticOpcode::FETCHING_ATOMIC
        | SemanticOpcode::TAGGED_ATOMIC
        | SemanticOpcode::TAGGED_FETCHING_ATOMIC => Kind::Atomic,
        SemanticOpcode::SYNC_WRITE => Kind::Sync,
        SemanticOpcode::SYNC_ATOMIC => Kind::SyncAtomic,
        _ => Kind::None,
    }
}

impl SemanticExtension {
    /// Bytes of the extension.
    #[must_use]
    pub const fn length(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Rendezvous(_) => RENDEZVOUS_LEN,
            Self::Atomic(_, None) => ATOMIC_LEN,
            Self::Atomic(_, Some(_)) => TWO_OPERANDS_LEN,
            Self::Sync(_) => SYNC_LEN,
            Self::SyncAtomic(..) => SYNC_LEN + ATOMIC_LEN,
        }
    }

    const fn kind(&self) -> Kind {
        match self {
            Self::None => Kind::None,
            Self::Rendezvous(_) => Kind::Rendezvous,
            Self::Atomic(..) => Kind::Atomic,
            Self::Sync(_) => Kind::Sync,
            Self::SyncAtomic(..) => Kind::SyncAtomic,
        }
    }

    /// Whether `opcode` requires this extension.
    pub(super) fn check(&self, opcode: SemanticOpcode) -> Result<(), WireError> {
        let operands_fit =
            !matches!(self, Self::Atomic(atomic, operands) if atomic.code.has_two_operands() != operands.is_some());
        if self.kind() == kind_of(opcode) && operands_fit {
            return Ok(());
        }
        let (field, valid) = ("operation", "one that has this extension, with operands that fit its code");
        Err(WireError::Field { format: FORMAT, field, found: opcode.get().into(), valid })
    }

    /// Reads the extension that `opcode` requires from the front of `bytes`.
    pub(super) fn parse(opcode: SemanticOpcode, bytes: &[u8]) -> Result<Self, WireError> {
        match kind_of(opcode) {
            Kind::None => Ok(Self::None),
            Kind::Rendezvous => {
                at_least(FORMAT, bytes, RENDEZVOUS_LEN)?;
                let place = u32_at(bytes, 4);
                Ok(Self::Rendezvous(RendezvousExtension {
                    eager_length: u32_at(bytes, 0),
                    generation: bytes[4],
                    pid_on_fep: PidOnFep::from_low_bits((place >> 12) as u16),
                    resource_index: ResourceIndex::from_low_bits(place as u16),
                    offset: u64_at(bytes, 8),
                    key: u64_at(bytes, 16),
                }))
            }
            Kind::Atomic => {
                let atomic = AtomicExtension::parse(bytes)?;
                if !atomic.code.has_two_operands() {
                    return Ok(Self::Atomic(atomic, None));
                }
                at_least(FORMAT, bytes, TWO_OPERANDS_LEN)?;
                let (compare, swap) = (array_at(bytes, ATOMIC_LEN), array_at(bytes, ATOMIC_LEN + 16));
                Ok(Self::Atomic(atomic, Some(AtomicOperands { compare, swap })))
            }
            Kind::Sync => SyncExtension::parse(bytes).map(Self::Sync),
            Kind::SyncAtomic => {
                let sync = SyncExtension::parse(bytes)?;
                Ok(Self::SyncAtomic(sync, AtomicExtension::parse(&bytes[SYNC_LEN..])?))
            }
        }
    }

    pub(super) fn emit(&self, bytes: &mut [u8]) {
        match *self {
            Self::None => {}
            Self::Rendezvous(extension) => extension.emit(bytes),
            Self::Atomic(atomic, operands) => {
                atomic.emit(bytes);
                if let Some(AtomicOperands { compare, swap }) = operands {
                    put(bytes, ATOMIC_LEN, &compare);
                    put(bytes, ATOMIC_LEN + 16, &swap);
                }
            }
            Self::Sync(sync) => sync.emit(bytes),
            Self::SyncAtomic(sync, atomic) => {
                sync.emit(bytes);
                atomic.emit(&mut bytes[SYNC_LEN..]);
            }
        }
    }
}

impl RendezvousExtension {
    fn emit(self, bytes: &mut [u8]) {
        let index = u32::from(self.resource_index.get());
        let place = u32::from(self.generation) << 24 | u32::from(self.pid_on_fep.get()) << 12 | index;
        put_u32(bytes, 0, self.eager_length);
        put_u32(bytes, 4, place);
        put_u64(bytes, 8, self.offset);
        put_u64(bytes, 16, self.key);
    }
}

impl AtomicExtension {
    fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        at_least(FORMAT, bytes, ATOMIC_LEN)?;
        let (code, number) = (AtomicCode::from_low_bits(bytes[0]), AtomicNumber::from_low_bits(bytes[1]));
        Ok(Self { code, number, control: bytes[2] })
    }

    fn emit(self, bytes: &mut [u8]) {
        put(bytes, 0, &[self.code.get(), self.number.get(), self.control, 0]);
    }
}

impl SyncExtension {
    fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        at_least(FORMAT, bytes, SYNC_LEN)?;
        Ok(Self { group: u16_at(bytes, 0), count: u16_at(bytes, 2) })
    }

    fn emit(self, bytes: &mut [u8]) {
        put_u16(bytes, 0, self.group);
        put_u16(bytes, 2, self.count);
    }
}
