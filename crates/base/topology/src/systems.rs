//! Built-in systems, and reading descriptions from text and files.

use crate::SystemDescription;
use crate::fat_tree::htsim;
use crate::graph::import;
use crate::input::read_input;
use crate::number_forms;
use crate::packed::unpacked;
use philae_units::NotText;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A system that comes with Philae.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The file, in TOML: a starting point for your own systems.
    pub text: &'static str,
}

/// The reason why a system cannot be read.
#[derive(Debug, Error)]
pub enum SystemError {
    /// Neither a built-in name nor a file.
    #[error("no system '{asked}'; {}built in: {built_in}; or the path of a .toml, .json, .graphml or .topo file", suggestion(.nearest))]
    NotFound {
        /// Name or path asked for.
        asked: String,
        /// The built-in name that is most like it.
        nearest: Option<&'static str>,
        /// All built-in names.
        built_in: String,
    },
    /// The file cannot be read.
    #[error("cannot read the system file '{}': {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not text.
    #[error("the system file '{}' cannot be read: {source}", .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Its encoding, or the place of the first wrong byte.
        source: NotText,
    },
    /// Another program has compressed the file.
    #[error("the system file '{}' is compressed by {how}; the file without it, or compressed by gzip, would work", .path.display())]
    Packed {
        /// The file.
        path: PathBuf,
        /// The program.
        how: &'static str,
    },
    /// The text is not a description.
    #[error("{place} is not a system description ({format}): {message}")]
    Parse {
        /// File name, or "the text".
        place: String,
        /// "TOML", "JSON", "node-link JSON", "GraphML", "GEXF" or "htsim".
        format: &'static str,
        /// The reader's message, with the line.
        message: String,
    },
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!("did you mean '{name}'? "))
}

macro_rules! built_in {
    ($($name:literal: $summary:literal,)*) => {
        &[$(BuiltIn { name: $name, summary: $summary, text: include_str!(concat!("../systems/", $name, ".toml")) }),*]
    };
}

/// The systems that come with Philae.
#[must_use]
pub const fn systems() -> &'static [BuiltIn] {
    built_in! {
        "crystal": "Cray XC with Aries: 698 nodes in two groups (the SC'20 paper's baseline)",
        "malbec": "Slingshot-10: 484 nodes in four groups, 100 Gb/s NICs",
        "shandy": "Slingshot-10: 1,024 nodes in eight groups, two 100 Gb/s NICs each",
        "slingshot400-64": "Slingshot 400: 64 nodes with two 400 Gb/s NICs each, one fully connected group",
        "slingshot400-fat-tree": "Slingshot 400: two-level fat tree of 1,024 endpoints with dual-density spines",
        "gx-8": "Slingshot 400: HPE Cray GX, four cabinets of 8 switches on a backplane, 128 NICs each",
        "gx-16": "Slingshot 400: HPE Cray GX, four cabinets of 16 switches on a backplane, 256 NICs each",
        "gx-32": "Slingshot 400: HPE Cray GX, four cabinets of 32 switches on a backplane, 512 NICs each",
        "slingshot-mixed": "Slingshot 400 and 200 in one dragonfly: 1,536 endpoints, two thirds of them with 200 Gb/s NICs",
        "two-fabrics": "Slingshot 400: a compute fabric of 64 nodes and a storage fabric of 16, two gateways between them",
        "ndr-64": "NDR InfiniBand: full-bandwidth fat tree of 64 nodes, the comparison of the Slingshot 400 paper",
        "lumi": "Slingshot-11: LUMI, 2,048 CPU nodes and 2,978 GPU nodes",
        "frontier": "Slingshot-11: Frontier, 9,408 nodes with four NICs each",
        "aurora": "Slingshot-11: Aurora, 10,624 nodes with eight NICs each",
        "largest": "The largest one-dimensional dragonfly of 64-port switches: 279,040 endpoints",
        "largest-addressable": "The largest dragonfly that 9-bit group addresses allow: 261,632 endpoints",
    }
}

impl SystemDescription {
    /// Reads a description from text: JSON if it starts with `{` (node-link JSON if it lists nodes
    /// and edges), GraphML or GEXF if it starts with `<`, htsim's fat tree if its first word is
    /// `Nodes`, otherwise TOML.
    ///
    /// # Errors
    /// [`SystemError::Parse`], with the line and the keys that would work.
    pub fn parse(text: &str) -> Result<Self, SystemError> {
        Self::parse_from(text, "the text")
    }

    /// The same; `place` is the name of the text in errors: "'file.toml'".
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_from(text: &str, place: &str) -> Result<Self, SystemError> {
        let trimmed = text.trim_start_matches('\u{feff}').trim_start();
        let (format, read) = if trimmed.starts_with('{') {
            match import::from_json(trimmed) {
                Some(read) => ("node-link JSON", read),
                None => {
                    let read = |text: &str| serde_json::from_str(text).map_err(|error| error.to_string());
                    ("JSON", number_forms::read_whole(trimmed, number_forms::of_json, read))
                }
            }
        } else if trimmed.starts_with('<') {
            (if import::is_gexf(trimmed) { "GEXF" } else { "GraphML" }, import::from_xml(trimmed))
        } else if htsim::looks_like(trimmed) {
            ("htsim", htsim::parse(trimmed))
        } else {
            let text = text.trim_start_matches('\u{feff}');
            let read = |text: &str| {
                toml::from_str(text).map_err(|error| match other_kind(text) {
                    Some(kind) => format!("it looks like {kind}; {WORKS} would work"),
                    None => error.to_string().trim_end().to_owned(),
                })
            };
            ("TOML", number_forms::read_whole(text, number_forms::of_toml, read))
        };
        read.map_err(|message| {
            let message = philae_units::plain(&message);
            SystemError::Parse { place: place.to_owned(), format, message }
        })
    }

    /// Finds a system by its built-in name, or reads the file at this path.
    ///
    /// # Errors
    /// [`SystemError`]: neither, with the nearest name; a file that cannot be read, is not text or
    /// not a description.
    pub fn load(name_or_path: &str) -> Result<Self, SystemError> {
        match SystemText::find(name_or_path)? {
            SystemText::BuiltIn(text) => Self::parse_from(text, name_or_path),
            SystemText::File(text) => Self::parse_from(&text, &format!("'{name_or_path}'")),
        }
    }
}

/// The text behind a name or a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemText {
    /// Of a built-in system, in TOML.
    BuiltIn(&'static str),
    /// Of a file of any format.
    File(String),
}

impl SystemText {
    /// Finds a system by its built-in name, or reads the file at this path.
    ///
    /// # Errors
    /// [`SystemError`]: neither, with the nearest name; a file that cannot be read or is not text.
    pub fn find(name_or_path: &str) -> Result<Self, SystemError> {
        if let Some(found) = systems().iter().find(|system| system.name == name_or_path) {
            return Ok(Self::BuiltIn(found.text));
        }
        let path = Path::new(name_or_path);
        let looks_like_a_path = name_or_path.contains(['/', '\\']) || path.extension().is_some();
        if !looks_like_a_path && !path.exists() && !path.is_symlink() {
            return Err(not_found(name_or_path));
        }
        let failed = |source| SystemError::Read { path: path.to_owned(), source };
        // networkx compresses files whose name ends in .gz.
        let bytes = read_input(path).and_then(|bytes| unpacked(bytes, UNPACKED_MAX)).map_err(failed)?;
        if let Some((_, how)) = PACKED.iter().find(|(mark, _)| bytes.starts_with(mark)) {
            return Err(SystemError::Packed { path: path.to_owned(), how });
        }
        let not_text = |source| SystemError::NotText { path: path.to_owned(), source };
        philae_units::text_of(bytes).map(Self::File).map_err(not_text)
    }
}

/// The first bytes of files that other programs have compressed, and the name of the program.
const PACKED: [(&[u8], &str); 4] =
    [(b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"PK\x03\x04", "zip")];

/// Maximum uncompressed bytes of a file: it bounds the memory that a damaged file can cost.
const UNPACKED_MAX: u64 = 1 << 32;

/// The formats that describe a system.
const WORKS: &str = "TOML, JSON, GraphML, GEXF, the node-link JSON of networkx or htsim's .topo";

/// The kind of a text that is not TOML: a graph format that is not read, or something else.
fn other_kind(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("an empty file");
    }
    if text.parse::<toml::Table>().is_ok() {
        return None;
    }
    if serde_json::from_str::<Vec<serde_json::Value>>(text).is_ok() {
        return Some("a list in JSON");
    }
    if text.starts_with("#!") {
        return Some("a script");
    }
    let lines = text.lines().map(str::trim);
    let is_comment = |line: &str| line.starts_with(['#', '%']) || line.starts_with("//") || line.starts_with("/*");
    let mut lines = lines.filter(|line| !line.is_empty() && !is_comment(line));
    let first = lines.next().unwrap_or_default().to_lowercase();
    let second = lines.next().unwrap_or_default();
    let word = first.split(|letter: char| letter.is_whitespace() || letter == '{' || letter == '[').next();
    Some(match word.unwrap_or_default() {
        "creator" => "GML (networkx: `read_gml`, then `write_graphml`)",
        "graph" if first.contains('[') || second.starts_with('[') || second.starts_with("graph") => {
            "GML (networkx: `read_gml`, then `write_graphml`)"
        }
        "graph" | "digraph" | "strict" if first.contains('{') || second.starts_with('{') => "DOT of Graphviz",
        "*vertices" | "*network" => "Pajek's .net",
        "%yaml" | "---" => "YAML",
        // A text with keys may be TOML with a mistake; the error then says where.
        _ if text.lines().any(|line| line.contains('=') || line.trim_start().starts_with('[')) => return None,
        _ => "not a file that describes a system",
    })
}

fn not_found(asked: &str) -> SystemError {
    let nearest = philae_units::nearest(asked, systems().iter().map(|system| system.name));
    let built_in = systems().iter().map(|system| system.name).collect::<Vec<_>>().join(", ");
    SystemError::NotFound { asked: asked.to_owned(), nearest, built_in }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let error = SystemDescription::load("shandi").expect_err("no such system").to_string();
        assert!(error.starts_with("no system 'shandi'; did you mean 'shandy'? built in: crystal, malbec"), "{error}");
        let error = SystemDescription::load("qqqq").expect_err("no such system").to_string();
        assert!(!error.contains("did you mean"), "{error}");
    }

    #[test]
    fn files_that_cannot_be_read_say_why() {
        let error = SystemDescription::load("no/such/file.toml").expect_err("missing").to_string();
        assert!(error.starts_with("cannot read the system file 'no/such/file.toml': No such file"), "{error}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("wrong.toml");
        std::fs::write(&path, b"name = \"\xff\"").expect("a temporary file");
        let error = SystemDescription::load(path.to_str().expect("UTF-8")).expect_err("not text").to_string();
        assert!(error.contains("is not UTF-8 text (byte 8 is not)"), "{error}");
    }

    #[test]
    fn files_of_other_encodings_are_read_or_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("encoding.graphml");
        let name = path.to_str().expect("UTF-8");
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><graphml><graph edgedefault=\"undirected\">\
                    <node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
        let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
        let letters = || std::iter::once('\u{feff}').chain(text.chars()).map(u32::from);
        for mut bytes in [
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>(),
            units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
            letters().flat_map(u32::to_le_bytes).collect(),
            letters().flat_map(u32::to_be_bytes).collect(),
        ] {
            std::fs::write(&path, &bytes).expect("a temporary file");
            SystemDescription::load(name).expect("UTF-16 or UTF-32 with its mark");
            bytes.pop();
            std::fs::write(&path, &bytes).expect("a temporary file");
            let error = SystemDescription::load(name).expect_err("half a letter").to_string();
            assert!(error.contains("is not UTF-16 text") || error.contains("is not UTF-32 text"), "{error}");
        }
        for (bytes, words) in [
            (&b"BZh91AY&SY"[..], "compressed by bzip2"),
            (b"\xfd7zXZ\0\0", "compressed by xz"),
            (b"Creator \"igraph\"\nVersion 1\ngraph\n[\n", "GML"),
            (b"/* Created by igraph */\ngraph {\n", "DOT of Graphviz"),
            (b"{\"nodes\": [{\"id\": 1}], \"edges\": [{\"source\": 1,", "line 1"),
        ] {
            std::fs::write(&path, bytes).expect("a temporary file");
            let error = SystemDescription::load(name).expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        let error = SystemDescription::parse("name = \"x\"\nradixx = 3\n").expect_err("unknown").to_string();
        assert!(error.contains("unknown key `radixx`") && error.contains("radix"), "{error}");
        let error = SystemDescription::parse("{\"nam\": 1}").expect_err("unknown").to_string();
        assert!(error.contains("(JSON): unknown key `nam`"), "{error}");
    }

    #[test]
    fn a_description_survives_toml_and_json() {
        for system in systems() {
            let read = SystemDescription::parse(system.text).expect("built in");
            let toml = toml::to_string(&read).expect("serialisable");
            assert_eq!(SystemDescription::parse(&toml).expect("written by us"), read, "{}", system.name);
            let json = serde_json::to_string(&read).expect("serialisable");
            assert_eq!(SystemDescription::parse(&json).expect("written by us"), read, "{}", system.name);
        }
    }
}
