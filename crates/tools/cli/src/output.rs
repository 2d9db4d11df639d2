//! Standard output: one text or one JSON document.

use crate::failure::Failure;
use serde::Serialize;
use std::process::ExitCode;

/// Prints a text.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    philae_console::print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints one JSON document.
pub fn print_json(document: &impl Serialize) -> Result<ExitCode, Failure> {
    philae_console::print_json(document)?;
    Ok(ExitCode::SUCCESS)
}
