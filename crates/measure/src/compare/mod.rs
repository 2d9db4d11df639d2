//! Two results beside each other: what differs in the scenario, and what that did to jobs, links and counters.

mod page;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::format::{number, percent, time_ps};
use crate::summary::Latency;
use crate::text::{bold, table};
pub use read::CompareError;
use read::{Found, LinkUse, Side, read};

/// Keys of the scenario that are shown as text; `--json` has all.
const KEYS_SHOWN: usize = 40;
/// Counters that are shown as text, those that differ most first.
const COUNTERS_SHOWN: usize = 25;

/// A distribution in both results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// In the first.
    pub a: Option<Latency>,
    /// In the second.
    pub b: Option<Latency>,
    /// Median of the second over that of the first.
    pub p50_ratio: Option<f64>,
    /// The same of the 99th percentiles.
    pub p99_ratio: Option<f64>,
}

/// A job of either result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobPair {
    /// Name.
    pub job: String,
    /// Iterations that all ranks ended.
    pub iterations: Pair,
    /// Messages issued in the measured part, where rows were kept.
    pub messages: Pair,
}

/// Links of one role in both results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkPair {
    /// `edge`, `local` or `global`.
    pub role: String,
    /// Bytes sent.
    pub bytes: [u64; 2],
    /// Mean utilisation of the intervals in which a port sent something.
    pub mean: [f64; 2],
    /// Largest utilisation of an interval.
    pub max: [f64; 2],
}

/// Something that has a different value in each result; null where one has none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its name, or path in the scenario.
    pub key: String,
    /// In the first.
    pub a: Value,
    /// In the second.
    pub b: Value,
}

/// Two runs beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct RunComparison {
    /// Folders.
    pub folders: [String; 2],
    /// What the runs were called.
    pub titles: [String; 2],
    /// Digests of the order of events.
    pub digests: [String; 2],
    /// Whether the runs were the same event by event.
    pub digest_equal: bool,
    /// How they ended.
    pub status: [String; 2],
    /// Simulated time, in picoseconds.
    pub simulated_ps: [u64; 2],
    /// Keys of the resolved scenarios that differ, and versions that do.
    pub scenario: Vec<Difference>,
    /// Jobs of either.
    pub jobs: Vec<JobPair>,
    /// Links.
    pub links: Vec<LinkPair>,
    /// Counters, summed over ports and NICs, that differ.
    pub counters: Vec<Difference>,
    #[serde(skip)]
    sides: Box<[Side; 2]>,
}

/// A published result in two studies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyRow {
    /// Its name.
    pub id: String,
    /// What the model says in each.
    pub model: [Option<f64>; 2],
    /// Second over first.
    pub ratio: Option<f64>,
    /// Unit.
    pub unit: String,
    /// Verdict in each.
    pub verdict: [String; 2],
}

/// Two studies beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct StudyComparison {
    /// Files.
    pub files: [String; 2],
    /// The experiment.
    pub experiment: String,
    /// What differs of how they were run.
    pub settings: Vec<Difference>,
    /// Rows of either.
    pub rows: Vec<StudyRow>,
    /// Data that differ, by path.
    pub data: Vec<Difference>,
}

/// Two results beside each other.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Comparison {
    /// Of runs.
    Run(RunComparison),
    /// Of studies.
    Study(StudyComparison),
}

/// Compares two results: folders of runs, or studies.
///
/// # Errors
/// [`CompareError`] when one is no result, has another layout, or is of another kind than the other.
pub fn compare(a: &Path, b: &Path) -> Result<Comparison, CompareError> {
    match (read(a)?, read(b)?) {
        (Found::Run(a), Found::Run(b)) => Ok(Comparison::Run(runs(*a, *b))),
        (Found::Study(a, first), Found::Study(b, second)) => {
            let name = |value: &Value| value["experiment"].as_str().unwrap_or_default().to_owned();
            if name(&first) != name(&second) {
                let (first, second) = (name(&first), name(&second));
                return Err(CompareError::Experiments { one: a, first, other: b, second });
            }
            Ok(Comparison::Study(studies([&a, &b], [&first, &second])))
        }
        (Found::Run(run), Found::Study(study, _)) | (Found::Study(study, _), Found::Run(run)) => {
            Err(CompareError::Kinds { run: run.path, study })
        }
    }
}

fn runs(a: Side, b: Side) -> RunComparison {
    let word = |key: &str| [&a, &b].map(|side| side.manifest[key].as_str().unwrap_or_default().to_owned());
    let digests = word("digest");
    let mut scenario = Vec::new();
    for key in ["version", "seed"] {
        differ(key, &a.manifest[key], &b.manifest[key], &mut scenario);
    }
    differ("", &a.manifest["scenario"], &b.manifest["scenario"], &mut scenario);
    let mut seen = BTreeSet::new();
    scenario.retain(|difference| seen.insert(difference.key.clone()));
    let names: BTreeSet<&String> =
        [&a, &b].iter().flat_map(|side| side.messages.keys().chain(side.iterations.keys())).collect();
    let jobs = names
        .into_iter()
        .map(|job| JobPair {
            job: job.clone(),
            iterations: Pair::of(a.iterations.get(job), b.iterations.get(job)),
            messages: Pair::of(a.messages.get(job), b.messages.get(job)),
        })
        .collect();
    let roles: BTreeSet<&String> = a.links.keys().chain(b.links.keys()).collect();
    let links = roles.into_iter().map(|role| LinkPair::of(role, [&a, &b].map(|side| side.links.get(role)))).collect();
    RunComparison {
        folders: [&a, &b].map(|side| side.path.display().to_string()),
        titles: word("title"),
        digest_equal: digests[0] == digests[1],
        digests,
        status: word("status"),
        simulated_ps: [&a, &b].map(|side| side.manifest["simulated_ps"].as_u64().unwrap_or(0)),
        scenario,
        jobs,
        links,
        counters: counters(&a.counters, &b.counters),
        sides: Box::new([a, b]),
    }
}

impl Pair {
    fn of(a: Option<&Vec<u64>>, b: Option<&Vec<u64>>) -> Self {
        let [a, b] = [a, b].map(|values| values.and_then(|values| Latency::of_values(&mut values.clone())));
        let ratio = |read: fn(&Latency) -> f64| match (&a, &b) {
            (Some(a), Some(b)) if read(a) > 0.0 => Some(read(b) / read(a)),
            _ => None,
        };
        let (p50_ratio, p99_ratio) = (ratio(|latency| latency.p50_ps), ratio(|latency| latency.p99_ps));
        Self { a, b, p50_ratio, p99_ratio }
    }
}

impl LinkPair {
    fn of(role: &str, found: [Option<&LinkUse>; 2]) -> Self {
        let found = found.map(|links| links.copied().unwrap_or_default());
        let mean = |links: LinkUse| if links.intervals == 0 { 0.0 } else { links.sum / links.intervals as f64 };
        Self {
            role: role.to_owned(),
            bytes: found.map(|links| links.bytes),
            mean: found.map(mean),
            max: found.map(|links| links.max),
        }
    }
}

/// Counters that differ, those by the largest factor first.
fn counters(a: &BTreeMap<String, u64>, b: &BTreeMap<String, u64>) -> Vec<Difference> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |side: &BTreeMap<String, u64>, name: &String| side.get(name).copied().unwrap_or(0);
    let mut found: Vec<(f64, Difference)> = names
        .into_iter()
        .map(|name| (name, value(a, name), value(b, name)))
        .filter(|(_, a, b)| a != b)
        .map(|(name, a, b)| {
            let (low, high) = (a.min(b) as f64, a.max(b) as f64);
            ((high + 1.0) / (low + 1.0), Difference { key: name.clone(), a: a.into(), b: b.into() })
        })
        .collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.key.cmp(&other.1.key)));
    found.into_iter().map(|(_, difference)| difference).collect()
}

/// Lists what differs between two trees, by path.
fn differ(path: &str, a: &Value, b: &Value, found: &mut Vec<Difference>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let of = |side: &serde_json::Map<String, Value>| side.get(key).cloned().unwrap_or(Value::Null);
                differ(&join(key), &of(one), &of(other), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (a, b)) in one.iter().zip(other).enumerate() {
                // Jobs and classes by their names.
                let name = a["name"].as_str().filter(|name| b["name"] == **name);
                differ(&join(&name.map_or_else(|| index.to_string(), str::to_owned)), a, b, found);
            }
        }
        _ if a == b => {}
        _ => found.push(Difference { key: path.to_owned(), a: a.clone(), b: b.clone() }),
    }
}

fn studies(files: [&Path; 2], values: [&Value; 2]) -> StudyComparison {
    let [a, b] = values;
    let mut settings = Vec::new();
    for key in ["version", "seed", "quick"] {
        differ(key, &a[key], &b[key], &mut settings);
    }
    let mut data = Vec::new();
    differ("data", &a["data"], &b["data"], &mut data);
    let rows_of = |value: &Value| -> Vec<(String, Value)> {
        let rows = value["rows"].as_array().cloned().unwrap_or_default();
        rows.into_iter().map(|row| (row["id"].as_str().unwrap_or_default().to_owned(), row)).collect()
    };
    let rows = [rows_of(a), rows_of(b)];
    let mut ids: Vec<&String> = rows.iter().flatten().map(|(id, _)| id).collect();
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(*id));
    let row = |id: &String| {
        let found = [0, 1].map(|side: usize| rows[side].iter().find(|(other, _)| other == id).map(|(_, row)| row));
        let model = found.map(|row| row.and_then(|row| row["model"].as_f64()));
        let word =
            |row: Option<&Value>, key: &str| row.and_then(|row| row[key].as_str()).unwrap_or("absent").to_owned();
        let ratio = match model {
            [Some(a), Some(b)] if a != 0.0 => Some(b / a),
            _ => None,
        };
        let unit = word(found[0].or(found[1]), "unit");
        StudyRow { id: id.clone(), model, ratio, unit, verdict: found.map(|row| word(row, "verdict")) }
    };
    StudyComparison {
        files: files.map(|path| path.display().to_string()),
        experiment: a["experiment"].as_str().unwrap_or_default().to_owned(),
        settings,
        rows: ids.into_iter().map(row).collect(),
        data,
    }
}

/// `1.25×`, or a dash where one side has nothing.
fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.3}×"))
}

fn time(latency: Option<&Latency>, read: fn(&Latency) -> f64) -> String {
    latency.map_or_else(|| "–".to_owned(), |latency| time_ps(read(latency)))
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

fn difference_rows(found: &[Difference], most: usize) -> Vec<Vec<String>> {
    let row = |difference: &Difference| vec![difference.key.clone(), short(&difference.a), short(&difference.b)];
    found.iter().take(most).map(row).collect()
}

const JOB_HEADERS: [&str; 10] = ["job", "", "A count", "B count", "A p50", "B p50", "ratio", "A p99", "B p99", "ratio"];

fn job_rows(jobs: &[JobPair]) -> Vec<Vec<String>> {
    let row = |job: &str, what: &str, pair: &Pair| {
        let count = |side: &Option<Latency>| side.map_or(0, |latency| latency.count).to_string();
        let (a, b) = (pair.a.as_ref(), pair.b.as_ref());
        let p50: fn(&Latency) -> f64 = |latency| latency.p50_ps;
        let p99: fn(&Latency) -> f64 = |latency| latency.p99_ps;
        vec![
            job.to_owned(),
            what.to_owned(),
            count(&pair.a),
            count(&pair.b),
            time(a, p50),
            time(b, p50),
            ratio(pair.p50_ratio),
            time(a, p99),
            time(b, p99),
            ratio(pair.p99_ratio),
        ]
    };
    let has = |pair: &Pair| pair.a.is_some() || pair.b.is_some();
    let mut rows = Vec::new();
    for job in jobs {
        if has(&job.iterations) {
            rows.push(row(&job.job, "iterations", &job.iterations));
        }
        if has(&job.messages) {
            rows.push(row(&job.job, "messages", &job.messages));
        }
    }
    rows
}

const LINK_HEADERS: [&str; 7] = ["links", "A mean", "B mean", "A busiest", "B busiest", "A bytes", "B bytes"];

fn link_rows(links: &[LinkPair]) -> Vec<Vec<String>> {
    let bytes = |count: u64| crate::format::bytes(count as f64);
    let row = |link: &LinkPair| {
        let mut row = vec![link.role.clone()];
        row.extend(link.mean.iter().chain(&link.max).map(|share| percent(*share)));
        row.extend(link.bytes.map(bytes));
        row
    };
    links.iter().map(row).collect()
}

const STUDY_HEADERS: [&str; 7] = ["row", "A", "B", "ratio", "unit", "A verdict", "B verdict"];

fn study_rows(rows: &[StudyRow]) -> Vec<Vec<String>> {
    let figure = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let row = |row: &StudyRow| {
        let [a, b] = row.model.map(figure);
        let [first, second] = row.verdict.clone();
        vec![row.id.clone(), a, b, ratio(row.ratio), row.unit.clone(), first, second]
    };
    rows.iter().map(row).collect()
}

impl Comparison {
    /// For a terminal.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        let mut out = String::new();
        let listed = |out: &mut String, title: &str, found: &[Difference], most: usize| {
            let _ = writeln!(out, "\n{}", bold(title, colour));
            if found.is_empty() {
                let _ = writeln!(out, "none");
                return;
            }
            out.push_str(&table(&["key", "A", "B"], &difference_rows(found, most), colour));
            if found.len() > most {
                let _ = writeln!(out, "and {} more; --json has them all", found.len() - most);
            }
        };
        match self {
            Self::Run(runs) => {
                for (side, index) in ["A", "B"].iter().zip(0..) {
                    let _ = writeln!(
                        out,
                        "{side}: {} ({}), {}, {} simulated, digest {}",
                        runs.folders[index],
                        runs.titles[index],
                        runs.status[index],
                        time_ps(runs.simulated_ps[index] as f64),
                        runs.digests[index]
                    );
                }
                let same = if runs.digest_equal { "equal: the same events in the same order" } else { "different" };
                let _ = writeln!(out, "digests: {same}");
                listed(&mut out, "differences of the scenarios", &runs.scenario, KEYS_SHOWN);
                let _ = writeln!(out, "\n{}", bold("jobs (ratio: B over A)", colour));
                out.push_str(&table(&JOB_HEADERS, &job_rows(&runs.jobs), colour));
                let _ =
                    writeln!(out, "\n{}", bold("utilisation of the intervals in which a port sent something", colour));
                out.push_str(&table(&LINK_HEADERS, &link_rows(&runs.links), colour));
                listed(&mut out, "counters that differ (sums over ports and NICs)", &runs.counters, COUNTERS_SHOWN);
            }
            Self::Study(study) => {
                let _ = writeln!(out, "A: {}\nB: {}\nexperiment {}", study.files[0], study.files[1], study.experiment);
                listed(&mut out, "differences of how they were run", &study.settings, KEYS_SHOWN);
                let _ = writeln!(out, "\n{}", bold("published results (ratio: B over A)", colour));
                out.push_str(&table(&STUDY_HEADERS, &study_rows(&study.rows), colour));
                listed(&mut out, "data that differ", &study.data, KEYS_SHOWN);
            }
        }
        out
    }
}
