//! Mean and confidence interval over runs that differ only in their seeds.

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
        let half = (runs > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            let deviation = (squares / (runs - 1) as f64).sqrt();
            STUDENT_95.get(runs - 2).copied().unwrap_or(NORMAL_95) * deviation / (runs as f64).sqrt()
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_students_distribution() {
        assert_eq!(MeanInterval::of(&[]), None);
        assert_eq!(MeanInterval::of(&[7.0]), Some(MeanInterval { runs: 1, mean: 7.0, half: None }));
        let found = MeanInterval::of(&[1.0, 2.0, 3.0]).expect("three");
        let half = found.half.expect("an interval");
        assert!((found.mean - 2.0).abs() < 1e-12 && (half - 4.303 / 3.0_f64.sqrt()).abs() < 1e-9, "{found:?}");
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        let half = MeanInterval::of(&many).and_then(|found| found.half).expect("an interval");
        assert!((half - 1.96 * 29.011_491 / 10.0).abs() < 1e-3, "{half}");
    }
}
