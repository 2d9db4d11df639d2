//! Traces of Philae's libfabric provider: what each process asked of its NIC, and which completions it read.
//!
//! The form is that of `crates/provider/src/trace.rs`, which writes it. A message meets its receive by what both sides have
//! written down: messages between two endpoints with one tag are received in the order in which they were sent, and receives
//! take them in the order in which they were posted. A receive of any source is resolved by whom it got its message from.
//!
//! What becomes of it: the order of a process's calls is that of its tasks. Computation comes before what was called after
//! it. Operations are begun and not waited for; whatever comes after a completion that was read waits for its operation.
//! Whatever comes after a wait for memory waits for the operations that changed it, where the OpenSHMEM library has said so.
//! One-sided and atomic operations become messages: a write is a message and an answer, a read a question and its bytes.

mod messages;
mod records;
mod waits;

use crate::File;
use crate::call::Calls;
use crate::error::TraceError;
use crate::format::Format;
use crate::schedule::{RANKS_MAX, Schedule};

use self::records::Process;

/// What a file of this form begins with.
pub(crate) const MAGIC: [u8; 8] = *b"PHTRACE\x01";

/// How the names of its files end.
pub const EXTENSION: &str = "phtrace";
/// How those end that PEs of the OpenSHMEM library write beside them.
pub const WAITS_EXTENSION: &str = "phwaits";

/// Reads the files of all processes, in any order: each names its rank.
pub(crate) fn read(files: &[File]) -> Result<Schedule, TraceError> {
    let (said, files): (Vec<&File>, Vec<&File>) = files.iter().partition(|file| waits::is(file));
    let mut processes = files.iter().map(|file| records::read(file)).collect::<Result<Vec<Process>, _>>()?;
    let said = said.into_iter().map(waits::read).collect::<Result<Vec<_>, _>>()?;
    let unknown = processes.iter().filter(|process| process.rank.is_none()).count();
    if unknown == processes.len() {
        // Nobody has told them: the order in which they were started is as good as any.
        processes.sort_by_key(|process| (process.host, process.process));
        (0..).zip(&mut processes).for_each(|(rank, process)| process.rank = Some(rank));
    }
    processes.sort_by_key(|process| process.rank);
    for (rank, process) in (0..RANKS_MAX).zip(&processes) {
        if process.rank != Some(rank) {
            let found = match process.rank {
                Some(found) if found < rank => format!("a second trace of rank {found}"),
                Some(found) => format!("rank {rank} has no file: rank {found} comes next"),
                None => "a process without a rank beside others that have one".to_owned(),
            };
            let expected = "one trace of each rank from 0: the folder of one run, whole";
            return Err(TraceError::whole(process.file, found, expected));
        }
    }
    let (ranks, warnings) = messages::tasks(&processes, said)?;
    Schedule::of_tasks(Format::Provider, &files[0].name, ranks, Calls::default(), warnings)
}
