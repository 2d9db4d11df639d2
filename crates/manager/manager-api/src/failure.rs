//! How a command fails.

use philae_console::{OutputError, READER_GONE};

/// An error message, and its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub u8, pub String);

impl From<OutputError> for Failure {
    fn from(unwritten: OutputError) -> Self {
        match unwritten {
            OutputError::ReaderGone => Self(READER_GONE, String::new()),
            failed => Self(1, failed.to_string()),
        }
    }
}

/// A failure by bad input: exit code 2.
pub fn bad_input(error: impl ToString) -> Failure {
    Failure(2, error.to_string())
}
