//! The record of a run: columns, histograms, Parquet tables, the report.
//!
//! Invariant: `measure` reads what a run recorded and never influences a run. Floating point lives
//! here and nowhere upstream. Deliberately absent: the model, the scenario's types (a scenario
//! arrives as JSON and as text), the network.
//!
//! [`record`] is the border: the fabric fills a [`record::RunRecord`], and from there [`summary`]
//! and [`utilisation`] compute figures, [`tables`] and [`result`] write a result folder, [`report`]
//! draws the page and [`text`] prints for a terminal.

pub mod bound;
pub mod chart;
pub mod columns;
pub mod compare;
pub mod counter;
pub mod error;
pub mod explain;
pub mod export;
pub mod fairness;
pub mod fault;
pub mod figures;
pub mod format;
pub mod histogram;
pub mod interval;
mod kind;
pub mod latency;
pub mod names;
pub mod open_messages;
pub mod percentile;
mod place;
pub mod record;
pub mod report;
pub mod result;
pub mod seeds;
pub mod span;
pub mod summary;
pub mod synthetic;
mod table;
pub mod tables;
pub mod text;
pub mod timeline;
mod unfinished;
pub mod utilisation;
mod whole;

pub use error::{MeasureError, unwritten_words};
pub use figures::figures;
pub use histogram::Histogram;
pub use kind::{CHECKPOINT_MARK, FileKind};
pub use place::{Earlier, HeldFolder, RunIdentity, Settled, numbered};
pub use report::{StudyReport, StudySection, TableRow, Verdict, run_report};
pub use result::{ResultFolder, RunDescription, UnwrittenFile, write_result};
pub use summary::RunSummary;
pub use tables::{schema_text, tables};
pub use unfinished::{MadeFolders, check_folder, remove_unfinished};
pub use whole::{WholeFile, is_input, is_inside, is_regular, write_own, write_whole};
