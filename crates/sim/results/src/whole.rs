//! Files that are whole or absent.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use philae_console::{HeldSignals, standard_output};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};

use crate::FileKind;
use crate::unfinished::Unfinished;

/// A file that gets its name once it is complete. If that fails, no part of it is left, and an
/// earlier file of this name stays.
///
/// Until then it has no name at all where the file system has files without one (`O_TMPFILE`), so
/// that nothing is left however the process ends. Elsewhere it is `.NAME.PROCESS.part`: signals
/// wait until it has its name, and the next write at the same place removes what a killed process
/// left.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    /// `None` for standard output, a device or a pipe, which is written directly.
    place: Option<WholePlace>,
}

#[derive(Debug)]
struct WholePlace {
    /// The final path.
    destination: PathBuf,
    /// The temporary path.
    part: PathBuf,
    /// Whether the file is at its temporary path.
    named: Option<(HeldSignals, Unfinished)>,
}

impl WholeFile {
    /// Begins one of this kind. What cannot be written shows here, but for a disk that fills later.
    /// A file of another kind is not replaced: it is most likely a mistaken name.
    ///
    /// # Errors
    /// A file of another kind is there, or it cannot be written.
    pub fn begin(path: &Path, kind: FileKind) -> io::Result<Self> {
        if let Some(file) = standard_output(path)? {
            return Ok(Self { file, place: None });
        }
        kind.check_replaces(path)?;
        if !is_regular(path) {
            return Ok(Self { file: File::create(path)?, place: None });
        }
        Self::begin_regular(path)
    }

    /// Begins a regular file; it replaces whatever has its name.
    pub(crate) fn begin_regular(path: &Path) -> io::Result<Self> {
        Self::begin_in(path, without_name)
    }

    /// The same, with the way to make a file without a name, if there is one.
    fn begin_in(path: &Path, without_name: impl Fn(&Path) -> Option<File>) -> io::Result<Self> {
        // The target of a link is replaced, not the link, unless it leads to a device or a pipe.
        let target = std::fs::canonicalize(path).ok().filter(|target| target.is_file());
        let destination = target.unwrap_or_else(|| path.to_path_buf());
        // A write-protected file stays, even in a folder in which it could be replaced.
        if destination.is_file() {
            File::options().write(true).open(&destination)?;
        }
        let name = destination.file_name().unwrap_or_default().to_string_lossy();
        let part = destination.with_file_name(format!(".{name}.{}.part", std::process::id()));
        remove_abandoned(&part);
        let (file, named) = match without_name(folder_of(&part)) {
            Some(file) => (file, None),
            None => {
                let held = HeldSignals::hold();
                let entry = Unfinished::file(&part);
                (File::create(&part)?, Some((held, entry)))
            }
        };
        // It says that this process is alive, also to those who cannot see its number.
        let _ = file.try_lock();
        Ok(Self { file, place: Some(WholePlace { destination, part, named }) })
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
        let Some(place) = &mut self.place else { return Ok(()) };
        self.file.sync_all()?;
        if let Ok(earlier) = std::fs::metadata(&place.destination)
            && earlier.is_file()
        {
            self.file.set_permissions(earlier.permissions())?;
        }
        let _held = HeldSignals::hold();
        if place.named.is_none() {
            match link(&self.file, &place.destination) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            // A name cannot be given to another file in one step: two are needed.
            let entry = Unfinished::file(&place.part);
            link(&self.file, &place.part)?;
            place.named = Some((HeldSignals::hold(), entry));
        }
        std::fs::rename(&place.part, &place.destination)?;
        place.named = None;
        Ok(())
    }
}

/// The folder of a path.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file without a name in a folder, if the system can give it a name later.
fn without_name(folder: &Path) -> Option<File> {
    let mode = Mode::from_raw_mode(0o666);
    let opened = rustix::fs::open(folder, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, mode);
    let file = File::from(opened.ok()?);
    std::fs::metadata(path_of(&file)).is_ok().then_some(file)
}

/// Gives a file without a name its name.
fn link(file: &File, path: &Path) -> io::Result<()> {
    rustix::fs::linkat(CWD, path_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

/// The path of an open file, for the system.
fn path_of(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Removes what killed processes left of this file: `.NAME.PROCESS.part`.
fn remove_abandoned(part: &Path) {
    let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((head, _)) = name.trim_end_matches(".part").rsplit_once('.') else { return };
    for entry in std::fs::read_dir(folder_of(part)).into_iter().flatten().flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let process = found.strip_prefix(head).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part"));
        let is_own = found == name;
        let is_dead = |process: u32| is_own || !Path::new("/proc").join(process.to_string()).exists();
        // A process of another container has a number that is not known here, but holds a lock.
        let is_free = || {
            let is_file = entry.file_type().is_ok_and(|found| found.is_file());
            is_file
                && File::open(entry.path()).is_ok_and(|file| !matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
        };
        if process.and_then(|process| process.parse().ok()).is_some_and(is_dead) && is_free() {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(place) = &self.place
            && place.named.is_some()
        {
            // A partial file is useless; if it cannot be removed, that is no second failure.
            let _ = std::fs::remove_file(&place.part);
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

/// Writes a file in a folder of our own, where whatever has its name is replaced: a pipe there
/// would wait for a reader.
///
/// # Errors
/// It cannot be written.
pub fn write_own(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let whole = WholeFile::begin_regular(path)?;
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

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("the folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_has_no_name_before_its_end() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        if without_name(folder.path()).is_none() {
            return eprintln!("skipped: the file system has no files without a name");
        }
        for (text, before) in [("one", vec![]), ("two", vec!["a"])] {
            let whole = WholeFile::begin(&path, FileKind::Text).expect("it can be written");
            whole.file().write_all(text.as_bytes()).expect("there is room");
            assert_eq!(names(folder.path()), before, "nothing to be left, however the process ends");
            whole.end().expect("it gets its name");
            assert_eq!(
                (names(folder.path()), std::fs::read_to_string(&path).expect("it")),
                (vec!["a".to_owned()], text.to_owned())
            );
        }
    }

    #[test]
    fn a_file_system_without_such_files_has_a_name_that_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, part) = (folder.path().join("a"), format!(".a.{}.part", std::process::id()));
        let begin = || WholeFile::begin_in(&path, |_| None).expect("it can be written");
        drop(begin());
        assert!(names(folder.path()).is_empty(), "a writer that gave up");
        let whole = begin();
        assert_eq!(names(folder.path()), [part.as_str()]);
        whole.file().write_all(b"one").expect("there is room");
        whole.end().expect("it gets its name");
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(std::fs::read(&path).expect("it"), b"one");
        // The file of a process that cannot be seen here is locked, and stays.
        let other = folder.path().join(".a.4194305.part");
        let alive = File::create(&other).expect("a file");
        alive.lock().expect("the file system has locks");
        drop(begin());
        assert!(other.exists(), "its writer is alive");
        drop(alive);
        drop(begin());
        assert!(!other.exists(), "its writer is dead");
    }

    #[test]
    fn in_our_own_folder_whatever_has_the_name_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        write_own(&path, b"text").expect("there is room");
        assert_eq!(std::fs::read(&path).expect("it"), b"text");
    }

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
