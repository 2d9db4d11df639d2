//! What is refused before a run.

use philae_fabric::{FabricConfig, FabricError, Job, RunOptions};
use philae_topology::Topology;
use philae_units::Picoseconds;

use crate::error::FluidError;

/// Refuses what rates cannot stand for.
pub fn refuse(
    topology: &Topology,
    config: &FabricConfig,
    options: &RunOptions,
    jobs: &[Job],
) -> Result<(), FluidError> {
    if jobs.iter().all(|job| job.programs.is_empty()) {
        return Err(FabricError::NoRanks.into());
    }
    if options.time_limit == Picoseconds::MAX && !jobs.iter().any(|job| job.ends) {
        return Err(FabricError::Endless.into());
    }
    let packets = "a run in packets (without --fluid)";
    let refused = |what, found: String, works| Err(FluidError::Refused { what, found, works });
    if let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.offloads())) {
        let works = "an algorithm of software, or a run in packets (without --fluid),";
        return refused("reductions in switches", format!("job {} leaves operations to them", job.name), works);
    }
    if !config.resilience.faults.is_empty() || config.resilience.has_link_layer() {
        return refused("faults, errors and retries", "the scenario has some".to_owned(), packets);
    }
    if config.classes.classes().iter().any(|class| class.lossy) {
        return refused("lossy traffic classes", "the class is lossy".to_owned(), packets);
    }
    if config.packet_engine.is_some() {
        return refused("the packet engine", "it has a program".to_owned(), packets);
    }
    if !topology.ethernet_ports().is_empty() {
        let found = format!("{} of them", topology.ethernet_ports().len());
        return refused("third-party endpoints", found, packets);
    }
    if config.host.path.is_kernel() {
        return refused("the kernel's path", "host.path".to_owned(), "messages, direct, or a run in packets");
    }
    if config.nic.list_entries > 0 {
        let found = format!("nic.list_entries is {}", config.nic.list_entries);
        return refused("messages that are refused for want of list entries", found, "0 (no limit)");
    }
    if options.telemetry_every > 0 {
        return refused("telemetry", "packets are sampled".to_owned(), packets);
    }
    if options.class_counters || options.activities.is_some() {
        return refused("counters by class and timelines", "one is asked for".to_owned(), packets);
    }
    Ok(())
}
