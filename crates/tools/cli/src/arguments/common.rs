//! Options of every command.

use clap::{Args, ValueEnum};
use std::io::IsTerminal;

/// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
pub struct CommonOptions {
    /// Print one JSON document on standard output, and everything else on standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only errors and what was asked for: the text of a command that prints, the place of a
    /// result in a folder, nothing if the command line names the file that is written.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Show progress on standard error. `auto` shows a bar on a terminal and nothing elsewhere.
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t = ProgressStyle::Auto)]
    pub progress: ProgressStyle,
    /// Colour the output. `auto` does so on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColourChoice::Auto)]
    pub color: ColourChoice,
}

impl CommonOptions {
    /// Whether standard output is coloured.
    pub fn colour(self) -> bool {
        self.color.wanted(std::io::stdout().is_terminal())
    }

    /// Whether standard error is coloured.
    pub fn colour_on_stderr(self) -> bool {
        self.color.wanted(std::io::stderr().is_terminal())
    }

    /// Whether the file that a command writes is all that the user wants of it.
    pub fn writes_only(self, has_file: bool) -> bool {
        self.quiet && has_file
    }

    /// Prints a note for the user on standard error.
    pub fn note(self, text: &str) {
        if !self.quiet {
            philae_console::note!("{text}");
        }
    }

    /// Prints parts of inputs that the command ignores, one line each on standard error.
    pub fn warn(self, warnings: &[String]) {
        warnings.iter().for_each(|warning| self.note(&format!("warning: {warning}")));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    Auto,
    Bar,
    Json,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    Auto,
    Always,
    Never,
}

impl ColourChoice {
    fn wanted(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }
}
