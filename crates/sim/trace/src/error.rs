//! Errors in files: the place, what was found and what was expected.

/// A file that cannot be read as a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// A line of a text file.
    #[error("'{file}', line {line}: found {found}; expected {expected}")]
    Line {
        /// As the caller named it.
        file: String,
        /// Counted from 1.
        line: usize,
        /// What was found.
        found: String,
        /// What would work.
        expected: String,
    },
    /// A place in a binary file.
    #[error("'{file}', byte {offset}: found {found}; expected {expected}")]
    Byte {
        /// As the caller named it.
        file: String,
        /// Counted from 0.
        offset: usize,
        /// What was found.
        found: String,
        /// What would work.
        expected: String,
    },
    /// A file, or several, as a whole.
    #[error("'{file}': found {found}; expected {expected}")]
    Whole {
        /// As the caller named it; the first of several.
        file: String,
        /// What was found.
        found: String,
        /// What would work.
        expected: String,
    },
    /// A schedule that a format cannot express.
    #[error("cannot write {format}: rank {rank} {what}; {works}")]
    Inexpressible {
        format: &'static str,
        /// Rank of the operation.
        rank: u32,
        /// The operation.
        what: String,
        /// What would work.
        works: String,
    },
    /// A schedule that cannot be run to its end.
    #[error("the schedule cannot be run: {0}")]
    Semantics(#[from] philae_workload::SemanticsError),
}

impl TraceError {
    /// Whether a rank is missing or unknown, which the files of other ranks may have.
    #[must_use]
    pub fn is_about_ranks(&self) -> bool {
        let words = match self {
            Self::Line { found, expected, .. }
            | Self::Byte { found, expected, .. }
            | Self::Whole { found, expected, .. } => [found, expected],
            Self::Inexpressible { .. } => return false,
            Self::Semantics(_) => return true,
        };
        words.iter().any(|text| ["rank", "receiver", "sender"].iter().any(|word| text.contains(word)))
    }

    /// An error about a file as a whole.
    pub(crate) fn whole(file: &str, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Whole { file: file.to_owned(), found: found.into(), expected: expected.into() }
    }
}

/// Text for an error: quoted, and truncated if it is long.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("\"{}\"", shown.escape_debug())
}
