//! `philae trace`.

use crate::arguments::CommonOptions;
use crate::conformance::{self, CheckArguments};
use crate::documents::check_apart;
use crate::failure::CommandFailure;
use crate::output;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};
use philae_results::format::{bytes, count};
use philae_results::text::{bold, table};
use philae_scenario::{LoadedTrace, Scenario, load_trace_of, sst};
use philae_trace::{LogGops, TraceFormat, TraceSchedule, decimal, goal, unroll};
use philae_units::{RankId, counted};
use philae_workload::{PerSecond, Recording, SendMode, Size, Trace, Workload, simulate_semantics};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae trace info scenarios/traces/wavefront.goal
  philae trace info 'crates/sim/trace/tests/data/all_reduce_8npus_1MB.{rank}.et'
  philae trace convert scenarios/traces/wavefront.goal wavefront.bin
  philae trace export scenarios/first-steps.toml first-steps.goal --job pairs
  philae trace loggops scenarios/traces/wavefront.goal --L 2500 --o 1500 --g 1000 --G 6 --O 0 --S 65535

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
  philae trace info crates/sim/trace/tests/data/actions.txt --format smpi --flops-per-second 5e9 --json")]
    Info(InfoArguments),
    /// Write a schedule as GOAL, as text or binary.
    #[command(after_help = "\
Examples:
  philae trace convert scenarios/traces/wavefront.goal wavefront.bin
  philae trace convert 'crates/sim/trace/tests/data/all_reduce_8npus_1MB.{rank}.et' allreduce.goal
  philae trace convert traces/app app.goal    what `philae run --trace traces/app` wrote")]
    Convert(ConvertArguments),
    /// Write a job of a scenario as a GOAL schedule.
    #[command(after_help = "\
Examples:
  philae trace export scenarios/first-steps.toml first-steps.goal
  philae trace export scenarios/incast-beside-allreduce.toml victim.bin --job victim --set job.victim.workload.iterations=5")]
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
  philae trace loggops scenarios/traces/wavefront.goal --L 2500 --o 1500 --g 1000 --G 6 --O 0 --S 65535
  philae trace loggops scenarios/traces/wavefront.goal --L 1500 --o 300 --g 100 --G 0.04 --S 8192 --json")]
    Loggops(LogGopsArguments),
}

/// A file, and the values that it does not contain.
#[derive(Args, Debug)]
pub struct TraceSource {
    /// The file, also one packed by gzip. If each rank has its own file: the name with {rank} in
    /// it, or a folder with only these files.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: String,
    /// Its format; `auto` decides by name and content.
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = formats())]
    format: String,
    /// Operations per second of a core, for traces that count operations: 5e9.
    #[arg(long, value_name = "N", value_parser = rate)]
    flops_per_second: Option<u64>,
    /// Bytes per second of memory, for loads and stores without a time.
    #[arg(long, value_name = "N", value_parser = rate)]
    memory_bytes_per_second: Option<u64>,
    /// Size of the message with which a trigger of a connection matrix reaches another rank.
    #[arg(long, value_name = "SIZE", default_value = "8B")]
    trigger_bytes: Size,
    /// Number of ranks, for files that do not contain it (ASTRA-sim 1).
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, u32::MAX.into()))]
    ranks: Option<u32>,
}

/// The rate that `info` uses if none is given: it reports the content of a file, not its times.
const ANY_RATE: u64 = 1_000_000_000;

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once("auto").chain(TraceFormat::ALL.map(TraceFormat::name)))
}

fn rate(text: &str) -> Result<u64, String> {
    decimal(text, 0).filter(|&rate| rate > 0).ok_or_else(|| "a number from 1, such as 5e9, would work".to_owned())
}

impl TraceSource {
    fn load(&self) -> Result<LoadedTrace, CommandFailure> {
        self.load_at(self.flops_per_second)
    }

    fn load_at(&self, flops_per_second: Option<u64>) -> Result<LoadedTrace, CommandFailure> {
        let trace = Trace {
            format: self.format.clone(),
            flops_per_second: flops_per_second.map(PerSecond),
            memory_bytes_per_second: self.memory_bytes_per_second.map(PerSecond),
            trigger_bytes: self.trigger_bytes,
            ..Trace::of_file(self.file.clone())
        };
        let loaded = load_trace_of(&trace, self.ranks).map_err(CommandFailure::input)?;
        match self.ranks {
            Some(given) if given != loaded.schedule.ranks() => Err(CommandFailure::input(format!(
                "'{}' has {}, but --ranks is {given}; without --ranks it would work",
                self.file,
                counted(loaded.schedule.ranks(), "rank")
            ))),
            _ => Ok(loaded),
        }
    }
}

#[derive(Args, Debug)]
pub struct InfoArguments {
    #[command(flatten)]
    source: TraceSource,
    /// Run the schedule without time, up to this many operations, to check that every message is received; 0 for no run.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    check: u64,
}

#[derive(Args, Debug)]
pub struct ConvertArguments {
    #[command(flatten)]
    source: TraceSource,
    #[command(flatten)]
    target: TraceTarget,
}

/// A file to write.
#[derive(Args, Debug)]
pub struct TraceTarget {
    /// The file to write; .bin is binary GOAL, any other name is GOAL text.
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// The format to write, whatever the name.
    #[arg(long, value_name = "FORMAT", value_parser = ["goal", "goal-binary"])]
    to: Option<String>,
    /// Most operations to write, when collective operations or programs are expanded.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    operations_max: u64,
}

#[derive(Args, Debug)]
pub struct TraceExportArguments {
    /// The scenario, a TOML file.
    #[arg(value_name = "SCENARIO", value_hint = ValueHint::FilePath)]
    scenario: PathBuf,
    #[command(flatten)]
    target: TraceTarget,
    /// The name of the job. Required if the scenario has several.
    #[arg(long, value_name = "NAME")]
    job: Option<String>,
    /// Set any key of the scenario, as for `philae simulate`.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::arguments::key_and_value)]
    overrides: Vec<(String, String)>,
}

#[derive(Args, Debug)]
pub struct ScenarioArguments {
    /// The load file.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The scenario to write.
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// The system of the scenario: a built-in one, or the path of a description.
    #[arg(long, value_name = "SYSTEM")]
    system: String,
}

#[derive(Args, Debug)]
pub struct LogGopsArguments {
    #[command(flatten)]
    source: TraceSource,
    /// Latency, in ns.
    #[arg(long = "L", value_name = "NS", value_parser = |text: &str| scaled(text, 3))]
    latency: u64,
    /// Overhead of the core for each message, in ns.
    #[arg(long = "o", value_name = "NS", value_parser = |text: &str| scaled(text, 3))]
    overhead: u64,
    /// Gap of the NIC between messages, in ns.
    #[arg(long = "g", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 3))]
    gap: u64,
    /// Gap for each byte, in ns (0.04 is 200 Gb/s).
    #[arg(long = "G", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 6))]
    gap_per_byte: u64,
    /// Overhead of the core for each byte, in ns.
    #[arg(long = "O", value_name = "NS", default_value = "0", value_parser = |text: &str| scaled(text, 6))]
    overhead_per_byte: u64,
    /// Largest eager message; larger ones wait for their receive.
    #[arg(long = "S", value_name = "BYTES", default_value_t = 65_535)]
    eager_max: u64,
    /// Most operations to run, when collective operations are expanded.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    operations_max: u64,
}

/// Nanoseconds as a whole number of picoseconds (3) or femtoseconds (6).
fn scaled(text: &str, digits: i32) -> Result<u64, String> {
    let most = 1_000_000_000_000_000;
    decimal(text, digits)
        .filter(|&value| value <= most)
        .ok_or_else(|| "nanoseconds from 0, such as 2500 or 0.04, would work".to_owned())
}

/// Runs one of the subcommands.
pub fn run(arguments: &TraceArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    match &arguments.what {
        TraceCommand::Info(arguments) => info(arguments, shared),
        TraceCommand::Convert(arguments) => {
            check_apart(&[Path::new(&arguments.source.file)], &[&arguments.target.out])?;
            let loaded = arguments.source.load()?;
            shared.warn(loaded.schedule.warnings());
            write(&loaded.schedule, &arguments.target, shared)
        }
        TraceCommand::Export(arguments) => export(arguments, shared),
        TraceCommand::Scenario(arguments) => scenario(arguments, shared),
        TraceCommand::Check(arguments) => conformance::run(arguments, shared),
        TraceCommand::Loggops(arguments) => loggops(arguments, shared),
    }
}

fn info(arguments: &InfoArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let loaded = arguments.source.load_at(arguments.source.flops_per_second.or(Some(ANY_RATE)))?;
    let schedule = &loaded.schedule;
    let needs_rate = schedule.rated() > 0 && arguments.source.flops_per_second.is_none();
    let needs = needs_rate.then(|| {
        let spans = count(schedule.rated());
        format!("flops_per_second: {spans} computations are given in operations, and have no time without it")
    });
    let totals = schedule.totals();
    let check = if arguments.check == 0 { Ok("no".to_owned()) } else { checked(schedule, arguments.check) };
    let ok = check.is_ok();
    let said = check.unwrap_or_else(|error| error);
    if shared.json {
        output::print_json(&serde_json::json!({
            "format": schedule.format().name(), "files": loaded.files, "crc32": loaded.crc32, "ranks": totals.ranks,
            "tasks": totals.tasks, "sends": totals.sends, "puts": totals.puts, "computes": totals.computes,
            "collectives": totals.calls, "bytes": totals.bytes.to_string(), "warnings": schedule.warnings(),
            "checked": said, "a_run_needs": needs,
        }))?;
    } else {
        let payload = bytes(totals.bytes as f64);
        let facts = [
            ("format", format!("{} ({})", schedule.format(), schedule.format().name())),
            ("files", count(loaded.files as u64)),
            ("ranks", count(u64::from(totals.ranks))),
            ("tasks", count(totals.tasks)),
            ("sends, puts", format!("{}, {} ({payload})", count(totals.sends), count(totals.puts))),
            ("computations", count(totals.computes)),
            ("operations within collectives", count(totals.calls)),
            ("run without time", said),
        ];
        let facts: Vec<(&str, String)> = facts.into_iter().chain(needs.map(|needs| ("a run needs", needs))).collect();
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut out = bold(&arguments.source.file, shared.colour()) + "\n";
        facts.iter().for_each(|(name, value)| out += &format!("{name:width$}  {value}\n"));
        schedule.warnings().iter().for_each(|warning| out += &format!("warning: {warning}\n"));
        output::print(&out)?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Whether the schedule completes when time does not matter.
fn checked(schedule: &TraceSchedule, operations_max: u64) -> Result<String, String> {
    use philae_workload::SemanticsError;
    let programs = || (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
    match simulate_semantics(programs(), SendMode::Eager, 1, operations_max) {
        Ok(ranks) => {
            let messages = ranks.iter().map(|rank| rank.sends + rank.puts).sum();
            let all = format!("every message is received ({} with those of collectives)", count(messages));
            // Large messages wait for their receive: a schedule that relies on buffers would
            // deadlock with them.
            match simulate_semantics(programs(), SendMode::Rendezvous, 1, operations_max) {
                Ok(_) => Ok(all),
                Err(error) => Ok(format!("{all}; but not if sends wait for their receives, as large ones do: {error}")),
            }
        }
        Err(SemanticsError::Endless { .. }) => {
            Ok(format!("stopped before its end: more than {}", counted(operations_max, "operation")))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn write(schedule: &TraceSchedule, target: &TraceTarget, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let binary = match target.to.as_deref() {
        Some(format) => format == TraceFormat::GoalBinary.name(),
        None => target.out.extension().is_some_and(|extension| extension == "bin"),
    };
    let schedule = schedule.unrolled(target.operations_max).map_err(CommandFailure::run)?;
    let bytes = if binary { goal::to_binary(&schedule) } else { goal::to_text(&schedule).map(String::into_bytes) };
    let bytes = bytes.map_err(CommandFailure::run)?;
    crate::documents::write(&target.out, &bytes)?;
    let totals = schedule.totals();
    if shared.json {
        return output::print_json(&serde_json::json!({
            "output": target.out, "format": if binary { "goal-binary" } else { "goal" }, "ranks": totals.ranks,
            "tasks": totals.tasks, "bytes_written": bytes.len(), "warnings": schedule.warnings(),
        }));
    }
    let (ranks, tasks) = (counted(totals.ranks, "rank"), counted(totals.tasks, "operation"));
    output::print(&format!("{}: {ranks}, {tasks}\n", target.out.display()))
}

fn export(arguments: &TraceExportArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    check_apart(&[&arguments.scenario], &[&arguments.target.out])?;
    let name = |path: &Path| path.display().to_string();
    let failed = |error: philae_scenario::ScenarioError| {
        CommandFailure::input(format!("'{}': {error}", name(&arguments.scenario)))
    };
    let scenario = Scenario::load_with(&arguments.scenario, &arguments.overrides).map_err(failed)?;
    let resolved = scenario.resolve().map_err(failed)?;
    let names: Vec<&str> = resolved.jobs.iter().map(|job| job.section.name.as_str()).collect();
    let job = match (&arguments.job, resolved.jobs.as_slice()) {
        (None, [only]) => only,
        (asked, jobs) => {
            let found = jobs.iter().find(|job| Some(&job.section.name) == asked.as_ref());
            found.ok_or_else(|| {
                CommandFailure::input(format!("--job says which job to write; {} would work", names.join(", ")))
            })?
        }
    };
    if job.section.workload.iterations().is_none() {
        let (name, works) = (&job.section.name, "--set job.NAME.workload.iterations=10 would work");
        return Err(CommandFailure::input(format!("job {name} never ends, but a schedule must end; {works}")));
    }
    let ranks = job.places.len() as u32;
    shared.warn(&resolved.warnings);
    let programs = (0..ranks).map(|rank| job.section.workload.program(RankId(rank), ranks, job.seed)).collect();
    let schedule = unroll(TraceFormat::Goal, programs, arguments.target.operations_max).map_err(CommandFailure::run)?;
    shared.warn(schedule.warnings());
    write(&schedule, &arguments.target, shared)
}

fn scenario(arguments: &ScenarioArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    check_apart(&[&arguments.file], &[&arguments.out])?;
    let name = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| CommandFailure::input(format!("cannot read the load file '{name}': {error}")))?;
    let load = sst::read(&text).map_err(|error| CommandFailure::input(format!("'{name}', {error}")))?;
    shared.warn(&load.warnings);
    let written = load.to_toml(&arguments.system);
    // Refuse a scenario that cannot run here, where the load file is known.
    let out = arguments.out.display();
    let scenario = Scenario::parse(&written, &format!("'{out}'")).and_then(|scenario| scenario.resolve());
    scenario.map_err(|error| CommandFailure::input(format!("'{name}' on {}: {error}", arguments.system)))?;
    crate::documents::write(&arguments.out, &written)?;
    let jobs = load.jobs.len();
    if shared.json {
        return output::print_json(
            &serde_json::json!({ "output": arguments.out, "jobs": jobs, "warnings": load.warnings }),
        );
    }
    output::print(&format!("{out}: {}\n", counted(jobs, "job")))
}

fn loggops(arguments: &LogGopsArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let loaded = arguments.source.load()?;
    let schedule = loaded.schedule.unrolled(arguments.operations_max).map_err(CommandFailure::run)?;
    shared.warn(schedule.warnings());
    let model = LogGops {
        latency: arguments.latency,
        overhead: arguments.overhead,
        gap: arguments.gap,
        gap_per_byte: arguments.gap_per_byte,
        overhead_per_byte: arguments.overhead_per_byte,
        eager_max: arguments.eager_max,
    };
    let outcome = model.run(&schedule).map_err(CommandFailure::run)?.map_err(CommandFailure::run)?;
    if shared.json {
        let last = outcome.finish.iter().max();
        return output::print_json(&serde_json::json!({ "finish_ps": outcome.finish, "last_ps": last }));
    }
    let nanoseconds = |time: u64| match time % 1_000 {
        0 => (time / 1_000).to_string(),
        rest => format!("{}.{rest:03}", time / 1_000),
    };
    let rows: Vec<Vec<String>> =
        outcome.finish.iter().enumerate().map(|(rank, &time)| vec![rank.to_string(), nanoseconds(time)]).collect();
    output::print(&table(&["rank", "finishes at ns"], &rows, shared.colour()))
}
