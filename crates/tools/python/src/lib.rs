//! The native module of the Python package `philae`.
//!
//! Invariant: it adds nothing to the model and decides nothing. It passes text in, runs, and passes
//! tables out as Arrow columns. The public interface of the package is Python (`python/philae`).
//! Deliberately absent: logic, plots, sweeps, and a Rust interface for other crates.
//!
//! Scenarios cross the border as JSON text, so that every check and every message is that of
//! `philae-scenario`.

use pyo3::prelude::*;

mod compare;
mod error;
mod explain;
mod run;
mod scenario;
mod system;
mod table;

/// The content of `philae._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ScenarioError", module.py().get_type::<error::ScenarioError>())?;
    module.add("RunError", module.py().get_type::<error::RunError>())?;
    module.add("ResultError", module.py().get_type::<error::ResultError>())?;
    module.add_class::<run::PyRun>()?;
    module.add_class::<table::PyTable>()?;
    module.add_class::<table::ColumnView>()?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::schema, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::check, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::set_values, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::parse, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::load, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::resolve, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::toml_from_json, module)?)?;
    module.add_function(wrap_pyfunction!(system::systems, module)?)?;
    module.add_function(wrap_pyfunction!(system::describe, module)?)?;
    module.add_function(wrap_pyfunction!(system::system_text, module)?)?;
    module.add_function(wrap_pyfunction!(system::wiring, module)?)?;
    module.add_function(wrap_pyfunction!(table::table_info, module)?)?;
    Ok(())
}
