//! Fields narrower than the integer that holds them: each value fits its bits.

use crate::WireError;
use std::fmt;

macro_rules! bounded {
    ($(#[$meta:meta])* $name:ident($inner:ty), $bits:literal, $format:literal, $field:literal, $valid:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl $name {
            /// Width on the wire, in bits.
            pub const BITS: u32 = $bits;
            /// The largest value.
            pub const MAX: Self = Self((1 << $bits) - 1);

            /// A value that fits.
            ///
            /// # Errors
            /// [`WireError::Field`] if `value` needs more bits.
            pub const fn new(value: $inner) -> Result<Self, WireError> {
                if value <= Self::MAX.0 {
                    Ok(Self(value))
                } else {
                    Err(WireError::Field { format: $format, field: $field, found: value as u64, valid: $valid })
                }
            }

            /// The low bits of a wider field: for a view that extracts the field.
            #[must_use]
            pub const fn from_low_bits(value: $inner) -> Self {
                Self(value & Self::MAX.0)
            }

            /// As a number.
            #[must_use]
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(crate) use bounded;

bounded!(
    /// Priority code point of an 802.1Q tag: 3 bits.
    Priority(u8), 3, "802.1Q tag", "PCP", "0 to 7"
);
bounded!(
    /// VLAN identifier of an 802.1Q tag: 12 bits. 0 means priority only, 4095 is reserved; both are
    /// carried.
    VlanId(u16), 12, "802.1Q tag", "VID", "0 to 0xfff"
);
bounded!(
    /// Differentiated services code point of an IP header: 6 bits (RFC 2474).
    Dscp(u8), 6, "IPv4", "DSCP", "0 to 0x3f"
);
bounded!(
    /// Queue pair number of InfiniBand: 24 bits.
    QueuePair(u32), 24, "RoCEv2 BTH", "queue pair", "0 to 0xffffff"
);
bounded!(
    /// Packet sequence number of InfiniBand, and its message sequence number: 24 bits.
    PacketSequence(u32), 24, "RoCEv2 BTH", "sequence number", "0 to 0xffffff"
);
bounded!(
    /// VXLAN network identifier: 24 bits (RFC 7348).
    VxlanId(u32), 24, "VXLAN", "VNI", "0 to 0xffffff"
);
bounded!(
    /// Fabric address: 20 bits. The topology defines which of them are group, switch and port.
    Dfa(u32), 20, "fabric header", "DFA", "0 to 0xfffff"
);
bounded!(
    /// The process of a NIC: 12 bits after the fabric address.
    EndpointIndex(u16), 12, "fabric header", "endpoint index", "0 to 0xfff"
);
bounded!(
    /// Index into the sender's packet table (SPT), echoed by the answer: 11 bits.
    SptIndex(u16), 11, "fabric header", "SPT index", "0 to 0x7ff"
);
bounded!(
    /// How often a packet was sent before: 3 bits.
    TryCount(u8), 3, "fabric header", "try count", "0 to 7"
);
bounded!(
    /// Sequence number of a packet within its connection: 12 bits.
    ConnectionSequence(u16), 12, "message header", "sequence number", "0 to 0xfff"
);
bounded!(
    /// Index into the sender's connection table (SCT): 12 bits.
    SctIndex(u16), 12, "message header", "SCT index", "0 to 0xfff"
);
bounded!(
    /// Bytes of one packet or of a small message: 12 bits.
    PacketLength(u16), 12, "message header", "length", "0 to 0xfff"
);
bounded!(
    /// Bytes of a rendezvous message that travel eagerly: 20 bits.
    EagerLength(u32), 20, "message header", "eager length", "0 to 0xfffff"
);
bounded!(
    /// The operation of a message: 4 bits.
    MessageOperation(u8), 4, "message header", "operation", "0 to 0xf"
);
bounded!(
    /// Extension of the endpoint's index: 5 bits, in addition to the 12 of a fabric address.
    IndexExtension(u8), 5, "message header", "index extension", "0 to 0x1f"
);
bounded!(
    /// Extension of a packet's name, the SPT index: 2 bits.
    PacketIdExtension(u8), 2, "message header", "packet id extension", "0 to 3"
);
bounded!(
    /// Byte of the target's memory, counted from the start of its list entry: 56 bits.
    RemoteOffset(u64), 56, "message header", "remote offset", "0 to 0xffffffffffffff"
);
bounded!(
    /// Flow label of an IPv6 header: 20 bits (RFC 8200).
    FlowLabel(u32), 20, "IPv6", "flow label", "0 to 0xfffff"
);
bounded!(
    /// Sequence number of link-level retry: 12 bits, twice what may be in flight (see
    /// `link_retry`).
    RetrySequence(u16), 12, "link retry", "sequence number", "0 to 0xfff"
);

/// Explicit congestion notification, the low 2 bits of an IP header's second byte.
///
/// Source: RFC 3168.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ecn {
    /// 0: the transport does not understand marks.
    #[default]
    NotCapable,
    /// 1: it does.
    Capable1,
    /// 2: it does; the value that senders usually write.
    Capable0,
    /// 3: a switch experienced congestion.
    Congested,
}

impl Ecn {
    /// From the low 2 bits of a byte.
    #[must_use]
    pub const fn from_low_bits(value: u8) -> Self {
        match value & 3 {
            0 => Self::NotCapable,
            1 => Self::Capable1,
            2 => Self::Capable0,
            _ => Self::Congested,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_value_fits_and_one_more_is_refused_with_the_range() {
        assert_eq!(VlanId::new(4_095), Ok(VlanId::MAX));
        let error = VlanId::new(4_096).unwrap_err();
        assert_eq!(error.to_string(), "802.1Q tag: VID is 0x1000; 0 to 0xfff would be valid");
    }
}
