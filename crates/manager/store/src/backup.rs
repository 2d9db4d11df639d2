//! Backups: a whole store as of one moment, in one file of records that each carry a checksum.
//!
//! ```text
//! "PHILAESB" | version u32 | records ...       all numbers little endian
//! record: sort u8 | length u32 | crc32 of sort, length and bytes u32 | bytes
//! sorts, in this order: 1 head, 2 entry ..., 3 document ..., 4 idempotency key ..., 5 end
//! ```
//!
//! The end record carries the blake3 of everything before it, so that a missing or misplaced record
//! is also found.

use crate::check::{LogCheck, StoreSummary};
use crate::disk::{Disk, FILE_NAME, LOG, OBJECTS, REMEMBERED, TOUCHED};
use crate::error::StoreError;
use crate::key::DocumentKey;
use crate::log::LogEntry;
use crate::object::Object;
use crate::remembered::Remembered;
use crate::snapshot::StoreRecord;
use crate::store::{LOCK_NAME, create, lock};
use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"PHILAESB";
/// The version of the backup's format that this release writes and reads.
pub const BACKUP_FORMAT: u32 = 1;
/// Records that a restore writes in one transaction.
const RESTORED_AT_ONCE: usize = 4_096;
/// Bytes of records after which such a transaction ends.
const RESTORED_BYTES_AT_ONCE: usize = 32 << 20;

const HEAD: u8 = 1;
const ENTRY: u8 = 2;
const OBJECT: u8 = 3;
const ONCE: u8 = 4;
const END: u8 = 5;

#[derive(Serialize, Deserialize)]
struct Head {
    at: u64,
    state: StoreRecord,
}

/// A file that counts and hashes the bytes written to it.
struct Sink {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes)
    }

    fn record(&mut self, sort: u8, bytes: &[u8]) -> io::Result<()> {
        let length = u32::try_from(bytes.len())
            .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a record of 4 GiB or more"))?;
        self.write(&[sort])?;
        self.write(&length.to_le_bytes())?;
        self.write(&checksum(sort, length, bytes).to_le_bytes())?;
        self.write(bytes)
    }
}

fn checksum(sort: u8, length: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[sort]);
    hasher.update(&length.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

fn plain<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("a record in memory can be written to memory")
}

/// Writes a backup.
pub(crate) fn write(disk: &Disk, file: &Path, at: u64) -> Result<StoreSummary, StoreError> {
    let occupied = || StoreError::Occupied { path: file.to_owned(), remedy: "; name a new file" };
    if file.exists() {
        return Err(occupied());
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.unfinished", std::process::id()));
    let unfinished = file.with_file_name(name);
    let fail = |error: &io::Error| StoreError::io(&unfinished, "write", error);
    let written = (|| {
        let target = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished);
        let target = target.map_err(|error| fail(&error))?;
        let mut sink = Sink { file: BufWriter::with_capacity(1 << 20, target), hasher: blake3::Hasher::new() };
        let summary = write_records(disk, &mut sink, at, &fail)?;
        let target = sink.file.into_inner().map_err(|error| fail(error.error()))?;
        target.sync_all().map_err(|error| fail(&error))?;
        Ok(summary)
    })();
    let finished = written.and_then(|summary| {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        renameat_with(CWD, &unfinished, CWD, file, RenameFlags::NOREPLACE).map_err(|error| match error {
            rustix::io::Errno::EXIST => occupied(),
            other => StoreError::io(file, "write", &other.into()),
        })?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(parent)
            .and_then(|parent| parent.sync_all())
            .map_err(|error| StoreError::io(parent, "write", &error))?;
        Ok(summary)
    });
    if finished.is_err() {
        drop(fs::remove_file(&unfinished));
    }
    finished
}

fn write_records(
    disk: &Disk,
    sink: &mut Sink,
    at: u64,
    fail: &impl Fn(&io::Error) -> StoreError,
) -> Result<StoreSummary, StoreError> {
    let transaction = disk.begin_read()?;
    let state = disk.state_in(&transaction)?;
    let mut summary = StoreSummary {
        revision: state.revision,
        oldest: state.oldest,
        epoch: state.known,
        head: state.head,
        objects: 0,
        entries: 0,
        at,
    };
    let start = |sink: &mut Sink| {
        sink.write(MAGIC)?;
        sink.write(&BACKUP_FORMAT.to_le_bytes())?;
        sink.record(HEAD, &plain(&Head { at, state }))
    };
    start(sink).map_err(|error| fail(&error))?;
    let mut full = None;
    let mut copy = |sort: u8, bytes: &[u8]| match sink.record(sort, bytes) {
        Ok(()) => true,
        Err(error) => {
            full = Some(error);
            false
        }
    };
    let mut read = || -> Result<(), redb::Error> {
        for row in transaction.open_table(LOG)?.iter()? {
            summary.entries += 1;
            if !copy(ENTRY, row?.1.value()) {
                return Ok(());
            }
        }
        for row in transaction.open_table(OBJECTS)?.iter()? {
            let (key, value) = row?;
            let (kind, name) = key.value();
            summary.objects += 1;
            if !copy(OBJECT, &plain(&(kind, name, value.value()))) {
                return Ok(());
            }
        }
        for row in transaction.open_table(REMEMBERED)?.iter()? {
            if !copy(ONCE, row?.1.value()) {
                return Ok(());
            }
        }
        Ok(())
    };
    read().map_err(|error| StoreError::redb(disk.path(), "read", error))?;
    if let Some(error) = full {
        return Err(fail(&error));
    }
    let all = *sink.hasher.finalize().as_bytes();
    sink.record(END, &all).map_err(|error| fail(&error))?;
    Ok(summary)
}

/// A backup during reading.
struct Source {
    path: PathBuf,
    file: BufReader<File>,
    hasher: blake3::Hasher,
    left: u64,
}

impl Source {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let fail = |error: io::Error| StoreError::io(path, "read", &error);
        let file = File::open(path).map_err(fail)?;
        let left = file.metadata().map_err(fail)?.len();
        let file = BufReader::with_capacity(1 << 20, file);
        let mut source = Self { path: path.to_owned(), file, hasher: blake3::Hasher::new(), left };
        let magic = source.take(MAGIC.len() as u64)?;
        if magic != MAGIC {
            return Err(source.damaged("it is not a backup of this program"));
        }
        let version = source.number()?;
        if version != BACKUP_FORMAT {
            let supported = u64::from(BACKUP_FORMAT);
            let path = path.to_owned();
            return Err(StoreError::NewerFormat { path, found: version.into(), oldest: supported, newest: supported });
        }
        Ok(source)
    }

    fn damaged(&self, what: impl Into<String>) -> StoreError {
        StoreError::DamagedBackup { path: self.path.clone(), what: what.into() }
    }

    fn take(&mut self, length: u64) -> Result<Vec<u8>, StoreError> {
        if length > self.left {
            return Err(self.damaged(format!("it ends {} bytes too early", length - self.left)));
        }
        self.left -= length;
        let mut bytes = vec![0; usize::try_from(length).expect("a length of 32 bits fits")];
        self.file.read_exact(&mut bytes).map_err(|error| StoreError::io(&self.path, "read", &error))?;
        self.hasher.update(&bytes);
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u32, StoreError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    /// The next record: its sort and its bytes.
    fn record(&mut self) -> Result<(u8, Vec<u8>), StoreError> {
        let before = *self.hasher.finalize().as_bytes();
        let at = self.file.get_ref().metadata().map_or(0, |data| data.len()) - self.left;
        let sort = self.take(1)?[0];
        let length = self.number()?;
        let expected = self.number()?;
        let bytes = self.take(length.into())?;
        if checksum(sort, length, &bytes) != expected {
            return Err(self.damaged(format!("the record at byte {at} does not have its checksum")));
        }
        if sort == END && bytes != before {
            return Err(self.damaged("the records differ from those that were written, or their order does"));
        }
        Ok((sort, bytes))
    }

    fn read<T: for<'a> Deserialize<'a>>(&self, bytes: &[u8]) -> Result<T, StoreError> {
        postcard::from_bytes(bytes).map_err(|error| self.damaged(format!("a record cannot be read: {error}")))
    }
}

/// One parsed record of a backup.
pub(crate) enum BackupRecord {
    Entry(LogEntry, Vec<u8>),
    Object(DocumentKey, Vec<u8>),
    Once(Remembered),
}

/// Reads a whole backup, proves that it is consistent, and passes each record to `look`.
fn walk(
    path: &Path,
    mut look: impl FnMut(BackupRecord) -> Result<(), StoreError>,
) -> Result<(StoreSummary, StoreRecord), StoreError> {
    let mut source = Source::open(path)?;
    let (sort, bytes) = source.record()?;
    if sort != HEAD {
        return Err(source.damaged("it has no head"));
    }
    let Head { at, state } = source.read(&bytes)?;
    let mut proof = LogCheck::new(&state);
    let mut latest = HEAD;
    loop {
        let (sort, bytes) = source.record()?;
        if sort < latest {
            return Err(source.damaged(format!("a record of sort {sort} comes after one of sort {latest}")));
        }
        latest = sort;
        match sort {
            ENTRY => {
                let entry = proof.entry(&bytes).map_err(|wrong| source.damaged(wrong))?;
                look(BackupRecord::Entry(entry, bytes))?;
            }
            OBJECT => {
                let (key, value) = document(&source, &bytes)?;
                let object: Object = source.read(&value)?;
                proof.object(&key, &object).map_err(|wrong| source.damaged(wrong))?;
                look(BackupRecord::Object(key, value))?;
            }
            ONCE => {
                let once = source.read(&bytes)?;
                look(BackupRecord::Once(once))?;
            }
            END if source.left == 0 => break,
            END => return Err(source.damaged(format!("{} bytes follow its end", source.left))),
            other => return Err(source.damaged(format!("it has a record of the unknown sort {other}"))),
        }
    }
    let summary = proof.finish(at).map_err(|wrong| source.damaged(wrong))?;
    Ok((summary, state))
}

fn document(source: &Source, bytes: &[u8]) -> Result<(DocumentKey, Vec<u8>), StoreError> {
    let (kind, name, value): (String, String, Vec<u8>) = source.read(bytes)?;
    let key = DocumentKey::new(&kind, &name).map_err(|problem| source.damaged(problem.to_string()))?;
    Ok((key, value))
}

/// Reads a whole backup and proves that it can be restored.
///
/// # Errors
/// If it cannot be read, is damaged or of another format; the error states the problem.
pub fn verify(backup: &Path) -> Result<StoreSummary, StoreError> {
    walk(backup, |_| Ok(())).map(|(summary, _)| summary)
}

/// Makes a store from a backup, in a directory that is empty or does not exist. The store does not
/// lead, because the original may still lead elsewhere. [`crate::Store::promote`] makes it lead,
/// with an epoch that fences the other.
///
/// # Errors
/// As [`verify`]; `Occupied` if the directory is not empty. Then no store is left in it.
pub fn restore(backup: &Path, directory: &Path) -> Result<StoreSummary, StoreError> {
    // Read all of it first, so that a damaged backup leaves the directory unchanged.
    let (summary, mut state) = walk(backup, |_| Ok(()))?;
    state.leads = None;
    if let Ok(files) = fs::read_dir(directory) {
        let leftover = format!("{FILE_NAME}.unfinished");
        let is_ours = |file: &fs::DirEntry| file.file_name() == LOCK_NAME || file.file_name() == leftover.as_str();
        if files.flatten().any(|file| !is_ours(&file)) {
            let remedy = " and is not empty; a backup is restored into an empty directory only";
            return Err(StoreError::Occupied { path: directory.to_owned(), remedy });
        }
    }
    let _lock = lock(directory)?;
    let made = create(directory, &state, |disk| fill(disk, backup));
    if made.is_err() {
        drop(fs::remove_file(directory.join(format!("{FILE_NAME}.unfinished"))));
    }
    made.map(|()| summary)
}

/// Reads a whole backup into memory and proves it. Passes each entry with its bytes to `look`.
pub(crate) fn read(
    backup: &Path,
    mut look: impl FnMut(&LogEntry, &[u8]) -> Result<(), StoreError>,
) -> Result<(Vec<BackupRecord>, StoreRecord), StoreError> {
    let mut records = Vec::new();
    let (_, state) = walk(backup, |record| {
        if let BackupRecord::Entry(entry, bytes) = &record {
            look(entry, bytes)?;
        }
        records.push(record);
        Ok(())
    })?;
    Ok((records, state))
}

fn fill(disk: &Disk, backup: &Path) -> Result<(), StoreError> {
    let mut waiting = Vec::new();
    let mut bytes = 0;
    walk(backup, |record| {
        bytes += match &record {
            BackupRecord::Entry(_, stored) | BackupRecord::Object(_, stored) => stored.len(),
            BackupRecord::Once(_) => 0,
        };
        waiting.push(record);
        if waiting.len() < RESTORED_AT_ONCE && bytes < RESTORED_BYTES_AT_ONCE {
            return Ok(());
        }
        bytes = 0;
        disk.write("restore into", |transaction| put(transaction, &mut waiting))
    })?;
    disk.write("restore into", |transaction| put(transaction, &mut waiting))?;
    crate::check::check(disk).map(|_| ())
}

/// Writes records of a backup, and creates missing tables.
pub(crate) fn put(transaction: &WriteTransaction, records: &mut Vec<BackupRecord>) -> Result<(), redb::Error> {
    let mut log = transaction.open_table(LOG)?;
    let mut touched = transaction.open_table(TOUCHED)?;
    let mut objects = transaction.open_table(OBJECTS)?;
    let mut remembered = transaction.open_table(REMEMBERED)?;
    for record in records.drain(..) {
        match record {
            BackupRecord::Entry(entry, bytes) => {
                log.insert(entry.revision.0, bytes.as_slice())?;
                for write in &entry.writes {
                    touched.insert((write.key.kind(), write.key.name(), entry.revision.0), ())?;
                }
            }
            BackupRecord::Object(key, bytes) => {
                objects.insert((key.kind(), key.name()), bytes.as_slice())?;
            }
            BackupRecord::Once(once) => {
                remembered.insert(once.revision.0, plain(&once).as_slice())?;
            }
        }
    }
    Ok(())
}
