//! What a stream is drawn for; part of its name.

/// Where on the line the next error is.
pub const BIT_ERROR: u64 = u64::from_be_bytes(*b"lk-error");
/// When the next flap comes and how long it takes.
pub const FLAP: u64 = u64::from_be_bytes(*b"lk-flap-");
