//! What launchers and libraries of killed runs have left: files of this command, and shared memory
//! of MPICH.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Begins the name of the record of a run; the number of its process follows.
pub(crate) const RECORD: &str = "philae-run-";
/// Begins the names of MPICH's shared memory. Source: PyPI's mpich 5.0.2, 30 November 2026. Status:
/// measured.
const OF_MPICH: &str = "mpich_shm_";
/// Shared memory that is older than this and that no process has mapped is left over: MPICH maps it
/// when it makes it. Source: ours. Status: assumed.
const OLD: Duration = Duration::from_secs(60);

/// Removes what dead runs have left. What cannot be removed stays.
pub(crate) fn remove() {
    let runs = std::env::temp_dir();
    records(&runs).into_iter().for_each(|file| drop(std::fs::remove_file(file)));
    let shared = Path::new("/dev/shm");
    let old = old_memory(shared);
    if !old.is_empty() {
        let mapped = mapped(OF_MPICH);
        old.iter().filter(|file| !mapped.contains(*file)).for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// The files of this user in a folder whose names begin like this, with the rest of their names.
fn own_files(folder: &Path, prefix: &str) -> Vec<(PathBuf, String)> {
    let user = rustix::process::geteuid().as_raw();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let rest = entry.file_name().to_str()?.strip_prefix(prefix)?.to_owned();
        let is_own = entry.metadata().is_ok_and(|found| found.is_file() && found.uid() == user);
        is_own.then(|| (entry.path(), rest))
    });
    named.collect()
}

/// Records whose makers have ended.
fn records(folder: &Path) -> Vec<PathBuf> {
    let is_dead = |rest: &str| {
        let process = rest.split_once('-').and_then(|(process, _)| process.parse::<u32>().ok());
        process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists())
    };
    own_files(folder, RECORD).into_iter().filter(|(_, rest)| is_dead(rest)).map(|(file, _)| file).collect()
}

/// Shared memory of MPICH that is not just being made.
fn old_memory(folder: &Path) -> Vec<PathBuf> {
    let is_old = |file: &Path| {
        let changed = std::fs::metadata(file).and_then(|found| found.modified()).ok();
        changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > OLD)
    };
    own_files(folder, OF_MPICH).into_iter().map(|(file, _)| file).filter(|file| is_old(file)).collect()
}

/// Files in shared memory whose names begin like this and that a process of this user has mapped.
fn mapped(prefix: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in
        processes.filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
    {
        // Those of other users cannot be read, and have not mapped what only this one may read.
        let Ok(maps) = std::fs::read_to_string(process.path().join("maps")) else { continue };
        let files = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
        let shared = format!("/dev/shm/{prefix}");
        found.extend(files.filter(|file| file.starts_with(&shared)).map(PathBuf::from));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_dead_runs_are_found_and_those_of_living_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").expect("a file");
            path
        };
        let mut child = std::process::Command::new("true").spawn().expect("it starts");
        child.wait().expect("it ends");
        let dead = file(&format!("{RECORD}{}-x", child.id()));
        file(&format!("{RECORD}{}-x", std::process::id()));
        file("other-1-x");
        file(&format!("{RECORD}x"));
        assert_eq!(records(folder.path()), [dead]);
    }

    #[test]
    fn new_memory_and_mapped_memory_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(format!("{OF_MPICH}1_0"));
        let made = std::fs::File::create(&file).expect("a file");
        assert_eq!(old_memory(folder.path()), Vec::<PathBuf>::new());
        made.set_modified(std::time::SystemTime::now() - 2 * OLD).expect("a time");
        assert_eq!(old_memory(folder.path()), [file]);
    }
}
