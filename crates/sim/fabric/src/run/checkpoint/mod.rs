//! Checkpoints: saves the state of a run between two windows as bytes, and resumes a run from them.
//!
//! A checkpoint does not hold what a run is built from (the system, its hardware, the jobs). It
//! holds the text by which its writer knows that. To resume, the caller builds the same run again,
//! and the saved state replaces the initial state. Fresh programs of ranks get the inputs that the
//! saved ones had (`model/history`).
//!
//! `stream` has the bytes, `state` the fields of a partition.

mod format;
mod state;

use std::io::{Read, Seek, Write};

use philae_engine::Watchdog;
use philae_units::Picoseconds;
use serde::{Deserialize, Serialize};

use format::{Reader, Writer};

use crate::model::error::FabricError;
use crate::partition::Partition;
use crate::run::audit::AuditSchedule;
use crate::run::exchange;
use crate::run::processes::Processes;
use crate::run::simulation::Simulation;

/// A checkpoint that cannot be written or used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The checkpoint cannot be written.
    #[error("a checkpoint cannot be written: {0}")]
    Write(std::io::Error),
    /// The checkpoint cannot be read.
    #[error("the checkpoint cannot be read: {0}")]
    Read(std::io::Error),
    /// The data is not a checkpoint.
    #[error("it begins with '{}' and is no checkpoint; a file that a run wrote with --checkpoint would work", .found.escape_default())]
    NoCheckpoint {
        /// Its first bytes.
        found: String,
    },
    /// The data is too short for a checkpoint.
    #[error("it ends after {bytes} bytes, in the middle of a checkpoint: one that was written to its end would work")]
    Short {
        /// Its length in bytes.
        bytes: u64,
    },
    /// The checkpoint has another format.
    #[error(
        "it is a checkpoint of format {found}, and this program knows {known}: the program that wrote it would work"
    )]
    Format {
        /// Format of the checkpoint.
        found: u64,
        /// Format of this program.
        known: u32,
    },
    /// Bytes have changed or are missing.
    #[error(
        "it is damaged: its content has the checksum {found:016x}, and {written:016x} is written at its end; an earlier checkpoint would work"
    )]
    Damaged {
        /// Checksum of the content.
        found: u64,
        /// Checksum at its end.
        written: u64,
    },
    /// A field that does not fit.
    #[error("'{name}' of the checkpoint cannot be read: {what}")]
    Field {
        /// Name of the field.
        name: &'static str,
        /// What was found.
        what: String,
    },
    /// A program does something else than before.
    #[error("the program of rank {rank} of all jobs is another than when the checkpoint was written: {what}")]
    Program {
        /// Number of the rank.
        rank: u32,
        /// The difference.
        what: String,
    },
    /// The run was divided in another way.
    #[error("the checkpoint has {}, the run {built}: run.partitions = {found} would work", philae_units::counted(*found, "partition"))]
    Partitions {
        /// Partitions of the checkpoint.
        found: u32,
        /// Partitions of the run.
        built: usize,
    },
}

/// Description of a checkpoint, in its head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointHead {
    /// Version of the program that wrote it.
    pub version: String,
    /// The writer's text of what the run is built from.
    pub scenario: String,
    /// Partitions of the run.
    pub partitions: u32,
    /// Its simulated time.
    pub now: Picoseconds,
    /// Events handled until then.
    pub events: u64,
    /// Packet-hops until then.
    pub packet_hops: u64,
}

/// Decides when to save a run, and saves it.
pub trait Keeper {
    /// When it wants the next checkpoint.
    fn next(&self) -> Picoseconds;

    /// Saves the run's state, at some moment after that, or because the run is interrupted. The
    /// keeper handles its own errors: the run continues.
    fn keep(&mut self, source: &CheckpointSource<'_>);
}

/// State of a run between two windows.
pub struct CheckpointSource<'s> {
    partitions: &'s [Partition],
    watchdog: &'s Watchdog,
    audits: AuditSchedule,
    now: Picoseconds,
    /// Partitions of all processes.
    total: usize,
    /// Events and packet-hops in all of them.
    so_far: (u64, u64),
    /// The partitions of the other processes, in their order.
    others: Vec<Vec<u8>>,
}

impl CheckpointSource<'_> {
    /// Simulated time.
    #[must_use]
    pub const fn now(&self) -> Picoseconds {
        self.now
    }

    /// Writes a checkpoint. It only borrows the run's state: if it fails, the run continues as
    /// without it.
    ///
    /// # Errors
    /// [`CheckpointError::Write`].
    pub fn write(&self, version: &str, scenario: &str, to: &mut dyn Write) -> Result<(), CheckpointError> {
        let head = CheckpointHead {
            version: version.to_owned(),
            scenario: scenario.to_owned(),
            partitions: self.total as u32,
            now: self.now,
            events: self.so_far.0,
            packet_hops: self.so_far.1,
        };
        let mut writer = Writer::new(to).map_err(CheckpointError::Write)?;
        writer.field("head", &head)?;
        writer.field("watchdog", self.watchdog)?;
        writer.field("audits", &self.audits)?;
        self.partitions.iter().try_for_each(|partition| state::save(partition, &mut writer))?;
        self.others.iter().try_for_each(|other| writer.append(other)).map_err(CheckpointError::Write)?;
        writer.finish().map_err(CheckpointError::Write)
    }
}

/// A complete checkpoint.
pub struct Checkpoint<R> {
    head: CheckpointHead,
    reader: Reader<R>,
}

impl<R: Read + Seek> Checkpoint<R> {
    /// Opens a checkpoint. It reads all of it, to verify that it is complete.
    ///
    /// # Errors
    /// [`CheckpointError`], with what was found.
    pub fn open(from: R) -> Result<Self, CheckpointError> {
        let mut reader = Reader::open(from)?;
        let mut head = CheckpointHead::default();
        reader.field("head", &mut head)?;
        Ok(Self { head, reader })
    }

    /// Its description.
    pub const fn head(&self) -> &CheckpointHead {
        &self.head
    }
}

/// Gives each block of partitions its own lane again, because a calendar is written like that. The
/// lane of an event does not change what happens.
fn spread(partitions: &mut [Partition]) {
    partitions.iter_mut().for_each(|partition| partition.sched.calendar.spread());
}

/// Partitions as bytes for another process of the run, with their ranks or without.
///
/// # Errors
/// [`CheckpointError`] if something has no bytes.
pub fn packed_partitions(partitions: &mut [Partition], with_ranks: bool) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes).map_err(CheckpointError::Write)?;
    let save = if with_ranks { state::save } else { state::save_columns };
    spread(partitions);
    partitions.iter().try_for_each(|partition| save(partition, &mut writer))?;
    writer.finish().map_err(CheckpointError::Write)?;
    Ok(bytes)
}

/// Restores partitions without ranks into some that have just been built.
///
/// # Errors
/// [`CheckpointError`] if the bytes are of another run.
pub fn unpack_columns(partitions: &mut [Partition], from: impl Read + Seek) -> Result<(), CheckpointError> {
    let mut reader = Reader::open(from)?;
    partitions.iter_mut().try_for_each(|partition| state::restore_columns(partition, &mut reader))?;
    reader.finish()
}

impl Simulation {
    /// Has `keeper` save the run now and then while it runs, and when it is interrupted. It does
    /// not change the run.
    ///
    /// # Errors
    /// [`FabricError::Parameter`] if the run has something that no checkpoint holds.
    pub fn keep(&mut self, keeper: Box<dyn Keeper + Send>) -> Result<(), FabricError> {
        self.keep_with_others()?;
        self.keeper = Some(keeper);
        Ok(())
    }

    /// The same for processes that share a run and are not the first. The first has the keeper, and
    /// all have to know that there is one.
    ///
    /// # Errors
    /// As [`keep`](Self::keep).
    pub fn keep_with_others(&mut self) -> Result<(), FabricError> {
        self.check_kept()?;
        for rank in self.partitions_mut().iter_mut().flat_map(|partition| &mut partition.host.ranks) {
            rank.history.get_or_insert_default();
        }
        self.is_kept = true;
        Ok(())
    }

    /// Continues from a checkpoint: [`run`](Self::run) then ends as the saved run would have ended.
    ///
    /// # Errors
    /// [`CheckpointError`] if the checkpoint is of another run; this run is of no use then.
    /// [`FabricError`] as [`keep`](Self::keep).
    pub fn resume<R: Read + Seek>(&mut self, checkpoint: Checkpoint<R>) -> Result<(), ResumeError> {
        self.check_kept()?;
        let Checkpoint { head, mut reader } = checkpoint;
        let (share, built) = (self.shared().options.execution.share, self.shared().partition_count());
        if head.partitions as usize != built {
            return Err(CheckpointError::Partitions { found: head.partitions, built }.into());
        }
        reader.field("watchdog", &mut self.watchdog)?;
        reader.field("audits", &mut self.audits)?;
        let own = share.of(built);
        (0..own.start).try_for_each(|_| reader.skip_until_next(state::FIRST_FIELD))?;
        self.partitions_mut().iter_mut().try_for_each(|partition| state::restore(partition, &mut reader))?;
        (own.end..built).try_for_each(|_| reader.skip_until_next(state::FIRST_FIELD))?;
        Ok(reader.finish()?)
    }

    /// Checks that everything in the run can be saved in a checkpoint.
    fn check_kept(&mut self) -> Result<(), FabricError> {
        let partitions = self.partitions_mut();
        let refused = |what, found: &str, works| {
            Err(FabricError::Parameter { what, found: format!("wanted in a run with {found}"), works })
        };
        if partitions.iter().any(|partition| partition.record.observer.watch.is_some()) {
            return refused("a checkpoint", "captures", "a run without captures can be kept: their files cannot go on");
        }
        if partitions.iter().any(|partition| partition.record.observer.explainer.is_some()) {
            let works = "a run without explained messages can be kept: these take two runs from the beginning";
            return refused("a checkpoint", "explained messages", works);
        }
        if partitions.iter().any(|partition| partition.host.has_processes) {
            let works = "a run without ranks that are processes can be kept: what they have done cannot be repeated";
            return refused("a checkpoint", "ranks that are processes", works);
        }
        Ok(())
    }

    /// Saves the run, if it has a keeper: in the first process, to which the others send their
    /// partitions.
    ///
    /// # Errors
    /// [`FabricError::Process`] if another process is gone.
    pub(crate) fn keep_now(
        &mut self,
        now: Picoseconds,
        so_far: (u64, u64),
        processes: &mut dyn Processes,
    ) -> Result<(), FabricError> {
        if !self.is_kept {
            return Ok(());
        }
        let others = exchange::copy_to_first(self, processes)?;
        if let Some(mut keeper) = self.keeper.take() {
            let (watchdog, audits, total) = (self.watchdog.clone(), self.audits, self.shared().partition_count());
            let partitions = self.partitions_mut();
            spread(partitions);
            keeper.keep(&CheckpointSource { partitions, watchdog: &watchdog, audits, now, total, so_far, others });
            self.keeper = Some(keeper);
        }
        Ok(())
    }
}

/// The reason why a run cannot continue from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// An error of the checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An error of the run.
    #[error(transparent)]
    Run(#[from] FabricError),
}
