//! Third-party endpoints: the ports and numbers that they take, and refusals with what would work.

use philae_topology::{
    DragonflyDescription, EthernetDescription, FatTreeDescription, PortPeer, PortRole, PortRun, SystemDescription,
    Topology,
};
use philae_units::{EndpointId, LinkRate, NodeId, SwitchId};

/// Two groups of 2 switches, 4 endpoints each, at 400 Gb/s: ports 0 to 3 are edge, 4 local, 5
/// global.
fn system(ethernet: Vec<EthernetDescription>) -> SystemDescription {
    let mut dragonfly = DragonflyDescription::uniform(2, 2, 4, 2);
    dragonfly.edge.rate_gbps = 400.0;
    SystemDescription { ethernet, ..dragonfly.into() }
}

fn refused(entry: EthernetDescription) -> String {
    Topology::build(&system(vec![entry])).expect_err("cannot be attached").to_string()
}

#[test]
fn a_split_port_takes_numbers_that_are_free() {
    let topology = Topology::build(&system(vec![EthernetDescription::on_switch(1, 4, 100)])).expect("attaches");
    assert_eq!((topology.endpoint_count(), topology.node_count()), (16 + 4, 16 + 4));
    let found = topology.ethernet_endpoints();
    let places: Vec<_> = found.iter().map(|link| (link.endpoint, link.switch, link.port, link.of_port)).collect();
    assert_eq!(places, [(16, 1, 6, 6), (17, 1, 7, 6), (18, 1, 8, 6), (19, 1, 9, 6)]);
    for link in &found {
        let endpoint = topology.endpoint(EndpointId(link.endpoint));
        let port = topology.port(endpoint.port);
        assert_eq!(
            (endpoint.kind, port.role, port.peer),
            (1, PortRole::Edge, PortPeer::Endpoint(EndpointId(link.endpoint)))
        );
        assert_eq!(topology.rate(endpoint.port), LinkRate::from_gbps(100));
        assert_eq!(topology.switch_of_endpoint(EndpointId(link.endpoint)), SwitchId(1));
        assert!(topology.is_compute(NodeId(link.node)));
    }
    assert_eq!(topology.endpoint(EndpointId(0)).kind, 0);
    assert_eq!(topology.rate(topology.endpoint(EndpointId(0)).port), LinkRate::from_gbps(400));
}

#[test]
fn an_endpoint_of_the_wiring_may_become_a_third_party_one() {
    let entry = EthernetDescription { switch: None, endpoint: Some(5), ..EthernetDescription::on_switch(0, 2, 200) };
    let topology = Topology::build(&system(vec![entry])).expect("attaches");
    assert_eq!(topology.endpoint_count(), 17, "one of the wiring's, and one more");
    let kinds: Vec<u32> = (0..17).filter(|&at| topology.endpoint(EndpointId(at)).kind == 1).collect();
    assert_eq!(kinds, [5, 16]);
    assert_eq!(topology.rate(topology.endpoint(EndpointId(5)).port), LinkRate::from_gbps(200));
    assert_eq!(topology.links().edge, 17);
}

#[test]
fn a_leaf_of_a_fat_tree_leads_down_to_them() {
    let tree = FatTreeDescription::two_level(4, 4, 2);
    let system = SystemDescription { ethernet: vec![EthernetDescription::on_switch(2, 2, 100)], ..tree.into() };
    let topology = Topology::build(&system).expect("attaches");
    let added = EndpointId(topology.endpoint_count() as u32 - 1);
    let philae_topology::TopologyShape::FatTree(tree) = topology.shape() else { panic!("a fat tree") };
    let port = topology.edge_port(added);
    assert_eq!(tree.down_ports(SwitchId(2), port), Some(PortRun::new(topology.endpoint(added).port, 1)));
    assert!(!tree.is_below(SwitchId(1), port));
    let spine = SystemDescription { ethernet: vec![EthernetDescription::on_switch(4, 1, 100)], ..system };
    let error = Topology::build(&spine).expect_err("a spine").to_string();
    assert_eq!(error, "[[ethernet]] entry 0: switch = 4, which is not a leaf of its tree; a leaf would work");
}

#[test]
fn what_cannot_be_attached_is_refused_with_what_would_work() {
    let on = EthernetDescription::on_switch;
    assert_eq!(refused(on(0, 3, 100)), "[[ethernet]] entry 0: split = 3; 1, 2 or 4 would work");
    assert_eq!(refused(on(0, 1, 40)), "[[ethernet]] entry 0: rate_gbps = 40; 25, 50, 100, 200 or 400 would work");
    assert_eq!(
        refused(on(0, 4, 200)),
        "[[ethernet]] entry 0: 4 links of 200 Gb/s on a port of 400 Gb/s; rate_gbps = 25, 50, 100 would work"
    );
    assert_eq!(
        refused(on(9, 1, 100)),
        "[[ethernet]] entry 0: switch = 9 of a system with 4 switches; 0 to 3 would work"
    );
    let fabric = refused(EthernetDescription { port: Some(4), ..on(0, 2, 100) });
    assert_eq!(
        fabric,
        "[[ethernet]] entry 0: port 4 of switch 0, which leads to another switch: fabric ports are not split; \
         a port on which nothing is attached, or no `port`, would work"
    );
    let held = refused(EthernetDescription { port: Some(1), ..on(0, 1, 100) });
    assert!(held.contains("port 1 of switch 0, which leads to endpoint 1; `endpoint = 1` instead of"), "{held}");
    let full = refused(EthernetDescription { count: Some(60), ..on(0, 4, 100) });
    assert!(full.contains("60 links on switch 0, which uses 6 of its 64 port numbers"), "{full}");
    assert!(full.ends_with("at most 58 on this switch, or a switch with fewer cables, would work"), "{full}");
    let most = EthernetDescription { count: Some(58), ..on(0, 4, 100) };
    assert_eq!(Topology::build(&system(vec![most])).expect("58 numbers are free").endpoint_count(), 16 + 58);
    assert_eq!(
        refused(EthernetDescription { endpoint: Some(1), ..on(0, 1, 100) }),
        "[[ethernet]] entry 0: both `switch` and `endpoint`; one of them would work"
    );
    let none = EthernetDescription { switch: None, endpoint: Some(99), ..on(0, 1, 100) };
    assert!(refused(none).contains("endpoint = 99 of a system with 16 endpoints; 0 to 15 would work"));
    let many = EthernetDescription { switch: None, endpoint: Some(1), count: Some(3), ..on(0, 2, 100) };
    assert!(
        refused(many).contains("count = 3 on the one port of endpoint 1; no `port` and at most 2 (its split) would")
    );
}
