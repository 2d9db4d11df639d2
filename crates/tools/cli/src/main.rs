//! The `philae` command.
//!
//! Standard output carries only results; progress, notes and errors go to standard error. Exit
//! codes: 0 done, 1 ran and found an error, 2 bad input or usage, 128 and the number of a signal
//! that ended it (Ctrl-C: 130).

mod allocation;
mod arguments;
mod attention;
mod cells;
mod commands;
mod documents;
mod failure;
mod first_run;
mod large_blocks;
mod manager_program;
mod output;
mod progress;
mod repeats;
mod results;
mod scenario_errors;
mod setup;
mod signal_code;

use arguments::{Arguments, Command, CommonOptions};
use clap::Parser;
use failure::CommandFailure;
use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocation::Allocator = allocation::Allocator;

fn main() -> ExitCode {
    match Arguments::try_parse_from(asked(std::env::args_os())) {
        Ok(arguments) => {
            allocation::prepare();
            philae_console::signals_may_wait();
            output::fit_terminal();
            match attention::files_may_be_limited().and_then(|()| run(&arguments.command, &arguments.shared)) {
                Ok(code) => code,
                Err(failure) => {
                    // Commands that are passed on may have the option after the command, where this
                    // program does not parse it.
                    let is_passed_on =
                        matches!(arguments.command, Command::Manager(_) | Command::Fabric(_) | Command::Agent(_));
                    let asked = is_passed_on && philae_console::asks_for_json(std::env::args_os());
                    failure.report(CommonOptions { json: asked || arguments.shared.json, ..arguments.shared })
                }
            }
        }
        Err(said) => philae_console::said!(said).exit(),
    }
}

/// `philae help --help` means `philae help`, and `philae help simulate --help` means the help of
/// that command.
fn asked(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

fn run(command: &Command, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if shared.json {
        attention::print_json();
        let ends_by_signals = matches!(
            command,
            Command::Systems
                | Command::Describe(_)
                | Command::Routes(_)
                | Command::Compare(_)
                | Command::Export(_)
                | Command::Trace(_)
        );
        // These end by the signal itself where no document is asked for.
        if ends_by_signals {
            attention::flag(false, "nothing")?;
        }
    }
    match command {
        Command::Systems => commands::systems::run(shared),
        Command::Describe(arguments) => commands::describe::run(arguments, shared),
        Command::Routes(arguments) => commands::routes::run(arguments, shared),
        Command::Simulate(arguments) => commands::simulate::run(arguments, shared),
        Command::FluidAccuracy(arguments) => commands::fluid_accuracy::run(arguments, shared),
        Command::Explain(arguments) => commands::explain::run(arguments, shared),
        Command::Compare(arguments) => commands::compare::run(arguments, shared),
        Command::Sweep(arguments) => commands::sweep::run(arguments, shared),
        Command::Export(arguments) => commands::export::run(arguments, shared),
        Command::Reproduce(arguments) => commands::study::reproduce(arguments, shared),
        Command::Validate(arguments) => commands::study::validation(arguments, shared),
        Command::Trace(arguments) => commands::trace::run(arguments, shared),
        Command::Gpcnet(arguments) => commands::gpcnet::run(arguments, shared),
        Command::Osu(arguments) => commands::osu::run(arguments, shared),
        Command::Run(arguments) => commands::launch::run(arguments, shared),
        Command::Nic(arguments) => commands::nic::run(arguments, shared),
        Command::Manager(passed) => commands::manager::run("manager", passed, shared),
        Command::Fabric(passed) => commands::manager::run("fabric", passed, shared),
        Command::Agent(passed) => commands::manager::run("agent", passed, shared),
        Command::Bench(arguments) => commands::bench::run(arguments, shared),
        Command::Schema(arguments) => commands::schema::run(arguments, shared),
        Command::Man(arguments) => commands::man::run(arguments, shared),
        Command::Completions(arguments) => commands::completions::run(arguments, shared),
    }
}
