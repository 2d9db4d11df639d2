//! Refuses runs that rates cannot represent, before they start.

use philae_fabric::{FabricConfig, FabricError, Fault, FaultKind, FaultTarget, Job, RunOptions};
use philae_path::RoutingMode;
use philae_topology::{PortRole, Topology, TopologyShape};
use philae_units::Picoseconds;

use crate::error::FluidError;

/// Refuses what rates cannot represent.
pub fn refuse(
    topology: &Topology,
    config: &FabricConfig,
    options: &RunOptions,
    jobs: &[Job],
) -> Result<(), FluidError> {
    if jobs.iter().all(|job| job.programs.is_empty()) {
        return Err(FabricError::NoRanks.into());
    }
    if options.time_limit == Picoseconds::MAX && !jobs.iter().any(|job| job.iterations.is_some()) {
        return Err(FabricError::Endless.into());
    }
    let packets = "a run in packets (without --fluid)";
    let refused = |what, found: String, works| Err(FluidError::Refused { what, found, works });
    if let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.offloads())) {
        let works = "an algorithm of software, or a run in packets (without --fluid),";
        return refused("reductions in switches", format!("job {} uses them", job.name), works);
    }
    if let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.is_process())) {
        return refused("ranks that are processes", format!("job {} has them", job.name), packets);
    }
    if config.resilience.link.is_some() || !config.resilience.laws.is_empty() {
        return refused("errors, retries and random faults", "the scenario has them".to_owned(), packets);
    }
    if let Some(found) = config.resilience.faults.iter().find_map(|fault| beyond(topology, fault, jobs)) {
        return refused(
            "such a fault",
            found,
            "links and switches without endpoints that are down, or a run in packets,",
        );
    }
    if config.classes.classes().iter().any(|class| class.lossy) {
        return refused("lossy traffic classes", "the class is lossy".to_owned(), packets);
    }
    if config.routing.mode == RoutingMode::EcmpNonminimal {
        return refused("paths that senders choose", "routing.mode = \"ecmp-nonminimal\"".to_owned(), packets);
    }
    if config.packet_engine.is_some() {
        return refused("the packet engine", "it has a program".to_owned(), packets);
    }
    if !topology.ethernet_ports().is_empty() {
        let found = format!("{} of them", topology.ethernet_ports().len());
        return refused("third-party endpoints", found, packets);
    }
    if config.host.path.is_kernel() {
        return refused("the kernel's path", "hardware.host.path".to_owned(), "messages, direct, or a run in packets");
    }
    if config.nic.list_entries > 0 {
        let found = format!("hardware.nic.list_entries is {}", config.nic.list_entries);
        return refused("messages that are refused because list entries are missing", found, "0 (no limit)");
    }
    if options.records.telemetry_every > 0 {
        return refused("telemetry", "packets are sampled".to_owned(), packets);
    }
    if options.records.class_counters || options.records.activities.is_some() {
        return refused("counters by class and timelines", "the scenario requests one".to_owned(), packets);
    }
    Ok(())
}

/// Why rates cannot represent a fault. They can only represent the loss of whole links of a
/// dragonfly or a fat tree that leaves every endpoint connected: that is only a smaller capacity.
fn beyond(topology: &Topology, fault: &Fault, jobs: &[Job]) -> Option<String> {
    if fault.kind != FaultKind::Down {
        return Some("a link or NIC is slower or paused".to_owned());
    }
    if matches!(topology.shape(), TopologyShape::Graph(_)) {
        return Some("the network is neither a dragonfly nor a fat tree".to_owned());
    }
    match fault.target {
        FaultTarget::Nic(endpoint) => Some(format!("the NIC of endpoint {endpoint} is down")),
        FaultTarget::Link(port) if topology.port(port).role == PortRole::Edge => Some(format!(
            "the link of an endpoint is down, at port {} of switch {}",
            topology.port_of(port),
            topology.switch_of(port)
        )),
        FaultTarget::Link(_) => None,
        FaultTarget::Switch(switch) => {
            let used = |place: &philae_fabric::RankPlace| {
                let endpoints = topology.endpoints_of(place.node);
                endpoints
                    .clone()
                    .any(|endpoint| topology.switch_of_endpoint(philae_units::EndpointId(endpoint)) == switch)
            };
            let job = jobs.iter().find(|job| job.places.iter().any(used))?;
            Some(format!("switch {switch} is down, and job {} has nodes at it", job.name))
        }
    }
}
