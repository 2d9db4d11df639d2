//! All errors of the store, with messages that say what would work.

use crate::change::Expect;
use crate::key::{DocumentKey, KeyProblem};
use crate::log::{Epoch, Hash};
use crate::object::Revision;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why the store did not carry out a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A document does not meet the condition of the change. Nothing was changed.
    #[error("{key}: the change expects {expected}, found {}", Found(*.found))]
    Precondition {
        /// The first such document.
        key: DocumentKey,
        /// The condition.
        expected: Expect,
        /// The revision that last wrote it; `None` if the document does not exist.
        found: Option<Revision>,
    },
    /// The change is invalid in every state.
    #[error(transparent)]
    Invalid(#[from] ChangeProblem),
    /// The key is invalid.
    #[error(transparent)]
    Key(#[from] KeyProblem),
    /// The queue for the disk is full. Nothing was changed; try again.
    #[error("{changes} changes of {bytes} bytes already wait for the disk, the limit; a later attempt would work")]
    Busy {
        /// Changes that wait.
        changes: usize,
        /// Bytes that wait.
        bytes: usize,
    },
    /// The idempotency key has been used for another change.
    #[error(
        "the idempotency key {key:?} was used at revision {first} by another actor or for other writes; use a new key"
    )]
    IdempotencyConflict {
        key: String,
        /// The change that it was used for.
        first: Revision,
    },
    /// This store does not lead: it follows another, or knows of a later epoch.
    #[error("this store does not lead (epoch {}, the latest known is {known}); send changes to the leader, or promote this store",
        .own.map_or_else(|| "none".to_owned(), |own| own.to_string()))]
    Fenced {
        /// The epoch with which this store leads; `None` if it follows.
        own: Option<Epoch>,
        /// The latest known epoch.
        known: Epoch,
    },
    /// The log does not reach back to this revision.
    #[error(
        "revision {asked} is no longer in the log, which starts at {oldest}; read the present state and continue from there"
    )]
    Compacted {
        /// The revision asked for.
        asked: Revision,
        /// The oldest revision in the log.
        oldest: Revision,
    },
    /// The revision does not exist yet.
    #[error("revision {asked} does not exist yet; the newest is {newest}")]
    Future {
        /// The revision asked for.
        asked: Revision,
        /// The newest revision.
        newest: Revision,
    },
    /// A watcher fell behind, and its next entries are no longer in memory.
    #[error("the watcher was too slow: later changes are no longer in memory; watch again from revision {resume_from}")]
    Slow {
        /// The last revision that the watcher has seen: a new watch from here misses nothing.
        resume_from: Revision,
    },
    /// Entries of another store do not continue this one's log.
    #[error(transparent)]
    Follow(#[from] FollowProblem),
    /// The disk or the directory refused an operation.
    #[error("cannot {doing} {}: {problem}; {}", .path.display(), .problem.remedy())]
    Disk {
        /// The file or directory.
        path: PathBuf,
        /// The operation, as a verb.
        doing: &'static str,
        problem: DiskProblem,
    },
    /// A file does not have the expected content.
    #[error("{} is damaged: {what}; restore a backup into an empty directory", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        what: String,
    },
    /// A backup does not have the expected content.
    #[error("the backup {} is damaged: {what}; use another one", .path.display())]
    DamagedBackup {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        what: String,
    },
    /// A file was written by a newer release.
    #[error("{} has format {found}, this release reads formats {oldest} to {newest}; use the release that wrote it, or a newer one",
        .path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// The oldest format that this release reads.
        oldest: u64,
        newest: u64,
    },
    /// Another process has the store open.
    #[error("{} is open in another process; stop that one first", .path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A restore or a backup would overwrite something.
    #[error("{} exists already{}", .path.display(), .remedy)]
    Occupied {
        /// The file or directory.
        path: PathBuf,
        /// What would work, beginning with a semicolon.
        remedy: &'static str,
    },
    /// The store was closed, or its writer has ended.
    #[error("the store is closed")]
    Closed,
}

/// The revision found under a key, for messages.
struct Found(Option<Revision>);

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => formatter.write_str("no document"),
            Some(revision) => write!(formatter, "a document at revision {revision}"),
        }
    }
}

/// Why a change is invalid in every state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeProblem {
    /// It has no writes.
    #[error("a change needs at least one write")]
    NoWrites,
    /// It has too many writes.
    #[error("the change has {found} writes, at most {most} go into one; make several")]
    TooManyWrites {
        /// Their number.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Two writes have the same key.
    #[error("the change writes {key} twice; one write for each key")]
    TwoWrites { key: DocumentKey },
    /// A document is too large.
    #[error("the value of {key} has {bytes} bytes, at most {most} are allowed")]
    ValueTooLarge {
        key: DocumentKey,
        /// The value's bytes.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The change is too large.
    #[error("the change has {bytes} bytes, at most {most} are allowed; make several")]
    TooLarge {
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// A text of the change is too long.
    #[error("the {what} has {bytes} bytes, at most {most} are allowed")]
    TextTooLong {
        /// The name of the text.
        what: &'static str,
        bytes: usize,
        /// The limit.
        most: usize,
    },
    #[error("the idempotency key is empty; leave it out or give it letters")]
    EmptyIdempotencyKey,
}

/// Why entries of another store cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FollowProblem {
    /// Entries in between are missing.
    #[error("the next entry must be revision {expected}, found {found}; ask the leader for entries after {}", .expected.0 - 1)]
    Gap {
        /// The revision that continues this store.
        expected: Revision,
        /// The revision received.
        found: Revision,
    },
    /// The other store has another history.
    #[error(
        "the histories differ at revision {revision}: the previous entry has hash {ours} here and {theirs} there; \
        seed this store from a backup of the leader"
    )]
    Diverged {
        /// The first revision that differs.
        revision: Revision,
        /// The hash in this store.
        ours: Hash,
        /// The hash in the other store.
        theirs: Hash,
    },
    /// The sender no longer leads.
    #[error(
        "the sender leads with epoch {sender}, but the newest known epoch is {known}; the sender must stop leading"
    )]
    Stale {
        /// The sender's epoch.
        sender: Epoch,
        /// The latest epoch that this store knows of.
        known: Epoch,
    },
    /// An entry that no store writes.
    #[error("the entry of revision {revision} contradicts itself: {what}")]
    Nonsense {
        /// The entry.
        revision: Revision,
        /// The problem with it.
        what: String,
    },
    /// A promotion would not raise the epoch.
    #[error("epoch {asked} is not above the newest known one, {known}; {} or more would work", .known.0 + 1)]
    EpochTaken {
        /// The epoch asked for.
        asked: Epoch,
        /// The latest known epoch.
        known: Epoch,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskProblem {
    /// No space, or quota exhausted.
    Full,
    /// The file system is read-only.
    ReadOnly,
    /// This user has no permission.
    NotPermitted,
    /// The directory does not exist.
    Missing,
    /// Any other error, in the system's words.
    Fault(String),
}

impl DiskProblem {
    /// The advice for an operator.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Full => "free space or enlarge the disk, changes then work again without a restart",
            Self::ReadOnly => "mount it for writing, or name another directory",
            Self::NotPermitted => "give the service's user the right to read and write there",
            Self::Missing => "create it, or name another directory",
            Self::Fault(_) => "check the system's log for faults of the disk",
        }
    }

    /// The meaning of a system error.
    #[must_use]
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::WriteZero => Self::Full,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::PermissionDenied => Self::NotPermitted,
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Fault(error.to_string()),
        }
    }
}

impl fmt::Display for DiskProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => formatter.write_str("no space is left on the disk"),
            Self::ReadOnly => formatter.write_str("the file system is read-only"),
            Self::NotPermitted => formatter.write_str("permission denied"),
            Self::Missing => formatter.write_str("there is no such file or directory"),
            Self::Fault(words) => formatter.write_str(words),
        }
    }
}

impl StoreError {
    /// A system error on a path.
    #[must_use]
    pub fn io(path: &Path, doing: &'static str, error: &io::Error) -> Self {
        let problem = DiskProblem::of(error);
        // A read-only operation never fails in this way: the file was reopened for the next write.
        let doing = if problem == DiskProblem::ReadOnly { "write to" } else { doing };
        Self::Disk { path: path.to_owned(), doing, problem }
    }

    /// An error of redb on a path.
    pub(crate) fn redb(path: &Path, doing: &'static str, error: impl Into<redb::Error>) -> Self {
        let path = path.to_owned();
        match error.into() {
            // redb's error for a file that is not its own.
            redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                Self::Damaged { path, what: error.to_string() }
            }
            redb::Error::Io(error) => Self::io(&path, doing, &error),
            redb::Error::DatabaseAlreadyOpen => Self::InUse { path },
            redb::Error::Corrupted(what) => Self::Damaged { path, what },
            other => Self::Disk { path, doing, problem: DiskProblem::Fault(other.to_string()) },
        }
    }
}
