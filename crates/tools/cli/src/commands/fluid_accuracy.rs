//! `philae fluid-accuracy`.

use crate::arguments::{CommonOptions, FluidAccuracyArguments};
use crate::attention;
use crate::cells::Cells;
use crate::documents::{prepare_file, write};
use crate::failure::CommandFailure;
use crate::output;
use philae_experiments::fluid::{accuracy_table, csv, draw, measure};
use philae_experiments::{CellProgress, StudyError};
use philae_results::FileKind;
use std::process::ExitCode;

/// Runs random scenarios in both models and prints the errors, or prints one of the scenarios.
pub fn run(arguments: &FluidAccuracyArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if let Some(scenario) = arguments.scenario {
        let toml = draw(scenario).toml;
        if shared.json {
            return output::print_json(&serde_json::json!({ "scenario": scenario, "toml": toml }));
        }
        return output::print(&toml);
    }
    let _made = arguments.output.as_deref().map(|file| prepare_file(file, FileKind::Csv)).transpose()?;
    let stop = attention::flag(true, "the table of errors")?;
    let cells = Cells::new(*shared);
    cells.start("fluid-accuracy", "rates compared with packets");
    let total = arguments.count as usize;
    let mut rows = Vec::new();
    for number in 0..arguments.count {
        match measure(number, &stop) {
            Ok(found) => rows.extend(found),
            Err(StudyError::Interrupted { .. }) => {
                cells.finish();
                let done = format!("interrupted after {number} of {total} scenarios; nothing was written");
                return Err(CommandFailure::interrupted(done));
            }
            Err(error) => {
                cells.finish();
                return Err(CommandFailure::run(error));
            }
        }
        cells.update(&CellProgress { done: number as usize + 1, total, label: format!("scenario {number}") });
    }
    cells.finish();
    if let Some(file) = &arguments.output {
        write(file, csv(&rows))?;
    }
    if shared.json {
        return output::print_json(&rows);
    }
    if shared.writes_only(arguments.output.is_some()) {
        return Ok(ExitCode::SUCCESS);
    }
    output::print(&accuracy_table(&rows, shared.colour()))
}
