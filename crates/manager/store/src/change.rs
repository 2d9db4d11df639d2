//! A change: the writes that a caller asks the store to make in one step.

use crate::error::{ChangeProblem, StoreError};
use crate::key::DocumentKey;
use crate::log::{Hash, LogEntry};
use crate::object::Revision;
use crate::options::StoreOptions;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A condition on a document before a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Expect {
    /// No condition: replace any existing document.
    Any,
    /// No document has this key.
    Absent,
    /// A document has this key.
    Present,
    /// The document was last written by this revision.
    At(Revision),
}

impl Expect {
    /// Whether a document last modified at `found` meets the condition.
    #[must_use]
    pub fn is_met_by(self, found: Option<Revision>) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => found.is_none(),
            Self::Present => found.is_some(),
            Self::At(revision) => found == Some(revision),
        }
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("anything"),
            Self::Absent => formatter.write_str("no document"),
            Self::Present => formatter.write_str("a document"),
            Self::At(revision) => write!(formatter, "a document at revision {revision}"),
        }
    }
}

/// The write of one document in a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Write {
    /// The document.
    pub key: DocumentKey,
    /// The condition before the write.
    pub expect: Expect,
    /// The new value; `None` removes the document. Removing a missing document changes nothing,
    /// unless `expect` forbids it.
    pub value: Option<Arc<[u8]>>,
}

/// Writes that happen together or not at all, with their actor, time and reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// At most one write for each key, at least one in all.
    pub writes: Vec<Write>,
    /// The actor, as named by the layer above.
    pub actor: String,
    /// The request that this belongs to, so that logs can be correlated.
    pub request_id: String,
    /// A name for this attempt: a repetition gets the first answer and changes nothing.
    pub idempotency_key: Option<String>,
    /// The reason, in the caller's words.
    pub reason: String,
    /// The caller's time, microseconds since 1970. The store has no clock.
    pub at: u64,
}

impl Change {
    /// A change without writes yet, by `actor` at `at` microseconds since 1970.
    #[must_use]
    pub fn new(actor: &str, at: u64) -> Self {
        Self { actor: actor.to_owned(), at, ..Self::default() }
    }

    /// Also writes `value` to `key`, if `expect` is met.
    #[must_use]
    pub fn put(mut self, key: DocumentKey, expect: Expect, value: &[u8]) -> Self {
        self.writes.push(Write { key, expect, value: Some(value.into()) });
        self
    }

    /// Also removes `key`, if `expect` is met.
    #[must_use]
    pub fn delete(mut self, key: DocumentKey, expect: Expect) -> Self {
        self.writes.push(Write { key, expect, value: None });
        self
    }

    /// Adds an idempotency key.
    #[must_use]
    pub fn once(mut self, idempotency_key: &str) -> Self {
        self.idempotency_key = Some(idempotency_key.to_owned());
        self
    }

    /// Approximate size of the change in memory and in the log, bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = self.actor.len() + self.request_id.len() + self.reason.len();
        let writes: usize =
            self.writes.iter().map(|write| write.key.size() + 32 + write.value.as_ref().map_or(0, |v| v.len())).sum();
        texts + self.idempotency_key.as_ref().map_or(0, String::len) + writes
    }

    /// Checks that do not need the store's state.
    pub(crate) fn examine(&self, options: &StoreOptions) -> Result<(), StoreError> {
        let refuse = |problem| Err(StoreError::Invalid(problem));
        if self.writes.is_empty() {
            return refuse(ChangeProblem::NoWrites);
        }
        if self.writes.len() > options.change_writes_max {
            return refuse(ChangeProblem::TooManyWrites { found: self.writes.len(), most: options.change_writes_max });
        }
        let mut seen = BTreeSet::new();
        for write in &self.writes {
            if !seen.insert(&write.key) {
                return refuse(ChangeProblem::TwoWrites { key: write.key.clone() });
            }
            let bytes = write.value.as_ref().map_or(0, |value| value.len());
            if bytes > options.value_bytes_max {
                let key = write.key.clone();
                return refuse(ChangeProblem::ValueTooLarge { key, bytes, most: options.value_bytes_max });
            }
        }
        let texts = [
            ("actor", self.actor.as_str()),
            ("request id", &self.request_id),
            ("reason", &self.reason),
            ("idempotency key", self.idempotency_key.as_deref().unwrap_or_default()),
        ];
        if let Some((what, text)) = texts.into_iter().find(|(_, text)| text.len() > options.text_bytes_max) {
            return refuse(ChangeProblem::TextTooLong { what, bytes: text.len(), most: options.text_bytes_max });
        }
        if self.idempotency_key.as_ref().is_some_and(String::is_empty) {
            return refuse(ChangeProblem::EmptyIdempotencyKey);
        }
        if self.size() > options.change_bytes_max {
            return refuse(ChangeProblem::TooLarge { bytes: self.size(), most: options.change_bytes_max });
        }
        Ok(())
    }

    /// The hash that identifies repeated attempts: the actor and the writes. Times, reasons and
    /// request ids may differ.
    pub(crate) fn body(&self) -> Hash {
        let body =
            postcard::to_stdvec(&(&self.actor, &self.writes)).expect("a change in memory can be written to memory");
        Hash::of(&body)
    }
}

/// The answer to a change that is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The change's revision.
    pub revision: Revision,
    /// Whether an earlier attempt with the same idempotency key was committed instead.
    pub is_repeat: bool,
}

/// The result of replacing a store's content ([`crate::Store::reseed`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reseeded {
    /// The last common revision; 0 if unknown.
    pub parted: Revision,
    /// The newest revision now.
    pub revision: Revision,
    /// The entries that only this store had, oldest first, as far as its log reached back.
    pub lost: Arc<[LogEntry]>,
    /// Whether the two logs overlapped; if not, `lost` has all entries of this store's log.
    pub compared: bool,
}
