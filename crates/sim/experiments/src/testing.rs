//! Shared parts of the tests of experiments.

use std::sync::atomic::AtomicBool;

use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::runner::{CellRunner, StudyError};

/// Runs `run` in a quick context of one thread.
pub(crate) fn with_context<T>(
    run: impl FnOnce(&ExperimentContext<'_>) -> Result<T, StudyError>,
) -> Result<T, StudyError> {
    let stop = AtomicBool::new(false);
    let runner = CellRunner::new(1, &stop, |_| {});
    run(&ExperimentContext { quick: true, seed: 1, seeds: &[], only: &[], start_skew: None, runner: &runner })
}

/// Every row that the experiment names is answered once, with a number and with words.
pub(crate) fn answers_its_rows(experiment: &dyn Experiment, outcome: &ExperimentOutcome) {
    let mut answered: Vec<&str> = outcome.findings.iter().map(|finding| finding.target.id).collect();
    let mut named = experiment.targets().to_vec();
    answered.sort_unstable();
    named.sort_unstable();
    assert_eq!(answered, named, "{} answers exactly the rows that it names", experiment.id());
    for finding in &outcome.findings {
        assert!(finding.model.is_finite(), "{} is {}", finding.target.id, finding.model);
        assert!(!finding.note.is_empty(), "{} says under which conditions", finding.target.id);
    }
    assert!(!outcome.sections.is_empty() && !outcome.assumptions.is_empty() && outcome.data.is_object());
}
