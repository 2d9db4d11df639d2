//! The tables of a comparison, for terminals and pages alike, and its text.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    JobRows, LATENCIES, LatencyRatioBounds, LinkRows, Ratios, ResultComparison, RunComparison, RunResult,
    StudyComparison, StudyRow, ValueDifference, iteration_parts, latency_of, letter,
};
use crate::bound::{RatioBound, UNKNOWN_WORDS, latency_text};
use crate::format::{bytes, count, number, percent, time_ps};
use crate::result::SUMMARY;
use crate::summary::{delivered_text, duration_text, ended_text};
use crate::text::{JOB_HEADERS, LINK_HEADERS, bold, messages_text, table_of};

/// Keys of the scenario in the text; `--json` has all.
pub(super) const KEYS_SHOWN: usize = 40;
/// Counters in the text, those that differ most first.
const COUNTERS_SHOWN: usize = 25;

/// A table: headers and rows.
pub(super) type ComparedRows = (Vec<String>, Vec<Vec<String>>);

/// `1.25×`, or a dash if a result has no value.
pub(super) fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(
        || "–".to_owned(),
        |ratio| match ratio.abs() {
            ..10.0 => format!("{ratio:.3}×"),
            ..100.0 => format!("{ratio:.2}×"),
            ..1_000.0 => format!("{ratio:.1}×"),
            _ => format!("{}×", number(ratio.round())),
        },
    )
}

/// A value of a scenario on one line.
fn short(value: &Value) -> String {
    let text = match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.chars().count() > 40 { text.chars().take(39).chain(['…']).collect() } else { text }
}

/// A value in its unit.
fn shown(difference: &ValueDifference, value: &Value) -> String {
    match (difference.unit, value.as_u64()) {
        (Some("bytes"), Some(value)) => bytes(value as f64),
        (Some("ps"), Some(value)) => time_ps(value as f64),
        (Some(unit), Some(value)) => format!("{} {unit}", count(value)),
        _ => short(value),
    }
}

pub(super) fn difference_rows(found: &[ValueDifference], most: usize) -> ComparedRows {
    let results = found.first().map_or(0, |difference| difference.values.len());
    let headers = std::iter::once("key".to_owned()).chain((0..results).map(letter)).collect();
    let row = |difference: &ValueDifference| {
        std::iter::once(difference.key.clone())
            .chain(difference.values.iter().map(|value| shown(difference, value)))
            .collect()
    };
    (headers, found.iter().take(most).map(row).collect())
}

/// The columns of a run's own summary, a row for each result, and one for each ratio.
pub(super) fn job_rows(jobs: &[JobRows]) -> ComparedRows {
    let mut headers: Vec<String> = JOB_HEADERS.iter().map(|&header| header.to_owned()).collect();
    headers.insert(1, "result".to_owned());
    headers.push("Jain".to_owned());
    let figures = |job: &str, place: usize, found: &Value| {
        let whole = |path: &str| found.pointer(path).and_then(Value::as_u64).map_or_else(|| "–".to_owned(), count);
        let latency = LATENCIES.map(|name| {
            let (known, at_least) = latency_of(found, name);
            latency_text(known, at_least)
        });
        let mut row = vec![job.to_owned(), letter(place), whole("/nodes"), messages(found)];
        row.extend(latency);
        let [duration, ended] = iterations(found);
        row.extend([duration, ended]);
        let gbps = |key: &str| found[key].as_f64();
        row.push(delivered_text(gbps("delivered_gbps").unwrap_or(f64::NAN), gbps("offered_gbps")));
        row.push(found["flow_fairness"].as_f64().map_or_else(|| "–".to_owned(), |index| format!("{index:.3}")));
        row
    };
    let over = |job: &str, place: usize, ratios: &Ratios| {
        let mut row = vec![job.to_owned(), format!("{} / A", letter(place)), String::new(), String::new()];
        let Ratios { mean, p50, p95, p99, max, iteration, iteration_bound, delivered, fairness, .. } = *ratios;
        let bounds = ratios.latency_bounds;
        let bounds = [bounds.mean, bounds.p50, bounds.p95, bounds.p99, bounds.max];
        let latencies = [mean, p50, p95, p99, max].into_iter().zip(bounds);
        row.extend(latencies.map(|(ratio, bound)| RatioBound::text(bound, &times(ratio))));
        row.push(RatioBound::text(iteration_bound, &times(iteration)));
        row.extend([String::new(), times(delivered), times(fairness)]);
        row
    };
    let mut rows = Vec::new();
    for JobRows { job, results, ratios } in jobs {
        rows.extend(results.iter().enumerate().map(|(place, found)| figures(job, place, found)));
        rows.extend(ratios.iter().enumerate().skip(1).map(|(place, ratios)| over(job, place, ratios)));
    }
    (headers, rows)
}

/// Messages that were delivered, and of how many. Results of earlier versions have only the former.
fn messages(job: &Value) -> String {
    let whole = |name: &str| job[name].as_u64();
    match (whole("messages_issued"), job["message_latency"]["count"].as_u64()) {
        (Some(issued), _) => messages_text(issued, whole("messages_undelivered").unwrap_or(0)),
        (None, delivered) => delivered.map_or_else(|| "–".to_owned(), count),
    }
}

/// The mean time of a job's complete iterations, and how many of how many ended. Results of earlier
/// versions have only the times.
fn iterations(job: &Value) -> [String; 2] {
    let found = &job["iterations"];
    let whole = |name: &str| found[name].as_u64();
    let complete = whole("complete").or_else(|| found["span"]["count"].as_u64());
    let ended = complete.map_or_else(|| "–".to_owned(), |complete| ended_text(complete, whole("planned")));
    [duration_text(iteration_parts(job)), ended]
}

/// Why a ratio of times has no value; none if each has.
pub(super) fn unknown_ratios(jobs: &[JobRows]) -> Option<&'static str> {
    let mut bounds = jobs.iter().flat_map(|job| job.ratios.iter().skip(1)).flat_map(|ratios| {
        let LatencyRatioBounds { mean, p50, p95, p99, max } = ratios.latency_bounds;
        [ratios.iteration_bound, mean, p50, p95, p99, max]
    });
    bounds.any(|bound| bound == Some(RatioBound::Unknown)).then_some(UNKNOWN_WORDS)
}

/// The columns of a run's own summary, a row for each result.
pub(super) fn link_rows(links: &[LinkRows]) -> ComparedRows {
    let mut headers: Vec<String> =
        LINK_HEADERS.iter().map(|&header| header.to_owned()).filter(|header| header != "over time").collect();
    headers.insert(1, "result".to_owned());
    let row = |role: &str, place: usize, found: &Value| {
        let share = |key: &str| percent(found[key].as_f64().unwrap_or(f64::NAN));
        let ports = found["ports"].as_u64().map_or_else(|| "–".to_owned(), count);
        vec![role.to_owned(), letter(place), ports, share("mean"), share("busiest_port"), share("max")]
    };
    let rows = links.iter().flat_map(|LinkRows { role, results }| {
        results.iter().enumerate().map(|(place, found)| row(role, place, found)).collect::<Vec<_>>()
    });
    (headers, rows.collect())
}

pub(super) fn study_rows(rows: &[StudyRow]) -> ComparedRows {
    let results = rows.first().map_or(0, |row| row.model.len());
    let mut headers = vec!["result".to_owned(), "unit".to_owned()];
    headers.extend((0..results).map(|place| format!("model {}", letter(place))));
    headers.extend((1..results).map(|place| format!("{} / A", letter(place))));
    headers.extend((0..results).map(|place| format!("verdict {}", letter(place))));
    let row = |row: &StudyRow| {
        let mut cells = vec![row.id.clone(), row.unit.clone()];
        cells.extend(row.model.iter().map(|value| value.map_or_else(|| "–".to_owned(), number)));
        cells.extend(row.ratios.iter().skip(1).map(|ratio| times(*ratio)));
        cells.extend(row.verdict.iter().cloned());
        cells
    };
    (headers, rows.iter().map(row).collect())
}

/// A table for terminals, whose rows are named by the first `names` columns.
pub(super) fn plain_table(names: usize, (headers, rows): &ComparedRows, colour: bool) -> String {
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    table_of(names, &headers, rows, colour)
}

impl ResultComparison {
    /// For a terminal.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        match self {
            Self::Run(runs) => run_text(runs, colour),
            Self::Seeds(seeds) => seeds.text(colour),
            Self::Study(study) => study_text(study, colour),
        }
    }
}

/// A list of differences under a title.
pub(super) fn listed(title: &str, found: &[ValueDifference], most: usize, colour: bool) -> String {
    let mut out = format!("\n{}\n", bold(title, colour));
    if found.is_empty() {
        return out + "none\n";
    }
    out += &plain_table(1, &difference_rows(found, most), colour);
    if found.len() > most {
        let _ = writeln!(out, "and {} more; --json has them all", found.len() - most);
    }
    out
}

/// The missing parts of a result, and their consequences.
pub(super) fn missing(run: &RunResult) -> String {
    let costs = match run.missing.iter().any(|name| name == SUMMARY) {
        true => {
            ": its figures come from its tables, without delivered payload, nodes and links; running its \
                 scenario.toml again would give them"
        }
        false => ": their figures are left out",
    };
    format!("{} has no {}{costs}", run.letter, run.missing.join(", "))
}

fn run_text(runs: &RunComparison, colour: bool) -> String {
    let mut out = String::new();
    for run in &runs.results {
        let simulated = time_ps(run.simulated_ps as f64);
        let _ = writeln!(
            out,
            "{}: {} ({}), {}: {simulated} simulated, digest {}",
            run.letter, run.folder, run.title, run.status, run.digest
        );
    }
    for run in runs.results.iter().filter(|run| !run.missing.is_empty()) {
        let _ = writeln!(out, "{}", missing(run));
    }
    let same = if runs.digest_equal { "equal: the same events in the same order" } else { "different" };
    let _ = writeln!(out, "digests: {same}");
    out += &listed("differences of the scenarios", &runs.scenario, KEYS_SHOWN, colour);
    if !runs.jobs.is_empty() {
        let _ = write!(out, "\n{}", plain_table(2, &job_rows(&runs.jobs), colour));
        if let Some(words) = unknown_ratios(&runs.jobs) {
            let _ = writeln!(out, "{words}");
        }
    }
    if runs.links.is_empty() {
        let why = match runs.results.iter().all(|run| run.missing.is_empty()) {
            true => "not sampled (measure.sample_interval is 0)",
            false => "no result has them",
        };
        let _ = write!(out, "\nlinks: {why}\n");
    } else {
        let _ = write!(out, "\n{}", plain_table(2, &link_rows(&runs.links), colour));
    }
    match uncounted(runs) {
        Some(words) => out + &format!("\n{words}\n"),
        None => {
            out + &listed("counters that differ (sums over ports and NICs)", &runs.counters, COUNTERS_SHOWN, colour)
        }
    }
}

/// The results without counters, in words; none if all have them.
pub(super) fn uncounted(runs: &RunComparison) -> Option<String> {
    let letters = runs.without_counters.join(", ");
    (!letters.is_empty()).then(|| format!("counters: {letters} has none, so counters cannot be compared"))
}

fn study_text(study: &StudyComparison, colour: bool) -> String {
    let mut out = String::new();
    for (place, file) in study.files.iter().enumerate() {
        let _ = writeln!(out, "{}: {file}", letter(place));
    }
    let _ = writeln!(out, "experiment {}", study.experiment);
    out += &listed("differences of how they were run", &study.settings, KEYS_SHOWN, colour);
    let _ =
        write!(out, "\n{}\n{}", bold("published results", colour), plain_table(1, &study_rows(&study.rows), colour));
    out + &listed("data that differ", &study.data, KEYS_SHOWN, colour)
}
