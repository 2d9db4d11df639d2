//! Published experiments, validation against the targets, and benchmarks.
//!
//! Invariant: an experiment is a list of scenarios and a way to read their records; every figure it reports comes from
//! a run, and none is scaled, clamped or fitted. The targets are the project's own copy of the published results, with
//! their sources; rows marked `predict` are outcomes.

mod experiment;
mod experiments;
mod probe;
mod runner;
mod target;
#[cfg(test)]
mod testing;

pub use experiment::{Context, Experiment, Finding, Outcome};
pub use experiments::experiments;
pub use runner::{Cell, CellProgress, Runner, StudyError};
pub use target::{Target, TargetUse, Tolerance, targets};
