//! Reading of a schedule in any format.

use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::input::{TraceFile, TraceOptions};
use crate::schedule::TraceSchedule;
use crate::{chakra, goal, htsim, provider, simai, smpi};

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
