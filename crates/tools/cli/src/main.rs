//! The `philae` command.
//!
//! Standard output carries only results; progress, notes and errors go to standard error. Exit
//! codes: 0 done, 1 ran and found an error, 2 bad input or usage, 130 interrupted.

mod allocation;
mod arguments;
mod attention;
mod bench_arguments;
mod benchmark;
mod cells;
mod checkpoint;
mod compare;
mod conformance;
mod describe;
mod disk;
mod documents;
mod explain;
mod export;
mod failure;
mod fluid;
mod gpcnet;
mod launch;
mod live;
mod man;
mod manager;
#[cfg(feature = "mpi")]
mod mpi;
mod nic;
mod nic_bench;
mod osu;
mod output;
mod processes;
mod progress;
mod results;
mod routes;
mod schema;
mod setup;
mod simulate;
mod study;
mod sweep;
mod systems;
mod timeline;
mod trace;

use arguments::{Arguments, Command, CommonOptions};
use clap::{CommandFactory, Parser};
use failure::CommandFailure;
use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocation::Allocator = allocation::Allocator;

fn main() -> ExitCode {
    match Arguments::try_parse_from(asked(std::env::args_os())) {
        Ok(arguments) => {
            let prepared = allocation::speak_of_refusals().and_then(|()| attention::files_may_be_limited());
            match prepared.and_then(|()| run(&arguments.command, &arguments.shared)) {
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
    match command {
        Command::Systems => systems::run(shared),
        Command::Describe(arguments) => describe::run(arguments, shared),
        Command::Routes(arguments) => routes::run(arguments, shared),
        Command::Simulate(arguments) => simulate::run(arguments, shared),
        Command::FluidAccuracy(arguments) => fluid::accuracy(arguments, shared),
        Command::Explain(arguments) => explain::run(arguments, shared),
        Command::Compare(arguments) => compare::run(arguments, shared),
        Command::Sweep(arguments) => sweep::run(arguments, shared),
        Command::Export(arguments) => export::run(arguments, shared),
        Command::Reproduce(arguments) => study::reproduce(arguments, shared),
        Command::Validate(arguments) => study::validation(arguments, shared),
        Command::Trace(arguments) => trace::run(arguments, shared),
        Command::Gpcnet(arguments) => gpcnet::run(arguments, shared),
        Command::Osu(arguments) => osu::run(arguments, shared),
        Command::Run(arguments) => launch::run(arguments, shared),
        Command::Nic(arguments) => nic::run(arguments, shared),
        Command::Manager(passed) => manager::run("manager", passed, shared),
        Command::Fabric(passed) => manager::run("fabric", passed, shared),
        Command::Agent(passed) => manager::run("agent", passed, shared),
        Command::Bench(arguments) => benchmark::benchmark(arguments, shared),
        Command::Schema(arguments) => schema::run(arguments, shared),
        Command::Man(arguments) => man::run(arguments, shared),
        Command::Completions(arguments) => {
            let mut script = Vec::new();
            clap_complete::generate(arguments.shell, &mut Arguments::command(), "philae", &mut script);
            let script = String::from_utf8_lossy(&script).into_owned() + &manager::completions(arguments.shell);
            if shared.json {
                let shell = arguments.shell.to_string();
                return output::print_json(&serde_json::json!({ "shell": shell, "script": script }));
            }
            output::print(&script)
        }
    }
}
