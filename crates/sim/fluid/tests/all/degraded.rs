//! Networks with links and switches that are down, in rates and in packets.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_fabric::{FabricConfig, Fault, FaultKind, FaultTarget, Job, RankPlace, RunOptions, Simulation};
use philae_fluid::{FluidError, FluidRun, FluidSimulation};
use philae_topology::{DragonflyDescription, FatTreeDescription, PortRole, Topology, TopologyShape};
use philae_units::{ClassId, EndpointId, GroupId, NodeId, Picoseconds, PortIndex, RankId, SwitchId};
use philae_workload::{Workload, WorkloadSpec};

use crate::common::topology;

fn config(faults: Vec<Fault>) -> FabricConfig {
    let mut config = crate::common::config("slingshot");
    config.resilience.faults = faults;
    config.resilience.reroute_ns = 1_000;
    config
}

fn job(nodes: std::ops::Range<u32>, workload: &str) -> Job {
    let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
    let ranks = nodes.len() as u32;
    Job {
        name: "job".to_owned(),
        workload: spec.describe(),
        programs: (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 1)).collect(),
        places: nodes.map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: Some(1),
        offered_gbps: None,
        record_messages: true,
    }
}

const fn down(target: FaultTarget, at_us: u64) -> Fault {
    Fault { start: Picoseconds::from_micros(at_us), until: None, target, kind: FaultKind::Down }
}

fn rates(topology: &Arc<Topology>, faults: Vec<Fault>, job: Job) -> Result<FluidRun, FluidError> {
    FluidSimulation::new(Arc::clone(topology), config(faults), RunOptions::default(), vec![job])?
        .run(&mut |_| ControlFlow::Continue(()))
}

/// When the job finished in rates, in microseconds.
fn micros(run: &FluidRun) -> f64 {
    run.record.jobs[0].finished.expect("it ends").as_micros_f64()
}

fn packets(topology: &Arc<Topology>, faults: Vec<Fault>, job: Job) -> f64 {
    let run = Simulation::new(Arc::clone(topology), config(faults), RunOptions::default(), vec![job]).expect("builds");
    run.run(&mut |_| ControlFlow::Continue(())).expect("runs").jobs[0].finished.expect("it ends").as_micros_f64()
}

/// The first links between two groups of a dragonfly.
fn links(topology: &Topology, from: u32, to: u32, count: usize) -> Vec<FaultTarget> {
    let TopologyShape::Dragonfly(shape) = topology.shape() else { panic!("a dragonfly") };
    shape.gateways(GroupId(from), GroupId(to)).iter().take(count).map(|&port| FaultTarget::Link(port)).collect()
}

#[test]
fn links_that_are_down_from_the_beginning_slow_a_job_as_in_packets() {
    // Two groups, so that there is no detour; then four.
    for (groups, lost) in [(2, 6), (4, 8)] {
        let topology = topology(DragonflyDescription::uniform(groups, 4, 4, 8));
        let stream = || job(0..32, "kind = 'shift'\nby = 16\nbytes = '512KiB'\nwindow = 2\niterations = 4");
        let faults: Vec<Fault> = links(&topology, 0, 1, lost).into_iter().map(|target| down(target, 0)).collect();
        let whole = micros(&rates(&topology, Vec::new(), stream()).expect("runs"));
        let run = rates(&topology, faults.clone(), stream()).expect("runs");
        assert!(run.doubts.is_empty(), "{:?}", run.doubts);
        let (found, expected) = (micros(&run), packets(&topology, faults, stream()));
        let slower = (found / whole, expected / packets(&topology, Vec::new(), stream()));
        assert!(slower.0 > 1.1 && slower.1 > 1.1, "{groups} groups: slower by {slower:?} for want of links");
        assert!((slower.0 / slower.1 - 1.0).abs() < 0.25, "{groups} groups: slower by {slower:?}, not alike");
    }
}

#[test]
fn a_spine_that_is_down_takes_its_part_of_a_fat_tree() {
    let topology = topology(FatTreeDescription::two_level(4, 8, 4));
    let stream = || job(0..32, "kind = 'shift'\nby = 8\nbytes = '512KiB'\nwindow = 2\niterations = 4");
    let spine = (0..topology.switch_count() as u32)
        .map(SwitchId)
        .find(|&switch| topology.ports_of(switch).all(|(_, port)| port.role != PortRole::Edge))
        .expect("a switch without endpoints");
    let fault = vec![down(FaultTarget::Switch(spine), 0)];
    let whole = micros(&rates(&topology, Vec::new(), stream()).expect("runs"));
    let found = micros(&rates(&topology, fault.clone(), stream()).expect("runs"));
    let expected = packets(&topology, fault, stream());
    assert!((found / whole - 4.0 / 3.0).abs() < 0.1, "a quarter of the ways up is gone: {whole} and {found} us");
    assert!((found / expected - 1.0).abs() < 0.25, "{found} us, {expected} us in packets");
}

#[test]
fn a_link_that_goes_down_and_comes_back_counts_for_as_long() {
    let topology = topology(DragonflyDescription::uniform(2, 4, 4, 4));
    let stream = || job(0..32, "kind = 'shift'\nby = 16\nbytes = '1MiB'\nwindow = 2\niterations = 4");
    let whole = micros(&rates(&topology, Vec::new(), stream()).expect("runs"));
    let fault = |until| {
        let lost = links(&topology, 0, 1, 2).into_iter();
        lost.map(|target| Fault { until, ..down(target, 20) }).collect::<Vec<Fault>>()
    };
    let forever = rates(&topology, fault(None), stream()).expect("runs");
    let back = rates(&topology, fault(Some(Picoseconds::from_micros(60))), stream()).expect("runs");
    assert!(
        whole < micros(&back) && micros(&back) < micros(&forever),
        "{whole} {} {}",
        micros(&back),
        micros(&forever)
    );
    // Half of the links for 40 µs: 20 µs of the whole network are missing.
    assert!((micros(&back) - whole - 20.0).abs() < 4.0, "{whole} {}", micros(&back));
    assert!(back.doubts.iter().any(|doubt| doubt.contains("links went down or up 4 times")), "{:?}", back.doubts);
}

#[test]
fn what_leaves_an_endpoint_alone_is_refused() {
    let topology = topology(DragonflyDescription::uniform(2, 4, 4, 2));
    let stream = || job(0..32, "kind = 'shift'\nby = 16\nbytes = '64KiB'\niterations = 1");
    let refused = |faults: Vec<Fault>| rates(&topology, faults, stream()).expect_err("refused").to_string();
    let all = links(&topology, 0, 1, 2).into_iter().map(|target| down(target, 0)).collect();
    assert!(refused(all).contains("no path from endpoint"), "two groups without a link");
    let edge: PortIndex = topology.endpoint(EndpointId(3)).port;
    assert!(refused(vec![down(FaultTarget::Link(edge), 0)]).contains("the link of an endpoint is down"));
    assert!(
        refused(vec![down(FaultTarget::Switch(SwitchId(0)), 0)]).contains("switch 0 is down, and job job has nodes")
    );
    assert!(refused(vec![down(FaultTarget::Nic(EndpointId(3)), 0)]).contains("the NIC of endpoint 3"));
    let slow = Fault { kind: FaultKind::Lanes(2), ..down(links(&topology, 0, 1, 1)[0], 0) };
    assert!(refused(vec![slow]).contains("slower or paused"));
}
