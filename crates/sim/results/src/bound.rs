//! Times of iterations that did not all end, and ratios of such times.

use serde::Serialize;

use crate::seeds::RunFigures;

/// What is known of the time of a job's iterations in one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationTime {
    /// The mean of those that ended; without any, the time that the oldest had taken when the run
    /// ended. In picoseconds.
    pub ps: f64,
    /// Whether the time is at least this: none ended, or not all did of a job that ends. Those that
    /// end first are the fast ones.
    pub is_bound: bool,
}

/// Parts of a run's summary, in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IterationParts {
    /// Mean of the iterations that ended.
    pub mean: Option<f64>,
    /// Whether the job ends and this run did not see all of it.
    pub is_cut: bool,
    /// Time that the oldest of the others had taken.
    pub oldest: Option<f64>,
}

impl IterationTime {
    pub(crate) fn of(parts: IterationParts) -> Option<Self> {
        match (parts.mean, parts.oldest) {
            (Some(mean), _) => Some(Self { ps: mean, is_bound: parts.is_cut }),
            (None, Some(oldest)) => Some(Self { ps: oldest, is_bound: true }),
            (None, None) => None,
        }
    }

    /// From the figures of a run.
    #[must_use]
    pub fn of_run(figures: &RunFigures, job: &str) -> Option<Self> {
        let figure = |name: &str| figures.get(&format!("job.{job}.iterations.{name}")).copied();
        let is_cut = figure("planned").is_some() && figure("not_ended").is_some_and(|open| open > 0.0);
        Self::of(IterationParts { mean: figure("span.mean_ps"), is_cut, oldest: figure("incomplete_for_ps") })
    }
}

/// What a ratio of two times says if they are lower bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RatioBound {
    /// The numerator is a lower bound.
    AtLeast,
    /// The denominator is.
    AtMost,
    /// Both are: the ratio is not known.
    Unknown,
}

impl RatioBound {
    /// Of a ratio; `None` if both times are known.
    #[must_use]
    pub const fn of(denominator_is_bound: bool, numerator_is_bound: bool) -> Option<Self> {
        match (denominator_is_bound, numerator_is_bound) {
            (false, false) => None,
            (false, true) => Some(Self::AtLeast),
            (true, false) => Some(Self::AtMost),
            (true, true) => Some(Self::Unknown),
        }
    }

    /// A ratio with its sign.
    #[must_use]
    pub fn text(this: Option<Self>, ratio: &str) -> String {
        match this {
            None => ratio.to_owned(),
            Some(Self::AtLeast) => format!("≥{ratio}"),
            Some(Self::AtMost) => format!("≤{ratio}"),
            Some(Self::Unknown) => "unknown".to_owned(),
        }
    }
}

/// Why a ratio is unknown, in words; for tables that have one.
pub(crate) const UNKNOWN_WORDS: &str = "unknown: in both results iterations had not ended, so their ratio has no bound";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_a_bound_if_a_job_that_ends_did_not() {
        let of = |mean, is_cut, oldest| IterationTime::of(IterationParts { mean, is_cut, oldest });
        let known = |ps, is_bound| Some(IterationTime { ps, is_bound });
        assert_eq!(of(Some(10.0), true, Some(500.0)), known(10.0, true));
        assert_eq!(of(Some(10.0), false, Some(500.0)), known(10.0, false), "an endless job always has one");
        assert_eq!(of(None, true, Some(500.0)), known(500.0, true));
        assert_eq!(of(None, true, None), None);
    }

    #[test]
    fn the_sign_depends_on_the_side_that_did_not_end() {
        let text = |first, other| RatioBound::text(RatioBound::of(first, other), "5×");
        assert_eq!([text(false, false), text(false, true), text(true, false)], ["5×", "≥5×", "≤5×"]);
        assert_eq!(text(true, true), "unknown");
    }
}
