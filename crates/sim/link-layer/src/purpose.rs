//! The purpose of a random stream; part of its name.

/// Position of the next error on the line.
pub const BIT_ERROR: u64 = u64::from_be_bytes(*b"lk-error");
/// Time and length of the next flap.
pub const FLAP: u64 = u64::from_be_bytes(*b"lk-flap-");
