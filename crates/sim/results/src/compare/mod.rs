//! Compares results: the differences of their scenarios, and their effect on jobs, links and
//! counters.
//!
//! The words and figures are those of a run's own summary; ratios are relative to the first result.

mod page;
mod read;
mod rows;
mod seeds;
mod series;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use crate::bound::{IterationParts, IterationTime, RatioBound};
use crate::counter::CounterName;
pub use read::CompareError;
use read::{PathContents, Side, read};
pub use seeds::{FigureRow, SeedsComparison, SeedsResult, compare_sides};

/// Maximum number of results in a comparison: letters name them.
pub const RESULTS_MAX: usize = 26;

/// The letter of a result by its place: A, B, C.
fn letter(place: usize) -> String {
    char::from(b'A' + place as u8).to_string()
}

/// A difference, with its value in each result; null if a result has none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueDifference {
    /// Its name, or path in the scenario.
    pub key: String,
    /// Its unit, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// The values, in the order of the results.
    pub values: Vec<Value>,
}

/// One of the runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResult {
    /// Its name in tables: A, B, C.
    pub letter: String,
    pub folder: String,
    /// The title of the run.
    pub title: String,
    /// How it ended.
    pub status: String,
    /// Simulated time, in picoseconds.
    pub simulated_ps: u64,
    /// Digest of the order of events.
    pub digest: String,
    /// Missing files, whose figures come from others or are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// The direction of each ratio of latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LatencyRatioBounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<RatioBound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<RatioBound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<RatioBound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<RatioBound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<RatioBound>,
}

impl LatencyRatioBounds {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Figures of a result relative to those of the first; absent if one has none, or the first has 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratios {
    /// Mean latency of messages.
    pub mean: Option<f64>,
    /// Their median.
    pub p50: Option<f64>,
    /// Their 95th percentile.
    pub p95: Option<f64>,
    /// Their 99th percentile.
    pub p99: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
    /// The directions of these, where messages that were not delivered make a figure a bound; an
    /// unknown one has no ratio.
    #[serde(skip_serializing_if = "LatencyRatioBounds::is_empty")]
    pub latency_bounds: LatencyRatioBounds,
    /// Mean time of an iteration; absent as well if the iterations of neither ended.
    pub iteration: Option<f64>,
    /// Its direction, if iterations of one or of both did not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_bound: Option<RatioBound>,
    /// Delivered payload per time.
    pub delivered: Option<f64>,
    /// Jain's index of the rates of flows.
    pub fairness: Option<f64>,
}

/// A job of any of the results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobRows {
    /// Name.
    pub job: String,
    /// The entries of the results' summaries; null if a result has no such job.
    pub results: Vec<Value>,
    /// Each result's figures over the first one's.
    pub ratios: Vec<Ratios>,
}

/// Links of one role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkRows {
    /// `edge`, `local` or `global`.
    pub role: String,
    /// The entries of the results' summaries; null if a result has none.
    pub results: Vec<Value>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RunComparison {
    /// The runs, in the requested order.
    pub results: Vec<RunResult>,
    /// Whether the runs were the same event by event.
    pub digest_equal: bool,
    /// Keys of the resolved scenarios that differ, and versions that do.
    pub scenario: Vec<ValueDifference>,
    /// Jobs of any result.
    pub jobs: Vec<JobRows>,
    pub links: Vec<LinkRows>,
    /// Counters, summed over ports and NICs, that differ; empty if a result has no counters.
    pub counters: Vec<ValueDifference>,
    /// Letters of the results without counters: runs in rates, and folders without the table.
    pub without_counters: Vec<String>,
    #[serde(skip)]
    sides: Vec<Side>,
}

/// A published result in several studies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyRow {
    /// Its name.
    pub id: String,
    /// Unit of the model's values.
    pub unit: String,
    /// The model's value in each.
    pub model: Vec<Option<f64>>,
    /// Each relative to the first.
    pub ratios: Vec<Option<f64>>,
    /// Verdict in each.
    pub verdict: Vec<String>,
}

/// A comparison of studies.
#[derive(Clone, Debug, Serialize)]
pub struct StudyComparison {
    pub files: Vec<String>,
    pub experiment: String,
    /// Differences of their settings.
    pub settings: Vec<ValueDifference>,
    /// Rows of any.
    pub rows: Vec<StudyRow>,
    /// Data that differ, by path.
    pub data: Vec<ValueDifference>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ResultComparison {
    Run(RunComparison),
    /// Over seeds.
    Seeds(SeedsComparison),
    /// Of studies.
    Study(StudyComparison),
}

/// Compares results, two or more: folders of runs, sweeps, or studies of one experiment. A sweep
/// counts one result for each combination of its values; its runs differ only in their seeds.
///
/// # Errors
/// [`CompareError`] if there are too few or too many, or one is not a result, has another layout,
/// or is of another kind than the first.
pub fn compare(paths: &[PathBuf]) -> Result<ResultComparison, CompareError> {
    let contents = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    if contents.iter().any(|found| matches!(found, PathContents::Sweep(_))) {
        return seeds::of_contents(contents);
    }
    if !(2..=RESULTS_MAX).contains(&paths.len()) {
        return Err(CompareError::Count { found: paths.len() });
    }
    let (mut runs, mut studies) = (Vec::new(), Vec::new());
    for found in contents {
        match found {
            PathContents::Run(side) => runs.push(*side),
            PathContents::Study(path, value) => studies.push((path, value)),
            PathContents::Sweep(_) => {}
        }
    }
    if let (Some(run), Some((study, _))) = (runs.first(), studies.first()) {
        return Err(CompareError::Kinds { run: run.path.clone(), study: study.clone() });
    }
    if studies.is_empty() {
        return Ok(ResultComparison::Run(of_runs(runs)));
    }
    let name = |value: &Value| value["experiment"].as_str().unwrap_or_default().to_owned();
    let (one, first) = &studies[0];
    if let Some((other, second)) = studies.iter().find(|(_, value)| name(value) != name(first)) {
        let (one, other) = (one.clone(), other.clone());
        return Err(CompareError::Experiments { one, first: name(first), other, second: name(second) });
    }
    Ok(ResultComparison::Study(of_studies(&studies)))
}

fn of_runs(sides: Vec<Side>) -> RunComparison {
    let word = |side: &Side, key: &str| side.manifest[key].as_str().unwrap_or_default().to_owned();
    let results: Vec<RunResult> = sides
        .iter()
        .enumerate()
        .map(|(place, side)| RunResult {
            letter: letter(place),
            folder: side.path.display().to_string(),
            title: word(side, "title"),
            status: word(side, "status"),
            simulated_ps: side.manifest["simulated_ps"].as_u64().unwrap_or(0),
            digest: word(side, "digest"),
            missing: side.missing.clone(),
        })
        .collect();
    let manifests = |key: &str| sides.iter().map(|side| side.manifest[key].clone()).collect::<Vec<_>>();
    let mut scenario = Vec::new();
    for key in ["version", "seed"] {
        differ(key, &manifests(key), &mut scenario);
    }
    differ("", &manifests("scenario"), &mut scenario);
    let model = |side: &Side| if side.manifest["rates"].is_null() { "packets" } else { "rates (--fluid)" };
    differ("model", &sides.iter().map(|side| model(side).into()).collect::<Vec<Value>>(), &mut scenario);
    let mut seen = BTreeSet::new();
    scenario.retain(|difference| seen.insert(difference.key.clone()));
    RunComparison {
        digest_equal: results.iter().all(|result| result.digest == results[0].digest),
        results,
        scenario,
        jobs: listed(&sides, "jobs", "name").into_iter().map(|(job, found)| JobRows::of(job, found)).collect(),
        links: listed(&sides, "links", "role").into_iter().map(|(role, results)| LinkRows { role, results }).collect(),
        without_counters: (0..sides.len()).filter(|&place| sides[place].counters.is_none()).map(letter).collect(),
        counters: counters(&sides),
        sides,
    }
}

/// Entries of a list of the summaries by their names, in the order of their first occurrence.
fn listed(sides: &[Side], list: &str, name: &str) -> Vec<(String, Vec<Value>)> {
    let of = |side: &Side| side.summary[list].as_array().cloned().unwrap_or_default();
    let all: Vec<Vec<Value>> = sides.iter().map(of).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: Vec<(String, Vec<Value>)> = Vec::new();
    for (side, entries) in all.iter().enumerate() {
        for (entry, called) in entries.iter().filter_map(|entry| Some((entry, entry[name].as_str()?))) {
            let place = *places.entry(called).or_insert_with(|| {
                found.push((called.to_owned(), vec![Value::Null; sides.len()]));
                found.len() - 1
            });
            // The first entry with a name counts.
            if found[place].1[side].is_null() {
                found[place].1[side] = entry.clone();
            }
        }
    }
    found
}

impl JobRows {
    fn of(job: String, results: Vec<Value>) -> Self {
        let ratios = results.iter().map(|result| Ratios::of(&results[0], result)).collect();
        Self { job, results, ratios }
    }
}

impl Ratios {
    fn of(first: &Value, other: &Value) -> Self {
        let over = |path: &str| {
            let [first, other] = [first, other].map(|job| job.pointer(path).and_then(Value::as_f64));
            ratio(first, other)
        };
        let latency = |name: &str| {
            let known = |job: &Value| latency_of(job, name);
            let [(first, first_least), (other, other_least)] = [first, other].map(known);
            let both = (first_least.or(first), other_least.or(other));
            match RatioBound::of(first_least.is_some(), other_least.is_some()) {
                // A latency that one result does not know has no ratio, and no direction.
                _ if both.0.is_none() || both.1.is_none() => (None, None),
                Some(RatioBound::Unknown) => (None, Some(RatioBound::Unknown)),
                bound => (ratio(both.0, both.1), bound),
            }
        };
        let [mean, p50, p95, p99, max] = LATENCIES.map(latency);
        let [before, after] = [first, other].map(|job| IterationTime::of(iteration_parts(job)));
        let is_bound = |time: Option<IterationTime>| time.is_some_and(|time| time.is_bound);
        let iteration_bound = before.and(after).and_then(|_| RatioBound::of(is_bound(before), is_bound(after)));
        let iteration = match iteration_bound {
            Some(RatioBound::Unknown) => None,
            _ => ratio(before.map(|time| time.ps), after.map(|time| time.ps)),
        };
        Self {
            mean: mean.0,
            p50: p50.0,
            p95: p95.0,
            p99: p99.0,
            max: max.0,
            latency_bounds: LatencyRatioBounds { mean: mean.1, p50: p50.1, p95: p95.1, p99: p99.1, max: max.1 },
            iteration,
            iteration_bound,
            delivered: over("/delivered_gbps"),
            fairness: over("/flow_fairness"),
        }
    }
}

/// The latencies of messages that tables show.
const LATENCIES: [&str; 5] = ["mean", "p50", "p95", "p99", "max"];

/// A latency of a job of a summary, and its bound.
fn latency_of(job: &Value, name: &str) -> (Option<f64>, Option<f64>) {
    let read = |of: &str| job[of][format!("{name}_ps")].as_f64();
    (read("message_latency"), read("message_latency_at_least"))
}

/// The iterations of a job of a summary.
fn iteration_parts(job: &Value) -> IterationParts {
    let found = &job["iterations"];
    let is_cut = found["planned"].is_u64() && found["not_ended"].as_u64().is_some_and(|open| open > 0);
    IterationParts { mean: found["span"]["mean_ps"].as_f64(), is_cut, oldest: found["incomplete_for_ps"].as_f64() }
}

fn ratio(first: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (first, other) {
        (Some(first), Some(other)) if first != 0.0 => Some(other / first),
        _ => None,
    }
}

/// Counters that a run records only if it is asked to (`telemetry.class_counters`).
const BY_CLASS: [CounterName; 6] = [
    CounterName::PacketsSent,
    CounterName::PacketsReceived,
    CounterName::BytesSent,
    CounterName::BytesReceived,
    CounterName::ResponseBytesSent,
    CounterName::BytesSentAgain,
];

/// Counters that differ, those by the largest factor first.
fn counters(sides: &[Side]) -> Vec<ValueDifference> {
    // A counter that was not recorded is not 0. A table has the counters that are not 0.
    let Some(recorded) = sides.iter().map(|side| side.counters.as_ref()).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let by_class = sides.iter().all(|side| side.manifest["scenario"]["telemetry"]["class_counters"] == true);
    let is_known = |name: &&String| by_class || !BY_CLASS.iter().any(|counter| counter.as_str() == name.as_str());
    let names: BTreeSet<&String> = recorded.iter().flat_map(|counters| counters.keys()).filter(is_known).collect();
    let mut found: Vec<(f64, ValueDifference)> = names
        .into_iter()
        .map(|name| {
            (name, recorded.iter().map(|counters| counters.get(name).copied().unwrap_or(0)).collect::<Vec<u64>>())
        })
        .filter(|(_, values)| values.iter().any(|value| *value != values[0]))
        .map(|(name, values)| {
            let (low, high) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
            let unit = CounterName::named(name).map(|counter| counter.unit().as_str());
            let values = values.into_iter().map(Value::from).collect();
            ((high as f64 + 1.0) / (low as f64 + 1.0), ValueDifference { key: name.clone(), unit, values })
        })
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.key.cmp(&other.1.key)));
    found.into_iter().map(|(_, difference)| difference).collect()
}

/// Lists the differences between trees, by path.
fn differ(path: &str, values: &[Value], found: &mut Vec<ValueDifference>) {
    if values.iter().all(|value| *value == values[0]) {
        return;
    }
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let tables: Vec<_> = values.iter().filter_map(Value::as_object).collect();
    if tables.len() == values.len() {
        let keys: BTreeSet<&String> = tables.iter().flat_map(|table| table.keys()).collect();
        for key in keys {
            let of: Vec<Value> = tables.iter().map(|table| table.get(key).cloned().unwrap_or(Value::Null)).collect();
            differ(&join(key), &of, found);
        }
        return;
    }
    let lists: Vec<_> = values.iter().filter_map(Value::as_array).collect();
    if lists.len() == values.len() && lists.iter().all(|list| list.len() == lists[0].len()) {
        for index in 0..lists[0].len() {
            let of: Vec<Value> = lists.iter().map(|list| list[index].clone()).collect();
            // Jobs and classes are identified by their names.
            let name = of[0]["name"].as_str().filter(|name| of.iter().all(|entry| entry["name"] == **name));
            let key = name.map_or_else(|| index.to_string(), str::to_owned);
            differ(&join(&key), &of, found);
        }
        return;
    }
    found.push(ValueDifference { key: path.to_owned(), unit: None, values: values.to_vec() });
}

fn of_studies(studies: &[(PathBuf, Value)]) -> StudyComparison {
    let values = |key: &str| studies.iter().map(|(_, value)| value[key].clone()).collect::<Vec<_>>();
    let mut settings = Vec::new();
    for key in ["version", "seed", "quick", "changes"] {
        differ(key, &values(key), &mut settings);
    }
    let mut data = Vec::new();
    differ("data", &values("data"), &mut data);
    let rows: Vec<Vec<Value>> =
        studies.iter().map(|(_, value)| value["rows"].as_array().cloned().unwrap_or_default()).collect();
    let mut ids: Vec<String> = Vec::new();
    for id in rows.iter().flatten().filter_map(|row| row["id"].as_str()) {
        if ids.iter().all(|known| known != id) {
            ids.push(id.to_owned());
        }
    }
    let row = |id: String| {
        let found: Vec<Option<&Value>> = rows.iter().map(|rows| rows.iter().find(|row| row["id"] == *id)).collect();
        let model: Vec<Option<f64>> = found.iter().map(|row| row.and_then(|row| row["model"].as_f64())).collect();
        let word = |row: Option<&Value>, key: &str| row.and_then(|row| row[key].as_str()).map(str::to_owned);
        StudyRow {
            unit: found.iter().find_map(|row| word(*row, "unit")).unwrap_or_default(),
            ratios: model.iter().map(|other| ratio(model[0], *other)).collect(),
            verdict: found.iter().map(|row| word(*row, "verdict").unwrap_or_else(|| "absent".to_owned())).collect(),
            model,
            id,
        }
    };
    StudyComparison {
        files: studies.iter().map(|(path, _)| path.display().to_string()).collect(),
        experiment: studies[0].1["experiment"].as_str().unwrap_or_default().to_owned(),
        settings,
        rows: ids.into_iter().map(row).collect(),
        data,
    }
}
