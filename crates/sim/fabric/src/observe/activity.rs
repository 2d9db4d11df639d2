//! Activities of ranks over time, for timelines. If a run's options want them, the recorder asks
//! programs at each step.
//!
//! An activity lasts from the first step that reports it to the first step that does not, or that
//! ends its iteration. The recorder also keeps computation, delays and waits. A wait lasts from a
//! program's last operation to its next step, unless a delay is in progress.

mod noting;

mod saved;

use std::collections::BTreeMap;

use philae_results::record::{ActivityRow, RunRecord};
use philae_units::{JobId, Picoseconds, RankId};
use philae_workload::{Activities, Activity, OpHandle};

use crate::model::config::ActivityOptions;

/// Depth of what is not an activity of a program: computation, delays, waits.
const DEEPEST: u8 = u8::MAX;

/// Recorded activities, and those in progress.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "saved::SavedActivities", try_from = "saved::SavedActivities")]
pub struct ActivityRecorder {
    options: ActivityOptions,
    /// Watched ranks that have begun, by their index in the partition.
    ranks: BTreeMap<u32, OfRank>,
    rows: Vec<ActivityRow>,
    left_out: u64,
    /// Scratch list.
    report: Activities,
}

/// Activities in progress on one rank.
#[derive(Clone)]
struct OfRank {
    job: JobId,
    rank: RankId,
    /// Each with its line and its start, in picoseconds, in the order in which the program reports
    /// them.
    open: Vec<(u32, Activity, u64)>,
    /// When its wait began, in picoseconds.
    waits: Option<u64>,
    /// Delays in progress.
    delays: Vec<OpHandle>,
    rows: u64,
}

impl ActivityRecorder {
    pub const fn new(options: ActivityOptions) -> Self {
        Self { options, ranks: BTreeMap::new(), rows: Vec::new(), left_out: 0, report: Vec::new() }
    }

    /// Adds an activity to the rows, if it is in the asked-for time. `of` is the rank's index in
    /// the partition.
    fn keep(&mut self, of: u32, (line, depth, activity): (u32, u8, Activity), start: u64, end: u64) {
        let Some(rank) = self.ranks.get_mut(&of) else { return };
        if end < self.options.from.0 || start >= self.options.until.0 {
            return;
        }
        if rank.rows >= self.options.rows_of_rank_max {
            self.left_out += 1;
            return;
        }
        rank.rows += 1;
        self.rows.push(ActivityRow {
            job: rank.job,
            rank: rank.rank,
            line,
            depth,
            name: activity.name,
            of: activity.of,
            number: activity.number,
            start: Picoseconds(start),
            end: Picoseconds(end),
        });
    }

    /// Ends at `time` the activities in progress that are not in `stays`, a list of places.
    fn close(&mut self, of: u32, time: u64, stays: impl Fn(usize) -> bool) {
        let Some(rank) = self.ranks.get_mut(&of) else { return };
        let (mut kept, mut ended) = (Vec::new(), Vec::new());
        let mut depths: BTreeMap<u32, u8> = BTreeMap::new();
        for (index, open) in std::mem::take(&mut rank.open).into_iter().enumerate() {
            let depth = depths.entry(open.0).or_insert(0);
            if stays(index) {
                kept.push(open);
            } else {
                ended.push((open, *depth));
            }
            *depth = depth.saturating_add(1).min(DEEPEST - 1);
        }
        rank.open = kept;
        for ((line, activity, start), depth) in ended {
            self.keep(of, (line, depth, activity), start, time);
        }
    }

    fn end_wait(&mut self, of: u32, time: u64) {
        let since = self.ranks.get_mut(&of).and_then(|rank| rank.waits.take());
        if let Some(since) = since.filter(|&since| since < time) {
            self.keep(of, (0, DEEPEST, Activity::new("wait", 0)), since, time);
        }
    }

    /// Ends all activities at the end of the run, and adds the rows to the record.
    pub fn finish(mut self, simulated: u64, record: &mut RunRecord) {
        for of in self.ranks.keys().copied().collect::<Vec<_>>() {
            self.end_wait(of, simulated);
            self.close(of, simulated, |_| false);
        }
        // The core may be busy beyond the end.
        let end = Picoseconds(simulated);
        self.rows.retain_mut(|row| {
            row.end = row.end.min(end);
            row.start <= end
        });
        record.activities.append(&mut self.rows);
        record.activities_left_out += self.left_out;
    }
}
