//! Long-lived ordered flows leave paths with congestion inside the fabric.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{config, job, run, topology};
use philae_congestion::{CongestionLaw, InjectionScope};
use philae_fabric::{FabricConfig, Job, RecordOptions, RunOptions};
use philae_nic_model::ResponseScope;
use philae_results::record::{CongestionKind, RunRecord, TelemetryRow};
use philae_switch::port::Fairness;
use philae_topology::{DragonflyDescription, Topology};
use philae_units::{EndpointId, Picoseconds, PortIndex};

fn ordered(reroute_threshold_bytes: u32, reroute_stay_ns: u32) -> FabricConfig {
    let mut config = config("slingshot");
    config.nic.ordered = true;
    let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
    (law.reroute_threshold_bytes, law.reroute_stay_ns) = (reroute_threshold_bytes, reroute_stay_ns);
    config
}

/// Two groups of one switch with four nodes each, and four links between them.
fn two_groups() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(2, 1, 4, 4))
}

fn pairs(window: u32, seed: u64) -> Job {
    job("pairs", 0..8, &format!("kind = 'bisection'\nbytes = '64KiB'\nwindow = {window}"), seed)
}

/// Payload that four pairs of nodes deliver over the four links between their groups, for several
/// start skews: whether pairs share a link is chance.
fn delivered(hardware: &FabricConfig) -> Vec<f64> {
    (0..6)
        .map(|skew| {
            let options = RunOptions {
                seed: 1 + skew,
                start_skew: Picoseconds::from_micros(skew),
                time_limit: Picoseconds::from_micros(500),
                warm_up: Picoseconds::from_micros(300),
                ..RunOptions::default()
            };
            let record = run(&two_groups(), hardware.clone(), options, vec![pairs(16, 1)]).expect("it runs");
            record.jobs[0].delivered.0 as f64
        })
        .collect()
}

/// The parts of the hardware that flows meet while they move.
fn variants(hardware: &FabricConfig) -> Vec<(&'static str, FabricConfig)> {
    let with = |change: &dyn Fn(&mut FabricConfig)| {
        let mut hardware = hardware.clone();
        change(&mut hardware);
        hardware
    };
    let of_law = |change: &dyn Fn(&mut philae_congestion::SlingshotParameters)| {
        with(&|hardware| {
            let CongestionLaw::Slingshot(law) = &mut hardware.congestion else { panic!("the law is slingshot") };
            change(law);
        })
    };
    vec![
        ("as it is", hardware.clone()),
        ("a limit of each port", of_law(&|law| law.injection_scope = InjectionScope::Port)),
        ("shares of flows", of_law(&|law| law.flow_share_bytes = 49_152)),
        ("fair to inputs", with(&|hardware| hardware.switch.fairness = Fairness::Input)),
        ("a response to each message", with(&|hardware| hardware.nic.responses = ResponseScope::Message)),
        ("a response to each packet", with(&|hardware| hardware.nic.responses = ResponseScope::Packet)),
    ]
}

#[test]
fn flows_that_share_a_link_beside_a_free_one_separate() {
    for ((name, kept), (_, moved)) in variants(&ordered(0, 20_000)).iter().zip(variants(&ordered(49_152, 20_000))) {
        let (kept, moved) = (delivered(kept), delivered(&moved));
        let best = kept.iter().chain(&moved).fold(0.0_f64, |best, &bytes| best.max(bytes));
        assert!(kept.iter().any(|&bytes| bytes < 0.8 * best), "{name}: flows share a link for ever: {kept:?}");
        assert!(moved.iter().all(|&bytes| bytes > 0.95 * best), "{name}: {moved:?}, with paths kept {kept:?}");
    }
}

/// A record with every packet.
fn followed(system: &Arc<Topology>, hardware: FabricConfig, us: u64, jobs: Vec<Job>) -> RunRecord {
    let options = RunOptions {
        start_skew: Picoseconds::from_micros(2),
        time_limit: Picoseconds::from_micros(us),
        records: RecordOptions { telemetry_every: 1, telemetry_packets_max: 1 << 20, ..RecordOptions::default() },
        ..RunOptions::default()
    };
    run(system, hardware, options, jobs).expect("it runs")
}

/// The packets of each pair of endpoints in the order of their NIC; each is its rows, one per
/// switch.
fn packets(record: &RunRecord) -> BTreeMap<(EndpointId, EndpointId), Vec<&[TelemetryRow]>> {
    let mut packets: BTreeMap<_, Vec<&[TelemetryRow]>> = BTreeMap::new();
    for packet in record.telemetry.chunk_by(|_, next| next.hop > 0) {
        packets.entry((packet[0].source, packet[0].destination)).or_default().push(packet);
    }
    packets.values_mut().for_each(|packets| packets.sort_by_key(|packet| packet[0].number));
    packets
}

fn path(packet: &[TelemetryRow]) -> Vec<PortIndex> {
    packet.iter().map(|row| row.output).collect()
}

#[test]
fn packets_of_a_flow_that_moves_keep_their_order() {
    for (name, hardware) in variants(&ordered(8_192, 2_000)) {
        let record = followed(&two_groups(), hardware, 200, vec![pairs(16, 1)]);
        let mut moves = 0;
        for (ends, packets) in packets(&record) {
            for pair in packets.windows(2) {
                let (one, next) = (pair[0], pair[1]);
                let late = one[0].delivered >= next[0].delivered;
                assert!(!late, "{name}, {ends:?}: packet {} arrives after its successor", one[0].number);
                moves += usize::from(path(one) != path(next));
            }
        }
        assert!(moves > 20, "{name}: flows changed their path {moves} times");
    }
}

#[test]
fn what_causes_endpoint_congestion_stays() {
    // Node 0 of group 0 is the target of two nodes in three of all others. Beside them, nodes of
    // groups 1 and 2 stream to each other and share links.
    let system = topology(DragonflyDescription::uniform(4, 2, 4, 1));
    let streaming = [10, 11, 13, 14, 18, 19, 21, 22];
    let sources = (8..32).filter(|node| !streaming.contains(node));
    let incast = job("incast", [0].into_iter().chain(sources), "kind = 'incast'\nbytes = '256KiB'", 1);
    let streams = job("streams", streaming, "kind = 'bisection'\nbytes = '64KiB'", 1);
    let record = followed(&system, ordered(16_384, 20_000), 500, vec![incast, streams]);
    let mut holds: BTreeMap<_, Vec<(Picoseconds, Picoseconds)>> = BTreeMap::new();
    let (mut victims, mut causes) = (0, 0);
    for row in &record.congestion {
        let (Some(source), Some(destination)) = (row.source, row.destination) else { continue };
        let flow = (source, destination);
        match row.kind {
            CongestionKind::FlowHeld => holds.entry(flow).or_default().push((row.time, Picoseconds::MAX)),
            CongestionKind::FlowReleased => {
                holds.get_mut(&flow).expect("it was held").last_mut().expect("it was held").1 = row.time;
            }
            CongestionKind::FlowMoved if destination == EndpointId(0) => causes += 1,
            CongestionKind::FlowMoved => victims += 1,
            _ => {}
        }
    }
    assert!(victims > 10, "{victims} moves of flows that cause no endpoint congestion");
    assert_eq!(causes, 0, "of flows to the target of the incast");
    let mut in_holds = 0;
    let packets = packets(&record);
    for (flow, holds) in &holds {
        for &(since, until) in holds {
            let held = packets[flow].iter().filter(|packet| (since..until).contains(&packet[0].requested));
            let paths: Vec<_> = held.map(|packet| path(packet)).collect();
            in_holds += paths.len();
            assert!(paths.windows(2).all(|pair| pair[0] == pair[1]), "{flow:?} keeps its path: {paths:?}");
        }
    }
    assert!(in_holds > 500, "{in_holds} packets of flows that were held");
}
