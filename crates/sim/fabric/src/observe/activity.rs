//! Activities of ranks over time, for timelines. If a run's options want them, the recorder asks
//! programs at each step.
//!
//! An activity lasts from the first step that reports it to the first step that does not, or that
//! ends its iteration. The recorder also keeps computation, delays and waits. A wait lasts from a
//! program's last operation to its next step, unless a delay is in progress.

mod saved;

use std::collections::BTreeMap;

use philae_results::record::{ActivityRow, RunRecord};
use philae_units::{JobId, Picoseconds, RankId};
use philae_workload::{Action, Activities, Activity, Op, OpHandle, Progress};

use crate::model::config::ActivityOptions;
use crate::model::partition::Partition;

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

impl Partition {
    /// Job and rank, if the rank is watched.
    fn watched_rank(&self, local: u32) -> Option<(JobId, RankId)> {
        let number = self.host.ranks[local as usize].number_and_core().0;
        let options = &self.record.recorder.rows.activities.as_ref()?.options;
        let job = self.shared.places.ranks[number as usize].job;
        let rank = number - self.shared.places.rank_base[usize::from(job)];
        (rank < options.ranks_max && options.jobs.contains(&JobId(job))).then_some((JobId(job), RankId(rank)))
    }

    /// A rank's program has taken a step. Its `actions` are carried out after this.
    pub fn note_activities(&mut self, local: u32, completed: Option<OpHandle>, actions: &[Action]) {
        let Some((job, rank)) = self.watched_rank(local) else { return };
        let program = &self.host.ranks[local as usize];
        let time = self.clock.now().max(program.number_and_core().1);
        let Some(noted) = &mut self.record.recorder.rows.activities else { return };
        let entry = noted.ranks.entry(local).or_insert_with(|| OfRank {
            job,
            rank,
            open: Vec::new(),
            waits: None,
            delays: Vec::new(),
            rows: 0,
        });
        entry.delays.retain(|&delay| Some(delay) != completed);
        let mut report = std::mem::take(&mut noted.report);
        program.activities(&mut report);
        let ends = actions.iter().any(|action| matches!(action, Action::IterationEnd(_)));
        // On each line the outermost activities stay that are still reported. What lies within an
        // activity that ended also ends.
        let mut changed: Vec<u32> = Vec::new();
        let mut stays = vec![false; entry.open.len()];
        let mut begun: Activities = Vec::new();
        let lines: std::collections::BTreeSet<u32> =
            report.iter().map(|reported| reported.0).chain(entry.open.iter().map(|open| open.0)).collect();
        for line in lines {
            let reported: Vec<Activity> =
                report.iter().filter(|reported| reported.0 == line).map(|reported| reported.1).collect();
            let open: Vec<usize> = (0..entry.open.len()).filter(|&index| entry.open[index].0 == line).collect();
            let same = open
                .iter()
                .zip(&reported)
                .take_while(|&(&index, reported)| entry.open[index].1 == *reported && !ends)
                .count();
            open[..same].iter().for_each(|&index| stays[index] = true);
            begun.extend(reported[same..].iter().map(|&activity| (line, activity)));
            if same < open.len() || same < reported.len() {
                changed.push(line);
            }
        }
        if !actions.is_empty() || changed.contains(&0) {
            noted.end_wait(local, time);
        }
        noted.close(local, time, |index| stays[index]);
        if let Some(entry) = noted.ranks.get_mut(&local) {
            entry.open.extend(begun.into_iter().map(|(line, activity)| (line, activity, time)));
        }
        report.clear();
        noted.report = report;
    }

    /// A rank starts an operation at `time`. The end of computations and delays is known now.
    pub fn note_span(&mut self, local: u32, handle: OpHandle, op: Op, time: u64) {
        let (name, span) = match op {
            Op::Compute { time } => ("compute", time.0),
            Op::Delay { time } => ("delay", time.0),
            _ => return,
        };
        let Some(noted) = &mut self.record.recorder.rows.activities else { return };
        let Some(rank) = noted.ranks.get_mut(&local) else { return };
        if matches!(op, Op::Delay { .. }) {
            rank.delays.push(handle);
        }
        noted.keep(local, (0, DEEPEST, Activity::new(name, 0)), time, time + span);
    }

    /// A rank has carried out its actions. It waits from when its core is free, unless a delay is
    /// in progress.
    pub fn note_wait(&mut self, local: u32, progress: Progress) {
        let time = self.clock.now().max(self.host.ranks[local as usize].number_and_core().1);
        let noted = self.record.recorder.rows.activities.as_mut().and_then(|noted| noted.ranks.get_mut(&local));
        if let Some(rank) = noted.filter(|rank| rank.waits.is_none() && rank.delays.is_empty()) {
            rank.waits = (progress == Progress::Running).then_some(time);
        }
    }
}
