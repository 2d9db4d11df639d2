//! Checkpoints of `philae simulate`: files that a run leaves on its way, and runs that go on from one.

use crate::arguments::Shared;
use crate::failure::Failure;
use clap::{Args, ValueHint};
use philae_fabric::{Advance, Checkpoint, CheckpointError, CheckpointHead, Keeper, ProcessShare, Simulation, Standing};
use philae_scenario::{ResolvedScenario, Scenario};
use philae_units::Picoseconds;
use philae_workload::Span;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a checkpoint goes, when, and from which one to go on.
#[derive(Args, Debug)]
pub struct CheckpointArguments {
    /// Keep the run in this file, from which --resume goes on: at the times below, and when it is interrupted. Each
    /// checkpoint replaces the one before once it is whole.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "fluid")]
    pub checkpoint: Option<PathBuf>,
    /// Simulated time between two checkpoints: 100us.
    #[arg(long, value_name = "TIME", requires = "checkpoint")]
    pub checkpoint_every: Option<Span>,
    /// Simulated time of a checkpoint. Can be repeated.
    #[arg(long, value_name = "TIME", requires = "checkpoint")]
    pub checkpoint_at: Vec<Span>,
    /// Go on from this checkpoint, to the end that the run would have had. It holds the scenario.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [
        "scenario", "seed", "overrides", "time_limit", "partitions", "fluid", "captures", "timeline", "routes",
    ])]
    pub resume: Option<PathBuf>,
}

impl CheckpointArguments {
    /// Whether anything is asked for.
    pub const fn is_wanted(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// A checkpoint that is to be gone on from.
pub struct Resumed {
    path: PathBuf,
    checkpoint: Checkpoint<BufReader<File>>,
}

impl Resumed {
    /// Opens a checkpoint.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error: CheckpointError| Failure::input(format!("'{}': {error}", path.display()));
        if path.is_dir() {
            let works = "a file that a run wrote with --checkpoint would work";
            return Err(Failure::input(format!("'{}' is a folder; {works}", path.display())));
        }
        let file = File::open(path).map_err(|error| failed(CheckpointError::Read(error)))?;
        let checkpoint = Checkpoint::open(BufReader::new(file)).map_err(failed)?;
        let written = &checkpoint.head().version;
        if written != env!("CARGO_PKG_VERSION") {
            return Err(Failure::input(format!(
                "'{}': philae {written} wrote it, and this is {}: the same version would work",
                path.display(),
                env!("CARGO_PKG_VERSION")
            )));
        }
        Ok(Self { path: path.to_owned(), checkpoint })
    }

    fn head(&self) -> &CheckpointHead {
        self.checkpoint.head()
    }

    /// The scenario of its run, on this many threads if that is said: no more than there are partitions to work on.
    pub fn resolve(
        &self,
        threads: Option<u32>,
        share: ProcessShare,
        shared: &Shared,
    ) -> Result<ResolvedScenario, Failure> {
        let failed = |error| Failure::input(format!("'{}': its scenario: {error}", self.path.display()));
        let scenario = Scenario::parse(&self.head().scenario, "the scenario of the checkpoint").map_err(failed)?;
        let mut resolved = scenario.resolve().map_err(failed)?;
        let partitions = self.head().partitions;
        let wanted = threads.unwrap_or(resolved.options.threads);
        let most = partitions / share.count;
        if most == 0 {
            return Err(Failure::input(format!(
                "'{}' has {partitions} partitions, and {} processes are to go on with it: at most as many would work, and for more a \
                 run with --partitions {} from its beginning",
                self.path.display(),
                share.count,
                share.count
            )));
        }
        if threads.is_some() && wanted > most {
            shared.note(&format!(
                "the checkpoint has {partitions} partitions, so that {most} threads can work on it; more would take a run \
                 with run.partitions = {} from its beginning",
                wanted * share.count
            ));
        }
        (resolved.options.partitions, resolved.options.threads) = (partitions, wanted.min(most));
        Ok(resolved)
    }

    /// Brings a run to where it was.
    pub fn restore(self, simulation: &mut Simulation, shared: &Shared) -> Result<(), Failure> {
        let CheckpointHead { now, events, .. } = self.head().clone();
        let path = self.path;
        let restored = simulation.resume(self.checkpoint);
        restored.map_err(|error| Failure::input(format!("'{}': {error}", path.display())))?;
        shared.note(&format!("going on at {now} of network time, after {events} events"));
        Ok(())
    }
}

/// Has a run kept in a file, if that is asked for: by the first of the processes that share it. What cannot be kept, and a file
/// that cannot be written, are refused before the run.
pub fn keep(
    arguments: &CheckpointArguments,
    resolved: &ResolvedScenario,
    resumed_at: Picoseconds,
    simulation: &mut Simulation,
    shared: &Shared,
) -> Result<(), Failure> {
    let Some(path) = &arguments.checkpoint else { return Ok(()) };
    if arguments.checkpoint_every.is_some_and(|every| every.0 == Picoseconds::ZERO) {
        return Err(Failure::input("--checkpoint-every is 0; a time above 0 would work: 100us"));
    }
    if !resolved.options.share.is_first() {
        return simulation.keep_with_others().map_err(Failure::input);
    }
    let mut at: Vec<Picoseconds> = arguments.checkpoint_at.iter().map(|span| span.0).collect();
    at.retain(|&time| time > resumed_at);
    at.sort_unstable();
    let keeper = FileKeeper {
        path: path.clone(),
        every: arguments.checkpoint_every.map(|span| span.0),
        from: resumed_at,
        at,
        scenario: resolved.to_toml(),
        shared: *shared,
    };
    // A folder that cannot be written in costs no simulation.
    keeper.open().and_then(|(part, _)| std::fs::remove_file(part)).map_err(|error| keeper.failed(&error))?;
    simulation.keep(Box::new(keeper)).map_err(Failure::input)
}

/// Where a run begins in this process: where its checkpoint was written, or at its beginning.
pub fn start_of(resumed: Option<&Resumed>) -> Advance {
    resumed.map_or_else(Advance::default, |resumed| {
        let head = resumed.head();
        Advance { now: head.now, events: head.events, packet_hops: head.packet_hops, unfinished: 0 }
    })
}

/// Writes checkpoints into a file.
struct FileKeeper {
    path: PathBuf,
    every: Option<Picoseconds>,
    /// When the last one was written, or the run began.
    from: Picoseconds,
    at: Vec<Picoseconds>,
    scenario: String,
    shared: Shared,
}

impl FileKeeper {
    /// A file beside that of the checkpoint, which takes its place once it is whole.
    fn open(&self) -> std::io::Result<(PathBuf, File)> {
        if self.path.is_dir() {
            return Err(std::io::Error::other("it is a folder; a name in it would work"));
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let part = self.path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        File::create(&part).map(|file| (part, file))
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::input(format!("the checkpoint '{}' cannot be written: {error}", self.path.display()))
    }

    fn write(&self, standing: &mut Standing<'_>) -> Result<(), CheckpointError> {
        let (part, file) = self.open().map_err(CheckpointError::Write)?;
        let written = self.write_to(file, standing);
        let placed = written.and_then(|()| self.place(&part).map_err(CheckpointError::Write));
        if placed.is_err() {
            // What is left of it is of no use; that it stays is no second failure.
            let _ = std::fs::remove_file(&part);
        }
        placed
    }

    /// Gives the finished file the name of the checkpoint, also on the disk.
    fn place(&self, part: &Path) -> std::io::Result<()> {
        std::fs::rename(part, &self.path)?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    fn write_to(&self, file: File, standing: &mut Standing<'_>) -> Result<(), CheckpointError> {
        let mut to = BufWriter::new(file);
        standing.write(env!("CARGO_PKG_VERSION"), &self.scenario, &mut to)?;
        to.flush().and_then(|()| to.get_ref().sync_all()).map_err(CheckpointError::Write)
    }
}

impl Keeper for FileKeeper {
    fn next(&self) -> Picoseconds {
        // Counted from the beginning of the run, so that a run that goes on is kept at the times of the first.
        let regular = self.every.map(|every| Picoseconds((self.from.0 / every.0 + 1).saturating_mul(every.0)));
        regular.into_iter().chain(self.at.first().copied()).min().unwrap_or(Picoseconds::MAX)
    }

    fn keep(&mut self, standing: &mut Standing<'_>) {
        let now = standing.now();
        self.at.retain(|&time| time > now);
        self.from = now;
        match self.write(standing) {
            Ok(()) => self.shared.note(&format!("kept at {now} in {}", self.path.display())),
            // The run is worth more than the file, and the one before is whole.
            Err(error) => eprintln!("warning: at {now}, '{}': {error}; the run goes on", self.path.display()),
        }
    }
}
