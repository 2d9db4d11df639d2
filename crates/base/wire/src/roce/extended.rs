//! The headers behind the first, each of fixed length.
//!
//! Source: InfiniBand Architecture Specification, volume 1, chapter 9.

use super::FORMAT;
use super::opcode::HeaderSet;
use crate::bytes::{at_least, put_u24, put_u32, put_u64, u24_at, u32_at, u64_at};
use crate::{PacketSequence, QueuePair, WireError};

/// DETH. Source: InfiniBand chapter 9. Status: published.
pub const DATAGRAM_LEN: usize = 8;
/// RETH. Source: InfiniBand chapter 9. Status: published.
pub const REMOTE_LEN: usize = 16;
/// AtomicETH. Source: InfiniBand chapter 9. Status: published.
pub const ATOMIC_LEN: usize = 28;
/// AETH. Source: InfiniBand chapter 9. Status: published.
pub const ACKNOWLEDGE_LEN: usize = 4;
/// AtomicAckETH. Source: InfiniBand chapter 9. Status: published.
pub const ATOMIC_ANSWER_LEN: usize = 8;
/// ImmDt. Source: InfiniBand chapter 9. Status: published.
pub const IMMEDIATE_LEN: usize = 4;
/// IETH. Source: InfiniBand chapter 9. Status: published.
pub const INVALIDATE_LEN: usize = 4;

/// Datagram header (DETH). Its reserved byte is ignored on receipt and written as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatagramHeader {
    /// Key that the queue pair expects.
    pub queue_key: u32,
    /// Queue pair for answers.
    pub source: QueuePair,
}

/// Remote memory header (RETH).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteHeader {
    /// Virtual address at the target.
    pub address: u64,
    /// Key of the memory region.
    pub key: u32,
    /// Bytes of the whole message.
    pub length: u32,
}

/// Atomic operation header (AtomicETH).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// Virtual address at the target.
    pub address: u64,
    /// Key of the memory region.
    pub key: u32,
    /// The value to swap in, or to add.
    pub operand: u64,
    /// The value to compare with.
    pub compare: u64,
}

/// The content of an acknowledgement (the syndrome).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syndrome {
    /// It arrived; 5 bits give the number of posted receives, 31 for "not counted".
    Ack {
        /// Encoded count.
        credits: u8,
    },
    /// No receive is posted: try again after a time.
    ReceiverNotReady {
        /// Encoded time, 5 bits.
        timer: u8,
    },
    /// It failed.
    Nak {
        /// 0 for a gap in the sequence, 1 to 4 for errors; 5 bits.
        code: u8,
    },
}

impl Syndrome {
    fn parse(byte: u8) -> Result<Self, WireError> {
        let low = byte & 0x1f;
        match byte >> 5 {
            0b000 => Ok(Self::Ack { credits: low }),
            0b001 => Ok(Self::ReceiverNotReady { timer: low }),
            0b011 => Ok(Self::Nak { code: low }),
            _ => Err(WireError::Field {
                format: FORMAT,
                field: "syndrome",
                found: byte.into(),
                valid: "0 to 0x3f (ack, receiver not ready) or 0x60 to 0x7f (nak)",
            }),
        }
    }

    fn byte(self) -> Result<u8, WireError> {
        let (kind, low) = match self {
            Self::Ack { credits } => (0b000, credits),
            Self::ReceiverNotReady { timer } => (0b001, timer),
            Self::Nak { code } => (0b011, code),
        };
        if low <= 0x1f {
            return Ok(kind << 5 | low);
        }
        Err(WireError::Field { format: FORMAT, field: "syndrome value", found: low.into(), valid: "0 to 0x1f" })
    }
}

/// Acknowledgement header (AETH).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckHeader {
    /// Its content.
    pub syndrome: Syndrome,
    /// Messages completed, modulo 2^24.
    pub message_sequence: PacketSequence,
}

/// The headers behind the first. The opcode decides which of them are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extended {
    /// DETH.
    pub datagram: Option<DatagramHeader>,
    /// RETH.
    pub remote: Option<RemoteHeader>,
    /// AtomicETH.
    pub atomic: Option<Atomic>,
    /// AETH.
    pub acknowledge: Option<AckHeader>,
    /// AtomicAckETH: the old value in memory.
    pub atomic_answer: Option<u64>,
    /// ImmDt: delivered to the receiver with the completion.
    pub immediate: Option<u32>,
    /// IETH: the memory key to invalidate.
    pub invalidate: Option<u32>,
}

/// Bytes of the headers in `set`.
pub(super) fn length(set: HeaderSet) -> usize {
    [
        (HeaderSet::DATAGRAM, DATAGRAM_LEN),
        (HeaderSet::REMOTE, REMOTE_LEN),
        (HeaderSet::ATOMIC, ATOMIC_LEN),
        (HeaderSet::ACKNOWLEDGE, ACKNOWLEDGE_LEN),
        (HeaderSet::ATOMIC_ANSWER, ATOMIC_ANSWER_LEN),
        (HeaderSet::IMMEDIATE, IMMEDIATE_LEN),
        (HeaderSet::INVALIDATE, INVALIDATE_LEN),
    ]
    .iter()
    .filter(|(header, _)| set.contains(*header))
    .map(|(_, length)| length)
    .sum()
}

impl Extended {
    /// The set of headers.
    #[must_use]
    pub fn set(&self) -> HeaderSet {
        [
            (HeaderSet::DATAGRAM, self.datagram.is_some()),
            (HeaderSet::REMOTE, self.remote.is_some()),
            (HeaderSet::ATOMIC, self.atomic.is_some()),
            (HeaderSet::ACKNOWLEDGE, self.acknowledge.is_some()),
            (HeaderSet::ATOMIC_ANSWER, self.atomic_answer.is_some()),
            (HeaderSet::IMMEDIATE, self.immediate.is_some()),
            (HeaderSet::INVALIDATE, self.invalidate.is_some()),
        ]
        .into_iter()
        .fold(HeaderSet::NONE, |set, (header, is_there)| if is_there { set.with(header) } else { set })
    }

    /// Reads the headers in `set`.
    pub(super) fn parse(set: HeaderSet, bytes: &[u8]) -> Result<Self, WireError> {
        at_least(FORMAT, bytes, length(set))?;
        let mut at = 0;
        let mut next = |header: HeaderSet, length: usize| {
            set.contains(header).then(|| {
                at += length;
                &bytes[at - length..at]
            })
        };
        Ok(Self {
            datagram: next(HeaderSet::DATAGRAM, DATAGRAM_LEN).map(|bytes| DatagramHeader {
                queue_key: u32_at(bytes, 0),
                source: QueuePair::from_low_bits(u24_at(bytes, 5)),
            }),
            remote: next(HeaderSet::REMOTE, REMOTE_LEN).map(|bytes| RemoteHeader {
                address: u64_at(bytes, 0),
                key: u32_at(bytes, 8),
                length: u32_at(bytes, 12),
            }),
            atomic: next(HeaderSet::ATOMIC, ATOMIC_LEN).map(|bytes| Atomic {
                address: u64_at(bytes, 0),
                key: u32_at(bytes, 8),
                operand: u64_at(bytes, 12),
                compare: u64_at(bytes, 20),
            }),
            acknowledge: next(HeaderSet::ACKNOWLEDGE, ACKNOWLEDGE_LEN)
                .map(|bytes| {
                    let message_sequence = PacketSequence::from_low_bits(u24_at(bytes, 1));
                    Syndrome::parse(bytes[0]).map(|syndrome| AckHeader { syndrome, message_sequence })
                })
                .transpose()?,
            atomic_answer: next(HeaderSet::ATOMIC_ANSWER, ATOMIC_ANSWER_LEN).map(|bytes| u64_at(bytes, 0)),
            immediate: next(HeaderSet::IMMEDIATE, IMMEDIATE_LEN).map(|bytes| u32_at(bytes, 0)),
            invalidate: next(HeaderSet::INVALIDATE, INVALIDATE_LEN).map(|bytes| u32_at(bytes, 0)),
        })
    }

    /// Writes the headers of the set; `bytes` has their length.
    pub(super) fn emit(&self, bytes: &mut [u8]) -> Result<(), WireError> {
        let mut at = 0;
        if let Some(datagram) = self.datagram {
            put_u32(bytes, at, datagram.queue_key);
            bytes[at + 4] = 0;
            put_u24(bytes, at + 5, datagram.source.get());
            at += DATAGRAM_LEN;
        }
        if let Some(remote) = self.remote {
            put_u64(bytes, at, remote.address);
            put_u32(bytes, at + 8, remote.key);
            put_u32(bytes, at + 12, remote.length);
            at += REMOTE_LEN;
        }
        if let Some(atomic) = self.atomic {
            put_u64(bytes, at, atomic.address);
            put_u32(bytes, at + 8, atomic.key);
            put_u64(bytes, at + 12, atomic.operand);
            put_u64(bytes, at + 20, atomic.compare);
            at += ATOMIC_LEN;
        }
        if let Some(acknowledge) = self.acknowledge {
            bytes[at] = acknowledge.syndrome.byte()?;
            put_u24(bytes, at + 1, acknowledge.message_sequence.get());
            at += ACKNOWLEDGE_LEN;
        }
        if let Some(before) = self.atomic_answer {
            put_u64(bytes, at, before);
            at += ATOMIC_ANSWER_LEN;
        }
        for word in [self.immediate, self.invalidate].into_iter().flatten() {
            put_u32(bytes, at, word);
            at += IMMEDIATE_LEN;
        }
        Ok(())
    }
}
