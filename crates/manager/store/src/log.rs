//! The log: one entry for each change, each with the hash of the previous one.
//!
//! An entry has its documents before and after the change, so that the log can be read forwards
//! (watching, following) and backwards (time travel), from any entry.

use crate::key::DocumentKey;
use crate::object::{Object, Revision};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a leadership. It only rises; a leader with a lower epoch than a known one is
/// stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Epoch(pub u64);

impl fmt::Display for Epoch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A blake3 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// The effect of a change on one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryWrite {
    /// The document.
    pub key: DocumentKey,
    /// The document before, if there was one.
    pub before: Option<Object>,
    /// The document after; `None` if the change removed it.
    pub after: Option<Object>,
}

/// The idempotency key of a change, and the hash of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdempotencyKey {
    /// The caller's key.
    pub key: String,
    /// The hash of the request: another body under the same key is an error.
    pub body: Hash,
}

/// One change in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number.
    pub revision: Revision,
    /// The leadership under which it was made.
    pub epoch: Epoch,
    /// The hash of the previous entry; for the first entry, the mark of this history.
    pub previous: Hash,
    /// The caller's time, microseconds since 1970.
    pub at: u64,
    pub actor: String,
    /// The request it belonged to.
    pub request_id: String,
    pub reason: String,
    /// Its idempotency key, if it had one.
    pub once: Option<IdempotencyKey>,
    /// Its effects. Removing a missing document leaves no write.
    pub writes: Vec<EntryWrite>,
}

impl LogEntry {
    /// The entry's bytes: equal entries have equal bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("an entry in memory can be written to memory")
    }

    /// Decodes an entry.
    ///
    /// # Errors
    /// If the bytes are no entry; postcard's error.
    pub fn decode(bytes: &[u8]) -> Result<Self, postcard::Error> {
        postcard::from_bytes(bytes)
    }

    /// The hash of the entry's bytes, which the next entry carries.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::of(&self.encode())
    }

    /// Approximate size of the entry in memory, bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let value = |object: &Option<Object>| object.as_ref().map_or(0, |object| object.value.len() + 64);
        let writes: usize =
            self.writes.iter().map(|write| write.key.size() + value(&write.before) + value(&write.after)).sum();
        256 + self.actor.len() + self.request_id.len() + self.reason.len() + writes
    }
}
