//! Converts errors of the Rust side to Python exceptions with the same text.

use philae_fabric::FabricError;
use philae_results::MeasureError;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    philae,
    ScenarioError,
    PyValueError,
    "A scenario or a system that cannot be read or cannot be run: what was asked, what was found and what would work."
);
create_exception!(
    philae,
    RunError,
    PyRuntimeError,
    "A run that failed: a fabric that stalls, ranks that wait for what nobody sends, or a law of conservation broken."
);
create_exception!(
    philae,
    ResultError,
    PyOSError,
    "A result that cannot be read or written, or a value that does not fit its column."
);

/// As a [`ScenarioError`] of Python.
pub fn scenario(error: philae_scenario::ScenarioError) -> PyErr {
    ScenarioError::new_err(error.to_string())
}

/// As a [`RunError`] of Python.
pub fn run(error: FabricError) -> PyErr {
    RunError::new_err(error.to_string())
}

/// As a [`ResultError`] of Python.
pub fn result(error: MeasureError) -> PyErr {
    ResultError::new_err(error.to_string())
}
