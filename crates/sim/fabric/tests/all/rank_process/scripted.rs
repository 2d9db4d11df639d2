//! Processes that follow a script, and supervisors that follow a function.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Log, options};
use crate::common::topology;
use crate::matching::ranks;
use philae_fabric::{FabricConfig, FabricError, Job, Simulation};
use philae_results::record::RunRecord;
use philae_topology::{DragonflyDescription, Topology};
use philae_units::Picoseconds;
use philae_workload::{
    Action, Between, Lost, MemoryAccess, OfferAnswer, Op, OpHandle, ProcessMessage, ProcessProgram, ProcessSupervisor,
    Progress, RankProcess, RankProgram, Wait,
};

/// What a process does next.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// It starts an operation and goes on.
    Start(Op),
    /// It waits for whatever comes, at most until this time in picoseconds.
    Wait(Option<u64>),
    /// The same, and goes on when any of its operations ends.
    WaitOrEnd(Option<u64>),
    /// It waits until its operations have ended.
    All,
}

/// A process that follows a script, and notes all that it is told.
#[derive(Debug)]
pub struct Scripted {
    rank: u32,
    steps: VecDeque<Step>,
    open: BTreeSet<u32>,
    /// Its wait, until that has ended.
    wait: Option<OpHandle>,
    /// It has answered that the wait ends, or goes on without it.
    is_answered: bool,
    goes_on: bool,
    /// It fetches data only when it has a turn.
    is_late: bool,
    offered: Vec<u32>,
    next: u32,
    log: Log,
}

impl Scripted {
    fn note(&self, now: Picoseconds, words: String) {
        self.log.lock().expect("no panic").push((now.0, self.rank, words));
    }

    fn start(&mut self, op: Op, actions: &mut Vec<Action>) -> OpHandle {
        let handle = OpHandle(self.next);
        self.next += 1;
        actions.push(Action::Start(handle, op));
        handle
    }

    fn event(&mut self) -> Option<OpHandle> {
        let is_first = !std::mem::replace(&mut self.is_answered, true);
        self.wait.filter(|_| is_first)
    }
}

impl RankProcess for Scripted {
    fn advance(&mut self, now: Picoseconds, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        if let Some(handle) = completed {
            if self.wait == Some(handle) {
                self.wait = None;
                self.note(now, "wakes".to_owned());
            } else if self.open.remove(&handle.0) {
                self.note(now, format!("ends {}", handle.0));
                self.wait = self.wait.filter(|_| !self.goes_on);
            } else {
                self.note(now, format!("stale {}", handle.0));
            }
        }
        for number in std::mem::take(&mut self.offered) {
            let handle = self.start(Op::Fetch { number }, actions);
            self.open.insert(handle.0);
        }
        while self.wait.is_none() {
            match self.steps.front().copied() {
                Some(Step::Start(op)) => {
                    let handle = self.start(op, actions);
                    self.open.insert(handle.0);
                }
                Some(Step::Wait(until) | Step::WaitOrEnd(until)) => {
                    self.goes_on = matches!(self.steps[0], Step::WaitOrEnd(_));
                    self.is_answered = false;
                    self.wait = Some(self.start(Op::Event { until: until.map(Picoseconds) }, actions));
                }
                Some(Step::All) if self.open.is_empty() => {}
                Some(Step::All) | None => break,
            }
            self.steps.pop_front();
        }
        let is_over = self.steps.is_empty() && self.open.is_empty() && self.wait.is_none();
        if is_over { Progress::Finished } else { Progress::Running }
    }

    fn offered(&mut self, now: Picoseconds, message: &ProcessMessage, number: u32, is_whole: bool) -> OfferAnswer {
        self.note(now, format!("offered {} of {}", message.operation.0, message.source));
        if is_whole {
            return OfferAnswer::Taken(self.event());
        }
        if self.is_late {
            self.offered.push(number);
            return OfferAnswer::Waits(self.event());
        }
        OfferAnswer::Fetches(now)
    }

    fn fetched(&mut self, now: Picoseconds, message: &ProcessMessage) -> Option<OpHandle> {
        self.note(now, format!("fetched {} of {}", message.operation.0, message.source));
        self.event()
    }

    fn reached(&mut self, now: Picoseconds, message: &ProcessMessage, access: MemoryAccess) -> Option<OpHandle> {
        self.note(now, format!("{access:?} {} of {}", message.operation.0, message.source));
        if access == MemoryAccess::ReadMessage { None } else { self.event() }
    }

    fn lost(&mut self, now: Picoseconds, message: &ProcessMessage, lost: Lost) -> Option<OpHandle> {
        self.note(now, format!("lost {lost:?} {} of {}", message.operation.0, message.source));
        if lost == Lost::Arrival { None } else { self.event() }
    }

    fn waits_for(&self) -> Option<Wait> {
        let words = format!("turn {} of rank {}", self.next, self.rank);
        self.is_late.then_some(Wait { words, partner: None })
    }
}

/// A job of processes with these scripts.
pub fn job(scripts: Vec<Vec<Step>>, is_late: bool) -> (Job, Log) {
    let log = Log::default();
    let mut job = ranks(scripts.iter().map(|_| Vec::new()).collect());
    let process = |(rank, steps): (u32, Vec<Step>)| {
        let process = Scripted {
            rank,
            steps: steps.into(),
            open: BTreeSet::new(),
            wait: None,
            is_answered: true,
            goes_on: false,
            is_late,
            offered: Vec::new(),
            next: 0,
            log: Arc::clone(&log),
        };
        Box::new(ProcessProgram(Box::new(process))) as Box<dyn RankProgram>
    };
    job.programs = (0..).zip(scripts).map(process).collect();
    (job, log)
}

/// A supervisor that answers by a function.
pub struct Asked<F>(pub F);

impl<F> fmt::Debug for Asked<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asked")
    }
}

impl<F: FnMut(Picoseconds, Option<Picoseconds>) -> Between + Send> ProcessSupervisor for Asked<F> {
    fn between(&mut self, now: Picoseconds, next: Option<Picoseconds>) -> Between {
        (self.0)(now, next)
    }
}

/// What processes have seen, in the order of time.
pub type Seen = Vec<(u64, u32, String)>;

pub fn system() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(3, 4, 4, 2))
}

/// Runs scripts. Returns what the processes have seen, too.
pub fn play(
    config: FabricConfig,
    partitions: u32,
    (scripts, is_late): (Vec<Vec<Step>>, bool),
    supervisor: Option<Box<dyn ProcessSupervisor>>,
) -> (Result<RunRecord, FabricError>, Seen) {
    let (job, log) = job(scripts, is_late);
    let mut simulation = Simulation::new(system(), config, options(partitions), vec![job]).expect("it is built");
    if let Some(supervisor) = supervisor {
        simulation.supervise(supervisor).expect("it has one process");
    }
    let record = simulation.run(&mut |_| ControlFlow::Continue(()));
    let mut seen = std::mem::take(&mut *log.lock().expect("no panic"));
    seen.sort();
    (record, seen)
}

/// The times at which a rank saw this.
pub fn times(seen: &Seen, rank: u32, words: &str) -> Vec<u64> {
    seen.iter().filter(|seen| seen.1 == rank && seen.2.starts_with(words)).map(|seen| seen.0).collect()
}
