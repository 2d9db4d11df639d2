//! `philae completions`: a script for a shell, with the completions of the manager's program.

use crate::arguments::{Arguments, CommonOptions, CompletionsArguments};
use crate::failure::CommandFailure;
use crate::{manager_program, output};
use clap::CommandFactory;
use std::process::ExitCode;

/// Prints the script.
pub fn run(arguments: &CompletionsArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "philae", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned() + &manager_program::completions(arguments.shell);
    if shared.json {
        let shell = arguments.shell.to_string();
        return output::print_json(&serde_json::json!({ "shell": shell, "script": script }));
    }
    output::print(&script)
}
