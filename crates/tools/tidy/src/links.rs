//! Names that lead somewhere: links of Markdown files to files and headings, paths in a page's
//! text, and packages of cargo commands.

use crate::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// The Markdown files of a repository by path, and the names of all its files and folders.
pub struct MarkdownPages<'a> {
    headings: BTreeMap<&'a str, BTreeSet<String>>,
    places: BTreeSet<String>,
}

impl<'a> MarkdownPages<'a> {
    /// Of files as `(path, text)`, and of the paths of files that are no text, such as pictures.
    pub fn new(files: impl IntoIterator<Item = (&'a str, &'a str)>, others: impl IntoIterator<Item = String>) -> Self {
        let mut pages = Self { headings: BTreeMap::new(), places: others.into_iter().collect() };
        for (path, text) in files {
            pages.places.insert(path.to_owned());
            if path.ends_with(".md") {
                pages.headings.insert(path, headings(text));
            }
        }
        let parents = |path: &String| -> Vec<String> {
            path.match_indices('/').map(|(slash, _)| path[..slash].to_owned()).collect()
        };
        let folders: Vec<String> = pages.places.iter().flat_map(parents).collect();
        pages.places.extend(folders);
        pages
    }

    /// The links of a page that lead nowhere.
    #[must_use]
    pub fn dead(&self, path: &str, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (number, line) in without_code(text) {
            for link in targets(line) {
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = if file.is_empty() { path.to_owned() } else { resolved(path, file) };
                if !self.places.contains(&target) {
                    findings.push(Finding::new(path, number, format!("the link to `{link}`: there is no {target}")));
                } else if let Some(headings) = self.headings.get(target.as_str())
                    && !anchor.is_empty()
                    && !headings.contains(anchor)
                {
                    findings.push(Finding::new(path, number, format!("{target} has no heading `#{anchor}`")));
                }
            }
        }
        findings
    }

    /// The paths into `crates/` and `scripts/` in a page's text and code that do not exist. A path
    /// with a wildcard or a placeholder in capitals is exempt.
    #[must_use]
    pub fn lost_paths(&self, path: &str, text: &str) -> Vec<Finding> {
        let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || "_-./*".contains(letter));
        let mut findings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            for word in line.split(is_end) {
                let word = word.trim_end_matches(['.', '/', '-']);
                let is_pattern = word.contains(|letter: char| letter == '*' || letter.is_ascii_uppercase());
                let is_ours = word.starts_with("crates/") || word.starts_with("scripts/");
                if is_ours && !is_pattern && !self.places.contains(word) {
                    findings.push(Finding::new(path, index + 1, format!("there is no {word}")));
                }
            }
        }
        findings
    }

    /// The pages below the folder of a book's summary that are not exactly once in it, and its
    /// entries that are not pages. `text` is the summary.
    #[must_use]
    pub fn not_once(&self, summary: &str, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut entries = BTreeSet::new();
        for (number, line) in without_code(text) {
            for link in targets(line) {
                let page = resolved(summary, link);
                if !self.headings.contains_key(page.as_str()) {
                    findings.push(Finding::new(summary, number, format!("the entry `{link}`: {page} is not a page")));
                } else if !entries.insert(page) {
                    findings.push(Finding::new(summary, number, format!("the entry `{link}` is there twice")));
                }
            }
        }
        let folder = summary.rfind('/').map_or("", |slash| &summary[..=slash]);
        for page in self.headings.keys().filter(|page| page.starts_with(folder) && **page != summary) {
            if !entries.contains(*page) {
                findings.push(Finding::new(summary, 1, format!("no entry leads to {page}")));
            }
        }
        findings
    }
}

/// Source files that a table names and that are not there, and items in parentheses behind them
/// (`hop.rs` (`request`, `grant`)) that the file does not have. A name stands for each file whose
/// path ends with it; names with braces are not looked for.
#[must_use]
pub fn lost_items(path: &str, text: &str, sources: &BTreeMap<&str, &str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    for (index, cell) in rows.flat_map(|(index, line)| line.split('|').map(move |cell| (index, cell))) {
        let mut words = cell.split('`').skip(1);
        // Code and the text behind it, in turn.
        let mut named: Option<Vec<&str>> = None;
        while let Some(code) = words.next() {
            if code.ends_with(".rs") && !code.contains(['{', ' ']) {
                let ends = |found: &&str| found.strip_suffix(code).is_some_and(|rest| rest.ends_with('/'));
                let found = sources.iter().filter(|(name, _)| ends(name)).map(|(_, text)| *text).collect::<Vec<_>>();
                if found.is_empty() {
                    findings.push(Finding::new(path, index + 1, format!("there is no {code}")));
                }
                let is_open = words.next().is_some_and(|behind| behind.trim_start() == "(");
                named = (is_open && !found.is_empty()).then_some(found);
                continue;
            }
            if let Some(found) = &named
                && !found.iter().any(|text| text.contains(code))
            {
                findings.push(Finding::new(path, index + 1, format!("its file does not have `{code}`")));
            }
            if words.next().is_none_or(|behind| behind.contains(')')) {
                named = None;
            }
        }
    }
    findings
}

/// The path that a relative link of a page means.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The lines of a page outside of code blocks, with code in a line left out.
fn without_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        (!is_code && !fence).then_some((index + 1, line))
    })
}

/// The packages `philae-...` that a cargo command in `text` names and the workspace does not have.
#[must_use]
pub fn lost_packages(path: &str, text: &str, crates: &BTreeSet<String>) -> Vec<Finding> {
    let mut words = text.split_whitespace().map(|word| word.trim_matches(['`', '"', '\'', ',', '.', ')', '(']));
    let mut findings = Vec::new();
    while let Some(word) = words.next() {
        if !matches!(word, "-p" | "--package") {
            continue;
        }
        let Some(name) = words.next().filter(|name| name.starts_with("philae-")) else { continue };
        if !crates.contains(name) {
            let line = text.lines().position(|line| line.contains(name)).map_or(0, |index| index + 1);
            findings.push(Finding::new(path, line, format!("there is no package {name}")));
        }
    }
    findings
}

/// The targets of `[text](target)` in a line.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()).filter(|target| !target.is_empty())
}

/// The anchors of a page's headings, as forges make them: lower case, blanks as hyphens, no
/// punctuation; a second one of the same name has `-1`.
fn headings(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, line) in without_code(text) {
        let Some(title) = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()) else { continue };
        // A link in a heading counts by its text.
        let mut plain = String::new();
        let mut rest = title;
        while let Some((before, behind)) = rest.split_once("](") {
            plain += before;
            rest = behind.split_once(')').map_or("", |(_, behind)| behind);
        }
        plain += rest;
        let keeps = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        let letters = plain.to_lowercase();
        let anchor: String =
            letters.chars().filter(keeps).map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let name = (0..).map(|count| if count == 0 { anchor.clone() } else { format!("{anchor}-{count}") });
        found.extend(name.into_iter().find(|name| !found.contains(name)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_items_of_a_table_are_looked_for() {
        let sources = BTreeMap::from([("crates/sim/fabric/src/hop.rs", "fn request() {} fn grant() {}")]);
        let found =
            |row: &str| -> Vec<String> { lost_items("a.md", row, &sources).iter().map(ToString::to_string).collect() };
        for row in ["| `fabric/src/hop.rs` (`request`, `grant`) |", "| `hop.rs`, `{a,b}.rs` | `other` |", "`gone.rs`"] {
            assert_eq!(found(row), Vec::<String>::new(), "{row}");
        }
        assert!(found("| `fabric/src/hops.rs` |")[0].contains("there is no fabric/src/hops.rs"));
        assert!(found("| `hop.rs` (`request`, `give`) |")[0].contains("does not have `give`"));
    }

    #[test]
    fn dead_links_are_caught_and_good_ones_pass() {
        let page = "# The `first` page\n## Two words, said\n## Two words, said\n[a](b.md) [b](../README.md#top)\n\
                    [c](#two-words-said-1) [d](pictures/) [e](https://example.org/x)\n```\n[f](nowhere.md)\n```\n";
        let files = [("docs/a.md", page), ("docs/b.md", "# B\n"), ("README.md", "# Top\n")];
        let pages = MarkdownPages::new(files, ["docs/pictures/p.svg".to_owned()]);
        assert_eq!(pages.dead("docs/a.md", page), []);
        for (text, words) in [
            ("[x](c.md)", "there is no docs/c.md"),
            ("[x](b.md#c)", "no heading `#c`"),
            ("[x](#three)", "no heading `#three`"),
            ("[x](../docs/pictures/q.svg)", "there is no docs/pictures/q.svg"),
        ] {
            let dead = pages.dead("docs/a.md", text);
            assert!(dead.len() == 1 && dead[0].message.contains(words), "{dead:?}");
        }
    }

    #[test]
    fn a_path_and_a_package_that_do_not_exist_are_caught() {
        let pages = MarkdownPages::new([("crates/sim/a/src/b.rs", "")], ["scripts/step".to_owned()]);
        let good = "`crates/sim/a/src`, `crates/sim/a/src/b.rs`: `scripts/step`. crates/sim/NAME, crates/*/a";
        assert_eq!(pages.lost_paths("a.md", good), []);
        let found = pages.lost_paths("a.md", "x\n(`crates/sim/a/far`), scripts/steps.");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].message.contains("crates/sim/a/far") && found[1].message.contains("scripts/steps"));

        let crates = BTreeSet::from(["philae-a".to_owned()]);
        for (text, count) in [
            ("`cargo test -p philae-a` and `cargo test --package philae-a`.", 0),
            ("cargo build -p\nphilae-b", 1),
            ("--package philae-a --package philae-b,", 1),
            ("-p serde", 0),
        ] {
            assert_eq!(lost_packages("a.md", text, &crates).len(), count, "{text}");
        }
    }

    #[test]
    fn a_summary_that_has_not_each_page_once_is_caught() {
        let good = "- [A](a.md)\n  - [B](sub/b.md)\n- [top](../README.md)\n";
        let names = ["docs/SUMMARY.md", "docs/a.md", "docs/sub/b.md", "README.md", "docsets/c.md"];
        let pages = MarkdownPages::new(names.map(|name| (name, "# X\n")), ["docs/pictures/p.svg".to_owned()]);
        assert_eq!(pages.not_once("docs/SUMMARY.md", good), []);
        for (text, words) in [
            ("- [A](a.md)\n", "no entry leads to docs/sub/b.md"),
            (&*format!("{good}- [again](a.md)\n"), "`a.md` is there twice"),
            (&*format!("{good}- [C](c.md)\n"), "docs/c.md is not a page"),
            (&*format!("{good}- [P](pictures/p.svg)\n"), "docs/pictures/p.svg is not a page"),
        ] {
            let found = pages.not_once("docs/SUMMARY.md", text);
            assert!(found.len() == 1 && found[0].message.contains(words), "{found:?}");
        }
    }
}
