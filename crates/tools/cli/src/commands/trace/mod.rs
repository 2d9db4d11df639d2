//! `philae trace`.

mod check;

use crate::arguments::{
    CommonOptions, InfoArguments, LogGopsArguments, ScenarioArguments, TraceArguments, TraceCommand,
    TraceExportArguments, TraceSource, TraceTarget,
};
use crate::documents::check_apart;
use crate::failure::CommandFailure;
use crate::output;
use philae_results::format::{bytes, count};
use philae_results::text::{bold, table};
use philae_scenario::{LoadedTrace, Scenario, load_trace_of, read_trace_file, sst};
use philae_trace::{LogGops, TraceFormat, TraceSchedule, goal, unroll};
use philae_units::{RankId, counted};
use philae_workload::{PerSecond, Recording, SendMode, Trace, Workload, simulate_semantics};
use std::path::Path;
use std::process::ExitCode;

/// The rate that `info` uses if none is given: it reports the content of a file, not its times.
const ANY_RATE: u64 = 1_000_000_000;

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

/// Runs one of the subcommands.
pub fn run(arguments: &TraceArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    match &arguments.what {
        TraceCommand::Info(arguments) => info(arguments, shared),
        TraceCommand::Convert(arguments) => {
            check_apart(&[Path::new(&arguments.source.file)], &[&arguments.target.out])?;
            is_binary(&arguments.target)?;
            let loaded = arguments.source.load()?;
            shared.warn(loaded.schedule.warnings());
            write(&loaded.schedule, &arguments.target, shared)
        }
        TraceCommand::Export(arguments) => export(arguments, shared),
        TraceCommand::Scenario(arguments) => scenario(arguments, shared),
        TraceCommand::Check(arguments) => check::run(arguments, shared),
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

/// Whether binary GOAL is written: by `--to`, otherwise by the extension of the file.
fn is_binary(target: &TraceTarget) -> Result<bool, CommandFailure> {
    if let Some(form) = &target.to {
        return Ok(form == TraceFormat::GoalBinary.name());
    }
    match target.out.extension().map(|extension| extension.to_string_lossy()).as_deref() {
        Some("bin") => Ok(true),
        None | Some("goal" | "txt") => Ok(false),
        Some(other) => Err(CommandFailure::input(format!(
            "'{}': no form of a schedule has the extension .{other}; a name in .goal (GOAL as text) or .bin (binary \
             GOAL) would work, or any name with --to goal or --to goal-binary",
            target.out.display()
        ))),
    }
}

fn write(schedule: &TraceSchedule, target: &TraceTarget, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let is_binary = is_binary(target)?;
    let schedule = schedule.unrolled(target.operations_max).map_err(CommandFailure::run)?;
    let bytes = if is_binary { goal::to_binary(&schedule) } else { goal::to_text(&schedule).map(String::into_bytes) };
    let bytes = bytes.map_err(CommandFailure::run)?;
    let lost = goal::not_written(&schedule);
    shared.warn(&lost);
    crate::documents::write(&target.out, &bytes)?;
    let totals = schedule.totals();
    if shared.json {
        let warnings = [schedule.warnings(), lost.as_slice()].concat();
        return output::print_json(&serde_json::json!({
            "output": target.out, "format": if is_binary { "goal-binary" } else { "goal" }, "ranks": totals.ranks,
            "tasks": totals.tasks, "bytes_written": bytes.len(), "warnings": warnings,
        }));
    }
    if shared.quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let (ranks, tasks) = (counted(totals.ranks, "rank"), counted(totals.tasks, "operation"));
    let form = if is_binary { TraceFormat::GoalBinary } else { TraceFormat::Goal };
    output::print(&format!("{}: {ranks}, {tasks}, as {form}\n", target.out.display()))
}

fn export(arguments: &TraceExportArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    check_apart(&[&arguments.scenario], &[&arguments.target.out])?;
    is_binary(&arguments.target)?;
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
    let file = read_trace_file(&arguments.file).map_err(CommandFailure::input)?;
    let text = philae_units::text_of(file.bytes)
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
    if shared.quiet {
        return Ok(ExitCode::SUCCESS);
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
