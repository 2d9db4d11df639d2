//! The command lines of `trace`.

use super::values::{key_and_value, output_file};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};
use philae_trace::TraceFormat;
use philae_workload::Size;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae trace info scenarios/traces/wavefront.goal
  philae trace info 'crates/sim/trace/tests/data/all_reduce_8npus_1MB.{rank}.et'
  philae trace convert scenarios/traces/wavefront.goal wavefront.bin
  philae trace export scenarios/first-steps.toml first-steps.goal --job pairs
  philae trace loggops scenarios/traces/wavefront.goal --L 2500 --o 1500 \\
      --g 1000 --G 6 --O 0 --S 65535

A scenario runs a trace as a job: workload = { kind = \"trace\", file = \"traces/wavefront.goal\" }.")]
pub struct TraceArguments {
    #[command(subcommand)]
    pub what: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Describe a file: format, ranks, operations, bytes, and its parts that are ignored.
    #[command(after_help = "\
Examples:
  philae trace info scenarios/traces/wavefront.goal
  philae trace info crates/sim/trace/tests/data/actions.txt --format smpi \\
      --flops-per-second 5e9 --json")]
    Info(InfoArguments),
    /// Write a schedule as GOAL, as text or binary.
    #[command(after_help = "\
Examples:
  philae trace convert scenarios/traces/wavefront.goal wavefront.bin
  philae trace convert \\
      'crates/sim/trace/tests/data/all_reduce_8npus_1MB.{rank}.et' \\
      allreduce.goal
  philae trace convert traces/app app.goal
      what `philae run --trace traces/app` wrote")]
    Convert(ConvertArguments),
    /// Write a job of a scenario as a GOAL schedule.
    #[command(after_help = "\
Examples:
  philae trace export scenarios/first-steps.toml first-steps.goal
  philae trace export scenarios/incast-beside-allreduce.toml victim.bin \\
      --job victim --set job.victim.workload.iterations=5")]
    Export(TraceExportArguments),
    /// Read every file in folders that another tool wrote, and report what each is or why it cannot be read.
    #[command(after_help = "\
Examples:
  philae trace check scenarios/traces
  philae trace check crates/sim/trace/tests/data --json

Schedules, fat trees (.topo), load files of SST and distributions of sizes. Fails if a file that looks like one of them cannot be
read; files of other kinds are listed with the reason why they are skipped.")]
    Check(CheckArguments),
    /// Write the jobs of an SST load file, with their nodes and motifs, as a scenario.
    #[command(after_help = "\
Examples:
  philae trace scenario scenarios/traces/two-jobs.load jobs.toml --system malbec
  philae simulate jobs.toml")]
    Scenario(ScenarioArguments),
    /// Run a schedule under the LogGOPS model and print when each rank finishes.
    #[command(after_help = "\
Examples:
  philae trace loggops scenarios/traces/wavefront.goal --L 2500 --o 1500 \\
      --g 1000 --G 6 --O 0 --S 65535
  philae trace loggops scenarios/traces/wavefront.goal --L 1500 --o 300 \\
      --g 100 --G 0.04 --S 8192 --json")]
    Loggops(LogGopsArguments),
}

/// A file, and the values that it does not contain.
#[derive(Args, Debug)]
pub struct TraceSource {
    /// The file, also one packed by gzip. If each rank has its own file: the name with {rank} in
    /// it, or a folder with only these files.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Its format; `auto` decides by name and content.
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = formats())]
    pub format: String,
    /// Operations per second of a core, for traces that count operations: 5e9.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = philae_console::whole::<u64>(1, u64::MAX))]
    pub flops_per_second: Option<u64>,
    /// Bytes per second of memory, for loads and stores without a time.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = philae_console::whole::<u64>(1, u64::MAX))]
    pub memory_bytes_per_second: Option<u64>,
    /// Size of the message with which a trigger of a connection matrix reaches another rank.
    #[arg(long, value_name = "SIZE", default_value = "8B")]
    pub trigger_bytes: Size,
    /// Number of ranks, for files that do not contain it (ASTRA-sim 1).
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, u32::MAX.into()))]
    pub ranks: Option<u32>,
}

pub fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once("auto").chain(TraceFormat::ALL.map(TraceFormat::name)))
}

#[derive(Args, Debug)]
pub struct InfoArguments {
    #[command(flatten)]
    pub source: TraceSource,
    /// Run the schedule without time, up to this many operations, to check that every message is received; 0 for no run.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    pub check: u64,
}

#[derive(Args, Debug)]
pub struct ConvertArguments {
    #[command(flatten)]
    pub source: TraceSource,
    #[command(flatten)]
    pub target: TraceTarget,
}

/// A file to write.
#[derive(Args, Debug)]
pub struct TraceTarget {
    /// The file to write. Its name decides the form: .bin is binary GOAL; .goal, .txt and names
    /// without an extension are GOAL text.
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub out: PathBuf,
    /// The form to write, whatever the name.
    #[arg(long, value_name = "FORMAT", value_parser = ["goal", "goal-binary"])]
    pub to: Option<String>,
    /// Most operations to write, when collective operations or programs are expanded.
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    pub operations_max: u64,
}

#[derive(Args, Debug)]
pub struct TraceExportArguments {
    /// The scenario, a TOML file.
    #[arg(value_name = "SCENARIO", value_hint = ValueHint::FilePath)]
    pub scenario: PathBuf,
    #[command(flatten)]
    pub target: TraceTarget,
    /// The name of the job. Required if the scenario has several.
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,
    /// Set any key of the scenario, as for `philae simulate`.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
}

#[derive(Args, Debug)]
pub struct ScenarioArguments {
    /// The load file.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The scenario to write.
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub out: PathBuf,
    /// The system of the scenario: a built-in one, or the path of a description.
    #[arg(long, value_name = "SYSTEM")]
    pub system: String,
}

#[derive(Args, Debug)]
pub struct LogGopsArguments {
    #[command(flatten)]
    pub source: TraceSource,
    /// Latency, in ns.
    #[arg(long = "L", value_name = "NS", value_parser = |text: &str| scaled(text, 1_000))]
    pub latency: u64,
    /// Overhead of the core for each message, in ns.
    #[arg(long = "o", value_name = "NS", value_parser = |text: &str| scaled(text, 1_000))]
    pub overhead: u64,
    /// Gap of the NIC between messages, in ns.
    #[arg(long = "g", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 1_000))]
    pub gap: u64,
    /// Gap for each byte, in ns (0.04 is 200 Gb/s).
    #[arg(long = "G", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 1_000_000))]
    pub gap_per_byte: u64,
    /// Overhead of the core for each byte, in ns.
    #[arg(long = "O", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 1_000_000))]
    pub overhead_per_byte: u64,
    /// Largest eager message; larger ones wait for their receive.
    #[arg(long = "S", value_name = "BYTES", default_value_t = 65_535, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    pub eager_max: u64,
    /// Most operations to run, when collective operations are expanded.
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    pub operations_max: u64,
}

/// Nanoseconds as a whole number of picoseconds (a scale of 1,000) or femtoseconds (1,000,000).
pub fn scaled(text: &str, scale: u64) -> Result<u64, String> {
    let most = 1_000_000_000_000_000;
    let read = philae_units::scaled_integer(text, scale);
    if read == Err(philae_units::IntegerError::NotWhole) {
        let digits = if scale == 1_000 { "three digits" } else { "six digits" };
        return Err(format!("nanoseconds with at most {digits} after the point, such as 2500 or 0.04, would work"));
    }
    let value = read.ok().and_then(|value| u64::try_from(value).ok()).filter(|&value| value <= most);
    value.ok_or_else(|| format!("nanoseconds from 0 to {}, such as 2500 or 0.04, would work", most / scale))
}

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Folders with files of other tools, or single files.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, required = true)]
    pub paths: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        source: TraceSource,
    }

    #[test]
    fn a_rate_is_a_whole_number_in_every_form() {
        let read = |rate: &str| Line::try_parse_from(["convert", "t.txt", "--flops-per-second", rate]);
        for (text, rate) in [("5e9", 5_000_000_000), ("5_000", 5_000), ("0x10", 16), ("2.0", 2)] {
            assert_eq!(read(text).ok().and_then(|line| line.source.flops_per_second), Some(rate), "{text}");
        }
        for wrong in ["1.9", "0", "-1", "x"] {
            let error = read(wrong).err().expect(wrong).to_string();
            assert!(error.contains("a whole number from 1 to "), "{error}");
        }
    }

    #[test]
    fn nanoseconds_are_exact_or_refused() {
        assert_eq!((scaled("2500", 1_000), scaled("0.04", 1_000_000)), (Ok(2_500_000), Ok(40_000)));
        assert_eq!((scaled("2_500", 1_000), scaled("1e3", 1_000)), (Ok(2_500_000), Ok(1_000_000)));
        assert!(scaled("0.0004", 1_000).expect_err("less than 1 ps").contains("three digits after the point"));
        for wrong in ["-1", "x", "1e30"] {
            assert!(scaled(wrong, 1_000).expect_err(wrong).contains("from 0 to 1000000000000"), "{wrong}");
        }
    }
}
