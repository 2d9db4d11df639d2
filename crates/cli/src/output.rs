//! Standard output: one text or one JSON document.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Prints a text. A reader that has seen enough (`philae systems | head -1`) is no failure.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::run(format!("cannot write to standard output: {error}"))),
    }
}

/// Prints one JSON document.
pub fn print_json(document: &impl Serialize) -> Result<ExitCode, Failure> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| Failure::run(format!("cannot write the result as JSON: {error}")))?;
    print(&(text + "\n"))
}
