//! Any legal dragonfly meets its specification; any other is refused with a remedy.

mod common;

use common::build;
use philae_topology::{
    Arrangement, Dragonfly, DragonflyDescription, Fill, GlobalLinks, GlobalWiring, GroupKind, ListedLink, LocalWiring,
    NicSpread, PortPeer, PortRanges, PortRole, Purpose, SystemDescription, SystemFigures, Topology, TopologyError,
    TopologyShape,
};
use philae_units::{GroupId, NodeId, PortIndex, SwitchId};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn dragonfly(topology: &Topology) -> &Dragonfly {
    match topology.shape() {
        TopologyShape::Dragonfly(dragonfly) => dragonfly,
        other => panic!("a dragonfly was built, not {other:?}"),
    }
}

fn peer(topology: &Topology, port: PortIndex) -> SwitchId {
    match topology.port(port).peer {
        PortPeer::Port(other) => topology.switch_of(other),
        other => panic!("{port:?} leads to {other:?}"),
    }
}

fn groups(topology: &Topology) -> impl Iterator<Item = GroupId> + Clone + use<> {
    (0..topology.group_count()).map(GroupId::from_index)
}

/// Follows the local tables to `to`; returns the hops.
fn walk(topology: &Topology, mut at: SwitchId, to: SwitchId) -> u8 {
    let shape = dragonfly(topology);
    let mut hops = 0;
    while at != to {
        let out = shape.local_next(at, to);
        assert!(!out.is_empty(), "there is a local way");
        let next = peer(topology, out.get(0));
        for port in out.iter() {
            assert_eq!(topology.switch_of(port), at);
            assert_eq!(topology.port(port).role, PortRole::Local);
            assert_eq!(peer(topology, port), next, "parallel links lead to the same switch");
        }
        assert_eq!(shape.local_distance(next, to) + 1, shape.local_distance(at, to), "each hop is nearer");
        at = next;
        hops += 1;
    }
    hops
}

fn arrangement() -> impl Strategy<Value = Arrangement> {
    prop_oneof![Just(Arrangement::Absolute), Just(Arrangement::Relative)]
}

fn wiring() -> impl Strategy<Value = GlobalWiring> {
    proptest::sample::select(vec![
        GlobalWiring::RoundRobin,
        GlobalWiring::Absolute,
        GlobalWiring::Consecutive,
        GlobalWiring::Relative,
        GlobalWiring::Palmtree,
        GlobalWiring::Circulant,
    ])
}

fn local(switches: u32) -> impl Strategy<Value = LocalWiring> {
    let columns = (1..=switches).filter(|columns| switches.is_multiple_of(*columns)).collect::<Vec<_>>();
    prop_oneof![
        (1_u32..3).prop_map(|parallel| LocalWiring::FullMesh { parallel }),
        (proptest::sample::select(columns), 1_u32..3, 1_u32..3).prop_map(move |(columns, row_links, column_links)| {
            LocalWiring::Grid { columns, rows: switches / columns, row_links, column_links }
        }),
    ]
}

prop_compose! {
    fn kind()(switches in 1_u32..9)(
        switches in Just(switches),
        count in 1_u32..5,
        endpoints in 0_u32..6,
        nics in 1_u32..=switches,
        share in 0_u32..=100,
        local in local(switches),
        in_order in any::<bool>(),
    ) -> GroupKind {
        let mut kind = GroupKind::uniform(count, switches, endpoints);
        kind.nics_per_node = nics as u8;
        kind.nodes = Some(count * (switches * endpoints / nics) * share / 100).filter(|_| share < 90);
        kind.local = local;
        kind.fill = if in_order { Fill::InOrder } else { Fill::Even };
        kind
    }
}

prop_compose! {
    fn system()(
        one in kind(), other in kind(), links in [1_u32..4, 1..4, 1..4], arrangement in arrangement(), global in wiring()
    )
    -> SystemDescription {
        let mut wiring = DragonflyDescription::uniform(1, 1, 1, links[0]);
        wiring.groups = vec![one, GroupKind { name: "other".to_owned(), purpose: Purpose::Service, ..other }];
        let between = |one: &str, other: &str, per_pair| {
            GlobalLinks { between: [one.to_owned(), other.to_owned()], per_pair }
        };
        wiring.global_links = vec![between("other", "compute", links[1]), between("other", "other", links[2])];
        wiring.wiring = global;
        if global == GlobalWiring::RoundRobin {
            wiring.arrangement = arrangement;
        }
        SystemDescription { radix: 100, ..wiring.into() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_legal_dragonfly_is_wired_as_promised(description in system()) {
        let topology = build(description);
        let shape = dragonfly(&topology);
        for group in groups(&topology) {
            let mut global = Vec::new();
            for from in topology.switches_of(group).map(SwitchId) {
                for to in topology.switches_of(group).map(SwitchId) {
                    prop_assert_eq!(walk(&topology, from, to), shape.local_distance(from, to));
                }
                global.push(topology.ports_of(from).filter(|(_, port)| port.role == PortRole::Global).count());
            }
            let (most, least) = (global.iter().max(), global.iter().min());
            prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "balanced: {:?}", global);
            let mut gateways = BTreeSet::new();
            for to in groups(&topology) {
                let out = shape.gateways(group, to);
                prop_assert_eq!(out.is_empty(), to == group);
                let on = out.iter().map(|port| topology.switch_of(*port)).collect::<BTreeSet<_>>();
                if shape.wiring() == GlobalWiring::RoundRobin {
                    prop_assert_eq!(on.len(), out.len().min(global.len()), "parallel links are on different switches");
                }
                for port in out {
                    prop_assert_eq!(topology.group_of(topology.switch_of(*port)), group);
                    prop_assert_eq!(topology.group_of(peer(&topology, *port)), to);
                    gateways.insert(*port);
                }
                let far_ends = out.iter().map(|port| match topology.port(*port).peer {
                    PortPeer::Port(far_end) => far_end,
                    PortPeer::Endpoint(_) | PortPeer::None => unreachable!("a gateway leads to another switch"),
                });
                prop_assert_eq!(far_ends.collect::<Vec<_>>(), shape.gateways(to, group));
                for switch in topology.switches_of(group).map(SwitchId) {
                    let own = shape.gateways_of(switch, group, to);
                    let filtered = out.iter().copied().filter(|port| topology.switch_of(*port) == switch);
                    prop_assert_eq!(own.iter().collect::<Vec<_>>(), filtered.collect::<Vec<_>>());
                    prop_assert!(own.placed().all(|(place, port)| out[place] == port));
                    prop_assert_eq!(own.len(), own.iter().count());
                    prop_assert_eq!(own.is_empty(), own.iter().next().is_none());
                    prop_assert!((0..own.len()).all(|place| Some(own.get(place)) == own.iter().nth(place)));
                }
            }
            prop_assert_eq!(gateways.len(), global.iter().sum::<usize>(), "gateways are complete");
        }
    }

    /// The same links, listed, are the same wiring.
    #[test]
    fn listed_links_are_wired_as_listed(description in system(), with_ports in any::<bool>()) {
        let topology = build(description.clone());
        let shape = dragonfly(&topology);
        let Some(mut wiring) = description.dragonfly.clone() else { panic!("a dragonfly was described") };
        let place = |port: PortIndex| {
            let switch = topology.switch_of(port);
            (switch.0 - topology.switches_of(topology.group_of(switch)).start, topology.port_of(port).0)
        };
        for (from, to) in groups(&topology).flat_map(|from| groups(&topology).map(move |to| (from, to))) {
            let both = shape.gateways(from, to).iter().zip(shape.gateways(to, from)).filter(|_| from < to);
            for (one, other) in both.map(|(one, other)| (place(*one), place(*other))) {
                wiring.listed_links.push(ListedLink {
                    between: [from.0, to.0],
                    switches: [one.0, other.0],
                    ports: with_ports.then_some([one.1, other.1]),
                });
            }
        }
        (wiring.wiring, wiring.arrangement) = (GlobalWiring::Listed, Arrangement::Absolute);
        (wiring.links_per_pair, wiring.global_links) = (None, Vec::new());
        prop_assume!(topology.group_count() > 1);
        let listed = build(SystemDescription { radix: description.radix, ..wiring.into() });
        for (from, to) in groups(&topology).flat_map(|from| groups(&topology).map(move |to| (from, to))) {
            let switches = |shape: &Dragonfly| {
                shape.gateways(from, to).iter().map(|port| topology.switch_of(*port)).collect::<Vec<_>>()
            };
            prop_assert_eq!(switches(shape), switches(dragonfly(&listed)));
            if with_ports {
                prop_assert_eq!(shape.gateways(from, to), dragonfly(&listed).gateways(from, to));
            }
        }
    }

    #[test]
    fn a_full_mesh_dragonfly_joins_every_pair_in_three_hops(
        sizes in (1_u32..7, 1_u32..7, 1_u32..4, 1_u32..5), arrangement in arrangement()
    ) {
        let mut wiring = DragonflyDescription::uniform(sizes.0, sizes.1, sizes.2, sizes.3);
        wiring.arrangement = arrangement;
        let description = SystemDescription { radix: 64, ..wiring.into() };
        let topology = build(description.clone());
        let shape = dragonfly(&topology);
        let mut longest = 0;
        for from in (0..topology.switch_count()).map(SwitchId::from_index) {
            for to in (0..topology.switch_count()).map(SwitchId::from_index) {
                let (home, away) = (topology.group_of(from), topology.group_of(to));
                let hops = if home == away {
                    walk(&topology, from, to)
                } else {
                    let through = |port: &PortIndex| {
                        walk(&topology, from, topology.switch_of(*port)) + 1 + walk(&topology, peer(&topology, *port), to)
                    };
                    shape.gateways(home, away).iter().map(through).min().expect("joined")
                };
                longest = longest.max(hops);
            }
        }
        prop_assert!(longest <= 3);
        let described = SystemFigures::of(&description, &topology);
        prop_assert_eq!(described.diameter_switch_hops, u32::from(longest));
    }
}

#[test]
fn nics_of_a_node_are_spread_as_asked() {
    let mut wiring = DragonflyDescription::uniform(2, 4, 8, 1);
    wiring.groups[0].nics_per_node = 2;
    for (spread, switches) in [(NicSpread::DifferentSwitches, 2), (NicSpread::SameSwitch, 1)] {
        wiring.groups[0].nic_spread = spread;
        let topology = build(wiring.clone());
        assert_eq!(topology.node_count(), 32);
        for node in (0..32).map(NodeId) {
            let nics = topology.endpoints_of(node).map(philae_units::EndpointId);
            assert_eq!(nics.map(|nic| topology.switch_of_endpoint(nic)).collect::<BTreeSet<_>>().len(), switches);
        }
    }
}

#[test]
fn port_numbers_follow_their_role() {
    let mut wiring = DragonflyDescription::uniform(3, 4, 8, 2);
    let roles = |topology: &Topology| {
        let ports = topology.ports_of(SwitchId(0)).map(|(_, port)| port.role);
        ports.enumerate().filter(|(_, role)| *role != PortRole::Unused).collect::<Vec<_>>()
    };
    let found = roles(&build(wiring.clone()));
    assert_eq!(found[7..9], [(7, PortRole::Edge), (8, PortRole::Local)]);
    assert_eq!(found[11], (11, PortRole::Global));
    wiring.port_ranges = Some(PortRanges { edge: [48, 63], local: [0, 15], global: [16, 47] });
    let found = roles(&build(wiring));
    assert_eq!(found[0], (0, PortRole::Local));
    assert_eq!(found[3], (16, PortRole::Global));
    assert_eq!(found[4], (48, PortRole::Edge));
}

fn refusal(wiring: DragonflyDescription) -> String {
    Topology::build(&wiring.into()).expect_err("cannot be built").to_string()
}

#[test]
fn what_does_not_fit_is_refused_with_a_remedy() {
    let legal = || DragonflyDescription::uniform(4, 8, 4, 1);
    assert_eq!(
        refusal(DragonflyDescription::uniform(577, 32, 16, 1)),
        "switch 0 of group 0 needs 18 global ports, it has 17 left (64 ports: 16 edge, 31 local); fewer links per pair \
         of groups, fewer endpoints per switch or more switches per group would work"
    );
    assert_eq!(
        refusal(DragonflyDescription::uniform(2, 64, 4, 1)),
        "switch 0 of group 0 needs 63 local ports, it has 60 left (64 ports: 4 edge); fewer switches per group, fewer \
         parallel links or fewer endpoints per switch would work"
    );
    assert_eq!(
        refusal(DragonflyDescription::uniform(2, 2, 65, 1)),
        "switch 0 of group 0 needs 65 edge ports, it has 64 left (64 ports: none used); fewer endpoints per switch would \
         work"
    );
    assert!(refusal(DragonflyDescription::uniform(0, 8, 4, 1)).starts_with("count of kind 'compute' is 0"));
    assert!(refusal(DragonflyDescription::uniform(4, 0, 4, 1)).starts_with("switches of kind 'compute' is 0"));
    assert!(
        refusal(DragonflyDescription::uniform(4, 8, 4, 0))
            .starts_with("groups of kind 'compute' and 'compute' have no link")
    );
    assert!(refusal(DragonflyDescription::uniform(u32::MAX, u32::MAX, 4, 1)).contains("1 to 1048576 would work"));

    assert!(refusal(DragonflyDescription::uniform(1_000_000, 1, 0, u32::MAX)).contains("global ports, it has 64 left"));

    let mut wiring = legal();
    wiring.groups[0].local = LocalWiring::Grid { columns: 3, rows: 2, row_links: 1, column_links: 1 };
    assert_eq!(
        refusal(wiring),
        "groups of kind 'compute' have 8 switches in a grid of 3 columns and 2 rows; 6 switches would work"
    );
    let mut wiring = legal();
    wiring.groups.push(wiring.groups[0].clone());
    assert!(refusal(wiring).starts_with("two kinds of group are named 'compute'"));
    let mut wiring = legal();
    let links = GlobalLinks { between: ["compute".to_owned(), "storage".to_owned()], per_pair: 1 };
    wiring.global_links = vec![links.clone()];
    assert_eq!(
        refusal(wiring),
        "global links between 'compute' and 'storage': the kinds of group of this system are compute; two of these would work"
    );
    let mut wiring = legal();
    let links = GlobalLinks { between: ["compute".to_owned(), "compute".to_owned()], ..links };
    wiring.global_links = vec![links.clone(), links];
    assert_eq!(refusal(wiring), "links between 'compute' and 'compute' are given twice; once would work");
    let mut wiring = legal();
    wiring.port_ranges = Some(PortRanges { edge: [0, 15], local: [15, 30], global: [31, 63] });
    assert!(refusal(wiring).starts_with("port_ranges.edge is [0, 15]; first <= last < 64"));
    let mut wiring = legal();
    wiring.port_ranges = Some(PortRanges { edge: [0, 2], local: [3, 30], global: [31, 63] });
    assert!(refusal(wiring).contains("needs 4 edge ports, it has 3 left (64 ports: port_ranges keeps 3 edge"));
    let mut wiring = legal();
    wiring.groups[0].nics_per_node = 9;
    assert!(refusal(wiring).starts_with("a node of kind 'compute' has 9 NICs on different switches, there are 8"));
    let mut wiring = legal();
    wiring.global.rate_gbps = -1.0;
    assert_eq!(refusal(wiring), "the global links run at -1 Gb/s; 0.001 to 4000 would work");
    let mut wiring = legal();
    wiring.local.length_m = f64::NAN;
    assert!(refusal(wiring).starts_with("the local cables are NaN m"));
    let system = SystemDescription { radix: 257, ..legal().into() };
    assert_eq!(Topology::build(&system).expect_err("257"), TopologyError::Radix { radix: 257 });
    let system = SystemDescription { dragonfly: None, ..legal().into() };
    assert!(Topology::build(&system).expect_err("none").to_string().contains("has 0 of the tables"));
}

/// The switch of `from` that has the link to `to`, in a balanced dragonfly of nine groups: four
/// switches with two global ports each.
fn switch_of_link(wiring: GlobalWiring, from: u32, to: u32) -> u32 {
    let mut dragonfly_of = DragonflyDescription::uniform(9, 4, 2, 1);
    dragonfly_of.wiring = wiring;
    let topology = build(SystemDescription { radix: 64, ..dragonfly_of.into() });
    let [port] = dragonfly(&topology).gateways(GroupId(from), GroupId(to)) else { panic!("one link a pair") };
    topology.switch_of(*port).0 - topology.switches_of(GroupId(from)).start
}

#[test]
fn each_wiring_is_what_its_paper_calls_so() {
    let of = |wiring| [(0, 1), (0, 8), (4, 3), (4, 5), (8, 0)].map(|(from, to)| switch_of_link(wiring, from, to));
    // Slots: to group 0, 1, 2, ... without the own; around the ring; and against it.
    assert_eq!(of(GlobalWiring::Absolute), [0, 3, 1, 2, 0]);
    assert_eq!(of(GlobalWiring::Consecutive), of(GlobalWiring::Absolute));
    assert_eq!(of(GlobalWiring::Relative), [0, 3, 3, 0, 0]);
    assert_eq!(of(GlobalWiring::Palmtree), [3, 0, 0, 3, 3]);
    assert_eq!(of(GlobalWiring::Circulant), [0, 0, 0, 0, 0]);
    assert_eq!(of(GlobalWiring::RoundRobin), [0, 3, 3, 0, 0]);
}

#[test]
fn links_that_cannot_be_listed_are_refused_with_a_remedy() {
    let link = |between, switches, ports| ListedLink { between, switches, ports };
    let refused = |links: Vec<ListedLink>, change: fn(&mut DragonflyDescription)| {
        let mut wiring = DragonflyDescription::uniform(2, 2, 1, 1);
        (wiring.wiring, wiring.listed_links, wiring.links_per_pair) = (GlobalWiring::Listed, links, None);
        change(&mut wiring);
        let system = SystemDescription { radix: 4, ..wiring.into() };
        Topology::build(&system).expect_err("it is refused").to_string()
    };
    let good = link([0, 1], [0, 1], None);
    for (links, expected) in [
        (vec![], "no listed_links"),
        (vec![link([0, 2], [0, 0], None)], "names group 2; groups 0 to 1 would work"),
        (vec![link([1, 1], [0, 1], None)], "joins group 1 to itself; two different groups would work"),
        (vec![link([0, 1], [0, 2], None)], "names switch 2 of group 1; switches 0 to 1 of that group would work"),
        (vec![link([0, 1], [0, 0], Some([0, 2]))], "port 0 of switch 0 of group 0, which is no global port; port 2"),
        (vec![link([0, 1], [0, 0], Some([2, 2])); 2], "port 2 of switch 0 of group 0, which is taken; port 3"),
        (vec![good.clone(); 3], "finds no free global port on switch 0 of group 0; at most 2 links there"),
    ] {
        let error = refused(links, |_| ());
        assert!(error.contains(expected), "{error}");
    }
    let error = refused(vec![good.clone()], |wiring| wiring.links_per_pair = Some(1));
    assert!(error.contains("neither links_per_pair"), "{error}");
    let error = refused(vec![good.clone()], |wiring| wiring.arrangement = Arrangement::Relative);
    assert!(error.contains("arrangement"), "{error}");
    let error = refused(vec![good.clone()], |wiring| wiring.groups[0].count = 3);
    assert!(error.contains("no listed link joins the groups 0 and 2"), "{error}");
    let error = refused(vec![good], |wiring| {
        (wiring.wiring, wiring.links_per_pair) = (GlobalWiring::RoundRobin, Some(1));
    });
    assert!(error.contains("wiring = \"listed\""), "{error}");
}
