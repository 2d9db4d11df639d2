//! What can be wrong with a program: each message says where, what was asked, what was found and what would work.

use thiserror::Error;

/// A program that cannot be compiled, or an entry that a table does not take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// A built-in program that does not exist.
    #[error("no built-in program is named `{found}`{hint} there are: {known}")]
    UnknownProgram {
        /// What was asked.
        found: String,
        /// The nearest name.
        hint: String,
        /// What would work.
        known: String,
    },
    /// A field that does not exist.
    #[error(
        "{place}: no field is named `{found}`{hint} fields are such as ip.src, l4.dport, roce.dest_qp, vxlan.vni, meta.vni, and behind VXLAN inner.ip.src"
    )]
    UnknownField {
        /// Table, or part of the section.
        place: String,
        /// What was asked.
        found: String,
        /// The nearest name.
        hint: String,
    },
    /// A field that the parser never finds.
    #[error(
        "{place}: the parser never finds `{field}`: no state of its graph reads {header}{inner}; add one to packet_engine.parser, or leave the field out"
    )]
    NeverParsed {
        /// Table, or part of the section.
        place: String,
        /// Field.
        field: String,
        /// Header that has it.
        header: &'static str,
        /// " behind a VXLAN header", or nothing.
        inner: &'static str,
    },
    /// A table that does not exist.
    #[error("{place}: no table is named `{found}`{hint} tables: {known}")]
    UnknownTable {
        /// What names it.
        place: String,
        /// What was asked.
        found: String,
        /// The nearest name.
        hint: String,
        /// What would work.
        known: String,
    },
    /// Two things of one name.
    #[error("two {what} are named `{name}`; each needs a name of its own")]
    Twice {
        /// "tables" or "states of the parser".
        what: &'static str,
        /// Name.
        name: String,
    },
    /// An entry too many.
    #[error(
        "table '{table}' is full: it has room for {size} entries and {asked} are asked for; remove entries or give it a size of {asked} (at most {most})"
    )]
    Full {
        /// Table.
        table: String,
        /// Its size.
        size: u32,
        /// Entries that it would have.
        asked: u64,
        /// The largest size of a table.
        most: u32,
    },
    /// An entry that matches what another of the same priority matches.
    #[error(
        "table '{table}': an entry that matches {key} with priority {priority} is there already (handle {handle}); replace that one, or give this one another priority"
    )]
    Duplicate {
        /// Table.
        table: String,
        /// What it matches.
        key: String,
        /// Its priority.
        priority: u32,
        /// The entry that is there.
        handle: u32,
    },
    /// An entry that does not exist.
    #[error("table '{table}' has no entry with handle {handle}; it has {entries} entries")]
    NoEntry {
        /// Table.
        table: String,
        /// What was asked.
        handle: u32,
        /// Entries that there are.
        entries: usize,
    },
    /// A value that does not work.
    #[error("{place}: {what} is {found}; {works}")]
    Value {
        /// Table, state of the parser, or part of the section.
        place: String,
        /// Which value.
        what: String,
        /// What was found.
        found: String,
        /// What would work.
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

/// `; did you mean `x`?` for the word that somebody probably meant, or `;`.
pub(crate) fn hint<'w>(asked: &str, words: impl IntoIterator<Item = &'w String>) -> String {
    let near = words.into_iter().map(|word| (strsim::osa_distance(asked, word), word)).min();
    match near {
        // A slip: up to a third of the letters wrong, two exchanged counted as one.
        Some((distance, word)) if distance <= (asked.len() / 3).max(1) => format!("; did you mean `{word}`?"),
        _ => ";".to_owned(),
    }
}
