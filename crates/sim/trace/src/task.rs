//! The tasks of a rank, with their dependencies, and the limits of all schedules.

use philae_units::Picoseconds;
use philae_workload::{Needs, Op, Operation};

/// Maximum number of ranks: it bounds the memory that a damaged count can cost.
pub const RANKS_MAX: u32 = 1 << 20;

/// Maximum computation and delays of one rank, together: 10^18 ps, 11.5 days. Sums of times then
/// fit into 64 bits.
pub const RANK_TIME_MAX: Picoseconds = Picoseconds(1_000_000_000_000_000_000);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// One operation.
    Op(Op),
    /// The rank's part of a collective operation, by its position in [`Calls`].
    Call(u32),
    /// Nothing: other tasks wait for several through it.
    Join,
}

/// One task of a rank. Tasks are numbered from 0 in the order of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceTask {
    /// Its kind.
    pub what: TaskKind,
    /// Tasks that must have completed before.
    pub requires: Vec<u32>,
    /// Tasks that must have started before.
    pub irequires: Vec<u32>,
    /// How many of those suffice; all if absent.
    pub enough: Option<u32>,
    /// Stream of the core on which it runs (GOAL's `cpu`).
    pub cpu: u8,
    /// NIC that it uses (GOAL's `nic`).
    pub nic: u8,
}

impl TraceTask {
    /// A task that waits for all of `requires`, on stream 0.
    #[must_use]
    pub const fn new(what: TaskKind, requires: Vec<u32>) -> Self {
        Self { what, requires, irequires: Vec::new(), enough: None, cpu: 0, nic: 0 }
    }

    /// One operation.
    #[must_use]
    pub const fn op(op: Op, requires: Vec<u32>) -> Self {
        Self::new(TaskKind::Op(op), requires)
    }

    /// What it waits for.
    pub(crate) fn needs(&self) -> Needs<'_> {
        Needs { requires: &self.requires, irequires: &self.irequires, enough: self.enough }
    }

    /// Whether a plain graph can run it.
    pub(crate) fn plain(&self) -> Option<Operation> {
        match self.what {
            TaskKind::Op(op) if self.enough.is_none() && !self.on_its_own_stream() => {
                Some(Operation { op, requires: self.requires.clone(), irequires: self.irequires.clone() })
            }
            _ => None,
        }
    }

    /// Whether this is computation of a stream other than the first: it does not occupy the rank's
    /// core.
    pub(crate) fn on_its_own_stream(&self) -> bool {
        self.cpu > 0 && matches!(self.what, TaskKind::Op(Op::Compute { .. }))
    }
}

/// The dependencies of tasks, which were checked when the schedule was made.
pub(crate) fn dependencies(tasks: &[TraceTask]) -> philae_workload::Dependencies {
    philae_workload::Dependencies::new(tasks.iter().map(TraceTask::needs))
        .expect("a schedule is checked when it is read")
}
