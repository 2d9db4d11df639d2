//! Captures that Wireshark opens: blocks of the pcapng format, appended to a `Vec<u8>` that the
//! caller writes to its destination.
//!
//! ```text
//! [type 4][length 4][ body, options ... padded to 4 ][length 4]     little-endian
//! ```
//! A section header comes first, then one interface description per port, numbered from 0 in this
//! order, then packets. Times are simulated: nanoseconds from the start of the run, rounded down.
//!
//! Source: IETF draft-ietf-opsawg-pcapng.
//!
//! ```
//! use philae_units::{LinkRate, Picoseconds};
//! use philae_wire::pcapng::{Direction, EnhancedPacket, InterfaceDescription, LinkType, SectionHeader};
//!
//! let mut capture = Vec::new();
//! SectionHeader { application: "philae", comment: "" }.block(&mut capture)?;
//! let (link_type, rate) = (LinkType::Ethernet, LinkRate::from_gbps(200));
//! InterfaceDescription { link_type, name: "x9000c1r3j17p0", rate, comment: "" }.block(&mut capture)?;
//! let (time, direction) = (Picoseconds::from_nanos(350), Direction::Outbound);
//! EnhancedPacket { interface: 0, time, direction, fcs_len: 4, data: &[0; 64], comment: "granted" }.block(&mut capture)?;
//! # Ok::<(), philae_wire::WireError>(())
//! ```

use crate::WireError;
use crate::bytes::at_most;
use philae_units::{LinkRate, Picoseconds};

const FORMAT: &str = "pcapng";

/// Block types, with the format's numbers.
mod block_type {
    pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
    pub(super) const INTERFACE_DESCRIPTION: u32 = 1;
    pub(super) const ENHANCED_PACKET: u32 = 6;
}

/// Option codes, with the format's numbers. Codes of 2 and above have a different meaning in each
/// block.
mod option {
    pub(super) const END: u16 = 0;
    pub(super) const COMMENT: u16 = 1;
    pub(super) const SECTION_APPLICATION: u16 = 4;
    pub(super) const INTERFACE_NAME: u16 = 2;
    pub(super) const INTERFACE_SPEED: u16 = 8;
    pub(super) const INTERFACE_TIME_RESOLUTION: u16 = 9;
    pub(super) const PACKET_FLAGS: u16 = 2;
}

/// Distinguishes little-endian from big-endian. Source: draft-ietf-opsawg-pcapng. Status:
/// published.
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// Times are powers of ten below a second: 10^-9. Source: draft-ietf-opsawg-pcapng. Status:
/// published.
const NANOSECONDS: u8 = 9;
/// The longest text or data of an option. Source: draft-ietf-opsawg-pcapng. Status: published.
pub const OPTION_MAX: usize = 65_535;

/// A block in progress: its length is known when its body is.
struct Block<'out> {
    out: &'out mut Vec<u8>,
    start: usize,
}

impl<'out> Block<'out> {
    fn new(out: &'out mut Vec<u8>, kind: u32) -> Self {
        let start = out.len();
        out.extend(kind.to_le_bytes());
        out.extend([0; 4]);
        Self { out, start }
    }

    fn u16(self, value: u16) -> Self {
        self.out.extend(value.to_le_bytes());
        self
    }

    fn u32(self, value: u32) -> Self {
        self.out.extend(value.to_le_bytes());
        self
    }

    fn padded(self, bytes: &[u8]) -> Self {
        self.out.extend(bytes);
        self.out.extend(&[0; 3][..bytes.len().next_multiple_of(4) - bytes.len()]);
        self
    }

    fn option(self, code: u16, value: &[u8]) -> Self {
        let length = u16::try_from(value.len()).expect("lengths of options are checked before a block is begun");
        self.u16(code).u16(length).padded(value)
    }

    fn text(self, code: u16, text: &str) -> Self {
        if text.is_empty() { self } else { self.option(code, text.as_bytes()) }
    }

    fn end(self) {
        let block = self.u16(option::END).u16(0);
        let length = u32::try_from(block.out.len() - block.start + 4).expect("a block is far below 4 GiB");
        block.out[block.start + 4..block.start + 8].copy_from_slice(&length.to_le_bytes());
        block.out.extend(length.to_le_bytes());
    }
}

/// The first block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionHeader<'text> {
    /// The program that wrote the capture; not written if empty.
    pub application: &'text str,
    /// The subject of the capture, such as the scenario and its seed; not written if empty.
    pub comment: &'text str,
}

impl SectionHeader<'_> {
    /// Appends the block.
    ///
    /// # Errors
    /// [`WireError::Long`] for a text over 65,535 bytes; nothing is then appended.
    pub fn block(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        at_most(FORMAT, self.application.len(), OPTION_MAX)?;
        at_most(FORMAT, self.comment.len(), OPTION_MAX)?;
        Block::new(out, block_type::SECTION_HEADER)
            .u32(BYTE_ORDER_MAGIC)
            .u16(1)
            .u16(0)
            // The section's length is unknown: minus one.
            .u32(u32::MAX)
            .u32(u32::MAX)
            .text(option::COMMENT, self.comment)
            .text(option::SECTION_APPLICATION, self.application)
            .end();
        Ok(())
    }
}

/// The beginning of each packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkType {
    /// An Ethernet header.
    Ethernet = 1,
    /// An IP header: frames without an Ethernet header.
    RawIp = 101,
}

/// A port whose packets are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceDescription<'text> {
    /// The beginning of its packets.
    pub link_type: LinkType,
    /// The port, such as its xname.
    pub name: &'text str,
    /// Its rate.
    pub rate: LinkRate,
    /// A comment; not written if empty.
    pub comment: &'text str,
}

impl InterfaceDescription<'_> {
    /// Appends the block.
    ///
    /// # Errors
    /// [`WireError::Long`] for a text over 65,535 bytes; nothing is then appended.
    pub fn block(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        at_most(FORMAT, self.name.len(), OPTION_MAX)?;
        at_most(FORMAT, self.comment.len(), OPTION_MAX)?;
        let bits_per_second = u64::from(self.rate.0) * 1_000_000;
        Block::new(out, block_type::INTERFACE_DESCRIPTION)
            .u16(self.link_type as u16)
            .u16(0)
            // No fixed limit: each packet has its own captured length.
            .u32(0)
            .text(option::COMMENT, self.comment)
            .text(option::INTERFACE_NAME, self.name)
            .option(option::INTERFACE_SPEED, &bits_per_second.to_le_bytes())
            .option(option::INTERFACE_TIME_RESOLUTION, &[NANOSECONDS])
            .end();
        Ok(())
    }
}

/// The direction of a packet through its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the device.
    Inbound = 1,
    /// Out of it.
    Outbound = 2,
}

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnhancedPacket<'bytes> {
    /// The interface, in the order of their descriptions.
    pub interface: u32,
    /// When it was captured.
    pub time: Picoseconds,
    /// Its direction.
    pub direction: Direction,
    /// Bytes of frame check sequence at the end of `data`: 0 or 4.
    pub fcs_len: u8,
    /// The packet, from the first byte that its interface's link type names.
    pub data: &'bytes [u8],
    /// A comment; not written if empty.
    pub comment: &'bytes str,
}

impl EnhancedPacket<'_> {
    /// Appends the block.
    ///
    /// # Errors
    /// [`WireError::Long`] for a comment over 65,535 bytes, data over 256 KiB (what readers accept)
    /// or an FCS over 15 bytes; nothing is then appended.
    pub fn block(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        self.block_cut(out, self.data.len())
    }

    /// The same for a packet that had `length` bytes, of which `data` are the first.
    ///
    /// # Errors
    /// As [`block`](Self::block), and [`WireError::Long`] if `data` is longer than `length`, or
    /// `length` than 256 KiB.
    pub fn block_cut(&self, out: &mut Vec<u8>, length: usize) -> Result<(), WireError> {
        at_most(FORMAT, self.comment.len(), OPTION_MAX)?;
        at_most(FORMAT, length, DATA_MAX)?;
        at_most(FORMAT, self.data.len(), length)?;
        at_most(FORMAT, self.fcs_len.into(), 15)?;
        let nanoseconds = self.time.0 / 1_000;
        let flags = self.direction as u32 | u32::from(self.fcs_len) << 5;
        Block::new(out, block_type::ENHANCED_PACKET)
            .u32(self.interface)
            .u32((nanoseconds >> 32) as u32)
            .u32(nanoseconds as u32)
            .u32(self.data.len() as u32)
            .u32(length as u32)
            .padded(self.data)
            .text(option::COMMENT, self.comment)
            .option(option::PACKET_FLAGS, &flags.to_le_bytes())
            .end();
        Ok(())
    }
}

/// The longest packet that readers accept. Source: Wireshark, `WTAP_MAX_PACKET_SIZE_STANDARD`.
/// Status: published.
pub const DATA_MAX: usize = 262_144;

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the blocks of a capture: their types, by their lengths, which must agree at both ends.
    fn types(capture: &[u8]) -> Vec<u32> {
        let word = |at: usize| u32::from_le_bytes(capture[at..at + 4].try_into().unwrap());
        let (mut found, mut at) = (Vec::new(), 0);
        while at < capture.len() {
            let length = word(at + 4) as usize;
            assert_eq!(length % 4, 0);
            assert_eq!(word(at + length - 4) as usize, length);
            found.push(word(at));
            at += length;
        }
        found
    }

    fn packet(data: &[u8]) -> EnhancedPacket<'_> {
        let (time, direction) = (Picoseconds(5_000_000_000_123_999), Direction::Outbound);
        EnhancedPacket { interface: 0, time, direction, fcs_len: 4, data, comment: "granted" }
    }

    #[test]
    fn blocks_agree_with_their_lengths_whatever_they_hold() {
        let mut capture = Vec::new();
        SectionHeader { application: "philae", comment: "" }.block(&mut capture).unwrap();
        let rate = LinkRate::from_gbps(200);
        InterfaceDescription { link_type: LinkType::Ethernet, name: "x9000c1r3j17p0", rate, comment: "" }
            .block(&mut capture)
            .unwrap();
        for length in 0..9 {
            packet(&[7; 9][..length]).block(&mut capture).unwrap();
        }
        assert_eq!(types(&capture), [&[0x0a0d_0d0a, 1][..], &[6; 9]].concat());
    }

    #[test]
    fn times_are_nanoseconds_in_two_halves_and_flags_say_direction_and_fcs() {
        let mut capture = Vec::new();
        packet(&[1, 2, 3]).block(&mut capture).unwrap();
        let word = |at: usize| u64::from(u32::from_le_bytes(capture[at..at + 4].try_into().unwrap()));
        assert_eq!(word(12) << 32 | word(16), 5_000_000_000_123);
        assert_eq!(capture[28..32], [1, 2, 3, 0]);
        let flags = capture.len() - 12;
        assert_eq!(word(flags), 0b1000_0010);
    }

    #[test]
    fn a_packet_that_was_cut_keeps_its_length() {
        let mut capture = Vec::new();
        packet(&[1, 2, 3, 4, 5]).block_cut(&mut capture, 1_500).unwrap();
        let word = |at: usize| u32::from_le_bytes(capture[at..at + 4].try_into().unwrap());
        assert_eq!((word(20), word(24)), (5, 1_500));
        let before = capture.len();
        let error = packet(&[1, 2, 3]).block_cut(&mut capture, 2).unwrap_err();
        assert_eq!(error, WireError::Long { format: FORMAT, found: 3, limit: 2 });
        assert_eq!(capture.len(), before);
    }

    #[test]
    fn a_text_that_does_not_fit_appends_nothing() {
        let mut capture = Vec::new();
        let long = "x".repeat(OPTION_MAX + 1);
        let header = SectionHeader { application: "", comment: &long };
        assert!(matches!(header.block(&mut capture), Err(WireError::Long { limit: OPTION_MAX, .. })));
        assert!(capture.is_empty());
    }
}
