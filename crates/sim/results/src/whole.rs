//! Files that are whole or absent.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::FileKind;

/// A file that gets its name once it is complete. If that fails, no part of it is left, and an
/// earlier file of this name stays.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    /// Its temporary and its final path; `None` for a device or a pipe, which is written directly.
    part: Option<(PathBuf, PathBuf)>,
}

impl WholeFile {
    /// Begins one of this kind. What cannot be written shows here, but for a disk that fills later.
    /// A file of another kind is not replaced: it is most likely a mistaken name.
    ///
    /// # Errors
    /// A file of another kind is there, or it cannot be written.
    pub fn begin(path: &Path, kind: FileKind) -> io::Result<Self> {
        kind.check_replaces(path)?;
        if !is_regular(path) {
            return Ok(Self { file: File::create(path)?, part: None });
        }
        // The target of a link is replaced, not the link.
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        // A write-protected file stays, even in a folder in which it could be replaced.
        if place.exists() {
            File::options().write(true).open(&place)?;
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let part = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        remove_abandoned(&part);
        Ok(Self { file: File::create(&part)?, part: Some((part, place)) })
    }

    /// The file to write to.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Finishes the file: it gets its name, with the permissions of the file that it replaces.
    ///
    /// # Errors
    /// The disk is full, or the folder has gone.
    pub fn end(mut self) -> io::Result<()> {
        let Some((part, place)) = &self.part else { return Ok(()) };
        self.file.sync_all()?;
        if let Ok(earlier) = std::fs::metadata(place) {
            self.file.set_permissions(earlier.permissions())?;
        }
        std::fs::rename(part, place)?;
        self.part = None;
        Ok(())
    }
}

/// Removes what killed processes left of this file: `.NAME.PROCESS.part`.
fn remove_abandoned(part: &Path) {
    let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((head, _)) = name.trim_end_matches(".part").rsplit_once('.') else { return };
    let parent = part.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let process = found.strip_prefix(head).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part"));
        let is_dead = |process: u32| !Path::new("/proc").join(process.to_string()).exists();
        if process.and_then(|process| process.parse().ok()).is_some_and(is_dead) {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.part {
            // A partial file is useless; if it cannot be removed, that is no second failure.
            let _ = std::fs::remove_file(part);
        }
    }
}

/// Writes a whole file, as [`WholeFile`] does.
///
/// # Errors
/// A file of another kind is there, or it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let whole = WholeFile::begin(path, FileKind::of(bytes))?;
    whole.file().write_all(bytes).and_then(|()| whole.end())
}

/// Where a path leads, however it is spelled: links are followed, also to a file that does not
/// exist yet.
fn place(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many links as Linux follows.
    for _ in 0..40 {
        if let Ok(found) = std::fs::canonicalize(&path) {
            return found;
        }
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match std::fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return path.file_name().map_or(path.clone(), |name| place(folder).join(name)),
        }
    }
    path
}

/// Whether an output is a file that a command reads, or another output of it, however both are
/// spelled: one of them would be lost. Devices and pipes are never the same.
#[must_use]
pub fn is_input(output: &Path, input: &Path) -> bool {
    let output = place(output);
    is_regular(&output) && output == place(input)
}

/// Whether a file would lie in a folder, which need not exist yet.
#[must_use]
pub fn is_inside(file: &Path, folder: &Path) -> bool {
    place(file).starts_with(place(folder))
}

/// Whether a file may replace it: a device or a pipe is written directly.
#[must_use]
pub fn is_regular(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file()) || !path.exists() && !path.is_symlink()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_however_it_is_spelled() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("sub")).expect("a folder");
        std::os::unix::fs::symlink("a.pcapng", at("link")).expect("a link");
        std::os::unix::fs::symlink("loop", at("loop")).expect("a link");
        for there in [false, true] {
            if there {
                std::fs::write(at("a.pcapng"), "").expect("a file");
            }
            for other in ["a.pcapng", "./a.pcapng", "sub/../a.pcapng", "link"] {
                assert!(is_input(&at("a.pcapng"), &at(other)) && is_input(&at(other), &at("a.pcapng")), "{other}");
            }
            assert!(!is_input(&at("a.pcapng"), &at("b.pcapng")) && !is_input(&at("loop"), &at("a.pcapng")));
        }
        assert!(!is_input(Path::new("/dev/null"), Path::new("/dev/null")), "a device takes any number of outputs");
        assert!(is_inside(&at("sub/a/b"), &at("sub")) && is_inside(&at("new/a"), &at("./new")));
        assert!(!is_inside(&at("subs/a"), &at("sub")));
    }
}
