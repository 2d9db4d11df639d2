//! Times of iterations that did not all end, latencies of messages that were not all delivered, and
//! ratios of such times.

use serde::Serialize;

use crate::format::Unit;
use crate::histogram::Histogram;
use crate::latency::Latency;
use crate::percentile::nearest_rank;
use crate::seeds::{ITERATION, RunFigures};

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

/// A latency that is larger by less than this factor is taken to be the same.
///
/// Source: ours, above the resolution of [`Histogram`], 0.8 %. Status: derived.
const SAME: f64 = 1.01;

/// Lower bounds of the latencies of all messages that a job issued, delivered or not, in
/// picoseconds. A figure of the delivered ones has none where the others could hardly change it.
///
/// A message that was not delivered takes at least as long as its age at the end. The figure over
/// the latencies of some and the ages of others is a bound. It replaces the figure of the delivered
/// ones in two cases: it is larger, or too many messages were not delivered, so that the percentile
/// may be the latency of one of them. The maximum follows p99, because a job without an end always
/// has a few in flight, and the mean follows the median.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LatencyBounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_ps: Option<f64>,
    /// Of the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_ps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_ps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ps: Option<f64>,
}

impl LatencyBounds {
    /// From the latencies of delivered messages (as a histogram and as figures), and the ages of
    /// the others; `None` if no figure has a bound.
    pub(crate) fn of(delivered: &Histogram, known: Option<&Latency>, ages: &Histogram) -> Option<Self> {
        let mut all = delivered.clone();
        all.merge(ages);
        let may_be_open = |percent: f64| nearest_rank(percent, all.count()) > delivered.count();
        let bound = |least_ns: f64, known: Option<f64>, is_open: bool| {
            let least = least_ns * 1e3;
            let is_larger = known.is_none_or(|known| least > known * SAME);
            (!ages.is_empty() && (is_larger || is_open)).then_some(least)
        };
        let percentile = |percent: f64, read: fn(&Latency) -> f64| {
            bound(all.percentile(percent)? as f64, known.map(read), may_be_open(percent.min(99.0)))
        };
        let bounds = Self {
            mean_ps: all.mean().and_then(|mean| bound(mean, known.map(|known| known.mean_ps), may_be_open(50.0))),
            p50_ps: percentile(50.0, |known| known.p50_ps),
            p95_ps: percentile(95.0, |known| known.p95_ps),
            p99_ps: percentile(99.0, |known| known.p99_ps),
            max_ps: percentile(100.0, |known| known.max_ps),
        };
        (bounds != Self::default()).then_some(bounds)
    }
}

/// What is known of a time in one run: of iterations, or of messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownTime {
    /// In picoseconds.
    pub ps: f64,
    /// Whether the time is at least this.
    pub is_bound: bool,
}

impl KnownTime {
    /// A figure of a job by its path, from the figures of a run; `None` if nothing is known, or the
    /// figure never has a bound.
    #[must_use]
    pub fn of_run(figures: &RunFigures, job: &str, path: &str) -> Option<Self> {
        if path == ITERATION {
            let IterationTime { ps, is_bound } = IterationTime::of_run(figures, job)?;
            return Some(Self { ps, is_bound });
        }
        let at_least = at_least_path(path)?;
        let figure = |path: &str| figures.get(&format!("job.{job}.{path}")).copied();
        let bound = figure(&at_least).map(|ps| Self { ps, is_bound: true });
        bound.or_else(|| figure(path).map(|ps| Self { ps, is_bound: false }))
    }
}

/// The path of the bound of a job's figure: `message_latency_at_least.p99_ps`.
#[must_use]
pub fn at_least_path(path: &str) -> Option<String> {
    match path.strip_prefix("message_latency.") {
        _ if path == ITERATION => Some("iterations.at_least_ps".to_owned()),
        Some(figure) if figure != "count" && figure != "min_ps" => Some(format!("message_latency_at_least.{figure}")),
        _ => None,
    }
}

/// A latency with its sign: the bound if there is one.
pub(crate) fn latency_text(known: Option<f64>, at_least: Option<f64>) -> String {
    match at_least {
        Some(least) => format!("≥{}", Unit::Time.format(least)),
        None => Unit::Time.format(known.unwrap_or(f64::NAN)),
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
pub(crate) const UNKNOWN_WORDS: &str =
    "unknown: in both results iterations or messages had not ended, so their ratio has no bound";

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

    #[test]
    fn percentiles_of_the_delivered_messages_are_bounds_where_others_could_change_them() {
        let of = |delivered: &[u64], ages: &[u64]| {
            let mut values: Vec<u64> = delivered.iter().map(|ns| ns * 1_000).collect();
            let known = Latency::of_values(&mut values);
            let histogram = |values: &[u64]| values.iter().copied().collect::<Histogram>();
            LatencyBounds::of(&histogram(delivered), known.as_ref(), &histogram(ages))
        };
        let hundred: Vec<u64> = (1..=100).map(|step| 1_000 + step / 10).collect();
        assert_eq!(of(&hundred, &[]), None, "all were delivered");
        assert_eq!(of(&hundred, &[20]), None, "a young one changes no figure");
        // One of 101 is old: it is the largest, and the mean is larger.
        let found = of(&hundred, &[5_000]).expect("a bound");
        assert_eq!((found.max_ps, found.p50_ps, found.p99_ps), (Some(5e6), None, None));
        assert!(found.mean_ps.is_some_and(|mean| mean > 1_030e3 && mean < 1_050e3));
        // Three of 103 are young, and more than 1 %: p99 may be the latency of one of them.
        let found = of(&hundred, &[1, 1, 1]).expect("a bound");
        assert_eq!((found.p99_ps, found.max_ps), (Some(1_010e3), Some(1_010e3)));
        assert_eq!((found.p95_ps, found.mean_ps), (None, None));
        // None was delivered.
        let found = of(&[], &[7, 7]).expect("a bound");
        assert_eq!([found.mean_ps, found.p50_ps, found.p99_ps, found.max_ps], [Some(7e3); 4]);
        // The fast half was delivered: every figure of it is too good.
        let found = of(&[10; 50], &[400; 50]).expect("a bound");
        assert_eq!((found.mean_ps, found.p95_ps), (Some(205e3), Some(400e3)));
        assert_eq!(found.p50_ps, None, "the median is that of a delivered one");
    }

    #[test]
    fn a_bound_stands_for_the_figure_of_the_delivered_messages() {
        let (p99, least) = ("job.a.message_latency.p99_ps", "job.a.message_latency_at_least.p99_ps");
        let run = |figures: &[(&str, f64)]| figures.iter().map(|(name, ps)| ((*name).to_owned(), *ps)).collect();
        let known = |run: RunFigures| KnownTime::of_run(&run, "a", "message_latency.p99_ps");
        assert_eq!(known(run(&[(p99, 5.0)])), Some(KnownTime { ps: 5.0, is_bound: false }));
        assert_eq!(known(run(&[(p99, 5.0), (least, 9.0)])), Some(KnownTime { ps: 9.0, is_bound: true }));
        assert_eq!(known(run(&[])), None);
        assert_eq!(KnownTime::of_run(&run(&[(p99, 5.0)]), "a", "message_latency.count"), None);
    }
}
