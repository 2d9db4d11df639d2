//! A schedule under the LogGOPS model: latency, overheads and gaps instead of a network.
//!
//! Source: Hoefler, Schneider, Lumsdaine, LogGOPSim, HPDC 2010, for the parameters and for eager messages. A send keeps
//! its stream of the core busy for `o + (s-1) O` and its NIC for `g + (s-1) G`; the message is at the receiver `o + L` after
//! the send began, and occupies there a stream for `o + (s-1) max(O, G)` and the NIC for `g + (s-1) G`, whether or not its
//! receive has been posted. Above `S` bytes: the send is a request, a message of one byte; when the receiver has taken it (`o`)
//! and the receive is posted, the receiver answers (`o`, `L`), and then the data goes as above; the send completes with the
//! data's departure. Status: published for eager messages; the exact order of a rendezvous is ours and assumed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::sync::Arc;

use philae_workload::{Dependencies, Op};

use crate::error::TraceError;
use crate::schedule::{Body, Schedule, Task, What, dependencies};

/// The parameters. Times in picoseconds; gaps and overheads per byte in femtoseconds (a nanosecond per byte is 1,000,000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogGops {
    /// Latency (`L`), in picoseconds.
    pub latency: u64,
    /// Overhead of the core for each message (`o`), in picoseconds.
    pub overhead: u64,
    /// Gap of the NIC between messages (`g`), in picoseconds.
    pub gap: u64,
    /// Gap for each byte (`G`), in femtoseconds.
    pub gap_per_byte: u64,
    /// Overhead of the core for each byte (`O`), in femtoseconds.
    pub overhead_per_byte: u64,
    /// Largest eager message (`S`), in bytes.
    pub eager_max: u64,
}

/// When ranks finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When the last operation of each rank completed, in picoseconds.
    pub finish: Vec<u64>,
}

/// A schedule that does not come to its end: ranks whose operations are left, with how many.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} ranks wait for messages that never come, first rank {} with {} operations left", .ranks.len(), .ranks[0].0, .ranks[0].1)]
pub struct Stuck {
    /// Rank and operations left.
    pub ranks: Vec<(u32, usize)>,
}

impl LogGops {
    /// Runs a schedule of sends, receives and computation.
    ///
    /// # Errors
    /// [`TraceError::Inexpressible`] for anything else; [`unroll`](crate::unroll) first. The inner error where ranks wait for
    /// ever.
    pub fn run(&self, schedule: &Schedule) -> Result<Result<Outcome, Stuck>, TraceError> {
        let refuse = |rank: usize, what: String| {
            let works = "a schedule that was unrolled into sends, receives and computation would work".to_owned();
            TraceError::Inexpressible { format: "LogGOPS", rank: rank as u32, what, works }
        };
        let Body::Tasks { ranks, .. } = &schedule.body else {
            return Err(refuse(0, "goes through layers".to_owned()));
        };
        for (rank, task) in
            ranks.iter().enumerate().flat_map(|(rank, tasks)| tasks.iter().map(move |task| (rank, task)))
        {
            let simple = matches!(
                task.what,
                What::Join | What::Op(Op::Send { .. } | Op::Recv { .. } | Op::Compute { .. } | Op::Delay { .. })
            );
            if !simple {
                let what = match task.what {
                    What::Op(op) => op.to_string(),
                    What::Join => "a join".to_owned(),
                    What::Call(_) => "a part of a collective operation".to_owned(),
                };
                return Err(refuse(rank, format!("has {what}")));
            }
        }
        let longest = self.longest(ranks);
        if longest > u128::from(u64::MAX / 2) {
            let found = format!("{longest} ps of messages and computation together");
            return Err(TraceError::whole("the schedule", found, "what 63 bits of picoseconds hold"));
        }
        let mut run =
            Run { model: *self, ranks: ranks.iter().map(Rank::new).collect(), queue: BinaryHeap::new(), events: 0 };
        Ok(run.go())
    }

    /// The time of everything one after the other: no run takes longer.
    fn longest(&self, ranks: &[Arc<[Task]>]) -> u128 {
        let wide = u128::from;
        let per_message = wide(self.latency) * 3 + wide(self.overhead) * 5 + wide(self.gap) * 2;
        let of = |task: &Task| match task.what {
            What::Op(Op::Compute { time } | Op::Delay { time }) => wide(time.0),
            What::Op(Op::Send { bytes, .. }) => {
                let per_byte = wide(self.gap_per_byte) * 3 + wide(self.overhead_per_byte) * 2;
                per_message + per_byte * wide(bytes.0) / 1_000 + 1
            }
            _ => 0,
        };
        ranks.iter().flat_map(|tasks| tasks.iter()).map(of).sum()
    }

    fn gap(&self, bytes: u64) -> u64 {
        self.gap + per_byte(self.gap_per_byte, bytes)
    }
}

/// The time of all bytes but one, in picoseconds.
fn per_byte(femtoseconds: u64, bytes: u64) -> u64 {
    let time = u128::from(femtoseconds) * u128::from(bytes.saturating_sub(1)) / 1_000;
    u64::try_from(time).expect("`run` has checked that all of them fit")
}

/// What happens at a time to a rank, in the order of its coming about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A task may start, once its stream is free.
    Start(u32),
    /// A task has ended.
    End(u32),
    /// A message is there, once its receiver has time.
    Message(Message),
    /// The receiver is ready for the data of this send.
    Answer(u32, Message),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    from: u32,
    tag: u32,
    bytes: u64,
    stage: Stage,
    /// The send.
    task: u32,
    /// The receive, of data that answers it.
    receive: u32,
    /// Stream and NIC of the send; the receiver's are its receive's once it is known.
    cpu: u8,
    nic: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Eager,
    Request,
    Data,
}

struct Rank {
    tasks: Arc<[Task]>,
    dependencies: Dependencies,
    left: usize,
    finish: u64,
    /// Until when each stream computes or handles a message.
    streams: BTreeMap<u8, u64>,
    /// Until when each NIC sends.
    sending: BTreeMap<u8, u64>,
    /// Until when each NIC receives.
    receiving: BTreeMap<u8, u64>,
    posted: VecDeque<u32>,
    unexpected: VecDeque<(Message, u64)>,
}

impl Rank {
    fn new(tasks: &Arc<[Task]>) -> Self {
        Self {
            tasks: Arc::clone(tasks),
            dependencies: dependencies(tasks),
            left: tasks.len(),
            finish: 0,
            streams: BTreeMap::new(),
            sending: BTreeMap::new(),
            receiving: BTreeMap::new(),
            posted: VecDeque::new(),
            unexpected: VecDeque::new(),
        }
    }
}

fn free_at(of: &BTreeMap<u8, u64>, which: u8) -> u64 {
    of.get(&which).copied().unwrap_or(0)
}

struct Run {
    model: LogGops,
    ranks: Vec<Rank>,
    queue: BinaryHeap<Reverse<(u64, u64, u32, Event)>>,
    events: u64,
}

impl Run {
    fn push(&mut self, time: u64, rank: u32, event: Event) {
        self.events += 1;
        self.queue.push(Reverse((time, self.events, rank, event)));
    }

    fn go(&mut self) -> Result<Outcome, Stuck> {
        for rank in 0..self.ranks.len() as u32 {
            self.ranks[rank as usize].dependencies.begin();
            self.start_ready(0, rank);
        }
        while let Some(Reverse((time, _, rank, event))) = self.queue.pop() {
            match event {
                Event::Start(task) => self.start(time, rank, task),
                Event::Message(message) => self.arrive(time, rank, message),
                Event::Answer(receive, message) => self.answer(time, rank, receive, message),
                Event::End(task) => {
                    let state = &mut self.ranks[rank as usize];
                    state.left -= 1;
                    state.finish = time;
                    state.dependencies.end(task);
                    self.start_ready(time, rank);
                }
            }
        }
        let waiting = |(number, rank): (u32, &Rank)| (rank.left > 0).then_some((number, rank.left));
        let stuck: Vec<(u32, usize)> = (0..).zip(&self.ranks).filter_map(waiting).collect();
        if stuck.is_empty() {
            Ok(Outcome { finish: self.ranks.iter().map(|rank| rank.finish).collect() })
        } else {
            Err(Stuck { ranks: stuck })
        }
    }

    fn start_ready(&mut self, time: u64, rank: u32) {
        while let Some(task) = self.ranks[rank as usize].dependencies.next_ready() {
            self.push(time, rank, Event::Start(task));
        }
    }

    fn start(&mut self, time: u64, rank: u32, task: u32) {
        let state = &mut self.ranks[rank as usize];
        let entry = &state.tasks[task as usize];
        let (cpu, nic) = (entry.cpu, entry.nic);
        let What::Op(op) = entry.what else { return self.push(time, rank, Event::End(task)) };
        match op {
            Op::Delay { time: span } => self.push(time + span.0, rank, Event::End(task)),
            Op::Recv { .. } => self.post(time, rank, task),
            Op::Compute { time: span } => {
                let free = free_at(&state.streams, cpu);
                if free > time {
                    return self.push(free, rank, Event::Start(task));
                }
                state.streams.insert(cpu, time + span.0);
                self.push(time + span.0, rank, Event::End(task));
            }
            Op::Send { to, bytes, tag, .. } => {
                let free = free_at(&state.streams, cpu).max(free_at(&state.sending, nic));
                if free > time {
                    return self.push(free, rank, Event::Start(task));
                }
                let bytes = bytes.0;
                let stage = if bytes > self.model.eager_max { Stage::Request } else { Stage::Eager };
                let message = Message { from: rank, tag, bytes, stage, task, receive: 0, cpu, nic };
                self.depart(time, rank, to.0, message);
            }
            _ => unreachable!("`run` refuses other operations"),
        }
    }

    /// A message of any stage leaves; its stream and NIC are free.
    fn depart(&mut self, time: u64, rank: u32, to: u32, message: Message) {
        let size = if message.stage == Stage::Request { 1 } else { message.bytes };
        let busy = time + self.model.overhead + per_byte(self.model.overhead_per_byte, size);
        let state = &mut self.ranks[rank as usize];
        state.streams.insert(message.cpu, busy);
        state.sending.insert(message.nic, time + self.model.gap(size));
        if message.stage != Stage::Request {
            self.push(busy, rank, Event::End(message.task));
        }
        self.push(time + self.model.overhead + self.model.latency, to, Event::Message(message));
    }

    fn fits(task: &Task, message: &Message) -> bool {
        let What::Op(Op::Recv { from, tag, .. }) = task.what else { return false };
        from.is_none_or(|from| from.0 == message.from) && tag.is_none_or(|tag| tag == message.tag)
    }

    fn arrive(&mut self, time: u64, rank: u32, message: Message) {
        let state = &mut self.ranks[rank as usize];
        let found = match message.stage {
            Stage::Data => Some(message.receive),
            _ => state.posted.iter().copied().find(|&receive| Self::fits(&state.tasks[receive as usize], &message)),
        };
        let (cpu, nic) = found.map_or((message.cpu, message.nic), |receive| {
            let task = &state.tasks[receive as usize];
            (task.cpu, task.nic)
        });
        let free = free_at(&state.streams, cpu).max(free_at(&state.receiving, nic));
        if free > time {
            return self.push(free, rank, Event::Message(message));
        }
        let size = if message.stage == Stage::Request { 1 } else { message.bytes };
        let model = self.model;
        let done = time + model.overhead + per_byte(model.overhead_per_byte.max(model.gap_per_byte), size);
        state.streams.insert(cpu, done);
        state.receiving.insert(nic, time + model.gap(size));
        match (found, message.stage) {
            (None, _) => state.unexpected.push_back((message, done)),
            (Some(receive), Stage::Data) => self.push(done, rank, Event::End(receive)),
            (Some(receive), stage) => {
                state.posted.retain(|&posted| posted != receive);
                match stage {
                    Stage::Request => self.push(done, rank, Event::Answer(receive, message)),
                    _ => self.push(done, rank, Event::End(receive)),
                }
            }
        }
    }

    /// A receive is posted, and takes a message that came before.
    fn post(&mut self, time: u64, rank: u32, receive: u32) {
        let state = &mut self.ranks[rank as usize];
        let task = &state.tasks[receive as usize];
        let found = state.unexpected.iter().position(|(message, _)| Self::fits(task, message));
        match found.and_then(|position| state.unexpected.remove(position)) {
            None => state.posted.push_back(receive),
            Some((message, done)) if message.stage == Stage::Request => {
                self.push(time.max(done), rank, Event::Answer(receive, message));
            }
            Some((_, done)) => self.push(time.max(done), rank, Event::End(receive)),
        }
    }

    /// At the receiver: the core answers. At the sender: the data leaves.
    fn answer(&mut self, time: u64, rank: u32, receive: u32, message: Message) {
        let to_receiver = message.from == rank && message.stage == Stage::Data;
        let state = &mut self.ranks[rank as usize];
        if to_receiver {
            let free = free_at(&state.streams, message.cpu).max(free_at(&state.sending, message.nic));
            if free > time {
                return self.push(free, rank, Event::Answer(receive, message));
            }
            let What::Op(Op::Send { to, .. }) = state.tasks[message.task as usize].what else { return };
            return self.depart(time, rank, to.0, Message { receive, ..message });
        }
        let cpu = state.tasks[receive as usize].cpu;
        let free = free_at(&state.streams, cpu);
        if free > time {
            return self.push(free, rank, Event::Answer(receive, message));
        }
        state.streams.insert(cpu, time + self.model.overhead);
        let data = Message { stage: Stage::Data, ..message };
        self.push(time + self.model.overhead + self.model.latency, message.from, Event::Answer(receive, data));
    }
}
