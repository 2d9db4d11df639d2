//! Small fabrics for tests.

pub mod beside;
pub mod channels;
pub mod draw;
pub mod uet;

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_fabric::{ExecutionOptions, FabricConfig, FabricError, Job, RankPlace, RunOptions, Simulation};
use philae_nic_model::{HostParameters, NicParameters, NodeParameters, ResponseScope};
use philae_path::RoutingParameters;
use philae_results::record::RunRecord;
use philae_switch::port::SwitchParameters;
use philae_topology::{SystemDescription, Topology};
use philae_units::{ClassId, NodeId, Picoseconds};
use philae_workload::{Workload, WorkloadSpec};

pub fn topology(description: impl Into<SystemDescription>) -> Arc<Topology> {
    Arc::new(Topology::build(&description.into()).expect("a legal system"))
}

pub fn config(law: &str) -> FabricConfig {
    FabricConfig {
        switch: SwitchParameters::rosetta(),
        nic: NicParameters::cassini_1(),
        ethernet: Vec::new(),
        host: HostParameters::cassini_1_mpi(),
        routing: RoutingParameters::slingshot(),
        congestion: CongestionLaw::named(law).expect("a law"),
        classes: philae_traffic_class::ClassSet::single("best-effort"),
        resilience: Default::default(),
        collectives: Default::default(),
        packet_engine: None,
        node: None,
        laws: Default::default(),
    }
}

/// The same where NICs send no responses: only packets with data, and requests for it, are on the
/// fabric.
pub fn without_responses(config: FabricConfig) -> FabricConfig {
    let nic = NicParameters { responses: ResponseScope::Switch, ..config.nic };
    FabricConfig { nic, ..config }
}

/// A node whose bus limits nothing, and which tells nothing of its commands and events.
pub fn free_node() -> NodeParameters {
    NodeParameters {
        pcie_read_mbytes: 0,
        pcie_write_mbytes: 0,
        pcie_tags: 0,
        pcie_posted_bytes: 0,
        command_bytes: 0,
        event_bytes: 0,
        buffer_bytes: 0,
        completion_ns: 0,
        ..NodeParameters::cassini_1()
    }
}

/// A job on the first NIC of each of `nodes`.
pub fn job(name: &str, nodes: impl IntoIterator<Item = u32>, workload: &str, seed: u64) -> Job {
    let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
    let places: Vec<RankPlace> = nodes.into_iter().map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect();
    let ranks = places.len() as u32;
    spec.check(ranks).expect("it fits");
    Job {
        name: name.to_owned(),
        workload: spec.describe(),
        programs: (0..ranks).map(|rank| spec.program(philae_units::RankId(rank), ranks, seed)).collect(),
        places,
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: spec.counted_iterations(),
        offered_gbps: spec.offered_gbps(),
        record_messages: spec.iterations().is_some(),
    }
}

pub fn run(
    topology: &Arc<Topology>,
    config: FabricConfig,
    options: RunOptions,
    jobs: Vec<Job>,
) -> Result<RunRecord, FabricError> {
    Simulation::new(Arc::clone(topology), config, options, jobs)?.run(&mut |_| ControlFlow::Continue(()))
}

/// The same run by the reference scheduler, as one partition without blocks: the oracle.
pub fn run_by_reference(
    topology: &Arc<Topology>,
    config: FabricConfig,
    options: RunOptions,
    jobs: Vec<Job>,
) -> Result<RunRecord, FabricError> {
    let options = RunOptions {
        execution: ExecutionOptions {
            partitions: 1,
            threads: 1,
            far_ports_min: usize::MAX,
            ..options.execution.clone()
        },
        ..options
    };
    let mut simulation = Simulation::new(Arc::clone(topology), config, options, jobs)?;
    simulation.use_reference_scheduler();
    simulation.run(&mut |_| ControlFlow::Continue(()))
}
