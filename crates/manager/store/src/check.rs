//! Proves that the log and the documents agree.

use crate::disk::{Disk, LOG, OBJECTS, TOUCHED};
use crate::error::StoreError;
use crate::key::DocumentKey;
use crate::log::{Epoch, Hash, LogEntry};
use crate::object::{Object, Revision};
use crate::snapshot::StoreRecord;
use redb::{ReadableTable, ReadableTableMetadata};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The content of a store or a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreSummary {
    /// The newest revision.
    pub revision: Revision,
    /// The oldest revision in the log; one past the newest if the log is empty.
    pub oldest: Revision,
    /// The latest known epoch.
    pub epoch: Epoch,
    /// The hash of the newest entry.
    pub head: Hash,
    /// The number of documents.
    pub objects: u64,
    /// The number of log entries.
    pub entries: u64,
    /// The caller's time of the backup, microseconds since 1970; 0 for a store.
    pub at: u64,
}

/// A check that reads a log from its oldest entry, with the documents as known from it.
#[derive(Debug)]
pub(crate) struct LogCheck {
    state: StoreRecord,
    next: Revision,
    head: Option<Hash>,
    epoch: Epoch,
    /// Documents that the log has written, in their state after the newest entry so far.
    written: BTreeMap<DocumentKey, Option<Object>>,
    objects: u64,
    entries: u64,
}

impl LogCheck {
    pub(crate) fn new(state: &StoreRecord) -> Self {
        Self {
            next: state.oldest,
            state: state.clone(),
            head: None,
            epoch: Epoch(0),
            written: BTreeMap::new(),
            objects: 0,
            entries: 0,
        }
    }

    /// Checks the next entry, stored as `bytes`.
    pub(crate) fn entry(&mut self, bytes: &[u8]) -> Result<LogEntry, String> {
        let entry = LogEntry::decode(bytes).map_err(|error| format!("the entry of revision {}: {error}", self.next))?;
        let revision = entry.revision;
        if revision != self.next {
            return Err(format!("the log has revision {revision} where {} should be", self.next));
        }
        let previous = self.head.or((revision == Revision(1)).then_some(self.state.origin));
        if previous.is_some_and(|previous| previous != entry.previous) {
            return Err(format!("the entry of revision {revision} does not have the hash of the previous one"));
        }
        if entry.epoch < self.epoch {
            return Err(format!(
                "the entry of revision {revision} has epoch {}, the one before {}",
                entry.epoch, self.epoch
            ));
        }
        for write in &entry.writes {
            let key = &write.key;
            let is_first_of_log = self.state.oldest == Revision(1);
            let known = match self.written.get(key) {
                Some(known) => Some(known.as_ref()),
                None => is_first_of_log.then_some(None),
            };
            if known.is_some_and(|known| known != write.before.as_ref()) {
                return Err(format!("the earlier value of {key} in revision {revision} is not the one in the log"));
            }
            let after = |after: &Object| Object::written(write.before.as_ref(), revision, Arc::clone(&after.value));
            if write.after.as_ref().map(after) != write.after {
                return Err(format!("revision {revision} does not make of {key} what its value makes of it"));
            }
            self.written.insert(key.clone(), write.after.clone());
        }
        self.head = Some(Hash::of(bytes));
        self.epoch = entry.epoch;
        self.next = revision.next();
        self.entries += 1;
        Ok(entry)
    }

    /// Checks a document, after the whole log.
    pub(crate) fn object(&mut self, key: &DocumentKey, object: &Object) -> Result<(), String> {
        self.objects += 1;
        match self.written.remove(key) {
            Some(Some(written)) if written == *object => Ok(()),
            Some(Some(_)) => Err(format!("{key} is not what the log made of it")),
            Some(None) => Err(format!("{key} is there, the log has removed it")),
            None if object.modified < self.state.oldest => Ok(()),
            None => Err(format!("{key} was written by revision {}, but the log has no such write", object.modified)),
        }
    }

    /// The summary, after all documents.
    pub(crate) fn finish(self, at: u64) -> Result<StoreSummary, String> {
        let Self { state, next, head, .. } = self;
        if next != state.revision.next() {
            return Err(format!("the log ends before revision {next}, the newest is {}", state.revision));
        }
        if head.is_some_and(|head| head != state.head) {
            return Err("the newest entry does not have the recorded hash".to_owned());
        }
        if let Some((key, _)) = self.written.iter().find(|(_, object)| object.is_some()) {
            return Err(format!("{key} is missing, the log has written it"));
        }
        Ok(StoreSummary {
            revision: state.revision,
            oldest: state.oldest,
            epoch: state.known,
            head: state.head,
            objects: self.objects,
            entries: self.entries,
            at,
        })
    }
}

/// Checks a store's file, as of one moment.
pub(crate) fn check(disk: &Disk) -> Result<StoreSummary, StoreError> {
    let transaction = disk.begin_read()?;
    let state = disk.state_in(&transaction)?;
    let mut proof = LogCheck::new(&state);
    let look = || -> Result<Result<StoreSummary, String>, redb::Error> {
        let touched = transaction.open_table(TOUCHED)?;
        let mut writes = 0;
        for row in transaction.open_table(LOG)?.iter()? {
            let entry = match proof.entry(row?.1.value()) {
                Ok(entry) => entry,
                Err(wrong) => return Ok(Err(wrong)),
            };
            for write in &entry.writes {
                writes += 1;
                if touched.get((write.key.kind(), write.key.name(), entry.revision.0))?.is_none() {
                    return Ok(Err(format!("the index lacks that revision {} writes {}", entry.revision, write.key)));
                }
            }
        }
        if touched.len()? != writes {
            return Ok(Err(format!("the index has {} writes, the log {writes}", touched.len()?)));
        }
        for row in transaction.open_table(OBJECTS)?.iter()? {
            let (key, bytes) = row?;
            let key = DocumentKey::bound(key.value().0, key.value().1);
            let taken = postcard::from_bytes(bytes.value())
                .map_err(|error| format!("{key}: {error}"))
                .and_then(|object| proof.object(&key, &object));
            if let Err(wrong) = taken {
                return Ok(Err(wrong));
            }
        }
        Ok(proof.finish(0))
    };
    look().map_err(|error| StoreError::redb(disk.path(), "read", error))?.map_err(|wrong| disk.damaged(wrong))
}
