//! Responses: without data, with data, and small with data.
//!
//! ```text
//!              0               1                 2                4                              8
//! plain (12)   [list 2 | kind 6][version 2 | status 6][message 16      ][generation 8 | JobID 24][modified length 32]
//!              8
//! data (20)    [ as above, with reserved 8 for the generation         ]
//!              8               10               12                  16                20
//!              [request 16    ][0 2 | length 14 ][modified length 32][message offset 32]
//!              2                4                       8               12
//! small (12)   [0 2 | length 14 ][reserved 8 | JobID 24][request PSN 32]
//! ```
//! Data follows. The modified length is how many bytes of the message the target used. Ignored on
//! receipt and written as zero: the reserved bits.
//!
//! The default response, which says only that a packet arrived, is a plain one. Wireshark reads 4
//! bytes of a small response with data, xdp2 gives 12 bits to the length of a response with data,
//! and a public data model of specification 1.0.1 has 16 and 24 bytes for the first two, and 8 for
//! the default response. Source: reference provider. Status: published.

use super::FORMAT;
use super::opcode::{DeliveredList, ResponseOpcode, SemanticStatus};
use super::request::VERSION;
use crate::WireError;
use crate::bytes::{at_least, expect, put_u16, put_u24, put_u32, u16_at, u24_at, u32_at};
use crate::uet::fields::{JobId, Psn, SemanticLength};
use crate::uet::prologue::NextHeader;

/// Bytes of a plain response. Source: reference provider. Status: published.
pub const PLAIN_LEN: usize = 12;
/// Bytes of a response with data, without the data. Source: reference provider. Status: published.
pub const DATA_LEN: usize = 20;
/// Bytes of a small response with data, without the data.
///
/// Source: reference provider. Status: published.
pub const SMALL_DATA_LEN: usize = 12;

/// The part of a response that its kind decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseBody {
    /// Without data.
    Plain {
        /// The message that it answers.
        message: u16,
        /// Generation of the target's resource.
        generation: u8,
        /// Bytes of the message that the target used.
        modified_length: u32,
    },
    /// With data of a read.
    Data {
        /// Number of the response's own message.
        message: u16,
        /// The message that it answers.
        request: u16,
        /// Bytes of data in this packet.
        payload_length: SemanticLength,
        /// Bytes of the message that the target used.
        modified_length: u32,
        /// Place of the data in the message.
        message_offset: u32,
    },
    /// With all data of a small read.
    SmallData {
        /// Bytes of data.
        payload_length: SemanticLength,
        /// PSN of the request.
        request_psn: Psn,
    },
}

/// A response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticResponse {
    /// Where the message found its buffer.
    pub list: DeliveredList,
    /// The kind of the response.
    pub opcode: ResponseOpcode,
    /// What became of the request.
    pub status: SemanticStatus,
    /// The job.
    pub job: JobId,
    /// The fields of its kind.
    pub body: ResponseBody,
}

impl SemanticResponse {
    /// Which header it is.
    #[must_use]
    pub const fn next_header(&self) -> NextHeader {
        match self.body {
            ResponseBody::Plain { .. } => NextHeader::Response,
            ResponseBody::Data { .. } => NextHeader::ResponseWithData,
            ResponseBody::SmallData { .. } => NextHeader::SmallResponseWithData,
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        match self.body {
            ResponseBody::Plain { .. } => PLAIN_LEN,
            ResponseBody::Data { .. } => DATA_LEN,
            ResponseBody::SmallData { .. } => SMALL_DATA_LEN,
        }
    }

    pub(super) fn parse(next: NextHeader, bytes: &[u8]) -> Result<Self, WireError> {
        at_least(FORMAT, bytes, if next == NextHeader::ResponseWithData { DATA_LEN } else { PLAIN_LEN })?;
        expect(FORMAT, "version", bytes[1] >> 6, VERSION, "0")?;
        let message = u16_at(bytes, 2);
        let body = match next {
            NextHeader::ResponseWithData => ResponseBody::Data {
                message,
                request: u16_at(bytes, 8),
                payload_length: SemanticLength::from_low_bits(u16_at(bytes, 10)),
                modified_length: u32_at(bytes, 12),
                message_offset: u32_at(bytes, 16),
            },
            NextHeader::SmallResponseWithData => ResponseBody::SmallData {
                payload_length: SemanticLength::from_low_bits(message),
                request_psn: Psn(u32_at(bytes, 8)),
            },
            _ => ResponseBody::Plain { message, generation: bytes[4], modified_length: u32_at(bytes, 8) },
        };
        Ok(Self {
            list: DeliveredList::from_low_bits(bytes[0] >> 6),
            opcode: ResponseOpcode::from_low_bits(bytes[0]),
            status: SemanticStatus::from_low_bits(bytes[1]),
            job: JobId::from_low_bits(u24_at(bytes, 5)),
            body,
        })
    }

    pub(super) fn emit(&self, bytes: &mut [u8]) {
        bytes[0] = self.list.get() << 6 | self.opcode.get();
        bytes[1] = VERSION << 6 | self.status.get();
        bytes[4] = 0;
        put_u24(bytes, 5, self.job.get());
        match self.body {
            ResponseBody::Plain { message, generation, modified_length } => {
                put_u16(bytes, 2, message);
                bytes[4] = generation;
                put_u32(bytes, 8, modified_length);
            }
            ResponseBody::Data { message, request, payload_length, modified_length, message_offset } => {
                put_u16(bytes, 2, message);
                put_u16(bytes, 8, request);
                put_u16(bytes, 10, payload_length.get());
                put_u32(bytes, 12, modified_length);
                put_u32(bytes, 16, message_offset);
            }
            ResponseBody::SmallData { payload_length, request_psn } => {
                put_u16(bytes, 2, payload_length.get());
                put_u32(bytes, 8, request_psn.0);
            }
        }
    }
}
