//! Links of Markdown files: the file and the heading that they name exist.

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
