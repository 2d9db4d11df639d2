//! Reads the log: the history of a document, past states, differences between two revisions, and
//! audits.

use crate::disk::{LOG, TOUCHED};
use crate::error::StoreError;
use crate::key::DocumentKey;
use crate::log::LogEntry;
use crate::object::{Object, Revision};
use crate::shared::StoreShared;
use crate::snapshot::{Snapshot, View};
use redb::ReadTransaction;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Entries read from the log at a time.
const READ_AT_ONCE: usize = 512;

/// One document at one of its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The revision of the change.
    pub revision: Revision,
    /// Its time, microseconds since 1970, by the caller's clock.
    pub at: u64,
    pub actor: String,
    /// The request it belonged to.
    pub request_id: String,
    pub reason: String,
    /// The document before.
    pub before: Option<Object>,
    /// The document after; `None` if it was removed.
    pub after: Option<Object>,
}

/// A document that differs between two revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionDifference {
    /// The document.
    pub key: DocumentKey,
    /// At the first revision.
    pub before: Option<Object>,
    /// At the second.
    pub after: Option<Object>,
}

/// The entries that an audit asks for. Absent conditions always match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// Made by this actor.
    pub actor: Option<String>,
    /// That wrote a document of this kind.
    pub kind: Option<String>,
    /// That wrote a document whose name starts with this.
    pub name_prefix: Option<String>,
    /// Made at this time or later, microseconds since 1970.
    pub from: Option<u64>,
    /// Made before this time, microseconds since 1970.
    pub until: Option<u64>,
    /// Older than this revision, where the previous page ended.
    pub before: Option<Revision>,
}

impl AuditQuery {
    fn matches(&self, entry: &LogEntry) -> bool {
        let wrote = |key: &DocumentKey| {
            self.kind.as_ref().is_none_or(|kind| kind == key.kind())
                && self.name_prefix.as_ref().is_none_or(|prefix| key.name().starts_with(prefix.as_str()))
        };
        let asks_for_a_key = self.kind.is_some() || self.name_prefix.is_some();
        self.actor.as_ref().is_none_or(|actor| *actor == entry.actor)
            && self.from.is_none_or(|from| entry.at >= from)
            && self.until.is_none_or(|until| entry.at < until)
            && (!asks_for_a_key || entry.writes.iter().any(|write| wrote(&write.key)))
    }
}

/// A part of an audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPage {
    /// Entries that match, newest first.
    pub entries: Vec<LogEntry>,
    /// Where the next page begins ([`AuditQuery::before`]); `None` at the end of the log. A page
    /// may be short or even empty without being the last, because each one reads a bounded part of
    /// the log.
    pub next: Option<Revision>,
}

/// The log as of one moment.
struct Reader<'a> {
    shared: &'a StoreShared,
    transaction: ReadTransaction,
    view: Arc<View>,
    oldest: Revision,
}

impl<'a> Reader<'a> {
    fn new(shared: &'a StoreShared) -> Result<Self, StoreError> {
        // Load the view first: the disk may be ahead of it, never behind.
        let view = shared.view.load_full();
        let transaction = shared.disk.begin_read()?;
        let oldest = shared.disk.state_in(&transaction)?.oldest;
        Ok(Self { shared, transaction, view, oldest })
    }

    /// Checks that the state after `revision` can be restored.
    fn examine(&self, revision: Revision) -> Result<(), StoreError> {
        let newest = self.view.state.revision;
        if revision > newest {
            return Err(StoreError::Future { asked: revision, newest });
        }
        if revision.next() < self.oldest {
            return Err(StoreError::Compacted { asked: revision, oldest: self.oldest });
        }
        Ok(())
    }

    /// Entries from `last` back to `first`, newest first, until `look` has enough.
    fn backwards(
        &self,
        first: Revision,
        last: Revision,
        mut look: impl FnMut(LogEntry) -> bool,
    ) -> Result<(), StoreError> {
        let mut end = last.0;
        while end >= first.0 && end > 0 {
            let start = first.0.max(end.saturating_sub(READ_AT_ONCE as u64 - 1)).max(1);
            let entries = self.shared.disk.entries(&self.transaction, Revision(start), Revision(end), READ_AT_ONCE)?;
            if entries.len() as u64 != end - start + 1 {
                return Err(self.shared.disk.damaged(format!("its log has a gap between {start} and {end}")));
            }
            for entry in entries.into_iter().rev() {
                if !look(entry) {
                    return Ok(());
                }
            }
            end = start - 1;
        }
        Ok(())
    }
}

impl StoreShared {
    /// The state after `revision`: the present one with all later changes undone.
    pub(crate) fn at(&self, revision: Revision) -> Result<Snapshot, StoreError> {
        let reader = Reader::new(self)?;
        reader.examine(revision)?;
        let mut view = View::clone(&reader.view);
        reader.backwards(revision.next(), reader.view.state.revision, |entry| {
            for write in entry.writes {
                match write.before {
                    Some(object) => view.objects.insert_mut(write.key, object),
                    None => {
                        view.objects.remove_mut(&write.key);
                    }
                }
            }
            view.state.head = entry.previous;
            true
        })?;
        view.state.revision = revision;
        view.state.oldest = reader.oldest;
        Ok(Snapshot::new(Arc::new(view)))
    }

    /// The differences between two revisions, in the order of keys.
    pub(crate) fn diff(&self, from: Revision, to: Revision) -> Result<Vec<RevisionDifference>, StoreError> {
        let reader = Reader::new(self)?;
        reader.examine(from)?;
        reader.examine(to)?;
        let mut changed: BTreeMap<DocumentKey, (Option<Object>, Option<Object>)> = BTreeMap::new();
        reader.backwards(from.min(to).next(), from.max(to), |entry| {
            for write in entry.writes {
                let (older, newer) = (write.before, write.after);
                changed.entry(write.key).and_modify(|both| both.0 = older.clone()).or_insert((older, newer));
            }
            true
        })?;
        let differences = changed.into_iter().filter(|(_, (older, newer))| older != newer);
        Ok(differences
            .map(|(key, (older, newer))| {
                let (before, after) = if from <= to { (older, newer) } else { (newer, older) };
                RevisionDifference { key, before, after }
            })
            .collect())
    }

    /// The changes of one document, newest first, before a revision.
    pub(crate) fn history(
        &self,
        key: &DocumentKey,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Vec<Past>, StoreError> {
        let reader = Reader::new(self)?;
        let newest = reader.view.state.revision.0;
        let end = before.map_or(newest + 1, |before| before.0.min(newest + 1));
        let look = || -> Result<Vec<Vec<u8>>, redb::Error> {
            let touched = reader.transaction.open_table(TOUCHED)?;
            let log = reader.transaction.open_table(LOG)?;
            let mut found = Vec::new();
            for row in touched.range((key.kind(), key.name(), 0)..(key.kind(), key.name(), end))?.rev().take(limit) {
                let revision = row?.0.value().2;
                found.extend(log.get(revision)?.map(|bytes| bytes.value().to_vec()));
            }
            Ok(found)
        };
        let found = look().map_err(|error| StoreError::redb(self.disk.path(), "read", error))?;
        let mut past = Vec::with_capacity(found.len());
        for bytes in found {
            let mut entry = self.disk.decode(&bytes)?;
            let Some(place) = entry.writes.iter().position(|write| write.key == *key) else {
                return Err(self
                    .disk
                    .damaged(format!("revision {} does not write {key}, its index says so", entry.revision)));
            };
            let write = entry.writes.swap_remove(place);
            past.push(Past {
                revision: entry.revision,
                at: entry.at,
                actor: entry.actor,
                request_id: entry.request_id,
                reason: entry.reason,
                before: write.before,
                after: write.after,
            });
        }
        Ok(past)
    }

    /// Matching entries, newest first.
    pub(crate) fn audit(&self, query: &AuditQuery, limit: usize, looked_at: usize) -> Result<AuditPage, StoreError> {
        let reader = Reader::new(self)?;
        let newest = reader.view.state.revision;
        let last = query.before.map_or(newest, |before| Revision(before.0.saturating_sub(1)).min(newest));
        let mut page = AuditPage { entries: Vec::new(), next: None };
        let mut looked = 0;
        reader.backwards(reader.oldest, last, |entry| {
            looked += 1;
            let revision = entry.revision;
            if query.matches(&entry) {
                page.entries.push(entry);
            }
            let is_enough = page.entries.len() >= limit || looked >= looked_at;
            page.next = (is_enough && revision > reader.oldest).then_some(revision);
            !is_enough
        })?;
        Ok(page)
    }

    /// Entries after `revision`, oldest first, at most `limit`.
    pub(crate) fn entries_after(&self, revision: Revision, limit: usize) -> Result<Vec<LogEntry>, StoreError> {
        let reader = Reader::new(self)?;
        reader.examine(revision)?;
        let newest = reader.view.state.revision;
        self.disk.entries(&reader.transaction, revision.next(), newest, limit)
    }
}
