//! Breaks each law of copies, engines and results once, and expects the audit to catch it.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_nic_model::{HostParameters, NicParameters};
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::{CollectiveParameters, Operands};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::{ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Workload, WorkloadSpec};

use super::{Collectives, TreeLoad};
use crate::run::audit;
use crate::{FabricConfig, FabricError, Job, RankPlace, RunOptions, Simulation, SingleProcess};

const NODES: u32 = 64;

fn simulation() -> Simulation {
    let config = FabricConfig {
        switch: SwitchParameters::rosetta(),
        nic: NicParameters::cassini_1(),
        host: HostParameters::cassini_1_mpi(),
        routing: RoutingParameters::slingshot(),
        congestion: CongestionLaw::named("slingshot").expect("a law"),
        classes: philae_traffic_class::ClassSet::single("best-effort"),
        resilience: Default::default(),
        collectives: CollectiveParameters::slingshot(),
        packet_engine: None,
        node: None,
        laws: Default::default(),
        ethernet: Vec::new(),
    };
    let offloaded = "kind = 'allreduce'\nalgorithm = 'switch-offloaded'\niterations = 3";
    let jobs = vec![job("offloaded", offloaded), job("noise", "kind = 'uniform-random'\nbytes = '64KiB'")];
    let topology = Topology::build(&DragonflyDescription::uniform(4, 4, 4, 1).into()).expect("a legal system");
    Simulation::new(Arc::new(topology), config, RunOptions::default(), jobs).expect("it builds")
}

fn job(name: &str, workload: &str) -> Job {
    let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
    Job {
        name: name.to_owned(),
        workload: spec.describe(),
        places: (0..NODES).map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
        programs: (0..NODES).map(|rank| spec.program(RankId(rank), NODES, 1)).collect(),
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: spec.counted_iterations(),
        offered_gbps: spec.offered_gbps(),
        record_messages: false,
    }
}

/// Runs until `there` holds; the laws hold then.
fn until(there: impl Fn(&Collectives) -> bool) -> Simulation {
    let mut simulation = simulation();
    for step in 1..100_000 {
        let partition = &mut simulation.partitions_mut()[0];
        partition.run_until(Picoseconds::from_nanos(step));
        if there(&partition.collectives) {
            assert_eq!(
                audit::check(simulation.partitions_mut(), &mut SingleProcess).expect("no process is lost"),
                Ok(()),
                "an honest run passes"
            );
            return simulation;
        }
    }
    panic!("it never comes there");
}

fn is_up(load: &TreeLoad) -> bool {
    matches!(load, TreeLoad::Up(_))
}

#[test]
fn copies_that_are_not_accounted_for_are_caught() {
    let mut simulation = until(|collectives| collectives.made > 20);
    simulation.partitions_mut()[0].collectives.made += 1;
    let law = audit::check(simulation.partitions_mut(), &mut SingleProcess)
        .expect("no process is lost")
        .expect_err("a packet too many");
    assert!(law.contains("made in switches"), "{law}");
}

#[test]
fn room_that_copies_share_is_held_once() {
    let mut simulation = until(|collectives| collectives.held.len() > 0);
    let held = &mut simulation.partitions_mut()[0].collectives.held;
    let (slot, _) = held.used().next().expect("copies wait");
    held[slot].bytes += 1;
    // An edge port with pauses instead of credits keeps no account.
    let port = held[slot].port;
    let partition = &simulation.partitions_mut()[0];
    let edges = partition.switch.wires[partition.port_slot(port)].far_end == crate::model::output::FarEnd::Nic;
    assert_eq!(
        audit::check(simulation.partitions_mut(), &mut SingleProcess).expect("no process is lost").is_err(),
        !edges
    );
}

#[test]
fn a_contribution_that_changes_in_transit_is_caught() {
    let simulation = until(|collectives| collectives.loads.used().any(|(_, load)| is_up(load)));
    assert!(simulation.run(&mut |_| ControlFlow::Continue(())).is_ok());
    let mut simulation = until(|collectives| collectives.loads.used().any(|(_, load)| is_up(load)));
    let loads = &mut simulation.partitions_mut()[0].collectives.loads;
    let (slot, _) = loads.used().find(|(_, load)| is_up(load)).expect("one is in transit");
    if let TreeLoad::Up(contribution) = &mut loads[slot]
        && let Operands::Words { words, .. } = &mut contribution.value
    {
        words[0] ^= 1;
    }
    let error = simulation.run(&mut |_| ControlFlow::Continue(())).expect_err("the sum is another");
    assert!(matches!(&error, FabricError::Conservation { law } if law.contains("operation 0")), "{error}");
}
