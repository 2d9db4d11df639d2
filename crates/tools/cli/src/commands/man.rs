//! `philae man`: manual pages, which `make build` writes and `make install` installs.

use crate::arguments::{Arguments, CommonOptions, ManArguments};
use crate::failure::CommandFailure;
use clap::CommandFactory;
use std::process::{Command, ExitCode};

/// Writes a page for the command and for each of its own subcommands. The manager's program writes
/// its own pages.
pub fn run(arguments: &ManArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let folder = &arguments.folder;
    let failed = |error| CommandFailure::run(format!("cannot write manual pages into '{}': {error}", folder.display()));
    let _made = crate::documents::prepare(folder)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)?;
    let program = crate::manager_program::program();
    if program.is_file() {
        // A program of an earlier build may not support this.
        let written = Command::new(&program).arg("man").arg(folder).output();
        if !written.is_ok_and(|written| written.status.success()) {
            shared.note(&format!("{} wrote no manual pages; `make build` makes one that does", program.display()));
        }
    }
    if shared.json {
        return crate::output::print_json(&serde_json::json!({ "output": folder }));
    }
    Ok(ExitCode::SUCCESS)
}
