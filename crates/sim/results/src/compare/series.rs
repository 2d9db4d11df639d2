//! Reads runs that differ only in their seeds: sweeps, and folders that make up one side.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use philae_topology::open_regular;
use serde_json::{Map, Value, json};

use super::differ;
use super::read::{CompareError, Side, json_in_folder};
use crate::figures::figures_of;
use crate::result::MANIFEST;
use crate::seeds::RunFigures;

/// The file that marks the folder of a sweep.
pub(super) const SWEEP: &str = "sweep.json";
/// The columns of a sweep's table that end the values of a run.
const STATUS: &str = "status";
/// The column with the seed.
const SEED: &str = "seed";

/// Whether a column has the seed: Python names it as a key of `run`.
fn is_seed(name: &str) -> bool {
    name.strip_prefix("run.").unwrap_or(name) == SEED
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesRun {
    /// Its seed, if it is known.
    pub seed: Option<u64>,
    /// How it ended.
    pub status: String,
    pub figures: RunFigures,
}

/// Runs that differ only in their seeds.
#[derive(Clone, Debug, Default)]
pub struct SeedSeries {
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// The title of its runs, or the values of its keys.
    pub title: String,
    /// The values of a sweep's keys that its runs have in common.
    pub values: Vec<(String, Value)>,
    /// Runs with figures.
    pub runs: Vec<SeriesRun>,
    /// Runs without: they failed.
    pub failed: usize,
    /// The resolved scenario, without the seed; null if no result was kept.
    pub scenario: Value,
    /// What is known of it otherwise: the file, its digest, the values.
    pub source: Value,
}

impl SeedSeries {
    /// One side from folders of runs.
    ///
    /// # Errors
    /// If they differ in more than their seeds, or a seed is there twice.
    pub fn of_folders(sides: &[Side]) -> Result<Self, CompareError> {
        let first = &sides[0];
        let scenario = |side: &Side| without_seed(&side.manifest["scenario"]);
        for (place, side) in sides.iter().enumerate().skip(1) {
            let mut found = Vec::new();
            differ("version", &[first, side].map(|side| side.manifest["version"].clone()), &mut found);
            differ("", &[scenario(first), scenario(side)], &mut found);
            // The name of a run does not change it.
            let keys = found.into_iter().map(|difference| difference.key).filter(|key| key != "name");
            let keys: Vec<String> = keys.take(4).collect();
            if !keys.is_empty() {
                return Err(CompareError::NotReplicas {
                    one: first.path.clone(),
                    other: side.path.clone(),
                    keys: keys.join(", "),
                });
            }
            let seed = &side.manifest["seed"];
            if let Some(same) = sides[..place].iter().find(|other| other.manifest["seed"] == *seed) {
                let (one, other) = (same.path.clone(), side.path.clone());
                return Err(CompareError::SameSeed { one, other, seed: seed.to_string() });
            }
        }
        let run = |side: &Side| SeriesRun {
            seed: side.manifest["seed"].as_u64(),
            status: side.manifest["status"].as_str().unwrap_or_default().to_owned(),
            figures: figures_of(&side.summary)
                .into_iter()
                .filter_map(|(name, value)| Some((name, value.as_f64()?)))
                .collect(),
        };
        Ok(Self {
            folders: sides.iter().map(|side| side.path.clone()).collect(),
            title: first.manifest["title"].as_str().unwrap_or_default().to_owned(),
            runs: sides.iter().map(run).collect(),
            scenario: scenario(first),
            source: json!({ "version": first.manifest["version"] }),
            ..Self::default()
        })
    }

    /// The seeds, if each run has one and no other run has it.
    pub fn seeds(&self) -> Option<Vec<u64>> {
        let mut seeds = self.runs.iter().map(|run| run.seed).collect::<Option<Vec<u64>>>()?;
        let count = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        (seeds.len() == count).then_some(seeds)
    }

    /// The folders in words.
    pub fn place(&self) -> String {
        self.folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

fn without_seed(scenario: &Value) -> Value {
    let mut scenario = scenario.clone();
    if let Some(table) = scenario.as_object_mut() {
        table.remove("seed");
    }
    scenario
}

/// The series of a sweep: one for each combination of its values, in the order of its grid.
///
/// # Errors
/// If its table is missing or damaged, or a combination has no run that succeeded.
pub fn of_sweep(folder: &Path) -> Result<Vec<SeedSeries>, CompareError> {
    let marker = json_in_folder(&folder.join(SWEEP))?;
    let rows = rows(folder)?;
    let mut all: Vec<SeedSeries> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let named = |name: &str| row.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let ends = row.iter().position(|(name, _)| name == STATUS).unwrap_or(row.len());
        let values: Vec<(String, Value)> =
            row[..ends].iter().filter(|(name, _)| name != "run" && !is_seed(name)).cloned().collect();
        let place = all.iter().position(|series| series.values == values).unwrap_or_else(|| {
            all.push(SeedSeries::of_values(folder, &marker, values));
            all.len() - 1
        });
        let series = &mut all[place];
        if named("error").is_some_and(Value::is_string) {
            series.failed += 1;
            continue;
        }
        if series.scenario.is_null() {
            let kept = folder.join("results").join(format!("{number:05}")).join(MANIFEST);
            if kept.is_file() {
                let manifest = json_in_folder(&kept)?;
                series.scenario = without_seed(&manifest["scenario"]);
            }
        }
        series.runs.push(SeriesRun {
            seed: row.iter().find(|(name, _)| is_seed(name)).and_then(|(_, seed)| seed.as_u64()),
            status: named(STATUS).and_then(Value::as_str).unwrap_or_default().to_owned(),
            figures: row[ends..].iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect(),
        });
    }
    match all.iter().find(|series| series.runs.is_empty()) {
        Some(empty) => Err(CompareError::NoRun { path: folder.to_path_buf(), what: empty.title.clone() }),
        None => Ok(all),
    }
}

impl SeedSeries {
    fn of_values(folder: &Path, marker: &Value, values: Vec<(String, Value)>) -> Self {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let names: Vec<String> = values.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
        let mut source: Map<String, Value> = values.iter().cloned().collect();
        for key in ["version", "scenario_digest"] {
            source.insert(key.to_owned(), marker[key].clone());
        }
        Self {
            folders: vec![folder.to_path_buf()],
            title: if names.is_empty() { "the scenario".to_owned() } else { names.join(", ") },
            values,
            source: Value::Object(source),
            ..Self::default()
        }
    }
}

/// The rows of a sweep's table.
fn rows(folder: &Path) -> Result<Vec<Vec<(String, Value)>>, CompareError> {
    let path = folder.join("table.parquet");
    if !path.is_file() {
        return Err(CompareError::Unfinished { path: folder.to_path_buf() });
    }
    let wrong = |why: String| CompareError::Table { path: path.clone(), why };
    let file = open_regular(&path).map_err(|source| CompareError::Io { path: path.clone(), source })?;
    let reader = SerializedFileReader::new(file).map_err(|error| wrong(error.to_string()))?;
    let read = reader.get_row_iter(None).map_err(|error| wrong(error.to_string()))?;
    let mut rows = Vec::new();
    for row in read {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        rows.push(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect());
    }
    Ok(rows)
}

fn value(field: &Field) -> Value {
    match field {
        Field::Str(text) => text.as_str().into(),
        Field::Bool(value) => (*value).into(),
        Field::Int(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::Long(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Float(value) => f64::from(*value).into(),
        Field::Double(value) => (*value).into(),
        _ => Value::Null,
    }
}

/// How many runs ended in which way, unless all are complete: `3 completed, 2 time_limit`.
pub fn ended(runs: &[SeriesRun]) -> BTreeMap<String, usize> {
    runs.iter().fold(BTreeMap::new(), |mut counts, run| {
        *counts.entry(run.status.clone()).or_insert(0) += 1;
        counts
    })
}
