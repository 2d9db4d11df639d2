//! If links are out of order, packets avoid them, and every hop still climbs.

use std::collections::BTreeSet;
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_path::{Loads, RouteRequest, RouteState, Router, RoutingMode, RoutingParameters};
use philae_topology::{
    DragonflyDescription, FatTreeDescription, GraphDescription, LocalWiring, PortPeer, PortRole, SystemDescription,
    Topology, TopologyShape,
};
use philae_units::{EndpointId, PortIndex, SwitchId};
use proptest::prelude::*;

const MODES: [RoutingMode; 4] =
    [RoutingMode::Minimal, RoutingMode::Valiant, RoutingMode::Adaptive, RoutingMode::EcmpNonminimal];

/// Ports that do not work, and whether the tables know.
struct Broken {
    dead: BTreeSet<PortIndex>,
    known: bool,
}

impl Loads for Broken {
    fn local(&self, port: PortIndex) -> u32 {
        port.0 % 7 * 1_000
    }
    fn remote(&self, _: PortIndex) -> u32 {
        0
    }
    fn degraded(&self) -> bool {
        true
    }
    fn alive(&self, port: PortIndex) -> bool {
        !self.dead.contains(&port)
    }
    fn usable(&self, port: PortIndex) -> bool {
        !self.known || !self.dead.contains(&port)
    }
}

fn peer_port(topology: &Topology, port: PortIndex) -> Option<PortIndex> {
    match topology.port(port).peer {
        PortPeer::Port(other) => Some(other),
        PortPeer::Endpoint(_) | PortPeer::None => None,
    }
}

/// Breaks links between switches, drawn at random.
fn break_links(topology: &Topology, count: u32, random: &mut RandomStream) -> BTreeSet<PortIndex> {
    let links: Vec<PortIndex> = (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| peer_port(topology, port).is_some_and(|peer| peer > port))
        .collect();
    let mut dead = BTreeSet::new();
    for _ in 0..count.min(links.len() as u32) {
        let port = links[random.below(links.len() as u32) as usize];
        dead.extend([port, peer_port(topology, port).expect("a link has two ends")]);
    }
    dead
}

/// Place of a channel in the order of all channels.
fn rank(topology: &Topology, port: PortIndex, leg: u8) -> u32 {
    let level = match topology.shape() {
        TopologyShape::Dragonfly(shape) => {
            let (from, to) = (topology.switch_of(port), topology.switch_of(peer_port(topology, port).expect("a link")));
            match topology.port(port).role {
                PortRole::Global => 2,
                _ if shape.row_and_column(from).0 == shape.row_and_column(to).0 => 0,
                _ => 1,
            }
        }
        TopologyShape::FatTree(tree) => {
            let (from, to) = (topology.switch_of(port), topology.switch_of(peer_port(topology, port).expect("a link")));
            let (from, to) = (tree.level_of(from), tree.level_of(to));
            u32::from(if to > from { from } else { 8 - from })
        }
        TopologyShape::Graph(_) => 0,
    };
    u32::from(leg) * 16 + level
}

/// Hops to the destination's switch; `None` if the packet was left without a path.
fn walk(
    router: &Router,
    broken: &Broken,
    from: SwitchId,
    to: EndpointId,
    ordered: bool,
    random: &mut RandomStream,
) -> Option<u8> {
    let topology = router.topology();
    let (mut current, mut hops, mut route, mut last, mut fresh) = (from, 0_u8, RouteState::default(), None, true);
    let mut input = topology.edge_port(to);
    loop {
        let request = RouteRequest {
            switch: current,
            destination: to,
            source: hops == 0,
            ordered: (ordered && hops > 0).then_some(from.0 * 31 + to.0),
            nonminimal_bias_percent: router.parameters().nonminimal_bias_percent,
            mode: router.parameters().mode,
            shortest: to.0.is_multiple_of(2),
            fresh,
            input,
        };
        let hop = router.route(request, &mut route, broken, random)?;
        assert_eq!(topology.switch_of(hop.port), current, "a switch sends through its own ports");
        let Some(peer) = peer_port(topology, hop.port) else {
            assert_eq!(hop.port, topology.endpoint(to).port);
            return Some(hops);
        };
        assert!(!broken.dead.contains(&hop.port), "a packet is sent over a link that does not work");
        assert_ne!(hop.port, input, "a packet turns back over the link it came by");
        assert!(hop.leg < router.legs());
        let place = rank(topology, hop.port, hop.leg);
        assert!(last.is_none_or(|last| last < place), "hop {hops} does not climb: {last:?} then {place}");
        last = Some(place);
        fresh = topology.port(hop.port).role == PortRole::Global;
        (current, input) = (topology.switch_of(peer), peer);
        hops += 1;
    }
}

fn system() -> impl Strategy<Value = SystemDescription> {
    let dragonfly =
        (2_u32..6, 2_u32..6, 1_u32..3, 1_u32..9, 1_u32..3).prop_map(|(groups, width, ends, links, rows)| {
            let mut wiring = DragonflyDescription::uniform(groups, width * rows, ends, links);
            if rows > 1 {
                wiring.groups[0].local = LocalWiring::Grid { columns: width, rows, row_links: 1, column_links: 1 };
            }
            SystemDescription { radix: 64, ..wiring.into() }
        });
    let tree = (2_u32..6, 1_u32..5, 2_u32..5).prop_map(|(leaves, ends, spines)| SystemDescription {
        radix: 64,
        ..FatTreeDescription::two_level(leaves, ends, spines).into()
    });
    let ring = (3_u32..7).prop_map(|switches| {
        let links: Vec<[u32; 2]> = (0..switches).map(|index| [index, (index + 1) % switches]).collect();
        let graph = GraphDescription::regular(switches, 1, &links);
        SystemDescription { radix: 64, ..graph.into() }
    });
    prop_oneof![3 => dragonfly, 1 => tree, 1 => ring]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn hops_climb_over_links_that_work(
        description in system(), mode in 0_usize..4, breaks in 0_u32..6, known in any::<bool>(), ordered in any::<bool>(),
        seed in any::<u64>()
    ) {
        let topology = Arc::new(Topology::build(&description).expect("a legal system"));
        let mode = MODES[mode];
        let parameters = RoutingParameters { mode, ..RoutingParameters::slingshot() };
        let Ok(router) = Router::new(Arc::clone(&topology), parameters) else { return Ok(()) };
        let mut random = RandomStream::new(seed, 0, 0);
        let broken = Broken { dead: break_links(&topology, breaks, &mut random), known };
        for from in (0..topology.switch_count()).map(SwitchId::from_index) {
            for to in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                let hops = walk(&router, &broken, from, to, ordered, &mut random);
                prop_assert!(hops.is_some() || !broken.dead.is_empty(), "without a broken link every packet arrives");
            }
        }
    }

    #[test]
    fn once_the_tables_know_one_broken_link_costs_no_packet(
        groups in 2_u32..6, switches in 3_u32..6, links in 2_u32..9, mode in 0_usize..4, ordered in any::<bool>(), seed in any::<u64>()
    ) {
        let description = SystemDescription { radix: 64, ..DragonflyDescription::uniform(groups, switches, 1, links).into() };
        let topology = Arc::new(Topology::build(&description).expect("a legal system"));
        let mode = MODES[mode];
        let router = Router::new(Arc::clone(&topology), RoutingParameters { mode, ..RoutingParameters::slingshot() }).unwrap();
        let mut random = RandomStream::new(seed, 0, 0);
        let broken = Broken { dead: break_links(&topology, 1, &mut random), known: true };
        for from in (0..topology.switch_count()).map(SwitchId::from_index) {
            for to in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                prop_assert!(walk(&router, &broken, from, to, ordered, &mut random).is_some(), "{from} to {to}");
            }
        }
    }
}
