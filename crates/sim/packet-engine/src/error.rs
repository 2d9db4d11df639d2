//! Errors in programs. Each message says where, what was asked, what was found and what would work.

use thiserror::Error;

/// A program cannot be compiled, or a table does not accept an entry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The built-in program does not exist.
    #[error("no built-in program is named `{found}`{hint} there are: {known}")]
    UnknownProgram {
        /// The requested name.
        found: String,
        /// The nearest name.
        hint: String,
        /// The names that would work.
        known: String,
    },
    /// The field does not exist.
    #[error(
        "{place}: no field is named `{found}`{hint} fields are such as ip.src, l4.dport, roce.dest_qp, vxlan.vni, meta.vni, and behind VXLAN inner.ip.src"
    )]
    UnknownField {
        /// The table, or the part of the section.
        place: String,
        /// The requested name.
        found: String,
        /// The nearest name.
        hint: String,
    },
    /// The parser never finds the field.
    #[error(
        "{place}: the parser never finds `{field}`: no state of its graph reads {header}{inner}; add one to packet_engine.parser, or leave the field out"
    )]
    NeverParsed {
        /// The table, or the part of the section.
        place: String,
        field: String,
        /// The header that has it.
        header: &'static str,
        /// " behind a VXLAN header", or empty.
        inner: &'static str,
    },
    /// The table does not exist.
    #[error("{place}: no table is named `{found}`{hint} tables: {known}")]
    UnknownTable {
        /// The place that names it.
        place: String,
        /// The requested name.
        found: String,
        /// The nearest name.
        hint: String,
        /// The names that would work.
        known: String,
    },
    /// Two tables or states have the same name.
    #[error("two {what} are named `{name}`; each needs a name of its own")]
    Twice {
        /// "tables" or "states of the parser".
        what: &'static str,
        name: String,
    },
    /// The table has no room for another entry.
    #[error(
        "table '{table}' is full: it has room for {size} entries, and {asked} are requested; remove entries or give it a size of {asked} (at most {most})"
    )]
    Full {
        table: String,
        size: u32,
        /// Entries that it would have.
        asked: u64,
        /// The largest size of a table.
        most: u32,
    },
    /// Another entry of the same priority has the same match.
    #[error(
        "table '{table}': an entry that matches {key} with priority {priority} is there already (handle {handle}); replace that one, or give this one another priority"
    )]
    Duplicate {
        table: String,
        /// The match.
        key: String,
        priority: u32,
        /// The handle of the existing entry.
        handle: u32,
    },
    /// The entry does not exist.
    #[error("table '{table}' has no entry with handle {handle}; it has {entries} entries")]
    NoEntry {
        table: String,
        /// The requested handle.
        handle: u32,
        /// The number of entries.
        entries: usize,
    },
    /// A value is invalid.
    #[error("{place}: {what} is {found}; {works}")]
    Value {
        /// The table, the state of the parser, or the part of the section.
        place: String,
        /// The name of the value.
        what: String,
        /// The value found.
        found: String,
        /// The values that would work.
        works: String,
    },
}

impl EngineError {
    pub(crate) fn value(
        place: impl Into<String>,
        what: impl Into<String>,
        found: impl ToString,
        works: impl Into<String>,
    ) -> Self {
        Self::Value { place: place.into(), what: what.into(), found: found.to_string(), works: works.into() }
    }
}

/// `; did you mean `x`?` with the most similar word, or `;`.
pub(crate) fn hint<'w>(asked: &str, words: impl IntoIterator<Item = &'w String>) -> String {
    let near = words.into_iter().map(|word| (strsim::osa_distance(asked, word), word)).min();
    match near {
        // A typing error: up to a third of the letters differ, and two exchanged letters count as
        // one.
        Some((distance, word)) if distance <= (asked.len() / 3).max(1) => format!("; did you mean `{word}`?"),
        _ => ";".to_owned(),
    }
}
