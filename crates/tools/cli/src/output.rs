//! Standard output: one text or one JSON document.

use crate::failure::CommandFailure;
use serde::Serialize;
use std::process::ExitCode;

/// Prints a text.
pub fn print(text: &str) -> Result<ExitCode, CommandFailure> {
    philae_console::print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints one JSON document.
pub fn print_json(document: &impl Serialize) -> Result<ExitCode, CommandFailure> {
    philae_console::print_json(document)?;
    Ok(ExitCode::SUCCESS)
}
