//! An offered load is a schedule: it does not slip, and latency counts from it.

use std::collections::BTreeSet;

use crate::common::{config, job, run, topology};
use philae_fabric::{FabricConfig, RunOptions};
use philae_results::RunSummary;
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

const RANKS: u32 = 16;

fn record_of(core_ns: u32, kind: &str) -> RunRecord {
    let system = topology(DragonflyDescription::uniform(2, 2, 4, 1));
    let config = FabricConfig {
        host: philae_nic_model::HostParameters { send_overhead_ns: core_ns, ..config("slingshot").host },
        ..config("slingshot")
    };
    let options = RunOptions { time_limit: Picoseconds::from_micros(400), ..RunOptions::default() };
    // A message every 409.6 ns in the mean.
    let workload =
        format!("kind = '{kind}'\nbytes = '1KiB'\niterations = 200\noffered = {{ load = 0.1, rate_gbps = 200 }}");
    run(&system, config, options, vec![job("load", 0..RANKS, &workload, 3)]).expect("it runs")
}

/// When messages count as issued, by sender and receiver.
fn issued(record: &RunRecord) -> BTreeSet<(u32, u32, u64)> {
    record.messages.iter().map(|row| (row.source.0, row.destination.0, row.issued.0)).collect()
}

#[test]
fn the_schedule_is_the_same_however_slow_the_core_is() {
    for kind in ["uniform-random", "shift", "permutation", "bisection"] {
        let [free, quick, slow] = [0, 300, 3_000].map(|core_ns| record_of(core_ns, kind));
        assert_eq!(issued(&free).len(), RANKS as usize * 200, "{kind}");
        assert_eq!(issued(&free), issued(&quick), "{kind}: nothing slips");
        // The slow core has not begun all of them when the run ends.
        assert!(issued(&slow).len() < issued(&free).len() && issued(&slow).is_subset(&issued(&free)), "{kind}");
        assert_ne!(free.digest, quick.digest, "the core does take its time");
    }
}

#[test]
fn a_slow_core_is_named_and_its_queue_is_in_the_latency() {
    let summary = |record: &RunRecord| RunSummary::of(record).jobs.remove(0);
    let [quick, slow] = [100, 3_000].map(|core_ns| record_of(core_ns, "uniform-random"));
    let (fast, late) = (summary(&quick), summary(&slow));
    assert_eq!(fast.offered_gbps, Some(320.0), "16 ranks, a tenth of 200 Gb/s each");
    assert!(late.delivered_gbps < 0.3 * 320.0, "one message in 3 µs is a seventh: {}", late.delivered_gbps);
    let mean = |job: &philae_results::summary::JobSummary| job.message_latency.expect("messages").mean_ps;
    let core = late.core_wait_mean_ps.expect("messages begin");
    assert!(core > 50_000_000.0 && fast.core_wait_mean_ps.expect("messages begin") < 1_000_000.0, "{core}");
    assert!(mean(&late) > core * 0.5 && mean(&late) > 20.0 * mean(&fast), "the wait for the core is latency");
    let warnings = slow.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("cores cannot keep up"), "{warnings:?}");
    assert_eq!(quick.warnings(), Vec::<String>::new());
}

#[test]
fn a_bound_on_outstanding_messages_that_limits_the_load_is_named() {
    let with = |outstanding_max| {
        let system = topology(DragonflyDescription::uniform(2, 2, 4, 1));
        let options = RunOptions { time_limit: Picoseconds::from_micros(100), ..RunOptions::default() };
        // A message every 164 ns, and each is outstanding for some microseconds.
        let workload = format!(
            "kind = 'uniform-random'\nbytes = '1KiB'\noffered = {{ load = 0.25, rate_gbps = 200, outstanding_max = {outstanding_max} }}"
        );
        let mut hardware = config("slingshot");
        hardware.host.send_overhead_ns = 0;
        run(&system, hardware, options, vec![job("load", 0..RANKS, &workload, 3)]).expect("it runs")
    };
    let (few, many) = (with(2), with(1_024));
    let warnings = few.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("`outstanding_max`"), "{warnings:?}");
    assert_eq!(many.warnings(), Vec::<String>::new());
}

/// Issued, delivered and not delivered add up, and the table has the delivered ones.
#[test]
fn messages_are_counted_once() {
    let system = topology(DragonflyDescription::uniform(2, 2, 4, 1));
    for (warm_up, limit) in [(0, 40), (10, 120), (20, 125)] {
        let options = RunOptions {
            time_limit: Picoseconds::from_micros(limit),
            warm_up: Picoseconds::from_micros(warm_up),
            ..RunOptions::default()
        };
        let workload = "kind = 'uniform-random'\nbytes = '30KiB'\niterations = 100000";
        let record = run(&system, config("none"), options, vec![job("load", 0..RANKS, workload, 3)]).expect("it runs");
        let job = RunSummary::of(&record).jobs.remove(0);
        let delivered = job.message_latency.expect("messages").count;
        assert_eq!(delivered, record.messages.len() as u64, "the table has the same messages");
        assert!(record.messages.iter().all(|row| row.issued >= record.measured_from), "warm-up {warm_up}");
        assert_eq!(job.messages_issued, delivered + job.messages_undelivered);
        assert!(job.messages_undelivered > 0, "a window is open when the run ends");
        assert_eq!(record.message_latency[0].count(), delivered);
    }
}
