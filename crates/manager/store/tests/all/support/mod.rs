//! Code that the tests share.

pub mod platter;
pub mod random;

use philae_store::{Change, DocumentKey, Expect};
use tempfile::TempDir;

/// A folder that is removed when the test is over.
pub fn new_folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn key(kind: &str, name: &str) -> DocumentKey {
    DocumentKey::new(kind, name).unwrap()
}

pub fn put(kind: &str, name: &str, value: &str) -> Change {
    Change::new("test", 1_000).put(key(kind, name), Expect::Any, value.as_bytes())
}
