//! Experiments and their findings.

use philae_results::{StudySection, Verdict};
use philae_workload::Span;
use serde_json::Value;

use crate::part::PartKind;
use crate::runner::{Cell, CellRunner, StudyError};
use crate::seeds::SeedSpread;
use crate::target::Target;

#[derive(Clone, Copy)]
pub struct ExperimentContext<'a> {
    /// About a minute instead of the full size; the outcome says what is left out.
    pub quick: bool,
    /// Seed of every scenario.
    pub seed: u64,
    /// Seeds that replace it and an experiment's own number of seeds; empty if there are none.
    pub seeds: &'a [u64],
    /// Chosen [parts](Experiment::parts) by their names; empty for the experiment's own choice.
    pub only: &'a [String],
    /// Start skew of every scenario instead of the experiment's own.
    pub start_skew: Option<Span>,
    /// The runner of the cells.
    pub runner: &'a CellRunner<'a>,
}

impl ExperimentContext<'_> {
    /// The cells with the start skew of this replica.
    #[must_use]
    pub fn skewed(&self, mut cells: Vec<Cell>) -> Vec<Cell> {
        if let Some(skew) = self.start_skew {
            cells.iter_mut().for_each(|cell| cell.scenario.run.start_skew = skew);
        }
        cells
    }
}

/// A published experiment.
pub trait Experiment: Sync {
    /// Name on the command line: `fig9`.
    fn id(&self) -> &'static str;

    /// Other names it answers to: `heatmap`.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// One line: what it shows.
    fn title(&self) -> &'static str;

    /// Where it was published.
    fn source(&self) -> &'static str;

    /// Rows of the targets that it answers.
    fn targets(&self) -> &'static [&'static str];

    /// Number of seeds that it takes to know its results: more than one where a result depends on
    /// them, or on the times at which ranks start.
    fn seeds(&self) -> u32 {
        1
    }

    /// Whether [`run`](Self::run) makes the runs of all its seeds, and reports means itself.
    fn runs_its_seeds(&self) -> bool {
        false
    }

    /// Start skews, of which each seed takes the next, where a result depends on the times at which
    /// ranks start; empty where none does. It applies them with [`ExperimentContext::skewed`].
    fn start_skews(&self) -> &'static [Span] {
        &[]
    }

    /// The parts that [`ExperimentContext::only`] may choose; empty if it runs as a whole alone.
    fn parts(&self) -> Vec<PartKind> {
        Vec::new()
    }

    /// Whether it consists of other experiments, which answer its rows too: a run of all
    /// experiments leaves it out.
    fn repeats_others(&self) -> bool {
        false
    }

    /// Runs it.
    ///
    /// # Errors
    /// If a cell fails or the study is interrupted.
    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError>;
}

/// The answer to one row of the targets.
#[derive(Clone, Debug)]
pub struct TargetAnswer {
    /// The row.
    pub target: &'static Target,
    /// The model's value, in the row's unit.
    pub model: f64,
    /// How it varies with the seed; absent if there was one.
    pub spread: Option<SeedSpread>,
    /// The conditions of the value, and for a gap its likely cause.
    pub note: String,
}

impl TargetAnswer {
    /// An answer to the row named `id`.
    ///
    /// # Panics
    /// If there is no such row: experiments name rows of the file, and a test checks them.
    #[must_use]
    pub fn new(id: &str, model: f64, note: impl Into<String>) -> Self {
        let target = Target::named(id).expect("an experiment answers rows of the targets");
        Self { target, model, spread: None, note: note.into() }
    }

    /// Whether it agrees.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.target.verdict(self.model)
    }
}

/// The findings of an experiment.
#[derive(Clone, Debug, Default)]
pub struct ExperimentOutcome {
    /// Answers to rows of the targets.
    pub findings: Vec<TargetAnswer>,
    /// Tables and pictures for the report and the terminal.
    pub sections: Vec<StudySection>,
    /// Every figure, for `--json`.
    pub data: Value,
    /// Assumptions and simplifications, in sentences.
    pub assumptions: Vec<String>,
}
