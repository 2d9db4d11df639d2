//! In an idle network, packets take a shortest of the paths that cross one global link.

use std::sync::Arc;

use philae_engine::RandomStream;
use philae_path::{Loads, RouteRequest, RouteState, Router, RoutingMode, RoutingParameters};
use philae_topology::{
    Arrangement, Dragonfly, DragonflyDescription, GlobalWiring, ListedLink, LocalWiring, PortPeer, SystemDescription,
    Topology, TopologyShape,
};
use philae_units::{EndpointId, PortIndex, SwitchId};
use proptest::prelude::*;

/// Every queue is empty.
struct Idle;

impl Loads for Idle {
    fn local(&self, _: PortIndex) -> u32 {
        0
    }
    fn remote(&self, _: PortIndex) -> u32 {
        0
    }
}

fn peer(topology: &Topology, port: PortIndex) -> SwitchId {
    match topology.port(port).peer {
        PortPeer::Port(other) => topology.switch_of(other),
        other => panic!("{port:?} leads to {other:?}"),
    }
}

/// Fewest switch-to-switch hops with at most one global link.
fn fewest(topology: &Topology, shape: &Dragonfly, from: SwitchId, to: SwitchId) -> u8 {
    let (home, away) = (topology.group_of(from), topology.group_of(to));
    if home == away {
        return shape.local_distance(from, to);
    }
    let through = |port: &PortIndex| {
        let (gateway_switch, far_switch) = (topology.switch_of(*port), peer(topology, *port));
        shape.local_distance(from, gateway_switch) + 1 + shape.local_distance(far_switch, to)
    };
    shape.gateways(home, away).iter().map(through).min().expect("joined")
}

/// Hops that one packet takes.
fn taken(
    router: &Router,
    from: SwitchId,
    destination: EndpointId,
    ordered: Option<u32>,
    random: &mut RandomStream,
) -> u8 {
    let topology = router.topology();
    let (mut switch, mut hops, mut route) = (from, 0, RouteState::default());
    let mut input = PortIndex(u32::MAX);
    while switch != topology.switch_of_endpoint(destination) {
        let nonminimal_bias_percent = router.parameters().nonminimal_bias_percent;
        let (source, ordered) = (hops == 0, ordered.filter(|_| hops > 0));
        let request = RouteRequest {
            switch,
            destination,
            source,
            ordered,
            nonminimal_bias_percent,
            mode: router.parameters().mode,
            shortest: true,
            fresh: true,
            input,
        };
        let port = router.route(request, &mut route, &Idle, random).expect("all links work").port;
        if let PortPeer::Port(entered) = topology.port(port).peer {
            input = entered;
        }
        switch = peer(topology, port);
        hops += 1;
        assert!(hops < 9, "a route ends");
    }
    hops
}

/// Lists the links of each pair of groups, on switches that follow no pattern.
fn list(wiring: &mut DragonflyDescription) {
    let (groups, switches) = (wiring.groups[0].count, wiring.groups[0].switches);
    let per_pair = wiring.links_per_pair.take().unwrap_or(1);
    for (one, other) in (0..groups).flat_map(|one| (one + 1..groups).map(move |other| (one, other))) {
        for turn in 0..per_pair {
            let at = |salt: u32| (turn * salt + one + other * 3) % switches;
            let link = ListedLink { between: [one, other], switches: [at(5), at(7)], ports: None };
            wiring.listed_links.push(link);
        }
    }
}

prop_compose! {
    fn system()(
        sizes in (2_u32..6, 1_u32..7, 1_u32..3, 1_u32..9), rows in 1_u32..3, relative in any::<bool>(),
        global in 0_usize..7
    ) -> SystemDescription {
        let switches = sizes.1 * rows;
        let mut wiring = DragonflyDescription::uniform(sizes.0, switches, sizes.2, sizes.3);
        use GlobalWiring as W;
        wiring.wiring =
            [W::RoundRobin, W::Absolute, W::Consecutive, W::Relative, W::Palmtree, W::Circulant, W::Listed][global];
        match wiring.wiring {
            W::RoundRobin if relative => wiring.arrangement = Arrangement::Relative,
            W::Listed => list(&mut wiring),
            _ => {}
        }
        if rows > 1 {
            wiring.groups[0].local = LocalWiring::Grid { columns: sizes.1, rows, row_links: 1, column_links: 1 };
        }
        SystemDescription { radix: 64, ..wiring.into() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_idle_dragonfly_is_crossed_by_shortest_paths(
        description in system(), mode in 0_usize..3, ordered in any::<Option<u32>>(), seed in any::<u64>()
    ) {
        let topology = Arc::new(Topology::build(&description).expect("a legal system"));
        let mode = [RoutingMode::Minimal, RoutingMode::Adaptive, RoutingMode::EcmpNonminimal][mode];
        let parameters = RoutingParameters { mode, ..RoutingParameters::slingshot() };
        let router = Router::new(Arc::clone(&topology), parameters).expect("free of deadlock");
        let TopologyShape::Dragonfly(shape) = topology.shape() else { panic!("a dragonfly was built") };
        let mut random = RandomStream::new(seed, 0, 0);
        for from in (0..topology.switch_count()).map(SwitchId::from_index) {
            for destination in (0..topology.endpoint_count()).map(EndpointId::from_index) {
                let to = topology.switch_of_endpoint(destination);
                let hops = taken(&router, from, destination, ordered, &mut random);
                prop_assert_eq!(hops, fewest(&topology, shape, from, to), "{:?} to {:?}", from, to);
            }
        }
    }
}
