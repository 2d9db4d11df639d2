//! Rates instead of packets: the same runs, faster and less exact.
//!
//! Invariant: rates are max-min fair over pooled links, and no link carries more than its capacity
//! over any time. A run takes the input of the packet simulator and gives the same record. It
//! refuses what rates cannot represent, and reports their known errors with the result. The same
//! input gives the same result, bit for bit: sums are taken in a fixed order.
//!
//! Deliberately absent: packets, queues, credits, retries; files and clocks.

mod check;
mod classes;
mod doubt;
mod error;
mod flows;
mod host;
mod law;
mod limits;
mod paths;
mod record;
mod run;
mod share;

pub use error::FluidError;
pub use flows::{SETTLE_MIN_PS, SETTLE_PART};
pub use limits::{JobKind, JobObservations, Stop};
pub use run::{FluidRun, FluidSimulation, JobTold};
