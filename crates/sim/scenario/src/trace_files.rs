//! The files of a trace: one, one for each rank, those that a file lists, or those of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use philae_topology::{read_input, unpacked};
use philae_trace::{PROVIDER_EXTENSION, TraceError, TraceFile, TraceFormat, WAITS_EXTENSION};
use philae_units::{NotText, WideEncoding, text_of};
use thiserror::Error;

/// A trace that cannot be loaded.
#[derive(Debug, Error)]
pub enum TraceLoadError {
    /// A file that cannot be read.
    #[error("cannot read the trace '{}': {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A folder with several traces.
    #[error("the trace '{}' is a folder; {works} would work, or a folder with the files of one trace only", .path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
        /// The files in it, or the files of all ranks.
        works: String,
    },
    /// A compressed file that cannot be decompressed.
    #[error("cannot unpack the trace '{}': {source}", .path.display())]
    Packed {
        /// The file.
        path: PathBuf,
        /// The error of gzip's reader.
        source: std::io::Error,
    },
    /// A text in UTF-16 or UTF-32 with bytes that are none.
    #[error("cannot read the trace '{}': {source}", .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The place.
        source: NotText,
    },
    /// A compressed file that is too large.
    #[error("the trace '{}' unpacks to more than {most} bytes; a smaller one, or the file unpacked, would work", .path.display())]
    Huge {
        /// The file.
        path: PathBuf,
        /// Maximum number of bytes.
        most: u64,
    },
    /// No file for any rank.
    #[error("no file matches '{name}', with any number for {{rank}}")]
    NoRanks {
        /// The name.
        name: String,
    },
    /// Two files with the same number.
    #[error("rank {number} has two files, '{}' and '{}'; one of them would work", .one.display(), .other.display())]
    TwoOfRank {
        /// The number.
        number: u32,
        /// One file.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
    /// A number that no rank has.
    #[error("the number {digits} of '{}' is that of no rank; ranks from 0 to 1048575 would work", .path.display())]
    HugeRank {
        /// The file.
        path: PathBuf,
        /// The number in its name.
        digits: String,
    },
    /// A rank whose file is missing between those of others.
    #[error(
        "{ranks} {has} no file of '{name}', but {count} other ranks up to {last} have one; one file for each rank, from rank 0, would work"
    )]
    MissingRanks {
        /// The name of the trace.
        name: String,
        /// The ranks, in words.
        ranks: String,
        /// "has" or "have".
        has: &'static str,
        /// Files that are there.
        count: usize,
        /// Highest rank with a file.
        last: u32,
    },
    /// A format that does not exist.
    #[error("'{found}' is not a trace format; auto, {} would work", TraceFormat::ALL.map(TraceFormat::name).join(", "))]
    UnknownFormat {
        /// The requested name.
        found: String,
    },
    /// A file of unknown format.
    #[error("'{}' {}; `format` says which of {} it is", .path.display(), looks(*.kind), TraceFormat::ALL.map(TraceFormat::name).join(", "))]
    Undetected {
        /// The file.
        path: PathBuf,
        /// The kind of file that it looks like.
        kind: Option<&'static str>,
    },
    /// Files that changed.
    #[error("'{}' has changed: its CRC-32 is {found}, the scenario says {expected}; without `crc32` it would run", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The checksum of the bytes.
        found: u32,
        /// The checksum in the scenario.
        expected: u32,
    },
    /// An error in one file of several with numbers in their names.
    #[error("{source}; '{pattern}' would read the {count} files of this name as those of {count} ranks")]
    OneOfMany {
        /// The error.
        source: TraceError,
        /// The common name.
        pattern: String,
        /// Files of that name.
        count: usize,
    },
    /// An error in its contents.
    #[error(transparent)]
    Content(#[from] TraceError),
}

/// The description of an unknown file.
fn looks(kind: Option<&'static str>) -> String {
    kind.map_or_else(|| "looks like none of the trace formats".to_owned(), |kind| format!("is not a trace but {kind}"))
}

/// The part of a name that represents the rank.
pub const RANK: &str = "{rank}";

/// The end of the name of a compressed file.
const PACKED: &str = ".gz";

/// Maximum uncompressed bytes of a file: it bounds the memory that a damaged file can cost.
const UNPACKED_MAX: u64 = 1 << 36;

/// The files of a trace.
pub struct TraceFiles {
    /// In the order of their ranks.
    pub files: Vec<TraceFile>,
    /// The number in each name, if there is a file for each rank.
    pub numbers: Vec<u32>,
}

/// Reads a file, decompressed if gzip has compressed it.
///
/// # Errors
/// [`TraceLoadError`] for files that cannot be read or decompressed, and for folders.
pub fn read_file(path: &Path) -> Result<TraceFile, TraceLoadError> {
    if path.is_dir() {
        return Err(TraceLoadError::IsFolder { path: path.to_owned(), works: in_folder(path) });
    }
    let failed = |source| TraceLoadError::Read { path: path.to_owned(), source };
    let bytes = read_input(path).map_err(failed)?;
    let bytes = unpacked(bytes, UNPACKED_MAX).map_err(|source| match source.kind() {
        ErrorKind::FileTooLarge => TraceLoadError::Huge { path: path.to_owned(), most: UNPACKED_MAX },
        _ => TraceLoadError::Packed { path: path.to_owned(), source },
    })?;
    // No binary format begins like text of two or four bytes a letter.
    let bytes = match WideEncoding::of(&bytes) {
        Some(_) => {
            text_of(bytes).map_err(|source| TraceLoadError::NotText { path: path.to_owned(), source })?.into_bytes()
        }
        None => bytes,
    };
    Ok(TraceFile { name: path.display().to_string(), bytes })
}

/// Finds and reads the files of a name.
pub fn read_files(name: &str) -> Result<TraceFiles, TraceLoadError> {
    let path = Path::new(name);
    let own = provider_files(path);
    if !own.is_empty() {
        let files: Result<Vec<TraceFile>, TraceLoadError> = own.iter().map(|path| read_file(path)).collect();
        return Ok(TraceFiles { files: files?, numbers: Vec::new() });
    }
    if !name.contains(RANK) && path.is_dir() {
        // A folder that has only the files of one trace represents them.
        if let [only] = patterns(path).as_slice() {
            return read_files(only);
        }
    }
    if !name.contains(RANK) {
        return Ok(TraceFiles { files: vec![read_file(path)?], numbers: Vec::new() });
    }
    let found = numbered(name)?;
    if found.is_empty() {
        return Err(TraceLoadError::NoRanks { name: name.to_owned() });
    }
    let files: Result<Vec<TraceFile>, TraceLoadError> = found.values().map(|path| read_file(path)).collect();
    Ok(TraceFiles { files: files?, numbers: found.into_keys().collect() })
}

/// The files of a name with `{rank}`, by number; a number may have leading zeros. A rank without
/// such a file may have one that is compressed otherwise: `app.0.et` and `app.1.et.gz`.
fn numbered(name: &str) -> Result<BTreeMap<u32, PathBuf>, TraceLoadError> {
    let (mut found, mut packed_otherwise) = (BTreeMap::new(), BTreeMap::new());
    let mut before = PathBuf::new();
    let mut parts = Path::new(name).components();
    while let Some(part) = parts.next() {
        let Component::Normal(word) = part else {
            before.push(part);
            continue;
        };
        let word = word.to_string_lossy();
        let Some((head, tail)) = word.split_once(RANK) else {
            before.push(part);
            continue;
        };
        let folder = if before.as_os_str().is_empty() { Path::new(".") } else { &before };
        let entries =
            std::fs::read_dir(folder).map_err(|source| TraceLoadError::Read { path: folder.to_owned(), source })?;
        let rest = parts.as_path().to_string_lossy().into_owned();
        for entry in entries.flatten() {
            let entry = entry.file_name();
            let entry = entry.to_string_lossy();
            // A file may be compressed, or no longer, since its name was written down.
            let exact = digits(&entry, head, tail);
            let packed = || digits(&entry, head, &other_packing(tail)).filter(|_| rest.is_empty());
            let Some(digits) = exact.clone().or_else(packed) else { continue };
            let path = before.join(&*entry).join(rest.replace(RANK, &digits));
            // A path with an empty end would name a folder.
            let path: PathBuf = path.components().collect();
            if !path.exists() {
                continue;
            }
            let Ok(number) = digits.parse::<u32>() else { return Err(TraceLoadError::HugeRank { path, digits }) };
            let of_kind = if exact.is_some() { &mut found } else { &mut packed_otherwise };
            if let Some(other) = of_kind.insert(number, path.clone()) {
                return Err(TraceLoadError::TwoOfRank { number, one: other, other: path });
            }
        }
        break;
    }
    // The file of the exact name goes first: the other one is a copy of it.
    for (number, path) in packed_otherwise {
        found.entry(number).or_insert(path);
    }
    Ok(found)
}

/// The end of a name with `.gz`, or without it if it has it.
fn other_packing(tail: &str) -> String {
    tail.strip_suffix(PACKED).map_or_else(|| format!("{tail}{PACKED}"), str::to_owned)
}

/// The digits with which a name fits a pattern; further `{rank}` have the same digits.
fn digits(name: &str, head: &str, tail: &str) -> Option<String> {
    let rest = name.strip_prefix(head)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    // Digits of the name may follow these digits: `rank{rank}2.txt`.
    let found =
        (1..=end).rev().map(|end| &rest[..end]).find(|digits| rest[digits.len()..] == tail.replace(RANK, digits));
    found.map(str::to_owned)
}

/// The files of the provider, and of PEs of the OpenSHMEM library, in a folder, by name.
fn provider_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_own =
        |path: &PathBuf| path.extension().is_some_and(|end| end == PROVIDER_EXTENSION || end == WAITS_EXTENSION);
    let mut own: Vec<PathBuf> = entries.filter(is_own).collect();
    own.sort();
    own
}

/// The files of a folder, as names with `{rank}` if several differ only in a number. Hidden files
/// are ignored.
pub fn patterns(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    let names = files.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| !name.starts_with('.'));
    let mut grouped: Vec<String> =
        grouped(names.collect()).into_keys().map(|name| folder.join(name).to_string_lossy().into_owned()).collect();
    grouped.sort();
    grouped
}

/// Names of files of one folder as names with `{rank}`, each with its files; the last number in
/// which several names differ counts. A name without similar ones stays unchanged.
///
/// Some of these files may be compressed: the common name has `.gz` only if all are.
#[must_use]
pub fn grouped(names: Vec<&str>) -> BTreeMap<String, Vec<&str>> {
    let plain = |name: &'_ str| name.strip_suffix(PACKED).unwrap_or(name).to_owned();
    // The same rank plain and compressed is one.
    let mut by_pattern: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let all: Vec<(&str, Vec<String>)> = names.into_iter().map(|name| (name, patterns_of(&plain(name)))).collect();
    for (name, patterns) in &all {
        for pattern in patterns {
            by_pattern.entry(pattern.clone()).or_default().insert(plain(name));
        }
    }
    let mut grouped: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, patterns) in all {
        let pattern = patterns.into_iter().find(|pattern| by_pattern[pattern].len() > 1);
        grouped.entry(pattern.unwrap_or_else(|| name.to_owned())).or_default().push(name);
    }
    let is_packed = |(pattern, names): &(String, Vec<&str>)| {
        !pattern.ends_with(PACKED) && names.iter().all(|name| name.ends_with(PACKED))
    };
    grouped.into_iter().map(|found| if is_packed(&found) { (found.0 + PACKED, found.1) } else { found }).collect()
}

/// A name with each of its numbers replaced by `{rank}`, the last one first.
fn patterns_of(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut patterns = Vec::new();
    let mut end = bytes.len();
    while end > 0 {
        if !bytes[end - 1].is_ascii_digit() {
            end -= 1;
            continue;
        }
        let start = (0..end).rev().take_while(|&at| bytes[at].is_ascii_digit()).last().unwrap_or(end - 1);
        patterns.push(format!("{}{RANK}{}", &name[..start], &name[end..]));
        end = start;
    }
    patterns
}

/// What would work instead of a folder.
fn in_folder(folder: &Path) -> String {
    let found = patterns(folder);
    let shown: Vec<String> = found.iter().take(4).map(|name| format!("'{name}'")).collect();
    if shown.is_empty() { "a file".to_owned() } else { shown.join(" or ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_a_number_are_one_pattern() {
        let of = |names: &[&'static str]| grouped(names.to_vec()).into_keys().collect::<Vec<_>>();
        assert_eq!(of(&["app.0.et", "app.1.et", "b.0.et"]), ["app.{rank}.et", "b.0.et"]);
        assert_eq!(of(&["17.5_rank-1.txt", "17.5_rank-2.txt"]), ["17.5_rank-{rank}.txt"]);
        assert_eq!(of(&["rank0.v2.txt", "rank1.v2.txt"]), ["rank{rank}.v2.txt"]);
        assert_eq!(of(&["readme.txt"]), ["readme.txt"]);
        assert_eq!(of(&["app.0.et", "app.1.et.gz", "app.1.et"]), ["app.{rank}.et"]);
        assert_eq!(of(&["app.0.et.gz", "app.1.et.gz"]), ["app.{rank}.et.gz"]);
        assert_eq!(of(&["app.0.et", "app.0.et.gz"]), ["app.0.et", "app.0.et.gz"]);
    }

    #[test]
    fn digits_fit_where_the_rest_of_the_name_does() {
        assert_eq!(digits("app.007.et", "app.", ".et"), Some("007".to_owned()));
        assert_eq!(digits("app..et", "app.", ".et"), None);
        assert_eq!(digits("r12.12.txt", "r", ".{rank}.txt"), Some("12".to_owned()));
        assert_eq!(digits("r12.13.txt", "r", ".{rank}.txt"), None);
        assert_eq!(digits("r102", "r", "2"), Some("10".to_owned()));
    }
}
