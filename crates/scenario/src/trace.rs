//! Traces of a scenario: their files are read when it is resolved.

use crate::error::ScenarioError;
use crate::job::JobSection;
use crate::tree::Scenario;
use philae_trace::{
    File, Format, Options, PROVIDER_EXTENSION, Schedule, TraceError, WAITS_EXTENSION, import, listed_files, read_sizes,
};
use philae_workload::{FlowSizes, Loaded, Trace, WorkloadSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Where a name stands for a file of each rank.
const RANK: &str = "{rank}";

/// A trace that cannot be had.
#[derive(Debug, Error)]
pub enum TraceLoadError {
    /// A file that cannot be read.
    #[error("cannot read the trace '{}': {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A folder where a file is needed.
    #[error("the trace '{}' is a folder; a file would work, the files of all ranks as 'folder/name.{{rank}}.et', or a folder that `philae run --trace` wrote", .path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A format that does not exist.
    #[error("'{found}' is no format of traces; auto, {} would work", Format::ALL.map(Format::name).join(", "))]
    UnknownFormat {
        /// As asked.
        found: String,
    },
    /// A file that looks like no format.
    #[error("'{}' looks like none of the formats {}; `format` says which it is", .path.display(), Format::ALL.map(Format::name).join(", "))]
    Undetected {
        /// The file.
        path: PathBuf,
    },
    /// Files that changed.
    #[error("'{}' has changed: its CRC-32 is {found}, the scenario says {expected}; without `crc32` it would run", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Of the bytes.
        found: u32,
        /// As the scenario says.
        expected: u32,
    },
    /// What is in it.
    #[error(transparent)]
    Content(#[from] TraceError),
}

/// A trace with what was read of it.
#[derive(Clone, Debug)]
pub struct LoadedTrace {
    /// What it says.
    pub schedule: Arc<Schedule>,
    /// CRC-32 of the bytes of all its files.
    pub crc32: u32,
    /// How many files it was in.
    pub files: usize,
}

/// Reads the files of a trace.
///
/// # Errors
/// [`TraceLoadError`].
pub fn load_trace(trace: &Trace) -> Result<LoadedTrace, TraceLoadError> {
    let asked = match trace.format.as_str() {
        "auto" => None,
        name => Some(Format::named(name).ok_or_else(|| TraceLoadError::UnknownFormat { found: name.to_owned() })?),
    };
    let mut files = read_files(&trace.file)?;
    let detected = Format::detect(&files[0].name, &files[0].bytes);
    let format = asked.or(detected).ok_or_else(|| TraceLoadError::Undetected { path: PathBuf::from(&trace.file) })?;
    if let (Format::Smpi, [only]) = (format, files.as_slice())
        && let Some(names) = listed_files(&only.bytes)
    {
        let folder = Path::new(&trace.file).parent().unwrap_or(Path::new(""));
        files = names.iter().map(|name| read_file(&folder.join(name))).collect::<Result<_, _>>()?;
    }
    let mut hasher = crc32fast::Hasher::new();
    files.iter().for_each(|file| hasher.update(&file.bytes));
    let crc32 = hasher.finalize();
    if let Some(expected) = trace.crc32.filter(|&expected| expected != crc32) {
        return Err(TraceLoadError::Changed { path: PathBuf::from(&trace.file), found: crc32, expected });
    }
    let options = Options {
        flops_per_second: trace.flops_per_second,
        memory_bytes_per_second: trace.memory_bytes_per_second,
        trigger_bytes: trace.trigger_bytes.0,
    };
    let schedule = Arc::new(import(format, &files, &options)?);
    Ok(LoadedTrace { schedule, crc32, files: files.len() })
}

fn read_file(path: &Path) -> Result<File, TraceLoadError> {
    if path.is_dir() {
        return Err(TraceLoadError::IsFolder { path: path.to_owned() });
    }
    let bytes = std::fs::read(path).map_err(|source| TraceLoadError::Read { path: path.to_owned(), source })?;
    Ok(File { name: path.display().to_string(), bytes })
}

/// One file, or those of rank 0, 1 and so on as far as there are any.
fn read_files(name: &str) -> Result<Vec<File>, TraceLoadError> {
    let own = provider_files(Path::new(name));
    if !own.is_empty() {
        return own.iter().map(|path| read_file(path)).collect();
    }
    if !name.contains(RANK) {
        return Ok(vec![read_file(Path::new(name))?]);
    }
    let path = |rank: usize| PathBuf::from(name.replace(RANK, &rank.to_string()));
    let mut files = vec![read_file(&path(0))?];
    while path(files.len()).exists() {
        files.push(read_file(&path(files.len()))?);
    }
    Ok(files)
}

/// The files that the provider, and PEs of the OpenSHMEM library beside it, have written into a folder, by name.
fn provider_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_own =
        |path: &PathBuf| path.extension().is_some_and(|end| end == PROVIDER_EXTENSION || end == WAITS_EXTENSION);
    let mut own: Vec<PathBuf> = entries.filter(is_own).collect();
    own.sort();
    own
}

impl Scenario {
    /// The scenario with its traces read; `None` when there is nothing to read.
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
                sizes.points = Some(read.map_err(|source| ScenarioError::Trace { job: job.name.clone(), source })?);
            }
            let WorkloadSpec::Trace(trace) = &mut job.workload else { continue };
            let loaded = load_trace(trace).map_err(|source| ScenarioError::Trace { job: job.name.clone(), source })?;
            trace.format = loaded.schedule.format().name().to_owned();
            trace.crc32 = Some(loaded.crc32);
            // A result's own scenario stands in another folder.
            if let Ok(path) = std::path::absolute(&trace.file) {
                trace.file = path.to_string_lossy().into_owned();
            }
            trace.loaded = Loaded(Some(loaded.schedule));
        }
        Ok(Some(read))
    }

    /// Makes relative paths of traces be meant from `folder`, but for those of jobs that `overrides` give a file.
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
