//! Finds the provider's library.

use std::path::{Path, PathBuf};

use crate::error::LaunchError;

/// The name that libfabric loads: it must end in `-fi.so`.
const NAME: &str = "libphilae-fi.so";
/// The name that cargo gives it.
const BUILT: &str = "libphilae_provider.so";
/// The library with the clocks of simulated time.
const CLOCKS: &str = "libphilae_clock.so";

/// The folder that has `libphilae-fi.so`, for `FI_PROVIDER_PATH`. `said` is the value of
/// `PHILAE_LIBRARY`, `executable` the file of this command.
///
/// # Errors
/// [`LaunchError::NoLibrary`] with the places that were searched.
pub fn find_library(said: Option<&Path>, executable: &Path) -> Result<PathBuf, LaunchError> {
    if let Some(said) = said.filter(|said| !said.as_os_str().is_empty()) {
        return folder_of(said);
    }
    let folder = executable.parent().unwrap_or(Path::new("/"));
    let mut looked = Vec::new();
    let in_prefix = folder.parent().map(|prefix| prefix.join("lib"));
    for place in in_prefix.into_iter().chain([folder.to_owned()]) {
        let file = place.join(NAME);
        if file.is_file() {
            return Ok(place);
        }
        looked.push(file);
    }
    let built = in_cargo_folders(folder, BUILT);
    if let Some(file) = newest(&built) {
        return linked(file);
    }
    looked.extend(built);
    Err(LaunchError::NoLibrary(looked))
}

/// Finds `libphilae_clock.so`: in the folder of an installed provider, or where cargo builds it.
///
/// # Errors
/// [`LaunchError::NoClocks`] with the places that were searched.
pub fn find_clocks(executable: &Path) -> Result<PathBuf, LaunchError> {
    let folder = executable.parent().unwrap_or(Path::new("/"));
    let installed = folder.parent().map(|prefix| prefix.join("lib").join(CLOCKS));
    if let Some(file) = installed.iter().find(|file| file.is_file()) {
        return Ok(file.clone());
    }
    let built = in_cargo_folders(folder, CLOCKS);
    let found = newest(&built).cloned();
    found.ok_or_else(|| LaunchError::NoClocks(installed.into_iter().chain(built).collect()))
}

/// Where cargo lays a library: beside the command by `cargo build`, and in `deps` when it builds
/// tests, too. A test program is itself one folder below the command.
fn in_cargo_folders(folder: &Path, name: &str) -> Vec<PathBuf> {
    let places = [Some(folder.to_owned()), Some(folder.join("deps")), folder.parent().map(Path::to_owned)];
    places.into_iter().flatten().map(|place| place.join(name)).collect()
}

/// The file that was built last: tests do not renew what `cargo build` left beside the command.
fn newest(files: &[PathBuf]) -> Option<&PathBuf> {
    let age = |file: &&PathBuf| file.metadata().and_then(|data| data.modified()).ok();
    // Of equal ages the last one is the maximum, and the first place counts.
    files.iter().rev().filter(|file| file.is_file()).max_by_key(age)
}

fn folder_of(said: &Path) -> Result<PathBuf, LaunchError> {
    let wrong = |found| LaunchError::WrongLibrary { path: said.to_owned(), found };
    let said = std::path::absolute(said).map_err(LaunchError::system("find this folder"))?;
    if said.is_dir() {
        return if said.join(NAME).is_file() { Ok(said) } else { Err(wrong("a folder without libphilae-fi.so")) };
    }
    if !said.is_file() {
        return Err(wrong("nothing"));
    }
    match said.file_name().and_then(|name| name.to_str()) {
        Some(BUILT) => linked(&said),
        // libfabric opens every file with such a name in the folder.
        Some(name) if name.ends_with("-fi.so") => {
            said.parent().map(Path::to_owned).ok_or_else(|| wrong("a file without a folder"))
        }
        _ => Err(wrong("a file whose name does not end in -fi.so, as libfabric requires")),
    }
}

/// Makes a folder next to cargo's output, with the library under the name that libfabric searches
/// for.
fn linked(built: &Path) -> Result<PathBuf, LaunchError> {
    let folder = built.with_file_name("philae-fi");
    let link = folder.join(NAME);
    let failed = || LaunchError::system(format!("link {}", link.display()));
    std::fs::create_dir_all(&folder).map_err(failed())?;
    if std::fs::read_link(&link).is_ok_and(|target| target == built) {
        return Ok(folder);
    }
    // Another of these commands may do the same at the same time, so use a unique name and then
    // rename.
    let own = folder.join(format!(".{}", std::process::id()));
    let _ = std::fs::remove_file(&own);
    std::os::unix::fs::symlink(built, &own).map_err(failed())?;
    std::fs::rename(&own, &link).map_err(failed())?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_beside_the_command_or_where_it_was_built_or_not_at_all() {
        let temporary = tempfile::tempdir().expect("a folder");
        let root = temporary.path().to_owned();
        let (bin, lib) = (root.join("bin"), root.join("lib"));
        let command = bin.join("philae");
        for folder in [&bin, &lib] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let missing = find_library(None, &command).expect_err("it is not there").to_string();
        for part in ["lib/libphilae-fi.so", "bin/libphilae_provider.so", "make build", "PHILAE_LIBRARY"] {
            assert!(missing.contains(part), "{missing}");
        }
        std::fs::write(bin.join(BUILT), "").expect("a file");
        let folder = find_library(None, &command).expect("where it was built");
        assert_eq!(folder, bin.join("philae-fi"));
        assert!(folder.join(NAME).is_file(), "under the name that libfabric looks for");
        assert_eq!(find_library(Some(&bin.join(BUILT)), &command).expect("named"), folder);
        std::fs::write(lib.join(NAME), "").expect("a file");
        assert_eq!(find_library(None, &command).expect("next to the command"), lib);
        assert_eq!(find_library(Some(&lib), &command).expect("its folder is named"), lib);
        let wrong = find_library(Some(&root), &command).expect_err("another folder").to_string();
        assert!(wrong.contains("a folder without libphilae-fi.so"), "{wrong}");
    }

    #[test]
    fn of_two_that_cargo_built_the_newer_one_counts() {
        let temporary = tempfile::tempdir().expect("a folder");
        let command = temporary.path().join("philae");
        let (old, new) = (temporary.path().join(CLOCKS), temporary.path().join("deps").join(CLOCKS));
        std::fs::create_dir(temporary.path().join("deps")).expect("a folder");
        let write = |file: &Path, age: u64| {
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            std::fs::File::create(file).and_then(|file| file.set_modified(time)).expect("a file with an age");
        };
        write(&old, 100);
        assert_eq!(find_clocks(&command).expect("beside the command"), old);
        write(&new, 10);
        assert_eq!(find_clocks(&command).expect("what the tests have built"), new);
        write(&old, 1);
        assert_eq!(find_clocks(&command).expect("built again"), old);
    }
}
