//! How long a frame keeps a link busy, in bytes.
//!
//! Standard Ethernet sends 8 bytes of preamble before a frame and leaves a gap of 12 after it. The
//! network's own links leave no gap and allow frames of 32 bytes. No source states that they keep
//! the preamble. We assume it, because the public header files have a check of a sequence number in
//! it, and a second-hand report has 40 bytes for the smallest frame.

use crate::ethernet::{FCS_LEN, FRAME_MIN, HEADER_LEN, HPC_FRAME_MIN};
use crate::negotiation::{Enhancement, Enhancements};
use philae_units::Bytes;

/// Preamble and start of frame. Source: IEEE 802.3. Status: published.
pub const PREAMBLE: u64 = 8;
/// The least gap between two frames. Source: IEEE 802.3. Status: published.
pub const GAP: u64 = 12;

/// The additions of a link to a frame, and its requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Bytes before each frame.
    pub preamble: Bytes,
    /// The least frame, FCS included.
    pub frame_min: Bytes,
    /// Bytes left free after each frame.
    pub gap: Bytes,
    /// Ethernet header of an IP packet, if the link needs one.
    pub header: Bytes,
}

impl Occupancy {
    /// Standard Ethernet.
    pub const STANDARD: Self = Self {
        preamble: Bytes(PREAMBLE),
        frame_min: Bytes(FRAME_MIN as u64),
        gap: Bytes(GAP),
        header: Bytes(HEADER_LEN as u64),
    };

    /// A link whose ends agreed on `enhancements`.
    #[must_use]
    pub const fn of(enhancements: Enhancements) -> Self {
        let mut occupancy = Self::STANDARD;
        if enhancements.contains(Enhancement::ShortFrames) {
            occupancy.frame_min = Bytes(HPC_FRAME_MIN as u64);
        }
        if enhancements.contains(Enhancement::NoGap) {
            occupancy.gap = Bytes::ZERO;
        }
        if enhancements.contains(Enhancement::NoHeader) {
            occupancy.header = Bytes::ZERO;
        }
        occupancy
    }

    /// Bytes of link time of a frame of `frame` bytes, with FCS and without padding.
    #[must_use]
    pub const fn of_frame(self, frame: Bytes) -> Bytes {
        let padded = if frame.0 < self.frame_min.0 { self.frame_min.0 } else { frame.0 };
        Bytes(self.preamble.0 + padded + self.gap.0)
    }

    /// Bytes of link time of an IP packet of `packet` bytes, its own header included.
    #[must_use]
    pub const fn of_packet(self, packet: Bytes) -> Bytes {
        self.of_frame(Bytes(self.header.0 + packet.0 + FCS_LEN as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_headers_of_roce_come_out() {
        let packet = Bytes(20 + 8 + 14 + 4_096 + 4);
        let overhead = Occupancy::STANDARD.of_packet(packet) - Bytes(4_096) - Occupancy::STANDARD.gap;
        assert_eq!(
            overhead,
            Bytes(8 + 14 + 4 + 20 + 8 + 14 + 4),
            "the parts that SC'20 II-G lists; it prints their sum as 62"
        );
    }

    #[test]
    fn the_least_frame_takes_84_bytes_on_standard_ethernet_and_40_on_ours() {
        assert_eq!(Occupancy::STANDARD.of_frame(Bytes(1)), Bytes(84));
        assert_eq!(Occupancy::of(Enhancements::ALL).of_frame(Bytes(1)), Bytes(40));
        assert_eq!(Occupancy::of(Enhancements::ALL).of_packet(Bytes(20 + 11 + 8)), Bytes(8 + 43));
        assert_eq!(Occupancy::of(Enhancements::NONE), Occupancy::STANDARD);
    }
}
