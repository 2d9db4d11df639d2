//! Motifs: programs that run one group of operations after the other.

use philae_units::{Bytes, Picoseconds, RankId};

use crate::activity::{Activities, Activity};
use crate::collective::exchange::{Combine, Exchange};
use crate::program::{Action, Offload, Op, OpHandle, Progress, RankProgram};

/// The operations that a motif starts together; the next phase begins when all of them are
/// complete.
#[derive(Debug, Default)]
pub struct Phase {
    ops: Vec<Op>,
}

impl Phase {
    /// Adds an operation.
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// Adds a two-sided send in the job's own traffic class.
    pub fn send(&mut self, to: u32, bytes: Bytes, tag: u32) {
        self.push(Op::Send { to: RankId(to), bytes, tag, class: None });
    }

    /// Adds a receive from one rank.
    pub fn recv(&mut self, from: u32, bytes: Bytes, tag: u32) {
        self.push(Op::Recv { from: Some(RankId(from)), bytes, tag: Some(tag) });
    }

    /// Adds a receive from any rank that sends with this tag.
    pub fn recv_any(&mut self, bytes: Bytes, tag: u32) {
        self.push(Op::Recv { from: None, bytes, tag: Some(tag) });
    }

    /// Adds a one-sided write in the job's own traffic class.
    pub fn put(&mut self, to: u32, bytes: Bytes) {
        self.push(Op::Put { to: RankId(to), bytes, class: None });
    }

    /// Adds a one-sided read in the job's own traffic class.
    pub fn get(&mut self, from: u32, bytes: Bytes) {
        self.push(Op::Get { from: RankId(from), bytes, class: None });
    }

    /// Adds an atomic operation in the job's own traffic class.
    pub fn amo(&mut self, to: u32, bytes: Bytes, fetch: bool) {
        self.push(Op::Amo { to: RankId(to), bytes, fetch, class: None });
    }

    /// Adds a collective operation that the switches carry out.
    pub fn offload(&mut self, kind: Offload, bytes: Bytes) {
        self.push(Op::Offload { kind, bytes });
    }

    /// Adds computation; none for a time of zero.
    pub fn compute(&mut self, time: Picoseconds) {
        if time > Picoseconds::ZERO {
            self.push(Op::Compute { time });
        }
    }

    /// Adds time that does not occupy the core (an accelerator computes); none for a time of zero.
    pub fn delay(&mut self, time: Picoseconds) {
        if time > Picoseconds::ZERO {
            self.push(Op::Delay { time });
        }
    }

    /// Removes the operations, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
    }

    /// The operations so far, in the order in which they will be started.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
}

/// One step of a collective, written into a phase with every tag raised by `first_tag`.
pub struct Tagged<'a> {
    /// The target of the operations.
    pub phase: &'a mut Phase,
    /// Tag of the collective's step 0 in this iteration.
    pub first_tag: u32,
}

impl Exchange for Tagged<'_> {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, _items: impl Iterator<Item = u64>) {
        self.phase.send(to, bytes, self.first_tag.wrapping_add(step));
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, _combine: Combine) {
        self.phase.recv(from, bytes, self.first_tag.wrapping_add(step));
    }

    fn offload(&mut self, kind: Offload, bytes: Bytes, _items: impl Iterator<Item = u64>) {
        self.phase.offload(kind, bytes);
    }
}

/// The operations of one rank in each iteration, as a function of the iteration and the step within
/// it.
///
/// A motif is a function, not a list: it stores nothing per message, and a new one is a few lines.
/// Two ranks must give the same tag to the two ends of a message. Tags must differ between
/// iterations, because one rank may be an iteration ahead of another:
/// `iteration * tags_per_iteration + something`, wrapping.
///
/// ```
/// use philae_units::{Bytes, Picoseconds};
/// use philae_workload::{Motif, Phase, Phased};
///
/// /// Compute, then pass a token around the ring.
/// struct Ring { rank: u32, ranks: u32 }
///
/// impl Motif for Ring {
///     fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
///         match step {
///             0 => phase.compute(Picoseconds::from_micros(1)),
///             1 => {
///                 phase.recv((self.rank + self.ranks - 1) % self.ranks, Bytes(8), iteration);
///                 phase.send((self.rank + 1) % self.ranks, Bytes(8), iteration);
///             }
///             _ => return false,
///         }
///         true
///     }
/// }
///
/// let program = Phased::new(Ring { rank: 0, ranks: 4 }, Some(10));
/// ```
pub trait Motif: Send {
    /// Adds the operations of `step` (counted from 0 in each iteration) to the empty `phase`.
    ///
    /// Returns false, having added nothing, when the iteration has no such step. A step may be
    /// empty.
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool;

    /// Whether the iterations of this rank count. The time of an iteration is from the first start
    /// to the last end among the ranks that count.
    fn counts(&self) -> bool {
        true
    }

    /// The activity of `step` of `iteration`, the latest step; `None` if its operations say enough.
    fn activity(&self, _iteration: u32, _step: u32) -> Option<Activity> {
        None
    }

    /// Whether any step has an operation for the switches.
    fn offloads(&self) -> bool {
        false
    }

    /// From now on messages replace the operations of the switches; the current step starts again
    /// from here. False if that is impossible.
    fn fall_back(&mut self) -> bool {
        false
    }
}

/// Runs a motif as a rank program: phases one after the other, iterations marked.
///
/// Allocates only while the first few phases grow its buffer. Operation handles are positions in
/// the current phase.
#[derive(Debug)]
pub struct Phased<M> {
    motif: M,
    iterations: Option<u32>,
    iteration: u32,
    step: u32,
    outstanding: u32,
    started_any: bool,
    phase: Phase,
}

impl<M: Motif> Phased<M> {
    /// `iterations` of `motif`; endless if `None`.
    #[must_use]
    pub fn new(motif: M, iterations: Option<u32>) -> Self {
        Self { motif, iterations, iteration: 0, step: 0, outstanding: 0, started_any: false, phase: Phase::default() }
    }

    /// Ends the current iteration. Returns true if nothing follows.
    fn iteration_end(&mut self, actions: &mut Vec<Action>) -> bool {
        if self.motif.counts() {
            actions.push(Action::IterationEnd(self.iteration));
        }
        self.iteration = self.iteration.wrapping_add(1);
        self.step = 0;
        // An endless loop in which a rank has no part would spin forever without simulated time
        // passing.
        let idle = self.iterations.is_none() && !self.started_any;
        self.started_any = false;
        idle
    }
}

impl<M: Motif> RankProgram for Phased<M> {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        if completed.is_some() {
            assert!(self.outstanding > 0, "only operations that were started complete");
            self.outstanding -= 1;
        }
        while self.outstanding == 0 {
            if self.step == 0 {
                if self.iterations.is_some_and(|iterations| self.iteration >= iterations) {
                    return Progress::Finished;
                }
                if self.motif.counts() {
                    actions.push(Action::IterationStart(self.iteration));
                }
            }
            self.phase.clear();
            if self.motif.step(self.iteration, self.step, &mut self.phase) {
                self.step += 1;
                self.outstanding = self.phase.ops.len() as u32;
                self.started_any |= self.outstanding > 0;
                let started = self.phase.ops.iter().zip(0..);
                actions.extend(started.map(|(op, handle)| Action::Start(OpHandle(handle), *op)));
            } else if self.iteration_end(actions) {
                return Progress::Finished;
            }
        }
        Progress::Running
    }

    fn activities(&self, report: &mut Activities) {
        let Some(step) = self.step.checked_sub(1) else { return };
        let said = self.motif.activity(self.iteration, step);
        let activity = said.or_else(|| Activity::of_operations(self.phase.ops(), step));
        report.extend(activity.map(|activity| (0, activity)));
    }

    fn offloads(&self) -> bool {
        self.motif.offloads()
    }

    fn fall_back(&mut self) -> bool {
        let repeats = self.step > 0 && self.outstanding == 1 && self.motif.fall_back();
        self.step -= u32::from(repeats);
        repeats
    }
}

/// The program of a rank without a part in its job's workload: it finishes immediately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Idle;

impl RankProgram for Idle {
    fn advance(&mut self, _completed: Option<OpHandle>, _actions: &mut Vec<Action>) -> Progress {
        Progress::Finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct TwoSteps;

    impl Motif for TwoSteps {
        fn step(&mut self, _iteration: u32, step: u32, phase: &mut Phase) -> bool {
            match step {
                0 => phase.compute(Picoseconds(5)),
                1 => {
                    phase.put(1, Bytes(8));
                    phase.put(2, Bytes(8));
                }
                _ => return false,
            }
            true
        }
    }

    #[test]
    fn a_phase_begins_when_the_one_before_is_complete() {
        let mut program = Phased::new(TwoSteps, Some(1));
        let mut actions = Vec::new();
        assert_eq!(program.advance(None, &mut actions), Progress::Running);
        assert_eq!(
            actions,
            [Action::IterationStart(0), Action::Start(OpHandle(0), Op::Compute { time: Picoseconds(5) })]
        );
        actions.clear();
        assert_eq!(program.advance(Some(OpHandle(0)), &mut actions), Progress::Running);
        assert_eq!(actions.len(), 2, "both puts start together");
        actions.clear();
        assert_eq!(program.advance(Some(OpHandle(1)), &mut actions), Progress::Running);
        assert!(actions.is_empty());
        assert_eq!(program.advance(Some(OpHandle(0)), &mut actions), Progress::Finished);
        assert_eq!(actions, [Action::IterationEnd(0)]);
    }

    struct Nothing;

    impl Motif for Nothing {
        fn step(&mut self, _iteration: u32, _step: u32, _phase: &mut Phase) -> bool {
            false
        }
    }

    #[test]
    fn an_endless_loop_of_nothing_ends() {
        assert_eq!(Phased::new(Nothing, None).advance(None, &mut Vec::new()), Progress::Finished);
    }
}
