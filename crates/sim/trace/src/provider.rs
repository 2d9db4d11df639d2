//! Traces of Philae's libfabric provider: the requests of each process to its NIC, and the
//! completions that it read.
//!
//! The form is that of `crates/nic/provider/src/trace.rs`, which writes it. The records of both
//! sides match messages and receives. Messages between two endpoints with one tag are received in
//! the order in which they were sent, and receives take them in the order in which they were
//! posted. For a receive of any source, the sender of the received message resolves the source.
//!
//! The order of a process's calls is that of its tasks. Computation comes before the next call.
//! Operations begin without a wait. Whatever follows a completion that was read waits for its
//! operation. Whatever follows a wait for memory waits for the operations that changed it, if the
//! OpenSHMEM library has recorded these. One-sided and atomic operations become messages: a write
//! is a message and an answer, a read a request and its bytes.

mod messages;
mod records;
mod waits;

use crate::call::Calls;
use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::input::TraceFile;
use crate::schedule::TraceSchedule;
use crate::task::RANKS_MAX;

use self::records::ProcessTrace;
pub use self::records::has_operation;

/// The first bytes of a file of this form.
pub(crate) const MAGIC: [u8; 8] = *b"PHTRACE\x01";

/// The extension of its files.
pub const EXTENSION: &str = "phtrace";
/// The extension of the additional files that PEs of the OpenSHMEM library write.
pub const WAITS_EXTENSION: &str = "phwaits";

/// Reads the files of all processes, in any order: each names its rank.
pub(crate) fn read(files: &[TraceFile]) -> Result<TraceSchedule, TraceError> {
    let (said, files): (Vec<&TraceFile>, Vec<&TraceFile>) = files.iter().partition(|file| waits::is(file));
    let mut processes = files.iter().map(|file| records::read(file)).collect::<Result<Vec<ProcessTrace>, _>>()?;
    let said = said.into_iter().map(waits::read).collect::<Result<Vec<_>, _>>()?;
    let unknown = processes.iter().filter(|process| process.rank.is_none()).count();
    if unknown == processes.len() {
        // They have no ranks from a launcher: the order in which they were started is as good as
        // any.
        processes.sort_by_key(|process| (process.host, process.process));
        let copies =
            processes.windows(2).find(|pair| (pair[0].host, pair[0].process) == (pair[1].host, pair[1].process));
        if let Some([one, other]) = copies {
            let found = format!("the process of '{}' again", one.file);
            return Err(TraceError::whole(other.file, found, "one trace of each process"));
        }
        (0..).zip(&mut processes).for_each(|(rank, process)| process.rank = Some(rank));
    }
    processes.sort_by_key(|process| process.rank);
    for (rank, process) in (0..RANKS_MAX).zip(&processes) {
        if process.rank != Some(rank) {
            let found = match process.rank {
                Some(found) if found < rank => {
                    let other = processes.iter().find(|process| process.rank == Some(found));
                    format!("a second trace of rank {found}, after '{}'", other.map_or("", |process| process.file))
                }
                Some(found) => format!("rank {rank} has no file, but rank {found} has one"),
                None => "a process without a rank among others that have one".to_owned(),
            };
            let expected = "one trace of each rank from 0: the complete folder of one run";
            return Err(TraceError::whole(process.file, found, expected));
        }
    }
    let (ranks, warnings) = messages::tasks(&processes, said)?;
    TraceSchedule::of_tasks(TraceFormat::Provider, &files[0].name, ranks, Calls::default(), warnings)
}
