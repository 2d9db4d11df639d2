//! The result folder: written beside its place and moved there when complete, so that nothing is ever half written.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use crate::error::MeasureError;
use crate::record::{CaptureCount, RateTotals, RunRecord};
use crate::report::run_report;
use crate::tables::write_tables;

/// The file whose presence makes a folder a result.
pub const MANIFEST: &str = "manifest.json";

/// Layout of a result folder.
pub const FORMAT: u32 = 1;

/// What a record does not know about its run.
#[derive(Clone, Debug, Default)]
pub struct RunDescription {
    /// What to call the run: usually the scenario's name.
    pub title: String,
    /// The resolved scenario, for the manifest.
    pub scenario: serde_json::Value,
    /// The resolved scenario as TOML: running it again reproduces the result.
    pub scenario_toml: String,
    /// Seed of every random stream.
    pub seed: u64,
    /// Version of the program.
    pub version: String,
    /// Real time that the run took, in seconds.
    pub wall_seconds: f64,
    /// Packet-hops that an earlier process did, of a run that went on from a checkpoint: `wall_seconds` are those of the others.
    pub packet_hops_before: u64,
    /// What a reader must know before any figure, as sentences: of a run in rates, how far off it may be.
    pub notices: Vec<String>,
    /// What the run's inputs say and the run does not do, as sentences: of a trace, what of it is left out.
    pub warnings: Vec<String>,
    /// What is not modelled, or assumed, as sentences.
    pub assumptions: Vec<String>,
}

impl RunDescription {
    /// Packet-hops for each second of real time, of so many in all.
    #[must_use]
    pub fn hops_per_second(&self, packet_hops: u64) -> f64 {
        packet_hops.saturating_sub(self.packet_hops_before) as f64 / self.wall_seconds.max(1e-9)
    }
}

/// `manifest.json`: what was run, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest<'r> {
    /// Layout of this folder; 1.
    pub format: u32,
    /// What the run was called.
    pub title: &'r str,
    /// The resolved scenario.
    pub scenario: &'r serde_json::Value,
    /// Seed of every random stream.
    pub seed: u64,
    /// Version of the program.
    pub version: &'r str,
    /// Digest of the event order, 16 hexadecimal digits.
    pub digest: String,
    /// `completed`, `time_limit`, `interrupted` or `unfinished`.
    pub status: &'static str,
    /// Of a run in rates; absent of one in packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<RateTotals>,
    /// What a reader must know before any figure; absent where there is nothing.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub notices: &'r [String],
    /// What the inputs say and the run does not do; absent where there is nothing.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub warnings: &'r [String],
    /// Simulated time at the end, in picoseconds.
    pub simulated_ps: u64,
    /// Measurements count from here, in picoseconds.
    pub measured_from_ps: u64,
    /// Length of a sampling interval, in picoseconds.
    pub sample_interval_ps: u64,
    /// Events handled.
    pub events: u64,
    /// Packets that left a switch output port, once per switch crossed.
    pub packet_hops: u64,
    /// Packets that a NIC put on the wire.
    pub packets_injected: u64,
    /// Packets that reached their NIC.
    pub packets_delivered: u64,
    /// Packets discarded.
    pub packets_discarded: u64,
    /// Bytes of memory that the model held at its peak.
    pub model_bytes_peak: u64,
    /// Real time that the run took, in seconds.
    pub wall_seconds: f64,
    /// How often each kind of congestion event happened, those not in the table too.
    pub congestion_counts: BTreeMap<&'static str, u64>,
    /// Captures, with how many frames were written and left out.
    pub captures: &'r [CaptureCount],
    /// Tables of this folder, with their numbers of rows.
    pub tables: BTreeMap<String, u64>,
}

impl<'r> Manifest<'r> {
    /// The manifest of a run whose tables have these numbers of rows.
    #[must_use]
    pub fn new(record: &'r RunRecord, run: &'r RunDescription, tables: &[(String, u64)]) -> Self {
        Self {
            format: FORMAT,
            title: &run.title,
            scenario: &run.scenario,
            seed: run.seed,
            version: &run.version,
            digest: format!("{:016x}", record.digest),
            status: record.status.as_str(),
            rates: record.rates,
            notices: &run.notices,
            warnings: &run.warnings,
            simulated_ps: record.simulated.0,
            measured_from_ps: record.measured_from.0,
            sample_interval_ps: record.sample_interval.0,
            events: record.events,
            packet_hops: record.packet_hops,
            packets_injected: record.packets_injected,
            packets_delivered: record.packets_delivered,
            packets_discarded: record.packets_discarded,
            model_bytes_peak: record.model_bytes_peak,
            wall_seconds: run.wall_seconds,
            congestion_counts: record.congestion_counts.iter().map(|&(kind, count)| (kind.as_str(), count)).collect(),
            captures: &record.captures,
            tables: tables.iter().cloned().collect(),
        }
    }
}

/// A result folder being written. Dropped before [`ResultFolder::finish`], it leaves no trace.
#[derive(Debug)]
pub struct ResultFolder {
    destination: PathBuf,
    /// Where files are until the end; a sibling, so that the move is a rename within one file system.
    staging: PathBuf,
    finished: bool,
}

impl ResultFolder {
    /// Prepares to write a result to `path`: checks that it is new, empty or an earlier result, makes the folders above it
    /// and a hidden sibling to write into. An earlier result stays until [`ResultFolder::finish`].
    ///
    /// # Errors
    /// When `path` is a file, or a folder with something in it but no manifest, or the system refuses.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, MeasureError> {
        let destination = path.as_ref().to_path_buf();
        check_replaceable(&destination)?;
        let staging = sibling(&destination, "partial")?;
        if let Some(parent) = destination.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(MeasureError::io("create the folder", parent))?;
        }
        if staging.exists() {
            // Left by a killed process that had our process id.
            fs::remove_dir_all(&staging).map_err(MeasureError::io("remove", &staging))?;
        }
        fs::create_dir(&staging).map_err(MeasureError::io("create the folder", &staging))?;
        Ok(Self { destination, staging, finished: false })
    }

    /// Where files are until [`ResultFolder::finish`]: for writers that want a path.
    #[must_use]
    pub fn staging(&self) -> &Path {
        &self.staging
    }

    /// Writes one file, directly in the folder.
    ///
    /// # Errors
    /// When `name` has a separator or the system refuses.
    pub fn write_file(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), MeasureError> {
        let mut parts = Path::new(name).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(MeasureError::NotAFileName { name: name.to_owned() });
        }
        let path = self.staging.join(name);
        fs::write(&path, contents).map_err(MeasureError::io("write", &path))
    }

    /// Writes a whole run: tables, `scenario.toml`, `report.html`, `manifest.json`.
    ///
    /// # Errors
    /// When a file cannot be written, or a value does not fit its column.
    pub fn write_run(&self, record: &RunRecord, run: &RunDescription) -> Result<(), MeasureError> {
        let tables = write_tables(record, &self.staging)?;
        self.write_file("scenario.toml", &run.scenario_toml)?;
        self.write_file("report.html", run_report(record, run))?;
        self.write_file(MANIFEST, serde_json::to_string_pretty(&Manifest::new(record, run, &tables))? + "\n")
    }

    /// Moves the folder to its place, replacing an earlier result, and returns that place.
    ///
    /// # Errors
    /// When the place was taken by something else meanwhile, or the system refuses; an earlier result is then put back.
    pub fn finish(mut self) -> Result<PathBuf, MeasureError> {
        check_replaceable(&self.destination)?;
        let earlier = self.destination.exists().then(|| sibling(&self.destination, "replaced")).transpose()?;
        if let Some(earlier) = &earlier {
            fs::rename(&self.destination, earlier).map_err(MeasureError::io("move aside", &self.destination))?;
        }
        if let Err(source) = fs::rename(&self.staging, &self.destination) {
            let path = self.destination.clone();
            if let Some(kept) = earlier
                && let Err(undo) = fs::rename(&kept, &path)
            {
                return Err(MeasureError::NotReplaced { path, kept, source, undo });
            }
            return Err(MeasureError::Io { action: "move the result to", path, source });
        }
        self.finished = true;
        if let Some(earlier) = earlier {
            fs::remove_dir_all(&earlier).map_err(MeasureError::io("remove the replaced result", &earlier))?;
        }
        Ok(self.destination.clone())
    }
}

impl Drop for ResultFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: a destructor has nobody to tell.
            let _ = fs::remove_dir_all(&self.staging);
        }
    }
}

/// Writes a run's result folder in one call and returns its path. See [`ResultFolder`].
///
/// # Errors
/// As [`ResultFolder::create`], [`ResultFolder::write_run`] and [`ResultFolder::finish`].
pub fn write_result(path: impl AsRef<Path>, record: &RunRecord, run: &RunDescription) -> Result<PathBuf, MeasureError> {
    let folder = ResultFolder::create(path)?;
    folder.write_run(record, run)?;
    folder.finish()
}

fn check_replaceable(path: &Path) -> Result<(), MeasureError> {
    if !path.exists() {
        return Ok(());
    }
    if !path.is_dir() {
        return Err(MeasureError::NotAFolder { path: path.to_path_buf() });
    }
    let empty = fs::read_dir(path).map_err(MeasureError::io("look into", path))?.next().is_none();
    if empty || path.join(MANIFEST).is_file() {
        Ok(())
    } else {
        Err(MeasureError::NotAResult { path: path.to_path_buf() })
    }
}

fn sibling(path: &Path, what: &str) -> Result<PathBuf, MeasureError> {
    let name = path.file_name().ok_or_else(|| MeasureError::NoName { path: path.to_path_buf() })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{what}-{}", std::process::id()));
    Ok(path.with_file_name(hidden))
}
