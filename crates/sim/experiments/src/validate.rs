//! Every row of the targets with the model's answer.

use std::time::Instant;

use philae_results::{StudySection, TableRow, Verdict, format};
use serde::Serialize;

use crate::experiment::{Experiment, ExperimentContext, TargetAnswer};
use crate::resume::FindingsFolder;
use crate::runner::StudyError;
use crate::seeds::{SeedSpread, run_with_seeds, seeds_decide};
use crate::target::{Target, TargetUse, targets};

/// A row of the targets and its answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationRow {
    /// The row.
    pub id: &'static str,
    /// The published value.
    pub published: f64,
    /// The model's value; absent if it was not run.
    pub model: Option<f64>,
    /// How it varies with the seed; absent if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<SeedSpread>,
    /// Unit of both.
    pub unit: &'static str,
    /// The condition for agreement, as in the file.
    pub tolerance: &'static str,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Conditions, and the likely cause of a gap.
    pub note: String,
}

impl ValidationRow {
    fn not_run(target: &'static Target, note: impl Into<String>) -> Self {
        Self {
            id: target.id,
            published: target.value,
            model: None,
            spread: None,
            unit: target.unit,
            tolerance: target.tolerance_text,
            verdict: Verdict::NotRun,
            note: note.into(),
        }
    }
}

impl ValidationRow {
    /// The model's value, with half of the interval over seeds if there were several.
    #[must_use]
    pub fn model_text(&self) -> String {
        let value = self.model.map_or_else(|| "–".to_owned(), format::number);
        self.spread.map_or_else(|| value.clone(), |spread| format!("{value} ± {}", format::number(spread.half)))
    }

    /// `calibrate` or `predict`.
    #[must_use]
    pub fn used_to(&self) -> &'static str {
        match Target::named(self.id).map(|target| target.purpose) {
            Some(TargetUse::Calibrate) => "calibrate",
            Some(TargetUse::Predict) | None => "predict",
        }
    }
}

impl From<&TargetAnswer> for ValidationRow {
    fn from(finding: &TargetAnswer) -> Self {
        let row = Self::not_run(finding.target, finding.note.clone());
        // JSON has no infinities: a model without a finite number has no answer.
        if finding.model.is_finite() {
            let Some(spread) = finding.spread else {
                return Self { model: Some(finding.model), verdict: finding.verdict(), ..row };
            };
            let decide = if seeds_decide(finding) { ", whose verdicts differ" } else { "" };
            let note = format!("mean {}{decide}; {}", spread.text(), row.note);
            Self { model: Some(finding.model), spread: Some(spread), verdict: finding.verdict(), note, ..row }
        } else {
            Self { note: format!("no value was measured ({}); {}", finding.model, row.note), ..row }
        }
    }
}

/// The model's answers to the published results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationReport {
    /// Version of Philae.
    pub version: &'static str,
    /// Seed of every scenario.
    pub seed: u64,
    /// Every row, in the order of the targets.
    pub rows: Vec<ValidationRow>,
    /// Duration of the experiments, over all the runs that `--resume` joined.
    #[serde(skip)]
    pub seconds: f64,
    /// Experiments that failed, with the reason: their rows were not run.
    #[serde(skip)]
    pub failures: Vec<(&'static str, String)>,
}

/// The progress of a validation.
pub enum ValidationStep<'a> {
    /// An experiment begins.
    Starts {
        experiment: &'static dyn Experiment,
        /// Its place among those that run, from 0.
        index: usize,
        /// Number of experiments.
        of: usize,
    },
    /// An experiment has ended.
    Ends {
        /// Its requested rows, in the order of the targets.
        rows: &'a [&'a ValidationRow],
    },
}

/// Runs the experiments that answer the rows of `only` (all rows if it is empty) and returns the
/// state of every row.
///
/// `told` is called for each experiment before it runs and with its rows when it has run. An
/// experiment that fails leaves its rows not run and is named in the report. Results that `kept`
/// has from an earlier run of the same kind are reused, and new findings are kept.
///
/// # Errors
/// If the study is interrupted, or findings cannot be kept.
pub fn validate(
    experiments: &[&'static dyn Experiment],
    only: &[&str],
    context: &ExperimentContext<'_>,
    kept: Option<&FindingsFolder>,
    mut told: impl FnMut(ValidationStep<'_>),
) -> Result<ValidationReport, StudyError> {
    let wanted = |id: &str| only.is_empty() || only.contains(&id);
    let answers = |experiment: &&'static dyn Experiment| {
        !experiment.repeats_others() && experiment.targets().iter().any(|id| wanted(id))
    };
    let chosen: Vec<&'static dyn Experiment> = experiments.iter().copied().filter(answers).collect();
    let mut rows: Vec<ValidationRow> = targets().iter().map(|target| unanswered(target, experiments)).collect();
    let (mut failures, mut seconds) = (Vec::new(), 0.0);
    for (index, experiment) in chosen.iter().enumerate() {
        told(ValidationStep::Starts { experiment: *experiment, index, of: chosen.len() });
        let id = experiment.id();
        let found = match kept.and_then(|kept| kept.findings(id)) {
            Some((findings, took)) => {
                seconds += took;
                Ok(findings)
            }
            None => {
                let (began, earlier) = (Instant::now(), context.runner.earlier_seconds());
                let found = run_with_seeds(*experiment, context).map(|outcome| outcome.findings);
                let took = began.elapsed().as_secs_f64() + context.runner.earlier_seconds() - earlier;
                seconds += took;
                found.and_then(|findings| {
                    kept.map_or(Ok(()), |kept| kept.keep(id, &findings, took))?;
                    Ok(findings)
                })
            }
        };
        match found {
            Ok(findings) => {
                for finding in findings.iter().filter(|finding| wanted(finding.target.id)) {
                    replace(&mut rows, finding.into());
                }
            }
            Err(fatal @ (StudyError::Interrupted { .. } | StudyError::Keep(_))) => return Err(fatal),
            Err(error) => {
                for id in experiment.targets().iter().filter(|id| wanted(id)) {
                    let target = Target::named(id).expect("an experiment names rows of the targets");
                    replace(&mut rows, ValidationRow::not_run(target, format!("{} failed: {error}", experiment.id())));
                }
                failures.push((experiment.id(), error.to_string()));
            }
        }
        let answered = |row: &&ValidationRow| wanted(row.id) && experiment.targets().contains(&row.id);
        told(ValidationStep::Ends { rows: &rows.iter().filter(answered).collect::<Vec<_>>() });
    }
    Ok(ValidationReport { version: env!("CARGO_PKG_VERSION"), seed: context.seed, rows, seconds, failures })
}

fn replace(rows: &mut [ValidationRow], answered: ValidationRow) {
    if let Some(row) = rows.iter_mut().find(|row| row.id == answered.id) {
        *row = answered;
    }
}

fn unanswered(target: &'static Target, experiments: &[&'static dyn Experiment]) -> ValidationRow {
    let by = experiments.iter().find(|experiment| experiment.targets().contains(&target.id));
    let note = by.map_or_else(|| "no experiment answers it yet".to_owned(), |by| format!("answered by {}", by.id()));
    ValidationRow::not_run(target, note)
}

impl ValidationReport {
    /// Number of rows with this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Whether `--strict` must fail: because of a gap, or an experiment that failed.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.count(Verdict::Gap) > 0 || !self.failures.is_empty()
    }

    /// The rows as a table, in the order of the targets.
    #[must_use]
    pub fn table(&self) -> StudySection {
        StudySection::Table { headers: headers(), rows: self.rows.iter().map(cells).collect() }
    }
}

/// Findings as a table, in the order of the experiment.
#[must_use]
pub fn finding_table(findings: &[TargetAnswer]) -> StudySection {
    let rows = findings.iter().map(|finding| cells(&finding.into())).collect();
    StudySection::Table { headers: headers(), rows }
}

fn headers() -> Vec<String> {
    ["result", "published", "agrees when", "model", "unit", "used to", "note"].map(str::to_owned).to_vec()
}

fn cells(row: &ValidationRow) -> TableRow {
    TableRow {
        cells: vec![
            row.id.to_owned(),
            format::number(row.published),
            row.tolerance.to_owned(),
            row.model_text(),
            row.unit.to_owned(),
            row.used_to().to_owned(),
            row.note.clone(),
        ],
        verdict: Some(row.verdict),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ExperimentOutcome;
    use crate::experiments;
    use crate::testing::with_context;

    /// Answers two rows, or fails.
    struct Made {
        fails: bool,
    }

    impl Experiment for Made {
        fn id(&self) -> &'static str {
            "made"
        }
        fn title(&self) -> &'static str {
            "Made up"
        }
        fn source(&self) -> &'static str {
            "nowhere"
        }
        fn targets(&self) -> &'static [&'static str] {
            &["switch-latency-median", "tile-indifference"]
        }
        fn run(&self, _: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
            if self.fails {
                let source = philae_scenario::System::load("nosuch").expect_err("no such system");
                return Err(StudyError::System(Box::new(source)));
            }
            let findings = vec![
                TargetAnswer::new("switch-latency-median", 351.0, "made up"),
                TargetAnswer::new("tile-indifference", f64::NAN, "made up"),
            ];
            Ok(ExperimentOutcome { findings, ..ExperimentOutcome::default() })
        }
    }

    static WORKS: Made = Made { fails: false };
    static FAILS: Made = Made { fails: true };

    #[test]
    fn every_row_stands_in_the_report_and_only_the_asked_ones_are_run() {
        let mut steps = Vec::new();
        let report = with_context(|context| {
            validate(&[&WORKS], &["switch-latency-median"], context, None, |step| match step {
                ValidationStep::Starts { experiment, index, of } => {
                    steps.push(format!("{} {index} of {of}", experiment.id()))
                }
                ValidationStep::Ends { rows } => steps.extend(rows.iter().map(|row| row.id.to_owned())),
            })
        });
        let report = report.expect("it runs");
        assert_eq!(steps, ["made 0 of 1", "switch-latency-median"], "rows come as soon as they are there");
        assert_eq!(report.rows.len(), targets().len());
        assert_eq!((report.count(Verdict::Pass), report.count(Verdict::Gap)), (1, 0));
        assert!(!report.is_wrong());
        let nothing = with_context(|context| validate(&[&WORKS], &["lossless"], context, None, |_| {}));
        assert_eq!(nothing.expect("it runs").count(Verdict::NotRun), targets().len(), "nobody answers that row here");
    }

    #[test]
    fn the_document_has_the_shape_that_scripts_rely_on() {
        let report = with_context(|context| validate(&[&WORKS], &[], context, None, |_| {})).expect("it runs");
        let document = serde_json::to_value(&report).expect("serialisable");
        let keys = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
        };
        assert_eq!(keys(&document), ["rows", "seed", "version"]);
        let median = document["rows"].as_array().and_then(|rows| rows.first()).expect("the first row");
        assert_eq!(keys(median), ["id", "model", "note", "published", "tolerance", "unit", "verdict"]);
        assert_eq!((median["verdict"].as_str(), median["model"].as_f64()), (Some("pass"), Some(351.0)));
        let tiles = &document["rows"][2];
        assert_eq!(tiles["id"], "tile-indifference");
        assert_eq!(
            (tiles["verdict"].as_str(), tiles["model"].is_null()),
            (Some("not-run"), true),
            "no value was measured"
        );
    }

    #[test]
    fn an_experiment_that_fails_is_named_and_its_rows_are_not_run() {
        let report = with_context(|context| validate(&[&FAILS], &[], context, None, |_| {})).expect("others could run");
        assert_eq!(report.failures.len(), 1);
        assert!(report.is_wrong());
        assert!(report.rows[0].note.contains("made failed"), "{}", report.rows[0].note);
    }

    #[test]
    fn every_experiment_answers_rows_of_the_file_that_no_other_answers() {
        let mut answered: Vec<(&str, &str)> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for experiment in experiments() {
            for id in experiment.targets() {
                assert!(Target::named(id).is_some(), "{} answers {id}, which is no row", experiment.id());
                if experiment.repeats_others() {
                    continue;
                }
                let other = answered.iter().find(|(row, _)| row == id);
                assert!(other.is_none(), "{id} is answered by {} and by {other:?}", experiment.id());
                answered.push((id, experiment.id()));
            }
            for name in std::iter::once(experiment.id()).chain(experiment.aliases().iter().copied()) {
                assert!(!names.contains(&name), "two experiments are called {name}");
                names.push(name);
            }
        }
    }
}
