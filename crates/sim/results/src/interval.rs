//! Mean and confidence interval over runs that differ only in their seeds, and of the difference of
//! two such means.

use serde::Serialize;

/// The two-sided 95 % quantile of Student's t distribution by degrees of freedom, from 1. Source:
/// any table of the distribution, such as NIST/SEMATECH e-Handbook of Statistical Methods,
/// 1.3.6.7.2. Status: published.
const STUDENT_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The same for more degrees of freedom: the value of the normal distribution, which is at most 4 %
/// less.
///
/// Source: the same table. Status: published.
const NORMAL_95: f64 = 1.960;

/// The two-sided 95 % quantile for these degrees of freedom. A fraction is rounded down, so that
/// the interval is not too narrow.
fn quantile_95(degrees: f64) -> f64 {
    STUDENT_95.get((degrees.floor().max(1.0) as usize) - 1).copied().unwrap_or(NORMAL_95)
}

/// Sum of the squared deviations over the degrees of freedom; `None` for fewer than two values.
fn variance(values: &[f64], mean: f64) -> Option<f64> {
    // Rounding may move the mean of equal values away from them.
    let is_equal = values.iter().all(|value| *value == values[0]);
    let squares: f64 = if is_equal { 0.0 } else { values.iter().map(|value| (value - mean) * (value - mean)).sum() };
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// A mean over runs, with half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanInterval {
    /// Runs that have the value.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// The interval is the mean plus and minus this; null for one run, which does not determine it.
    pub half: Option<f64>,
}

impl MeanInterval {
    /// The mean of these values; `None` if there are none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let half = variance(values, mean)
            .map(|variance| quantile_95((runs - 1) as f64) * variance.sqrt() / (runs as f64).sqrt());
        Some(Self { runs, mean, half })
    }

    /// The same, with the number of runs that have the value if some of `runs` have none:
    /// `12.3 µs ± 0.4 µs (2 of 3 runs)`.
    #[must_use]
    pub fn text_of(this: Option<Self>, runs: usize, format: impl Fn(f64) -> String) -> String {
        let some = this.filter(|mean| mean.runs < runs).map(|mean| format!(" ({} of {runs} runs)", mean.runs));
        Self::text(this, format) + &some.unwrap_or_default()
    }

    /// As text: `12.3 µs ±0.4`, in the unit of the mean.
    #[must_use]
    pub fn text(this: Option<Self>, format: impl Fn(f64) -> String) -> String {
        let Some(Self { mean, half, .. }) = this else { return "–".to_owned() };
        match half {
            None => format(mean),
            Some(half) => format!("{} ± {}", format(mean), format(half)),
        }
    }
}

/// How the interval of a difference was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceMethod {
    /// From the differences of runs with the same seed: what a seed does to both sides cancels.
    Paired,
    /// Welch's interval of two independent samples with different variances.
    ///
    /// Source: B. L. Welch, Biometrika 34 (1947), 28 to 35, with the degrees of freedom of
    /// Satterthwaite, Biometrics 2 (1946), 110 to 114. Status: published.
    Welch,
}

/// What a difference of means over seeds tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownEffect {
    /// All values are equal.
    Equal,
    /// The interval of the difference contains 0: it is smaller than the spread over seeds.
    NotShown,
    /// The interval lies above 0.
    Larger,
    /// It lies below 0.
    Smaller,
    /// Too few runs for an interval.
    Unknown,
}

impl ShownEffect {
    /// In tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::NotShown => "no effect shown",
            Self::Larger => "larger",
            Self::Smaller => "smaller",
            Self::Unknown => "too few runs",
        }
    }
}

/// The difference of two means over runs, with half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanDifference {
    pub method: DifferenceMethod,
    /// Runs of the first and of the other side that count.
    pub runs: [usize; 2],
    /// The other mean minus the first.
    pub mean: f64,
    /// The interval is the difference plus and minus this; null if there are too few runs.
    pub half: Option<f64>,
    pub effect: ShownEffect,
}

impl MeanDifference {
    /// Of runs with the same seeds, pair by pair: the first side's value, then the other's. `None`
    /// without a pair.
    #[must_use]
    pub fn paired(pairs: &[(f64, f64)]) -> Option<Self> {
        let differences: Vec<f64> = pairs.iter().map(|(first, other)| other - first).collect();
        let MeanInterval { runs, mean, half } = MeanInterval::of(&differences)?;
        Some(Self::new(DifferenceMethod::Paired, [runs; 2], mean, half))
    }

    /// Of independent runs. `None` if a side has none.
    #[must_use]
    pub fn welch(first: &[f64], other: &[f64]) -> Option<Self> {
        let [one, two] = [MeanInterval::of(first)?, MeanInterval::of(other)?];
        // The squared standard error of each mean.
        let error = |values: &[f64], mean| variance(values, mean).map(|variance| variance / values.len() as f64);
        let half = error(first, one.mean).zip(error(other, two.mean)).map(|(a, b)| {
            let degrees = (a + b) * (a + b) / (a * a / (one.runs - 1) as f64 + b * b / (two.runs - 1) as f64);
            if a + b > 0.0 { quantile_95(degrees) * (a + b).sqrt() } else { 0.0 }
        });
        Some(Self::new(DifferenceMethod::Welch, [one.runs, two.runs], two.mean - one.mean, half))
    }

    fn new(method: DifferenceMethod, runs: [usize; 2], mean: f64, half: Option<f64>) -> Self {
        let effect = match half {
            None => ShownEffect::Unknown,
            Some(half) if half == 0.0 && mean == 0.0 => ShownEffect::Equal,
            Some(half) if mean.abs() <= half => ShownEffect::NotShown,
            Some(_) if mean > 0.0 => ShownEffect::Larger,
            Some(_) => ShownEffect::Smaller,
        };
        Self { method, runs, mean, half, effect }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_within_the_spread_is_no_effect() {
        // Seeds decide: the sides differ by 1, the seeds by 100.
        let (first, other) = ([100.0, 200.0, 300.0], [101.0, 202.0, 300.0]);
        let apart = MeanDifference::welch(&first, &other).expect("values");
        assert_eq!((apart.effect, apart.method), (ShownEffect::NotShown, DifferenceMethod::Welch));
        let pairs: Vec<(f64, f64)> = first.into_iter().zip(other).collect();
        let paired = MeanDifference::paired(&pairs).expect("pairs");
        assert_eq!((paired.mean, paired.effect), (1.0, ShownEffect::NotShown), "0 to 2 is not surely above 0");
        assert!(paired.half < apart.half, "what the seed does to both sides cancels: {paired:?} {apart:?}");
        let clear = MeanDifference::paired(&[(100.0, 110.0), (200.0, 211.0), (300.0, 310.0)]).expect("pairs");
        assert_eq!(clear.effect, ShownEffect::Larger);
        assert_eq!(MeanDifference::paired(&[(1.0, 1.0); 3]).expect("pairs").effect, ShownEffect::Equal);
        assert_eq!(MeanDifference::paired(&[(1.0, 2.0)]).expect("a pair").effect, ShownEffect::Unknown);
        assert_eq!((MeanDifference::paired(&[]), MeanDifference::welch(&[], &[1.0])), (None, None));
    }

    #[test]
    fn welchs_interval_is_that_of_the_textbook() {
        // Means 5 and 9, variances 2.5 and 10, five values each: the standard error is the root of
        // 2.5, with 5.88 degrees of freedom, for which 5 count.
        let found = MeanDifference::welch(&[3.0, 4.0, 5.0, 6.0, 7.0], &[5.0, 7.0, 9.0, 11.0, 13.0]).expect("values");
        let half = found.half.expect("an interval");
        assert!((half - 2.571 * 2.5_f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!((found.mean, found.effect), (4.0, ShownEffect::NotShown), "4 is below 4.07");
        let equal = MeanDifference::welch(&[1.0, 1.0], &[2.0, 2.0]).expect("values");
        assert_eq!((equal.half, equal.effect), (Some(0.0), ShownEffect::Larger), "seeds change nothing");
    }

    #[test]
    fn the_interval_is_that_of_students_distribution() {
        assert_eq!(MeanInterval::of(&[]), None);
        assert_eq!(MeanInterval::of(&[7.0]), Some(MeanInterval { runs: 1, mean: 7.0, half: None }));
        let equal = MeanInterval::of(&[0.1; 3]).expect("three");
        assert_eq!(equal.half, Some(0.0), "a third of 0.1 + 0.1 + 0.1 is not 0.1");
        let found = MeanInterval::of(&[1.0, 2.0, 3.0]).expect("three");
        let half = found.half.expect("an interval");
        assert!((found.mean - 2.0).abs() < 1e-12 && (half - 4.303 / 3.0_f64.sqrt()).abs() < 1e-9, "{found:?}");
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        let half = MeanInterval::of(&many).and_then(|found| found.half).expect("an interval");
        assert!((half - 1.96 * 29.011_491 / 10.0).abs() < 1e-3, "{half}");
    }
}
