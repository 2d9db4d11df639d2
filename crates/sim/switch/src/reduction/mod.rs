//! Reductions in the switch: the engines of one port, and their arithmetic.
//!
//! Invariant: every contribution to an operation is in exactly one result, partial or complete,
//! that goes up; none is in two. An engine takes `now` and its input and returns what to do; it
//! knows no events and no packets. Results do not depend on the order of arrival, except for the
//! plain sum of doubles.

mod double;
mod engine;
mod parameters;
mod reproducible;
mod value;

pub use engine::{Arm, Contribution, ContributionOutcome, PortEngines, ReductionKey, ReductionRefusal};
pub use parameters::CollectiveParameters;
pub use reproducible::{BINS, CONTRIBUTIONS_MAX, ReproducibleSum};
pub use value::{OffloadOperation, Operands, ValueError};

/// Largest payload of an operation, in bytes.
pub const PAYLOAD_MAX: u32 = 32;
/// Reductions of one tree that may be in progress at a time: a reduction id has 3 bits.
pub const REDUCTIONS_MAX: u8 = 8;
/// Number of multicast ids (13 bits), and so the most trees.
pub const MULTICAST_IDS: u32 = 1 << 13;
