//! The tasks of one rank, in the order of its program, and its requests.

use std::collections::{BTreeMap, VecDeque};

use crate::task::{TaskKind, TraceTask};

/// A rank that the trace does not name: SimGrid writes -333 both for any source and for no process.
pub(super) const UNNAMED: u32 = u32::MAX;

/// The name of a request in a wait: source, destination, tag.
pub(super) type RequestKey = (u32, u32, i64);

/// The lines of a rank's `init` and `finalize`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankSpan {
    pub begin: Option<u64>,
    pub end: Option<u64>,
}

impl RankSpan {
    /// Whether the program has begun and not ended.
    pub fn is_open(self) -> bool {
        self.begin.is_some() && self.end.is_none()
    }
}

/// The tasks of one rank.
#[derive(Debug, Default)]
pub(super) struct RankTasks {
    pub span: RankSpan,
    pub tasks: Vec<TraceTask>,
    /// Line of each task.
    pub lines: Vec<u64>,
    /// The current line.
    pub line: u64,
    /// The dependencies of the next task.
    after: Vec<u32>,
    requests: Requests,
    /// Collective operations that have begun and that the program has not waited for.
    nonblocking: VecDeque<u32>,
    /// One-sided operations since the last synchronisation.
    pub one_sided: Vec<u32>,
}

/// Outstanding requests, in the order in which they were made; `None` for one that needs no wait.
#[derive(Debug, Default)]
struct Requests {
    made: u64,
    open: BTreeMap<u64, (RequestKey, Option<u32>)>,
    by_key: BTreeMap<RequestKey, VecDeque<u64>>,
}

impl Requests {
    fn take(&mut self, key: RequestKey) -> Option<Option<u32>> {
        let numbers = self.by_key.get_mut(&key)?;
        let number = numbers.pop_front()?;
        if numbers.is_empty() {
            self.by_key.remove(&key);
        }
        self.open.remove(&number).map(|(_, task)| task)
    }
}

impl RankTasks {
    /// A task that the rest of the program waits for.
    pub fn blocking(&mut self, what: TaskKind) {
        let task = self.push(what);
        self.after.clear();
        self.after.push(task);
    }

    /// A task that the program waits for later, if at all.
    pub fn push(&mut self, what: TaskKind) -> u32 {
        let number = self.tasks.len() as u32;
        self.tasks.push(TraceTask::new(what, self.after.clone()));
        self.lines.push(self.line);
        number
    }

    /// Makes the rest of the program wait only for these, which began after all that it waited for.
    pub fn wait_only_for(&mut self, tasks: impl IntoIterator<Item = u32>) {
        self.after.clear();
        self.wait_for(tasks);
    }

    /// Makes the rest of the program wait for these too. Several become one, so that many waits by
    /// many stay few.
    pub fn wait_for(&mut self, tasks: impl IntoIterator<Item = u32>) {
        self.after.extend(tasks);
        if self.after.len() > 2 {
            self.blocking(TaskKind::Join);
        }
    }

    /// Adds a request.
    pub fn request(&mut self, key: RequestKey, task: Option<u32>) {
        let number = self.requests.made;
        self.requests.made += 1;
        self.requests.open.insert(number, (key, task));
        self.requests.by_key.entry(key).or_default().push_back(number);
    }

    /// Waits for a request; false if none of this name is outstanding.
    pub fn wait_for_request(&mut self, key: RequestKey) -> bool {
        let (from, to, tag) = key;
        // The trace may name a source that the request left open.
        let names = [key, (UNNAMED, to, tag), (from, to, ANY_TAG), (UNNAMED, to, ANY_TAG)];
        let Some(found) = names.into_iter().find_map(|name| self.requests.take(name)) else { return false };
        self.wait_for(found);
        true
    }

    /// Waits for the oldest request; false if none is outstanding.
    pub fn wait_for_first(&mut self) -> bool {
        let Some((_, &(key, _))) = self.requests.open.first_key_value() else { return false };
        let found = self.requests.take(key).flatten();
        self.wait_for(found);
        true
    }

    /// Waits for all that have begun.
    pub fn wait_for_all(&mut self) {
        let requests = std::mem::take(&mut self.requests);
        let tasks: Vec<u32> =
            requests.open.into_values().filter_map(|(_, task)| task).chain(self.nonblocking.drain(..)).collect();
        self.wait_for(tasks);
    }

    /// Begins a collective operation.
    pub fn begin(&mut self, what: TaskKind) {
        let task = self.push(what);
        self.nonblocking.push_back(task);
    }

    /// Waits for the oldest collective operation; false if none is outstanding.
    pub fn wait_for_collective(&mut self) -> bool {
        let task = self.nonblocking.pop_front();
        let is_there = task.is_some();
        self.wait_for(task);
        is_there
    }
}

/// What SimGrid writes for any tag.
pub(super) const ANY_TAG: i64 = -444;
