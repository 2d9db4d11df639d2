//! While all links work, no packet visits a switch twice, on any shape and under any load.

use std::collections::BTreeSet;
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_path::{Loads, RouteRequest, RouteState, Router, RoutingMode, RoutingParameters};
use philae_route_tables::{FabricWiring, Parameters, RoutePlan};
use philae_topology::{
    DragonflyDescription, FatTreeDescription, GlobalWiring, GraphDescription, LocalWiring, PortPeer, SystemDescription,
    Topology,
};
use philae_units::{EndpointId, PortIndex, SwitchId};
use proptest::prelude::*;

const MODES: [RoutingMode; 4] =
    [RoutingMode::Minimal, RoutingMode::Valiant, RoutingMode::Adaptive, RoutingMode::EcmpNonminimal];

/// Loads that differ from port to port.
struct Drawn(u32);

impl Loads for Drawn {
    fn local(&self, port: PortIndex) -> u32 {
        (port.0.wrapping_mul(0x9e37_79b9) ^ self.0) % 11 * 7_000
    }
    fn remote(&self, port: PortIndex) -> u32 {
        self.local(port) / 2
    }
}

/// The switches of a packet's path.
fn path(
    router: &Router,
    (from, to): (EndpointId, EndpointId),
    loads: &Drawn,
    random: &mut RandomStream,
) -> Vec<SwitchId> {
    let topology = router.topology();
    let (mut input, mut route) = (topology.endpoint(from).port, RouteState::default());
    let mut path = Vec::new();
    loop {
        let switch = topology.switch_of(input);
        path.push(switch);
        assert!(path.len() < 32, "a route ends: {path:?}");
        let request = RouteRequest {
            switch,
            destination: to,
            source: path.len() == 1,
            ordered: None,
            nonminimal_bias_percent: 0,
            mode: router.parameters().mode,
            shortest: to.0.is_multiple_of(2),
            fresh: false,
            input,
        };
        let hop = router.route(request, &mut route, loads, random).expect("all links work");
        match topology.port(hop.port).peer {
            PortPeer::Port(peer) => input = peer,
            PortPeer::Endpoint(endpoint) => {
                assert_eq!(endpoint, to);
                return path;
            }
            PortPeer::None => panic!("a hop leads somewhere"),
        }
    }
}

/// A connected graph: a random tree and some more links, of which some are parallel.
fn graph() -> impl Strategy<Value = SystemDescription> {
    (3_u32..14, 0_u32..16, any::<u64>()).prop_map(|(switches, more, seed)| {
        let mut random = RandomStream::new(seed, 0, 0);
        let mut links: Vec<[u32; 2]> = (1..switches).map(|switch| [random.below(switch), switch]).collect();
        for _ in 0..more {
            let one = random.below(switches);
            links.push([one, (one + 1 + random.below(switches - 1)) % switches]);
        }
        SystemDescription { radix: 64, ..GraphDescription::regular(switches, 1, &links).into() }
    })
}

fn dragonfly() -> impl Strategy<Value = SystemDescription> {
    (1_u32..6, 2_u32..5, 1_u32..4, 1_u32..9, 0_usize..5).prop_map(|(groups, width, rows, links, global)| {
        use GlobalWiring as W;
        let mut wiring = DragonflyDescription::uniform(groups, width * rows, 1, links);
        wiring.wiring = [W::RoundRobin, W::Absolute, W::Relative, W::Palmtree, W::Circulant][global];
        if rows > 1 {
            wiring.groups[0].local = LocalWiring::Grid { columns: width, rows, row_links: 1, column_links: 1 };
        }
        SystemDescription { radix: 64, ..wiring.into() }
    })
}

fn tree() -> impl Strategy<Value = SystemDescription> {
    (2_u32..6, 1_u32..4, 2_u32..5).prop_map(|(leaves, ends, spines)| SystemDescription {
        radix: 64,
        ..FatTreeDescription::two_level(leaves, ends, spines).into()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_switch_is_visited_twice(
        description in prop_oneof![3 => graph(), 2 => dragonfly(), 1 => tree()],
        mode in 0_usize..4, by_tables in any::<bool>(), seed in any::<u64>()
    ) {
        let topology = Arc::new(Topology::build(&description).expect("a legal system"));
        let mode = MODES[mode];
        let parameters = RoutingParameters { mode, ..RoutingParameters::slingshot() };
        let router = if by_tables {
            let Ok(wiring) = FabricWiring::of(&topology) else { return Ok(()) };
            let plan = RoutePlan::new(Arc::new(wiring), None, Parameters::default());
            Router::by_tables(Arc::clone(&topology), parameters, plan, 8)
        } else {
            Router::new(Arc::clone(&topology), parameters)
        };
        // A graph may be too wide for the legs.
        let Ok(router) = router else { return Ok(()) };
        let mut random = RandomStream::new(seed, 1, 1);
        let loads = Drawn(seed as u32);
        let ends = 0..topology.endpoint_count() as u32;
        for (from, to) in ends.clone().flat_map(|from| ends.clone().map(move |to| (EndpointId(from), EndpointId(to)))) {
            for _ in 0..3 {
                let path = path(&router, (from, to), &loads, &mut random);
                let different: BTreeSet<_> = path.iter().collect();
                prop_assert_eq!(different.len(), path.len(), "{:?} visits a switch twice", path);
            }
        }
    }
}

/// Paths of packets from one end of these links to the other, as a set.
fn paths(switches: u32, links: &[[u32; 2]], ends: (u32, u32)) -> BTreeSet<Vec<u32>> {
    let description: SystemDescription = GraphDescription::regular(switches, 1, links).into();
    let topology = Arc::new(Topology::build(&description).expect("a legal system"));
    let parameters = RoutingParameters { mode: RoutingMode::Valiant, ..RoutingParameters::slingshot() };
    let router = Router::new(topology, parameters).expect("few legs");
    let mut random = RandomStream::new(7, 0, 0);
    let ends = (EndpointId(ends.0), EndpointId(ends.1));
    let walk = |_| path(&router, ends, &Drawn(3), &mut random).iter().map(|switch| switch.0).collect();
    (0..400).map(walk).collect()
}

#[test]
fn on_a_chain_there_is_one_path() {
    assert_eq!(paths(3, &[[0, 1], [1, 2]], (1, 0)), BTreeSet::from([vec![1, 0]]));
}

/// The rule leaves out paths, not intermediate switches that some path reaches well: from 0 to 1 on
/// this 3 by 3 mesh, switch 4 is entered from 3, since the path onward leaves it for 1.
#[test]
fn a_mesh_keeps_the_detours_that_lead_forward() {
    let mesh = [[0, 1], [1, 2], [3, 4], [4, 5], [6, 7], [7, 8], [0, 3], [3, 6], [1, 4], [4, 7], [2, 5], [5, 8]];
    let found = paths(9, &mesh, (0, 1));
    assert!(found.contains(&vec![0, 3, 4, 1]), "{found:?}");
    assert!(!found.contains(&vec![0, 1, 4, 1]), "{found:?}");
    let found = paths(9, &mesh, (0, 2));
    assert!(found.contains(&vec![0, 3, 4, 5, 2]) && found.contains(&vec![0, 3, 6, 7, 8, 5, 2]), "{found:?}");
}
