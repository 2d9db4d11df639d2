//! Ethernet II frames: destination, source, ethertype, payload, padding, frame check sequence.
//!
//! ```text
//! 0           6          12        14
//! [destination][  source  ][ethertype][ payload ... padding ][ FCS 4 ]
//! ```
//! Source: IEEE 802.3. The preamble and the gap are not part of a frame (`hpc_ethernet::occupancy`
//! counts them), and a frame does not say where its padding starts: a view's payload includes it.

use crate::bytes::{array_at, at_least, at_most, put, put_u16, room, u16_at};
use crate::{EtherType, MacAddress, WireError, WireLayer};

const FORMAT: &str = "Ethernet frame";

/// Addresses and ethertype. Source: IEEE 802.3. Status: published.
pub const HEADER_LEN: usize = 14;
/// Frame check sequence. Source: IEEE 802.3. Status: published.
pub const FCS_LEN: usize = 4;
/// The least frame of standard Ethernet, FCS included. Source: IEEE 802.3. Status: published.
pub const FRAME_MIN: usize = 64;
/// The least frame of HPC Ethernet, FCS included. Source: De Sensi et al., SC'20, II-F. Status:
/// published.
pub const HPC_FRAME_MIN: usize = 32;
/// The largest frame, FCS included: 9,000 bytes of payload, header, one tag, FCS.
///
/// Source: HPE Slingshot host software documentation. Status: published.
pub const FRAME_MAX: usize = 9_022;

/// The context of a frame, which decides its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// On a standard link: at least 64 bytes, with FCS.
    Standard,
    /// On a link whose ends agreed on short frames: at least 32 bytes, with FCS.
    Hpc,
    /// In a capture or inside a tunnel: neither padding nor FCS.
    Bare,
}

impl Framing {
    /// Minimum bytes of a frame.
    #[must_use]
    pub const fn frame_min(self) -> usize {
        match self {
            Self::Standard => FRAME_MIN,
            Self::Hpc => HPC_FRAME_MIN,
            Self::Bare => HEADER_LEN,
        }
    }

    /// Bytes of the frame check sequence.
    #[must_use]
    pub const fn fcs_len(self) -> usize {
        match self {
            Self::Standard | Self::Hpc => FCS_LEN,
            Self::Bare => 0,
        }
    }

    /// Maximum bytes of a frame.
    #[must_use]
    pub const fn frame_max(self) -> usize {
        FRAME_MAX - FCS_LEN + self.fcs_len()
    }
}

/// The frame check sequence of `bytes`, as it lies on the wire: CRC-32, least significant byte
/// first.
#[must_use]
pub fn frame_check_sequence(bytes: &[u8]) -> [u8; FCS_LEN] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Checks the FCS that ends `frame`.
pub(crate) fn check_fcs(format: &'static str, frame: &[u8]) -> Result<(), WireError> {
    at_least(format, frame, FCS_LEN)?;
    let (covered, fcs) = frame.split_at(frame.len() - FCS_LEN);
    let (found, computed) = (array_at(fcs, 0), frame_check_sequence(covered));
    if found == computed {
        return Ok(());
    }
    let number = u32::from_le_bytes;
    Err(WireError::Checksum { format, field: "FCS", found: number(found), computed: number(computed) })
}

/// A view over one whole frame: from the destination address to the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EthernetFrame<T> {
    buffer: T,
    framing: Framing,
}

impl<T: AsRef<[u8]>> EthernetFrame<T> {
    /// A view over `buffer`, which is exactly the frame: Ethernet has no length field.
    ///
    /// # Errors
    /// [`WireError::Short`] below the least frame of `framing`, [`WireError::Long`] above the
    /// largest.
    pub fn new(buffer: T, framing: Framing) -> Result<Self, WireError> {
        at_least(FORMAT, buffer.as_ref(), framing.frame_min())?;
        at_most(FORMAT, buffer.as_ref().len(), framing.frame_max())?;
        Ok(Self { buffer, framing })
    }

    /// Returns the bytes.
    pub fn into_inner(self) -> T {
        self.buffer
    }

    /// How the frame ends.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Destination address.
    pub fn destination(&self) -> MacAddress {
        MacAddress(array_at(self.buffer.as_ref(), 0))
    }

    /// Source address.
    pub fn source(&self) -> MacAddress {
        MacAddress(array_at(self.buffer.as_ref(), 6))
    }

    /// What follows the header.
    pub fn ethertype(&self) -> EtherType {
        EtherType(u16_at(self.buffer.as_ref(), 12))
    }

    /// Payload and padding.
    pub fn payload(&self) -> &[u8] {
        let bytes = self.buffer.as_ref();
        &bytes[HEADER_LEN..bytes.len() - self.framing.fcs_len()]
    }

    /// Checks the FCS; a bare frame has none and passes.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn check_fcs(&self) -> Result<(), WireError> {
        if self.framing.fcs_len() == 0 { Ok(()) } else { check_fcs(FORMAT, self.buffer.as_ref()) }
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> EthernetFrame<T> {
    /// Sets the destination address. The FCS is then wrong until [`Self::fill_fcs`].
    pub fn set_destination(&mut self, address: MacAddress) {
        put(self.buffer.as_mut(), 0, &address.0);
    }

    /// Sets the source address. The FCS is then wrong until [`Self::fill_fcs`].
    pub fn set_source(&mut self, address: MacAddress) {
        put(self.buffer.as_mut(), 6, &address.0);
    }

    /// Sets the ethertype. The FCS is then wrong until [`Self::fill_fcs`].
    pub fn set_ethertype(&mut self, ethertype: EtherType) {
        put_u16(self.buffer.as_mut(), 12, ethertype.0);
    }

    /// Payload and padding, writable.
    pub fn payload_mut(&mut self) -> &mut [u8] {
        let end = self.buffer.as_ref().len() - self.framing.fcs_len();
        &mut self.buffer.as_mut()[HEADER_LEN..end]
    }

    /// Computes the FCS again; a bare frame has none.
    pub fn fill_fcs(&mut self) {
        if self.framing.fcs_len() > 0 {
            write_fcs(self.buffer.as_mut());
        }
    }
}

/// Writes the FCS over the last four bytes of `frame`.
pub(crate) fn write_fcs(frame: &mut [u8]) {
    let end = frame.len() - FCS_LEN;
    let fcs = frame_check_sequence(&frame[..end]);
    put(frame, end, &fcs);
}

/// The header of a frame, and how the frame ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EthernetRepr {
    /// Destination address.
    pub destination: MacAddress,
    /// Source address.
    pub source: MacAddress,
    /// What follows the header.
    pub ethertype: EtherType,
    /// How the frame ends.
    pub framing: Framing,
}

impl EthernetRepr {
    /// Reads a frame whose FCS, if it has one, is right.
    ///
    /// # Errors
    /// [`WireError::Field`] for an ethertype below 0x600 (an IEEE 802.3 length),
    /// [`WireError::Checksum`] for the FCS.
    pub fn parse<T: AsRef<[u8]>>(frame: &EthernetFrame<T>) -> Result<Self, WireError> {
        let ethertype = check_ethertype(FORMAT, frame.ethertype())?;
        frame.check_fcs()?;
        Ok(Self { destination: frame.destination(), source: frame.source(), ethertype, framing: frame.framing })
    }
}

/// Checks that an ethertype is not an IEEE 802.3 length.
pub(crate) fn check_ethertype(format: &'static str, ethertype: EtherType) -> Result<EtherType, WireError> {
    if ethertype >= EtherType::MIN {
        return Ok(ethertype);
    }
    Err(WireError::Field { format, field: "ethertype", found: ethertype.0.into(), valid: "0x600 to 0xffff" })
}

impl WireLayer for EthernetRepr {
    fn header_len(&self) -> usize {
        HEADER_LEN
    }

    fn buffer_len(&self, payload_len: usize) -> usize {
        (HEADER_LEN + payload_len + self.framing.fcs_len()).max(self.framing.frame_min())
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        check_ethertype(FORMAT, self.ethertype)?;
        let length = self.buffer_len(payload_len);
        at_most(FORMAT, length, self.framing.frame_max())?;
        let frame = room(FORMAT, buffer, length)?;
        put(frame, 0, &self.destination.0);
        put(frame, 6, &self.source.0);
        put_u16(frame, 12, self.ethertype.0);
        frame[HEADER_LEN + payload_len..].fill(0);
        if self.framing.fcs_len() > 0 {
            write_fcs(frame);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit_stack;

    fn header(framing: Framing) -> EthernetRepr {
        EthernetRepr {
            destination: MacAddress([2, 0, 0, 0, 7, 0xea]),
            source: MacAddress([2, 0, 0, 0, 0, 1]),
            ethertype: EtherType::IPV4,
            framing,
        }
    }

    #[test]
    fn the_crc_is_that_of_ethernet() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926, "the check value of CRC-32");
        let mut bytes = [0; FRAME_MIN];
        emit_stack(&[&header(Framing::Standard)], &[], &mut bytes).unwrap();
        assert_eq!(crc32fast::hash(&bytes), 0x2144_df1c, "the residue over a frame with its FCS");
    }

    #[test]
    fn a_short_payload_is_padded_to_the_least_frame_of_its_link() {
        assert_eq!(header(Framing::Standard).buffer_len(1), 64);
        assert_eq!(header(Framing::Hpc).buffer_len(1), 32);
        assert_eq!(header(Framing::Bare).buffer_len(1), 15);
        assert_eq!(header(Framing::Standard).buffer_len(9_000), 9_018);
    }

    #[test]
    fn a_jumbo_frame_is_bounded() {
        let mut buffer = vec![0; 10_000];
        assert_eq!(header(Framing::Standard).emit(&mut buffer, 9_004), Ok(()));
        let error = header(Framing::Standard).emit(&mut buffer, 9_005).unwrap_err();
        assert_eq!(error.to_string(), "Ethernet frame: 9023 bytes found; at most 9022 would be valid");
    }

    #[test]
    fn one_wrong_bit_is_caught_by_the_fcs() {
        let mut bytes = [0; FRAME_MIN];
        header(Framing::Standard).emit(&mut bytes, 0).unwrap();
        bytes[20] ^= 0x10;
        let mut frame = EthernetFrame::new(bytes, Framing::Standard).unwrap();
        assert!(matches!(EthernetRepr::parse(&frame), Err(WireError::Checksum { field: "FCS", .. })));
        frame.fill_fcs();
        assert_eq!(EthernetRepr::parse(&frame), Ok(header(Framing::Standard)));
    }

    #[test]
    fn a_length_is_not_an_ethertype() {
        let mut frame = EthernetFrame::new([0; 60], Framing::Bare).unwrap();
        frame.set_ethertype(EtherType(46));
        let error = EthernetRepr::parse(&frame).unwrap_err();
        assert_eq!(error.to_string(), "Ethernet frame: ethertype is 0x2e; 0x600 to 0xffff would be valid");
    }
}
