//! `philae sweep`: one scenario with a grid of values. It runs every combination, several at the
//! same time, continues where it was stopped, and writes one table. The equivalent in Python is
//! `philae.sweep`.

mod grid;
mod groups;
mod page;
mod same;

use crate::arguments::{CommonOptions, Seeds, SweepArguments};
use crate::attention;
use crate::cells::Cells;
use crate::documents;
use crate::failure::CommandFailure;
use crate::output;
use crate::results::default_output;
use crate::scenario_errors::input_failure;
use grid::combinations;
use groups::{SeedGroup, first_not_ended, means};
use page::{SweepHead, SweepPage};
use philae_experiments::CellProgress;
use philae_experiments::memory::{self, Need, Ranks, at_a_time};
use philae_results::columns::{ColumnData, ColumnTable, ColumnValues, WordNumbers};
use philae_results::format::bytes;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::report::wiring;
use philae_results::{
    Earlier, HeldFolder, MeasureError, ResultFolder, RunDescription, RunSummary, figures, numbered, unwritten_words,
};
use philae_scenario::{ResolvedScenario, Scenario, ScenarioError, System};
use philae_topology::read_regular;
use philae_units::counted;
use same::Axes;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A row of the table: its cells with their names, in order.
type Row = Vec<(String, Value)>;

/// A cell of a row; null if the row has no cell of that name.
fn cell<'r>(row: &'r Row, name: &str) -> &'r Value {
    row.iter().find(|(known, _)| known == name).map_or(&Value::Null, |(_, value)| value)
}

/// The file that marks the folder of a sweep; Python writes the same.
const MARKER: &str = "sweep.json";
/// The page.
const REPORT: &str = "report.html";

/// One run.
struct Run {
    /// Its values as written.
    values: Vec<(String, String)>,
    /// The name of its file below `runs`, derived from the resolved scenario and the version.
    /// `None` if the values are invalid.
    identity: Option<String>,
    /// Why the values are invalid, or that memory is too small.
    refused: Option<String>,
    /// The least memory that it takes, in bytes.
    memory: u64,
    /// What is the same for the same resolved scenario, or why there is none.
    content: String,
    /// The digest of its resolved scenario, as a result folder has it.
    scenario: String,
}

impl Run {
    fn name(&self) -> String {
        let parts: Vec<String> = self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if parts.is_empty() { "the scenario".to_owned() } else { parts.join(", ") }
    }
}

/// A prepared sweep.
struct Sweep<'a> {
    arguments: &'a SweepArguments,
    folder: PathBuf,
    runs: Vec<Run>,
    /// Built once if no value changes the system.
    system: Option<System>,
    /// Warnings of the inputs of any run, each once, and the number of runs that have it.
    warnings: Vec<(String, usize)>,
    /// What the marker says.
    marker: Value,
    /// The name of the scenario.
    title: String,
    /// What its runs have in common, and what not.
    head: SweepHead,
    /// The results of runs by their files, in case that these are removed meanwhile.
    answers: Mutex<BTreeMap<PathBuf, Value>>,
}

/// Runs what is missing, writes the table, and prints means.
pub fn run(arguments: &SweepArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let mut sweep = Sweep::new(arguments)?;
    sweep.warn(shared);
    let _held = sweep.prepare(shared)?;
    let stop = attention::flag(true, "the runs that had not ended; the same command continues with the others")?;
    attention::say_when_interrupted("interrupted while it read the results of earlier runs".to_owned());
    sweep.set_aside(shared)?;
    sweep.read_answers()?;
    let missing = sweep.missing(shared);
    let total = sweep.runs.len();
    let before = total - missing.len();
    let cells = Cells::new(*shared).say_when_interrupted(move |running| interruption(before + running.done(), total));
    cells.start("sweep", &format!("{} into {}", counted(total, "run"), sweep.folder.display()));
    let workers = sweep.workers(&missing, shared);
    let ran = sweep.run_all(&missing, workers, &cells, &stop);
    cells.finish();
    let ran = ran.map_err(|(failure, ran)| sweep.failed(&failure, missing.len() - ran))?;
    if stop.load(Ordering::Relaxed) {
        return Err(cells.interrupted());
    }
    let said = sweep.note_warnings_of_runs(shared);
    let rows = sweep.rows();
    let (parquet, csv) = (sweep.folder.join("table.parquet"), sweep.folder.join("table.csv"));
    let groups = sweep.groups(&rows);
    let report = sweep.folder.join(REPORT);
    let written = said
        .and_then(|()| sweep.restore(shared))
        .and_then(|()| write_tables(&rows, &parquet, &csv))
        .and_then(|()| documents::write_held(&report, sweep.page(&rows, &groups)));
    let failures: Vec<Value> = rows.iter().filter(|row| !cell(row, "error").is_null()).map(failure).collect();
    // A run with invalid values was neither run nor found.
    let can_run: Vec<&String> = sweep.runs.iter().filter_map(|run| run.identity.as_ref()).collect();
    let distinct = can_run.iter().collect::<BTreeSet<_>>().len();
    let (found, repeated) = (distinct - missing.len(), can_run.len() - distinct);
    if shared.json || shared.quiet {
        shared.warn(first_not_ended(&groups).as_slice());
    }
    if shared.json {
        output::print_json(&json!({
            "output": sweep.folder, "table": parquet, "csv": csv, "report": report, "runs": rows.len(), "ran": ran, "found": found,
            "repeated": repeated,
            "failures": failures, "groups": groups.iter().map(SeedGroup::json).collect::<Vec<_>>(),
        }))?;
    } else {
        let table = if written.is_ok() { parquet.display().to_string() } else { "none could be written".to_owned() };
        let mut kept = if found > 0 { format!("{ran} now, {found} before") } else { String::new() };
        if repeated > 0 {
            let begin = if kept.is_empty() { format!("{ran} now, ") } else { kept + ", " };
            kept = format!("{begin}{repeated} the same as another");
        }
        let kept = if kept.is_empty() { kept } else { format!(" ({kept})") };
        let mut said = means(&groups, shared.colour());
        said += &format!("{}{kept}\n", counted(rows.len(), "run"));
        for line in failure_lines(&failures) {
            if shared.quiet { philae_console::note(&line) } else { said += &line }
        }
        // The figures are all that is left without a table.
        let said = if shared.quiet && written.is_ok() { String::new() } else { said };
        let page = match written.is_ok() && !shared.quiet {
            true => format!("report: {}\n", report.display()),
            false => String::new(),
        };
        output::print(&format!("{said}table: {table}\n{page}"))?;
    }
    written.map_err(|failure| sweep.failed(&failure, 0))?;
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What an interrupted sweep says.
fn interruption(done: usize, total: usize) -> String {
    let kept = match done {
        0 => "nothing is kept; the same command begins again",
        1 => "which is kept; the same command continues from there",
        _ => "which are kept; the same command continues from there",
    };
    format!("interrupted after {done} of {}, {kept}", counted(total, "run"))
}

/// The first names of a list that may have thousands.
fn first_of(names: &[impl AsRef<str>]) -> String {
    /// Source: ours: some fill a line. Status: assumed.
    const SHOWN: usize = 4;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The runs that failed: a line for each reason, with the first run that has it and the number of
/// the others.
fn failure_lines(failures: &[Value]) -> Vec<String> {
    let mut kinds: Vec<(&Value, usize)> = Vec::new();
    for failure in failures {
        match kinds.iter_mut().find(|(known, _)| known["error"] == failure["error"]) {
            Some((_, more)) => *more += 1,
            None => kinds.push((failure, 0)),
        }
    }
    let line = |(failure, more): (&Value, usize)| {
        let others = if more > 0 {
            format!(" (and {} with the same reason)", counted(more, "other run"))
        } else {
            String::new()
        };
        format!("failed: {}: {}{others}\n", text_of(&failure["name"]), text_of(&failure["error"]))
    };
    kinds.into_iter().map(line).collect()
}

fn failure(row: &Row) -> Value {
    json!({ "run": cell(row, "run"), "name": cell(row, "name"), "error": cell(row, "error") })
}

impl<'a> Sweep<'a> {
    fn new(arguments: &'a SweepArguments) -> Result<Self, CommandFailure> {
        let file = arguments.scenario.as_path();
        let mut axes = arguments.sets.clone();
        if let Some(Seeds(seeds)) = &arguments.seeds {
            axes.push(("seed".to_owned(), seeds.iter().map(u64::to_string).collect()));
        }
        let all = combinations(&axes).map_err(CommandFailure::input)?;
        let base = Scenario::load(file).map_err(|error| input_failure(file, &error))?;
        let files = [("[[capture]]", !base.captures.is_empty()), ("[timeline]", base.timeline.is_some())];
        if let Some((section, _)) = files.into_iter().find(|(_, asked)| *asked) {
            return Err(CommandFailure::input(format!(
                "'{}' has {section}, whose file every run would overwrite; without it the sweep would work",
                file.display()
            )));
        }
        let is_of_system = |key: &str| key == "system" || key.starts_with("system.");
        let system = if axes.iter().any(|(key, _)| is_of_system(key)) {
            None
        } else {
            let built = base.system.describe().and_then(System::build);
            Some(built.map_err(|error| input_failure(file, &error))?)
        };
        let (folder, runs, warnings) = (PathBuf::new(), Vec::new(), Vec::new());
        let (marker, title, head, answers) = Default::default();
        let mut sweep = Self { arguments, folder, runs, system, warnings, marker, title, head, answers };
        // The name as in `simulate`, also if the scenario has no name of its own.
        let mut name = sweep.resolve(&[]).ok().map(|resolved| resolved.name);
        let axes = Axes::of(&axes);
        axes.check(|place| Scenario::load_with(file, &all[place]).ok()).map_err(CommandFailure::input)?;
        for (place, values) in all.into_iter().enumerate() {
            let run = match sweep.resolve(&values) {
                Ok(resolved) => {
                    name.get_or_insert_with(|| resolved.name.clone());
                    sweep.note_warnings(&resolved.warnings);
                    sweep.head.add(resolved.run_description(env!("CARGO_PKG_VERSION"), 0.0).setup);
                    if sweep.head.network.is_none() {
                        sweep.head.network = wiring(&resolved.system.topology);
                    }
                    let kept = arguments.keep_results.then_some(place);
                    let endpoints = resolved.system.topology.endpoint_count() as u64;
                    let need = Need::planned(endpoints, Ranks::of(&resolved), 1);
                    let short = if arguments.ignore_memory { None } else { need.check(1).err() };
                    let identity = short.is_none().then(|| identity(&resolved, kept));
                    let (content, scenario) = (digest(&same::content(&resolved)), digest(&resolved.to_toml()));
                    Run { identity, refused: short, values, memory: need.least(), content, scenario }
                }
                Err(error) => {
                    let content = error.to_string();
                    let scenario = String::new();
                    Run { identity: None, refused: Some(content.clone()), values, memory: 0, content, scenario }
                }
            };
            sweep.runs.push(run);
        }
        // A single invalid run is a row with its error; if all are invalid, the grid is wrong.
        if let (true, Some(first)) = (sweep.runs.iter().all(|run| run.identity.is_none()), sweep.runs.first()) {
            let error = first.refused.as_deref().unwrap_or_default();
            return Err(CommandFailure::input(format!("'{}': {error}", file.display())));
        }
        let total = sweep.runs.len();
        let alike = axes.alike(|place| sweep.runs[place].content.as_str());
        sweep.warnings.extend(alike.into_iter().map(|warning| (warning, total)));
        let name = name.as_deref().unwrap_or("scenario");
        name.clone_into(&mut sweep.title);
        sweep.folder = arguments.output.clone().unwrap_or_else(|| default_output(&format!("{name} sweep"), &[]));
        Ok(sweep)
    }

    fn resolve(&self, values: &[(String, String)]) -> Result<ResolvedScenario, ScenarioError> {
        let scenario = Scenario::load_with(&self.arguments.scenario, values)?;
        match &self.system {
            Some(system) => scenario.resolve_on(system),
            None => scenario.resolve(),
        }
    }

    fn note_warnings(&mut self, found: &[String]) {
        for warning in found {
            match self.warnings.iter_mut().find(|(known, _)| known == warning) {
                Some((_, runs)) => *runs += 1,
                None => self.warnings.push((warning.clone(), 1)),
            }
        }
    }

    /// Notes and prints the warnings of the results, which say what a reader of the figures must
    /// know. Those that differ in figures alone are one: the first stands for all.
    fn note_warnings_of_runs(&mut self, shared: &CommonOptions) -> Result<(), CommandFailure> {
        let own = std::mem::take(&mut self.warnings);
        let mut kinds: Vec<String> = Vec::new();
        for run in &self.runs {
            let answers = self.answers.lock().expect("no thread panics with it");
            let Some(answer) = self.answer(run).and_then(|path| answers.get(&path)) else { continue };
            for warning in answer["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let kind: String = warning.chars().filter(|letter| !letter.is_ascii_digit()).collect();
                match kinds.iter().position(|known| *known == kind) {
                    Some(place) => self.warnings[place].1 += 1,
                    None => {
                        kinds.push(kind);
                        self.warnings.push((warning.to_owned(), 1));
                    }
                }
            }
        }
        self.warn(shared);
        self.warnings.splice(0..0, own);
        self.marker["warnings"] = self.warnings.iter().map(|(warning, _)| warning.as_str()).collect();
        let marker = self.folder.join(MARKER);
        if marker.is_file() { documents::write_held(&marker, format!("{:#}\n", self.marker)) } else { Ok(()) }
    }

    /// Prints each warning once, with the number of runs unless all have it.
    fn warn(&self, shared: &CommonOptions) {
        let total = self.runs.len();
        let lines: Vec<String> = self
            .warnings
            .iter()
            .map(|(warning, runs)| match *runs == total {
                true => warning.clone(),
                false => format!("{runs} of {}: {warning}", counted(total, "run")),
            })
            .collect();
        shared.warn(&lines);
    }

    /// Takes the folder, unless it has other content, and records the sweep's inputs.
    fn prepare(&mut self, shared: &CommonOptions) -> Result<HeldFolder, CommandFailure> {
        let folder = &self.folder;
        let failed = |error| CommandFailure::input(format!("cannot use the folder '{}': {error}", folder.display()));
        let held = documents::take(folder, MARKER, &["runs"])?;
        std::fs::create_dir_all(folder.join("runs")).map_err(failed)?;
        let grid: Map<String, Value> =
            self.arguments.sets.iter().map(|(key, values)| (key.clone(), json!(values))).collect();
        let seeds = self.arguments.seeds.as_ref().map(|seeds| &seeds.0);
        let file = &self.arguments.scenario;
        let read = philae_scenario::read_source(file)
            .map_err(|error| CommandFailure::input(format!("'{}': {error}", file.display())))?;
        let digest = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&read));
        let marker = json!({
            "version": env!("CARGO_PKG_VERSION"), "scenario": file, "scenario_digest": digest, "grid": grid,
            "seeds": seeds, "warnings": self.warnings.iter().map(|(warning, _)| warning).collect::<Vec<_>>(),
        });
        documents::keep_earlier_unless(folder, &[MARKER, "table.csv", "table.parquet", REPORT], shared, |earlier| {
            // Sweeps of Python, and of earlier versions, record only the file.
            let name = |value: &Value| {
                value["scenario"].as_str().map(|path| Path::new(path).file_name().map(ToOwned::to_owned))
            };
            match earlier["scenario_digest"].as_str() {
                Some(known) => known == digest,
                None => name(earlier) == name(&marker),
            }
        })?;
        documents::write_held(&folder.join(MARKER), format!("{marker:#}\n"))?;
        self.marker = marker;
        Ok(held)
    }

    /// Reads the results of earlier sweeps.
    fn read_answers(&self) -> Result<(), CommandFailure> {
        let mut answers = self.answers.lock().expect("no thread panics with it");
        for path in self.runs.iter().filter_map(|run| self.answer(run)).filter(|path| path.is_file()) {
            let answer = read_answer(&path)?;
            answers.insert(path, answer);
        }
        Ok(())
    }

    /// Writes again what was removed from the folder while the sweep ran.
    fn restore(&self, shared: &CommonOptions) -> Result<(), CommandFailure> {
        let answers = self.answers.lock().expect("no thread panics with it");
        let marker = self.folder.join(MARKER);
        let lost: Vec<_> = answers.iter().filter(|(path, _)| !path.is_file()).collect();
        if lost.is_empty() && marker.is_file() {
            return Ok(());
        }
        let runs = self.folder.join("runs");
        std::fs::create_dir_all(&runs).map_err(|error| {
            let place = runs.display();
            CommandFailure::run(format!("cannot create the folder '{place}': {error}; only what is printed is left"))
        })?;
        for (path, answer) in lost {
            documents::write_held(path, format!("{answer:#}\n"))?;
        }
        documents::write_held(&marker, format!("{:#}\n", self.marker))?;
        let folder = self.folder.display();
        shared.note(&format!(
            "warning: '{folder}' was removed, or files in it, while the sweep ran: they are written again"
        ));
        Ok(())
    }

    /// Renames result folders that earlier grids left at the numbers of other runs, so that
    /// `results/00003` is the run of row 3.
    fn set_aside(&self, shared: &CommonOptions) -> Result<(), CommandFailure> {
        let results = self.folder.join("results");
        let Ok(entries) = std::fs::read_dir(&results) else { return Ok(()) };
        let mut others: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let number: usize = entry.file_name().to_str().filter(|name| name.len() == 5)?.parse().ok()?;
                let path = entry.path();
                let is_own = self.runs.get(number).is_some_and(|run| {
                    // A folder without a scenario is not a result: the run is made again.
                    let found = read_regular(&path.join("scenario.toml"));
                    found.is_ok_and(|text| digest(&String::from_utf8_lossy(&text)) == run.scenario)
                });
                (!is_own).then_some(path)
            })
            .collect();
        others.sort();
        for path in &others {
            let free = (1..).map(|number| numbered(&path.with_extension("earlier"), number));
            let aside = free.into_iter().find(|name| !name.exists()).unwrap_or_default();
            std::fs::rename(path, &aside).map_err(|error| {
                CommandFailure::run(format!("cannot rename {} to {}: {error}", path.display(), aside.display()))
            })?;
        }
        let names: Vec<&str> = others.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        let place = results.display();
        match names.as_slice() {
            [] => {}
            [one] => shared.note(&format!("{place}: {one} is of a run of an earlier grid, now {one}.earlier")),
            several => shared
                .note(&format!("{place}: {} are of runs of an earlier grid, now NUMBER.earlier", first_of(several))),
        }
        Ok(())
    }

    fn answer(&self, run: &Run) -> Option<PathBuf> {
        run.identity.as_ref().map(|identity| self.folder.join("runs").join(format!("{identity}.json")))
    }

    fn result(&self, place: usize) -> PathBuf {
        self.folder.join("results").join(format!("{place:05}"))
    }

    /// Indices of runs without figures, or without the folder that --keep-results keeps; of
    /// identical runs, only the first.
    fn missing(&self, shared: &CommonOptions) -> Vec<usize> {
        let answers = self.answers.lock().expect("no thread panics with it");
        let (mut known, mut removed) = (BTreeSet::new(), Vec::new());
        let is_missing = |place: &usize| {
            let Some(path) = self.answer(&self.runs[*place]) else { return false };
            let folder = self.result(*place);
            let lacks_folder = |answer: &Value| {
                let is_kept = self.arguments.keep_results && answer["error"].is_null();
                is_kept && !folder.join("manifest.json").is_file()
            };
            match answers.get(&path) {
                Some(answer) if lacks_folder(answer) => removed.push(folder.display().to_string()),
                Some(_) => return false,
                None => {}
            }
            known.insert(path)
        };
        let missing = (0..self.runs.len()).filter(is_missing).collect();
        match removed.as_slice() {
            [] => {}
            [one] => shared.note(&format!("1 result folder of earlier runs is missing, {one}: its run is made again")),
            several => shared.note(&format!(
                "{} of earlier runs are missing, {}: their runs are made again",
                counted(several.len(), "result folder"),
                first_of(several)
            )),
        }
        missing
    }

    /// The failure of a sweep that could not keep the outcome of a run.
    fn failed(&self, failure: &CommandFailure, left: usize) -> CommandFailure {
        let total = self.runs.iter().filter(|run| run.identity.is_some()).count();
        let (done, folder) = (total.saturating_sub(left), self.folder.display());
        CommandFailure::run(format!(
            "{}; {done} of {} are kept in {folder}, and the same command continues from there",
            failure.parts().1,
            counted(total, "run")
        ))
    }

    /// How many missing runs to make at the same time: limited by threads and by memory.
    fn workers(&self, missing: &[usize], shared: &CommonOptions) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = self.arguments.threads.unwrap_or(cores).min(missing.len());
        let largest = missing.iter().map(|&place| self.runs[place].memory).max().unwrap_or(0);
        let fit = at_a_time(largest, memory::free(), wanted);
        if self.arguments.ignore_memory || fit >= wanted {
            return wanted;
        }
        let (largest, free) = (bytes(largest as f64), bytes(memory::free().unwrap_or(0) as f64));
        shared.note(&format!(
            "memory: {fit} of {} at a time: the largest needs at least {largest}, and {free} are free; \
             --ignore-memory begins all of them",
            counted(wanted, "run")
        ));
        fit
    }

    /// Makes the missing runs, several at the same time, and returns how many ended.
    fn run_all(
        &self,
        missing: &[usize],
        workers: usize,
        cells: &Cells,
        stop: &AtomicBool,
    ) -> Result<usize, (CommandFailure, usize)> {
        let (next, ended, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(None));
        let work = || {
            while let Some(&place) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                match self.run_one(place, stop) {
                    Ok(false) => return,
                    Ok(true) => {}
                    Err(failure) => {
                        *failed.lock().expect("no thread panics with it") = Some(failure);
                        stop.store(true, Ordering::Relaxed);
                        return;
                    }
                }
                let done = ended.fetch_add(1, Ordering::Relaxed) + 1;
                cells.update(&CellProgress {
                    done,
                    total: missing.len(),
                    label: self.runs[place].name(),
                    is_kept: true,
                });
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(work);
            }
        });
        match failed.into_inner().expect("no thread panics with it") {
            Some(failure) => Err((failure, ended.into_inner())),
            None => Ok(ended.into_inner()),
        }
    }

    /// Makes one run and writes its result, unless it was stopped. A failure is a result, too.
    fn run_one(&self, place: usize, stop: &AtomicBool) -> Result<bool, CommandFailure> {
        let run = &self.runs[place];
        let Some(path) = self.answer(run) else { return Ok(true) };
        let began = Instant::now();
        let simulated = self.resolve(&run.values).and_then(|resolved| {
            let simulation = resolved.simulation()?;
            let record = simulation.run(&mut |_| {
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            Ok((resolved, record))
        });
        let seconds = began.elapsed().as_secs_f64();
        let answer = match simulated {
            Err(error) => {
                json!({ "status": "failed", "error": error.to_string(), "figures": {}, "wall_seconds": null })
            }
            Ok((_, record)) if record.status == RunStatus::Interrupted => return Ok(false),
            Ok((resolved, record)) => {
                if self.arguments.keep_results {
                    let description = resolved.run_description(env!("CARGO_PKG_VERSION"), seconds);
                    self.keep(place, &record, &description)?;
                }
                let figures: Map<String, Value> = figures(&RunSummary::of(&record)).into_iter().collect();
                let status = record.status.as_str();
                let warnings = record.warnings();
                json!({
                    "status": status, "error": null, "figures": figures, "warnings": warnings, "wall_seconds": seconds
                })
            }
        };
        // The folder may have been removed since: the run is worth more, and is written at the end.
        if let Err(failure) = documents::write_held(&path, format!("{answer:#}\n"))
            && self.folder.join(MARKER).is_file()
        {
            return Err(failure);
        }
        self.answers.lock().expect("no thread panics with it").insert(path, answer);
        Ok(true)
    }

    /// Writes the whole result of a run, or nothing: the run is made again when there is room.
    fn keep(&self, place: usize, record: &RunRecord, run: &RunDescription) -> Result<(), CommandFailure> {
        let path = self.result(place);
        let failed = |reason: String| {
            let name = self.runs[place].name();
            CommandFailure::run(format!("cannot write {}, the result of {name}: {reason}", path.display()))
        };
        let write = || {
            let mut folder = ResultFolder::create(&path, &run.identity(false), Earlier::Keep)?;
            folder.write_run(record, run, &AtomicBool::new(false))?;
            Ok(folder)
        };
        let folder = write().map_err(|error: MeasureError| failed(error.reason()))?;
        match unwritten_words(folder.unwritten()) {
            missing if missing.is_empty() => folder.finish().map(drop).map_err(|error| failed(error.reason())),
            missing => Err(failed(missing)),
        }
    }

    /// A row for each run, in the order of the grid: the values, then the result.
    fn rows(&self) -> Vec<Row> {
        let answers = self.answers.lock().expect("no thread panics with it");
        let mut rows = Vec::new();
        for (place, run) in self.runs.iter().enumerate() {
            let mut row = vec![("run".to_owned(), place.into()), ("name".to_owned(), run.name().into())];
            row.extend(run.values.iter().map(|(key, value)| (key.clone(), plain(value))));
            let answer = match (&run.refused, self.answer(run)) {
                (Some(error), _) => json!({ "status": "failed", "error": error, "figures": {} }),
                (None, Some(path)) => answers.get(&path).cloned().unwrap_or_default(),
                (None, None) => Value::Null,
            };
            row.extend(["status", "error"].map(|name| (name.to_owned(), answer[name].clone())));
            row.extend(answer["figures"].as_object().cloned().unwrap_or_default());
            rows.push(row);
        }
        rows
    }

    /// The page of the sweep. Nothing on it depends on when or where the runs were made.
    fn page(&self, rows: &[Row], groups: &[SeedGroup]) -> String {
        let file = self.arguments.scenario.display();
        let grid: Vec<String> =
            self.arguments.sets.iter().map(|(key, values)| format!("{key}: {}", values.join(", "))).collect();
        let seeds = match &self.arguments.seeds {
            Some(Seeds(seeds)) if seeds.len() > 1 => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            Some(Seeds(seeds)) => format!("{}; one run each", seeds[0]),
            None => "the scenario's; one run each: --seeds 1-10 says how much figures depend on it".to_owned(),
        };
        let facts = [
            ("Values", if grid.is_empty() { "those of the scenario".to_owned() } else { grid.join("; ") }),
            ("Seeds", seeds),
            ("Scenario", file.to_string()),
            ("Version", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        let failed = rows.iter().filter(|row| !cell(row, "error").is_null());
        SweepPage {
            title: self.title.clone(),
            head: &self.head,
            facts: facts.to_vec(),
            failures: failed.map(|row| (text_of(cell(row, "name")), text_of(cell(row, "error")))).collect(),
            warnings: self.warnings.iter().map(|(warning, _)| format!("Warning: {warning}.")).collect(),
            groups,
            footer: format!(
                "Philae {}. table.csv and table.parquet have every figure of each run.",
                env!("CARGO_PKG_VERSION")
            ),
        }
        .html()
    }

    /// Groups of runs that differ only in their seeds, in the order of the grid.
    fn groups(&self, rows: &[Row]) -> Vec<SeedGroup> {
        type Set = Vec<(String, String)>;
        let mut groups: Vec<(Set, Vec<&Row>)> = Vec::new();
        let mut places: BTreeMap<Set, usize> = BTreeMap::new();
        for (run, row) in self.runs.iter().zip(rows) {
            let values: Set = run.values.iter().filter(|(key, _)| key != "seed").cloned().collect();
            let place = *places.entry(values.clone()).or_insert_with(|| {
                groups.push((values, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(row);
        }
        groups.into_iter().map(|(values, rows)| SeedGroup::of(values, &rows)).collect()
    }
}

fn read_answer(path: &Path) -> Result<Value, CommandFailure> {
    let read = read_regular(path).map_err(|error| error.to_string());
    let read = read.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()));
    read.map_err(|error| {
        CommandFailure::run(format!("cannot read '{}': {error}; without that file it is run again", path.display()))
    })
}

/// Writes the rows in both forms.
fn write_tables(rows: &[Row], parquet: &Path, csv: &Path) -> Result<(), CommandFailure> {
    let made = columns(rows);
    let failed =
        |error: MeasureError| CommandFailure::run(format!("cannot write '{}': {}", parquet.display(), error.reason()));
    made.write_own(parquet).map_err(failed)?;
    let mut text = Vec::new();
    made.write_csv(&mut text).map_err(CommandFailure::run)?;
    documents::write_held(csv, text)
}

/// A name that is the same for the same resolved scenario and version; if results are kept, also
/// for the same index in the grid.
fn identity(resolved: &ResolvedScenario, kept: Option<usize>) -> String {
    let place = kept.map_or_else(String::new, |place| format!(" {place}"));
    digest(&format!("{}{place}\n{}", env!("CARGO_PKG_VERSION"), resolved.to_toml()))
}

fn digest(text: &str) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

/// A value in the table: a number if it can be parsed as one.
fn plain(value: &str) -> Value {
    let number = value.parse::<i64>().map(Value::from).ok();
    let number = number.or_else(|| value.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Value::Number));
    number.unwrap_or_else(|| value.trim_matches(['"', '\'']).into())
}

/// The rows as a table, with a column for each name in order of first occurrence.
fn columns(rows: &[Row]) -> ColumnTable {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<(&str, Vec<&Value>)> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        for (name, value) in row.iter().filter(|(name, _)| name != "name") {
            let place = *places.entry(name.as_str()).or_insert_with(|| {
                all.push((name.as_str(), vec![&Value::Null; rows.len()]));
                all.len() - 1
            });
            all[place].1[number] = value;
        }
    }
    ColumnTable {
        name: "sweep".to_owned(),
        about: "One row per run, in the order of the grid.".to_owned(),
        rows: rows.len(),
        columns: all.into_iter().map(|(name, values)| column(name, &values)).collect(),
    }
}

/// A column of integers, numbers or words, depending on its values.
fn column(name: &str, values: &[&Value]) -> ColumnData {
    let present: Vec<bool> = values.iter().map(|value| !value.is_null()).collect();
    let some = || values.iter().filter(|value| !value.is_null());
    let values = if some().all(|value| value.is_i64()) {
        ColumnValues::Int64(values.iter().map(|value| value.as_i64().unwrap_or(0)).collect())
    } else if some().all(|value| value.is_number()) {
        ColumnValues::Double(values.iter().map(|value| value.as_f64().unwrap_or(0.0)).collect())
    } else {
        let mut words = WordNumbers::default();
        let code = |value: &&Value| if value.is_null() { 0 } else { words.code(&text_of(value)) };
        let codes = values.iter().map(code).collect();
        ColumnValues::Text { codes, words: words.into_words() }
    };
    let is_whole = present.iter().all(|present| *present);
    ColumnData { name: name.to_owned(), about: String::new(), values, present: (!is_whole).then_some(present) }
}
