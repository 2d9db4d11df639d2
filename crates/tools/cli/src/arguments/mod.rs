//! The command line: what clap parses, and nothing else.

mod benchmarks;
mod common;
mod launch;
mod nic;
mod results;
mod simulate;
mod study;
mod sweep;
mod system;
mod tools;
mod trace;
mod values;

pub use benchmarks::*;
pub use common::*;
pub use launch::*;
pub use nic::*;
pub use results::*;
pub use simulate::*;
pub use study::*;
pub use sweep::*;
pub use system::*;
pub use tools::*;
pub use trace::*;

use clap::{Parser, Subcommand};

/// Simulates HPC interconnects of the Slingshot family: dragonflies and fat trees of Rosetta
/// switches, adaptive routing, per-flow congestion control, and other congestion laws for
/// comparison.
#[derive(Debug, Parser)]
#[command(
    name = "philae",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  philae systems                 which systems are built in
  philae describe shandy         sizes and bandwidths of one
  philae simulate scenarios/first-steps.toml
      run a scenario and write its result
  philae routes malbec --down groups:0-1  forwarding tables with links down
  philae reproduce fig9 --quick  a small published experiment, and its report
  philae validate --quick        every published result, compared with the model
  philae gpcnet malbec --nodes 100  GPCNeT's load test, with GPCNeT's tables
  philae osu latency malbec      latency by message size, in the OSU format
  philae run -n 2 --traffic ./my-mpi-program
      a program over the provider, and its traffic
  philae schema > scenario.schema.json  JSON Schema of scenarios, for editors

Exit codes: 0 done, 1 ran and found a problem, 2 bad input or usage; ended by a signal: 130 Ctrl-C,
143 SIGTERM, 129 SIGHUP."
)]
pub struct Arguments {
    #[command(flatten)]
    pub shared: CommonOptions,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in systems.
    #[command(after_help = "\
Examples:
  philae systems
  philae systems --json")]
    Systems,
    /// Describe a system: switches, cables, diameter, bandwidths, sources, assumptions.
    Describe(DescribeArguments),
    /// Compute forwarding tables, also with links down, prove them correct, and write them to a file for `simulate --routes`.
    Routes(RoutesArguments),
    /// Run a scenario and write its result: tables, a report, the resolved scenario.
    Simulate(SimulateArguments),
    /// Measure the error of fluid runs (`simulate --fluid`) against packet-level runs, over random scenarios.
    FluidAccuracy(FluidAccuracyArguments),
    /// Explain a job's slowest messages: where each one waited, and which flows it waited for.
    Explain(ExplainArguments),
    /// Compare results: jobs, links, counters, and the differences of their scenarios.
    Compare(CompareArguments),
    /// Run a scenario with every combination of given values and seeds: one table, means with their intervals.
    Sweep(SweepArguments),
    /// Print a table of a result as CSV or JSON.
    Export(ExportArguments),
    /// Run a published experiment and write its report.
    Reproduce(ReproduceArguments),
    /// Compare the model with every published result.
    Validate(ValidateArguments),
    /// Read, convert and write schedules and traces, also those of other tools.
    Trace(TraceArguments),
    /// Run GPCNeT: network tests in isolation and next to congestors, in GPCNeT's own tables.
    Gpcnet(GpcnetArguments),
    /// Run a test of the OSU micro-benchmarks: latency, bandwidth, message rate or a collective by message size.
    Osu(OsuArguments),
    /// Run a program of MPI, SHMEM or libfabric over the provider, a NIC in software.
    Run(RunArguments),
    /// Inspect the software NICs of this host: endpoints, owners, memory.
    Nic(NicArguments),
    /// Run the fabric manager, with simulated switches.
    Manager(PassedOn),
    /// Query and control a running fabric manager.
    Fabric(PassedOn),
    /// Run agents: the programs by which a fabric manager controls switches.
    Agent(PassedOn),
    /// Measure the speed of the simulator.
    Bench(BenchArguments),
    /// Print the keys of a scenario, as JSON Schema or as text.
    Schema(SchemaArguments),
    /// Print a completion script for a shell: commands, options and systems.
    Completions(CompletionsArguments),
    /// Write the manual pages.
    #[command(hide = true)]
    Man(ManArguments),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Lines of all examples, with the command that shows them.
    fn examples(command: &clap::Command, of: &str, found: &mut Vec<(String, String)>) {
        let name = format!("{of} {}", command.get_name());
        let texts = [command.get_after_help(), command.get_after_long_help()];
        for line in
            texts.into_iter().flatten().flat_map(|text| text.to_string().lines().map(str::to_owned).collect::<Vec<_>>())
        {
            found.push((name.clone(), line));
        }
        command.get_subcommands().for_each(|part| examples(part, &name, found));
    }

    /// A terminal of 80 columns would break a longer line in the middle of a command, which then
    /// cannot be copied.
    #[test]
    fn examples_fit_a_terminal() {
        let mut lines = Vec::new();
        examples(&Arguments::command(), "", &mut lines);
        let is_command = |line: &str| line.starts_with("  philae ") || line.starts_with("  mpirun ");
        assert!(lines.iter().filter(|(_, line)| is_command(line)).count() > 100, "only {} lines", lines.len());
        for (at, (name, line)) in lines.iter().enumerate() {
            assert!(!line.starts_with("  ") || line.chars().count() <= 80, "{name}: {line}");
            let continues = lines.get(at + 1).is_some_and(|(_, next)| next.starts_with("      "));
            assert!(!line.ends_with('\\') || continues, "{name}: nothing follows {line}");
        }
    }
}
