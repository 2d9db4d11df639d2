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
pub use loggops::{FinishTimes, LogGops, StuckSchedule};
pub use other::{marked_kind, other_kind};
pub use provider::{EXTENSION as PROVIDER_EXTENSION, WAITS_EXTENSION};
pub use schedule::{Totals, TraceSchedule};
pub use sizes::read_sizes;
pub use smpi::{listed_files, only_rank, ranks_text};
pub use task::{RANK_TIME_MAX, RANKS_MAX, TaskKind, TraceTask};
pub use text::decimal;
pub use unroll::unroll;

use philae_units::Bytes;

/// A file: its name, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// Name for errors and for the detection of the format.
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// Values that files leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Floating-point operations of a core per second.
    pub flops_per_second: Option<u64>,
    /// Bytes that memory moves per second.
    pub memory_bytes_per_second: Option<u64>,
    /// Size of the message with which a trigger reaches another rank.
    pub trigger_bytes: Bytes,
    /// Ranks of the job, for files that do not give their number.
    pub ranks: Option<u32>,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { flops_per_second: None, memory_bytes_per_second: None, trigger_bytes: Bytes(8), ranks: None }
    }
}

/// Reads a schedule. Several files are one for each rank, in the order of ranks.
///
/// ```
/// use philae_trace::{TraceFile, TraceFormat, TraceOptions, import};
///
/// let text = "num_ranks 2\nrank 0 {\na: calc 100\nb: send 8b to 1\nb requires a\n}\nrank 1 {\nrecv 8b from 0\n}\n";
/// let file = TraceFile { name: "small.goal".to_owned(), bytes: text.into() };
/// let schedule = import(TraceFormat::Goal, &[file], &TraceOptions::default())?;
/// assert_eq!(schedule.totals().sends, 1);
/// # Ok::<(), philae_trace::TraceError>(())
/// ```
///
/// # Errors
/// [`TraceError`], with the place, what was found and what was expected.
pub fn import(format: TraceFormat, files: &[TraceFile], options: &TraceOptions) -> Result<TraceSchedule, TraceError> {
    let Some(first) = files.first() else {
        return Err(TraceError::whole("", "no file", "at least one"));
    };
    let per_rank = matches!(format, TraceFormat::Smpi | TraceFormat::Chakra | TraceFormat::Provider);
    if files.len() > 1 && !per_rank {
        let found = format!("{} files", files.len());
        return Err(TraceError::whole(&first.name, found, format!("one: a {format} contains all ranks")));
    }
    match format {
        TraceFormat::Goal => goal::read_text(&first.name, &first.bytes),
        TraceFormat::GoalBinary => goal::read_binary(&first.name, &first.bytes),
        TraceFormat::Smpi => smpi::read(files, options),
        TraceFormat::SimAi => simai::read(&first.name, &first.bytes, options.ranks),
        TraceFormat::Htsim => htsim::read(&first.name, &first.bytes, options),
        TraceFormat::Chakra => chakra::read(files, options),
        TraceFormat::Provider => provider::read(files),
    }
}
