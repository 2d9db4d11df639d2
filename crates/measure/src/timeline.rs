//! A run as a timeline in Chrome's JSON trace format, which ui.perfetto.dev and chrome://tracing show.
//!
//! A process for each job, with tracks for each rank: its iterations, the messages that it has issued and the messages
//! that are for it, in as many lanes as are in flight at once, so that slices of one track never overlap. An arrow goes from the
//! one to the other. A process for links: utilisation and longest queue of the busiest ones as counters, and
//! congestion events as instants. Events are written one by one; what is kept besides the record is the order of messages and the
//! ends of lanes.
//!
//! Format: "Trace Event Format" (Google, Chromium's documentation): `ts` and `dur` are microseconds.

use std::collections::BTreeMap;
use std::io::{self, Write};

use philae_units::{JobId, PortIndex};
use serde_json::json;

use crate::names::Names;
use crate::record::{MessageRow, PortSample, RunRecord};
use crate::utilisation::share;

/// Process number of the links; jobs count from 1.
const LINKS: u32 = 1_000_000;
/// Track of a process that has one only.
const ONLY: u32 = 0;
/// One nanosecond, in picoseconds: what viewers resolve.
const NANOSECOND: u64 = 1_000;

/// What a timeline shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Jobs that are shown; empty: all.
    pub jobs: Vec<JobId>,
    /// Ranks of each job that are shown, from 0 on.
    pub ranks_max: u32,
    /// Links that are shown: the busiest ones.
    pub links: usize,
    /// Ports whose links are shown besides.
    pub ports: Vec<PortIndex>,
    /// What ends before this is left out, in picoseconds.
    pub from: u64,
    /// What begins at this or later is left out, in picoseconds.
    pub until: u64,
    /// Events that are written at most, those that name tracks not counted.
    pub events_max: u64,
}

/// How much a timeline has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimelineCounts {
    /// Events written, those that name tracks not counted.
    pub events: u64,
    /// Events beyond the most that was asked for.
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
    let shown = Shown { record, names: Names::new(record), options };
    let mut tracks = Tracks::default();
    shown.iterations(&mut trace, &mut tracks)?;
    shown.links(&mut trace)?;
    shown.congestion(&mut trace)?;
    shown.messages(&mut trace, &mut tracks)?;
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

/// Picoseconds as microseconds, without loss.
fn microseconds(time: u64) -> String {
    format!("{}.{:06}", time / 1_000_000, time % 1_000_000)
}

impl Trace<'_> {
    /// One event; `more` are its further members, each after a comma.
    fn line(&mut self, ph: &str, (pid, tid): (u32, u32), ts: u64, name: &str, more: &str) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.first) { "" } else { ",\n" };
        let (ts, name) = (microseconds(ts), serde_json::Value::from(name));
        write!(self.out, "{comma}{{\"ph\":\"{ph}\",\"pid\":{pid},\"tid\":{tid},\"ts\":{ts},\"name\":{name}{more}}}")
    }

    /// Names a process or a track: not counted.
    fn meta(&mut self, pid: u32, tid: u32, name: &str, args: &serde_json::Value) -> io::Result<()> {
        self.line("M", (pid, tid), 0, name, &format!(",\"args\":{args}"))
    }

    /// Whether `events` more, which belong together, may be written; counts them as written or as left out.
    fn admits(&mut self, events: u64) -> bool {
        let admits = self.counts.events + events <= self.most && self.counts.left_out == 0;
        *(if admits { &mut self.counts.events } else { &mut self.counts.left_out }) += events;
        admits
    }
}

/// Which kind of track of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Iterations,
    Issued,
    Arriving,
}

/// Tracks that exist: by job, rank, kind and lane.
#[derive(Default)]
struct Tracks {
    numbers: BTreeMap<(JobId, u32, Kind, usize), u32>,
    /// When the lanes of a rank's tracks are free.
    lanes: BTreeMap<(JobId, u32, Kind), Vec<u64>>,
}

impl Tracks {
    /// The track of a rank's lane, named when it is new.
    fn track(
        &mut self,
        trace: &mut Trace<'_>,
        names: &Names<'_>,
        (job, rank, kind, lane): (JobId, u32, Kind, usize),
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
            Kind::Iterations if lane == 0 => format!("rank {rank}"),
            Kind::Iterations => format!("rank {rank} [{lane}]"),
            Kind::Issued => format!("rank {rank} issued [{lane}]"),
            Kind::Arriving => format!("rank {rank} arriving [{lane}]"),
        };
        trace.meta(pid, next, "thread_name", &json!({ "name": name }))?;
        let place = u64::from(rank) * 1_000 + kind as u64 * 400 + lane.min(399) as u64;
        trace.meta(pid, next, "thread_sort_index", &json!({ "sort_index": place }))?;
        Ok((pid, next))
    }

    /// A lane that is free at `start`, taken until `end`.
    fn lane(&mut self, key: (JobId, u32, Kind), start: u64, end: u64) -> usize {
        let lanes = self.lanes.entry(key).or_default();
        let lane = lanes.iter().position(|&free| free <= start).unwrap_or(lanes.len());
        if lane == lanes.len() {
            lanes.push(0);
        }
        // A slice without length takes its place too, so that no two of one track begin at one time.
        lanes[lane] = end.max(start + 1);
        lane
    }
}

/// What is shown of a record.
struct Shown<'r> {
    record: &'r RunRecord,
    names: Names<'r>,
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

    fn iterations(&self, trace: &mut Trace<'_>, tracks: &mut Tracks) -> io::Result<()> {
        let mut order: Vec<u32> = (0..self.record.iterations.len() as u32).collect();
        order.sort_by_key(|&at| (self.record.iterations[at as usize].start, at));
        for at in order {
            let row = &self.record.iterations[at as usize];
            let (start, end) = (row.start.0, row.end.0);
            if row.rank.0 >= self.options.ranks_max || !self.shows(row.job, start, end) || !trace.admits(1) {
                continue;
            }
            let lane = tracks.lane((row.job, row.rank.0, Kind::Iterations), start, end);
            let track = tracks.track(trace, &self.names, (row.job, row.rank.0, Kind::Iterations, lane))?;
            let more = format!(",\"cat\":\"iteration\",\"dur\":{}", microseconds(end - start));
            trace.line("X", track, start, &format!("iteration {}", row.iteration), &more)?;
        }
        Ok(())
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
        let more = format!(",\"cat\":\"message\",\"dur\":{},\"args\":{args}", microseconds(end - start));
        let mut slice = |trace: &mut Trace<'_>, rank: u32, kind, name: &str| -> io::Result<(u32, u32)> {
            let lane = tracks.lane((row.job, rank, kind), start, end);
            let track = tracks.track(trace, &self.names, (row.job, rank, kind, lane))?;
            trace.line("X", track, start, name, &more)?;
            Ok(track)
        };
        let mut ends = [None, None];
        if near {
            ends[0] = Some(slice(trace, row.source.0, Kind::Issued, &format!("to {}", row.destination))?);
        }
        if far {
            ends[1] = Some(slice(trace, row.destination.0, Kind::Arriving, &format!("from {}", row.source))?);
        }
        if let [Some(from), Some(to)] = ends {
            // Arrows join slices, so they end within: at the last nanosecond.
            let arrow = format!(",\"cat\":\"message\",\"id\":{id}");
            trace.line("s", from, start, "message", &arrow)?;
            let last = if end - start >= 2 * NANOSECOND { end - NANOSECOND } else { start };
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
        // The interval after the last that a link was seen in, by port.
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

    /// Counters of a port from the start of an interval on; zero where nothing was recorded.
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
        let busy = row.and_then(|row| share(row.bytes.0, info.rate, span)).unwrap_or(0.0) * 100.0;
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
mod tests {
    use super::*;
    use crate::synthetic;
    use serde_json::Value;

    fn options() -> TimelineOptions {
        TimelineOptions {
            jobs: Vec::new(),
            ranks_max: 64,
            links: 8,
            ports: Vec::new(),
            from: 0,
            until: u64::MAX,
            events_max: 100_000,
        }
    }

    fn written(record: &RunRecord, options: &TimelineOptions) -> (Value, TimelineCounts) {
        let mut bytes = Vec::new();
        let counts = write_timeline(record, "a \"run\"", options, &mut bytes).expect("memory takes all");
        (serde_json::from_slice(&bytes).expect("JSON"), counts)
    }

    /// The rules of the format.
    fn check(trace: &Value) {
        let events = trace["traceEvents"].as_array().expect("a list");
        let mut slices: BTreeMap<(u64, u64), Vec<(f64, f64)>> = BTreeMap::new();
        let mut arrows: BTreeMap<u64, [u32; 2]> = BTreeMap::new();
        let mut named = std::collections::BTreeSet::new();
        for event in events {
            let number = |name: &str| event[name].as_u64().unwrap_or_else(|| panic!("{name} in {event}"));
            let (track, ts) = ((number("pid"), number("tid")), event["ts"].as_f64().expect("a time"));
            assert!(ts >= 0.0 && event["name"].is_string(), "{event}");
            match event["ph"].as_str().expect("a phase") {
                "M" => {
                    named.insert(track);
                }
                "X" => {
                    assert!(named.contains(&track), "a track is named before it is used: {event}");
                    let dur = event["dur"].as_f64().expect("a length");
                    assert!(dur >= 0.0);
                    slices.entry(track).or_default().push((ts, dur));
                }
                "s" => arrows.entry(number("id")).or_default()[0] += 1,
                "f" => {
                    assert_eq!(event["bp"], "e");
                    arrows.entry(number("id")).or_default()[1] += 1;
                }
                "C" => assert!(event["args"].as_object().is_some_and(|args| args.values().all(Value::is_number))),
                "i" => assert!(["g", "p", "t"].contains(&event["s"].as_str().expect("a scope"))),
                other => panic!("{other} is not written"),
            }
        }
        for (track, mut found) in slices {
            found.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
            let apart = found.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0 + 1e-9);
            assert!(apart, "slices of {track:?} overlap");
        }
        assert!(arrows.values().all(|ends| *ends == [1, 1]), "each arrow has a beginning and an end");
    }

    #[test]
    fn a_timeline_follows_the_rules_of_its_format() {
        let (trace, counts) = written(&synthetic::record(3, 20), &options());
        check(&trace);
        let of = |phase: &str| {
            let events = trace["traceEvents"].as_array().expect("a list");
            events.iter().filter(|event| event["ph"] == phase).count() as u64
        };
        for phase in ["X", "s", "f", "C", "i"] {
            assert!(of(phase) > 0, "{phase}");
        }
        assert_eq!(counts.events, of("X") + of("s") + of("f") + of("C") + of("i"));
        assert_eq!((counts.left_out, &trace["otherData"]["title"]), (0, &Value::from("a \"run\"")));
    }

    #[test]
    fn what_is_beyond_the_limit_is_counted_and_noted() {
        let record = synthetic::record(3, 20);
        let all = written(&record, &options()).1.events;
        for most in [0, 1, 50, all - 1] {
            let (trace, counts) = written(&record, &TimelineOptions { events_max: most, ..options() });
            check(&trace);
            assert!(counts.events <= most && counts.events + counts.left_out == all, "{counts:?} of {all}");
            assert_eq!(trace["otherData"]["left_out"], counts.left_out);
            let note = trace["otherData"]["note"].as_str().expect("a note");
            assert!(note.contains(&format!("events_max = {most}")), "{note}");
        }
    }

    #[test]
    fn jobs_ranks_links_and_time_narrow_it() {
        let record = synthetic::record(3, 20);
        let all = written(&record, &options()).1.events;
        let middle = record.simulated.0 / 2;
        for narrow in [
            TimelineOptions { jobs: vec![JobId(0)], ..options() },
            TimelineOptions { ranks_max: 1, ..options() },
            TimelineOptions { links: 0, ..options() },
            TimelineOptions { until: middle, ..options() },
            TimelineOptions { from: middle, ..options() },
        ] {
            let (trace, counts) = written(&record, &narrow);
            check(&trace);
            assert!(counts.events < all && counts.left_out == 0, "{narrow:?}: {counts:?} of {all}");
        }
    }

    #[test]
    fn times_are_exact() {
        assert_eq!(microseconds(1), "0.000001");
        assert_eq!(microseconds(12_345_678), "12.345678");
    }
}
