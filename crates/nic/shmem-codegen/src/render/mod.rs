//! The renderers of the tables.

pub mod definitions;
pub mod documents;
pub mod generic;
pub mod headers;
pub mod man;
pub mod overloads;

/// The first line of every generated C file.
pub(crate) const GENERATED: &str =
    "/* Written by philae-shmem-tables from the tables of crates/nic/shmem-codegen: do not edit. */\n";

/// Wraps words at `width` columns, with `indent` before every line.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > width {
            lines += &format!("{indent}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    if !line.is_empty() {
        lines += &format!("{indent}{line}\n");
    }
    lines
}
