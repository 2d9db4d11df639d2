//! Rates on switches with more than 64 ports are those of packets.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_fabric::{Job, RankPlace, RunOptions, Simulation};
use philae_fluid::FluidSimulation;
use philae_topology::{FatTreeDescription, SystemDescription};
use philae_units::{ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Workload, WorkloadSpec};

use crate::common::{config, topology};

/// Two leaves of 80 endpoints stream to each other over 40 links.
#[test]
fn leaves_of_120_ports_carry_as_much_in_rates_as_in_packets() {
    let wiring = SystemDescription { radix: 120, ..FatTreeDescription::two_level(2, 80, 40).into() };
    let topology = topology(wiring);
    let job = || {
        let spec: WorkloadSpec = toml::from_str("kind = 'bisection'\nbytes = '64KiB'\nwindow = 8").expect("a workload");
        Job {
            name: "stream".to_owned(),
            workload: spec.describe(),
            programs: (0..160).map(|rank| spec.program(RankId(rank), 160, 1)).collect(),
            places: (0..160).map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
            start: Picoseconds::ZERO,
            class: ClassId(0),
            vni: 1,
            iterations: None,
            offered_gbps: None,
            record_messages: true,
        }
    };
    let (warm_up, time_limit) = (Picoseconds::from_micros(60), Picoseconds::from_micros(160));
    let options = RunOptions { warm_up, time_limit, ..RunOptions::default() };
    let packets = Simulation::new(Arc::clone(&topology), config("slingshot"), options.clone(), vec![job()]);
    let packets = packets.expect("builds").run(&mut |_| ControlFlow::Continue(())).expect("runs");
    let rates = FluidSimulation::new(topology, config("slingshot"), options, vec![job()]).expect("builds");
    let rates = rates.run(&mut |_| ControlFlow::Continue(())).expect("runs").record;
    let [packets, rates] = [&packets, &rates].map(|record| record.jobs[0].delivered.0 as f64 / 100_000.0 / 25.0);
    // 80 links' worth in both directions, less headers.
    assert!((72.0..80.0).contains(&rates) && (packets / rates - 1.0).abs() < 0.1, "{packets} and {rates} links");
}
