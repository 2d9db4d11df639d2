//! Activities in a checkpoint. Each name, which is a word of the programs, is written once.

use std::collections::{BTreeMap, BTreeSet};

use philae_results::record::ActivityRow;
use philae_units::{JobId, Picoseconds, RankId};
use philae_workload::{Activity, OpHandle};
use serde::{Deserialize, Serialize};

use super::{ActivityRecorder, OfRank};
use crate::model::config::ActivityOptions;

/// The saved form of an [`ActivityRecorder`].
#[derive(Serialize, Deserialize)]
pub struct SavedActivities {
    options: ActivityOptions,
    /// Names of activities and of their owners.
    names: Vec<String>,
    ranks: Vec<(u32, SavedRank)>,
    rows: Vec<SavedRow>,
    left_out: u64,
}

/// An activity: indices of its names, and its number.
type SavedActivity = (u32, u32, u32);

#[derive(Serialize, Deserialize)]
struct SavedRank {
    job: JobId,
    rank: RankId,
    open: Vec<(u32, SavedActivity, u64)>,
    waits: Option<u64>,
    delays: Vec<u32>,
    rows: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedRow {
    job: JobId,
    rank: RankId,
    line: u32,
    depth: u8,
    activity: SavedActivity,
    start: Picoseconds,
    end: Picoseconds,
}

impl From<ActivityRecorder> for SavedActivities {
    fn from(recorder: ActivityRecorder) -> Self {
        let open = recorder.ranks.values().flat_map(|rank| &rank.open).map(|open| open.1);
        let noted = recorder.rows.iter().map(|row| Activity { name: row.name, of: row.of, number: row.number });
        let names: BTreeSet<&str> = open.chain(noted).flat_map(|activity| [activity.name, activity.of]).collect();
        let name_indices: BTreeMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let saved = |name: &str, of: &str, number| (name_indices[name], name_indices[of], number);
        let rank = |rank: &OfRank| SavedRank {
            job: rank.job,
            rank: rank.rank,
            open: (rank
                .open
                .iter()
                .map(|(line, activity, start)| (*line, saved(activity.name, activity.of, activity.number), *start)))
            .collect(),
            waits: rank.waits,
            delays: rank.delays.iter().map(|handle| handle.0).collect(),
            rows: rank.rows,
        };
        let row = |row: &ActivityRow| SavedRow {
            job: row.job,
            rank: row.rank,
            line: row.line,
            depth: row.depth,
            activity: saved(row.name, row.of, row.number),
            start: row.start,
            end: row.end,
        };
        Self {
            ranks: recorder.ranks.iter().map(|(&of, of_rank)| (of, rank(of_rank))).collect(),
            rows: recorder.rows.iter().map(row).collect(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            options: recorder.options,
            left_out: recorder.left_out,
        }
    }
}

impl TryFrom<SavedActivities> for ActivityRecorder {
    type Error = String;

    fn try_from(saved: SavedActivities) -> Result<Self, String> {
        // As with the programs themselves, rows name their activities as long as the process lasts.
        // There are a few dozen names.
        let names: Vec<&'static str> = saved.names.into_iter().map(|name| &*Box::leak(name.into_boxed_str())).collect();
        let named = |(name, of, number): SavedActivity| -> Result<Activity, String> {
            let word = |index: u32| {
                let found = names.get(index as usize).copied();
                found.ok_or_else(|| format!("activity name {index} of {}", names.len()))
            };
            Ok(Activity { name: word(name)?, of: word(of)?, number })
        };
        let mut ranks = BTreeMap::new();
        for (of, rank) in saved.ranks {
            let open = rank.open.into_iter().map(|(line, activity, start)| Ok((line, named(activity)?, start)));
            let open = open.collect::<Result<_, String>>()?;
            let delays = rank.delays.into_iter().map(OpHandle).collect();
            let (job, waits, rows) = (rank.job, rank.waits, rank.rows);
            ranks.insert(of, OfRank { job, rank: rank.rank, open, waits, delays, rows });
        }
        let row = |row: SavedRow| -> Result<ActivityRow, String> {
            let Activity { name, of, number } = named(row.activity)?;
            let SavedRow { job, rank, line, depth, start, end, .. } = row;
            Ok(ActivityRow { job, rank, line, depth, name, of, number, start, end })
        };
        let rows = saved.rows.into_iter().map(row).collect::<Result<_, String>>()?;
        Ok(Self { options: saved.options, ranks, rows, left_out: saved.left_out, report: Vec::new() })
    }
}
