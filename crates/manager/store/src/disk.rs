//! The store's file: where it lies, how it is opened, and its tables.

use crate::error::StoreError;
use crate::log::LogEntry;
use crate::object::Revision;
use crate::snapshot::StoreRecord;
use redb::{
    BackendError, Builder, Database, ReadTransaction, ReadableDatabase, ReadableTable, StorageBackend, TableDefinition,
    WriteTransaction,
};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// Maps kind and name to the document.
pub(crate) const OBJECTS: TableDefinition<(&str, &str), &[u8]> = TableDefinition::new("objects");
/// Maps the revision to the entry.
pub(crate) const LOG: TableDefinition<u64, &[u8]> = TableDefinition::new("log");
/// Kind, name and revision of every write in the log, for the history of one document. New in
/// format 2.
pub(crate) const TOUCHED: TableDefinition<(&str, &str, u64), ()> = TableDefinition::new("touched");
/// Maps the revision to the idempotency key of its change.
pub(crate) const REMEMBERED: TableDefinition<u64, &[u8]> = TableDefinition::new("remembered");
/// The store's own record: one row.
pub(crate) const STATE: TableDefinition<&str, &[u8]> = TableDefinition::new("state");
/// The format's version: one row.
pub(crate) const FORMAT: TableDefinition<&str, u64> = TableDefinition::new("format");

/// The format that this release writes.
pub const FORMAT_NEWEST: u64 = 2;
/// The oldest format that this release reads. Opening such a store rewrites it to the newest
/// format.
pub const FORMAT_OLDEST: u64 = 1;

/// The name of the store's file in its directory.
pub(crate) const FILE_NAME: &str = "store.redb";
const ROW: &str = "philae";

/// The storage medium of the bytes. The store reopens it after a fault.
pub trait StorageMedium: fmt::Debug + Send + Sync + 'static {
    /// Opens the bytes for reading and writing. Called again only after the previous backend is
    /// closed.
    ///
    /// # Errors
    /// The system's error.
    fn open(&self) -> io::Result<Box<dyn StorageBackend>>;

    /// Drops cached copies of written data, so that the next read is of the disk itself.
    ///
    /// After a failed write, the system may cache bytes that are not on the disk and never will be.
    ///
    /// # Errors
    /// The system's error.
    fn forget_cached(&self) -> io::Result<()>;

    /// Its name in messages.
    fn path(&self) -> &Path;
}

/// A file as medium.
#[derive(Debug)]
pub(crate) struct FileMedium {
    path: PathBuf,
}

impl FileMedium {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    fn file(&self) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(&self.path)
    }
}

impl StorageMedium for FileMedium {
    fn open(&self) -> io::Result<Box<dyn StorageBackend>> {
        let backend = redb::backends::FileBackend::new(self.file()?).map_err(io::Error::other)?;
        Ok(Box::new(backend))
    }

    fn forget_cached(&self) -> io::Result<()> {
        rustix::fs::fadvise(self.file()?, 0, None, rustix::fs::Advice::DontNeed).map_err(io::Error::from)
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

/// A backend whose type is known only after it is opened.
#[derive(Debug)]
struct AnyBackend(Box<dyn StorageBackend>);

impl StorageBackend for AnyBackend {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.0.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.query_lock_range(start, end)
    }
}

/// The open file, which the writer may close and reopen while others read.
#[derive(Debug)]
pub(crate) struct Disk {
    medium: Box<dyn StorageMedium>,
    cache_bytes: usize,
    /// The open database, or the reason why none is open.
    database: RwLock<Result<Database, StoreError>>,
}

impl Disk {
    /// Opens the file; a new one gets its format and `first` as its state.
    pub(crate) fn open(
        medium: Box<dyn StorageMedium>,
        cache_bytes: usize,
        first: &StoreRecord,
    ) -> Result<Self, StoreError> {
        let disk = Self { medium, cache_bytes, database: RwLock::new(Err(StoreError::Closed)) };
        disk.start(false)?;
        let is_new = disk.read(|transaction| match transaction.open_table(FORMAT) {
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(true),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(false),
        })?;
        if is_new {
            disk.write("create the store in", |transaction| {
                transaction.open_table(FORMAT)?.insert(ROW, FORMAT_NEWEST)?;
                transaction.open_table(OBJECTS)?;
                transaction.open_table(LOG)?;
                transaction.open_table(TOUCHED)?;
                transaction.open_table(REMEMBERED)?;
                write_state(transaction, first)
            })?;
        }
        disk.examine_format()?;
        Ok(disk)
    }

    fn examine_format(&self) -> Result<(), StoreError> {
        let found =
            self.read(|transaction| Ok(transaction.open_table(FORMAT)?.get(ROW)?.map(|found| found.value())))?;
        match found {
            None => Err(self.damaged("it has no format")),
            Some(FORMAT_NEWEST) => Ok(()),
            Some(1) => self.write("bring to the newest format", index_log),
            Some(found) => Err(StoreError::NewerFormat {
                path: self.path().to_owned(),
                found,
                oldest: FORMAT_OLDEST,
                newest: FORMAT_NEWEST,
            }),
        }
    }

    /// The name of the file in messages.
    pub(crate) fn path(&self) -> &Path {
        self.medium.path()
    }

    /// The error that the file does not have the expected content.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: self.path().to_owned(), what: what.into() }
    }

    fn start(&self, is_suspect: bool) -> Result<(), StoreError> {
        let opened =
            self.medium.open().map_err(|error| StoreError::io(self.path(), "open", &error)).and_then(|backend| {
                Builder::new()
                    .set_cache_size(self.cache_bytes)
                    .set_check_integrity_on_open(is_suspect)
                    .create_with_backend(AnyBackend(backend))
                    .map_err(|error| StoreError::redb(self.path(), "open", error))
            });
        let answer = opened.as_ref().map(|_| ()).map_err(StoreError::clone);
        *self.database.write().unwrap_or_else(PoisonError::into_inner) = opened;
        answer
    }

    /// Closes the file and opens it again. Reads all of it from the disk itself and verifies
    /// checksums.
    pub(crate) fn reopen(&self) -> Result<(), StoreError> {
        self.close();
        self.medium.forget_cached().map_err(|error| StoreError::io(self.path(), "read", &error))?;
        self.start(true)
    }

    /// Closes the file. Readers of the log get an error.
    pub(crate) fn close(&self) {
        let database = std::mem::replace(
            &mut *self.database.write().unwrap_or_else(PoisonError::into_inner),
            Err(StoreError::Closed),
        );
        // Closing writes only data for a faster next start; everything acknowledged is on the disk.
        drop(database);
    }

    /// Reads within one transaction: everything is of one moment, regardless of concurrent writes.
    pub(crate) fn read<T>(
        &self,
        look: impl FnOnce(&ReadTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        look(&self.begin_read()?).map_err(|error| StoreError::redb(self.path(), "read", error))
    }

    pub(crate) fn begin_read(&self) -> Result<ReadTransaction, StoreError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let database = database.as_ref().map_err(StoreError::clone)?;
        database.begin_read().map_err(|error| StoreError::redb(self.path(), "read", error))
    }

    /// Writes within one transaction, which is on the disk when this returns.
    pub(crate) fn write(
        &self,
        doing: &'static str,
        change: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), StoreError> {
        let fail = |error: redb::Error| StoreError::redb(self.path(), doing, error);
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let database = database.as_ref().map_err(StoreError::clone)?;
        // The default durability is our guarantee: everything is synced before commit returns.
        let transaction = database.begin_write().map_err(|error| fail(error.into()))?;
        change(&transaction).map_err(fail)?;
        transaction.commit().map_err(|error| fail(error.into()))
    }

    /// The store's own record.
    pub(crate) fn state(&self) -> Result<StoreRecord, StoreError> {
        let transaction = self.begin_read()?;
        self.state_in(&transaction)
    }

    /// The store's own record, as a transaction sees it.
    pub(crate) fn state_in(&self, transaction: &ReadTransaction) -> Result<StoreRecord, StoreError> {
        let read = || -> Result<Option<Vec<u8>>, redb::Error> {
            Ok(transaction.open_table(STATE)?.get(ROW)?.map(|row| row.value().to_vec()))
        };
        let bytes = read().map_err(|error| StoreError::redb(self.path(), "read", error))?;
        let bytes = bytes.ok_or_else(|| self.damaged("it has no record of its state"))?;
        postcard::from_bytes(&bytes).map_err(|error| self.damaged(format!("its record of its state: {error}")))
    }

    /// Entries of revisions from `first` to `last`, both included, at most `limit`, oldest first.
    pub(crate) fn entries(
        &self,
        transaction: &ReadTransaction,
        first: Revision,
        last: Revision,
        limit: usize,
    ) -> Result<Vec<LogEntry>, StoreError> {
        if first > last {
            return Ok(Vec::new());
        }
        let read = || -> Result<Vec<Vec<u8>>, redb::Error> {
            let log = transaction.open_table(LOG)?;
            let rows = log.range(first.0..=last.0)?.take(limit);
            rows.map(|row| Ok(row?.1.value().to_vec())).collect()
        };
        let rows = read().map_err(|error| StoreError::redb(self.path(), "read", error))?;
        rows.iter().map(|bytes| self.decode(bytes)).collect()
    }

    /// An entry from the log's bytes.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Result<LogEntry, StoreError> {
        LogEntry::decode(bytes).map_err(|error| self.damaged(format!("an entry of its log: {error}")))
    }
}

/// Writes the store's own record.
pub(crate) fn write_state(transaction: &WriteTransaction, state: &StoreRecord) -> Result<(), redb::Error> {
    let bytes = postcard::to_stdvec(state).expect("a state in memory can be written to memory");
    transaction.open_table(STATE)?.insert(ROW, bytes.as_slice())?;
    Ok(())
}

/// Upgrades format 1 to 2: builds the index of writes by document from the log, completely or not
/// at all.
fn index_log(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    let mut touched = transaction.open_table(TOUCHED)?;
    for row in transaction.open_table(LOG)?.iter()? {
        let (revision, bytes) = row?;
        let entry = LogEntry::decode(bytes.value())
            .map_err(|error| redb::Error::Corrupted(format!("the entry of revision {}: {error}", revision.value())))?;
        for write in &entry.writes {
            touched.insert((write.key.kind(), write.key.name(), revision.value()), ())?;
        }
    }
    transaction.open_table(FORMAT)?.insert(ROW, FORMAT_NEWEST)?;
    Ok(())
}
