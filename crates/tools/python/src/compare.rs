//! Comparison of results.

use crate::error::ResultError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Compares result folders, or studies: as JSON, as text and as a page.
#[pyfunction]
pub fn compare(py: Python<'_>, results: Vec<PathBuf>) -> PyResult<(String, String, String)> {
    let failed = |error: String| ResultError::new_err(error);
    py.detach(|| {
        let comparison = philae_results::compare::compare(&results).map_err(|error| error.to_string())?;
        let json = serde_json::to_string(&comparison).map_err(|error| error.to_string())?;
        Ok((json, comparison.text(false), comparison.html()))
    })
    .map_err(failed)
}
