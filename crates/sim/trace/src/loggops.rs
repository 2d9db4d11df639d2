//! A schedule under the LogGOPS model: latency, overheads and gaps instead of a network.
//!
//! Source: Hoefler, Schneider, Lumsdaine, LogGOPSim, HPDC 2010, for the parameters and for eager
//! messages. A send keeps its stream of the core busy for `o + (s-1) O` and its NIC for
//! `g + (s-1) G`. The message is at the receiver `o + L` after the send began. There it occupies a
//! stream for `o + (s-1) max(O, G)` and the NIC for `g + (s-1) G`, whether or not its receive has
//! been posted. Above `S` bytes the send is a request, a message of one byte. When the receiver has
//! taken it (`o`) and the receive is posted, the receiver answers (`o`, `L`), and then the data
//! goes as above; the send completes with the data's departure. Status: published for eager
//! messages; the exact order of a rendezvous is ours and assumed.
//!
//! Consecutive events that wait for the same stream and NIC are checked once for each event that
//! takes them. Events that alternate between different ones, such as computations between
//! independent sends, are checked one by one: that is quadratic in the number that waits at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::sync::Arc;

use philae_units::RankId;
use philae_workload::{Dependencies, MatchQueues, Op};

use crate::error::TraceError;
use crate::schedule::{RankWork, TraceSchedule};
use crate::task::{TaskKind, TraceTask, dependencies};

/// The parameters. Times in picoseconds; gaps and overheads per byte in femtoseconds (a nanosecond
/// per byte is 1,000,000).
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
pub struct FinishTimes {
    /// When the last operation of each rank completed, in picoseconds.
    pub finish: Vec<u64>,
}

/// A schedule that cannot reach its end: ranks with operations left, and how many.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} ranks wait for messages that never come, first rank {} with {} operations left", .ranks.len(), .ranks[0].0, .ranks[0].1)]
pub struct StuckSchedule {
    /// Ranks, and their remaining operations.
    pub ranks: Vec<(u32, usize)>,
}

impl LogGops {
    /// Runs a schedule of sends, receives and computation.
    ///
    /// # Errors
    /// [`TraceError::Inexpressible`] for any other schedule; call [`unroll`](crate::unroll) first.
    /// The inner error if ranks wait forever.
    pub fn run(&self, schedule: &TraceSchedule) -> Result<Result<FinishTimes, StuckSchedule>, TraceError> {
        let refuse = |rank: usize, what: String| {
            let works = "a schedule of sends, receives and computation only would work".to_owned();
            TraceError::Inexpressible { format: "LogGOPS", rank: rank as u32, what, works }
        };
        let RankWork::Tasks { ranks, .. } = &schedule.body else {
            return Err(refuse(0, "goes through layers".to_owned()));
        };
        for (rank, task) in
            ranks.iter().enumerate().flat_map(|(rank, tasks)| tasks.iter().map(move |task| (rank, task)))
        {
            let simple = matches!(
                task.what,
                TaskKind::Join
                    | TaskKind::Op(Op::Send { .. } | Op::Recv { .. } | Op::Compute { .. } | Op::Delay { .. })
            );
            if !simple {
                let what = match task.what {
                    TaskKind::Op(op) => op.to_string(),
                    TaskKind::Join => "a join".to_owned(),
                    TaskKind::Call(_) => "a part of a collective operation".to_owned(),
                };
                return Err(refuse(rank, format!("has {what}")));
            }
        }
        let longest = self.longest(ranks);
        if longest > u128::from(u64::MAX / 2) {
            let found = format!("{longest} ps of messages and computation together");
            return Err(TraceError::whole("the schedule", found, "at most 2^63 picoseconds"));
        }
        Ok(Run::new(*self, ranks).go())
    }

    /// The time of all tasks one after the other: no run takes longer.
    fn longest(&self, ranks: &[Arc<[TraceTask]>]) -> u128 {
        let wide = u128::from;
        let per_message = wide(self.latency) * 3 + wide(self.overhead) * 5 + wide(self.gap) * 2;
        let of = |task: &TraceTask| match task.what {
            TaskKind::Op(Op::Compute { time } | Op::Delay { time }) => wide(time.0),
            TaskKind::Op(Op::Send { bytes, .. }) => {
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

/// The time of all bytes except one, in picoseconds.
fn per_byte(femtoseconds: u64, bytes: u64) -> u64 {
    let time = u128::from(femtoseconds) * u128::from(bytes.saturating_sub(1)) / 1_000;
    u64::try_from(time).expect("`run` has checked that all of them fit")
}

/// An event of a rank; of the same time, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A task may start, once its stream is free.
    Start(u32),
    /// A task has ended.
    End(u32),
    /// A message has arrived; its receiver handles it when it has time.
    Message(Message),
    /// The receiver is ready for the data of this send.
    Answer(u32, Message),
    /// The resources of a batch are free.
    Retry(u64),
}

/// Events that wait until the same time, in order of creation: lines of those with the same need.
type Batch = Vec<(Need, VecDeque<Event>)>;

/// The resources that an event occupies in its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Stream(u8),
    /// A stream, and a NIC that sends.
    Send(u8, u8),
    /// A stream, and a NIC that receives.
    Receive(u8, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    from: u32,
    tag: u32,
    bytes: u64,
    stage: Stage,
    /// The send.
    task: u32,
    /// The receive, if data answers it.
    receive: u32,
    /// Stream and NIC of the send; those of the receiver are its receive's once that is known.
    cpu: u8,
    nic: u8,
}

impl Message {
    /// Whether this is the answer to its request, back at its sender.
    fn is_answered(&self, rank: u32) -> bool {
        self.from == rank && self.stage == Stage::Data
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Eager,
    Request,
    Data,
}

struct Rank {
    tasks: Arc<[TraceTask]>,
    dependencies: Dependencies,
    left: usize,
    finish: u64,
    /// Until when each stream computes or handles a message.
    streams: BTreeMap<u8, u64>,
    /// Until when each NIC sends.
    sending: BTreeMap<u8, u64>,
    /// Until when each NIC receives.
    receiving: BTreeMap<u8, u64>,
    /// Receives, and messages with the time at which they were taken in.
    matching: MatchQueues<u32, (Message, u64)>,
    /// Waiting events, by the number of their `Retry`.
    batches: BTreeMap<u64, Batch>,
}

impl Rank {
    fn new(tasks: &Arc<[TraceTask]>) -> Self {
        Self {
            tasks: Arc::clone(tasks),
            dependencies: dependencies(tasks),
            left: tasks.len(),
            finish: 0,
            streams: BTreeMap::new(),
            sending: BTreeMap::new(),
            receiving: BTreeMap::new(),
            matching: MatchQueues::default(),
            batches: BTreeMap::new(),
        }
    }

    /// When all needed resources are free.
    fn free_at(&self, need: Need) -> u64 {
        match need {
            Need::Stream(cpu) => free_at(&self.streams, cpu),
            Need::Send(cpu, nic) => free_at(&self.streams, cpu).max(free_at(&self.sending, nic)),
            Need::Receive(cpu, nic) => free_at(&self.streams, cpu).max(free_at(&self.receiving, nic)),
        }
    }
}

fn free_at(of: &BTreeMap<u8, u64>, which: u8) -> u64 {
    of.get(&which).copied().unwrap_or(0)
}

struct Run {
    model: LogGops,
    ranks: Vec<Rank>,
    /// By time; of the same time, in order of creation.
    queue: BinaryHeap<Reverse<(u64, u64, u32, Event)>>,
    /// By time: the rank and number of the batch after which no other event was created for that
    /// time. Events that wait until then join it.
    open: BTreeMap<u64, (u32, u64)>,
    /// Events so far, and checks of waiting ones.
    events: u64,
    /// Whether all operations are on one stream and one NIC: then all messages of a rank have the
    /// same need.
    is_uniform: bool,
}

impl Run {
    fn new(model: LogGops, ranks: &[Arc<[TraceTask]>]) -> Self {
        let mut places = ranks.iter().flat_map(|tasks| tasks.iter()).map(|task| (task.cpu, task.nic));
        let first = places.next();
        let is_uniform = places.all(|place| Some(place) == first);
        let ranks = ranks.iter().map(Rank::new).collect();
        Self { model, ranks, queue: BinaryHeap::new(), open: BTreeMap::new(), events: 0, is_uniform }
    }

    fn push(&mut self, time: u64, rank: u32, event: Event) {
        self.open.remove(&time);
        self.events += 1;
        self.queue.push(Reverse((time, self.events, rank, event)));
    }

    /// Makes events wait until their resources are free: behind all that were created for that
    /// time.
    fn delay(&mut self, rank: u32, need: Need, mut waiting: VecDeque<Event>) {
        let time = self.ranks[rank as usize].free_at(need);
        let number = match self.open.get(&time) {
            Some(&(of, number)) if of == rank => number,
            _ => {
                let number = self.events + 1;
                self.push(time, rank, Event::Retry(number));
                self.open.insert(time, (rank, number));
                number
            }
        };
        let batch = self.ranks[rank as usize].batches.entry(number).or_default();
        match batch.last_mut() {
            // The shorter one is moved.
            Some((known, line)) if *known == need && line.len() < waiting.len() => {
                line.drain(..).rev().for_each(|event| waiting.push_front(event));
                *line = waiting;
            }
            Some((known, line)) if *known == need => line.append(&mut waiting),
            _ => batch.push((need, waiting)),
        }
    }

    /// The resources of a batch are free: its first event takes them, and the others continue to
    /// wait, line by line and not one by one.
    fn retry(&mut self, time: u64, rank: u32, number: u64) {
        if self.open.get(&time) == Some(&(rank, number)) {
            self.open.remove(&time);
        }
        for (known, mut line) in self.ranks[rank as usize].batches.remove(&number).unwrap_or_default() {
            while let Some(event) = line.pop_front() {
                self.events += 1;
                match self.busy(time, rank, &event) {
                    None => self.act(time, rank, event),
                    // The need of a message may change once its receive is known.
                    Some(need) if need == known && (self.is_uniform || !matches!(event, Event::Message(_))) => {
                        line.push_front(event);
                        self.delay(rank, need, line);
                        break;
                    }
                    Some(need) => self.delay(rank, need, VecDeque::from([event])),
                }
            }
        }
    }

    fn go(&mut self) -> Result<FinishTimes, StuckSchedule> {
        self.begin();
        while let Some(Reverse((time, _, rank, event))) = self.queue.pop() {
            match event {
                Event::Retry(number) => self.retry(time, rank, number),
                Event::End(task) => self.end(time, rank, task),
                event => match self.busy(time, rank, &event) {
                    None => self.act(time, rank, event),
                    Some(need) => self.delay(rank, need, VecDeque::from([event])),
                },
            }
        }
        self.outcome()
    }

    fn begin(&mut self) {
        for rank in 0..self.ranks.len() as u32 {
            self.ranks[rank as usize].dependencies.begin();
            self.start_ready(0, rank);
        }
    }

    fn end(&mut self, time: u64, rank: u32, task: u32) {
        let state = &mut self.ranks[rank as usize];
        state.left -= 1;
        state.finish = time;
        state.dependencies.end(task);
        self.start_ready(time, rank);
    }

    fn outcome(&self) -> Result<FinishTimes, StuckSchedule> {
        let waiting = |(number, rank): (u32, &Rank)| (rank.left > 0).then_some((number, rank.left));
        let stuck: Vec<(u32, usize)> = (0..).zip(&self.ranks).filter_map(waiting).collect();
        if stuck.is_empty() {
            Ok(FinishTimes { finish: self.ranks.iter().map(|rank| rank.finish).collect() })
        } else {
            Err(StuckSchedule { ranks: stuck })
        }
    }

    fn start_ready(&mut self, time: u64, rank: u32) {
        while let Some(task) = self.ranks[rank as usize].dependencies.next_ready() {
            self.push(time, rank, Event::Start(task));
        }
    }

    /// The resources that an event needs exclusively; none for most receives.
    fn need(&self, rank: u32, event: &Event) -> Option<Need> {
        let state = &self.ranks[rank as usize];
        match *event {
            Event::Start(task) => {
                let task = &state.tasks[task as usize];
                match task.what {
                    TaskKind::Op(Op::Compute { .. }) => Some(Need::Stream(task.cpu)),
                    TaskKind::Op(Op::Send { .. }) => Some(Need::Send(task.cpu, task.nic)),
                    _ => None,
                }
            }
            Event::Message(message) => {
                let (cpu, nic) = self.receive_of(rank, &message).map_or((message.cpu, message.nic), |receive| {
                    let task = &state.tasks[receive as usize];
                    (task.cpu, task.nic)
                });
                Some(Need::Receive(cpu, nic))
            }
            Event::Answer(_, message) if message.is_answered(rank) => Some(Need::Send(message.cpu, message.nic)),
            Event::Answer(receive, _) => Some(Need::Stream(state.tasks[receive as usize].cpu)),
            Event::End(_) | Event::Retry(_) => None,
        }
    }

    /// The busy resources among those that an event needs.
    fn busy(&self, time: u64, rank: u32, event: &Event) -> Option<Need> {
        self.need(rank, event).filter(|&need| self.ranks[rank as usize].free_at(need) > time)
    }

    /// Handles an event.
    fn act(&mut self, time: u64, rank: u32, event: Event) {
        match event {
            Event::Start(task) => self.start(time, rank, task),
            Event::Message(message) => self.arrive(time, rank, message),
            Event::Answer(receive, message) => self.answer(time, rank, receive, message),
            Event::End(_) | Event::Retry(_) => unreachable!("they wait for nothing"),
        }
    }

    fn start(&mut self, time: u64, rank: u32, task: u32) {
        let state = &mut self.ranks[rank as usize];
        let entry = &state.tasks[task as usize];
        let (cpu, nic) = (entry.cpu, entry.nic);
        let TaskKind::Op(op) = entry.what else { return self.push(time, rank, Event::End(task)) };
        match op {
            Op::Delay { time: span } => self.push(time + span.0, rank, Event::End(task)),
            Op::Recv { from, tag, .. } => self.post(time, rank, (from, tag), task),
            Op::Compute { time: span } => {
                state.streams.insert(cpu, time + span.0);
                self.push(time + span.0, rank, Event::End(task));
            }
            Op::Send { to, bytes, tag, .. } => {
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

    /// The receive of a message: its own, or the one that matches it.
    fn receive_of(&self, rank: u32, message: &Message) -> Option<u32> {
        match message.stage {
            Stage::Data => Some(message.receive),
            _ => self.ranks[rank as usize].matching.receive_for(RankId(message.from), message.tag).copied(),
        }
    }

    fn arrive(&mut self, time: u64, rank: u32, message: Message) {
        let receive = self.receive_of(rank, &message);
        let state = &mut self.ranks[rank as usize];
        let (cpu, nic) = receive.map_or((message.cpu, message.nic), |receive| {
            let task = &state.tasks[receive as usize];
            (task.cpu, task.nic)
        });
        let size = if message.stage == Stage::Request { 1 } else { message.bytes };
        let model = self.model;
        let done = time + model.overhead + per_byte(model.overhead_per_byte.max(model.gap_per_byte), size);
        state.streams.insert(cpu, done);
        state.receiving.insert(nic, time + model.gap(size));
        if message.stage == Stage::Data {
            return self.push(done, rank, Event::End(message.receive));
        }
        match state.matching.arrived(RankId(message.from), message.tag, (message, done)) {
            None => {}
            Some((receive, _)) if message.stage == Stage::Request => {
                self.push(done, rank, Event::Answer(receive, message));
            }
            Some((receive, _)) => self.push(done, rank, Event::End(receive)),
        }
    }

    /// Posts a receive, which takes a message that arrived earlier.
    fn post(&mut self, time: u64, rank: u32, (from, tag): (Option<RankId>, Option<u32>), receive: u32) {
        match self.ranks[rank as usize].matching.posted(from, tag, receive) {
            None => {}
            Some((_, (message, done))) if message.stage == Stage::Request => {
                self.push(time.max(done), rank, Event::Answer(receive, message));
            }
            Some((_, (_, done))) => self.push(time.max(done), rank, Event::End(receive)),
        }
    }

    /// At the receiver: the core answers. At the sender: the data leaves.
    fn answer(&mut self, time: u64, rank: u32, receive: u32, message: Message) {
        let state = &mut self.ranks[rank as usize];
        if message.is_answered(rank) {
            let TaskKind::Op(Op::Send { to, .. }) = state.tasks[message.task as usize].what else { return };
            return self.depart(time, rank, to.0, Message { receive, ..message });
        }
        let cpu = state.tasks[receive as usize].cpu;
        state.streams.insert(cpu, time + self.model.overhead);
        let data = Message { stage: Stage::Data, ..message };
        self.push(time + self.model.overhead + self.model.latency, message.from, Event::Answer(receive, data));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TraceFile, TraceFormat, TraceOptions, import};

    fn model(overhead: u64, gap: u64, eager_max: u64) -> LogGops {
        LogGops { latency: 2_500_000, overhead, gap, gap_per_byte: 6_000, overhead_per_byte: 0, eager_max }
    }

    fn run_of(text: String, model: LogGops) -> Run {
        let file = TraceFile { name: "a.goal".to_owned(), bytes: text.into_bytes() };
        let schedule = import(TraceFormat::Goal, &[file], &TraceOptions::default()).expect("it is right");
        let RankWork::Tasks { ranks, .. } = &schedule.body else { unreachable!("GOAL has tasks") };
        Run::new(model, ranks)
    }

    /// Checks of operations and messages in a run whose operations may all start immediately, with
    /// receives posted in the opposite order.
    fn looks(messages: u32) -> u64 {
        let mut text = "num_ranks 2\nrank 0 {\n".to_owned();
        (0..messages).for_each(|tag| text += &format!("send 8b to 1 tag {tag}\n"));
        (0..messages).for_each(|_| text += "calc 10\n");
        text += "}\nrank 1 {\n";
        (0..messages).rev().for_each(|tag| text += &format!("recv 8b from 0 tag {tag}\n"));
        text += "}\n";
        let mut run = run_of(text, model(1_500_000, 1_000_000, 65_535));
        run.go().expect("it ends");
        run.events
    }

    #[test]
    fn what_waits_for_a_stream_is_looked_at_once() {
        let (few, many) = (looks(300), looks(2_400));
        assert!(many <= 9 * few, "{many} looks for eight times the operations of {few}");
    }

    /// The plain order: each event that finds its stream or NIC busy goes back into the queue.
    fn in_plain_order(mut run: Run) -> Result<FinishTimes, StuckSchedule> {
        run.begin();
        while let Some(Reverse((time, _, rank, event))) = run.queue.pop() {
            match event {
                Event::End(task) => run.end(time, rank, task),
                event => match run.busy(time, rank, &event) {
                    None => run.act(time, rank, event),
                    Some(need) => {
                        let free = run.ranks[rank as usize].free_at(need);
                        run.push(free, rank, event);
                    }
                },
            }
        }
        run.outcome()
    }

    /// A schedule drawn from a seed: messages of three sizes, two streams and NICs, chains, any
    /// tags.
    fn drawn(seed: u64) -> String {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut draw = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) % below
        };
        let ranks = 2 + draw(4) as usize;
        let streams = 1 + draw(2);
        let mut lines: Vec<Vec<String>> = vec![Vec::new(); ranks];
        for tag in 0..4 + draw(24) {
            let (from, to) = (draw(ranks as u64) as usize, draw(ranks as u64) as usize);
            let place = |at: u64| format!("cpu {at} nic {at}");
            let compute = format!("calc {} cpu {}", draw(3) * 1_500, draw(streams));
            lines[from].push(compute);
            if from != to {
                let (bytes, tag) = ([1, 8, 2_000][draw(3) as usize], tag / (1 + draw(2)));
                let (sends, receives) = (place(draw(streams)), place(draw(streams)));
                lines[from].push(format!("send {bytes}b to {to} tag {tag} {sends}"));
                let at = draw(lines[to].len() as u64 + 1) as usize;
                lines[to].insert(at, format!("recv {bytes}b from {from} tag {tag} {receives}"));
            }
        }
        let mut text = format!("num_ranks {ranks}\n");
        for (rank, lines) in lines.iter().enumerate() {
            text += &format!("rank {rank} {{\n");
            for (at, line) in lines.iter().enumerate() {
                text += &format!("l{at}: {line}\n");
                if at > 0 && draw(4) == 0 {
                    text += &format!("l{at} requires l{}\n", draw(at as u64));
                }
            }
            text += "}\n";
        }
        text
    }

    #[test]
    fn times_are_those_of_the_plain_order() {
        let mut ended = 0;
        for seed in 1..=2_000 {
            let (overhead, gap) = [(1_500_000, 1_000_000), (0, 0), (1_000_000, 3_000_000)][(seed % 3) as usize];
            let model = model(overhead, gap, [1_000, 65_535][(seed % 2) as usize]);
            let text = drawn(seed);
            let plain = in_plain_order(run_of(text.clone(), model));
            assert_eq!(run_of(text.clone(), model).go(), plain, "seed {seed}: {text}");
            ended += u32::from(plain.is_ok());
        }
        assert!(ended > 400, "only {ended} of the schedules came to their end");
    }
}
