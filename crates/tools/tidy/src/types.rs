//! Checks that one public type name has one meaning in the whole workspace.

use std::collections::BTreeMap;

use crate::Finding;

/// The keywords that declare a type or a trait.
const KEYWORDS: [&str; 5] = ["struct ", "enum ", "union ", "trait ", "type "];

/// Finds public types and traits whose name another public type or trait has too, and names in
/// `exceptions` that only one type has. `files` are paths and texts.
///
/// Any `pub` counts, also `pub(crate)`: a reader meets the name away from its declaration. Tests,
/// examples and types that are private to their module do not count.
#[must_use]
pub fn ambiguous<'file>(
    files: impl IntoIterator<Item = (&'file str, &'file str)>,
    exceptions: &[&str],
) -> Vec<Finding> {
    let mut places: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (path, text) in files.into_iter().filter(|(path, text)| is_shipped(path, text)) {
        for (line, name) in declared(text) {
            places.entry(name).or_default().push((path, line));
        }
    }
    let mut findings = Vec::new();
    for (name, places) in &places {
        let (path, line) = places[0];
        if let [_, others @ ..] = places.as_slice()
            && !others.is_empty()
            && !exceptions.contains(name)
        {
            let others: Vec<String> = others.iter().map(|(path, line)| format!("{path}:{line}")).collect();
            let message = format!("`{name}` is declared again at {}: give each its own name", others.join(", "));
            findings.push(Finding::new(path, line, message));
        }
    }
    for name in exceptions {
        let count = places.get(name).map_or(0, Vec::len);
        if count < 2 {
            let message = format!("the exception `{name}` is declared {count} times: remove it from the list");
            findings.push(Finding::new("", 0, message));
        }
    }
    findings
}

/// Whether `path` is source code of a crate, without its tests and examples.
fn is_shipped(path: &str, text: &str) -> bool {
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/") || text.contains("#![cfg(test)]");
    path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs") && !is_test
}

/// The macro of `philae-wire` that declares a public type, whose name is on a line of its own.
const VIEW: &str = "view!(";

/// The public types that `text` declares before its module of tests, with their lines.
fn declared(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_view = false;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        is_view |= line == VIEW;
        if let Some(name) = line.trim_start().strip_suffix(',').filter(|name| is_view && is_name(name)) {
            found.push((index + 1, name));
            is_view = false;
        }
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|(_, next)| next.starts_with("mod ")) {
            break;
        }
        found.extend(declaration(line).map(|name| (index + 1, name)));
    }
    found
}

/// Whether `text` is the name of a type.
fn is_name(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().all(char::is_alphanumeric)
}

/// The name of the public type or trait that `line` declares.
fn declaration(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = if let Some(scope) = rest.strip_prefix('(') { scope.split_once(')')?.1 } else { rest };
    let rest = rest.strip_prefix(' ')?;
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let rest = KEYWORDS.iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let name = rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: (&str, &str) = ("crates/a/one/src/plan.rs", "/// Routes.\npub struct Plan {\n");
    const TWO: (&str, &str) = ("crates/b/two/src/lib.rs", "pub(crate) enum Plan {\n");

    #[test]
    fn a_name_with_two_meanings_is_caught_with_both_places() {
        let findings = ambiguous([ONE, TWO], &[]);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!((findings[0].path.as_str(), findings[0].line), (ONE.0, 2));
        assert!(findings[0].message.contains("crates/b/two/src/lib.rs:1"), "{}", findings[0]);
        let nested = ("crates/b/two/src/lib.rs", "macro_rules! plans {\n    () => {\n        pub trait Plan {}\n");
        assert_eq!(ambiguous([ONE, nested], &[]).len(), 1);
        let view = ("crates/b/two/src/lib.rs", "view!(\n    /// A plan, in bytes.\n    Plan,\n    check\n);\n");
        assert_eq!(ambiguous([ONE, view], &[]).len(), 1);
    }

    #[test]
    fn an_exception_passes_and_one_that_is_not_needed_is_caught() {
        assert!(ambiguous([ONE, TWO], &["Plan"]).is_empty());
        assert_eq!(ambiguous([ONE], &["Plan"]).len(), 1);
        assert_eq!(ambiguous([ONE], &["Gone"]).len(), 1);
    }

    #[test]
    fn private_types_tests_and_examples_do_not_count() {
        for (path, text) in [
            ("crates/b/two/src/lib.rs", "struct Plan;\ntype Plan = u8;\n"),
            ("crates/b/two/src/lib.rs", "#[cfg(test)]\nmod tests {\n    pub struct Plan;\n"),
            ("crates/b/two/src/a/tests.rs", "pub struct Plan;\n"),
            ("crates/b/two/tests/all/main.rs", "pub struct Plan;\n"),
            ("crates/b/two/examples/plan.rs", "pub struct Plan;\n"),
            ("crates/b/two/src/lib.rs", "pub struct Planned;\npub use a::Plan;\npub fn plan() {}\n"),
        ] {
            assert!(ambiguous([ONE, (path, text)], &[]).is_empty(), "{path}: {text}");
        }
    }
}
