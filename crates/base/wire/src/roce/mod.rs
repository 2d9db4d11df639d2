//! RoCEv2: the transport of InfiniBand inside UDP datagrams to port 4791.
//!
//! ```text
//! 0       1                        2          4              5           8              9       12
//! [opcode][S|M|pad 2|version 4][partition key][F|B|reserved][queue pair][A|reserved][sequence][further headers]
//!                                                             [payload][pad to 4 bytes][ICRC 4]
//! ```
//! The first 12 bytes are the base transport header (BTH). The opcode decides which headers follow
//! ([`opcode`], [`extended`]). The ICRC also covers the IPv4 header, so it is carried here
//! unchanged and computed by [`icrc`].
//!
//! Ignored on receipt and written as zero: the reserved bits, the bytes of the pad.
//!
//! Source: InfiniBand Architecture Specification, volume 1, chapter 9, and annex A17 (RoCEv2).

pub mod extended;
pub mod icrc;
pub mod opcode;

use crate::bytes::{array_at, at_least, expect, put, put_u16, put_u24, room, u16_at, u24_at, view};
use crate::{PacketSequence, QueuePair, WireError, WireLayer};
use extended::Extended;
use opcode::{Opcode, PacketBody};

const FORMAT: &str = "RoCEv2";

/// Base transport header. Source: InfiniBand chapter 9. Status: published.
pub const BASE_LEN: usize = 12;
/// Invariant CRC. Source: InfiniBand annex A17. Status: published.
pub const ICRC_LEN: usize = 4;
/// The contents of a congestion notification, all reserved. Source: InfiniBand annex A17. Status:
/// published.
pub const NOTIFICATION_LEN: usize = 16;
/// The partition that every port is a full member of by default. Source: InfiniBand chapter 10.
/// Status: published.
pub const DEFAULT_PARTITION_KEY: u16 = 0xffff;

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, BASE_LEN + ICRC_LEN)?;
    let opcode = Opcode::from_code(bytes[0])?;
    let headers = BASE_LEN + extended::length(opcode.headers());
    at_least(FORMAT, bytes, headers + pad_len(bytes) + ICRC_LEN)?;
    let body = bytes.len() - headers - ICRC_LEN;
    let field =
        |field, found: usize, valid| Err(WireError::Field { format: FORMAT, field, found: found as u64, valid });
    match opcode.body() {
        _ if !body.is_multiple_of(4) => field("length of payload and pad", body, "a multiple of 4"),
        PacketBody::Empty if body > 0 => field("length of payload and pad", body, "0 for this opcode"),
        PacketBody::Reserved if body != NOTIFICATION_LEN || pad_len(bytes) > 0 => {
            field("length of payload and pad", body, "0x10, all payload, for this opcode")
        }
        _ => Ok(()),
    }
}

fn pad_len(bytes: &[u8]) -> usize {
    usize::from(bytes[1] >> 4 & 3)
}

view!(
    /// A view over the whole payload of a datagram to port 4791: it has no length field of its own.
    RocePacket,
    check
);

impl<T: AsRef<[u8]>> RocePacket<T> {
    /// The opcode of the packet.
    ///
    /// # Errors
    /// [`WireError::Field`] if a setter's caller has overwritten it; never directly after
    /// [`Self::new`].
    pub fn opcode(&self) -> Result<Opcode, WireError> {
        Opcode::from_code(self.bytes()[0])
    }

    /// Whether a router experienced congestion.
    pub fn forward_congestion(&self) -> bool {
        self.bytes()[4] & 0x80 != 0
    }

    /// Whether the packet tells its receiver that it causes congestion.
    pub fn backward_congestion(&self) -> bool {
        self.bytes()[4] & 0x40 != 0
    }

    /// Destination queue pair.
    pub fn queue_pair(&self) -> QueuePair {
        QueuePair::from_low_bits(u24_at(self.bytes(), 5))
    }

    /// Packet sequence number.
    pub fn sequence(&self) -> PacketSequence {
        PacketSequence::from_low_bits(u24_at(self.bytes(), 9))
    }

    /// The invariant CRC, as it lies on the wire.
    pub fn icrc(&self) -> [u8; ICRC_LEN] {
        array_at(self.bytes(), self.bytes().len() - ICRC_LEN)
    }

    /// Bytes of all headers.
    pub fn header_len(&self) -> usize {
        BASE_LEN + self.opcode().map_or(0, |opcode| extended::length(opcode.headers()))
    }

    /// The contents without the pad.
    pub fn payload(&self) -> &[u8] {
        let end = self.bytes().len() - ICRC_LEN;
        let start = self.header_len().min(end);
        &self.bytes()[start..end.saturating_sub(pad_len(self.bytes())).max(start)]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> RocePacket<T> {
    /// Sets both congestion marks. The ICRC does not cover them.
    pub fn set_congestion(&mut self, forward: bool, backward: bool) {
        let byte = &mut self.buffer.as_mut()[4];
        *byte = *byte & 0x3f | u8::from(forward) << 7 | u8::from(backward) << 6;
    }
}

/// All headers of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceRepr {
    /// The opcode of the packet.
    pub opcode: Opcode,
    /// Whether its completion interrupts the receiver.
    pub solicited: bool,
    /// State of path migration.
    pub migrated: bool,
    /// Partition key.
    pub partition_key: u16,
    /// Whether a router experienced congestion.
    pub forward_congestion: bool,
    /// Whether the packet tells its receiver that it causes congestion.
    pub backward_congestion: bool,
    /// Destination queue pair.
    pub queue_pair: QueuePair,
    /// Whether the sender requests an acknowledgement.
    pub acknowledge_request: bool,
    /// Packet sequence number.
    pub sequence: PacketSequence,
    /// The headers that the opcode requires.
    pub extended: Extended,
    /// The invariant CRC as it lies on the wire; zero until [`icrc::seal`].
    pub icrc: [u8; ICRC_LEN],
}

impl RoceRepr {
    /// A packet of the default partition without further headers, marks or requests, and not
    /// sealed.
    #[must_use]
    pub const fn new(opcode: Opcode, queue_pair: QueuePair, sequence: PacketSequence) -> Self {
        Self {
            opcode,
            solicited: false,
            migrated: true,
            partition_key: DEFAULT_PARTITION_KEY,
            forward_congestion: false,
            backward_congestion: false,
            queue_pair,
            acknowledge_request: false,
            sequence,
            extended: Extended {
                datagram: None,
                remote: None,
                atomic: None,
                acknowledge: None,
                atomic_answer: None,
                immediate: None,
                invalidate: None,
            },
            icrc: [0; ICRC_LEN],
        }
    }

    /// Reads all headers.
    ///
    /// # Errors
    /// [`WireError::Field`] for another transport version, or a reserved syndrome.
    pub fn parse<T: AsRef<[u8]>>(packet: &RocePacket<T>) -> Result<Self, WireError> {
        let bytes = packet.bytes();
        let opcode = packet.opcode()?;
        expect(FORMAT, "transport version", bytes[1] & 0x0f, 0_u8, "0")?;
        Ok(Self {
            opcode,
            solicited: bytes[1] & 0x80 != 0,
            migrated: bytes[1] & 0x40 != 0,
            partition_key: u16_at(bytes, 2),
            forward_congestion: packet.forward_congestion(),
            backward_congestion: packet.backward_congestion(),
            queue_pair: packet.queue_pair(),
            acknowledge_request: bytes[8] & 0x80 != 0,
            sequence: packet.sequence(),
            extended: Extended::parse(opcode.headers(), &bytes[BASE_LEN..])?,
            icrc: packet.icrc(),
        })
    }

    fn check(&self, payload_len: usize) -> Result<(), WireError> {
        let field = |field, found, valid| Err(WireError::Field { format: FORMAT, field, found, valid });
        if self.extended.set() != self.opcode.headers() {
            let valid = "the set that the opcode's table entry names";
            return field("set of further headers", self.extended.set().bits().into(), valid);
        }
        match self.opcode.body() {
            PacketBody::Empty if payload_len > 0 => field("payload length", payload_len as u64, "0 for this opcode"),
            PacketBody::Reserved if payload_len != NOTIFICATION_LEN => {
                field("payload length", payload_len as u64, "0x10 for this opcode")
            }
            _ => Ok(()),
        }
    }
}

impl WireLayer for RoceRepr {
    fn header_len(&self) -> usize {
        BASE_LEN + extended::length(self.opcode.headers())
    }

    fn buffer_len(&self, payload_len: usize) -> usize {
        self.header_len() + payload_len.next_multiple_of(4) + ICRC_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        self.check(payload_len)?;
        let bytes = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let pad = payload_len.next_multiple_of(4) - payload_len;
        bytes[0] = self.opcode.code();
        bytes[1] = u8::from(self.solicited) << 7 | u8::from(self.migrated) << 6 | (pad as u8) << 4;
        put_u16(bytes, 2, self.partition_key);
        bytes[4] = u8::from(self.forward_congestion) << 7 | u8::from(self.backward_congestion) << 6;
        put_u24(bytes, 5, self.queue_pair.get());
        bytes[8] = u8::from(self.acknowledge_request) << 7;
        put_u24(bytes, 9, self.sequence.get());
        let headers = self.header_len();
        self.extended.emit(&mut bytes[BASE_LEN..headers])?;
        let end = bytes.len() - ICRC_LEN;
        bytes[headers + payload_len..end].fill(0);
        put(bytes, end, &self.icrc);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
