//! Why bytes are not a frame, or a value cannot be written.

use thiserror::Error;

/// What is wrong with bytes, or with a value that should become bytes. Every variant names the format first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// Too few bytes for what the format needs or says of itself.
    #[error("{format}: {found} bytes found; at least {wanted} would be valid")]
    Short {
        /// The format.
        format: &'static str,
        /// Bytes it needs.
        wanted: usize,
        /// Bytes there are.
        found: usize,
    },
    /// More bytes than the format can hold.
    #[error("{format}: {found} bytes found; at most {limit} would be valid")]
    Long {
        /// The format.
        format: &'static str,
        /// The most that it holds.
        limit: usize,
        /// Bytes there are.
        found: usize,
    },
    /// A field with a value that the format does not have.
    #[error("{format}: {field} is {found:#x}; {valid} would be valid")]
    Field {
        /// The format.
        format: &'static str,
        /// The field, in the standard's words.
        field: &'static str,
        /// Its value.
        found: u64,
        /// What would have been accepted.
        valid: &'static str,
    },
    /// A checksum that does not fit the bytes it covers.
    #[error("{format}: {field} is {found:#x}; the bytes give {computed:#x}")]
    Checksum {
        /// The format.
        format: &'static str,
        /// "checksum", "FCS" or "ICRC".
        field: &'static str,
        /// What the frame carries.
        found: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// A buffer that is too small to write into.
    #[error("{format}: the buffer has {found} bytes; {wanted} are needed to write it")]
    NoRoom {
        /// The format.
        format: &'static str,
        /// Bytes needed.
        wanted: usize,
        /// Bytes of the buffer.
        found: usize,
    },
    /// A text that is not an address.
    #[error(
        "MAC address: byte {position} of the text is not valid; six hexadecimal bytes with colons, like 02:00:00:00:07:ea, would be"
    )]
    AddressText {
        /// Which of the six bytes, from 0; 6 where something follows them.
        position: usize,
    },
}
