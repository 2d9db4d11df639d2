//! The timeline file that a scenario asks for.

use crate::documents;
use crate::failure::CommandFailure;
use flate2::Compression;
use flate2::write::GzEncoder;
use philae_results::FileKind;
use philae_results::WholeFile;
use philae_results::format::count;
use philae_results::record::RunRecord;
use philae_results::timeline::{TimelineCounts, TimelineOptions, write_timeline};
use philae_scenario::ResolvedScenario;
use philae_units::JobId;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A timeline to write after the run.
pub struct TimelineFile {
    path: PathBuf,
    out: WholeFile,
    options: TimelineOptions,
}

impl TimelineFile {
    /// Begins the file of a scenario's timeline, if it asks for one. This happens before the run,
    /// so that an unwritable file costs no simulation. The file gets its name when it is complete.
    pub fn create(resolved: &ResolvedScenario) -> Result<Option<Self>, CommandFailure> {
        let Some(section) = &resolved.scenario.timeline else { return Ok(None) };
        let path = section.file.clone();
        let cannot = |error| CommandFailure::input(format!("cannot write the timeline '{}': {error}", path.display()));
        let out = WholeFile::begin(&path, kind(&path)).map_err(cannot)?;
        let job = |name: &String| resolved.jobs.iter().position(|job| job.section.name == *name).map(JobId::from_index);
        let options = TimelineOptions {
            jobs: section.jobs.iter().filter_map(job).collect(),
            ranks_max: section.ranks_max,
            links: section.links as usize,
            ports: resolved.timeline_ports.clone(),
            from: section.from.0.0,
            until: section.until.map_or(u64::MAX, |until| until.0.0),
            events_max: section.events_max,
        };
        Ok(Some(Self { path, out, options }))
    }

    /// Writes it, and returns a line for the user.
    pub fn write(self, record: &RunRecord, title: &str) -> Result<String, CommandFailure> {
        let Self { path, out, options } = self;
        let gz = kind(&path) == FileKind::Gzip;
        let counts = written(out.file(), gz, record, title, &options)
            .and_then(|counts| out.end().map(|()| counts))
            .map_err(|error| documents::unwritten(&path, error))?;
        let left_out = match counts.left_out {
            0 => String::new(),
            more => format!(", {} left out (events_max = {})", count(more), options.events_max),
        };
        Ok(format!("timeline: {} ({} events{left_out})\n", path.display(), count(counts.events)))
    }
}

/// What a timeline of this name is: packed where the name ends in .gz.
fn kind(path: &Path) -> FileKind {
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if is_packed { FileKind::Gzip } else { FileKind::Json }
}

fn written(
    out: &File,
    gz: bool,
    record: &RunRecord,
    title: &str,
    options: &TimelineOptions,
) -> io::Result<TimelineCounts> {
    let mut out = BufWriter::new(out);
    if gz {
        let mut encoder = GzEncoder::new(out, Compression::default());
        let counts = write_timeline(record, title, options, &mut encoder)?;
        encoder.finish()?.flush()?;
        return Ok(counts);
    }
    let counts = write_timeline(record, title, options, &mut out)?;
    out.flush()?;
    Ok(counts)
}
