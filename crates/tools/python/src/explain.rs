//! Explanations of message latencies.

use crate::error::{ScenarioError as PyScenarioError, run as run_error, scenario};
use crate::run::looked;
use philae_experiments::explain::{choose, only_messages};
use philae_fabric::{ExplainTarget, Simulation};
use philae_results::explain::{explanations, text};
use philae_results::record::{MessageRow, RunRecord};
use philae_scenario::{ExplainSection, ResolvedScenario, ScenarioError};
use philae_units::JobId;
use pyo3::prelude::*;

/// Runs a scenario, given as JSON, twice: to find messages of a job, and to follow them. Returns
/// the explanations as JSON and as text.
#[pyfunction]
#[pyo3(signature = (scenario_json, job, slowest, message = None))]
pub fn explain(
    py: Python<'_>,
    scenario_json: &str,
    job: &str,
    slowest: u32,
    message: Option<String>,
) -> PyResult<(String, String)> {
    let mut read = crate::scenario::read(scenario_json)?;
    read.explain = Some(ExplainSection { message, ..ExplainSection::slowest(job, slowest) });
    let mut resolved = py.detach(|| read.resolve()).map_err(scenario)?;
    (resolved.options.execution.partitions, resolved.options.execution.threads) = (1, 1);
    let place = resolved.jobs.iter().position(|placed| placed.section.name == job);
    // The names in the section were checked when it was resolved.
    let Some(place) = place else { return Err(PyScenarioError::new_err(format!("there is no job {job}"))) };
    let mut first = resolved.clone();
    only_messages(&mut first, Some(place));
    let found = record(py, &first, &[])?;
    let of_job: Vec<&MessageRow> = found.messages.iter().filter(|row| row.job == JobId::from_index(place)).collect();
    let section = resolved.scenario.explain.clone().unwrap_or_else(|| ExplainSection::slowest(job, slowest));
    let targets = choose(&section, of_job).map_err(PyScenarioError::new_err)?;
    only_messages(&mut resolved, None);
    let followed = record(py, &resolved, &targets)?;
    assert_eq!(followed.digest, found.digest, "two runs of one scenario are the same");
    let explained = explanations(&followed);
    let json = serde_json::to_string(&explained).map_err(|error| PyScenarioError::new_err(error.to_string()))?;
    Ok((json, text(&explained, false)))
}

/// Runs a scenario without holding Python's lock; Ctrl-C stops it.
fn record(py: Python<'_>, resolved: &ResolvedScenario, targets: &[ExplainTarget]) -> PyResult<RunRecord> {
    let simulation: Simulation = py
        .detach(|| {
            let mut simulation = resolved.simulation()?;
            if !targets.is_empty() {
                simulation.explain(targets).map_err(ScenarioError::Fabric)?;
            }
            Ok(simulation)
        })
        .map_err(scenario)?;
    let mut stopped = None;
    let outcome = py.detach(|| simulation.run(&mut looked(&mut stopped)));
    match stopped {
        Some(error) => Err(error),
        None => outcome.map_err(run_error),
    }
}
