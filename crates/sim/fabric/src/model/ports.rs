//! The ports of a topology: their slots in a partition's columns, and what a record says of them,
//! for packet runs and fluid runs alike.

use philae_results::record::{LinkRole, PortInfo};
use philae_topology::{PortPeer, PortRole, Topology};
use philae_units::PortIndex;

/// Stands for the slot of a port without a cable: it has none.
pub const NO_SLOT: u32 = u32::MAX;

/// The slot of each port of the system in the columns of its partition; `partition_of` has the
/// partition of each switch.
///
/// Ports without a cable have none, so that a switch of which few ports are used takes little
/// memory. Ports to other switches come first, because only those have shares of links. Otherwise
/// the order is that of the ports.
pub fn port_slots(topology: &Topology, partition_of: &[u16]) -> Vec<u32> {
    let mut slots = vec![NO_SLOT; topology.port_count()];
    let mut next = vec![0; partition_of.iter().max().map_or(0, |&last| usize::from(last) + 1)];
    for of_nics in [false, true] {
        for (index, slot) in slots.iter_mut().enumerate() {
            let port = PortIndex(index as u32);
            let belongs = match topology.port(port).peer {
                PortPeer::None => false,
                PortPeer::Port(_) => !of_nics,
                PortPeer::Endpoint(_) => of_nics,
            };
            if belongs {
                let next = &mut next[usize::from(partition_of[topology.switch_of(port).index()])];
                *slot = *next;
                *next += 1;
            }
        }
    }
    slots
}

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

#[cfg(test)]
mod tests {
    use philae_topology::{DragonflyDescription, FatTreeDescription, SystemDescription};

    use super::*;
    use crate::sched::division::divide;

    /// A system with unused ports on every switch, and one whose cores have no endpoints.
    fn systems() -> [SystemDescription; 2] {
        [DragonflyDescription::uniform(4, 4, 4, 2).into(), FatTreeDescription::three_level(4, 4, 4, 4, 2).into()]
    }

    #[test]
    fn only_ports_in_use_have_slots_and_those_to_switches_come_first() {
        for system in systems() {
            let topology = Topology::build(&system).expect("it can be wired");
            for asked in [1, 2, 4] {
                let (partition_of, ranges) = divide(&topology, asked);
                let slots = port_slots(&topology, &partition_of);
                let mut used = 0;
                for range in &ranges {
                    let ports =
                        range.switches.start * topology.radix() as u32..range.switches.end * topology.radix() as u32;
                    let peer = |port: u32| topology.port(PortIndex(port)).peer;
                    assert!(
                        ports.clone().all(|port| (slots[port as usize] == NO_SLOT) == (peer(port) == PortPeer::None))
                    );
                    let mut of_slots: Vec<u32> = ports.filter(|port| slots[*port as usize] != NO_SLOT).collect();
                    of_slots.sort_by_key(|port| slots[*port as usize]);
                    assert!(of_slots.iter().zip(0..).all(|(port, slot)| slots[*port as usize] == slot), "without gaps");
                    let places: Vec<_> =
                        of_slots.iter().map(|port| (matches!(peer(*port), PortPeer::Endpoint(_)), *port)).collect();
                    assert!(places.is_sorted(), "ports to switches first, each kind in the order of ports");
                    used += of_slots.len();
                }
                assert!(used < topology.port_count(), "some ports are not in use");
                assert_eq!(used as u64, ports_by_role(&topology).into_iter().sum::<u64>());
            }
        }
    }
}
