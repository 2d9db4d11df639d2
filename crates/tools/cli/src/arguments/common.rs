//! Options of every command.

use clap::{Args, ValueEnum};
use std::io::IsTerminal;

/// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
pub struct CommonOptions {
    /// Print one JSON document on standard output, and everything else on standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only errors, warnings and what was asked for: the text of a command that prints, the
    /// place of a result in a folder, nothing if the command line names the file that is written.
    /// Warnings go to standard error; they say what changes the meaning of a result, and are in its
    /// report as well.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Show progress on standard error. `auto` shows a bar on a terminal and nothing elsewhere.
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t = ProgressStyle::Auto)]
    pub progress: ProgressStyle,
    /// Colour the output. `auto` does so on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColourChoice::Auto)]
    pub color: ColourChoice,
    /// Prints no warnings either: another process of the run does.
    #[arg(skip)]
    pub is_mute: bool,
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

    /// Prints what changes the meaning of a result, one line each on standard error, also with
    /// `--quiet`.
    pub fn warn(self, warnings: &[String]) {
        warnings.iter().for_each(|warning| self.say(&format!("warning: {warning}")));
    }

    /// Prints a line on standard error, also with `--quiet`.
    pub fn say(self, text: &str) {
        if !self.is_mute {
            philae_console::note!("{text}");
        }
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
