//! Reading LogGOPSim's binary form: a header, a table of ranks, then roots, nodes and lists of
//! dependents of each rank. Little-endian, packed; offsets of ranks count from byte 8.

use philae_units::counted;
use philae_workload::MESSAGE_BYTES_MAX;

use super::{Kind, NANOSECONDS_MAX, task, warnings};
use crate::call::Calls;
use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::places::OperationNumbers;
use crate::schedule::TraceSchedule;
use crate::task::{RANKS_MAX, TraceTask};

/// The first eight bytes, as a number.
pub const COOKIE: u64 = 4_223;

/// Offsets count from after the cookie.
pub(super) const OFFSET_BASE: usize = 8;
/// Cookie, ranks, largest stream, largest NIC.
pub(super) const HEADER: usize = 14;
/// Start and end of a rank's part.
pub(super) const TABLE_ROW: usize = 16;
/// A send, receive or computation.
pub(super) const NODE: usize = 39;

/// Reads a file.
pub fn read(file: &str, bytes: &[u8]) -> Result<TraceSchedule, TraceError> {
    let source = Source { file, bytes };
    let cookie = source.u64(0)?;
    if cookie != COOKIE {
        return Err(source.error(0, cookie.to_string(), &format!("{COOKIE}, the beginning of binary GOAL")));
    }
    let count = source.u32(8)? as usize;
    let fits = bytes.len().saturating_sub(HEADER) / TABLE_ROW;
    if count == 0 || count > fits.min(RANKS_MAX as usize) {
        let expected =
            format!("1 to {} ranks, of which each has {TABLE_ROW} bytes in the table", fits.min(RANKS_MAX as usize));
        return Err(source.error(8, format!("{count} ranks"), &expected));
    }
    let ranks: Result<Vec<Vec<TraceTask>>, TraceError> = (0..count).map(|rank| read_rank(&source, rank)).collect();
    let ranks = ranks?;
    let mut warnings = warnings(&ranks);
    let last = (0..count).map(|rank| source.u64(HEADER + rank * TABLE_ROW + 8)).try_fold(0, |last, end| {
        end.map(|end| usize::try_from(end).map_or(bytes.len(), |end| end + OFFSET_BASE).max(last))
    })?;
    if last < bytes.len() {
        let left = counted(bytes.len() - last, "byte");
        warnings.push(format!("{left} behind the part of the last rank, from byte {last} on, are not read"));
    }
    // The format has no labels: nodes are counted in each rank's part.
    let places = OperationNumbers::new("node", ranks.iter().map(|tasks| (0..tasks.len() as u64).collect()).collect());
    TraceSchedule::of_places(TraceFormat::GoalBinary, file, ranks, Calls::default(), warnings, places)
}

struct Source<'a> {
    file: &'a str,
    bytes: &'a [u8],
}

impl Source<'_> {
    fn error(&self, offset: usize, found: String, expected: &str) -> TraceError {
        TraceError::Byte { file: self.file.to_owned(), offset, found, expected: expected.to_owned() }
    }

    fn take<const N: usize>(&self, offset: usize) -> Result<[u8; N], TraceError> {
        let found = offset.checked_add(N).and_then(|end| self.bytes.get(offset..end));
        match found {
            Some(bytes) => Ok(bytes.try_into().expect("the slice has the length asked for")),
            None => {
                Err(self.error(self.bytes.len(), "the end of the file".to_owned(), &format!("{N} bytes at {offset}")))
            }
        }
    }

    fn u32(&self, offset: usize) -> Result<u32, TraceError> {
        self.take(offset).map(u32::from_le_bytes)
    }

    fn u64(&self, offset: usize) -> Result<u64, TraceError> {
        self.take(offset).map(u64::from_le_bytes)
    }
}

fn read_rank(source: &Source, rank: usize) -> Result<Vec<TraceTask>, TraceError> {
    let row = HEADER + rank * TABLE_ROW;
    let place = |offset: usize| -> Result<usize, TraceError> {
        let value = source.u64(offset)?;
        let end = usize::try_from(value).ok().and_then(|value| value.checked_add(OFFSET_BASE));
        end.filter(|&end| end <= source.bytes.len())
            .ok_or_else(|| source.error(offset, value.to_string(), "an offset within the file"))
    };
    let (start, end) = (place(row)?, place(row + 8)?);
    if end < start + 8 {
        return Err(source.error(row + 8, format!("an end at {end}"), &format!("one at least 8 bytes after {start}")));
    }
    let (count, roots) = (source.u32(start)? as usize, source.u32(start + 4)? as usize);
    let nodes_at = start + 8 + 4 * roots.min(end);
    let lists_at = nodes_at.saturating_add(count.saturating_mul(NODE));
    if lists_at > end {
        let found = format!("{count} nodes and {roots} roots");
        return Err(source.error(
            start,
            found,
            &format!("at most as many as fit in the {} bytes of rank {rank}", end - start),
        ));
    }
    let mut tasks = Vec::with_capacity(count);
    for number in 0..count {
        tasks.push(read_node(source, nodes_at + number * NODE)?);
    }
    let listed = (end - lists_at) / 4;
    let mut seen = 0;
    for number in 0..count {
        let at = nodes_at + number * NODE;
        for (field, is_start) in [(at + 23, false), (at + 31, true)] {
            let (dependents, first) = (source.u32(field)? as usize, source.u32(field + 4)? as usize);
            seen += dependents;
            // Lists of different nodes do not overlap, so their total is that of the rank's list.
            if seen > listed || (dependents > 0 && first + dependents > listed) {
                let found = format!("{dependents} dependents from {first} on");
                return Err(source.error(field, found, &format!("an index within the list of {listed}")));
            }
            for entry in first..first + dependents {
                let offset = lists_at + 4 * entry;
                let dependent = source.u32(offset)?;
                let Some(task) = tasks.get_mut(dependent as usize) else {
                    return Err(source.error(offset, format!("node {dependent}"), &format!("one of {count} nodes")));
                };
                if is_start { task.irequires.push(number as u32) } else { task.requires.push(number as u32) }
            }
        }
    }
    for (number, task) in tasks.iter().enumerate() {
        let offset = nodes_at + number * NODE;
        let (said, found) = (source.u32(offset)? as usize, task.requires.len() + task.irequires.len());
        if said != found {
            let expected = format!("{found}, the number of times that node {number} is listed as a dependent");
            return Err(source.error(offset, format!("{said} dependencies"), &expected));
        }
    }
    Ok(tasks)
}

fn read_node(source: &Source, at: usize) -> Result<TraceTask, TraceError> {
    let [kind, ..] = source.take::<1>(at + 4)?;
    let (peer, size, tag) = (source.u32(at + 5)?, source.u64(at + 9)?, source.u32(at + 17)?);
    let (kind, most) = match kind {
        1 => (Kind::Send, MESSAGE_BYTES_MAX.0),
        2 => (Kind::Recv, MESSAGE_BYTES_MAX.0),
        3 => (Kind::Calc, NANOSECONDS_MAX),
        other => return Err(source.error(at + 4, other.to_string(), "1 (send), 2 (recv) or 3 (calc)")),
    };
    if size > most {
        return Err(source.error(at + 9, size.to_string(), &format!("bytes or nanoseconds, at most {most}")));
    }
    let [cpu, nic] = source.take::<2>(at + 21)?;
    Ok(TraceTask { cpu, nic, ..task(kind, peer, size, tag) })
}
