//! Reductions in the switch: the engines of one port, and the arithmetic that they do.
//!
//! Invariant: every contribution to an operation is in exactly one result, partial or whole, that goes up; none is in two.
//! An engine takes `now` and what came in and returns what to do; it knows no events and no packets. What must not depend
//! on the order of arrival (everything but the plain sum of doubles) does not.

mod double;
mod engine;
mod parameters;
mod reproducible;
mod value;

pub use engine::{Arm, Contribution, Outcome, PortEngines, ReductionKey, Refusal};
pub use parameters::CollectiveParameters;
pub use reproducible::{BINS, CONTRIBUTIONS_MAX, ReproducibleSum};
pub use value::{Operation, Value, ValueError};

/// Payload of an operation at most, in bytes.
pub const PAYLOAD_MAX: u32 = 32;
/// Reductions of one tree that may be under way at a time: a reduction id has 3 bits.
pub const REDUCTIONS_MAX: u8 = 8;
/// Multicast ids: 13 bits. As many trees exist at most.
pub const MULTICAST_IDS: u32 = 1 << 13;
