//! The ports of a topology in a record, for packet runs and fluid runs alike.

use philae_results::record::{LinkRole, PortInfo};
use philae_topology::{PortPeer, PortRole, Topology};
use philae_units::PortIndex;

/// The role of a port in tables; `None` if nothing is attached.
const fn role_of(role: PortRole) -> Option<LinkRole> {
    match role {
        PortRole::Unused => None,
        PortRole::Edge => Some(LinkRole::Edge),
        PortRole::Local => Some(LinkRole::Local),
        PortRole::Global => Some(LinkRole::Global),
    }
}

/// Ports in use, by role.
#[must_use]
pub fn ports_by_role(topology: &Topology) -> [u64; 3] {
    let mut counts = [0; 3];
    for port in 0..topology.port_count() as u32 {
        if let Some(role) = role_of(topology.port(PortIndex(port)).role) {
            counts[role as usize] += 1;
        }
    }
    counts
}

/// The ports that are in use among `ports`, each once, in order of their numbers.
#[must_use]
pub fn port_info(topology: &Topology, mut ports: Vec<PortIndex>) -> Vec<PortInfo> {
    ports.sort_unstable();
    ports.dedup();
    ports
        .into_iter()
        .filter_map(|index| {
            let port = topology.port(index);
            let switch = topology.switch_of(index);
            Some(PortInfo {
                index,
                switch,
                group: topology.group_of(switch),
                port: topology.port_of(index),
                role: role_of(port.role)?,
                peer: peer_name(topology, port.peer),
                rate: topology.rate(index),
            })
        })
        .collect()
}

fn peer_name(topology: &Topology, peer: PortPeer) -> String {
    match peer {
        PortPeer::None => "nothing".to_owned(),
        PortPeer::Endpoint(endpoint) => {
            let described = topology.endpoint(endpoint);
            format!("endpoint {endpoint} (node {} NIC {})", described.node, described.nic)
        }
        PortPeer::Port(port) => {
            let switch = topology.switch_of(port);
            format!("group {} switch {switch} port {}", topology.group_of(switch), topology.port_of(port))
        }
    }
}
