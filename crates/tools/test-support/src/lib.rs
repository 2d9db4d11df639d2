//! What tests of several crates share.
//!
//! Invariant: whatever tests build together is built once for each state of its sources, by however
//! many processes the tests run in.

use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Lets `build` write into `folder`, unless it has done so already for the same `inputs` and
/// `options`. Other processes that ask at the same time wait for it.
///
/// `inputs` are the files that `build` reads; of a folder, all its files count. `options` are other
/// things that the outcome depends on, such as the compiler and its flags.
///
/// # Errors
/// If the folder cannot be written or an input cannot be read.
pub fn built_once(folder: &Path, inputs: &[PathBuf], options: &str, build: impl FnOnce(&Path)) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Closing the file unlocks it, also if `build` panics or its process is killed.
    let lock = File::create(folder.join(".lock"))?;
    lock.lock()?;
    let mut state = format!("{options}\n");
    for input in inputs {
        describe(input, &mut state)?;
    }
    let stamp = folder.join(".built-from");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == state) {
        return Ok(());
    }
    build(folder);
    fs::write(stamp, state)
}

/// Appends path, size and time of a file, or of all files of a folder.
fn describe(input: &Path, state: &mut String) -> io::Result<()> {
    let data = fs::metadata(input)?;
    if data.is_dir() {
        let mut files = fs::read_dir(input)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        files.sort();
        return files.iter().try_for_each(|file| describe(file, state));
    }
    let changed = data.modified()?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
    writeln!(state, "{} {} {}", input.display(), data.len(), changed.as_nanos()).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn it_is_built_once_and_again_when_something_changed() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let (sources, folder) = (temporary.path().join("sources"), temporary.path().join("built"));
        fs::create_dir_all(sources.join("deeper")).expect("there is room");
        fs::write(sources.join("deeper/a.c"), "int a;").expect("there is room");
        let builds = AtomicU32::new(0);
        let ask = |options: &str| {
            let build = |folder: &Path| {
                builds.fetch_add(1, Ordering::Relaxed);
                fs::write(folder.join("a"), options).expect("there is room");
            };
            built_once(&folder, std::slice::from_ref(&sources), options, build).expect("all well");
            assert_eq!(fs::read_to_string(folder.join("a")).expect("it was built"), options);
        };
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| ask("-O0"));
            }
        });
        assert_eq!(builds.load(Ordering::Relaxed), 1, "all asked at once");
        ask("-O2");
        assert_eq!(builds.load(Ordering::Relaxed), 2, "another option");
        fs::write(sources.join("deeper/a.c"), "int a = 1;").expect("there is room");
        ask("-O2");
        ask("-O2");
        assert_eq!(builds.load(Ordering::Relaxed), 3, "another source");
    }

    #[test]
    fn what_failed_is_built_again() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let failed = std::panic::catch_unwind(|| built_once(folder.path(), &[], "", |_| panic!("no compiler")));
        assert!(failed.is_err());
        let mut is_built = false;
        built_once(folder.path(), &[], "", |_| is_built = true).expect("all well");
        assert!(is_built);
        let missing = folder.path().join("missing.c");
        let error = built_once(folder.path(), &[missing], "", |_| ()).expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
