//! The sampling intervals that a figure covers.

use philae_units::Picoseconds;

use crate::record::RunRecord;

/// Maximum number of sampling intervals that are followed over time: a picture shows several
/// hundred.
///
/// Source: ours; they take about 100 MiB. Status: assumed.
pub const INTERVALS_OVER_TIME_MAX: u32 = 1 << 20;

/// The measured part of a run, in whole sampling intervals.
///
/// It begins with the first interval that lies wholly after `measured_from`. If none is left (the
/// measured part is shorter than an interval) it begins with the interval that contains
/// `measured_from`, because otherwise nothing would be measured. A run that was not sampled is one
/// interval, of which the part after `measured_from` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredSpan {
    /// First interval that counts.
    pub first_interval: u32,
    /// When it begins.
    pub start: Picoseconds,
    /// When the run ended.
    pub end: Picoseconds,
    /// Length of an interval: that of the run if there was no sampling; at least 1 ps.
    pub interval: Picoseconds,
}

impl MeasuredSpan {
    /// The span of a run.
    #[must_use]
    pub fn of(record: &RunRecord) -> Self {
        if !record.is_sampled() {
            let (start, interval) =
                (record.measured_from.min(record.simulated), Picoseconds(record.simulated.0.max(1)));
            return Self { first_interval: 0, start, end: record.simulated, interval };
        }
        let interval = record.sample_interval.0;
        let mut first = record.measured_from.0.div_ceil(interval);
        if first * interval >= record.simulated.0 {
            first = record.measured_from.0.min(record.simulated.0) / interval;
        }
        let first_interval = u32::try_from(first).unwrap_or(u32::MAX);
        let start = Picoseconds(u64::from(first_interval) * interval);
        Self { first_interval, start, end: record.simulated, interval: Picoseconds(interval) }
    }

    /// Its length in picoseconds; 0 for a run that simulated nothing.
    #[must_use]
    pub fn length(&self) -> Picoseconds {
        self.end.saturating_sub(self.start)
    }

    /// When an interval begins.
    #[must_use]
    pub fn begin(&self, interval: u32) -> Picoseconds {
        Picoseconds(u64::from(interval) * self.interval.0)
    }

    /// How long an interval lasted: the last one ends with the run.
    #[must_use]
    pub fn interval_length(&self, interval: u32) -> Picoseconds {
        self.end.saturating_sub(self.begin(interval)).min(self.interval)
    }

    /// Whether an interval is long enough for a rate. The last one of several is left out if less
    /// than half of it is there, because a few packets more or less would look like a change of the
    /// rate.
    #[must_use]
    pub fn is_representative(&self, interval: u32) -> bool {
        let length = self.interval_length(interval);
        length.0 > 0 && (length.0 * 2 >= self.interval.0 || interval == self.first_interval)
    }

    /// Number of representative intervals from the start of the run, measured or not.
    #[must_use]
    pub fn interval_count(&self) -> u32 {
        let count = u32::try_from(self.end.0.div_ceil(self.interval.0)).unwrap_or(u32::MAX);
        if count > 0 && !self.is_representative(count - 1) { count - 1 } else { count }
    }
}
