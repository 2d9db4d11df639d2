//! Checks that hold for every topology.

use philae_topology::{PortPeer, PortRole, SystemDescription, Topology};
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId};

pub fn build(description: impl Into<SystemDescription>) -> Topology {
    let topology = Topology::build(&description.into()).expect("legal");
    assert_consistent(&topology);
    topology
}

/// Wiring is symmetric, numbering is a bijection, endpoints and nodes agree.
pub fn assert_consistent(topology: &Topology) {
    let mut next = 0;
    for switch in (0..topology.switch_count()).map(SwitchId::from_index) {
        let group = topology.group_of(switch);
        assert!(topology.switches_of(group).contains(&switch.0), "a group knows its switches");
        for (number, (index, port)) in topology.ports_of(switch).enumerate() {
            assert_eq!(index, PortIndex(next), "ports are numbered switch by switch");
            next += 1;
            assert_eq!(topology.switch_of(index), switch);
            assert_eq!(topology.port_of(index).index(), number);
            assert_eq!(topology.port_index(switch, topology.port_of(index)), index);
            assert_eq!(topology.port(index), port);
            match (port.role, port.peer) {
                (PortRole::Unused, PortPeer::None) => {}
                (PortRole::Edge, PortPeer::Endpoint(endpoint)) => {
                    assert_eq!(topology.endpoint(endpoint).port, index);
                    assert_eq!(topology.switch_of_endpoint(endpoint), switch);
                }
                (role @ (PortRole::Local | PortRole::Global), PortPeer::Port(other)) => {
                    let back = topology.port(other);
                    assert_eq!((back.peer, back.role, back.cable), (PortPeer::Port(index), role, port.cable));
                    assert_ne!(topology.switch_of(other), switch);
                    let same_group = topology.group_of(topology.switch_of(other)) == group;
                    assert!(role != PortRole::Global || !same_group || topology.group_count() == 1);
                }
                (role, peer) => panic!("a port of role {role:?} has the peer {peer:?}"),
            }
        }
    }
    assert_eq!(next as usize, topology.port_count());
    let mut endpoint = 0;
    for node in (0..topology.node_count()).map(NodeId::from_index) {
        let nics = topology.endpoints_of(node);
        assert_eq!(nics.start, endpoint, "endpoints are numbered node by node");
        endpoint = nics.end;
        for (nic, found) in nics.map(|nic| topology.endpoint(EndpointId(nic))).enumerate() {
            assert_eq!((found.node, usize::from(found.nic)), (node, nic));
        }
    }
    assert_eq!(endpoint as usize, topology.endpoint_count());
}
