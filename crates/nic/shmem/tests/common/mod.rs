//! The library as programs see it: linked, and installed with its headers and wrappers.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The archive that cargo has just built: next to this test, or in the folder above.
fn archive() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own file");
    let same_folder = test.parent().expect("a file lies in a folder");
    let above = same_folder.parent().expect("a file of cargo's lies two folders deep");
    let is_ours = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            name == "libphilae_shmem.a" || (name.starts_with("libphilae_shmem-") && name.ends_with(".a"))
        })
    };
    let found = [same_folder, above]
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(is_ours)
        .max_by_key(|file| fs::metadata(file).and_then(|data| data.modified()).ok());
    found.unwrap_or_else(|| panic!("no libphilae_shmem.a in {} or {}", same_folder.display(), above.display()))
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Where `lib/libphilae_shmem.so`, `include` and `bin/oshcc` are: linked once, for all tests.
pub fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let [prefix, definitions] =
            ["shmem", "shmem-definitions"].map(|name| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        philae_shmem_codegen::render::definitions::place(&definitions)
            .expect("cargo's folder for tests can be written");
        let mut command = Command::new(root().join("scripts/shmem-library"));
        succeeded(
            "scripts/shmem-library",
            &command.arg(archive()).arg(definitions).arg(&prefix).output().expect("a shell"),
        );
        prefix
    })
}

/// The output of a command that must have succeeded.
pub fn succeeded(what: &str, output: &Output) -> String {
    assert!(
        output.status.success(),
        "{what}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether a program is installed.
pub fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// An empty folder for this test, removed at its end. It lies below cargo's, because programs can
/// not be run from every folder of temporary files.
pub fn folder(name: &str) -> TempDir {
    let mut folder = tempfile::Builder::new();
    let folder = folder.prefix(name).tempdir_in(env!("CARGO_TARGET_TMPDIR"));
    folder.expect("cargo's folder for tests can be written")
}

/// A folder that `build` fills once for all tests, whatever processes they run in, and again when
/// `inputs`, `options` or the library change.
pub fn built_once(name: &str, inputs: &[PathBuf], options: &str, build: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let library =
        [prefix().join("lib/libphilae_shmem.so.1"), prefix().join("include"), root().join("crates/nic/shmem/dist")];
    let options = format!("{options} {}", env::var("CC").unwrap_or_default());
    philae_test_support::built_once(&folder, &[inputs, &library].concat(), &options, build)
        .expect("cargo's folder for tests can be written");
    folder
}

/// The programs that call every function and check its effect.
pub fn meaning_sources() -> Vec<PathBuf> {
    let folder = root().join("crates/nic/shmem/tests/meaning");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the programs lie next to the tests")
        .map(|entry| entry.expect("a folder that can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    files.sort();
    files
}

/// Compiles a program as users do, with warnings as errors.
pub fn compile(optimisation: &str, sources: &[PathBuf], program: &Path) {
    let mut command = Command::new(prefix().join("bin/oshcc"));
    command.args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", optimisation]).args(sources).arg("-o").arg(program);
    succeeded("oshcc", &command.output().expect("oshcc runs"));
}
