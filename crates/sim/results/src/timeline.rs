//! A run as a timeline in Chrome's JSON trace format, which ui.perfetto.dev and chrome://tracing
//! show.
//!
//! A process for each job, with tracks for each rank: its iterations with its nested activities
//! (`tracks.rs`), the messages that it has issued, and the messages that it receives. Messages have
//! as many lanes as are in flight at the same time, so their slices never overlap. An arrow joins
//! the two ends of a message. A process for links: utilisation and longest queue of the busiest
//! ones as counters, and congestion events as instants. Events are written one by one; in addition
//! to the record, memory holds only the order of messages and of activities, and the ends of lanes.
//!
//! Format: "Trace Event Format" (Google, Chromium's documentation): `ts` and `dur` are
//! microseconds. Viewers keep whole nanoseconds and round `ts` and `dur` separately, so neighbours
//! with picoseconds would overlap: times are rounded down to nanoseconds here.

pub mod check;
mod tracks;

use std::collections::BTreeMap;
use std::io::{self, Write};

use philae_units::{JobId, PortIndex};
use serde_json::json;

use crate::names::RowNames;
use crate::record::{MessageRow, PortSample, RunRecord};
use crate::utilisation::interval_share;
use tracks::{TrackKind, Tracks};

/// Process number of the links; jobs count from 1.
const LINKS: u32 = 1_000_000;
/// Track of a process that has only one.
const ONLY: u32 = 0;
/// One nanosecond, in picoseconds: the resolution of viewers.
const NANOSECOND: u64 = 1_000;

/// The contents of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Jobs that are shown; empty: all.
    pub jobs: Vec<JobId>,
    /// Ranks of each job that are shown, from 0 on.
    pub ranks_max: u32,
    /// Links that are shown: the busiest ones.
    pub links: usize,
    /// Further ports whose links are shown.
    pub ports: Vec<PortIndex>,
    /// Events that end before this are left out, in picoseconds.
    pub from: u64,
    /// Events that begin at this or later are left out, in picoseconds.
    pub until: u64,
    /// Maximum number of events written, without those that name tracks.
    pub events_max: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimelineCounts {
    /// Events written, without those that name tracks.
    pub events: u64,
    /// Events beyond the requested maximum.
    pub left_out: u64,
}

/// Writes the timeline of a run.
///
/// # Errors
/// When `out` refuses.
pub fn write_timeline(
    record: &RunRecord,
    title: &str,
    options: &TimelineOptions,
    out: &mut dyn Write,
) -> io::Result<TimelineCounts> {
    let mut trace = Trace { out, first: true, counts: TimelineCounts::default(), most: options.events_max };
    trace.out.write_all(b"{\"traceEvents\":[\n")?;
    let shown = Shown { record, names: RowNames::new(record), options };
    let mut tracks = Tracks::default();
    shown.ranks(&mut trace, &mut tracks)?;
    shown.links(&mut trace)?;
    shown.congestion(&mut trace)?;
    shown.messages(&mut trace, &mut tracks)?;
    trace.counts.left_out += 2 * record.activities_left_out;
    let counts = trace.counts;
    let note = match counts.left_out {
        0 => String::new(),
        more => format!("{more} events left out: events_max = {}", options.events_max),
    };
    if counts.left_out > 0 {
        trace.meta(LINKS, ONLY, "process_labels", &json!({ "labels": note }))?;
    }
    let other = json!({
        "title": title,
        "digest": format!("{:016x}", record.digest),
        "events": counts.events,
        "left_out": counts.left_out,
        "note": note,
    });
    write!(trace.out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{other}}}\n")?;
    trace.out.flush()?;
    Ok(counts)
}

/// Writes events.
struct Trace<'w> {
    out: &'w mut dyn Write,
    first: bool,
    counts: TimelineCounts,
    most: u64,
}

/// Picoseconds as microseconds, in whole nanoseconds.
fn microseconds(time: u64) -> String {
    let nanoseconds = time / NANOSECOND;
    format!("{}.{:03}", nanoseconds / 1_000, nanoseconds % 1_000)
}

/// The length of a slice in microseconds: its end in nanoseconds less its start in nanoseconds.
fn length(start: u64, end: u64) -> String {
    microseconds((end / NANOSECOND - start / NANOSECOND) * NANOSECOND)
}

impl Trace<'_> {
    /// One event; `more` are its further members, each after a comma.
    fn line(&mut self, ph: &str, (pid, tid): (u32, u32), ts: u64, name: &str, more: &str) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.first) { "" } else { ",\n" };
        let (ts, name) = (microseconds(ts), serde_json::Value::from(name));
        write!(self.out, "{comma}{{\"ph\":\"{ph}\",\"pid\":{pid},\"tid\":{tid},\"ts\":{ts},\"name\":{name}{more}}}")
    }

    /// The end of the innermost slice of a track.
    fn end(&mut self, (pid, tid): (u32, u32), ts: u64) -> io::Result<()> {
        write!(self.out, ",\n{{\"ph\":\"E\",\"pid\":{pid},\"tid\":{tid},\"ts\":{}}}", microseconds(ts))
    }

    /// Names a process or a track: not counted.
    fn meta(&mut self, pid: u32, tid: u32, name: &str, args: &serde_json::Value) -> io::Result<()> {
        self.line("M", (pid, tid), 0, name, &format!(",\"args\":{args}"))
    }

    /// Whether `events` more, which belong together, may be written; counts them as written or as
    /// left out.
    fn admits(&mut self, events: u64) -> bool {
        let admits = self.counts.events + events <= self.most && self.counts.left_out == 0;
        *(if admits { &mut self.counts.events } else { &mut self.counts.left_out }) += events;
        admits
    }
}

/// The shown part of a record.
struct Shown<'r> {
    record: &'r RunRecord,
    names: RowNames<'r>,
    options: &'r TimelineOptions,
}

impl Shown<'_> {
    fn shows(&self, job: JobId, start: u64, end: u64) -> bool {
        let options = self.options;
        (options.jobs.is_empty() || options.jobs.contains(&job)) && self.within(start, end)
    }

    const fn within(&self, start: u64, end: u64) -> bool {
        end >= self.options.from && start < self.options.until
    }

    fn messages(&self, trace: &mut Trace<'_>, tracks: &mut Tracks) -> io::Result<()> {
        let mut order: Vec<u32> = (0..self.record.messages.len() as u32).collect();
        order.sort_by_key(|&at| (self.record.messages[at as usize].issued, at));
        for at in order {
            let row = &self.record.messages[at as usize];
            let (start, end) = (row.issued.0, row.delivered.0);
            let ranks = self.options.ranks_max;
            let (near, far) = (row.source.0 < ranks, row.destination.0 < ranks);
            if !self.shows(row.job, start, end) || !(near || far) {
                continue;
            }
            let events = if near && far { 4 } else { 1 };
            if trace.admits(events) {
                self.message(trace, tracks, at, row, (near, far))?;
            }
        }
        Ok(())
    }

    fn message(
        &self,
        trace: &mut Trace<'_>,
        tracks: &mut Tracks,
        id: u32,
        row: &MessageRow,
        (near, far): (bool, bool),
    ) -> io::Result<()> {
        let (start, end) = (row.issued.0, row.delivered.0);
        let args = json!({ "bytes": row.bytes.0, "kind": row.kind.as_str(), "class": self.names.class(row.class) });
        let more = format!(",\"cat\":\"message\",\"dur\":{},\"args\":{args}", length(start, end));
        let mut slice = |trace: &mut Trace<'_>, rank: u32, kind, name: &str| -> io::Result<(u32, u32)> {
            let lane = tracks.lane((row.job, rank, kind), start, end);
            let track = tracks.track(trace, &self.names, (row.job, rank, kind, lane))?;
            trace.line("X", track, start, name, &more)?;
            Ok(track)
        };
        let mut ends = [None, None];
        if near {
            ends[0] = Some(slice(trace, row.source.0, TrackKind::Issued, &format!("to {}", row.destination))?);
        }
        if far {
            ends[1] = Some(slice(trace, row.destination.0, TrackKind::Arriving, &format!("from {}", row.source))?);
        }
        if let [Some(from), Some(to)] = ends {
            // Arrows join slices, so they end within: at the last nanosecond.
            let arrow = format!(",\"cat\":\"message\",\"id\":{id}");
            trace.line("s", from, start, "message", &arrow)?;
            let last = start.max(end.saturating_sub(NANOSECOND));
            trace.line("f", to, last, "message", &format!("{arrow},\"bp\":\"e\""))?;
        }
        Ok(())
    }

    fn links(&self, trace: &mut Trace<'_>) -> io::Result<()> {
        let mut busiest: BTreeMap<PortIndex, u64> = BTreeMap::new();
        for row in &self.record.ports {
            *busiest.entry(row.port).or_insert(0) += row.bytes.0;
        }
        let mut order: Vec<(PortIndex, u64)> = busiest.into_iter().collect();
        order.sort_by_key(|&(port, bytes)| (std::cmp::Reverse(bytes), port));
        let mut chosen = self.options.ports.clone();
        chosen.extend(order.into_iter().take(self.options.links).map(|(port, _)| port));
        chosen.sort_unstable();
        chosen.dedup();
        trace.meta(LINKS, ONLY, "process_name", &json!({ "name": "links and congestion" }))?;
        // The interval after the last one in which a link appeared, by port.
        let mut after: BTreeMap<PortIndex, u32> = BTreeMap::new();
        for row in self.record.ports.iter().filter(|row| chosen.binary_search(&row.port).is_ok()) {
            if let Some(&idle) = after.get(&row.port).filter(|&&idle| idle < row.interval) {
                self.sample(trace, row.port, idle, None)?;
            }
            self.sample(trace, row.port, row.interval, Some(row))?;
            after.insert(row.port, row.interval + 1);
        }
        for (port, idle) in after {
            self.sample(trace, port, idle, None)?;
        }
        Ok(())
    }

    /// Counters of a port from the start of an interval on; zero if nothing was recorded.
    fn sample(
        &self,
        trace: &mut Trace<'_>,
        port: PortIndex,
        interval: u32,
        row: Option<&PortSample>,
    ) -> io::Result<()> {
        let length = self.record.sample_interval.0;
        let start = u64::from(interval) * length;
        let Some(info) = self.names.port(port) else { return Ok(()) };
        if !self.within(start, start + length) || start > self.record.simulated.0 || !trace.admits(2) {
            return Ok(());
        }
        let name = format!("switch {}:{} ({})", info.switch, info.port, info.role.as_str());
        let span = length.min(self.record.simulated.0.saturating_sub(start));
        let busy = row.and_then(|row| interval_share(row.bytes.0, info.rate, span)).unwrap_or(0.0) * 100.0;
        let queued = row.map_or(0, |row| row.queued_bytes_max.0);
        let args = format!(",\"cat\":\"link\",\"args\":{{\"percent\":{busy:.3}}}");
        trace.line("C", (LINKS, ONLY), start, &format!("{name} utilisation"), &args)?;
        let args = format!(",\"cat\":\"link\",\"args\":{{\"bytes\":{queued}}}");
        trace.line("C", (LINKS, ONLY), start, &format!("{name} longest queue"), &args)
    }

    fn congestion(&self, trace: &mut Trace<'_>) -> io::Result<()> {
        for row in &self.record.congestion {
            let time = row.time.0;
            if !self.within(time, time) || !trace.admits(1) {
                continue;
            }
            let place = self.names.port(row.port).map(|info| format!("switch {}:{}", info.switch, info.port));
            let args = json!({
                "port": place,
                "source_endpoint": row.source.map(|endpoint| endpoint.0),
                "destination_endpoint": row.destination.map(|endpoint| endpoint.0),
                "value": row.value,
            });
            let more = format!(",\"cat\":\"congestion\",\"s\":\"p\",\"args\":{args}");
            trace.line("i", (LINKS, ONLY), time, row.kind.as_str(), &more)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
