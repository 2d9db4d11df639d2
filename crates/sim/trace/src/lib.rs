//! Schedules and traces of other tools, read as workloads and written.
//!
//! Invariant: bytes in, a schedule or an error with its place out. Any bytes get an answer, in
//! memory proportional to their number. Whatever a format says that the schedule does not honour is
//! a warning of the schedule, never silent. Deliberately absent: files, clocks, topology; the
//! scenario reads files, the fabric runs schedules.
//!
//! A new format is a module with a function from bytes to a [`TraceSchedule`], a variant of
//! [`TraceFormat`] and a line in [`import`].

mod call;
mod chakra;
mod detect;
mod error;
mod format;
pub mod goal;
mod htsim;
mod import;
mod input;
mod loggops;
mod other;
mod places;
mod provider;
mod runner;
mod schedule;
mod simai;
mod sizes;
mod smpi;
mod task;
mod text;
mod unroll;

pub use call::{COLLECTIVE_TAG, CallKind, Calls};
pub use error::TraceError;
pub use format::TraceFormat;
pub use import::import;
pub use input::{TraceFile, TraceOptions};
pub use loggops::{FinishTimes, LogGops, StuckSchedule};
pub use other::{marked_kind, other_kind};
pub use provider::{EXTENSION as PROVIDER_EXTENSION, WAITS_EXTENSION, has_operation};
pub use schedule::{Totals, TraceSchedule};
pub use sizes::read_sizes;
pub use smpi::{listed_files, only_rank, ranks_text};
pub use task::{RANK_TIME_MAX, RANKS_MAX, TaskKind, TraceTask};
pub use text::decimal;
pub use unroll::unroll;
