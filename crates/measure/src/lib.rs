//! What a run recorded: columns, histograms, Parquet tables, the report.
//!
//! Invariant: `measure` reads what a run recorded and never influences a run. Floating point lives here and nowhere
//! upstream. Deliberately absent: the model, the scenario's types (a scenario arrives as JSON and as text), the network.

pub mod fairness;
pub mod histogram;
pub mod percentile;
pub mod record;

pub use histogram::Histogram;
