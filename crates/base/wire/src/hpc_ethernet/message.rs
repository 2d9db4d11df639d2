//! The headers behind the fabric header: the meaning of a request for the NIC that receives it.
//!
//! Each begins with two common bytes. Numbers are bits unless a unit is given; fields lie without
//! gaps.
//!
//! ```text
//! first        [request 1][type 3][operation 4] [flush 1][packet id extension 2][index extension 5]
//! unrestricted [remote offset 56][message 8][sequence 12][clear 12][SCT 12][rendezvous 8][error 1][use offset 1][0 (2)]
//! 43 bytes     [request length 32][initiator 32][match bits 64][header data 64][eager length 20][0 (4)]
//! small        [header data 64][sequence 12][clear 12][SCT 12][request length 12][initiator 32][match bits 64]
//! 29 bytes     [error 1][0 (7)]
//! continuation ... [flush 1][packet id extension 2][last 1][ordered 1][error 1][0 (2)]
//! 13 bytes     [offset 32][message 8][sequence 12][clear 12][SCT 12][packet length 12]
//! restricted   [remote offset 56][0 (3)][error 1][request length 12]
//! 11 bytes
//! ```
//! A small message carries its data with it and is matched. An unrestricted packet is a longer
//! message or its start, and continuations carry the rest. A restricted packet is a message of its
//! own without order or state at the target. Packets that manage connections, coalesced
//! acknowledgements and responses have other headers, which are not read here.
//!
//! Source: HewlettPackard/shs-cassini-headers, generated user definitions, for fields, widths,
//! places and types. Status: published; they do not define the operations' numbers, so these are
//! carried unchanged.

use crate::bytes::{
    at_least, expect, put_u16, put_u24, put_u32, put_u48, put_u56, put_u64, room, u16_at, u24_at, u32_at, u48_at,
    u56_at, u64_at, view,
};
use crate::{
    ConnectionSequence, EagerLength, IndexExtension, MessageOperation, PacketIdExtension, PacketLength, RemoteOffset,
    SctIndex, WireError, WireLayer,
};

const FORMAT: &str = "message header";

/// First or only packet of a message. Source: cassini-headers. Status: published.
pub const UNRESTRICTED_LEN: usize = 43;
/// Small message. Source: cassini-headers. Status: published.
pub const SMALL_MESSAGE_LEN: usize = 29;
/// Further packet of a message. Source: cassini-headers. Status: published.
pub const CONTINUATION_LEN: usize = 13;
/// Restricted packet. Source: cassini-headers. Status: published.
pub const RESTRICTED_LEN: usize = 11;

const REQUEST: u8 = 0x80;

/// The kind of header. Source: cassini-headers. Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HpcHeaderKind {
    /// The first packet of a message, or the only one.
    Unrestricted = 0,
    /// A message with its data.
    SmallMessage = 1,
    /// A further packet of a message.
    Continuation = 2,
    /// A message of one packet, without order or state.
    Restricted = 4,
}

impl HpcHeaderKind {
    /// From the first byte.
    ///
    /// # Errors
    /// [`WireError::Field`] for a response, and for types that are not read here.
    pub fn from_byte(byte: u8) -> Result<Self, WireError> {
        expect(FORMAT, "request bit", byte & REQUEST, REQUEST, "0x80 (a request)")?;
        match byte >> 4 & 7 {
            0 => Ok(Self::Unrestricted),
            1 => Ok(Self::SmallMessage),
            2 => Ok(Self::Continuation),
            4 => Ok(Self::Restricted),
            other => {
                let (field, valid) = ("packet type", "0 (unrestricted), 1 (small), 2 (continuation) or 4 (restricted)");
                Err(WireError::Field { format: FORMAT, field, found: other.into(), valid })
            }
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(self) -> usize {
        match self {
            Self::Unrestricted => UNRESTRICTED_LEN,
            Self::SmallMessage => SMALL_MESSAGE_LEN,
            Self::Continuation => CONTINUATION_LEN,
            Self::Restricted => RESTRICTED_LEN,
        }
    }
}

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, 1)?;
    at_least(FORMAT, bytes, HpcHeaderKind::from_byte(bytes[0])?.header_len())
}

view!(
    /// A view over the payload of a fabric header.
    MessagePacket,
    check
);

impl<T: AsRef<[u8]>> MessagePacket<T> {
    /// The kind of header.
    ///
    /// # Errors
    /// [`WireError::Field`] if the bytes have changed since [`Self::new`].
    pub fn kind(&self) -> Result<HpcHeaderKind, WireError> {
        HpcHeaderKind::from_byte(self.bytes()[0])
    }

    /// The operation of the message.
    pub fn operation(&self) -> MessageOperation {
        MessageOperation::from_low_bits(self.bytes()[0])
    }

    /// The data.
    pub fn payload(&self) -> &[u8] {
        let header = self.kind().map_or(0, HpcHeaderKind::header_len);
        self.bytes().get(header..).unwrap_or(&[])
    }
}

/// The position of a packet in its connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// Its own number.
    pub sequence: ConnectionSequence,
    /// The target may forget all numbers up to this one.
    pub clear_sequence: ConnectionSequence,
    /// The sender's connection.
    pub index: SctIndex,
}

impl Connection {
    /// From the upper 36 of 48 bits.
    const fn from_bits(bits: u64) -> Self {
        Self {
            sequence: ConnectionSequence::from_low_bits((bits >> 36) as u16),
            clear_sequence: ConnectionSequence::from_low_bits((bits >> 24) as u16),
            index: SctIndex::from_low_bits((bits >> 12) as u16),
        }
    }

    fn bits(self) -> u64 {
        u64::from(self.sequence.get()) << 36
            | u64::from(self.clear_sequence.get()) << 24
            | u64::from(self.index.get()) << 12
    }
}

/// The common beginning of all headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// The operation of the message.
    pub operation: MessageOperation,
    /// Whether the target must write it to memory before it answers.
    pub flush: bool,
    /// Extension of the packet's name.
    pub packet_id_extension: PacketIdExtension,
}

impl First {
    fn parse(bytes: &[u8]) -> Self {
        Self {
            operation: MessageOperation::from_low_bits(bytes[0]),
            flush: bytes[1] & 0x80 != 0,
            packet_id_extension: PacketIdExtension::from_low_bits(bytes[1] >> 5),
        }
    }

    /// Writes the two bytes; `rest` has the low five bits of the second.
    fn emit(self, kind: HpcHeaderKind, rest: u8, bytes: &mut [u8]) {
        bytes[0] = REQUEST | (kind as u8) << 4 | self.operation.get();
        bytes[1] = u8::from(self.flush) << 7 | self.packet_id_extension.get() << 5 | rest;
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageRepr {
    /// The first packet of a message, or the only one.
    Unrestricted {
        /// Operation, flush, name.
        first: First,
        /// Extension of the endpoint's index.
        index_extension: IndexExtension,
        /// Destination of the data.
        remote_offset: RemoteOffset,
        /// Identifies the message for its continuations.
        message: u8,
        /// Position in its connection.
        connection: Connection,
        /// Identifies the rendezvous, if it is one.
        rendezvous: u8,
        /// Whether the sender could not read its data.
        source_error: bool,
        /// Whether the get of a rendezvous uses the offset.
        use_offset_for_get: bool,
        /// Bytes of the whole message.
        request_length: u32,
        /// The initiator, as the target's list entries know it.
        initiator: u32,
        /// Tag.
        match_bits: u64,
        /// Delivered to the target with the event.
        header_data: u64,
        /// Bytes of a rendezvous message that travel eagerly.
        eager_length: EagerLength,
    },
    /// A message with its data.
    SmallMessage {
        /// Operation, flush, name.
        first: First,
        /// Extension of the endpoint's index.
        index_extension: IndexExtension,
        /// Delivered to the target with the event.
        header_data: u64,
        /// Position in its connection.
        connection: Connection,
        /// Bytes of the message.
        request_length: PacketLength,
        /// The initiator, as the target's list entries know it.
        initiator: u32,
        /// Tag.
        match_bits: u64,
        /// Whether the sender could not read its data.
        source_error: bool,
    },
    /// A further packet of a message.
    Continuation {
        /// Operation, flush, name.
        first: First,
        /// Whether it is the message's last.
        end_of_message: bool,
        /// Whether it must not overtake.
        is_ordered: bool,
        /// Whether the sender could not read its data.
        source_error: bool,
        /// Place of its data, from the start of the message.
        offset: u32,
        /// Its message.
        message: u8,
        /// Position in its connection.
        connection: Connection,
        /// Bytes of its data.
        packet_length: PacketLength,
    },
    /// A message of one packet, without order or state.
    Restricted {
        /// Operation, flush, name.
        first: First,
        /// Extension of the endpoint's index.
        index_extension: IndexExtension,
        /// Destination of the data.
        remote_offset: RemoteOffset,
        /// Whether the sender could not read its data.
        source_error: bool,
        /// Bytes of the message.
        request_length: PacketLength,
    },
}

impl MessageRepr {
    /// The kind of header.
    #[must_use]
    pub const fn kind(&self) -> HpcHeaderKind {
        match self {
            Self::Unrestricted { .. } => HpcHeaderKind::Unrestricted,
            Self::SmallMessage { .. } => HpcHeaderKind::SmallMessage,
            Self::Continuation { .. } => HpcHeaderKind::Continuation,
            Self::Restricted { .. } => HpcHeaderKind::Restricted,
        }
    }

    /// Reads a header.
    ///
    /// # Errors
    /// [`WireError::Field`] if unused bits are not zero.
    pub fn parse<T: AsRef<[u8]>>(packet: &MessagePacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        match packet.kind()? {
            HpcHeaderKind::Unrestricted => parse_unrestricted(bytes),
            HpcHeaderKind::SmallMessage => parse_small_message(bytes),
            HpcHeaderKind::Continuation => parse_continuation(bytes),
            HpcHeaderKind::Restricted => parse_restricted(bytes),
        }
    }
}

fn unused(bits: impl Into<u64>) -> Result<(), WireError> {
    expect(FORMAT, "the sum of unused bits", bits, 0_u64, "0")
}

fn parse_unrestricted(bytes: &[u8]) -> Result<MessageRepr, WireError> {
    let (bits, eager) = (u48_at(bytes, 10), u24_at(bytes, 40));
    unused(bits & 3)?;
    unused(eager & 0xf)?;
    Ok(MessageRepr::Unrestricted {
        first: First::parse(bytes),
        index_extension: IndexExtension::from_low_bits(bytes[1]),
        remote_offset: RemoteOffset::from_low_bits(u56_at(bytes, 2)),
        message: bytes[9],
        connection: Connection::from_bits(bits),
        rendezvous: (bits >> 4) as u8,
        source_error: bits & 8 != 0,
        use_offset_for_get: bits & 4 != 0,
        request_length: u32_at(bytes, 16),
        initiator: u32_at(bytes, 20),
        match_bits: u64_at(bytes, 24),
        header_data: u64_at(bytes, 32),
        eager_length: EagerLength::from_low_bits(eager >> 4),
    })
}

fn parse_small_message(bytes: &[u8]) -> Result<MessageRepr, WireError> {
    unused(bytes[28] & 0x7f)?;
    let bits = u48_at(bytes, 10);
    Ok(MessageRepr::SmallMessage {
        first: First::parse(bytes),
        index_extension: IndexExtension::from_low_bits(bytes[1]),
        header_data: u64_at(bytes, 2),
        connection: Connection::from_bits(bits),
        request_length: PacketLength::from_low_bits(bits as u16),
        initiator: u32_at(bytes, 16),
        match_bits: u64_at(bytes, 20),
        source_error: bytes[28] & 0x80 != 0,
    })
}

fn parse_continuation(bytes: &[u8]) -> Result<MessageRepr, WireError> {
    unused(bytes[1] & 3)?;
    let bits = u48_at(bytes, 7);
    Ok(MessageRepr::Continuation {
        first: First::parse(bytes),
        end_of_message: bytes[1] & 0x10 != 0,
        is_ordered: bytes[1] & 0x08 != 0,
        source_error: bytes[1] & 0x04 != 0,
        offset: u32_at(bytes, 2),
        message: bytes[6],
        connection: Connection::from_bits(bits),
        packet_length: PacketLength::from_low_bits(bits as u16),
    })
}

fn parse_restricted(bytes: &[u8]) -> Result<MessageRepr, WireError> {
    let bits = u16_at(bytes, 9);
    unused(bits >> 13)?;
    Ok(MessageRepr::Restricted {
        first: First::parse(bytes),
        index_extension: IndexExtension::from_low_bits(bytes[1]),
        remote_offset: RemoteOffset::from_low_bits(u56_at(bytes, 2)),
        source_error: bits & 0x1000 != 0,
        request_length: PacketLength::from_low_bits(bits),
    })
}

impl WireLayer for MessageRepr {
    fn header_len(&self) -> usize {
        self.kind().header_len()
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let kind = self.kind();
        match *self {
            Self::Unrestricted {
                first,
                index_extension,
                remote_offset,
                message,
                connection,
                rendezvous,
                source_error,
                use_offset_for_get,
                request_length,
                initiator,
                match_bits,
                header_data,
                eager_length,
            } => {
                first.emit(kind, index_extension.get(), bytes);
                put_u56(bytes, 2, remote_offset.get());
                bytes[9] = message;
                let low =
                    u64::from(rendezvous) << 4 | u64::from(source_error) << 3 | u64::from(use_offset_for_get) << 2;
                put_u48(bytes, 10, connection.bits() | low);
                put_u32(bytes, 16, request_length);
                put_u32(bytes, 20, initiator);
                put_u64(bytes, 24, match_bits);
                put_u64(bytes, 32, header_data);
                put_u24(bytes, 40, eager_length.get() << 4);
            }
            Self::SmallMessage {
                first,
                index_extension,
                header_data,
                connection,
                request_length,
                initiator,
                match_bits,
                source_error,
            } => {
                first.emit(kind, index_extension.get(), bytes);
                put_u64(bytes, 2, header_data);
                put_u48(bytes, 10, connection.bits() | u64::from(request_length.get()));
                put_u32(bytes, 16, initiator);
                put_u64(bytes, 20, match_bits);
                bytes[28] = u8::from(source_error) << 7;
            }
            Self::Continuation {
                first,
                end_of_message,
                is_ordered,
                source_error,
                offset,
                message,
                connection,
                packet_length,
            } => {
                let flags = u8::from(end_of_message) << 4 | u8::from(is_ordered) << 3 | u8::from(source_error) << 2;
                first.emit(kind, flags, bytes);
                put_u32(bytes, 2, offset);
                bytes[6] = message;
                put_u48(bytes, 7, connection.bits() | u64::from(packet_length.get()));
            }
            Self::Restricted { first, index_extension, remote_offset, source_error, request_length } => {
                first.emit(kind, index_extension.get(), bytes);
                put_u56(bytes, 2, remote_offset.get());
                put_u16(bytes, 9, u16::from(source_error) << 12 | request_length.get());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_public_header_files_say() {
        let first = First {
            operation: MessageOperation::new(0xa).unwrap(),
            flush: true,
            packet_id_extension: PacketIdExtension::new(2).unwrap(),
        };
        let connection = Connection {
            sequence: ConnectionSequence::new(0x123).unwrap(),
            clear_sequence: ConnectionSequence::new(0x456).unwrap(),
            index: SctIndex::new(0x789).unwrap(),
        };
        let mut bytes = [0; CONTINUATION_LEN];
        MessageRepr::Continuation {
            first,
            end_of_message: true,
            is_ordered: false,
            source_error: true,
            offset: 0xdead_beef,
            message: 0x55,
            connection,
            packet_length: PacketLength::new(0xabc).unwrap(),
        }
        .emit(&mut bytes, 0)
        .unwrap();
        let expected = [0xaa, 0xd4, 0xde, 0xad, 0xbe, 0xef, 0x55, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc];
        assert_eq!(bytes, expected);

        let mut bytes = [0; RESTRICTED_LEN];
        MessageRepr::Restricted {
            first,
            index_extension: IndexExtension::MAX,
            remote_offset: RemoteOffset::new(1).unwrap(),
            source_error: true,
            request_length: PacketLength::new(0x800).unwrap(),
        }
        .emit(&mut bytes, 0)
        .unwrap();
        assert_eq!(bytes, [0xca, 0xdf, 0, 0, 0, 0, 0, 0, 1, 0x18, 0x00]);
    }

    #[test]
    fn a_header_is_not_read_beyond_its_bytes() {
        for kind in [
            HpcHeaderKind::Unrestricted,
            HpcHeaderKind::SmallMessage,
            HpcHeaderKind::Continuation,
            HpcHeaderKind::Restricted,
        ] {
            let wanted = kind.header_len();
            let mut bytes = [0; 64];
            bytes[0] = REQUEST | (kind as u8) << 4;
            assert!(MessagePacket::new(&bytes[..wanted]).is_ok());
            let error = MessagePacket::new(&bytes[..wanted - 1]).unwrap_err();
            assert_eq!(error, WireError::Short { format: FORMAT, wanted, found: wanted - 1 });
        }
    }

    #[test]
    fn responses_and_other_types_are_refused() {
        let refused = |byte: u8| MessagePacket::new([byte; 64]).unwrap_err();
        assert!(matches!(refused(0x01), WireError::Field { field: "request bit", .. }));
        assert!(matches!(refused(0xb0), WireError::Field { field: "packet type", found: 3, .. }));
        assert!(matches!(refused(0xf0), WireError::Field { field: "packet type", found: 7, .. }));
    }

    #[test]
    fn unused_bits_are_zero() {
        let mut bytes = [0; RESTRICTED_LEN];
        (bytes[0], bytes[9]) = (0xc0, 0x20);
        let error = MessageRepr::parse(&MessagePacket::new(bytes).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "message header: the sum of unused bits is 0x1; 0 would be valid");
    }
}
