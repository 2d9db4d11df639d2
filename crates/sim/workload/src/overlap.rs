//! Motifs with a main line and concurrent tasks: nonblocking collectives, receives that are posted
//! ahead.

use std::collections::VecDeque;

use crate::activity::{Activities, Activity};
use crate::phase::Phase;
use crate::program::{Action, OpHandle, Progress, RankProgram};

/// The action of the main line of an [`ConcurrentMotif`] motif in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Runs the operations of the phase, all of them before the next step. It may be empty.
    Phase,
    /// Starts a concurrent task and continues.
    Launch(u32),
    /// Continues when every task is over.
    Join,
    /// None: the iteration has no such step. It ends when every task is over.
    End,
}

/// The operations of one rank in each iteration, if some are concurrent with the rest.
///
/// Like a [`Motif`](crate::Motif), it is a function of the iteration and the step, and stores
/// nothing per message. A task has its own consecutive steps. Tags of the main line and of all
/// tasks differ.
pub trait ConcurrentMotif: Send {
    /// The action of the main line in `step`, whose operations go to the empty `phase`.
    fn turn(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> Turn;

    /// Adds the operations of a task's `step` to the empty `phase`. Returns false, having added
    /// nothing, when the task has no such step.
    fn task(&mut self, iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool;

    /// Adds the nested activities of the last step of the main line (`None`) or of a task, from the
    /// outermost inwards.
    fn activity(&self, _task: Option<u32>, _add: &mut dyn FnMut(Activity)) {}

    /// Whether any step has an operation for the switches.
    fn offloads(&self) -> bool {
        false
    }
}

/// Runs an [`ConcurrentMotif`] motif as a rank program.
///
/// A limited number of tasks is in progress at a time; further ones wait. Memory is proportional to
/// outstanding operations and waiting tasks. While a core computes, the tasks make no progress, as
/// under MPI without a progress thread. During a delay, the time of an accelerator, they continue.
#[derive(Debug)]
pub struct Overlapping<M> {
    motif: M,
    iterations: Option<u32>,
    iteration: u32,
    step: u32,
    /// Operations of the main line that are not complete.
    outstanding: u32,
    joining: bool,
    started_any: bool,
    lanes: Vec<Option<Task>>,
    waiting: VecDeque<u32>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    number: u32,
    step: u32,
    outstanding: u32,
}

/// Handles are `lane * 2^20 + position in the phase`; lane 0 is the main line.
const LANE_SHIFT: u32 = 20;

impl<M: ConcurrentMotif> Overlapping<M> {
    /// Maximum number of concurrent tasks.
    pub const TASKS_MAX: u32 = (1 << (u32::BITS - LANE_SHIFT)) - 1;

    /// `iterations` of `motif`, endless if `None`, with at most `at_once` concurrent tasks.
    ///
    /// # Panics
    /// If `at_once` is 0, or more than [`TASKS_MAX`](Self::TASKS_MAX).
    #[must_use]
    pub fn new(motif: M, iterations: Option<u32>, at_once: u32) -> Self {
        assert!((1..=Self::TASKS_MAX).contains(&at_once), "between 1 and {} tasks at once", Self::TASKS_MAX);
        Self {
            motif,
            iterations,
            iteration: 0,
            step: 0,
            outstanding: 0,
            joining: false,
            started_any: false,
            lanes: vec![None; at_once as usize],
            waiting: VecDeque::new(),
            phase: Phase::default(),
        }
    }

    /// Starts the operations of the phase for a lane. Returns their number.
    fn start(&mut self, lane: usize, actions: &mut Vec<Action>) -> u32 {
        let first = (lane as u32) << LANE_SHIFT;
        let ops = self.phase.ops();
        assert!(ops.len() < 1 << LANE_SHIFT, "a phase has fewer than 2^20 operations");
        actions.extend(ops.iter().zip(first..).map(|(op, handle)| Action::Start(OpHandle(handle), *op)));
        self.started_any |= !ops.is_empty();
        ops.len() as u32
    }

    /// Continues the task of a lane until it waits, and the tasks after it.
    fn run_lane(&mut self, lane: usize, actions: &mut Vec<Action>) {
        while let Some(mut task) = self.lanes[lane] {
            self.phase.clear();
            if self.motif.task(self.iteration, task.number, task.step, &mut self.phase) {
                task.step += 1;
                task.outstanding = self.start(lane + 1, actions);
                self.lanes[lane] = Some(task);
                if task.outstanding > 0 {
                    return;
                }
            } else {
                self.lanes[lane] = self.waiting.pop_front().map(Task::new);
            }
        }
    }

    fn launch(&mut self, number: u32, actions: &mut Vec<Action>) {
        match self.lanes.iter().position(Option::is_none) {
            Some(lane) => {
                self.lanes[lane] = Some(Task::new(number));
                self.run_lane(lane, actions);
            }
            None => self.waiting.push_back(number),
        }
    }

    fn has_tasks(&self) -> bool {
        self.lanes.iter().any(Option::is_some)
    }

    /// Continues the main line. Returns true if nothing follows.
    fn run_main(&mut self, actions: &mut Vec<Action>) -> bool {
        while self.outstanding == 0 {
            if self.joining && self.has_tasks() {
                return false;
            }
            self.joining = false;
            if self.step == 0 {
                if self.iterations.is_some_and(|iterations| self.iteration >= iterations) {
                    return true;
                }
                actions.push(Action::IterationStart(self.iteration));
            }
            self.phase.clear();
            match self.motif.turn(self.iteration, self.step, &mut self.phase) {
                Turn::Phase => self.outstanding = self.start(0, actions),
                Turn::Launch(task) => self.launch(task, actions),
                Turn::Join => self.joining = true,
                Turn::End if self.has_tasks() => {
                    self.joining = true;
                    continue;
                }
                Turn::End => {
                    actions.push(Action::IterationEnd(self.iteration));
                    self.iteration = self.iteration.wrapping_add(1);
                    self.step = 0;
                    // An endless loop in which a rank has no part would spin forever without
                    // simulated time passing.
                    if self.iterations.is_none() && !std::mem::take(&mut self.started_any) {
                        return true;
                    }
                    continue;
                }
            }
            self.step += 1;
        }
        false
    }
}

impl Task {
    const fn new(number: u32) -> Self {
        Self { number, step: 0, outstanding: 0 }
    }
}

impl<M: ConcurrentMotif> RankProgram for Overlapping<M> {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed.map(|handle| (handle.0 >> LANE_SHIFT) as usize) {
            None => {}
            Some(0) => self.outstanding -= 1,
            Some(lane) => {
                let task = self.lanes[lane - 1].as_mut().expect("only operations that were started complete");
                task.outstanding -= 1;
                if task.outstanding == 0 {
                    self.run_lane(lane - 1, actions);
                }
            }
        }
        if self.run_main(actions) { Progress::Finished } else { Progress::Running }
    }

    fn activities(&self, report: &mut Activities) {
        if self.joining {
            report.push((0, Activity::new("wait for all", self.step)));
        } else if self.outstanding > 0 {
            self.motif.activity(None, &mut |activity| report.push((0, activity)));
        }
        for (task, line) in self.lanes.iter().zip(1..) {
            if let Some(task) = task {
                self.motif.activity(Some(task.number), &mut |activity| report.push((line, activity)));
            }
        }
    }

    fn offloads(&self) -> bool {
        self.motif.offloads()
    }
}

#[cfg(test)]
mod tests {
    use philae_units::{Bytes, Picoseconds};

    use super::*;
    use crate::program::Op;

    /// Launches three tasks of two puts each, one after the other, around a delay; joins; puts once
    /// more.
    struct Three;

    impl ConcurrentMotif for Three {
        fn turn(&mut self, _iteration: u32, step: u32, phase: &mut Phase) -> Turn {
            match step {
                0..=2 => return Turn::Launch(step),
                3 => phase.delay(Picoseconds(7)),
                4 => return Turn::Join,
                5 => phase.put(1, Bytes(99)),
                _ => return Turn::End,
            }
            Turn::Phase
        }

        fn task(&mut self, _iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool {
            if step < 2 {
                phase.put(1, Bytes(u64::from(10 * task + step)));
            }
            step < 2
        }
    }

    fn started(actions: &mut Vec<Action>) -> Vec<(OpHandle, u64)> {
        let drained = actions.drain(..).filter_map(|action| match action {
            Action::Start(handle, Op::Put { bytes, .. }) => Some((handle, bytes.0)),
            Action::Start(handle, Op::Delay { .. }) => Some((handle, 1_000)),
            _ => None,
        });
        drained.collect()
    }

    #[test]
    fn tasks_go_on_beside_the_main_line_and_it_waits_for_them_where_it_joins() {
        let mut program = Overlapping::new(Three, Some(1), 2);
        let mut actions = Vec::new();
        assert_eq!(program.advance(None, &mut actions), Progress::Running);
        let first = started(&mut actions);
        assert_eq!(first.iter().map(|op| op.1).collect::<Vec<_>>(), [0, 10, 1_000], "two at once, and the delay");
        program.advance(Some(first[2].0), &mut actions);
        assert!(started(&mut actions).is_empty(), "it joins");
        program.advance(Some(first[0].0), &mut actions);
        let second = started(&mut actions);
        assert_eq!(second[0].1, 1);
        program.advance(Some(second[0].0), &mut actions);
        let third = started(&mut actions);
        assert_eq!(third[0].1, 20, "the third task takes the first one's place");
        program.advance(Some(first[1].0), &mut actions);
        let fourth = started(&mut actions);
        program.advance(Some(fourth[0].0), &mut actions);
        program.advance(Some(third[0].0), &mut actions);
        let fifth = started(&mut actions);
        program.advance(Some(fifth[0].0), &mut actions);
        let last = started(&mut actions);
        assert_eq!(last[0].1, 99, "after all tasks");
        assert_eq!(program.advance(Some(last[0].0), &mut actions), Progress::Finished);
        assert_eq!(actions, [Action::IterationEnd(0)]);
    }

    /// A task is still in progress at the end of the iteration.
    struct Trailing;

    impl ConcurrentMotif for Trailing {
        fn turn(&mut self, _iteration: u32, step: u32, _phase: &mut Phase) -> Turn {
            if step == 0 { Turn::Launch(5) } else { Turn::End }
        }

        fn task(&mut self, _iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool {
            assert_eq!(task, 5);
            if step == 0 {
                phase.put(1, Bytes(1));
            }
            step == 0
        }
    }

    #[test]
    fn an_iteration_ends_with_its_last_task() {
        let mut program = Overlapping::new(Trailing, Some(2), 1);
        let mut actions = Vec::new();
        program.advance(None, &mut actions);
        assert_eq!(actions.len(), 2, "the start of the iteration and the put: {actions:?}");
        let handle = started(&mut actions)[0].0;
        program.advance(Some(handle), &mut actions);
        assert_eq!(actions[..2], [Action::IterationEnd(0), Action::IterationStart(1)]);
        let handle = started(&mut actions)[0].0;
        assert_eq!(program.advance(Some(handle), &mut actions), Progress::Finished);
    }

    struct Nothing;

    impl ConcurrentMotif for Nothing {
        fn turn(&mut self, _iteration: u32, _step: u32, _phase: &mut Phase) -> Turn {
            Turn::End
        }

        fn task(&mut self, _iteration: u32, _task: u32, _step: u32, _phase: &mut Phase) -> bool {
            false
        }
    }

    #[test]
    fn an_endless_loop_of_nothing_ends() {
        assert_eq!(Overlapping::new(Nothing, None, 1).advance(None, &mut Vec::new()), Progress::Finished);
    }
}
