//! Control frames of link-level retry: the ends of one link report to each other what arrived.
//!
//! ```text
//! 0          1     2         4             6      14
//! [version 1][kind][sequence][in flight max][ time ]   behind ethertype 0x88b6; 14 bytes, so that the frame has 32
//! ```
//! A sender numbers its frames and keeps them until they are acknowledged. After a nack it sends
//! them again, from the wanted one on. The number of a frame itself travels in its preamble and is
//! not part of these bytes. Fields that a kind does not use are zero.
//!
//! The counters of the public header files distinguish loop timing, which uses frames, from init,
//! its echo, ack and nack, which are ordered sets between frames and so cost no frame. Here all of
//! them are frames, because one of our links carries a sequence of frames; code that counts bytes
//! must not charge 32 for the latter.
//!
//! Source: cassini-headers for the ethertype, the names, the check of the preamble's number and the
//! 2,048 in flight. Status: assumed for the layout.

use crate::bytes::{at_least, expect, put_u16, put_u64, room, u16_at, u64_at, view};
use crate::{RetrySequence, WireError, WireLayer};

const FORMAT: &str = "link retry";

/// Bytes of the control information.
///
/// Source: the rest of a 32-byte frame without header and FCS. Status: assumed.
pub const HEADER_LEN: usize = 14;
/// Maximum number of unacknowledged frames.
///
/// Source: cassini-headers, defaults of the retry buffer (`max_seq`, `max_data`). Status:
/// published.
pub const IN_FLIGHT_MAX: u16 = 2_048;
/// Number of sequence numbers: twice the maximum in flight, because otherwise a full window would
/// look like an empty one.
///
/// Source: derived from [`IN_FLIGHT_MAX`]: the least power of two above 2,048. Status: derived.
pub const SEQUENCES: u16 = 4_096;

const VERSION: u8 = 1;
const _: () = assert!(SEQUENCES == 2 * IN_FLIGHT_MAX && RetrySequence::BITS == SEQUENCES.ilog2());

impl serde::Serialize for RetrySequence {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u16(self.get())
    }
}

impl<'de> serde::Deserialize<'de> for RetrySequence {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(u16::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl RetrySequence {
    /// The number after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// The number `count` after this one, modulo their number.
    #[must_use]
    pub const fn after(self, count: u16) -> Self {
        Self::from_low_bits(self.get().wrapping_add(count))
    }

    /// The previous number.
    #[must_use]
    pub const fn before(self) -> Self {
        self.after(SEQUENCES - 1)
    }

    /// How many numbers this one comes after `earlier`, modulo their number.
    #[must_use]
    pub const fn distance_from(self, earlier: Self) -> u16 {
        self.get().wrapping_sub(earlier.get()) % SEQUENCES
    }

    /// Whether it can be in flight if `oldest` is the oldest frame in flight.
    #[must_use]
    pub const fn is_in_flight(self, oldest: Self) -> bool {
        self.distance_from(oldest) < IN_FLIGHT_MAX
    }
}

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HEADER_LEN)
}

view!(
    /// A view over the bytes behind ethertype 0x88b6.
    LinkRetryPacket,
    check
);

impl<T: AsRef<[u8]>> LinkRetryPacket<T> {
    /// The number of its kind.
    pub fn kind(&self) -> u8 {
        self.bytes()[1]
    }
}

/// A message from one end to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRetryRepr {
    /// I start again.
    Init {
        /// The number of my next frame.
        next: RetrySequence,
        /// My maximum number of frames in flight: 1 to 2,048.
        in_flight_max: u16,
    },
    /// I have seen that you start again, with this number.
    InitEcho {
        /// The number that the other end announced.
        next: RetrySequence,
    },
    /// All frames up to this one have arrived.
    Ack {
        /// The last frame that arrived in order.
        received: RetrySequence,
    },
    /// A frame did not arrive, or not whole: go back to it.
    Nack {
        /// The first frame to send again.
        wanted: RetrySequence,
    },
    /// Send this back, so that I can measure the time of the loop.
    LoopRequest {
        /// When it was sent, in the sender's picoseconds.
        sent: u64,
    },
    /// The answer to a loop request.
    LoopAnswer {
        /// When it was sent, in the requester's picoseconds.
        sent: u64,
    },
}

impl LinkRetryRepr {
    const fn kind(self) -> u8 {
        match self {
            Self::Init { .. } => 1,
            Self::Ack { .. } => 2,
            Self::Nack { .. } => 3,
            Self::LoopRequest { .. } => 4,
            Self::LoopAnswer { .. } => 5,
            Self::InitEcho { .. } => 6,
        }
    }

    /// Sequence number, in flight, time: each zero if the kind has none.
    const fn fields(self) -> (u16, u16, u64) {
        match self {
            Self::Init { next, in_flight_max } => (next.get(), in_flight_max, 0),
            Self::InitEcho { next: sequence } | Self::Ack { received: sequence } | Self::Nack { wanted: sequence } => {
                (sequence.get(), 0, 0)
            }
            Self::LoopRequest { sent } | Self::LoopAnswer { sent } => (0, 0, sent),
        }
    }

    /// Reads a control frame; bytes behind it are padding.
    ///
    /// # Errors
    /// [`WireError::Field`] for another version or kind, a number out of its range, or a field that
    /// its kind does not use and that is not zero.
    pub fn parse<T: AsRef<[u8]>>(packet: &LinkRetryPacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        expect(FORMAT, "version", bytes[0], VERSION, "1")?;
        let (sequence, in_flight_max, sent) = (u16_at(bytes, 2), u16_at(bytes, 4), u64_at(bytes, 6));
        let number = RetrySequence::new(sequence);
        let value = match packet.kind() {
            1 => Self::Init { next: number?, in_flight_max },
            2 => Self::Ack { received: number? },
            3 => Self::Nack { wanted: number? },
            4 => Self::LoopRequest { sent },
            5 => Self::LoopAnswer { sent },
            6 => Self::InitEcho { next: number? },
            other => {
                let (field, valid) = ("kind", "1 (init), 2 (ack), 3 (nack), 4, 5 (loop timing) or 6 (init echo)");
                return Err(WireError::Field { format: FORMAT, field, found: other.into(), valid });
            }
        };
        value.check()?;
        let used = value.fields();
        expect(FORMAT, "unused sequence number", sequence, used.0, "0")?;
        expect(FORMAT, "unused in-flight limit", in_flight_max, used.1, "0")?;
        expect(FORMAT, "unused time", sent, used.2, "0")?;
        Ok(value)
    }

    fn check(self) -> Result<(), WireError> {
        match self {
            Self::Init { in_flight_max: found @ (0 | 2_049..), .. } => {
                let (field, valid) = ("in-flight limit", "1 to 0x800");
                Err(WireError::Field { format: FORMAT, field, found: found.into(), valid })
            }
            _ => Ok(()),
        }
    }
}

impl WireLayer for LinkRetryRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        self.check()?;
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let (sequence, in_flight_max, sent) = self.fields();
        bytes[0] = VERSION;
        bytes[1] = self.kind();
        put_u16(bytes, 2, sequence);
        put_u16(bytes, 4, in_flight_max);
        put_u64(bytes, 6, sent);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EtherType, Framing, MacAddress, ethernet, stack_len};

    #[test]
    fn steps_go_around_both_ways() {
        let (first, last) = (RetrySequence::default(), RetrySequence::from_low_bits(4_095));
        assert_eq!(last.after(1), first);
        assert_eq!(first.before(), last);
        assert_eq!(RetrySequence::from_low_bits(1).distance_from(last), 2);
        assert_eq!(last.distance_from(first), 4_095);
    }

    #[test]
    fn a_control_frame_is_the_least_frame_of_the_link() {
        let ethernet = ethernet::EthernetRepr {
            destination: MacAddress::NEAREST_BRIDGE,
            source: MacAddress::default(),
            ethertype: EtherType::LINK_RETRY,
            framing: Framing::Hpc,
        };
        let ack = LinkRetryRepr::Ack { received: RetrySequence::MAX };
        assert_eq!(stack_len(&[&ethernet, &ack], 0), ethernet::HPC_FRAME_MIN);
        assert_eq!(14 + HEADER_LEN + 4, 32, "without padding");
    }

    #[test]
    fn numbers_go_around() {
        let (first, last) = (RetrySequence::default(), RetrySequence::MAX);
        assert_eq!(last.next(), first);
        assert_eq!(first.distance_from(last), 1);
        assert_eq!(last.distance_from(first), SEQUENCES - 1);
        assert!(first.is_in_flight(last) && !last.is_in_flight(first));
        let full = RetrySequence::new(IN_FLIGHT_MAX).unwrap();
        assert!(!full.is_in_flight(first), "the window is full, and does not look empty");
    }

    #[test]
    fn what_a_kind_does_not_use_is_zero() {
        let mut bytes = [0; HEADER_LEN];
        LinkRetryRepr::Nack { wanted: RetrySequence::new(7).unwrap() }.emit(&mut bytes, 0).unwrap();
        bytes[13] = 1;
        let error = LinkRetryRepr::parse(&LinkRetryPacket::new(bytes).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "link retry: unused time is 0x1; 0 would be valid");
        let none = LinkRetryRepr::Init { next: RetrySequence::default(), in_flight_max: 0 };
        assert!(matches!(none.emit(&mut bytes, 0), Err(WireError::Field { field: "in-flight limit", found: 0, .. })));
    }
}
