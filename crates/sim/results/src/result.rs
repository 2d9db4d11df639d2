//! The result folder: written next to its place and moved there when complete, so that nothing is
//! ever half written.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::error::MeasureError;
use crate::place::{Earlier, ReservedPath, RunEnd, RunIdentity, SCENARIO, Settled};
use crate::record::{CaptureCount, RateTotals, RunRecord, RunStatus};
use crate::report::run_report;
use crate::summary::RunSummary;
use crate::tables::write_each_table;

/// The file whose presence makes a folder a result.
pub const MANIFEST: &str = "manifest.json";
/// Name of the file with the most important figures.
pub(crate) const SUMMARY: &str = "summary.json";

/// The page to open first.
pub(crate) const REPORT: &str = "report.html";

/// Layout of a result folder.
pub const FORMAT: u32 = 1;

/// Information about the run that a record does not have.
#[derive(Clone, Debug, Default)]
pub struct RunDescription {
    /// The title of the run: usually the scenario's name.
    pub title: String,
    /// The resolved scenario, for the manifest.
    pub scenario: serde_json::Value,
    /// The resolved scenario as TOML: running it again reproduces the result.
    pub scenario_toml: String,
    /// What was run, for the head of the report: system, hardware, law, routing, placement.
    pub setup: Vec<(&'static str, String)>,
    /// Seed of every random stream.
    pub seed: u64,
    /// Version of the program.
    pub version: String,
    /// Real time that the run took, in seconds.
    pub wall_seconds: f64,
    /// Packet-hops of an earlier process, in a run that continued from a checkpoint: `wall_seconds`
    /// are those of the rest.
    pub packet_hops_before: u64,
    /// Important information before any figure, as sentences: for a run in rates, its possible
    /// error.
    pub notices: Vec<String>,
    /// Statements of the run's inputs that the run does not follow, as sentences: for a trace, what
    /// is left out.
    pub warnings: Vec<String>,
    /// What is not modelled, or assumed, as sentences.
    pub assumptions: Vec<String>,
}

impl RunDescription {
    /// The identity of the run.
    #[must_use]
    pub fn identity(&self, is_fluid: bool) -> RunIdentity {
        RunIdentity { version: self.version.clone(), scenario_toml: self.scenario_toml.clone(), is_fluid }
    }

    /// Packet-hops for each second of real time, given their total number.
    #[must_use]
    pub fn hops_per_second(&self, packet_hops: u64) -> f64 {
        packet_hops.saturating_sub(self.packet_hops_before) as f64 / self.wall_seconds.max(1e-9)
    }
}

/// `manifest.json`: the run and its outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest<'r> {
    /// Layout of this folder; 1.
    pub format: u32,
    /// The title of the run.
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
    /// Counts of a run in rates; absent for one in packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<RateTotals>,
    /// Important information before any figure; absent if there is none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub notices: &'r [String],
    /// Statements of the inputs that the run does not follow; absent if there are none.
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
    pub packets_discarded: u64,
    /// Bytes of memory that the model held at its peak.
    pub model_bytes_peak: u64,
    /// Real time that the run took, in seconds.
    pub wall_seconds: f64,
    /// How often each kind of congestion event happened, including those not in the table.
    pub congestion_counts: BTreeMap<&'static str, u64>,
    /// Captures, with their numbers of frames written and left out.
    pub captures: &'r [CaptureCount],
    /// Tables of this folder, with their numbers of rows.
    pub tables: BTreeMap<String, u64>,
    /// Files that could not be written; absent if all are there.
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    pub missing: &'r [&'r str],
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
            missing: &[],
        }
    }
}

/// A file of a result that could not be written.
#[derive(Debug)]
pub struct UnwrittenFile {
    /// Its name in the folder.
    pub file: String,
    /// The reason.
    pub error: MeasureError,
}

/// A result folder being written. Dropped before [`ResultFolder::finish`], it leaves no trace.
#[derive(Debug)]
pub struct ResultFolder {
    place: ReservedPath,
    /// How the run ended whose files these are; none before they are written.
    ended: Option<RunEnd>,
    /// Files that could not be written.
    unwritten: Vec<UnwrittenFile>,
    /// The manifest's text; empty before it is written.
    manifest: String,
}

/// An error once `stop` is set.
fn unless_stopped(stop: &AtomicBool) -> Result<(), MeasureError> {
    if stop.load(Ordering::Relaxed) { Err(MeasureError::Interrupted) } else { Ok(()) }
}

impl ResultFolder {
    /// Prepares to write the result of a run to `path`: checks what is there, makes the parent
    /// folders and a hidden sibling to write into, which other runs then leave alone. An earlier
    /// result stays until [`ResultFolder::finish`].
    ///
    /// # Errors
    /// If `path` is a file, or a folder with contents but no manifest, or another process writes a
    /// result there, or the system refuses.
    pub fn create(path: impl AsRef<Path>, identity: &RunIdentity, earlier: Earlier) -> Result<Self, MeasureError> {
        let place = ReservedPath::take(path.as_ref(), identity, earlier)?;
        Ok(Self { place, ended: None, unwritten: Vec::new(), manifest: String::new() })
    }

    /// The place of files until [`ResultFolder::finish`]: for writers that need a path.
    #[must_use]
    pub fn staging(&self) -> &Path {
        self.place.staging()
    }

    /// The final place of the result.
    #[must_use]
    pub fn destination(&self) -> &Path {
        self.place.destination()
    }

    /// Writes one file, directly in the folder, to the disk.
    ///
    /// # Errors
    /// If `name` has a separator or the system refuses; then nothing of it is left.
    pub fn write_file(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), MeasureError> {
        let mut parts = Path::new(name).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(MeasureError::NotAFileName { name: name.to_owned() });
        }
        let path = self.staging().join(name);
        let written = fs::File::create(&path).and_then(|mut file| {
            file.write_all(contents.as_ref())?;
            // Some file systems report only now that there is no room.
            file.sync_data()
        });
        written.map_err(|source| {
            // Half a file would be mistaken for a whole one, and takes room from others.
            let _ = fs::remove_file(&path);
            MeasureError::Io { action: "write", path, source }
        })
    }

    /// Writes a whole run: `scenario.toml`, `summary.json`, `report.html`, tables, `manifest.json`.
    /// A file that cannot be written is left out, and the others are still written:
    /// [`unwritten`](Self::unwritten) has the missing ones with their reasons. Once `stop` is set,
    /// the current file is given up and no other is begun, except for the manifest.
    ///
    /// # Errors
    /// If not even a manifest can be written.
    pub fn write_run(
        &mut self,
        record: &RunRecord,
        run: &RunDescription,
        stop: &AtomicBool,
    ) -> Result<(), MeasureError> {
        self.place.restore()?;
        let mut unwritten = Vec::new();
        let mut add = |file: &str, written: Result<(), MeasureError>| {
            if let Err(error) = written {
                unwritten.push(UnwrittenFile { file: file.to_owned(), error });
            }
        };
        add(SCENARIO, self.write_file(SCENARIO, &run.scenario_toml));
        let summary = serde_json::to_string_pretty(&RunSummary::of(record) as &dyn erased_serde::Serialize)
            .map_err(MeasureError::from);
        add(SUMMARY, summary.and_then(|text| self.write_file(SUMMARY, text + "\n")));
        let report = unless_stopped(stop).map(|()| run_report(record, run));
        add(
            REPORT,
            report
                .and_then(|report| unless_stopped(stop).map(|()| report))
                .and_then(|report| self.write_file(REPORT, report)),
        );
        // The small ones first: if the disk fills up, these fit.
        let mut tables = Vec::new();
        for (file, written) in write_each_table(record, self.staging(), stop) {
            match written {
                Ok(rows) => tables.push((file, rows)),
                Err(error) => add(&file, Err(error)),
            }
        }
        loop {
            let missing: Vec<&str> = unwritten.iter().map(|one| one.file.as_str()).collect();
            let manifest = Manifest { missing: &missing, ..Manifest::new(record, run, &tables) };
            self.manifest = serde_json::to_string_pretty(&manifest as &dyn erased_serde::Serialize)? + "\n";
            let Err(error) = self.write_file(MANIFEST, &self.manifest) else { break };
            // Without it the folder is not a result: the largest table makes room for it.
            let size = |file: &str| fs::metadata(self.staging().join(file)).map_or(0, |found| found.len());
            let Some(largest) = (0..tables.len()).max_by_key(|&place| size(&tables[place].0)) else {
                return Err(error);
            };
            let (file, _) = tables.remove(largest);
            let path = self.staging().join(&file);
            fs::remove_file(&path).map_err(MeasureError::io("remove", path))?;
            unwritten.push(UnwrittenFile { file, error });
        }
        let is_whole = record.status != RunStatus::Interrupted && unwritten.is_empty();
        self.ended = Some(RunEnd { digest: format!("{:016x}", record.digest), is_whole });
        self.unwritten = unwritten;
        Ok(())
    }

    /// Files of the run that could not be written.
    #[must_use]
    pub fn unwritten(&self) -> &[UnwrittenFile] {
        &self.unwritten
    }

    /// The text of `manifest.json`, once a run was written.
    #[must_use]
    pub fn manifest(&self) -> &str {
        &self.manifest
    }

    /// Moves the folder to its place, or to `NAME.incomplete` if files could not be written.
    ///
    /// # Errors
    /// If the system refuses; an earlier result is then restored.
    pub fn finish(self) -> Result<Settled, MeasureError> {
        if self.unwritten.is_empty() {
            return self.place.settle(self.ended.as_ref());
        }
        Ok(Settled { place: self.place.settle_incomplete()?, kept: None })
    }
}

/// Writes a run's result folder in one call and returns its path. See [`ResultFolder`].
///
/// # Errors
/// As [`ResultFolder::create`], [`ResultFolder::write_run`] and [`ResultFolder::finish`]; also if a
/// file cannot be written, with the place of the others.
pub fn write_result(
    path: impl AsRef<Path>,
    record: &RunRecord,
    run: &RunDescription,
    earlier: Earlier,
) -> Result<PathBuf, MeasureError> {
    let mut folder = ResultFolder::create(path, &run.identity(record.rates.is_some()), earlier)?;
    folder.write_run(record, run, &AtomicBool::new(false))?;
    let missing = std::mem::take(&mut folder.unwritten);
    if missing.is_empty() {
        return Ok(folder.finish()?.place);
    }
    let kept = folder.place.settle_incomplete()?;
    Err(MeasureError::Incomplete { kept, missing })
}
