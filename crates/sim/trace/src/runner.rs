//! The program of a rank whose tasks include collective operations, streams of its core, or waits
//! for a part of several operations.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use philae_workload::{Action, Activities, Dependencies, Op, OpHandle, OperationGraph, Progress, RankProgram, Wait};

use crate::call::{Calls, RankCall};
use crate::places::OperationNumbers;
use crate::task::{TaskKind, TraceTask, dependencies};

/// Runs tasks as [`philae_workload::OperationGraph`] runs operations; collective operations are
/// unrolled step by step.
#[derive(Debug)]
pub(crate) struct TaskRunner {
    rank: u32,
    tasks: Arc<[TraceTask]>,
    calls: Arc<Calls>,
    places: Arc<OperationNumbers>,
    dependencies: Dependencies,
    /// Tasks that have not completed.
    left: usize,
    /// Task of each outstanding operation, by its handle.
    slots: Slots,
    /// Collective operations in progress, by task.
    parts: BTreeMap<u32, RankCall>,
    /// Other streams than the first that compute, each with the tasks that wait for it.
    streams: BTreeMap<u8, VecDeque<u32>>,
}

/// The program of a rank whose tasks are single operations.
#[derive(Debug)]
pub(crate) struct Plain {
    pub graph: OperationGraph,
    pub rank: u32,
    pub places: Arc<OperationNumbers>,
}

impl RankProgram for Plain {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        self.graph.advance(completed, actions)
    }

    fn waits_for(&self) -> Option<Wait> {
        let (task, op) = self.graph.first_outstanding()?;
        Some(Wait::of(op, Some(&self.places.of(self.rank, task as u32))))
    }
}

/// Handles of outstanding operations, each for a task (or another number).
#[derive(Debug, Default)]
pub(crate) struct Slots {
    tasks: Vec<u32>,
    free: Vec<u32>,
}

impl Slots {
    /// A handle that no outstanding operation has.
    pub fn take(&mut self, task: u32) -> OpHandle {
        let handle = self.free.pop().unwrap_or_else(|| {
            self.tasks.push(0);
            self.tasks.len() as u32 - 1
        });
        self.tasks[handle as usize] = task;
        OpHandle(handle)
    }

    /// The lowest number of an outstanding operation.
    pub fn lowest(&self) -> Option<u32> {
        let free: BTreeSet<u32> = self.free.iter().copied().collect();
        self.tasks.iter().zip(0..).filter(|(_, handle)| !free.contains(handle)).map(|(&task, _)| task).min()
    }

    /// The number of a completed operation.
    pub fn give_back(&mut self, handle: OpHandle) -> u32 {
        self.free.push(handle.0);
        self.tasks[handle.0 as usize]
    }
}

impl TaskRunner {
    /// The program of `rank`.
    pub fn new(rank: u32, tasks: Arc<[TraceTask]>, calls: Arc<Calls>, places: Arc<OperationNumbers>) -> Self {
        Self {
            rank,
            places,
            dependencies: dependencies(&tasks),
            left: tasks.len(),
            tasks,
            calls,
            slots: Slots::default(),
            parts: BTreeMap::new(),
            streams: BTreeMap::new(),
        }
    }

    fn start_op(&mut self, task: u32, op: Op, actions: &mut Vec<Action>) {
        let handle = self.slots.take(task);
        actions.push(Action::Start(handle, op));
    }

    fn start(&mut self, task: u32, actions: &mut Vec<Action>) {
        let entry = &self.tasks[task as usize];
        match &entry.what {
            TaskKind::Op(Op::Compute { time }) if entry.cpu > 0 => {
                let op = Op::Delay { time: *time };
                match self.streams.get_mut(&entry.cpu) {
                    Some(waiting) => waiting.push_back(task),
                    None => {
                        self.streams.insert(entry.cpu, VecDeque::new());
                        self.start_op(task, op, actions);
                    }
                }
            }
            TaskKind::Op(op) => {
                let op = *op;
                self.start_op(task, op, actions);
            }
            TaskKind::Join => self.end(task),
            TaskKind::Call(call) => {
                let part = self.calls.part(*call, self.rank);
                self.go_on(task, part, actions);
            }
        }
    }

    /// Takes a collective operation's next steps, or ends it.
    fn go_on(&mut self, task: u32, mut part: RankCall, actions: &mut Vec<Action>) {
        match part.next_step() {
            Some(ops) => {
                self.parts.insert(task, part);
                ops.into_iter().for_each(|op| self.start_op(task, op, actions));
            }
            None => self.end(task),
        }
    }

    fn end(&mut self, task: u32) {
        self.left -= 1;
        self.dependencies.end(task);
    }

    fn completed(&mut self, task: u32, actions: &mut Vec<Action>) {
        if let Some(mut part) = self.parts.remove(&task) {
            if part.completed_one() {
                self.go_on(task, part, actions);
            } else {
                self.parts.insert(task, part);
            }
            return;
        }
        let entry = &self.tasks[task as usize];
        if entry.on_its_own_stream() {
            let cpu = entry.cpu;
            match self.streams.get_mut(&cpu).and_then(VecDeque::pop_front) {
                Some(next) => {
                    if let TaskKind::Op(Op::Compute { time }) = self.tasks[next as usize].what {
                        self.start_op(next, Op::Delay { time }, actions);
                    }
                }
                None => {
                    self.streams.remove(&cpu);
                }
            }
        }
        self.end(task);
    }
}

impl RankProgram for TaskRunner {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed {
            None => {
                actions.push(Action::IterationStart(0));
                self.dependencies.begin();
            }
            Some(handle) => {
                let task = self.slots.give_back(handle);
                self.completed(task, actions);
            }
        }
        while let Some(task) = self.dependencies.next_ready() {
            self.start(task, actions);
        }
        if self.left == 0 {
            actions.push(Action::IterationEnd(0));
            return Progress::Finished;
        }
        Progress::Running
    }

    fn waits_for(&self) -> Option<Wait> {
        // Operations that others wait for come first; a receive without dependents does not explain
        // a standstill.
        let task = self.slots.lowest()?;
        let place = self.places.of(self.rank, task);
        Some(match (&self.tasks[task as usize].what, self.parts.get(&task)) {
            (TaskKind::Call(call), Some(part)) => {
                let (name, step, steps) = (self.calls.name(*call), part.step_in_hand(), part.steps());
                Wait { words: format!("{place}: {name}, step {step} of {steps}"), partner: None }
            }
            (TaskKind::Op(op), _) => Wait::of(op, Some(&place)),
            _ => Wait { words: place, partner: None },
        })
    }

    fn activities(&self, report: &mut Activities) {
        // Operations may overlap, so each is a line of its own.
        report.extend(self.parts.iter().map(|(&task, part)| (task + 1, part.activity(task))));
    }
}
