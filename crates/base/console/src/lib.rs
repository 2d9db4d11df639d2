//! Writes to the standard output and standard error of the commands.
//!
//! Invariant: no write ends in a panic. If the reader of standard output has gone
//! (`philae systems | head -1`), the command ends quietly, by the same signal as other Unix tools.
//! If standard error cannot be written, the note is lost and the work continues, because a run is
//! worth more than its progress notes.
//!
//! SIGPIPE itself stays ignored. With its default action, a manager would end when a client hangs
//! up, and a run would end when a reader of its progress does.

mod signals;
mod stdout;

pub use signals::{ENDING, HeldSignals, is_ignored, signals_have_handlers, signals_may_wait};
pub use stdout::standard_output;

use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a command whose reader has gone, equal to a shell's code for an end by SIGPIPE:
/// 128 and the signal's number.
pub const READER_GONE: u8 = 128 + signal_hook::consts::SIGPIPE as u8;

/// Why standard output could not be written.
#[derive(Debug)]
pub enum OutputError {
    /// Its reader has gone. This is no error and needs no message.
    ReaderGone,
    /// It was closed when the program began (`>&-`).
    Closed,
    /// Another error, such as a full disk.
    Failed(io::Error),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReaderGone => f.write_str("the reader of standard output has gone"),
            Self::Closed => f.write_str("cannot write to standard output: it is closed"),
            Self::Failed(error) => write!(f, "cannot write to standard output: {error}"),
        }
    }
}

impl std::error::Error for OutputError {}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe { Self::ReaderGone } else { Self::Failed(error) }
    }
}

/// Writes a text to standard output; to standard error if standard output takes a command's data
/// ([`standard_output`]).
///
/// # Errors
/// [`OutputError`].
pub fn print(text: &str) -> Result<(), OutputError> {
    if stdout::takes_data() {
        note(text);
        return Ok(());
    }
    if stdout::was_closed() {
        return Err(OutputError::Closed);
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Whether a JSON document has been written to standard output.
static HAS_DOCUMENT: AtomicBool = AtomicBool::new(false);

/// Whether the command has written its JSON document. Errors after that are reported on standard
/// error alone.
#[must_use]
pub fn has_document() -> bool {
    HAS_DOCUMENT.load(Ordering::Relaxed)
}

/// Writes one JSON document to standard output.
///
/// # Errors
/// [`OutputError`].
pub fn print_json(document: &impl Serialize) -> Result<(), OutputError> {
    let text = serde_json::to_string_pretty(document).map_err(io::Error::other)?;
    HAS_DOCUMENT.store(true, Ordering::Relaxed);
    print(&(text + "\n"))
}

/// Writes a text to standard error, if possible.
pub fn note(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// The document that `--json` prints if a command fails:
/// `{"error": {"message": ..., "exit_code": ...}}`.
#[must_use]
pub fn error_document(message: &str, code: u8) -> Value {
    json!({ "error": { "message": message, "exit_code": code } })
}

/// Whether the words of a command line ask for `--json`, for errors in the command line itself,
/// which no parser has read.
pub fn asks_for_json(words: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> bool {
    let mut options = words.into_iter().skip(1).take_while(|word| word.as_ref() != "--");
    options.any(|word| word.as_ref() == "--json")
}

/// The value that `main` returns for an exit code. For [`READER_GONE`] this ends the process by
/// SIGPIPE, as other Unix tools end.
#[must_use]
pub fn exit(code: u8) -> ExitCode {
    if code == READER_GONE {
        // This ends the process. If it returned, the exit code would tell a shell the same.
        let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
    }
    ExitCode::from(code)
}

/// The output of a command-line parser that did not return a command: help, a version, or an error.
#[derive(Debug)]
pub struct ParserOutput {
    /// Whether it is an error, and so was written to standard error.
    pub is_mistake: bool,
    /// Whether it could be written.
    pub printed: io::Result<()>,
    /// Its text.
    pub text: String,
    /// The exit code.
    pub code: u8,
}

impl ParserOutput {
    /// The value that `main` returns. Also prints an error as a document if the command line asks
    /// for `--json`.
    #[must_use]
    pub fn exit(self) -> ExitCode {
        let Self { is_mistake, printed, text, code } = self;
        if is_mistake {
            if asks_for_json(std::env::args_os()) {
                let message = text.trim_end().trim_start_matches("error: ");
                let _ = print_json(&error_document(message, code));
            }
            return ExitCode::from(code);
        }
        let printed = if stdout::was_closed() { Err(OutputError::Closed) } else { printed.map_err(OutputError::from) };
        match printed {
            Ok(()) => ExitCode::from(code),
            Err(OutputError::ReaderGone) => exit(READER_GONE),
            Err(failed) => {
                note(&format!("error: {failed}\n"));
                ExitCode::from(1)
            }
        }
    }
}

/// Converts clap's error to [`ParserOutput`]. It is a macro because this crate is also for programs
/// without clap.
#[macro_export]
macro_rules! said {
    ($error:expr) => {{
        let error = $error;
        let parsed = error.render().to_string();
        let text = $crate::in_words(&parsed);
        let printed = if text == parsed {
            error.print()
        } else {
            $crate::note(&text);
            ::std::result::Result::Ok(())
        };
        $crate::ParserOutput {
            is_mistake: error.use_stderr(),
            printed,
            text,
            code: ::std::primitive::u8::try_from(error.exit_code()).unwrap_or(2),
        }
    }};
}

/// A parser's error with the standard library's words replaced: they have the form of a programming
/// language, and do not say what would work.
#[must_use]
pub fn in_words(error: &str) -> String {
    let words = [
        ("invalid digit found in string", "a whole number would work"),
        ("cannot parse integer from empty string", "a whole number would work"),
        ("number too large to fit in target type", "a smaller whole number would work"),
        ("number too small to fit in target type", "a larger whole number would work"),
        ("invalid float literal", "a number would work"),
        ("cannot parse float from empty string", "a number would work"),
        ("provided string was not `true` or `false`", "true or false would work"),
        ("invalid socket address syntax", "ADDRESS:PORT would work, such as 127.0.0.1:8080"),
        ("invalid IP address syntax", "an address would work, such as 127.0.0.1"),
    ];
    words.iter().fold(error.to_owned(), |text, (from, to)| text.replace(&format!(": {from}"), &format!(": {to}")))
}

/// Prints a formatted line on standard output, or returns [`OutputError`] from the function.
#[macro_export]
macro_rules! out {
    ($($part:tt)*) => { $crate::print(&(::std::format!($($part)*) + "\n"))? };
}

/// Prints a formatted line on standard error, if possible.
#[macro_export]
macro_rules! note {
    ($($part:tt)*) => { $crate::note(&(::std::format!($($part)*) + "\n")) };
}

/// A reader of arguments that are whole numbers of a range, for the commands. It takes the forms of
/// [`philae_units::integer`]: `1e9`, `0x10`, `1_000`.
///
/// Its error is the range in words: the usual one has the form of a programming language.
pub fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = philae_units::integer(text).ok().and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("a whole number from {least} to {most} would work"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_says_what_would_work() {
        let said = in_words("error: invalid value 'x' for '--threads <N>': invalid digit found in string\n");
        assert_eq!(said, "error: invalid value 'x' for '--threads <N>': a whole number would work\n");
        assert_eq!(in_words("error: other"), "error: other");
        for (wrong, right) in [("x", "a whole number would work"), ("99999999999999999999", "a smaller whole number")] {
            let error = wrong.parse::<u64>().expect_err("no number").to_string();
            assert!(in_words(&format!("'--seed': {error}")).contains(right), "{error}");
        }
    }

    #[test]
    fn a_range_is_told_in_words() {
        let ranks = whole::<u32>(1, u32::MAX.into());
        for (text, number) in [("7", 7), ("1e9", 1_000_000_000), ("0x10", 16), ("1_000", 1_000), ("5.0", 5)] {
            assert_eq!(ranks(text), Ok(number), "{text}");
        }
        for wrong in ["0", "4294967296", "-1", "1.5", ""] {
            assert_eq!(ranks(wrong), Err("a whole number from 1 to 4294967295 would work".to_owned()), "{wrong}");
        }
        assert!(whole::<u8>(0, 300)("299").is_err(), "the type's range counts, too");
    }

    #[test]
    fn a_broken_pipe_is_no_failure() {
        assert!(matches!(OutputError::from(io::Error::from(ErrorKind::BrokenPipe)), OutputError::ReaderGone));
        let full = OutputError::from(io::Error::from(ErrorKind::StorageFull));
        assert!(full.to_string().starts_with("cannot write to standard output: "), "{full}");
        assert_eq!(READER_GONE, 141);
    }

    #[test]
    fn json_is_asked_for_by_options_only() {
        assert!(asks_for_json(["philae", "systems", "--json"]));
        assert!(!asks_for_json(["--json", "systems"]), "the first word is the program");
        assert!(!asks_for_json(["philae", "run", "--", "program", "--json"]));
    }
}
