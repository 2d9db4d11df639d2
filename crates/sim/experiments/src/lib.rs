//! Published experiments, validation against the targets, and benchmarks.
//!
//! Invariant: an experiment is a list of scenarios and a method that reads their records; every
//! figure it reports comes from a run, and none is scaled, clamped or fitted. The targets are the
//! project's own copy of the published results, with their sources; rows marked `predict` are
//! outcomes.

mod agreement;
mod bench;
mod cause;
mod change;
mod document;
mod experiment;
mod experiments;
pub mod explain;
pub mod fluid;
pub mod gpcnet;
pub mod memory;
pub mod osu;
mod part;
mod pcap;
mod probe;
mod report;
mod resume;
mod runner;
mod seeds;
mod target;
#[cfg(test)]
mod testing;
mod validate;

pub use agreement::finding_chart;
pub use bench::{
    BENCH_SIZES, BenchCase, BenchDocument, BenchReport, BenchResult, bench, bench_cases, performance_document,
};
pub use cause::{Examined, Probe, cause_table, examine};
pub use change::KeyChange;
pub use document::{ValidationDocument, validation_document};
pub use experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
pub use experiments::{experiments, probes};
pub use part::{PartKind, part_name};
pub use pcap::{CaptureError, PcapFiles, counts_text};
pub use report::{Ran, study_report};
pub use resume::FindingsFolder;
pub use runner::{Cell, CellProgress, CellRunner, StudyError};
pub use seeds::{SeedSpread, run_with_seeds, seeds_of};
pub use target::{Target, TargetUse, Tolerance, targets};
pub use validate::{ValidationReport, ValidationRow, ValidationStep, finding_table, validate};
