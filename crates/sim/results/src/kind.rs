//! Kinds of files by how they begin, so that no file of another kind is replaced in silence.

use philae_route_tables::ROUTES_MARK;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The first bytes of a checkpoint.
pub const CHECKPOINT_MARK: [u8; 8] = *b"PHILAECK";

/// What a file holds, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing.
    Empty,
    /// A checkpoint of a run.
    Checkpoint,
    /// Forwarding tables.
    Routes,
    /// A capture of packets.
    Pcapng,
    /// A table in Parquet.
    Parquet,
    /// Something that gzip has packed.
    Gzip,
    Json,
    /// GraphML, HTML, SVG and other markup.
    Markup,
    /// TOML: a scenario or a system.
    Toml,
    /// A table with commas.
    Csv,
    /// A schedule in GOAL's text.
    Goal,
    /// Other text.
    Text,
    /// Other bytes.
    Binary,
}

impl FileKind {
    /// By the beginning of a file: some hundred bytes are enough.
    #[must_use]
    pub fn of(start: &[u8]) -> Self {
        let marks: [(&[u8], Self); 6] = [
            (&CHECKPOINT_MARK, Self::Checkpoint),
            (&ROUTES_MARK, Self::Routes),
            (b"\x0a\x0d\x0d\x0a", Self::Pcapng),
            (b"PAR1", Self::Parquet),
            (b"\x1f\x8b", Self::Gzip),
            (b"\xef\xbb\xbf<", Self::Markup),
        ];
        if let Some((_, kind)) = marks.iter().find(|(mark, _)| start.starts_with(mark)) {
            return *kind;
        }
        match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None => Self::Empty,
            Some(b'<') => Self::Markup,
            Some(b'{') => Self::Json,
            // An array of JSON, or the first table of a TOML file.
            Some(b'[') if is_array(start) => Self::Json,
            Some(_) if start.contains(&0) => Self::Binary,
            Some(_) => Self::of_text(&String::from_utf8_lossy(start)),
        }
    }

    /// The kind of a text, by its first line that is no comment.
    fn of_text(start: &str) -> Self {
        let mut lines = start.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
        let Some(line) = lines.next() else { return Self::Text };
        // Only of a whole line can its last sign say that it is a sentence.
        let is_whole = line.as_ptr() as usize - start.as_ptr() as usize + line.len() < start.len();
        let is_name = |word: &str| word.chars().all(|sign| sign.is_ascii_alphanumeric() || "_.".contains(sign));
        let is_key =
            |key: &str| !key.is_empty() && key.chars().all(|sign| sign.is_alphanumeric() || "_-.\"' ".contains(sign));
        if line.starts_with('[') || line.split_once('=').is_some_and(|(key, _)| is_key(key)) {
            Self::Toml
        } else if line.starts_with("num_ranks ") {
            Self::Goal
        } else if line.contains(',') && !(is_whole && line.ends_with(['.', ',', ':'])) {
            Self::Csv
        } else if is_name(line) && lines.next().is_some_and(|line| !line.contains(char::is_whitespace)) {
            // The name of the only column, and a value.
            Self::Csv
        } else {
            Self::Text
        }
    }

    /// The kind in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Checkpoint => "a checkpoint",
            Self::Routes => "a file of routes",
            Self::Pcapng => "a capture",
            Self::Parquet => "a Parquet table",
            Self::Gzip => "compressed with gzip",
            Self::Json => "JSON",
            Self::Markup => "GraphML, HTML or other markup",
            Self::Toml => "TOML, such as a scenario",
            Self::Csv => "a table with commas",
            Self::Goal => "a schedule",
            Self::Text => "text",
            Self::Binary => "no text",
        }
    }

    /// Whether a new file of this kind may replace the one at `path`: there is none, it is empty,
    /// of the same kind, or no regular file (a device or a pipe is written to as it is).
    ///
    /// # Errors
    /// The kinds of both, and what would work.
    pub fn check_replaces(self, path: &Path) -> io::Result<()> {
        if !std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        let mut start = [0; 4096];
        // A file that cannot be read can still be replaced by its owner.
        let Ok(length) = File::open(path).and_then(|mut file| file.read(&mut start)) else { return Ok(()) };
        let found = Self::of(&start[..length]);
        if matches!(found, Self::Empty) || found == self {
            return Ok(());
        }
        let (found, new) = (found.words(), self.words());
        Err(io::Error::other(format!(
            "the existing file is {found}, and the new one is {new}; another name would work, or remove the file first"
        )))
    }
}

/// Whether a `[` begins an array of JSON: what follows is a value or the end, and no name of a
/// table.
fn is_array(start: &[u8]) -> bool {
    let mut rest = start.iter().filter(|byte| !byte.is_ascii_whitespace()).skip(1);
    rest.next().is_none_or(|byte| matches!(byte, b'{' | b'"' | b']' | b'-' | b'0'..=b'9'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        for (start, kind) in [
            (&b""[..], FileKind::Empty),
            (b"\n \n", FileKind::Empty),
            (b"PHILAECK\x01", FileKind::Checkpoint),
            (b"PHROUTES\x01", FileKind::Routes),
            (b"\x0a\x0d\x0d\x0a\x1c", FileKind::Pcapng),
            (b"{\"a\": 1}", FileKind::Json),
            (b"[{\"a\": 1}]", FileKind::Json),
            (b"[system]\nname = 1", FileKind::Toml),
            (b"# made by hand\n\n[[job]]\nname = 1", FileKind::Toml),
            (b"\"a.b\" = 1\n", FileKind::Toml),
            (b"num_ranks 4\n\nrank 0 {\n", FileKind::Goal),
            (b"id,source,bytes\n0,1,8\n", FileKind::Csv),
            (b"run,seed,job.a.pairs.", FileKind::Csv),
            (b"latency_ps\n1200\n1300\n", FileKind::Csv),
            (b"See below.\n\nOne, two, three\n", FileKind::Text),
            (b"First, a sentence.\n", FileKind::Text),
            (b"# Validation\n\nEvery row, as this command wrote it:\n", FileKind::Text),
            (b"<?xml version=\"1.0\"?>", FileKind::Markup),
            (b"name = \"a\"\n", FileKind::Toml),
            (b"\x7fELF\0", FileKind::Binary),
        ] {
            assert_eq!(FileKind::of(start), kind, "{start:?}");
        }
    }

    #[test]
    fn only_a_file_of_the_same_kind_is_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        assert!(FileKind::Checkpoint.check_replaces(&path).is_ok(), "there is none");
        std::fs::write(&path, "").expect("a temporary file");
        assert!(FileKind::Checkpoint.check_replaces(&path).is_ok(), "it is empty");
        std::fs::write(&path, "name = \"a\"\n").expect("a temporary file");
        assert!(FileKind::Toml.check_replaces(&path).is_ok(), "it is of the same kind");
        assert!(FileKind::Csv.check_replaces(&path).is_err(), "a table is no scenario");
        let error = FileKind::Checkpoint.check_replaces(&path).expect_err("it is a scenario").to_string();
        assert!(error.contains("TOML, such as a scenario") && error.contains("another name would work"), "{error}");
        assert!(FileKind::Json.check_replaces(Path::new("/dev/null")).is_ok(), "a device");
    }
}
