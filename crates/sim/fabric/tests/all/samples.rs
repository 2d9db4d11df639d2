//! Samples of links: a packet's transmission is spread over the intervals that it covers.

use std::sync::Arc;

use crate::common::draw::{draw_config, draw_jobs, draw_topology, pick};
use crate::common::{config, job, run, topology};
use philae_engine::RandomStream;
use philae_fabric::{RecordOptions, RunOptions};
use philae_results::columns::ColumnValues;
use philae_results::record::RunRecord;
use philae_results::tables::collect_table;
use philae_results::timeline::{TimelineOptions, write_timeline};
use philae_results::utilisation::{Utilisation, group_pairs};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::Picoseconds;

fn system() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(3, 3, 3, 1))
}

fn sampled(interval_ps: u64, limit_ps: u64) -> RunRecord {
    let options = RunOptions {
        time_limit: Picoseconds(limit_ps),
        records: RecordOptions { sample_interval: Picoseconds(interval_ps), ..RecordOptions::default() },
        ..RunOptions::default()
    };
    let jobs = vec![job("all", 0..27, "kind = 'alltoall'\nbytes = '6KiB'\niterations = 2", 1)];
    run(&system(), config("slingshot"), options, jobs).expect("it runs")
}

/// Also where an interval is shorter than a packet, or the run ends during one.
#[test]
fn no_link_is_used_above_its_rate_in_any_interval() {
    for interval_ns in [1, 2, 7, 10, 50, 88, 333, 2_000, 1_000_000] {
        for limit_ns in [1_900, 2_345, 3_001, 1_000_000] {
            let record = sampled(interval_ns * 1_000, limit_ns * 1_000);
            for role in Utilisation::of(&record).roles {
                let most = role.mean_over_time.iter().chain(&role.max_over_time).copied().fold(role.max, f64::max);
                assert!(most <= 1.0, "{interval_ns} ns, {limit_ns} ns: {:?} at {most}", role.role);
                assert!(role.mean <= 1.0 && role.busiest_port <= 1.0, "{interval_ns} ns: {role:?}");
            }
        }
    }
}

/// The same with any law, hardware, jobs, warm-up and interval, in all that shows a utilisation:
/// the summary, its curves, the tables, the timeline.
#[test]
fn no_link_is_used_above_its_rate_whatever_runs() {
    let mut random = RandomStream::new(11, 0, 0);
    let mut full = 0;
    for number in 0..60 {
        let system = draw_topology(&mut random);
        let jobs = draw_jobs(&mut random, &system, number);
        let interval = Picoseconds::from_nanos(pick(&mut random, &[50, 777, 5_000, 40_000]));
        let options = RunOptions {
            time_limit: Picoseconds::from_micros(pick(&mut random, &[9, 40, 100_000])),
            warm_up: Picoseconds::from_nanos(pick(&mut random, &[0, 3_333, 8_000])),
            records: RecordOptions { sample_interval: interval, ..RecordOptions::default() },
            ..RunOptions::default()
        };
        let Ok(record) = run(&system, draw_config(&mut random), options, jobs) else { continue };
        let found = Utilisation::of(&record);
        for port in &found.ports {
            assert!(port.mean <= 1.0 && port.mean <= port.max && port.max <= 1.0, "{number}: {port:?}");
            assert!(port.stalled <= 1.0, "{number}: {port:?}");
            full += u32::from(port.max > 0.999);
        }
        for role in &found.roles {
            assert!(role.mean <= 1.0 && role.busiest_port <= role.max && role.max <= 1.0, "{number}: {role:?}");
            let most = role.mean_over_time.iter().chain(&role.max_over_time).copied().fold(0.0, f64::max);
            assert!(most <= 1.0, "{number}: {:?} at {most} in an interval", role.role);
        }
        let pairs = group_pairs(&record, &found).mean;
        assert!(pairs.iter().flatten().flatten().all(|mean| *mean <= 1.0), "{number}: {pairs:?}");
        let column = column_of(&record, "ports", "utilisation");
        assert!(column.iter().all(|share| (0.0..=1.0).contains(share)), "{number}: {column:?}");
        assert_eq!(column.len(), record.ports.len());
        let percents = timeline_percents(&record);
        assert!(percents.iter().all(|percent| (0.0..=100.0).contains(percent)), "{number}: {percents:?}");
    }
    assert!(full > 50, "{full} ports were full in an interval: otherwise this shows nothing");
}

/// The numbers of a table's column.
fn column_of(record: &RunRecord, table: &str, column: &str) -> Vec<f64> {
    let table = collect_table(record, table).expect("a table").expect("it fits into memory");
    let column = table.columns.into_iter().find(|found| found.name == column).expect("a column");
    let ColumnValues::Double(values) = column.values else { panic!("numbers") };
    values
}

/// The utilisations of the busiest links in a timeline.
fn timeline_percents(record: &RunRecord) -> Vec<f64> {
    let options = TimelineOptions {
        jobs: Vec::new(),
        ranks_max: 0,
        links: 1_000,
        ports: Vec::new(),
        from: 0,
        until: u64::MAX,
        events_max: 1_000_000,
    };
    let mut written = Vec::new();
    write_timeline(record, "", &options, &mut written).expect("memory takes it");
    let text = String::from_utf8(written).expect("UTF-8");
    let values = text.split("\"percent\":").skip(1).map(|rest| rest.split('}').next());
    values.map(|value| value.and_then(|value| value.parse().ok()).expect("a number")).collect()
}

/// However short the intervals are, their sums are the same, and so is the order of events.
#[test]
fn the_length_of_intervals_changes_no_sum_and_no_digest() {
    let sum = |record: &RunRecord| record.ports.iter().map(|sample| sample.bytes.0).sum::<u64>();
    let packets = |record: &RunRecord| record.ports.iter().map(|sample| u64::from(sample.packets)).sum::<u64>();
    let long = sampled(1_000_000_000, u64::MAX);
    assert!(sum(&long) > 0);
    for interval_ps in [1_000, 10_000, 88_000, 2_000_000] {
        let short = sampled(interval_ps, u64::MAX);
        assert_eq!((sum(&short), packets(&short)), (sum(&long), packets(&long)), "{interval_ps} ps");
        assert_eq!(short.digest, long.digest);
    }
}
