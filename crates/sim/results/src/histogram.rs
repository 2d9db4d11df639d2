//! Distribution of whole numbers in logarithmic buckets with linear steps inside.

/// Linear steps per power of two, as a power of two.
const STEP_BITS: u32 = 6;
/// Linear steps per power of two: a bucket is at most 1/64 of its lower edge wide, so its middle is
/// within 0.8 %.
const STEPS: u64 = 1 << STEP_BITS;

/// The counts of values, with a relative error of at most 0.8 % per value.
///
/// Values below 128 are stored exactly, larger ones in buckets of 1/64 of a power of two. Count,
/// minimum, maximum and mean are exact. Memory follows the largest value recorded: 512 bytes per
/// power of two, at most 30 KiB.
///
/// ```
/// let mut latency_ns = philae_results::Histogram::new();
/// for value in 1..=1_000 {
///     latency_ns.record(value);
/// }
/// let median = latency_ns.percentile(50.0).unwrap_or(0);
/// assert!(median.abs_diff(500) <= 5);
/// assert_eq!(latency_ns.mean(), Some(500.5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    sum: u128,
    min: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// An empty histogram: it allocates nothing until the first value.
    #[must_use]
    pub const fn new() -> Self {
        Self { buckets: Vec::new(), count: 0, sum: 0, min: u64::MAX, max: 0 }
    }

    /// Counts `value` once. Allocates only when `value` lies in a power of two above all before it.
    #[inline]
    pub fn record(&mut self, value: u64) {
        self.record_n(value, 1);
    }

    /// Counts `value` as having occurred `times` times.
    #[inline]
    pub fn record_n(&mut self, value: u64, times: u64) {
        if times == 0 {
            return;
        }
        let bucket = bucket_of(value);
        if bucket >= self.buckets.len() {
            self.grow(bucket);
        }
        self.buckets[bucket] += times;
        self.count += times;
        self.sum += u128::from(value) * u128::from(times);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    #[cold]
    fn grow(&mut self, bucket: usize) {
        self.buckets.resize((bucket + 1).next_multiple_of(STEPS as usize), 0);
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        if other.buckets.len() > self.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (own, added) in self.buckets.iter_mut().zip(&other.buckets) {
            *own += added;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Number of recorded values.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The smallest value, exactly; `None` when empty.
    #[must_use]
    pub const fn min(&self) -> Option<u64> {
        if self.count == 0 { None } else { Some(self.min) }
    }

    /// The largest value, exactly; `None` when empty.
    #[must_use]
    pub const fn max(&self) -> Option<u64> {
        if self.count == 0 { None } else { Some(self.max) }
    }

    /// The sum of all values, exactly.
    #[must_use]
    pub const fn sum(&self) -> u128 {
        self.sum
    }

    /// The mean from the exact sum; `None` when empty.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The smallest recorded value that at least `percent` per cent of the values do not exceed
    /// (nearest rank), within 0.8 %. `percent` in [0, 100]; 0 gives the minimum and 100 the
    /// maximum, exactly. `None` when empty.
    ///
    /// # Panics
    /// If `percent` is outside [0, 100] or not a number.
    #[must_use]
    pub fn percentile(&self, percent: f64) -> Option<u64> {
        assert!((0.0..=100.0).contains(&percent), "a percentile lies between 0 and 100, not at {percent}");
        if self.count == 0 {
            return None;
        }
        let rank = crate::percentile::nearest_rank(percent, self.count);
        if rank <= 1 {
            return Some(self.min);
        }
        if rank >= self.count {
            return Some(self.max);
        }
        let mut below = 0;
        for (bucket, &times) in self.buckets.iter().enumerate() {
            below += times;
            if below >= rank {
                return Some(middle_of(bucket).clamp(self.min, self.max));
            }
        }
        Some(self.max)
    }

    /// The cumulative distribution: `(value, share of values that do not exceed it)`, one point per
    /// bucket in use, values ascending, shares in (0, 1] and ending at 1. At most about 3,800
    /// points; empty if there are no values.
    #[must_use]
    pub fn cdf_points(&self) -> Vec<(u64, f64)> {
        let mut below = 0;
        self.occupied()
            .map(|(bucket, times)| {
                below += times;
                (middle_of(bucket).clamp(self.min, self.max), below as f64 / self.count as f64)
            })
            .collect()
    }

    fn occupied(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.buckets.iter().enumerate().filter(|&(_, &times)| times > 0).map(|(bucket, &times)| (bucket, times))
    }

    /// Bytes of heap memory that the buckets hold.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<u64>()
    }
}

impl Extend<u64> for Histogram {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, values: I) {
        for value in values {
            self.record(value);
        }
    }
}

impl FromIterator<u64> for Histogram {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut histogram = Self::new();
        histogram.extend(values);
        histogram
    }
}

/// The bucket of `value`: its top seven bits, after as many shifts as leave seven.
#[inline]
const fn bucket_of(value: u64) -> usize {
    let shift = (u64::BITS - (value | STEPS).leading_zeros()) - 1 - STEP_BITS;
    ((shift as u64 * STEPS) + (value >> shift)) as usize
}

/// The middle of a bucket: exact if the bucket holds one value.
const fn middle_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * STEPS {
        return bucket;
    }
    let shift = bucket / STEPS - 1;
    let low = (bucket - shift * STEPS) << shift;
    low + ((1_u64 << shift) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_within_one_per_cent_of_its_bucket() {
        let mut value = 0_u64;
        while value < u64::MAX / 2 {
            let middle = middle_of(bucket_of(value));
            assert!(middle.abs_diff(value) as f64 <= 0.008 * value as f64, "{value} became {middle}");
            value += 1 + value / 97;
        }
        assert_eq!(bucket_of(u64::MAX), 57 * 64 + 127);
    }

    #[test]
    fn buckets_follow_each_other_without_gaps() {
        for value in 0..100_000_u64 {
            let step = bucket_of(value + 1) - bucket_of(value);
            assert!(step <= 1, "bucket skipped after {value}");
        }
    }

    #[test]
    fn extremes_and_mean_are_exact() {
        let histogram: Histogram = [3, 1_000_003, 77_777_777_777].into_iter().collect();
        assert_eq!(histogram.min(), Some(3));
        assert_eq!(histogram.max(), Some(77_777_777_777));
        assert_eq!(histogram.mean(), Some((3.0 + 1_000_003.0 + 77_777_777_777.0) / 3.0));
        assert_eq!(histogram.percentile(0.0), Some(3));
        assert_eq!(histogram.percentile(100.0), Some(77_777_777_777));
    }

    #[test]
    fn an_empty_histogram_has_no_figures_and_no_memory() {
        let histogram = Histogram::new();
        assert_eq!((histogram.min(), histogram.max(), histogram.percentile(99.0)), (None, None, None));
        assert!(histogram.cdf_points().is_empty());
        assert_eq!(histogram.heap_bytes(), 0);
    }

    #[test]
    fn merging_equals_recording_everything_in_one() {
        let (mut left, mut right, mut both) = (Histogram::new(), Histogram::new(), Histogram::new());
        for value in (0..10_000_u64).map(|step| step * step * 31 % 9_999_991) {
            if value % 3 == 0 { &mut left } else { &mut right }.record(value);
            both.record(value);
        }
        left.merge(&right);
        assert_eq!(left.percentile(99.0), both.percentile(99.0));
        assert_eq!(
            (left.count(), left.sum(), left.min(), left.max()),
            (both.count(), both.sum(), both.min(), both.max())
        );
    }

    #[test]
    fn percentiles_agree_with_the_exact_ones() {
        let mut values: Vec<u64> = (0..5_000_u64).map(|step| 350 + step * step % 1_000_003).collect();
        let histogram: Histogram = values.iter().copied().collect();
        values.sort_unstable();
        for percent in [1.0, 10.0, 50.0, 95.0, 99.0, 99.9] {
            let exact = crate::percentile::of_sorted(&values, percent).unwrap_or(0) as f64;
            let found = histogram.percentile(percent).unwrap_or(0) as f64;
            assert!((found - exact).abs() <= 0.008 * exact, "p{percent}: {found} against {exact}");
        }
    }

    #[test]
    fn the_cdf_rises_to_one() {
        let histogram: Histogram = (0..1_000).map(|step| step * 37).collect();
        let points = histogram.cdf_points();
        assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert_eq!(points.last().map(|point| point.1), Some(1.0));
    }
}
