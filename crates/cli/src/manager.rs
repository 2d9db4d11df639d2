//! `philae manager` and `philae fabric`: the manager is a program of its own, so that the simulator does not carry a server.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use crate::failure::Failure;

/// The program that is run, beside this one.
const PROGRAM: &str = "philae-manager";

/// What is passed on.
#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true)]
pub struct PassedOn {
    /// Commands and options; --help lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Becomes the manager's program.
pub fn run(command: &str, passed: &PassedOn) -> Result<ExitCode, Failure> {
    let here = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(PROGRAM)));
    let program = here.filter(|program| program.is_file()).unwrap_or_else(|| PROGRAM.into());
    let error = Command::new(&program).arg(command).args(&passed.arguments).exec();
    Err(Failure::input(format!(
        "cannot run {}: {error}; `make build` puts it beside philae, as `cargo build --release -p philae-manager` does",
        program.display()
    )))
}
