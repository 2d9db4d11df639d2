//! Motifs of several stages, one after the other in each iteration.

use philae_units::Picoseconds;

use crate::activity::Activity;
use crate::collective::GroupCollective;
use crate::phase::{Motif, Phase};

/// A part of each iteration of a [`StageSequence`].
///
/// A function of (first tag, step, phase) is also a stage.
pub trait Stage: Send {
    /// Adds the operations of `step` (counted from 0 in each iteration) to the empty `phase`.
    ///
    /// Tags are `first_tag` plus less than [`StageSequence::TAGS`]. Returns false, having added
    /// nothing, if the stage has no such step. A step may be empty.
    fn step(&mut self, first_tag: u32, step: u32, phase: &mut Phase) -> bool;

    /// The name of its activity; `None` if its operations say enough.
    fn name(&self) -> Option<&'static str> {
        None
    }

    /// Whether any step has an operation for the switches.
    fn offloads(&self) -> bool {
        false
    }

    /// From the current step on, messages replace the operations of the switches. False if it has
    /// no such operations.
    fn fall_back(&mut self) -> bool {
        false
    }
}

impl<F: FnMut(u32, u32, &mut Phase) -> bool + Send> Stage for F {
    fn step(&mut self, first_tag: u32, step: u32, phase: &mut Phase) -> bool {
        self(first_tag, step, phase)
    }
}

/// A motif that runs stages, the same number on every rank: a halo exchange, then an allreduce over
/// some of the ranks, then computation.
///
/// Each stage of each iteration has its own tags. A rank without a part in a collective still has
/// the stage, which then ends immediately, so that all ranks count alike.
///
/// ```
/// use philae_units::{Bytes, Picoseconds, RankId};
/// use philae_workload::{
///     AllreduceAlgorithm, Collective, Group, GroupCollective, Phase, Phased, RankProgram, VectorSum, SendMode, StageSequence,
///     simulate_semantics,
/// };
///
/// // Eight ranks: everybody hears from its neighbours, then every other rank sums a vector with those like it.
/// let program = |rank: u32| -> Box<dyn RankProgram> {
///     let halo = move |first_tag, step, phase: &mut Phase| {
///         if step > 0 {
///             return false;
///         }
///         for neighbour in [(rank + 1) % 8, (rank + 7) % 8] {
///             phase.recv(neighbour, Bytes(4_096), first_tag);
///             phase.send(neighbour, Bytes(4_096), first_tag);
///         }
///         true
///     };
///     let vector = VectorSum { elements: 1_000, element_bytes: Bytes(4) };
///     let sum = Collective::Allreduce { algorithm: AllreduceAlgorithm::Rabenseifner, vector };
///     let group = Group::strided(rank % 2, 2, 4).expect("four ranks");
///     let motif = StageSequence::new()
///         .then(halo)
///         .collective(rank, GroupCollective::new(sum, group).expect("it suits the group"))
///         .compute(Picoseconds::from_micros(10));
///     Box::new(Phased::new(motif, Some(3)))
/// };
/// let summaries = simulate_semantics((0..8).map(program).collect(), SendMode::Rendezvous, 1, 100_000)?;
/// assert_eq!((summaries[0].iterations, summaries[0].sends), (3, 3 * (2 + 4)));
/// # Ok::<(), philae_workload::SemanticsError>(())
/// ```
#[derive(Default)]
pub struct StageSequence {
    stages: Vec<Box<dyn Stage>>,
    /// The stage of the last step, and the step with which it began.
    current: usize,
    began: u32,
}

impl StageSequence {
    /// Tags of one stage in one iteration.
    pub const TAGS: u32 = 1 << 16;

    /// A motif without stages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stage.
    #[must_use]
    pub fn then(mut self, stage: impl Stage + 'static) -> Self {
        self.stages.push(Box::new(stage));
        self
    }

    /// Adds a collective; `rank` need not be a member.
    #[must_use]
    pub fn collective(self, rank: u32, collective: GroupCollective) -> Self {
        self.then(CollectiveStage { rank, collective })
    }

    /// Adds computation.
    #[must_use]
    pub fn compute(self, time: Picoseconds) -> Self {
        self.then(move |_: u32, step: u32, phase: &mut Phase| {
            if step > 0 {
                return false;
            }
            phase.compute(time);
            true
        })
    }
}

impl Motif for StageSequence {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        if step == 0 {
            (self.current, self.began) = (0, 0);
        }
        let stages = self.stages.len() as u32;
        while let Some(stage) = self.stages.get_mut(self.current) {
            let number = iteration.wrapping_mul(stages).wrapping_add(self.current as u32);
            if stage.step(number.wrapping_mul(Self::TAGS), step - self.began, phase) {
                return true;
            }
            (self.current, self.began) = (self.current + 1, step);
        }
        false
    }

    fn activity(&self, _iteration: u32, _step: u32) -> Option<Activity> {
        let name = self.stages.get(self.current)?.name()?;
        Some(Activity::new(name, self.current as u32))
    }

    fn offloads(&self) -> bool {
        self.stages.iter().any(|stage| stage.offloads())
    }

    fn fall_back(&mut self) -> bool {
        let current = self.current;
        self.stages
            .iter_mut()
            .enumerate()
            .fold(false, |found, (at, stage)| (stage.fall_back() && at == current) || found)
    }
}

struct CollectiveStage {
    rank: u32,
    collective: GroupCollective,
}

impl Stage for CollectiveStage {
    fn step(&mut self, first_tag: u32, step: u32, phase: &mut Phase) -> bool {
        let takes_part = self.collective.group().member(self.rank).is_some();
        if !takes_part || step >= self.collective.steps() {
            return false;
        }
        self.collective.step(self.rank, step, first_tag, phase);
        true
    }

    fn name(&self) -> Option<&'static str> {
        Some(self.collective.collective().name())
    }

    fn offloads(&self) -> bool {
        self.collective.collective().is_offloaded()
    }

    fn fall_back(&mut self) -> bool {
        self.collective.fall_back()
    }
}
