//! What this process has begun on the disk and not finished, so that a program that ends at once
//! can remove it.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Something on the disk that is of no use before its writer has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    /// A temporary file.
    File(PathBuf),
    /// A temporary folder with its contents.
    Tree(PathBuf),
    /// Folders that were made for a result, the innermost first. Those with contents stay.
    Folders(Vec<PathBuf>),
}

impl Entry {
    /// Removes it. What cannot be removed does no harm.
    fn remove(&self) {
        match self {
            Self::File(path) => _ = fs::remove_file(path),
            Self::Tree(path) => _ = fs::remove_dir_all(path),
            Self::Folders(paths) => _ = paths.iter().try_for_each(fs::remove_dir),
        }
    }
}

/// The entries of this process, with their numbers.
static ENTRIES: Mutex<Vec<(u64, Entry)>> = Mutex::new(Vec::new());

/// An entry of the list while it lives.
#[derive(Debug)]
pub(crate) struct Unfinished(u64);

impl Unfinished {
    /// A temporary file.
    pub fn file(path: &Path) -> Self {
        Self::add(Entry::File(path.to_path_buf()))
    }

    /// A temporary folder.
    pub fn tree(path: &Path) -> Self {
        Self::add(Entry::Tree(path.to_path_buf()))
    }

    fn add(entry: Entry) -> Self {
        let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
        let number = entries.last().map_or(0, |(number, _)| number + 1);
        entries.push((number, entry));
        Self(number)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|(number, _)| *number != self.0);
    }
}

/// Removes what this process has begun and not finished, the newest first. The process must end
/// then: its other threads may still write.
pub fn remove_unfinished() {
    // A thread that ends with the list locked has no more right to it than this one.
    let entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    entries.iter().rev().for_each(|(_, entry)| entry.remove());
}

/// Checks that a path is a folder, or free for one.
///
/// # Errors
/// What is there instead, in words.
pub fn check_folder(path: &Path) -> Result<(), String> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    let kind = found.file_type();
    let what = match kind {
        _ if kind.is_dir() => return Ok(()),
        _ if kind.is_file() => "a file",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(format!("it is {what}, not a folder; a new or an empty folder would work"))
}

/// Folders that were made for something: those without contents are removed at the end.
#[derive(Debug)]
#[must_use]
pub struct MadeFolders {
    paths: Vec<PathBuf>,
    _entry: Unfinished,
}

impl MadeFolders {
    /// Makes a folder and its parents, as far as they are missing.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn make(path: &Path) -> std::io::Result<Self> {
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let paths: Vec<PathBuf> = path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
        let made = Self { _entry: Unfinished::add(Entry::Folders(paths.clone())), paths };
        fs::create_dir_all(path).map(|()| made)
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        Entry::Folders(std::mem::take(&mut self.paths)).remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_were_made_and_stayed_empty_are_removed() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| temporary.path().join(name);
        drop(MadeFolders::make(&at("a/b/c")).expect("folders"));
        assert!(!at("a").exists());
        let made = MadeFolders::make(&at("a/b/c")).expect("folders");
        fs::write(at("a/b/file"), "").expect("a file");
        drop(made);
        assert!(at("a/b").exists() && !at("a/b/c").exists());
        fs::create_dir(at("a/b/mine")).expect("a folder");
        drop(MadeFolders::make(&at("a/b/mine")).expect("it is there"));
        assert!(at("a/b/mine").exists(), "it was there before");
    }

    #[test]
    fn an_entry_is_in_the_list_while_it_lives() {
        let path = Path::new("/no/such/file");
        let is_listed = || {
            let entries = ENTRIES.lock().expect("no thread panics with it");
            entries.iter().any(|(_, entry)| *entry == Entry::File(path.to_path_buf()))
        };
        let entry = Unfinished::file(path);
        assert!(is_listed());
        drop(entry);
        assert!(!is_listed());
    }
}
