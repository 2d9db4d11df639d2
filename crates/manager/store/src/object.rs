//! A document in the store: bytes that the store does not interpret, and metadata.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The number of a change. The first is 1, and each is one more than the previous one; 0 is the
/// empty store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Revision(pub u64);

impl Revision {
    /// The revision of the change after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// One document: its value and the revisions of its changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// The change that created the document.
    pub created: Revision,
    /// The last change that wrote it.
    pub modified: Revision,
    /// The number of different values so far, 1 after the first; a write of the same bytes does not
    /// count.
    pub generation: u64,
    /// The document itself.
    #[serde(with = "shared_bytes")]
    pub value: Arc<[u8]>,
}

impl Object {
    /// The document after a write of `value` at `revision`, when it was `before`.
    pub(crate) fn written(before: Option<&Self>, revision: Revision, value: Arc<[u8]>) -> Self {
        match before {
            None => Self { created: revision, modified: revision, generation: 1, value },
            Some(old) => {
                let generation = old.generation + u64::from(old.value != value);
                Self { created: old.created, modified: revision, generation, value }
            }
        }
    }
}

/// Serialises a shared slice of bytes as one byte string.
mod shared_bytes {
    use serde::de::{Deserializer, Error, SeqAccess, Visitor};
    use serde::ser::Serializer;
    use std::fmt;
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }

    struct Bytes;

    impl<'de> Visitor<'de> for Bytes {
        type Value = Arc<[u8]>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
            Ok(bytes.into())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = parts.next_element::<u8>()? {
                bytes.push(byte);
            }
            Ok(bytes.into())
        }
    }
}
