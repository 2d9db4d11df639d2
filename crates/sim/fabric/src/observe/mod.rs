//! Observation: counters, records, captures, telemetry and explanations.
//!
//! Nothing here influences a run. It may import the types of `model` that it describes.

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
