//! The page of an experiment: verdicts first, then its measurements, then its assumptions.

use philae_results::format::wall_seconds;
use philae_results::{StudyReport, StudySection, TableRow};

use crate::agreement::finding_chart;
use crate::change::KeyChange;
use crate::experiment::{Experiment, ExperimentOutcome};
use crate::validate::finding_table;

/// The settings of an experiment.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Smaller than published.
    pub quick: bool,
    /// Seed of every scenario.
    pub seed: u64,
    /// Its duration.
    pub seconds: f64,
    /// The typed command.
    pub command: String,
    /// The changes in its scenarios.
    pub changes: Vec<KeyChange>,
}

impl Ran {
    /// The warning at the top of the page: none if the experiment is as published.
    fn banner(&self) -> Option<String> {
        let quick = "A quick run: smaller than the publication's; the same command without --quick runs it in full.";
        let changed = self.changes.iter().map(KeyChange::to_string).collect::<Vec<_>>().join(", ");
        let changed =
            format!("Not the model's defaults: {changed}. Its comparison with published results is a what-if.");
        let parts: Vec<&str> = [(self.quick, quick), (!self.changes.is_empty(), changed.as_str())]
            .iter()
            .filter(|part| part.0)
            .map(|part| part.1)
            .collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

/// The report of an experiment that ran.
#[must_use]
pub fn study_report(experiment: &dyn Experiment, outcome: &ExperimentOutcome, ran: &Ran) -> StudyReport {
    let mut sections = Vec::new();
    if !outcome.findings.is_empty() {
        sections.push(StudySection::Heading("Compared with the publication".to_owned()));
        sections.push(finding_chart(&outcome.findings));
        sections.push(finding_table(&outcome.findings));
    }
    sections.extend(outcome.sections.iter().cloned());
    if !outcome.assumptions.is_empty() {
        sections.push(StudySection::Heading("Assumptions and simplifications".to_owned()));
        let rows = outcome.assumptions.iter().map(|text| TableRow::from([text.as_str()])).collect();
        sections.push(StudySection::Table {
            headers: vec!["open points of the publication, and our choices".to_owned()],
            rows,
        });
    }
    let size = if ran.quick { "quick" } else { "full" };
    StudyReport {
        title: experiment.title().to_owned(),
        intro: format!("Source: {}.", experiment.source()),
        banner: ran.banner(),
        sections,
        footer: format!(
            "Philae {}, {size}, seed {}, {} on this machine. Again: {}",
            env!("CARGO_PKG_VERSION"),
            ran.seed,
            wall_seconds(ran.seconds),
            ran.command
        ),
    }
}
