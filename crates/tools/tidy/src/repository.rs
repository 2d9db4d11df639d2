//! The only module that reads: the files of the repository and cargo's metadata about the
//! workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One text file of the repository.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// The path relative to the root, with `/` between its parts.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .canonicalize()
        .expect("this crate lies three levels below the root")
}

/// Every text file that is committed or about to be: the files that git lists, without those that
/// it ignores.
///
/// Outside a git checkout (an unpacked archive) it walks the tree instead, without build output.
/// Binary files are left out.
///
/// # Panics
/// If there are no files at all: a check of nothing would pass and mean nothing.
#[must_use]
pub fn files() -> Vec<TextFile> {
    let root = root();
    let paths = paths();
    let files: Vec<TextFile> = paths
        .into_iter()
        // Links are skipped, and so are files that git knows but that are deleted in the working
        // tree.
        .filter(|path| root.join(path).symlink_metadata().is_ok_and(|data| data.is_file()))
        .filter_map(|path| fs::read_to_string(root.join(&path)).ok().map(|text| TextFile { path, text }))
        .collect();
    assert!(!files.is_empty(), "the repository at {} has no text files", root.display());
    files
}

/// The output of `cargo metadata` about the workspace's own packages.
///
/// # Panics
/// If cargo does not run or does not return JSON.
#[must_use]
pub fn cargo_metadata() -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs the tests, so it can be run");
    assert!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// The names of the workspace's packages.
///
/// # Panics
/// As [`cargo_metadata`].
#[must_use]
pub fn crate_names() -> BTreeSet<String> {
    let metadata = cargo_metadata();
    let packages = metadata["packages"].as_array().expect("packages in cargo's metadata");
    packages.iter().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect()
}

/// Third-party packages with their versions, and the sets of features that cargo gives each of them
/// when it builds `selection`, in the format of `cargo tree`. A package has more than one set if
/// code that runs at compile time has its own.
///
/// Cargo fetches packages that no build has needed yet, such as MPI on a machine without it.
///
/// # Panics
/// If cargo does not run or finds nothing.
#[must_use]
pub fn features(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--prefix", "none", "--no-dedupe", "--format", "{p}|{f}"])
        .args(selection)
        .current_dir(root())
        .output()
        .expect("cargo runs the tests, so it can be run");
    assert!(output.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (package, features) in String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.split_once('|')) {
        // The line of a workspace package includes its path.
        if !package.contains(" (/") {
            found.entry(package.to_owned()).or_default().insert(features.to_owned());
        }
    }
    assert!(!found.is_empty(), "cargo tree names no third-party package of {selection:?}");
    found
}

/// The paths of all files, also of those that are no text.
#[must_use]
pub fn paths() -> Vec<String> {
    let root = root();
    let mut paths = git_paths(&root).unwrap_or_else(|| walked_paths(&root));
    paths.sort();
    paths.dedup();
    paths
}

fn git_paths(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn walked_paths(root: &Path) -> Vec<String> {
    const BUILT: [&str; 8] =
        ["target", "build", "results", ".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache"];
    let mut paths = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder {
                let relative = path.strip_prefix(root).expect("the walk starts at the root");
                paths.push(relative.to_string_lossy().into_owned());
            } else if !BUILT.iter().any(|name| entry.file_name() == *name) {
                folders.push(path);
            }
        }
    }
    paths
}
