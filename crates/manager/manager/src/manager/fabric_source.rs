//! A fabric's inventory, its wiring, and its simulated switches.

use std::sync::Arc;

use philae_agent::SimulatedFabric;
use philae_console::note;
use philae_inventory::{Models, PlannedFabric, SystemSource};
use philae_route_tables::{FabricWiring, WiringError};
use philae_topology::{PortPeer, SystemDescription, Topology};
use philae_units::{GroupId, PortIndex};

use crate::manager::build_error::BuildError;
use crate::names::FabricNames;

/// Loads a fabric's inventory, by the name of a built-in system, or from a file: a system, a fabric
/// template, point-to-point cabling, or a netlist of ibnetdiscover or ibsim.
///
/// # Errors
/// When there is no such system, or the file is neither.
pub fn load(name_or_path: &str) -> Result<PlannedFabric, BuildError> {
    let models = Models::built_in();
    let source = SystemSource::load(name_or_path, &models)?;
    for warning in source.warnings() {
        note!("{name_or_path}: warning: {warning}");
    }
    let fabric = source.into_fabric(&models)?;
    for warning in fabric.misleading_labels() {
        note!("{name_or_path}: warning: {warning}");
    }
    Ok(fabric)
}

/// The wiring that routes are computed on. If the fabric is one of our systems, channels have that
/// system's order.
pub fn wiring_of(fabric: &PlannedFabric) -> Result<FabricWiring, WiringError> {
    let of_system = SystemDescription::load(fabric.name()).ok().and_then(|system| Topology::build(&system).ok());
    if let Some(topology) = of_system.filter(|topology| same(topology, fabric)) {
        return FabricWiring::of(&topology);
    }
    let mut number = 0;
    let mut last = None;
    let groups = fabric.switches().iter().map(|switch| {
        // Groups that do not exist leave no gap.
        number += u32::from(last.replace(switch.group).is_some_and(|last| last != switch.group));
        GroupId(number)
    });
    let mut edge = vec![0_u64; fabric.switch_count()];
    let mut links = Vec::new();
    for (index, port) in fabric.ports().iter().enumerate() {
        let index = PortIndex::from_index(index);
        match port.peer {
            PortPeer::Endpoint(_) => {
                // More ports than a mask has bits are refused below.
                let bit = 1_u64.checked_shl(fabric.number_of(index).0.into()).unwrap_or(0);
                edge[fabric.switch_of(index).index()] |= bit;
            }
            PortPeer::Port(far) if index < far => links.push((index, far)),
            PortPeer::Port(_) | PortPeer::None => {}
        }
    }
    FabricWiring::from_links(fabric.radix(), groups.collect::<Vec<_>>(), edge, links)
}

pub(crate) fn same(topology: &Topology, fabric: &PlannedFabric) -> bool {
    topology.port_count() == fabric.port_count()
        && (0..fabric.port_count())
            .map(PortIndex::from_index)
            .all(|port| topology.port(port).peer == fabric.port(port).peer)
}

/// Simulated switches of a fabric's inventory, for agents in a process of their own.
///
/// # Errors
/// When the fabric cannot be routed.
pub fn simulated_switches(fabric: &Arc<PlannedFabric>) -> Result<SimulatedFabric, WiringError> {
    let wiring = Arc::new(wiring_of(fabric)?);
    Ok(SimulatedFabric::new(wiring, Arc::new(FabricNames(Arc::clone(fabric)))))
}
