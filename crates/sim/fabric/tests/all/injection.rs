//! The injection limit: of flows, and of all flows of an ingress port.

use crate::common::{config, job, run, topology};
use philae_congestion::{CongestionLaw, InjectionScope};
use philae_fabric::{FabricConfig, Job, RunOptions};
use philae_results::counter::CounterName;
use philae_results::record::{CongestionKind, LinkRole, RunRecord};
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

fn limited(injection_scope: InjectionScope, injection_limit_ns: u32) -> FabricConfig {
    let mut config = config("slingshot");
    let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
    (law.injection_scope, law.injection_limit_ns) = (injection_scope, injection_limit_ns);
    config
}

fn record(config: FabricConfig, us: u64, jobs: Vec<Job>) -> RunRecord {
    let system = topology(DragonflyDescription::uniform(4, 4, 4, 2));
    let options = RunOptions { time_limit: Picoseconds::from_micros(us), ..RunOptions::default() };
    run(&system, config, options, jobs).expect("it runs")
}

/// Streams from node 0 to each of `targets`, one job each.
fn streams(targets: &[u32]) -> Vec<Job> {
    targets.iter().map(|&target| job("stream", [target, 0], "kind = 'incast'\nbytes = '64KiB'", 1)).collect()
}

fn delivered(record: &RunRecord) -> Vec<f64> {
    record.jobs.iter().map(|job| job.delivered.0 as f64).collect()
}

#[test]
fn less_waits_inside_the_fabric_if_ports_are_limited() {
    // Of the time that packets take, here only what they spend between ingress and egress counts:
    // what waits at its ingress is in no other packet's way.
    let inside = |scope| {
        let system = topology(DragonflyDescription::uniform(4, 4, 4, 2));
        let all = job("all", 0..64, "kind = 'uniform-random'\nbytes = '64KiB'\nwindow = 16", 1);
        let mut options = RunOptions { time_limit: Picoseconds::from_micros(100), ..RunOptions::default() };
        options.records.sample_interval = Picoseconds::from_micros(10);
        let record = run(&system, limited(scope, 1_000), options, vec![all]).expect("it runs");
        let edges: Vec<_> =
            record.port_info.iter().filter(|info| info.role == LinkRole::Edge).map(|info| info.index).collect();
        let fabric = |row: &&philae_results::record::PortSample| !edges.contains(&row.port);
        let queues: Vec<f64> = record.ports.iter().filter(fabric).map(|row| row.queued_bytes_max.0 as f64).collect();
        (queues.iter().sum::<f64>() / queues.len() as f64, delivered(&record)[0])
    };
    let ((by_flow, much), (by_port, as_much)) = (inside(InjectionScope::Flow), inside(InjectionScope::Port));
    assert!(by_port < 0.7 * by_flow, "queues inside the fabric are {by_port} bytes, {by_flow} with limits of flows");
    assert!(as_much > 0.5 * much, "and {as_much} bytes arrive instead of {much}");
}

#[test]
fn flows_that_wait_for_their_port_take_turns() {
    // One packet at a time: the flows share what the port may inject.
    let targets = [4, 8, 12, 16, 24, 32, 40, 48];
    let one = delivered(&record(limited(InjectionScope::Port, 100), 300, streams(&targets[..1])))[0];
    let each = delivered(&record(limited(InjectionScope::Port, 100), 300, streams(&targets)));
    let (sum, most) = (each.iter().sum::<f64>(), each.iter().fold(0.0_f64, |most, &bytes| most.max(bytes)));
    assert!(each.iter().all(|&bytes| bytes > 0.85 * most), "each has its turn: {each:?}");
    assert!(sum < 2.5 * one, "together they have {sum} bytes, one alone {one}");
    let apart = delivered(&record(limited(InjectionScope::Flow, 100), 300, streams(&targets)));
    assert!(apart.iter().sum::<f64>() > 4.0 * one, "without the port's account each flow has a limit of its own");
}

#[test]
fn a_held_flow_blocks_no_other_flow_of_its_port() {
    let scope = limited(InjectionScope::Port, 3_000);
    let alone = delivered(&record(scope.clone(), 300, streams(&[8])))[0];
    // Node 5 is the target of an incast, to which node 0 contributes.
    let mut jobs = streams(&[8]);
    jobs.push(job("incast", [5, 0].into_iter().chain(16..40), "kind = 'incast'\nbytes = '64KiB'", 1));
    let beside = delivered(&record(scope, 300, jobs));
    assert!(beside[0] > 0.85 * alone, "the other flow has {} bytes, alone {alone}", beside[0]);
    assert!(beside[1] > 0.0, "the incast goes on");
}

#[test]
fn every_hold_of_a_flow_counts_however_it_ends() {
    // Puts of 64 KiB end while their flows are held; others are held when the run ends.
    let jobs = vec![job("incast", 0..24, "kind = 'incast'\nbytes = '64KiB'", 1)];
    let record = record(limited(InjectionScope::Flow, 3_000), 300, jobs);
    let mut held = std::collections::BTreeMap::new();
    let (mut time, mut gone) = (0, 0);
    for row in &record.congestion {
        let flow = (row.source, row.destination);
        match row.kind {
            CongestionKind::FlowHeld => assert_eq!(held.insert(flow, row.time), None, "held once"),
            CongestionKind::FlowReleased => {
                let since = held.remove(&flow).expect("it was held");
                assert_eq!((row.time - since).0, row.value, "a row has the time of its hold");
                time += row.value;
                gone += 1;
            }
            _ => {}
        }
    }
    assert!(gone > 0 && !held.is_empty(), "{gone} holds end, {} last until the end", held.len());
    time += held.values().map(|&since| (record.simulated - since).0).sum::<u64>();
    let counted: u64 =
        record.counters.iter().filter(|row| row.name == CounterName::FlowsHeldTime).map(|row| row.value).sum();
    assert_eq!(counted, time);
}
