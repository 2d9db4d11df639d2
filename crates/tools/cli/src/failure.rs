//! Failures of a command, with their exit codes.

use crate::arguments::CommonOptions;
use crate::attention;
use crate::signal_code;
use philae_console::{OutputError, READER_GONE};
use std::fmt::Display;
use std::process::ExitCode;

/// The most characters in a line of a message, because a quoted line of a file may have any length.
const LINE_MAX: usize = 2_000;

/// A message with shortened lines.
fn readable(message: &str) -> String {
    let cut = |line: &str| match line.char_indices().nth(LINE_MAX) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    };
    message.split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

/// A message for the user and an exit code for scripts.
#[derive(Debug)]
pub struct CommandFailure {
    message: String,
    code: u8,
}

impl CommandFailure {
    /// Bad input or usage: exit code 2.
    pub fn input(message: impl Display) -> Self {
        Self { message: readable(&message.to_string()), code: 2 }
    }

    /// The command ran and found an error: exit code 1.
    pub fn run(message: impl Display) -> Self {
        Self { message: readable(&message.to_string()), code: 1 }
    }

    /// A signal ended it without output; the exit code is that of the signal.
    pub fn interrupted(message: impl Display) -> Self {
        Self { message: message.to_string(), code: signal_code::present() }
    }

    /// The first process of this run reports the failure. This one prints nothing, and has exit
    /// code 0, because launchers end the others when one process fails.
    pub const fn said_elsewhere() -> Self {
        Self { message: String::new(), code: 0 }
    }

    /// The exit code and the message, for another process to report.
    pub fn parts(&self) -> (u8, &str) {
        (self.code, &self.message)
    }

    /// The failure with these parts.
    pub const fn of_parts(code: u8, message: String) -> Self {
        Self { message, code }
    }

    /// Whether another process reports it.
    pub const fn is_said_elsewhere(&self) -> bool {
        self.message.is_empty()
    }

    /// The message as on standard error.
    pub fn text(&self, colour: bool) -> String {
        if signal_code::is_of_signal(self.code) {
            self.message.clone()
        } else if colour {
            format!("\x1b[1;31merror:\x1b[0m {}", self.message)
        } else {
            format!("error: {}", self.message)
        }
    }

    /// Reports to the user on standard error and, with `--json`, to programs on standard output.
    /// Returns the exit code.
    pub fn report(&self, shared: CommonOptions) -> ExitCode {
        if !self.is_said_elsewhere() {
            attention::take_last_word();
            philae_console::note!("{}", self.text(shared.colour_on_stderr()));
            // An incomplete result has its document already, and there must be only one.
            if shared.json && !philae_console::has_document() {
                let _ = philae_console::print_json(&philae_console::error_document(&self.message, self.code));
            }
        }
        philae_console::exit(self.code)
    }
}

impl From<OutputError> for CommandFailure {
    fn from(unwritten: OutputError) -> Self {
        match unwritten {
            OutputError::ReaderGone => Self { message: String::new(), code: READER_GONE },
            failed => Self::run(failed),
        }
    }
}

/// The end of an error about an unknown word: the nearest known one, if any is near.
pub fn did_you_mean<'w>(asked: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    philae_scenario::nearest(asked, words).map_or_else(String::new, |word| format!("; did you mean '{word}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_message_ends_where_people_stop_to_read() {
        let long = format!("1 | a={}\n{}^\nthe end", "[".repeat(100_000), " ".repeat(50_000));
        let said = CommandFailure::input(long).message;
        assert!(said.len() < 2 * LINE_MAX + 100 && said.ends_with("\nthe end"), "{}", said.len());
        assert_eq!(CommandFailure::run("short\nlines").message, "short\nlines");
    }
}
