//! Errors while a result is written.

use std::io;
use std::path::PathBuf;

/// Reasons why a result could not be written.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The requested place has contents that are not an earlier result.
    #[error(
        "{path} is not empty and not an earlier result (it has no manifest.json): a new or empty folder, or an \
         earlier result to replace, would work"
    )]
    NotAResult {
        /// The requested place.
        path: PathBuf,
    },
    /// The requested place is a file.
    #[error("{path} is a file, not a folder: a new or empty folder, or an earlier result to replace, would work")]
    NotAFolder {
        /// The requested place.
        path: PathBuf,
    },
    /// Another run writes its result to the requested place.
    #[error(
        "{path}: another run is writing its result there ({owner}): another folder would work, or the same one after that run has ended"
    )]
    Busy {
        /// The requested place.
        path: PathBuf,
        /// The other run, as far as known.
        owner: String,
    },
    /// A signal interrupted the writing.
    #[error("it was interrupted")]
    Interrupted,
    /// Files of a result that could not be written.
    #[error("the result is incomplete: {}; the part that was written is in {kept}", .missing.iter().map(|one| format!("{}: {}", one.file, one.error)).collect::<Vec<_>>().join("; "))]
    Incomplete {
        /// The place of the others.
        kept: PathBuf,
        /// The missing files.
        missing: Vec<crate::result::UnwrittenFile>,
    },
    /// The requested place has no name of its own, so nothing can be renamed to it.
    #[error("{path} does not name a folder that could be created: give it a name, such as results/run-1")]
    NoName {
        /// The requested place.
        path: PathBuf,
    },
    /// A name that would leave the result folder.
    #[error("{name} is not the name of a file directly in the result folder: use a plain name without separators")]
    NotAFileName {
        /// The requested name.
        name: String,
    },
    /// The operating system refused.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// The failed action.
        action: &'static str,
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Replacing an earlier result failed half way, and so did putting the earlier one back.
    #[error(
        "could not move the result to {path}: {source}; and could not restore the earlier result from {kept}: {undo}"
    )]
    NotReplaced {
        /// The requested place.
        path: PathBuf,
        /// The present place of the earlier result.
        kept: PathBuf,
        /// Why the new result could not be moved.
        source: io::Error,
        /// Why the earlier one could not be put back.
        undo: io::Error,
    },
    /// The Parquet library refused.
    #[error("could not write the table {table}: {source}")]
    Parquet {
        /// Name of the table.
        table: &'static str,
        /// The library's error.
        source: parquet::errors::ParquetError,
    },
    /// A table that cannot be read.
    #[error("could not read the table {path}: {source}")]
    Unreadable {
        /// Its file.
        path: PathBuf,
        /// The library's error.
        source: parquet::errors::ParquetError,
    },
    /// A table that the library would not write.
    #[error("could not write the table {path}: {source}")]
    Unwritable {
        /// Its file.
        path: PathBuf,
        /// The library's error.
        source: parquet::errors::ParquetError,
    },
    /// A value that the column's type cannot hold.
    #[error("table {table}, column {column}, row {row}: the value {value} is above {limit}, the largest that fits")]
    ValueTooLarge {
        /// Name of the table.
        table: &'static str,
        /// Name of the column.
        column: &'static str,
        /// Row, counted from 0.
        row: usize,
        value: u64,
        /// The largest that fits.
        limit: u64,
    },
    /// The manifest could not be written as JSON.
    #[error("could not write the manifest as JSON: {0}")]
    Manifest(#[from] serde_json::Error),
}

impl MeasureError {
    /// Adds the action and its path to an error, for `map_err`.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
