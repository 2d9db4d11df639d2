//! The header of the transport security sublayer (TSS). What is behind it is encrypted and stays
//! unread; an authentication tag ends the packet instead of a CRC.
//!
//! ```text
//! bits  31..27          26   25  24   23..0
//! 0     [packet type 1 ][SSI?][0][key][secure domain 24]
//! 4     [source 32, only if there is one (SSI)]
//! 4, 8  [epoch 16 | counter 48]
//! ```
//! Ignored on receipt and written as zero: the reserved bit.
//!
//! Wireshark has an earlier layout of always 18 bytes, in a header that it says has 20. Source:
//! reference provider; a public data model of specification 1.0.1 agrees. Status: published.

use super::fields::{SecureDomain, SecurityCounter};
use super::prologue::UetPacketType;
use crate::WireError;
use crate::bytes::{at_least, expect, put_u16, put_u24, put_u32, put_u48, u16_at, u24_at, u32_at, u48_at};

const FORMAT: &str = "UET security header";

/// Bytes without a source. Source: reference provider. Status: published.
pub const HEADER_LEN: usize = 12;
/// Bytes with a source. Source: reference provider. Status: published.
pub const HEADER_WITH_SOURCE_LEN: usize = 16;
/// Bytes of the authentication tag (AES-GCM). Source: reference provider. Status: published.
pub const TAG_LEN: usize = 16;

const HAS_SOURCE: u8 = 0x04;
const KEY: u8 = 0x01;

/// A security header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecurityRepr {
    /// Which of two keys is used (association number): it changes when keys rotate.
    pub key: bool,
    /// The secure domain.
    pub domain: SecureDomain,
    /// The source's own identifier (SSI), if its address does not identify it.
    pub source: Option<u32>,
    /// The epoch of the counter.
    pub epoch: u16,
    /// The packet's number within the domain.
    pub counter: SecurityCounter,
}

impl SecurityRepr {
    /// Bytes of the header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        if self.source.is_some() { HEADER_WITH_SOURCE_LEN } else { HEADER_LEN }
    }

    /// Reads the header at the front of `bytes`.
    ///
    /// # Errors
    /// [`WireError::Short`] if the bytes end before the header does, [`WireError::Field`] for
    /// another packet type.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        at_least(FORMAT, bytes, HEADER_LEN)?;
        expect(FORMAT, "packet type", bytes[0] >> 3, UetPacketType::Security as u8, "1")?;
        let has_source = bytes[0] & HAS_SOURCE != 0;
        let at = if has_source { 8 } else { 4 };
        at_least(FORMAT, bytes, at + 8)?;
        Ok(Self {
            key: bytes[0] & KEY != 0,
            domain: SecureDomain::from_low_bits(u24_at(bytes, 1)),
            source: has_source.then(|| u32_at(bytes, 4)),
            epoch: u16_at(bytes, at),
            counter: SecurityCounter::from_low_bits(u48_at(bytes, at + 2)),
        })
    }

    pub(super) fn emit(&self, bytes: &mut [u8]) {
        let has_source = if self.source.is_some() { HAS_SOURCE } else { 0 };
        bytes[0] = (UetPacketType::Security as u8) << 3 | has_source | u8::from(self.key);
        put_u24(bytes, 1, self.domain.get());
        let at = match self.source {
            None => 4,
            Some(source) => {
                put_u32(bytes, 4, source);
                8
            }
        };
        put_u16(bytes, at, self.epoch);
        put_u48(bytes, at + 2, self.counter.get());
    }
}
