//! Averages, 99th percentiles and the congestion impact factor, computed as in GPCNeT.

use serde::Serialize;

/// Buckets of the histogram of single samples. Source: GPCNeT v1.3. Status: published.
pub const BUCKETS: usize = 100_000;

/// Whether lower or higher values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Times: the percentile is counted from below.
    Lower,
    /// Bandwidths: the percentile is counted from above.
    Higher,
}

/// The statistics of one test, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestStatistics {
    /// Mean over measurements (rings) of the mean over ranks.
    pub average: f64,
    /// The value that 99 of 100 samples reach or improve on: the upper edge of its bucket for
    /// times, the lower one for bandwidths.
    pub percentile_99: f64,
    /// Smallest sample.
    pub min: f64,
    /// Largest sample.
    pub max: f64,
    /// Number of samples.
    pub samples: u64,
}

impl TestStatistics {
    /// From `samples`, one per iteration and rank, and `measurements`, one per ring and rank. None
    /// if there are none.
    #[must_use]
    pub fn of(samples: &[f64], measurements: &[f64], better: Better) -> Option<Self> {
        if samples.is_empty() || measurements.is_empty() {
            return None;
        }
        let (min, max) = samples
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), &sample| (min.min(sample), max.max(sample)));
        // Every ring has the same number of ranks, so the mean of the means is the mean.
        let average = measurements.iter().sum::<f64>() / measurements.len() as f64;
        let percentile_99 = percentile(samples, min, max, better);
        Some(Self { average, percentile_99, min, max, samples: samples.len() as u64 })
    }
}

/// The 99th percentile from the histogram between `min` and `max`.
fn percentile(samples: &[f64], min: f64, max: f64, better: Better) -> f64 {
    let width = (max - min) / (BUCKETS - 1) as f64;
    if width <= 0.0 {
        // All samples are the same. The program would divide by zero.
        return min;
    }
    let mut histogram = vec![0_u64; BUCKETS];
    for sample in samples {
        histogram[(((sample - min) / width) as usize).min(BUCKETS - 1)] += 1;
    }
    let wanted = (0.99 * samples.len() as f64) as u64;
    let mut counted = 0;
    let mut reached = |bucket: &usize| {
        counted += histogram[*bucket];
        counted >= wanted
    };
    match better {
        Better::Lower => {
            let bucket = (0..BUCKETS).find(&mut reached).unwrap_or(BUCKETS - 1);
            min + (bucket + 1) as f64 * width
        }
        Better::Higher => {
            let bucket = (0..BUCKETS).rev().find(&mut reached).unwrap_or(0);
            min + bucket as f64 * width
        }
    }
}

/// The congestion impact factor of a value: how many times worse it is under load, from both values
/// as tables print them, with one decimal. Infinite if the smaller of the two prints as 0.0.
#[must_use]
pub fn impact(isolated: f64, loaded: f64, better: Better) -> f64 {
    let printed = |value: f64| format!("{value:.1}").parse::<f64>().unwrap_or(f64::NAN);
    match better {
        Better::Lower => printed(loaded) / printed(isolated),
        Better::Higher => printed(isolated) / printed(loaded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 to 99,999 in steps of one: every bucket is one wide and has one sample.
    fn ladder() -> Vec<f64> {
        (0..100_000_u32).map(f64::from).collect()
    }

    #[test]
    fn the_percentile_of_times_is_the_upper_edge_from_below() {
        let summary = TestStatistics::of(&ladder(), &[1.0, 3.0], Better::Lower).expect("samples");
        // The 99,000th sample is in bucket 98,999, which ends at 99,000.
        assert_eq!((summary.percentile_99, summary.average), (99_000.0, 2.0));
        assert_eq!((summary.min, summary.max, summary.samples), (0.0, 99_999.0, 100_000));
    }

    #[test]
    fn the_percentile_of_bandwidths_is_the_lower_edge_from_above() {
        let summary = TestStatistics::of(&ladder(), &[1.0], Better::Higher).expect("samples");
        // The 99,000th sample from above is 1,000.
        assert_eq!(summary.percentile_99, 1_000.0);
    }

    #[test]
    fn few_samples_count_down_to_a_whole_number() {
        // 99 % of 50 are 49 samples: the worst one is left out.
        let mut samples = vec![2.0; 49];
        samples.push(1_000.0);
        let summary = TestStatistics::of(&samples, &samples, Better::Lower).expect("samples");
        let width = 998.0 / 99_999.0;
        assert!((summary.percentile_99 - (2.0 + width)).abs() < 1e-9, "{}", summary.percentile_99);
    }

    #[test]
    fn equal_samples_are_their_own_percentile() {
        for better in [Better::Lower, Better::Higher] {
            assert_eq!(TestStatistics::of(&[3.5; 7], &[3.5], better).expect("samples").percentile_99, 3.5);
        }
        assert_eq!(TestStatistics::of(&[], &[], Better::Lower), None);
    }

    #[test]
    fn the_impact_is_that_of_the_printed_values() {
        // 1.96 and 2.04 are both printed as 2.0.
        assert_eq!(impact(1.96, 2.04, Better::Lower), 1.0);
        assert_eq!(impact(2.0, 3.04, Better::Lower), 1.5);
        assert_eq!(impact(9_000.04, 4_500.0, Better::Higher), 2.0);
        assert!(impact(100.0, 0.04, Better::Higher).is_infinite(), "0.0 is printed");
    }
}
