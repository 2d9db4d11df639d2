//! Runs in rates on random small graphs, with links sampled.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_fabric::{Job, RankPlace, RecordOptions, RunOptions};
use philae_fluid::FluidSimulation;
use philae_results::record::RunStatus;
use philae_results::utilisation::Utilisation;
use philae_topology::GraphDescription;
use philae_units::{ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Workload, WorkloadSpec};
use proptest::prelude::*;

use crate::common::{config, topology};

/// A tree of `switches`, whose every switch hangs on an earlier one, and further links.
fn graph(switches: u32, parents: &[u32], further: &[(u32, u32)], endpoints_per_switch: u32) -> GraphDescription {
    let tree = (1..switches).map(|switch| [parents[switch as usize] % switch, switch]);
    let further = further.iter().map(|&(one, other)| [one % switches, other % switches]);
    let links: Vec<[u32; 2]> = tree.chain(further.filter(|[one, other]| one != other)).collect();
    GraphDescription::regular(switches, endpoints_per_switch, &links)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Each sample names a port of the system, and no link carries more than its rate.
    #[test]
    fn every_sample_is_of_a_link_and_below_its_rate(
        switches in 1..9_u32,
        parents in prop::collection::vec(0..9_u32, 9),
        further in prop::collection::vec((0..9_u32, 0..9_u32), 0..6),
        endpoints_per_switch in 1..4_u32,
        interval_ns in prop_oneof![Just(10_u64), Just(333), Just(2_000)],
    ) {
        let topology = topology(graph(switches, &parents, &further, endpoints_per_switch));
        let ranks = topology.endpoint_count() as u32;
        prop_assume!(ranks > 1);
        let workload = "kind = \"alltoall\"\nbytes = \"8KiB\"\niterations = 2";
        let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
        let job = Job {
            name: "job".to_owned(),
            workload: spec.describe(),
            programs: (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 1)).collect(),
            places: (0..ranks).map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect(),
            start: Picoseconds::ZERO,
            class: ClassId(0),
            vni: 1,
            iterations: Some(1),
            offered_gbps: None,
            record_messages: true,
        };
        let options = RunOptions { records: RecordOptions { sample_interval: Picoseconds(interval_ns * 1_000), ..RecordOptions::default() }, ..RunOptions::default() };
        let run = FluidSimulation::new(Arc::clone(&topology), config("slingshot"), options, vec![job]).expect("builds");
        let record = run.run(&mut |_| ControlFlow::Continue(())).expect("runs").record;
        prop_assert_eq!(record.status, RunStatus::Completed);
        prop_assert!(!record.ports.is_empty(), "links were sampled");
        prop_assert!(record.ports.iter().all(|sample| sample.port.index() < topology.port_count()));
        for role in Utilisation::of(&record).roles {
            prop_assert!(role.max <= 1.0 + 1e-9, "{:?}: {}", role.role, role.max);
        }
    }
}
