//! The requests of an open-loop victim, next to an aggressor and alone, one by one.
//!
//! A client makes its requests at times of its own, the same in both runs, so each request has a
//! counterpart. If the run next to the aggressor is cut, requests that had little time are left out
//! in both, by a rule that does not depend on their duration: made less than [`GRACE`] times the
//! 99th percentile alone before the end.

use std::collections::BTreeMap;

use philae_results::record::{RunRecord, RunStatus};
use philae_units::JobId;
use serde::{Deserialize, Serialize};

use super::beside::Timing;

/// Minimum time of a counted request, in multiples of the 99th percentile alone. Source: ours.
/// Status: assumed.
const GRACE: f64 = 3.0;

/// The outcome of a job's requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Requests {
    /// Answered requests, by number: when they were made, and their duration, in ps.
    answered: BTreeMap<u32, (f64, f64)>,
    /// How long the job was observed, in ps.
    watched: f64,
    /// Whether all were answered.
    whole: bool,
}

impl Requests {
    /// Reads the requests of a job that starts at `start_ps`.
    pub fn of(record: &RunRecord, job: JobId, start_ps: u64) -> Self {
        let since = |time: u64| time.saturating_sub(start_ps) as f64;
        let rows = record.iterations.iter().filter(|row| row.job == job);
        Self {
            answered: rows.map(|row| (row.iteration, (since(row.start.0), (row.end.0 - row.start.0) as f64))).collect(),
            watched: since(record.simulated.0),
            whole: record.status == RunStatus::Completed,
        }
    }

    /// From the job's start until the last answer, plus enough time for the last request to be
    /// counted, in ps.
    pub fn window_ps(&self) -> u64 {
        let last = self.answered.values().map(|(made, took)| made + took).fold(0.0, f64::max);
        (last + self.grace()) as u64
    }

    fn grace(&self) -> f64 {
        GRACE * self.timing().p99_ps
    }

    /// Durations of requests that were all answered.
    pub fn timing(&self) -> Timing {
        Timing::of_lengths(self.answered.values().map(|&(_, took)| took).collect(), false)
    }

    /// The same requests alone and next to an aggressor. An unanswered one counts with its waiting
    /// time at the end.
    pub fn pair(&self, beside: &Self) -> (Timing, Timing) {
        let grace = self.grace();
        let (mut times_alone, mut times_beside, mut bound) = (Vec::new(), Vec::new(), false);
        for (number, &(made, alone)) in &self.answered {
            let answered = beside.answered.get(number);
            if !beside.whole && made + grace > beside.watched {
                continue;
            }
            bound |= answered.is_none();
            times_alone.push(alone);
            times_beside.push(answered.map_or(beside.watched - made, |&(_, took)| took));
        }
        if times_alone.is_empty() {
            return (self.timing(), Timing { bound: true, by_iteration: Vec::new(), ..self.timing() });
        }
        (Timing::of_lengths(times_alone, false), Timing::of_lengths(times_beside, bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(answered: &[(u32, f64, f64)], watched: f64, whole: bool) -> Requests {
        let answered = answered.iter().map(|&(number, made, took)| (number, (made, took))).collect();
        Requests { answered, watched, whole }
    }

    #[test]
    fn requests_are_paired_and_late_ones_left_out_whatever_became_of_them() {
        let alone = requests(&[(0, 0.0, 10.0), (1, 100.0, 10.0), (2, 475.0, 10.0), (3, 900.0, 10.0)], 1_000.0, true);
        assert_eq!(alone.window_ps(), 910 + 30);
        // Request 1 is not answered within 400; request 2 is, but was made less than 30 before the
        // end.
        let beside = requests(&[(0, 0.0, 20.0), (2, 475.0, 10.0)], 500.0, false);
        let (before, after) = alone.pair(&beside);
        assert_eq!((before.by_iteration, before.bound), (vec![10.0, 10.0], false));
        assert_eq!((after.by_iteration, after.bound), (vec![20.0, 400.0], true));
        let (before, after) = alone.pair(&alone);
        assert_eq!((before.by_iteration.len(), after.by_iteration.len(), after.bound), (4, 4, false));
        let (_, nothing) = alone.pair(&requests(&[], 5.0, false));
        assert!(nothing.bound && nothing.by_iteration.is_empty() && nothing.mean_ps == 10.0);
    }
}
