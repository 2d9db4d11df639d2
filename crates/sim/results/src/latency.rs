//! Distributions of times.

use serde::Serialize;

use crate::histogram::Histogram;
use crate::percentile::of_sorted;

/// A distribution of times, in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Number of values.
    pub count: u64,
    /// Smallest.
    pub min_ps: f64,
    pub mean_ps: f64,
    /// Median.
    pub p50_ps: f64,
    /// 95th percentile.
    pub p95_ps: f64,
    /// 99th percentile.
    pub p99_ps: f64,
    /// Largest.
    pub max_ps: f64,
}

impl Latency {
    /// From values in picoseconds, in any order (sorts them); `None` when there are none.
    #[must_use]
    pub fn of_values(values: &mut [u64]) -> Option<Self> {
        values.sort_unstable();
        let at = |percent| of_sorted(values, percent).map(|value| value as f64);
        let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
        Some(Self {
            count: values.len() as u64,
            min_ps: at(0.0)?,
            mean_ps: sum as f64 / values.len() as f64,
            p50_ps: at(50.0)?,
            p95_ps: at(95.0)?,
            p99_ps: at(99.0)?,
            max_ps: at(100.0)?,
        })
    }

    /// From a histogram of nanoseconds; `None` when it is empty.
    #[must_use]
    pub fn of_histogram_ns(histogram: &Histogram) -> Option<Self> {
        let at = |percent| histogram.percentile(percent).map(|value| value as f64 * 1e3);
        Some(Self {
            count: histogram.count(),
            min_ps: at(0.0)?,
            mean_ps: histogram.mean()? * 1e3,
            p50_ps: at(50.0)?,
            p95_ps: at(95.0)?,
            p99_ps: at(99.0)?,
            max_ps: at(100.0)?,
        })
    }
}
