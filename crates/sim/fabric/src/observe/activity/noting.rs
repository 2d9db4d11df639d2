//! Notes activities at each step of a rank.

use philae_units::{JobId, RankId};
use philae_workload::{Action, Activities, Activity, Op, OpHandle, Progress};

use super::{DEEPEST, OfRank};
use crate::partition::Partition;

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
