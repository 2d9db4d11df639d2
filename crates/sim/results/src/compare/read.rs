//! Reads the parts of a result that a comparison needs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;
use philae_topology::{input_metadata, open_regular, read_input, read_regular};
use serde_json::{Value, json};

use super::series::{SWEEP, SeedSeries, of_sweep};
use crate::latency::Latency;
use crate::result::{FORMAT, MANIFEST, SUMMARY};

/// Reasons why results cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// Too few results, or more than there are letters.
    #[error(
        "number of results: {found}; {} to {} can be compared, and a sweep has one for each combination of its values \
         without seeds",
        2,
        super::RESULTS_MAX
    )]
    Count {
        /// Number of results.
        found: usize,
    },
    /// The path does not exist.
    #[error("{path} does not exist: name a folder that `philae simulate` wrote, or a study.json of `philae reproduce`")]
    Missing {
        /// The requested path.
        path: PathBuf,
    },
    /// Neither a result nor a study.
    #[error(
        "{path} is not a result: it has neither a manifest.json (written by `philae simulate`), a sweep.json (by `philae \
         sweep` and `simulate --seeds`) nor a study.json (by `philae reproduce`)"
    )]
    NotAResult {
        /// The requested path.
        path: PathBuf,
    },
    /// Of another layout.
    #[error(
        "{path} has layout {found}, and this version reads layout {FORMAT}: run its scenario.toml again with this version"
    )]
    Layout {
        /// The requested path.
        path: PathBuf,
        /// Its layout.
        found: String,
    },
    /// A run and a study.
    #[error("{run} is the result of a run and {study} is a study: results of one kind can be compared")]
    Kinds { run: PathBuf, study: PathBuf },
    /// Studies of different experiments.
    #[error("{one} is experiment '{first}' and {other} is '{second}': studies of one experiment can be compared")]
    Experiments {
        /// First file.
        one: PathBuf,
        /// Its experiment.
        first: String,
        /// Second file.
        other: PathBuf,
        /// Its experiment.
        second: String,
    },
    /// A sweep that was not completed.
    #[error("{path} is a sweep without table.parquet: it was not completed; the command that began it continues it")]
    Unfinished { path: PathBuf },
    /// A combination of a sweep without a run.
    #[error(
        "{path}: all runs of {what} failed, so there is nothing to compare; `philae export {path} table` has their errors"
    )]
    NoRun { path: PathBuf, what: String },
    /// A study beside runs over seeds.
    #[error(
        "{study} is a study: sides over seeds are runs or sweeps; studies are compared with each other, one a side"
    )]
    StudyInSide { study: PathBuf },
    /// A sweep that is not a side of its own.
    #[error(
        "{path} is a sweep of {combinations} combination(s) of values: with --against, a side is one sweep over seeds alone \
         or several folders of runs; without it, every combination is a result"
    )]
    SweepInSide { path: PathBuf, combinations: usize },
    /// Runs of one side that differ in more than their seeds.
    #[error(
        "{one} and {other} are of one side and differ in {keys}: the runs of a side may differ only in their seeds"
    )]
    NotReplicas { one: PathBuf, other: PathBuf, keys: String },
    /// One seed twice on a side.
    #[error("{one} and {other} are the same run twice, with seed {seed}: each seed once would work")]
    SameSeed { one: PathBuf, other: PathBuf, seed: String },
    /// The system refused.
    #[error("could not read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Not JSON.
    #[error(
        "{path} is not valid JSON for a result: {source}; it may be incomplete; running the scenario again would work"
    )]
    Json {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// A table of the wrong form.
    #[error("{path} is not the expected table: {why}; running the scenario again would work")]
    Table {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
}

/// The compared parts of a result.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Its folder.
    pub path: PathBuf,
    /// `manifest.json`.
    pub manifest: Value,
    /// `summary.json`.
    pub summary: Value,
    /// Latencies of messages issued in the measured part, in picoseconds, by job.
    pub messages: BTreeMap<String, Vec<u64>>,
    /// Times of iterations that all ranks ended, in picoseconds, by job.
    pub iterations: BTreeMap<String, Vec<u64>>,
    /// Sums of counters other than 0; absent if none were recorded.
    pub counters: Option<BTreeMap<String, u64>>,
    /// Missing files.
    pub missing: Vec<String>,
}

pub enum PathContents {
    /// The result of a run.
    Run(Box<Side>),
    /// A sweep.
    Sweep(Vec<SeedSeries>),
    Study(PathBuf, Value),
}

/// Reads the contents of a path.
///
/// # Errors
/// [`CompareError`] if it is not a result, or of another layout, or damaged.
pub fn read(path: &Path) -> Result<PathContents, CompareError> {
    if !path.exists() {
        return Err(match input_metadata(path) {
            Err(source) if path.is_symlink() => CompareError::Io { path: path.to_path_buf(), source },
            _ => CompareError::Missing { path: path.to_path_buf() },
        });
    }
    if path.is_dir() {
        if path.join(MANIFEST).is_file() {
            return side(path).map(|side| PathContents::Run(Box::new(side)));
        }
        if path.join(SWEEP).is_file() {
            return of_sweep(path).map(PathContents::Sweep);
        }
        let study = path.join("study.json");
        if study.is_file() {
            return Ok(PathContents::Study(study.clone(), json_in_folder(&study)?));
        }
        return Err(CompareError::NotAResult { path: path.to_path_buf() });
    }
    let name = path.file_name().and_then(|name| name.to_str());
    match (name, path.parent()) {
        (Some(MANIFEST), Some(folder)) => side(folder).map(|side| PathContents::Run(Box::new(side))),
        (Some(SWEEP), Some(folder)) => of_sweep(folder).map(PathContents::Sweep),
        _ => {
            let not_a_result = || CompareError::NotAResult { path: path.to_path_buf() };
            let value = json(path).map_err(|_| not_a_result())?;
            let is_study = value["experiment"].is_string() && value["rows"].is_array();
            if is_study { Ok(PathContents::Study(path.to_path_buf(), value)) } else { Err(not_a_result()) }
        }
    }
}

/// The document of a file that was named: a pipe works as well.
fn json(path: &Path) -> Result<Value, CompareError> {
    parsed(path, read_input(path))
}

/// The document of a file in a folder, where a pipe would wait for a writer that never comes.
pub(super) fn json_in_folder(path: &Path) -> Result<Value, CompareError> {
    parsed(path, read_regular(path))
}

fn parsed(path: &Path, read: io::Result<Vec<u8>>) -> Result<Value, CompareError> {
    let text = read.map_err(|source| CompareError::Io { path: path.to_path_buf(), source })?;
    serde_json::from_slice(&text).map_err(|source| CompareError::Json { path: path.to_path_buf(), source })
}

fn side(folder: &Path) -> Result<Side, CompareError> {
    let manifest = json_in_folder(&folder.join(MANIFEST))?;
    if manifest["format"] != FORMAT {
        return Err(CompareError::Layout { path: folder.to_path_buf(), found: manifest["format"].to_string() });
    }
    let missing: Vec<String> = [SUMMARY, "messages.parquet", "iterations.parquet", "counters.parquet"]
        .into_iter()
        .filter(|name| !folder.join(name).exists())
        .map(str::to_owned)
        .collect();
    let has_summary = folder.join(SUMMARY).exists();
    let summary = if has_summary { json_in_folder(&folder.join(SUMMARY))? } else { Value::Null };
    let from = manifest["measured_from_ps"].as_u64().unwrap_or(0);
    let mut side = Side { path: folder.to_path_buf(), manifest, summary, missing, ..Side::default() };
    table(folder, "messages", &["job", "issued_ps", "latency_ps"], |row| {
        let (job, issued, latency) = (text(&row[0])?, integer(&row[1])?, integer(&row[2])?);
        if issued >= from {
            side.messages.entry(job).or_default().push(latency);
        }
        Some(())
    })?;
    side.iterations = iterations(folder)?;
    // A run in rates has no counters. Of a run in packets, the table has those that are not 0.
    if folder.join("counters.parquet").exists() && side.manifest["rates"].is_null() {
        let mut counters = BTreeMap::new();
        table(folder, "counters", &["counter", "value"], |row| {
            *counters.entry(text(&row[0])?).or_insert(0) += integer(&row[1])?;
            Some(())
        })?;
        side.counters = Some(counters);
    }
    side.messages.values_mut().chain(side.iterations.values_mut()).for_each(|values| values.sort_unstable());
    if !has_summary {
        side.summary = of_tables(&mut side);
    }
    Ok(side)
}

/// Computes the jobs of a missing summary from the tables, as for earlier versions: jobs in the
/// order of the scenario, with the latencies of their messages and the spans of their iterations.
fn of_tables(side: &mut Side) -> Value {
    let listed = side.manifest["scenario"]["job"].as_array().cloned().unwrap_or_default();
    let mut names: Vec<String> = listed.iter().filter_map(|job| Some(job["name"].as_str()?.to_owned())).collect();
    let known: BTreeSet<String> = names.iter().cloned().collect();
    names.extend(side.messages.keys().chain(side.iterations.keys()).filter(|name| !known.contains(*name)).cloned());
    names.dedup();
    let of = |values: Option<&mut Vec<u64>>| values.and_then(|values| Latency::of_values(values));
    let jobs: Vec<Value> = names
        .into_iter()
        .map(|name| {
            let latency = of(side.messages.get_mut(&name));
            let span = of(side.iterations.get_mut(&name)).map(|span| json!({ "span": span }));
            json!({ "name": name, "message_latency": latency, "iterations": span })
        })
        .collect();
    json!({ "jobs": jobs })
}

/// From the first rank's start to the last one's end, for iterations that the maximum number of
/// ranks ended.
fn iterations(folder: &Path) -> Result<BTreeMap<String, Vec<u64>>, CompareError> {
    let mut spans: BTreeMap<(String, u64), (u64, u64, BTreeSet<u64>)> = BTreeMap::new();
    table(folder, "iterations", &["job", "rank", "iteration", "start_ps", "end_ps"], |row| {
        let key = (text(&row[0])?, integer(&row[2])?);
        let (start, end) = (integer(&row[3])?, integer(&row[4])?);
        let span = spans.entry(key).or_insert((u64::MAX, 0, BTreeSet::new()));
        (span.0, span.1) = (span.0.min(start), span.1.max(end));
        span.2.insert(integer(&row[1])?);
        Some(())
    })?;
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    for ((job, _), span) in &spans {
        let most = ranks.entry(job.as_str()).or_insert(0);
        *most = span.2.len().max(*most);
    }
    let mut times: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for ((job, _), (start, end, of)) in &spans {
        if ranks.get(job.as_str()) == Some(&of.len()) {
            times.entry(job.clone()).or_default().push(end - start);
        }
    }
    Ok(times)
}

fn text(field: &Field) -> Option<String> {
    if let Field::Str(text) = field { Some(text.clone()) } else { None }
}

fn integer(field: &Field) -> Option<u64> {
    match field {
        Field::Int(value) => u64::try_from(*value).ok(),
        Field::Long(value) => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// Passes on the rows of a table, reduced to these columns in this order; `each` returns nothing
/// for a row that it cannot read.
fn table(
    folder: &Path,
    name: &str,
    columns: &[&str],
    mut each: impl FnMut(&[Field]) -> Option<()>,
) -> Result<(), CompareError> {
    let path = folder.join(format!("{name}.parquet"));
    // It is listed as missing.
    if !path.exists() {
        return Ok(());
    }
    let wrong = |why: String| CompareError::Table { path: path.clone(), why };
    let file = open_regular(&path).map_err(|source| CompareError::Io { path: path.clone(), source })?;
    let reader = SerializedFileReader::new(file).map_err(|error| wrong(error.to_string()))?;
    let schema = reader.metadata().file_metadata().schema();
    let fields: Vec<Arc<Type>> =
        schema.get_fields().iter().filter(|field| columns.contains(&field.name())).cloned().collect();
    if let Some(missing) = columns.iter().find(|column| fields.iter().all(|field| field.name() != **column)) {
        return Err(wrong(format!("it has no column {missing}")));
    }
    let projection = Type::group_type_builder(schema.name())
        .with_fields(fields)
        .build()
        .map_err(|error| wrong(error.to_string()))?;
    let rows = reader.get_row_iter(Some(projection)).map_err(|error| wrong(error.to_string()))?;
    let mut values = vec![Field::Null; columns.len()];
    for row in rows {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        for (column, field) in row.get_column_iter() {
            if let Some(place) = columns.iter().position(|wanted| wanted == column) {
                values[place] = field.clone();
            }
        }
        each(&values).ok_or_else(|| {
            let row: Vec<String> = values.iter().map(ToString::to_string).collect();
            wrong(format!("an impossible row: {}", row.join(", ")))
        })?;
    }
    Ok(())
}
