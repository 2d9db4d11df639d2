//! Fields of the transport, each as wide as on the wire.

use crate::WireError;
use crate::bits::bounded;
use std::fmt;

/// Packet sequence number (PSN) of a packet delivery context: 32 bits, which wrap.
///
/// Half of the numbers are after a number and half before it. Source: reference provider,
/// `uet_pds.c`. Status: published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Psn(pub u32);

impl Psn {
    /// The number `offset` after this one, or before it if negative.
    #[must_use]
    pub const fn offset(self, offset: i32) -> Self {
        Self(self.0.wrapping_add_signed(offset))
    }

    /// How many numbers this one comes after `base`; negative if it comes before.
    #[must_use]
    pub const fn distance_from(self, base: Self) -> i32 {
        self.0.wrapping_sub(base.0).cast_signed()
    }

    /// Whether this number comes after `other`.
    #[must_use]
    pub const fn is_after(self, other: Self) -> bool {
        self.distance_from(other) > 0
    }

    /// The distance from `base` as the 16-bit offset of headers.
    ///
    /// # Errors
    /// [`WireError::Field`] if it needs more bits.
    pub fn header_offset(self, base: Self) -> Result<i16, WireError> {
        let distance = self.distance_from(base);
        distance.try_into().map_err(|_| WireError::Field {
            format: "UET delivery header",
            field: "PSN offset",
            found: u64::from(distance.unsigned_abs()),
            valid: "-0x8000 to 0x7fff",
        })
    }
}

impl fmt::Display for Psn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Number of a packet delivery context (PDC) at one endpoint: 16 bits, of which 0 is reserved.
///
/// Source: reference provider, `uet_pds.c`; specification 1.0.1, section 3.5.11.5, as the public
/// data model cites it. Status: published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PdcId(pub u16);

impl fmt::Display for PdcId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

bounded!(
    /// Distance of a packet from the first packet of its PDC, while the PDC is set up: 12 bits.
    StartOffset(u16), 12, "UET delivery header", "PSN offset", "0 to 0xfff"
);
bounded!(
    /// Received bytes of a PDC, in units of [`RECEIVED_UNIT_BYTES`](super::congestion::RECEIVED_UNIT_BYTES): 24 bits,
    /// which wrap.
    ReceivedUnits(u32), 24, "UET congestion state", "received bytes", "0 to 0xffffff"
);
bounded!(
    /// Credit of the receiver, or a demand for it: 24 bits.
    TransportCredit(u32), 24, "UET congestion state", "credit", "0 to 0xffffff"
);
bounded!(
    /// By how much the receiver asks the sender to shrink its congestion window: 7 bits.
    WindowPenalty(u8), 7, "UET congestion state", "window penalty", "0 to 0x7f"
);
bounded!(
    /// The job that a message belongs to: 24 bits.
    JobId(u32), 24, "UET semantic header", "JobID", "0 to 0xffffff"
);
bounded!(
    /// The process at the fabric endpoint (FEP) that a message goes to: 12 bits.
    PidOnFep(u16), 12, "UET semantic header", "PIDonFEP", "0 to 0xfff"
);
bounded!(
    /// The resource of a process that a message goes to, such as a receive queue: 12 bits.
    ResourceIndex(u16), 12, "UET semantic header", "resource index", "0 to 0xfff"
);
bounded!(
    /// Bytes of one packet's payload, or of a message of one packet: 14 bits.
    SemanticLength(u16), 14, "UET semantic header", "length", "0 to 0x3fff"
);
bounded!(
    /// Identifier of a secure domain (SDI): 24 bits.
    SecureDomain(u32), 24, "UET security header", "SDI", "0 to 0xffffff"
);
bounded!(
    /// Packet counter of a secure domain, which makes each packet's nonce unique: 48 bits.
    SecurityCounter(u64), 48, "UET security header", "counter", "0 to 0xffffffffffff"
);
bounded!(
    /// Sequence number of a frame on a link with link layer retry (LLR): 20 bits, which wrap.
    LinkSequence(u32), 20, "UE ordered set", "sequence number", "0 to 0xfffff"
);
bounded!(
    /// Virtual channel of a link with credit-based flow control (CBFC): 5 bits.
    VirtualChannel(u8), 5, "UE ordered set", "virtual channel", "0 to 0x1f"
);
bounded!(
    /// Low bits of the count of freed credits of a virtual channel: 15 bits, which wrap.
    FreedCredits(u16), 15, "UE ordered set", "freed credits", "0 to 0x7fff"
);
bounded!(
    /// Count of consumed credits of a virtual channel: 20 bits, which wrap.
    ConsumedCredits(u32), 20, "UE credit update", "consumed credits", "0 to 0xfffff"
);

/// Defines a code: a number of which some values have names.
macro_rules! codes {
    (
        $(#[$meta:meta])* $name:ident, $mask:literal;
        $($(#[$doc:meta])* $constant:ident = $value:literal, $text:literal;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            $($(#[$doc])* pub const $constant: Self = Self($value);)*

            /// The codes that have a name, by number.
            pub const NAMED: &'static [Self] = &[$(Self::$constant),*];

            /// The code of the low bits of `value`, as wide as the field.
            #[must_use]
            pub const fn from_low_bits(value: u8) -> Self {
                Self(value & $mask)
            }

            /// As a number.
            #[must_use]
            pub const fn get(self) -> u8 {
                self.0
            }

            /// Its name, or `reserved`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($value => $text,)*
                    _ => "reserved",
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{} ({:#04x})", self.name(), self.0)
            }
        }
    };
}
pub(crate) use codes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_numbers_go_around() {
        let (last, first) = (Psn(u32::MAX), Psn(2));
        assert_eq!(first.distance_from(last), 3);
        assert_eq!(last.offset(3), first);
        assert_eq!(first.offset(-3), last);
        assert!(first.is_after(last) && !last.is_after(first) && !first.is_after(first));
        assert_eq!(last.header_offset(first), Ok(-3));
        assert!(matches!(
            Psn(0x8000).header_offset(Psn(0)),
            Err(WireError::Field { field: "PSN offset", found: 0x8000, .. })
        ));
    }
}
