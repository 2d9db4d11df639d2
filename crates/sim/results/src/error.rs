//! Errors while a result is written.

use std::io;
use std::path::PathBuf;

use crate::result::UnwrittenFile;

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
    /// The requested place is a file or a device.
    #[error("{path} is no folder: a new or empty folder, or an earlier result to replace, would work")]
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
    #[error("the result is incomplete: it lacks {}; its other files are kept in {kept}", unwritten_words(.missing))]
    Incomplete {
        /// The place of the others.
        kept: PathBuf,
        /// The missing files.
        missing: Vec<UnwrittenFile>,
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
    /// The reason alone, without the temporary place at which it showed.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Io { source, .. } => source.to_string(),
            Self::Parquet { source, .. } | Self::Unwritable { source, .. } => {
                source.to_string().trim_start_matches("External: ").to_owned()
            }
            other => other.to_string(),
        }
    }

    /// Adds the action and its path to an error, for `map_err`.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

/// Files grouped by the reason why they could not be written:
/// `ports.parquet, messages.parquet (No space left on device (os error 28))`.
#[must_use]
pub fn unwritten_words(unwritten: &[UnwrittenFile]) -> String {
    let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
    for one in unwritten {
        let reason = one.error.reason();
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, files)) => files.push(&one.file),
            None => by_reason.push((reason, vec![&one.file])),
        }
    }
    let texts = by_reason.iter().map(|(reason, files)| format!("{} ({reason})", files.join(", ")));
    texts.collect::<Vec<_>>().join("; ")
}
