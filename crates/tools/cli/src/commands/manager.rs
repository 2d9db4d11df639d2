//! `philae manager`, `philae fabric`, `philae agent`: the manager is a separate program, so that
//! the simulator does not include a server.

use crate::arguments::{CommonOptions, PassedOn};
use crate::failure::CommandFailure;
use crate::manager_program::program;
use clap::ValueEnum;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Replaces this process by the manager's program.
pub fn run(command: &str, passed: &PassedOn, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let program = program();
    // Its usage lines begin with the command as typed.
    let mut becomes = Command::new(&program);
    becomes.arg0("philae").args(shared.json.then_some("--json")).arg(command);
    // An option of this command before the manager's own words is meant for the manager.
    if let ("fabric", Some(colour)) = (command, shared.color.to_possible_value()) {
        becomes.args(["--color", colour.get_name()]);
    }
    becomes.args(&passed.arguments);
    let error = becomes.exec();
    Err(CommandFailure::input(format!(
        "cannot run {}: {error}; `make build` or `cargo build --release -p philae-manager` puts it next to philae",
        program.display()
    )))
}
