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
    Scenario::from_table(table(json)?).map_err(scenario)
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
    let mut table = table(scenario)?;
    let mut overrides = Vec::with_capacity(values.len());
    for (key, text) in values {
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| ScenarioError::new_err(format!("cannot set `{key}` to {text}: {error}")))?;
        overrides.push((key, value));
    }
    Scenario::set_in_table(&mut table, &overrides).map_err(self::scenario)?;
    Scenario::from_table(table.clone()).map_err(self::scenario)?;
    json(&table)
}

/// A scenario's file as JSON, with its paths relative to the working folder; checked, with lines in
/// errors.
#[pyfunction]
pub fn load(path: PathBuf) -> PyResult<String> {
    let found = Scenario::load(&path).map_err(scenario)?;
    let bytes = philae_scenario::read_source(&path).map_err(|error| ScenarioError::new_err(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut table: Table = toml::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| ScenarioError::new_err(error.to_string()))?;
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

/// Any TOML as JSON; `origin` is its name in errors.
#[pyfunction]
pub fn json_from_toml(text: &str, origin: &str) -> PyResult<String> {
    let table: Table = toml::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| ScenarioError::new_err(format!("{origin} is not TOML: {}", error.to_string().trim_end())))?;
    json(&table)
}

/// A JSON table as TOML.
#[pyfunction]
pub fn toml_from_json(json: &str) -> PyResult<String> {
    toml::to_string(&table(json)?).map_err(|error| ScenarioError::new_err(error.to_string()))
}
