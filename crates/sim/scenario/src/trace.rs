//! Traces of a scenario: their files are read when it is resolved.

use crate::error::ScenarioError;
use crate::job::JobSection;
use crate::resolve::PlacedJob;
use crate::trace_files::{RANK, TraceFiles, TraceLoadError, grouped, read_file, read_files};
use crate::tree::Scenario;
use philae_topology::{SystemDescription, read_input};
use philae_trace::{
    TraceFile, TraceFormat, TraceOptions, TraceSchedule, import, listed_files, other_kind, ranks_text, read_sizes,
};
use philae_units::RankId;
use philae_workload::{
    FlowSizes, Loaded, Nodes, Recording, SemanticsError, SendMode, Trace, Workload, WorkloadSpec, simulate_semantics,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A trace and its contents.
#[derive(Clone, Debug)]
pub struct LoadedTrace {
    /// Its schedule.
    pub schedule: Arc<TraceSchedule>,
    /// CRC-32 of the bytes of all its files.
    pub crc32: u32,
    /// Number of its files.
    pub files: usize,
}

/// Reads the files of a trace.
///
/// # Errors
/// [`TraceLoadError`].
pub fn load_trace(trace: &Trace) -> Result<LoadedTrace, TraceLoadError> {
    load_trace_of(trace, None)
}

/// The same for a job with this number of ranks, if known: some files leave their number to the
/// job.
///
/// # Errors
/// [`TraceLoadError`].
pub fn load_trace_of(trace: &Trace, ranks: Option<u32>) -> Result<LoadedTrace, TraceLoadError> {
    let asked = match trace.format.as_str() {
        "auto" => None,
        name => Some(TraceFormat::named(name).ok_or_else(|| TraceLoadError::UnknownFormat { found: name.to_owned() })?),
    };
    let TraceFiles { mut files, numbers } = read_files(&trace.file)?;
    // A rank that does nothing may have an empty file: the first file with contents decides for
    // all.
    let telling = files.iter().find(|file| !file.bytes.is_empty()).unwrap_or(&files[0]);
    let detected = TraceFormat::detect(&telling.name, &telling.bytes);
    let format = asked.or(detected).ok_or_else(|| TraceLoadError::Undetected {
        path: PathBuf::from(&telling.name),
        kind: other_kind(&telling.name, &telling.bytes).or_else(|| not_packed(&telling.name)),
    })?;
    if let (TraceFormat::Smpi, [only]) = (format, files.as_slice())
        && let Some(names) = listed_files(&only.bytes)
    {
        let folder = Path::new(&only.name).parent().unwrap_or(Path::new(""));
        files = names.iter().map(|name| read_file(&folder.join(name))).collect::<Result<_, _>>()?;
    }
    if format == TraceFormat::Chakra {
        // The number in the name is the rank, so none may be missing.
        no_gap(&trace.file, &numbers)?;
    }
    let mut hasher = crc32fast::Hasher::new();
    files.iter().for_each(|file| hasher.update(&file.bytes));
    let crc32 = hasher.finalize();
    if let Some(expected) = trace.crc32.filter(|&expected| expected != crc32) {
        return Err(TraceLoadError::Changed { path: PathBuf::from(&trace.file), found: crc32, expected });
    }
    let options = TraceOptions {
        flops_per_second: trace.flops_per_second.map(|rate| rate.0),
        memory_bytes_per_second: trace.memory_bytes_per_second.map(|rate| rate.0),
        trigger_bytes: trace.trigger_bytes.0,
        ranks,
    };
    let schedule = import(format, &files, &options).map_err(|source| match ranks_beside(trace, format, &files) {
        // The files of the other ranks help where a rank is missing, not where a word is wrong.
        Some((pattern, count)) if source.is_about_ranks() => TraceLoadError::OneOfMany { source, pattern, count },
        _ => TraceLoadError::Content(source),
    });
    let schedule = Arc::new(schedule?);
    Ok(LoadedTrace { schedule, crc32, files: files.len() })
}

/// The kind of a file whose name says that gzip has compressed it, but whose bytes do not.
fn not_packed(name: &str) -> Option<&'static str> {
    let is_packed = || read_input(Path::new(name)).is_ok_and(|bytes| bytes.starts_with(&[0x1f, 0x8b]));
    (name.ends_with(".gz") && !is_packed()).then_some("a file named .gz that gzip has not compressed")
}

/// The name of the files of all ranks, and their number, if the scenario names only one of them.
fn ranks_beside(trace: &Trace, format: TraceFormat, files: &[TraceFile]) -> Option<(String, usize)> {
    let per_rank =
        matches!(format, TraceFormat::Chakra | TraceFormat::Smpi) && files.len() == 1 && !trace.file.contains(RANK);
    let path = Path::new(&trace.file).canonicalize().ok().filter(|path| per_rank && path.is_file())?;
    let folder = path.parent()?;
    let entries = std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: Vec<String> = entries.filter(|name| !name.starts_with('.')).collect();
    let own = path.file_name()?.to_str()?;
    let grouped = grouped(names.iter().map(String::as_str).collect());
    let (pattern, found) =
        grouped.into_iter().find(|(pattern, found)| pattern.contains(RANK) && found.contains(&own))?;
    let pattern = Path::new(&trace.file).with_file_name(pattern);
    // A rank may have a file and a compressed copy of it.
    let ranks: BTreeSet<&str> = found.iter().map(|name| name.strip_suffix(".gz").unwrap_or(name)).collect();
    Some((pattern.display().to_string(), ranks.len()))
}

/// Refuses files of ranks if one is missing between or before them. A missing file behind the last
/// cannot be noticed.
fn no_gap(name: &str, numbers: &[u32]) -> Result<(), TraceLoadError> {
    let Some(&last) = numbers.last() else { return Ok(()) };
    let there: BTreeSet<u32> = numbers.iter().copied().collect();
    let missing: Vec<u32> = (0..last).filter(|rank| !there.contains(rank)).take(1_000).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (ranks, has) = (ranks_text(&missing), if missing.len() == 1 { "has" } else { "have" });
    Err(TraceLoadError::MissingRanks { name: name.to_owned(), ranks, has, count: numbers.len(), last })
}

/// Statements of the system's and the traces' files that a run does not follow, one sentence each
/// that begins with the owner of the file.
pub fn input_warnings(system: &SystemDescription, jobs: &[PlacedJob]) -> Vec<String> {
    let mut warnings: Vec<String> =
        system.warnings.iter().map(|warning| format!("system {}: {warning}", system.name)).collect();
    for job in jobs {
        let (name, workload) = (&job.section.name, &job.section.workload);
        if !matches!(workload, WorkloadSpec::Trace(_)) {
            if workload.iterations() == Some(0) {
                warnings.push(format!("job {name} has 0 iterations, and sends nothing"));
            } else if job.places.len() == 1 {
                warnings.push(format!(
                    "job {name} has one rank, and no other rank to send to; nodes = 1 is one node, nodes = 1.0 is all nodes"
                ));
            }
        }
        let JobSection {
            name, workload: WorkloadSpec::Trace(Trace { file, loaded: Loaded(Some(loaded)), .. }), ..
        } = &job.section
        else {
            continue;
        };
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let mut warn = |warning: &str| warnings.push(format!("job {name}, trace {file}: {warning}"));
        loaded.warnings().iter().for_each(|warning| warn(warning));
        if let Some(warning) = unmatched(loaded.as_ref()) {
            warn(&warning);
        }
        let (ranks, of_job) = (loaded.ranks(), job.places.len() as u32);
        if ranks < of_job {
            warn(&format!("it has {ranks} ranks: {} of the job's {of_job} ranks do nothing", of_job - ranks));
        }
    }
    warnings
}

/// Operations of a trace that are tried for messages without a receive.
///
/// Source: ours; a small part of the time of the run itself. Status: assumed.
const TRIED_OPERATIONS: u64 = 1_000_000;

/// A message of a trace that no rank receives, or that is larger than its receive, in words. The
/// simulator delivers such messages like others. Deadlocks are the run's own error.
fn unmatched(trace: &dyn Recording) -> Option<String> {
    let programs = (0..trace.ranks()).map(|rank| trace.program(RankId(rank))).collect();
    match simulate_semantics(programs, SendMode::Eager, 1, TRIED_OPERATIONS) {
        Err(error @ (SemanticsError::Unreceived { .. } | SemanticsError::Truncated { .. })) => Some(error.to_string()),
        _ => None,
    }
}

impl Scenario {
    /// The scenario with its traces read; `None` if there are none.
    pub(crate) fn with_traces(&self) -> Result<Option<Self>, ScenarioError> {
        let unread = |job: &JobSection| match &job.workload {
            WorkloadSpec::Trace(trace) => trace.loaded.0.is_none(),
            WorkloadSpec::FlowSizes(sizes) => {
                sizes.file.is_some() && sizes.points.is_none() && sizes.distribution.is_none()
            }
            _ => false,
        };
        if !self.jobs.iter().any(unread) {
            return Ok(None);
        }
        let mut read = self.clone();
        for job in &mut read.jobs {
            if let WorkloadSpec::FlowSizes(sizes) = &mut job.workload
                && let Some(file) = sizes.file.take_if(|_| sizes.points.is_none() && sizes.distribution.is_none())
            {
                let read = read_file(Path::new(&file)).and_then(|file| Ok(read_sizes(&file)?));
                sizes.points = Some(
                    read.map_err(|source| ScenarioError::Trace { job: job.name.clone(), source: Box::new(source) })?,
                );
            }
            let WorkloadSpec::Trace(trace) = &mut job.workload else { continue };
            let ranks = match &job.nodes {
                Nodes::Count(nodes) => nodes.checked_mul(job.processes_per_node),
                Nodes::List(ranges) => {
                    let nodes: u64 =
                        ranges.iter().map(|(first, last)| u64::from(last.saturating_sub(*first)) + 1).sum();
                    u32::try_from(nodes * u64::from(job.processes_per_node)).ok()
                }
                Nodes::Share(_) | Nodes::Rest => None,
            };
            let loaded = load_trace_of(trace, ranks)
                .map_err(|source| ScenarioError::Trace { job: job.name.clone(), source: Box::new(source) })?;
            trace.format = loaded.schedule.format().name().to_owned();
            trace.crc32 = Some(loaded.crc32);
            // A result's own scenario lies in another folder.
            if let Ok(path) = std::path::absolute(&trace.file) {
                trace.file = path.to_string_lossy().into_owned();
            }
            trace.loaded = Loaded(Some(loaded.schedule));
        }
        Ok(Some(read))
    }

    /// Makes relative paths of traces relative to `folder`, except those of jobs that get a file
    /// from `overrides`.
    pub(crate) fn traces_relative_to(&mut self, folder: &Path, overrides: &[(String, String)]) {
        for (number, job) in self.jobs.iter_mut().enumerate() {
            let file = match &mut job.workload {
                WorkloadSpec::Trace(trace) => &mut trace.file,
                WorkloadSpec::FlowSizes(FlowSizes { file: Some(file), .. }) => file,
                _ => continue,
            };
            let own = [format!("job.{number}.workload"), format!("job.{}.workload", job.name)];
            let is_own = |key: &str| own.iter().any(|own| key == own || key == format!("{own}.file"));
            if !overrides.iter().any(|(key, _)| is_own(key)) && Path::new(file.as_str()).is_relative() {
                *file = folder.join(&file).to_string_lossy().into_owned();
            }
        }
    }
}
