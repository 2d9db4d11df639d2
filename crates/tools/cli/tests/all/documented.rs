//! Digests in the documentation are those of the runs that it shows.

use crate::common::{Folder, succeeded};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Pages whose digests these tests compare with runs.
const CHECKED: [&str; 2] = ["simulate/explain.md", "simulate/performance.md"];
/// Pages whose runs take hours or whose digests differ from run to run, which the pages say.
const UNCHECKED: [&str; 2] = ["simulate/scale.md", "shmem/examples.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder.file("")).args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("a page")
}

fn has_digest(text: &str) -> bool {
    let is_digest = |word: &str| {
        let is_hex = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
        word.len() == 16 && word.chars().all(is_hex) && word.contains(|letter: char| !letter.is_ascii_digit())
    };
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(is_digest)
}

/// The pages below a folder of `docs`.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

#[test]
fn every_page_with_a_digest_is_known_here() {
    let docs = root().join("docs");
    let mut all = Vec::new();
    pages(&docs, &mut all);
    let with_digest: BTreeSet<String> = all
        .iter()
        .filter(|path| has_digest(&std::fs::read_to_string(path).expect("a page")))
        .map(|path| path.strip_prefix(&docs).expect("below it").display().to_string())
        .collect();
    let known: BTreeSet<String> = CHECKED.iter().chain(&UNCHECKED).map(|name| (*name).to_owned()).collect();
    assert_eq!(with_digest, known, "a test here must run what a page shows");
}

/// A comparison of two short runs, line by line.
#[test]
fn the_comparison_in_the_documentation_is_what_the_commands_print() {
    let page = page("simulate/explain.md");
    let block = page.split("```").find(|block| block.trim_start().starts_with("A: results/")).expect("the comparison");
    let (scenario, folder) = (root().join("scenarios/first-steps.toml"), Folder::with(""));
    let scenario = scenario.to_str().expect("a path");
    succeeded(&philae(&folder, &["simulate", scenario, "--quiet"]));
    let none = ["--set", "congestion.law=none", "--output", "results/first-steps-none"];
    succeeded(&philae(&folder, &[&["simulate", scenario, "--quiet"], &none[..]].concat()));
    let printed = succeeded(&philae(&folder, &["compare", "results/first-steps", "results/first-steps-none"]));
    let printed: Vec<&str> = printed.lines().collect();
    let shown: Vec<&str> = block.trim_matches('\n').lines().collect();
    assert!(shown.len() > 20, "{block}");
    assert_eq!(printed[..shown.len()], shown[..]);
}

/// The smallest case of the table of speed.
#[test]
fn a_digest_in_the_table_of_speed_is_that_of_its_case() {
    let page = page("simulate/performance.md");
    let of_case = |line: &&str| line.starts_with("| incast-dragonfly-none | 1,024 | 1 |");
    let row = page.lines().find(of_case).expect("the row of the case");
    let folder = Folder::with("");
    let case = ["bench", "--case", "incast-dragonfly-none", "--endpoints", "1024", "--repeats", "1", "--json"];
    let report: Value = serde_json::from_str(&succeeded(&philae(&folder, &case))).expect("JSON");
    let digest = report["cases"][0]["digest"].as_str().expect("a digest");
    assert!(row.contains(digest), "{digest} is not in {row}");
}
