//! `philae explain`: where the time of messages went, and which flows delayed them.
//!
//! Makes two runs with the same seed: the first finds the messages, the second follows them.

use crate::arguments::{CommonOptions, ExplainArguments};
use crate::attention;
use crate::failure::CommandFailure;
use crate::output;
use crate::progress::RunProgress;
use crate::simulate::input_failure;
use philae_experiments::explain::{choose, only_messages};
use philae_fabric::{Advance, ExplainTarget, FabricError, Simulation};
use philae_results::explain::{explanations, text};
use philae_results::record::{MessageRow, RunRecord, RunStatus};
use philae_scenario::{ExplainSection, ResolvedScenario, Scenario, ScenarioError};
use philae_units::JobId;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of the first run.
pub struct FirstRun {
    targets: Vec<ExplainTarget>,
    digest: u64,
    status: RunStatus,
}

/// Explains messages of a scenario.
pub fn run(arguments: &ExplainArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let file = arguments.scenario.as_path();
    let mut resolved = resolve(arguments).map_err(|error| input_failure(file, &error))?;
    shared.warn(&resolved.warnings);
    let flag = attention::flag(true)?;
    // `resolve` has set the section.
    let Some(found) = find(&mut resolved, file, shared, &flag)? else {
        return Err(CommandFailure::input(no_job(&resolved)));
    };
    if found.status == RunStatus::Interrupted {
        return Err(CommandFailure::interrupted("interrupted: no message is explained"));
    }
    let mut quiet = resolved.clone();
    only_messages(&mut quiet, None);
    let mut simulation = quiet.simulation().map_err(|error| input_failure(file, &error))?;
    let refused = |error| input_failure(file, &ScenarioError::Fabric(error));
    follow(&mut simulation, Some(&found)).map_err(refused)?;
    let record = go(simulation, &quiet, file, shared, &flag)?;
    if record.status == RunStatus::Interrupted {
        return Err(CommandFailure::interrupted("interrupted: no message is explained"));
    }
    check(Some(&found), &record)?;
    let explained = explanations(&record);
    if shared.json {
        output::print_json(&serde_json::json!({
            "scenario": resolved.name,
            "seed": resolved.scenario.seed,
            "digest": format!("{:016x}", record.digest),
            "status": record.status.as_str(),
            "messages": explained,
        }))
    } else {
        output::print(&text(&explained, shared.colour()))
    }
}

fn no_job(resolved: &ResolvedScenario) -> String {
    let names: Vec<&str> = resolved.jobs.iter().map(|job| job.section.name.as_str()).collect();
    format!("no job is named: --job NAME would work; the jobs are {}", names.join(", "))
}

fn resolve(arguments: &ExplainArguments) -> Result<ResolvedScenario, ScenarioError> {
    let mut overrides = arguments.overrides.clone();
    let short_forms =
        [("seed", arguments.seed.map(|seed| seed.to_string())), ("run.time_limit", arguments.time_limit.clone())];
    overrides.extend(short_forms.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    let mut scenario = Scenario::load_with(&arguments.scenario, &overrides)?;
    if let Some(job) = &arguments.job {
        let slowest = scenario.explain.as_ref().map_or(3, |section| section.slowest);
        scenario.explain = Some(ExplainSection::slowest(job, slowest));
    }
    if let Some(section) = &mut scenario.explain {
        if let Some(slowest) = arguments.slowest {
            (section.slowest, section.message) = (slowest, None);
        }
        section.message = arguments.message.clone().or(section.message.take());
    }
    scenario.resolve()
}

/// Finds the messages that a scenario's `[explain]` asks for; `None` if it asks for none. A run
/// that explains has one partition, which does not change its result.
pub fn find(
    resolved: &mut ResolvedScenario,
    file: &Path,
    shared: &CommonOptions,
    flag: &AtomicBool,
) -> Result<Option<FirstRun>, CommandFailure> {
    let Some(section) = resolved.scenario.explain.clone() else { return Ok(None) };
    (resolved.options.partitions, resolved.options.threads) = (1, 1);
    let Some(job) = resolved.jobs.iter().position(|job| job.section.name == section.job) else { return Ok(None) };
    let mut first = resolved.clone();
    only_messages(&mut first, Some(job));
    let simulation = first.simulation().map_err(|error| input_failure(file, &error))?;
    let record = go(simulation, &first, file, shared, flag)?;
    let (digest, status) = (record.digest, record.status);
    if status == RunStatus::Interrupted {
        return Ok(Some(FirstRun { targets: Vec::new(), digest, status }));
    }
    let limit = first.options.message_rows_max;
    if record.messages.len() >= limit {
        shared.note(&format!(
            "only the first {limit} messages of '{}' were examined; measure.message_rows_max sets this limit",
            section.job
        ));
    }
    let of_job = |row: &&MessageRow| row.job == JobId::from_index(job);
    let messages: Vec<&MessageRow> = record.messages.iter().filter(of_job).collect();
    let targets = choose(&section, messages).map_err(CommandFailure::input)?;
    Ok(Some(FirstRun { targets, digest, status }))
}

/// Makes the run follow the messages that the first run found.
pub fn follow(simulation: &mut Simulation, found: Option<&FirstRun>) -> Result<(), FabricError> {
    found.map_or(Ok(()), |found| simulation.explain(&found.targets))
}

/// Checks that the second run repeated the first one.
pub fn check(found: Option<&FirstRun>, record: &RunRecord) -> Result<(), CommandFailure> {
    let differs = |found: &&FirstRun| record.status != RunStatus::Interrupted && found.digest != record.digest;
    match found.filter(differs) {
        None => Ok(()),
        Some(found) => Err(CommandFailure::run(format!(
            "the second run differs from the first one (digests {:016x} and {:016x}): this is a bug in philae",
            found.digest, record.digest
        ))),
    }
}

fn go(
    simulation: Simulation,
    resolved: &ResolvedScenario,
    file: &Path,
    shared: &CommonOptions,
    flag: &AtomicBool,
) -> Result<RunRecord, CommandFailure> {
    let mut progress =
        RunProgress::new(*shared, resolved.options.time_limit, resolved.ending_ranks(), Advance::default());
    let outcome = simulation.run(&mut |advance| {
        progress.update(advance);
        if flag.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    outcome.map_err(|error| CommandFailure::run(format!("'{}': {error}", file.display())))
}
