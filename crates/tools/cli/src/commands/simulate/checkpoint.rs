//! Checkpoints of `philae simulate`: files that a run writes on its way, and runs that continue
//! from one.

use crate::arguments::{CheckpointArguments, CommonOptions};
use crate::attention;
use crate::failure::CommandFailure;
use crate::repeats::RepeatedWarning;
use philae_fabric::{
    Advance, Checkpoint, CheckpointError, CheckpointHead, CheckpointSource, Keeper, ProcessShare, Simulation,
};
use philae_results::FileKind;
use philae_results::record::{RunRecord, RunStatus};
use philae_scenario::{ResolvedScenario, Scenario};
use philae_topology::open_regular;
use philae_units::{Picoseconds, counted};
use std::fs::{File, TryLockError};
use std::io::{BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// A checkpoint from which a run will continue.
pub struct Resumed {
    path: PathBuf,
    checkpoint: Checkpoint<BufReader<File>>,
}

impl Resumed {
    /// Opens a checkpoint.
    pub fn open(path: &Path) -> Result<Self, CommandFailure> {
        let failed = |error: CheckpointError| CommandFailure::input(format!("'{}': {error}", path.display()));
        if path.is_dir() {
            let works = "a file that a run wrote with --checkpoint would work";
            return Err(CommandFailure::input(format!("'{}' is a folder; {works}", path.display())));
        }
        let file = open_regular(path).map_err(|error| failed(CheckpointError::Read(error)))?;
        let checkpoint = Checkpoint::open(BufReader::new(file)).map_err(failed)?;
        let written = &checkpoint.head().version;
        if written != env!("CARGO_PKG_VERSION") {
            return Err(CommandFailure::input(format!(
                "'{}': philae {written} wrote it, and this is philae {}: the same version would work",
                path.display(),
                env!("CARGO_PKG_VERSION")
            )));
        }
        Part::remove_abandoned(path);
        Ok(Self { path: path.to_owned(), checkpoint })
    }

    fn head(&self) -> &CheckpointHead {
        self.checkpoint.head()
    }

    /// The scenario of its run, with this number of threads if given, but no more than there are
    /// partitions.
    pub fn resolve(
        &self,
        threads: Option<u32>,
        share: ProcessShare,
        shared: &CommonOptions,
    ) -> Result<ResolvedScenario, CommandFailure> {
        let failed = |error| CommandFailure::input(format!("'{}': its scenario: {error}", self.path.display()));
        let scenario = Scenario::parse(&self.head().scenario, "the scenario of the checkpoint").map_err(failed)?;
        let mut resolved = scenario.resolve().map_err(failed)?;
        let partitions = self.head().partitions;
        let wanted = threads.unwrap_or(resolved.options.execution.threads);
        let most = partitions / share.count;
        if most == 0 {
            return Err(CommandFailure::input(format!(
                "'{}' has {partitions} partitions, fewer than the {} processes: at most {partitions} processes would \
                 work, or a new run with --partitions {}",
                self.path.display(),
                share.count,
                share.count
            )));
        }
        if threads.is_some() && wanted > most {
            shared.note(&format!(
                "the checkpoint has {}, so that it can use {}; a new run with run.partitions = {} could use more",
                counted(partitions, "partition"),
                counted(most, "thread"),
                wanted * share.count
            ));
        }
        (resolved.options.execution.partitions, resolved.options.execution.threads) = (partitions, wanted.min(most));
        Ok(resolved)
    }

    /// Restores the state of a run.
    pub fn restore(self, simulation: &mut Simulation, shared: &CommonOptions) -> Result<(), CommandFailure> {
        let CheckpointHead { now, events, .. } = self.head().clone();
        let path = self.path;
        let restored = simulation.resume(self.checkpoint);
        restored.map_err(|error| CommandFailure::input(format!("'{}': {error}", path.display())))?;
        shared.note(&format!("resumed at simulated time {now}, after {events} events"));
        Ok(())
    }
}

/// Sets up checkpoints to a file if requested; among several processes that share the run, the
/// first one does so. Unsupported runs and unwritable files are refused before the run.
pub fn keep(
    arguments: &CheckpointArguments,
    resolved: &ResolvedScenario,
    resumed_at: Picoseconds,
    simulation: &mut Simulation,
    shared: &CommonOptions,
) -> Result<(), CommandFailure> {
    let Some(path) = &arguments.checkpoint else { return Ok(()) };
    if arguments.checkpoint_every.is_some_and(|every| every.0 == Picoseconds::ZERO) {
        return Err(CommandFailure::input("--checkpoint-every is 0; a time above 0 would work: 100us"));
    }
    if !resolved.options.execution.share.is_first() {
        return simulation.keep_with_others().map_err(CommandFailure::input);
    }
    let mut at: Vec<Picoseconds> = arguments.checkpoint_at.iter().map(|span| span.0).collect();
    at.retain(|&time| time > resumed_at);
    at.sort_unstable();
    let failed =
        |error| CommandFailure::input(format!("the checkpoint '{}' cannot be written: {error}", path.display()));
    let keeper = FileKeeper {
        path: path.clone(),
        // An unwritable folder, or a file that another run writes, is an error before the
        // simulation.
        part: Part::beside(path).map_err(failed)?,
        every: arguments.checkpoint_every.map(|span| span.0),
        from: resumed_at,
        at,
        scenario: resolved.to_toml(),
        failures: RepeatedWarning::new("checkpoint"),
        shared: *shared,
    };
    simulation.keep(Box::new(keeper)).map_err(CommandFailure::input)
}

/// A warning, if a checkpoint was asked for at a time that the run did not pass.
pub fn unwritten(arguments: &CheckpointArguments, from: Picoseconds, record: &RunRecord) -> Option<String> {
    let to = record.simulated;
    let passed = |time: &Picoseconds| *time > from && *time <= to;
    let time = |time: Picoseconds| philae_results::format::time_ps(time.0 as f64);
    let times: Vec<String> = arguments.checkpoint_at.iter().map(|at| at.0).filter(|at| !passed(at)).map(time).collect();
    let is_over = record.status != RunStatus::Interrupted && !times.is_empty();
    let (from, to) = (time(from), time(to));
    is_over.then(|| format!("no checkpoint at {}: the run was from {from} to {to}", times.join(", ")))
}

/// Where a run begins in this process: at its checkpoint, or at its beginning.
pub fn start_of(resumed: Option<&Resumed>) -> Advance {
    resumed.map_or_else(Advance::default, |resumed| {
        let head = resumed.head();
        Advance { now: head.now, events: head.events, packet_hops: head.packet_hops, unfinished: 0 }
    })
}

/// The file next to the checkpoint into which the next one is written. It belongs to this run while
/// it is locked. A lock ends with its process in every case, so the file of a killed run is used
/// again.
struct Part {
    path: PathBuf,
    /// `None` after it has become the checkpoint.
    file: Option<File>,
}

impl Part {
    /// The file for the checkpoint `path`.
    fn beside(path: &Path) -> std::io::Result<Self> {
        let refused = |words: &str| Err(std::io::Error::other(words.to_owned()));
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => return refused("it is a folder; the name of a file in it would work"),
            Ok(found) if !found.is_file() => return refused("it is a device or a pipe; a file would work"),
            _ => {}
        }
        FileKind::Checkpoint.check_replaces(path)?;
        if path.file_name().is_none() {
            return refused("it has no name; FOLDER/run.ckpt would work");
        }
        let mut part = Self { path: Self::path(path), file: None };
        part.empty()?;
        Ok(part)
    }

    /// Removes the rest of a killed run next to its checkpoint. A running one holds a lock on it.
    fn remove_abandoned(checkpoint: &Path) {
        let path = Self::path(checkpoint);
        // To read and to write: a pipe of that name does not make this wait.
        let is_free = File::options().read(true).write(true).open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if is_free {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Where the part of a checkpoint lies.
    fn path(checkpoint: &Path) -> PathBuf {
        checkpoint.with_file_name(format!(".{}.part", checkpoint.file_name().unwrap_or_default().to_string_lossy()))
    }

    /// The file, emptied.
    fn empty(&mut self) -> std::io::Result<&File> {
        if self.file.is_none() {
            let file = File::options().create(true).truncate(false).write(true).open(&self.path)?;
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                let works = "another file would work for this run";
                return Err(std::io::Error::other(format!("another run writes its checkpoints there; {works}")));
            }
            // A file system without locks grants none: the run then behaves as if it were alone.
            self.file = Some(file);
        }
        let mut file = self.file.as_ref().expect("it was just opened");
        file.set_len(0)?;
        file.rewind()?;
        Ok(file)
    }

    /// Renames the finished file to the checkpoint, durably.
    fn place(&mut self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, path)?;
        self.file = None;
        // Open the next one, so that no other run takes the place meanwhile; if that fails, the
        // next checkpoint reports it.
        let _ = self.empty();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.file.is_some() {
            // A destructor cannot report an error.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes checkpoints to a file.
struct FileKeeper {
    path: PathBuf,
    part: Part,
    every: Option<Picoseconds>,
    /// The time of the last checkpoint, or of the run's beginning.
    from: Picoseconds,
    at: Vec<Picoseconds>,
    scenario: String,
    /// Checkpoints that could not be written.
    failures: RepeatedWarning,
    shared: CommonOptions,
}

impl FileKeeper {
    /// The existing checkpoint stays until the new one is complete and on the disk.
    fn write(&mut self, source: &CheckpointSource<'_>) -> Result<(), CheckpointError> {
        let written = self.write_part(source);
        if written.is_err() {
            // The partial file is useless, and occupies a disk that may be full. If it cannot be
            // emptied, that is no second failure.
            let _ = self.part.empty();
        }
        written?;
        self.part.place(&self.path).map_err(CheckpointError::Write)
    }

    fn write_part(&mut self, source: &CheckpointSource<'_>) -> Result<(), CheckpointError> {
        let file = self.part.empty().map_err(CheckpointError::Write)?;
        let mut to = BufWriter::new(file);
        source.write(env!("CARGO_PKG_VERSION"), &self.scenario, &mut to)?;
        to.flush().and_then(|()| file.sync_all()).map_err(CheckpointError::Write)
    }
}

impl Keeper for FileKeeper {
    fn next(&self) -> Picoseconds {
        // Counted from the beginning of the run, so that a continued run writes checkpoints at the
        // times of the first.
        let regular = self.every.map(|every| Picoseconds((self.from.0 / every.0 + 1).saturating_mul(every.0)));
        regular.into_iter().chain(self.at.first().copied()).min().unwrap_or(Picoseconds::MAX)
    }

    fn keep(&mut self, source: &CheckpointSource<'_>) {
        let now = source.now();
        self.at.retain(|&time| time > now);
        self.from = now;
        match attention::writing(|| self.write(source)) {
            Ok(()) => self.shared.note(&format!("saved at {now} in {}", self.path.display())),
            // The run is worth more than the file, and the previous checkpoint is complete.
            Err(error) => {
                let reason = format!("'{}': {error}; the run continues", self.path.display());
                self.failures.say(now.to_string(), &reason);
            }
        }
    }
}
