use philae_units::{Picoseconds, RankId};
use serde_json::Value;

use super::*;
use crate::record::{ActivityRow, IterationRow};
use crate::synthetic;

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
fn check(trace: &Value) -> check::Phases {
    check::check(trace).expect("it follows the rules")
}

/// An activity: name, line, depth, start and end.
fn activity((name, line, depth): (&'static str, u32, u8), start: u64, end: u64) -> ActivityRow {
    let (start, end) = (Picoseconds(start), Picoseconds(end));
    ActivityRow { job: JobId(0), rank: RankId(1), line, depth, name, of: "", number: 0, start, end }
}

#[test]
fn a_timeline_follows_the_rules_of_its_format() {
    let (trace, counts) = written(&synthetic::record(3, 20), &options());
    check(&trace);
    let of = |phase: &str| {
        let events = trace["traceEvents"].as_array().expect("a list");
        events.iter().filter(|event| event["ph"] == phase).count() as u64
    };
    for phase in ["B", "E", "X", "s", "f", "C", "i"] {
        assert!(of(phase) > 0, "{phase}");
    }
    assert_eq!(counts.events, of("B") + of("E") + of("X") + of("s") + of("f") + of("C") + of("i"));
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
fn times_are_whole_nanoseconds() {
    assert_eq!(microseconds(999), "0.000");
    assert_eq!(microseconds(12_345_678), "12.345");
    assert_eq!(length(12_345_678, 13_345_123), "1.000", "the end is in the same nanosecond as 13.345 us");
}

#[test]
fn what_a_rank_does_lies_in_its_iterations() {
    let mut record = synthetic::empty_record();
    record.jobs = synthetic::record(3, 1).jobs;
    let iteration = |iteration, start, end| {
        let (start, end) = (Picoseconds(start), Picoseconds(end));
        IterationRow { job: JobId(0), rank: RankId(1), iteration, start, end }
    };
    record.iterations = vec![iteration(0, 1_500, 9_900_100), iteration(1, 9_900_100, 20_000_000)];
    record.activities = vec![
        activity(("wait", 0, u8::MAX), 5_000_000, 9_900_100),
        activity(("allreduce", 0, 0), 4_000_700, 9_900_100),
        activity(("compute", 0, u8::MAX), 1_500, 4_000_700),
        activity(("nothing", 0, 0), 9_900_100, 9_900_100),
        // It does not nest, so it has a track of its own.
        activity(("delay", 0, u8::MAX), 8_000_000, 12_000_000),
        activity(("bcast", 3, 0), 3_000_000, 11_000_000),
    ];
    let (trace, counts) = written(&record, &options());
    check(&trace);
    assert_eq!((counts.events, counts.left_out), (16, 0));
    let events = trace["traceEvents"].as_array().expect("a list");
    let tracks: BTreeMap<u64, &str> = events
        .iter()
        .filter(|event| event["name"] == "thread_name")
        .map(|event| (event["tid"].as_u64().expect("a track"), event["args"]["name"].as_str().expect("a name")))
        .collect();
    let mut found = Vec::new();
    let mut open: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for event in events {
        let track = event["tid"].as_u64().expect("a track");
        match event["ph"].as_str() {
            Some("B") => {
                let around = open.entry(track).or_default();
                around.push(event["name"].as_str().expect("a name"));
                found.push(format!("{}: {}", tracks[&track], around.join("/")));
            }
            Some("E") => assert!(open.get_mut(&track).and_then(Vec::pop).is_some()),
            _ => {}
        }
    }
    found.sort_unstable();
    let expected = [
        "rank 1 [1]: delay",
        "rank 1 beside [0]: bcast",
        "rank 1: iteration 0",
        "rank 1: iteration 0/allreduce",
        "rank 1: iteration 0/allreduce/wait",
        "rank 1: iteration 0/compute",
        "rank 1: iteration 1",
        "rank 1: iteration 1/nothing",
    ];
    assert_eq!(found, expected);
}
