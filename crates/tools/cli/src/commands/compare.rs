//! `philae compare`.

use crate::arguments::{CommonOptions, CompareArguments};
use crate::failure::CommandFailure;
use crate::output;
use philae_results::compare::{compare, compare_sides};
use std::process::ExitCode;

/// Compares results.
pub fn run(arguments: &CompareArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if let Some(page) = &arguments.html {
        arguments
            .results
            .iter()
            .chain(&arguments.against)
            .try_for_each(|result| crate::documents::check_outside(page, result))?;
    }
    let comparison = match arguments.against.as_slice() {
        [] => compare(&arguments.results),
        against => compare_sides(&arguments.results, against),
    };
    let comparison = comparison.map_err(CommandFailure::input)?;
    if let Some(page) = &arguments.html {
        crate::documents::write(page, comparison.html())?;
        shared.note(&format!("report: {}", page.display()));
    }
    match shared.writes_only(arguments.html.is_some()) {
        _ if shared.json => output::print_json(&comparison),
        true => Ok(ExitCode::SUCCESS),
        false => output::print(&comparison.text(shared.colour())),
    }
}
