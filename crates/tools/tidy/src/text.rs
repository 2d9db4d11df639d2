//! Rules that need only the lines of one file.

use crate::Finding;

/// The most lines of a file; a longer one holds more than one idea.
pub const LINES_MAX: usize = 800;

/// Words that mark unfinished work. Assembled, so that this file does not break its own rule.
const UNFINISHED: [&str; 5] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
];

/// Macros that end in a panic if the reader has gone. Assembled, so that this file does not break
/// its own rule.
const PRINTS: [&str; 4] =
    [concat!("print", "ln!("), concat!("print", "!("), concat!("eprint", "ln!("), concat!("eprint", "!(")];

/// Words that have a meaning only on the author's machine.
const MACHINE: [&str; 18] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/tm", "p/"),
    concat!("/Us", "ers/"),
    concat!("shared/", "seeds"),
    concat!("shared/", "DESIGN"),
    concat!("shared/", "STYLE"),
    concat!("REFERENCE", ".md"),
    concat!("REFERENCE", " "),
    concat!("seed ", "000"),
    concat!("seed ", "001"),
    concat!("seed ", "002"),
    concat!("seed ", "003"),
    concat!("seed ", "004"),
    concat!("work", "place"),
    concat!("crates", ".io/"),
    concat!("pypi", ".org"),
];

/// Whether `path` is source code, to which the size rule applies.
#[must_use]
pub fn is_source(path: &str) -> bool {
    [".rs", ".py", ".sh", ".c", ".h"].iter().any(|ending| path.ends_with(ending))
        || path.starts_with("scripts/")
        || path.starts_with(".ci/")
}

/// Finds a source file longer than [`LINES_MAX`] lines.
#[must_use]
pub fn too_long(path: &str, text: &str) -> Option<Finding> {
    let count = text.lines().count();
    // Generated files are exempt: readers go to the program that wrote them.
    let is_written_by_hand = !text.lines().next().is_some_and(|first| first.contains("do not edit"));
    (is_source(path) && is_written_by_hand && count > LINES_MAX)
        .then(|| Finding::new(path, 0, format!("has {count} lines, at most {LINES_MAX}: split it by idea")))
}

/// Finds lines that announce unfinished work.
#[must_use]
pub fn unfinished(path: &str, text: &str) -> Vec<Finding> {
    lines_with(path, text, &UNFINISHED, |word| {
        format!("`{word}`: finish it, or write down the limit where users read it")
    })
}

/// Finds lines that name a path or a page that other readers do not have.
///
/// The lock file is generated and names its registry. The caller excludes it, so that the rule here
/// need not be weaker.
#[must_use]
pub fn machine_specific(path: &str, text: &str) -> Vec<Finding> {
    lines_with(path, text, &MACHINE, |word| format!("`{word}` means nothing on another machine"))
}

/// Finds lines in shipped code that print with the standard library's macros, which end in a panic
/// if the reader has gone.
///
/// Tests may use them, because their reader reads to the end.
#[must_use]
pub fn printing(path: &str, text: &str) -> Vec<Finding> {
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/") || text.contains("#![cfg(test)]");
    let ours = if is_test { "" } else { text.split("\n#[cfg(test)]").next().unwrap_or(text) };
    lines_with(path, ours, &PRINTS, |word| {
        format!("`{word}` panics where nobody reads; `philae_console`, or a write whose error is looked at, would work")
    })
}

/// Checks that a crate's `lib.rs` opens with documentation that states its invariant.
#[must_use]
pub fn without_invariant(path: &str, text: &str) -> Option<Finding> {
    let opening: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
    let states_it = opening.iter().any(|line| line.contains("Invariant"));
    (!states_it).then(|| {
        Finding::new(
            path,
            1,
            "must open with `//!` lines that say `Invariant: ...`: a crate exists because it enforces one",
        )
    })
}

fn lines_with(path: &str, text: &str, words: &[&str], message: impl Fn(&str) -> String) -> Vec<Finding> {
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            words.iter().find(|word| line.contains(**word)).map(|word| Finding::new(path, index + 1, message(word)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_at_the_limit_passes_and_one_line_more_is_caught() {
        assert_eq!(too_long("a.rs", &"x\n".repeat(LINES_MAX)), None);
        assert!(too_long("a.rs", &"x\n".repeat(LINES_MAX + 1)).is_some());
        assert!(too_long("scripts/setup", &"x\n".repeat(LINES_MAX + 1)).is_some());
        assert_eq!(too_long("data.csv", &"x\n".repeat(LINES_MAX + 1)), None);
    }

    #[test]
    fn every_word_of_unfinished_work_is_caught() {
        for word in UNFINISHED {
            let findings = unfinished("a.rs", &format!("fn a() {{}}\n// {word} later\n"));
            assert_eq!(findings.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2]);
        }
        assert!(unfinished("a.rs", "let todo_count = 1;\n").is_empty());
    }

    #[test]
    fn what_prints_with_panics_is_caught_but_in_tests() {
        for word in PRINTS {
            let line = format!("fn a() {{ {word}\"x\") }}\n");
            assert_eq!(printing("crates/tools/cli/src/a.rs", &line).len(), 1, "{word}");
            assert!(printing("crates/tools/cli/src/tests.rs", &line).is_empty());
            assert!(
                printing("crates/tools/cli/src/a.rs", &format!("fn b() {{}}\n\n#[cfg(test)]\nmod tests {{ {line} }}"))
                    .is_empty()
            );
        }
    }

    #[test]
    fn every_machine_path_is_caught() {
        for word in MACHINE {
            assert_eq!(machine_specific("a.md", &format!("see {word}file\n")).len(), 1, "{word}");
        }
        assert!(machine_specific("a.md", "see docs/README.md, random seed 7\n").is_empty());
    }

    #[test]
    fn a_library_without_an_invariant_is_caught() {
        assert!(without_invariant("lib.rs", "//! The switch.\n\nuse std::fmt;\n").is_some());
        assert!(without_invariant("lib.rs", "//! The switch.\n\nfn a() {}\n//! Invariant: too late.\n").is_some());
        assert_eq!(without_invariant("lib.rs", "//! The switch.\n//!\n//! Invariant: no I/O.\n"), None);
    }

    #[test]
    fn a_file_that_a_program_wrote_may_be_long() {
        let body = "x = 1\n".repeat(LINES_MAX + 1);
        assert!(too_long("a.py", &format!("\"\"\"Written by a.py: do not edit.\"\"\"\n{body}")).is_none());
        assert!(too_long("a.py", &format!("\"\"\"Mine.\"\"\"\n{body}")).is_some());
    }
}
