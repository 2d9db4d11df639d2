//! `philae compare`.

use crate::arguments::{CompareArguments, Shared};
use crate::failure::Failure;
use crate::output;
use philae_measure::compare::compare;
use std::process::ExitCode;

/// Compares two results.
pub fn run(arguments: &CompareArguments, shared: &Shared) -> Result<ExitCode, Failure> {
    let comparison = compare(&arguments.a, &arguments.b).map_err(Failure::input)?;
    if let Some(page) = &arguments.html {
        std::fs::write(page, comparison.html())
            .map_err(|error| Failure::run(format!("cannot write '{}': {error}", page.display())))?;
        shared.note(&format!("report: {}", page.display()));
    }
    if shared.json {
        let value = serde_json::to_value(&comparison)
            .map_err(|error| Failure::run(format!("cannot write the comparison as JSON: {error}")))?;
        output::print_json(&value)
    } else {
        output::print(&comparison.text(shared.colour()))
    }
}
