//! Matches messages and operations, and derives dependencies.

use std::collections::{BTreeMap, VecDeque};

use philae_units::{Bytes, Picoseconds, RankId, counted};
use philae_workload::Op;

use crate::error::TraceError;
use crate::task::{RANK_TIME_MAX, TaskKind as Does, TraceTask};

use super::records::{NOBODY, ProcessTrace, TraceEventKind, TracedKind, TracedOperation};
use super::waits::{EndedWait, OperationIndex, PeMemory, PeRecords, RemoteChange, for_what};

/// Bytes of a request, or of an answer without data: the size of a header. Source: ours. Status:
/// assumed.
const HEADER_BYTES: u64 = 8;
/// Flags of libfabric. Source: rdma/fabric.h. Status: published.
const MULTI_RECEIVE: u64 = 1 << 16;
const TAGGED: u64 = 1 << 3;
const RECEIVE: u64 = 1 << 10;
const COMPLETED_OPERATIONS: u64 = RECEIVE | 1 << 11 | 1 << 8 | 1 << 9;
const RMA_OR_ATOMIC: u64 = 1 << 2 | 1 << 4;

/// Messages of one kind: between two endpoints, with or without a tag, and the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    from: u64,
    to: u64,
    is_tagged: bool,
    tag: u64,
}

/// A step of a rank, in its order.
#[derive(Clone, Copy, Debug)]
enum Step {
    Compute(u64),
    /// An operation by its number among the rank's.
    Begin(usize),
    /// It has ended, and its process knows. For a receive of many messages: the n-th of them.
    Ended(usize, usize),
    /// All earlier operations have ended.
    AllEnded,
    /// A wait for memory has ended, by its number among the rank's.
    Awaited(usize),
}

/// An operation of a rank.
#[derive(Debug)]
struct Begun {
    what: TracedOperation,
    /// The ranks and endpoints that it concerns: for a receive, those of its messages.
    to: Option<u64>,
    /// Messages that a receive got, by number, with their class.
    got: Vec<Class>,
    offset: usize,
    /// The memory that it changes, if recorded, and the time by which it was begun.
    changes: Option<(PeMemory, u64)>,
}

/// The records of a rank.
#[derive(Default)]
struct Rank {
    steps: Vec<Step>,
    begun: Vec<Begun>,
    waits: Vec<EndedWait>,
}

/// A message between two ranks: its size, and a tag that is unique between them.
#[derive(Clone, Copy, Debug)]
struct Message {
    from: u32,
    to: u32,
    bytes: u64,
    tag: u32,
}

/// The tasks of each rank, and what was left out.
pub fn tasks(
    processes: &[ProcessTrace<'_>],
    mut said: Vec<PeRecords>,
) -> Result<(Vec<Vec<TraceTask>>, Vec<String>), TraceError> {
    let mut homes = BTreeMap::new();
    for (rank, process) in (0_u32..).zip(processes) {
        for record in &process.records {
            if let TraceEventKind::Endpoint { endpoint, .. } = record.what {
                homes.insert(endpoint, rank);
            }
        }
    }
    // Times of different hosts do not order events.
    let has_one_clock = processes.windows(2).all(|two| two[0].host == two[1].host);
    let waits_left: usize = if has_one_clock { 0 } else { said.drain(..).map(|one| one.waits.len()).sum() };
    let own = |(rank, process): (u32, &ProcessTrace<'_>)| {
        let place = said.iter().position(|said| said.pe == rank && said.process == process.process);
        follow(process, place.map(|place| said.swap_remove(place)))
    };
    let ranks = (0_u32..).zip(processes).map(own).collect::<Result<Vec<Rank>, _>>()?;
    let mut schedule = Writer {
        processes,
        homes,
        next_tag: BTreeMap::new(),
        passive: BTreeMap::new(),
        passive_of: BTreeMap::new(),
        awaited: Vec::new(),
        one_sided: 0,
    };
    let (messages, mut warnings) = schedule.match_messages(&ranks)?;
    let for_what = schedule.waits(&ranks)?;
    let mut all = Vec::new();
    for (rank, of_rank) in (0_u32..).zip(&ranks) {
        all.push(schedule.write(rank, of_rank, &messages, &for_what[rank as usize])?);
    }
    schedule.add_passive(&mut all);
    if schedule.one_sided > 0 {
        let count = schedule.one_sided;
        warnings.push(format!(
            "{count} one-sided and atomic operations are written as messages, which cost their targets' cores time"
        ));
    }
    if waits_left > 0 {
        warnings.push(format!(
            "{waits_left} waits for memory have no dependency: the processes ran on several hosts, whose clocks differ"
        ));
    }
    Ok((all, warnings))
}

/// Finds the operation of each completion of a process.
fn follow(process: &ProcessTrace<'_>, said: Option<PeRecords>) -> Result<Rank, TraceError> {
    let mut rank = Rank::default();
    let mut changes = BTreeMap::new();
    let mut is_one_thread = true;
    if let Some(said) = said {
        (rank.waits, changes, is_one_thread) = (said.waits, said.changes, said.is_one_thread);
    }
    let mut awaited = 0;
    let mut vectors: BTreeMap<u64, u64> = BTreeMap::new();
    let mut vector_of_queue: BTreeMap<u64, u64> = BTreeMap::new();
    let mut entries: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    // Operations that have not ended, by context and kind: the first one begun ends first.
    let mut open: BTreeMap<(u64, bool), VecDeque<usize>> = BTreeMap::new();
    for record in &process.records {
        while rank.waits.get(awaited).is_some_and(|wait| wait.time <= record.time) {
            rank.steps.push(Step::Awaited(awaited));
            awaited += 1;
        }
        if record.computed > 0 {
            rank.steps.push(Step::Compute(record.computed));
        }
        match record.what {
            TraceEventKind::Endpoint { endpoint, vector, queues } => {
                vectors.insert(endpoint, vector);
                vector_of_queue.extend(queues.map(|queue| (queue, vector)));
            }
            TraceEventKind::Peer { vector, entry, endpoint } => entries.extend([((vector, entry), endpoint)]),
            TraceEventKind::Operation(what) => {
                let to = vectors.get(&what.endpoint).and_then(|&vector| entries.get(&(vector, what.peer)).copied());
                let number = rank.begun.len();
                let is_receive = what.kind == TracedKind::Receive;
                if is_receive || what.more & 1 != 0 {
                    open.entry((what.context, is_receive)).or_default().push_back(number);
                }
                let change = matches!(what.kind, TracedKind::Write | TracedKind::Atomic)
                    .then(|| changes.get_mut(&what.context).and_then(VecDeque::pop_front))
                    .flatten();
                // With several threads a record may come after events that its operation caused: no
                // wait that ended before it may then depend on it.
                let changes =
                    change.map(|change| (change.place, if is_one_thread { change.before } else { record.time }));
                rank.begun.push(Begun { what, to, got: Vec::new(), offset: record.offset, changes });
                rank.steps.push(Step::Begin(number));
            }
            TraceEventKind::Completion { queue, source, tag, context, flags, error } => {
                let is_receive = flags & RECEIVE != 0 && flags & RMA_OR_ATOMIC == 0;
                if flags & COMPLETED_OPERATIONS == 0 {
                    // Another process has written here and recorded it; it is unknown which of its
                    // writes this was.
                    continue;
                }
                let waiting = open.entry((context, is_receive)).or_default();
                let fits = |&number: &usize| {
                    let TracedOperation { kind, tag: wanted, more, flags: posted, .. } = rank.begun[number].what;
                    kind != TracedKind::Receive || (posted ^ flags) & TAGGED == 0 && (wanted ^ tag) & !more == 0
                };
                // The answer to a search belongs to no operation.
                let Some(place) = waiting.iter().position(fits) else { continue };
                let number = waiting[place];
                let is_last = rank.begun[number].what.flags & MULTI_RECEIVE == 0 || flags & MULTI_RECEIVE != 0;
                if is_last {
                    waiting.remove(place);
                }
                // A failed operation moved nothing that a schedule could repeat.
                if error != 0 {
                    continue;
                }
                if !is_receive {
                    rank.steps.push(Step::Ended(number, 0));
                    continue;
                }
                let vector = vector_of_queue.get(&queue).copied().unwrap_or_default();
                let from = (source != NOBODY).then(|| entries.get(&(vector, source))).flatten();
                let Some(&from) = from else {
                    let found = "a message from a sender that is in no address vector".to_owned();
                    let expected = "senders in the process's address vectors".to_owned();
                    let (file, offset) = (process.file.to_owned(), record.offset);
                    return Err(TraceError::Byte { file, offset, found, expected });
                };
                let begun = &mut rank.begun[number];
                let is_tagged = flags & TAGGED != 0;
                let tag = if is_tagged { tag } else { 0 };
                begun.got.push(Class { from, to: begun.what.endpoint, is_tagged, tag });
                rank.steps.push(Step::Ended(number, begun.got.len() - 1));
            }
            TraceEventKind::Waited => rank.steps.push(Step::AllEnded),
            TraceEventKind::End => {}
        }
    }
    Ok(rank)
}

/// Messages by owner: rank, operation, and for a receive of many, the number of the message.
type Messages = BTreeMap<(u32, usize, usize), Message>;

struct Writer<'p> {
    processes: &'p [ProcessTrace<'p>],
    /// Ranks of endpoints.
    homes: BTreeMap<u64, u32>,
    /// Tags between two ranks: the next free one.
    next_tag: BTreeMap<(u32, u32), u32>,
    /// Tasks of the targets of one-sided operations.
    passive: BTreeMap<u32, Vec<Passive>>,
    /// The one for an operation of a rank.
    passive_of: BTreeMap<(u32, usize), usize>,
    /// Tasks of ranks that end waits, and the operations of these waits.
    awaited: Vec<(u32, u32, OperationIndex)>,
    one_sided: u64,
}

/// The part of a rank in another's one-sided operation: it takes a message and answers it.
struct Passive {
    asked: Message,
    answer: Message,
}

impl Writer<'_> {
    fn wrong(&self, rank: u32, offset: usize, found: String, expected: &str) -> TraceError {
        let file = self.processes[rank as usize].file.to_owned();
        TraceError::Byte { file, offset, found, expected: expected.to_owned() }
    }

    /// The rank of an operation's target.
    fn target(&self, rank: u32, begun: &Begun) -> Result<u32, TraceError> {
        let home = begun.to.and_then(|to| self.homes.get(&to).copied());
        home.ok_or_else(|| {
            let expected = "an endpoint of one of the traces; the folder may lack files of the run";
            self.wrong(rank, begun.offset, "an operation to a process without a trace".to_owned(), expected)
        })
    }

    fn message(&mut self, from: u32, to: u32, bytes: u64) -> Message {
        let next = self.next_tag.entry((from, to)).or_default();
        let tag = *next;
        *next = next.wrapping_add(1);
        Message { from, to, bytes, tag }
    }

    fn match_messages(&mut self, ranks: &[Rank]) -> Result<(Messages, Vec<String>), TraceError> {
        let mut sent: BTreeMap<Class, VecDeque<(u32, usize)>> = BTreeMap::new();
        for (rank, of_rank) in (0_u32..).zip(ranks) {
            for (number, begun) in
                of_rank.begun.iter().enumerate().filter(|(_, begun)| begun.what.kind == TracedKind::Send)
            {
                self.target(rank, begun)?;
                let is_tagged = begun.what.flags & TAGGED != 0;
                let tag = if is_tagged { begun.what.tag } else { 0 };
                let class = Class { from: begun.what.endpoint, to: begun.to.unwrap_or(NOBODY), is_tagged, tag };
                sent.entry(class).or_default().push_back((rank, number));
            }
        }
        let mut messages = Messages::new();
        // Receives in the order in which they were posted: in this order they have matched
        // messages.
        for (rank, of_rank) in (0_u32..).zip(ranks) {
            for (number, begun) in of_rank.begun.iter().enumerate() {
                for (which, class) in begun.got.iter().enumerate() {
                    let Some((from, send)) = sent.get_mut(class).and_then(VecDeque::pop_front) else {
                        let found = format!("a receive of a message with tag {:#x} that no process sent", class.tag);
                        let expected = "its sender's complete trace next to this one";
                        return Err(self.wrong(rank, begun.offset, found, expected));
                    };
                    let bytes = ranks[from as usize].begun[send].what.bytes;
                    let message = self.message(from, rank, bytes);
                    messages.insert((from, send, 0), message);
                    messages.insert((rank, number, which), message);
                }
            }
        }
        let left: usize = sent.values().map(VecDeque::len).sum();
        let warnings = if left > 0 {
            vec![format!(
                "{} left out, because no completion shows that it was received",
                counted(left, "sent message")
            )]
        } else {
            Vec::new()
        };
        Ok((messages, warnings))
    }

    /// For each rank and each of its waits, the operations that it waited for.
    fn waits(&self, ranks: &[Rank]) -> Result<Vec<Vec<OperationIndex>>, TraceError> {
        let mut landings: Vec<Vec<RemoteChange>> = ranks.iter().map(|_| Vec::new()).collect();
        for (rank, of_rank) in (0_u32..).zip(ranks) {
            for (number, begun) in of_rank.begun.iter().enumerate() {
                if let Some((place, time)) = begun.changes {
                    let target = self.target(rank, begun)?;
                    landings[target as usize].push(RemoteChange { place, time, operation: (rank, number) });
                }
            }
        }
        Ok(ranks.iter().zip(landings).map(|(rank, landings)| for_what(&rank.waits, landings)).collect())
    }

    /// The tasks of a rank.
    fn write(
        &mut self,
        rank: u32,
        of_rank: &Rank,
        messages: &Messages,
        for_what: &[OperationIndex],
    ) -> Result<Vec<TraceTask>, TraceError> {
        let mut sequence = Sequence::default();
        // The last task of each operation (and of each of its messages).
        let mut ends: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        let mut running: Vec<u32> = Vec::new();
        for step in &of_rank.steps {
            match *step {
                Step::Compute(time) => {
                    let time = Picoseconds(time.min(RANK_TIME_MAX.0 / 1_000) * 1_000);
                    sequence.blocking(Does::Op(Op::Compute { time }));
                }
                Step::Begin(number) => {
                    let begun = &of_rank.begun[number];
                    let kind = begun.what.kind;
                    let begun_tasks: Vec<(usize, u32)> = match kind {
                        TracedKind::Send => {
                            let message = messages.get(&(rank, number, 0));
                            message.map(|message| (0, sequence.push(send(message)))).into_iter().collect()
                        }
                        TracedKind::Receive => (0..begun.got.len())
                            .filter_map(|which| {
                                let message = messages.get(&(rank, number, which))?;
                                Some((which, sequence.push(receive(message))))
                            })
                            .collect(),
                        TracedKind::Write | TracedKind::Read | TracedKind::Atomic => {
                            self.one_sided += 1;
                            vec![(0, self.one_sided(rank, number, begun, &mut sequence)?)]
                        }
                    };
                    for (which, task) in begun_tasks {
                        ends.insert((number, which), task);
                        // A wait for a counter usually concerns operations that the process itself
                        // has begun.
                        if kind != TracedKind::Receive {
                            running.push(task);
                        }
                    }
                }
                Step::Ended(number, which) => {
                    if let Some(&task) = ends.get(&(number, which)) {
                        sequence.wait_for([task]);
                        running.retain(|&known| known != task);
                    }
                }
                Step::AllEnded => sequence.wait_for(running.drain(..)),
                Step::Awaited(number) => {
                    if !for_what[number].is_empty() {
                        let task = sequence.blocking(Does::Join);
                        self.awaited.push((rank, task, for_what[number].clone()));
                    }
                }
            }
        }
        Ok(sequence.tasks)
    }

    /// Adds the messages of a one-sided operation. Returns its last task.
    fn one_sided(
        &mut self,
        rank: u32,
        number: usize,
        begun: &Begun,
        sequence: &mut Sequence,
    ) -> Result<u32, TraceError> {
        let target = self.target(rank, begun)?;
        let TracedOperation { kind, bytes, more, .. } = begun.what;
        let (there, back) = match kind {
            TracedKind::Read => (HEADER_BYTES, bytes),
            TracedKind::Atomic if more & 2 != 0 => (bytes, bytes),
            _ => (bytes, HEADER_BYTES),
        };
        let asked = self.message(rank, target, there);
        let answer = self.message(target, rank, back);
        let passive = self.passive.entry(target).or_default();
        self.passive_of.insert((rank, number), passive.len());
        passive.push(Passive { asked, answer });
        sequence.push(send(&asked));
        Ok(sequence.push(receive(&answer)))
    }

    /// Adds the parts of ranks in others' one-sided operations, concurrent with their own tasks,
    /// except for tasks that wait for them.
    fn add_passive(&mut self, all: &mut [Vec<TraceTask>]) {
        for (rank, task, operations) in std::mem::take(&mut self.awaited) {
            let tasks = &mut all[rank as usize];
            let first = tasks.len() as u32;
            // Each is a receive and an answer: see below.
            let number = |operation| self.passive_of.get(operation).map(|&passive| first + 2 * passive as u32);
            tasks[task as usize].requires.extend(operations.iter().filter_map(number));
        }
        for (rank, list) in std::mem::take(&mut self.passive) {
            let tasks = &mut all[rank as usize];
            for Passive { asked, answer } in list {
                let number = tasks.len() as u32;
                tasks.push(TraceTask::new(receive(&asked), Vec::new()));
                tasks.push(TraceTask::new(send(&answer), vec![number]));
            }
        }
    }
}

fn send(message: &Message) -> Does {
    let &Message { to, bytes, tag, .. } = message;
    Does::Op(Op::Send { to: RankId(to), bytes: Bytes(bytes), tag, class: None })
}

fn receive(message: &Message) -> Does {
    let &Message { from, bytes, tag, .. } = message;
    Does::Op(Op::Recv { from: Some(RankId(from)), bytes: Bytes(bytes), tag: Some(tag) })
}

/// The tasks of one rank, in the order of its program.
#[derive(Default)]
struct Sequence {
    tasks: Vec<TraceTask>,
    /// The dependencies of the next task.
    after: Vec<u32>,
}

impl Sequence {
    fn push(&mut self, what: Does) -> u32 {
        let number = self.tasks.len() as u32;
        self.tasks.push(TraceTask::new(what, self.after.clone()));
        number
    }

    fn blocking(&mut self, what: Does) -> u32 {
        let task = self.push(what);
        self.after.clear();
        self.after.push(task);
        task
    }

    /// Makes the next task wait for these too. Several become one, so that many waits by many stay
    /// few.
    fn wait_for(&mut self, tasks: impl IntoIterator<Item = u32>) {
        for task in tasks {
            if !self.after.contains(&task) {
                self.after.push(task);
            }
            if self.after.len() > 4 {
                self.blocking(Does::Join);
            }
        }
    }
}
