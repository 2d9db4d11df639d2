//! The addition of an atomic memory operation behind its message header: the operation and its
//! operands.
//!
//! ```text
//! 0             1             2               3           8           16          24          32          40
//! [0|operation 4][0|data type 4][0|comparison 3][0 (5 bytes)][operand word 1][word 2][second operand word 1][word 2]
//! ```
//! Source: HewlettPackard/shs-cassini-headers, generated user definitions, for fields, widths and
//! places. Status: published. Words are read here in network order; the files call them
//! little-endian words and swap them as big-endian ones.

use crate::bytes::{at_least, expect, put_u64, room, u64_at, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "AMO";

/// Bytes of the operation and its operands. Source: cassini-headers. Status: published.
pub const HEADER_LEN: usize = 40;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the payload of a message header.
    AmoPacket,
    check
);

/// The operation on the number in memory. Source: cassini-headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the usual ones")]
pub enum AmoOperation {
    Min = 0,
    Max = 1,
    Sum = 2,
    LogicalOr = 4,
    LogicalAnd = 5,
    BitwiseOr = 6,
    BitwiseAnd = 7,
    LogicalXor = 8,
    BitwiseXor = 9,
    Swap = 10,
    CompareSwap = 11,
    /// And, then exclusive or.
    AndXor = 12,
}

impl AmoOperation {
    /// All of them, by number.
    pub const ALL: [Self; 12] = [
        Self::Min,
        Self::Max,
        Self::Sum,
        Self::LogicalOr,
        Self::LogicalAnd,
        Self::BitwiseOr,
        Self::BitwiseAnd,
        Self::LogicalXor,
        Self::BitwiseXor,
        Self::Swap,
        Self::CompareSwap,
        Self::AndXor,
    ];
}

/// The type of the number. Source: cassini-headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the usual ones")]
pub enum DataType {
    Int8 = 0,
    Uint8 = 1,
    Int16 = 2,
    Uint16 = 3,
    Int32 = 4,
    Uint32 = 5,
    Int64 = 6,
    Uint64 = 7,
    Float = 8,
    FloatComplex = 9,
    Double = 10,
    DoubleComplex = 11,
    Uint128 = 12,
}

impl DataType {
    /// All of them, by number.
    pub const ALL: [Self; 13] = [
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Int32,
        Self::Uint32,
        Self::Int64,
        Self::Uint64,
        Self::Float,
        Self::FloatComplex,
        Self::Double,
        Self::DoubleComplex,
        Self::Uint128,
    ];
}

/// The condition of a compare and swap. Source: cassini-headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the usual ones")]
pub enum SwapCondition {
    #[default]
    Equal = 0,
    NotEqual = 1,
    LessOrEqual = 2,
    Less = 3,
    GreaterOrEqual = 4,
    Greater = 5,
}

impl SwapCondition {
    /// All of them, by number.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::LessOrEqual, Self::Less, Self::GreaterOrEqual, Self::Greater];
}

/// An operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmoRepr {
    /// The operation.
    pub operation: AmoOperation,
    /// The type of the number.
    pub data_type: DataType,
    /// The condition of a compare and swap; carried for the others.
    pub comparison: SwapCondition,
    /// The operand: two words, of which most types need one.
    pub operand: [u64; 2],
    /// The second operand: the value to compare with, or the mask of the exclusive or.
    pub second_operand: [u64; 2],
}

impl AmoRepr {
    /// Reads an operation.
    ///
    /// # Errors
    /// [`WireError::Field`] for a number that is not in the tables, or unused bits that are not
    /// zero.
    pub fn parse<T: AsRef<[u8]>>(packet: &AmoPacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        let unused = u64_at(bytes, 0) & 0x00ff_ffff_ffff;
        expect(FORMAT, "unused bytes behind the comparison", unused, 0_u64, "0")?;
        let unknown = |field, found: u8, valid| WireError::Field { format: FORMAT, field, found: found.into(), valid };
        let [operation, data_type, comparison] = [bytes[0], bytes[1], bytes[2]];
        Ok(Self {
            operation: AmoOperation::ALL
                .into_iter()
                .find(|known| *known as u8 == operation)
                .ok_or_else(|| unknown("operation", operation, "0 to 2 or 4 to 0xc"))?,
            data_type: DataType::ALL
                .into_iter()
                .find(|known| *known as u8 == data_type)
                .ok_or_else(|| unknown("data type", data_type, "0 to 0xc"))?,
            comparison: SwapCondition::ALL
                .into_iter()
                .find(|known| *known as u8 == comparison)
                .ok_or_else(|| unknown("comparison", comparison, "0 to 5"))?,
            operand: [u64_at(bytes, 8), u64_at(bytes, 16)],
            second_operand: [u64_at(bytes, 24), u64_at(bytes, 32)],
        })
    }
}

impl WireLayer for AmoRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        bytes[..8].fill(0);
        bytes[0] = self.operation as u8;
        bytes[1] = self.data_type as u8;
        bytes[2] = self.comparison as u8;
        for (word, at) in self.operand.into_iter().chain(self.second_operand).zip((8..).step_by(8)) {
            put_u64(bytes, at, word);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_number_is_refused() {
        let mut bytes = [0; HEADER_LEN];
        bytes[0] = 3;
        let error = AmoRepr::parse(&AmoPacket::new(bytes).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "AMO: operation is 0x3; 0 to 2 or 4 to 0xc would be valid");
    }
}
