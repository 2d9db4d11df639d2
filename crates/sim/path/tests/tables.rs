//! Routes by tables, undamaged or not, also if more links have failed than the tables know. Packets
//! arrive or are given up, and no circle of channels can wait for itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_path::{Loads, RouteRequest, RouteState, Router, RoutingError, RoutingMode, RoutingParameters};
use philae_route_tables::{FabricWiring, LinkChange, LiveLinks, Parameters, RoutePlan, verify};
use philae_topology::{
    DragonflyDescription, FatTreeDescription, GraphDescription, LocalWiring, PortPeer, SystemDescription, Topology,
};
use philae_units::{EndpointId, PortIndex, SwitchId};
use proptest::prelude::*;

/// Load of ports, and the ports that do not work.
struct View {
    shift: u32,
    dead: BTreeSet<PortIndex>,
}

impl Loads for View {
    fn local(&self, port: PortIndex) -> u32 {
        (port.0 >> self.shift) % 7 * 9_000
    }
    fn remote(&self, port: PortIndex) -> u32 {
        self.local(port) / 2
    }
    fn degraded(&self) -> bool {
        !self.dead.is_empty()
    }
    fn alive(&self, port: PortIndex) -> bool {
        !self.dead.contains(&port)
    }
}

fn systems() -> Vec<Arc<Topology>> {
    let ring = |switches: u32| -> SystemDescription {
        let links: Vec<[u32; 2]> = (0..switches).map(|switch| [switch, (switch + 1) % switches]).collect();
        GraphDescription::regular(switches, 1, &links).into()
    };
    let tree = "leaves = 4\nendpoints_per_leaf = 2\nspines = 3\ncores = { pods = 3, per_plane = 2 }\n";
    let tree: FatTreeDescription = toml::from_str(tree).expect("a fat tree of three levels");
    let mut grid = DragonflyDescription::uniform(4, 6, 1, 2);
    grid.groups[0].local = LocalWiring::Grid { columns: 3, rows: 2, row_links: 1, column_links: 2 };
    let descriptions: [SystemDescription; 6] = [
        DragonflyDescription::uniform(5, 4, 1, 1).into(),
        DragonflyDescription::uniform(4, 4, 1, 3).into(),
        grid.into(),
        tree.into(),
        ring(9),
        ring(20),
    ];
    descriptions.iter().map(|description| Arc::new(Topology::build(description).expect("a legal system"))).collect()
}

/// Links drawn at random, by both of their ports.
fn drawn(wiring: &FabricWiring, count: u32, random: &mut RandomStream) -> Vec<(PortIndex, PortIndex)> {
    let links: Vec<_> = wiring.links().collect();
    (0..count).map(|_| links[random.below(links.len() as u32) as usize]).collect()
}

fn plan_without(wiring: &Arc<FabricWiring>, dead: &[(PortIndex, PortIndex)]) -> RoutePlan {
    let mut links = LiveLinks::all(wiring);
    for &(port, _) in dead {
        links.set(wiring, LinkChange { port, up: false });
    }
    RoutePlan::new(Arc::clone(wiring), Some(links), Parameters::default())
}

/// A channel: the port by which a packet leaves, and its leg.
type Channel = (PortIndex, u8);

/// Channels for which packets asked while they held another.
#[derive(Default)]
struct Waits(BTreeMap<Channel, BTreeSet<Channel>>);

impl Waits {
    /// Whether there is a circle: removes what waits for nothing until nothing more can be removed.
    fn has_cycle(&self) -> bool {
        let mut left = self.0.clone();
        loop {
            let held: BTreeSet<Channel> = left.keys().copied().collect();
            let before = left.len();
            left.retain(|_, next| next.iter().any(|channel| held.contains(channel)));
            if left.len() == before {
                return before > 0;
            }
        }
    }
}

/// Sends a packet. Returns whether it arrives.
fn send(
    router: &Router,
    view: &View,
    (from, to): (EndpointId, EndpointId),
    ordered: Option<u32>,
    random: &mut RandomStream,
    waits: &mut Waits,
) -> bool {
    let topology = router.topology();
    let mut switch = topology.switch_of_endpoint(from);
    let mut route = RouteState::default();
    let mut held: Option<Channel> = None;
    let mut input = topology.endpoint(from).port;
    for hop in 0..64 {
        let source = hop == 0;
        let request = RouteRequest {
            switch,
            destination: to,
            source,
            ordered: ordered.filter(|_| !source),
            nonminimal_bias_percent: 0,
            mode: router.parameters().mode,
            shortest: to.0.is_multiple_of(2),
            fresh: false,
            input,
        };
        let Some(hop) = router.route(request, &mut route, view, random) else { return false };
        match topology.port(hop.port).peer {
            PortPeer::Endpoint(endpoint) => {
                assert_eq!(endpoint, to);
                return true;
            }
            PortPeer::Port(peer) => {
                assert!(hop.leg < router.legs() && view.alive(hop.port));
                assert_eq!(topology.switch_of(hop.port), switch);
                let channel = (hop.port, hop.leg);
                if source {
                    assert_eq!(router.first_leg(&route), hop.leg);
                }
                if let Some(held) = held.replace(channel) {
                    waits.0.entry(held).or_default().insert(channel);
                }
                assert_ne!(hop.port, input, "a packet turns back over the link it came by");
                (switch, input) = (topology.switch_of(peer), peer);
            }
            PortPeer::None => panic!("a hop leads somewhere"),
        }
    }
    panic!("{from} to {to}: 64 hops and not there");
}

fn parameters(mode: RoutingMode) -> RoutingParameters {
    RoutingParameters { mode, ..RoutingParameters::slingshot() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn packets_arrive_and_channels_never_wait_in_a_circle(
        which in 0..6_usize,
        seed in any::<u64>(),
        known in 0..8_u32,
        unknown in 0..4_u32,
        mode in prop::sample::select(vec![
            RoutingMode::Minimal,
            RoutingMode::Valiant,
            RoutingMode::Adaptive,
            RoutingMode::EcmpNonminimal,
        ]),
    ) {
        let topology = &systems()[which];
        let wiring = Arc::new(FabricWiring::of(topology).expect("64 ports at most"));
        let mut random = RandomStream::new(seed, 0, 0);
        let dead = drawn(&wiring, known, &mut random);
        let plan = plan_without(&wiring, &dead);
        let report = verify(&plan).expect("sound");
        let later = drawn(&wiring, unknown, &mut random);
        let all = dead.iter().chain(&later).flat_map(|&(one, other)| [one, other]).collect();
        let router = match Router::by_tables(Arc::clone(topology), parameters(mode), plan.clone(), 8) {
            Ok(router) => router,
            Err(error) => panic!("{error}"),
        };
        let mut view = View { shift: 0, dead: all };
        let mut waits = Waits::default();
        for from in 0..topology.endpoint_count() as u32 {
            for to in (0..topology.endpoint_count() as u32).filter(|&to| to != from) {
                for turn in 0..4 {
                    view.shift = turn;
                    let ends = (EndpointId(from), EndpointId(to));
                    let ordered = (turn % 2 == 1).then(|| random.below(1 << 20));
                    let arrived = send(&router, &view, ends, ordered, &mut random, &mut waits);
                    if later.is_empty() && report.unreachable_pairs == 0 {
                        prop_assert!(arrived, "{from} to {to}");
                    }
                }
            }
        }
        prop_assert!(!waits.has_cycle());
    }
}

#[test]
fn the_test_finds_circles() {
    let channel = |port| (PortIndex(port), 0);
    let waits = |pairs: &[(u32, u32)]| {
        let mut waits = Waits::default();
        for &(held, next) in pairs {
            waits.0.entry(channel(held)).or_default().insert(channel(next));
        }
        waits
    };
    assert!(waits(&[(0, 1), (1, 2), (2, 0), (5, 0)]).has_cycle());
    assert!(!waits(&[(0, 1), (1, 2), (0, 2), (5, 0)]).has_cycle());
}

#[test]
fn an_undamaged_dragonfly_needs_the_same_legs_as_before() {
    let topology = &systems()[0];
    let wiring = Arc::new(FabricWiring::of(topology).expect("64 ports at most"));
    let legs = |mode, most| {
        let plan = plan_without(&wiring, &[]);
        Router::by_tables(Arc::clone(topology), parameters(mode), plan, most).map(|router| router.legs())
    };
    assert_eq!(legs(RoutingMode::Adaptive, 8), Ok(3));
    assert_eq!(legs(RoutingMode::Valiant, 8), Ok(3));
    assert_eq!(legs(RoutingMode::Minimal, 8), Ok(2));
    assert_eq!(legs(RoutingMode::Adaptive, 2), Ok(2), "no third group fits, minimal ways do");
    let too_few = legs(RoutingMode::Minimal, 1).expect_err("local, global, local climbs twice");
    assert_eq!(too_few, RoutingError::TableLegs { asked: 2, most: 1 });
}

#[test]
fn a_third_group_is_gone_through_where_the_direct_link_is_loaded() {
    let topology = &systems()[0];
    let wiring = Arc::new(FabricWiring::of(topology).expect("64 ports at most"));
    let router =
        Router::by_tables(Arc::clone(topology), parameters(RoutingMode::Adaptive), plan_without(&wiring, &[]), 8)
            .expect("sound");
    struct Busy<'a>(&'a FabricWiring, philae_units::GroupId);
    impl Loads for Busy<'_> {
        fn local(&self, port: PortIndex) -> u32 {
            let to = |port| self.0.peer(port).map(|peer| self.0.group_of(self.0.split(peer).0));
            if to(port) == Some(self.1) { 1_000_000 } else { 0 }
        }
        fn remote(&self, port: PortIndex) -> u32 {
            self.local(port)
        }
    }
    let mut random = RandomStream::new(1, 2, 3);
    let mut nonminimal = 0;
    let from = EndpointId(0);
    for to in (0..topology.endpoint_count() as u32).map(EndpointId) {
        let there = topology.group_of(topology.switch_of_endpoint(to));
        if there == topology.group_of(topology.switch_of_endpoint(from)) {
            continue;
        }
        for busy in [true, false] {
            let view = Busy(&wiring, if busy { there } else { philae_units::GroupId(u32::MAX) });
            let mut route = RouteState::default();
            let switch: SwitchId = topology.switch_of_endpoint(from);
            let request = RouteRequest {
                switch,
                destination: to,
                source: true,
                ordered: None,
                nonminimal_bias_percent: 50,
                mode: router.parameters().mode,
                shortest: to.0.is_multiple_of(2),
                fresh: false,
                input: topology.endpoint(from).port,
            };
            router.route(request, &mut route, &view, &mut random).expect("a path");
            assert_eq!(route.nonminimal, busy, "{to}");
            nonminimal += u32::from(route.nonminimal);
        }
    }
    assert_eq!(nonminimal as usize, topology.endpoint_count() - 4, "all of other groups");
}
