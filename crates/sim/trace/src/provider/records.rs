//! Records in the form in which they were written.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::error::TraceError;
use crate::input::TraceFile;

use super::MAGIC;

/// Bytes before the records.
const HEAD: usize = 32;
/// Words of a record, and its bytes.
const WORDS: usize = 9;
const RECORD: usize = WORDS * 8;
/// The kinds of records that are operations, from a message to an atomic.
const OPERATIONS: std::ops::RangeInclusive<u8> = 3..=7;
/// Any entry of an address vector, or none.
pub const NOBODY: u64 = u64::MAX;

#[derive(Debug)]
pub struct ProcessTrace<'f> {
    /// The name of its file in errors.
    pub file: &'f str,
    /// Its rank, if its launcher had set one.
    pub rank: Option<u32>,
    /// Its number on its host.
    pub process: u64,
    pub host: u64,
    pub records: Vec<TraceRecord>,
}

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedKind {
    /// A message.
    Send,
    Receive,
    /// A write of another's memory.
    Write,
    Read,
    /// A change of it.
    Atomic,
}

#[derive(Clone, Copy, Debug)]
pub struct TracedOperation {
    pub kind: TracedKind,
    pub endpoint: u64,
    /// Entry of the address vector.
    pub peer: u64,
    pub tag: u64,
    pub bytes: u64,
    pub context: u64,
    pub flags: u64,
    /// Bits of the tag that a receive ignores; otherwise bit 0: a completion follows, bit 1: the
    /// old value comes back.
    pub more: u64,
}

/// The kind of an event, with its data.
#[derive(Clone, Copy, Debug)]
pub enum TraceEventKind {
    /// An endpoint and its address vector, and its queues for outgoing and incoming operations.
    Endpoint { endpoint: u64, vector: u64, queues: [u64; 2] },
    /// An entry of an address vector.
    Peer { vector: u64, entry: u64, endpoint: u64 },
    /// An operation was requested.
    Operation(TracedOperation),
    /// A completion was read. `error`: 0 for success.
    Completion { queue: u64, source: u64, tag: u64, context: u64, flags: u64, error: u64 },
    /// All earlier operations have ended.
    Waited,
    /// An endpoint was closed.
    End,
}

/// One record.
#[derive(Clone, Copy, Debug)]
pub struct TraceRecord {
    /// Computation before it, in ns.
    pub computed: u64,
    /// When it was written, in ns.
    pub time: u64,
    /// The event.
    pub what: TraceEventKind,
    /// Its place in the file, in bytes.
    pub offset: usize,
}

/// Whether a file has an operation: a message, a receive, an access to another's memory. It is read
/// as far as the first one.
pub fn has_operation(file: &Path) -> std::io::Result<bool> {
    let mut reader = BufReader::new(File::open(file)?);
    let mut head = [0; HEAD];
    if reader.read_exact(&mut head).is_err() || head[..8] != MAGIC {
        return Ok(false);
    }
    let mut record = [0; RECORD];
    while reader.read_exact(&mut record).is_ok() {
        if OPERATIONS.contains(&record[0]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads a file.
pub fn read(file: &TraceFile) -> Result<ProcessTrace<'_>, TraceError> {
    let TraceFile { name, bytes } = file;
    let wrong = |offset: usize, found: String, expected: &str| {
        Err(TraceError::Byte { file: name.clone(), offset, found, expected: expected.to_owned() })
    };
    let Some(head) = bytes.get(..HEAD).filter(|head| head[..8] == MAGIC) else {
        return wrong(0, "another beginning".to_owned(), "a trace of this version of the provider: PHTRACE and 1");
    };
    let body = &bytes[HEAD..];
    if body.len() % RECORD != 0 {
        let last = HEAD + body.len() / RECORD * RECORD;
        return wrong(last, format!("{} bytes of a record", bytes.len() - last), "72: the file is incomplete");
    }
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[8 * at..8 * at + 8].try_into().expect("eight bytes"));
    let rank = match word(head, 1) {
        u64::MAX => None,
        rank => match u32::try_from(rank).ok().filter(|&rank| rank < crate::RANKS_MAX) {
            Some(rank) => Some(rank),
            None => return wrong(8, format!("rank {rank}"), "a rank below 1048576"),
        },
    };
    let mut records = Vec::with_capacity(body.len() / RECORD);
    for (number, record) in body.chunks_exact(RECORD).enumerate() {
        let offset = HEAD + number * RECORD;
        let w: [u64; WORDS] = std::array::from_fn(|at| word(record, at));
        let operation = |kind| {
            let [_, _, endpoint, peer, tag, bytes, context, flags, more] = w;
            TraceEventKind::Operation(TracedOperation { kind, endpoint, peer, tag, bytes, context, flags, more })
        };
        let what = match w[0] & 0xff {
            1 => TraceEventKind::Endpoint { endpoint: w[2], vector: w[3], queues: [w[4], w[5]] },
            2 => TraceEventKind::Peer { vector: w[2], entry: w[3], endpoint: w[4] },
            3 => operation(TracedKind::Send),
            4 => operation(TracedKind::Receive),
            5 => operation(TracedKind::Write),
            6 => operation(TracedKind::Read),
            7 => operation(TracedKind::Atomic),
            8 => {
                let [_, _, queue, source, tag, _, context, flags, error] = w;
                TraceEventKind::Completion { queue, source, tag, context, flags, error }
            }
            9 => TraceEventKind::Waited,
            10 => TraceEventKind::End,
            kind => return wrong(offset, format!("a record of kind {kind}"), "a kind from 1 to 10"),
        };
        records.push(TraceRecord { computed: w[0] >> 8, time: w[1], what, offset });
    }
    if !matches!(records.last(), Some(TraceRecord { what: TraceEventKind::End, .. })) {
        let expected = "an end: the process ended before it closed its endpoints, and its trace is incomplete";
        return wrong(bytes.len(), "the end of the file".to_owned(), expected);
    }
    Ok(ProcessTrace { file: name, rank, process: word(head, 2), host: word(head, 3), records })
}
