//! Exact percentiles of slices, by the nearest-rank rule (always a value that occurred, never one
//! between two).

/// The rank, counted from 1, of the `percent` percentile among `count` values: the smallest rank
/// with at least that share of the values at or below it. 0 % gives rank 1 and 100 % gives `count`.
#[must_use]
pub(crate) fn nearest_rank(percent: f64, count: u64) -> u64 {
    // The small term compensates the rounding of the division: 95 % of 100 values is rank 95, not
    // 96.
    let rank = (percent / 100.0 * count as f64 - 1e-9).ceil();
    (rank.max(1.0) as u64).min(count)
}

/// The `percent` percentile of values in ascending order; `None` when there are none.
///
/// # Panics
/// If `percent` is outside [0, 100] or not a number.
#[must_use]
pub fn of_sorted<T: Copy>(values: &[T], percent: f64) -> Option<T> {
    assert!((0.0..=100.0).contains(&percent), "a percentile lies between 0 and 100, not at {percent}");
    let rank = nearest_rank(percent, values.len() as u64) as usize;
    rank.checked_sub(1).and_then(|index| values.get(index)).copied()
}

/// The requested percentiles (each in [0, 100]) of values in any order, in the requested order;
/// empty if there are no values.
///
/// Sorts the slice.
///
/// # Panics
/// If a percentile is outside [0, 100] or not a number.
#[must_use]
pub fn percentiles<T: Copy + Ord>(values: &mut [T], percents: &[f64]) -> Vec<T> {
    values.sort_unstable();
    percents.iter().filter_map(|&percent| of_sorted(values, percent)).collect()
}

/// The arithmetic mean; `None` when there are no values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_textbook() {
        let mut values = [15, 20, 35, 40, 50];
        assert_eq!(percentiles(&mut values, &[0.0, 5.0, 30.0, 40.0, 50.0, 100.0]), [15, 15, 20, 20, 35, 50]);
    }

    #[test]
    fn whole_shares_are_not_rounded_up() {
        let values: Vec<u32> = (1..=100).collect();
        for percent in 1..=100 {
            assert_eq!(of_sorted(&values, f64::from(percent)), Some(percent as u32));
        }
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(of_sorted::<u64>(&[], 50.0), None);
        assert_eq!(mean(&[]), None);
    }
}
