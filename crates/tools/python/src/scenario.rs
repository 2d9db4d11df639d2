//! Scenarios as text: JSON from Python, TOML from files.

use crate::error::{ScenarioError, scenario};
use philae_scenario::{Scenario, SystemChoice};
use pyo3::prelude::*;
use std::path::PathBuf;
use toml::{Table, Value};

/// A TOML table from JSON text, which Python wrote.
pub fn table(json: &str) -> PyResult<Table> {
    serde_json::from_str(json).map_err(|error| ScenarioError::new_err(format!("not a scenario: {error}")))
}

/// A scenario from JSON text.
pub fn read(json: &str) -> PyResult<Scenario> {
    Scenario::from_json(json, &[]).map(|(found, _)| found).map_err(scenario)
}

fn json(table: &Table) -> PyResult<String> {
    serde_json::to_string(table).map_err(|error| ScenarioError::new_err(error.to_string()))
}

/// The JSON Schema of a scenario.
#[pyfunction]
pub fn schema() -> String {
    philae_scenario::schema().to_string()
}

/// Checks a scenario against the schema.
#[pyfunction]
pub fn check(scenario: &str) -> PyResult<()> {
    read(scenario).map(|_| ())
}

/// A scenario with some values set, each given as the path of a key and a JSON value, as JSON.
#[pyfunction]
pub fn set_values(scenario: &str, values: Vec<(String, String)>) -> PyResult<String> {
    let (_, table) = Scenario::from_json(scenario, &values).map_err(self::scenario)?;
    json(&table)
}

/// A scenario with some values set, without defaults, as JSON: numbers and sizes have one form, so
/// that equal scenarios have equal texts.
#[pyfunction]
pub fn canonical(scenario: &str, values: Vec<(String, String)>) -> PyResult<String> {
    let (found, _) = Scenario::from_json(scenario, &values).map_err(self::scenario)?;
    serde_json::to_string(&found).map_err(|error| ScenarioError::new_err(error.to_string()))
}

/// A scenario's file as JSON, with its paths relative to the working folder; checked, with lines in
/// errors.
#[pyfunction]
pub fn load(path: PathBuf) -> PyResult<String> {
    let found = Scenario::load(&path).map_err(scenario)?;
    let bytes = philae_scenario::read_source(&path).map_err(|error| ScenarioError::new_err(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut table = Scenario::table_of(&text, &format!("'{}'", path.display())).map_err(scenario)?;
    if matches!(found.system, SystemChoice::File(_)) {
        let system = Value::try_from(&found.system).map_err(|error| ScenarioError::new_err(error.to_string()))?;
        table.insert("system".to_owned(), system);
    }
    // Files that workloads name are relative to the scenario's folder; a selection has already been
    // read.
    let written = table.get_mut("job").and_then(Value::as_array_mut).into_iter().flatten();
    for (written, job) in written.zip(&found.jobs) {
        let Some(workload) = written.get_mut("workload").and_then(Value::as_table_mut) else { continue };
        let meant = Table::try_from(&job.workload).map_err(|error| ScenarioError::new_err(error.to_string()))?;
        for key in ["file", "selection"] {
            if let (Some(value), Some(meant)) = (workload.get_mut(key), meant.get(key)) {
                *value = meant.clone();
            }
        }
    }
    json(&table)
}

/// A scenario with every default filled in, as JSON and as TOML.
#[pyfunction]
pub fn resolve(py: Python<'_>, scenario: &str) -> PyResult<(String, String)> {
    let found = read(scenario)?;
    let resolved = py.detach(|| found.resolve()).map_err(self::scenario)?;
    Ok((resolved.to_json().to_string(), resolved.to_toml()))
}

/// The TOML of a scenario as JSON, checked; `origin` is its name in errors.
#[pyfunction]
pub fn parse(text: &str, origin: &str) -> PyResult<String> {
    json(&Scenario::table_of(text, origin).map_err(scenario)?)
}

/// A JSON table as TOML.
#[pyfunction]
pub fn toml_from_json(json: &str) -> PyResult<String> {
    toml::to_string(&table(json)?).map_err(|error| ScenarioError::new_err(error.to_string()))
}
