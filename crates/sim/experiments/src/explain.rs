//! Chooses the messages of a run that are explained: the first of two runs finds them, the second
//! follows them.

use philae_fabric::ExplainTarget;
use philae_results::record::MessageRow;
use philae_scenario::{ExplainSection, MessageName, ResolvedScenario};
use philae_units::Picoseconds;

/// Reduces the recording to the messages of one job, or to nothing: the rest takes memory and
/// changes no result.
pub fn only_messages(resolved: &mut ResolvedScenario, job: Option<usize>) {
    for (index, placed) in resolved.jobs.iter_mut().enumerate() {
        placed.record_messages = Some(index) == job;
    }
    let options = &mut resolved.options;
    options.records.sample_interval = Picoseconds::ZERO;
    (options.records.flows, options.records.telemetry_every, options.records.class_counters) = (false, 0, false);
}

/// The requested messages.
///
/// # Errors
/// If there is none, in words.
pub fn choose(section: &ExplainSection, mut messages: Vec<&MessageRow>) -> Result<Vec<ExplainTarget>, String> {
    if messages.is_empty() {
        return Err(format!(
            "'{}' has no message that was delivered after the warm-up; a longer run.time_limit or another job would work",
            section.job
        ));
    }
    let latency = |row: &MessageRow| row.delivered.saturating_sub(row.issued);
    let slowest_first = |row: &&MessageRow| (std::cmp::Reverse(latency(row)), row.issued, row.source, row.destination);
    let target = |row: &MessageRow| ExplainTarget {
        job: row.job,
        source: row.source,
        destination: row.destination,
        issued: row.issued,
    };
    let Some(name) = section.one() else {
        messages.sort_by_key(slowest_first);
        return Ok(messages.into_iter().take(section.slowest as usize).map(target).collect());
    };
    let MessageName { source, destination, number } = name;
    let mut between: Vec<&MessageRow> =
        messages.into_iter().filter(|row| (row.source.0, row.destination.0) == (source, destination)).collect();
    match number {
        Some(_) => between.sort_by_key(|row| row.issued),
        None => between.sort_by_key(slowest_first),
    }
    match between.get(number.unwrap_or(0) as usize) {
        Some(row) => Ok(vec![target(row)]),
        None => Err(format!(
            "'{}' has {} messages from rank {source} to rank {destination} that were delivered after the warm-up; \
             '{name}' is not one of them",
            section.job,
            between.len()
        )),
    }
}
