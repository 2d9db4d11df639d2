//! Fat trees of two and three levels.

mod common;

use common::build;
use philae_topology::{
    FatTree, FatTreeDescription, PortPeer, SystemDescription, SystemFigures, Topology, TopologyError, TopologyShape,
};
use philae_units::{EndpointId, SwitchId};
use proptest::prelude::*;

fn tree(topology: &Topology) -> &FatTree {
    match topology.shape() {
        TopologyShape::FatTree(tree) => tree,
        other => panic!("a fat tree was built, not {other:?}"),
    }
}

/// Every port up or down of `at` leads to `to` in the expected number of hops.
fn walk(topology: &Topology, at: SwitchId, to: EndpointId) -> u32 {
    let shape = tree(topology);
    let down = shape.down_ports(at, topology.edge_port(to));
    assert_eq!(shape.is_below(at, topology.edge_port(to)), down.is_some());
    let ports = down.unwrap_or_else(|| shape.up_ports(at));
    assert!(!ports.is_empty(), "there is a way");
    let hops = ports.iter().map(|port| {
        assert_eq!(topology.switch_of(port), at);
        match topology.port(port).peer {
            PortPeer::Endpoint(endpoint) => {
                assert_eq!(endpoint, to);
                0
            }
            PortPeer::Port(other) => {
                let next = topology.switch_of(other);
                let step = i16::from(shape.level_of(next)) - i16::from(shape.level_of(at));
                assert_eq!(step, if down.is_some() { -1 } else { 1 }, "up, then down");
                1 + walk(topology, next, to)
            }
            PortPeer::None => panic!("a port of the tree has a cable"),
        }
    });
    let hops = hops.collect::<Vec<_>>();
    assert!(hops.iter().all(|other| *other == hops[0]), "all ways are equally long");
    hops[0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_legal_fat_tree_joins_every_pair_up_and_down(
        sizes in (1_u32..4, 1_u32..4, 1_u32..4, 1_u32..3), cores in proptest::option::of((1_u32..4, 1_u32..3, 1_u32..3))
    ) {
        let mut wiring = FatTreeDescription::two_level(sizes.0, sizes.1, sizes.2);
        wiring.links_per_pair = sizes.3;
        if let Some((pods, per_plane, links_per_pair)) = cores {
            wiring.cores = Some(philae_topology::FatTreeCores { pods, per_plane, links_per_pair });
        }
        let system = SystemDescription::from(wiring);
        let topology = build(system.clone());
        let mut longest = 0;
        for from in (0..topology.endpoint_count()).map(EndpointId::from_index) {
            for to in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                longest = longest.max(walk(&topology, topology.switch_of_endpoint(from), to));
            }
        }
        prop_assert_eq!(SystemFigures::of(&system, &topology).diameter_switch_hops, longest);
    }
}

#[test]
fn a_full_three_level_tree_is_not_tapered() {
    let system = SystemDescription::from(FatTreeDescription::three_level(4, 4, 4, 4, 4));
    let topology = build(system.clone());
    let described = SystemFigures::of(&system, &topology);
    assert_eq!((described.groups, described.switches, described.endpoints), (5, 48, 64));
    assert_eq!((described.links.local, described.links.global), (128, 0));
    assert_eq!(described.taper, Some(1.0));
    assert_eq!(described.bisection_gbps, 32.0 * 200.0 * 2.0);
    assert_eq!(described.diameter_switch_hops, 4);
    let mut oversubscribed = FatTreeDescription::two_level(4, 8, 4);
    oversubscribed.nodes = Some(30);
    let system = SystemDescription::from(oversubscribed);
    let described = SystemFigures::of(&system, &build(system.clone()));
    assert_eq!((described.taper, described.endpoints), (Some(0.5), 30));
}

#[test]
fn links_and_cables_are_counted_apart() {
    let mut wiring = FatTreeDescription::two_level(4, 4, 2);
    wiring.links_per_pair = 2;
    wiring.uplink.links_per_cable = 2;
    let system = SystemDescription::from(wiring.clone());
    let described = SystemFigures::of(&system, &build(system.clone()));
    let uplinks = described.cables.iter().find(|cables| cables.links == 16 && cables.cables == 8);
    assert!(uplinks.is_some_and(|cables| cables.length_m_total == 160.0), "{:?}", described.cables);
    wiring.links_per_pair = 3;
    let error = Topology::build(&wiring.into()).expect_err("half a cable").to_string();
    assert_eq!(error, "3 links join a leaf and a spine, a cable carries 2; a multiple of 2 would work");
}

#[test]
fn what_does_not_fit_is_refused_with_a_remedy() {
    let refusal = |wiring: FatTreeDescription| Topology::build(&wiring.into()).expect_err("cannot be built");
    assert_eq!(
        refusal(FatTreeDescription::two_level(65, 32, 32)).to_string(),
        "a spine switch needs 65 ports (65 down, 0 up), it has 64; fewer leaves, fewer links up or a higher radix would work"
    );
    assert!(refusal(FatTreeDescription::two_level(4, 60, 5)).to_string().starts_with("a leaf switch needs 65 ports"));
    assert!(refusal(FatTreeDescription::three_level(65, 1, 1, 1, 1)).to_string().starts_with("a core switch needs 65"));
    assert_eq!(refusal(FatTreeDescription::two_level(4, 4, 0)), TopologyError::Zero { what: "spines".to_owned() });
    let mut wiring = FatTreeDescription::two_level(4, 4, 4);
    wiring.nodes = Some(17);
    assert!(refusal(wiring.clone()).to_string().contains("at most 16 would work"));
    wiring.nics_per_node = 5;
    assert!(refusal(wiring).to_string().contains("5 NICs on one switch, there are 4"));
}
