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
    let cells = Cells::new(*shared)
        .say_when_interrupted(|running| format!("interrupted {}; nothing was written", running.words("scenario")));
    cells.start("fluid-accuracy", "rates compared with packets");
    let total = arguments.count as usize;
    cells.update(&CellProgress { done: 0, total, label: String::new(), is_kept: false });
    let mut rows = Vec::new();
    for number in 0..arguments.count {
        match measure(number, &stop) {
            Ok(found) => rows.extend(found),
            Err(StudyError::Interrupted { .. }) => return Err(cells.interrupted()),
            Err(error) => {
                cells.finish();
                return Err(CommandFailure::run(error));
            }
        }
        let (done, label) = (number as usize + 1, format!("scenario {number}"));
        cells.update(&CellProgress { done, total, label, is_kept: false });
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
