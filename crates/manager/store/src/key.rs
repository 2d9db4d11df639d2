//! The key of a document: its kind and its name.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The longest kind, in bytes.
pub const KIND_BYTES_MAX: usize = 64;
/// The longest name, in bytes.
pub const NAME_BYTES_MAX: usize = 512;

/// The key of one document: a kind (`port-policy`) and a name within it (`edge-policy`).
///
/// Keys are ordered by kind, then by name, byte by byte; lists come in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentKey {
    kind: Arc<str>,
    name: Arc<str>,
}

impl DocumentKey {
    /// A key, if both parts are valid.
    ///
    /// # Errors
    /// If a part is empty, too long or has control characters, or the kind has a slash.
    pub fn new(kind: &str, name: &str) -> Result<Self, KeyProblem> {
        let key = Self { kind: kind.into(), name: name.into() };
        key.examine()?;
        Ok(key)
    }

    /// The kind of document.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The name within the kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of kind and name together.
    #[must_use]
    pub fn size(&self) -> usize {
        self.kind.len() + self.name.len()
    }

    /// The lower bound for iterating over a kind, at `name`, which may be empty here.
    pub(crate) fn bound(kind: &str, name: &str) -> Self {
        Self { kind: kind.into(), name: name.into() }
    }

    /// The checks of [`DocumentKey::new`], for keys in entries of another store.
    pub(crate) fn examine(&self) -> Result<(), KeyProblem> {
        let part = |part: &'static str, text: &str, longest: usize| {
            if text.is_empty() {
                return Err(KeyProblem::Empty { part });
            }
            if text.len() > longest {
                return Err(KeyProblem::TooLong { part, bytes: text.len(), longest });
            }
            match text.chars().find(|letter| letter.is_control()) {
                Some(letter) => Err(KeyProblem::Letter { part, letter }),
                None => Ok(()),
            }
        };
        part("kind", &self.kind, KIND_BYTES_MAX)?;
        part("name", &self.name, NAME_BYTES_MAX)?;
        if self.kind.contains('/') {
            return Err(KeyProblem::Letter { part: "kind", letter: '/' });
        }
        Ok(())
    }
}

impl fmt::Display for DocumentKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind, self.name)
    }
}

/// Why two texts are no valid [`DocumentKey`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    /// A part is empty.
    #[error("the {part} of a key is empty; it needs at least one letter")]
    Empty {
        /// `kind` or `name`.
        part: &'static str,
    },
    /// A part is too long.
    #[error("the {part} of a key has {bytes} bytes; at most {longest} are allowed")]
    TooLong {
        /// `kind` or `name`.
        part: &'static str,
        /// Its length, bytes.
        bytes: usize,
        /// The limit, bytes.
        longest: usize,
    },
    /// A part has an invalid character.
    #[error("the {part} of a key has the letter {letter:?}; control characters are not allowed, nor a slash in a kind")]
    Letter {
        /// `kind` or `name`.
        part: &'static str,
        /// The first such character.
        letter: char,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_by_kind_then_by_name() {
        let mut keys = [
            DocumentKey::new("b", "a").unwrap(),
            DocumentKey::new("a", "b").unwrap(),
            DocumentKey::new("a", "a").unwrap(),
        ];
        keys.sort();
        assert_eq!(keys.map(|key| key.to_string()), ["a/a", "a/b", "b/a"]);
    }

    #[test]
    fn parts_that_cannot_be_found_again_are_refused() {
        assert_eq!(DocumentKey::new("", "a"), Err(KeyProblem::Empty { part: "kind" }));
        assert_eq!(DocumentKey::new("a", ""), Err(KeyProblem::Empty { part: "name" }));
        assert_eq!(DocumentKey::new("a/b", "c"), Err(KeyProblem::Letter { part: "kind", letter: '/' }));
        assert_eq!(DocumentKey::new("a", "b\0"), Err(KeyProblem::Letter { part: "name", letter: '\0' }));
        assert!(matches!(DocumentKey::new("a", &"n".repeat(513)), Err(KeyProblem::TooLong { bytes: 513, .. })));
        assert!(DocumentKey::new("port", "x1000c0r1j3p0/a").is_ok(), "a name may have slashes");
    }
}
