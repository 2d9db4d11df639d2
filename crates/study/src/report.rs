//! The page of an experiment: verdicts first, then what it measured, then what it assumed.

use philae_measure::format::wall_seconds;
use philae_measure::{Section, StudyReport, TableRow};

use crate::agreement::finding_chart;
use crate::experiment::{Experiment, Outcome};
use crate::validate::finding_table;

/// The report of an experiment that ran.
///
/// `command` is what was typed, `quick` and `seed` how it was run, `seconds` how long it took.
#[must_use]
pub fn study_report(
    experiment: &dyn Experiment,
    outcome: &Outcome,
    quick: bool,
    seed: u64,
    seconds: f64,
    command: &str,
) -> StudyReport {
    let mut sections = Vec::new();
    if !outcome.findings.is_empty() {
        sections.push(Section::Heading("Against the publication".to_owned()));
        sections.push(finding_chart(&outcome.findings));
        sections.push(finding_table(&outcome.findings));
    }
    sections.extend(outcome.sections.iter().cloned());
    if !outcome.assumptions.is_empty() {
        sections.push(Section::Heading("Assumptions and simplifications".to_owned()));
        let rows = outcome.assumptions.iter().map(|text| TableRow::from([text.as_str()])).collect();
        sections.push(Section::Table {
            headers: vec!["what the publication leaves open, and what is done here".to_owned()],
            rows,
        });
    }
    let size = if quick { "quick" } else { "full" };
    StudyReport {
        title: experiment.title().to_owned(),
        intro: format!("Source: {}.", experiment.source()),
        banner: quick.then(|| {
            "A quick run: smaller than the publication's; the same command without --quick runs it in full.".to_owned()
        }),
        sections,
        footer: format!(
            "Philae {}, {size}, seed {seed}, {} on this machine. Again: {command}",
            env!("CARGO_PKG_VERSION"),
            wall_seconds(seconds)
        ),
    }
}
