//! Requests: small without matching, medium for a message of one packet, standard for all others.
//!
//! ```text
//!                 0                1                        2                4                        8
//! all             [0 2 | opcode 6 ][version 2 | flags 6    ][see below 16  ][generation 8 | JobID 24]
//!                 8                10                       12
//!                 [0 4 | PIDonFEP 12][0 4 | resource index 12]
//!                 12              20
//! small (20)      [buffer offset 64]
//!                 12              20            24            32
//! medium (32)     [see below 64   ][initiator 32][match bits 64]
//!                 12              20            24            32            40            44
//! standard (44)   [buffer offset 64][initiator 32][match bits 64][see below 64][length 32  ]
//! ```
//! Bytes 2 and 3 are the length of the message (14 bits) in small and medium requests, and its
//! number in standard ones. Flags: 0x20 answer only when the data is in place (delivery complete),
//! 0x10 error of the initiator, 0x08 the address is relative to the job, 0x04 there is header
//! data, 0x02 the last packet of the message (EOM), 0x01 its first packet (SOM). A small or medium
//! request is a message of one packet, with both of the last.
//!
//! Bytes 12 to 19 of a medium request are header data if the flag says so, and otherwise the buffer
//! offset. Bytes 32 to 39 of a standard request are header data in the first packet, and later
//! `[reserved 18 | payload length 14 | message offset 32]`. A deferrable send has a
//! [`RestartToken`] instead of the buffer offset, ready-to-restart instead of the match bits. For
//! writes and reads the match bits are the memory key.
//!
//! Ignored on receipt and written as zero: the reserved bits, the flag 0x04 of small requests, and
//! header data without that flag.
//! Source: reference provider; Wireshark reads medium requests one byte too far on. Status:
//! published.

use super::FORMAT;
use super::extension::SemanticExtension;
use super::opcode::SemanticOpcode;
use crate::WireError;
use crate::bytes::{at_least, expect, put_u16, put_u24, put_u32, put_u64, u16_at, u24_at, u32_at, u64_at};
use crate::uet::fields::{JobId, PidOnFep, ResourceIndex, SemanticLength};
use crate::uet::prologue::{NextHeader, flag};

/// Bytes of a small request without extension. Source: reference provider. Status: published.
pub const SMALL_LEN: usize = 20;
/// Bytes of a medium request without extension. Source: reference provider. Status: published.
pub const MEDIUM_LEN: usize = 32;
/// Bytes of a standard request without extension. Source: reference provider. Status: published.
pub const STANDARD_LEN: usize = 44;
/// The version of the semantic headers. Source: reference provider. Status: published.
pub const VERSION: u8 = 0;

const DELIVERY_COMPLETE: u8 = 0x20;
const INITIATOR_ERROR: u8 = 0x10;
const RELATIVE: u8 = 0x08;
const HEADER_DATA: u8 = 0x04;
const END: u8 = 0x02;
const START: u8 = 0x01;

/// Names of both ends for a deferred send, instead of a buffer offset or match bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestartToken {
    /// The initiator's name of the send.
    pub initiator: u32,
    /// The target's name; 0 in the first attempt.
    pub target: u32,
}

impl RestartToken {
    /// From the field that holds it.
    #[must_use]
    pub const fn from_field(field: u64) -> Self {
        Self { initiator: (field >> 32) as u32, target: field as u32 }
    }

    /// As a field.
    #[must_use]
    pub const fn field(self) -> u64 {
        (self.initiator as u64) << 32 | self.target as u64
    }
}

/// Flags that all requests have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestFlags {
    /// Answer only when the data is in place.
    pub delivery_complete: bool,
    /// The initiator has an error: the data is not valid.
    pub initiator_error: bool,
    /// The process is counted within the job.
    pub is_relative: bool,
}

/// Where a request goes at the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetAddress {
    /// Generation of the resource, which changes when it was disabled.
    pub generation: u8,
    /// The job.
    pub job: JobId,
    /// The process.
    pub pid_on_fep: PidOnFep,
    /// The resource.
    pub resource_index: ResourceIndex,
}

/// Header data, or where the data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediumWord {
    /// Delivered to the receiver with the completion.
    HeaderData(u64),
    /// Byte of the buffer.
    BufferOffset(u64),
}

/// Which packet of its message a standard request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPart {
    /// The first packet.
    First {
        /// Delivered to the receiver with the completion, if the flag says that it is there.
        header_data: Option<u64>,
    },
    /// A later one.
    Later {
        /// Bytes of its payload.
        payload_length: SemanticLength,
        /// Their place in the message.
        message_offset: u32,
        /// The flag for header data; the first packet has the data.
        has_header_data: bool,
    },
}

/// The part of a request that its size decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestBody {
    /// Small, without matching: 20 bytes.
    Small {
        /// Bytes of the message.
        request_length: SemanticLength,
        /// Byte of the buffer.
        buffer_offset: u64,
    },
    /// Medium: 32 bytes.
    Medium {
        /// Bytes of the message.
        request_length: SemanticLength,
        /// Header data or buffer offset.
        word: MediumWord,
        /// The initiator, such as a rank.
        initiator: u32,
        /// Tag, or memory key.
        match_bits: u64,
    },
    /// Standard: 44 bytes.
    Standard {
        /// Number of the message.
        message: u16,
        /// Whether it is the last packet of the message.
        is_last: bool,
        /// Which packet of the message it is.
        part: RequestPart,
        /// Byte of the buffer, or a [`RestartToken`] in a deferrable send.
        buffer_offset: u64,
        /// The initiator, such as a rank.
        initiator: u32,
        /// Tag, memory key, or a [`RestartToken`] in ready-to-restart.
        match_bits: u64,
        /// Bytes of the message.
        request_length: u32,
    },
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticRequest {
    /// The operation.
    pub opcode: SemanticOpcode,
    /// Flags.
    pub flags: RequestFlags,
    /// Where it goes.
    pub address: TargetAddress,
    /// The fields of its size.
    pub body: RequestBody,
    /// What the operation requires in addition.
    pub extension: SemanticExtension,
}

impl SemanticRequest {
    /// Which header it is.
    #[must_use]
    pub const fn next_header(&self) -> NextHeader {
        match self.body {
            RequestBody::Small { .. } => NextHeader::SmallRequest,
            RequestBody::Medium { .. } => NextHeader::MediumRequest,
            RequestBody::Standard { .. } => NextHeader::StandardRequest,
        }
    }

    const fn body_end(&self) -> usize {
        match self.body {
            RequestBody::Small { .. } => SMALL_LEN,
            RequestBody::Medium { .. } => MEDIUM_LEN,
            RequestBody::Standard { .. } => STANDARD_LEN,
        }
    }

    /// Bytes of the header and its extension.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        self.body_end() + self.extension.length()
    }

    pub(super) fn check(&self) -> Result<(), WireError> {
        self.extension.check(self.opcode)
    }

    pub(super) fn parse(next: NextHeader, bytes: &[u8]) -> Result<Self, WireError> {
        let end = match next {
            NextHeader::SmallRequest => SMALL_LEN,
            NextHeader::MediumRequest => MEDIUM_LEN,
            _ => STANDARD_LEN,
        };
        at_least(FORMAT, bytes, end)?;
        expect(FORMAT, "version", bytes[1] >> 6, VERSION, "0")?;
        let opcode = SemanticOpcode::from_low_bits(bytes[0]);
        let has = |flag: u8| bytes[1] & flag != 0;
        if end < STANDARD_LEN {
            let both = START | END;
            expect(FORMAT, "flags for first and last packet", bytes[1] & both, both, "3 (both, for one packet)")?;
        }
        let request_length = SemanticLength::from_low_bits(u16_at(bytes, 2));
        let word = u64_at(bytes, 12);
        let body = match next {
            NextHeader::SmallRequest => RequestBody::Small { request_length, buffer_offset: word },
            NextHeader::MediumRequest => RequestBody::Medium {
                request_length,
                word: if has(HEADER_DATA) { MediumWord::HeaderData(word) } else { MediumWord::BufferOffset(word) },
                initiator: u32_at(bytes, 20),
                match_bits: u64_at(bytes, 24),
            },
            _ => RequestBody::Standard {
                message: u16_at(bytes, 2),
                is_last: has(END),
                part: parse_part(has(START), has(HEADER_DATA), bytes),
                buffer_offset: word,
                initiator: u32_at(bytes, 20),
                match_bits: u64_at(bytes, 24),
                request_length: u32_at(bytes, 40),
            },
        };
        Ok(Self {
            opcode,
            flags: RequestFlags {
                delivery_complete: has(DELIVERY_COMPLETE),
                initiator_error: has(INITIATOR_ERROR),
                is_relative: has(RELATIVE),
            },
            address: TargetAddress {
                generation: bytes[4],
                job: JobId::from_low_bits(u24_at(bytes, 5)),
                pid_on_fep: PidOnFep::from_low_bits(u16_at(bytes, 8)),
                resource_index: ResourceIndex::from_low_bits(u16_at(bytes, 10)),
            },
            body,
            extension: SemanticExtension::parse(opcode, &bytes[end..])?,
        })
    }

    pub(super) fn emit(&self, bytes: &mut [u8]) {
        let flags = flag(self.flags.delivery_complete, DELIVERY_COMPLETE)
            | flag(self.flags.initiator_error, INITIATOR_ERROR)
            | flag(self.flags.is_relative, RELATIVE);
        bytes[0] = self.opcode.get();
        bytes[1] = VERSION << 6 | flags;
        bytes[4] = self.address.generation;
        put_u24(bytes, 5, self.address.job.get());
        put_u16(bytes, 8, self.address.pid_on_fep.get());
        put_u16(bytes, 10, self.address.resource_index.get());
        match self.body {
            RequestBody::Small { request_length, buffer_offset } => {
                bytes[1] |= START | END;
                put_u16(bytes, 2, request_length.get());
                put_u64(bytes, 12, buffer_offset);
            }
            RequestBody::Medium { request_length, word, initiator, match_bits } => {
                let (has_data, word) = match word {
                    MediumWord::HeaderData(word) => (HEADER_DATA, word),
                    MediumWord::BufferOffset(word) => (0, word),
                };
                bytes[1] |= START | END | has_data;
                put_u16(bytes, 2, request_length.get());
                put_u64(bytes, 12, word);
                put_u32(bytes, 20, initiator);
                put_u64(bytes, 24, match_bits);
            }
            RequestBody::Standard { message, is_last, part, buffer_offset, initiator, match_bits, request_length } => {
                let (part_flags, word) = emit_part(part);
                bytes[1] |= flag(is_last, END) | part_flags;
                put_u16(bytes, 2, message);
                put_u64(bytes, 12, buffer_offset);
                put_u32(bytes, 20, initiator);
                put_u64(bytes, 24, match_bits);
                put_u64(bytes, 32, word);
                put_u32(bytes, 40, request_length);
            }
        }
        self.extension.emit(&mut bytes[self.body_end()..]);
    }
}

fn parse_part(is_first: bool, has_header_data: bool, bytes: &[u8]) -> RequestPart {
    if is_first {
        return RequestPart::First { header_data: has_header_data.then(|| u64_at(bytes, 32)) };
    }
    let payload_length = SemanticLength::from_low_bits(u16_at(bytes, 34));
    RequestPart::Later { payload_length, message_offset: u32_at(bytes, 36), has_header_data }
}

/// The flags and the word.
fn emit_part(part: RequestPart) -> (u8, u64) {
    match part {
        RequestPart::First { header_data: None } => (START, 0),
        RequestPart::First { header_data: Some(data) } => (START | HEADER_DATA, data),
        RequestPart::Later { payload_length, message_offset, has_header_data } => {
            let word = u64::from(payload_length.get()) << 32 | u64::from(message_offset);
            (flag(has_header_data, HEADER_DATA), word)
        }
    }
}
