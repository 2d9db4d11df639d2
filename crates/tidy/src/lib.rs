//! Tests of the repository itself: what a reviewer would otherwise have to say twice.
//!
//! Invariant: every checker is a pure function over text that it is given and returns what it found, so that each has a
//! test in which a bad example is caught. Only [`repository`] reads files, and nothing here is part of the product: no
//! other crate depends on this one.

pub mod constants;
pub mod dependencies;
pub mod glossary;
pub mod manifest;
pub mod prose;
pub mod repository;
pub mod text;

use std::fmt;

/// One broken rule, where it is and what would mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the root of the repository.
    pub path: String,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Finding {
    /// A finding at `line` of `path`.
    #[must_use]
    pub fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.message)
    }
}
