//! Where a result is written, and the report about an incomplete one.

use crate::arguments::SimulateArguments;
use crate::attention;
use crate::failure::CommandFailure;
use crate::output;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::result::Manifest;
use philae_results::{Earlier, MeasureError, ResultFolder, RunDescription, RunSummary, Settled, unwritten_words};
use philae_scenario::ResolvedScenario;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Characters of a default folder's name: with a number and the suffixes of related files, a name
/// has at most 255 bytes.
const NAME_LETTERS: usize = 120;

/// Settings that change no result, and so are not part of the name.
const OF_THE_MACHINE: [&str; 2] = ["run.threads", "run.partitions"];

/// The folder for a run's result, exclusively: the requested one, or one named after the scenario
/// and the settings on the command line, with a number if another run is writing to that.
pub fn folder(
    arguments: &SimulateArguments,
    resolved: &ResolvedScenario,
    description: &RunDescription,
) -> Result<ResultFolder, CommandFailure> {
    let identity = description.identity(arguments.fluid);
    let earlier = if arguments.place.overwrite { Earlier::Replace } else { Earlier::Keep };
    let create = |place: &Path| ResultFolder::create(place, &identity, earlier);
    if let Some(place) = &arguments.place.output {
        return create(place).map_err(CommandFailure::input);
    }
    let place = default_place(arguments, resolved);
    let mut number = 1;
    loop {
        match create(&philae_results::numbered(&place, number)) {
            Err(MeasureError::Busy { .. }) => number += 1,
            created => return created.map_err(CommandFailure::input),
        }
    }
}

/// Where a result goes that no option places.
pub fn default_place(arguments: &SimulateArguments, resolved: &ResolvedScenario) -> PathBuf {
    let routes = arguments.routes.iter().map(|file| ("routes".to_owned(), file.display().to_string()));
    let settings: Vec<(String, String)> = arguments.keys.all().into_iter().chain(routes).collect();
    let fluid = if arguments.fluid { " fluid" } else { "" };
    default_output(&format!("{}{fluid}", resolved.name), &settings)
}

/// `results/incast-beside-an-allreduce-seed-7`: the letters and digits of the name and of the
/// settings, with a dash for everything else. Settings that are too long for a name are replaced by
/// a number that is always the same.
pub fn default_output(name: &str, settings: &[(String, String)]) -> PathBuf {
    let counts = |(key, _): &&(String, String)| !OF_THE_MACHINE.contains(&key.as_str());
    let settings: String = settings.iter().filter(counts).map(|(key, value)| format!(" {key} {value}")).collect();
    let (name, settings) = (plain(name), plain(&settings));
    let name = if name.is_empty() { "run".to_owned() } else { cut(&name) };
    let name = match (settings.is_empty(), name.chars().count() + settings.chars().count()) {
        (true, _) => name,
        (false, ..NAME_LETTERS) => format!("{name}-{settings}"),
        (false, _) => {
            let mut hasher = DefaultHasher::new();
            settings.hash(&mut hasher);
            format!("{name}-{:08x}", hasher.finish() >> 32)
        }
    };
    Path::new("results").join(name)
}

/// Words of letters and digits, separated by dashes.
fn plain(text: &str) -> String {
    let plain: String =
        text.chars().map(|letter| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect();
    plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The beginning of a name that is too long.
fn cut(name: &str) -> String {
    name.chars().take(NAME_LETTERS / 2).collect()
}

/// The outcome of writing a result.
pub struct Written {
    /// Where it is; `None` if nothing could be written.
    pub place: Option<PathBuf>,
    /// The manifest, whether or not it could be written.
    pub manifest: serde_json::Value,
    /// A note about the place.
    pub note: Option<String>,
    /// Why it is incomplete.
    failure: Option<CommandFailure>,
}

impl Written {
    /// The command's failure, after everything known was printed.
    pub fn checked(self) -> Result<(), CommandFailure> {
        self.failure.map_or(Ok(()), Err)
    }

    /// Lines that name the result and its report.
    pub fn lines(&self) -> String {
        let Some(place) = &self.place else { return "result: none could be written\n".to_owned() };
        let report = self.report().map_or_else(String::new, |report| format!("report: {}\n", report.display()));
        format!("result: {}\n{report}", place.display())
    }

    /// The only line of a quiet run; all its text if nothing else is left of it.
    pub fn quiet_line(&self) -> Option<String> {
        self.place.as_ref().map(|place| format!("result: {}\n", place.display()))
    }

    /// The page to open first, if it could be written.
    pub fn report(&self) -> Option<PathBuf> {
        self.place.as_ref().map(|place| place.join("report.html")).filter(|report| report.exists())
    }
}

/// Prints the document of a written result. `program`: of the real program, if one was a job.
pub fn print_json(
    written: &Written,
    summary: &RunSummary,
    program: Option<serde_json::Value>,
) -> Result<ExitCode, CommandFailure> {
    let mut document = serde_json::json!({
        "output": written.place,
        "report": written.report(),
        "manifest": written.manifest,
        "summary": summary,
    });
    if let Some(program) = program {
        document["program"] = program;
    }
    output::print_json(&document)
}

/// Writes a result. Files that cannot be written are left out, because the summary of the run is
/// still worth printing.
pub fn write(
    mut folder: ResultFolder,
    record: &RunRecord,
    description: &RunDescription,
    interrupted: &AtomicBool,
) -> Written {
    attention::now(attention::ProgramActivity::Writes);
    let not_yet = AtomicBool::new(false);
    // The partial result of an interrupted run is written completely; a second signal ends the
    // program.
    let stop = if record.status == RunStatus::Interrupted { &not_yet } else { interrupted };
    let written = folder.write_run(record, description, stop);
    let (missing, wanted) = (unwritten_words(folder.unwritten()), folder.destination().display().to_string());
    let is_cut = folder.unwritten().iter().any(|one| matches!(one.error, MeasureError::Interrupted));
    let manifest = serde_json::from_str(folder.manifest())
        .or_else(|_| serde_json::to_value(Manifest::new(record, description, &[])))
        .unwrap_or_default();
    let (place, kept, failure) = match written.and_then(|()| folder.finish()) {
        Err(error) => {
            let words = format!(
                "the result could not be written to {wanted}: {}; only the figures above are left of the run: more \
                 room, or another folder with --output, would work",
                error.reason()
            );
            (None, None, Some(CommandFailure::run(words)))
        }
        Ok(Settled { place, kept }) if missing.is_empty() => (Some(place), kept, None),
        Ok(Settled { place, .. }) => {
            let earlier = if Path::new(&wanted).exists() {
                format!("; the earlier result in {wanted} stays")
            } else {
                String::new()
            };
            let words = format!(
                "the result is incomplete: it lacks {missing}; its other files cost a run and are kept in {}{earlier}",
                place.display(),
            );
            let failure = if is_cut { CommandFailure::interrupted(words) } else { CommandFailure::run(words) };
            (Some(place), None, Some(failure))
        }
    };
    let note = kept.map(|(kept, why)| {
        format!("the earlier result, of another run ({why}), is now in {}; --overwrite replaces it", kept.display())
    });
    Written { place, manifest, note, failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn the_default_folder_is_the_name_without_what_shells_dislike() {
        assert_eq!(default_output("Incast beside an allreduce!", &[]), Path::new("results/incast-beside-an-allreduce"));
        assert_eq!(default_output("../..", &[]), Path::new("results/run"));
        let long = default_output(&"very long ".repeat(100), &[]);
        assert!(long.to_str().is_some_and(|name| name.len() < 100), "{}", long.display());
    }

    #[test]
    fn settings_are_in_the_name_of_the_default_folder() {
        let named = |pairs: &[(&str, &str)]| default_output("one", &set(pairs));
        assert_eq!(named(&[("seed", "7")]), Path::new("results/one-seed-7"));
        let both = named(&[("congestion.law", "none"), ("run.threads", "4"), ("job.victim.nodes", "64")]);
        assert_eq!(both, Path::new("results/one-congestion-law-none-job-victim-nodes-64"));
        let (long, longer) = ("9".repeat(200), "9".repeat(201));
        let (one, other) = (named(&[("seed", &long)]), named(&[("seed", &longer)]));
        assert_ne!(one, other);
        assert_eq!(one, named(&[("seed", &long)]));
        assert!(one.to_str().is_some_and(|name| name.len() < 40), "{}", one.display());
    }
}
