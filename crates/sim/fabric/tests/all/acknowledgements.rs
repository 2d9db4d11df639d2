//! Acknowledgements of packets take time of the link in the other direction.

use crate::common::{config, job, run, topology, without_responses};
use philae_fabric::{FabricConfig, Job, RunOptions};
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// When the small message is sent.
const SENT_US: u64 = 1_000;

/// Interval in which ports are sampled.
const INTERVAL_US: u64 = 10;

/// Two switches with one link between them; nodes 0 to 3 are on the first.
fn record(config: FabricConfig, end_us: u64, jobs: Vec<Job>) -> RunRecord {
    let system = topology(DragonflyDescription::uniform(2, 1, 4, 1));
    let mut options = RunOptions { time_limit: Picoseconds::from_micros(end_us), ..RunOptions::default() };
    options.records.sample_interval = Picoseconds::from_micros(INTERVAL_US);
    run(&system, config, options, jobs).expect("it runs")
}

/// Time of a small put from the second switch to the first, beside what `others` send.
fn put_ns(config: FabricConfig, others: Option<Job>) -> f64 {
    let put = job("put", [7, 3], "kind = 'one-sided'\noperation = 'put'\nbytes = 8\nwindow = 1\niterations = 1", 1);
    let put = Job { start: Picoseconds::from_micros(SENT_US), record_messages: true, ..put };
    let record = record(config, 2 * SENT_US, std::iter::once(put).chain(others).collect());
    let rows: Vec<_> = record.messages.iter().filter(|row| row.job.index() == 0 && row.source.0 == 0).collect();
    assert_eq!(rows.len(), 1, "one put of rank 0");
    (rows[0].delivered - rows[0].issued).0 as f64 / 1e3
}

#[test]
fn a_link_that_carried_one_direction_owes_nothing_to_the_other() {
    let mut config = config("slingshot");
    config.switch.latency_spread_ns = 0;
    let quiet = put_ns(config.clone(), None);
    // Packets of 64 B of payload: their acknowledgements are a thirtieth of what they are.
    config.nic.payload_max_bytes = 64;
    let stream = || job("stream", [4, 0], "kind = 'incast'\nbytes = '64KiB'", 1);
    let beside = put_ns(config, Some(stream()));
    let packet = 4_158.0 * 8.0 / 200.0;
    assert!(beside < quiet + packet, "8 B take {beside} ns after one-way traffic, {quiet} ns on a quiet link");
}

/// Payload that crosses the link in both directions, where the link is the bottleneck, and the mean
/// size of a packet.
fn both_ways(ack_overhead_bytes: u32) -> (f64, f64) {
    let mut config = without_responses(config("slingshot"));
    config.nic.payload_max_bytes = 256;
    config.nic.packet_gap_ps = 0;
    config.switch.ack_overhead_bytes = ack_overhead_bytes;
    let streams = job("streams", 0..8, "kind = 'bisection'\nbytes = '64KiB'\nwindow = 8", 1);
    let record = record(config, 300, vec![streams]);
    // A sample has the bytes of packets. What acknowledgements take is not left for packets.
    let whole = 25_000 * INTERVAL_US;
    let most = record.ports.iter().map(|port| port.bytes.0).max().expect("ports send");
    assert!(most <= whole, "{most} bytes are more than a link carries in an interval, {whole}");
    let sum = |of: fn(&philae_results::record::PortSample) -> u64| record.ports.iter().map(of).sum::<u64>() as f64;
    let packet = sum(|port| port.bytes.0) / sum(|port| u64::from(port.packets));
    (record.jobs[0].delivered.0 as f64, packet)
}

#[test]
fn under_load_both_ways_acknowledgements_are_paid_in_full() {
    let (free, packet) = both_ways(0);
    for bytes in [4, 40] {
        let (paid, expected) = (both_ways(bytes).0 / free, packet / (packet + f64::from(bytes)));
        assert!((paid - expected).abs() < 0.004, "{bytes} B a packet leave {paid} of the payload, not {expected}");
    }
}

#[test]
fn a_class_does_not_pay_for_acknowledgements() {
    // The class may use 30 % of the link. What it acknowledges comes from the other direction.
    let delivered = |ack_overhead_bytes| {
        let mut config = config("slingshot");
        config.nic.payload_max_bytes = 256;
        config.nic.packet_gap_ps = 0;
        config.switch.ack_overhead_bytes = ack_overhead_bytes;
        let low = philae_traffic_class::TrafficClass {
            ceiling_percent: 30,
            ..philae_traffic_class::TrafficClass::named("low")
        };
        config.classes = philae_traffic_class::ClassSet::new(vec![low], 8).expect("a legal set");
        let streams = job("streams", 0..8, "kind = 'bisection'\nbytes = '64KiB'\nwindow = 8", 1);
        record(config, 300, vec![streams]).jobs[0].delivered.0 as f64
    };
    let (free, paid) = (delivered(0), delivered(40));
    assert!(
        (paid / free - 1.0).abs() < 0.005,
        "a ceiling of 30 % leaves room for all acknowledgements: {free}, {paid}"
    );
}
