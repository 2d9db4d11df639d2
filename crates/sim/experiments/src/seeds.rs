//! An experiment with several seeds: means and their intervals. A seed also draws the times at
//! which ranks start, within the start skew: where a result depends on it, seeds take several, one
//! after the other.

use philae_results::interval::MeanInterval;
use philae_results::{StudySection, TableRow, Verdict, format};
use philae_workload::Span;

use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// The values of a row over several seeds.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SeedSpread {
    /// Number of seeds with a value.
    pub seeds: usize,
    /// Half of the 95 % interval of the mean.
    pub half: f64,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

impl SeedSpread {
    /// `± 0.02 over 3 seeds (0.91 to 0.96)`.
    #[must_use]
    pub fn text(&self) -> String {
        let [half, low, high] = [self.half, self.low, self.high].map(format::number);
        format!("± {half} over {} seeds ({low} to {high})", self.seeds)
    }
}

/// The seeds of an experiment: those that are asked for, or its own number of them from the
/// context's seed on.
#[must_use]
pub fn seeds_of(experiment: &dyn Experiment, context: &ExperimentContext<'_>) -> Vec<u64> {
    if context.seeds.is_empty() {
        (context.seed..).take(experiment.seeds().max(1) as usize).collect()
    } else {
        context.seeds.to_vec()
    }
}

/// A run of an experiment: its seed, and its start skew if it is not the experiment's own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Replica {
    seed: u64,
    start_skew: Option<Span>,
}

impl Replica {
    /// `seed 2, skew 1us`.
    fn name(&self) -> String {
        let skew = self.start_skew.map(|skew| format!(", skew {skew}")).unwrap_or_default();
        format!("seed {}{skew}", self.seed)
    }
}

/// The replicas of an experiment: its seeds, of which each takes the next start skew.
///
/// One seed alone has the experiment's own skew, and so has every seed if a change sets it.
fn replicas(experiment: &dyn Experiment, context: &ExperimentContext<'_>) -> Vec<Replica> {
    let (seeds, skews) = (seeds_of(experiment, context), experiment.start_skews());
    let takes_turns = seeds.len() > 1 && !skews.is_empty() && !context.runner.sets("run.start_skew");
    let skew = |place: usize| if takes_turns { Some(skews[place % skews.len()]) } else { context.start_skew };
    seeds.iter().enumerate().map(|(place, &seed)| Replica { seed, start_skew: skew(place) }).collect()
}

/// The start skews of replicas in words, each once.
fn skew_words(replicas: &[Replica]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for skew in replicas.iter().filter_map(|replica| replica.start_skew) {
        if !words.contains(&skew.to_string()) {
            words.push(skew.to_string());
        }
    }
    (!words.is_empty()).then(|| format!("start skews {}", words.join(", ")))
}

/// Runs an experiment with each of its seeds. The verdicts are those of the means; sections and
/// data are those of the first seed, with a table of all.
///
/// # Errors
/// As [`Experiment::run`].
pub fn run_with_seeds(
    experiment: &dyn Experiment,
    context: &ExperimentContext<'_>,
) -> Result<ExperimentOutcome, StudyError> {
    if experiment.runs_its_seeds() {
        return experiment.run(context);
    }
    let replicas = replicas(experiment, context);
    let run =
        |&Replica { seed, start_skew }: &Replica| experiment.run(&ExperimentContext { seed, start_skew, ..*context });
    let outcomes = replicas.iter().map(run);
    let mut outcomes: Vec<ExperimentOutcome> = outcomes.collect::<Result<_, _>>()?;
    if outcomes.len() == 1 {
        return Ok(outcomes.remove(0));
    }
    let all: Vec<Vec<TargetAnswer>> = outcomes.iter().map(|outcome| outcome.findings.clone()).collect();
    let mut first = outcomes.remove(0);
    let skews = skew_words(&replicas);
    for finding in &mut first.findings {
        merge(finding, &all);
        if let Some(skews) = &skews {
            finding.note = format!("{skews}; {}", finding.note);
        }
    }
    if !first.findings.is_empty() {
        first.sections.push(StudySection::Heading("Seed by seed".to_owned()));
        first.sections.push(table(&replicas, &first.findings, &all));
    }
    first.assumptions.push(format!(
        "Tables and pictures are those of {}; results are means over {} seeds{}.",
        replicas[0].name(),
        replicas.len(),
        skews.map(|skews| format!(", each with the next of the {skews}")).unwrap_or_default()
    ));
    Ok(first)
}

fn values(id: &str, all: &[Vec<TargetAnswer>]) -> Vec<f64> {
    let of =
        |findings: &Vec<TargetAnswer>| findings.iter().find(|found| found.target.id == id).map(|found| found.model);
    all.iter().map(|findings| of(findings).unwrap_or(f64::NAN)).collect()
}

/// Makes a finding the mean over all seeds.
fn merge(finding: &mut TargetAnswer, all: &[Vec<TargetAnswer>]) {
    let known: Vec<f64> = values(finding.target.id, all).into_iter().filter(|value| value.is_finite()).collect();
    if known.len() < all.len() && !known.is_empty() {
        // The mean of the others alone would look better than it is.
        let without = all.len() - known.len();
        finding.note = format!("{without} of {} seeds without a value; {}", all.len(), finding.note);
    }
    let Some(MeanInterval { mean, half, .. }) = MeanInterval::of(&known) else { return };
    finding.model = mean;
    finding.spread = half.map(|half| SeedSpread {
        seeds: known.len(),
        half,
        low: known.iter().copied().fold(f64::INFINITY, f64::min),
        high: known.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    });
}

fn table(replicas: &[Replica], findings: &[TargetAnswer], all: &[Vec<TargetAnswer>]) -> StudySection {
    let headers = ["result".to_owned(), "mean".to_owned(), "95 % interval".to_owned()];
    let headers = headers.into_iter().chain(replicas.iter().map(Replica::name)).collect();
    let row = |finding: &TargetAnswer| {
        let half = finding.spread.map_or_else(|| "–".to_owned(), |spread| format!("± {}", format::number(spread.half)));
        let head = [finding.target.id.to_owned(), format::number(finding.model), half];
        let each = values(finding.target.id, all).into_iter().map(format::number);
        TableRow { cells: head.into_iter().chain(each).collect(), verdict: Some(finding.verdict()) }
    };
    StudySection::Table { headers, rows: findings.iter().map(row).collect::<Vec<TableRow>>() }
}

/// Whether seeds alone decide the verdict of a finding: some values agree and others do not.
#[must_use]
pub fn seeds_decide(finding: &TargetAnswer) -> bool {
    let Some(spread) = finding.spread else { return false };
    let ends = [spread.low, spread.high].map(|value| finding.target.verdict(value));
    ends.contains(&Verdict::Pass) && ends.contains(&Verdict::Gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_context;
    use philae_units::Picoseconds;

    #[test]
    fn seeds_without_a_value_are_counted() {
        let finding = |value| vec![TargetAnswer::new("switch-latency-median", value, "made up")];
        let all = [finding(350.0), finding(f64::INFINITY), finding(340.0)];
        let mut first = all[0][0].clone();
        merge(&mut first, &all);
        assert_eq!((first.model, first.spread.map(|spread| spread.seeds)), (345.0, Some(2)));
        assert!(first.note.starts_with("1 of 3 seeds without a value; "), "{}", first.note);
    }

    /// Its result is its seed, and its start skew in microseconds.
    struct Seeded {
        skews: &'static [Span],
    }

    impl Experiment for Seeded {
        fn id(&self) -> &'static str {
            "seeded"
        }
        fn title(&self) -> &'static str {
            "made up"
        }
        fn source(&self) -> &'static str {
            "a test"
        }
        fn targets(&self) -> &'static [&'static str] {
            &["switch-latency-median"]
        }
        fn seeds(&self) -> u32 {
            3
        }
        fn start_skews(&self) -> &'static [Span] {
            self.skews
        }
        fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
            let skew = context.start_skew.map_or(0.0, |skew| skew.0.0 as f64 / 1e6);
            let value = 330.0 + 10.0 * context.seed as f64 + skew;
            let findings = vec![TargetAnswer::new("switch-latency-median", value, "made up")];
            Ok(ExperimentOutcome { findings, ..ExperimentOutcome::default() })
        }
    }

    const SEEDED: Seeded = Seeded { skews: &[] };

    #[test]
    fn seeds_take_start_skews_in_turns_and_the_notes_say_so() {
        let skewed = Seeded { skews: const { &[Span(Picoseconds::ZERO), Span(Picoseconds::from_micros(6))] } };
        let outcome = with_context(|context| run_with_seeds(&skewed, context)).expect("it runs");
        let found = &outcome.findings[0];
        // 340, 350 + 6 and 360.
        assert_eq!((found.model, found.spread.map(|spread| spread.high)), (352.0, Some(360.0)));
        assert!(found.note.starts_with("start skews 0ps, 6us; "), "{}", found.note);
        assert!(
            outcome.assumptions[0].contains("each with the next of the start skews 0ps, 6us"),
            "{:?}",
            outcome.assumptions
        );
        // One seed has the experiment's own skew, and so have all if it is set.
        let alone = with_context(|context| run_with_seeds(&skewed, &ExperimentContext { seeds: &[2], ..*context }));
        assert_eq!(alone.expect("it runs").findings[0].model, 350.0);
        let set = with_context(|context| {
            let runner = context.runner.changing([("run.start_skew".to_owned(), "1us".to_owned())]);
            run_with_seeds(&skewed, &ExperimentContext { runner: &runner, ..*context })
        });
        assert_eq!(set.expect("it runs").findings[0].model, 350.0, "the change decides");
    }

    #[test]
    fn a_result_is_the_mean_over_its_seeds_and_shows_its_interval() {
        let outcome = with_context(|context| run_with_seeds(&SEEDED, &ExperimentContext { seed: 1, ..*context }));
        let outcome = outcome.expect("it runs");
        let found = &outcome.findings[0];
        let spread = found.spread.expect("three seeds");
        assert_eq!((found.model, spread.seeds, spread.low, spread.high), (350.0, 3, 340.0, 360.0));
        // Student's 4.303 times 10 over the root of 3.
        assert!((spread.half - 24.84).abs() < 0.01, "{}", spread.half);
        assert_eq!(outcome.sections.len(), 2, "the values seed by seed");
        assert!(!seeds_decide(found), "332.5 to 367.5 agrees");
    }

    #[test]
    fn seeds_that_are_asked_for_replace_its_own() {
        let outcome =
            with_context(|context| run_with_seeds(&SEEDED, &ExperimentContext { seeds: &[7, 1], ..*context }));
        let found = &outcome.expect("it runs").findings[0];
        assert_eq!(found.model, 370.0);
        assert!(seeds_decide(found), "400 does not agree, 340 does");
        let alone = with_context(|context| run_with_seeds(&SEEDED, &ExperimentContext { seeds: &[2], ..*context }));
        assert_eq!(alone.expect("it runs").findings[0].spread, None, "one seed has no interval");
    }
}
