//! Possible causes of a gap: its experiment again, with one change.

use philae_results::{StudySection, TableRow, Verdict, format};
use serde::Serialize;

use crate::change::KeyChange;
use crate::experiment::{Experiment, ExperimentContext, TargetAnswer};
use crate::runner::StudyError;
use crate::target::Target;

/// One change, and the question that it answers.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The row whose gap is examined.
    pub row: &'static str,
    pub question: &'static str,
    /// The key that is set in every run that has it, and its value.
    pub change: (&'static str, &'static str),
    /// Whether the quick size of the experiment is too small for the question: a full validation
    /// asks at full size.
    pub full: bool,
}

/// The result of a probe.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    pub row: &'static str,
    pub question: &'static str,
    /// The change, and where it had an effect.
    pub change: KeyChange,
    /// The published value.
    pub published: f64,
    /// The condition for agreement.
    pub tolerance: &'static str,
    /// Whether the experiment was quick.
    pub quick: bool,
    /// The model's value, unchanged, at the same size of the experiment.
    pub as_is: f64,
    /// The model's value with the change.
    pub changed: f64,
    /// Whether that agrees. It does not count as a pass of the row: the model's own value stays the
    /// result.
    pub verdict: Verdict,
}

/// Runs the probes of these rows, each together with the same experiment without the change and of
/// the same size: quick, except for probes that need more in a context that is not quick.
///
/// `starting` is called before each run: with its name, its place, and the number of runs.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn examine(
    experiments: &[&'static dyn Experiment],
    probes: &[Probe],
    rows: &[&str],
    context: &ExperimentContext<'_>,
    mut starting: impl FnMut(&str, usize, usize),
) -> Result<Vec<Examined>, StudyError> {
    let asked: Vec<(&Probe, &'static dyn Experiment)> = probes
        .iter()
        .filter(|probe| rows.contains(&probe.row))
        .filter_map(|probe| {
            let answers = |experiment: &&&'static dyn Experiment| {
                !experiment.repeats_others() && experiment.targets().contains(&probe.row)
            };
            experiments.iter().find(answers).map(|experiment| (probe, *experiment))
        })
        .collect();
    let mut baselines: Vec<((&'static str, bool), Vec<TargetAnswer>)> = Vec::new();
    let mut examined = Vec::new();
    for (place, (probe, experiment)) in asked.iter().enumerate() {
        let id = experiment.id();
        let sized = ExperimentContext { quick: context.quick || !probe.full, ..*context };
        let size = (id, sized.quick);
        if baselines.iter().all(|(known, _)| *known != size) {
            starting(&format!("{id} as it is"), place, asked.len());
            baselines.push((size, experiment.run(&sized)?.findings));
        }
        let (key, value) = (probe.change.0.to_owned(), probe.change.1.to_owned());
        starting(&format!("{id} with {key}={value}"), place, asked.len());
        let runner = context.runner.changing([(key, value)]);
        let outcome = experiment.run(&ExperimentContext { runner: &runner, ..sized })?;
        let of = |findings: &[TargetAnswer]| {
            let answer = findings.iter().find(|finding| finding.target.id == probe.row);
            answer.map_or(f64::NAN, |finding| finding.model)
        };
        let target = Target::named(probe.row).expect("probes name rows of the targets: a test checks them");
        let baseline = baselines.iter().find(|(known, _)| *known == size).map_or(&[][..], |(_, findings)| findings);
        let changed = of(&outcome.findings);
        examined.push(Examined {
            row: target.id,
            question: probe.question,
            change: runner.changed().remove(0),
            published: target.value,
            tolerance: target.tolerance_text,
            quick: sized.quick,
            as_is: of(baseline),
            changed,
            verdict: target.verdict(changed),
        });
    }
    Ok(examined)
}

/// The probes, as a table.
#[must_use]
pub fn cause_table(examined: &[Examined]) -> StudySection {
    let headers = ["result", "question", "changed", "published", "agrees when", "unchanged", "with the change"];
    let row = |found: &Examined| TableRow {
        cells: vec![
            found.row.to_owned(),
            found.question.to_owned(),
            format!("{}{}", found.change, if found.quick { "" } else { ", full size" }),
            format::number(found.published),
            found.tolerance.to_owned(),
            format::number(found.as_is),
            format::number(found.changed),
        ],
        verdict: Some(found.verdict),
    };
    StudySection::Table { headers: headers.map(str::to_owned).to_vec(), rows: examined.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments;
    use crate::testing::with_context;

    #[test]
    fn a_probe_compares_the_same_experiment_with_and_without_the_change() {
        let probes = [Probe {
            row: "placement-latency-16KiB",
            question: "does it change?",
            change: ("hardware.nic.eager_max_bytes", "4194304"),
            full: false,
        }];
        let rows = ["placement-latency-16KiB"];
        let examined = with_context(|context| examine(&experiments(), &probes, &rows, context, |_, _, _| {}));
        let examined = examined.expect("it runs");
        assert_eq!(examined.len(), 1);
        let found = &examined[0];
        assert_eq!(found.change.cells_changed, found.change.cells);
        assert!(found.as_is.is_finite() && found.changed < found.as_is, "{} became {}", found.as_is, found.changed);
        let none = with_context(|context| examine(&experiments(), &probes, &["lossless"], context, |_, _, _| {}));
        assert!(none.expect("nothing to run").is_empty());
    }
}
