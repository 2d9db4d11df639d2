//! Paths that packets take, seen from what a run delivers.

use crate::common::{config, job, run, topology};
use philae_fabric::RunOptions;
use philae_path::RoutingMode;
use philae_topology::GraphDescription;
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
