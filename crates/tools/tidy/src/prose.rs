//! Prose: the width of its lines, and the words of docs/develop/style.md.

use crate::Finding;

/// Columns of a line of prose. Tables, code and links are exempt. Source: docs/develop/style.md.
pub const COLUMNS_MAX: usize = 100;

/// Words that docs/develop/style.md replaces, each with what to say. A word matches as a whole, in
/// any case.
const WORDS: [(&str, &str); 15] = [
    ("whoever", "name the actor"),
    ("somebody", "name the actor"),
    ("nobody", "name the actor, or say `no rank`, `no reader`, `unused`"),
    ("in the place of", "instead of"),
    ("worked on", "processed, active"),
    ("for ever", "forever"),
    ("anew", "again"),
    ("in vain", "without a result"),
    ("of one's own", "of your own"),
    ("holds back", "blocks"),
    ("held back", "blocked"),
    ("under way", "in flight, in progress"),
    ("postpone", "defer"),
    ("postponed", "deferred"),
    ("in turns", "in alternating runs"),
];

/// A line of prose and its number, counted from 1.
type Line<'a> = (usize, &'a str);

/// The prose of a file: the comments of source code, or Markdown without code blocks, tables and headings.
fn prose<'a>(path: &str, text: &'a str) -> Vec<Line<'a>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if path.ends_with(".md") {
        let mut is_code = false;
        return lines
            .filter(|(_, line)| {
                let fence = line.trim_start().starts_with("```");
                is_code ^= fence;
                !is_code && !fence && !line.trim_start().starts_with(['|', '#', '<'])
            })
            .collect();
    }
    // Documentation that becomes a schema or a help text changes with that, not with its source.
    let is_rendered = ["JsonSchema", "use clap::", "prost::Message"].iter().any(|word| text.contains(word));
    let is_output = |line: &str| is_rendered && line.trim_start().starts_with("///");
    let mut is_code = false;
    lines
        .filter(|(_, line)| {
            if !line.trim_start().starts_with(['/', '#']) {
                is_code = false;
                return false;
            }
            let fence = line.trim_start_matches(['/', '!', ' ']).starts_with("```");
            is_code ^= fence;
            !is_code && !fence && is_comment(path, line) && !is_output(line)
        })
        .collect()
}

fn is_comment(path: &str, line: &str) -> bool {
    let line = line.trim_start();
    let name = path.rsplit('/').next().unwrap_or(path);
    // Programs of the shell have no extension in scripts/ and .ci/; a first line names the shell.
    if !name.contains('.') {
        return line.starts_with("# ");
    }
    match name.rsplit('.').next() {
        // A row of a table in a comment is a table.
        Some("rs" | "c" | "h") => line.starts_with("//") && !line.trim_start_matches(['/', '!', ' ']).starts_with('|'),
        Some("py" | "sh" | "toml") => line.starts_with("# "),
        _ => false,
    }
}

/// Lines of prose over [`COLUMNS_MAX`] columns. A line with a link or a path that cannot be broken is exempt.
#[must_use]
pub fn too_wide(path: &str, text: &str) -> Vec<Finding> {
    let is_wide = |line: &str| {
        let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        line.chars().count() > COLUMNS_MAX && longest < COLUMNS_MAX / 2
    };
    let finding = |(number, line): Line| {
        let columns = line.chars().count();
        is_wide(line).then(|| Finding::new(path, number, format!("has {columns} columns, at most {COLUMNS_MAX}")))
    };
    prose(path, text).into_iter().filter_map(finding).collect()
}

/// Words in prose that docs/develop/style.md replaces.
#[must_use]
pub fn words(path: &str, text: &str) -> Vec<Finding> {
    let lines = prose(path, text);
    let finding = |(number, line): Line| {
        let lower = line.to_lowercase();
        let (word, better) = WORDS.iter().find(|(word, _)| is_in(&lower, word))?;
        Some(Finding::new(path, number, format!("`{word}`: {better} (docs/develop/style.md)")))
    };
    lines.into_iter().filter_map(finding).collect()
}

/// Whether `word` is in `line` as a whole word.
fn is_in(line: &str, word: &str) -> bool {
    let is_edge = |neighbour: Option<char>| neighbour.is_none_or(|neighbour| !neighbour.is_alphanumeric());
    line.match_indices(word).any(|(start, found)| {
        is_edge(line[..start].chars().next_back()) && is_edge(line[start + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_of_prose_is_caught_and_tables_code_and_links_are_not() {
        let wide = "word ".repeat(25);
        for (path, line, count) in [
            ("a.rs", format!("    /// {wide}"), 1),
            ("a.rs", format!("    let a = \"{wide}\";"), 0),
            ("a.rs", format!("/// | {wide} |"), 0),
            ("a.rs", format!("//! ```text\n//! {wide}\n//! ```\n//! {wide}"), 1),
            ("a.rs", format!("use clap::Args;\n/// {wide}\n// {wide}"), 1),
            ("a.md", wide.clone(), 1),
            ("a.md", format!("| {wide} |"), 0),
            ("a.md", format!("```\n{wide}\n```"), 0),
            ("a.md", format!("see [this]({})", "x/".repeat(60)), 0),
            ("a.py", format!("# {wide}"), 1),
            ("scripts/step", format!("# {wide}\n{wide}"), 1),
            (".ci/run", format!("    # {wide}"), 1),
            ("Makefile", format!("# {wide}"), 1),
        ] {
            assert_eq!(too_wide(path, &line).len(), count, "{path}: {line}");
        }
    }

    #[test]
    fn a_word_of_the_style_page_is_caught_as_a_whole_word() {
        for (line, count) in [
            ("/// Whoever reads", 1),
            ("/// It is built anew.", 1),
            ("/// A manewver", 0),
            ("let whoever = 1;", 0),
            ("// rates in the place of packets", 1),
        ] {
            assert_eq!(words("a.rs", line).len(), count, "{line}");
        }
    }
}
