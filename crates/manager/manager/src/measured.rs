//! The manager's own counters. The number of series does not depend on the size of the fabric.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets of every histogram, seconds.
///
/// Source: ours: three a decade, from what a small fabric's tables take to what an operator waits
/// for. Status: assumed.
pub const BUCKETS: [f64; 15] =
    [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Times, counted in buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeHistogram {
    /// Number of times in each bucket, without those of lower buckets; the last is above all
    /// bounds.
    counts: [u64; BUCKETS.len() + 1],
    sum: f64,
}

impl TimeHistogram {
    /// Adds a time.
    pub fn observe(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        let bucket = BUCKETS.iter().position(|bound| seconds <= *bound).unwrap_or(BUCKETS.len());
        self.counts[bucket] += 1;
        self.sum += seconds;
    }

    /// The number of times up to each bound; the last one is the total.
    pub fn cumulative(&self) -> impl Iterator<Item = u64> + '_ {
        self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        })
    }

    /// The number of times.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of all times, seconds.
    #[must_use]
    pub const fn sum(&self) -> f64 {
        self.sum
    }
}

/// Times of new tables, from an event to the last answer, by step.
#[derive(Clone, Debug, Default)]
pub struct Reroutes {
    /// The event waits: tables of an earlier event are still being installed.
    pub received: TimeHistogram,
    /// Tables are computed and proven.
    pub computed: TimeHistogram,
    /// They are passed to the connections of switches.
    pub sent: TimeHistogram,
    /// The whole time: from the event until the last switch has them.
    pub acknowledged: TimeHistogram,
}

impl Reroutes {
    /// The histograms by name.
    #[must_use]
    pub const fn steps(&self) -> [(&'static str, &TimeHistogram); 4] {
        [
            ("received", &self.received),
            ("computed", &self.computed),
            ("sent", &self.sent),
            ("acknowledged", &self.acknowledged),
        ]
    }
}

#[derive(Debug, Default)]
struct Api {
    /// By method, path in the table of endpoints, and status.
    requests: BTreeMap<(&'static str, &'static str, u16), u64>,
    latency: BTreeMap<&'static str, TimeHistogram>,
    changes: TimeHistogram,
}

/// Counters of the service's threads.
#[derive(Debug, Default)]
pub struct ThreadCounters {
    api: Mutex<Api>,
    changes_waiting: AtomicUsize,
    answers_waiting: AtomicUsize,
}

impl ThreadCounters {
    fn api(&self) -> MutexGuard<'_, Api> {
        self.api.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an answered request.
    pub fn request(&self, endpoint: (&'static str, &'static str), status: u16, time: Duration) {
        let mut api = self.api();
        *api.requests.entry((endpoint.0, endpoint.1, status)).or_default() += 1;
        api.latency.entry(endpoint.1).or_default().observe(time);
    }

    /// Counts a change that is admitted and on the disk.
    pub fn change(&self, time: Duration) {
        self.api().changes.observe(time);
    }

    /// Sets the number of changes that wait for the previous one, and of answers that wait for an
    /// operation.
    pub fn queues(&self, changes: usize, answers: usize) {
        self.changes_waiting.store(changes, Ordering::Relaxed);
        self.answers_waiting.store(answers, Ordering::Relaxed);
    }

    /// Requests by method, path and status.
    #[must_use]
    pub fn requests(&self) -> Vec<((&'static str, &'static str, u16), u64)> {
        self.api().requests.iter().map(|(key, count)| (*key, *count)).collect()
    }

    /// Times of requests, by path.
    #[must_use]
    pub fn latency(&self) -> Vec<(&'static str, TimeHistogram)> {
        self.api().latency.iter().map(|(path, times)| (*path, times.clone())).collect()
    }

    /// Times of changes.
    #[must_use]
    pub fn changes(&self) -> TimeHistogram {
        self.api().changes.clone()
    }

    /// Changes and answers that wait.
    #[must_use]
    pub fn waiting(&self) -> (usize, usize) {
        (self.changes_waiting.load(Ordering::Relaxed), self.answers_waiting.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_on_a_bound_falls_below_it() {
        let mut times = TimeHistogram::default();
        times.observe(Duration::from_millis(1));
        times.observe(Duration::from_micros(1_001));
        times.observe(Duration::from_secs(60));
        let cumulative: Vec<u64> = times.cumulative().collect();
        assert_eq!(cumulative, [0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
        assert_eq!(times.count(), 3);
        assert!((times.sum() - 60.002_001).abs() < 1e-9);
    }
}
