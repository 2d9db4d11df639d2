//! Ethernet addresses.

use crate::WireError;
use std::fmt;
use std::str::FromStr;

/// An Ethernet address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// All stations on the link.
    ///
    /// Source: IEEE 802.3. Status: published.
    pub const BROADCAST: Self = Self([0xff; 6]);
    /// Destination of pause and PFC frames; bridges do not forward it.
    ///
    /// Source: IEEE 802.3 annex 31B, IEEE 802.1Qbb. Status: published.
    pub const PAUSE: Self = Self([0x01, 0x80, 0xc2, 0x00, 0x00, 0x01]);
    /// The nearest bridge: destination of LLDP and FGFC frames.
    ///
    /// Source: IEEE 802.1AB; cassini-headers for FGFC. Status: published.
    pub const NEAREST_BRIDGE: Self = Self([0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e]);

    /// Whether it names a group of stations (broadcast included).
    #[must_use]
    pub const fn is_group(self) -> bool {
        self.0[0] & 0x01 != 0
    }

    /// Whether another authority than the IEEE assigned it, such as the algorithm that makes a
    /// NIC's address from its DFA.
    #[must_use]
    pub const fn is_local(self) -> bool {
        self.0[0] & 0x02 != 0
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl FromStr for MacAddress {
    type Err = WireError;

    fn from_str(text: &str) -> Result<Self, WireError> {
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for (position, byte) in bytes.iter_mut().enumerate() {
            *byte = parts
                .next()
                .filter(|part| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit()))
                .and_then(|part| u8::from_str_radix(part, 16).ok())
                .ok_or(WireError::AddressText { position })?;
        }
        if parts.next().is_none() { Ok(Self(bytes)) } else { Err(WireError::AddressText { position: 6 }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_prints_as_it_is_read() {
        let text = "02:00:00:00:07:ea";
        let address: MacAddress = text.parse().unwrap();
        assert_eq!(address.to_string(), text);
        assert!(address.is_local() && !address.is_group());
    }

    #[test]
    fn a_text_that_is_no_address_names_the_byte() {
        let position = |text: &str| match text.parse::<MacAddress>() {
            Err(WireError::AddressText { position }) => position,
            other => panic!("{text} gave {other:?}"),
        };
        assert_eq!(position(""), 0);
        assert_eq!(position("02:0:00:00:00:00"), 1);
        assert_eq!(position("02:00:+1:00:00:00"), 2);
        assert_eq!(position("02:00:00:00:00"), 5);
        assert_eq!(position("02:00:00:00:00:00:00"), 6);
    }
}
