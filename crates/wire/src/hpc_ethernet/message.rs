//! The headers behind the fabric header: what a packet is to the NIC that receives it.
//!
//! ```text
//! small message 29  [1][flags][sequence 2][target 15: connection 2, portal 1, initiator 4, match bits 8]
//!                   [header data 8][length 2]
//! unrestricted  43  [2] ... as a small message ... [remote offset 7][request length 4][message 2][rendezvous 1]
//! restricted    11  [3][flags][portal 2][remote offset 7]
//! continuation  13  [4][flags][sequence 2][message 2][offset 7]
//! AMO           40  [5][flags][sequence 2][target 15][remote offset 7][operation][data type][operand 8][length 2][message 2]
//! ```
//! A small message carries its data at once and is matched. An unrestricted packet starts a longer message, and
//! continuations carry the rest. A restricted packet is a message of its own without order or state at the target. An
//! atomic memory operation (AMO) changes memory where it is.
//!
//! Sources: cassini-headers for names and lengths and the 12-bit sequence number; libfabric `prov/cxi` for which values a
//! command has. Status: assumed for what lies where, and for the numbers 1 to 5.

use crate::bytes::{at_least, expect, put_u16, put_u32, put_u56, put_u64, room, u16_at, u32_at, u56_at, u64_at, view};
use crate::{ConnectionSequence, Layer, RemoteOffset, WireError};

const FORMAT: &str = "message header";

/// Small message. Source: cassini-headers. Status: published.
pub const SMALL_MESSAGE_LEN: usize = 29;
/// First packet of a long message. Source: cassini-headers. Status: published.
pub const UNRESTRICTED_LEN: usize = 43;
/// Restricted packet. Source: cassini-headers. Status: published.
pub const RESTRICTED_LEN: usize = 11;
/// Further packet of a long message. Source: cassini-headers. Status: published.
pub const CONTINUATION_LEN: usize = 13;
/// Atomic memory operation. Source: cassini-headers. Status: published.
pub const AMO_LEN: usize = 40;

const TARGET_AT: usize = 4;

/// Which header it is. Source: ours. Status: assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A message whose data comes at once.
    SmallMessage = 1,
    /// The first packet of a longer message.
    Unrestricted = 2,
    /// A message of one packet, without order or state.
    Restricted = 3,
    /// A further packet of a longer message.
    Continuation = 4,
    /// An atomic memory operation.
    Amo = 5,
}

impl Kind {
    /// From the first byte.
    ///
    /// # Errors
    /// [`WireError::Field`] unless it is 1 to 5.
    pub fn from_code(code: u8) -> Result<Self, WireError> {
        match code {
            1 => Ok(Self::SmallMessage),
            2 => Ok(Self::Unrestricted),
            3 => Ok(Self::Restricted),
            4 => Ok(Self::Continuation),
            5 => Ok(Self::Amo),
            _ => Err(WireError::Field { format: FORMAT, field: "kind", found: code.into(), valid: "1 to 5" }),
        }
    }

    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(self) -> usize {
        match self {
            Self::SmallMessage => SMALL_MESSAGE_LEN,
            Self::Unrestricted => UNRESTRICTED_LEN,
            Self::Restricted => RESTRICTED_LEN,
            Self::Continuation => CONTINUATION_LEN,
            Self::Amo => AMO_LEN,
        }
    }
}

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, 1)?;
    at_least(FORMAT, bytes, Kind::from_code(bytes[0])?.header_len())
}

view!(
    /// A view over the payload of a fabric header.
    Packet,
    check
);

impl<T: AsRef<[u8]>> Packet<T> {
    /// Which header it is.
    ///
    /// # Errors
    /// [`WireError::Field`] where the bytes have changed since [`Self::new`].
    pub fn kind(&self) -> Result<Kind, WireError> {
        Kind::from_code(self.bytes()[0])
    }

    /// Bits of the command that the target needs; carried as they are.
    pub fn flags(&self) -> u8 {
        self.bytes()[1]
    }

    /// The data.
    pub fn payload(&self) -> &[u8] {
        let header = self.kind().map_or(0, Kind::header_len);
        self.bytes().get(header..).unwrap_or(&[])
    }
}

/// What the target matches a message by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The target's connection state.
    pub connection: u16,
    /// Portal table entry.
    pub portal: u8,
    /// Who asks, as the target's list entries know it.
    pub initiator: u32,
    /// Tag.
    pub match_bits: u64,
}

impl Target {
    fn parse(bytes: &[u8]) -> Self {
        Self {
            connection: u16_at(bytes, TARGET_AT),
            portal: bytes[TARGET_AT + 2],
            initiator: u32_at(bytes, TARGET_AT + 3),
            match_bits: u64_at(bytes, TARGET_AT + 7),
        }
    }

    fn emit(self, bytes: &mut [u8]) {
        put_u16(bytes, TARGET_AT, self.connection);
        bytes[TARGET_AT + 2] = self.portal;
        put_u32(bytes, TARGET_AT + 3, self.initiator);
        put_u64(bytes, TARGET_AT + 7, self.match_bits);
    }
}

/// A small message, and the start of a long one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmallMessage {
    /// Bits of the command that the target needs; carried as they are.
    pub flags: u8,
    /// Its place in the connection.
    pub sequence: ConnectionSequence,
    /// What it is matched by.
    pub target: Target,
    /// Handed to the target with the event.
    pub header_data: u64,
    /// Bytes of data in this packet.
    pub length: u16,
}

impl SmallMessage {
    fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        Ok(Self {
            flags: bytes[1],
            sequence: ConnectionSequence::new(u16_at(bytes, 2))?,
            target: Target::parse(bytes),
            header_data: u64_at(bytes, 19),
            length: u16_at(bytes, 27),
        })
    }

    fn emit(self, bytes: &mut [u8]) {
        bytes[1] = self.flags;
        put_u16(bytes, 2, self.sequence.get());
        self.target.emit(bytes);
        put_u64(bytes, 19, self.header_data);
        put_u16(bytes, 27, self.length);
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repr {
    /// A message whose data comes at once.
    SmallMessage(SmallMessage),
    /// The first packet of a longer message.
    Unrestricted {
        /// What it has in common with a small message.
        first: SmallMessage,
        /// Where the data goes.
        remote_offset: RemoteOffset,
        /// Bytes of the whole message.
        request_length: u32,
        /// Names the message to its continuations.
        message: u16,
        /// Names the rendezvous, if it is one.
        rendezvous: u8,
    },
    /// A message of one packet, without order or state.
    Restricted {
        /// Bits of the command that the target needs; carried as they are.
        flags: u8,
        /// Portal table entry and memory key.
        portal: u16,
        /// Where the data goes.
        remote_offset: RemoteOffset,
    },
    /// A further packet of a longer message.
    Continuation {
        /// Bits of the command that the target needs; carried as they are.
        flags: u8,
        /// Its place in the connection.
        sequence: ConnectionSequence,
        /// The message it belongs to.
        message: u16,
        /// Where its data belongs, from the start of the message.
        offset: RemoteOffset,
    },
    /// An atomic memory operation.
    Amo {
        /// Bits of the command that the target needs; carried as they are.
        flags: u8,
        /// Its place in the connection.
        sequence: ConnectionSequence,
        /// What it is matched by.
        target: Target,
        /// Where the operand in memory is.
        remote_offset: RemoteOffset,
        /// What to do.
        operation: u8,
        /// With what kind of number.
        data_type: u8,
        /// With which number; a second one, to compare with, is payload.
        operand: u64,
        /// Bytes of the number.
        length: u16,
        /// Names the operation to its answer.
        message: u16,
    },
}

impl Repr {
    /// Which header it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::SmallMessage(_) => Kind::SmallMessage,
            Self::Unrestricted { .. } => Kind::Unrestricted,
            Self::Restricted { .. } => Kind::Restricted,
            Self::Continuation { .. } => Kind::Continuation,
            Self::Amo { .. } => Kind::Amo,
        }
    }

    /// Reads a header.
    ///
    /// # Errors
    /// [`WireError::Field`] where a sequence number needs more than its 12 bits, or a small message says that it has more
    /// or less data than there is.
    pub fn parse<T: AsRef<[u8]>>(packet: &Packet<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        let offset = |at| RemoteOffset::from_low_bits(u56_at(bytes, at));
        let sequence = || ConnectionSequence::new(u16_at(bytes, 2));
        Ok(match packet.kind()? {
            Kind::SmallMessage => {
                let message = SmallMessage::parse(bytes)?;
                check_length(message, packet.payload().len())?;
                Self::SmallMessage(message)
            }
            Kind::Unrestricted => {
                let first = SmallMessage::parse(bytes)?;
                check_length(first, packet.payload().len())?;
                Self::Unrestricted {
                    first,
                    remote_offset: offset(29),
                    request_length: u32_at(bytes, 36),
                    message: u16_at(bytes, 40),
                    rendezvous: bytes[42],
                }
            }
            Kind::Restricted => {
                Self::Restricted { flags: bytes[1], portal: u16_at(bytes, 2), remote_offset: offset(4) }
            }
            Kind::Continuation => Self::Continuation {
                flags: bytes[1],
                sequence: sequence()?,
                message: u16_at(bytes, 4),
                offset: offset(6),
            },
            Kind::Amo => Self::Amo {
                flags: bytes[1],
                sequence: sequence()?,
                target: Target::parse(bytes),
                remote_offset: offset(19),
                operation: bytes[26],
                data_type: bytes[27],
                operand: u64_at(bytes, 28),
                length: u16_at(bytes, 36),
                message: u16_at(bytes, 38),
            },
        })
    }
}

fn check_length(message: SmallMessage, payload_len: usize) -> Result<(), WireError> {
    expect(FORMAT, "length", message.length, payload_len as u64, "the bytes of data behind the header")
}

impl Layer for Repr {
    fn header_len(&self) -> usize {
        self.kind().header_len()
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        bytes[0] = self.kind() as u8;
        match *self {
            Self::SmallMessage(message) => {
                check_length(message, payload_len)?;
                message.emit(bytes);
            }
            Self::Unrestricted { first, remote_offset, request_length, message, rendezvous } => {
                check_length(first, payload_len)?;
                first.emit(bytes);
                put_u56(bytes, 29, remote_offset.get());
                put_u32(bytes, 36, request_length);
                put_u16(bytes, 40, message);
                bytes[42] = rendezvous;
            }
            Self::Restricted { flags, portal, remote_offset } => {
                bytes[1] = flags;
                put_u16(bytes, 2, portal);
                put_u56(bytes, 4, remote_offset.get());
            }
            Self::Continuation { flags, sequence, message, offset } => {
                bytes[1] = flags;
                put_u16(bytes, 2, sequence.get());
                put_u16(bytes, 4, message);
                put_u56(bytes, 6, offset.get());
            }
            Self::Amo { flags, sequence, target, remote_offset, operation, data_type, operand, length, message } => {
                bytes[1] = flags;
                put_u16(bytes, 2, sequence.get());
                target.emit(bytes);
                put_u56(bytes, 19, remote_offset.get());
                bytes[26] = operation;
                bytes[27] = data_type;
                put_u64(bytes, 28, operand);
                put_u16(bytes, 36, length);
                put_u16(bytes, 38, message);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_message_says_how_much_data_it_has() {
        let header = Repr::SmallMessage(SmallMessage { length: 8, ..SmallMessage::default() });
        let mut bytes = [0; 64];
        assert!(matches!(header.emit(&mut bytes, 7), Err(WireError::Field { field: "length", found: 8, .. })));
        assert_eq!(header.emit(&mut bytes, 8), Ok(()));
        assert_eq!(Repr::parse(&Packet::new(&bytes[..37]).unwrap()), Ok(header));
    }

    #[test]
    fn a_header_is_not_read_beyond_its_bytes() {
        for kind in 1..=5 {
            let wanted = Kind::from_code(kind).unwrap().header_len();
            let mut bytes = [0; 64];
            bytes[0] = kind;
            assert!(Packet::new(&bytes[..wanted]).is_ok());
            let error = Packet::new(&bytes[..wanted - 1]).unwrap_err();
            assert_eq!(error, WireError::Short { format: FORMAT, wanted, found: wanted - 1 });
        }
        assert!(matches!(Packet::new([6; 64]), Err(WireError::Field { field: "kind", found: 6, .. })));
    }
}
