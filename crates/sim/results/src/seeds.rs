//! Figures of runs that differ only in their seeds, by name, as `sweep`, `simulate --seeds` and
//! `compare` show them.

use std::collections::BTreeMap;

use crate::bound::KnownTime;
use crate::format::Unit;
use crate::interval::MeanInterval;

/// The figures of one run by name, such as `job.victim.message_latency.p99_ps`.
pub type RunFigures = BTreeMap<String, f64>;

/// A figure of each job that tables and pictures show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobFigure {
    /// Its name after `job.NAME.`.
    pub path: &'static str,
    /// Its header in tables.
    pub header: &'static str,
    pub unit: Unit,
}

const fn figure(path: &'static str, header: &'static str, unit: Unit) -> JobFigure {
    JobFigure { path, header, unit }
}

/// The shown figures of each job.
pub const JOB_FIGURES: [JobFigure; 8] = [
    figure(ITERATION, "iteration", Unit::Time),
    figure(NOT_ENDED, "not ended", Unit::Number),
    figure("message_latency.mean_ps", "mean", Unit::Time),
    figure("message_latency.p50_ps", "p50", Unit::Time),
    figure("message_latency.p99_ps", "p99", Unit::Time),
    figure("delivered_gbps", "delivered Gb/s", Unit::Number),
    figure("offered_gbps", "offered Gb/s", Unit::Number),
    figure("flow_fairness", "Jain's index", Unit::Number),
];

/// The time of complete iterations.
pub const ITERATION: &str = "iterations.span.mean_ps";
/// Iterations that did not end.
pub const NOT_ENDED: &str = "iterations.not_ended";

/// The unit of a figure by its name.
#[must_use]
pub fn unit_of(name: &str) -> Unit {
    let is_share = name.starts_with("link.") && !name.ends_with(".ports") && !name.ends_with(".ports_used");
    match name {
        _ if name.ends_with("_ps") => Unit::Time,
        _ if name.ends_with("bytes") || name.ends_with("bytes_peak") => Unit::Bytes,
        _ if is_share => Unit::Percent,
        _ => Unit::Number,
    }
}

/// The jobs that any of the runs has, in the order of their first occurrence.
pub fn jobs<'r>(runs: impl Iterator<Item = &'r RunFigures>) -> Vec<String> {
    let mut jobs: Vec<String> = Vec::new();
    // A name may contain dots: a key that every job has shows where it ends.
    let named = |key: &'r str| key.strip_prefix("job.")?.strip_suffix(".delivered_gbps");
    for name in runs.flat_map(|run| run.keys()).filter_map(|key| named(key)) {
        if jobs.iter().all(|known| known != name) {
            jobs.push(name.to_owned());
        }
    }
    jobs
}

/// The values of a figure in the runs that have it.
#[must_use]
pub fn values(runs: &[&RunFigures], name: &str) -> Vec<f64> {
    runs.iter().filter_map(|run| run.get(name).copied()).collect()
}

/// What is known of a figure over runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureMean {
    /// Its mean over the runs that have it.
    pub mean: Option<MeanInterval>,
    /// Of a time that a run or more has only a bound of, because iterations did not end or messages
    /// were not delivered: the mean over all runs is at least this.
    pub at_least: Option<f64>,
}

impl FigureMean {
    /// Of a job's figure.
    #[must_use]
    pub fn of(runs: &[&RunFigures], job: &str, figure: &JobFigure) -> Self {
        let name = |path: &str| format!("job.{job}.{path}");
        let mean = MeanInterval::of(&values(runs, &name(figure.path)));
        Self { mean, at_least: Self::bound(runs, job, figure.path) }
    }

    /// The mean over all runs of what is known of a time, if a run has only a bound.
    #[must_use]
    pub fn bound(runs: &[&RunFigures], job: &str, path: &str) -> Option<f64> {
        let times: Vec<KnownTime> = runs.iter().filter_map(|figures| KnownTime::of_run(figures, job, path)).collect();
        let sum: f64 = times.iter().map(|time| time.ps).sum();
        times.iter().any(|time| time.is_bound).then(|| sum / times.len() as f64)
    }

    /// The mean, or its bound.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.at_least.or(self.mean.map(|mean| mean.mean))
    }

    /// As text: `12.3 µs ± 0.4 µs (2 of 3 runs)`, or `≥5.9 ms`.
    #[must_use]
    pub fn text(&self, unit: Unit, runs: usize) -> String {
        let format = |value| unit.format(value);
        match self.at_least {
            Some(least) => format!("≥{}", format(least)),
            None => MeanInterval::text_of(self.mean, runs, format),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(figures: &[(&str, f64)]) -> RunFigures {
        figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn iterations_that_did_not_end_take_at_least_the_mean_of_what_is_known() {
        let open = |least| run(&[("job.a.b.delivered_gbps", 1.0), ("job.a.b.iterations.incomplete_for_ps", least)]);
        let runs = [open(7e9), open(5.9e9)];
        let runs: Vec<&RunFigures> = runs.iter().collect();
        assert_eq!(jobs(runs.iter().copied()), ["a.b"]);
        let found = FigureMean::of(&runs, "a.b", &JOB_FIGURES[0]);
        assert_eq!(found.text(Unit::Time, 2), "≥6.45 ms");
        let ended = run(&[("job.a.b.iterations.span.mean_ps", 2e9)]);
        let found = FigureMean::of(&[runs[0], &ended], "a.b", &JOB_FIGURES[0]);
        assert_eq!(found.text(Unit::Time, 2), "≥4.5 ms", "the mean of the one that ended, 2 ms, is that of a survivor");
        assert_eq!(found.value(), Some(4.5e9));
    }

    #[test]
    fn units_follow_from_names() {
        let units = ["link.edge.mean", "link.edge.ports", "job.a.delivered_bytes", "job.a.finished_ps"].map(unit_of);
        assert_eq!(units, [Unit::Percent, Unit::Number, Unit::Bytes, Unit::Time]);
    }
}
