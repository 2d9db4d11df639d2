//! The first run of two with the same seed: it finds the messages that the second run follows.

use crate::arguments::CommonOptions;
use crate::failure::CommandFailure;
use crate::progress::RunProgress;
use crate::scenario_errors::input_failure;
use philae_experiments::explain::{choose, only_messages};
use philae_fabric::{Advance, ExplainTarget, FabricError, Simulation};
use philae_results::record::{MessageRow, RunRecord, RunStatus};
use philae_scenario::ResolvedScenario;
use philae_units::JobId;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of the first run.
pub struct FirstRun {
    targets: Vec<ExplainTarget>,
    /// Why no message is explained, if so.
    missing: Option<String>,
    digest: u64,
    status: RunStatus,
}

impl FirstRun {
    /// How it ended.
    pub const fn status(&self) -> RunStatus {
        self.status
    }

    /// Why no message is explained, if the run has none of those that were asked for.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }
}

/// Finds the messages that a scenario's `[explain]` asks for; `None` if it asks for none. A run
/// that explains has one partition, which does not change its result. `make` makes the run.
pub fn find(
    resolved: &mut ResolvedScenario,
    shared: &CommonOptions,
    make: impl FnOnce(&ResolvedScenario) -> Result<RunRecord, CommandFailure>,
) -> Result<Option<FirstRun>, CommandFailure> {
    let Some(section) = resolved.scenario.explain.clone() else { return Ok(None) };
    (resolved.options.execution.partitions, resolved.options.execution.threads) = (1, 1);
    let Some(job) = resolved.jobs.iter().position(|job| job.section.name == section.job) else { return Ok(None) };
    let mut first = resolved.clone();
    only_messages(&mut first, Some(job));
    let record = make(&first)?;
    let (digest, status) = (record.digest, record.status);
    if status == RunStatus::Interrupted {
        return Ok(Some(FirstRun { targets: Vec::new(), missing: None, digest, status }));
    }
    let limit = first.options.records.message_rows_max;
    if record.messages.len() >= limit {
        shared.note(&format!(
            "only the first {limit} messages of '{}' were examined; measure.message_rows_max sets this limit",
            section.job
        ));
    }
    let of_job = |row: &&MessageRow| row.job == JobId::from_index(job);
    let messages: Vec<&MessageRow> = record.messages.iter().filter(of_job).collect();
    let (targets, missing) = match choose(&section, messages) {
        Ok(targets) => (targets, None),
        Err(missing) => (Vec::new(), Some(missing)),
    };
    Ok(Some(FirstRun { targets, missing, digest, status }))
}

/// Makes the run follow the messages that the first run found.
pub fn follow(simulation: &mut Simulation, found: Option<&FirstRun>) -> Result<(), FabricError> {
    found.map_or(Ok(()), |found| simulation.explain(&found.targets))
}

/// Checks that the second run repeated the first one. `is_program`: a real program was a job of it.
pub fn check(found: Option<&FirstRun>, record: &RunRecord, is_program: bool) -> Result<(), CommandFailure> {
    let differs = |found: &&FirstRun| record.status != RunStatus::Interrupted && found.digest != record.digest;
    match found.filter(differs) {
        None => Ok(()),
        Some(found) => Err(CommandFailure::run(format!(
            "the second run differs from the first one (digests {:016x} and {:016x}): {}",
            found.digest,
            record.digest,
            if is_program {
                "the program did not do the same twice (files that it found, a terminal that it read, random numbers, threads), so that its \
                 messages cannot be explained"
            } else {
                "this is a bug in philae"
            }
        ))),
    }
}

/// Makes a run of a scenario that needs nothing else to its end.
pub fn alone(
    resolved: &ResolvedScenario,
    file: &Path,
    shared: &CommonOptions,
    flag: &AtomicBool,
) -> Result<RunRecord, CommandFailure> {
    go(resolved.simulation().map_err(|error| input_failure(file, &error))?, resolved, file, shared, flag)
}

/// Makes a run to its end.
pub fn go(
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
