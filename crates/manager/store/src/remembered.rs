//! Remembers used idempotency keys, for the time and up to the number in the options.

use crate::log::IdempotencyKey;
use crate::object::Revision;
use crate::options::StoreOptions;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// One use of an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// The key and the hash of the request.
    pub once: IdempotencyKey,
    /// The caller's time of the change, microseconds since 1970.
    pub at: u64,
    /// The revision of the change.
    pub revision: Revision,
}

#[derive(Debug, Default)]
pub(crate) struct RememberedUses {
    by_key: HashMap<String, Remembered>,
    by_revision: BTreeMap<Revision, String>,
    micros_max: u64,
    count_max: usize,
}

impl RememberedUses {
    pub(crate) fn new(options: &StoreOptions) -> Self {
        Self { micros_max: options.remembered_micros, count_max: options.remembered_max, ..Self::default() }
    }

    /// The first use of `key`, unless that is too long ago at `now`.
    pub(crate) fn get(&self, key: &str, now: u64) -> Option<&Remembered> {
        self.by_key.get(key).filter(|use_| use_.at.saturating_add(self.micros_max) >= now)
    }

    /// Remembers a use; a later one replaces an earlier one.
    pub(crate) fn insert(&mut self, remembered: Remembered) {
        let key = remembered.once.key.clone();
        self.by_revision.insert(remembered.revision, key.clone());
        if let Some(old) = self.by_key.insert(key, remembered) {
            self.by_revision.remove(&old.revision);
        }
    }

    /// The revisions whose uses must be forgotten to make room for `new` more at `now`, oldest
    /// first.
    pub(crate) fn outdated(&self, new: usize, now: u64) -> Vec<Revision> {
        let surplus = (self.by_revision.len() + new).saturating_sub(self.count_max);
        let is_old = |key: &String| self.get(key, now).is_none();
        self.by_revision
            .iter()
            .enumerate()
            .take_while(|(place, (_, key))| *place < surplus || is_old(key))
            .map(|(_, (revision, _))| *revision)
            .collect()
    }

    /// The revision of the use of `key` that a new one would replace.
    pub(crate) fn replaced(&self, key: &str) -> Option<Revision> {
        self.by_key.get(key).map(|old| old.revision)
    }

    /// Forgets the use at `revision`.
    pub(crate) fn remove(&mut self, revision: Revision) {
        if let Some(key) = self.by_revision.remove(&revision) {
            self.by_key.remove(&key);
        }
    }
}
