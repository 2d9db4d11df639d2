//! Exchanged and lost cables are reported by name.

use philae_inventory::{End, Models, Neighbour, Observation, Placement, PlanDifference, PlannedFabric, Template};
use philae_topology::{DragonflyDescription, MacAddress, PortPeer, PortRole, Topology};
use philae_units::{PortIndex, SwitchId};
use philae_wire::WireLayer;
use philae_wire::lldp::{CHASSIS_MAC, Identifier, LldpRepr, LldpUnit, PORT_NAME};
use proptest::prelude::*;

fn fabric() -> PlannedFabric {
    Template::of_built_in("malbec").build(&Models::built_in()).expect("built in")
}

/// The observations of all ports when cables are moved: the cable of `moved[i].0` is in
/// `moved[i].1`.
fn seen(fabric: &PlannedFabric, moved: &[(PortIndex, PortIndex)]) -> Vec<Observation> {
    // Where the cable that belongs to a port really is.
    let place = |port: PortIndex| moved.iter().find(|(from, _)| *from == port).map_or(port, |(_, to)| *to);
    let belongs = |port: PortIndex| moved.iter().find(|(_, to)| *to == port).map_or(port, |(from, _)| *from);
    (0..fabric.port_count())
        .map(|port| PortIndex(port as u32))
        .filter(|&port| fabric.port(port).peer != PortPeer::None || moved.iter().any(|(_, to)| *to == port))
        .map(|port| {
            let neighbour = match fabric.port(belongs(port)).peer {
                PortPeer::None => None,
                PortPeer::Endpoint(nic) => Some(Neighbour::Known(End::Nic(nic))),
                PortPeer::Port(far) => Some(Neighbour::Known(End::Port(place(far)))),
            };
            Observation { port, neighbour }
        })
        .collect()
}

fn ports(fabric: &PlannedFabric, switch: u32, role: PortRole) -> Vec<PortIndex> {
    fabric.ports_of(SwitchId(switch)).map(PortIndex).filter(|&port| fabric.port(port).role == role).collect()
}

fn sentences(fabric: &PlannedFabric, observations: &[Observation]) -> Vec<String> {
    fabric.compare(observations).findings.iter().map(|finding| fabric.describe_finding(finding)).collect()
}

#[test]
fn a_fabric_as_it_should_be_has_no_findings() {
    let fabric = fabric();
    let comparison = fabric.compare(&seen(&fabric, &[]));
    assert!(comparison.findings.is_empty());
    let links = fabric.links();
    assert_eq!(comparison.right as u64, links.edge + 2 * (links.local + links.global));
    assert_eq!(comparison.unobserved, 0);
    assert_eq!(fabric.compare(&[]).unobserved, comparison.right);
}

#[test]
fn two_exchanged_cables_of_one_switch_are_named() {
    let fabric = fabric();
    for role in [PortRole::Local, PortRole::Global, PortRole::Edge] {
        let own = ports(&fabric, 0, role);
        let (one, other) = (own[0], own[own.len() - 1]);
        let found = sentences(&fabric, &seen(&fabric, &[(one, other), (other, one)]));
        let module = fabric.switch_xname(SwitchId(0)).to_string();
        let short = fabric.connector_port_xname(other).to_string().replace(&module, "");
        let wanted = format!("{} and {short} are exchanged", fabric.connector_port_xname(one));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&wanted), "{found:?}");
    }
}

#[test]
fn the_end_with_both_ports_on_one_switch_is_named() {
    let fabric = fabric();
    // Links to two different switches, exchanged at the common switch of the far ends, whose ports
    // come later in the order.
    let last = fabric.switch_count() as u32 - 1;
    let own = ports(&fabric, last, PortRole::Local);
    let (one, other) = (own[0], own[own.len() - 1]);
    let comparison = fabric.compare(&seen(&fabric, &[(one, other), (other, one)]));
    let [PlanDifference::Exchanged { ends, or }] = &comparison.findings[..] else { panic!("{comparison:?}") };
    assert_eq!(*ends, [End::Port(one), End::Port(other)]);
    assert!(or.is_empty());
}

#[test]
fn three_cables_in_a_round_are_named_in_the_order_in_which_they_moved() {
    let fabric = fabric();
    let own = ports(&fabric, 0, PortRole::Edge);
    let (a, b, c) = (own[0], own[1], own[2]);
    let comparison = fabric.compare(&seen(&fabric, &[(a, b), (b, c), (c, a)]));
    let [PlanDifference::Exchanged { ends, .. }] = &comparison.findings[..] else { panic!("{comparison:?}") };
    assert_eq!(*ends, [End::Port(a), End::Port(b), End::Port(c)]);
    let text = fabric.describe_finding(&comparison.findings[0]);
    assert!(text.starts_with("the cables of 3 ports are exchanged in a cycle"), "{text}");
}

#[test]
fn a_cable_in_an_empty_port_is_told_once_and_missing_here() {
    let fabric = fabric();
    let here = ports(&fabric, 0, PortRole::Local)[0];
    let empty = ports(&fabric, 1, PortRole::Unused)[0];
    let mut observations = seen(&fabric, &[(here, empty)]);
    observations.iter_mut().filter(|seen| seen.port == here).for_each(|seen| seen.neighbour = None);
    let found = fabric.compare(&observations).findings;
    let words: Vec<&str> = found.iter().map(PlanDifference::word).collect();
    assert_eq!(words.iter().filter(|word| **word == "missing").count(), 1, "{words:?}");
    assert_eq!(words.len(), 2, "{words:?}");
    // Both ends of the cable report the same; the comparison names the first of them.
    let PortPeer::Port(far) = fabric.port(here).peer else { panic!("a link") };
    let told = if far < empty {
        PlanDifference::Wrong { port: far, expected: End::Port(here), found: End::Port(empty), belongs_at: None }
    } else {
        PlanDifference::Extra { port: empty, found: End::Port(far) }
    };
    assert!(found.contains(&told), "{found:?}");
}

#[test]
fn lost_links_are_told_once_and_strangers_by_their_words() {
    let fabric = fabric();
    let one = ports(&fabric, 0, PortRole::Global)[0];
    let PortPeer::Port(far) = fabric.port(one).peer else { panic!("a link") };
    let mut observations = seen(&fabric, &[]);
    observations.iter_mut().filter(|seen| seen.port == one || seen.port == far).for_each(|seen| seen.neighbour = None);
    let found = fabric.compare(&observations).findings;
    assert_eq!(found, [PlanDifference::Missing { port: one, expected: End::Port(far), seen_from_there: false }]);
    observations.iter_mut().filter(|seen| seen.port == far).for_each(|seen| {
        seen.neighbour = Some(Neighbour::Known(End::Port(one)));
    });
    let found = sentences(&fabric, &observations);
    assert!(found[0].ends_with(", which sees it"), "{found:?}");
    observations.iter_mut().filter(|seen| seen.port == one).for_each(|seen| {
        seen.neighbour = Some(Neighbour::Unknown("sonic-7 Ethernet4".to_owned()));
    });
    let found = sentences(&fabric, &observations);
    assert!(found[0].contains("sees 'sonic-7 Ethernet4', which is not installed"), "{found:?}");
}

#[test]
fn lldp_units_name_ports_and_nics() {
    let fabric = fabric();
    let port = ports(&fabric, 3, PortRole::Local)[0];
    let mac = fabric.mac_prefix().lldp_mac(fabric.address(port).expect("small"));
    let name = fabric.connector_port_xname(port).to_string();
    let nic = fabric.nic_at(ports(&fabric, 3, PortRole::Edge)[0]).expect("an edge port");
    let node = fabric.node_xname(fabric.nics()[nic.index()].node).to_string();
    let interface = format!("hsn{}", fabric.nics()[nic.index()].nic);
    let told = |chassis: &[u8], port: &[u8]| {
        let repr = LldpRepr {
            chassis: Identifier { subtype: CHASSIS_MAC, name: chassis },
            port: Identifier { subtype: PORT_NAME, name: port },
            time_to_live_seconds: 120,
            others: &[],
        };
        let mut bytes = [0; 128];
        repr.emit(&mut bytes, 0).expect("room");
        fabric.neighbour(&LldpRepr::parse(&LldpUnit::new(bytes).expect("whole")).expect("whole"))
    };
    let stranger = MacAddress([2, 0, 0, 0, 0, 1]).0;
    assert_eq!(told(&stranger, &mac.0), Neighbour::Known(End::Port(port)));
    assert_eq!(told(&mac.0, b"?"), Neighbour::Known(End::Port(port)));
    assert_eq!(told(&stranger, name.as_bytes()), Neighbour::Known(End::Port(port)));
    assert_eq!(told(node.as_bytes(), interface.as_bytes()), Neighbour::Known(End::Nic(nic)));
    assert_eq!(told(node.as_bytes(), b"hsn99"), Neighbour::Unknown(format!("{node} hsn99")));
    assert_eq!(told(&stranger, b"eth0"), Neighbour::Unknown("02:00:00:00:00:01 eth0".to_owned()));
}

#[test]
fn what_leads_to_a_round_is_no_part_of_it() {
    let fabric = fabric();
    let own = ports(&fabric, 0, PortRole::Edge);
    let (a, b, c) = (own[0], own[1], own[2]);
    let nic = |port| Some(Neighbour::Known(End::Nic(fabric.nic_at(port).expect("an edge port"))));
    // b and c are exchanged, and a reports that it sees the NIC of b, which c also sees.
    let seen = [(a, nic(b)), (b, nic(c)), (c, nic(b))].map(|(port, neighbour)| Observation { port, neighbour });
    let found = fabric.compare(&seen).findings;
    let words: Vec<&str> = found.iter().map(PlanDifference::word).collect();
    assert_eq!(words, ["wrong", "exchanged"], "{found:?}");
}

/// A rotation of every edge port of a large fabric: one cycle, found in as many steps as there are
/// ports.
#[test]
fn a_round_of_all_edge_ports_is_found() {
    let fabric = Template::of_built_in("frontier").build(&Models::built_in()).expect("built in");
    let ports: Vec<PortIndex> = fabric.nics().iter().map(|nic| nic.port).collect();
    let count = ports.len();
    let seen: Vec<Observation> = (0..count)
        .map(|at| {
            let nic = fabric.nic_at(ports[(at + 1) % count]).expect("an edge port");
            Observation { port: ports[at], neighbour: Some(Neighbour::Known(End::Nic(nic))) }
        })
        .collect();
    let comparison = fabric.compare(&seen);
    let [PlanDifference::Exchanged { ends, .. }] = &comparison.findings[..] else { panic!("one round") };
    assert_eq!(ends.len(), count);
}

proptest! {
    /// Any permutation of cabled ports is explained completely: all findings are exchanges, and
    /// each moved cable is in one of them.
    #[test]
    fn every_permutation_is_named(seed in any::<Vec<prop::sample::Index>>()) {
        let description = DragonflyDescription::uniform(3, 4, 3, 2).into();
        let topology = Topology::build(&description).expect("legal");
        let fabric = PlannedFabric::of(&topology, &Placement::usual(&topology), &Models::built_in()).expect("room");
        // Ports of the first switch only, so that at most one end of each link moves.
        let mut own: Vec<PortIndex> =
            fabric.ports_of(SwitchId(0)).map(PortIndex).filter(|&port| fabric.port(port).role != PortRole::Unused).collect();
        let before = own.clone();
        for (at, index) in seed.iter().enumerate() {
            let (len, at) = (own.len(), at % own.len());
            own.swap(at, index.index(len));
        }
        let moved: Vec<_> = before.into_iter().zip(own).filter(|(from, to)| from != to).collect();
        let comparison = fabric.compare(&seen(&fabric, &moved));
        let mut named = Vec::new();
        for finding in &comparison.findings {
            let PlanDifference::Exchanged { ends, .. } = finding else { panic!("{finding:?}") };
            for (place, end) in ends.iter().enumerate() {
                let (End::Port(from), End::Port(to)) = (*end, ends[(place + 1) % ends.len()]) else { panic!("{finding:?}") };
                named.push((from, to));
            }
        }
        named.sort();
        let mut wanted = moved;
        wanted.sort();
        prop_assert_eq!(named, wanted);
    }

    /// For any observations, the comparison ends and its findings can be described.
    #[test]
    fn nonsense_is_compared_without_panic(said in prop::collection::vec((0_u32..2_000, 0_u32..2_000, any::<u8>()), 0..60)) {
        let description = DragonflyDescription::uniform(3, 4, 3, 2).into();
        let topology = Topology::build(&description).expect("legal");
        let fabric = PlannedFabric::of(&topology, &Placement::usual(&topology), &Models::built_in()).expect("room");
        let (ports, nics) = (fabric.port_count() as u32, fabric.nic_count() as u32);
        let observations: Vec<Observation> = said
            .into_iter()
            .map(|(port, end, how)| Observation {
                port: PortIndex(port),
                neighbour: match how % 4 {
                    0 => None,
                    1 => Some(Neighbour::Unknown("?".to_owned())),
                    2 => Some(Neighbour::Known(End::Nic(philae_units::EndpointId(end % nics)))),
                    _ => Some(Neighbour::Known(End::Port(PortIndex(end % ports)))),
                },
            })
            .collect();
        for finding in fabric.compare(&observations).findings {
            prop_assert!(!fabric.describe_finding(&finding).is_empty());
        }
    }
}
