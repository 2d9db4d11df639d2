//! Errors: bytes that are not a frame, and values that cannot be written.

use thiserror::Error;

/// An error in bytes, or in a value that should become bytes. Every variant names the format first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// Fewer bytes than the format needs or announces.
    #[error("{format}: {found} bytes found; at least {wanted} would be valid")]
    Short {
        /// The format.
        format: &'static str,
        /// Bytes needed.
        wanted: usize,
        /// Bytes found.
        found: usize,
    },
    /// More bytes than the format can hold.
    #[error("{format}: {found} bytes found; at most {limit} would be valid")]
    Long {
        /// The format.
        format: &'static str,
        /// The most that it holds.
        limit: usize,
        /// Bytes found.
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
        /// The valid values.
        valid: &'static str,
    },
    /// A checksum that does not match the bytes it covers.
    #[error("{format}: {field} is {found:#x}; the bytes give {computed:#x}")]
    Checksum {
        /// The format.
        format: &'static str,
        /// "checksum", "FCS" or "ICRC".
        field: &'static str,
        /// The value in the frame.
        found: u32,
        /// The value computed from the bytes.
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
        /// Which of the six bytes, from 0; 6 if something follows them.
        position: usize,
    },
}
