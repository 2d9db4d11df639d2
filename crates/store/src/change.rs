//! A change: what a caller asks the store to do, as one step.

use crate::error::{ChangeProblem, StoreError};
use crate::key::Key;
use crate::log::{Entry, Hash};
use crate::object::Revision;
use crate::options::Options;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a write asks to be true of its document before the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Expect {
    /// Nothing: write over whatever is there.
    Any,
    /// No document has this key.
    Absent,
    /// A document has this key.
    Present,
    /// The document was last written by this revision.
    At(Revision),
}

impl Expect {
    /// Whether a document last modified at `found` is what was expected.
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

/// One document of a change: what it becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Write {
    /// Which document.
    pub key: Key,
    /// What must be there before.
    pub expect: Expect,
    /// The new value; `None` removes the document. To remove what is not there changes nothing, unless `expect` forbids it.
    pub value: Option<Arc<[u8]>>,
}

/// Writes that happen together or not at all, and who wants them, when and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// At most one write for each key, at least one in all.
    pub writes: Vec<Write>,
    /// Who asks, in the words of the layer above.
    pub actor: String,
    /// The request that this belongs to, for whoever follows it through the logs.
    pub request_id: String,
    /// A name for this attempt: the same again gets the first answer and changes nothing.
    pub idempotency_key: Option<String>,
    /// Why, in the caller's words.
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

    /// Also writes `value` to `key`, where `expect` is met.
    #[must_use]
    pub fn put(mut self, key: Key, expect: Expect, value: &[u8]) -> Self {
        self.writes.push(Write { key, expect, value: Some(value.into()) });
        self
    }

    /// Also removes `key`, where `expect` is met.
    #[must_use]
    pub fn delete(mut self, key: Key, expect: Expect) -> Self {
        self.writes.push(Write { key, expect, value: None });
        self
    }

    /// The same with an idempotency key.
    #[must_use]
    pub fn once(mut self, idempotency_key: &str) -> Self {
        self.idempotency_key = Some(idempotency_key.to_owned());
        self
    }

    /// What the change holds in memory and in the log, about, bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = self.actor.len() + self.request_id.len() + self.reason.len();
        let writes: usize =
            self.writes.iter().map(|write| write.key.size() + 32 + write.value.as_ref().map_or(0, |v| v.len())).sum();
        texts + self.idempotency_key.as_ref().map_or(0, String::len) + writes
    }

    /// What can be said of a change without looking at the store.
    pub(crate) fn examine(&self, options: &Options) -> Result<(), StoreError> {
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

    /// What makes two attempts the same: who asks for which writes. Times, reasons and request ids may differ.
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
    /// Whether an earlier attempt with the same idempotency key is what was committed.
    pub is_repeat: bool,
}

/// What a store was before it became another one ([`crate::Store::reseed`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reseeded {
    /// The last revision that both had; 0 where none is known.
    pub parted: Revision,
    /// The newest revision now.
    pub revision: Revision,
    /// The entries that only this store had, oldest first, as far as its log reached back.
    pub lost: Arc<[Entry]>,
    /// Whether the two logs met: otherwise `lost` is all that this store's log had.
    pub compared: bool,
}
