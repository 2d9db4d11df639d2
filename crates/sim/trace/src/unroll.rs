//! Writes programs out as schedules: runs them once without time and records the operations that
//! they start.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use philae_units::RankId;
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram, Recording, SendMode, simulate_semantics};

use crate::call::{COLLECTIVE_TAG, Calls};
use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::schedule::TraceSchedule;
use crate::task::{TaskKind, TraceTask};

impl TraceSchedule {
    /// Writes collective operations, layers and waits for a part of several operations out as sends
    /// and receives; a schedule without these is returned as it is.
    ///
    /// # Errors
    /// As [`unroll`].
    pub fn unrolled(&self, operations_max: u64) -> Result<Self, TraceError> {
        let simple = |task: &TraceTask| {
            let simple = matches!(
                task.what,
                TaskKind::Join
                    | TaskKind::Op(Op::Send { .. } | Op::Recv { .. } | Op::Compute { .. } | Op::Delay { .. })
            );
            simple && task.enough.is_none()
        };
        if self.tasks().is_some_and(|ranks| ranks.iter().all(|tasks| tasks.iter().all(simple))) {
            return Ok(self.clone());
        }
        let programs = (0..self.ranks()).map(|rank| self.program(RankId(rank))).collect();
        let mut unrolled = unroll(self.format, programs, operations_max)?;
        unrolled.warnings.splice(0..0, self.warnings.iter().cloned());
        Ok(unrolled)
    }
}

/// Runs the programs of one job to their end, without time, and records the operations that they
/// start. `format` is the format in the result.
///
/// An operation waits for all operations of its rank that had completed when it started. For
/// programs that run phase after phase, collectives among them, that is exactly what they wait for.
/// A program that keeps a window of messages open waits for slightly more than it must. A put
/// becomes a send with a receive at its target that nothing waits for.
///
/// # Errors
/// [`TraceError::Semantics`] for programs that never end or wait forever,
/// [`TraceError::Inexpressible`] for gets, atomic operations and operations in the switches.
pub fn unroll(
    format: TraceFormat,
    programs: Vec<Box<dyn RankProgram>>,
    operations_max: u64,
) -> Result<TraceSchedule, TraceError> {
    let records: Vec<Arc<Mutex<Record>>> = programs.iter().map(|_| Arc::default()).collect();
    let watched = programs.into_iter().zip(&records).map(|(program, record)| {
        let watched: Box<dyn RankProgram> = Box::new(Watched { program, record: Arc::clone(record) });
        watched
    });
    simulate_semantics(watched.collect(), SendMode::Eager, 0, operations_max)?;
    let mut ranks: Vec<Vec<TraceTask>> = records
        .iter()
        .map(|record| std::mem::take(&mut record.lock().unwrap_or_else(PoisonError::into_inner).tasks))
        .collect();
    let puts = puts_to_sends(&mut ranks)?;
    let mut schedule = TraceSchedule::of_tasks(format, "the unrolled programs", ranks, Calls::default(), Vec::new())?;
    if puts > 0 {
        let text = format!("{puts} one-sided writes are written as sends; no operation waits for their receives");
        schedule.warnings.push(text);
    }
    Ok(schedule)
}

/// Replaces puts by sends, with a receive at the end of the target's list that waits for nothing.
fn puts_to_sends(ranks: &mut [Vec<TraceTask>]) -> Result<usize, TraceError> {
    let mut receives = Vec::new();
    let mut puts = 0_u32;
    for (rank, tasks) in ranks.iter_mut().enumerate() {
        for task in tasks {
            let TaskKind::Op(op) = task.what else { continue };
            match op {
                Op::Put { to, bytes, class } => {
                    let tag = (puts & !COLLECTIVE_TAG) | COLLECTIVE_TAG;
                    puts += 1;
                    task.what = TaskKind::Op(Op::Send { to, bytes, tag, class });
                    receives.push((to, RankId::from_index(rank), bytes, tag));
                }
                Op::Get { .. } | Op::Amo { .. } | Op::Offload { .. } => {
                    return Err(TraceError::Inexpressible {
                        format: "sends and receives",
                        rank: rank as u32,
                        what: format!("does {op}"),
                        works: "a workload of sends, receives, puts and computation would work".to_owned(),
                    });
                }
                _ => {}
            }
        }
    }
    for (target, from, bytes, tag) in receives {
        let op = Op::Recv { from: Some(from), bytes, tag: Some(tag) };
        ranks[target.index()].push(TraceTask::op(op, Vec::new()));
    }
    Ok(puts as usize)
}

/// The operations that one rank started.
#[derive(Debug, Default)]
struct Record {
    tasks: Vec<TraceTask>,
    /// Task of each outstanding operation.
    outstanding: BTreeMap<OpHandle, u32>,
    frontier: Frontier,
}

/// Completed tasks that no later completed task waits for, in order of completion.
#[derive(Debug, Default)]
struct Frontier {
    completed: u64,
    tasks: BTreeMap<u64, u32>,
    places: BTreeMap<u32, u64>,
}

impl Frontier {
    fn add(&mut self, task: u32) {
        self.completed += 1;
        self.tasks.insert(self.completed, task);
        self.places.insert(task, self.completed);
    }

    fn remove(&mut self, task: u32) {
        if let Some(place) = self.places.remove(&task) {
            self.tasks.remove(&place);
        }
    }

    fn list(&self) -> Vec<u32> {
        self.tasks.values().copied().collect()
    }
}

impl Record {
    fn completed(&mut self, handle: OpHandle) {
        let Some(task) = self.outstanding.remove(&handle) else { return };
        for &covered in &self.tasks[task as usize].requires {
            self.frontier.remove(covered);
        }
        self.frontier.add(task);
    }

    fn started(&mut self, handle: OpHandle, op: Op) {
        self.outstanding.insert(handle, self.tasks.len() as u32);
        self.tasks.push(TraceTask::op(op, self.frontier.list()));
    }

    /// Reduces the dependencies of many operations to one.
    fn join(&mut self, starts: usize) {
        if starts > 2 && self.frontier.tasks.len() > 2 {
            let join = self.tasks.len() as u32;
            self.tasks.push(TraceTask::new(TaskKind::Join, std::mem::take(&mut self.frontier).list()));
            self.frontier.add(join);
        }
    }
}

/// A program whose operations are recorded.
struct Watched {
    program: Box<dyn RankProgram>,
    record: Arc<Mutex<Record>>,
}

impl RankProgram for Watched {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let from = actions.len();
        let progress = self.program.advance(completed, actions);
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = completed {
            record.completed(handle);
        }
        let starts = actions[from..].iter().filter(|action| matches!(action, Action::Start(..))).count();
        record.join(starts);
        for action in &actions[from..] {
            if let Action::Start(handle, op) = action {
                record.started(*handle, *op);
            }
        }
        progress
    }
}
