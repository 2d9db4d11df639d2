//! The public interface of the store.

use crate::backup;
use crate::change::{Change, Committed, Reseeded};
use crate::check::{self, StoreSummary};
use crate::disk::{Disk, FILE_NAME, FileMedium, OBJECTS, REMEMBERED, StorageMedium};
use crate::error::StoreError;
use crate::history::{AuditPage, AuditQuery, Past, RevisionDifference};
use crate::key::DocumentKey;
use crate::log::{Epoch, Hash, LogEntry};
use crate::memory::MemoryMedium;
use crate::object::{Object, Revision};
use crate::options::StoreOptions;
use crate::receipt::{self, Receipt, ReceiptSender};
use crate::remembered::{Remembered, RememberedUses};
use crate::shared::{StoreShared, WriterQueue};
use crate::snapshot::{Objects, Snapshot, StoreRecord, View};
use crate::watch::{Hub, Watch};
use crate::writer::{LogWriter, WriterCommand};
use arc_swap::{ArcSwap, ArcSwapOption};
use redb::ReadableTable;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

/// The name of the file whose lock excludes a second process.
pub(crate) const LOCK_NAME: &str = "lock";
/// Entries that one page of an audit reads.
const AUDITED_AT_ONCE: usize = 65_536;

/// Which entries a compaction keeps. An entry is removed if it exceeds either limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The number of newest entries; at least 1.
    pub entries: u64,
    /// Their greatest age, microseconds.
    pub micros: u64,
}

/// A durable store: one directory, one writer thread, any number of readers. See the crate's
/// documentation.
#[derive(Debug)]
pub struct Store {
    shared: Arc<StoreShared>,
    commands: Sender<WriterCommand>,
    writer: Option<JoinHandle<()>>,
    /// Excludes other processes while the store is open.
    _lock: Option<DirectoryLock>,
}

impl Store {
    /// Opens the store in `directory`, which is created if it is missing. A new store leads with
    /// epoch 1.
    ///
    /// # Errors
    /// If the directory cannot be used, another process has it open, or the file is damaged or of a
    /// newer format.
    pub fn open(directory: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let lock = lock(directory)?;
        let path = directory.join(FILE_NAME);
        if !path.exists() {
            create(directory, &StoreRecord::first()?, |_| Ok(()))?;
        }
        keep_to_owner(directory);
        let mut store = Self::open_on(Box::new(FileMedium::new(path)), options)?;
        store._lock = Some(lock);
        Ok(store)
    }

    /// Opens the store on a custom medium. A second opening of the same medium is not prevented.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_on(medium: Box<dyn StorageMedium>, options: StoreOptions) -> Result<Self, StoreError> {
        let disk = Disk::open(medium, options.cache_bytes, &StoreRecord::first()?)?;
        let (view, memory) = load(&disk, &options)?;
        let shared = Arc::new(StoreShared {
            hub: Hub::new(&options, view.state.revision),
            queue: WriterQueue::new(&options),
            view: ArcSwap::from_pointee(view),
            disk,
            options,
            trouble: ArcSwapOption::empty(),
        });
        let (commands, received) = mpsc::channel();
        let writer = LogWriter::new(Arc::clone(&shared), received, memory);
        let writer = thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(|| writer.run())
            .map_err(|error| StoreError::io(shared.disk.path(), "start the writer of", &error))?;
        Ok(Self { shared, commands, writer: Some(writer), _lock: None })
    }

    /// A store in memory, lost when it is closed. It leads with epoch 1.
    ///
    /// # Errors
    /// If its thread cannot be started.
    pub fn in_memory(options: StoreOptions) -> Result<Self, StoreError> {
        Self::open_on(Box::<MemoryMedium>::default(), options)
    }

    /// Submits a change. The receipt answers when the change is completely on the disk, or with the
    /// reason why it is not there at all.
    pub fn submit(&self, change: Change) -> Receipt<Committed> {
        match change.examine(&self.shared.options) {
            Ok(()) => self.ask(|reply| WriterCommand::Commit { change, reply }),
            Err(error) => Receipt::ready(Err(error)),
        }
    }

    /// Submits a change and waits for the answer.
    ///
    /// # Errors
    /// If the change is refused or cannot be written; then no part of it is stored.
    pub fn commit(&self, change: Change) -> Result<Committed, StoreError> {
        self.submit(change).wait()
    }

    /// The newest state. Never waits for the disk or the writer.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.shared.view.load_full())
    }

    /// The state after an earlier revision: the present one with all later changes undone by the
    /// log.
    ///
    /// # Errors
    /// `Compacted`, `Future`, or a disk fault.
    pub fn at(&self, revision: Revision) -> Result<Snapshot, StoreError> {
        self.shared.at(revision)
    }

    /// The documents that differ between two revisions, in the order of keys.
    ///
    /// # Errors
    /// As [`Store::at`].
    pub fn diff(&self, from: Revision, to: Revision) -> Result<Vec<RevisionDifference>, StoreError> {
        self.shared.diff(from, to)
    }

    /// The changes of one document, newest first, before a revision, at most `limit`, as far as the
    /// log reaches back.
    ///
    /// # Errors
    /// Disk faults.
    pub fn history(&self, key: &DocumentKey, before: Option<Revision>, limit: usize) -> Result<Vec<Past>, StoreError> {
        self.shared.history(key, before, limit)
    }

    /// An audit: matching entries, newest first, at most `limit`.
    ///
    /// # Errors
    /// Disk faults.
    pub fn audit(&self, query: &AuditQuery, limit: usize) -> Result<AuditPage, StoreError> {
        self.shared.audit(query, limit.max(1), AUDITED_AT_ONCE)
    }

    /// Entries after a revision, oldest first, at most `limit`, for a standby.
    ///
    /// # Errors
    /// As [`Store::at`].
    pub fn entries_after(&self, revision: Revision, limit: usize) -> Result<Vec<LogEntry>, StoreError> {
        self.shared.entries_after(revision, limit)
    }

    /// Every change after `from`: first from the log, then as changes are committed.
    ///
    /// # Errors
    /// `Compacted` if the log does not reach back to `from`, `Future`.
    pub fn watch(&self, from: Revision) -> Result<Watch, StoreError> {
        Watch::new(Arc::clone(&self.shared), from)
    }

    /// Accepts entries of a store that leads with `epoch`; this store then follows and accepts no
    /// changes of its own. Entries that it has already are compared and skipped. Answers with the
    /// newest revision of this store.
    pub fn follow(&self, epoch: Epoch, entries: Vec<LogEntry>) -> Receipt<Revision> {
        self.ask(|reply| WriterCommand::Follow { epoch, entries, reply })
    }

    /// Replaces documents and log of this store by a backup of the leader, in one step. Answers
    /// with the entries that only this store had; if they matter, take a [`Store::backup`] first.
    ///
    /// Replaces nothing if the leader's epoch is not above the one with which this store leads, or
    /// below a known one.
    pub fn reseed(&self, backup: &Path) -> Receipt<Reseeded> {
        let backup = backup.to_owned();
        self.ask(|reply| WriterCommand::Reseed { backup, reply })
    }

    /// Why the last write failed; `None` if it did not.
    #[must_use]
    pub fn trouble(&self) -> Option<Arc<StoreError>> {
        self.shared.trouble.load_full()
    }

    /// Writes the store's own record again, to find out whether the disk accepts writes again.
    pub fn probe(&self) -> Receipt<()> {
        self.ask(|reply| WriterCommand::Probe { reply })
    }

    /// The hash of a revision's entry; for revision 0, the mark of the history; `None` if the log
    /// does not have it.
    ///
    /// # Errors
    /// Disk faults.
    pub fn hash_at(&self, revision: Revision) -> Result<Option<Hash>, StoreError> {
        let state = self.snapshot();
        if revision == state.revision() {
            return Ok(Some(state.head()));
        }
        let before = self.shared.entries_after(Revision(revision.0.saturating_sub(1)), 2);
        let entries = match before {
            Err(StoreError::Compacted { .. } | StoreError::Future { .. }) => return Ok(None),
            entries => entries?,
        };
        // The next entry contains the hash of its predecessor.
        let next = entries.iter().find(|entry| entry.revision == revision.next());
        let own = entries.iter().find(|entry| entry.revision == revision);
        Ok(next.map(|entry| entry.previous).or_else(|| own.map(LogEntry::hash)))
    }

    /// Makes this store lead, with an epoch above every known one. Answers with it, once it is on
    /// the disk.
    pub fn promote(&self) -> Receipt<Epoch> {
        self.ask(|reply| WriterCommand::Promote { to: None, reply })
    }

    /// As [`Store::promote`], with an epoch drawn elsewhere (a lease, a lock service).
    pub fn promote_to(&self, epoch: Epoch) -> Receipt<Epoch> {
        self.ask(|reply| WriterCommand::Promote { to: Some(epoch), reply })
    }

    /// Tells this store that another one leads with `epoch`. If that is above its own, it accepts
    /// no changes from now on. Answers with the latest known epoch.
    pub fn learn_epoch(&self, epoch: Epoch) -> Receipt<Epoch> {
        self.ask(|reply| WriterCommand::Learn { epoch, reply })
    }

    /// Removes the entries before `before`. Documents stay; history, time travel and watches then
    /// begin there. Other changes are committed in between.
    ///
    /// # Errors
    /// `Future` if the revision does not exist yet; disk faults.
    pub fn compact(&self, before: Revision) -> Result<Revision, StoreError> {
        loop {
            let oldest = self.ask(|reply| WriterCommand::Compact { before, reply }).wait()?;
            if oldest >= before {
                return Ok(self.snapshot().oldest());
            }
        }
    }

    /// Removes entries that `retention` does not keep at `now`, microseconds since 1970. Answers
    /// with the oldest revision left.
    ///
    /// # Errors
    /// Disk faults.
    pub fn retain(&self, retention: Retention, now: u64) -> Result<Revision, StoreError> {
        let snapshot = self.snapshot();
        let newest = snapshot.revision();
        let by_number = Revision((newest.0 + 1).saturating_sub(retention.entries.max(1)));
        let mut before = snapshot.oldest().max(by_number);
        let too_old = now.saturating_sub(retention.micros);
        while before < newest {
            let entries = self.entries_after(Revision(before.0.saturating_sub(1)), 256)?;
            let old = entries.iter().take_while(|entry| entry.at < too_old).count();
            before = Revision(before.0 + old as u64).min(newest);
            if old < entries.len() || entries.is_empty() {
                break;
            }
        }
        self.compact(before)
    }

    /// Reads everything on the disk and proves that it is consistent: replaying the log gives the
    /// documents, each entry has the hash of its predecessor, and the index has every write. Writes
    /// continue meanwhile.
    ///
    /// # Errors
    /// `Damaged` with the inconsistency; disk faults.
    pub fn check(&self) -> Result<StoreSummary, StoreError> {
        check::check(&self.shared.disk)
    }

    /// Writes the whole store, as of one moment, into one new file, while writes continue. `at` is
    /// the caller's time, microseconds since 1970. The file gets its name only after it is complete
    /// and on the disk.
    ///
    /// # Errors
    /// `Occupied` if the file exists; disk faults.
    pub fn backup(&self, file: &Path, at: u64) -> Result<StoreSummary, StoreError> {
        backup::write(&self.shared.disk, file, at)
    }

    fn ask<T: Clone>(&self, command: impl FnOnce(ReceiptSender<T>) -> WriterCommand) -> Receipt<T> {
        let (reply, receipt) = receipt::pair();
        let command = command(reply);
        match self.shared.queue.enter(&command) {
            // If the writer has ended, the command is dropped, and its dropped reply answers.
            Ok(()) => drop(self.commands.send(command)),
            Err(error) => command.refuse(error),
        }
        receipt
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Waiting changes are written first, because the queue is in order.
        if self.commands.send(WriterCommand::Stop).is_ok()
            && let Some(writer) = self.writer.take()
        {
            drop(writer.join());
        }
    }
}

impl StoreRecord {
    /// The state of a new store, with a random mark of its history.
    pub(crate) fn first() -> Result<Self, StoreError> {
        let mut mark = [0; 32];
        let drawn = rustix::rand::getrandom(&mut mark, rustix::rand::GetRandomFlags::empty());
        drawn.map_err(|error| StoreError::io(Path::new("/dev/urandom"), "read", &error.into()))?;
        Ok(Self {
            revision: Revision(0),
            head: Hash(mark),
            origin: Hash(mark),
            leads: Some(Epoch(1)),
            known: Epoch(1),
            oldest: Revision(1),
        })
    }
}

/// Restricts access to the owner, for stores made before this release did so: the file, and the
/// directory if it contains nothing but a store. If the permissions may not be changed, the owner
/// has decided otherwise.
fn keep_to_owner(directory: &Path) {
    let owner_only = |path: &Path, mode| drop(fs::set_permissions(path, fs::Permissions::from_mode(mode)));
    let is_shared = fs::metadata(directory).is_ok_and(|data| data.permissions().mode() & 0o1000 != 0);
    let path = directory.join(FILE_NAME);
    if fs::metadata(&path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0) {
        owner_only(&path, 0o600);
        owner_only(&directory.join(LOCK_NAME), 0o600);
    }
    if !is_shared && fs::metadata(directory).is_ok_and(|data| data.permissions().mode() & 0o077 != 0) {
        owner_only(directory, 0o700);
    }
}

/// A lock on a directory, released when dropped.
#[derive(Debug)]
pub(crate) struct DirectoryLock(File);

impl Drop for DirectoryLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread is just starting has it
        // open, too.
        drop(self.0.unlock());
    }
}

/// Creates the directory and takes its lock.
pub(crate) fn lock(directory: &Path) -> Result<DirectoryLock, StoreError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
    made.map_err(|error| StoreError::io(directory, "create", &error))?;
    let path = directory.join(LOCK_NAME);
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
    let file = file.map_err(|error| StoreError::io(&path, "open", &error))?;
    match file.try_lock() {
        Ok(()) => Ok(DirectoryLock(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: directory.to_owned() }),
        Err(TryLockError::Error(error)) => Err(StoreError::io(&path, "lock", &error)),
    }
}

/// Creates a store's file under another name, fills it, and renames it once it is complete.
pub(crate) fn create(
    directory: &Path,
    first: &StoreRecord,
    fill: impl FnOnce(&Disk) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let unfinished = directory.join(format!("{FILE_NAME}.unfinished"));
    let path = directory.join(FILE_NAME);
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished);
    let file = file.map_err(|error| StoreError::io(&unfinished, "create", &error))?;
    let disk = Disk::open(Box::new(FileMedium::new(unfinished.clone())), 16 << 20, first)?;
    fill(&disk)?;
    disk.close();
    let finish = || -> io::Result<()> {
        file.sync_all()?;
        fs::rename(&unfinished, &path)?;
        File::open(directory)?.sync_all()?;
        // The directory itself may be new, too.
        directory
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .map_or(Ok(()), |parent| File::open(parent)?.sync_all())
    };
    finish().map_err(|error| StoreError::io(&path, "create", &error))
}

/// Loads the view of readers into memory.
pub(crate) fn load(disk: &Disk, options: &StoreOptions) -> Result<(View, RememberedUses), StoreError> {
    let transaction = disk.begin_read()?;
    let state = disk.state_in(&transaction)?;
    let mut objects = Objects::new_sync();
    let mut memory = RememberedUses::new(options);
    let mut wrong = None;
    let mut read = || -> Result<(), redb::Error> {
        for row in transaction.open_table(OBJECTS)?.iter()? {
            let (key, value) = row?;
            let (kind, name) = key.value();
            match postcard::from_bytes::<Object>(value.value()) {
                Ok(object) => objects.insert_mut(DocumentKey::bound(kind, name), object),
                Err(error) => wrong = Some(format!("its document {kind}/{name}: {error}")),
            }
        }
        for row in transaction.open_table(REMEMBERED)?.iter()? {
            match postcard::from_bytes::<Remembered>(row?.1.value()) {
                Ok(remembered) => memory.insert(remembered),
                Err(error) => wrong = Some(format!("its record of an idempotency key: {error}")),
            }
        }
        Ok(())
    };
    read().map_err(|error| StoreError::redb(disk.path(), "read", error))?;
    if let Some(wrong) = wrong {
        return Err(disk.damaged(wrong));
    }
    let newest = disk.entries(&transaction, state.revision, state.revision, 1)?;
    if newest.first().is_some_and(|entry| entry.hash() != state.head) {
        return Err(
            disk.damaged(format!("the entry of revision {} does not have the hash that is on record", state.revision))
        );
    }
    if newest.is_empty() && state.oldest <= state.revision {
        return Err(disk.damaged(format!("its log lacks the newest revision, {}", state.revision)));
    }
    Ok((View { state, objects }, memory))
}
