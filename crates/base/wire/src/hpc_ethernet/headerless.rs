//! A frame without an Ethernet header: an IP packet, or one with a fabric header, padding to 32
//! bytes, FCS.
//!
//! ```text
//! [ IPv4 or fabric header ... ][ payload ... padding ][ FCS 4 ]
//! ```
//! The public header files call this the optimised format, next to the standard one. The bytes of a
//! frame do not show whether it has an Ethernet header; here the caller knows. On a link the
//! preamble would show it, whose content is not public.
//!
//! Source: De Sensi et al., SC'20, II-F; cassini-headers. Status: assumed that padding and FCS are
//! as with a header.

use crate::bytes::{at_least, at_most, expect, room, view};
use crate::ethernet::{FCS_LEN, FRAME_MAX, HPC_FRAME_MIN, check_fcs, write_fcs};
use crate::{WireError, WireLayer};

const FORMAT: &str = "headerless frame";

fn check(bytes: &[u8]) -> Result<(), WireError> {
    at_least(FORMAT, bytes, HPC_FRAME_MIN)?;
    at_most(FORMAT, bytes.len(), FRAME_MAX)?;
    expect(FORMAT, "IP version", bytes[0] >> 4, 4_u8, "4")
}

view!(
    /// A view over one whole frame: from the first byte of the packet to the last of the FCS.
    HeaderlessFrame,
    check
);

impl<T: AsRef<[u8]>> HeaderlessFrame<T> {
    /// The packet and the padding behind it.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[..self.bytes().len() - FCS_LEN]
    }
}

/// The addition of a headerless frame to its packet: padding and FCS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeaderlessRepr;

impl HeaderlessRepr {
    /// Reads a frame whose FCS is right.
    ///
    /// # Errors
    /// [`WireError::Checksum`].
    pub fn parse<T: AsRef<[u8]>>(frame: &HeaderlessFrame<T>) -> Result<Self, WireError> {
        check_fcs(FORMAT, frame.bytes()).map(|()| Self)
    }
}

impl WireLayer for HeaderlessRepr {
    fn header_len(&self) -> usize {
        0
    }

    fn buffer_len(&self, payload_len: usize) -> usize {
        (payload_len + FCS_LEN).max(HPC_FRAME_MIN)
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        let length = self.buffer_len(payload_len);
        at_most(FORMAT, length, FRAME_MAX)?;
        let frame = room(FORMAT, buffer, length)?;
        expect(FORMAT, "IP version", frame[0] >> 4, 4_u8, "4")?;
        frame[payload_len..].fill(0);
        write_fcs(frame);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{fabric, message};
    use super::*;
    use crate::{Dscp, Ecn, IndexExtension, PacketLength, RemoteOffset, SptIndex, TryCount, emit_stack, stack_len};

    #[test]
    fn a_restricted_put_of_eight_bytes_takes_43() {
        let fabric = fabric::FabricRepr {
            dscp: Dscp::default(),
            ecn: Ecn::Capable0,
            vni: 1,
            try_count: TryCount::default(),
            spt_index: SptIndex::default(),
            time_to_live: 16,
            source: fabric::ProcessAddress::default(),
            destination: fabric::ProcessAddress::default(),
        };
        let put = message::MessageRepr::Restricted {
            first: message::First::default(),
            index_extension: IndexExtension::default(),
            remote_offset: RemoteOffset::default(),
            source_error: false,
            request_length: PacketLength::new(8).unwrap(),
        };
        assert_eq!(stack_len(&[&HeaderlessRepr, &fabric, &put], 8), 43, "20 + 11 + 8 + 4");
        assert_eq!(stack_len(&[&HeaderlessRepr, &fabric], 0), HPC_FRAME_MIN, "20 + 4, padded");
        let mut bytes = [0; 43];
        emit_stack(&[&HeaderlessRepr, &fabric, &put], b"datadata", &mut bytes).unwrap();
        let frame = HeaderlessFrame::new(bytes).unwrap();
        assert_eq!(HeaderlessRepr::parse(&frame), Ok(HeaderlessRepr));
        let packet = fabric::FabricPacket::new(frame.payload()).unwrap();
        assert_eq!(message::MessagePacket::new(packet.payload()).unwrap().payload(), b"datadata");
    }

    #[test]
    fn what_is_no_ip_packet_needs_a_header() {
        assert!(matches!(
            HeaderlessRepr.emit(&mut [0; 32], 20),
            Err(WireError::Field { field: "IP version", found: 0, .. })
        ));
        assert!(HeaderlessFrame::new([0x60; 32]).is_err());
    }
}
