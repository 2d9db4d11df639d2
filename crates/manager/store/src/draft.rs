//! The result of a batch: computed in memory, then written as one transaction, then published.

use crate::change::{Change, Committed};
use crate::error::{FollowProblem, StoreError};
use crate::key::DocumentKey;
use crate::log::{EntryWrite, IdempotencyKey, LogEntry};
use crate::object::{Object, Revision};
use crate::remembered::{Remembered, RememberedUses};
use crate::snapshot::{Objects, StoreRecord, View};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Entries on top of a view that are not on the disk yet.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The state after them.
    pub state: StoreRecord,
    /// The documents after them.
    pub objects: Objects,
    /// The entries, each with its bytes.
    pub entries: Vec<(Arc<LogEntry>, Vec<u8>)>,
    /// The final state of the documents that they write.
    pub touched: BTreeMap<DocumentKey, Option<Object>>,
    /// Their idempotency keys.
    pub remembered: HashMap<String, Remembered>,
}

impl Draft {
    /// A draft without entries.
    pub(crate) fn new(view: &View) -> Self {
        Self {
            state: view.state.clone(),
            objects: view.objects.clone(),
            entries: Vec::new(),
            touched: BTreeMap::new(),
            remembered: HashMap::new(),
        }
    }

    /// The view to publish after the draft is on the disk.
    pub(crate) fn view(&self) -> View {
        View { state: self.state.clone(), objects: self.objects.clone() }
    }

    /// Adds a change, if the state so far permits it.
    pub(crate) fn apply(&mut self, change: &Change, memory: &RememberedUses) -> Result<Committed, StoreError> {
        if self.state.leads != Some(self.state.known) {
            return Err(StoreError::Fenced { own: self.state.leads, known: self.state.known });
        }
        let once = change.idempotency_key.as_ref().map(|key| IdempotencyKey { key: key.clone(), body: change.body() });
        if let Some(once) = &once {
            let first = self.remembered.get(&once.key).or_else(|| memory.get(&once.key, change.at));
            if let Some(first) = first {
                if first.once.body != once.body {
                    return Err(StoreError::IdempotencyConflict { key: once.key.clone(), first: first.revision });
                }
                return Ok(Committed { revision: first.revision, is_repeat: true });
            }
        }
        for write in &change.writes {
            let found = self.objects.get(&write.key).map(|object| object.modified);
            if !write.expect.is_met_by(found) {
                return Err(StoreError::Precondition { key: write.key.clone(), expected: write.expect, found });
            }
        }
        let revision = self.state.revision.next();
        let mut writes = Vec::with_capacity(change.writes.len());
        for write in &change.writes {
            let before = self.objects.get(&write.key).cloned();
            let after = write.value.as_ref().map(|value| Object::written(before.as_ref(), revision, Arc::clone(value)));
            if before.is_some() || after.is_some() {
                writes.push(EntryWrite { key: write.key.clone(), before, after });
            }
        }
        self.push(LogEntry {
            revision,
            epoch: self.state.known,
            previous: self.state.head,
            at: change.at,
            actor: change.actor.clone(),
            request_id: change.request_id.clone(),
            reason: change.reason.clone(),
            once,
            writes,
        });
        Ok(Committed { revision, is_repeat: false })
    }

    /// Adds an entry of the leader, if it continues this store's log. Returns whether it was new.
    pub(crate) fn accept(&mut self, entry: &LogEntry) -> Result<(), FollowProblem> {
        let expected = self.state.revision.next();
        if entry.revision != expected {
            return Err(FollowProblem::Gap { expected, found: entry.revision });
        }
        if self.state.revision == Revision(0) && self.objects.is_empty() && self.entries.is_empty() {
            // An empty store has no history of its own yet and joins the leader's.
            self.state.origin = entry.previous;
            self.state.head = entry.previous;
        }
        if entry.previous != self.state.head {
            return Err(FollowProblem::Diverged {
                revision: entry.revision,
                ours: self.state.head,
                theirs: entry.previous,
            });
        }
        let nonsense = |what: String| Err(FollowProblem::Nonsense { revision: entry.revision, what });
        let mut seen = BTreeSet::new();
        for write in &entry.writes {
            if let Err(problem) = write.key.examine() {
                return nonsense(problem.to_string());
            }
            if !seen.insert(&write.key) {
                return nonsense(format!("it writes {} twice", write.key));
            }
            if self.objects.get(&write.key) != write.before.as_ref() {
                return nonsense(format!("what it says {} was before is not what is here", write.key));
            }
            let after =
                |after: &Object| Object::written(write.before.as_ref(), entry.revision, Arc::clone(&after.value));
            if write.after.as_ref().map(after) != write.after {
                return nonsense(format!("what it says of {} after is not what its value makes of it", write.key));
            }
        }
        self.push(entry.clone());
        Ok(())
    }

    fn push(&mut self, entry: LogEntry) {
        for write in &entry.writes {
            match &write.after {
                Some(object) => self.objects.insert_mut(write.key.clone(), object.clone()),
                None => {
                    self.objects.remove_mut(&write.key);
                }
            }
            self.touched.insert(write.key.clone(), write.after.clone());
        }
        if let Some(once) = &entry.once {
            let remembered = Remembered { once: once.clone(), at: entry.at, revision: entry.revision };
            self.remembered.insert(once.key.clone(), remembered);
        }
        let bytes = entry.encode();
        self.state.revision = entry.revision;
        self.state.head = crate::log::Hash::of(&bytes);
        self.entries.push((Arc::new(entry), bytes));
    }
}
