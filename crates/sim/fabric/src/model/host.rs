//! The host: a rank runs its program on a core, matches what arrives, and hands operations to its
//! NIC.

mod handlers;
mod process;
mod process_losses;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use philae_nic_core::nic::{ANY_SOURCE, Criteria, MatchLists, MatchPools, UnexpectedMessage};
use philae_nic_model::unexpected_entry;
use philae_units::RankId;
use philae_workload::{Activities, MESSAGE_BYTES_MAX, Op, RankProcess, RankProgram, Wait};

pub use process_losses::{LostMessage, ProcessLosses};

use crate::model::history::History;
use crate::model::packet::Header;

/// Receive handle of an operation that has not been matched.
const UNMATCHED: u32 = u32::MAX;

/// What the model knows of a process.
#[derive(Debug, Default)]
struct ProcessState {
    /// Its last wait.
    wait: Option<u32>,
    /// Messages whose data are on their way to it: the rank that sent it (over all jobs), and the
    /// operation.
    fetches: BTreeSet<(u32, u32)>,
}

pub struct RankState {
    /// Number over all jobs.
    number: u32,
    program: Box<dyn RankProgram>,
    /// What the model knows of its process, if its program is one.
    process: Option<Box<ProcessState>>,
    /// What its program was told, in runs that write checkpoints.
    pub history: Option<Box<History>>,
    /// When the core is free, in picoseconds.
    pub core_free_at: u64,
    /// Receives that wait for a message, and messages that wait for a receive (records of eager
    /// data or of requests).
    pub lists: MatchLists,
    /// Number of operations that have not completed.
    pub outstanding: u32,
    /// Which they are, if its program is a process and in runs that may lose packets.
    pub open: Option<Box<OpenOperations>>,
    /// Iterations in progress, with their start times. There are several where requests overlap.
    pub iterations: Vec<(u32, u64)>,
    /// Whether its job ends.
    ends: bool,
    pub finished: bool,
    /// Payload that its program gets when the core is done: handle of the operation, and bytes. In
    /// the order of the core's work.
    pub taking: VecDeque<(u32, u64)>,
}

/// Receive handle of data that a process asked for when their message arrived.
const OFFERED: u32 = u32::MAX - 2;

/// Why the pools of match lists cannot be full.
pub const ENDLESS: &str = "the pools of a simulation have no limit";

/// The entry of a message that came before its receive.
fn unexpected(header: &Header, record: u32) -> UnexpectedMessage {
    unexpected_entry(header.tag, header.source_rank, header.operation_bytes, record)
}

/// The operations of a rank that have not completed, by number.
///
/// In runs that may lose packets an operation may be told twice that it has ended: a NIC gives up a
/// request that the other NIC has taken, whose answers were lost, and the data come all the same.
/// Programs use a handle again, so only a number tells which operation is meant.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct OpenOperations {
    begun: u32,
    handles: BTreeMap<u32, u32>,
}

/// Numbers of operations, below those that stand for something else. Source: ours, half of what a
/// word has. Status: derived.
const NUMBERS: u32 = 1 << 31;

impl OpenOperations {
    /// The number of an operation that begins, which the program calls `handle`.
    pub fn begin(&mut self, handle: u32) -> u32 {
        let number = self.begun;
        self.begun = (number + 1) % NUMBERS;
        self.handles.insert(number, handle);
        number
    }

    /// An operation of a process begins. The process uses no handle twice, so that is its number.
    pub fn begin_as(&mut self, handle: u32) -> u32 {
        assert!(handle < NUMBERS, "a process has named operation {handle}: its handles are below 2^31");
        let earlier = self.handles.insert(handle, handle);
        assert!(earlier.is_none(), "a process has begun operation {handle}, which has not ended");
        handle
    }

    /// Whether an operation has not ended.
    pub fn is_open(&self, number: u32) -> bool {
        self.handles.contains_key(&number)
    }

    /// An operation has ended: its handle, or `None` if it had ended before.
    pub fn end(&mut self, number: u32) -> Option<u32> {
        self.handles.remove(&number)
    }
}

impl RankState {
    /// A rank that has not started.
    pub fn new(number: u32, program: Box<dyn RankProgram>, ends: bool) -> Self {
        Self {
            number,
            process: program.is_process().then(Box::default),
            program,
            history: None,
            core_free_at: 0,
            lists: MatchLists::default(),
            outstanding: 0,
            open: None,
            iterations: Vec::new(),
            ends,
            finished: false,
            taking: VecDeque::new(),
        }
    }

    /// Whether its program is a process.
    #[inline]
    pub const fn is_process(&self) -> bool {
        self.process.is_some()
    }

    /// An operation begins. Returns the number by which the model knows it.
    #[inline]
    pub fn begins(&mut self, handle: u32) -> u32 {
        match &mut self.open {
            Some(open) if self.process.is_some() => open.begin_as(handle),
            Some(open) => open.begin(handle),
            None => handle,
        }
    }

    /// Its process waits for an event. If it waited for another one, that wait never ends.
    pub fn begins_wait(&mut self, handle: u32) {
        let earlier = self.process.as_mut().and_then(|process| process.wait.replace(handle));
        if let (Some(earlier), Some(open)) = (earlier, &mut self.open) {
            self.outstanding -= u32::from(open.end(earlier).is_some());
        }
    }

    /// Whether its process waits for an event.
    fn waits_for_event(&self) -> bool {
        self.process.as_ref().and_then(|process| process.wait).is_some_and(|wait| self.is_open(wait))
    }

    /// Whether an operation of its process has not ended.
    pub fn is_open(&self, handle: u32) -> bool {
        self.open.as_ref().is_some_and(|open| open.is_open(handle))
    }

    /// The data of a message are fetched for its process. The message is named by its rank (over
    /// all jobs) and the operation.
    pub fn fetches(&mut self, message: (u32, u32)) {
        if let Some(process) = &mut self.process {
            process.fetches.insert(message);
        }
    }

    /// The data of a message have come, or are lost. Returns whether its process still waited for
    /// them.
    pub fn ends_fetch(&mut self, message: (u32, u32)) -> bool {
        self.process.as_mut().is_some_and(|process| process.fetches.remove(&message))
    }

    /// Its process, if its program is one.
    #[inline]
    pub fn process(&mut self) -> Option<&mut dyn RankProcess> {
        if self.is_process() { self.program.process() } else { None }
    }

    /// Memory held, in bytes, without the program's own.
    pub fn memory_bytes(&self) -> usize {
        let history = self.history.as_ref().map_or(0, |history| size_of::<History>() + history.memory_bytes());
        let open = self
            .open
            .as_ref()
            .map_or(0, |open| size_of::<OpenOperations>() + open.handles.len() * size_of::<(u32, u32)>());
        let taking = self.taking.capacity() * size_of::<(u32, u64)>();
        let iterations = self.iterations.capacity() * size_of::<(u32, u64)>();
        size_of::<Self>() + self.lists.memory_bytes() + iterations + history + open + taking
    }

    /// Keeps the core busy until `time`, in picoseconds.
    pub const fn keep_core(&mut self, time: u64) {
        self.core_free_at = time;
    }

    /// A time of a schedule, which counts from the start of the latest open iteration; in
    /// picoseconds.
    pub fn scheduled(&self, time: u64) -> u64 {
        self.iterations.last().map_or(0, |open| open.1).saturating_add(time)
    }

    /// Makes the core work for `span` from `time` on, or from when it is free. Returns when that
    /// ends. All in picoseconds.
    pub fn work(&mut self, time: u64, span: u64) -> u64 {
        self.core_free_at = time.max(self.core_free_at) + span;
        self.core_free_at
    }

    /// The payload that its program gets with the completion of an operation, if that is a message.
    #[inline]
    pub fn takes(&mut self, handle: u32) -> Option<u64> {
        if self.taking.is_empty() {
            return None;
        }
        let place = self.taking.iter().position(|taking| taking.0 == handle)?;
        self.taking.remove(place).map(|(_, bytes)| bytes)
    }

    /// Its number over all jobs, and when its core is free, in picoseconds.
    pub const fn number_and_core(&self) -> (u32, u64) {
        (self.number, self.core_free_at)
    }

    /// Reports what its program says that it is doing.
    pub fn activities(&self, report: &mut Activities) {
        self.program.activities(report);
    }

    /// Tells its program to use messages for what it has left to the switches. Returns false if the
    /// program cannot.
    pub fn fall_back(&mut self) -> bool {
        if let Some(history) = &mut self.history {
            history.fell_back();
        }
        self.program.fall_back()
    }

    /// Replays its history into its fresh program.
    ///
    /// # Errors
    /// The rank's number and the difference, when the program does something else.
    pub fn replay(&mut self) -> Result<(), (u32, String)> {
        let Some(history) = &self.history else { return Ok(()) };
        let rank = self.number;
        history.replay(self.program.as_mut()).map_err(|what| (rank, what))
    }

    /// What the rank waits for; `None` when it has finished. `base` is the number of its job's rank
    /// 0.
    pub fn waits_for(&self, pools: &MatchPools, base: u32) -> Option<Wait> {
        if self.finished {
            return None;
        }
        let posted = || {
            let Criteria { bits, ignore, source } = self.lists.first_receive(pools)?.criteria;
            let from = (source != ANY_SOURCE).then(|| RankId(source.saturating_sub(base)));
            let tag = (ignore == 0).then_some(bits as u32);
            Some(Wait::of(&Op::Recv { from, bytes: MESSAGE_BYTES_MAX, tag }, None))
        };
        let event = || self.waits_for_event().then(|| Wait::of(&Op::Event { until: None }, None));
        let counted = || Wait { words: format!("{} operations outstanding", self.outstanding), partner: None };
        Some(self.program.waits_for().or_else(posted).or_else(event).unwrap_or_else(counted))
    }

    pub const fn number(&self) -> u32 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_ends_once_and_its_handle_may_come_again() {
        let mut open = OpenOperations::default();
        let (first, other) = (open.begin(7), open.begin(8));
        assert_eq!(open.end(first), Some(7));
        let again = open.begin(7);
        assert_eq!(open.end(first), None, "what comes late is not the operation that has its handle now");
        assert_eq!((open.end(again), open.end(other)), (Some(7), Some(8)));
    }
}
