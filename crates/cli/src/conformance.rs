//! `philae trace check`: every file below folders, read by whatever reads its format.

use crate::arguments::Shared;
use crate::failure::Failure;
use crate::output;
use clap::{Args, ValueHint};
use philae_measure::format::count;
use philae_measure::text::table;
use philae_scenario::{load_trace, sst};
use philae_topology::{SystemDescription, Topology};
use philae_trace::{File, Format, read_sizes};
use philae_workload::Trace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Folders with files of other tools, or single files.
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, required = true)]
    paths: Vec<PathBuf>,
}

/// Files larger than this are not looked into: schedules of that size are read one by one.
const BYTES_MAX: u64 = 1 << 30;

/// What became of a file.
enum Outcome {
    /// It was read: its format, ranks (or nodes) and operations (or links, jobs, points).
    Read { format: String, ranks: u64, operations: String },
    /// It is of a format that is read, and was not.
    Failed { format: String, error: String },
    /// It is of no such format: why.
    Left(&'static str),
}

/// One file, or the files of all ranks of a trace.
struct Entry {
    name: String,
    outcome: Outcome,
}

/// Reads everything and prints what it was.
pub fn run(arguments: &CheckArguments, shared: &Shared) -> Result<ExitCode, Failure> {
    let mut files = Vec::new();
    for path in &arguments.paths {
        collect(path, &mut files)
            .map_err(|error| Failure::input(format!("cannot read '{}': {error}", path.display())))?;
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::input("no file is there; a folder with files of other tools would work"));
    }
    let entries: Vec<Entry> =
        grouped(&files).into_iter().map(|(name, first)| Entry { outcome: look(&name, &first), name }).collect();
    let failed = entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Failed { .. })).count();
    let left = entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Left(_))).count();
    if shared.json {
        let rows: Vec<serde_json::Value> = entries.iter().map(json).collect();
        output::print_json(&serde_json::json!({ "files": rows, "failed": failed, "left": left }))?;
    } else {
        let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
        output::print(&table(&["file", "format", "ranks", "operations", "note"], &rows, shared.colour()))?;
        let read = entries.len() - failed - left;
        output::print(&format!("{read} read, {failed} failed, {left} of no format that is read\n"))?;
    }
    Ok(if failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// All files below a path; links to folders are not followed.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !std::fs::metadata(path)?.is_dir() {
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

/// Names as traces have them, each with its first file: the Chakra files of all ranks are one trace.
fn grouped(files: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut names = BTreeMap::new();
    for file in files {
        let name = file.to_string_lossy().into_owned();
        if let (Some("phtrace"), Some(folder)) = (file.extension().and_then(|end| end.to_str()), file.parent()) {
            names.entry(folder.to_string_lossy().into_owned()).or_insert_with(|| file.clone());
            continue;
        }
        let of_rank = name.strip_suffix(".et").and_then(|stem| stem.rsplit_once('.'));
        let name = match of_rank {
            Some((stem, rank)) if rank.parse::<u32>().is_ok() => format!("{stem}.{{rank}}.et"),
            _ => name,
        };
        names.entry(name).or_insert_with(|| file.clone());
    }
    names
}

/// Why a file of a known other kind is left.
fn left_alone(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "yml" | "yaml" => {
            "a network of ASTRA-sim's analytical model: a rate and a delay for each dimension, no switches"
        }
        "json" => "settings of another simulator: ASTRA-sim's choice of algorithms or its logical dimensions",
        "proto" => "the schema of a format, no trace",
        "md" | "rst" | "license" => "text for people",
        "toml" => "no file of another tool",
        _ => return None,
    })
}

fn look(name: &str, first: &Path) -> Outcome {
    if let Some(why) = left_alone(first) {
        return Outcome::Left(why);
    }
    let bytes = match std::fs::metadata(first)
        .and_then(|found| if found.len() > BYTES_MAX { Ok(None) } else { std::fs::read(first).map(Some) })
    {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Outcome::Left("larger than 1 GiB: `philae trace info` reads it alone"),
        Err(error) => return Outcome::Failed { format: "?".to_owned(), error: error.to_string() },
    };
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    if sst::looks_like(text) {
        return load_file(text);
    }
    if first.extension().is_some_and(|extension| extension == "topo") {
        return topology(name);
    }
    match Format::detect(&first.to_string_lossy(), &bytes) {
        Some(format) => schedule(name, format),
        None if is_of_numbers(text) => sizes(name, bytes),
        None => Outcome::Left("it looks like no format that is read"),
    }
}

/// Whether all lines have two numbers, as distributions of sizes do.
fn is_of_numbers(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let numbers = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() == 2 && words.iter().all(|word| word.parse::<f64>().is_ok())
    };
    lines.peek().is_some() && lines.all(numbers)
}

fn outcome(format: &str, read: Result<(u64, String), String>) -> Outcome {
    let format = format.to_owned();
    match read {
        Ok((ranks, operations)) => Outcome::Read { format, ranks, operations },
        Err(error) => Outcome::Failed { format, error },
    }
}

fn schedule(name: &str, format: Format) -> Outcome {
    // What a trace leaves open is the scenario's; any rate says whether it can be read.
    let trace = Trace {
        format: format.name().to_owned(),
        flops_per_second: Some(1_000_000_000),
        memory_bytes_per_second: Some(1_000_000_000),
        ..Trace::of_file(name.to_owned())
    };
    let read = load_trace(&trace).map_err(|error| error.to_string()).map(|loaded| {
        let totals = loaded.schedule.totals();
        let warnings = match loaded.schedule.warnings().len() {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            more => format!(", {more} warnings"),
        };
        (u64::from(totals.ranks), format!("{}{warnings}", count(totals.tasks)))
    });
    outcome(format.name(), read)
}

fn topology(name: &str) -> Outcome {
    let read = SystemDescription::load(name).map_err(|error| error.to_string()).and_then(|description| {
        let built = Topology::build(&description).map_err(|error| error.to_string())?;
        Ok((built.endpoint_count() as u64, format!("{} switches", count(built.switch_count() as u64))))
    });
    outcome("topo", read)
}

fn load_file(text: &str) -> Outcome {
    let read = sst::read(text).map_err(|error| error.to_string()).map(|load| {
        let nodes = load.jobs.iter().map(|job| job.nodes.len() as u64).sum();
        (nodes, format!("{} jobs", count(load.jobs.len() as u64)))
    });
    outcome("sst", read)
}

fn sizes(name: &str, bytes: Vec<u8>) -> Outcome {
    let read = read_sizes(&File { name: name.to_owned(), bytes });
    let read = read.map(|points| (0, format!("{} points", points.len()))).map_err(|error| error.to_string());
    outcome("flow-sizes", read)
}

fn row(entry: &Entry) -> Vec<String> {
    let cells = match &entry.outcome {
        Outcome::Read { format, ranks, operations } => {
            let ranks = if *ranks == 0 { String::new() } else { count(*ranks) };
            [format.clone(), ranks, operations.clone(), String::new()]
        }
        Outcome::Failed { format, error } => [format.clone(), String::new(), "FAILED".to_owned(), error.clone()],
        Outcome::Left(why) => ["-".to_owned(), String::new(), String::new(), (*why).to_owned()],
    };
    std::iter::once(entry.name.clone()).chain(cells).collect()
}

fn json(entry: &Entry) -> serde_json::Value {
    let file = &entry.name;
    match &entry.outcome {
        Outcome::Read { format, ranks, operations } => serde_json::json!({
            "file": file, "outcome": "read", "format": format, "ranks": ranks, "operations": operations,
        }),
        Outcome::Failed { format, error } => {
            serde_json::json!({ "file": file, "outcome": "failed", "format": format, "error": error })
        }
        Outcome::Left(why) => serde_json::json!({ "file": file, "outcome": "left", "why": why }),
    }
}
