//! Segmentation: from a message to packets, and from a packet to bytes on the wire.

use crate::parameters::NicParameters;
use philae_units::Bytes;

/// Number of packets of a message. A message without payload is one packet.
#[must_use]
pub const fn packet_count(nic: &NicParameters, size: Bytes) -> u64 {
    if size.0 == 0 { 1 } else { size.0.div_ceil(nic.payload_max_bytes as u64) }
}

/// Payload of the packet that starts at `offset`.
#[inline]
#[must_use]
pub const fn packet_payload(nic: &NicParameters, size: Bytes, offset: u64) -> u32 {
    let rest = size.0 - offset;
    if rest < nic.payload_max_bytes as u64 { rest as u32 } else { nic.payload_max_bytes }
}

/// Bytes of a packet on a fabric link: headers, payload, per-unit overhead, padding to the least
/// frame.
///
/// Excludes the gap that standard Ethernet leaves between packets: the edge link adds it.
#[inline]
#[must_use]
pub const fn wire_bytes(nic: &NicParameters, payload: u32, first: bool) -> u32 {
    let header = if first { nic.header_first_bytes } else { nic.header_next_bytes };
    let units = if nic.unit_payload_bytes == 0 { 0 } else { payload.div_ceil(nic.unit_payload_bytes) };
    let bytes = header + payload + units * nic.unit_header_bytes;
    if bytes < nic.frame_min_bytes { nic.frame_min_bytes } else { bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn roce_headers_are_62_bytes() {
        let nic = NicParameters::connectx_5();
        assert_eq!(wire_bytes(&nic, 4_096, true), 4_158, "SC20 II-G: 26 + 20 + 8 + 14 + 4");
        assert_eq!(wire_bytes(&nic, 4_096, false), 4_158);
        assert_eq!(wire_bytes(&nic, 1, true), 72, "a 64-byte frame and its preamble");
    }

    #[test]
    fn hpc_frames_may_be_32_bytes() {
        let nic = NicParameters::cassini_1();
        assert!(nic.frame_min_bytes == 32);
        assert_eq!(wire_bytes(&nic, 2_048, false), 2_048 + 37);
    }

    proptest! {
        #[test]
        fn every_byte_travels_once(size in 0_u64..300_000) {
            let nic = NicParameters::connectx_5();
            let (mut offset, mut packets) = (0, 0);
            loop {
                offset += u64::from(packet_payload(&nic, Bytes(size), offset));
                packets += 1;
                if offset == size { break; }
            }
            prop_assert_eq!(packets, packet_count(&nic, Bytes(size)));
        }
    }
}
