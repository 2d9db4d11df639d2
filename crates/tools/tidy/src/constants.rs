//! Checks that every number of the model states its source and its status.
//!
//! A number is either in a constant, whose documentation then says `Source: ... Status: ...`, or in
//! a `preset!` table, whose rows then have both as data.

use std::collections::BTreeSet;

use crate::Finding;

/// The valid statuses: how sure we are of a number.
pub const STATUSES: [&str; 4] = ["published", "measured", "derived", "assumed"];

/// Finds documentation with a status but no source, and documentation of a value with a source but
/// no status.
///
/// The two belong together: a source alone does not say whether the number was read there or
/// derived from it. A function or a module may name the source of its formula without a status,
/// because it has no number of its own.
#[must_use]
pub fn half_sourced(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for item in items(text) {
        let problem = match (item.documentation.has_source(), item.documentation.status()) {
            (true, Status::None) if declared_value(item.line_text).is_some() => "has `Source:` but no `Status:`",
            (true, Status::Unknown) => "has a `Status:` that is not published, measured, derived or assumed",
            (false, Status::Known) => "has `Status:` but no `Source:`",
            _ => continue,
        };
        findings.push(Finding::new(path, item.documentation.line, problem));
    }
    findings
}

/// Finds public constants and fields without a source and a status in their documentation or in a
/// `preset!` row of the file. For files named `parameters.rs`.
///
/// A field whose type is itself a set of parameters (its name ends in `Parameters`) has its sources
/// inside. The check stops at the file's tests.
#[must_use]
pub fn unsourced(path: &str, text: &str) -> Vec<Finding> {
    let text = text.split("#[cfg(test)]").next().unwrap_or("");
    let in_presets: BTreeSet<String> = preset_rows(text).into_iter().map(|row| row.name).collect();
    let mut findings = Vec::new();
    for item in items(text) {
        let Some(name) = declared_value(item.line_text).filter(|_| item.line_text.starts_with("pub")) else { continue };
        let documented = item.documentation.has_source() && item.documentation.status() == Status::Known;
        if !documented && !in_presets.contains(name) {
            let message = format!(
                "`{name}` needs `Source: ... Status: {}` above it, or a row in a `preset!`",
                STATUSES.join("|")
            );
            findings.push(Finding::new(path, item.line, message));
        }
    }
    findings
}

/// Finds rows of a `preset!` table without a source, and assumed ones that do not say what they
/// affect.
///
/// A row is `name = value, Status, "source", "range", "what it moves most";`.
#[must_use]
pub fn unsourced_presets(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for row in preset_rows(text) {
        let problem = match row.texts.as_slice() {
            [.., source, _, _] if source.trim().is_empty() => "has no source",
            [.., _, _, moves] if row.assumed && moves.trim().is_empty() => "is assumed and does not say what it moves",
            [.., _, _, _] => continue,
            _ => "needs a source, a range and what it moves",
        };
        findings.push(Finding::new(path, row.line, format!("the preset's `{}` {problem}", row.name)));
    }
    findings
}

/// The name of the constant or field that `line` declares, unless its own type has the sources.
fn declared_value(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
    let line = line.strip_prefix("const ").or_else(|| line.strip_prefix("static ")).unwrap_or(line);
    let (name, rest) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || character == '_');
    let kind = rest.split(['=', ',', '{']).next().unwrap_or("").trim();
    (is_name && !rest.starts_with(':') && !kind.ends_with("Parameters")).then_some(name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    None,
    Unknown,
    Known,
}

/// Consecutive lines of documentation.
#[derive(Debug, Default)]
struct Documentation {
    line: usize,
    text: String,
}

impl Documentation {
    fn push(&mut self, line: usize, content: &str) {
        if self.text.is_empty() {
            self.line = line;
        }
        self.text.push(' ');
        self.text.push_str(content.trim());
    }

    fn has_source(&self) -> bool {
        self.text.contains("Source:") || self.text.contains("Sources:")
    }

    fn status(&self) -> Status {
        let Some((_, after)) = self.text.split_once("Status:") else { return Status::None };
        let word = after.trim_start().split(|character: char| !character.is_alphabetic()).next().unwrap_or("");
        if STATUSES.contains(&word) { Status::Known } else { Status::Unknown }
    }
}

/// A line of code and the documentation directly above it. Attributes in between belong to neither.
struct Item<'text> {
    line: usize,
    line_text: &'text str,
    documentation: Documentation,
}

fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut documentation = Documentation::default();
    let mut in_attribute = false;
    for (index, line) in text.lines().enumerate() {
        let line_text = line.trim();
        if let Some(content) = line_text.strip_prefix("///").or_else(|| line_text.strip_prefix("//!")) {
            documentation.push(index + 1, content);
        } else if in_attribute || line_text.starts_with("#[") {
            in_attribute = !line_text.ends_with(']');
        } else {
            items.push(Item { line: index + 1, line_text, documentation: std::mem::take(&mut documentation) });
        }
    }
    items
}

/// One row of a `preset!` table.
struct PresetRow {
    line: usize,
    name: String,
    assumed: bool,
    texts: Vec<String>,
}

/// The rows of every `preset!( ... { rows });` of a file. Comments and lines that do not look like
/// a row are skipped.
fn preset_rows(text: &str) -> Vec<PresetRow> {
    let mut rows = Vec::new();
    let mut in_table = false;
    let mut row = String::new();
    let mut row_line = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("//") {
            continue;
        }
        if line.starts_with("preset!(") {
            in_table = true;
            row.clear();
            continue;
        }
        if !in_table {
            continue;
        }
        if line.starts_with("});") {
            in_table = false;
            continue;
        }
        if row.is_empty() {
            row_line = index + 1;
        }
        row.push_str(line);
        if line.ends_with(';') {
            rows.extend(preset_row(row_line, &row));
        }
        if line.ends_with(';') || line.ends_with('{') {
            row.clear();
        }
    }
    rows
}

fn preset_row(line: usize, row: &str) -> Option<PresetRow> {
    let (name, rest) = row.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || character == '_');
    // Outside the quotes are the value and the status; inside them the three texts.
    let parts: Vec<&str> = rest.split('"').collect();
    let outside: String = parts.iter().step_by(2).copied().collect();
    is_name.then(|| PresetRow {
        line,
        name: name.to_owned(),
        assumed: outside.split(',').any(|part| part.trim() == "Assumed"),
        texts: parts.iter().skip(1).step_by(2).map(|part| (*part).to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(findings: &[Finding]) -> Vec<usize> {
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_source_without_a_status_is_caught_and_the_other_way_round() {
        assert_eq!(half_sourced("a.rs", "/// Latency. Source: SC'20.\nconst A: u8 = 1;\n").len(), 1);
        assert_eq!(half_sourced("a.rs", "/// Latency. Status: assumed.\nconst A: u8 = 1;\n").len(), 1);
        assert_eq!(half_sourced("a.rs", "/// Latency. Source: SC'20. Status: certain.\nconst A: u8 = 1;\n").len(), 1);
        assert!(
            half_sourced("a.rs", "/// Latency.\n/// Source: SC'20.\n/// Status: published.\nconst A: u8 = 1;\n")
                .is_empty()
        );
    }

    #[test]
    fn the_source_of_a_formula_needs_no_status() {
        assert!(half_sourced("a.rs", "/// Jain's index. Source: Jain 1984.\npub fn jain() {}\n").is_empty());
        assert!(half_sourced("a.rs", "/// HTTP answers `Status: 404`.\nfn a() {}\n").is_empty());
    }

    #[test]
    fn two_documentations_do_not_lend_each_other_their_half() {
        let text = "/// Source: SC'20.\nconst A: u8 = 1;\n/// Status: derived.\nconst B: u8 = 1;\n";
        assert_eq!(lines(&half_sourced("a.rs", text)), [1, 3]);
    }

    #[test]
    fn an_unsourced_constant_or_field_of_a_parameter_file_is_caught() {
        let text = "/// A limit.\npub const LIMIT: u32 = 4;\n\npub struct P {\n    /// Depth.\n    pub depth: u32,\n    pub raw: u8,\n}\n";
        assert_eq!(lines(&unsourced("parameters.rs", text)), [2, 6, 7]);
    }

    #[test]
    fn a_sourced_field_below_an_attribute_passes() {
        let text = "/// Depth. Source: SC'20, 2.1. Status: published.\n#[serde(\n    default\n)]\npub depth: u32,\n";
        assert!(unsourced("parameters.rs", text).is_empty());
    }

    #[test]
    fn functions_types_nested_parameters_and_tests_are_not_values() {
        let text = "pub struct P {\n    pub link: LinkParameters,\n}\npub const fn f(a: u8) -> u8 {\n}\npub use a::b;\npub mod c;\n\
                    #[cfg(test)]\npub const A: u8 = 1;\n";
        assert!(unsourced("parameters.rs", text).is_empty());
    }

    #[test]
    fn a_field_with_a_row_in_a_preset_passes_and_one_without_is_caught() {
        let text = "pub struct P {\n    /// Depth.\n    pub depth: u32,\n    /// Width.\n    pub width: u32,\n}\n\
                    preset!(\n    /// First.\n    P, first, first_provenance, {\n    depth = 4, Published, \"SC20; II-A\", \"\", \"\";\n});\n";
        assert_eq!(lines(&unsourced("parameters.rs", text)), [5]);
        assert!(unsourced_presets("parameters.rs", text).is_empty());
    }

    #[test]
    fn a_preset_row_without_a_source_or_an_assumed_one_without_effect_is_caught() {
        let text = "preset!(\n    P, first, first_provenance, {\n    a = 4, Published, \"\", \"\", \"x\";\n    \
                    b = 5, Assumed,\n        \"no figure\", \"1 to 9\", \"\";\n    c = 6, Assumed, \"none\", \"1 to 9\", \"latency\";\n});\n";
        assert_eq!(lines(&unsourced_presets("parameters.rs", text)), [3, 4]);
    }
}
