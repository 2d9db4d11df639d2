//! Traffic classes in rates: shares are those of packets.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_fabric::{FabricConfig, Job, RankPlace, RunOptions, Simulation};
use philae_fluid::FluidSimulation;
use philae_results::record::RunRecord;
use philae_topology::FatTreeDescription;
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Workload, WorkloadSpec};

use crate::common::{config, topology};

/// Time that is measured, after the same time of warm-up, in microseconds.
const HALF_US: u64 = 150;

fn class(name: &str, assured: u32) -> TrafficClass {
    TrafficClass { assured_percent: assured, ..TrafficClass::named(name) }
}

/// Four pairs that stream in both directions between two leaves, over two uplinks.
fn stream(class: u8, first: u32) -> Job {
    let spec: WorkloadSpec = toml::from_str("kind = 'bisection'\nbytes = '64KiB'\nwindow = 8").expect("a workload");
    let nodes = (first..first + 4).chain(8 + first..12 + first);
    Job {
        name: format!("class {class}"),
        workload: spec.describe(),
        programs: (0..8).map(|rank| spec.program(RankId(rank), 8, 1)).collect(),
        places: nodes.map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(class),
        vni: 1,
        iterations: None,
        offered_gbps: None,
        record_messages: true,
    }
}

/// The name of a case, its classes and its jobs.
type Case = (&'static str, [TrafficClass; 2], fn() -> Vec<Job>);

/// Gb/s of each job in packets and in rates.
fn both(classes: &[TrafficClass], jobs: fn() -> Vec<Job>) -> Vec<(f64, f64)> {
    let topology = topology(FatTreeDescription::two_level(2, 8, 2));
    let classes = ClassSet::new(classes.to_vec(), 8).expect("a legal set");
    let config = FabricConfig { classes, ..config("slingshot") };
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(2 * HALF_US),
        warm_up: Picoseconds::from_micros(HALF_US),
        ..RunOptions::default()
    };
    let packets = Simulation::new(Arc::clone(&topology), config.clone(), options.clone(), jobs()).expect("builds");
    let packets = packets.run(&mut |_| ControlFlow::Continue(())).expect("runs");
    let rates = FluidSimulation::new(topology, config, options, jobs()).expect("builds");
    let rates = rates.run(&mut |_| ControlFlow::Continue(())).expect("runs").record;
    let gbps = |record: &RunRecord, job: usize| record.jobs[job].delivered.0 as f64 * 8.0 / (HALF_US as f64 * 1e3);
    (0..packets.jobs.len()).map(|job| (gbps(&packets, job), gbps(&rates, job))).collect()
}

#[test]
fn classes_get_what_they_get_in_packets() {
    let two = || vec![stream(0, 0), stream(1, 4)];
    let second = || vec![stream(1, 4)];
    let reserved = TrafficClass { reserved_percent: 40, ..class("a", 80) };
    let low = TrafficClass { ceiling_percent: 30, ..class("b", 0) };
    let cases: [Case; 6] = [
        ("no shares", [class("a", 0), class("b", 0)], two),
        ("80 and 10 % assured", [class("a", 80), class("b", 10)], two),
        ("idle 80 %", [class("a", 80), class("b", 10)], second),
        ("idle reserve of 40 %", [reserved, class("b", 10)], second),
        ("ceiling of 30 %, alone", [class("a", 0), low.clone()], second),
        ("ceiling of 30 %, beside", [class("a", 0), low], two),
    ];
    for (name, classes, jobs) in cases {
        for (packets, rates) in both(&classes, jobs) {
            assert!(packets > 50.0 && (rates / packets - 1.0).abs() < 0.1, "{name}: {packets} and {rates} Gb/s");
        }
    }
}
