//! Training of neural networks: compute on accelerators, collectives between them, some of them
//! concurrent with the compute.

mod dlrm;
mod resnet;
mod transformer;

pub use dlrm::Dlrm;
pub use resnet::{ResnetModel, ResnetProxy};
pub use transformer::{PipelineSchedule, TensorCollective, Transformer};

use philae_units::{Bytes, Picoseconds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TAGS;
use crate::activity::Activity;
use crate::collective::{Allreduce, AllreduceAlgorithm, Group, GroupCollective};
use crate::error::WorkloadError;
use crate::overlap::{ConcurrentMotif, Overlapping, Turn};
use crate::phase::Phase;
use crate::quantity::Size;

/// The computing device, which decides whether messages progress during computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ComputeOn {
    /// An accelerator: the rank's core is free for messages.
    #[default]
    Accelerator,
    /// The rank's core, which handles messages only before and after computation: MPI without a progress thread.
    Core,
}

impl ComputeOn {
    fn add(self, time: Picoseconds, phase: &mut Phase) {
        match self {
            Self::Accelerator => phase.delay(time),
            Self::Core => phase.compute(time),
        }
    }
}

/// An allreduce of `elements` over a group; `auto` is MPICH's choice.
fn allreduce(elements: u64, element: Bytes, algorithm: AllreduceAlgorithm, group: Group) -> GroupCollective {
    let bytes = Size(Bytes(elements.saturating_mul(element.0)));
    let spec = Allreduce { bytes, element: Size(element), algorithm, ..Allreduce::default() };
    let collective = spec.collective(group.members());
    GroupCollective::new(collective, group).expect("an allreduce by messages suits every group")
}

/// Gradients are larger than what switches reduce.
fn check_algorithm(workload: &'static str, algorithm: AllreduceAlgorithm) -> Result<(), WorkloadError> {
    if algorithm == AllreduceAlgorithm::SwitchOffloaded {
        return Err(WorkloadError::Contradiction {
            workload,
            problem: "`algorithm` is switch-offloaded, but switches reduce at most 32 B".to_owned(),
            remedy: "use ring, rabenseifner, recursive-doubling, tree or auto",
        });
    }
    Ok(())
}

/// A part of an iteration that has only a few parts.
enum Part {
    Work(Picoseconds),
    Collective(GroupCollective),
    /// Starts one of the nonblocking collectives.
    Launch(u32),
}

/// Consecutive parts, and nonblocking collectives that the iteration waits for at its end.
struct Script {
    rank: u32,
    compute_on: ComputeOn,
    parts: Vec<Part>,
    nonblocking: Vec<GroupCollective>,
    /// The next part, and its step.
    current: usize,
    inner: u32,
}

impl Script {
    fn new(rank: u32, compute_on: ComputeOn, parts: Vec<Part>, nonblocking: Vec<GroupCollective>) -> Self {
        Self { rank, compute_on, parts, nonblocking, current: 0, inner: 0 }
    }

    /// The program; all nonblocking collectives may be in progress at the same time.
    fn program(self, iterations: Option<u32>) -> Overlapping<Self> {
        let at_once = (self.nonblocking.len() as u32).max(1);
        Overlapping::new(self, iterations, at_once)
    }

    fn first_tag(&self, iteration: u32, number: usize) -> u32 {
        let all = self.parts.len() + self.nonblocking.len();
        iteration.wrapping_mul(all as u32).wrapping_add(number as u32).wrapping_mul(TAGS)
    }
}

impl ConcurrentMotif for Script {
    fn turn(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> Turn {
        if step == 0 {
            (self.current, self.inner) = (0, 0);
        }
        while let Some(part) = self.parts.get(self.current) {
            let turn = match part {
                Part::Work(time) if self.inner == 0 => {
                    self.compute_on.add(*time, phase);
                    Turn::Phase
                }
                Part::Launch(number) if self.inner == 0 => Turn::Launch(*number),
                Part::Collective(collective) if self.inner < collective.steps() => {
                    collective.step(self.rank, self.inner, self.first_tag(iteration, self.current), phase);
                    Turn::Phase
                }
                _ => {
                    (self.current, self.inner) = (self.current + 1, 0);
                    continue;
                }
            };
            self.inner += 1;
            return turn;
        }
        Turn::End
    }

    fn task(&mut self, iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool {
        let collective = &self.nonblocking[task as usize];
        if step >= collective.steps() {
            return false;
        }
        let first_tag = self.first_tag(iteration, self.parts.len() + task as usize);
        collective.step(self.rank, step, first_tag, phase);
        true
    }

    fn activity(&self, task: Option<u32>, add: &mut dyn FnMut(Activity)) {
        let collective = match (task, self.parts.get(self.current)) {
            (Some(task), _) => &self.nonblocking[task as usize],
            (None, Some(Part::Collective(collective))) => collective,
            (None, _) => return,
        };
        add(Activity::new(collective.collective().name(), task.unwrap_or(self.current as u32)));
    }
}
