//! The place of a result: a folder that one run has to itself, in which no earlier result is lost.
//!
//! A run writes into `.NAME.partial` next to its place `NAME` and moves that there when it is
//! complete. It holds a lock on a file in it, which ends with its process in every case. A second
//! run at the same place gets an error. The next run that writes into the parent folder removes
//! what a killed run left.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use philae_topology::read_regular;

use crate::error::MeasureError;
use crate::result::{MANIFEST, REPORT};
use crate::unfinished::{MadeFolders, Unfinished};

/// The file of a partial folder that its run has locked.
const LOCK: &str = ".lock";

/// The scenario of a result.
pub(crate) const SCENARIO: &str = "scenario.toml";

/// Numbers that are tried for a place whose name is taken. Source: ours. Status: assumed.
const NUMBERS: u32 = 100_000;

/// The treatment of an earlier result at the place of a new one. One of the same run is replaced by
/// a result that is at least as complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// Any other is kept: it moves to a name next to the place, `NAME.earlier`.
    Keep,
    /// Any is replaced.
    Replace,
}

/// The place of a result, and of the earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Where it is.
    pub place: PathBuf,
    /// The present place of the earlier result of another run, and how that run differs; none if no
    /// result was kept.
    pub kept: Option<(PathBuf, String)>,
}

/// The identity of a run: results with the same identity have equal digests, unless a file that the
/// scenario names, such as a trace, has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunIdentity {
    /// Version of the program.
    pub version: String,
    /// The resolved scenario as TOML.
    pub scenario_toml: String,
    /// Whether it is a run in rates.
    pub is_fluid: bool,
}

impl RunIdentity {
    /// The identity of the result in a folder, if it has one.
    fn of_folder(folder: &Path) -> Option<(Self, EarlierRun)> {
        let manifest: serde_json::Value = serde_json::from_slice(&read_regular(&folder.join(MANIFEST)).ok()?).ok()?;
        let text = |key: &str| manifest[key].as_str().map(str::to_owned);
        let identity = Self {
            version: text("version")?,
            scenario_toml: String::from_utf8(read_regular(&folder.join(SCENARIO)).ok()?).ok()?,
            is_fluid: manifest.get("rates").is_some_and(|rates| !rates.is_null()),
        };
        let is_whole = manifest["status"] != "interrupted" && manifest.get("missing").is_none();
        Some((identity, EarlierRun { digest: text("digest")?, is_whole }))
    }

    /// The lines of the scenario that matter: the number of threads changes no result.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.scenario_toml.lines().filter(|line| !line.starts_with("threads = "))
    }

    /// The difference to another run, in words; none if it is the same run.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.is_fluid != other.is_fluid {
            let words = |is_fluid| if is_fluid { "rates (--fluid)" } else { "packets" };
            return Some(format!(
                "it is a run in {}, and the new one is in {}",
                words(other.is_fluid),
                words(self.is_fluid)
            ));
        }
        if !self.lines().eq(other.lines()) {
            let own: std::collections::BTreeSet<&str> = self.lines().collect();
            let others: std::collections::BTreeSet<&str> = other.lines().collect();
            let there = other.lines().find(|line| !own.contains(line) && line.contains('='));
            let here = self.lines().find(|line| !others.contains(line) && line.contains('='));
            let cut = |line: &str| match line.char_indices().nth(60) {
                Some((end, _)) => format!("`{}...`", &line[..end]),
                None => format!("`{line}`"),
            };
            return Some(match (there, here) {
                (Some(there), Some(here)) => format!("the earlier one has {}, the new one {}", cut(there), cut(here)),
                (Some(there), None) => format!("only the earlier one has {}", cut(there)),
                (None, Some(here)) => format!("only the new one has {}", cut(here)),
                (None, None) => "its sections are in another order".to_owned(),
            });
        }
        (self.version != other.version)
            .then(|| format!("philae {} wrote it, and this is philae {}", other.version, self.version))
    }
}

/// How an earlier run ended.
pub(crate) struct EarlierRun {
    digest: String,
    is_whole: bool,
}

/// How a run ended whose result will move to its place.
#[derive(Clone, Debug)]
pub(crate) struct RunEnd {
    pub digest: String,
    pub is_whole: bool,
}

/// A place that this process has to itself until it is dropped.
#[derive(Debug)]
pub(crate) struct ReservedPath {
    /// The final place of the result.
    destination: PathBuf,
    /// The place of its files until then.
    staging: PathBuf,
    /// Locked until this is dropped, if the file system has locks.
    lock: Option<File>,
    /// Whether the files have been moved to their place.
    is_settled: bool,
    identity: RunIdentity,
    earlier: Earlier,
    unfinished: Unfinished,
    /// The folders around it that were made for it.
    _parents: Option<MadeFolders>,
}

impl ReservedPath {
    /// Takes a place for a run.
    pub fn take(path: &Path, identity: &RunIdentity, earlier: Earlier) -> Result<Self, MeasureError> {
        // The result replaces a link's target, not the link.
        let destination = target_of(path);
        if destination.is_symlink() {
            return Err(MeasureError::NotAFolder { path: destination });
        }
        if destination.file_name().is_none() {
            return Err(MeasureError::NoName { path: destination });
        }
        check_replaceable(&destination)?;
        let parent = destination.parent().filter(|parent| !parent.as_os_str().is_empty());
        let make = |parent| MadeFolders::make(parent).map_err(MeasureError::io("create the folder", parent));
        let parents = parent.map(make).transpose()?;
        remove_abandoned(&destination);
        let staging = sibling(&destination, "partial");
        let lock = locked(&staging)?.map_err(|owner| MeasureError::Busy { path: path.to_path_buf(), owner })?;
        let place = Self {
            unfinished: Unfinished::tree(&staging),
            destination,
            staging,
            lock,
            is_settled: false,
            identity: identity.clone(),
            earlier,
            _parents: parents,
        };
        place.clear()?;
        Ok(place)
    }

    /// Makes the partial folder again if it was removed during the run, together with its parents.
    /// Another run may have taken the place since: then the next free number is this run's place.
    pub fn restore(&mut self) -> Result<(), MeasureError> {
        let is_there = |lock: &File| is_at(lock, &self.staging.join(LOCK));
        if self.lock.as_ref().map_or(self.staging.is_dir(), is_there) {
            return Ok(());
        }
        let wanted = self.destination.clone();
        for number in 1..NUMBERS {
            self.destination = numbered(&wanted, number);
            self.staging = sibling(&self.destination, "partial");
            if let Some(parent) = self.staging.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                fs::create_dir_all(parent).map_err(MeasureError::io("create the folder", parent))?;
            }
            if let Ok(lock) = locked(&self.staging)? {
                (self.lock, self.unfinished) = (lock, Unfinished::tree(&self.staging));
                return self.clear();
            }
        }
        Err(MeasureError::NotAFolder { path: wanted })
    }

    /// Removes what a killed run left here, and restores the result that it was about to replace.
    fn clear(&self) -> Result<(), MeasureError> {
        let entries = fs::read_dir(&self.staging).map_err(MeasureError::io("look into", &self.staging))?;
        for entry in entries {
            let path = entry.map_err(MeasureError::io("look into", &self.staging))?.path();
            if path.file_name().is_some_and(|name| name != LOCK) {
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.map_err(MeasureError::io("remove", path))?;
            }
        }
        let replaced = sibling(&self.destination, "replaced");
        match (replaced.exists(), self.destination.exists()) {
            (true, true) => fs::remove_dir_all(&replaced).map_err(MeasureError::io("remove", &replaced)),
            (true, false) => fs::rename(&replaced, &self.destination).map_err(MeasureError::io("put back", &replaced)),
            (false, _) => Ok(()),
        }
    }

    /// The place of files until the end.
    pub fn staging(&self) -> &Path {
        &self.staging
    }

    /// The final place of the result.
    pub fn destination(&self) -> &Path {
        &self.destination
    }

    /// Moves the files to their place. A result there that must stay moves to a name next to it.
    pub fn settle(mut self, ended: Option<&RunEnd>) -> Result<Settled, MeasureError> {
        let place = self.destination.clone();
        if check_replaceable(&place).is_err() {
            // The files cost a whole run: they are not given up because something is in their way.
            return Ok(Settled { place: self.number("", 2)?, kept: None });
        }
        let stays = match self.earlier {
            Earlier::Replace => None,
            Earlier::Keep => self.why_it_stays(ended),
        };
        let aside = match (&stays, place.exists()) {
            (_, false) => None,
            (Some(_), true) => Some(to_free_name(&place, &with_suffix(&place, ".earlier"), 1)?),
            (None, true) => {
                let aside = sibling(&place, "replaced");
                fs::rename(&place, &aside).map_err(MeasureError::io("move aside", &place))?;
                Some(aside)
            }
        };
        if let Err(source) = self.move_to(&place) {
            if let Some(kept) = aside
                && let Err(undo) = fs::rename(&kept, &place)
            {
                return Err(MeasureError::NotReplaced { path: place, kept, source, undo });
            }
            return Err(MeasureError::Io { action: "move the result to", path: place, source });
        }
        let kept = match (aside, stays) {
            (Some(aside), Some(why)) => Some((aside, why)),
            (Some(aside), None) => {
                keep_others_files(&aside, &place)?;
                fs::remove_dir_all(&aside).map_err(MeasureError::io("remove the replaced result", &aside))?;
                None
            }
            (None, _) => None,
        };
        Ok(Settled { place, kept })
    }

    /// The reason why the result at the place must stay; none if it may be replaced, or there is
    /// none.
    fn why_it_stays(&self, ended: Option<&RunEnd>) -> Option<String> {
        if let Some(difference) = other_run(&self.destination, &self.identity) {
            return Some(difference);
        }
        let (_, earlier) = RunIdentity::of_folder(&self.destination)?;
        let ended = ended.filter(|_| earlier.is_whole)?;
        if !ended.is_whole {
            return Some("the earlier one is complete, the new one is not".to_owned());
        }
        let differs = earlier.digest != ended.digest;
        differs.then(|| {
            format!(
                "its digest was {}, and is {} now: a file that the scenario names has changed",
                earlier.digest, ended.digest
            )
        })
    }

    /// Moves the files next to the place, which stays as it is: some files are missing.
    pub fn settle_incomplete(mut self) -> Result<PathBuf, MeasureError> {
        self.number(".incomplete", 1)
    }

    /// Moves the files to the first free name, counted from `first`.
    fn number(&mut self, suffix: &str, first: u32) -> Result<PathBuf, MeasureError> {
        let found = to_free_name(&self.staging, &with_suffix(&self.destination, suffix), first)?;
        self.is_settled = true;
        let _ = fs::remove_file(found.join(LOCK));
        Ok(found)
    }

    /// Moves the folder while it is locked, so that no other run mistakes it for an abandoned one;
    /// then removes the lock's file.
    fn move_to(&mut self, path: &Path) -> std::io::Result<()> {
        fs::rename(&self.staging, path)?;
        self.is_settled = true;
        // If the file stays, it does no harm.
        let _ = fs::remove_file(path.join(LOCK));
        Ok(())
    }
}

impl Drop for ReservedPath {
    fn drop(&mut self) {
        if !self.is_settled {
            // Best effort: a destructor cannot report errors.
            let _ = fs::remove_dir_all(&self.staging);
        }
    }
}

/// A folder of several files that this process has to itself until it is dropped: a sweep's, a
/// study's.
#[derive(Debug)]
pub struct HeldFolder {
    path: PathBuf,
    lock: Option<File>,
    /// The file of the lock. It is removed before the folders.
    _unfinished: Unfinished,
    /// The folders that were made for it. If nothing is written there, none stays.
    _made: MadeFolders,
}

impl HeldFolder {
    /// Makes the folder and its parents if they are missing, and locks it.
    ///
    /// # Errors
    /// If another process holds it, or the system refuses.
    pub fn take(path: &Path) -> Result<Self, MeasureError> {
        // A link to a folder that is gone: the folder is made again.
        let path = target_of(path);
        let made = MadeFolders::make(&path).map_err(MeasureError::io("create the folder", &path))?;
        let lock = locked(&path)?.map_err(|owner| MeasureError::Busy { path: path.clone(), owner })?;
        Ok(Self { _unfinished: Unfinished::file(&path.join(LOCK)), path, lock, _made: made })
    }

    /// Whether a name in such a folder is that of its lock.
    #[must_use]
    pub fn is_lock(name: &std::ffi::OsStr) -> bool {
        name == LOCK
    }
}

impl Drop for HeldFolder {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // If the file stays, it does no harm: it is not locked.
            let _ = fs::remove_file(self.path.join(LOCK));
        }
    }
}

/// Links that are followed to a folder that is not there. Source: Linux's own limit
/// (`path_resolution` of its manual, section 7). Status: derived.
const LINKS_MAX: u32 = 40;

/// The place that a link leads to, also where nothing is yet; otherwise the path itself.
fn target_of(path: &Path) -> PathBuf {
    let mut place = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        if !place.is_symlink() {
            break;
        }
        if let Ok(found) = fs::canonicalize(&place) {
            return found;
        }
        let Ok(target) = fs::read_link(&place) else { break };
        place = place.with_file_name("").join(target);
    }
    place
}

/// Makes a partial folder, or takes one whose run is dead, and locks it. The error names the owner.
fn locked(staging: &Path) -> Result<Result<Option<File>, String>, MeasureError> {
    let path = staging.join(LOCK);
    loop {
        match fs::create_dir(staging) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(MeasureError::io("create the folder", staging)(error));
            }
            _ => {}
        }
        let mut file = match File::options().create(true).truncate(false).read(true).write(true).open(&path) {
            // Its owner has just moved it.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            opened => opened.map_err(MeasureError::io("create", &path))?,
        };
        match file.try_lock() {
            Ok(()) if !is_at(&file, &path) => {}
            Ok(()) => {
                // The owner's name, for messages; a full disk has no room for it, and it is not
                // needed.
                let _ = file.set_len(0).and_then(|()| write!(file, "process {}", std::process::id()));
                return Ok(Ok(Some(file)));
            }
            Err(TryLockError::WouldBlock) => {
                let owner = fs::read_to_string(&path).ok().filter(|owner| !owner.is_empty());
                return Ok(Err(owner.unwrap_or_else(|| "another process".to_owned())));
            }
            // A file system without locks: runs cannot see each other there.
            Err(TryLockError::Error(_)) => return Ok(Ok(None)),
        }
    }
}

/// Whether an open file still has this name.
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: std::io::Result<fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    number(file.metadata()).is_some_and(|own| number(fs::metadata(path)) == Some(own))
}

/// Removes partial folders next to a place whose runs are dead.
fn remove_abandoned(path: &Path) {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with('.') && name.ends_with(".partial")) {
            continue;
        }
        // To read and to write: a pipe of that name does not make this wait.
        let Ok(lock) = File::options().read(true).write(true).open(entry.path().join(LOCK)) else { continue };
        if lock.try_lock().is_ok() && is_at(&lock, &entry.path().join(LOCK)) {
            // A folder that cannot be removed does no harm.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Moves files that are not part of a result from one folder to another: files that users have put
/// there.
fn keep_others_files(from: &Path, to: &Path) -> Result<(), MeasureError> {
    for entry in fs::read_dir(from).map_err(MeasureError::io("look into", from))? {
        let entry = entry.map_err(MeasureError::io("look into", from))?;
        let (name, path) = (entry.file_name(), entry.path());
        let is_ours = name == MANIFEST
            || name == SCENARIO
            || name == REPORT
            || name == LOCK
            || path.extension().is_some_and(|extension| extension == "parquet");
        if !is_ours && !to.join(&name).exists() {
            fs::rename(&path, to.join(&name)).map_err(MeasureError::io("keep", path))?;
        }
    }
    Ok(())
}

/// How the result at a place differs from this run; none if there is none, or it is of the same
/// run.
fn other_run(destination: &Path, identity: &RunIdentity) -> Option<String> {
    if !destination.join(MANIFEST).is_file() {
        return None;
    }
    match RunIdentity::of_folder(destination) {
        Some((earlier, _)) => identity.difference(&earlier),
        None => Some("it does not contain its scenario".to_owned()),
    }
}

/// Moves a folder to the first free name, counted from `first`.
fn to_free_name(folder: &Path, wanted: &Path, first: u32) -> Result<PathBuf, MeasureError> {
    for number in first..=NUMBERS {
        let path = numbered(wanted, number);
        // The system refuses to move a folder to one with contents, or to a file.
        let taken = [ErrorKind::DirectoryNotEmpty, ErrorKind::NotADirectory, ErrorKind::AlreadyExists];
        match fs::rename(folder, &path) {
            Ok(()) => return Ok(path),
            Err(error) if taken.contains(&error.kind()) => {}
            Err(source) => return Err(MeasureError::Io { action: "move a result to", path, source }),
        }
    }
    Err(MeasureError::NotAFolder { path: wanted.to_path_buf() })
}

/// Checks that a folder is new, empty or an earlier result.
fn check_replaceable(path: &Path) -> Result<(), MeasureError> {
    if !path.exists() {
        return Ok(());
    }
    if !path.is_dir() {
        return Err(MeasureError::NotAFolder { path: path.to_path_buf() });
    }
    let empty = fs::read_dir(path).map_err(MeasureError::io("look into", path))?.next().is_none();
    if empty || path.join(MANIFEST).is_file() {
        Ok(())
    } else {
        Err(MeasureError::NotAResult { path: path.to_path_buf() })
    }
}

/// `NAME`, `NAME-2`, `NAME-3`.
#[must_use]
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 { path.to_path_buf() } else { with_suffix(path, &format!("-{number}")) }
}

/// A path with a suffix after its name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

/// A hidden folder next to a place, within the same file system: moving it is a rename.
fn sibling(path: &Path, what: &str) -> PathBuf {
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(format!(".{what}"));
    path.with_file_name(hidden)
}
