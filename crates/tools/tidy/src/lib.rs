//! Tests of the repository itself: points that a reviewer would otherwise have to raise again and
//! again.
//!
//! Invariant: every checker is a pure function of the text that it is given and returns its
//! findings, so that each has a test in which it catches a bad example. Only [`repository`] reads
//! files. Nothing here is part of the product: no other crate depends on this one.

pub mod constants;
pub mod dependencies;
pub mod glossary;
pub mod links;
pub mod manifest;
pub mod prose;
pub mod repository;
pub mod text;
pub mod types;

use std::fmt;

/// One broken rule, its location, and the correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file, relative to the root of the repository.
    pub path: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: usize,
    /// The problem, and the correction.
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
