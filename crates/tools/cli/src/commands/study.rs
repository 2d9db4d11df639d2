//! `philae reproduce`, `philae validate`.

use crate::arguments::{CommonOptions, ReproduceArguments, Seeds, ValidateArguments, seeds_text};
use crate::attention;
use crate::cells::{Cells, Running};
use crate::documents::{check_apart, keep_earlier, prepare, prepare_file, take, write, write_held};
use crate::failure::{CommandFailure, did_you_mean};
use crate::output;
use crate::results::default_output;
use crate::setup::threads;
use philae_experiments::{
    CellRunner, Examined, Experiment, ExperimentContext, ExperimentOutcome, FindingsFolder, KeyChange, Ran, Target,
    ValidationDocument, ValidationRow, ValidationStep, cause_table, examine, experiments, part_name, probes,
    run_with_seeds, study_report, targets, validate, validation_document,
};
use philae_results::format::{number, wall_seconds};
use philae_results::text::{RowPrinter, TextColumn};
use philae_results::{FileKind, MadeFolders, StudyReport, StudySection, Verdict};
use philae_scenario::Scenario;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Runs one published experiment or all of them, and writes their reports.
pub fn reproduce(arguments: &ReproduceArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let chosen = chosen(&arguments.experiment)?;
    let set = checked(&arguments.set)?;
    let only = asked_parts(&chosen, &arguments.only)?;
    // The default seed is not part of the name.
    let seed = (arguments.seed != 1).then(|| ("seed".to_owned(), arguments.seed.to_string()));
    let several = arguments.seeds.as_ref().map(|seeds| ("seeds".to_owned(), seeds_text(seeds)));
    let parts = (!only.is_empty()).then(|| ("only".to_owned(), only.join(" ")));
    let settings: Vec<(String, String)> = set.iter().cloned().chain(seed).chain(several).chain(parts).collect();
    let place = |experiment: &dyn Experiment| match (&arguments.output, chosen.len()) {
        (Some(folder), 1) => folder.clone(),
        (Some(folder), _) => folder.join(experiment.id()),
        (None, _) => default_output(experiment.id(), &settings),
    };
    // Before anything runs, so that an unwritable folder costs no simulation.
    let held: Result<Vec<_>, _> =
        chosen.iter().map(|experiment| take(&place(*experiment), "study.json", &["report.html"])).collect();
    let _held = held?;
    let stop = attention::flag(true, "the report of the experiment that had not ended")?;
    let resume = arguments.resume.clone();
    let cells = Cells::new(*shared).say_when_interrupted(move |running| {
        let again = "the same command begins these runs again";
        let kept = kept_words(resume.as_deref(), running, "its report was not written", again);
        format!("{}: interrupted {}{kept}", running.name, running.words("run"))
    });
    let plain = CellRunner::new(threads(arguments.threads), &stop, |progress| cells.update(progress));
    let opened =
        kept(arguments.resume.as_deref(), &run_name(arguments.quick, arguments.seed, arguments.seeds.as_ref()))?;
    let kept = opened.as_ref().map(|(findings, _)| findings);
    let (mut documents, mut printed) = (Vec::new(), Ok(()));
    let mut gaps = 0;
    for experiment in chosen.iter().copied() {
        cells.start(experiment.id(), experiment.title());
        let began = Instant::now();
        let runner = plain.changing(set.iter().cloned()).keeping(kept);
        let seeds = asked_seeds(arguments.seeds.as_ref());
        let context = ExperimentContext {
            quick: arguments.quick,
            seed: arguments.seed,
            seeds: &seeds,
            only: &only,
            start_skew: None,
            runner: &runner,
        };
        let outcome = match run_with_seeds(experiment, &context) {
            Ok(outcome) => outcome,
            Err(error) => return Err(cells.failed(experiment.id(), &error)),
        };
        let changes = runner.changed();
        refuse_unchanged(experiment.id(), &changes)?;
        let ran = Ran {
            quick: arguments.quick,
            seed: arguments.seed,
            seconds: began.elapsed().as_secs_f64() + runner.earlier_seconds(),
            command: command(experiment, arguments),
            changes,
        };
        let folder = place(experiment);
        let report = study_report(experiment, &outcome, &ran);
        let document = document(experiment, &outcome, &ran);
        // The folder may have been removed since: the study is worth more.
        let _made = prepare(&folder)?;
        keep_earlier(&folder, &["study.json", "report.html"], &document, shared)?;
        write_held(&folder.join("report.html"), report.html())?;
        write_held(&folder.join("study.json"), format!("{document:#}\n"))?;
        gaps += outcome.findings.iter().filter(|finding| finding.verdict() == Verdict::Gap).count();
        if shared.json {
            documents.push(document);
        } else {
            // If the reader has gone, the reports of the other experiments must still be written.
            if printed.is_ok() {
                printed = cells.hide(|| print(&report, &outcome, &folder, ran.seconds, shared)).map(drop);
            }
        }
    }
    cells.finish();
    printed?;
    if shared.json {
        match documents.len() {
            1 => output::print_json(&documents[0])?,
            _ => output::print_json(&documents)?,
        };
    }
    Ok(strictly(arguments.strict, gaps > 0))
}

/// The experiment of this name, or all.
fn chosen(name: &str) -> Result<Vec<&'static dyn Experiment>, CommandFailure> {
    let all = experiments();
    if name == "all" {
        return Ok(all.into_iter().filter(|experiment| !experiment.repeats_others()).collect());
    }
    let called =
        |experiment: &&&'static dyn Experiment| experiment.id() == name || experiment.aliases().contains(&name);
    if let Some(found) = all.iter().find(called) {
        return Ok(vec![*found]);
    }
    let names =
        all.iter().flat_map(|experiment| std::iter::once(experiment.id()).chain(experiment.aliases().iter().copied()));
    let hint = did_you_mean(name, names.chain(["all"]));
    let width = all.iter().map(|experiment| experiment.id().len()).max().unwrap_or(0);
    let list: Vec<String> =
        all.iter().map(|experiment| format!("  {:width$} {}", experiment.id(), experiment.title())).collect();
    Err(CommandFailure::input(format!("no experiment is called '{name}'{hint}\n{}\n  all", list.join("\n"))))
}

/// The names of `--only`, if the chosen experiment has parts of these names.
fn asked_parts(chosen: &[&'static dyn Experiment], only: &[String]) -> Result<Vec<String>, CommandFailure> {
    if only.is_empty() {
        return Ok(Vec::new());
    }
    let divided = || experiments().into_iter().filter(|experiment| !experiment.parts().is_empty());
    let [experiment] = chosen else {
        return Err(CommandFailure::input("--only chooses parts of one experiment, and `all` was named"));
    };
    let kinds = experiment.parts();
    if kinds.is_empty() {
        let those: Vec<&str> = divided().map(|experiment| experiment.id()).collect();
        let (name, those) = (experiment.id(), those.join(", "));
        return Err(CommandFailure::input(format!("--only: {name} runs as a whole; --only works with {those}")));
    }
    let asked: Vec<String> = only.iter().map(|name| part_name(name)).collect();
    let names = || kinds.iter().flat_map(|kind| kind.names.iter().map(String::as_str).chain([kind.kind]));
    if let Some(at) = asked.iter().position(|asked| names().all(|name| name != asked)) {
        let list: Vec<String> = kinds.iter().map(|kind| format!("{}: {}", kind.kind, kind.names.join(", "))).collect();
        let (name, hint) = (experiment.id(), did_you_mean(&asked[at], names()));
        return Err(CommandFailure::input(format!("{name} has no part '{}'{hint}\n{}", only[at], list.join("\n"))));
    }
    Ok(asked)
}

fn strictly(strict: bool, wrong: bool) -> ExitCode {
    ExitCode::from(u8::from(strict && wrong))
}

fn command(experiment: &dyn Experiment, arguments: &ReproduceArguments) -> String {
    let quick = if arguments.quick { " --quick" } else { "" };
    let seeds = seeds_again(arguments.seed, arguments.seeds.as_ref());
    let only = if arguments.only.is_empty() { String::new() } else { format!(" --only {}", arguments.only.join(",")) };
    format!("philae reproduce {}{quick}{only}{seeds}{}", experiment.id(), set_again(&arguments.set))
}

/// The seeds of `--seeds`; none if it is not given.
fn asked_seeds(seeds: Option<&Seeds>) -> Vec<u64> {
    seeds.map_or_else(Vec::new, |seeds| seeds.0.clone())
}

/// `--seed` or `--seeds` as typed.
fn seeds_again(seed: u64, seeds: Option<&Seeds>) -> String {
    seeds.map_or_else(|| format!(" --seed {seed}"), |seeds| format!(" --seeds {}", seeds_text(seeds)))
}

/// The `--set` options as typed.
fn set_again(set: &[(String, String)]) -> String {
    set.iter().map(|(key, value)| format!(" --set '{key}={value}'")).collect()
}

/// Refuses a change that changed no run: its result would be that of the defaults under another
/// name.
fn refuse_unchanged(name: &str, changes: &[KeyChange]) -> Result<(), CommandFailure> {
    let Some(idle) = changes.iter().find(|change| change.cells_changed == 0) else { return Ok(()) };
    let why = match idle.cells {
        0 => "it runs no scenarios".to_owned(),
        cells => match &idle.refused {
            Some(reason) => format!("none of its {cells} runs accepts it; {reason}"),
            None => format!("all its runs ({cells}) already have this value"),
        },
    };
    Err(CommandFailure::input(format!("--set {}={} changes nothing in {name}: {why}", idle.key, idle.value)))
}

/// Refuses keys that no scenario has before anything runs. Keys of jobs and systems differ from run
/// to run.
fn checked(set: &[(String, String)]) -> Result<&[(String, String)], CommandFailure> {
    let differs = |key: &str| ["job.", "system."].iter().any(|part| key.starts_with(part));
    for change in set.iter().filter(|(key, _)| !differs(key)) {
        Scenario::default()
            .changed(std::slice::from_ref(change))
            .map_err(|error| CommandFailure::input(format!("--set {}={}: {error}", change.0, change.1)))?;
    }
    Ok(set)
}

fn document(experiment: &dyn Experiment, outcome: &ExperimentOutcome, ran: &Ran) -> serde_json::Value {
    let rows: Vec<ValidationRow> = outcome.findings.iter().map(ValidationRow::from).collect();
    json!({
        "experiment": experiment.id(),
        "title": experiment.title(),
        "source": experiment.source(),
        "version": env!("CARGO_PKG_VERSION"),
        "seed": ran.seed,
        "quick": ran.quick,
        "wall_seconds": ran.seconds,
        "changes": ran.changes,
        "rows": rows,
        "assumptions": outcome.assumptions,
        "data": outcome.data,
    })
}

fn print(
    report: &StudyReport,
    outcome: &ExperimentOutcome,
    folder: &Path,
    seconds: f64,
    shared: &CommonOptions,
) -> Result<ExitCode, CommandFailure> {
    let colour = shared.colour();
    let place = format!("report: {}\n", folder.join("report.html").display());
    if shared.quiet {
        return output::print(&place);
    }
    let measured = StudyReport { sections: outcome.sections.clone(), footer: String::new(), ..report.clone() };
    output::print(&format!(
        "{}{}ran for {}\n{place}",
        measured.text(colour),
        verdicts(&outcome.findings.iter().map(ValidationRow::from).collect::<Vec<_>>(), colour),
        wall_seconds(seconds),
    ))
}

/// Headers of [`verdict_cells`].
const VERDICT_HEADERS: [&str; 6] = ["result", "published", "agrees when", "model", "unit", "verdict"];

fn verdict_cells(row: &ValidationRow) -> Vec<String> {
    vec![
        row.id.to_owned(),
        number(row.published),
        row.tolerance.to_owned(),
        row.model_text(),
        row.unit.to_owned(),
        row.verdict.as_str().to_owned(),
    ]
}

/// The table of verdicts, row by row, as wide as the rows of the targets need.
fn verdict_rows(colour: bool) -> RowPrinter {
    let longest = |read: fn(&Target) -> usize| targets().iter().map(read).max().unwrap_or(0);
    let [result, published, agrees, model, unit, verdict] = VERDICT_HEADERS;
    let columns = vec![
        TextColumn::words(result, longest(|target| target.id.chars().count())),
        TextColumn::figures(published, longest(|target| number(target.value).chars().count())),
        TextColumn::words(agrees, longest(|target| target.tolerance_text.chars().count())),
        TextColumn::figures(model, 15),
        TextColumn::words(unit, longest(|target| target.unit.chars().count())),
        TextColumn::words(verdict, 0),
    ];
    RowPrinter::new(columns, colour)
}

/// The rows as a table that fits a terminal, then notes about each.
fn verdicts(rows: &[ValidationRow], colour: bool) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let cells: Vec<Vec<String>> = rows.iter().map(verdict_cells).collect();
    philae_results::text::table(&VERDICT_HEADERS, &cells, colour) + &notes(rows)
}

/// Notes about rows.
fn notes(rows: &[ValidationRow]) -> String {
    let mut text = "\n".to_owned();
    for row in rows.iter().filter(|row| row.verdict != Verdict::NotRun && !row.note.is_empty()) {
        text += &format!("{}: {}.\n", row.id, row.note.trim_end_matches('.'));
    }
    text + "\n"
}

/// Runs every experiment with rows of the targets, and prints the verdict on each row.
pub fn validation(arguments: &ValidateArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if arguments.fidelity {
        return fidelity(arguments, shared);
    }
    let only = asked_rows(&arguments.only)?;
    let set = checked(&arguments.set)?;
    let outputs: Vec<&Path> = arguments.document.iter().chain(&arguments.report).map(PathBuf::as_path).collect();
    check_apart(&[], &outputs)?;
    let files = [(&arguments.document, FileKind::Text), (&arguments.report, FileKind::Markup)];
    let files = files.into_iter().filter_map(|(file, kind)| Some((file.as_deref()?, kind)));
    let made: Vec<_> = files.map(|(file, kind)| prepare_file(file, kind)).collect::<Result<_, _>>()?;
    let is_silent = shared.json || shared.writes_only(!made.is_empty());
    let stop = attention::flag(true, "the verdicts that are not printed")?;
    let resume = arguments.resume.clone();
    let cells = Cells::new(*shared).say_when_interrupted(move |running| {
        let again = "earlier experiments are kept, and the same command begins these runs again";
        let kept = kept_words(resume.as_deref(), running, "no document or report was written", again);
        format!("validate: interrupted in {} {}{kept}", running.name, running.words("run"))
    });
    let threads = threads(arguments.threads);
    let run = run_name(!arguments.full, arguments.seed, arguments.seeds.as_ref()) + &set_again(&arguments.set);
    let opened = kept(arguments.resume.as_deref(), &run)?;
    let kept = opened.as_ref().map(|(findings, _)| findings);
    let runner = CellRunner::new(threads, &stop, |progress| cells.update(progress)).changing(set.iter().cloned());
    let runner = runner.keeping(kept);
    let seeds = asked_seeds(arguments.seeds.as_ref());
    let context = ExperimentContext {
        quick: !arguments.full,
        seed: arguments.seed,
        seeds: &seeds,
        only: &[],
        start_skew: None,
        runner: &runner,
    };
    let table = verdict_rows(shared.colour());
    let (mut shown, mut printed) = (Vec::new(), Ok(()));
    let report = validate(&experiments(), &only, &context, kept, |step| match step {
        ValidationStep::Starts { experiment, index, of } => {
            cells.start(&format!("{}/{of} {}", index + 1, experiment.id()), experiment.title());
        }
        ValidationStep::Ends { rows } if !is_silent => {
            let head = if shown.is_empty() { table.head() } else { String::new() };
            let lines: String = rows.iter().map(|row| table.row(&verdict_cells(row))).collect();
            shown.extend(rows.iter().map(|row| row.id));
            // If the reader has gone, documents and reports must still be written.
            if printed.is_ok() {
                printed = cells.hide(|| output::print(&(head + &lines)).map(drop));
            }
        }
        ValidationStep::Ends { .. } => {}
    });
    let report = match report {
        Ok(report) => report,
        Err(error) => return Err(cells.failed("validate", &error)),
    };
    let changes = runner.changed();
    // With --resume, a run that was not needed again shows no change.
    if report.failures.is_empty() && kept.is_none() {
        refuse_unchanged("the requested rows", &changes)?;
    }
    let began = Instant::now();
    let mut causes = Vec::new();
    if arguments.causes {
        let gaps: Vec<&str> = report.rows.iter().filter(|row| row.verdict == Verdict::Gap).map(|row| row.id).collect();
        let starting = |what: &str, place: usize, total: usize| cells.start(&format!("{}/{total}", place + 1), what);
        causes = match examine(&experiments(), probes(), &gaps, &context, starting) {
            Ok(causes) => causes,
            Err(error) => return Err(cells.failed("validate --causes", &error)),
        };
    }
    cells.finish();
    let (command, seconds) = (validation_command(arguments), report.seconds + began.elapsed().as_secs_f64());
    if let Some(path) = &arguments.document {
        let document = ValidationDocument { report: &report, causes: &causes, command: &command, seconds, threads };
        write(path, validation_document(&document))?;
    }
    if let Some(path) = &arguments.report {
        write(path, report.page(context.quick, seconds, &command).html())?;
    }
    if shared.json {
        let mut document = serde_json::to_value(&report).map_err(|error| CommandFailure::run(error.to_string()))?;
        document["changes"] = json!(changes);
        document["causes"] = json!(causes);
        output::print_json(&document)?;
    } else if !is_silent {
        printed?;
        let asked: Vec<ValidationRow> =
            report.rows.iter().filter(|row| only.is_empty() || only.contains(&row.id)).cloned().collect();
        let count = |verdict| asked.iter().filter(|row| row.verdict == verdict).count();
        let changed: String = changes.iter().map(|change| format!("changed: {change}\n")).collect();
        let rest: String =
            asked.iter().filter(|row| !shown.contains(&row.id)).map(|row| table.row(&verdict_cells(row))).collect();
        let head = if shown.is_empty() { table.head() } else { String::new() };
        output::print(&format!(
            "{head}{rest}{}{changed}{} agree, {} do not, {} not run{}\n",
            notes(&asked),
            count(Verdict::Pass),
            count(Verdict::Gap),
            count(Verdict::NotRun),
            if arguments.full { "" } else { " (quick; --full runs the publications' sizes)" }
        ))?;
        if arguments.causes {
            print_causes(&causes, shared)?;
        }
    }
    for (experiment, reason) in &report.failures {
        philae_console::note!("{experiment} failed: {reason}");
    }
    if !report.failures.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    Ok(strictly(arguments.strict, report.is_wrong()))
}

/// What the results of a run depend on, except its changes.
fn run_name(quick: bool, seed: u64, seeds: Option<&Seeds>) -> String {
    format!("{}{}", if quick { "quick" } else { "full" }, seeds_again(seed, seeds))
}

/// The folder of `--resume`, for a run of this name.
fn kept(folder: Option<&Path>, run: &str) -> Result<Option<(FindingsFolder, MadeFolders)>, CommandFailure> {
    let Some(folder) = folder else { return Ok(None) };
    let failed = |error| CommandFailure::input(format!("cannot use the folder {}: {error}", folder.display()));
    let made = prepare(folder)?;
    FindingsFolder::open(folder, run).map(|findings| Some((findings, made))).map_err(failed)
}

/// What is left of interrupted runs: `lost` without --resume, `again` if it keeps none of them.
fn kept_words(resume: Option<&Path>, running: &Running, lost: &str, again: &str) -> String {
    match (resume, running.is_kept()) {
        (None, _) => format!("; {lost}"),
        (Some(folder), true) => {
            format!(", which are kept in {}: the same command continues from there", folder.display())
        }
        (Some(_), false) => format!("; {again}"),
    }
}

fn print_causes(causes: &[Examined], shared: &CommonOptions) -> Result<(), CommandFailure> {
    let sections = match causes {
        [] => vec![StudySection::Text("No gap has a change to try.".to_owned())],
        _ => vec![cause_table(causes)],
    };
    let title = "Causes of gaps: quick runs, one thing changed".to_owned();
    output::print(&StudyReport { title, sections, ..StudyReport::default() }.text(shared.colour())).map(|_| ())
}

fn validation_command(arguments: &ValidateArguments) -> String {
    let option = |on: bool, text: &'static str| if on { text } else { "" };
    let only = if arguments.only.is_empty() { String::new() } else { format!(" --only {}", arguments.only.join(",")) };
    let document =
        arguments.document.as_ref().map_or_else(String::new, |path| format!(" --document {}", path.display()));
    format!(
        "philae validate{}{}{only}{document}{}{}",
        option(arguments.full, " --full"),
        option(arguments.causes, " --causes"),
        seeds_again(arguments.seed, arguments.seeds.as_ref()),
        set_again(&arguments.set)
    )
}

/// Compares the switch's fidelities and prints the tables; `reproduce` writes the report.
fn fidelity(arguments: &ValidateArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let [experiment] = chosen("fidelity")?[..] else { unreachable!("one experiment has that name") };
    let stop = attention::flag(true, "the tables")?;
    let cells = Cells::new(*shared)
        .say_when_interrupted(|running| format!("interrupted {}; no table was printed", running.words("run")));
    let runner = CellRunner::new(threads(arguments.threads), &stop, |progress| cells.update(progress));
    let context = ExperimentContext {
        quick: !arguments.full,
        seed: arguments.seed,
        seeds: &[],
        only: &[],
        start_skew: None,
        runner: &runner,
    };
    cells.start(experiment.id(), experiment.title());
    let began = Instant::now();
    let outcome = match experiment.run(&context) {
        Ok(outcome) => outcome,
        Err(error) => return Err(cells.failed(experiment.id(), &error)),
    };
    cells.finish();
    let seconds = began.elapsed().as_secs_f64();
    if shared.json {
        return output::print_json(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "seed": arguments.seed,
            "quick": context.quick,
            "fidelity": outcome.data,
        }));
    }
    let command = format!("philae validate --fidelity --seed {}", arguments.seed);
    let ran = Ran { quick: context.quick, seed: arguments.seed, seconds, command, changes: Vec::new() };
    let report = study_report(experiment, &outcome, &ran);
    let tables = outcome.sections.into_iter().filter(|section| {
        matches!(section, StudySection::Heading(_) | StudySection::Text(_) | StudySection::Table { .. })
    });
    let banner = context.quick.then(|| "A quick run; --full runs more loads for longer.".to_owned());
    output::print(&StudyReport { sections: tables.collect(), banner, ..report }.text(shared.colour()))
}

/// Rows by name; the name of an experiment stands for its rows.
fn asked_rows(only: &[String]) -> Result<Vec<&'static str>, CommandFailure> {
    let all = experiments();
    let mut rows = Vec::new();
    for asked in only {
        if let Some(target) = targets().iter().find(|target| target.id == asked) {
            rows.push(target.id);
        } else if let Some(found) = all.iter().find(|experiment| experiment.id() == asked) {
            rows.extend(found.targets());
        } else {
            let names = targets().iter().map(|target| target.id).chain(all.iter().map(|experiment| experiment.id()));
            let hint = did_you_mean(asked, names);
            let list: Vec<&str> = targets().iter().map(|target| target.id).collect();
            return Err(CommandFailure::input(format!("no row is called '{asked}'{hint}\nrows: {}", list.join(", "))));
        }
    }
    Ok(rows)
}
