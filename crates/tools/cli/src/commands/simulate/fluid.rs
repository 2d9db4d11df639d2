//! `philae simulate --fluid`.

use crate::arguments::{CommonOptions, SimulateArguments};
use crate::attention::{self, ProgramActivity};
use crate::failure::CommandFailure;
use crate::output;
use crate::progress::RunProgress;
use crate::results::{self, print_json};
use crate::scenario_errors::input_failure;
use crate::signal_code;
use philae_experiments::fluid::{LikeIt, errors, like};
use philae_fabric::Advance;
use philae_results::format::wall_seconds;
use philae_results::record::RunStatus;
use philae_results::summary::cut_iterations;
use philae_results::{RunSummary, text};
use philae_scenario::ResolvedScenario;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Runs a scenario in the fluid model and writes its result.
pub fn run(
    arguments: &SimulateArguments,
    resolved: &ResolvedScenario,
    shared: &CommonOptions,
    interrupted: &AtomicBool,
) -> Result<ExitCode, CommandFailure> {
    let run = resolved.fluid().map_err(|error| input_failure(arguments.source(), &error))?;
    let description = resolved.run_description(env!("CARGO_PKG_VERSION"), 0.0);
    let folder = results::folder(arguments, resolved, &description)?;
    let mut progress =
        RunProgress::new(*shared, resolved.options.time_limit, resolved.ending_ranks(), Advance::default());
    let began = Instant::now();
    attention::now(ProgramActivity::Runs);
    let outcome = run.run(&mut |advance| {
        progress.update(advance);
        if attention::is_stopped(interrupted) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let seconds = began.elapsed().as_secs_f64();
    progress.finish();
    let found = outcome.map_err(|error| CommandFailure::run(format!("'{}': {error}", arguments.source().display())))?;
    let record = &found.record;
    let (law, mode) = (resolved.config.congestion.name(), resolved.config.routing.mode);
    let measured = errors();
    let mut told = vec!["FLUID: rates instead of packets.".to_owned()];
    for (job, met) in record.jobs.iter().zip(&found.jobs) {
        if let (Some(finished), Some(like_it)) = (job.finished, like(&measured, law, mode, &met.seen)) {
            told.push(finished_text(&job.name, finished.as_micros_f64(), &like_it));
        }
    }
    let mut doubts: Vec<String> = found.doubts.iter().map(|doubt| format!("not to be trusted: {doubt}")).collect();
    for (job, met) in record.jobs.iter().zip(&found.jobs) {
        doubts.extend(met.doubt.iter().map(|doubt| format!("job {} is not to be trusted: {doubt}", job.name)));
    }
    told.extend(doubts.iter().cloned());
    let mut description = resolved.run_description(env!("CARGO_PKG_VERSION"), seconds);
    description.title = format!("{} (fluid)", description.title);
    description.notices = told;
    for warning in record.warnings() {
        shared.warn(std::slice::from_ref(&warning));
        description.warnings.push(warning);
    }
    let written = results::write(folder, record, &description, interrupted);
    let summary = RunSummary::of(record);
    if shared.json || shared.quiet {
        shared.warn(&cut_iterations(&summary));
    }
    if shared.json {
        print_json(&written, &summary, None)?;
        description.notices.iter().for_each(|line| shared.note(line));
        if shared.quiet {
            shared.warn(&doubts);
        }
    } else if let Some(line) = written.quiet_line().filter(|_| shared.quiet) {
        shared.warn(&doubts);
        output::print(&line)?;
    } else {
        output::print(&format!(
            "{}\n{}\n{}\nran for {}\n{}",
            text::bold(&description.title, shared.colour()),
            text::summary(&summary, shared.colour()),
            description.notices.join("\n"),
            wall_seconds(seconds),
            written.lines(),
        ))?;
    }
    written.note.iter().for_each(|note| shared.note(note));
    written.checked()?;
    if record.status == RunStatus::Interrupted {
        shared.say("interrupted: the result is valid up to the simulated time that it names");
        return Ok(ExitCode::from(signal_code::present()));
    }
    Ok(ExitCode::SUCCESS)
}

fn finished_text(job: &str, micros: f64, like_it: &LikeIt) -> String {
    let LikeIt { interval, words } = like_it;
    format!(
        "job {job} finished: {micros:.3} µs ({:.3} to {:.3} us: nine of ten of {} measured jobs: {words})",
        micros * interval.p5,
        micros * interval.p95,
        interval.count,
    )
}
