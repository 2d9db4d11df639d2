//! Series for the pictures of a run's report, reduced to what a picture can show.

use std::collections::BTreeMap;

use philae_units::{ClassId, JobId};

use crate::chart::{ChartLine, SERIES_COLOURS};
use crate::histogram::Histogram;
use crate::record::{CongestionKind, RunRecord};
use crate::span::MeasuredSpan;

/// Maximum number of points over time in a picture.
const BINS: usize = 300;
/// Maximum number of points of a distribution in a picture.
const CDF_POINTS: usize = 240;

/// Sampling intervals joined into at most [`BINS`] bins of equal numbers of intervals.
pub(super) struct IntervalBins {
    span: MeasuredSpan,
    intervals: u32,
    per_bin: u32,
}

impl IntervalBins {
    pub fn of(record: &RunRecord) -> Self {
        let span = MeasuredSpan::of(record);
        let intervals = span.interval_count();
        Self { span, intervals, per_bin: intervals.div_ceil(BINS as u32).max(1) }
    }

    pub fn count(&self) -> usize {
        self.intervals.div_ceil(self.per_bin) as usize
    }

    /// The bin of an interval; `None` for the unrepresentative end of the last one.
    pub fn bin(&self, interval: u32) -> Option<usize> {
        (interval < self.intervals).then(|| (interval / self.per_bin) as usize)
    }

    fn intervals_of(&self, bin: usize) -> std::ops::Range<u32> {
        let first = bin as u32 * self.per_bin;
        first..(first + self.per_bin).min(self.intervals)
    }

    /// Simulated time that a bin covers, in picoseconds.
    pub fn length_ps(&self, bin: usize) -> f64 {
        let intervals = self.intervals_of(bin);
        // A run may have as many intervals as a number has values.
        let end = self.span.begin(intervals.end).min(self.span.end);
        end.saturating_sub(self.span.begin(intervals.start)).0 as f64
    }

    /// Points for steps: `(when a bin begins in picoseconds, its value)`, and the last value again
    /// at its end.
    pub fn steps(&self, values: &[f64]) -> Vec<(f64, f64)> {
        let begin = |bin: usize| self.span.begin(self.intervals_of(bin).start).0 as f64;
        let mut points: Vec<(f64, f64)> = values.iter().enumerate().map(|(bin, &value)| (begin(bin), value)).collect();
        if let Some(&(last, value)) = points.last() {
            points.push((last + self.length_ps(values.len() - 1), value));
        }
        points
    }

    /// Values per interval joined to bins: their mean, or their largest.
    pub fn joined(&self, per_interval: &[f64], largest: bool) -> Vec<f64> {
        (0..self.count())
            .map(|bin| {
                let intervals = self.intervals_of(bin);
                let length = intervals.len().max(1) as f64;
                let values = intervals.filter_map(|interval| per_interval.get(interval as usize).copied());
                if largest { values.fold(0.0, f64::max) } else { values.sum::<f64>() / length }
            })
            .collect()
    }
}

/// Delivered payload in Gb/s over time, one series per job and class, largest first; the smallest
/// joined as "other".
pub(super) fn delivered_gbps(record: &RunRecord, bins: &IntervalBins) -> Vec<ChartLine> {
    let mut bytes: BTreeMap<(JobId, ClassId), Vec<f64>> = BTreeMap::new();
    for sample in &record.class_samples {
        if let Some(bin) = bins.bin(sample.interval) {
            bytes.entry((sample.job, sample.class)).or_insert_with(|| vec![0.0; bins.count()])[bin] +=
                sample.bytes.0 as f64;
        }
    }
    let names = crate::names::RowNames::new(record);
    let mut series: Vec<(String, Vec<f64>)> = bytes
        .into_iter()
        .map(|((job, class), bytes)| {
            let name = format!(
                "{} · {}",
                names.job(job).unwrap_or("unknown job"),
                names.class(class).unwrap_or("unknown class")
            );
            // Bits per picosecond are Tb/s.
            (name, bytes.iter().enumerate().map(|(bin, bytes)| bytes * 8e3 / bins.length_ps(bin)).collect())
        })
        .collect();
    let total = |values: &[f64]| values.iter().sum::<f64>();
    series.sort_by(|left, right| total(&right.1).total_cmp(&total(&left.1)));
    if series.len() > SERIES_COLOURS {
        let rest = series.split_off(SERIES_COLOURS - 1);
        let sum = (0..bins.count()).map(|bin| rest.iter().map(|(_, values)| values[bin]).sum()).collect();
        series.push((format!("{} others", rest.len()), sum));
    }
    series.into_iter().map(|(name, values)| ChartLine::new(name, bins.steps(&values))).collect()
}

/// Stored congestion events per bin, one series per kind that occurs.
pub(super) fn congestion_counts(record: &RunRecord, bins: &IntervalBins) -> Vec<ChartLine> {
    let interval = bins.span.interval.0;
    let mut counts: BTreeMap<CongestionKind, Vec<f64>> = BTreeMap::new();
    for event in &record.congestion {
        let at = u32::try_from(event.time.0 / interval).ok();
        // An event in the last, short interval is not a rate: it counts in the nearest bin.
        let bin = at.and_then(|at| bins.bin(at)).or_else(|| bins.count().checked_sub(1));
        if let Some(bin) = bin {
            counts.entry(event.kind).or_insert_with(|| vec![0.0; bins.count()])[bin] += 1.0;
        }
    }
    counts.into_iter().map(|(kind, counts)| ChartLine::new(kind.label(), bins.steps(&counts))).collect()
}

/// The distribution of a job's message latency, in picoseconds: from the messages if they were
/// kept.
pub(super) fn latency_cdf(record: &RunRecord, job: usize) -> Vec<(f64, f64)> {
    let messages =
        record.messages.iter().filter(|message| message.job.index() == job && message.issued >= record.measured_from);
    let mut values: Vec<u64> = messages.map(|message| message.delivered.saturating_sub(message.issued).0).collect();
    if !values.is_empty() {
        values.sort_unstable();
        return thinned_cdf(&values);
    }
    let points = record.message_latency.get(job).map(Histogram::cdf_points).unwrap_or_default();
    let mut points: Vec<(f64, f64)> = points.into_iter().map(|(value, share)| (value as f64 * 1e3, share)).collect();
    if let Some(first) = points.first().copied() {
        points.insert(0, (first.0, 0.0));
    }
    let every = points.len().div_ceil(2 * CDF_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    points
        .into_iter()
        .enumerate()
        .filter(|(index, _)| index % every == 0 || *index == last)
        .map(|(_, point)| point)
        .collect()
}

/// Evenly spaced ranks, and every rank among the last few, where tails are.
pub(crate) fn thinned_cdf(sorted: &[u64]) -> Vec<(f64, f64)> {
    let count = sorted.len();
    let every = count.div_ceil(CDF_POINTS).max(1);
    let tail = count.saturating_sub(40);
    let kept = (0..count).filter(|rank| rank % every == 0 || *rank >= tail);
    let first = sorted.first().map(|&value| (value as f64, 0.0));
    first.into_iter().chain(kept.map(|rank| (sorted[rank] as f64, (rank + 1) as f64 / count as f64))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    /// The length of a bin takes no look at each of its intervals: a program may sleep for days.
    #[test]
    fn bins_of_any_length_are_those_of_their_intervals() {
        let mut record = synthetic::record(1, 2_000);
        let bins = IntervalBins::of(&record);
        for bin in 0..bins.count() {
            let each = bins.intervals_of(bin).map(|interval| bins.span.interval_length(interval).0 as f64);
            assert_eq!(bins.length_ps(bin), each.sum::<f64>(), "bin {bin}");
        }
        record.simulated = philae_units::Picoseconds(10_u64.pow(18));
        let bins = IntervalBins::of(&record);
        let whole: f64 = (0..bins.count()).map(|bin| bins.length_ps(bin)).sum();
        assert!(bins.count() <= BINS && whole > 0.0, "{whole} ps");
    }

    #[test]
    fn long_runs_are_joined_to_a_bounded_number_of_points() {
        let record = synthetic::record(1, 2_000);
        let bins = IntervalBins::of(&record);
        assert!(bins.count() <= BINS);
        let series = delivered_gbps(&record, &bins);
        let shown: f64 = series
            .iter()
            .map(|series| series.points.windows(2).map(|pair| pair[0].1 * (pair[1].0 - pair[0].0)).sum::<f64>())
            .sum();
        let delivered: u64 = record.class_samples.iter().map(|sample| sample.bytes.0).sum();
        assert!((shown / (delivered as f64 * 8e3) - 1.0).abs() < 1e-9, "bytes are kept: {shown} of {delivered}");
    }

    #[test]
    fn a_run_that_was_not_sampled_is_one_bin_however_long() {
        let mut record = synthetic::record(1, 2_000);
        record.sample_interval.0 = 0;
        record.measured_from.0 = record.simulated.0 / 4;
        let bins = IntervalBins::of(&record);
        assert_eq!((bins.count(), bins.bin(0), bins.length_ps(0)), (1, Some(0), record.simulated.0 as f64));
        assert_eq!(
            bins.span.length().0,
            record.simulated.0 - record.measured_from.0,
            "what counts is after the warm-up"
        );
    }

    #[test]
    fn a_distribution_ends_at_one() {
        let mut record = synthetic::record(1, 20);
        assert_eq!(latency_cdf(&record, 0).last().map(|point| point.1), Some(1.0));
        record.messages.clear();
        assert_eq!(latency_cdf(&record, 0).last().map(|point| point.1), Some(1.0));
        assert!(latency_cdf(&record, 9).is_empty());
    }

    #[test]
    fn more_series_than_colours_become_others() {
        let mut record = synthetic::record(1, 20);
        for (index, sample) in record.class_samples.iter_mut().enumerate() {
            sample.class = ClassId((index % 7) as u8);
        }
        let series = delivered_gbps(&record, &IntervalBins::of(&record));
        assert_eq!(series.len(), SERIES_COLOURS);
        assert!(series.last().is_some_and(|series| series.name.ends_with("others")));
    }
}
