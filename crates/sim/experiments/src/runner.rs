//! Runs the cells of an experiment in parallel and returns their results in order.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use philae_fabric::{ExplainTarget, Simulation};
use philae_results::record::{MessageRow, RunRecord, RunStatus};
use philae_scenario::{ExplainSection, ResolvedScenario, Scenario, ScenarioError, System};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::change::{Changes, KeyChange};
use crate::explain::{choose, only_messages};
use crate::resume::{FindingsFolder, Reading};

/// An experiment that could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A cell's scenario is wrong, or its run failed.
    #[error("cell {cell}: {source}")]
    Cell {
        cell: String,
        /// The reason.
        #[source]
        source: Box<ScenarioError>,
    },
    /// A switch at tile fidelity cannot be built, or broke a law.
    #[error("cell {cell}: {source}")]
    Tile {
        cell: String,
        /// The reason.
        #[source]
        source: philae_switch::tile::TileError,
    },
    /// A system could not be built.
    #[error(transparent)]
    System(#[from] Box<ScenarioError>),
    /// Findings cannot be kept for another run.
    #[error("cannot save the results: {0}")]
    Keep(#[from] std::io::Error),
    /// Stopped from outside.
    #[error("interrupted after {done} of {total} cells")]
    Interrupted {
        /// Cells that had ended.
        done: usize,
        /// Requested cells.
        total: usize,
    },
}

/// One run of an experiment.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its label, for people.
    pub label: String,
    pub scenario: Scenario,
    /// Its system (built once for many cells).
    pub system: System,
}

/// The progress of an experiment.
#[derive(Clone, Debug)]
pub struct CellProgress {
    /// Cells that have ended.
    pub done: usize,
    /// Requested cells.
    pub total: usize,
    /// The cell that ended most recently; empty before the first.
    pub label: String,
    /// Whether the results of these cells are kept for another run.
    pub is_kept: bool,
}

/// Called before the first cell, and for every cell that ends, from the thread that ran it.
type Report<'a> = Arc<dyn Fn(&CellProgress) + Send + Sync + 'a>;

/// Runs cells on several threads.
pub struct CellRunner<'a> {
    threads: usize,
    report: Report<'a>,
    stop: &'a AtomicBool,
    changes: Changes,
    kept: Option<&'a FindingsFolder>,
    /// Total duration of the runs that were taken from the folder, over all threads, in
    /// milliseconds.
    earlier_ms: AtomicU64,
}

impl<'a> CellRunner<'a> {
    /// A runner of `threads` threads, which calls `report` before the first of several cells and
    /// for each that ends, and stops once `stop` is set.
    pub fn new(threads: usize, stop: &'a AtomicBool, report: impl Fn(&CellProgress) + Send + Sync + 'a) -> Self {
        let (threads, report) = (threads.max(1), Arc::new(report));
        Self { threads, report, stop, changes: Changes::default(), kept: None, earlier_ms: AtomicU64::new(0) }
    }

    /// A similar runner that sets these keys in the scenario of every cell that has them: pairs of
    /// a path and a value, as for [`Scenario::changed`].
    #[must_use]
    pub fn changing(&self, changes: impl IntoIterator<Item = (String, String)>) -> Self {
        let (report, changes) = (Arc::clone(&self.report), Changes::new(changes));
        Self { threads: self.threads, report, stop: self.stop, changes, kept: None, earlier_ms: AtomicU64::new(0) }
    }

    /// The same, but it keeps readings of long runs, and reuses those that this program has kept
    /// there.
    #[must_use]
    pub fn keeping(self, kept: Option<&'a FindingsFolder>) -> Self {
        Self { kept, ..self }
    }

    /// The time that the reused runs had added to their experiment.
    #[must_use]
    pub fn earlier_seconds(&self) -> f64 {
        self.earlier_ms.load(Ordering::Relaxed) as f64 / 1e3 / self.threads as f64
    }

    /// The requested changes, and the number of cells that each has changed since the runner was
    /// made.
    #[must_use]
    pub fn changed(&self) -> Vec<KeyChange> {
        self.changes.tally()
    }

    /// Whether a change sets this key.
    pub(crate) fn sets(&self, key: &str) -> bool {
        self.changes.sets(key)
    }

    /// Runs all cells and reads each record with `read` as soon as it is complete. Results keep the
    /// order of the cells; they do not depend on the number of threads.
    ///
    /// # Errors
    /// The first cell (in order) that is wrong or fails; or the interruption.
    pub fn run<T: Send>(
        &self,
        cells: &[Cell],
        read: impl Fn(&Cell, &RunRecord) -> T + Sync,
    ) -> Result<Vec<T>, StudyError> {
        self.run_each(
            cells,
            |cell| cell.label.clone(),
            |cell, _| match self.run_cell(cell) {
                Ok(record) => Ok(record.map(|record| read(cell, &record))),
                Err(error) => Err(StudyError::Cell { cell: cell.label.clone(), source: Box::new(error) }),
            },
        )
    }

    /// As [`run`](Self::run), for experiments of many long runs: readings are kept with `--resume`.
    ///
    /// # Errors
    /// As [`run`](Self::run), and if a reading cannot be kept.
    pub fn run_kept<T: Send + Serialize + DeserializeOwned>(
        &self,
        cells: &[Cell],
        read: impl Fn(&Cell, &RunRecord) -> T + Sync,
    ) -> Result<Vec<T>, StudyError> {
        // A change is counted when it is made, so no reading of another run can be reused.
        let Some(kept) = self.kept.filter(|_| self.changes.is_empty()) else { return self.run(cells, read) };
        let work = |cell: &Cell, _: &AtomicBool| {
            let failed = |error| StudyError::Cell { cell: cell.label.clone(), source: Box::new(error) };
            let scenario = cell.scenario.to_json();
            let asked = format!("{}\n{scenario}", cell.label);
            if let Some(Reading { value, seconds }) = kept.reading(&asked) {
                self.earlier_ms.fetch_add((seconds * 1e3) as u64, Ordering::Relaxed);
                return Ok(Some(value));
            }
            let began = Instant::now();
            let Some(record) = self.run_cell(cell).map_err(failed)? else { return Ok(None) };
            let reading = Reading { value: read(cell, &record), seconds: began.elapsed().as_secs_f64() };
            kept.keep_reading(&asked, &reading)?;
            Ok(Some(reading.value))
        };
        self.run_all(cells, true, |cell| cell.label.clone(), work)
    }

    /// Runs other work than scenarios in the same way: `work` returns nothing when its flag tells
    /// it to stop.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn run_each<J: Sync, T: Send>(
        &self,
        jobs: &[J],
        label: impl Fn(&J) -> String + Sync,
        work: impl Fn(&J, &AtomicBool) -> Result<Option<T>, StudyError> + Sync,
    ) -> Result<Vec<T>, StudyError> {
        self.run_all(jobs, false, label, work)
    }

    fn run_all<J: Sync, T: Send>(
        &self,
        jobs: &[J],
        is_kept: bool,
        label: impl Fn(&J) -> String + Sync,
        work: impl Fn(&J, &AtomicBool) -> Result<Option<T>, StudyError> + Sync,
    ) -> Result<Vec<T>, StudyError> {
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(0);
        let total = jobs.len();
        (self.report)(&CellProgress { done: 0, total, label: String::new(), is_kept });
        let results: Vec<Mutex<Option<Result<T, StudyError>>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(index) else { return };
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                let Some(result) = work(job, self.stop).transpose() else { return };
                let failed = result.is_err();
                *results[index].lock().expect("no thread panics with a result in hand") = Some(result);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                (self.report)(&CellProgress { done, total, label: label(job), is_kept });
                if failed {
                    next.store(jobs.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            let extra: Vec<_> = (1..self.threads.min(jobs.len())).map(|_| scope.spawn(work)).collect();
            work();
            for thread in extra {
                if let Err(panic) = thread.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
        let mut collected = Vec::with_capacity(jobs.len());
        let mut missing = false;
        for result in results {
            match result.into_inner().expect("no thread panics with a result in hand") {
                Some(result) => collected.push(result?),
                None => missing = true,
            }
        }
        if missing {
            return Err(StudyError::Interrupted { done: collected.len(), total: jobs.len() });
        }
        Ok(collected)
    }

    /// The record of one cell; none if interrupted. A cell whose scenario asks for explanations
    /// runs twice: first to find the messages.
    fn run_cell(&self, cell: &Cell) -> Result<Option<RunRecord>, ScenarioError> {
        let cell = if self.changes.is_empty() { Cow::Borrowed(cell) } else { Cow::Owned(self.changes.apply(cell)?) };
        let resolved = cell.scenario.resolve_on(&cell.system)?;
        let mut simulation = resolved.simulation()?;
        if let Some(section) = &resolved.scenario.explain {
            let Some(targets) = self.explained_messages(&resolved, section)? else { return Ok(None) };
            simulation.explain(&targets)?;
        }
        self.run_whole(simulation)
    }

    /// The messages that a cell explains; none if interrupted. A run without such messages explains
    /// nothing.
    fn explained_messages(
        &self,
        resolved: &ResolvedScenario,
        section: &ExplainSection,
    ) -> Result<Option<Vec<ExplainTarget>>, ScenarioError> {
        let job = resolved.jobs.iter().position(|job| job.section.name == section.job);
        let mut first = resolved.clone();
        only_messages(&mut first, job);
        let Some(record) = self.run_whole(first.simulation()?)? else { return Ok(None) };
        let of_job = |row: &&MessageRow| job == Some(row.job.index());
        Ok(Some(choose(section, record.messages.iter().filter(of_job).collect()).unwrap_or_default()))
    }

    /// The record of a run to its end; none if interrupted.
    fn run_whole(&self, simulation: Simulation) -> Result<Option<RunRecord>, ScenarioError> {
        let stop = self.stop;
        let record = simulation.run(&mut |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok((record.status != RunStatus::Interrupted).then_some(record))
    }
}
