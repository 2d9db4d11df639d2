//! Standard output: one text or one JSON document.

use crate::failure::CommandFailure;
use serde::Serialize;
use std::io::IsTerminal;
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

/// Makes tables fit the terminal: `COLUMNS` characters if that is set, otherwise those of the
/// terminal that standard output is. Without one, lines are whole, for other programs.
pub fn fit_terminal() {
    let asked = std::env::var("COLUMNS").ok().and_then(|letters| letters.parse::<usize>().ok());
    let stdout = std::io::stdout();
    let terminal = || {
        let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten();
        size.map(|size| usize::from(size.ws_col))
    };
    philae_results::text::fit_terminal(asked.or_else(terminal).unwrap_or(0));
}
