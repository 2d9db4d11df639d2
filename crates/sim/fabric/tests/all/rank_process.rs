//! Ranks that are processes: the fabric offers messages to them instead of its lists, and tells
//! them when memory is reached. Their operations take as long as those of other programs.

mod losses;
mod replies;
mod scripted;
mod waits;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use crate::common::{config, run, topology};
use crate::matching::{ranks, receive, send};
use crate::rank_process::scripted::Step;
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RunOptions};
use philae_results::record::RunStatus;
use philae_topology::DragonflyDescription;
use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{
    Action, Lost, MemoryAccess, OfferAnswer, Op, OpHandle, ProcessMessage, ProcessProgram, Progress, RankProcess,
};

/// What the processes of a job have seen: time, rank, words.
type Log = Arc<Mutex<Vec<(u64, u32, String)>>>;

/// The handle of the first wait for events.
const WAITS: u32 = 1_000;

/// A process that issues operations at once and then waits for a number of events.
#[derive(Debug)]
struct Fake {
    rank: u32,
    operations: Vec<Op>,
    /// Events that it waits for, and operations that have not ended.
    events: u32,
    open: u32,
    /// The current wait, and the handle of the next one.
    waits: Option<OpHandle>,
    next_wait: u32,
    /// Messages to which it posts a receive only when it has its next turn.
    late: bool,
    offered: Vec<u32>,
    next: u32,
    log: Log,
}

impl Fake {
    fn note(&self, now: Picoseconds, words: String) {
        self.log.lock().expect("no panic").push((now.0, self.rank, words));
    }

    /// Something that it waits for has happened.
    fn event(&mut self) -> Option<OpHandle> {
        self.events = self.events.checked_sub(1).expect("it expects no more");
        self.waits.take()
    }
}

impl RankProcess for Fake {
    fn advance(&mut self, now: Picoseconds, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        if let Some(handle) = completed.filter(|handle| handle.0 < WAITS) {
            self.note(now, format!("ends {}", handle.0));
            self.open -= 1;
        }
        let fetches: Vec<Op> = self.offered.drain(..).map(|number| Op::Fetch { number }).collect();
        for op in self.operations.drain(..).chain(fetches) {
            actions.push(Action::Start(OpHandle(self.next), op));
            (self.next, self.open) = (self.next + 1, self.open + 1);
        }
        if self.events > 0 && self.waits.is_none() {
            let handle = OpHandle(self.next_wait);
            (self.waits, self.next_wait) = (Some(handle), self.next_wait + 1);
            actions.push(Action::Start(handle, Op::Event { until: None }));
        }
        if self.events + self.open == 0 { Progress::Finished } else { Progress::Running }
    }

    fn offered(&mut self, now: Picoseconds, message: &ProcessMessage, number: u32, is_whole: bool) -> OfferAnswer {
        self.note(now, format!("offered {} of {}", message.bytes, message.source));
        if is_whole {
            return OfferAnswer::Taken(self.event());
        }
        if self.late {
            self.offered.push(number);
            // It has a turn because of that, and fetches then.
            self.events += 1;
            return OfferAnswer::Waits(self.event());
        }
        OfferAnswer::Fetches(now)
    }

    fn fetched(&mut self, now: Picoseconds, message: &ProcessMessage) -> Option<OpHandle> {
        self.note(now, format!("fetched {} of {}", message.bytes, message.source));
        self.event()
    }

    fn reached(&mut self, now: Picoseconds, message: &ProcessMessage, access: MemoryAccess) -> Option<OpHandle> {
        self.note(
            now,
            format!("{access:?} {}, operation {} of {}", message.bytes, message.operation.0, message.source),
        );
        if access == MemoryAccess::ReadMessage { None } else { self.event() }
    }

    fn lost(&mut self, now: Picoseconds, message: &ProcessMessage, lost: Lost) -> Option<OpHandle> {
        self.note(now, format!("lost {lost:?} {} of {}", message.operation.0, message.source));
        None
    }
}

/// A job of fakes: what each issues, and how many events it expects.
fn fakes(parts: Vec<(Vec<Op>, u32)>, late: bool) -> (Job, Log) {
    let log = Log::default();
    let mut job = ranks(parts.iter().map(|_| Vec::new()).collect());
    job.programs = (0..)
        .zip(parts)
        .map(|(rank, (operations, events))| {
            let (log, offered) = (Arc::clone(&log), Vec::new());
            let waits = (None, WAITS);
            let fake = Fake {
                rank,
                operations,
                events,
                open: 0,
                waits: waits.0,
                next_wait: waits.1,
                late,
                offered,
                next: 0,
                log,
            };
            Box::new(ProcessProgram(Box::new(fake))) as Box<dyn philae_workload::RankProgram>
        })
        .collect();
    (job, log)
}

fn options(partitions: u32) -> RunOptions {
    let mut execution = ExecutionOptions { partitions, threads: partitions, ..ExecutionOptions::default() };
    if partitions == 2 {
        // Each partition processes its blocks one at a time.
        (execution.far_ports_min, execution.block_ports_min, execution.block_events_min) = (0, 0, 0);
    }
    // A rank that waits forever is found even where faults never end.
    RunOptions { execution, time_limit: Picoseconds::from_micros(200_000), ..RunOptions::default() }
}

/// What the processes have seen, in the order of time, and when the run ended.
fn seen(
    config: FabricConfig,
    partitions: u32,
    parts: Vec<(Vec<Op>, u32)>,
    late: bool,
) -> (Vec<(u64, u32, String)>, u64) {
    let (job, log) = fakes(parts, late);
    let record = run(&topology(DragonflyDescription::uniform(3, 4, 4, 2)), config, options(partitions), vec![job]);
    let record = record.expect("it runs");
    assert_eq!(record.status, RunStatus::Completed);
    let mut seen = std::mem::take(&mut *log.lock().expect("no panic"));
    seen.sort();
    (seen, record.simulated.0)
}

/// When the last operation of a pair of ordinary programs ends.
fn ordinary(config: FabricConfig, first: Op, second: Option<Op>) -> u64 {
    let job = ranks(vec![vec![vec![first]], second.map(|op| vec![vec![op]]).unwrap_or_default()]);
    let record = run(&topology(DragonflyDescription::uniform(3, 4, 4, 2)), config, options(1), vec![job]);
    record.expect("it runs").simulated.0
}

fn put(bytes: u64) -> Op {
    Op::Put { to: RankId(1), bytes: Bytes(bytes), class: None }
}

fn get(bytes: u64) -> Op {
    Op::Get { from: RankId(1), bytes: Bytes(bytes), class: None }
}

fn amo(fetch: bool) -> Op {
    Op::Amo { to: RankId(1), bytes: Bytes(8), fetch, class: None }
}

trait Words: Debug {
    fn of(&self, words: &str) -> u64;
}

impl Words for Vec<(u64, u32, String)> {
    /// When a rank saw this.
    fn of(&self, words: &str) -> u64 {
        let found: Vec<u64> = self.iter().filter(|seen| seen.2 == words).map(|seen| seen.0).collect();
        assert_eq!(found.len(), 1, "{words} in {self:?}");
        found[0]
    }
}

#[test]
fn one_sided_operations_of_processes_take_the_time_of_programs() {
    for (op, words) in
        [(put(4_096), "Write"), (put(8), "Write"), (get(65_536), "Read"), (amo(false), "Change"), (amo(true), "Change")]
    {
        let (seen, _) = seen(config("slingshot"), 1, vec![(vec![op], 0), (Vec::new(), 1)], false);
        let words = format!("{words} {}, operation 0 of 0", op.payload());
        let (reached, ends) = (seen.of(&words), seen.of("ends 0"));
        assert_eq!(ends, ordinary(config("slingshot"), op, None), "{op:?}");
        assert!(0 < reached && reached < ends, "{seen:?}");
        assert!(seen.iter().any(|(_, rank, _)| *rank == 1), "the target is told");
    }
}

/// When a message was delivered.
fn delivered(job: Job) -> u64 {
    let record = run(&topology(DragonflyDescription::uniform(3, 4, 4, 2)), config("slingshot"), options(1), vec![job]);
    let messages = record.expect("it runs").messages;
    assert_eq!(messages.len(), 1);
    messages[0].delivered.0
}

#[test]
fn messages_of_processes_arrive_when_those_of_programs_do() {
    for bytes in [8, 1_000, 1 << 18] {
        let (job, log) = fakes(vec![(vec![send(1, 0, bytes)], 0), (Vec::new(), 1)], false);
        let there = delivered(job);
        assert_eq!(there, delivered(ranks(vec![vec![vec![send(1, 0, bytes)]], vec![vec![receive(0, 0)]]])), "{bytes}");
        let seen = std::mem::take(&mut *log.lock().expect("no panic"));
        let times = |word: &str| seen.iter().find(|seen| seen.2.starts_with(word)).map(|seen| seen.0);
        if bytes < 1 << 18 {
            assert_eq!((times("offered"), times("fetched")), (Some(there), None), "{seen:?}");
            continue;
        }
        let [offered, read, fetched, ends] =
            ["offered", "ReadMessage", "fetched", "ends"].map(|word| times(word).expect(word));
        assert!(offered < read && read < fetched && fetched <= ends, "{seen:?}");
        assert_eq!(fetched, there, "{seen:?}");
    }
}

/// Within a node there is no NIC, and the target learns of everything all the same.
#[test]
fn processes_of_one_node_are_told_of_all_that_reaches_them() {
    let operations = vec![put(4_096), get(8), amo(true), send(1, 0, 64), send(1, 0, 1 << 18)];
    let (mut job, log) = fakes(vec![(operations, 0), (Vec::new(), 5)], false);
    for place in &mut job.places {
        place.node = philae_units::NodeId(3);
    }
    let record = run(&topology(DragonflyDescription::uniform(3, 4, 4, 2)), config("slingshot"), options(1), vec![job]);
    assert_eq!(record.expect("it runs").status, RunStatus::Completed);
    let seen = std::mem::take(&mut *log.lock().expect("no panic"));
    let words = |rank: u32| {
        seen.iter()
            .filter(|seen| seen.1 == rank)
            .map(|seen| seen.2.split(' ').next().expect("a word").to_owned())
            .collect::<Vec<_>>()
    };
    let mut of_target = words(1);
    of_target.sort();
    assert_eq!(of_target, ["Change", "Read", "Write", "offered", "offered"]);
    assert_eq!(words(0).len(), 5, "all operations end: {seen:?}");
}

/// The window of a connection opens as a process takes its messages.
#[test]
fn processes_receive_through_windows_of_tcp() {
    let of = |segments| crate::tcp::with_free_cores(crate::tcp::windowed(crate::tcp::buffer_of(segments)));
    let (first, all) = (|bytes| vec![send(1, 0, bytes)], 200);
    let many = || vec![(vec![send(1, 0, 9_000); all], 0), (Vec::new(), all as u32)];
    let narrow = seen(of(5), 1, many(), false);
    let wide = seen(of(500), 1, many(), false);
    for (seen, _) in [&narrow, &wide] {
        assert_eq!(seen.iter().filter(|seen| seen.2.starts_with("offered")).count(), all);
    }
    assert!(narrow.1 > wide.1 + wide.1 / 10, "{} and {}", narrow.1, wide.1);
    assert_eq!(seen(of(5), 3, many(), false), narrow, "three partitions");
    // The core has made acknowledgements, and goes on later.
    let wakes_after = |ack_ns| {
        let tcp = philae_nic_model::TcpParameters { ack_ns, ..crate::tcp::buffer_of(50) };
        let scripts = vec![vec![Step::Start(send(1, 0, 300_000))], vec![Step::Wait(None)]];
        let (_, seen) = scripted::play(crate::tcp::windowed(tcp), 1, (scripts, false), None);
        scripted::times(&seen, 1, "wakes")[0] - scripted::times(&seen, 1, "offered")[0]
    };
    assert_eq!((wakes_after(0), wakes_after(300) > 300_000), (0, true));
    // One message arrives when that of a program does.
    for bytes in [64, 300_000] {
        let delivered = |job| {
            let topology = topology(DragonflyDescription::uniform(3, 4, 4, 2));
            run(&topology, of(5), options(1), vec![job]).expect("it runs").messages[0].delivered
        };
        let (job, _) = fakes(vec![(first(bytes), 0), (Vec::new(), 1)], false);
        let of_programs = ranks(vec![vec![first(bytes)], vec![vec![receive(0, 0)]]]);
        assert_eq!(delivered(job), delivered(of_programs), "{bytes} bytes");
    }
}

/// A process that posts its receive later fetches the data later.
#[test]
fn a_message_waits_in_its_process_until_it_is_fetched() {
    let large = 1 << 18;
    let parts = || vec![(vec![send(1, 0, large)], 0), (Vec::new(), 1)];
    let (at_once, _) = seen(config("slingshot"), 1, parts(), false);
    let (late, _) = seen(config("slingshot"), 1, parts(), true);
    let fetched =
        |seen: &Vec<(u64, u32, String)>| seen.iter().find(|seen| seen.2.starts_with("fetched")).expect("it is").0;
    assert!(fetched(&late) >= fetched(&at_once), "{late:?}");
    let of_receiver = late.iter().filter(|seen| seen.1 == 1 && seen.2 == "ends 0").count();
    assert_eq!(of_receiver, 1, "the fetch is an operation of its own: {late:?}");
}

/// All to all, with every kind of operation: the same at the same times, however it is divided.
#[test]
fn processes_see_the_same_however_the_run_is_divided() {
    const RANKS: u32 = 12;
    let parts = || {
        let of = |rank: u32| {
            let to_all =
                |make: fn(RankId) -> Op| (0..RANKS).filter(move |to| *to != rank).map(move |to| make(RankId(to)));
            let operations: Vec<Op> = to_all(|to| Op::Send { to, bytes: Bytes(64), tag: 0, class: None })
                .chain(to_all(|to| Op::Send { to, bytes: Bytes(40_000), tag: 0, class: None }))
                .chain(to_all(|to| Op::Put { to, bytes: Bytes(5_000), class: None }))
                .chain(to_all(|from| Op::Get { from, bytes: Bytes(5_000), class: None }))
                .collect();
            (operations, 4 * (RANKS - 1))
        };
        (0..RANKS).map(of).collect::<Vec<_>>()
    };
    let whole = seen(config("slingshot"), 1, parts(), false);
    assert_eq!(whole.0.len() as u32, RANKS * (RANKS - 1) * (2 + 4 + 2 + 2));
    for partitions in [2, 3] {
        assert_eq!(seen(config("slingshot"), partitions, parts(), false), whole, "{partitions} partitions");
    }
}
