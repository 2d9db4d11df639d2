//! `philae trace check`: reads every file below folders with the reader of its format.

use crate::arguments::{CheckArguments, CommonOptions};
use crate::failure::CommandFailure;
use crate::output;
use philae_results::format::count;
use philae_results::text::table;
use philae_scenario::{grouped_by_rank, load_trace_of, read_trace_file, sst};
use philae_topology::{SystemDescription, Topology, input_metadata};
use philae_trace::{TraceFile, TraceFormat, listed_files, marked_kind, only_rank, other_kind, read_sizes};
use philae_units::counted;
use philae_workload::{PerSecond, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Larger files are skipped: schedules of that size are read individually.
const BYTES_MAX: u64 = 1 << 30;

/// The result for a file.
enum Outcome {
    /// It was read: its format, ranks (or nodes), operations (or links, jobs, points), and ignored
    /// parts.
    Read { format: String, ranks: u64, operations: String, warnings: Vec<String> },
    /// Its format is supported, but it could not be read.
    Failed { format: String, error: String },
    /// Its format is not supported: the kind of file.
    Left(String),
}

/// One file, or the files of all ranks of a trace.
struct Entry {
    name: String,
    outcome: Outcome,
}

/// Reads everything and prints the results.
pub fn run(arguments: &CheckArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let mut files = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut files)
            .map_err(|error| CommandFailure::input(format!("cannot read '{}': {error}", path.display())))?;
    }
    files.sort();
    if files.is_empty() {
        return Err(CommandFailure::input("the folder has no files; a folder with files of other tools would work"));
    }
    let entries: Vec<Entry> =
        traces(&files).into_iter().map(|(name, first)| Entry { outcome: look(&name, &first), name }).collect();
    let failed = entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Failed { .. })).count();
    let left = entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Left(_))).count();
    if shared.json {
        let rows: Vec<serde_json::Value> = entries.iter().map(json).collect();
        output::print_json(&serde_json::json!({ "files": rows, "failed": failed, "left": left }))?;
    } else {
        let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
        output::print(&table(&["file", "format", "ranks", "operations", "note"], &rows, shared.colour()))?;
        let read = entries.len() - failed - left;
        output::print(&format!("{read} read, {failed} failed, {left} skipped (no known format)\n"))?;
    }
    Ok(if failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// All files below a path. Links to folders are not followed.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !input_metadata(path)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Names of traces, each with its first file. The files of all ranks are one trace if their names
/// differ only in a number, if a file lists them, or if the provider wrote them into a folder.
fn traces(files: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut names = BTreeMap::new();
    let mut add = |name: String, file: &Path| _ = names.entry(name).or_insert_with(|| file.to_owned());
    let mut listed = BTreeSet::new();
    for file in files {
        let of_list = files_of_list(file);
        if !of_list.is_empty() {
            listed.extend(of_list);
            add(file.to_string_lossy().into_owned(), file);
        }
    }
    let mut folders: BTreeMap<&Path, Vec<&str>> = BTreeMap::new();
    for file in files.iter().filter(|file| !listed.contains(&whole(file))) {
        match (file.parent(), file.file_name().and_then(|name| name.to_str())) {
            (Some(folder), Some(name)) if !name.ends_with(".phtrace") => folders.entry(folder).or_default().push(name),
            (Some(folder), _) => add(folder.to_string_lossy().into_owned(), file),
            (None, _) => {}
        }
    }
    for (folder, of_folder) in folders {
        for (pattern, members) in grouped_by_rank(of_folder) {
            let first = folder.join(members[0]);
            let is_one = is_chakra(&folder.join(members[0]))
                || members.len() > 1 && members.iter().all(|name| has_one_rank(&folder.join(name)));
            if is_one {
                add(folder.join(of_ranks(&pattern)).to_string_lossy().into_owned(), &first);
            } else {
                members
                    .iter()
                    .for_each(|name| add(folder.join(name).to_string_lossy().into_owned(), &folder.join(name)));
            }
        }
    }
    names
}

/// Whether a file is one of the ranks of a Chakra trace.
fn is_chakra(file: &Path) -> bool {
    let name = file.to_string_lossy();
    let is_named = name.trim_end_matches(".gz").ends_with(".et") && file.is_file();
    is_named
        && read_trace_file(file)
            .map_or(true, |read| TraceFormat::detect(&name, &read.bytes) == Some(TraceFormat::Chakra))
}

/// `app.{rank}.et` for `app.0.et`, the only pattern of this kind.
fn of_ranks(name: &str) -> String {
    let stem = name.strip_suffix(".et").and_then(|stem| stem.rsplit_once('.'));
    match stem {
        Some((stem, rank)) if rank.parse::<u32>().is_ok() => format!("{stem}.{{rank}}.et"),
        _ => name.to_owned(),
    }
}

/// A canonical path.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Largest file that may be a list, or one rank of a trace whose files are read individually.
const SMALL_BYTES: u64 = 1 << 24;

/// The content of a file; `None` for a large one.
fn small(file: &Path) -> Option<Vec<u8>> {
    std::fs::metadata(file).ok().filter(|found| found.is_file() && found.len() <= SMALL_BYTES)?;
    std::fs::read(file).ok()
}

/// The files that a file lists, if they exist.
fn files_of_list(file: &Path) -> Vec<PathBuf> {
    let names = small(file).and_then(|bytes| listed_files(&bytes)).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new(""));
    names.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).map(|path| whole(&path)).collect()
}

/// Whether a file has the actions of one rank only, or is empty.
fn has_one_rank(file: &Path) -> bool {
    small(file).is_some_and(|bytes| bytes.is_empty() || only_rank(&bytes).is_some())
}

/// The kind of a TOML file, which is Philae's own, whatever its name.
fn of_toml(path: &Path, text: &str) -> Option<&'static str> {
    let is_named = path.extension().is_some_and(|extension| extension == "toml");
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let has = |keys: &[&str]| keys.iter().any(|key| table.contains_key(*key));
    Some(if has(&["job", "system"]) {
        "a scenario: `philae simulate` runs it"
    } else if has(&["fabric_template"]) {
        "a fabric template: `philae describe` and `system` of a scenario read it"
    } else if has(&["dragonfly", "fat_tree", "graph", "switch", "nic"]) {
        "a system: `philae describe` and `system` of a scenario read it"
    } else {
        return is_named.then_some("no file of another tool");
    })
}

/// Why a file is skipped, if its name shows another known kind.
fn left_alone(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "yml" | "yaml" => {
            "a network of ASTRA-sim's analytical model: a rate and a delay for each dimension, no switches"
        }
        "proto" => "the schema of a format, no trace",
        "md" | "rst" | "license" => "a text, not data",
        _ => return None,
    })
}

fn look(name: &str, first: &Path) -> Outcome {
    match input_metadata(first) {
        Err(error) if first.is_symlink() => return Outcome::Left(error.to_string()),
        Ok(found) if found.is_dir() => {
            return Outcome::Left("a link to a folder, which is not followed; its own path would work".to_owned());
        }
        // A pipe would wait for its writer, and a device may have no end.
        Ok(found) if !found.is_file() => {
            return Outcome::Left("a pipe, a device or a socket, and no regular file".to_owned());
        }
        _ => {}
    }
    if std::fs::metadata(first).is_ok_and(|found| found.len() > BYTES_MAX) {
        return Outcome::Left("larger than 1 GiB: `philae trace info` reads it alone".to_owned());
    }
    let bytes = match read_trace_file(first) {
        Ok(file) => file.bytes,
        Err(error) => return Outcome::Failed { format: "?".to_owned(), error: error.to_string() },
    };
    let text = std::str::from_utf8(&bytes).unwrap_or_default().trim_start_matches('\u{feff}');
    if sst::looks_like(text) {
        return load_file(text);
    }
    // What the content shows without doubt goes before the name, as where these files are read.
    if let Some(why) = marked_kind(&bytes) {
        return Outcome::Left(why.to_owned());
    }
    let is_topology = first.to_string_lossy().trim_end_matches(".gz").ends_with(".topo");
    if is_topology && TraceFormat::detect("", &bytes).is_none() {
        return topology(name);
    }
    let left =
        || Outcome::Left(other_kind(name, &bytes).unwrap_or("it looks like none of the known formats").to_owned());
    if TraceFormat::detect("", &bytes).is_none()
        && let Some(why) = of_toml(first, text).or_else(|| left_alone(first))
    {
        return Outcome::Left(why.to_owned());
    }
    match TraceFormat::detect(&first.to_string_lossy(), &bytes) {
        Some(TraceFormat::Smpi) if listed_files(&bytes).is_some() && files_of_list(first).is_empty() => {
            Outcome::Left("it looks like a list of files, none of which exists".to_owned())
        }
        Some(format) => schedule(name, format),
        None if bytes.is_empty() => left(),
        None if is_of_numbers(text) => sizes(name, bytes),
        None => left(),
    }
}

/// Whether all lines have two numbers, as in distributions of sizes.
fn is_of_numbers(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let numbers = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() == 2 && words.iter().all(|word| word.parse::<f64>().is_ok())
    };
    lines.peek().is_some() && lines.all(numbers)
}

/// The content: ranks, operations, warnings.
type Found = (u64, String, Vec<String>);

fn outcome(format: &str, read: Result<Found, String>) -> Outcome {
    let format = format.to_owned();
    match read {
        Ok((ranks, operations, warnings)) => Outcome::Read { format, ranks, operations, warnings },
        Err(error) => Outcome::Failed { format, error },
    }
}

fn schedule(name: &str, format: TraceFormat) -> Outcome {
    // Parameters that a trace leaves open are the scenario's. For a check, any rate and any number
    // of ranks will do.
    let trace = Trace {
        format: format.name().to_owned(),
        flops_per_second: Some(PerSecond(1_000_000_000)),
        memory_bytes_per_second: Some(PerSecond(1_000_000_000)),
        ..Trace::of_file(name.to_owned())
    };
    let read = load_trace_of(&trace, Some(ANY_RANKS)).map_err(|error| error.to_string()).map(|loaded| {
        let (schedule, totals) = (&loaded.schedule, loaded.schedule.totals());
        let mut warnings = schedule.warnings().to_vec();
        if !schedule.is_sized() {
            warnings.push("the file does not say how many ranks it has: the job does".to_owned());
            return (0, String::new(), warnings);
        }
        (u64::from(totals.ranks), count(totals.tasks), warnings)
    });
    outcome(format.name(), read)
}

/// Ranks of the job for files that leave the number open. Groups of powers of two fit it.
const ANY_RANKS: u32 = 1 << 16;

fn topology(name: &str) -> Outcome {
    let read = SystemDescription::load(name).map_err(|error| error.to_string()).and_then(|description| {
        let built = Topology::build(&description).map_err(|error| error.to_string())?;
        let switches = counted(built.switch_count(), "switch");
        Ok((built.endpoint_count() as u64, switches, description.warnings))
    });
    outcome("topo", read)
}

fn load_file(text: &str) -> Outcome {
    let read = sst::read(text).map_err(|error| error.to_string()).map(|load| {
        let nodes = load.jobs.iter().map(|job| job.nodes.len() as u64).sum();
        (nodes, counted(load.jobs.len(), "job"), load.warnings)
    });
    outcome("sst", read)
}

fn sizes(name: &str, bytes: Vec<u8>) -> Outcome {
    // Two columns of numbers are a distribution if the second one ends at 100 per cent.
    let last = std::str::from_utf8(&bytes).ok().and_then(|text| text.split_whitespace().last()?.parse::<f64>().ok());
    if last != Some(100.0) {
        return Outcome::Left("two columns of numbers, of which the second does not end at 100 per cent".to_owned());
    }
    let read = read_sizes(&TraceFile { name: name.to_owned(), bytes });
    let found = |points: Vec<_>| (0, counted(points.len(), "point"), Vec::new());
    outcome("flow-sizes", read.map(found).map_err(|error| error.to_string()))
}

fn row(entry: &Entry) -> Vec<String> {
    let cells = match &entry.outcome {
        Outcome::Read { format, ranks, operations, warnings } => {
            let ranks = if *ranks == 0 { String::new() } else { count(*ranks) };
            let note = match warnings.as_slice() {
                [] => String::new(),
                [only] => format!("warning: {only}"),
                all => format!("{} warnings: {}", all.len(), all.join("; ")),
            };
            [format.clone(), ranks, operations.clone(), note]
        }
        Outcome::Failed { format, error } => [format.clone(), String::new(), "FAILED".to_owned(), error.clone()],
        Outcome::Left(why) => ["-".to_owned(), String::new(), String::new(), why.clone()],
    };
    std::iter::once(entry.name.clone()).chain(cells).collect()
}

fn json(entry: &Entry) -> serde_json::Value {
    let file = &entry.name;
    match &entry.outcome {
        Outcome::Read { format, ranks, operations, warnings } => serde_json::json!({
            "file": file, "outcome": "read", "format": format, "ranks": ranks, "operations": operations,
            "warnings": warnings,
        }),
        Outcome::Failed { format, error } => {
            serde_json::json!({ "file": file, "outcome": "failed", "format": format, "error": error })
        }
        Outcome::Left(why) => serde_json::json!({ "file": file, "outcome": "left", "why": why }),
    }
}
