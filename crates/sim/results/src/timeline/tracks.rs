//! The tracks of ranks, and the nested slices of their activities.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use philae_units::JobId;
use serde_json::json;

use super::{ONLY, Shown, Trace};
use crate::names::RowNames;
use crate::record::ActivityRow;

/// The kind of a track of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TrackKind {
    /// Iterations, and the activities in them.
    Main,
    /// Activities concurrent with the main line: nonblocking collectives.
    Beside,
    Issued,
    Arriving,
}

/// Track numbers of a rank that a viewer keeps between those of its kinds.
const LANES_SHOWN_APART: u64 = 250;

/// Tracks that exist: by job, rank, kind and lane.
#[derive(Default)]
pub(super) struct Tracks {
    numbers: BTreeMap<(JobId, u32, TrackKind, usize), u32>,
    /// When the lanes of a rank's tracks become free.
    lanes: BTreeMap<(JobId, u32, TrackKind), Vec<u64>>,
}

impl Tracks {
    /// The track of a rank's lane, named if it is new.
    pub fn track(
        &mut self,
        trace: &mut Trace<'_>,
        names: &RowNames<'_>,
        (job, rank, kind, lane): (JobId, u32, TrackKind, usize),
    ) -> io::Result<(u32, u32)> {
        let pid = u32::from(job.0) + 1;
        let next = self.numbers.len() as u32 + 1;
        if let Some(&tid) = self.numbers.get(&(job, rank, kind, lane)) {
            return Ok((pid, tid));
        }
        if self.numbers.keys().all(|(other, ..)| *other != job) {
            trace.meta(pid, ONLY, "process_name", &json!({ "name": names.job(job).unwrap_or("job") }))?;
        }
        self.numbers.insert((job, rank, kind, lane), next);
        let name = match kind {
            TrackKind::Main if lane == 0 => format!("rank {rank}"),
            TrackKind::Main => format!("rank {rank} [{lane}]"),
            TrackKind::Beside => format!("rank {rank} beside [{lane}]"),
            TrackKind::Issued => format!("rank {rank} issued [{lane}]"),
            TrackKind::Arriving => format!("rank {rank} arriving [{lane}]"),
        };
        trace.meta(pid, next, "thread_name", &json!({ "name": name }))?;
        let place = (u64::from(rank) * 4 + kind as u64) * LANES_SHOWN_APART + (lane as u64).min(LANES_SHOWN_APART - 1);
        trace.meta(pid, next, "thread_sort_index", &json!({ "sort_index": place }))?;
        Ok((pid, next))
    }

    /// A free lane at `start`, taken until `end`.
    pub fn lane(&mut self, key: (JobId, u32, TrackKind), start: u64, end: u64) -> usize {
        let lanes = self.lanes.entry(key).or_default();
        let lane = lanes.iter().position(|&free| free <= start).unwrap_or(lanes.len());
        if lane == lanes.len() {
            lanes.push(0);
        }
        // A slice without length also takes its place, so that no two of one track begin at the
        // same time.
        lanes[lane] = end.max(start + 1);
        lane
    }
}

/// A slice of a rank's track that may lie within others.
struct Slice<'r> {
    start: u64,
    end: u64,
    what: What<'r>,
}

#[derive(Clone, Copy)]
enum What<'r> {
    Iteration(u32),
    Activity(&'r ActivityRow),
}

impl Slice<'_> {
    /// Outer ones first.
    fn order(&self) -> (u64, Reverse<u64>, u16) {
        let depth = match self.what {
            What::Iteration(_) => 0,
            What::Activity(row) => 1 + u16::from(row.depth),
        };
        (self.start, Reverse(self.end), depth)
    }

    fn begin(&self, trace: &mut Trace<'_>, track: (u32, u32)) -> io::Result<()> {
        let (category, name, args) = match self.what {
            What::Iteration(number) => ("iteration", format!("iteration {number}"), json!({ "number": number })),
            What::Activity(row) => {
                let name = if row.of.is_empty() { row.name.to_owned() } else { format!("{} {}", row.name, row.of) };
                let core = row.depth == u8::MAX;
                (if core { "core" } else { "activity" }, name, json!({ "number": row.number }))
            }
        };
        trace.line("B", track, self.start, &name, &format!(",\"cat\":\"{category}\",\"args\":{args}"))
    }
}

impl Shown<'_> {
    /// Iterations and activities, rank by rank.
    pub(super) fn ranks(&self, trace: &mut Trace<'_>, tracks: &mut Tracks) -> io::Result<()> {
        let iterations = self.record.iterations.iter().map(|row| {
            let slice = Slice { start: row.start.0, end: row.end.0, what: What::Iteration(row.iteration) };
            ((row.job, row.rank.0, TrackKind::Main), slice)
        });
        let activities = self.record.activities.iter().map(|row| {
            let kind = if row.line == 0 { TrackKind::Main } else { TrackKind::Beside };
            ((row.job, row.rank.0, kind), Slice { start: row.start.0, end: row.end.0, what: What::Activity(row) })
        });
        let mut of_tracks: BTreeMap<(JobId, u32, TrackKind), Vec<Slice<'_>>> = BTreeMap::new();
        for (track, slice) in iterations.chain(activities) {
            if track.1 < self.options.ranks_max && self.shows(track.0, slice.start, slice.end) {
                of_tracks.entry(track).or_default().push(slice);
            }
        }
        for ((job, rank, kind), mut slices) in of_tracks {
            slices.sort_by_key(Slice::order);
            self.nested(trace, tracks, (job, rank, kind), &slices)?;
        }
        Ok(())
    }

    /// Slices of a rank, each in the first lane in which it nests or does not overlap.
    fn nested(
        &self,
        trace: &mut Trace<'_>,
        tracks: &mut Tracks,
        (job, rank, kind): (JobId, u32, TrackKind),
        slices: &[Slice<'_>],
    ) -> io::Result<()> {
        // For each lane the ends of its open slices, and its track.
        let mut lanes: Vec<(Vec<u64>, (u32, u32))> = Vec::new();
        for slice in slices {
            if !trace.admits(2) {
                continue;
            }
            let mut place = None;
            for (lane, (open, track)) in lanes.iter_mut().enumerate() {
                while let Some(end) = open.pop_if(|end| *end <= slice.start) {
                    trace.end(*track, end)?;
                }
                if place.is_none() && open.last().is_none_or(|end| *end >= slice.end) {
                    place = Some(lane);
                }
            }
            let lane = place.unwrap_or(lanes.len());
            if lane == lanes.len() {
                lanes.push((Vec::new(), tracks.track(trace, &self.names, (job, rank, kind, lane))?));
            }
            slice.begin(trace, lanes[lane].1)?;
            lanes[lane].0.push(slice.end);
        }
        for (open, track) in lanes {
            for end in open.into_iter().rev() {
                trace.end(track, end)?;
            }
        }
        Ok(())
    }
}
