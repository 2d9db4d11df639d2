//! Commands between NICs of different hosts: the header of a message on the wire.
//!
//! Requests use one lane and may be stalled. Answers, and fetches of a message, use another lane
//! and are never stalled, so that every wait for an answer ends.

use philae_nic_core::nic::ReturnCode;

pub(super) const HEADER_BYTES: usize = 56;

/// A request or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RemoteCommand {
    /// A message: its bytes follow or, if it has a handle, its receiver fetches them.
    Send { is_tagged: bool, bits: u64, data: Option<u64>, length: u64, handle: u64 },
    /// Bytes for registered memory follow.
    Put { key: u64, offset: u64, data: Option<u64>, handle: u64 },
    /// Requests bytes of registered memory.
    Get { key: u64, offset: u64, length: u64, handle: u64 },
    /// Changes registered memory: operands follow, then comparands.
    Change {
        operation: u8,
        of_type: u8,
        fetches: bool,
        /// Through the processor's bus.
        by_bus: bool,
        key: u64,
        offset: u64,
        length: u64,
        handle: u64,
    },
    /// The operation with this handle has ended.
    Done { handle: u64, code: ReturnCode },
    /// The same, and its bytes follow.
    Data { handle: u64, code: ReturnCode },
    /// Requests the bytes of a message that has matched its receive.
    Pull { handle: u64, answer: u64, length: u64 },
}

/// The layout of a header: small fields, then words.
#[derive(Default)]
struct Raw {
    kind: u8,
    /// Their meaning depends on the kind.
    small: [u8; 2],
    flags: u8,
    words: [u64; 6],
}

const IS_TAGGED: u8 = 1;
const HAS_DATA: u8 = 2;
const FETCHES: u8 = 4;
const BY_BUS: u8 = 8;

impl RemoteCommand {
    /// The header's bytes; a request names its virtual network.
    pub fn encode(&self, vni: u16) -> [u8; HEADER_BYTES] {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let raw = match *self {
            Self::Send { is_tagged, bits, data, length, handle } => Raw {
                kind: 1,
                flags: flag(is_tagged, IS_TAGGED) | flag(data.is_some(), HAS_DATA),
                words: [bits, data.unwrap_or(0), length, handle, 0, 0],
                ..Raw::default()
            },
            Self::Put { key, offset, data, handle } => Raw {
                kind: 2,
                flags: flag(data.is_some(), HAS_DATA),
                words: [key, offset, data.unwrap_or(0), handle, 0, 0],
                ..Raw::default()
            },
            Self::Get { key, offset, length, handle } => {
                Raw { kind: 3, words: [key, offset, length, handle, 0, 0], ..Raw::default() }
            }
            Self::Change { operation, of_type, fetches, by_bus, key, offset, length, handle } => Raw {
                kind: 4,
                small: [operation, of_type],
                flags: flag(fetches, FETCHES) | flag(by_bus, BY_BUS),
                words: [key, offset, length, handle, 0, 0],
            },
            Self::Done { handle, code } => {
                Raw { kind: 5, small: [code as u8, 0], words: [handle, 0, 0, 0, 0, 0], ..Raw::default() }
            }
            Self::Data { handle, code } => {
                Raw { kind: 6, small: [code as u8, 0], words: [handle, 0, 0, 0, 0, 0], ..Raw::default() }
            }
            Self::Pull { handle, answer, length } => {
                Raw { kind: 7, words: [handle, answer, length, 0, 0, 0], ..Raw::default() }
            }
        };
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&[raw.kind, raw.small[0], raw.small[1], raw.flags]);
        bytes[4..6].copy_from_slice(&vni.to_le_bytes());
        for (place, word) in bytes[8..].chunks_exact_mut(8).zip(raw.words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Decodes a command and its virtual network; `None` if the bytes are not a command.
    pub fn decode(bytes: &[u8]) -> Option<(Self, u16)> {
        let bytes: &[u8; HEADER_BYTES] = bytes.try_into().ok()?;
        let word = |index: usize| {
            let at = 8 + 8 * index;
            u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
        };
        let flags = bytes[3];
        let code = || ReturnCode::of_number(bytes[1]);
        let data = |index: usize| (flags & HAS_DATA != 0).then(|| word(index));
        let command = match bytes[0] {
            1 => Self::Send {
                is_tagged: flags & IS_TAGGED != 0,
                bits: word(0),
                data: data(1),
                length: word(2),
                handle: word(3),
            },
            2 => Self::Put { key: word(0), offset: word(1), data: data(2), handle: word(3) },
            3 => Self::Get { key: word(0), offset: word(1), length: word(2), handle: word(3) },
            4 => Self::Change {
                operation: bytes[1],
                of_type: bytes[2],
                fetches: flags & FETCHES != 0,
                by_bus: flags & BY_BUS != 0,
                key: word(0),
                offset: word(1),
                length: word(2),
                handle: word(3),
            },
            5 => Self::Done { handle: word(0), code: code()? },
            6 => Self::Data { handle: word(0), code: code()? },
            7 => Self::Pull { handle: word(0), answer: word(1), length: word(2) },
            _ => return None,
        };
        Some((command, u16::from_le_bytes([bytes[4], bytes[5]])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_what_their_bytes_say_and_garbage_is_none() {
        let commands = [
            RemoteCommand::Send { is_tagged: true, bits: 1 << 60, data: Some(0), length: 5, handle: 9 },
            RemoteCommand::Send { is_tagged: false, bits: 0, data: None, length: 0, handle: 0 },
            RemoteCommand::Put { key: u64::MAX, offset: 3, data: Some(7), handle: 1 },
            RemoteCommand::Get { key: 1, offset: 2, length: 3, handle: 4 },
            RemoteCommand::Change {
                operation: 18,
                of_type: 15,
                fetches: true,
                by_bus: true,
                key: 1,
                offset: 2,
                length: 3,
                handle: 4,
            },
            RemoteCommand::Done { handle: 4, code: ReturnCode::OutOfBounds },
            RemoteCommand::Data { handle: 4, code: ReturnCode::Ok },
            RemoteCommand::Pull { handle: 1, answer: 2, length: 3 },
        ];
        for command in commands {
            let bytes = command.encode(77);
            assert_eq!(RemoteCommand::decode(&bytes), Some((command, 77)));
            assert_eq!(RemoteCommand::decode(&bytes[1..]), None);
        }
        let mut wrong = commands[5].encode(1);
        wrong[1] = 99;
        assert_eq!(RemoteCommand::decode(&wrong), None, "no such code");
        assert_eq!(RemoteCommand::decode(&[0; HEADER_BYTES]), None);
    }

    /// A decoded command encodes to an equivalent one: fields that a kind does not use are ignored.
    #[test]
    fn any_bytes_are_a_command_or_none_and_what_is_read_is_read_again() {
        let seconds = std::env::var("PHILAE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
        let (limit, start) = (seconds.map(std::time::Duration::from_secs), std::time::Instant::now());
        let (mut random, mut case, mut read) = (1_u64, 0_u64, 0_u64);
        while limit.map_or(case < 200_000, |limit| case % 4_096 != 0 || start.elapsed() < limit) {
            let mut bytes = [0_u8; HEADER_BYTES];
            for word in bytes.chunks_mut(8) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                word.copy_from_slice(&(random ^ random >> 29).to_le_bytes()[..word.len()]);
            }
            bytes[0] %= 9;
            bytes[1] %= if case.is_multiple_of(2) { 12 } else { 255 };
            if let Some((command, vni)) = RemoteCommand::decode(&bytes) {
                let again = command.encode(vni);
                assert_eq!(RemoteCommand::decode(&again), Some((command, vni)), "{bytes:?}");
                read += 1;
            }
            let length = case as usize % (2 * HEADER_BYTES);
            let other = [bytes, bytes].concat();
            assert!(length == HEADER_BYTES || RemoteCommand::decode(&other[..length]).is_none());
            case += 1;
        }
        println!("commands: {case} cases, {read} read");
        assert!(read * 4 > case, "{read} of {case} were commands, too few to say much");
    }
}
