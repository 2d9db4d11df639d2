//! Traffic classes in the fabric: each parameter has its documented effect.

use crate::common::{config, job, run, topology};
use philae_congestion::CongestionLaw;
use philae_fabric::{FabricConfig, Job, RunOptions};
use philae_results::record::RunRecord;
use philae_switch::port::Fairness;
use philae_topology::{DragonflyDescription, FatTreeDescription};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{ClassId, Picoseconds};

/// Measured time, after a warm-up of the same length.
const HALF_US: u64 = 150;

fn classes(classes: &[TrafficClass]) -> FabricConfig {
    let mut config = config("slingshot");
    config.classes = ClassSet::new(classes.to_vec(), 8).expect("a legal set");
    config
}

fn class(name: &str, assured: u32) -> TrafficClass {
    TrafficClass { assured_percent: assured, ..TrafficClass::named(name) }
}

fn in_class(class: u8, job: Job) -> Job {
    Job { class: ClassId(class), ..job }
}

/// Two jobs of four pairs each that stream in both directions between two leaves, over two uplinks.
fn two_streams() -> Vec<Job> {
    let stream = |name, first: u32| {
        let nodes = (first..first + 4).chain(8 + first..12 + first);
        job(name, nodes, "kind = 'bisection'\nbytes = '64KiB'\nwindow = 8", 1)
    };
    vec![in_class(0, stream("one", 0)), in_class(1, stream("two", 4))]
}

fn record(config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let system = topology(FatTreeDescription::two_level(2, 8, 2));
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(2 * HALF_US),
        warm_up: Picoseconds::from_micros(HALF_US),
        ..RunOptions::default()
    };
    run(&system, config, options, jobs).expect("it runs")
}

/// Share of the delivered payload that each job has.
fn shares(record: &RunRecord) -> Vec<f64> {
    let sum: u64 = record.jobs.iter().map(|job| job.delivered.0).sum();
    record.jobs.iter().map(|job| job.delivered.0 as f64 / sum as f64).collect()
}

/// Payload delivered to a job, in Gb/s.
fn gbps(record: &RunRecord, job: usize) -> f64 {
    record.jobs[job].delivered.0 as f64 * 8.0 / (HALF_US as f64 * 1e3)
}

fn assert_close(measured: f64, expected: f64, tolerance: f64) {
    assert!((measured - expected).abs() <= tolerance, "{measured} is not {expected} within {tolerance}");
}

#[test]
fn without_shares_two_classes_share_a_link_evenly() {
    assert_close(shares(&record(classes(&[class("a", 0), class("b", 0)]), two_streams()))[0], 0.5, 0.02);
}

#[test]
fn the_assured_share_is_kept_and_the_rest_goes_to_the_lower() {
    let shares = shares(&record(classes(&[class("a", 80), class("b", 10)]), two_streams()));
    assert_close(shares[0], 0.80, 0.03);
    assert_close(shares[1], 0.20, 0.03);
}

#[test]
fn an_idle_class_lends_its_share_but_not_its_reserve() {
    let one = || vec![two_streams().remove(1)];
    let whole = gbps(&record(classes(&[class("a", 80), class("b", 10)]), one()), 0);
    let reserved = TrafficClass { reserved_percent: 40, ..class("a", 80) };
    let rest = gbps(&record(classes(&[reserved, class("b", 10)]), one()), 0);
    assert!(whole > 700.0, "two uplinks of 200 Gb/s carry {whole} both ways");
    assert_close(rest / whole, 0.6, 0.03);
}

#[test]
fn a_ceiling_holds_on_an_idle_link() {
    let low = TrafficClass { ceiling_percent: 30, ..class("b", 0) };
    let free = gbps(&record(classes(&[class("a", 0), class("b", 0)]), vec![two_streams().remove(1)]), 0);
    let held = gbps(&record(classes(&[class("a", 0), low]), vec![two_streams().remove(1)]), 0);
    assert_close(held / free, 0.3, 0.02);
}

/// Mean time of a small allreduce in class 1, next to bursts in class 0 that use less than their
/// assured bandwidth.
fn allreduce_ns(config: FabricConfig) -> f64 {
    let small = job("small", [4, 5, 6, 7, 12, 13, 14, 15], "kind = 'allreduce'\nbytes = '8B'\niterations = 12", 1);
    let bursts = "kind = 'bisection'\nbytes = '64KiB'\noffered = { load = 0.3, rate_gbps = 200 }";
    let mut jobs = vec![job("bursts", [0, 1, 2, 3, 8, 9, 10, 11], bursts, 1)];
    jobs.push(in_class(1, Job { start: Picoseconds::from_micros(HALF_US), ..small }));
    let record = record(config, jobs);
    let of_small = record.iterations.iter().filter(|row| row.job.index() == 1);
    let spans: Vec<f64> = of_small.map(|row| (row.end.0 - row.start.0) as f64 / 1e3).collect();
    assert!(!spans.is_empty(), "iterations end");
    spans.iter().sum::<f64>() / spans.len() as f64
}

#[test]
fn priority_shortens_the_wait_of_a_small_message() {
    let with = |priority| {
        let small = TrafficClass { priority, ..class("small", 5) };
        allreduce_ns(classes(&[TrafficClass { priority: 3, ..class("bulk", 90) }, small]))
    };
    let (low, high) = (with(0), with(7));
    assert!(high < 0.97 * low, "priority 7 takes {high} ns, priority 0 {low} ns");
}

#[test]
fn order_bias_reserve_window_and_responses_change_a_result() {
    let digest = |config| record(config, two_streams()).digest;
    let both = |changed: TrafficClass| classes(&[class("a", 40), changed]);
    let before = digest(both(class("b", 40)));
    assert_eq!(before, digest(both(class("b", 40))), "the same again");
    assert_ne!(before, digest(both(TrafficClass { ordered: Some(true), ..class("b", 40) })), "ordered");
    let mut window = both(class("b", 40));
    window.switch.class_window_ns = 500;
    assert_ne!(before, digest(window), "class_window_ns");
    // If only credits hold an incast back, it fills what others have not reserved.
    let filled = |reserve| {
        let mut config = classes(&[TrafficClass { buffer_reserve_bytes: reserve, ..class("a", 40) }, class("b", 40)]);
        config.congestion = CongestionLaw::None;
        let incast = job("incast", [0, 8, 9, 10, 11], "kind = 'incast'\nbytes = '256KiB'", 1);
        record(config, vec![in_class(1, incast), two_streams().remove(0)]).digest
    };
    assert_ne!(filled(None), filled(Some(100_000)), "buffer_reserve_bytes");
    // Data that is read travels in the class of responses.
    let get = |responses: Option<&str>| {
        let mut request = class("a", 0);
        request.responses = responses.map(str::to_owned);
        let slow = TrafficClass { ceiling_percent: 20, ..class("b", 0) };
        let job = job("get", [0, 8, 9, 10, 11], "kind = 'incast'\nbytes = '64KiB'\noperation = 'get'", 1);
        gbps(&record(classes(&[request, slow]), vec![job]), 0)
    };
    let (own, other) = (get(None), get(Some("b")));
    assert!(other < 0.5 * own, "responses in a class of 20 % bring {other} Gb/s, in their own {own}");
}

#[test]
fn the_bias_of_a_class_keeps_it_on_minimal_paths() {
    use philae_topology::DragonflyDescription;
    let system = topology(DragonflyDescription::uniform(5, 4, 4, 1));
    let nonminimal = |bias: Option<u32>| {
        let config = classes(&[TrafficClass { nonminimal_bias_percent: bias, ..class("a", 0) }, class("b", 0)]);
        let options = RunOptions { time_limit: Picoseconds::from_micros(200), ..RunOptions::default() };
        // Group to group: one link of minimal capacity.
        let shift = job("shift", 0..80, "kind = 'shift'\nby = 16\nbytes = '64KiB'", 1);
        let record = run(&system, config, options, vec![shift]).expect("it runs");
        record.packet_hops as f64 / record.packets_delivered as f64
    };
    let (free, biased) = (nonminimal(None), nonminimal(Some(100_000)));
    assert!(biased < free - 0.3, "{biased} switches per packet with the bias, {free} without");
}

#[test]
fn a_paused_class_does_not_stop_another_of_the_same_nic() {
    let mean_us = |second: u8| {
        let incast = job("incast", [0, 8, 9, 10, 11, 12, 13, 14, 15], "kind = 'incast'\nbytes = '1MiB'", 1);
        let victim = job("victim", [8, 9, 10, 11], "kind = 'allreduce'\nbytes = '8B'\niterations = 10", 1);
        let victim = Job { start: Picoseconds::from_micros(HALF_US), ..victim };
        let mut config = classes(&[class("a", 0), class("b", 0)]);
        config.switch.pause_on_bytes = 60_000;
        config.switch.pause_off_bytes = 40_000;
        let record = record(config, vec![incast, in_class(second, victim)]);
        let spans: Vec<u64> =
            record.iterations.iter().filter(|row| row.job.index() == 1).map(|row| row.end.0 - row.start.0).collect();
        spans.iter().sum::<u64>() as f64 / spans.len() as f64 / 1e6
    };
    let (same, other) = (mean_us(0), mean_us(1));
    assert!(other < 0.5 * same, "{other} us in a class of its own, {same} us in that of the incast");
}

#[test]
fn more_classes_than_the_switch_has_are_refused() {
    let mut config = config("slingshot");
    config.classes = ClassSet::new(vec![class("a", 0), class("b", 0), class("c", 0)], 8).expect("legal");
    config.switch.classes_max = 2;
    let system = topology(FatTreeDescription::two_level(2, 8, 2));
    let refused = run(&system, config, RunOptions::default(), two_streams()).expect_err("three classes");
    assert!(refused.to_string().contains("2 classes at most"), "{refused}");
    let mut config = classes(&[TrafficClass { buffer_reserve_bytes: Some(300_000), ..class("a", 0) }, class("b", 0)]);
    config.switch.classes_max = 8;
    let refused = run(&system, config, RunOptions::default(), two_streams()).expect_err("no room");
    assert!(refused.to_string().contains("lower class.buffer_reserve_bytes"), "{refused}");
}

#[test]
fn a_lossy_class_loses_packets_under_incast_and_still_delivers_all() {
    let incast = |lossy: bool, queue: Option<u32>| {
        let class = TrafficClass { lossy, queue_max_bytes: queue, ..TrafficClass::named("only") };
        let mut hardware = config("none");
        hardware.classes = ClassSet::new(vec![class], 8).expect("a class");
        hardware.resilience.retry.packet_timeout_ns = 300_000;
        hardware.resilience.retry.unordered_delay_ms = 0;
        hardware.resilience.retry.retry_step_ms = 0;
        hardware.resilience.retry.retries_max = 200;
        let jobs = vec![job("incast", 0..32, "kind = 'incast'\nbytes = '64KiB'\niterations = 2", 1)];
        let system = topology(DragonflyDescription::uniform(2, 4, 4, 2));
        run(&system, hardware, RunOptions::default(), jobs).expect("it runs")
    };
    let (kept, lost, larger) = (incast(false, None), incast(true, None), incast(true, Some(200_000)));
    assert_eq!(kept.packets_discarded, 0);
    assert!(lost.packets_discarded > 100 && larger.packets_discarded < lost.packets_discarded);
    assert!(lost.retry_totals.retries >= lost.packets_discarded);
    assert_eq!(lost.messages.len(), kept.messages.len());
}

#[test]
fn a_nic_divides_its_output_among_classes_too() {
    // Two jobs on the same node: at the NIC there is one link for both.
    let share = |host: Option<u32>| {
        let class = |name: &str, assured, host| TrafficClass {
            assured_percent: assured,
            host_assured_percent: host,
            ..TrafficClass::named(name)
        };
        let mut hardware = config("slingshot");
        hardware.classes = ClassSet::new(vec![class("a", 70, host), class("b", 10, None)], 8).expect("classes");
        let stream = "kind = 'permutation'\nbytes = '64KiB'";
        let mut jobs = vec![job("a", [0, 4], stream, 1), job("b", [0, 5], stream, 1)];
        jobs[1].class = ClassId(1);
        let system = topology(DragonflyDescription::uniform(1, 2, 4, 2));
        let limit = Picoseconds::from_micros(400);
        let options = RunOptions { time_limit: limit, ..RunOptions::default() };
        let record = run(&system, hardware, options, jobs).expect("it runs");
        record.jobs[0].delivered.0 as f64 / record.jobs[1].delivered.0 as f64
    };
    let (fabric, even) = (share(None), share(Some(10)));
    // Both jobs send in both directions: the returning data shares the switch's output, where the
    // classes have their shares of the fabric.
    assert!(fabric > even + 0.5, "70 and 10 per cent at the NIC: {fabric}; 10 and 10: {even}");
}

#[test]
fn an_incast_in_one_class_leaves_the_other_its_promise() {
    // Without congestion control, so that only the classes separate the two.
    let latency_p99 = |incast: bool, class: &str| {
        let mut hardware = config("none");
        // Fair to flows, an output would keep the two apart in one class too.
        hardware.switch.fairness = Fairness::Input;
        hardware.classes =
            ClassSet::new(philae_traffic_class::profile("HPC").expect("built in"), 8).expect("a legal set");
        let class_id = |name: &str| ClassId(hardware.classes.position(name).expect("of the profile") as u8);
        let (low, bulk) = (class_id(class), class_id("BD"));
        // Both run through the same switches and links.
        let mut victim = job("victim", (0..32).step_by(2), "kind = 'allreduce'\nbytes = '8B'\niterations = 200", 1);
        victim.class = low;
        let mut jobs = vec![victim];
        if incast {
            jobs.push(Job { class: bulk, ..job("incast", (1..32).step_by(2), "kind = 'incast'\nbytes = '128KiB'", 1) });
        }
        let system = topology(DragonflyDescription::uniform(2, 4, 4, 1));
        let record = run(&system, hardware, RunOptions::default(), jobs).expect("it runs");
        record.message_latency[0].percentile(99.0).expect("messages")
    };
    let quiet = latency_p99(false, "LL");
    let (apart, together) = (latency_p99(true, "LL"), latency_p99(true, "BD"));
    // LL is assured 15 % and goes first: a message waits for a packet on the link, not for the
    // queue.
    assert!(apart < quiet * 3 / 2, "p99 {apart} ns beside an incast in another class, {quiet} ns alone");
    assert!(together > apart * 2, "p99 {together} ns in the incast's class");
}
