//! A run: without Python's lock, stopped by Ctrl-C, with its record kept for whoever asks.

use crate::error::{ResultError, result, run as run_error, scenario};
use crate::table::Table;
use philae_fabric::Advance;
use philae_measure::record::RunRecord;
use philae_measure::result::Manifest;
use philae_measure::tables::{collect_table, tables};
use philae_measure::{Earlier, RunDescription, RunSummary, write_result};
use philae_scenario::ScenarioError;
use philae_study::PcapFiles;
use philae_units::Picoseconds;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Real time between two looks at Python: signals, and the progress report.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What a finished run recorded.
#[pyclass(frozen, module = "philae._native")]
pub struct Run {
    record: RunRecord,
    description: RunDescription,
}

/// Runs a scenario, given as JSON. `progress` is called about ten times a second with simulated picoseconds, events,
/// packet-hops, ranks of ending jobs that have not finished, ranks of ending jobs, and the time limit in picoseconds or None.
/// An exception in it, or a signal's, stops the run.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None))]
pub fn run(py: Python<'_>, scenario: &str, progress: Option<Py<PyAny>>) -> PyResult<Run> {
    let read = crate::scenario::read(scenario)?;
    let (resolved, mut simulation) = answering(py, move || {
        let resolved = read.resolve()?;
        let simulation = resolved.simulation()?;
        Ok((resolved, simulation))
    })?
    .map_err(self::scenario)?;
    for warning in &resolved.warnings {
        let text = CString::new(warning.replace('\0', " ")).expect("no zero byte is left");
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
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
    let mut stopped = None;
    let (outcome, wall_seconds) = py.detach(|| {
        let began = Instant::now();
        let mut looked = began;
        let mut progressed = |advance: Advance| {
            if looked.elapsed() < LOOK_EVERY {
                return ControlFlow::Continue(());
            }
            let answer = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(()) };
                let Advance { now, events, packet_hops, unfinished } = advance;
                progress.call1(py, (now.0, events, packet_hops, unfinished, ranks, limit)).map(|_| ())
            });
            looked = Instant::now();
            match answer {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    stopped = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let outcome = simulation.run_into(&mut progressed, &mut captures);
        (outcome, began.elapsed().as_secs_f64())
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    let record = outcome.map_err(run_error)?;
    captures.finish().map_err(|error| ResultError::new_err(error.to_string()))?;
    let description = resolved.run_description(env!("CARGO_PKG_VERSION"), wall_seconds);
    Ok(Run { record, description })
}

/// Does what looks at no signal beside Python, which answers them meanwhile. What an exception leaves behind ends by itself.
fn answering<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let thread = std::thread::Builder::new().name("philae".to_owned()).spawn(work)?;
    let mut pause = Duration::from_micros(50);
    while !thread.is_finished() {
        py.detach(|| std::thread::sleep(pause));
        pause = (pause * 2).min(LOOK_EVERY / 2);
        py.check_signals()?;
    }
    match thread.join() {
        Ok(done) => Ok(done),
        // A mistake of ours shows where it would have without the thread.
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// What a run calls as it goes on: looks now and then whether a signal wants it to stop, and keeps the exception.
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
impl Run {
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

    /// The figures that people ask for first, as JSON text.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        let summary = py.detach(|| RunSummary::of(&self.record));
        serde_json::to_string(&summary).map_err(|error| ResultError::new_err(error.to_string()))
    }

    /// A table by its name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        let collected = py.detach(|| collect_table(&self.record, name));
        let unknown = || pyo3::exceptions::PyKeyError::new_err(format!("a result has no table `{name}`"));
        Table::new(collected.ok_or_else(unknown)?.map_err(result)?)
    }

    /// Writes the result folder, as `philae simulate` does, and returns its path.
    #[pyo3(signature = (folder, overwrite = false))]
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<PathBuf> {
        let earlier = if overwrite { Earlier::Replace } else { Earlier::Keep };
        py.detach(|| write_result(folder, &self.record, &self.description, earlier)).map_err(result)
    }
}
