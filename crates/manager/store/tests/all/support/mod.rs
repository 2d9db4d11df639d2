//! Code that the tests share.

pub mod platter;
pub mod random;

use philae_store::{Change, Expect, Key};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed when the test is over.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("philae-store-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub fn key(kind: &str, name: &str) -> Key {
    Key::new(kind, name).unwrap()
}

pub fn put(kind: &str, name: &str, value: &str) -> Change {
    Change::new("test", 1_000).put(key(kind, name), Expect::Any, value.as_bytes())
}
