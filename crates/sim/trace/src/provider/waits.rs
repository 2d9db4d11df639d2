//! Additional records of PEs of the OpenSHMEM library: where their operations change memory, and
//! for which memory they have waited. The form is that of `crates/nic/shmem/src/remote/waits.rs`,
//! which writes it.
//!
//! A wait ends when another PE has changed the memory that it reads. It depends on all operations
//! that were begun before it ended, that change this memory, and that no earlier wait has used.
//! Times decide the order, so PEs must have one clock.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::error::TraceError;
use crate::input::TraceFile;

/// The first bytes of a file of this form.
pub(crate) const MAGIC: [u8; 8] = *b"PHWAITS\x01";
/// Bytes before the records.
const HEAD: usize = 24;
/// Words of a record, and its bytes.
const WORDS: usize = 7;
const RECORD: usize = WORDS * 8;
/// Bytes of the words that are distinguished: the shortest that a PE can wait for. Source:
/// OpenSHMEM 1.6, wait_until. Status: published.
const WORD: u64 = 2;

/// Maximum bytes of a wait. Source: OpenSHMEM 1.6, wait_until. Status: published.
const WAIT_BYTES_MAX: u64 = 8;

/// Memory of a PE: one of its ranges, and the place in it.
#[derive(Clone, Copy, Debug)]
pub struct PeMemory {
    range: u64,
    offset: u64,
    bytes: u64,
}

impl PeMemory {
    /// The words that it touches.
    fn words(self) -> std::ops::RangeInclusive<(u64, u64)> {
        let last = self.offset.saturating_add(self.bytes.saturating_sub(1));
        (self.range, self.offset / WORD)..=(self.range, last / WORD)
    }

    /// The same, one by one. For the memory of a wait, which is a number.
    fn words_each(self) -> impl Iterator<Item = (u64, u64)> {
        let (range, first, last) = (self.range, self.words().start().1, self.words().end().1);
        (first..=last).map(move |word| (range, word))
    }
}

/// An operation that changes memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryChange {
    pub place: PeMemory,
    /// The time before it.
    pub before: u64,
}

/// A wait that has ended.
#[derive(Clone, Copy, Debug)]
pub struct EndedWait {
    pub place: PeMemory,
    pub time: u64,
}

#[derive(Debug)]
pub struct PeRecords {
    pub pe: u32,
    pub process: u64,
    /// By the context of the operation, in their order.
    pub changes: BTreeMap<u64, VecDeque<MemoryChange>>,
    /// In their order.
    pub waits: Vec<EndedWait>,
    /// Whether one thread made all records: then they are in the order of the events.
    pub is_one_thread: bool,
}

/// Whether a file is of this form.
pub fn is(file: &TraceFile) -> bool {
    file.bytes.get(..8) == Some(&MAGIC)
}

/// Reads a file.
pub fn read(file: &TraceFile) -> Result<PeRecords, TraceError> {
    let TraceFile { name, bytes } = file;
    let wrong = |offset: usize, found: String, expected: &str| {
        Err(TraceError::Byte { file: name.clone(), offset, found, expected: expected.to_owned() })
    };
    let Some(head) = bytes.get(..HEAD) else {
        return wrong(bytes.len(), "the end of the file".to_owned(), "24 bytes: PHWAITS and 1, a PE, a process");
    };
    let body = &bytes[HEAD..];
    if !body.len().is_multiple_of(RECORD) {
        let last = HEAD + body.len() / RECORD * RECORD;
        return wrong(last, format!("{} bytes of a record", bytes.len() - last), "56: the file is incomplete");
    }
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[8 * at..8 * at + 8].try_into().expect("eight bytes"));
    let Some(pe) = u32::try_from(word(head, 1)).ok().filter(|&pe| pe < crate::RANKS_MAX) else {
        return wrong(8, format!("PE {}", word(head, 1)), "a PE below 1048576");
    };
    let mut said =
        PeRecords { pe, process: word(head, 2), changes: BTreeMap::new(), waits: Vec::new(), is_one_thread: true };
    let mut thread = None;
    for (number, record) in body.chunks_exact(RECORD).enumerate() {
        let [what, time, range, offset, bytes, context, by]: [u64; WORDS] = std::array::from_fn(|at| word(record, at));
        let place = PeMemory { range, offset, bytes };
        match what {
            1 => said.changes.entry(context).or_default().push_back(MemoryChange { place, before: time }),
            2 if (1..=WAIT_BYTES_MAX).contains(&bytes) => said.waits.push(EndedWait { place, time }),
            2 => {
                let found = format!("a wait for {bytes} bytes");
                return wrong(HEAD + number * RECORD, found, "a number of 1 to 8 bytes");
            }
            _ => return wrong(HEAD + number * RECORD, format!("a record of kind {what}"), "a kind of 1 or 2"),
        }
        said.is_one_thread &= *thread.get_or_insert(by) == by;
    }
    said.waits.sort_by_key(|wait| wait.time);
    Ok(said)
}

/// An operation that changes a PE's memory: the time by which it was begun, and its owner.
#[derive(Clone, Copy, Debug)]
pub struct RemoteChange {
    pub place: PeMemory,
    pub time: u64,
    /// The rank that requested it, and its number among that rank's operations.
    pub operation: (u32, usize),
}

/// Operations, by their rank and their number among that rank's.
pub type OperationIndex = Vec<(u32, usize)>;

/// For each wait of a PE, the operations that it waited for.
pub fn for_what(waits: &[EndedWait], mut landings: Vec<RemoteChange>) -> Vec<OperationIndex> {
    landings.sort_by_key(|landing| (landing.time, landing.operation));
    let awaited: BTreeSet<(u64, u64)> = waits.iter().flat_map(|wait| wait.place.words_each()).collect();
    let mut by_word: BTreeMap<(u64, u64), VecDeque<RemoteChange>> = BTreeMap::new();
    for landing in landings {
        for &word in awaited.range(landing.place.words()) {
            by_word.entry(word).or_default().push_back(landing);
        }
    }
    let mut operations = |wait: &EndedWait| {
        let mut found = BTreeSet::new();
        for word in wait.place.words_each() {
            let Some(waiting) = by_word.get_mut(&word) else { continue };
            while let Some(landing) = waiting.front().filter(|landing| landing.time < wait.time) {
                found.insert(landing.operation);
                waiting.pop_front();
            }
        }
        found.into_iter().collect()
    };
    waits.iter().map(&mut operations).collect()
}
