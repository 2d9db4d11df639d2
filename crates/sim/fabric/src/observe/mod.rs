//! Observation: counters, records, captures, telemetry and explanations.
//!
//! Nothing here influences a run. `recorder`, `observer` and what they have define what a partition
//! keeps of it; all else reads partitions.

pub mod activity;
pub mod capture;
pub mod counters;
pub mod explain;
pub mod losses;
pub mod observer;
pub mod record;
pub mod recorder;
pub mod row_counts;
pub mod telemetry;
