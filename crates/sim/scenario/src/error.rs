//! Errors in scenarios: each message says what was asked, what was found and what would work.

use crate::trace_files::TraceLoadError;
use philae_fabric::FabricError;
use philae_fluid::FluidError;
use philae_inventory::SourceError;
use philae_packet_engine::EngineError;
use philae_route_tables::{FileError, WiringError};
use philae_topology::TopologyError;
use philae_traffic_class::ClassError;
use philae_units::nearest;
use philae_workload::{PlacementError, WorkloadError};
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// A place in a scenario: a key's path, and the line if the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLocation {
    /// As written in TOML: `hardware.switch.latency_ns`; list entries count from 0: `job.0.nodes`.
    /// A key that an override has set is named as there: `job.victim.nodes`.
    pub key: String,
    /// Line of the file, counted from 1; absent for values set on a command line or by a program.
    pub line: Option<usize>,
}

impl KeyLocation {
    /// A key without a known line.
    #[must_use]
    pub fn of(key: impl Into<String>) -> Self {
        Self { key: key.into(), line: None }
    }

    /// A key of the job with this name, as `--set` takes it.
    pub(crate) fn of_job(name: &str, key: &str) -> Self {
        let is_bare =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        Self::of(if is_bare { format!("job.{name}.{key}") } else { format!("job.{name:?}.{key}") })
    }
}

impl fmt::Display for KeyLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.key)?;
        self.line.map_or(Ok(()), |line| write!(f, " (line {line})"))
    }
}

/// A scenario that cannot be read or cannot be run.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read the scenario '{}': {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A folder where a file is needed.
    #[error("the scenario '{}' is a folder; the path of a TOML file would work", .path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The file is not text.
    #[error("the scenario '{}' cannot be read: {source}; a TOML file would work", .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Its encoding, or the place of the first wrong byte.
        source: philae_units::NotText,
    },
    /// An empty text.
    #[error("{origin} is empty; a scenario needs at least `system` and one [[job]]")]
    Empty {
        /// Name of the file, or "the text".
        origin: String,
    },
    /// A system where a scenario is needed.
    #[error(
        "{origin} is a system, not a scenario: a scenario that has it as `system`, and at least one [[job]], would \
         work; `philae describe` describes it"
    )]
    IsSystem {
        /// Name of the file, or "the text".
        origin: String,
    },
    /// A text of another kind.
    #[error("{origin} is {found}, not a scenario; {works}")]
    Foreign {
        /// Name of the file, or "the text".
        origin: String,
        /// What it is.
        found: &'static str,
        /// What would work.
        works: &'static str,
    },
    /// Not TOML, or not JSON.
    #[error("{origin} is not {form}: {message}")]
    Syntax {
        /// Name of the file, or "the text".
        origin: String,
        /// The form that was expected.
        form: &'static str,
        /// The reader's message, with the line.
        message: String,
    },
    /// An unknown key.
    #[error("unknown key `{}` in {table}{}{} keys: {}", .key, line_text(*.line), .hint, .known.join(", "))]
    UnknownKey {
        /// The key.
        key: String,
        /// Its table: `[hardware.switch]`.
        table: String,
        /// Line of the file.
        line: Option<usize>,
        /// `; did you mean ...?`, or only the semicolon.
        hint: String,
        /// The keys that would work there.
        known: Vec<String>,
    },
    /// A required key.
    #[error("{place} is missing: {works}")]
    Missing {
        /// The place.
        place: KeyLocation,
        /// What would work.
        works: String,
    },
    /// A value that is not one of the known words.
    #[error("{place} is \"{found}\", an unknown value{} one of: {}", suggestion(.found, .known), .known.join(", "))]
    UnknownName {
        /// The place.
        place: KeyLocation,
        /// What was asked.
        found: String,
        /// What would work.
        known: Vec<String>,
    },
    /// A value that does not work.
    #[error("{place} is {found}; {works}")]
    Value {
        /// The place.
        place: KeyLocation,
        /// What was found.
        found: String,
        /// What would work.
        works: String,
    },
    /// A value that its type's own reader refused, with its reason.
    #[error("{place}: {message}")]
    Unreadable {
        /// The place.
        place: KeyLocation,
        /// The reader's message.
        message: String,
    },
    /// An override that cannot be applied.
    #[error("cannot set `{key}`: {reason}")]
    Override {
        /// As asked.
        key: String,
        /// The reason.
        reason: String,
    },
    /// The system cannot be read.
    #[error(transparent)]
    System(#[from] Box<SourceError>),
    /// The file is of another kind.
    #[error("'{path}' is {found}, not a system; {works}")]
    NotASystem {
        /// The file.
        path: String,
        /// The kind of file.
        found: String,
        /// What would work.
        works: String,
    },
    /// Values of hardware in the description of a system.
    #[error("in the description of system {system}: {source}")]
    SystemHardware {
        /// Its name and its file.
        system: String,
        /// What is wrong, with the key.
        source: Box<ScenarioError>,
    },
    /// A system on which no job can run.
    #[error(
        "system '{system}' has no endpoints, so that no job can run on it; `endpoints_per_switch` next to its path \
         (`--set system.endpoints_per_switch=4`), or endpoints in its file, would work"
    )]
    NoEndpoints {
        /// Its name.
        system: String,
    },
    /// The system cannot be wired.
    #[error("system {system} cannot be built: {source}")]
    Topology {
        /// Its name, and its file if it has one, in quotes.
        system: String,
        /// The reason.
        source: TopologyError,
    },
    /// Traffic classes that cannot exist together.
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// The packet engine's program does not work.
    #[error(transparent)]
    PacketEngine(#[from] EngineError),
    /// The jobs do not fit.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A job's workload cannot run.
    #[error("job {job}: {source}")]
    Workload {
        /// The job.
        job: String,
        /// The reason.
        source: WorkloadError,
    },
    /// A job's trace cannot be loaded.
    #[error("job {job}: {source}")]
    Trace {
        /// The job.
        job: String,
        /// The reason.
        source: Box<TraceLoadError>,
    },
    /// The routes cannot be loaded.
    #[error(transparent)]
    Routes(#[from] RoutesError),
    /// No job that ends, and no limit.
    #[error(
        "no job ends by itself and there is no time limit: `iterations` in a job's workload, or `time_limit` in [run], would work"
    )]
    Endless,
    /// The fabric refused.
    #[error(transparent)]
    Fabric(#[from] FabricError),
    /// Rates cannot represent the scenario, or the run in rates failed.
    #[error(transparent)]
    Fluid(#[from] FluidError),
}

fn line_text(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(" (line {line})"))
}

/// `; did you mean `x`?`, or only the semicolon.
pub(crate) fn suggestion(asked: &str, known: &[String]) -> String {
    let hint = hint(asked, known);
    if hint.is_empty() { ";".to_owned() } else { hint }
}

/// Routes that cannot be loaded.
#[derive(Debug, Error)]
pub enum RoutesError {
    /// A file that cannot be read.
    #[error("cannot read the routes '{file}': {source}")]
    Read {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// An unusable file.
    #[error("cannot use the routes '{file}': {source}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        source: FileError,
    },
    /// Another file than the scenario's.
    #[error(
        "the routes '{file}' have changed: their checksum is {found}, the scenario says {expected}; without `routes.checksum` they would work"
    )]
    Changed {
        /// The file.
        file: String,
        /// Its checksum.
        found: String,
        /// The checksum in the scenario.
        expected: String,
    },
    /// A system that cannot have tables.
    #[error("this system cannot have forwarding tables: {0}")]
    Wiring(#[from] WiringError),
}

/// `; did you mean `x`?` or nothing.
fn hint(asked: &str, words: &[String]) -> String {
    nearest(asked, words.iter().map(String::as_str))
        .map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}
