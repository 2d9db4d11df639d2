//! The common form of all formats: tasks of ranks with explicit dependencies, or layers that are
//! unrolled as they run.

use std::fmt;
use std::sync::Arc;

use philae_units::{Bytes, RankId, counted};
use philae_workload::{GraphError, MESSAGE_BYTES_MAX, Op, Operation, OperationGraph, RankProgram, Recording};

use crate::call::Calls;
use crate::error::TraceError;
use crate::format::TraceFormat;
use crate::places::OperationNumbers;
use crate::runner::{Plain, TaskRunner};
use crate::simai::LayerPlan;
use crate::task::{RANK_TIME_MAX, TaskKind, TraceTask};

#[derive(Clone, Debug)]
pub(crate) enum RankWork {
    /// Tasks of each rank.
    Tasks {
        ranks: Vec<Arc<[TraceTask]>>,
        /// Their collective operations.
        calls: Arc<Calls>,
        /// The place of each task in the file.
        places: Arc<OperationNumbers>,
    },
    /// Layers that all ranks go through.
    Layers(Arc<LayerPlan>),
}

/// A schedule from a file.
#[derive(Clone, Debug)]
pub struct TraceSchedule {
    pub(crate) format: TraceFormat,
    pub(crate) body: RankWork,
    pub(crate) warnings: Vec<String>,
    /// Spans of computation whose time follows from a rate that the file does not have.
    pub(crate) rated: u64,
    /// Whether the file gives its number of ranks; otherwise there are as many as its reader was
    /// told.
    pub(crate) sized: bool,
}

/// Totals of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub ranks: u32,
    /// Tasks of all ranks (layers of all ranks).
    pub tasks: u64,
    /// Two-sided messages, counted one by one.
    pub sends: u64,
    /// One-sided writes.
    pub puts: u64,
    /// Spans of computation.
    pub computes: u64,
    /// Parts in collective operations.
    pub calls: u64,
    /// Payload of sends and puts, without that of collective operations.
    pub bytes: u128,
}

impl TraceSchedule {
    /// A schedule of tasks, checked: ranks and tasks exist, there are no cycles, times and sizes
    /// are in range.
    ///
    /// `file` is its name in errors.
    ///
    /// # Errors
    /// [`TraceError::Whole`], naming rank and task.
    pub fn of_tasks(
        format: TraceFormat,
        file: &str,
        ranks: Vec<Vec<TraceTask>>,
        calls: Calls,
        warnings: Vec<String>,
    ) -> Result<Self, TraceError> {
        Self::of_places(format, file, ranks, calls, warnings, OperationNumbers::default())
    }

    /// The same, with the place of each task in the file.
    pub(crate) fn of_places(
        format: TraceFormat,
        file: &str,
        ranks: Vec<Vec<TraceTask>>,
        calls: Calls,
        warnings: Vec<String>,
        places: OperationNumbers,
    ) -> Result<Self, TraceError> {
        for (rank, tasks) in ranks.iter().enumerate() {
            check_rank((file, &places), rank, tasks, ranks.len())?;
        }
        let ranks = ranks.into_iter().map(Arc::from).collect();
        let body = RankWork::Tasks { ranks, calls: Arc::new(calls), places: Arc::new(places) };
        Ok(Self { format, body, warnings, rated: 0, sized: true })
    }

    /// Whether the file gives its number of ranks; otherwise there are as many as
    /// [`TraceOptions::ranks`](crate::TraceOptions).
    #[must_use]
    pub const fn is_sized(&self) -> bool {
        self.sized
    }

    /// Spans of computation whose time follows from `flops_per_second` or
    /// `memory_bytes_per_second`.
    #[must_use]
    pub const fn rated(&self) -> u64 {
        self.rated
    }

    /// The format of its file.
    #[must_use]
    pub const fn format(&self) -> TraceFormat {
        self.format
    }

    /// What was not understood or is not honoured, one sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The tasks of each rank and their collective operations; `None` if ranks go through layers.
    #[must_use]
    pub fn tasks(&self) -> Option<&[Arc<[TraceTask]>]> {
        match &self.body {
            RankWork::Tasks { ranks, .. } => Some(ranks),
            RankWork::Layers(_) => None,
        }
    }

    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals { ranks: self.ranks(), ..Totals::default() };
        match &self.body {
            RankWork::Layers(plan) => plan.add_totals(&mut totals),
            RankWork::Tasks { ranks, .. } => {
                for task in ranks.iter().flat_map(|tasks| tasks.iter()) {
                    totals.tasks += 1;
                    match task.what {
                        TaskKind::Op(Op::Send { bytes, .. }) => {
                            totals.sends += 1;
                            totals.bytes += u128::from(bytes.0);
                        }
                        TaskKind::Op(Op::Put { bytes, .. }) => {
                            totals.puts += 1;
                            totals.bytes += u128::from(bytes.0);
                        }
                        TaskKind::Op(Op::Compute { .. } | Op::Delay { .. }) => totals.computes += 1,
                        TaskKind::Call(_) => totals.calls += 1,
                        TaskKind::Op(_) | TaskKind::Join => {}
                    }
                }
            }
        }
        totals
    }
}

fn check_rank(
    (file, places): (&str, &OperationNumbers),
    rank: usize,
    tasks: &[TraceTask],
    ranks: usize,
) -> Result<(), TraceError> {
    let place = |task: usize| places.of(rank as u32, task as u32);
    let refuse = |task: usize, found: String, expected: String| {
        Err(TraceError::whole(file, format!("rank {rank}, {}: {found}", place(task)), expected))
    };
    let mut time: u64 = 0;
    for (number, task) in tasks.iter().enumerate() {
        let TaskKind::Op(op) = task.what else { continue };
        let (peer, bytes) = match op {
            Op::Send { to, bytes, .. } | Op::Put { to, bytes, .. } | Op::Amo { to, bytes, .. } => (Some(to), bytes),
            Op::Get { from, bytes, .. } => (Some(from), bytes),
            Op::Recv { from, bytes, .. } => (from, bytes),
            Op::Compute { time: span } | Op::Delay { time: span } => {
                time = time.saturating_add(span.0);
                if time > RANK_TIME_MAX.0 {
                    let expected = format!("at most {RANK_TIME_MAX} of computation and delays for a rank");
                    return refuse(number, "endless computation".to_owned(), expected);
                }
                continue;
            }
            Op::Offload { .. } | Op::Until { .. } | Op::Event { .. } | Op::Fetch { .. } => continue,
        };
        if let Some(peer) = peer.filter(|peer| peer.index() >= ranks) {
            return refuse(number, format!("a message with rank {peer}"), format!("a rank below {ranks}"));
        }
        if bytes > MESSAGE_BYTES_MAX {
            return refuse(number, format!("a message of {bytes}"), format!("at most {MESSAGE_BYTES_MAX}"));
        }
    }
    match philae_workload::Dependencies::new(tasks.iter().map(TraceTask::needs)) {
        Ok(_) => Ok(()),
        Err(GraphError::Cycle { operations }) => {
            let around = operations.iter().chain(operations.first());
            let circle: Vec<String> = around.map(|&task| place(task as usize)).collect();
            let found = format!("rank {rank}: operations wait for each other in a cycle: {}", circle.join(" -> "));
            Err(TraceError::whole(file, found, "dependencies without a cycle"))
        }
        Err(error) => Err(TraceError::whole(file, format!("rank {rank}: {error}"), "dependencies without a cycle")),
    }
}

impl Recording for TraceSchedule {
    fn ranks(&self) -> u32 {
        match &self.body {
            RankWork::Tasks { ranks, .. } => ranks.len() as u32,
            RankWork::Layers(plan) => plan.ranks,
        }
    }

    fn program(&self, rank: RankId) -> Box<dyn RankProgram> {
        match &self.body {
            RankWork::Layers(plan) => plan.program(rank.0),
            RankWork::Tasks { ranks, calls, places } => {
                let (tasks, places) = (&ranks[rank.index()], Arc::clone(places));
                let plain: Option<Vec<Operation>> = tasks.iter().map(TraceTask::plain).collect();
                match plain {
                    Some(operations) => {
                        let graph = OperationGraph::new(&operations).expect("a schedule is checked when it is read");
                        Box::new(Plain { graph, rank: rank.0, places })
                    }
                    None => Box::new(TaskRunner::new(rank.0, Arc::clone(tasks), Arc::clone(calls), places)),
                }
            }
        }
    }

    fn describe(&self) -> String {
        let totals = self.totals();
        let mut text =
            format!("{} of {}, {}", self.format, counted(totals.ranks, "rank"), counted(totals.tasks, "task"));
        if totals.bytes > 0 {
            text += &format!(", {} in {}", Amount(totals.bytes), counted(totals.sends + totals.puts, "message"));
        }
        text
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// A sum of sizes for people.
pub(crate) struct Amount(pub u128);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u64::try_from(self.0) {
            Ok(bytes) => Bytes(bytes).fmt(f),
            Err(_) => write!(f, "{} B", self.0),
        }
    }
}
