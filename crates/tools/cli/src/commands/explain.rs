//! `philae explain`: where the time of messages went, and which flows delayed them.
//!
//! Makes two runs with the same seed: the first finds the messages, the second follows them.

use crate::arguments::{CommonOptions, ExplainArguments};
use crate::attention;
use crate::failure::CommandFailure;
use crate::first_run::{alone, check, find, follow, go};
use crate::output;
use crate::scenario_errors::input_failure;
use philae_experiments::explain::only_messages;
use philae_results::explain::{explanations, text};
use philae_results::record::RunStatus;
use philae_scenario::{ExplainSection, ResolvedScenario, Scenario, ScenarioError};
use std::process::ExitCode;

/// Explains messages of a scenario.
pub fn run(arguments: &ExplainArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let file = arguments.scenario.as_path();
    let mut resolved = resolve(arguments).map_err(|error| input_failure(file, &error))?;
    shared.warn(&resolved.warnings);
    let flag = attention::flag(true, "the explanation")?;
    // `resolve` has set the section.
    let Some(found) = find(&mut resolved, shared, |first| alone(first, file, shared, &flag))? else {
        return Err(CommandFailure::input(no_job(&resolved)));
    };
    if found.status() == RunStatus::Interrupted {
        return Err(CommandFailure::interrupted("interrupted: no message is explained"));
    }
    if let Some(missing) = found.missing() {
        return Err(CommandFailure::input(missing));
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
    check(Some(&found), &record, false)?;
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
    let only = match (&scenario.explain, &scenario.jobs[..]) {
        (None, [only]) => Some(only.name.clone()),
        _ => None,
    };
    if let Some(job) = &arguments.job.clone().or(only) {
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
