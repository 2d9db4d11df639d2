//! Paths that packets take, seen from what a run delivers.

use crate::common::{config, job, run, topology};
use philae_fabric::RunOptions;
use philae_path::RoutingMode;
use philae_topology::{DragonflyDescription, GlobalWiring, GraphDescription};
use philae_units::Picoseconds;

/// On a chain there is one path between two switches. Adaptive routing must not take any other: a
/// packet from switch 1 to switch 0 through switch 2 would come back over the link that everything
/// waits for.
#[test]
fn a_chain_carries_the_same_under_adaptive_and_minimal_routing() {
    let mut chain = GraphDescription::regular(3, 0, &[[0, 1], [1, 2]]);
    chain.endpoints = toml::from_str::<std::collections::BTreeMap<String, _>>(
        "of = [{ switch = 0 }, { switch = 0 }, { switch = 1 }, { switch = 2 }]",
    )
    .expect("endpoints")
    .remove("of")
    .expect("one list");
    let topology = topology(chain);
    let delivered = [RoutingMode::Minimal, RoutingMode::Adaptive].map(|mode| {
        let mut config = config("none");
        config.routing.mode = mode;
        let options = RunOptions { time_limit: Picoseconds::from_micros(200), ..RunOptions::default() };
        let incast = "kind = 'incast'\nbytes = 65536\nmessages = 64\nwindow = 64";
        let record = run(&topology, config, options, vec![job("u", 0..4, incast, 1)]).expect("it runs");
        assert!(record.jobs[0].delivered.0 > 1_000_000, "{}", record.jobs[0].delivered.0);
        (record.jobs[0].delivered, record.packet_hops)
    });
    assert_eq!(delivered[0], delivered[1]);
}

/// Accepted load of a shift by `by` groups on a balanced dragonfly, where 0.7 is offered. A switch
/// has three endpoints and three global links, a group six switches, a pair of groups one link.
fn accepted(wiring: GlobalWiring, mode: RoutingMode, by: u32) -> f64 {
    let mut dragonfly = DragonflyDescription::uniform(19, 6, 3, 1);
    dragonfly.wiring = wiring;
    let topology = topology(dragonfly);
    let mut config = config("none");
    (config.host.send_overhead_ns, config.host.doorbell_ns, config.routing.mode) = (0, 0, mode);
    let (warm_up, time_limit) = (Picoseconds::from_micros(12), Picoseconds::from_micros(24));
    let options = RunOptions { warm_up, time_limit, ..RunOptions::default() };
    let workload =
        format!("kind = 'shift'\nstride = 18\nby = {by}\nbytes = 2048\noffered = {{ load = 0.7, rate_gbps = 200 }}");
    let ends = topology.endpoint_count() as u32;
    let record = run(&topology, config, options, vec![job("u", 0..ends, &workload, 1)]).expect("it runs");
    let line = 25.0 * (time_limit - warm_up).0 as f64 / 1e3 * f64::from(ends);
    record.jobs[0].delivered.0 as f64 / line
}

/// In an intermediate group, nonminimal paths enter by the link from the source's group and leave
/// by the one to the next group. Dealt to switches in turn, these are on neighbouring switches: the
/// three links of a switch meet on one local link, with the first and last hops of other paths, so
/// that 1 / (3 + 1) passes. In blocks, most pairs share a switch, and the global links limit: half.
/// Blocks have the same trouble with a shift by three groups, and links in turn have none with one
/// by six, as many as a group has switches.
#[test]
fn the_wiring_decides_which_group_shift_crowds_local_links() {
    let (turn, block) = (GlobalWiring::RoundRobin, GlobalWiring::Absolute);
    let within = |(wiring, mode, by), least, most| {
        let found = accepted(wiring, mode, by);
        assert!((least..most).contains(&found), "{wiring:?}, {mode:?}, by {by}: {found}");
    };
    within((turn, RoutingMode::Minimal, 1), 0.050, 0.060);
    within((block, RoutingMode::Minimal, 1), 0.050, 0.060);
    within((turn, RoutingMode::Valiant, 1), 0.20, 0.30);
    within((block, RoutingMode::Valiant, 1), 0.40, 0.52);
    within((GlobalWiring::Palmtree, RoutingMode::Valiant, 1), 0.40, 0.52);
    within((turn, RoutingMode::Adaptive, 1), 0.20, 0.36);
    within((block, RoutingMode::Adaptive, 1), 0.38, 0.55);
    within((turn, RoutingMode::Valiant, 6), 0.40, 0.52);
    within((block, RoutingMode::Valiant, 3), 0.20, 0.30);
}
