//! A run: without holding Python's lock, stopped by Ctrl-C, with its record kept for queries.

use crate::error::{ResultError, result, run as run_error, scenario};
use crate::table::PyTable;
use philae_experiments::PcapFiles;
use philae_experiments::memory::{MemoryWatch, Need, Ranks};
use philae_fabric::{Advance, Simulation};
use philae_results::record::RunRecord;
use philae_results::result::Manifest;
use philae_results::tables::{collect_table, tables};
use philae_results::{Earlier, RunDescription, RunSummary, write_result};
use philae_scenario::{ResolvedScenario, Scenario, ScenarioError};
use philae_units::Picoseconds;
use pyo3::exceptions::{PyMemoryError, PyUserWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Real time between two checks for Python's signals and progress reports.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time that a run has for its own response to a signal: with [`LOOK_EVERY`] it stays below a
/// second.
///
/// Source: as for the command. Status: assumed.
const PATIENCE: Duration = Duration::from_millis(600);

/// Stack of the thread that runs, in bytes: the size of a program's first thread on Linux.
const STACK: usize = 8 << 20;

/// The record of a finished run.
#[pyclass(frozen, module = "philae._native", name = "Run")]
pub struct PyRun {
    record: RunRecord,
    description: RunDescription,
}

/// Raises a Python warning.
fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', " ")).expect("no zero byte is left");
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Runs a scenario, given as JSON. `progress` is called about ten times a second with simulated
/// picoseconds, events, packet-hops, ranks of ending jobs that have not finished, ranks of ending
/// jobs, and the time limit in picoseconds or None. An exception in it, or one from a signal, stops
/// the run. A run that will not fit into memory is refused, unless `ignore_memory`.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None, ignore_memory = false))]
pub fn run(py: Python<'_>, scenario: &str, progress: Option<Py<PyAny>>, ignore_memory: bool) -> PyResult<PyRun> {
    let read = crate::scenario::read(scenario)?;
    let prepared = answering(py, move || prepare(&read, ignore_memory), |_| Ok(()), || {})?;
    let (resolved, mut simulation) = prepared.map_err(|error| match error {
        Unready::Scenario(error) => self::scenario(*error),
        Unready::Memory(text) => crate::error::ScenarioError::new_err(text),
    })?;
    resolved.warnings.iter().try_for_each(|warning| warn(py, warning))?;
    let sections =
        [("explain", resolved.scenario.explain.is_some()), ("timeline", resolved.scenario.timeline.is_some())];
    if let Some((section, _)) = sections.into_iter().find(|(_, asked)| *asked) {
        let message =
            format!("[{section}] is not done from Python yet; the command `philae simulate` does it, or leave it out");
        return Err(crate::error::ScenarioError::new_err(message));
    }
    let refused = |error| self::scenario(ScenarioError::Fabric(error));
    simulation.capture(resolved.captures.clone()).map_err(refused)?;
    let mut captures = PcapFiles::create(&resolved).map_err(|error| ResultError::new_err(error.to_string()))?;
    py.check_signals()?;
    let ranks = resolved.ending_ranks();
    let limit = (resolved.options.time_limit != Picoseconds::MAX).then_some(resolved.options.time_limit.0);
    let stop = Arc::new(AtomicBool::new(false));
    let latest: Arc<Mutex<Option<Advance>>> = Arc::default();
    let (seen, told) = (Arc::clone(&stop), Arc::clone(&latest));
    let work = move || {
        let began = Instant::now();
        let mut memory = MemoryWatch::default();
        let mut progressed = |advance: Advance| {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(advance);
            let ends = seen.load(Ordering::Relaxed) || !ignore_memory && memory.is_short();
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let outcome = simulation.run_into(&mut progressed, &mut captures);
        (outcome, captures, memory.reason(), began.elapsed().as_secs_f64())
    };
    let mut looked = Instant::now();
    let each = |py: Python<'_>| {
        let Some(progress) = progress.as_ref().filter(|_| looked.elapsed() >= LOOK_EVERY) else { return Ok(()) };
        looked = Instant::now();
        let Some(advance) = latest.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Ok(()) };
        let Advance { now, events, packet_hops, unfinished } = advance;
        progress.call1(py, (now.0, events, packet_hops, unfinished, ranks, limit)).map(|_| ())
    };
    let stopping = || stop.store(true, Ordering::Relaxed);
    let (outcome, captures, short, wall_seconds) = answering(py, work, each, stopping)?;
    if let Some(short) = short {
        return Err(PyMemoryError::new_err(short));
    }
    let record = outcome.map_err(run_error)?;
    // A capture that is cut short does not take the result with it.
    for error in captures.finish() {
        let text = CString::new(error.to_string().replace('\0', " ")).expect("no zero byte is left");
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    let mut description = resolved.run_description(env!("CARGO_PKG_VERSION"), wall_seconds);
    for warning in record.warnings() {
        warn(py, &warning)?;
        description.warnings.push(warning);
    }
    Ok(PyRun { record, description })
}

/// Why a run cannot begin.
enum Unready {
    Scenario(Box<ScenarioError>),
    Memory(String),
}

/// Prepares a run, unless it will not fit into memory.
fn prepare(read: &Scenario, ignore_memory: bool) -> Result<(ResolvedScenario, Simulation), Unready> {
    let failed = |error| Unready::Scenario(Box::new(error));
    let fits = |need: Need| match ignore_memory {
        true => Ok(()),
        false => match need.check(1) {
            Ok(_) => Ok(()),
            Err(said) => Err(Unready::Memory(said.replace("--ignore-memory", "ignore_memory=True"))),
        },
    };
    let resolved = read.resolve().map_err(failed)?;
    let ranks = Ranks::of(&resolved);
    fits(Need::planned(resolved.system.topology.endpoint_count() as u64, ranks, 1))?;
    let simulation = resolved.simulation().map_err(failed)?;
    fits(Need::built(simulation.memory_bytes(), simulation.busy_endpoints() as u64, ranks, 1))?;
    Ok((resolved, simulation))
}

/// Runs work that checks no signals in a thread next to Python's, which handles signals meanwhile,
/// and calls `each` from time to time. An exception stops the work by `stop` and is raised when the
/// work has ended. If the work does not react within [`PATIENCE`], the exception is raised then,
/// and the work ends by itself without a result.
fn answering<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut each: impl FnMut(Python<'_>) -> PyResult<()>,
    stop: impl Fn(),
) -> PyResult<T> {
    let (done, mut waiting) = channel();
    let thread = std::thread::Builder::new().name("philae".to_owned()).stack_size(STACK).spawn(move || {
        // The caller may no longer wait for the result.
        let _ = done.send(work());
    })?;
    let wait = |py: Python<'_>, time: Duration, waiting: Receiver<T>| {
        py.detach(move || {
            let got = waiting.recv_timeout(time);
            (got, waiting)
        })
    };
    loop {
        let (got, back) = wait(py, LOOK_EVERY / 2, waiting);
        waiting = back;
        match got {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = py.check_signals().and_then(|()| each(py)) {
            stop();
            let _ = wait(py, PATIENCE, waiting);
            return Err(error);
        }
    }
    match thread.join() {
        Ok(()) => unreachable!("it has said what it did"),
        // A panic shows where it would have been without the thread.
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The callback of a run: checks from time to time whether a signal asks it to stop, and keeps the
/// exception.
pub fn looked(stopped: &mut Option<PyErr>) -> impl FnMut(Advance) -> ControlFlow<()> + '_ {
    let mut last = Instant::now();
    move |_| {
        if last.elapsed() < LOOK_EVERY {
            return ControlFlow::Continue(());
        }
        last = Instant::now();
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *stopped = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

#[pymethods]
impl PyRun {
    /// Digest of the event order, 16 hexadecimal digits.
    #[getter]
    fn digest(&self) -> String {
        format!("{:016x}", self.record.digest)
    }

    /// `completed`, `time_limit` or `unfinished`.
    #[getter]
    fn status(&self) -> &'static str {
        self.record.status.as_str()
    }

    /// The resolved scenario as TOML.
    #[getter]
    fn scenario_toml(&self) -> &str {
        &self.description.scenario_toml
    }

    /// `manifest.json` as it is saved, as JSON text.
    fn manifest(&self) -> PyResult<String> {
        let rows = tables().into_iter().filter_map(|table| {
            let rows = collect_table(&self.record, table.name)?.map(|found| found.rows as u64);
            Some(rows.map(|rows| (format!("{}.parquet", table.name), rows)))
        });
        let rows = rows.collect::<Result<Vec<_>, _>>().map_err(result)?;
        let manifest = Manifest::new(&self.record, &self.description, &rows);
        serde_json::to_string(&manifest).map_err(|error| ResultError::new_err(error.to_string()))
    }

    /// The most important figures, as JSON text.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        let summary = py.detach(|| RunSummary::of(&self.record));
        serde_json::to_string(&summary).map_err(|error| ResultError::new_err(error.to_string()))
    }

    /// A table by its name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<PyTable> {
        let collected = py.detach(|| collect_table(&self.record, name));
        let unknown = || pyo3::exceptions::PyKeyError::new_err(format!("a result has no table `{name}`"));
        PyTable::new(collected.ok_or_else(unknown)?.map_err(result)?)
    }

    /// Writes the result folder, as `philae simulate` does, and returns its path.
    #[pyo3(signature = (folder, overwrite = false))]
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<PathBuf> {
        let earlier = if overwrite { Earlier::Replace } else { Earlier::Keep };
        py.detach(|| write_result(folder, &self.record, &self.description, earlier)).map_err(result)
    }
}
