//! Messages that have been issued and not delivered, by the time of their issue.
//!
//! A run counts a message when a rank issues it, and takes it out when it is delivered. What is
//! left at the end tells how old the others are, without a list of messages.

use serde::{Deserialize, Serialize};

use crate::histogram::Histogram;

/// Spans of time with a count each. They double when time outgrows them, so that an age is too low
/// by at most 1/256 of the time of the last issue.
const SPANS: usize = 512;

/// The counts of one job. The parts of a run may count issue and delivery of one message apart:
/// only their sum has no negative counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenMessages {
    /// A span is so many powers of two of picoseconds long.
    shift: u32,
    counts: Vec<i64>,
}

impl OpenMessages {
    /// A message was issued at `time`, in picoseconds.
    #[inline]
    pub fn issue(&mut self, time: u64) {
        self.add(time, 1);
    }

    /// A message that was issued at `time` was delivered.
    #[inline]
    pub fn deliver(&mut self, time: u64) {
        self.add(time, -1);
    }

    #[inline]
    fn add(&mut self, time: u64, change: i64) {
        let mut span = (time >> self.shift) as usize;
        if span >= self.counts.len() {
            span = self.grow(time);
        }
        self.counts[span] += change;
    }

    #[cold]
    fn grow(&mut self, time: u64) -> usize {
        while (time >> self.shift) as usize >= SPANS {
            self.widen();
        }
        let span = (time >> self.shift) as usize;
        if span >= self.counts.len() {
            self.counts.resize((span + 1).next_power_of_two(), 0);
        }
        span
    }

    fn widen(&mut self) {
        self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
        self.shift += 1;
    }

    /// Adds the counts of another part of the run.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        while self.shift < other.shift {
            self.widen();
        }
        while other.shift < self.shift {
            other.widen();
        }
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, added)| *own += added);
    }

    /// Ages at `end` in nanoseconds, each the least that is possible.
    #[must_use]
    pub fn ages_ns(&self, end: u64) -> Histogram {
        let mut ages = Histogram::new();
        for (span, count) in (0_u64..).zip(&self.counts) {
            let latest = ((span + 1) << self.shift).saturating_sub(1);
            ages.record_n(end.saturating_sub(latest) / 1_000, u64::try_from(*count).unwrap_or(0));
        }
        ages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_are_the_messages_without_delivery_and_about_their_ages() {
        let (mut open, end) = (OpenMessages::default(), 3_000_000_000_u64);
        let times: Vec<u64> = (0..2_000).map(|number| number * 1_499_999).collect();
        times.iter().for_each(|&time| open.issue(time));
        // Every tenth stays.
        times.iter().enumerate().filter(|(place, _)| place % 10 > 0).for_each(|(_, &time)| open.deliver(time));
        let ages = open.ages_ns(end);
        assert_eq!(ages.count(), 200);
        let (oldest, youngest) = (ages.max().expect("some"), ages.min().expect("some"));
        assert!((2_988_000..=3_000_000).contains(&oldest) && youngest <= 15_002, "{oldest} {youngest}");
        let exact = times.iter().step_by(10).map(|time| (end - time) / 1_000).sum::<u64>() as f64 / 200.0;
        let mean = ages.mean().expect("some");
        assert!(mean <= exact && mean > exact - 3_000_000.0 / 256.0, "{mean} {exact}");
    }

    #[test]
    fn parts_of_a_run_may_count_both_ends_of_a_message_apart() {
        let (mut issued, mut delivered) = (OpenMessages::default(), OpenMessages::default());
        for time in [0, 5, 1 << 40] {
            issued.issue(time);
        }
        delivered.deliver(5);
        let mut sums = [issued.clone(), delivered.clone()];
        sums[0].merge(&delivered);
        sums[1].merge(&issued);
        for sum in sums {
            assert_eq!(sum.ages_ns(1 << 41).count(), 2);
        }
        assert!(OpenMessages::default().ages_ns(7).is_empty());
    }
}
