//! Tests the worked examples of the documentation: applies each patch to a copy of this repository,
//! builds the copy, and runs the tests that the patches add.
//!
//! The copy has its own folder below the target folder, so that a second run compiles only the
//! changes.

use philae_tidy::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages, and the patch of each.
const EXAMPLES: [(&str, &str); 2] = [
    ("docs/develop/add-a-routing-algorithm.md", "docs/develop/examples/add-a-routing-algorithm.patch"),
    ("docs/develop/add-a-congestion-law.md", "docs/develop/examples/add-a-congestion-law.patch"),
];

/// The folder of the copy.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("worked-examples")
}

/// Writes a file unless it has this text already, so that cargo sees no change if there is none.
fn place(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|found| found == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

/// Removes files of an earlier copy that the repository no longer has.
fn remove_others(folder: &Path, files: &BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_others(&path, files);
            // Folders that are still in use are not empty, and stay.
            let _ = std::fs::remove_dir(&path);
        } else if !files.contains(&path) {
            std::fs::remove_file(&path).expect("it is a file of the copy");
        }
    }
}

/// The files of the repository with the patches applied: the text of each, by path.
fn patched() -> Vec<repository::TextFile> {
    let mut files = repository::files();
    for (page, patch) in EXAMPLES {
        let patch =
            files.iter().find(|file| file.path == patch).unwrap_or_else(|| panic!("{patch} of {page}")).text.clone();
        for change in patch.split("diff --git ").skip(1) {
            let path = change.lines().find_map(|line| line.strip_prefix("+++ b/")).expect("a changed file");
            let file = files.iter_mut().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} of {page}"));
            file.text = applied(&file.text, change).unwrap_or_else(|hunk| {
                panic!(
                    "{page}: the patch does not fit {path} any more; make it anew. The part that does not fit:\n{hunk}"
                )
            });
        }
    }
    files
}

/// A text with the hunks of one file applied, each at the only place that has its lines.
fn applied(text: &str, change: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for hunk in change.split("\n@@ ").skip(1) {
        let lines: Vec<&str> = hunk.lines().skip(1).filter(|line| !line.starts_with('\\')).collect();
        let side = |other: char| -> String {
            let kept = lines.iter().filter(|line| !line.starts_with(other));
            kept.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
        };
        let (before, after) = (side('+'), side('-'));
        if text.matches(&before).count() != 1 {
            return Err(before);
        }
        text = text.replacen(&before, &after, 1);
    }
    Ok(text)
}

#[test]
fn the_worked_examples_build_and_their_tests_pass() {
    let folder = folder();
    let files = patched();
    for file in &files {
        place(&folder.join(&file.path), &file.text);
    }
    remove_others(&folder.join("crates"), &files.iter().map(|file| folder.join(&file.path)).collect());
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Unoptimised, because the program built here runs only for a moment.
    let output = Command::new(cargo)
        .args([
            "test",
            "--offline",
            "--locked",
            "-p",
            "philae-path",
            "-p",
            "philae-congestion",
            "-p",
            "philae-scenario",
        ])
        .args(["--lib", "--test", "all", "worked_example"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs the tests, so it can be run");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{errors}");
    let ran = said
        .lines()
        .filter(|line| line.starts_with("test ") && line.contains("worked_example") && line.ends_with("ok"));
    assert_eq!(ran.count(), 3, "each patch brings tests: {said}");
}

/// A page shows its patch, and the files that it names exist.
#[test]
fn the_pages_name_files_that_are_there() {
    let files = repository::files();
    for (page, patch) in EXAMPLES {
        let text = &files.iter().find(|file| file.path == page).unwrap_or_else(|| panic!("{page}")).text;
        assert!(text.contains(patch.trim_start_matches("docs/develop/")), "{page} links its patch");
        let named = text.split('`').filter(|word| word.starts_with("crates/") && word.contains('.'));
        let missing: Vec<&str> = named.filter(|path| files.iter().all(|file| file.path != **path)).collect();
        assert!(missing.is_empty(), "{page} names {missing:?}");
    }
}

#[test]
fn a_hunk_is_applied_at_the_one_place_that_has_its_lines() {
    let change = "a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@ fn\n one\n-two\n+2\n+two and a half\n three\n";
    assert_eq!(applied("zero\none\ntwo\nthree\n", change).as_deref(), Ok("zero\none\n2\ntwo and a half\nthree\n"));
    assert_eq!(applied("one\nthree\n", change), Err("one\ntwo\nthree\n".to_owned()));
}
